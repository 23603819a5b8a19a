//! Cells, moves, sets of cells, positions.

use super::zobrist::{Keys, MAX_SIDE};
use jl_value::Player;

/// A point of the board, numbered `column + columns · row` from the bottom left. The number depends on the width of
/// the board; [`super::Connect`] knows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Cell(u16);

impl Cell {
    /// `None` beyond the last cell of the largest board.
    #[must_use]
    pub const fn new(index: usize) -> Option<Cell> {
        if index < MAX_SIDE * MAX_SIDE { Some(Cell(index as u16)) } else { None }
    }

    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The stones of one turn, one or two. Their order has no meaning, so they are kept sorted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Move {
    pub(super) low: Cell,
    pub(super) high: Option<Cell>,
}

impl Move {
    #[must_use]
    pub const fn one(cell: Cell) -> Move {
        Move { low: cell, high: None }
    }

    /// The cells should differ; a move with the same cell twice is illegal everywhere.
    #[must_use]
    pub const fn two(a: Cell, b: Cell) -> Move {
        let (low, high) = if a.0 <= b.0 { (a, b) } else { (b, a) };
        Move { low, high: Some(high) }
    }

    /// `None` unless there are one or two cells.
    #[must_use]
    pub const fn of(cells: &[Cell]) -> Option<Move> {
        match *cells {
            [cell] => Some(Move::one(cell)),
            [a, b] => Some(Move::two(a, b)),
            _ => None,
        }
    }

    /// The one or two cells, the lower first.
    pub fn cells(self) -> impl Iterator<Item = Cell> + Clone {
        [Some(self.low), self.high].into_iter().flatten()
    }

    /// The number of stones.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a move has a stone")]
    pub const fn len(self) -> usize {
        if self.high.is_some() { 2 } else { 1 }
    }

    /// The cell that is there twice.
    #[must_use]
    pub fn repeated(self) -> Option<Cell> {
        self.high.filter(|&high| high == self.low)
    }

    /// The move with each cell mapped.
    #[must_use]
    pub fn map(self, f: impl Fn(Cell) -> Cell) -> Move {
        match self.high {
            None => Move::one(f(self.low)),
            Some(high) => Move::two(f(self.low), f(high)),
        }
    }
}

/// A set of cells, one bit each.
///
/// ```text
///          column 0         column 18
///  row 18  342  343  …  359  360        bit of a cell on 19×19 = its number
///     ⋮      ⋮                ⋮         word = bit / 64, so that word 0 holds rows 0 to 2 and the
///  row 1    19   20  …   36   37        first seven cells of row 3, and the upper 23 bits of
///  row 0     0    1  …   17   18        word 5 are never set
/// ```
///
/// On a narrower board rows follow each other just as closely: bit = column + columns · row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Stones([u64; 6]);

impl Stones {
    #[must_use]
    pub const fn contains(&self, cell: Cell) -> bool {
        self.0[cell.index() / 64] >> (cell.index() % 64) & 1 != 0
    }

    pub const fn insert(&mut self, cell: Cell) {
        self.0[cell.index() / 64] |= 1 << (cell.index() % 64);
    }

    pub const fn remove(&mut self, cell: Cell) {
        self.0[cell.index() / 64] &= !(1 << (cell.index() % 64));
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 6]
    }

    /// In the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Cell> {
        self.0.into_iter().enumerate().flat_map(|(i, word)| {
            let more = |&rest: &u64| Some(rest & rest.wrapping_sub(1));
            std::iter::successors(Some(word), more)
                .take_while(|&rest| rest != 0)
                .map(move |rest| Cell(64 * i as u16 + rest.trailing_zeros() as u16))
        })
    }
}

impl FromIterator<Cell> for Stones {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Stones {
        let mut stones = Stones::default();
        cells.into_iter().for_each(|cell| stones.insert(cell));
        stones
    }
}

/// The board between two turns. A plain value of 240 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// Of the first player, of the second.
    pub(super) stones: [Stones; 2],
    pub(super) keys: Keys,
    pub(super) played: u16,
    pub(super) to_move: Player,
    pub(super) winner: Option<Player>,
}

impl Position {
    pub(super) const EMPTY: Position = Position {
        stones: [Stones([0; 6]); 2],
        keys: [0; 8],
        played: 0,
        to_move: Player::First,
        winner: None,
    };

    #[must_use]
    pub const fn stones(&self, player: Player) -> &Stones {
        &self.stones[player as usize]
    }

    /// Who has a stone there.
    #[must_use]
    pub fn holder(&self, cell: Cell) -> Option<Player> {
        [Player::First, Player::Second].into_iter().find(|&p| self.stones(p).contains(cell))
    }

    /// The stones on the board.
    #[must_use]
    pub const fn played(&self) -> usize {
        self.played as usize
    }

    /// Once the game is over, the player who did not move last.
    #[must_use]
    pub const fn to_move(&self) -> Player {
        self.to_move
    }

    #[must_use]
    pub const fn winner(&self) -> Option<Player> {
        self.winner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_small() {
        assert_eq!(size_of::<Position>(), 240);
    }

    #[test]
    fn moves_are_unordered() {
        let cell = |i| Cell::new(i).unwrap();
        assert_eq!(Move::two(cell(7), cell(3)), Move::two(cell(3), cell(7)));
        assert_eq!(Move::two(cell(7), cell(3)).cells().map(Cell::index).collect::<Vec<_>>(), [3, 7]);
        assert_eq!(Move::one(cell(360)).cells().count(), 1);
        assert_eq!(Cell::new(361), None);
        assert_eq!(Move::two(cell(7), cell(7)).repeated(), Some(cell(7)));
        assert_eq!(Move::one(cell(7)).repeated(), None);
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let cells: Vec<_> = [0, 63, 64, 200, 359, 360].map(|i| Cell::new(i).unwrap()).into();
        let mut set: Stones = cells.iter().rev().copied().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), cells);
        assert_eq!(set.len(), 6);
        set.remove(cells[3]);
        assert!(!set.contains(cells[3]) && set.contains(cells[4]) && set.len() == 5);
    }
}
