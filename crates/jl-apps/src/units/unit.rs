//! A unit: the answers that it got, and which of them counts.

use jl_engine_sudoku::Answer;
use jl_messages::WorkerId;

/// Two that differ, and a third that decides.
pub(super) const MOST_ANSWERS: usize = 3;

/// An answer, and whose it is.
#[derive(Clone, Debug)]
pub struct Given {
    pub answer: Answer,
    /// The number of the engine among those of the project.
    pub engine: usize,
    /// The session and the worker, if it is known.
    pub worker: Option<(usize, WorkerId)>,
}

impl Given {
    /// Whether two answers are the same but for the time that they took. Another version of the engine may have done other
    /// work, but must have found the same.
    pub(super) fn agrees(&self, other: &Given) -> bool {
        let (a, b) = (&self.answer, &other.answer);
        let found = (&a.checksum, &a.puzzles) == (&b.checksum, &b.puzzles);
        let work = (&a.work, a.nodes, &a.nodes_per_grid) == (&b.work, b.nodes, &b.nodes_per_grid);
        found && (work || self.engine != other.engine)
    }
}

/// What is known of a unit.
#[derive(Clone, Default)]
pub(super) struct Unit {
    pub answers: Vec<Given>,
    /// Those from before it was given up and tried again. They are shown, but none of them counts.
    pub earlier: Vec<Given>,
    pub running: usize,
    pub failures: u32,
    /// Why no more jobs are made for it.
    pub given_up: Option<String>,
}

impl Unit {
    /// The answer that counts: the only one that is wanted, or one that another confirms.
    pub fn settled(&self, twice: bool) -> Option<&Given> {
        if !twice {
            return self.answers.first();
        }
        let confirmed = |i: &usize| self.answers[..*i].iter().any(|other| other.agrees(&self.answers[*i]));
        (1..self.answers.len()).find(confirmed).map(|i| &self.answers[i])
    }

    /// Whether all answers that agree with this one came from one worker.
    pub fn is_alone(&self, settled: &Given) -> bool {
        let agreeing = self.answers.iter().filter(|given| given.agrees(settled));
        settled.worker.is_some() && agreeing.into_iter().all(|given| given.worker == settled.worker)
    }

    pub fn all_answers(&self) -> impl Iterator<Item = &Given> {
        self.earlier.iter().chain(&self.answers)
    }

    pub fn differs(&self) -> bool {
        self.all_answers().next().is_some_and(|first| self.all_answers().any(|given| !given.agrees(first)))
    }

    /// How many more jobs it should have.
    pub fn missing(&self, twice: bool) -> usize {
        if !self.is_open(twice) {
            return 0;
        }
        let wanted = match (twice, self.answers.len()) {
            (false, _) => 1,
            (true, 0 | 1) => 2,
            (true, _) => MOST_ANSWERS,
        };
        wanted.saturating_sub(self.answers.len() + self.running)
    }

    pub fn is_open(&self, twice: bool) -> bool {
        self.given_up.is_none() && self.settled(twice).is_none()
    }

    /// To begin anew, with what was known before beside it.
    pub fn again(&mut self) {
        self.earlier.append(&mut self.answers);
        (self.failures, self.given_up) = (0, None);
    }
}
