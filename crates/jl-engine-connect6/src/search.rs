//! Which turn to play when no threat search decides: alpha–beta on whole turns, with iterative deepening.
//!
//! - [`table`]: positions seen;
//! - [`candidates`]: the turns worth looking at;
//! - [`node`]: one position of the search, and what its score proves;
//! - [`threads`]: several searches of one position that share what they see;
//! - [`options`]: how wide, how deep, and with how much threat search.
//!
//! This file is the root: the candidates there are more, prohibited ones are left out, and the ones that lose to threats
//! stay in the list so that the one that resists longest can be played. An iteration that the limit interrupts counts if
//! its first turn, the best one so far, was finished.

pub mod candidates;
pub mod node;
pub mod options;
pub mod table;
pub mod threads;

use crate::attack::Solver;
use crate::board::{Board, Side};
use crate::engine::{Iteration, Turn};
use crate::evaluate::Evaluated;
use crate::finish;
use crate::geometry::MAX_CELLS;
use crate::limits::{Clock, Limit};
use crate::plan::Plan;
use crate::sets::CellSet;
use crate::threats::Threats;
use candidates::{Candidate, Wanted};
use jl_game::Status;
use node::{DECIDED, Node, PROVED, TURN, WON, Window, wins_in};
pub use options::Options;
use std::rc::Rc;
use table::Table;

/// What is asked of the search.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    pub mover: Side,
    /// Stones due now, one or two.
    pub stones: usize,
    pub prohibited: &'a [Turn],
    /// The only turns to consider, if anything is known: defences.
    pub only: Option<&'a [Turn]>,
    /// Plans of the opponent's that win unless a turn spoils them.
    pub refuting: &'a [Rc<Plan>],
    /// Breaks ties among equally promising cells; 0 leaves them in order.
    pub seed: u64,
    pub options: Options,
    /// Which of the threads that search this position it is: the others go another way, and meet what the first will look at.
    pub thread: usize,
}

/// What is kept from one search to the next.
pub struct Memory {
    pub table: Table,
    /// The attacks of the first and of the second player.
    pub solvers: [Solver; 2],
    /// Bytes for such an attack, where another thread needs its own.
    solver: usize,
}

impl Memory {
    /// So many bytes for the table, and for each attack.
    #[must_use]
    pub fn new(table: usize, solver: usize) -> Memory {
        Memory { table: Table::new(table), solvers: Memory::solvers(solver), solver }
    }

