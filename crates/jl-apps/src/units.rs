//! Grids of the Sudoku catalogue in units, each a job: no tree, but the next open unit whenever a worker is free.

use jl_engine_sudoku::solver::is_unique;
use jl_engine_sudoku::{Answer, Checksum, Puzzle};
use jl_game::reply::excerpt;
use jl_messages::{DropReason, Input, JobClient, JobId, Notice, Request, Submit};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The engine, and the game of the run.
pub const PROGRAM: &str = "sudoku";

/// What to check, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    pub clues: usize,
    /// The first start of the catalogue.
    pub start: usize,
    /// How many grids, from there on.
    pub count: u64,
    /// Of them, how many make a unit.
    pub unit: u64,
    /// Whether two jobs have to agree on each unit.
    pub twice: bool,
    /// How often a unit may fail and be tried again.
    pub retries: u32,
}

/// What the run is about, as the store keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Parameters {
    pub game: String,
    /// What is checked, in words.
    pub moves: String,
    search: SearchName,
    pub program_version: Option<String>,
    pub clues: usize,
    pub start: usize,
    pub count: u64,
    pub unit: u64,
    pub twice: bool,
    pub retries: u32,
    /// The numbers of grids of the starts from the first one on; of the last, only those that belong to the project.
    starts: Vec<u64>,
}

/// `jl runs` shows it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SearchName {
    name: String,
}

impl Parameters {
    /// `starts` are the numbers of grids of the starts from the first one on.
    #[must_use]
    pub fn new(plan: Plan, starts: Vec<u64>, program_version: Option<String>) -> Parameters {
        let Plan { clues, start, count, unit, twice, retries } = plan;
        let again = if twice { ", twice" } else { "" };
        Parameters {
            game: PROGRAM.into(),
            moves: format!("{count} grids from start {start} on, {clues} clues{again}"),
            search: SearchName { name: "units".into() },
            program_version,
            clues,
            start,
            count,
            unit,
            twice,
            retries,
            starts,
        }
    }

    pub fn units(&self) -> usize {
        self.count.div_ceil(self.unit) as usize
    }
}

/// Where a unit begins, and how many grids it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slice {
    pub start: usize,
    pub place: u64,
    pub grids: u64,
}

/// What is known of a unit.
#[derive(Clone, Default)]
struct Unit {
    answers: Vec<Answer>,
    running: usize,
    failures: u32,
    /// Why no more jobs are made for it.
    given_up: Option<String>,
}

impl Unit {
    /// The answer that counts: the only one that is wanted, or one that another confirms.
    fn settled(&self, twice: bool) -> Option<&Answer> {
        if !twice {
            return self.answers.first();
        }
        let confirmed = |i: &usize| self.answers[..*i].iter().any(|other| agree(other, &self.answers[*i]));
        (1..self.answers.len()).find(confirmed).map(|i| &self.answers[i])
    }

    fn differs(&self) -> bool {
        self.answers.iter().any(|answer| !agree(answer, &self.answers[0]))
    }

    /// How many more jobs it should have.
    fn missing(&self, twice: bool) -> usize {
        if self.given_up.is_some() || self.settled(twice).is_some() {
            return 0;
        }
        let wanted = match (twice, self.answers.len()) {
            (false, _) => 1,
            (true, 0 | 1) => 2,
            (true, _) => MOST_ANSWERS,
        };
        wanted.saturating_sub(self.answers.len() + self.running)
    }

    fn is_open(&self, twice: bool) -> bool {
        self.given_up.is_none() && self.settled(twice).is_none()
    }
}

/// Whether two answers are the same but for the time that they took.
fn agree(a: &Answer, b: &Answer) -> bool {
    (&a.checksum, &a.puzzles, a.nodes) == (&b.checksum, &b.puzzles, b.nodes)
}

/// Two that differ, and a third that decides.
const MOST_ANSWERS: usize = 3;

struct InFlight {
    unit: usize,
    question: String,
}

/// How jobs ended.
#[derive(Clone, Copy, Default)]
pub struct Jobs {
    pub done: u64,
    pub failed: u64,
    pub dropped: u64,
}

/// What the units that are done came to.
#[derive(Default)]
pub struct Totals<'a> {
    pub units: usize,
    pub grids: u64,
    pub puzzles: Vec<&'a str>,
    pub nodes: u64,
    pub seconds: f64,
    /// Of their checksums, in order.
    pub checksum: String,
}

pub struct Project {
    parameters: Parameters,
    /// The grids before each start.
    before: Vec<u64>,
    units: Vec<Unit>,
    /// The units that want jobs, by failures: what fails may work later.
    wanting: BTreeSet<(u32, usize)>,
    /// The units that are neither done nor given up.
    open: usize,
    grids_done: u64,
    in_flight: BTreeMap<JobId, InFlight>,
    next_job: u64,
    /// The broker was told that there is nothing to compute.
    starved: bool,
    jobs: Jobs,
    troubles: Vec<String>,
}

