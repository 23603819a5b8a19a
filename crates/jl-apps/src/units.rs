//! Grids of the Sudoku catalogue in units, each a job: no tree, but the next open unit whenever a worker is free.

mod area;
mod estimate;
mod unit;

#[cfg(test)]
mod tests;

pub use area::{Area, Parameters, Plan, Slice};
pub use estimate::{Estimate, Part};
pub use unit::Given;

use area::Slices;
use jl_engine_sudoku::{Answer, Checksum, catalogue};
use jl_game::reply::excerpt;
use jl_messages::{DropReason, Input, JobClient, JobId, Notice, Request, Submit, WorkerId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use unit::{MOST_ANSWERS, Unit};

/// The engine, and the game of the run.
pub const PROGRAM: &str = "sudoku";

/// What a session leaves in the journal.
#[derive(Serialize, Deserialize)]
struct Note {
    /// Name and version.
    engine: String,
    /// Of the text of the parameters.
    parameters: String,
}

struct InFlight {
    unit: usize,
    question: String,
    worker: Option<WorkerId>,
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
    /// Of what was found in each, in order.
    pub checksum: String,
    /// Of the work that was done for each, in order.
    pub work: String,
}

/// A unit, for a table of them.
pub struct UnitRow<'a> {
    pub unit: usize,
    pub slice: Slice,
    /// The answer that counts, if there is one.
    pub given: Option<&'a Given>,
    /// The engine that gave it.
    pub engine: Option<&'a str>,
    /// How many answers there were, also such as do not count.
    pub answered: usize,
}

pub struct Project {
    parameters: Parameters,
    slices: Slices,
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
    /// The sum of the text of the parameters.
    sum: String,
    /// The engines that there were, and the present one.
    engines: Vec<String>,
    engine: usize,
    sessions: usize,
    /// The workers of the present session that got a job.
    workers: BTreeSet<WorkerId>,
    /// An earlier session had other parameters.
    spoiled: bool,
}

impl Project {
    /// `parameters` as a text and what it says; why not, if that makes no sense.
    pub fn new(text: &str) -> Result<Project, String> {
        let parameters: Parameters = serde_json::from_str(text).map_err(|e| e.to_string())?;
        parameters.check()?;
        let count = parameters.units();
        let mut sum = Checksum::default();
        sum.bytes(text.as_bytes());
        Ok(Project {
            slices: Slices::new(&parameters),
            units: vec![Unit::default(); count],
            wanting: (0..count).map(|unit| (0, unit)).collect(),
            open: count,
            grids_done: 0,
            in_flight: BTreeMap::new(),
            next_job: 0,
            starved: false,
            jobs: Jobs::default(),
            troubles: Vec::new(),
            sum: sum.to_string(),
            engines: Vec::new(),
            engine: 0,
            sessions: 0,
            workers: BTreeSet::new(),
            spoiled: false,
            parameters,
        })
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
        self.slices.get(unit)
    }

    /// The units that were given up, and why.
    pub fn given_up(&self) -> impl Iterator<Item = (usize, &str)> {
        self.units.iter().enumerate().filter_map(|(i, unit)| Some((i, unit.given_up.as_deref()?)))
    }

    /// The units whose answers differ, with all their answers.
    pub fn differences(&self) -> impl Iterator<Item = (usize, Vec<&Given>)> {
        let differing = self.units.iter().enumerate().filter(|(_, unit)| unit.differs());
        differing.map(|(i, unit)| (i, unit.all_answers().collect()))
    }

    /// The answers of the units that are done.
    pub fn answers(&self) -> impl Iterator<Item = (usize, &Given)> {
        let twice = self.parameters.twice;
        self.units.iter().enumerate().filter_map(move |(i, unit)| Some((i, unit.settled(twice)?)))
    }

    /// The units of which one worker confirmed its own answer.
    pub fn alone(&self) -> usize {
        let alone = |(unit, given): &(usize, &Given)| self.units[*unit].is_alone(given);
        if self.parameters.twice { self.answers().filter(alone).count() } else { 0 }
    }

