//! The program for the positions and moves of `jl-games`.

use crate::board::{Board, Side};
use crate::engine::{
    Question, Recollection, Settings, Task, Turn, Verdict, first_look, think, think_aloud, think_on,
};
use crate::geometry::Geometry;
use crate::limits::Limits;
use crate::prove::{self, Refuted};
use jl_game::Game;
use jl_games::connect6::{Cell, Connect, Move, Position};
use jl_proof::Node;
use jl_value::Player;

/// The nodes that a question may cost if nothing else is said.
pub const DEFAULT_NODES: u64 = 100_000;

/// Likewise, if a proof is wanted.
pub const PROOF_NODES: u64 = 2_000_000;

/// The lengths of rows that the program's board can count.
const ROWS: std::ops::RangeInclusive<usize> = 4..=8;

/// The program, ready to think about positions of one game.
#[derive(Clone, Debug)]
pub struct Thinker {
    game: Connect,
    geometry: Geometry,
    pub limits: Limits,
    pub seed: u64,
    pub settings: Settings,
}

/// A game of the family that the program does not play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the program does not play {0}: it plays two stones per turn and rows of 4 to 8")]
pub struct NotPlayed(pub Connect);

impl Thinker {
    /// With [`DEFAULT_NODES`] per question, until [`Thinker::limits`] says otherwise.
    pub fn new(game: Connect) -> Result<Thinker, NotPlayed> {
        let geometry = Geometry::new(game.columns(), game.rows(), game.k())
            .filter(|_| game.p() == 2 && ROWS.contains(&game.k()))
            .ok_or(NotPlayed(game))?;
        let limits = Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() };
        Ok(Thinker { game, geometry, limits, seed: 0, settings: Settings::default() })
    }

    #[must_use]
    pub fn game(&self) -> &Connect {
        &self.game
    }

    /// The game must not be over at `position`.
    #[must_use]
    pub fn think(&self, position: &Position, task: Task, prohibited: &[Move]) -> Verdict {
        think(&self.question(position, task, prohibited))
    }

    /// Likewise, and says what it thinks after a first look.
    #[must_use]
    pub fn think_aloud(
        &self,
        position: &Position,
        task: Task,
        prohibited: &[Move],
        tell: &mut dyn FnMut(&Verdict),
    ) -> Verdict {
        think_aloud(&self.question(position, task, prohibited), tell)
    }

    /// What [`Thinker::think_aloud`] tells before, alone; the nodes that it costs.
    pub fn first_look(
        &self,
        position: &Position,
        task: Task,
        prohibited: &[Move],
        tell: &mut dyn FnMut(&Verdict),
    ) -> u64 {
        first_look(&self.question(position, task, prohibited), tell)
    }

    /// The nodes of a proof that the player to move wins, the root last; `None` if no win is found.
    #[must_use]
    pub fn prove_win(&self, position: &Position) -> Option<Vec<Node>> {
        prove::win(&self.question(position, Task::Solve, &[]))
    }

    /// Why every reply of the player to move loses but the known ones; `None` if no reply can be excluded.
    #[must_use]
    pub fn refute(&self, position: &Position, known: &[Move]) -> Option<Refuted> {
        prove::refute(&self.question(position, Task::Verify, &[]), known)
    }

    /// The position on the program's board.
    #[must_use]
    pub fn board(&self, position: &Position) -> Board<'_> {
        let mut board = Board::new(&self.geometry);
        for player in [Player::First, Player::Second] {
            for cell in position.stones(player).iter() {
                board.place(cell.index() as u16, player.into());
            }
        }
        board
    }

    fn question(&self, position: &Position, task: Task, prohibited: &[Move]) -> Question<'_> {
        Question {
            board: self.board(position),
            mover: Side::from(position.to_move()),
            stones: self.game.stones_due(position),
            task,
            prohibited: prohibited.iter().map(|&mv| turn_of(mv)).collect(),
            limits: self.limits,
            seed: self.seed,
            settings: self.settings,
        }
    }

    /// The move that the program plays: the one it thinks best or, if it has none, any that is legal.
    #[must_use]
    pub fn choose(&self, position: &Position) -> (Move, Verdict) {
        self.choose_on(position, &mut Recollection::default())
    }

    /// Likewise, with what it remembers of the game so far.
    #[must_use]
    pub fn choose_on(&self, position: &Position, recollection: &mut Recollection) -> (Move, Verdict) {
        let verdict = think_on(&self.question(position, Task::Play, &[]), recollection);
        let best = verdict.mv.map(move_of).filter(|&mv| self.game.play(position, mv).is_ok());
        debug_assert!(best.is_some(), "a legal move is expected: {verdict:?}");
        let any = || self.game.legal_moves(position)[0];
        (best.unwrap_or_else(any), verdict)
    }
}

/// A turn of the program as a move of the rules. A cell that is there twice is one stone.
#[must_use]
pub fn move_of([a, b]: Turn) -> Move {
    let cell = |c: u16| Cell::new(usize::from(c)).expect("the program's cells are on the board");
    if a == b { Move::one(cell(a)) } else { Move::two(cell(a), cell(b)) }
}

/// The inverse of [`move_of`].
#[must_use]
pub fn turn_of(mv: Move) -> Turn {
    let mut cells = mv.cells().map(|c| c.index() as u16);
    let low = cells.next().expect("a move has a stone");
    [low, cells.next().unwrap_or(low)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_and_moves_are_inverse() {
        for text in ["JJ", "AASS", "JIKL"] {
            let mv = Connect::CONNECT6.parse_move(text).unwrap();
            assert_eq!(move_of(turn_of(mv)), mv);
        }
        assert_eq!(turn_of(Connect::CONNECT6.parse_move("BAAA").unwrap()), [0, 1]);
    }

    #[test]
    fn games_of_the_family_are_played_or_refused() {
        for (columns, rows, k, p) in [(3, 3, 3, 2), (9, 9, 9, 2), (9, 9, 5, 1)] {
            let game = Connect::new(columns, rows, k, p, 1).unwrap();
            assert_eq!(Thinker::new(game).err(), Some(NotPlayed(game)));
        }
        let thinker = Thinker::new(Connect::new(7, 5, 4, 2, 1).unwrap()).unwrap();
        let (_, mut position) = thinker.game().replay("DC").unwrap();
        while thinker.game().outcome(&position).is_none() {
            let (mv, _) = thinker.choose(&position);
            position = thinker.game().play(&position, mv).unwrap();
        }
    }
}
