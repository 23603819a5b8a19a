//! Threats: the live windows with k − 2 stones or more, and the stones that answer them all.
//!
//! The number of threats T is the least number of stones that hits every such window: 0 none, 1 a
//! single threat (the defender has one stone to spare), 2 a double threat (both stones are forced), 3 or more won, if
//! the opponent can't win first. Each window has one or two empties, so that T is a tiny vertex cover: every answer
//! contains one of the two empties of the first window, and one of those of the first window that this misses.

use crate::board::{Board, Side};

/// The threats of one side, and the answers to them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threats {
    count: u8,
    /// With one threat: the cells each of which answers alone.
    singles: Vec<u16>,
    /// Pairs that answer together though neither does alone, each sorted.
    pairs: Vec<[u16; 2]>,
}

impl Threats {
    #[must_use]
    pub fn of(board: &Board, side: Side) -> Threats {
        let k = board.geometry().k;
        let mut windows: Vec<[u16; 2]> = Vec::new();
        for w in board.live(side, k - 1).chain(board.live(side, k - 2)) {
            let mut empties = board.empties_of(w);
            let first = empties.next().expect("a live window that is not full has an empty cell");
            windows.push([first, empties.next().unwrap_or(first)]);
        }
        let mut threats = Threats { count: 0, singles: Vec::new(), pairs: Vec::new() };
        let Some(&first) = windows.first() else { return threats };
        for a in ends(first) {
            match windows.iter().find(|w| !w.contains(&a)) {
                None => threats.singles.push(a),
                Some(&missed) => {
                    for b in ends(missed) {
                        let pair = [a.min(b), a.max(b)];
                        if windows.iter().all(|w| w.contains(&a) || w.contains(&b))
                            && !threats.pairs.contains(&pair)
                        {
                            threats.pairs.push(pair);
                        }
                    }
                }
            }
        }
        // A pair one of whose cells answers alone is not news.
        let Threats { singles, pairs, .. } = &mut threats;
        pairs.retain(|p| !p.iter().any(|c| singles.contains(c)));
        threats.count = match (threats.singles.is_empty(), threats.pairs.is_empty()) {
            (false, _) => 1,
            (true, false) => 2,
            (true, true) => 3,
        };
        threats
    }

    /// T: 0, 1, 2, or 3 for three and more.
    #[must_use]
    pub fn count(&self) -> u8 {
        self.count
    }

    /// The cells each of which answers all threats alone; none unless T is 1.
    #[must_use]
    pub fn singles(&self) -> &[u16] {
        &self.singles
    }

    /// The pairs that answer all threats although neither cell does alone.
    #[must_use]
    pub fn answers(&self) -> &[[u16; 2]] {
        &self.pairs
    }
}

/// The one or two empties of a window.
fn ends([a, b]: [u16; 2]) -> impl Iterator<Item = u16> {
    std::iter::once(a).chain((b != a).then_some(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Geometry;

    /// All answers by trying every stone and every pair.
    fn naive(board: &Board, side: Side) -> Threats {
        let g = board.geometry();
        let open: Vec<Vec<u16>> = (0..g.windows() as u16)
            .filter(|&w| g.cells_of(w).iter().all(|&c| board.at(c) != Some(side.opponent())))
            .map(|w| board.empties_of(w).collect::<Vec<_>>())
            .filter(|e| !e.is_empty() && e.len() <= 2)
            .collect();
        let hits = |cells: &[u16]| open.iter().all(|w| w.iter().any(|c| cells.contains(c)));
        let empty: Vec<u16> = (0..g.cells() as u16).filter(|&c| board.is_empty(c)).collect();
        let singles: Vec<u16> = if open.is_empty() {
            Vec::new()
        } else {
            empty.iter().copied().filter(|&c| hits(&[c])).collect()
        };
        let mut pairs = Vec::new();
        for (i, &a) in empty.iter().enumerate() {
            for &b in &empty[i + 1..] {
                if !open.is_empty() && hits(&[a, b]) && !singles.contains(&a) && !singles.contains(&b) {
                    pairs.push([a, b]);
                }
            }
        }
        let count = match (open.is_empty(), singles.is_empty(), pairs.is_empty()) {
            (true, _, _) => 0,
            (_, false, _) => 1,
            (_, true, false) => 2,
            (_, true, true) => 3,
        };
        Threats { count, singles, pairs }
    }

    #[test]
    fn counts_and_answers_are_exact() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut seen = [0; 4];
        for (columns, rows, k) in [(7, 7, 4), (7, 7, 5), (9, 9, 6), (6, 5, 5)] {
            let g = Geometry::new(columns, rows, k).unwrap();
            for _ in 0..4000 {
                let mut board = Board::new(&g);
                for _ in 0..rng.usize(..2 * g.cells() / 3) {
                    let cell = rng.u16(..g.cells() as u16);
                    if board.is_empty(cell) {
                        board.place(cell, if rng.u32(..3) > 0 { Side::First } else { Side::Second });
                    }
                    if board.has_won(Side::First) || board.has_won(Side::Second) {
                        break;
                    }
                }
                for side in [Side::First, Side::Second] {
                    if board.has_won(side) {
                        continue;
                    }
                    let mut found = Threats::of(&board, side);
                    found.singles.sort_unstable();
                    found.pairs.sort_unstable();
                    assert_eq!(found, naive(&board, side));
                    seen[usize::from(found.count)] += 1;
                }
            }
        }
        assert!(seen.iter().all(|&n| n > 300), "every number of threats occurs: {seen:?}");
    }
}
