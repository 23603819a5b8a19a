//! The attacking turns worth trying: those that make two threats, and those that make one.
//!
//! Found without putting stones on the board. A cell in a window of k − 3 stones is *sharp*: a stone there makes that window
//! a threat, whose two other empties answer it. Two threats come from
//! - two sharp cells whose threats no single cell answers;
//! - one sharp cell that does it alone, with any other stone;
//! - a sharp cell and a mate in a window of k − 4 stones that both share;
//! - two cells in two windows of k − 4 stones of one line, which share nothing else that is empty.
//!
//! Any turn must also answer the threats that the defender has made (*inversion*).

use crate::board::{Board, Side};
use crate::engine::Turn;
use crate::geometry::{Geometry, MAX_CELLS};
use crate::threats::{MOST, Threats};

/// A turn of the attacker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub turn: Turn,
    pub score: i32,
    /// Three threats or more: nothing answers them.
    pub wins: bool,
}

/// Threats of one sharp cell that are told apart. More are rare, and only make it sharper.
const EDGES: usize = 10;

/// A sharp cell.
#[derive(Clone, Copy)]
struct Sharp {
    cell: u16,
    edges: [[u16; 2]; EDGES],
    len: usize,
    /// The cells that answer all of its threats.
    common: [u16; 2],
    commons: usize,
}

impl Sharp {
    fn push(&mut self, edge: [u16; 2]) {
        if self.len == EDGES {
            return;
        }
        self.edges[self.len] = edge;
        if self.len == 0 {
            (self.common, self.commons) = (edge, if edge[0] == edge[1] { 1 } else { 2 });
        } else {
            let mut kept = 0;
            for i in 0..self.commons {
                if edge.contains(&self.common[i]) {
                    self.common[kept] = self.common[i];
                    kept += 1;
                }
            }
            self.commons = kept;
        }
        self.len += 1;
    }

    fn edges(&self) -> &[[u16; 2]] {
        &self.edges[..self.len]
    }

    /// The cells that answer all of its threats once `other` is taken too.
    fn answers_without(&self, other: u16) -> impl Iterator<Item = u16> + '_ {
        self.common[..self.commons].iter().copied().filter(move |&c| c != other)
    }

    fn makes_two(&self) -> bool {
        self.commons == 0
    }
}

/// How much a stone in a live window with so many own, or opposing, stones is worth.
const OWN: [i32; 7] = [0, 3, 10, 40, 0, 0, 0];
const OPPOSING: [i32; 7] = [0, 2, 8, 18, 20, 20, 0];

/// Working space, kept from node to node.
pub struct Candidates {
    sharp: Vec<Sharp>,
    /// Per cell: 1 + its place in `sharp`, or 0.
    place: [u8; MAX_CELLS],
    gain: [i32; MAX_CELLS],
    touched: Vec<u16>,
    /// Windows of k − 4 stones.
    quiet: Vec<u16>,
    found: Vec<Candidate>,
    /// Per pair of cells: how often the turn won elsewhere.
    won: Vec<u8>,
}

/// A turn that won elsewhere is worth trying here: so much for each time, up to so many times.
const WON_BEFORE: i32 = 6;
const MOST_WON: u8 = 12;

impl Default for Candidates {
    fn default() -> Candidates {
        Candidates {
            sharp: Vec::new(),
            place: [0; MAX_CELLS],
            gain: [0; MAX_CELLS],
            touched: Vec::new(),
            quiet: Vec::new(),
            found: Vec::new(),
            won: vec![0; MAX_CELLS * MAX_CELLS],
        }
    }
}

impl Candidates {
    /// The turns that make two threats or more and answer `inverted`, the best first. The attacker can't complete a line.
    pub fn doubles(&mut self, board: &Board, attacker: Side, inverted: &Threats) -> Vec<Candidate> {
        self.gather(board, attacker);
        for i in 0..self.touched.len() {
            let c = self.touched[i];
            self.gain[usize::from(c)] = worth(board, attacker, c).max(1);
        }
        match inverted.count() {
            0 | 1 => {
                self.sharp_pairs(inverted, false);
                self.sharp_mates(board, attacker, inverted, false);
                self.sharp_and_free(inverted);
                self.in_line(board, attacker, inverted);
            }
            2 => self.answering(board, attacker, inverted),
            _ => {}
        }
        self.clear();
        let found = &mut self.found;
        found.sort_unstable_by_key(|c| (!c.wins, -c.score, c.turn));
        found.dedup_by_key(|c| c.turn);
        std::mem::take(found)
    }

