//! The rules of a game, as small as they can be.

use jl_value::{Outcome, Player};
use std::fmt::Debug;

/// Identifies a position up to the game's symmetries. 128 bits: a collision would be an unsound proof, and at this
/// width ten million positions collide with a probability of 10⁻²⁵.
pub type Key = u128;

/// A symmetry of the board. Games without any use `()`.
pub trait Symmetry: Copy + Eq + Debug + 'static {
    const IDENTITY: Self;
    #[must_use]
    fn inverse(self) -> Self;
}

impl Symmetry for () {
    const IDENTITY: Self = ();
    fn inverse(self) {}
}

/// What was wrong with a move or a position that was read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameError {
    #[error("'{text}' is not a move of {game}: {why}")]
    NotAMove { game: &'static str, text: String, why: String },
    #[error("move {number} '{text}' is illegal: {why}")]
    Illegal { number: usize, text: String, why: String },
}

/// The rules of a two-player game of perfect information.
///
/// A position is a value; `play` gives the next one. The code that searches sees moves as numbers (`code`) and
/// positions as keys; people see moves as text.
pub trait Game {
    type Position: Clone + PartialEq + Debug;
    type Move: Copy + Eq + Debug;
    type Symmetry: Symmetry;

    /// The name on the command line.
    fn name(&self) -> &'static str;
    fn initial(&self) -> Self::Position;
    fn to_move(&self, position: &Self::Position) -> Player;
    /// The position after a move. The error says why the move is illegal.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Result<Self::Position, String>;
    /// How the game has ended by the rules, or `None` while it goes on.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;
    /// Every legal move; empty once the game is over.
    fn legal_moves(&self, position: &Self::Position) -> Vec<Self::Move>;

    /// A number for the move, the inverse of `decode`.
    fn code(&self, mv: Self::Move) -> u32;
    fn decode(&self, code: u32) -> Option<Self::Move>;

    fn format_move(&self, mv: Self::Move) -> String;
    fn parse_move(&self, text: &str) -> Result<Self::Move, GameError>;

    /// The key that all positions of the orbit share, and a symmetry that maps `position` onto the orbit's
    /// representative. The representative is the frame in which a node's moves are kept.
    fn canonical(&self, position: &Self::Position) -> (Key, Self::Symmetry);
    fn map_move(&self, symmetry: Self::Symmetry, mv: Self::Move) -> Self::Move;
    fn map_position(&self, symmetry: Self::Symmetry, position: &Self::Position) -> Self::Position;
    fn symmetries(&self) -> &'static [Self::Symmetry];

    /// The symmetries that leave `position` as it is; moves that they map onto each other are the same move.
    fn stabilizer(&self, position: &Self::Position) -> Vec<Self::Symmetry> {
        let same = |&s: &Self::Symmetry| self.map_position(s, position) == *position;
        self.symmetries().iter().copied().filter(same).collect()
    }

    /// What people call a player.
    fn player_name(&self, player: Player) -> &'static str {
        match player {
            Player::First => "first player",
            Player::Second => "second player",
        }
    }

    /// The board as text, for people.
    fn show(&self, position: &Self::Position) -> String;

    /// Splits a move list as people type it. Spaces, commas and hyphens separate moves unless a game needs them.
    fn split_moves<'a>(&self, text: &'a str) -> Vec<&'a str> {
        text.split([' ', ',', '-', '\t', '\n']).filter(|w| !w.is_empty()).collect()
    }

    /// Reads a move list and plays it from the initial position.
    fn replay(&self, text: &str) -> Result<(Vec<Self::Move>, Self::Position), GameError> {
        let mut position = self.initial();
        let mut moves = Vec::new();
        for (i, word) in self.split_moves(text).into_iter().enumerate() {
            let illegal = |why| GameError::Illegal { number: i + 1, text: word.into(), why };
            let mv = self.parse_move(word)?;
            if self.outcome(&position).is_some() {
                return Err(illegal("the game is already over".into()));
            }
            position = self.play(&position, mv).map_err(illegal)?;
            moves.push(mv);
        }
        Ok((moves, position))
    }
}
