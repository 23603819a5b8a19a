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
    /// answers wins.
    fn double_threats(&mut self, inverted: &Threats) -> Vec<Attack> {
        let (attacker, defender) = (self.attacker, self.attacker.opponent());
        let mut moves = Vec::new();
        for [a, b] in self.candidates(inverted) {
            self.put(&[a, b], attacker);
            if !self.board.can_win_now(defender) {
                let threats = Threats::of(self.board, attacker);
                if threats.count() >= 2 {
                    let answers = threats.answers().to_vec();
                    let k = self.board.geometry().k;
                    let promise = self.board.live(attacker, k - 3).count();
                    moves.push(Attack { cells: [a, b], answers, promise });
                }
            }
            self.take(&[a, b], attacker);
            if moves.last().is_some_and(|m: &Attack| m.answers.is_empty()) {
                return moves.pop().into_iter().collect();
            }
        }
        moves.sort_by_key(|m| (m.answers.len(), std::cmp::Reverse(m.promise)));
        moves
    }

    /// Pairs that may make two threats: both stones in one window of k − 4 or more, or each in a window of k − 3; and a
    /// stone that makes two threats alone, with one that answers or develops.
    fn candidates(&self, inverted: &Threats) -> Vec<[u16; 2]> {
        let k = self.board.geometry().k;
        let mut pairs = Vec::new();
        let mut sharp = Vec::new();
        let mut developing: Vec<u16> = inverted.singles().to_vec();
        developing.extend(inverted.answers().iter().flatten());
        let levels = if k >= 6 { vec![k - 3, k - 4] } else { (2..=k - 3).rev().collect() };
        for level in levels {
            for w in self.board.live(self.attacker, level) {
                let empties: Vec<u16> = self.board.empties_of(w).collect();
                for (i, &a) in empties.iter().enumerate() {
                    pairs.extend(empties[i + 1..].iter().map(|&b| [a.min(b), a.max(b)]));
                }
                if level == k - 3 { sharp.extend(empties) } else { developing.extend(empties) }
            }
        }
        sharp.sort_unstable();
        sharp.dedup();
        developing.sort_unstable();
        developing.dedup();
        for (i, &a) in sharp.iter().enumerate() {
            pairs.extend(
                sharp[i + 1..].iter().chain(&developing).filter(|&&b| b != a).map(|&b| [a.min(b), a.max(b)]),
            );
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
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
