//! Victory by continuous double threats (VCDT): the attacker only makes moves that force both of the defender's stones.
//!
//! At an attacking node the attacker
//! 1. wins at once if it has a live window with k − 2 stones or more;
//! 2. else must answer the defender's own threats with the same two stones (*inversion*: the forced replies may have made
//!    some), and make at least two threats; three win, unless the defender can complete a line first.
//!
//! Two threats leave the defender a few answering pairs. **Conservative defence**: first the defender is given *all* the
//! cells of all its answers at once. If the attack wins even so, it wins against each of them, since taking a stone of the
//! defender's away never spoils a win by double threats: its threats only shrink, and the attacker's stay. Only if that
//! fails is each answer tried by itself.
//!
//! Iterative deepening over the number of attacking moves, with a table of what is known of each position. Every claimed
//! win is a win; that no win was found says nothing.

use crate::board::{Board, Side};
use crate::geometry::MAX_CELLS;
use crate::threats::Threats;
use std::collections::HashMap;

/// What a search for a win found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// The attacker wins; its moves and the replies of one line, its own first.
    Win(Vec<[u16; 2]>),
    /// No win within the moves that are tried.
    Nothing,
    /// The node limit came first.
    Unknown,
}

/// What is known of a position with the attacker to move.
#[derive(Clone, Copy)]
enum Known {
    Win([u16; 2]),
    /// No win within so many attacking moves.
    NoneWithin(u32),
}

/// The search, and what it has learnt.
pub struct Vcdt<'b, 'g> {
    board: &'b mut Board<'g>,
    attacker: Side,
    known: HashMap<u128, Known>,
    nodes: u64,
    limit: u64,
}

/// How an attack ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Win,
    /// Perhaps deeper.
    NotYet,
    /// Not by these moves, however deep.
    Never,
}

/// The node limit is reached.
struct Limit;

impl<'b, 'g> Vcdt<'b, 'g> {
    #[must_use]
    pub fn new(board: &'b mut Board<'g>, attacker: Side, limit: u64) -> Vcdt<'b, 'g> {
        Vcdt { board, attacker, known: HashMap::new(), nodes: 0, limit }
    }

    /// Attacking positions looked at.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Looks for a win of the attacker, who is to move with two stones, in at most `depth` moves.
    pub fn search(&mut self, depth: u32) -> Found {
        for depth in 1..=depth {
            match self.attack(depth) {
                Ok(Verdict::Win) => return Found::Win(self.line(depth)),
                Ok(Verdict::Never) => return Found::Nothing,
                Ok(Verdict::NotYet) => {}
                Err(Limit) => return Found::Unknown,
            }
        }
        Found::Nothing
    }

    fn attack(&mut self, depth: u32) -> Result<Verdict, Limit> {
        let (attacker, defender) = (self.attacker, self.attacker.opponent());
        match self.known.get(&self.board.key()) {
            Some(Known::Win(_)) => return Ok(Verdict::Win),
            Some(Known::NoneWithin(u32::MAX)) => return Ok(Verdict::Never),
            Some(Known::NoneWithin(d)) if *d >= depth => return Ok(Verdict::NotYet),
            _ => {}
        }
        if self.nodes == self.limit {
            return Err(Limit);
        }
        self.nodes += 1;
        let (verdict, cells) = if self.board.can_win_now(attacker) {
            (Verdict::Win, self.completing_move())
        } else {
            let inverted = Threats::of(self.board, defender);
            let moves = if inverted.count() > 2 { Vec::new() } else { self.double_threats(&inverted) };
            self.best_of(&moves, depth)?
        };
        let known = match verdict {
            Verdict::Win => Known::Win(cells),
            Verdict::NotYet => Known::NoneWithin(depth),
            Verdict::Never => Known::NoneWithin(u32::MAX),
        };
        self.known.insert(self.board.key(), known);
        Ok(verdict)
    }

    /// The first move that wins, or whether one may win deeper.
    fn best_of(&mut self, moves: &[Attack], depth: u32) -> Result<(Verdict, [u16; 2]), Limit> {
        if let Some(won) = moves.iter().find(|m| m.answers.is_empty()) {
            return Ok((Verdict::Win, won.cells));
        }
        let mut best = Verdict::Never;
        for m in moves {
            match if depth > 1 { self.wins_after(m, depth - 1)? } else { Verdict::NotYet } {
                Verdict::Win => return Ok((Verdict::Win, m.cells)),
                Verdict::NotYet => best = Verdict::NotYet,
                Verdict::Never => {}
            }
        }
        Ok((best, [0; 2]))
    }