impl Project {
    pub fn new(parameters: Parameters) -> Project {
        let sums = parameters.starts.iter().scan(0, |sum, grids| {
            *sum += grids;
            Some(*sum - grids)
        });
        let count = parameters.units();
        Project {
            before: sums.collect(),
            units: vec![Unit::default(); count],
            wanting: (0..count).map(|unit| (0, unit)).collect(),
            open: count,
            grids_done: 0,
            in_flight: BTreeMap::new(),
            next_job: 0,
            starved: false,
            jobs: Jobs::default(),
            troubles: Vec::new(),
            parameters,
        }
    }

    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    pub fn jobs(&self) -> Jobs {
        self.jobs
    }

    /// The grids of the units that are done.
    pub fn grids_done(&self) -> u64 {
        self.grids_done
    }

    /// The units that are neither done nor given up.
    pub fn open(&self) -> usize {
        self.open
    }

    /// What went wrong, in the order in which it did.
    pub fn troubles(&self) -> &[String] {
        &self.troubles
    }

    pub fn slice(&self, unit: usize) -> Slice {
        let Parameters { start, count, unit: size, .. } = self.parameters;
        let from = unit as u64 * size;
        let nth = self.before.partition_point(|before| *before <= from) - 1;
        Slice { start: start + nth, place: from - self.before[nth], grids: size.min(count - from) }
    }

    /// The units that were given up, and why.
    pub fn given_up(&self) -> impl Iterator<Item = (usize, &str)> {
        self.units.iter().enumerate().filter_map(|(i, unit)| Some((i, unit.given_up.as_deref()?)))
    }

    /// The units whose answers differ, with the checksums in order.
    pub fn differences(&self) -> impl Iterator<Item = (usize, Vec<&str>)> {
        self.units.iter().enumerate().filter(|(_, unit)| unit.differs()).map(|(i, unit)| {
            let mut sums: Vec<&str> = unit.answers.iter().map(|a| a.checksum.as_str()).collect();
            sums.sort_unstable();
            (i, sums)
        })
    }

    /// The answers of the units that are done.
    pub fn answers(&self) -> impl Iterator<Item = (usize, &Answer)> {
        let twice = self.parameters.twice;
        self.units.iter().enumerate().filter_map(move |(i, unit)| Some((i, unit.settled(twice)?)))
    }

