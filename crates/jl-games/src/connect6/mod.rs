//! Connect6 and its family: k in a row, with more than one stone per turn.
//!
//! [`Connect`] is the principal type: the rules Connect(m, n, k, p, q), of which [`Connect::CONNECT6`] is one. The
//! smaller ones are there because they can be searched to the end, and so say whether a program is right.
//!
//! A move is a whole turn, one or two stones in no order, and a position is the board between turns. Both are plain
//! values. The keys of all mirror images are kept with the position ([`zobrist`]), so that a client which meets
//! millions of them never maps a board to find a position's orbit.
//!
//! - [`notation`]: stones as `JJ` or `j10`, move lists, the board as text.
//! - [`record`]: game records, as other tools write them.
//!
//! ```
//! use jl_game::Game;
//! use jl_games::connect6::{Connect, Notation};
//!
//! let game = Connect::CONNECT6;
//! let (moves, position) = game.replay("JJ-IKKK-j11l9").unwrap();
//! assert_eq!(game.format_move(moves[2]), "LIJK");
//! assert_eq!(game.format_move_in(Notation::NumbersSkipI, moves[1]), "j11l11");
//! assert_eq!((position.played(), game.stones_due(&position)), (5, 2));
//! ```

mod board;
mod chinese;
pub mod notation;
pub mod record;
mod rules;
pub mod zobrist;

pub use board::{Cell, Move, Position, Stones};
pub use notation::Notation;
pub use record::Record;
pub use rules::{BadRules, Connect};

use crate::marks;
use crate::square::D4;
use jl_game::{Game, GameError, Key, Symmetry};
use jl_value::{Outcome, Player};

impl Game for Connect {
    type Position = Position;
    type Move = Move;
    type Symmetry = D4;

    fn name(&self) -> &'static str {
        if *self == Connect::CONNECT6 { "connect6" } else { "connect" }
    }

    fn initial(&self) -> Position {
        Position::EMPTY
    }

    fn to_move(&self, position: &Position) -> Player {
        position.to_move()
    }

    /// Only rows through the new stones can be new.
    fn play(&self, position: &Position, mv: Move) -> Result<Position, String> {
        if let Some(outcome) = self.ending(position) {
            return Err(format!("the game is over: {}", marks::describe(outcome)));
        }
        for cell in mv.cells() {
            self.check_free(position, cell)?;
        }
        if let Some(cell) = mv.repeated() {
            return Err(format!("{} is there twice", self.name_of(cell)));
        }
        let due = self.stones_due(position);
        if mv.len() > due {
            return Err("the turn has one stone, not two".into());
        }
        let mover = position.to_move;
        let mut next = *position;
        for cell in mv.cells() {
            self.put(&mut next, mover, cell);
        }
        if mv.cells().any(|cell| self.is_in_row(next.stones(mover), cell)) {
            next.winner = Some(mover);
        } else if mv.len() < due {
            return Err("the turn has two stones, unless the first completes a row".into());
        }
        self.pass_turn(&mut next);
        Ok(next)
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        self.ending(position)
    }

    /// Some 64,000 on the large board. Single stones that complete a row come before the pairs.
    fn legal_moves(&self, position: &Position) -> Vec<Move> {
        if self.ending(position).is_some() {
            return Vec::new();
        }
        let empty: Vec<Cell> = self.empty_cells(position).collect();
        let singles = empty.iter().map(|&cell| Move::one(cell));
        if self.stones_due(position) == 1 {
            return singles.collect();
        }
        let own = position.stones(position.to_move);
        let mut moves: Vec<Move> =
            empty.iter().filter(|&&cell| self.is_in_row(own, cell)).map(|&cell| Move::one(cell)).collect();
        for (i, &a) in empty.iter().enumerate() {
            moves.extend(empty[i + 1..].iter().map(|&b| Move::two(a, b)));
        }
        moves
    }

    /// `low` for one stone, `low + 512 · (high + 1)` for two.
    fn code(&self, mv: Move) -> u32 {
        mv.low.index() as u32 + mv.high.map_or(0, |high| 512 * (high.index() as u32 + 1))
    }

    fn decode(&self, code: u32) -> Option<Move> {
        let cell = |index: u32| Cell::new(index as usize).filter(|c| c.index() < self.area());
        let low = cell(code % 512)?;
        match code / 512 {
            0 => Some(Move::one(low)),
            high => cell(high - 1).filter(|&high| low < high).map(|high| Move::two(low, high)),
        }
    }

    /// In letter pairs.
    fn format_move(&self, mv: Move) -> String {
        self.format_move_in(Notation::Pairs, mv)
    }

    /// In letter pairs or, if there are digits, letters and numbers.
    fn parse_move(&self, text: &str) -> Result<Move, GameError> {
        self.parse_move_in(Notation::of(text), text)
    }

    fn canonical(&self, position: &Position) -> (Key, D4) {
        let mut best = D4::IDENTITY;
        for &s in self.shape_symmetries() {
            if position.keys[s.index()] < position.keys[best.index()] {
                best = s;
            }
        }
        (position.keys[best.index()], best)
    }

    fn map_move(&self, symmetry: D4, mv: Move) -> Move {
        mv.map(|cell| self.image(symmetry, cell))
    }

    fn map_position(&self, symmetry: D4, position: &Position) -> Position {
        let mut image = *position;
        image.stones = position.stones.map(|s| s.iter().map(|cell| self.image(symmetry, cell)).collect());
        for &then in self.shape_symmetries() {
            image.keys[then.index()] = position.keys[symmetry.then(then).index()];
        }
        image
    }

    fn symmetries(&self) -> &'static [D4] {
        self.shape_symmetries()
    }

    /// Those whose key is the identity's.
    fn stabilizer(&self, position: &Position) -> Vec<D4> {
        let same = |s: &D4| position.keys[s.index()] == position.keys[0];
        self.shape_symmetries().iter().copied().filter(same).collect()
    }

    fn player_name(&self, player: Player) -> &'static str {
        match player {
            Player::First => "Black",
            Player::Second => "White",
        }
    }

    fn show(&self, position: &Position) -> String {
        self.draw(position, None)
    }
}
