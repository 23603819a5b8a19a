//! A question to the program, and its answer.

use crate::attack::{Force, Found, put, take};
use crate::board::{Board, Side};
use crate::finish;
use crate::limits::{Clock, Limits};
use crate::opening;
use crate::plan::{Kind, Plan, stones};
use crate::quiet::quiet_win;
use crate::search::node::DECIDED;
use crate::search::threads::search_with;
use crate::search::{Memory, Options, Request, Searched, status};
use crate::verify::{Effort, Verified, press, verify};
use jl_game::Status;
use std::rc::Rc;

/// The one or two stones of a turn, in ascending order; one stone is written twice.
pub type Turn = [u16; 2];

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// The best move, and what to think of the position after it: J(n, C).
    Play,
    /// Whether the side to move wins; nothing else is looked at.
    Solve,
    /// Every move that may avoid a loss.
    Verify,
}

/// A position and what to do with it.
#[derive(Clone)]
pub struct Question<'g> {
    pub board: Board<'g>,
    pub mover: Side,
    /// Stones that the mover still has to place in this turn, one or two.
    pub stones: usize,
    pub task: Task,
    /// Turns that must not be answered.
    pub prohibited: Vec<Turn>,
    pub limits: Limits,
    pub seed: u64,
    pub settings: Settings,
}

/// Parts of the program that can be switched off, to measure what they are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Threat search with single threats.
    pub single_threats: bool,
    /// Null-move and seminull-move proofs.
    pub zones: bool,
    /// Any threat search at all.
    pub threats: bool,
    /// The network, in the search of the style [`Style::Balanced`].
    pub network: bool,
    pub style: Style,
}

/// What the evaluation is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// To win games.
    #[default]
    Balanced,
    /// To find wins that can be proved: it thinks more of one's own lines, and less of the opponent's.
    Attack,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { single_threats: true, zones: true, threats: true, network: true, style: Style::Balanced }
    }
}

/// By what a position was decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// A line is completed at once.
    Now,
    /// Continuous double threats.
    Vcdt,
    /// Continuous threats, single ones among them.
    Vcst,
    /// A quiet move to which every reply loses.
    Zone,
    /// Every move outside the prohibited ones loses.
    SureLoss,
    /// By looking at every continuation.
    Search,
}

impl How {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            How::Now => "now",
            How::Vcdt => "vcdt",
            How::Vcst => "vcst",
            How::Zone => "zone",
            How::SureLoss => "sure-loss",
            How::Search => "search",
        }
    }
}

/// What the program thought after one iteration.
#[derive(Clone, PartialEq, Debug)]
pub struct Iteration {
    pub depth: u32,
    pub mv: Turn,
    /// Of the first player.
    pub win_rate: f64,
    pub nodes: u64,
}

/// What the program concludes.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// `None` if there is no move outside the prohibited ones, or (verify, solve) none is known to be best.
    pub mv: Option<Turn>,
    /// Of the position after the move. A sure loss of the mover means that every move outside the prohibited ones
    /// loses.
    pub status: Status,
    /// Of the first player, 0 to 1.
    pub win_rate: f64,
    pub winner: Option<Side>,
    /// How it was decided; `None` if it was not.
    pub how: Option<How>,
    /// The move and the expected continuation.
    pub line: Vec<Turn>,
    pub nodes: u64,
    pub iterations: Vec<Iteration>,
    /// Every move that may avoid a loss, if others are known to lose: the best first for a question for a move, without
    /// the prohibited ones; with them for a question for the defences.
    pub defences: Option<Vec<Turn>>,
    /// Further moves that are not seen to lose, the best first: what the answers would be if the move were prohibited. With the first
    /// player's win rates after them.
    pub next: Vec<(Turn, f64)>,
}

/// Answers a question. The game must not be over, and the mover must have a legal turn.
#[must_use]
pub fn think(question: &Question) -> Verdict {
    Thought::new(question).answer()
}

