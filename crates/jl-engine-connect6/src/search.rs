//! Which turn to play when no threat search decides: alpha–beta on whole turns, with iterative deepening.
//!
//! - [`table`]: positions seen;
//! - [`candidates`]: the turns worth looking at;
//! - [`node`]: one position of the search, and what its score proves;
//! - [`options`]: how wide, how deep, and with how much threat search.
//!
//! This file is the root: the candidates there are more, prohibited ones are left out, and the ones that lose to threats
//! stay in the list so that the one that resists longest can be played. An iteration that the limit interrupts counts if
//! its first turn, the best one so far, was finished.

pub mod candidates;
pub mod node;
pub mod options;
pub mod table;

use crate::attack::Solver;
use crate::board::{Board, Side};
use crate::engine::{Iteration, Turn};
use crate::evaluate::Evaluated;
use crate::geometry::MAX_CELLS;
use crate::limits::{Clock, Limit};
use crate::plan::Plan;
use crate::sets::CellSet;
use crate::threats::Threats;
use candidates::{Candidate, Wanted};
use jl_game::Status;
use node::{DECIDED, Node, PROVED, TURN, WON, Window};
pub use options::Options;
use std::rc::Rc;

/// What is asked of the search.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    pub mover: Side,
    /// Stones due now, one or two.
    pub stones: usize,
    pub prohibited: &'a [Turn],
    /// The only turns to consider, if anything is known: defences.
    pub only: Option<&'a [Turn]>,
    /// Breaks ties among equally promising cells; 0 leaves them in order.
    pub seed: u64,
    /// Bytes for the table.
    pub memory: usize,
    pub options: Options,
}

impl Options {
    /// Plain alpha–beta: no threat search anywhere.
    #[must_use]
    pub fn without_threats(self) -> Options {
        Options { root_tactics: 0, leaf_tactics: 0, node_tactics: 0, null_tactics: 0, ..self }
    }
}

/// What the search found.
#[derive(Clone, PartialEq, Debug)]
pub struct Searched {
    /// `None` only if no legal turn is left outside the prohibited ones.
    pub best: Option<Turn>,
    /// In the mover's view.
    pub score: i32,
    /// Of the first player.
    pub win_rate: f64,
    /// The best turn and the expected continuation.
    pub line: Vec<Turn>,
    pub iterations: Vec<Iteration>,
    /// The best turn wins against every reply.
    pub proved_win: bool,
}

/// Looks for the mover's best turn, with the threat searches of both sides. The game must not be over. The board is left as it was.
pub fn search(
    board: &mut Board,
    request: &Request,
    solvers: &mut [Solver; 2],
    clock: &mut Clock,
) -> Searched {
    let options = &request.options;
    let mut position = Evaluated::new(board, options.weights.clone());
    if request.seed != 0 {
        position.prefer(|c| preference(request.seed, c));
    }
    let node = Node::new(position, clock, options, solvers, request.memory);
    Root { node, request, list: Vec::new(), iterations: Vec::new(), best: None }.run()
}