    /// A turn that makes three threats and answers `inverted`, or whether there may be one that makes two.
    pub fn winning(&mut self, board: &Board, attacker: Side, inverted: &Threats) -> Result<Candidate, bool> {
        // Most positions have none: what only ranks the turns is left for those that do.
        match inverted.count() {
            0 | 1 => {
                self.gather_sharp(board, attacker);
                if self.sharp.iter().any(Sharp::makes_two) {
                    self.gather_quiet(board, attacker);
                    self.sharp_pairs(inverted, true);
                    self.sharp_mates(board, attacker, inverted, true);
                }
            }
            2 if inverted.answers().iter().any(|&turn| threats_made(board, attacker, turn) == 3) => {
                self.gather(board, attacker);
                self.answering(board, attacker, inverted);
            }
            _ => {}
        }
        self.clear();
        let best = self.found.iter().copied().filter(|c| c.wins).min_by_key(|c| (-c.score, c.turn));
        self.found.clear();
        best.ok_or_else(|| {
            let g = board.geometry();
            at_least(board, attacker, g.k - 3, 1) || at_least(board, attacker, g.k - 4, 2)
        })
    }

    /// Fills the working space from the windows of the attacker.
    fn gather(&mut self, board: &Board, attacker: Side) {
        self.gather_sharp(board, attacker);
        self.gather_quiet(board, attacker);
    }

    fn gather_sharp(&mut self, board: &Board, attacker: Side) {
        for_windows(board, attacker, board.geometry().k - 3, |w| {
            let e = Empties::of(board, w);
            for (i, &c) in e.cells().iter().enumerate() {
                let edge = [e.0[(i + 1) % 3], e.0[(i + 2) % 3]];
                self.touch(c, OWN[3]);
                let at = usize::from(c);
                if self.place[at] == 0 {
                    if self.sharp.len() == usize::from(u8::MAX) {
                        continue;
                    }
                    let none = [[0; 2]; EDGES];
                    self.sharp.push(Sharp { cell: c, edges: none, len: 0, common: [0; 2], commons: 0 });
                    self.place[at] = self.sharp.len() as u8;
                }
                self.sharp[usize::from(self.place[at]) - 1].push(edge);
            }
        });
    }

    fn gather_quiet(&mut self, board: &Board, attacker: Side) {
        for_windows(board, attacker, board.geometry().k - 4, |w| {
            self.quiet.push(w);
            for &c in Empties::of(board, w).cells() {
                self.touch(c, OWN[2]);
            }
        });
    }

    fn touch(&mut self, cell: u16, gain: i32) {
        let at = &mut self.gain[usize::from(cell)];
        if *at == 0 {
            self.touched.push(cell);
        }
        *at += gain;
    }

    fn clear(&mut self) {
        for &c in &self.touched {
            self.gain[usize::from(c)] = 0;
            self.place[usize::from(c)] = 0;
        }
        self.touched.clear();
        self.sharp.clear();
        self.quiet.clear();
    }

    fn add(&mut self, a: u16, b: u16, wins: bool) {
        let turn = [a.min(b), a.max(b)];
        let score = self.gain[usize::from(a)] + self.gain[usize::from(b)] + self.won_before(turn);
        self.found.push(Candidate { turn, score, wins });
    }

    fn won_before(&self, [a, b]: Turn) -> i32 {
        WON_BEFORE * i32::from(self.won[usize::from(a) * MAX_CELLS + usize::from(b)])
    }

    /// Remembers that a turn won.
    pub fn remember(&mut self, [a, b]: Turn) {
        let won = &mut self.won[usize::from(a) * MAX_CELLS + usize::from(b)];
        *won = (*won + 1).min(MOST_WON);
    }

    fn sharp_pairs(&mut self, inverted: &Threats, winning: bool) {
        for i in 0..self.sharp.len() {
            for j in i + 1..self.sharp.len() {
                let (a, b) = (&self.sharp[i], &self.sharp[j]);
                // Two sharp cells with one threat each never make three.
                let sharpest = a.makes_two() || b.makes_two();
                if winning && !sharpest {
                    continue;
                }
                if !inverted.answered_by(a.cell, b.cell)
                    || a.answers_without(b.cell).any(|c| b.answers_without(a.cell).any(|d| d == c))
                {
                    continue;
                }
                let wins = sharpest && three(a, b.cell, b.edges(), a.cell);
                let (a, b) = (a.cell, b.cell);
                self.add(a, b, wins);
            }
        }
    }

    fn sharp_mates(&mut self, board: &Board, attacker: Side, inverted: &Threats, winning: bool) {
        let g = board.geometry();
        for i in 0..self.sharp.len() {
            let a = self.sharp[i];
            if winning && !a.makes_two() {
                continue;
            }
            for &w in g.through(a.cell) {
                if board.stones_in(w, attacker) != Some(g.k - 4) {
                    continue;
                }
                let e = Empties::of(board, w);
                for &b in e.cells().iter().filter(|&&b| b != a.cell) {
                    let mut rest = e.cells().iter().copied().filter(|&c| c != a.cell && c != b);
                    let (Some(x), Some(y)) = (rest.next(), rest.next()) else { continue };
                    if a.answers_without(b).any(|c| c == x || c == y) || !inverted.answered_by(a.cell, b) {
                        continue;
                    }
                    let wins = a.makes_two() && three(&a, b, &[[x, y]], a.cell);
                    self.add(a.cell, b, wins);
                }
            }
        }
    }