/// Likewise; where every reply will be looked at, what a short search thinks is told before. That costs some nodes more, and not more
/// time; the answer is the one of [`think`].
#[must_use]
pub fn think_aloud(question: &Question, tell: &mut dyn FnMut(&Verdict)) -> Verdict {
    let mut thought = Thought::new(question);
    let spent = thought.first_look(tell);
    let verdict = thought.answer();
    Verdict { nodes: verdict.nodes + spent, ..verdict }
}

/// What is told before, alone; the nodes that it costs.
pub fn first_look(question: &Question, tell: &mut dyn FnMut(&Verdict)) -> u64 {
    Thought::new(question).first_look(tell)
}

/// What was found at earlier positions of a game: who has proved a win need not find it again after the reply. For one board,
/// one seed and the same settings throughout.
#[derive(Default)]
pub struct Recollection(Option<Memory>);

/// Likewise, with what was found before, and for the questions after this one.
#[must_use]
pub fn think_on(question: &Question, recollection: &mut Recollection) -> Verdict {
    let memory = recollection.0.take().unwrap_or_else(|| room(question));
    let mut thought = Thought::with(question, memory);
    let verdict = thought.answer();
    recollection.0 = Some(thought.memory);
    verdict
}

/// Tables for a question, by what it may cost.
fn room(question: &Question) -> Memory {
    let nodes = question.limits.nodes.unwrap_or(u64::MAX) as f64;
    let seconds = question.limits.time.map_or(f64::INFINITY, |t| t.as_secs_f64());
    let useful = 64.0 * nodes.min(seconds * NODES_PER_SECOND);
    // The table, and the two attacks of every thread.
    let threads = question.limits.threads.get();
    let memory = (question.limits.memory / (2 * threads + 2)).min(useful as usize);
    Memory::new(memory, memory)
}

/// Shares of what is left when their turn comes.
mod share {
    /// Of a question for a move: the mover's own attack, its defences, the search, and the opponent's answer to its turn.
    pub const ATTACK: f64 = 0.1;
    /// Of one without much in sight: the attack at first. What is left in the end goes to it again.
    pub const BRIEF_ATTACK: f64 = 0.05;
    pub const DEFENCE: f64 = 0.6;
    /// Of a question for another turn than those: the defences.
    pub const OTHER_DEFENCES: f64 = 0.9;
    pub const SEARCH: f64 = 0.7;
    pub const CHECK: f64 = 0.5;
    /// Of a look at all defences: at all of them together; then at those that are left, one by one.
    pub const VERIFY: f64 = 0.5;
    /// Of a question who wins: the attack by threats, then quiet moves; the rest is for a sure loss.
    pub const THREATS: f64 = 0.7;
    pub const QUIET: f64 = 0.6;
}

/// Quiet turns that are tried.
const QUIET_TURNS: usize = 60;
/// Nodes that the search with double threats may spend before single ones are tried; and the part of those in sight, of a quick
/// question, which has not many more for both.
const DOUBLE_NODES: u64 = 20_000;
const BRIEF_DOUBLE: f64 = 0.01;
/// The part of the nodes in sight that checking a turn at the root of the search may cost, unless they are ample.
const ROOT_CHECK: f64 = 0.04;
/// Iterations that may claim a loss before every reply is looked at.
const DOUBTS: usize = 2;
/// With so many nodes in sight, every reply is looked at before the search. Who looks for proofs wants to know sooner.
const AMPLE: f64 = 500_000.0;
const AMPLE_FOR_PROOFS: f64 = 100_000.0;
/// The part of a question's nodes that a draft costs, besides.
const FIRST_LOOK: f64 = 0.04;
/// Nodes in a second, roughly: tables are sized by what there is time for.
const NODES_PER_SECOND: f64 = 400_000.0;

/// A question being thought about.
pub(crate) struct Thought<'q, 'g> {
    question: &'q Question<'g>,
    board: Board<'g>,
    clock: Clock,
    memory: Memory,
}

