//! Threats: the live windows with k − 2 stones or more, and the stones that answer them all.
//!
//! The number of threats T is the least number of stones that hits every such window: 0 none, 1 a
//! single threat (the defender has one stone to spare), 2 a double threat (both stones are forced), 3 or more won, if
//! the opponent can't win first. Each window has one or two empties, so that T is a tiny vertex cover: every answer
//! contains one of the two empties of the first window, and one of those of the first window that this misses.

use crate::board::{Board, Side};

/// The threats of one side, and the answers to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threats {
    count: u8,
    /// With one threat: the cells each of which answers alone. At most the two empties of a window.
    singles: [u16; 2],
    single: u8,
    /// Pairs that answer together though neither does alone, each sorted. At most two for each empty of a window.
    pairs: [[u16; 2]; 4],
    paired: u8,
}

/// The windows that can be completed in a turn, each as its one or two empties.
///
/// Two cells hit at most 2·4·k windows, so that no answer exists where there are more than fit.
struct Edges {
    edges: [[u16; 2]; MOST],
    len: usize,
}

pub(crate) const MOST: usize = 64;

impl Edges {
    fn of(board: &Board, side: Side) -> Edges {
        let k = board.geometry().k;
        let mut edges = Edges { edges: [[0; 2]; MOST], len: 0 };
        for level in [k - 1, k - 2] {
            if board.has_live(side, level) {
                board.live(side, level).take(MOST - edges.len).for_each(|w| edges.push(board, w));
            }
        }
        edges
    }

    fn push(&mut self, board: &Board, window: u16) {
        let mut empties = board.empties_of(window);
        let first = empties.next().expect("a live window that is not full has an empty cell");
        self.edges[self.len] = [first, empties.next().unwrap_or(first)];
        self.len += 1;
    }

    fn as_slice(&self) -> &[[u16; 2]] {
        &self.edges[..self.len]
    }
}

impl Threats {
    #[must_use]
    pub fn of(board: &Board, side: Side) -> Threats {
        let k = board.geometry().k;
        debug_assert!(MOST >= 8 * k);
        if !board.has_live(side, k - 1) && !board.has_live(side, k - 2) {
            return Threats::of_edges(&[]);
        }
        if board.number(side, k - 1) + board.number(side, k - 2) > MOST {
            return Threats { count: 3, ..Threats::of_edges(&[]) };
        }
        Threats::of_edges(Edges::of(board, side).as_slice())
    }

    /// Of windows given by their one or two empties; a single one is written twice.
    #[must_use]
    pub fn of_edges(edges: &[[u16; 2]]) -> Threats {
        let mut threats = Threats { count: 0, singles: [0; 2], single: 0, pairs: [[0; 2]; 4], paired: 0 };
        let Some(&first) = edges.first() else { return threats };
        for a in ends(first) {
            match edges.iter().find(|w| !w.contains(&a)) {
                None => {
                    threats.singles[usize::from(threats.single)] = a;
                    threats.single += 1;
                }
                Some(&missed) => {
                    for b in ends(missed) {
                        let pair = [a.min(b), a.max(b)];
                        if edges.iter().all(|w| w.contains(&a) || w.contains(&b))
                            && !threats.answers().contains(&pair)
                        {
                            threats.pairs[usize::from(threats.paired)] = pair;
                            threats.paired += 1;
                        }
                    }
                }
            }
        }
        threats.drop_known_pairs();
        threats.count = match (threats.single, threats.paired) {
            (1.., _) => 1,
            (0, 1..) => 2,
            (0, 0) => 3,
        };
        threats
    }

    /// A pair one of whose cells answers alone is not news.
    fn drop_known_pairs(&mut self) {
        let mut kept = 0;
        for i in 0..usize::from(self.paired) {
            if !self.pairs[i].iter().any(|c| self.singles().contains(c)) {
                self.pairs[kept] = self.pairs[i];
                kept += 1;
            }
        }
        self.paired = kept as u8;
    }

    /// T: 0, 1, 2, or 3 for three and more.
    #[must_use]
    pub fn count(&self) -> u8 {
        self.count
    }

    /// The cells each of which answers all threats alone; none unless T is 1.
    #[must_use]
    pub fn singles(&self) -> &[u16] {
        &self.singles[..usize::from(self.single)]
    }

    /// The pairs that answer all threats although neither cell does alone.
    #[must_use]
    pub fn answers(&self) -> &[[u16; 2]] {
        &self.pairs[..usize::from(self.paired)]
    }

    /// Whether stones on both cells answer all threats.
    #[must_use]
    pub fn answered_by(&self, a: u16, b: u16) -> bool {
        self.count == 0
            || self.singles().contains(&a)
            || self.singles().contains(&b)
            || self.answers().contains(&[a.min(b), a.max(b)])
    }

    /// Every cell of every answer, in ascending order.
    #[must_use]
    pub fn cells(&self) -> Vec<u16> {
        let mut cells: Vec<u16> =
            self.singles().iter().copied().chain(self.answers().iter().flatten().copied()).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
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
    fn naive(board: &Board, side: Side) -> (u8, Vec<u16>, Vec<[u16; 2]>) {
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
        (count, singles, pairs)
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
                    let found = Threats::of(&board, side);
                    let (mut singles, mut pairs) = (found.singles().to_vec(), found.answers().to_vec());
                    singles.sort_unstable();
                    pairs.sort_unstable();
                    assert_eq!((found.count(), singles, pairs), naive(&board, side));
                    seen[usize::from(found.count)] += 1;
                }
            }
        }
        assert!(seen.iter().all(|&n| n > 300), "every number of threats occurs: {seen:?}");
    }
}
