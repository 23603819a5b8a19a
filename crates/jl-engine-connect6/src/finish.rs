//! Turns that complete a line.

use crate::attack::threatening;
use crate::board::{Board, Side};
use crate::engine::Turn;
use crate::plan::edge;

/// An allowed turn of so many stones, one or two, that completes a line. A turn of two stones has two even if the first
/// one completes it, as long as there is room and none is prohibited: not every program takes a single one.
pub fn completing(board: &Board, mover: Side, stones: usize, allowed: impl Fn(Turn) -> bool) -> Option<Turn> {
    threatening(board, mover).into_iter().map(|w| edge(board, w)).find_map(|[a, b]| match (a == b, stones) {
        (true, 2) => with_any(board, a, &allowed).or(Some([a, a]).filter(|&t| allowed(t))),
        (false, 1) => None,
        _ => Some([a.min(b), a.max(b)]).filter(|&t| allowed(t)),
    })
}

/// An allowed turn of this stone and another one, the nearest if possible; of this stone alone if there is no other.
pub fn with_any(board: &Board, first: u16, allowed: impl Fn(Turn) -> bool) -> Option<Turn> {
    let cells = board.geometry().cells() as u16;
    let mut others: Vec<u16> = (0..cells).filter(|&c| c != first && board.is_empty(c)).collect();
    others.sort_by_key(|&c| c.abs_diff(first));
    if others.is_empty() {
        others.push(first);
    }
    others.into_iter().map(|c| [first.min(c), first.max(c)]).find(|&t| allowed(t))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Geometry;

    #[test]
    fn a_turn_that_completes_has_all_its_stones() {
        let g = Geometry::new(7, 7, 5).unwrap();
        let mut board = Board::new(&g);
        (0..4).for_each(|x| board.place(g.cell(x, 0), Side::First));
        assert_eq!(completing(&board, Side::First, 1, |_| true), Some([4, 4]));
        assert_eq!(completing(&board, Side::First, 2, |_| true), Some([4, 5]));
        assert_eq!(completing(&board, Side::First, 2, |t| t != [4, 5]), Some([4, 6]));
        assert_eq!(completing(&board, Side::First, 2, |t| t == [4, 4]), Some([4, 4]));
        assert_eq!(completing(&board, Side::First, 2, |_| false), None);
        assert_eq!(completing(&board, Side::Second, 2, |_| true), None);
        board.remove(3, Side::First);
        assert_eq!(completing(&board, Side::First, 2, |_| true), Some([3, 4]));
        assert_eq!(completing(&board, Side::First, 1, |_| true), None);
    }

    #[test]
    fn any_turn_has_two_stones_while_there_is_room() {
        let g = Geometry::new(4, 4, 4).unwrap();
        let mut board = Board::new(&g);
        (2..16).for_each(|c| board.place(c, if c % 3 == 0 { Side::First } else { Side::Second }));
        assert_eq!(with_any(&board, 1, |_| true), Some([0, 1]));
        assert_eq!(with_any(&board, 1, |t| t == [1, 1]), None);
        board.place(0, Side::First);
        assert_eq!(with_any(&board, 1, |_| true), Some([1, 1]));
    }
}