impl<'q, 'g> Thought<'q, 'g> {
    pub fn new(question: &'q Question<'g>) -> Thought<'q, 'g> {
        Thought::with(question, room(question))
    }

    fn with(question: &'q Question<'g>, memory: Memory) -> Thought<'q, 'g> {
        Thought { question, board: question.board.clone(), clock: Clock::new(question.limits), memory }
    }

    fn answer(&mut self) -> Verdict {
        match self.question.task {
            Task::Play => self.play(),
            Task::Solve => self.solve(),
            Task::Verify => self.verify(),
        }
    }

    fn force(&self) -> Force {
        if self.question.settings.single_threats { Force::Single } else { Force::Double }
    }

    fn is_prohibited(&self, turn: Turn) -> bool {
        self.question.prohibited.contains(&turn)
    }

    /// Roughly how many nodes the question may cost.
    fn in_sight(&self) -> f64 {
        let nodes = self.question.limits.nodes.unwrap_or(u64::MAX);
        let seconds = self.question.limits.time.map_or(f64::INFINITY, |t| t.as_secs_f64());
        (nodes as f64).min(seconds * NODES_PER_SECOND)
    }

    /// How hard the verifier tries.
    fn effort(&self) -> Effort {
        // A quick question for a move has other things to do. Where every reply is looked at anyway, a search that gives up too
        // early costs more than it saves: all pairs with the stone that it was about are left to be looked at one by one.
        let quick = self.question.task == Task::Play && !self.is_ample();
        let sight = self.in_sight() * if quick { 1.0 } else { 3.0 };
        let part = |share: f64, least: u64, most: u64| ((sight * share) as u64).clamp(least, most);
        let single = |nodes: u64| if self.force() == Force::Single { nodes } else { 0 };
        Effort {
            double: part(0.002, 300, 3_000),
            null: single(part(0.05, 1_000, 200_000)),
            seminull: single(part(0.002, 300, 20_000)),
            pair: single(part(0.0005, 100, 10_000)),
        }
    }

    /// J(n, C).
    fn play(&mut self) -> Verdict {
        if let Some(turn) = self.completing() {
            return self.won(turn, How::Now, vec![turn]);
        }
        if self.question.stones != 2 || !self.question.settings.threats {
            let searched = self.search(None, &[], &[]);
            return self.verdict(searched, &[]);
        }
        if let Some(known) = self.opening() {
            let searched = self.search(Some(&known), &[], &[]);
            return self.verdict(searched, &[]);
        }
        let share = if self.is_ample() { share::ATTACK } else { share::BRIEF_ATTACK };
        let plan = self.clock_share(share, Self::plan_of_threats);
        if let Some(verdict) = plan.and_then(|plan| self.by_plan(&plan)) {
            return verdict;
        }
        if self.is_ample() {
            // Who prohibits turns has seen the likely ones: what is left is whether there are any others.
            let share =
                if self.question.prohibited.is_empty() { share::DEFENCE } else { share::OTHER_DEFENCES };
            let verified = self.clock_share(share, |t| t.replies(true, &t.question.prohibited));
            return self.best_of(verified.open);
        }
        let (searched, avoided) = self.careful_search(None);
        let loses = searched.score < -DECIDED || searched.best.is_some_and(|t| avoided.contains(&t));
        if !loses
            && !searched.proved_win
            && self.question.settings.single_threats
            && let Some(verdict) = self.plan_of_threats().and_then(|plan| self.by_plan(&plan))
        {
            return verdict;
        }
        if self.question.settings.zones && loses {
            // Only now is it worth while to look at every reply.
            let verified = self.clock_share(share::DEFENCE, |t| t.replies(true, &t.question.prohibited));
            if verified.open.is_some() {
                return self.best_of(verified.open);
            }
        }
        self.verdict(searched, &avoided)
    }