    /// A cell that makes two threats alone leaves the other stone free: to answer, or to develop.
    fn sharp_and_free(&mut self, inverted: &Threats) {
        for i in 0..self.sharp.len() {
            let a = self.sharp[i];
            if !a.makes_two() {
                continue;
            }
            for j in 0..self.touched.len() {
                let b = self.touched[j];
                if self.place[usize::from(b)] == 0 && inverted.answered_by(a.cell, b) {
                    self.add(a.cell, b, false);
                }
            }
            for &b in inverted.singles() {
                if b != a.cell && self.gain[usize::from(b)] == 0 {
                    self.add(a.cell, b, false);
                }
            }
            for &[x, y] in inverted.answers() {
                let other = if x == a.cell { y } else { x };
                if (x == a.cell || y == a.cell) && self.gain[usize::from(other)] == 0 {
                    self.add(a.cell, other, false);
                }
            }
        }
    }

    fn in_line(&mut self, board: &Board, attacker: Side, inverted: &Threats) {
        let g = board.geometry();
        for i in 0..self.quiet.len() {
            let w = self.quiet[i];
            let e = Empties::of(board, w);
            let mut further = g.next(w);
            for _ in 1..g.k - 1 {
                let Some(v) = further else { break };
                further = g.next(v);
                if board.stones_in(v, attacker) != Some(g.k - 4) {
                    continue;
                }
                let f = Empties::of(board, v);
                let mut common = e.cells().iter().copied().filter(|c| f.cells().contains(c));
                if let (Some(a), Some(b), None) = (common.next(), common.next(), common.next())
                    && inverted.answered_by(a, b)
                {
                    self.add(a, b, false);
                }
            }
        }
    }

    /// Both stones are needed to answer.
    fn answering(&mut self, board: &Board, attacker: Side, inverted: &Threats) {
        for &[a, b] in inverted.answers() {
            let threats = threats_made(board, attacker, [a, b]);
            if threats >= 2 {
                self.add(a, b, threats >= 3);
            }
        }
    }

    /// The best turns that make exactly one threat and answer `inverted`, at most `most` of them.
    pub fn singles(
        &mut self,
        board: &Board,
        attacker: Side,
        inverted: &Threats,
        most: usize,
    ) -> Vec<Candidate> {
        self.gather(board, attacker);
        self.gain_everywhere(board, attacker);
        let mut cells = self.touched.clone();
        cells.sort_unstable_by_key(|&c| (-self.gain[usize::from(c)], c));
        cells.truncate(PARTNERS);
        for &c in inverted.singles().iter().chain(inverted.answers().iter().flatten()) {
            if !cells.contains(&c) {
                cells.push(c);
            }
        }
        if inverted.count() < 3 {
            for i in 0..self.sharp.len() {
                let a = self.sharp[i];
                if a.makes_two() {
                    continue;
                }
                for &b in cells.iter().filter(|&&b| b != a.cell) {
                    self.add_single(board, attacker, inverted, a.cell, b);
                }
            }
            for i in 0..self.quiet.len() {
                let e = Empties::of(board, self.quiet[i]);
                for (n, &a) in e.cells().iter().enumerate() {
                    for &b in &e.cells()[n + 1..] {
                        if self.place[usize::from(a)] == 0 && self.place[usize::from(b)] == 0 {
                            self.add_single(board, attacker, inverted, a, b);
                        }
                    }
                }
            }
        }
        self.clear();
        let found = &mut self.found;
        found.sort_unstable_by_key(|c| (-c.score, c.turn));
        found.dedup_by_key(|c| c.turn);
        // Only now, since it costs more: exactly one threat.
        found.drain(..).filter(|c| threats_made(board, attacker, c.turn) == 1).take(most).collect()
    }

    fn add_single(&mut self, board: &Board, attacker: Side, inverted: &Threats, a: u16, b: u16) {
        if inverted.answered_by(a, b) {
            let together = together(board, attacker, a, b);
            let turn = [a.min(b), a.max(b)];
            let score =
                self.gain[usize::from(a)] + self.gain[usize::from(b)] + together + self.won_before(turn);
            self.found.push(Candidate { turn, score, wins: false });
        }
    }