    /// How the attack goes on after `m`, whatever the answer.
    fn wins_after(&mut self, m: &Attack, depth: u32) -> Result<Verdict, Limit> {
        self.put(&m.cells, self.attacker);
        let mut all: Vec<u16> = m.answers.iter().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        let mut result = if all.len() > 2 { self.attack_after(&all, depth) } else { Ok(Verdict::NotYet) };
        if matches!(result, Ok(Verdict::NotYet | Verdict::Never)) {
            result = Ok(Verdict::Win);
            for answer in &m.answers {
                result = self.attack_after(answer, depth);
                if !matches!(result, Ok(Verdict::Win)) {
                    break;
                }
            }
        }
        self.take(&m.cells, self.attacker);
        result
    }

    fn attack_after(&mut self, answer: &[u16], depth: u32) -> Result<Verdict, Limit> {
        let defender = self.attacker.opponent();
        self.put(answer, defender);
        let result = self.attack(depth);
        self.take(answer, defender);
        result
    }

    /// The moves that answer the defender's threats and make two of their own, the most forcing first. A move with no
    /// answers wins, and is then the only one.
    ///
    /// Two threats come from both stones in one window of k − 4 stones, from each stone in a window of k − 3 (a *sharp*
    /// cell), or from one sharp stone alone; then the other one answers, or develops a window of k − 4.
    fn double_threats(&mut self, inverted: &Threats) -> Vec<Attack> {
        let mut moves = Vec::new();
        if inverted.count() == 2 {
            for &[a, b] in inverted.answers() {
                self.board.place(a, self.attacker);
                let won = self.consider(a, b, &mut moves);
                self.board.remove(a, self.attacker);
                if won {
                    break;
                }
            }
        } else {
            self.pairs(inverted, &mut moves);
        }
        if moves.last().is_some_and(|m| m.answers.is_empty()) {
            return moves.pop().into_iter().collect();
        }
        moves.sort_by_key(|m| (m.answers.len(), std::cmp::Reverse(m.promise)));
        moves
    }

    /// Considers every pair that may make two threats and answers at most a single one.
    fn pairs(&mut self, inverted: &Threats, moves: &mut Vec<Attack>) {
        let k = self.board.geometry().k;
        let sharp = self.cells_of_level(k - 3);
        let quiet = self.cells_of_level(k - 4);
        let mut developing = quiet;
        inverted
            .singles()
            .iter()
            .chain(inverted.answers().iter().flatten())
            .for_each(|&c| developing.insert(c));
        let answers = |a: u16, b: u16| {
            let alone = |c| inverted.singles().contains(&c);
            inverted.count() == 0
                || alone(a)
                || alone(b)
                || inverted.answers().contains(&[a.min(b), a.max(b)])
        };
        for a in sharp.union(quiet).iter() {
            let mut partners = self.mates(a);
            self.board.place(a, self.attacker);
            if sharp.contains(a) {
                partners = partners.union(sharp);
                if Threats::of(self.board, self.attacker).count() >= 2 {
                    partners = partners.union(developing);
                }
            }
            // A pair of two sharp or two quiet cells comes once, one of each from its sharp cell.
            let once =
                |b: u16| if sharp.contains(a) == sharp.contains(b) { b > a } else { sharp.contains(a) };
            let won =
                partners.iter().any(|b| b != a && once(b) && answers(a, b) && self.consider(a, b, moves));
            self.board.remove(a, self.attacker);
            if won {
                return;
            }
        }
    }

    /// With `a` on the board: adds the move if `b` makes it one. Whether it wins at once.
    fn consider(&mut self, a: u16, b: u16, moves: &mut Vec<Attack>) -> bool {
        let (attacker, defender) = (self.attacker, self.attacker.opponent());
        self.board.place(b, attacker);
        let mut won = false;
        if !self.board.can_win_now(defender) {
            let threats = Threats::of(self.board, attacker);
            if threats.count() >= 2 {
                won = threats.count() >= 3;
                let promise = self.promise();
                moves.push(Attack { cells: [a, b], answers: threats.answers().to_vec(), promise });
            }
        }
        self.board.remove(b, attacker);
        won
    }