    /// What a short search of its own thinks, if there is much to do after it. It leaves nothing behind that could change the answer.
    /// The nodes that it cost.
    fn first_look(&self, tell: &mut dyn FnMut(&Verdict)) -> u64 {
        let Question { task, stones, settings, .. } = *self.question;
        let takes_long = task == Task::Play && stones == 2 && settings.threats && self.is_ample();
        if !takes_long || self.completing().is_some() || self.opening().is_some() {
            return 0;
        }
        let mut look = Thought::new(self.question);
        let searched = look.clock_share(FIRST_LOOK, |t| t.search(None, &[], &[]));
        if searched.best.is_some() && searched.score.abs() <= DECIDED {
            tell(&look.verdict(searched, &[]));
        }
        look.clock.nodes()
    }

    /// Whether every reply is looked at before the search.
    fn is_ample(&self) -> bool {
        let Settings { zones, style, .. } = self.question.settings;
        let ample = if style == Style::Attack { AMPLE_FOR_PROOFS } else { AMPLE };
        zones && self.in_sight() >= ample
    }

    /// Whether every reply is looked at after a search that finds none that holds.
    fn verifies_later(&self) -> bool {
        let Settings { zones, threats, .. } = self.question.settings;
        zones && threats && self.question.stones == 2 && !self.is_ample()
    }

    /// What is known of the beginning, prohibited turns left out.
    fn opening(&self) -> Option<Vec<Turn>> {
        let mut known = opening::replies(&self.board)?;
        known.retain(|&t| !self.is_prohibited(t));
        (!known.is_empty()).then_some(known)
    }

    /// Whether the mover wins, or loses for sure.
    fn solve(&mut self) -> Verdict {
        if let Some(turn) = self.completing() {
            return self.won(turn, How::Now, vec![turn]);
        }
        if self.question.stones == 2 && self.question.settings.threats {
            if let Some(verdict) = self.winning_plan().and_then(|plan| self.by_plan(&plan)) {
                return verdict;
            }
            if self.question.settings.zones && self.replies(false, &[]).is_lost() {
                return self.lost(None, Vec::new());
            }
        }
        self.open(None, 0.5, Vec::new(), Vec::new())
    }

    fn verify(&mut self) -> Verdict {
        if self.question.stones != 2 {
            return self.open(None, 0.5, Vec::new(), Vec::new());
        }
        let verified = self.replies(true, &[]);
        let allowed = verified.open.iter().flatten().any(|&t| !self.is_prohibited(t));
        let mut verdict = if verified.open.is_some() && !allowed {
            self.lost(None, Vec::new())
        } else {
            self.open(None, 0.5, Vec::new(), Vec::new())
        };
        verdict.defences = verified.open;
        verdict
    }

    fn clock_share<T>(&mut self, share: f64, work: impl FnOnce(&mut Self) -> T) -> T {
        let whole = self.clock.begin_share(share);
        let result = work(self);
        self.clock.end_share(whole);
        result
    }

    /// A turn that completes a line now.
    fn completing(&self) -> Option<Turn> {
        let Question { mover, stones, .. } = *self.question;
        finish::completing(&self.board, mover, stones, |t| !self.is_prohibited(t))
    }

    /// How the mover wins, with most of what may be spent.
    pub fn winning_plan(&mut self) -> Option<Rc<Plan>> {
        let plan = self.clock_share(share::THREATS, Self::plan_of_threats);
        if plan.is_some() || !self.question.settings.zones {
            return plan;
        }
        self.clock_share(share::QUIET, |t| {
            let effort = t.effort();
            let Thought { question, board, clock, memory: Memory { solvers, .. } } = t;
            quiet_win(&mut solvers[question.mover as usize], board, effort, QUIET_TURNS, clock)
        })
    }

    fn plan_of_threats(&mut self) -> Option<Rc<Plan>> {
        let quick = self.question.task == Task::Play && !self.is_ample() && self.force() == Force::Single;
        let doubles = if quick { (self.in_sight() * BRIEF_DOUBLE) as u64 } else { DOUBLE_NODES };
        let Thought { question, board, clock, memory: Memory { solvers, .. } } = self;
        let attack = &mut solvers[question.mover as usize];
        let mut found = clock.within(doubles.min(DOUBLE_NODES), |c| attack.search(board, Force::Double, c));
        if !matches!(found, Found::Win(_)) && question.settings.single_threats {
            found = attack.search(board, Force::Single, clock);
        }
        found.win()
    }