    pub fn totals(&self) -> Totals<'_> {
        let mut totals = Totals::default();
        let mut sum = Checksum::default();
        for (unit, answer) in self.answers() {
            totals.units += 1;
            totals.grids += answer.grids as u64;
            totals.puzzles.extend(answer.puzzles.iter().map(String::as_str));
            totals.nodes += answer.nodes;
            totals.seconds += answer.seconds;
            sum.bytes(format!("{unit} {}\n", answer.checksum).as_bytes());
        }
        totals.checksum = sum.to_string();
        totals
    }

    /// The project goes on after it was stopped or killed; its jobs are numbered from here.
    pub fn begin_session(&mut self, first_job: u64) {
        self.next_job = self.next_job.max(first_job);
    }

    /// A number that no job can have had, also none that the journal does not know.
    pub fn unused_job(&self) -> u64 {
        JobId::unused_after(self.next_job)
    }

    pub fn jobs_in_flight(&self) -> Vec<JobId> {
        self.in_flight.keys().copied().collect()
    }

    /// Tries the units that were given up again, from the beginning.
    pub fn retry(&mut self) {
        let given_up: Vec<usize> = self.given_up().map(|(unit, _)| unit).collect();
        for unit in given_up {
            self.change(unit, |unit| *unit = Unit { running: unit.running, ..Unit::default() });
        }
    }

    /// Changes a unit, and what follows from it.
    fn change(&mut self, unit: usize, change: impl FnOnce(&mut Unit)) {
        let (twice, grids) = (self.parameters.twice, self.slice(unit).grids);
        let it = &mut self.units[unit];
        self.wanting.remove(&(it.failures, unit));
        let (was_open, was_done) = (it.is_open(twice), it.settled(twice).is_some());
        change(it);
        if it.missing(twice) > 0 {
            self.wanting.insert((it.failures, unit));
        }
        let is_done = it.settled(twice).is_some();
        self.open = self.open + usize::from(it.is_open(twice)) - usize::from(was_open);
        self.grids_done = self.grids_done + grids * u64::from(is_done) - grids * u64::from(was_done);
    }

    fn choose(&mut self) -> Vec<Request> {
        let Some(&(_, unit)) = self.wanting.first() else {
            self.starved = true;
            return vec![Request::Decline];
        };
        self.change(unit, |unit| unit.running += 1);
        let job = JobId(self.next_job);
        self.next_job += 1;
        let Slice { start, place, grids } = self.slice(unit);
        let clues = self.parameters.clues;
        let question = format!("--clues {clues} --start {start} --place {place} --count {grids}");
        let words = question.split(' ').map(String::from).collect();
        self.in_flight.insert(job, InFlight { unit, question });
        vec![Request::Submit(Submit {
            job,
            program: PROGRAM.into(),
            input: Input { words, stdin: vec![] },
            priority: 0,
            cores: 1,
            time_limit: None,
            abortable: false,
            reassign: 0,
        })]
    }

    /// A job ended in some way; a late or unknown one means nothing.
    fn end(&mut self, job: JobId, ended: impl FnOnce(&mut Project, usize)) -> Vec<Request> {
        let Some(InFlight { unit, .. }) = self.in_flight.remove(&job) else { return vec![] };
        self.change(unit, |unit| unit.running -= 1);
        ended(self, unit);
        let ready = self.starved && !self.wanting.is_empty();
        self.starved &= !ready;
        if ready { vec![Request::Ready] } else { vec![] }
    }

    fn answered(&mut self, unit: usize, output: &[String]) {
        let answer = match self.read(unit, output) {
            Ok(answer) => answer,
            Err(why) => return self.failed(unit, &format!("bad answer: {why}")),
        };
        self.jobs.done += 1;
        let differed = self.units[unit].differs();
        let twice = self.parameters.twice;
        self.change(unit, |unit| {
            unit.answers.push(answer);
            if unit.settled(twice).is_some() {
                // Given up while this job ran, perhaps.
                unit.given_up = None;
            } else if unit.answers.len() == MOST_ANSWERS {
                unit.given_up = Some(format!("{MOST_ANSWERS} different answers"));
            }
        });
        let it = &self.units[unit];
        if it.differs() && !differed {
            let sums: Vec<&str> = it.answers.iter().map(|a| a.checksum.as_str()).collect();
            let sums = sums.join(" and ");
            self.trouble(unit, &format!("two answers differ (checksums {sums}); it is computed once more"));
        } else if let Some(why) = it.given_up.clone() {
            self.trouble(unit, &format!("given up: {why}"));
        }
    }

    /// The answer to a unit, if it can be one.
    fn read(&self, unit: usize, output: &[String]) -> Result<Answer, String> {
        let line = output.iter().rev().find(|line| !line.trim().is_empty()).ok_or("nothing")?;
        let answer: Answer = serde_json::from_str(line).map_err(|e| format!("{e} in {}", excerpt(line)))?;
        let expected = self.slice(unit).grids;
        if answer.grids as u64 != expected {
            return Err(format!("it is about {} grids, not {expected}", answer.grids));
        }
        if !(answer.seconds.is_finite() && answer.seconds >= 0.0) {
            return Err(format!("it took {} seconds", answer.seconds));
        }
        for text in &answer.puzzles {
            let puzzle: Puzzle = text.parse().map_err(|e| format!("{e}: {}", excerpt(text)))?;
            if puzzle.clues().len() != self.parameters.clues || !is_unique(&puzzle) {
                let clues = self.parameters.clues;
                return Err(format!("'{text}' is no puzzle with {clues} clues and one solution"));
            }
        }
        Ok(answer)
    }

    fn failed(&mut self, unit: usize, why: &str) {
        self.jobs.failed += 1;
        let retries = self.parameters.retries;
        self.change(unit, |unit| {
            unit.failures += 1;
            if unit.failures > retries {
                unit.given_up = Some(format!("{} failures, the last one: {why}", unit.failures));
            }
        });
        match self.units[unit].given_up.clone() {
            Some(why) => self.trouble(unit, &format!("given up: {why}")),
            None => self.trouble(unit, why),
        }
    }

    fn trouble(&mut self, unit: usize, what: &str) {
        let Slice { start, place, .. } = self.slice(unit);
        self.troubles.push(format!("unit {unit} (start {start}, place {place}): {what}"));
    }
}

impl JobClient for Project {
    fn start(&mut self) -> Vec<Request> {
        self.starved = false;
        vec![Request::Hello { priority: 0, programs: vec![PROGRAM.into()] }]
    }

    fn handle(&mut self, notice: Notice) -> Vec<Request> {
        match notice {
            Notice::WorkerAvailable => self.choose(),
            Notice::Done { job, output, .. } | Notice::Cached { job, output } => {
                self.end(job, |project, unit| project.answered(unit, &output))
            }
            Notice::Failed { job, failure, .. } => {
                self.end(job, |project, unit| project.failed(unit, &failure.to_string()))
            }
            // No worker may run it: nobody else will either.
            Notice::Dropped { job, reason: reason @ DropReason::Refused(_) } => {
                self.end(job, |project, unit| project.failed(unit, &reason.to_string()))
            }
            Notice::Dropped { job, .. } => self.end(job, |project, _| project.jobs.dropped += 1),
            Notice::Assigned { .. }
            | Notice::Doing { .. }
            | Notice::Message { .. }
            | Notice::AbortAck { .. }
            | Notice::CoresSet { .. }
            | Notice::Info(_) => vec![],
        }
    }

    fn is_finished(&self) -> bool {
        self.open == 0
    }

    fn question(&self, job: JobId) -> Option<&str> {
        self.in_flight.get(&job).map(|f| f.question.as_str())
    }
}
