//! Positions to try things on.

use crate::minimax::with;
use jl_engine_connect6::engine::Turn;
use jl_engine_connect6::limits::{Clock, Limits};
use jl_engine_connect6::{Board, Geometry, Side};

pub fn clock(nodes: u64) -> Clock {
    Clock::new(Limits { nodes: Some(nodes), ..Limits::default() })
}

/// The stones of a turn: one that is written twice is one.
pub fn stones(turn: &Turn) -> &[u16] {
    if turn[0] == turn[1] { &turn[..1] } else { turn }
}

pub fn sorted(a: u16, b: u16) -> Turn {
    [a.min(b), a.max(b)]
}

pub fn empties(board: &Board) -> Vec<u16> {
    (0..board.geometry().cells() as u16).filter(|&c| board.is_empty(c)).collect()
}

/// How to draw a small board.
#[derive(Clone, Copy, Debug)]
pub struct Small {
    pub columns: usize,
    pub rows: usize,
    pub k: usize,
    /// The most empty cells.
    pub empties: usize,
    /// Windows with room and some stones: of the attacker, all through one cell, and of the defender.
    pub planted: [usize; 2],
}

/// Boards on which everything can be tried: dense ones, and ones with an attack here and the defender's own stones there.
const SMALL: [Small; 10] = [
    Small { columns: 5, rows: 5, k: 4, empties: 9, planted: [0, 0] },
    Small { columns: 6, rows: 5, k: 5, empties: 10, planted: [0, 0] },
    Small { columns: 7, rows: 7, k: 6, empties: 10, planted: [2, 0] },
    Small { columns: 8, rows: 6, k: 6, empties: 13, planted: [3, 1] },
    Small { columns: 6, rows: 5, k: 4, empties: 12, planted: [0, 0] },
    Small { columns: 7, rows: 5, k: 4, empties: 14, planted: [1, 0] },
    Small { columns: 7, rows: 6, k: 5, empties: 14, planted: [3, 1] },
    Small { columns: 8, rows: 8, k: 5, empties: 15, planted: [3, 2] },
    Small { columns: 9, rows: 8, k: 6, empties: 15, planted: [4, 1] },
    Small { columns: 10, rows: 8, k: 6, empties: 16, planted: [4, 2] },
];

/// A small board on which nobody has won. The first player is the attacker.
fn small_board<'g>(g: &'g Geometry, small: Small, rng: &mut fastrand::Rng) -> Option<Board<'g>> {
    let mut cells: Vec<Option<Option<Side>>> = vec![None; g.cells()];
    let center = rng.u16(..g.cells() as u16);
    for _ in 0..small.planted[0] {
        plant(g, Side::First, *rng.choice(g.through(center)).unwrap_or(&0), &mut cells, rng);
    }
    for _ in 0..small.planted[1] {
        plant(g, Side::Second, rng.u16(..g.windows() as u16), &mut cells, rng);
    }
    let mut board = Board::new(g);
    for (c, stone) in cells.iter().enumerate() {
        if let Some(Some(side)) = stone {
            board.place(c as u16, *side);
        }
    }
    let mut rest: Vec<u16> = (0..g.cells() as u16).filter(|&c| cells[usize::from(c)].is_none()).collect();
    rng.shuffle(&mut rest);
    let room = rng.usize(1..=small.empties);
    let planted = cells.iter().filter(|c| **c == Some(None)).count();
    for &c in rest.iter().skip(room.saturating_sub(planted)) {
        place_tamely(&mut board, c, rng);
    }
    let over = board.has_won(Side::First) || board.has_won(Side::Second);
    (!over && empties(&board).len() <= small.empties).then_some(board)
}

/// A stone of either side, seldom of one that could then win at once.
pub fn place_tamely(board: &mut Board, cell: u16, rng: &mut fastrand::Rng) {
    let side = if rng.bool() { Side::First } else { Side::Second };
    board.place(cell, side);
    if board.can_win_now(side) && rng.u8(..30) > 0 {
        board.remove(cell, side);
        board.place(cell, side.opponent());
    }
}

/// A window with k − 4 or k − 3 of `side`'s stones and otherwise empty.
fn plant(g: &Geometry, side: Side, window: u16, cells: &mut [Option<Option<Side>>], rng: &mut fastrand::Rng) {
    let mut order: Vec<usize> = g.cells_of(window).iter().map(|&c| usize::from(c)).collect();
    rng.shuffle(&mut order);
    let stones = g.k - 4 + rng.usize(..2);
    for (i, c) in order.into_iter().enumerate() {
        if cells[c].is_none() {
            cells[c] = Some((i < stones).then_some(side));
        }
    }
}

/// So many boards of each sort, of dense ones thrice as many, with no line for `side` to complete at once.
pub fn for_small_boards(each: usize, side: Side, seed: u64, mut f: impl FnMut(&mut Board)) {
    let mut rng = fastrand::Rng::with_seed(seed);
    for small in SMALL {
        let g = Geometry::new(small.columns, small.rows, small.k).unwrap();
        let mut left = if small.planted[0] < 3 { 3 * each } else { each };
        while left > 0 {
            let board = small_board(&g, small, &mut rng);
            if let Some(mut board) = board.filter(|b| !b.can_win_now(side)) {
                f(&mut board);
                left -= 1;
            }
        }
    }
}