    fn by_plan(&self, plan: &Plan) -> Option<Verdict> {
        let how = match plan.kind {
            Kind::Double => How::Vcdt,
            Kind::Single => How::Vcst,
            Kind::Quiet => How::Zone,
        };
        let line = plan.line(&self.board, self.question.mover);
        (!self.is_prohibited(plan.turn)).then(|| self.won(plan.turn, how, line))
    }

    /// What the mover can do against the opponent's attack. Unless `every` reply is wanted, one will do. Those to skip are
    /// somebody else's to refute.
    pub fn replies(&mut self, every: bool, skip: &[Turn]) -> Verified {
        let (effort, force) = (self.effort(), self.force());
        let Thought { question, board, clock, memory: Memory { solvers, .. } } = self;
        let counter = &mut solvers[question.mover.opponent() as usize];
        if !every {
            return verify(counter, board, effort, false, clock);
        }
        let whole = clock.begin_share(share::VERIFY);
        let mut verified = verify(counter, board, effort, true, clock);
        clock.end_share(whole);
        press(counter, board, force, skip, &mut verified, clock);
        verified
    }

    /// The best turn of these, or of all.
    fn best_of(&mut self, defences: Option<Vec<Turn>>) -> Verdict {
        let lost = defences.as_ref().is_some_and(|d| d.iter().all(|&t| self.is_prohibited(t)));
        if lost {
            let searched = self.clock_share(share::SEARCH, |t| t.search(None, &[], &[]));
            return self.lost(searched.best, searched.line);
        }
        let (searched, avoided) = self.careful_search(defences.as_deref());
        let ranking = searched.ranking.clone();
        let mut verdict = self.verdict(searched, &avoided);
        verdict.defences = defences.filter(|_| verdict.winner.is_none()).map(|mut left| {
            left.retain(|t| !self.is_prohibited(*t) && (verdict.mv == Some(*t) || !avoided.contains(t)));
            let rank = |t: &Turn| ranking.iter().position(|(r, _)| r == t).unwrap_or(ranking.len());
            left.sort_by_key(|t| (verdict.mv != Some(*t), rank(t)));
            left
        });
        verdict
    }

    /// The best turn that the opponent's threats do not refute, and those that they do.
    fn careful_search(&mut self, only: Option<&[Turn]>) -> (Searched, Vec<Turn>) {
        let mut avoided: Vec<Turn> = Vec::new();
        let mut refuting: Vec<Rc<Plan>> = Vec::new();
        let mut searched = self.clock_share(share::SEARCH, |t| t.search(only, &[], &[]));
        while let Some(turn) = searched.best
            && !searched.proved_win
            && searched.score >= -DECIDED
            && !avoided.contains(&turn)
            && let Some(plan) = self.refutation(turn)
        {
            avoided.push(turn);
            if self.question.settings.zones {
                refuting.push(plan);
            }
            if avoided.len() == AVOIDED {
                break;
            }
            let next = self.clock_share(share::SEARCH, |t| t.search(only, &avoided, &refuting));
            if next.best.is_none() || next.score < -DECIDED {
                break;
            }
            searched = next;
        }
        (searched, avoided)
    }

    fn verdict(&self, searched: Searched, avoided: &[Turn]) -> Verdict {
        let Some(turn) = searched.best else { return self.lost(None, Vec::new()) };
        if searched.proved_win {
            return Verdict { iterations: searched.iterations, ..self.won(turn, How::Search, searched.line) };
        }
        let rate = searched.win_rate.clamp(LEAST_RATE, 1.0 - LEAST_RATE);
        let mut verdict = self.open(Some(turn), rate, searched.line, searched.iterations);
        let limited = |rate: f64| rate.clamp(LEAST_RATE, 1.0 - LEAST_RATE);
        let next = searched.ranking.into_iter().filter(|(t, _)| *t != turn && !avoided.contains(t));
        verdict.next = next.map(|(t, rate)| (t, limited(rate))).collect();
        if avoided.contains(&turn) {
            let rate = if self.question.mover == Side::First { LEAST_RATE } else { 1.0 - LEAST_RATE };
            (verdict.win_rate, verdict.status) = (rate, Status::from_win_rate(rate));
        }
        verdict
    }

