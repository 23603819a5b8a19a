//! J(n, C) by a negamax of limited depth, iteratively deepened.
//!
//! A value is a score and, beside it, the bounds that the search has proved: a position where it stopped has the
//! bounds "anything", a finished game exactly its result, and a node the best of its children's. The two are kept
//! apart because a score of zero does not tell a proved draw from an even position. Scores order proved wins
//! (the sooner the better) above everything else and proved losses (the later the better) below, so the best move
//! by score is never a proved loss while another move is open; if it is one, every move loses.
//!
//! There is no window: a cut-off by score would lose the bounds of what it cuts, and with nine squares only the
//! certain cut, an immediate win, is worth taking.

use crate::evaluation;
use jl_game::Status;
use jl_games::tictactoe::{BOARD, Position, Square};
use jl_value::{Bounds, Outcome, Player};

/// Plies after the move, at most: the board is full by then.
pub const MAX_DEPTH: u8 = 9;

/// How to think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Plies searched after the move, up to [`MAX_DEPTH`].
    pub depth: u8,
    /// Breaks ties among equally good moves; 0 prefers the centre, then corners, then edges.
    pub seed: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: 2, seed: 0 }
    }
}

/// What the program concludes.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// `None` if no move is left outside the prohibited ones.
    pub mv: Option<Square>,
    /// Of the position after the move. A sure loss of the mover means that every move outside the prohibited ones
    /// loses.
    pub status: Status,
    /// Of the first player.
    pub win_rate: f64,
    /// The move and the expected continuation.
    pub line: Vec<Square>,
    /// Positions visited, over all iterations.
    pub nodes: u64,
    pub iterations: Vec<Iteration>,
}

/// The best move at one depth, as it was seen then.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Iteration {
    pub depth: u8,
    pub mv: Square,
    /// Of the first player.
    pub win_rate: f64,
}

/// Of the player to move.
#[derive(Clone, Copy)]
struct Value {
    score: i32,
    /// Of the first player, as bounds always are.
    bounds: Bounds,
}

const WIN: i32 = 1000;
/// Below a win, above any advantage.
const PROVED: i32 = 900;

/// The best move at `position` outside the mask `prohibited`. The game must not be over.
#[must_use]
pub fn think(position: Position, prohibited: u16, limits: Limits) -> Verdict {
    let mover = position.to_move();
    let candidates = ordered(position.empty() & !prohibited, position, limits.seed);
    let mut search = Search { nodes: 0 };
    let mut iterations: Vec<Iteration> = Vec::new();
    let mut best: Option<(Square, Value)> = None;
    for depth in 0..=limits.depth.min(MAX_DEPTH) {
        let mut all_exact = true;
        best = None;
        for &square in &candidates {
            let value = search.after(position, square, depth);
            all_exact &= value.bounds.exact().is_some();
            if best.is_none_or(|(_, b)| value.score > b.score) {
                best = Some((square, value));
            }
        }
        if let Some((mv, value)) = best {
            iterations.push(Iteration { depth, mv, win_rate: win_rate(value, mover) });
        }
        if all_exact {
            break;
        }
    }
    let (Some((mv, value)), Some(last)) = (best, iterations.last()) else {
        let loss = Outcome::win_of(mover.opponent());
        return Verdict {
            mv: None,
            status: Status::of(loss),
            win_rate: sure_rate(loss),
            line: Vec::new(),
            nodes: 0,
            iterations,
        };
    };
    Verdict {
        mv: Some(mv),
        status: value.bounds.exact().map_or_else(|| graded(&iterations), Status::of),
        win_rate: last.win_rate,
        line: search.line(position, mv, last.depth),
        nodes: search.nodes,
        iterations,
    }
}

/// The squares of a mask in the order in which ties are broken.
fn ordered(mask: u16, position: Position, seed: u64) -> Vec<Square> {
    const CENTRE: u16 = 0o020;
    const CORNERS: u16 = 0o505;
    const EDGES: u16 = BOARD & !CENTRE & !CORNERS;
    let mut squares: Vec<_> =
        [CENTRE, CORNERS, EDGES].into_iter().flat_map(|kind| Square::all_of(mask & kind)).collect();
    if seed != 0 {
        // With the position mixed in, a seed is a preference of its own everywhere.
        fastrand::Rng::with_seed(seed ^ u64::from(position.packed()) << 32).shuffle(&mut squares);
    }
    squares
}

