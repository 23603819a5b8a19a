//! What is said of a project.

use crate::failure::Failure;
use crate::plot::{self, Lines};
use crate::progress::rate;
use crate::sudoku::some;
use jl_apps::units::{Area, Given, Project, Slice, Totals, UnitRow};
use jl_engine_sudoku::catalogue::GRIDS;
use jl_jobs::local::LocalStats;
use serde_json::{Value, json};
use std::path::Path;

/// Speed, and what it means for the rest; none before the first unit is done.
struct Speed {
    grids_per_second: f64,
    rest: f64,
}

fn speed(project: &Project, seconds: f64) -> Option<Speed> {
    let done = project.grids_done();
    let speed = done as f64 / seconds;
    (done > 0 && speed.is_finite()).then(|| Speed {
        grids_per_second: speed,
        rest: (project.parameters().grids() - done) as f64 / speed,
    })
}

/// The time of one core for all grids, and its standard error, as far as a sample says it.
fn catalogue(project: &Project) -> Option<(f64, Option<f64>)> {
    let all = |seconds: f64| seconds * GRIDS as f64;
    project.estimate().map(|estimate| (all(estimate.mean), estimate.error.map(all)))
}

fn catalogue_line(project: &Project) -> String {
    let what = match (catalogue(project), &project.parameters().area) {
        (_, Area::Slice { .. }) => {
            "this is a slice, which says nothing about the rest; 'create --sample N' makes an estimate".into()
        }
        (None, _) => "no estimate before each part has a grid that is done".into(),
        (Some((seconds, error)), _) => {
            let error = error.map_or(String::new(), |e| format!(" ± {:.1}%", 100.0 * e / seconds));
            format!("{}{error} of one core for all {GRIDS} grids", span(seconds))
        }
    };
    line("catalogue", &what)
}

/// The line while it goes on.
pub fn progress(project: &Project, stats: &LocalStats, speed: f64) -> String {
    let total = project.parameters().units();
    let done = total - project.open() - project.given_up().count();
    let failed = if stats.failed > 0 { format!(", {} failed", stats.failed) } else { String::new() };
    let (running, workers) = (stats.running, stats.workers);
    let grids = project.grids_done();
    let total = some(total, "unit");
    format!("{done} of {total}, {running}/{workers} running{failed} | {grids} grids, {} grids/s", rate(speed))
}

pub fn status_json(project: &Project, seconds: f64) -> Value {
    let parameters = project.parameters();
    let jobs = project.jobs();
    let totals = project.totals();
    let speed = speed(project, seconds);
    let of = |field: fn(&Speed) -> f64| speed.as_ref().map(field);
    let more = json!({
        "grids": { "done": totals.grids, "total": parameters.grids() },
        "puzzles": totals.puzzles.len(),
        "jobs": { "done": jobs.done, "failed": jobs.failed, "dropped": jobs.dropped },
        "seconds": seconds,
        "grids_per_second": of(|e| e.grids_per_second),
        "seconds_to_go": of(|e| e.rest),
        "seconds_for_catalogue": catalogue(project).map(|(seconds, _)| seconds),
    });
    with_more(project, &totals, more)
}

pub fn status_text(project: &Project, seconds: f64) -> String {
    let parameters = project.parameters();
    let totals = project.totals();
    let jobs = project.jobs();
    let given_up = project.given_up().count();
    let beside = if given_up > 0 { format!(", {given_up} given up") } else { String::new() };
    let mut lines = vec![
        line("project", &parameters.moves),
        line("units", &format!("{} of {} done{beside}", totals.units, parameters.units())),
        line("grids", &format!("{} of {} done", totals.grids, parameters.grids())),
        line("puzzles", &format!("{} found", totals.puzzles.len())),
        line("jobs", &format!("{} done, {} failed, {} dropped", jobs.done, jobs.failed, jobs.dropped)),
    ];
    match speed(project, seconds) {
        None => lines.push(line("time", &span(seconds))),
        Some(e) => {
            let speed = rate(e.grids_per_second);
            lines.push(line("time", &format!("{}, {speed} grids/s", span(seconds))));
            lines.push(line("to go", &span(e.rest)));
        }
    }
    lines.push(catalogue_line(project));
    lines.extend(trouble_lines(project));
    lines.join("\n")
}