    fn search(&mut self, only: Option<&[Turn]>, avoided: &[Turn], refuting: &[Rc<Plan>]) -> Searched {
        let question = self.question;
        let mut options = Options::of(question.settings.style);
        if !self.is_ample() {
            let check = self.in_sight().min(AMPLE) * ROOT_CHECK;
            options.root_tactics = options.root_tactics.max(check as u64);
        }
        if only.is_none() && self.verifies_later() {
            options.patience = DOUBTS;
        }
        if !question.settings.zones {
            options = options.without_zones();
        }
        if !question.settings.network {
            options = options.without_network();
        }
        if !question.settings.threats {
            options = options.without_threats();
        }
        let prohibited = [&question.prohibited, avoided].concat();
        let request = Request {
            mover: question.mover,
            stones: question.stones,
            prohibited: &prohibited,
            only,
            seed: question.seed,
            refuting,
            options,
            thread: 0,
        };
        let threads = question.limits.threads;
        search_with(threads, &mut self.board, &request, &mut self.memory, &mut self.clock)
    }

    /// How the opponent wins by threats after this turn, as far as there is time to see.
    fn refutation(&mut self, turn: Turn) -> Option<Rc<Plan>> {
        if !self.question.settings.threats || self.question.stones != 2 {
            return None;
        }
        let mover = self.question.mover;
        let cells: Vec<u16> = stones(turn).collect();
        put(&mut self.board, &cells, mover);
        let mut found = self.clock_share(share::CHECK, |t| t.counter_attack(Force::Double));
        if !matches!(found, Found::Win(_)) && self.question.settings.single_threats {
            found = self.clock_share(share::CHECK, |t| t.counter_attack(Force::Single));
        }
        take(&mut self.board, &cells, mover);
        found.win()
    }

    fn counter_attack(&mut self, force: Force) -> Found {
        let Thought { question, board, clock, memory: Memory { solvers, .. } } = self;
        solvers[question.mover.opponent() as usize].search(board, force, clock)
    }

    fn won(&self, turn: Turn, how: How, line: Vec<Turn>) -> Verdict {
        self.decided(self.question.mover, Some(turn), how, line)
    }

    fn lost(&self, turn: Option<Turn>, line: Vec<Turn>) -> Verdict {
        self.decided(self.question.mover.opponent(), turn, How::SureLoss, line)
    }

    fn decided(&self, winner: Side, mv: Option<Turn>, how: How, line: Vec<Turn>) -> Verdict {
        Verdict {
            mv,
            status: Status::Win(winner.into()),
            win_rate: if winner == Side::First { 1.0 } else { 0.0 },
            winner: Some(winner),
            how: Some(how),
            line,
            nodes: self.clock.nodes(),
            iterations: Vec::new(),
            defences: None,
            next: Vec::new(),
        }
    }

    fn open(&self, mv: Option<Turn>, win_rate: f64, line: Vec<Turn>, iterations: Vec<Iteration>) -> Verdict {
        Verdict {
            mv,
            status: status(win_rate, &iterations),
            win_rate,
            winner: None,
            how: None,
            line,
            nodes: self.clock.nodes(),
            iterations,
            defences: None,
            next: Vec::new(),
        }
    }
}

/// What is not proved is not surer than this: of positions that the search alone gave for lost, about so many were won.
const LEAST_RATE: f64 = 0.1;
/// Turns that lose to a threat search and are replaced by another, at most.
const AVOIDED: usize = 4;
