//! One position of the alpha–beta search.
//!
//! Negamax with a null window for all but the first turn, on whole turns. A position is won at once if the mover can
//! complete a line, lost if the opponent's threats have no answer. Otherwise
//! - a quick threat search tells whether the mover wins by double threats;
//! - a quiet position at the horizon is worth its static score; threats are answered a little below it;
//! - where the first turn is not enough, a threat search for the opponent, as if the mover passed, tells which turns are
//!   worth looking at; so does every threat search that refutes one;
//! - the most promising turns are searched, late ones less deep at first.
//!
//! **What a score proves.** Candidates are a selection, so a position all of whose candidates lose need not be lost: it
//! counts as having one more turn, worth [`CLAIMED`] to the opponent. Only where the candidates are complete (no more
//! than the answers to a double threat, or every legal turn) can it be worth less. A score above `CLAIMED` is therefore a
//! proof of a win.

use super::Options;
use super::candidates::{self, Candidate, Wanted};
use super::table::{Bound, Entry, Table};
use crate::attack::{Force, Found, Solver};
use crate::board::Side;
use crate::engine::Turn;
use crate::evaluate::Evaluated;
use crate::geometry::MAX_CELLS;
use crate::limits::{Clock, Limit};
use crate::network::{CELLS, Desk, Network, Opinion};
use crate::plan::Plan;
use crate::sets::CellSet;
use crate::threats::Threats;
use std::rc::Rc;

/// A completed line; each turn until then takes one off.
pub const WON: i32 = 1_000_000;
/// A win that is not proved, because some replies were not looked at.
pub const CLAIMED: i32 = 900_000;
/// Scores beyond are of decided positions, proved or claimed.
pub const DECIDED: i32 = 800_000;
/// Scores beyond are proofs.
pub const PROVED: i32 = CLAIMED + 50_000;

/// Depth is counted in parts of a turn.
pub const TURN: i32 = 4;
const MAX_PLY: usize = 100;
const NO_TURN: Turn = [0, 0];
/// What an opinion of the network costs, in nodes.
const CONSIDERING: u64 = 30;

pub struct Node<'a, 'b, 'g> {
    pub position: Evaluated<'b, 'g>,
    pub clock: &'a mut Clock,
    pub options: &'a Options,
    pub table: &'a Table,
    pub solvers: &'a mut [Solver; 2],
    history: Box<[[i32; MAX_CELLS]; 2]>,
    killers: Vec<[Turn; 2]>,
    lists: Vec<Vec<Candidate>>,
    network: Option<&'static Network>,
    desk: Desk,
    /// Small differences between cells, by the seed.
    preferences: [i32; MAX_CELLS],
}

/// The bounds within which a score is wanted, and how deep.
#[derive(Clone, Copy)]
pub struct Window {
    pub depth: i32,
    pub alpha: i32,
    pub beta: i32,
    pub ply: usize,
    /// The mover is known not to win by threats, as far as is looked.
    pub hopeless: bool,
}

/// A position that is searched.
struct Here<'t> {
    mover: Side,
    /// The opponent's.
    threats: &'t Threats,
    /// The best turn so far.
    known: Option<Turn>,
    window: Window,
}

/// Plans that refuted candidates and are tried against the others.
const REFUTING: usize = 4;

impl<'a, 'b, 'g> Node<'a, 'b, 'g> {
    pub fn new(
        position: Evaluated<'b, 'g>,
        clock: &'a mut Clock,
        options: &'a Options,
        table: &'a Table,
        solvers: &'a mut [Solver; 2],
    ) -> Self {
        let network = options.network.filter(|_| Network::fits(position.board()));
        Node {
            position,
            clock,
            options,
            table,
            solvers,
            history: Box::new([[0; MAX_CELLS]; 2]),
            killers: vec![[NO_TURN; 2]; MAX_PLY + 1],
            lists: vec![Vec::new(); MAX_PLY + 1],
            network,
            desk: Desk::default(),
            preferences: [0; MAX_CELLS],
        }
    }

    /// Prefers some cells to others a little, to tell equally good ones apart: `preference` is from 0 to 3.
    pub fn prefer(&mut self, preference: impl Fn(u16) -> i32) {
        self.position.prefer(&preference);
        let unit = self.options.likelihood / 10;
        for (c, p) in self.preferences.iter_mut().enumerate() {
            *p = unit * preference(c as u16);
        }
    }