/// 0 to 3, by the seed.
fn preference(seed: u64, cell: u16) -> i32 {
    let z = (seed ^ u64::from(cell) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((z ^ z >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 62) as i32
}

/// After so many iterations in a row that claim a win or a loss, no more are made.
const ENOUGH: usize = 5;

struct Root<'a, 'b, 'g> {
    node: Node<'a, 'b, 'g>,
    request: &'a Request<'a>,
    list: Vec<Candidate>,
    iterations: Vec<Iteration>,
    best: Option<(Turn, i32)>,
}

impl Root<'_, '_, '_> {
    fn run(mut self) -> Searched {
        let mover = self.request.mover;
        if let Some(turn) = self.completing() {
            self.best = Some((turn, WON - 1));
            return self.result(vec![turn]);
        }
        if let Some(win) = self.won_by_threats() {
            self.best = Some((win.turn, WON - (2 * win.length as i32 - 1)));
            return self.result(vec![win.turn]);
        }
        let zone = self.zone();
        self.fill(zone.as_ref(), self.request.options.root_width);
        self.best = self.list.first().map(|c| (c.turn, self.node.position.score(mover)));
        let mut decided = 0;
        for depth in 1..=self.request.options.max_depth {
            if self.list.is_empty() || self.iterate(depth).is_err() || self.is_proved() {
                break;
            }
            let score = self.best.map_or(0, |(_, score)| score);
            decided = if score.abs() > DECIDED { decided + 1 } else { 0 };
            if decided == ENOUGH {
                break;
            }
            if score < -DECIDED {
                self.widen(zone.as_ref());
            }
            self.node.forget();
        }
        let line = self.line();
        self.result(line)
    }

    /// A line that is completed now.
    fn completing(&self) -> Option<Turn> {
        let board = self.node.position.board();
        let (k, mover) = (board.geometry().k, self.request.mover);
        let windows = board.live(mover, k - 1).chain(board.live(mover, k - 2));
        let mut turns = windows.filter_map(|w| {
            let mut empties = board.empties_of(w);
            let first = empties.next()?;
            match (empties.next(), self.request.stones) {
                (None, 1) => Some([first, first]),
                (None, _) => self.with_any(first),
                (Some(second), 2) => Some(candidates::turn(first, second)),
                (Some(_), _) => None,
            }
        });
        turns.find(|&t| self.is_allowed(t))
    }

    /// The stone, and another one anywhere.
    fn with_any(&self, first: u16) -> Option<Turn> {
        let board = self.node.position.board();
        let others = (0..board.geometry().cells() as u16).filter(|&c| c != first && board.is_empty(c));
        let mut turns = others.map(|c| candidates::turn(first, c)).peekable();
        if turns.peek().is_none() {
            return Some([first, first]).filter(|&t| self.is_allowed(t));
        }
        turns.find(|&t| self.is_allowed(t))
    }

    fn is_allowed(&self, turn: Turn) -> bool {
        !self.request.prohibited.contains(&turn) && self.request.only.is_none_or(|only| only.contains(&turn))
    }

    fn won_by_threats(&mut self) -> Option<Rc<Plan>> {
        if self.request.stones != 2 {
            return None;
        }
        let win = self.node.rush(self.request.mover, self.request.options.root_tactics).ok().flatten()?;
        self.is_allowed(win.turn).then_some(win)
    }

    /// Where the opponent wins after a pass.
    fn zone(&mut self) -> Option<CellSet> {
        let opponent = self.request.mover.opponent();
        if self.node.position.board().can_win_now(opponent) {
            return None;
        }
        let plan = self.node.rush(opponent, self.request.options.root_tactics).ok().flatten()?;
        Some(self.node.zone_of(&plan))
    }

    /// The candidates: the known ones if given, else the most promising, as many as there are outside the prohibited ones.
    fn fill(&mut self, zone: Option<&CellSet>, width: usize) {
        if let Some(only) = self.request.only {
            let position = &self.node.position;
            let gain = |c: u16| position.gain(c, self.request.mover);
            let promise = |&[a, b]: &Turn| gain(a) + gain(b) + position.joint_of(a, b, self.request.mover);
            let allowed = only.iter().filter(|&&t| self.is_allowed(t));
            self.list = allowed.map(|t| Candidate { turn: *t, promise: promise(t) }).collect();
            self.list.sort_by_key(|c| (std::cmp::Reverse(c.promise), c.turn));
            self.list.truncate(width);
            return;
        }
        let all = self.node.position.board().geometry().cells();
        let mut cells = self.request.options.root_cells;
        loop {
            let mut list = self.generated(zone.filter(|_| cells < all), cells);
            list.retain(|c| self.is_allowed(c.turn));
            // The first stone of a game goes to the centre.
            list.truncate(if self.node.position.board().placed() == 0 { 1 } else { width });
            let enough = !list.is_empty() || cells >= all;
            self.list = list;
            if enough {
                break;
            }
            cells = (2 * cells).min(all);
        }
        if self.list.is_empty() {
            self.list.extend(self.any().map(|turn| Candidate { turn, promise: 0 }));
        }
    }

    fn generated(&self, zone: Option<&CellSet>, cells: usize) -> Vec<Candidate> {
        let position = &self.node.position;
        let mover = self.request.mover;
        let threats = Threats::of(position.board(), mover.opponent());
        if self.request.stones == 1 {
            return self.single_stones(&threats);
        }
        let mut list = Vec::new();
        let wanted = Wanted { mover, threats: &threats, zone, cells, history: &[0; MAX_CELLS] };
        candidates::generate(position, &wanted, &mut list);
        list
    }

    /// One stone: what answers most, then what gains most, then the most central.
    fn single_stones(&self, threats: &Threats) -> Vec<Candidate> {
        let board = self.node.position.board();
        let g = board.geometry();
        let answers =
            |c: u16| threats.singles().contains(&c) || threats.answers().iter().any(|p| p.contains(&c));
        let off_centre = |c: u16| {
            let (x, y) = (usize::from(c) % g.columns, usize::from(c) / g.columns);
            (2 * x + 1).abs_diff(g.columns).max((2 * y + 1).abs_diff(g.rows)) as i32
        };
        let mut list: Vec<Candidate> = (0..g.cells() as u16)
            .filter(|&c| board.is_empty(c))
            .map(|c| {
                let gain = self.node.position.gain(c, self.request.mover);
                Candidate { turn: [c, c], promise: gain - off_centre(c) + if answers(c) { WON } else { 0 } }
            })
            .collect();
        list.sort_by_key(|c| (std::cmp::Reverse(c.promise), c.turn));
        list
    }

    /// Any legal turn outside the prohibited ones.
    fn any(&self) -> Option<Turn> {
        let board = self.node.position.board();
        let empty = || (0..board.geometry().cells() as u16).filter(|&c| board.is_empty(c));
        if self.request.stones == 1 {
            return empty().map(|c| [c, c]).find(|&t| self.is_allowed(t));
        }
        empty().find_map(|c| self.with_any(c))
    }

    /// All candidates lose: more of them, behind the ones there are.
    fn widen(&mut self, zone: Option<&CellSet>) {
        let before = std::mem::take(&mut self.list);
        self.fill(zone, 2 * before.len());
        let fresh: Vec<Candidate> =
            self.list.drain(..).filter(|c| before.iter().all(|b| b.turn != c.turn)).collect();
        self.list = before;
        self.list.extend(fresh);
    }

    /// One iteration over all candidates; the best ends up first.
    fn iterate(&mut self, depth: u32) -> Result<(), Limit> {
        let window = |alpha| Window { depth: depth as i32 * TURN, alpha, beta: WON, ply: 0 };
        let mover = self.request.mover;
        let mut best: Option<(usize, i32)> = None;
        let mut outcome = Ok(());
        for i in 0..self.list.len() {
            let turn = self.list[i].turn;
            let alpha = best.map_or(-WON, |(_, score)| score);
            self.node.position.put(turn, mover);
            let score = self.node.reply(mover.opponent(), window(alpha), i, depth < 3);
            self.node.position.take(turn, mover);
            match score {
                Ok(score) => {
                    self.list[i].promise = score;
                    if score > alpha || best.is_none() {
                        best = Some((i, score));
                    }
                }
                Err(limit) => {
                    outcome = Err(limit);
                    break;
                }
            }
            if best.is_some_and(|(_, score)| score > PROVED) {
                break;
            }
        }
        if let Some((i, score)) = best {
            let turn = self.list[i].turn;
            self.list[..=i].rotate_right(1);
            self.best = Some((turn, score));
            self.iterations.push(Iteration {
                depth,
                mv: turn,
                win_rate: self.win_rate(score),
                nodes: self.node.clock.nodes(),
            });
        }
        outcome
    }

    fn is_proved(&self) -> bool {
        self.best.is_some_and(|(_, score)| score > PROVED)
    }

    /// Of the first player.
    fn win_rate(&self, score: i32) -> f64 {
        let rate = self.node.position.weights().win_rate(score);
        if self.request.mover == Side::First { rate } else { 1.0 - rate }
    }

    /// The best turn and what the table expects after it.
    fn line(&mut self) -> Vec<Turn> {
        let Some((first, _)) = self.best else { return Vec::new() };
        let mut line = Vec::new();
        let mut side = self.request.mover;
        let mut next = Some(first);
        while let Some(turn) = next {
            self.node.position.put(turn, side);
            line.push(turn);
            side = side.opponent();
            let board = self.node.position.board();
            let known = self.node.table.get(self.node.key(side)).map(|e| e.best);
            next =
                known.filter(|&[a, b]| a != b && board.is_empty(a) && board.is_empty(b) && line.len() < 12);
        }
        for &turn in line.iter().rev() {
            side = side.opponent();
            self.node.position.take(turn, side);
        }
        line
    }

    fn result(self, line: Vec<Turn>) -> Searched {
        let score = self.best.map_or(0, |(_, score)| score);
        Searched {
            best: self.best.map(|(turn, _)| turn),
            score,
            win_rate: self.win_rate(score),
            line,
            proved_win: score > PROVED,
            iterations: self.iterations,
        }
    }
}

/// The status that a win rate of the first player stands for, unless the last iterations disagree: a swing of two grades
/// is unstable, one of four even more.
#[must_use]
pub fn status(win_rate: f64, iterations: &[Iteration]) -> Status {
    let grade = |i: &Iteration| ((i.win_rate - 0.5) * 10.0).round().clamp(-4.0, 4.0) as i32;
    let swing = match iterations {
        [.., before, last] => (grade(last) - grade(before)).abs(),
        _ => 0,
    };
    match swing {
        4.. => Status::Unstable2,
        2.. => Status::Unstable1,
        _ => Status::from_win_rate(win_rate),
    }
}

#[cfg(test)]
mod tests;