    /// How many windows the next stone makes a threat of. Shorter lines than six are not listed so early.
    fn promise(&self) -> usize {
        let k = self.board.geometry().k;
        if k >= 5 { self.board.live(self.attacker, k - 3).count() } else { 0 }
    }

    /// The empty cells of the attacker's windows with so many stones.
    fn cells_of_level(&self, level: usize) -> CellSet {
        let mut cells = CellSet::default();
        if level >= 2 {
            for w in self.board.live(self.attacker, level) {
                self.board.empties_of(w).for_each(|c| cells.insert(c));
            }
        } else {
            let g = self.board.geometry();
            for w in
                (0..g.windows() as u16).filter(|&w| self.board.stones_in(w, self.attacker) == Some(level))
            {
                self.board.empties_of(w).for_each(|c| cells.insert(c));
            }
        }
        cells
    }

    /// The empty cells that share a window of k − 4 stones with `cell`: two stones there make a threat.
    fn mates(&self, cell: u16) -> CellSet {
        let g = self.board.geometry();
        let mut cells = CellSet::default();
        for &w in g.through(cell) {
            if self.board.stones_in(w, self.attacker) == Some(g.k - 4) {
                self.board.empties_of(w).for_each(|c| cells.insert(c));
            }
        }
        cells
    }

    /// The stones that complete a line, when there is one; a second stone anywhere if one is enough.
    fn completing_move(&self) -> [u16; 2] {
        let k = self.board.geometry().k;
        let w = self.board.live(self.attacker, k - 1).chain(self.board.live(self.attacker, k - 2)).next();
        let mut empties = self.board.empties_of(w.expect("a window can be completed"));
        let first = empties.next().expect("it is not complete yet");
        let anywhere =
            || (0..self.board.geometry().cells() as u16).find(|&c| c != first && self.board.is_empty(c));
        [first, empties.next().or_else(anywhere).unwrap_or(first)]
    }

    /// One line of the win in at most `depth` moves: the defender always gives its first answer.
    fn line(&mut self, depth: u32) -> Vec<[u16; 2]> {
        let defender = self.attacker.opponent();
        // A win that was proved against all answers at once is not known yet against each; it is found soon.
        let limit = std::mem::replace(&mut self.limit, u64::MAX);
        let mut line = Vec::new();
        for depth in (1..=depth).rev() {
            let _ = self.attack(depth);
            let Some(Known::Win(cells)) = self.known.get(&self.board.key()).copied() else { break };
            line.push(cells);
            if self.board.can_win_now(self.attacker) {
                break;
            }
            self.put(&cells, self.attacker);
            let answer = Threats::of(self.board, self.attacker).answers().first().copied();
            let Some(answer) = answer else {
                self.take(&cells, self.attacker);
                break;
            };
            self.put(&answer, defender);
            line.push(answer);
        }
        self.limit = limit;
        // The last move of the attacker was not put on the board.
        for (i, cells) in line[..line.len().saturating_sub(1)].iter().enumerate().rev() {
            self.take(cells, if i % 2 == 0 { self.attacker } else { defender });
        }
        line
    }

    fn put(&mut self, cells: &[u16], side: Side) {
        cells.iter().for_each(|&c| self.board.place(c, side));
    }

    fn take(&mut self, cells: &[u16], side: Side) {
        cells.iter().rev().for_each(|&c| self.board.remove(c, side));
    }
}

/// A move that makes two threats or more.
struct Attack {
    cells: [u16; 2],
    /// The pairs that answer it; none if it wins.
    answers: Vec<[u16; 2]>,
    /// Windows that the next stone makes a threat of.
    promise: usize,
}

/// A set of cells.
#[derive(Clone, Copy, Default)]
struct CellSet([u64; MAX_CELLS / 64]);

impl CellSet {
    fn insert(&mut self, cell: u16) {
        self.0[usize::from(cell) / 64] |= 1 << (cell % 64);
    }

    fn contains(&self, cell: u16) -> bool {
        self.0[usize::from(cell) / 64] >> (cell % 64) & 1 == 1
    }

    fn union(mut self, other: CellSet) -> CellSet {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
        self
    }

    /// In ascending order.
    fn iter(&self) -> impl Iterator<Item = u16> + use<> {
        let words = self.0;
        (0..MAX_CELLS as u16).filter(move |&c| words[usize::from(c) / 64] >> (c % 64) & 1 == 1)
    }
}
