//! What the search trees look like level by level: figures 11 to 15 of the thesis.

use super::{Row, name};
use crate::failure::Failure;
use crate::plot::{self, Lines};
use jl_engine_sudoku::{Algorithm, Disjoint};
use std::path::Path;

type Points = Vec<(f64, f64)>;

/// The rows of an algorithm.
type Group<'a> = (Algorithm, Vec<&'a Row>);

struct Figure {
    title: String,
    y: &'static str,
    logarithmic: bool,
    series: Vec<(String, Points)>,
}

/// The nodes per level, on average, of each algorithm; for those with disjoint sets also what these do.
pub fn draw(file: &Path, clues: usize, groups: &[Group]) -> Result<(), Failure> {
    let groups: Vec<&Group> = groups.iter().filter(|(_, rows)| !rows.is_empty()).collect();
    let with_sets: Vec<&Group> =
        groups.iter().copied().filter(|(_, rows)| !rows[0].checked.disjoint.is_empty()).collect();
    let mut figures = vec![Figure {
        title: format!("Nodes per level, {clues} clues{}", mean_of(&groups)),
        y: "nodes",
        logarithmic: true,
        series: each(&groups, clues, nodes),
    }];
    if !with_sets.is_empty() {
        figures.extend(of_sets(&with_sets, clues));
    }
    let lines: Vec<Lines> = (figures.iter_mut())
        .map(|Figure { title, y, logarithmic, series }| Lines {
            title,
            x: "clues",
            y,
            logarithmic: *logarithmic,
            series: std::mem::take(series),
        })
        .collect();
    plot::panels(file, &lines)
}

/// What disjoint sets do.
fn of_sets(groups: &[&Group], clues: usize) -> Vec<Figure> {
    let figure = |title: String, y, logarithmic, series| Figure { title, y, logarithmic, series };
    let sets = |group: &Group, level| sum(group, level, |at| at.sets);
    // Where no clue is left, no set is looked for; where there are no nodes, there is nothing to divide by.
    let share = |group: &Group, level| match clues - level {
        0 => f64::NAN,
        left => sets(group, level) / nodes(group, level) / (left + 1) as f64,
    };
    let children =
        |group: &Group, level| sum(group, level, |at| at.children) / sum(group, level, |at| at.equal);
    let mut figures = vec![
        figure("Disjoint sets per level".into(), "sets", true, each(groups, clues, sets)),
        figure("Disjoint sets of a node".into(), "part of clues left + 1", false, each(groups, clues, share)),
    ];
    for group in groups {
        let line =
            |what: &str, of: fn(&Disjoint) -> u64| (what.to_string(), levels(clues, |l| sum(group, l, of)));
        let mut series = match group.0 {
            Algorithm::V3 => vec![line("as many as clues left", |at| at.equal)],
            _ => vec![
                line("as many, not shrunk", |at| at.none),
                line("as many, shrunk", |at| at.shrunk),
                line("as many, one to nothing", |at| at.pruned),
            ],
        };
        series.push(line("more", |at| at.greater));
        figures.push(figure(
            format!("Nodes of {} by their disjoint sets", name(group.0)),
            "nodes",
            true,
            series,
        ));
    }
    let title = "Children of a node with as many as clues left";
    figures.push(figure(title.into(), "children", false, each(groups, clues, children)));
    figures
}

/// A line for each algorithm.
fn each(groups: &[&Group], clues: usize, value: impl Fn(&Group, usize) -> f64) -> Vec<(String, Points)> {
    groups.iter().map(|group| (name(group.0), levels(clues, |level| value(group, level)))).collect()
}

/// The levels that have a value.
fn levels(clues: usize, value: impl Fn(usize) -> f64) -> Points {
    let points = (0..=clues).map(|level| (level as f64, value(level)));
    points.filter(|(_, value)| value.is_finite()).collect()
}

fn mean_of(groups: &[&Group]) -> String {
    match groups.iter().map(|(_, rows)| rows.len()).max() {
        Some(grids) if grids > 1 => format!(", mean of {grids} grids"),
        _ => String::new(),
    }
}

/// The nodes of a grid on a level, on average.
fn nodes((_, rows): &Group, level: usize) -> f64 {
    rows.iter().map(|row| row.checked.nodes_per_level[level] as f64).sum::<f64>() / rows.len() as f64
}

/// What there is of a grid on a level, on average.
fn sum((_, rows): &Group, level: usize, of: impl Fn(&Disjoint) -> u64) -> f64 {
    rows.iter().map(|row| of(&row.checked.disjoint[level]) as f64).sum::<f64>() / rows.len() as f64
}
