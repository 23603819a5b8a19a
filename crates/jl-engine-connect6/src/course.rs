//! A game as far as it has come: read from text or from a record, played on, taken back.

use jl_game::{Game, GameError};
use jl_games::connect6::{Connect, Move, Notation, Position, record};
use std::path::Path;

/// The moves of a game and the positions between them.
#[derive(Clone, Debug)]
pub struct Course {
    game: Connect,
    moves: Vec<Move>,
    /// Before each move, and now.
    positions: Vec<Position>,
}

impl Course {
    #[must_use]
    pub fn new(game: Connect) -> Course {
        Course { game, moves: Vec::new(), positions: vec![game.initial()] }
    }

    /// Reads a move list, separated by spaces, commas or hyphens.
    pub fn read(game: Connect, skip_i: bool, text: &str) -> Result<Course, GameError> {
        let mut course = Course::new(game);
        for (i, text) in game.split_moves(text).into_iter().enumerate() {
            let mv = read_move(&game, skip_i, text)?;
            let illegal = |why| GameError::Illegal { number: i + 1, text: text.into(), why };
            course.play(mv).map_err(illegal)?;
        }
        Ok(course)
    }

    /// Reads game number `number`, from 1, of a file of records. The error says what is wrong with it.
    pub fn read_record(game: Connect, file: &Path, number: usize) -> Result<Course, String> {
        let bad = |why: String| format!("{}: {why}", file.display());
        let text = std::fs::read_to_string(file).map_err(|e| bad(e.to_string()))?;
        let records = record::read(&game, &text).map_err(|e| bad(e.to_string()))?;
        let record = number.checked_sub(1).and_then(|i| records.get(i));
        let count = records.len();
        let record = record.ok_or_else(|| bad(format!("there is no game {number}, only {count}")))?;
        let mut course = Course::new(game);
        for &mv in &record.moves {
            course.play(mv).map_err(bad)?;
        }
        Ok(course)
    }

    #[must_use]
    pub fn game(&self) -> &Connect {
        &self.game
    }

    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    #[must_use]
    pub fn position(&self) -> &Position {
        self.positions.last().expect("there is a position before the first move")
    }

    pub fn play(&mut self, mv: Move) -> Result<(), String> {
        let next = self.game.play(self.position(), mv)?;
        self.moves.push(mv);
        self.positions.push(next);
        Ok(())
    }

    /// Takes back every move but the first `moves`.
    pub fn truncate(&mut self, moves: usize) {
        self.moves.truncate(moves);
        self.positions.truncate(moves + 1);
    }

    /// The board, the last move in lower case.
    #[must_use]
    pub fn draw(&self) -> String {
        self.game.draw(self.position(), self.moves.last().copied())
    }
}

/// Reads a move in letter pairs or, if there are digits, in letters and numbers, whose columns may skip the letter I.
pub fn read_move(game: &Connect, skip_i: bool, text: &str) -> Result<Move, GameError> {
    match Notation::of(text) {
        Notation::Numbers if skip_i => game.parse_move_in(Notation::NumbersSkipI, text),
        notation => game.parse_move_in(notation, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_is_read_played_and_taken_back() {
        let game = Connect::CONNECT6;
        let mut course = Course::read(game, false, "JJ, j11i11-KKLI").unwrap();
        assert_eq!(Course::read(game, true, "k10 j11k11 KKLI").unwrap().moves(), course.moves());
        assert_eq!(course.position().played(), 5);
        let before = *course.position();
        course.play(read_move(&game, false, "AABB").unwrap()).unwrap();
        course.truncate(3);
        assert_eq!((course.moves().len(), *course.position()), (3, before));
        assert!(course.play(read_move(&game, false, "JJAA").unwrap()).is_err());
        assert_eq!(course.moves().len(), 3, "an illegal move changes nothing");
    }
}
