//! `jl sim`: the real client against virtual workers.

mod answers;
mod subject;
mod table;

use crate::cli::SimArgs;
use crate::crew::{self, Progress};
use crate::failure::Failure;
use crate::plot;
use answers::Answers;
use jl_apps::SearchParameters;
use jl_client::Distances;
use jl_store::{Address, AnswerFile};
use serde_json::{Value, json};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use subject::Subject;
pub use table::{Row, shares};

pub fn run(args: &SimArgs) -> Result<ExitCode, Failure> {
    if !args.spread.is_finite() || args.spread < 0.0 {
        return Err(Failure::usage("--spread must be a number from 0 up"));
    }
    for file in args.plot.iter().chain(&args.plot_distances) {
        plot::Format::of(file)?;
    }
    let searches = searches(args)?;
    let Setting { subjects, answers, kept } = setting(args, &searches)?;
    for search in &searches {
        // A policy that there is not is refused before anything is computed.
        let parameters = jl_apps::Parameters { search: search.clone(), ..subjects[0].parameters.clone() };
        parameters.client().map_err(Failure::usage)?;
    }
    let results = simulate(args, &searches, &subjects, &answers)?;
    let report = Report::new(args, &searches, &subjects, results);
    draw(args, &report)?;
    let (recorded, computed) = answers.counts();
    if args.common.json {
        let mut object = report.json(args);
        if !args.from.is_empty() {
            object["answers"] = json!({
                "recorded": recorded, "versions": answers.versions(), "computed": computed, "kept": kept,
            });
        }
        println!("{object}");
    } else {
        report.print(args);
        if !args.from.is_empty() {
            println!("\n{recorded} answers were recorded, {computed} computed now");
        }
    }
    if let Some(mixture) = answers.mixture() {
        eprintln!("{mixture}");
    }
    if let Some(trouble) = answers.trouble() {
        eprintln!("warning: computed answers were not all kept: {trouble}");
    }
    Ok(if report.contradictions.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn searches(args: &SimArgs) -> Result<Vec<SearchParameters>, Failure> {
    let mut all = Vec::new();
    for name in &args.searches {
        if name == "pns" {
            for policy in &args.policies {
                all.push(args.common.tuning.search(name, Some(policy))?);
            }
        } else {
            all.push(args.common.tuning.search(name, None)?);
        }
    }
    Ok(all)
}

/// What is simulated, and who answers.
struct Setting {
    subjects: Vec<Subject>,
    answers: Answers,
    /// Where computed answers are kept.
    kept: Option<PathBuf>,
}

fn setting(args: &SimArgs, searches: &[SearchParameters]) -> Result<Setting, Failure> {
    let Some(first) = args.from.first() else {
        let subjects = subject::of_seeds(args, &searches[0])?;
        let answers = Answers::of(&subjects[0].parameters.program)?;
        return Ok(Setting { subjects, answers, kept: None });
    };
    let mut subjects: Vec<Subject> = Vec::new();
    let mut runs = Vec::new();
    for address in &args.from {
        let (subject, run) = subject::of_run(args, address)?;
        let other = subjects.first().filter(|s| s.parameters.program != subject.parameters.program);
        if let Some(other) = other {
            return Err(Failure::usage(format!(
                "--from: the runs must be of one engine; {first} has '{}', {address} has '{}'",
                other.parameters.program, subject.parameters.program
            )));
        }
        subjects.push(subject);
        runs.push(run);
    }
    let kept = args.keep.clone().unwrap_or_else(|| kept_beside(first));
    let answers = Answers::of(&subjects[0].parameters.program)?;
    let mut answers = answers.kept_in(AnswerFile::open(&kept).map_err(Failure::usage)?);
    for (run, subject) in runs.iter().zip(&subjects) {
        let version = subject.parameters.program_version.as_deref();
        answers.learn(run, version).map_err(Failure::store)?;
    }
    Ok(Setting { subjects, answers, kept: Some(kept) })
}

/// Where computed answers are kept unless the user says: a file beside the run or, if that is none, in the current folder.
fn kept_beside(run: &Address) -> PathBuf {
    match run {
        Address::File(path) => path.with_extension("answers"),
        Address::Database(_) => PathBuf::from(format!("{}.answers", run.name().replace('/', "-"))),
    }
}

/// A simulation of one subject.
struct Simulated {
    subject: usize,
    row: Row,
    distances: Distances,
}

/// Every subject with every search, alone and with every number of workers; in that order.
fn simulate(
    args: &SimArgs,
    searches: &[SearchParameters],
    subjects: &[Subject],
    answers: &Answers,
) -> Result<Vec<Simulated>, Failure> {
    let mut tasks = Vec::new();
    for (s, _) in searches.iter().enumerate() {
        for workers in numbers(args) {
            tasks.extend((0..subjects.len()).map(|subject| (s, workers, subject)));
        }
    }
    let threads = args.threads.or_else(|| std::thread::available_parallelism().ok());
    let progress = Progress::new();
    let results = crew::all(
        tasks.len(),
        threads.unwrap_or(NonZeroUsize::MIN),
        |i| {
            let (search, workers, subject) = tasks[i];
            let (row, distances) = subjects[subject].simulate(args, &searches[search], workers, answers)?;
            Ok(Simulated { subject, row, distances })
        },
        |done, _| {
            let computed = answers.counts().1;
            progress.show(&format!("{done} of {} simulations; {computed} answers computed", tasks.len()));
        },
    );
    results.into_iter().collect()
}

/// One worker first, since the others are measured against it.
fn numbers(args: &SimArgs) -> Vec<usize> {
    let mut numbers: Vec<usize> = args.workers.iter().map(|w| w.get()).filter(|&w| w != 1).collect();
    numbers.insert(0, 1);
    numbers
}

struct Report {
    /// The means, a row for each search, policy and number of workers that was asked for.
    rows: Vec<Row>,
    /// The rows of each subject.
    each: Vec<(String, Vec<Row>)>,
    /// Subjects that are not decided everywhere, and so not in the means.
    undecided: Vec<String>,
    contradictions: Vec<String>,
    distances: Distances,
}

impl Report {
    fn new(
        args: &SimArgs,
        searches: &[SearchParameters],
        subjects: &[Subject],
        results: Vec<Simulated>,
    ) -> Report {
        let mut distances = Distances::default();
        let mut each: Vec<(String, Vec<Row>)> =
            subjects.iter().map(|s| (s.name.clone(), Vec::new())).collect();
        let first = (searches[0].name(), searches[0].policy());
        for Simulated { subject, row, distances: more } in results {
            if (row.search.as_str(), &row.policy, row.workers) == (first.0, &first.1, 1) {
                distances += &more;
            }
            let alone = each[subject].1.iter().rfind(|r| r.workers == 1);
            let row = if row.workers == 1 { row } else { row.clone().against(alone.unwrap_or(&row)) };
            each[subject].1.push(row);
        }
        let contradictions = each.iter().filter_map(|(name, rows)| contradiction(name, rows)).collect();
        let is_open = |(_, rows): &&(String, Vec<Row>)| rows.iter().any(|r| !r.decided);
        let undecided: Vec<String> = each.iter().filter(is_open).map(|(name, _)| name.clone()).collect();
        // What is decided here and not there can't be compared; if nothing is left, it is all there is to show.
        let some_left = undecided.len() < each.len();
        let counted: Vec<&Vec<Row>> =
            each.iter().filter(|e| !some_left || !is_open(e)).map(|(_, rows)| rows).collect();
        let places = 0..each[0].1.len();
        let rows = places.map(|i| Row::mean(&counted.iter().map(|rows| &rows[i]).collect::<Vec<_>>()));
        let wanted = |row: &Row| args.workers.iter().any(|w| w.get() == row.workers);
        let rows = rows.filter(wanted).collect();
        Report { rows, each, undecided, contradictions, distances }
    }

    fn json(&self, args: &SimArgs) -> Value {
        let seed = args.common.seed.unwrap_or(0);
        let mut object = json!({ "seed": seed, "rows": self.rows });
        if args.from.is_empty() {
            object["game"] = json!(args.game.as_deref().unwrap_or("tictactoe"));
            object["repeat"] = json!(args.repeat);
            return object;
        }
        let each: Vec<Value> =
            self.each.iter().map(|(name, rows)| json!({ "run": name, "rows": rows })).collect();
        object["runs"] = json!(each);
        object["undecided"] = json!(self.undecided);
        object["contradictions"] = json!(self.contradictions);
        object["distances"] = json!({ "parent": self.distances.parent, "sibling": self.distances.sibling });
        object
    }

    fn print(&self, args: &SimArgs) {
        if args.each {
            table::print_each(&self.each);
            println!();
        }
        if !args.from.is_empty() {
            println!("means over {} runs", self.each.len() - self.undecided.len());
        }
        table::print(&self.rows);
        if !args.from.is_empty() {
            table::print_distances(&self.distances);
            if !self.undecided.is_empty() {
                println!("\nnot counted, since not decided everywhere: {}", self.undecided.join(", "));
            }
        }
        self.contradictions.iter().for_each(|c| println!("\nCONTRADICTION: {c}"));
    }
}

/// Two searches that found different winners can't both be right.
fn contradiction(name: &str, rows: &[Row]) -> Option<String> {
    let mut decided = rows.iter().filter(|r| r.decided);
    let first = decided.next()?;
    let other = decided.find(|r| r.winner != first.winner)?;
    let told = |r: &Row| {
        let winner = r.winner.as_deref().unwrap_or("none");
        format!("{winner} by {} {} with {} workers", r.search, r.policy, r.workers)
    };
    Some(format!("{name}: the winner is {}, but {}", told(first), told(other)))
}

fn draw(args: &SimArgs, report: &Report) -> Result<(), Failure> {
    let about = match (&args.from[..], &args.game) {
        ([], game) => game.clone().unwrap_or_else(|| "tictactoe".into()),
        (runs, _) => format!("mean of {} runs", runs.len() - report.undecided.len()),
    };
    for file in &args.plot {
        plot::speedups(file, &format!("Speed-up, {about}"), &report.rows)?;
        eprintln!("drew {}", file.display());
    }
    if let Some(file) = &args.plot_distances {
        plot::distances(file, &format!("Distances of neighbouring nodes, {about}"), &report.distances)?;
        eprintln!("drew {}", file.display());
    }
    Ok(())
}