/// Everything here but `seconds` and `estimate` is the same however the project came to its end, as long as it was by one
/// version of the engine.
pub fn json(project: &Project, units: bool) -> Value {
    let totals = project.totals();
    let mut more = json!({
        "grids": totals.grids,
        "puzzles": totals.puzzles,
        "nodes": totals.nodes,
        "checksum": totals.checksum,
        "work": totals.work,
        "engines": project.engines(),
        "seconds": totals.seconds,
        "estimate": estimate_json(project),
    });
    if units {
        more["rows"] = project.rows().map(|row| unit_json(&row)).collect();
    }
    with_more(project, &totals, more)
}

/// What a sample says about all grids.
fn estimate_json(project: &Project) -> Option<Value> {
    let estimate = project.estimate()?;
    let (seconds, error) = catalogue(project)?;
    let part = |part: &jl_apps::units::Part| json!({ "part": part.part, "grids": part.grids, "mean": part.mean, "ratio": part.mean / estimate.mean });
    Some(json!({
        "mean": estimate.mean,
        "standard_error": estimate.error,
        "catalogue": { "seconds": seconds, "standard_error": error },
        "parts": estimate.parts.iter().map(part).collect::<Vec<_>>(),
    }))
}

fn unit_json(row: &UnitRow) -> Value {
    let Slice { start, place, grids } = row.slice;
    let answer = row.given.map(|given| &given.answer);
    json!({
        "unit": row.unit,
        "start": start,
        "place": place,
        "grids": grids,
        "puzzles": answer.map(|a| a.puzzles.len()),
        "nodes": answer.map(|a| a.nodes),
        "nodes_per_grid": answer.map(|a| &a.nodes_per_grid),
        "checksum": answer.map(|a| &a.checksum),
        "work": answer.map(|a| &a.work),
        "engine": row.engine,
        "answered": row.answered,
    })
}

fn unit_lines(project: &Project) -> impl Iterator<Item = String> {
    let head = "   unit   start     place   grids  puzzles         nodes  checksum          work              answered  engine";
    let row = |row: UnitRow| {
        let Slice { start, place, grids } = row.slice;
        let (unit, answered) = (row.unit, row.answered);
        let address = format!("{unit:>7}  {start:>6}  {place:>8}  {grids:>6}");
        match row.given {
            None => format!("{address}  {:>7}  {:>12}  {:16}  {:16}  {answered:>8}", "-", "-", "-", "-"),
            Some(Given { answer, .. }) => format!(
                "{address}  {:>7}  {:>12}  {}  {}  {answered:>8}  {}",
                answer.puzzles.len(),
                answer.nodes,
                answer.checksum,
                answer.work,
                row.engine.unwrap_or_default()
            ),
        }
    };
    [head.to_string()].into_iter().chain(project.rows().map(row))
}

/// What status and report have in common, and what only one of them has.
fn with_more(project: &Project, totals: &Totals, mut more: Value) -> Value {
    let parameters = project.parameters();
    more["clues"] = json!(parameters.clues);
    let (start, place) = match &parameters.area {
        Area::Slice { start, place, .. } => (Some(start), Some(place)),
        Area::Sample { parts, seed, .. } => {
            more["sample"] = json!({ "parts": parts, "seed": seed });
            (None, None)
        }
    };
    more["start"] = json!(start);
    more["place"] = json!(place);
    more["twice"] = json!(parameters.twice);
    more["complete"] = json!(totals.units == parameters.units());
    more["units"] = units_json(project, totals);
    more["confirmed_by_itself"] = json!(project.alone());
    more["differences"] = json!(differences_json(project));
    more["given_up"] = json!(given_up_json(project));
    more
}

pub fn text(project: &Project, units: bool) -> String {
    let parameters = project.parameters();
    let totals = project.totals();
    let complete = totals.units == parameters.units();
    let done = format!("{} of {} done", totals.units, parameters.units());
    let per_grid = totals.seconds / totals.grids.max(1) as f64;
    let mut lines = vec![
        line("project", &parameters.moves),
        line("units", &if complete { done } else { format!("{done}; what follows is of these") }),
        line("grids", &totals.grids.to_string()),
        line("puzzles", &totals.puzzles.len().to_string()),
    ];
    lines.extend(totals.puzzles.iter().map(|puzzle| line("", puzzle)));
    lines.push(line("nodes", &totals.nodes.to_string()));
    lines.push(line("checksum", &totals.checksum));
    lines.push(line("work", &totals.work));
    lines.extend(project.engines().iter().map(|engine| line("engine", engine)));
    lines.push(line("time", &format!("{}, {per_grid:.3} s per grid", span(totals.seconds))));
    if let Some(estimate) = project.estimate() {
        let error = estimate.error.map_or(String::new(), |e| format!(" ± {e:.4}"));
        lines.push(line("mean", &format!("{:.4}{error} s per grid", estimate.mean)));
    }
    lines.push(catalogue_line(project));
    lines.extend(trouble_lines(project));
    if units {
        lines.extend(unit_lines(project));
    }
    lines.join("\n")
}

