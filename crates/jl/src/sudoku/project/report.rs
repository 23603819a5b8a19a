//! What is said of a project.

use crate::failure::Failure;
use crate::plot::{self, Lines};
use crate::progress::rate;
use crate::sudoku::some;
use jl_apps::units::{Project, Slice, Totals};
use jl_engine_sudoku::catalogue::GRIDS;
use jl_jobs::local::LocalStats;
use serde_json::{Value, json};
use std::path::Path;

/// Speed, and what it means for the rest and for the whole catalogue; none before the first unit is done.
struct Estimate {
    grids_per_second: f64,
    rest: f64,
    catalogue: f64,
}

fn estimate(project: &Project, seconds: f64) -> Option<Estimate> {
    let done = project.grids_done();
    let speed = done as f64 / seconds;
    (done > 0 && speed.is_finite()).then(|| Estimate {
        grids_per_second: speed,
        rest: (project.parameters().count - done) as f64 / speed,
        catalogue: GRIDS as f64 / speed,
    })
}

/// The line while it goes on.
pub fn progress(project: &Project, stats: &LocalStats, speed: f64) -> String {
    let total = project.parameters().units();
    let done = total - project.open() - project.given_up().count();
    let failed = if stats.failed > 0 { format!(", {} failed", stats.failed) } else { String::new() };
    let (running, workers) = (stats.running, stats.workers);
    let grids = project.grids_done();
    format!(
        "{done} of {total} units, {running}/{workers} running{failed} | {grids} grids, {} grids/s",
        rate(speed)
    )
}

pub fn status_json(project: &Project, seconds: f64) -> Value {
    let parameters = project.parameters();
    let jobs = project.jobs();
    let totals = project.totals();
    let estimate = estimate(project, seconds);
    let of = |field: fn(&Estimate) -> f64| estimate.as_ref().map(field);
    let more = json!({
        "grids": { "done": totals.grids, "total": parameters.count },
        "puzzles": totals.puzzles.len(),
        "jobs": { "done": jobs.done, "failed": jobs.failed, "dropped": jobs.dropped },
        "seconds": seconds,
        "grids_per_second": of(|e| e.grids_per_second),
        "seconds_to_go": of(|e| e.rest),
        "seconds_for_catalogue": of(|e| e.catalogue),
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
        line("grids", &format!("{} of {} done", totals.grids, parameters.count)),
        line("puzzles", &format!("{} found", totals.puzzles.len())),
        line("jobs", &format!("{} done, {} failed, {} dropped", jobs.done, jobs.failed, jobs.dropped)),
    ];
    match estimate(project, seconds) {
        None => lines.push(line("time", &span(seconds))),
        Some(e) => {
            let speed = rate(e.grids_per_second);
            lines.push(line("time", &format!("{}, {speed} grids/s", span(seconds))));
            lines.push(line("to go", &span(e.rest)));
            lines.push(line(
                "catalogue",
                &format!("{} for all {GRIDS} grids at this speed", span(e.catalogue)),
            ));
        }
    }
    lines.extend(trouble_lines(project));
    lines.join("\n")
}

/// Everything here but `seconds` is the same however the project came to its end.
pub fn json(project: &Project) -> Value {
    let totals = project.totals();
    let more = json!({
        "grids": totals.grids,
        "puzzles": totals.puzzles,
        "nodes": totals.nodes,
        "checksum": totals.checksum,
        "seconds": totals.seconds,
    });
    with_more(project, &totals, more)
}

/// What status and report have in common, and what only one of them has.
fn with_more(project: &Project, totals: &Totals, mut more: Value) -> Value {
    let parameters = project.parameters();
    more["clues"] = json!(parameters.clues);
    more["start"] = json!(parameters.start);
    more["twice"] = json!(parameters.twice);
    more["complete"] = json!(totals.units == parameters.units());
    more["units"] = units_json(project, totals);
    more["differences"] = json!(differences_json(project));
    more["given_up"] = json!(given_up_json(project));
    more
}

pub fn text(project: &Project) -> String {
    let parameters = project.parameters();
    let totals = project.totals();
    let complete = totals.units == parameters.units();
    let units = format!("{} of {} done", totals.units, parameters.units());
    let per_grid = totals.seconds / totals.grids.max(1) as f64;
    let mut lines = vec![
        line("project", &parameters.moves),
        line("units", &if complete { units } else { format!("{units}; what follows is of these") }),
        line("grids", &totals.grids.to_string()),
        line("puzzles", &totals.puzzles.len().to_string()),
    ];
    lines.extend(totals.puzzles.iter().map(|puzzle| line("", puzzle)));
    lines.push(line("nodes", &totals.nodes.to_string()));
    lines.push(line("checksum", &totals.checksum));
    lines.push(line("engine", &format!("{}, {per_grid:.3} s per grid", span(totals.seconds))));
    lines.extend(trouble_lines(project));
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
    let differences = project
        .differences()
        .map(|(unit, sums)| line("difference", &format!("{}: checksums {}", name(unit), sums.join(" "))));
    let given_up = project.given_up().map(|(unit, why)| line("given up", &format!("{}: {why}", name(unit))));
    differences.chain(given_up).collect()
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
    let row = |(unit, sums)| json!({ "unit": unit, "checksums": sums });
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

/// The time of each unit, and their mean.
pub fn draw(file: &Path, project: &Project) -> Result<(), Failure> {
    let points: Vec<(f64, f64)> = project.answers().map(|(unit, a)| (unit as f64, a.seconds)).collect();
    let mean = points.iter().map(|p| p.1).sum::<f64>() / points.len().max(1) as f64;
    let ends = [points.first(), points.last()].into_iter().flatten().map(|p| (p.0, mean)).collect();
    let parameters = project.parameters();
    let lines = Lines {
        title: &format!(
            "Time per unit of {}, {} clues",
            some(parameters.unit as usize, "grid"),
            parameters.clues
        ),
        x: "unit",
        y: "seconds",
        logarithmic: false,
        series: vec![("unit".into(), points), (format!("mean, {mean:.2} s"), ends)],
    };
    plot::lines(file, &lines)
}
