//! The figures of simulations, and how they are put together and printed.

use jl_apps::SearchParameters;
use jl_client::{Distances, Summary};
use jl_jobs::sim::SimResult;
use serde::Serialize;

/// A search and policy with so many workers: of one run, or the means of several.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    pub search: String,
    pub policy: String,
    pub workers: usize,
    pub jobs: u64,
    pub aborted: u64,
    /// Aborted jobs of all that were begun and not lost.
    pub aborted_share: f64,
    pub failed: u64,
    pub lost: u64,
    pub virtual_seconds: f64,
    /// How much of their time the workers had a job.
    pub busy_share: f64,
    /// Against one worker.
    pub speedup: f64,
    /// Its standard error, of a mean over several seeds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speedup_error: Option<f64>,
    pub efficiency: f64,
    pub decided: bool,
    /// Of a mean: whom all agree on.
    pub winner: Option<String>,
    pub nodes: u64,
}

impl Row {
    pub fn new(search: &SearchParameters, workers: usize, s: &Summary, result: &SimResult) -> Row {
        let (jobs, aborted) = (s.counts.done, s.counts.aborted);
        let time = workers as f64 * result.virtual_time.as_secs_f64();
        Row {
            search: search.name().into(),
            policy: search.policy(),
            workers,
            jobs,
            aborted,
            aborted_share: aborted as f64 / (jobs + aborted).max(1) as f64,
            failed: s.counts.failed,
            lost: s.counts.lost,
            virtual_seconds: result.virtual_time.as_secs_f64(),
            busy_share: result.busy.as_secs_f64() / time.max(f64::MIN_POSITIVE),
            speedup: 1.0,
            speedup_error: None,
            efficiency: 1.0 / workers as f64,
            decided: s.bounds.exact().is_some(),
            winner: s.bounds.exact().map(|o| o.winner().map_or("none".into(), |p| p.to_string())),
            nodes: s.nodes as u64,
        }
    }

    /// The same run with one worker is `alone`.
    #[must_use]
    pub fn against(self, alone: &Row) -> Row {
        // A run without jobs takes no time, with any number of workers.
        let speedup =
            if self.virtual_seconds > 0.0 { alone.virtual_seconds / self.virtual_seconds } else { 1.0 };
        Row { speedup, efficiency: speedup / self.workers as f64, ..self }
    }

    /// The means; of speed-ups and shares too, so that every run counts the same, as in the papers.
    #[must_use]
    pub fn mean(rows: &[&Row]) -> Row {
        let mean = |of: fn(&Row) -> f64| {
            let sum: f64 = rows.iter().map(|r| of(r)).sum();
            (sum / rows.len().max(1) as f64 * 1e6).round() / 1e6
        };
        let count = |of: fn(&Row) -> u64| {
            let sum: u64 = rows.iter().map(|r| of(r)).sum();
            (sum as f64 / rows.len().max(1) as f64).round() as u64
        };
        let agreed = |w: &String| rows.iter().all(|r| r.winner.as_ref() == Some(w));
        Row {
            search: rows[0].search.clone(),
            policy: rows[0].policy.clone(),
            workers: rows[0].workers,
            jobs: count(|r| r.jobs),
            aborted: count(|r| r.aborted),
            aborted_share: mean(|r| r.aborted_share),
            failed: count(|r| r.failed),
            lost: count(|r| r.lost),
            virtual_seconds: mean(|r| r.virtual_seconds),
            busy_share: mean(|r| r.busy_share),
            speedup: mean(|r| r.speedup),
            speedup_error: None,
            efficiency: mean(|r| r.efficiency),
            decided: rows.iter().all(|r| r.decided),
            winner: rows[0].winner.clone().filter(agreed),
            nodes: count(|r| r.nodes),
        }
    }

    /// What stands under [`FIGURES`].
    fn figures(&self) -> String {
        format!(
            "{:6}  {:12}  {:7}  {:8}  {:7.1}%  {:11.2}s  {:5.1}%  {:8.2}  {:9.1}%",
            self.search,
            self.policy,
            self.workers,
            self.jobs,
            100.0 * self.aborted_share,
            self.virtual_seconds,
            100.0 * self.busy_share,
            self.speedup,
            100.0 * self.efficiency,
        )
    }

    fn result(&self) -> String {
        match (self.decided, self.winner.as_deref()) {
            (false, _) => "undecided".into(),
            (true, Some("none")) => "draw".into(),
            (true, Some(winner)) => format!("{winner} wins"),
            (true, None) => "decided".into(),
        }
    }
}

const FIGURES: &str =
    "search  policy        workers      jobs   aborted  virtual time    busy  speed-up  efficiency";

/// The table of means; with the speed-up against `fg` if that is among them (Lin13 Fig. 37), and with standard errors of
/// speed-ups if there are.
pub fn print(rows: &[Row]) {
    let has_flags = rows.iter().any(|r| r.policy == "fg");
    let has_errors = rows.iter().any(|r| r.speedup_error.is_some());
    let versus = if has_flags { "  of fg's" } else { "" };
    let error = if has_errors { "  error" } else { "" };
    println!("{FIGURES}{error}{versus}  result");
    for r in rows {
        let flags = rows.iter().find(|f| f.policy == "fg" && f.workers == r.workers);
        let versus = flags.map_or(String::new(), |f| format!("  {:6.1}%", 100.0 * r.speedup / f.speedup));
        let error = r.speedup_error.map_or(String::new(), |e| format!("  ±{e:4.2}"));
        println!("{}{error}{versus}  {}", r.figures(), r.result());
    }
}

/// The rows of every run.
pub fn print_each<'a>(runs: impl Iterator<Item = (&'a str, &'a [Row])>) {
    println!("run               {FIGURES}  result");
    for (name, rows) in runs {
        rows.iter().for_each(|r| println!("{name:16}  {}  {}", r.figures(), r.result()));
    }
}

/// The standard error of an estimate, from what it would be without each of the parts that it was made from.
pub fn jackknife(without_each: &[f64]) -> f64 {
    let n = without_each.len() as f64;
    let mean = without_each.iter().sum::<f64>() / n;
    let squares: f64 = without_each.iter().map(|x| (x - mean) * (x - mean)).sum();
    ((n - 1.0) / n * squares).sqrt()
}

/// Shares of the absolute distances 0 to 5, the last with all above.
pub fn shares(counts: &std::collections::BTreeMap<i32, u64>) -> [f64; 6] {
    let mut shares = [0.0; 6];
    let all: u64 = counts.values().sum();
    for (distance, &count) in counts {
        shares[distance.unsigned_abs().min(5) as usize] += count as f64 / all.max(1) as f64;
    }
    shares
}

/// Lin13 Fig. 36.
pub fn print_distances(distances: &Distances) {
    println!("\ndistance                      0      1      2      3      4     5+   pairs");
    for (name, counts) in
        [("parent and eldest child", &distances.parent), ("neighbouring siblings", &distances.sibling)]
    {
        let shares = shares(counts).map(|share| format!("{:5.1}%", 100.0 * share)).join(" ");
        println!("{name:24} {shares}  {:6}", counts.values().sum::<u64>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_jackknife_of_a_mean_is_its_standard_error() {
        let values = [3.0, 5.0, 4.0, 8.0];
        let mean = 5.0;
        let without: Vec<f64> = values.iter().map(|v| (4.0 * mean - v) / 3.0).collect();
        let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / 3.0;
        assert!((jackknife(&without) - (variance / 4.0_f64).sqrt()).abs() < 1e-12);
    }
}
