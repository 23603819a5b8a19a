//! Tic-tac-toe: three in a row on a 3×3 board. The first player is X.
//!
//! Squares are `a1` to `c3`, columns a–c from the left, rows from the bottom; upper case is read too. With 5478
//! positions, 765 up to symmetry, everything that is claimed about a position can be checked: see [`oracle`].

mod notation;
pub mod oracle;

use crate::marks;
use crate::square::D4;
use jl_game::{Game, GameError, Key};
use jl_value::{Outcome, Player};

pub use notation::Square;

/// The rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TicTacToe;

/// The stones of each player as a mask of nine bits. Who moves follows from their numbers.
///
/// ```text
///   3 │ 6 7 8
///   2 │ 3 4 5      the bit of a square: 3 · (row − 1) + column
///   1 │ 0 1 2
///     └──────
///       a b c
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Position {
    x: u16,
    o: u16,
}

/// All nine squares.
pub const BOARD: u16 = 0o777;

/// The rows, columns and diagonals.
pub const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Where each symmetry moves each square.
const IMAGES: [[u8; 9]; 8] = {
    let mut images = [[0; 9]; 8];
    let mut s = 0;
    while s < 8 {
        let mut i = 0;
        while i < 9 {
            let (x, y) = D4::ALL[s].map(3, i % 3, i / 3);
            images[s][i] = (3 * y + x) as u8;
            i += 1;
        }
        s += 1;
    }
    images
};

impl Position {
    /// The squares that `player` has taken.
    #[must_use]
    pub fn stones(self, player: Player) -> u16 {
        match player {
            Player::First => self.x,
            Player::Second => self.o,
        }
    }

    #[must_use]
    pub fn empty(self) -> u16 {
        BOARD & !(self.x | self.o)
    }

    #[must_use]
    pub fn to_move(self) -> Player {
        if self.x.count_ones() == self.o.count_ones() { Player::First } else { Player::Second }
    }

    /// The position after the mover takes `square`, which must be empty. Programs play with this;
    /// [`Game::play`] is the move of someone who may be mistaken.
    #[must_use]
    pub fn after(self, square: Square) -> Position {
        debug_assert!(self.empty() & square.bit() != 0, "{square} is taken");
        match self.to_move() {
            Player::First => Position { x: self.x | square.bit(), ..self },
            Player::Second => Position { o: self.o | square.bit(), ..self },
        }
    }

    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        let has_line = |stones: u16| LINES.iter().any(|&line| line & !stones == 0);
        // Only the player who has just moved can have completed a line.
        let last = self.to_move().opponent();
        if has_line(self.stones(last)) {
            Some(Outcome::win_of(last))
        } else if self.empty() == 0 {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    /// Both masks in one number, different for different positions.
    #[must_use]
    pub fn packed(self) -> u32 {
        u32::from(self.x) | u32::from(self.o) << 9
    }

    fn mapped(self, symmetry: D4) -> Position {
        let image = |stones| Square::all_of(stones).fold(0, |mask, s| mask | s.mapped(symmetry).bit());
        Position { x: image(self.x), o: image(self.o) }
    }
}

impl Square {
    fn mapped(self, symmetry: D4) -> Square {
        Square(IMAGES[symmetry.index()][usize::from(self.0)])
    }
}

impl Game for TicTacToe {
    type Position = Position;
    type Move = Square;
    type Symmetry = D4;

    fn name(&self) -> &'static str {
        "tictactoe"
    }

    fn initial(&self) -> Position {
        Position::default()
    }

    fn to_move(&self, position: &Position) -> Player {
        position.to_move()
    }

    fn play(&self, position: &Position, square: Square) -> Result<Position, String> {
        if let Some(outcome) = position.outcome() {
            return Err(format!("the game is over: {}", marks::describe(outcome)));
        }
        for player in [Player::First, Player::Second] {
            if position.stones(player) & square.bit() != 0 {
                return Err(format!("{square} is occupied by {}", marks::letter(player)));
            }
        }
        Ok(position.after(square))
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        position.outcome()
    }

    fn legal_moves(&self, position: &Position) -> Vec<Square> {
        if position.outcome().is_some() { Vec::new() } else { Square::all_of(position.empty()).collect() }
    }

    fn code(&self, square: Square) -> u32 {
        square.index() as u32
    }

    fn decode(&self, code: u32) -> Option<Square> {
        Square::new(usize::try_from(code).ok()?)
    }

    fn format_move(&self, square: Square) -> String {
        square.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Square, GameError> {
        notation::parse(text).map_err(|why| GameError::NotAMove { game: self.name(), text: text.into(), why })
    }

    /// Exact: the least packed image is the key, so that different orbits never share one.
    fn canonical(&self, position: &Position) -> (Key, D4) {
        let images = D4::ALL.map(|s| (position.mapped(s).packed(), s));
        let (key, symmetry) = images.into_iter().min_by_key(|&(key, _)| key).expect("there are eight");
        (Key::from(key), symmetry)
    }

    fn map_move(&self, symmetry: D4, square: Square) -> Square {
        square.mapped(symmetry)
    }

    fn map_position(&self, symmetry: D4, position: &Position) -> Position {
        position.mapped(symmetry)
    }

    fn symmetries(&self) -> &'static [D4] {
        &D4::ALL
    }

    fn show(&self, position: &Position) -> String {
        notation::draw(*position)
    }
}
