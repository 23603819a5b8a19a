//! The windows of a board: every k cells in a line.

use crate::sets::Cells;
use jl_games::connect6::{Cell, Connect, Notation};
use std::collections::HashMap;

/// What there is to know of a board without its stones. Cells are numbered as in `jl-games`.
#[derive(Clone, Debug)]
pub struct Shape {
    game: Connect,
    /// All cells.
    pub all: Cells,
    /// The cells of each window.
    pub windows: Vec<Cells>,
    /// The windows through each cell.
    pub through: Vec<Vec<u16>>,
    /// First and last cell of each window, along its line.
    ends: Vec<[u16; 2]>,
    by_ends: HashMap<[u16; 2], u16>,
}

/// The steps along the lines of a board.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl Shape {
    pub fn new(game: Connect) -> Shape {
        let mut shape = Shape {
            game,
            all: game.cells().map(|c| c.index() as u16).collect(),
            windows: Vec::new(),
            through: vec![Vec::new(); game.area()],
            ends: Vec::new(),
            by_ends: HashMap::new(),
        };
        for start in game.cells() {
            for direction in DIRECTIONS {
                if let Some(line) = line(&game, start, direction) {
                    shape.add(&line);
                }
            }
        }
        shape
    }

    fn add(&mut self, line: &[u16]) {
        let window = self.windows.len() as u16;
        let ends = [line[0], line[line.len() - 1]];
        line.iter().for_each(|&c| self.through[usize::from(c)].push(window));
        self.windows.push(line.iter().copied().collect());
        self.ends.push(ends);
        self.by_ends.insert(ends, window);
    }

    /// The window with these ends, in either order.
    pub fn window(&self, [a, b]: [u16; 2]) -> Option<u16> {
        self.by_ends.get(&[a, b]).or_else(|| self.by_ends.get(&[b, a])).copied()
    }

    pub fn game(&self) -> &Connect {
        &self.game
    }

    /// How many in a row win.
    pub fn k(&self) -> usize {
        self.game.k()
    }

    /// The cells of a window, as a set.
    pub fn cells(&self, window: u16) -> &Cells {
        &self.windows[usize::from(window)]
    }

    /// Stones as they are written.
    pub fn text(&self, cells: impl IntoIterator<Item = u16>) -> String {
        let name = |c: u16| Cell::new(c.into()).map(|c| self.game.format_cell(Notation::Pairs, c));
        cells.into_iter().filter_map(name).collect()
    }

    /// A window as it is written.
    pub fn window_text(&self, window: u16) -> String {
        self.text(self.ends[usize::from(window)])
    }

    /// Stones written together, in letter pairs; `None` if that is not what the text is.
    pub fn read_cells(&self, text: &str) -> Option<Vec<u16>> {
        let number = |letter: u8| letter.checked_sub(b'A').map(usize::from);
        let cell = |pair: &[u8]| match *pair {
            [x, y] => self.game.cell(number(x)?, number(y)?).map(|c| c.index() as u16),
            _ => None,
        };
        text.as_bytes().chunks(2).map(cell).collect()
    }
}

/// The k cells from `start` on, if the board goes so far.
fn line(game: &Connect, start: Cell, (dx, dy): (isize, isize)) -> Option<Vec<u16>> {
    let (x, y) = game.coordinates(start);
    let cell = |i: isize| {
        let (x, y) = (x.checked_add_signed(dx * i)?, y.checked_add_signed(dy * i)?);
        game.cell(x, y).map(|c| c.index() as u16)
    };
    (0..game.k() as isize).map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_named_by_their_ends() {
        let shape = Shape::new(Connect::CONNECT6);
        assert_eq!(shape.windows.len(), 924);
        assert!(shape.windows.iter().all(|w| w.len() == 6));
        for w in 0..924 {
            let ends = shape.read_cells(&shape.window_text(w)).unwrap();
            assert_eq!(shape.window([ends[0], ends[1]]), Some(w));
            assert_eq!(shape.window([ends[1], ends[0]]), Some(w));
        }
        let window = |text| shape.read_cells(text).and_then(|c| shape.window([c[0], c[1]]));
        assert!(window("AAFF").is_some() && window("AFFA").is_some());
        assert_eq!((window("AAEE"), window("AAFG"), window("AAAA")), (None, None, None));
    }

    #[test]
    fn the_largest_board_has_room_for_its_windows() {
        let shape = Shape::new(Connect::new(19, 19, 3, 2, 1).unwrap());
        assert_eq!(shape.windows.len(), 1_224);
    }

    #[test]
    fn cells_are_letter_pairs_on_the_board() {
        let shape = Shape::new(Connect::new(7, 5, 4, 2, 1).unwrap());
        assert_eq!(shape.read_cells("AAGE"), Some(vec![0, 34]));
        assert_eq!(shape.read_cells(""), Some(vec![]));
        for bad in ["A", "AAB", "HA", "AF", "aa", "A1", "é"] {
            assert_eq!(shape.read_cells(bad), None, "{bad}");
        }
    }
}