    /// What a stone of the attacker is worth on each empty cell near one of its own: the sum of [`worth`] over the windows.
    fn gain_everywhere(&mut self, board: &Board, attacker: Side) {
        let g = board.geometry();
        self.gain.fill(0);
        self.touched.clear();
        let table = &WORTH[attacker as usize];
        for w in 0..g.windows() as u16 {
            let worth = table[usize::from(board.count(w))];
            if worth != 0 {
                g.cells_of(w).iter().for_each(|&c| self.gain[usize::from(c)] += worth);
            }
        }
        for c in 0..g.cells() as u16 {
            let at = usize::from(c);
            if !board.is_empty(c) {
                self.gain[at] = 0;
                continue;
            }
            if self.place[at] != 0 {
                self.gain[at] = self.gain[at].max(1);
            }
            if self.gain[at] > 0 {
                self.touched.push(c);
            }
        }
    }
}

/// The cells that a second stone is tried on beside one that threatens.
const PARTNERS: usize = 40;

/// What a stone of a side is worth in a window, by the stones in it as [`Board::count`] gives them.
static WORTH: [[i32; 256]; 2] = [worths(0, 4), worths(4, 0)];

const fn worths(own: u32, other: u32) -> [i32; 256] {
    let mut table = [0; 256];
    let mut count = 0;
    while count < 256 {
        let (mine, theirs) = (count >> own & 15, count >> other & 15);
        table[count] = match (mine, theirs) {
            (1..=6, 0) => OWN[mine],
            (0, 0..=6) => OPPOSING[theirs],
            _ => 0,
        };
        count += 1;
    }
    table
}

/// What a stone of `side` is worth on a cell: the windows that it strengthens and those that it spoils.
#[must_use]
pub fn worth(board: &Board, side: Side, cell: u16) -> i32 {
    let table = &WORTH[side as usize];
    board.geometry().through(cell).iter().map(|&w| table[usize::from(board.count(w))]).sum()
}

/// What two stones are worth more than each by itself: the windows that they share.
pub(crate) fn together(board: &Board, side: Side, a: u16, b: u16) -> i32 {
    let g = board.geometry();
    let more = |&w: &u16| board.stones_in(w, side).map_or(0, |n| 2 * OWN[n.min(6)]);
    // Few windows are worth anything, which is quicker to see than whether they are shared.
    g.through(a).iter().filter(|&w| more(w) != 0 && g.cells_of(*w).contains(&b)).map(more).sum()
}

/// Whether a sharp cell and `other`, which makes `more`, make three threats.
fn three(a: &Sharp, other: u16, more: &[[u16; 2]], first: u16) -> bool {
    let mut edges = [[0; 2]; 2 * EDGES];
    let mut len = 0;
    for (list, taken) in [(a.edges(), other), (more, first)] {
        for &[x, y] in list {
            edges[len] = if x == taken {
                [y, y]
            } else if y == taken {
                [x, x]
            } else {
                [x, y]
            };
            len += 1;
        }
    }
    Threats::of_edges(&edges[..len]).count() == 3
}

/// How many threats a turn of `side`, which has none, makes.
fn threats_made(board: &Board, side: Side, turn: Turn) -> u8 {
    let g = board.geometry();
    let [a, b] = turn;
    let mut edges = [[0; 2]; MOST];
    let mut len = 0;
    for (cell, other, first) in [(a, b, true), (b, a, false)] {
        for &w in g.through(cell) {
            // Few windows have enough stones.
            let Some(n) = board.stones_in(w, side).filter(|n| n + 2 >= g.k - 2) else { continue };
            let both = g.cells_of(w).contains(&other);
            if (both && !first) || n + 1 + usize::from(both && a != b) < g.k - 2 {
                continue;
            }
            let mut rest = board.empties_of(w).filter(|c| !turn.contains(c));
            if let Some(x) = rest.next() {
                edges[len] = [x, rest.next().unwrap_or(x)];
                len += 1;
            }
        }
    }
    Threats::of_edges(&edges[..len]).count()
}

/// The empties of a window.
struct Empties([u16; 8], usize);

impl Empties {
    #[inline]
    fn of(board: &Board, window: u16) -> Empties {
        let mut e = Empties([0; 8], 0);
        for &c in board.geometry().cells_of(window) {
            e.0[e.1] = c;
            e.1 += usize::from(board.is_empty(c));
        }
        e
    }

    fn cells(&self) -> &[u16] {
        &self.0[..self.1]
    }
}

/// Whether `side` has so many windows of this level.
fn at_least(board: &Board, side: Side, level: usize, least: usize) -> bool {
    let mut number = 0;
    for_windows(board, side, level, |_| number += 1);
    number >= least
}

fn for_windows(board: &Board, side: Side, level: usize, mut f: impl FnMut(u16)) {
    if level >= 2 {
        board.live(side, level).for_each(&mut f);
    } else {
        let g: &Geometry = board.geometry();
        (0..g.windows() as u16).filter(|&w| board.stones_in(w, side) == Some(level)).for_each(f);
    }
}
