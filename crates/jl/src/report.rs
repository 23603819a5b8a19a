//! What a run prints at its end.

use crate::progress;
use jl_apps::{AnyClient, Parameters};
use jl_client::{End, Summary};
use jl_proof::Checked;
use jl_store::Address;
use jl_value::{Outcome, Player};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// How long things took, in seconds.
#[derive(Clone, Copy)]
pub struct Times {
    /// The run, in all its sessions.
    pub run: f64,
    /// The client's own work, in this session.
    pub client: Option<f64>,
}

impl Times {
    /// How many times faster than one worker that does the same jobs one after the other. Not known if others did some of them
    /// before.
    fn speedup(self, s: &Summary) -> Option<f64> {
        (s.counts.cached == 0).then(|| s.engine_time.as_secs_f64() / self.run.max(1e-9))
    }
}

/// How a run stands, as `runs.status` says it.
pub fn status(client: &dyn AnyClient) -> &'static str {
    match client.summary().end {
        None => "stopped",
        Some(End::Decided) => "decided",
        Some(End::Limit) => "limit",
        Some(End::GivenUp) => "given-up",
    }
}

pub fn json(client: &dyn AnyClient, parameters: &Parameters, times: Times, run: Option<&Address>) -> Value {
    let s = client.summary();
    let engine = s.engine_time.as_secs_f64();
    let winner = s.bounds.exact().map(|o| o.winner().map_or("none".into(), |p: Player| p.to_string()));
    let failures: Vec<String> = client.recent_failures().iter().map(|f| f.failure.to_string()).collect();
    json!({
        "game": parameters.game,
        "moves": parameters.moves,
        "search": parameters.search.name(),
        "policy": parameters.search.policy(),
        "workers": parameters.workers,
        "decided": s.bounds.exact().is_some(),
        "winner": winner,
        "best_move": s.line.first(),
        "line": s.line,
        "jobs": {
            "done": s.counts.done,
            "aborted": s.counts.aborted,
            "failed": s.counts.failed,
            "cached": s.counts.cached,
            "lost": s.counts.lost,
        },
        "nodes": s.nodes,
        "transpositions": s.transposed,
        "seconds": rounded(times.run),
        "engine_seconds": rounded(engine),
        "client_seconds": times.client.map(rounded),
        "speedup": times.speedup(&s).map(rounded),
        "status": status(client),
        "bounds": s.bounds.to_string(),
        "root": s.root,
        "failures": failures,
        "run": run.map(Address::to_string),
    })
}

fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// For people.
pub fn text(client: &dyn AnyClient, parameters: &Parameters, times: Times) -> String {
    let s = client.summary();
    let mover = client.mover();
    let mut out = String::new();
    let mut row = |name: &str, text: String| out.push_str(&row(name, &text));
    let at = if parameters.moves.trim().is_empty() { "the start".into() } else { parameters.moves.clone() };
    row("position", format!("{}, {at}; {} to move", parameters.game, client.player_name(mover)));
    row("result", verdict(client));
    if let Some(best) = s.line.first() {
        let what = match s.bounds.exact() {
            Some(o) if o == Outcome::win_of(mover) => "winning",
            Some(Outcome::Draw) => "drawing",
            Some(_) => "best try",
            None => "favourite",
        };
        row(what, best.clone());
        row("line", s.line.join(" "));
    }
    let c = s.counts;
    let lost = if c.lost > 0 { format!(", {} lost", c.lost) } else { String::new() };
    let cached = if c.cached > 0 { format!(", {} of them cached", c.cached) } else { String::new() };
    row("jobs", format!("{} done{cached}, {} aborted, {} failed{lost}", c.done, c.aborted, c.failed));
    row("nodes", format!("{}; transpositions {}", s.nodes, s.transposed));
    let rate = c.done as f64 / times.run.max(1e-9);
    let workers = count(parameters.workers, "worker");
    row("time", format!("{:.2} s with {workers}, {} jobs/s", times.run, progress::rate(rate)));
    let engine = s.engine_time.as_secs_f64();
    let speedup = times.speedup(&s).filter(|_| parameters.workers > 1);
    let faster = speedup.map_or(String::new(), |x| format!(", {x:.2} times as fast as one worker"));
    row("engine", format!("{engine:.2} s{faster}"));
    if let Some(seconds) = times.client {
        row("client", format!("{seconds:.2} s"));
    }
    for f in client.recent_failures() {
        row("failure", format!("{}: {}", f.job, f.failure));
    }
    if client.given_up() > 0 {
        row("given up", format!("{}, whose jobs kept failing", count(client.given_up(), "node")));
    }
    format!("{}\n{out}", client.board())
}

/// What was written of a proof.
pub fn proof_json(file: &Path, checked: &Checked, took: Duration) -> Value {
    let seconds = (took.as_secs_f64() * 1000.0).round() / 1000.0;
    json!({
        "file": file.display().to_string(),
        "nodes": checked.nodes,
        "leaves": checked.leaves,
        "replies": checked.replies,
        "depth": checked.depth,
        "checked": true,
        "seconds": seconds,
    })
}

/// For people.
pub fn proof_text(file: &Path, checked: &Checked, took: Duration) -> String {
    let Checked { nodes, replies, .. } = checked;
    let (file, seconds) = (file.display(), took.as_secs_f64());
    row("proof", &format!("{file}: {nodes} nodes account for {replies} replies, checked, {seconds:.1} s"))
        + &row("", &format!("check it again with: jl proof verify {file}"))
}

/// A line of a report.
pub fn row(name: &str, text: &str) -> String {
    format!("  {name:<10} {text}\n")
}

pub fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn verdict(client: &dyn AnyClient) -> String {
    let s = client.summary();
    match s.bounds.exact() {
        Some(Outcome::Draw) => "DRAW, proved from both sides".into(),
        Some(outcome) => {
            let winner = outcome.winner().expect("a draw was handled");
            let how =
                if winner == client.mover() { "the player to move wins" } else { "the player to move loses" };
            format!("{} WINS: {how}", client.player_name(winner).to_uppercase())
        }
        None => {
            let why = match s.end {
                Some(End::Limit) => "the job limit is reached",
                Some(End::GivenUp) => "every job that is left kept failing",
                _ => "stopped",
            };
            format!("undecided: {why}; known so far: {}; root {}", s.bounds, s.root)
        }
    }
}