/// A sort of open board: the part of it that has stones, and how densely.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    pub columns: usize,
    pub rows: usize,
    pub k: usize,
    pub part: usize,
    pub density: f64,
}

/// Boards with room for stones that float, too large for minimax.
pub const OPEN: [Open; 7] = [
    Open { columns: 7, rows: 6, k: 5, part: 7, density: 0.1 },
    Open { columns: 8, rows: 7, k: 6, part: 8, density: 0.25 },
    Open { columns: 9, rows: 8, k: 6, part: 9, density: 0.2 },
    Open { columns: 9, rows: 9, k: 5, part: 6, density: 0.1 },
    Open { columns: 9, rows: 9, k: 5, part: 6, density: 0.15 },
    Open { columns: 13, rows: 13, k: 6, part: 7, density: 0.15 },
    Open { columns: 19, rows: 19, k: 6, part: 8, density: 0.15 },
];

/// A board on which nobody can win at once. The first player, who attacks, has somewhat more stones.
pub fn open_board<'g>(g: &'g Geometry, open: Open, rng: &mut fastrand::Rng) -> Option<Board<'g>> {
    let mut board = Board::new(g);
    let share = 0.5 + rng.f64() * 0.2;
    for c in 0..g.cells() as u16 {
        let (x, y) = (usize::from(c) % g.columns, usize::from(c) / g.columns);
        let inner = 2 * x.abs_diff(g.columns / 2) <= open.part && 2 * y.abs_diff(g.rows / 2) <= open.part;
        if inner && rng.f64() < open.density {
            board.place(c, if rng.f64() < share { Side::First } else { Side::Second });
        }
    }
    (!board.can_win_now(Side::First) && !board.can_win_now(Side::Second)).then_some(board)
}

pub fn for_open_boards(each: usize, seed: u64, f: impl FnMut(&mut Board, &mut fastrand::Rng)) {
    for_boards(&OPEN, each, seed, f);
}

/// So many boards of each sort.
pub fn for_boards(sorts: &[Open], each: usize, seed: u64, mut f: impl FnMut(&mut Board, &mut fastrand::Rng)) {
    let mut rng = fastrand::Rng::with_seed(seed);
    for &open in sorts {
        let g = Geometry::new(open.columns, open.rows, open.k).unwrap();
        let mut drawn = 0;
        while drawn < each {
            if let Some(mut board) = open_board(&g, open, &mut rng) {
                f(&mut board, &mut rng);
                drawn += 1;
            }
        }
    }
}

/// Letter pairs: column then row, A at the bottom.
pub fn read<'g>(g: &'g Geometry, moves: &str) -> (Board<'g>, Side) {
    let mut board = Board::new(g);
    let mut side = Side::First;
    for turn in moves.split('-') {
        for c in cells(g, turn) {
            board.place(c, side);
        }
        side = side.opponent();
    }
    (board, side)
}

pub fn cells(g: &Geometry, letters: &str) -> Vec<u16> {
    let cell = |s: &[u8]| g.cell(usize::from(s[0] - b'A'), usize::from(s[1] - b'A'));
    letters.as_bytes().chunks(2).map(cell).collect()
}

/// What a stone of `side` on a cell makes of its own windows: those with more stones count far more.
pub fn pull(board: &Board, side: Side, cell: u16) -> u64 {
    let g = board.geometry();
    g.through(cell).iter().filter_map(|&w| board.stones_in(w, side)).map(|n| 1 << (5 * n)).sum()
}

/// One of these cells, the one of several draws that builds `side`'s own windows best.
pub fn building_cell(board: &Board, side: Side, among: &[u16], rng: &mut fastrand::Rng) -> Option<u16> {
    let draws = (0..6).filter_map(|_| rng.choice(among)).copied();
    draws.max_by_key(|&c| pull(board, side, c))
}

/// Two of these cells, which build `side`'s own windows, most often the same one.
pub fn building_pair(board: &mut Board, side: Side, among: &[u16], rng: &mut fastrand::Rng) -> Option<Turn> {
    let g = board.geometry();
    let s = building_cell(board, side, among, rng)?;
    let others: Vec<u16> = among.iter().copied().filter(|&c| c != s).collect();
    let shared = |c: &u16| {
        let mut windows = g.through(s).iter().filter(|&&w| board.stones_in(w, side).is_some());
        windows.any(|&w| g.cells_of(w).contains(c))
    };
    let near: Vec<u16> = others.iter().copied().filter(shared).collect();
    let among = if near.is_empty() || rng.u8(..4) == 0 { &others } else { &near };
    let t = with(board, &[s], side, |board| building_cell(board, side, among, rng))?;
    Some(sorted(s, t))
}

/// Two cells, or two that build `side`'s own windows.
pub fn random_pair(board: &mut Board, side: Side, among: &[u16], rng: &mut fastrand::Rng) -> Option<Turn> {
    if rng.u8(..4) > 0 {
        return building_pair(board, side, among, rng);
    }
    let (s, t) = (*rng.choice(among)?, *rng.choice(among)?);
    (s != t).then(|| sorted(s, t))
}