/// A swing of two grades between the last two iterations is unstable, one of four even more.
fn graded(iterations: &[Iteration]) -> Status {
    let grade = |i: &Iteration| ((i.win_rate - 0.5) * 10.0).round().clamp(-4.0, 4.0) as i32;
    let swing = match iterations {
        [.., before, last] => (grade(last) - grade(before)).abs(),
        _ => 0,
    };
    match (swing, iterations.last()) {
        (4.., _) => Status::Unstable2,
        (2.., _) => Status::Unstable1,
        (_, Some(last)) => Status::from_win_rate(last.win_rate),
        (_, None) => Status::Stable,
    }
}

fn sure_rate(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::SecondWins => 0.0,
        Outcome::Draw => 0.5,
        Outcome::FirstWins => 1.0,
    }
}

fn win_rate(value: Value, player: Player) -> f64 {
    match value.bounds.exact() {
        Some(outcome) => sure_rate(outcome),
        None => evaluation::win_rate(value.score, player),
    }
}

struct Search {
    nodes: u64,
}

impl Search {
    /// The value, for the mover at `position`, of taking `square` and looking `depth` plies further.
    fn after(&mut self, position: Position, square: Square, depth: u8) -> Value {
        let Value { score, bounds } = self.value(position.after(square), depth);
        // One ply further away: a win is worth a little less, a loss weighs a little less.
        let score = match score {
            PROVED.. => 1 - score,
            s if s <= -PROVED => -1 - score,
            _ => -score,
        };
        Value { score, bounds }
    }

    /// The value of `position` for its mover.
    fn value(&mut self, position: Position, depth: u8) -> Value {
        self.nodes += 1;
        if let Some(outcome) = position.outcome() {
            // Whoever completes a line has just moved, so the mover can only have lost or drawn.
            let score = if outcome == Outcome::Draw { 0 } else { -WIN };
            return Value { score, bounds: Bounds::exactly(outcome) };
        }
        match self.best(position, depth) {
            Some((_, value)) => value,
            None => Value { score: evaluation::advantage(position), bounds: Bounds::UNKNOWN },
        }
    }

    /// The best move and its value; `None` if the depth is used up.
    fn best(&mut self, position: Position, depth: u8) -> Option<(Square, Value)> {
        let below = depth.checked_sub(1)?;
        let mover = position.to_move();
        let mut best: Option<(Square, Value)> = None;
        for square in Square::all_of(position.empty()) {
            let value = self.after(position, square, below);
            best = Some(match best {
                None => (square, value),
                Some((first, so_far)) => {
                    let bounds = best_of(mover, so_far.bounds, value.bounds);
                    let better = value.score > so_far.score;
                    if better {
                        (square, Value { bounds, ..value })
                    } else {
                        (first, Value { bounds, ..so_far })
                    }
                }
            });
            if value.score >= WIN - 1 {
                break;
            }
        }
        best
    }

    /// `first` and the best replies that the last iteration saw. They are searched once more instead of being kept:
    /// that costs one child of the root, and keeping them costs at every node.
    fn line(&mut self, mut position: Position, first: Square, depth: u8) -> Vec<Square> {
        let nodes = self.nodes;
        let mut line = vec![first];
        position = position.after(first);
        for left in (1..=depth).rev() {
            let next = if position.outcome().is_none() { self.best(position, left) } else { None };
            let Some((square, _)) = next else { break };
            line.push(square);
            position = position.after(square);
        }
        self.nodes = nodes;
        line
    }
}

/// What the mover is sure of, and may hope for, with both moves to choose from.
fn best_of(mover: Player, a: Bounds, b: Bounds) -> Bounds {
    let lo = a.lo().better_for(mover, b.lo());
    let hi = a.hi().better_for(mover, b.hi());
    Bounds::new(lo, hi).expect("the better of two lower bounds is at most the better of two upper bounds")
}