fn line(name: &str, what: &str) -> String {
    format!("  {name:<10} {what}")
}

fn trouble_lines(project: &Project) -> Vec<String> {
    let name = |unit: usize| {
        let Slice { start, place, .. } = project.slice(unit);
        format!("unit {unit} (start {start}, place {place})")
    };
    let differences = project.differences().map(|(unit, all)| {
        line("difference", &format!("{}: checksums {}", name(unit), sums(&all).join(" ")))
    });
    let given_up = project.given_up().map(|(unit, why)| line("given up", &format!("{}: {why}", name(unit))));
    let alone = match project.alone() {
        0 => None,
        n => {
            let units = some(n, "unit");
            Some(line(
                "alone",
                &format!("{units}: a worker confirmed its own answer, since no other was free"),
            ))
        }
    };
    alone.into_iter().chain(differences).chain(given_up).collect()
}

/// The checksums of answers, what was found and the work, in order.
fn sums(all: &[&Given]) -> Vec<String> {
    let mut sums: Vec<String> =
        all.iter().map(|given| format!("{}/{}", given.answer.checksum, given.answer.work)).collect();
    sums.sort_unstable();
    sums
}

fn units_json(project: &Project, totals: &Totals) -> Value {
    let parameters = project.parameters();
    json!({
        "total": parameters.units(),
        "done": totals.units,
        "open": project.open(),
        "given_up": project.given_up().count(),
        "grids": parameters.unit,
    })
}

fn differences_json(project: &Project) -> Vec<Value> {
    let row = |(unit, all): (usize, Vec<&Given>)| json!({ "unit": unit, "checksums": sums(&all) });
    project.differences().map(row).collect()
}

fn given_up_json(project: &Project) -> Vec<Value> {
    project.given_up().map(|(unit, why)| json!({ "unit": unit, "why": why })).collect()
}

/// A time that may be of any size.
fn span(seconds: f64) -> String {
    const HOUR: f64 = 3600.0;
    match seconds {
        s if s < 60.0 => format!("{s:.1} s"),
        s if s < HOUR => format!("{:.1} min", s / 60.0),
        s if s < 48.0 * HOUR => format!("{:.1} h", s / HOUR),
        s if s < 730.0 * 24.0 * HOUR => format!("{:.1} days", s / HOUR / 24.0),
        s => format!("{:.1} years", s / HOUR / 24.0 / 365.25),
    }
}

/// The time of each unit or part, and their mean.
pub fn draw(file: &Path, project: &Project) -> Result<(), Failure> {
    let parameters = project.parameters();
    let clues = parameters.clues;
    if let Area::Sample { parts, .. } = &parameters.area {
        let estimate = project.estimate();
        let points = |e: &jl_apps::units::Estimate| -> Vec<(f64, f64)> {
            e.parts.iter().map(|part| ((part.part + 1) as f64, part.mean / e.mean)).collect()
        };
        let points = estimate.as_ref().map(points).unwrap_or_default();
        let mean = estimate.map_or(0.0, |estimate| estimate.mean);
        let ends = vec![(1.0, 1.0), (*parts as f64, 1.0)];
        return plot::lines(
            file,
            &Lines {
                title: &format!("Time per grid over the catalogue, {clues} clues"),
                x: "part of the catalogue",
                y: "ratio to the mean",
                logarithmic: false,
                series: vec![("part".into(), points), (format!("mean, {mean:.3} s"), ends)],
            },
        );
    }
    let points: Vec<(f64, f64)> =
        project.answers().map(|(unit, given)| (unit as f64, given.answer.seconds)).collect();
    let mean = points.iter().map(|p| p.1).sum::<f64>() / points.len().max(1) as f64;
    let ends = [points.first(), points.last()].into_iter().flatten().map(|p| (p.0, mean)).collect();
    let lines = Lines {
        title: &format!("Time per unit of {}, {clues} clues", some(parameters.unit as usize, "grid")),
        x: "unit",
        y: "seconds",
        logarithmic: false,
        series: vec![("unit".into(), points), (format!("mean, {mean:.2} s"), ends)],
    };
    plot::lines(file, &lines)
}
