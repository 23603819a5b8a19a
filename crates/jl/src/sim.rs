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

/// The same for every number of workers, whatever suits the most of them: a speed-up is one of the same search.
fn searches(args: &SimArgs) -> Result<Vec<SearchParameters>, Failure> {
    let most = args.workers.iter().max().map_or(1, |w| w.get());
    let mut all = Vec::new();
    for name in &args.searches {
        if name == "pns" {
            for policy in &args.policies {
                all.push(args.common.tuning.search(name, Some(policy), most)?);
            }
        } else {
            all.push(args.common.tuning.search(name, None, most)?);
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
    for (number, address) in args.from.iter().enumerate() {
        let (of_seeds, run) = subject::of_run(args, number, address)?;
        let at = subjects.len();
        subjects.extend(of_seeds);
        let (program, other) = (&subjects[at].parameters.program, &subjects[0].parameters.program);
        if program != other {
            return Err(Failure::usage(format!(
                "--from: the runs must be of one engine; {first} has '{other}', {address} has '{program}'"
            )));
        }
        runs.push((run, subjects[at].parameters.program_version.clone()));
    }
    let kept = args.keep.clone().unwrap_or_else(|| kept_beside(first));
    let answers = Answers::of(&subjects[0].parameters.program)?;
    let mut answers = answers.kept_in(AnswerFile::open(&kept).map_err(Failure::usage)?);
    for (run, version) in &runs {
        answers.learn(run, version.as_deref()).map_err(Failure::store)?;
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
    each: Vec<Run>,
    /// Runs that are not decided everywhere, and so not in the means.
    undecided: Vec<String>,
    contradictions: Vec<String>,
    distances: Distances,
}

/// A run that was simulated, with one seed of the engine or several.
struct Run {
    name: String,
    /// The means over the seeds: a speed-up is of the mean times.
    rows: Vec<Row>,
    /// The rows of each seed.
    seeds: Vec<Vec<Row>>,
}

impl Run {
    fn is_decided(&self) -> bool {
        self.rows.iter().all(|r| r.decided)
    }

    /// The means over these of its seeds.
    fn over_seeds(seeds: &[&Vec<Row>]) -> Vec<Row> {
        if let [rows] = seeds {
            return (*rows).clone();
        }
        let places = 0..seeds.first().map_or(0, |rows| rows.len());
        let mut means: Vec<Row> = Vec::new();
        for i in places {
            let row = Row::mean(&seeds.iter().map(|rows| &rows[i]).collect::<Vec<_>>());
            let alone = means.iter().rfind(|r| r.workers == 1).filter(|_| row.workers != 1);
            means.push(match alone {
                Some(alone) => row.against(alone),
                None => row,
            });
        }
        means
    }
}

/// The means over runs, and how far chance can have moved the speed-ups: what leaving out one seed after the other does to
/// them (the jackknife's standard error).
fn means(runs: &[&Run]) -> Vec<Row> {
    let over_runs = |of_each: &[Vec<Row>]| -> Vec<Row> {
        let places = 0..of_each.first().map_or(0, Vec::len);
        places.map(|i| Row::mean(&of_each.iter().map(|rows| &rows[i]).collect::<Vec<_>>())).collect()
    };
    let mut means = over_runs(&runs.iter().map(|run| run.rows.clone()).collect::<Vec<_>>());
    let seeds = runs.first().map_or(0, |run| run.seeds.len());
    if seeds < 2 {
        return means;
    }
    let without = |left_out: usize| {
        let others = |run: &&Run| {
            let kept = run.seeds.iter().enumerate().filter(|(seed, _)| *seed != left_out);
            Run::over_seeds(&kept.map(|(_, rows)| rows).collect::<Vec<_>>())
        };
        over_runs(&runs.iter().map(others).collect::<Vec<_>>())
    };
    let partial: Vec<Vec<Row>> = (0..seeds).map(without).collect();
    for (i, row) in means.iter_mut().enumerate() {
        row.speedup_error = Some(table::jackknife(&partial.iter().map(|p| p[i].speedup).collect::<Vec<_>>()));
    }
    means
}

impl Report {
    fn new(
        args: &SimArgs,
        searches: &[SearchParameters],
        subjects: &[Subject],
        results: Vec<Simulated>,
    ) -> Report {
        let mut distances = Distances::default();
        let mut of_subjects: Vec<Vec<Row>> = vec![Vec::new(); subjects.len()];
        let first = (searches[0].name(), searches[0].policy());
        for Simulated { subject, row, distances: more } in results {
            if (row.search.as_str(), &row.policy, row.workers) == (first.0, &first.1, 1) {
                distances += &more;
            }
            let alone = of_subjects[subject].iter().rfind(|r| r.workers == 1);
            let row = if row.workers == 1 { row } else { row.clone().against(alone.unwrap_or(&row)) };
            of_subjects[subject].push(row);
        }
        let mut each: Vec<Run> = Vec::new();
        for (subject, rows) in subjects.iter().zip(of_subjects) {
            if subject.run == each.len() {
                each.push(Run { name: subject.name.clone(), rows: Vec::new(), seeds: Vec::new() });
            }
            each[subject.run].seeds.push(rows);
        }
        for run in &mut each {
            run.rows = Run::over_seeds(&run.seeds.iter().collect::<Vec<_>>());
        }
        let contradictions = each.iter().filter_map(|run| contradiction(&run.name, &run.seeds)).collect();
        let undecided: Vec<String> =
            each.iter().filter(|run| !run.is_decided()).map(|run| run.name.clone()).collect();
        // What is decided here and not there can't be compared; if nothing is left, it is all there is to show.
        let some_left = undecided.len() < each.len();
        let counted: Vec<&Run> = each.iter().filter(|run| !some_left || run.is_decided()).collect();
        let wanted = |row: &Row| args.workers.iter().any(|w| w.get() == row.workers);
        let rows = means(&counted).into_iter().filter(wanted).collect();
        Report { rows, each, undecided, contradictions, distances }
    }

    fn json(&self, args: &SimArgs) -> Value {
        let seed = args.common.seed.unwrap_or(0);
        let mut object = json!({ "seed": seed, "repeat": args.repeat, "rows": self.rows });
        if args.from.is_empty() {
            object["game"] = json!(args.game.as_deref().unwrap_or("tictactoe"));
            return object;
        }
        let each = self.each.iter().map(|Run { name, rows, seeds }| {
            let mut run = json!({ "run": name, "rows": rows });
            if seeds.len() > 1 {
                run["seeds"] = json!(seeds);
            }
            run
        });
        object["runs"] = each.collect();
        object["undecided"] = json!(self.undecided);
        object["contradictions"] = json!(self.contradictions);
        object["distances"] = json!({ "parent": self.distances.parent, "sibling": self.distances.sibling });
        object
    }

    fn print(&self, args: &SimArgs) {
        if args.each {
            table::print_each(self.each.iter().map(|run| (run.name.as_str(), &run.rows[..])));
            println!();
        }
        if !args.from.is_empty() {
            println!("means over {} runs{}", self.each.len() - self.undecided.len(), seeds_text(args));
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

/// With how many seeds, if with several.
fn seeds_text(args: &SimArgs) -> String {
    if args.repeat > 1 { format!(", with {} seeds each", args.repeat) } else { String::new() }
}

/// Two searches that found different winners can't both be right.
fn contradiction(name: &str, seeds: &[Vec<Row>]) -> Option<String> {
    let mut decided = seeds.iter().flatten().filter(|r| r.decided);
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
        (runs, _) => format!("mean of {} runs{}", runs.len() - report.undecided.len(), seeds_text(args)),
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