    /// All units in order.
    pub fn rows(&self) -> impl Iterator<Item = UnitRow<'_>> {
        let twice = self.parameters.twice;
        self.units.iter().enumerate().map(move |(i, unit)| {
            let given = unit.settled(twice);
            let engine = given.map(|given| self.engine(given));
            UnitRow { unit: i, slice: self.slice(i), given, engine, answered: unit.all_answers().count() }
        })
    }

    /// The engine that gave an answer.
    pub fn engine(&self, given: &Given) -> &str {
        self.engines.get(given.engine).map_or("unknown", String::as_str)
    }

    /// The engines whose answers count, in the order in which they came.
    pub fn engines(&self) -> Vec<&str> {
        let used: BTreeSet<usize> = self.answers().map(|(_, given)| given.engine).collect();
        used.into_iter().filter_map(|i| self.engines.get(i)).map(String::as_str).collect()
    }

    /// The engine of the last session, if there are answers.
    pub fn last_engine(&self) -> Option<&str> {
        self.engines.get(self.engine).map(String::as_str).filter(|_| self.jobs.done > 0)
    }

    /// Whether the parameters are not those of an earlier session.
    pub fn is_spoiled(&self) -> bool {
        self.spoiled
    }

    pub fn totals(&self) -> Totals<'_> {
        let mut totals = Totals::default();
        let (mut found, mut work) = (Checksum::default(), Checksum::default());
        for (unit, Given { answer, .. }) in self.answers() {
            totals.units += 1;
            totals.grids += answer.grids as u64;
            totals.puzzles.extend(answer.puzzles.iter().map(String::as_str));
            totals.nodes = totals.nodes.saturating_add(answer.nodes);
            totals.seconds += answer.seconds;
            found.bytes(format!("{unit} {}\n", answer.checksum).as_bytes());
            work.bytes(format!("{unit} {}\n", answer.work).as_bytes());
        }
        (totals.checksum, totals.work) = (found.to_string(), work.to_string());
        totals
    }

    /// What the journal shall say of a session with this engine.
    pub fn note(&self, engine: &str) -> String {
        let note = Note { engine: engine.into(), parameters: self.sum.clone() };
        serde_json::to_string(&note).expect("plain data has a JSON form")
    }

    /// The project goes on after it was stopped or killed; its jobs are numbered from here.
    pub fn begin_session(&mut self, first_job: u64, note: Option<&str>) {
        self.next_job = self.next_job.max(first_job);
        self.sessions += 1;
        self.workers.clear();
        let note = note.and_then(|text| serde_json::from_str::<Note>(text).ok());
        self.spoiled |= note.as_ref().is_none_or(|note| note.parameters != self.sum);
        let engine = note.map_or("unknown".into(), |note| note.engine);
        self.engine = self.engines.iter().position(|known| *known == engine).unwrap_or_else(|| {
            self.engines.push(engine);
            self.engines.len() - 1
        });
    }

    /// A number that no job can have had, also none that the journal does not know.
    pub fn unused_job(&self) -> u64 {
        JobId::unused_after(self.next_job)
    }

    pub fn jobs_in_flight(&self) -> Vec<JobId> {
        self.in_flight.keys().copied().collect()
    }

    /// Tries the units that were given up again, from the beginning. What was answered before is still told.
    pub fn retry(&mut self) {
        let given_up: Vec<usize> = self.given_up().map(|(unit, _)| unit).collect();
        for unit in given_up {
            self.change(unit, Unit::again);
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

    /// The unit for the worker that is free, which is not told. Where there are several workers, it is none of the busy ones,
    /// so that a unit is the better one if all its answers came from these.
    fn next_unit(&self) -> Option<usize> {
        let busy: BTreeSet<WorkerId> = self.in_flight.values().filter_map(|job| job.worker).collect();
        let by_another = |given: &Given| match given.worker {
            Some((session, worker)) => session != self.sessions || busy.contains(&worker),
            None => true,
        };
        let mut wanting = self.wanting.iter().map(|&(_, unit)| unit);
        let better = |unit: &usize| self.units[*unit].answers.iter().all(by_another);
        let first = self.wanting.first().map(|&(_, unit)| unit);
        if self.workers.len() > 1 { wanting.find(better).or(first) } else { first }
    }

    fn choose(&mut self) -> Vec<Request> {
        let Some(unit) = self.next_unit() else {
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
        self.in_flight.insert(job, InFlight { unit, question, worker: None });
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
    fn end(&mut self, job: JobId, ended: impl FnOnce(&mut Project, &InFlight)) -> Vec<Request> {
        let Some(job) = self.in_flight.remove(&job) else { return vec![] };
        self.change(job.unit, |unit| unit.running -= 1);
        ended(self, &job);
        let ready = self.starved && !self.wanting.is_empty();
        self.starved &= !ready;
        if ready { vec![Request::Ready] } else { vec![] }
    }

    /// A worker got a job.
    fn assigned(&mut self, job: JobId, worker: WorkerId) {
        if let Some(job) = self.in_flight.get_mut(&job) {
            job.worker = Some(worker);
            self.workers.insert(worker);
        }
    }

    fn answered(&mut self, &InFlight { unit, worker, .. }: &InFlight, output: &[String]) {
        let answer = match self.read(unit, output) {
            Ok(answer) => answer,
            Err(why) => return self.failed(unit, &format!("bad answer: {why}")),
        };
        let worker = worker.map(|worker| (self.sessions, worker));
        let given = Given { answer, engine: self.engine, worker };
        self.jobs.done += 1;
        let differed = self.units[unit].differs();
        let twice = self.parameters.twice;
        self.change(unit, |unit| {
            unit.answers.push(given);
            if unit.settled(twice).is_some() {
                // Given up while this job ran, perhaps.
                unit.given_up = None;
            } else if unit.answers.len() == MOST_ANSWERS {
                unit.given_up = Some(format!("{MOST_ANSWERS} different answers"));
            }
        });
        let it = &self.units[unit];
        if it.differs() && !differed {
            let sum = |given: &Given| format!("{}/{}", given.answer.checksum, given.answer.work);
            let sums: Vec<String> = it.answers.iter().map(sum).collect();
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
        let Slice { start, place, grids } = self.slice(unit);
        let whole = || catalogue::slice(start, place as usize, grids as usize);
        answer.check(self.parameters.clues, grids, whole)?;
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
                self.end(job, |project, job| project.answered(job, &output))
            }
            Notice::Failed { job, failure, .. } => {
                self.end(job, |project, job| project.failed(job.unit, &failure.to_string()))
            }
            // No worker may run it: nobody else will either.
            Notice::Dropped { job, reason: reason @ DropReason::Refused(_) } => {
                self.end(job, |project, job| project.failed(job.unit, &reason.to_string()))
            }
            Notice::Dropped { job, .. } => self.end(job, |project, _| project.jobs.dropped += 1),
            Notice::Assigned { job, worker } => {
                self.assigned(job, worker);
                vec![]
            }
            Notice::Doing { .. }
            | Notice::Message { .. }
            | Notice::AbortAck { .. }
            | Notice::CoresSet { .. }
            | Notice::Info(_) => vec![],
        }
    }

    fn is_finished(&self) -> bool {
        self.open == 0
    }

    fn notes_workers(&self) -> bool {
        true
    }

    fn question(&self, job: JobId) -> Option<&str> {
        self.in_flight.get(&job).map(|f| f.question.as_str())
    }
}