    /// The mover's score.
    pub fn score(&mut self, mover: Side, window: Window) -> Result<i32, Limit> {
        self.clock.spend()?;
        let ply = window.ply;
        let threats = Threats::of(self.position.board(), mover.opponent());
        if let Some(score) = self.settled(mover, &threats, ply) {
            return Ok(score);
        }
        let window = Window { depth: self.extended(window.depth, &threats), ..window };
        let key = self.key(mover);
        let known = self.table.get(key);
        if let Some(score) = known.and_then(|e| usable(e, window)) {
            return Ok(score);
        }
        let is_leaf = window.depth < TURN && (threats.count() == 0 || window.depth < self.options.bottom);
        let mut tried = window.hopeless || known.is_some_and(|e| e.tried);
        if let Some(win) = self.win(mover, is_leaf, &mut tried)? {
            return Ok(self.won(key, &win, ply));
        }
        if is_leaf {
            let score = self.judged(mover);
            if known.is_none() {
                let depth = stored(window.depth);
                let entry = Entry { score, depth, bound: Bound::Exact, tried, passed: false, best: NO_TURN };
                self.store(key, entry, ply);
            }
            return Ok(score);
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        let here = Here { mover, threats: &threats, known: known.map(|e| e.best), window };
        let mut passed = known.is_some_and(|e| e.passed);
        let result = self.best_of(here, &mut passed, &mut list);
        self.lists[ply] = list;
        let (score, bound, best) = result?;
        let depth = stored(window.depth);
        self.store(key, Entry { score, depth, bound, tried, passed, best }, ply);
        Ok(score)
    }

    /// The score of a position that needs no search.
    fn settled(&self, mover: Side, threats: &Threats, ply: usize) -> Option<i32> {
        let board = self.position.board();
        if board.can_win_now(mover) {
            Some(WON - (ply as i32 + 1))
        } else if threats.count() >= 3 {
            Some(-(WON - (ply as i32 + 2)))
        } else if board.placed() == board.geometry().cells() {
            Some(0)
        } else {
            (ply >= MAX_PLY).then(|| self.position.score(mover))
        }
    }

    /// Answers to threats cost less depth.
    fn extended(&self, depth: i32, threats: &Threats) -> i32 {
        match threats.count() {
            0 => depth,
            1 => depth + self.options.single_extension,
            _ => depth + self.options.double_extension,
        }
    }

    /// The best of the candidates: its score, what that says of the position's, and the turn.
    ///
    /// A candidate that the opponent's threats refute tells more: the others that leave the zone of that plan alone lose
    /// to it as well.
    fn best_of(
        &mut self,
        here: Here,
        passed: &mut bool,
        list: &mut Vec<Candidate>,
    ) -> Result<(i32, Bound, Turn), Limit> {
        let Here { mover, threats, window, .. } = here;
        let Window { depth, alpha, beta, ply, .. } = window;
        let opponent = mover.opponent();
        let complete = self.list(&here, None, list);
        let width = if threats.count() < 2 { self.width(threats, depth) } else { usize::MAX };
        let complete = complete && list.len() <= width;
        let mut refuting: Vec<Rc<Plan>> = Vec::new();
        let mut best = if complete { -WON } else { -(CLAIMED - ply as i32) };
        let mut best_turn = NO_TURN;
        let (mut i, mut searched) = (0, 0);
        let stubborn = self.options.stubborn;
        loop {
            let tried = if stubborn { searched } else { i };
            if i == list.len() || tried >= width || best >= beta {
                break;
            }
            // Where one turn is not enough, it pays to know what a pass would lose to.
            if searched == 1
                && refuting.is_empty()
                && let Some(plan) = self.null(opponent, threats, depth, passed)?
            {
                self.defend(&here, &plan, &mut i, complete, list);
                refuting.push(plan);
                continue;
            }
            let turn = list[i].turn;
            i += 1;
            let g = self.position.board().geometry();
            if let Some(plan) = refuting.iter().find(|plan| plan.zone.misses(g, turn)) {
                best = best.max(-wins_in(plan, ply + 1));
                continue;
            }
            self.position.put(turn, mover);
            let within = Window { alpha: alpha.max(best), hopeless: *passed, ..window };
            let defending = stubborn && !refuting.is_empty();
            let score = self.reply(opponent, within, searched, defending);
            let lost = self.options.zones && refuting.len() < REFUTING && score.is_ok_and(|s| s < -DECIDED);
            let plan = if lost { self.solvers[opponent as usize].known(self.position.board()) } else { None };
            self.position.take(turn, mover);
            let score = score?;
            searched += 1;
            if score > best || best_turn == NO_TURN {
                best = best.max(score);
                best_turn = turn;
            }
            if score >= beta {
                self.reward(mover, turn, depth, ply);
            }
            if let Some(plan) = plan {
                if refuting.is_empty() && best < beta {
                    self.defend(&here, &plan, &mut i, complete, list);
                }
                refuting.push(plan);
            }
        }
        let bound = match best {
            _ if best >= beta => Bound::AtLeast,
            _ if best > alpha => Bound::Exact,
            _ => Bound::AtMost,
        };
        Ok((best, bound, best_turn))
    }

    /// The opponent is known to win after a pass: what comes after the first `i` candidates must be in its way.
    fn defend(&mut self, here: &Here, plan: &Plan, i: &mut usize, complete: bool, list: &mut Vec<Candidate>) {
        if complete || here.threats.count() > 0 || !self.options.stubborn {
            return;
        }
        let done: Vec<Turn> = list[..*i].iter().map(|c| c.turn).collect();
        let zone = self.zone_of(plan);
        self.list(here, Some(&zone), list);
        list.retain(|c| !done.contains(&c.turn));
        *i = 0;
    }

    /// The score of a turn just made, the `i`-th of its position, from the view of its side. In the window, `hopeless` is
    /// the opponent's attack.
    pub fn reply(&mut self, opponent: Side, window: Window, i: usize, defending: bool) -> Result<i32, Limit> {
        let Window { depth, alpha, beta, ply, hopeless } = window;
        let next = |depth: i32, alpha: i32, beta: i32| Window {
            depth,
            alpha: -beta,
            beta: -alpha,
            ply: ply + 1,
            hopeless,
        };
        let depth = depth - TURN;
        if i == 0 {
            return Ok(-self.score(opponent, next(depth, alpha, beta))?);
        }
        let late = i >= self.options.late && depth >= TURN && !defending;
        let reduced = if late { depth - self.options.reduction } else { depth };
        let mut score = -self.score(opponent, next(reduced, alpha, alpha + 1))?;
        if score > alpha && reduced < depth {
            score = -self.score(opponent, next(depth, alpha, alpha + 1))?;
        }
        if score > alpha && score < beta {
            score = -self.score(opponent, next(depth, alpha, beta))?;
        }
        Ok(score)
    }

    /// Notes a win by threats, and gives its score.
    fn won(&mut self, key: u128, win: &Plan, ply: usize) -> i32 {
        let score = wins_in(win, ply);
        let entry =
            Entry { score, depth: 255, bound: Bound::Exact, tried: true, passed: false, best: win.turn };
        self.store(key, entry, ply);
        score
    }

    /// A win of the mover's by threats, unless it was looked for before.
    fn win(&mut self, mover: Side, is_leaf: bool, tried: &mut bool) -> Result<Option<Rc<Plan>>, Limit> {
        if *tried || !self.may_win(mover) {
            return Ok(None);
        }
        let options = self.options;
        let nodes = if is_leaf { options.leaf_tactics } else { options.node_tactics };
        let win = self.rush(mover, nodes)?;
        *tried = nodes >= options.node_tactics;
        Ok(win)
    }

    /// A win by double threats, if a search of so many nodes finds one.
    pub fn rush(&mut self, attacker: Side, nodes: u64) -> Result<Option<Rc<Plan>>, Limit> {
        if nodes == 0 || self.position.board().can_win_now(attacker) {
            return Ok(None);
        }
        let Node { position, clock, solvers, .. } = self;
        let solver = &mut solvers[attacker as usize];
        match clock.within(nodes, |c| solver.search(position.board_mut(), Force::Double, c)) {
            Found::Win(plan) => Ok(Some(plan)),
            Found::Unknown if self.clock.is_over() => Err(Limit),
            _ => Ok(None),
        }
    }

    /// Whether a threat search is worth its cost.
    fn may_win(&self, attacker: Side) -> bool {
        let board = self.position.board();
        let k = board.geometry().k;
        let quiet = if k >= 6 { board.number(attacker, k - 4) } else { self.options.potential };
        let sharp = if k >= 5 { board.number(attacker, k - 3) } else { 0 };
        self.options.three * sharp + quiet >= self.options.potential
    }

    /// How the opponent would win by threats after a pass. If it would not, `passed` says so: then it does not win after a
    /// turn either, since stones of the mover's are no help to it.
    fn null(
        &mut self,
        opponent: Side,
        threats: &Threats,
        depth: i32,
        passed: &mut bool,
    ) -> Result<Option<Rc<Plan>>, Limit> {
        let options = self.options;
        let wanted = options.zones && threats.count() == 0 && depth >= options.null_depth && !*passed;
        if !wanted || !self.may_win(opponent) {
            return Ok(None);
        }
        let plan = self.rush(opponent, options.null_tactics)?;
        *passed = plan.is_none();
        Ok(plan)
    }

    /// The empty cells that a plan plays or threatens with.
    pub fn zone_of(&self, plan: &Plan) -> CellSet {
        plan.zone.cells().iter().filter(|&c| self.position.board().is_empty(c)).collect()
    }

    /// The candidates, the ones that were good elsewhere first. Whether they are complete.
    fn list(&mut self, here: &Here, zone: Option<&CellSet>, into: &mut Vec<Candidate>) -> bool {
        let Here { mover, threats, known, window: Window { ply, depth, .. }, .. } = *here;
        let worth = if depth < TURN { None } else { self.worth(mover) };
        let history = &self.history[mover as usize];
        let (cells, joint) = (self.options.cells, self.joint());
        let wanted = Wanted { mover, threats, zone, cells, worth: worth.as_ref(), joint, history };
        let complete = candidates::generate(&self.position, &wanted, into);
        let [newer, older] = self.killers[ply];
        // The last one moved to the front comes first.
        for good in [older, newer].into_iter().chain(known).filter(|&t| t != NO_TURN) {
            if let Some(at) = into.iter().position(|c| c.turn == good) {
                into[..=at].rotate_right(1);
            }
        }
        complete
    }

    /// What the network thinks of the position; that costs as much as some nodes of a threat search.
    fn opinion(&mut self, mover: Side) -> Option<Opinion> {
        let network = self.network?;
        self.clock.spend_many(CONSIDERING);
        Some(network.consider(self.position.board(), mover, &mut self.desk))
    }

    /// How good a quiet position at the horizon is.
    fn judged(&mut self, mover: Side) -> i32 {
        let windows = self.position.score(mover);
        let part = self.options.opinion;
        let opinion = if part > 0 { self.opinion(mover) } else { None };
        opinion.map_or(windows, |opinion| {
            let network = (opinion.value * self.options.odds as f32) as i32;
            (windows * (100 - part) + network * part) / 100
        })
    }

    /// What the network thinks of stones on each cell, in the unit of the gains.
    pub fn worth(&mut self, mover: Side) -> Option<[i32; MAX_CELLS]> {
        let opinion = self.opinion(mover)?;
        let mut worth = [0; MAX_CELLS];
        let unit = self.options.likelihood as f32;
        (0..CELLS).for_each(|c| worth[c] = (opinion.policy[c] * unit) as i32 + self.preferences[c]);
        Some(worth)
    }

    /// The percentage of what two stones gain together that counts.
    pub fn joint(&self) -> i32 {
        if self.network.is_some() { self.options.joint } else { 100 }
    }

    fn width(&self, threats: &Threats, depth: i32) -> usize {
        let options = self.options;
        let width = match depth {
            _ if depth < TURN => options.low_width,
            _ if depth < 3 * TURN => options.narrow,
            _ => options.width,
        };
        if threats.count() == 1 { width.min(options.single_width) } else { width }
    }

    fn reward(&mut self, mover: Side, turn: Turn, depth: i32, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != turn {
            *killers = [turn, killers[0]];
        }
        let history = &mut self.history[mover as usize];
        for c in turn {
            let h = &mut history[usize::from(c)];
            *h = (*h + depth / TURN * self.options.history).min(self.options.history_most);
        }
    }

    /// Between iterations, old successes count less.
    pub fn forget(&mut self) {
        self.history.iter_mut().flatten().for_each(|h| *h /= 2);
    }

    pub fn key(&self, mover: Side) -> u128 {
        let key = self.position.board().key();
        if mover == Side::First { key } else { !key }
    }

    fn store(&mut self, key: u128, entry: Entry, ply: usize) {
        self.table.put(key, Entry { score: from_here(entry.score, ply), ..entry });
    }
}

/// The score of a win by threats, from a position so many turns from the root.
pub fn wins_in(plan: &Plan, ply: usize) -> i32 {
    WON - (ply as i32 + 2 * plan.length as i32 - 1)
}

/// Scores of decided positions count the turns from the root; in the table, from the position.
fn from_here(score: i32, ply: usize) -> i32 {
    if score.abs() > DECIDED { score + score.signum() * ply as i32 } else { score }
}

fn from_root(score: i32, ply: usize) -> i32 {
    if score.abs() > DECIDED { score - score.signum() * ply as i32 } else { score }
}

/// A depth as the table has it: below the horizon by at most 64.
fn stored(depth: i32) -> u8 {
    (depth + 64).clamp(0, 254) as u8
}

/// The score of a known position, if it is good enough. A proof is, however deep it was found.
fn usable(entry: Entry, window: Window) -> Option<i32> {
    let score = from_root(entry.score, window.ply);
    if entry.depth < stored(window.depth) && score.abs() <= PROVED {
        return None;
    }
    let fits = match entry.bound {
        Bound::Exact => true,
        Bound::AtLeast => score >= window.beta,
        Bound::AtMost => score <= window.alpha,
    };
    fits.then_some(score)
}