    fn solvers(bytes: usize) -> [Solver; 2] {
        [Side::First, Side::Second].map(|side| Solver::new(side, bytes))
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
    /// The turns that were looked at and do not seem to lose, those that were best latest first, with the first player's win rates
    /// after them: those of the others are at least as bad for the mover.
    pub ranking: Vec<(Turn, f64)>,
}

/// Looks for the mover's best turn, with the threat searches of both sides. The game must not be over. The board is left as it was.
pub fn search(board: &mut Board, request: &Request, memory: &mut Memory, clock: &mut Clock) -> Searched {
    search_in(board, request, &memory.table, &mut memory.solvers, clock)
}

fn search_in(
    board: &mut Board,
    request: &Request,
    table: &Table,
    solvers: &mut [Solver; 2],
    clock: &mut Clock,
) -> Searched {
    let options = &request.options;
    let position = Evaluated::new(board, options.weights.clone());
    let mut node = Node::new(position, clock, options, table, solvers);
    if request.seed != 0 {
        node.prefer(|c| preference(request.seed, c));
    }
    let refuting = request.refuting.to_vec();
    Root {
        node,
        request,
        list: Vec::new(),
        refuting,
        hopeless: false,
        checked: Vec::new(),
        iterations: Vec::new(),
        levels: Vec::new(),
        best: None,
        worth: None,
    }
    .run()
}

/// 0 to 3, by the seed.
fn preference(seed: u64, cell: u16) -> i32 {
    let z = (seed ^ u64::from(cell) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((z ^ z >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 62) as i32
}

/// After so many iterations in a row that claim a win, no more are made.
const ENOUGH: usize = 5;

struct Root<'a, 'b, 'g> {
    node: Node<'a, 'b, 'g>,
    request: &'a Request<'a>,
    list: Vec<Candidate>,
    /// Plans of the opponent's that refute every turn that misses their zone.
    refuting: Vec<Rc<Plan>>,
    /// The opponent does not win by threats, even after a pass.
    hopeless: bool,
    /// Turns that were about to be the best.
    checked: Vec<Turn>,
    iterations: Vec<Iteration>,
    /// The scores of the iterations.
    levels: Vec<i32>,
    best: Option<(Turn, i32)>,
    /// What the network thinks of each cell.
    worth: Option<[i32; MAX_CELLS]>,
}

/// How far from each other threads begin in the list.
const STRIDE: usize = 7;
/// Plans that are held against the candidates, at most.
const REFUTING: usize = 8;

impl Root<'_, '_, '_> {
    fn run(mut self) -> Searched {
        let mover = self.request.mover;
        let board = self.node.position.board();
        if let Some(turn) = finish::completing(board, mover, self.request.stones, |t| self.is_allowed(t)) {
            self.best = Some((turn, WON - 1));
            return self.result(vec![turn]);
        }
        if let Some(win) = self.won_by_threats() {
            self.best = Some((win.turn, WON - (2 * win.length as i32 - 1)));
            return self.result(vec![win.turn]);
        }
        self.worth = self.node.worth(mover);
        let null = self.null_plan();
        self.refuting.extend(null);
        let mut width = self.request.options.root_width;
        self.fill(width);
        self.go_another_way();
        self.best = self.list.first().map(|c| (c.turn, self.node.position.score(mover)));
        let mut decided = 0;
        let first = 1 + self.request.thread as u32 % 2;
        for depth in first..=self.request.options.max_depth {
            if self.list.is_empty() || self.iterate(depth).is_err() || self.is_proved() {
                break;
            }
            let score = self.best.map_or(0, |(_, score)| score);
            decided = if score.abs() > DECIDED { decided + 1 } else { 0 };
            let enough = if score < -DECIDED { self.request.options.patience } else { ENOUGH };
            if decided >= enough {
                break;
            }
            if score < -DECIDED {
                width *= 2;
            }
            self.refill(width);
            self.node.forget();
        }
        let line = self.line();
        self.result(line)
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

    /// How the opponent wins after a pass, unless that is known.
    fn null_plan(&mut self) -> Option<Rc<Plan>> {
        let opponent = self.request.mover.opponent();
        let board = self.node.position.board();
        let quiet = !board.can_win_now(opponent) && self.request.stones == 2;
        if !self.request.options.zones || !self.refuting.is_empty() || !quiet {
            return None;
        }
        let plan = self.node.rush(opponent, self.request.options.root_tactics).ok()?;
        self.hopeless = plan.is_none();
        plan
    }

    /// The plan that a turn loses to, if one is known.
    fn refutation(&self, turn: Turn) -> Option<&Rc<Plan>> {
        let g = self.node.position.board().geometry();
        self.refuting.iter().find(|plan| plan.zone.misses(g, turn))
    }

    /// The candidates: the known ones if given, else the most promising, as many as there are outside the prohibited ones
    /// and not known to lose.
    fn fill(&mut self, width: usize) {
        self.list = self.candidates(width);
        if self.list.is_empty() {
            let turn = self.spoiler().or_else(|| self.any());
            self.list.extend(turn.map(|turn| Candidate { turn, promise: 0 }));
        }
    }

    /// Other threads begin elsewhere in the list, after the first turn.
    fn go_another_way(&mut self) {
        if let [_, rest @ ..] = &mut self.list[..]
            && !rest.is_empty()
        {
            rest.rotate_left(self.request.thread * STRIDE % rest.len());
        }
    }

    fn candidates(&self, width: usize) -> Vec<Candidate> {
        if let Some(only) = self.request.only {
            let position = &self.node.position;
            let mover = self.request.mover;
            let worth = |c: u16| self.worth.map_or_else(|| position.gain(c, mover), |w| w[usize::from(c)]);
            let joint = |a, b| position.joint_of(a, b, mover) * self.node.joint() / 100;
            let promise = |&[a, b]: &Turn| worth(a) + worth(b) + joint(a, b);
            // There may be tens of thousands: not `is_allowed`, which would look for each among all.
            let allowed = only.iter().filter(|&t| !self.request.prohibited.contains(t));
            let mut list: Vec<Candidate> =
                allowed.map(|t| Candidate { turn: *t, promise: promise(t) }).collect();
            list.sort_by_key(|c| (std::cmp::Reverse(c.promise), c.turn));
            list.truncate(width);
            return list;
        }
        // The first stone of a game goes to the centre.
        let width = if self.node.position.board().placed() == 0 { 1 } else { width };
        let zone = self.refuting.first().map(|plan| self.node.zone_of(plan));
        let all = self.node.position.board().geometry().cells();
        let mut cells = self.request.options.root_cells;
        loop {
            let mut list = self.generated(zone.as_ref().filter(|_| cells < all), cells);
            list.retain(|c| self.is_allowed(c.turn));
            if list.iter().any(|c| self.refutation(c.turn).is_none()) {
                list.retain(|c| self.refutation(c.turn).is_none());
            }
            list.truncate(width);
            if !list.is_empty() || cells >= all {
                return list;
            }
            cells = (2 * cells).min(all);
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
        let (worth, joint) = (self.worth.as_ref(), self.node.joint());
        let wanted = Wanted { mover, threats: &threats, zone, cells, worth, joint, history: &[0; MAX_CELLS] };
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

    /// Where no turn answers all the opponent's threats: the one that leaves the fewest, for one who may not see the rest.
    fn spoiler(&self) -> Option<Turn> {
        let board = self.node.position.board();
        let (opponent, k) = (self.request.mover.opponent(), board.geometry().k);
        if self.request.stones != 2 {
            return None;
        }
        let threats: Vec<Vec<u16>> = (board.live(opponent, k - 1).chain(board.live(opponent, k - 2)))
            .map(|w| board.empties_of(w).collect())
            .collect();
        let mut cells: Vec<u16> = threats.concat();
        cells.sort_unstable();
        cells.dedup();
        let spoilt = |[a, b]: Turn| threats.iter().filter(|t| t.contains(&a) || t.contains(&b)).count();
        let pairs = cells.iter().enumerate().flat_map(|(i, &a)| cells[i + 1..].iter().map(move |&b| [a, b]));
        pairs.filter(|&t| self.is_allowed(t)).max_by_key(|&t| (spoilt(t), std::cmp::Reverse(t)))
    }

    /// Any legal turn outside the prohibited ones.
    fn any(&self) -> Option<Turn> {
        let board = self.node.position.board();
        let empty = || (0..board.geometry().cells() as u16).filter(|&c| board.is_empty(c));
        if self.request.stones == 1 {
            return empty().map(|c| [c, c]).find(|&t| self.is_allowed(t));
        }
        empty().find_map(|c| finish::with_any(board, c, |t| self.is_allowed(t)))
    }

    /// More candidates behind the ones there are, so that as many as wanted are not known to lose.
    fn refill(&mut self, width: usize) {
        let open = self.list.iter().filter(|c| self.refutation(c.turn).is_none()).count();
        if open >= width {
            return;
        }
        let mut fresh = self.candidates(width);
        fresh.retain(|c| self.refutation(c.turn).is_none() && self.list.iter().all(|b| b.turn != c.turn));
        fresh.truncate(width - open);
        self.list.extend(fresh);
    }

    /// One iteration over all candidates; the best ends up first.
    fn iterate(&mut self, depth: u32) -> Result<(), Limit> {
        let hopeless = self.hopeless;
        let window = |alpha| Window { depth: depth as i32 * TURN, alpha, beta: WON, ply: 0, hopeless };
        let mover = self.request.mover;
        let mut best: Option<(usize, i32)> = None;
        let mut outcome = Ok(());
        let mut searched = 0;
        for i in 0..self.list.len() {
            let turn = self.list[i].turn;
            let alpha = best.map_or(-WON, |(_, score)| score);
            let score = match self.refutation(turn) {
                Some(plan) => Ok(-wins_in(plan, 1)),
                None => {
                    self.node.position.put(turn, mover);
                    let mut score = self.node.reply(mover.opponent(), window(alpha), searched, depth < 3);
                    searched += 1;
                    if depth > 1 && score.is_ok_and(|s| s > alpha && s.abs() < DECIDED) {
                        score = self.checked(turn).map_or(score, |plan| Ok(-wins_in(&plan, 1)));
                    }
                    if score.is_ok_and(|s| s < -DECIDED) {
                        self.learn();
                    }
                    self.node.position.take(turn, mover);
                    score
                }
            };
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
            self.levels.push(score);
            self.iterations.push(Iteration {
                depth,
                mv: turn,
                win_rate: self.win_rate(self.level()),
                nodes: self.node.clock.nodes(),
            });
        }
        outcome
    }

    /// How the turn on the board, about to be the best, loses to a more thorough threat search. Each is tried once.
    fn checked(&mut self, turn: Turn) -> Option<Rc<Plan>> {
        if self.hopeless || self.request.stones != 2 || self.checked.contains(&turn) {
            return None;
        }
        self.checked.push(turn);
        self.node.rush(self.request.mover.opponent(), self.request.options.root_tactics).ok().flatten()
    }

    /// The turn on the board loses: if by threats, others do too.
    fn learn(&mut self) {
        if self.request.options.zones && self.refuting.len() < REFUTING && self.request.stones == 2 {
            let opponent = self.request.mover.opponent();
            self.refuting.extend(self.node.solvers[opponent as usize].known(self.node.position.board()));
        }
    }

    /// How good the position is. The evaluation flatters the side to move, so that the scores of deeper and deeper iterations go up and
    /// down; between two of them is the truth.
    fn level(&self) -> i32 {
        match self.levels[..] {
            [.., before, last] if before.abs() < DECIDED && last.abs() < DECIDED => (before + last) / 2,
            [.., last] => last,
            [] => self.best.map_or(0, |(_, score)| score),
        }
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
        let holding = self.list.iter().filter(|c| c.promise >= -DECIDED);
        let ranking = holding.map(|c| (c.turn, self.win_rate(self.level().min(c.promise)))).collect();
        Searched {
            best: self.best.map(|(turn, _)| turn),
            score,
            win_rate: self.win_rate(if score.abs() < DECIDED { self.level() } else { score }),
            line,
            proved_win: score > PROVED,
            iterations: self.iterations,
            ranking,
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
