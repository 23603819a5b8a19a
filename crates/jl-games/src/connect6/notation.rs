//! Stones, moves and boards as people and programs write them.
//!
//! Connect6 has no single notation. The papers' tools write two letters per stone, others a letter and a number, some
//! of them without the letter I. The first two can be told apart by their digits and are read wherever a move is; the
//! third can't be told from the second, so whoever reads it must say so. Rows are counted from the bottom in all of
//! them, case has no meaning, and the stones of a move are written together, with nothing between.

use super::{Cell, Connect, Move, Position};
use crate::marks::{describe, letter};
use jl_game::{Game, GameError};
use std::fmt::Write;

/// How a stone is written. The centre of 19×19 is JJ, j10 and k10.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Notation {
    /// Column and row as letters A to S, I included: `JJ`, `JIKL`.
    #[default]
    Pairs,
    /// The column a letter a to s, I included, the row a number from 1: `j10`, `j9k12`.
    Numbers,
    /// The same with columns a to t, I left out, as GTP programs do.
    NumbersSkipI,
}

impl Notation {
    /// The one in which `text` must be written, if columns include I.
    #[must_use]
    pub fn of(text: &str) -> Notation {
        if text.bytes().any(|b| b.is_ascii_digit()) { Notation::Numbers } else { Notation::Pairs }
    }

    /// The letter of a column, in lower case.
    fn column_letter(self, x: usize) -> char {
        let skipped = self == Notation::NumbersSkipI && x >= 8;
        char::from(b'a' + x as u8 + u8::from(skipped))
    }

    fn read_column(self, c: char, columns: usize) -> Result<usize, String> {
        let lower = c.to_ascii_lowercase();
        if self == Notation::NumbersSkipI && lower == 'i' {
            return Err("this notation has no column I".into());
        }
        (0..columns).find(|&x| self.column_letter(x) == lower).ok_or_else(|| {
            let last = self.column_letter(columns - 1).to_ascii_uppercase();
            match lower {
                'a'..='z' => format!("column {} is off the board (A to {last})", c.to_ascii_uppercase()),
                _ => format!("expected a column A to {last}, read {c:?}"),
            }
        })
    }

    /// Reads a row off the front of `text`, and gives the rest.
    fn read_row(self, text: &str, rows: usize) -> Result<(usize, &str), String> {
        let Some(first) = text.chars().next() else {
            return Err("the last stone has no row".into());
        };
        if self == Notation::Pairs {
            let last = char::from(b'A' + rows as u8 - 1);
            let upper = first.to_ascii_uppercase();
            return match upper {
                'A'..='Z' if upper <= last => Ok((upper as usize - 'A' as usize, &text[1..])),
                'A'..='Z' => Err(format!("row {upper} is off the board (A to {last})")),
                _ => Err(format!("expected a row A to {last}, read {first:?}")),
            };
        }
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = text.split_at(digits);
        match number.parse() {
            Ok(row) if (1..=rows).contains(&row) => Ok((row - 1, rest)),
            _ if digits > 0 => Err(format!("row {number} is off the board (1 to {rows})")),
            _ => Err(format!("expected a row 1 to {rows}, read {first:?}")),
        }
    }
}

impl Connect {
    /// Reads the one or two stones of a move.
    pub fn parse_move_in(&self, notation: Notation, text: &str) -> Result<Move, GameError> {
        let bad = |why| GameError::NotAMove { game: self.name(), text: text.into(), why };
        let cells = self.parse_cells(notation, text).map_err(bad)?;
        let mv = Move::of(&cells).ok_or_else(|| bad("expected one or two stones, like JJ or JIKL".into()))?;
        match mv.repeated() {
            Some(cell) => Err(bad(format!("{} is there twice", self.name_of(cell)))),
            None => Ok(mv),
        }
    }

    #[must_use]
    pub fn format_move_in(&self, notation: Notation, mv: Move) -> String {
        mv.cells().map(|cell| self.format_cell(notation, cell)).collect()
    }

    /// A single stone: pairs in upper case, numbers in lower.
    #[must_use]
    pub fn format_cell(&self, notation: Notation, cell: Cell) -> String {
        let (x, y) = self.coordinates(cell);
        let column = notation.column_letter(x);
        match notation {
            Notation::Pairs => {
                [column, Notation::Pairs.column_letter(y)].iter().collect::<String>().to_uppercase()
            }
            Notation::Numbers | Notation::NumbersSkipI => format!("{column}{}", y + 1),
        }
    }

    /// Stones written together, any number. The error says what is wrong with the text.
    pub(super) fn parse_cells(&self, notation: Notation, text: &str) -> Result<Vec<Cell>, String> {
        let mut cells = Vec::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let x = notation.read_column(c, self.columns())?;
            let (y, after) = notation.read_row(&rest[c.len_utf8()..], self.rows())?;
            cells.extend(self.cell(x, y));
            rest = after;
        }
        Ok(cells)
    }

    /// Reads a game written stone by stone, `j10,k11,i11,…`, and joins the stones of each turn. The last turn may
    /// lack a stone, since a game ends as soon as a row is complete; whether it did is for [`Game::play`] to say.
    pub fn parse_stones(&self, text: &str) -> Result<Vec<Move>, GameError> {
        let mut cells = Vec::new();
        for word in self.split_moves(text) {
            let mv = self.parse_move(word)?;
            if mv.len() != 1 || cells.len() == self.area() {
                let why =
                    if mv.len() == 1 { "the board has no cell left" } else { "expected a single stone" };
                return Err(GameError::NotAMove { game: self.name(), text: word.into(), why: why.into() });
            }
            cells.extend(mv.cells());
        }
        let mut moves = Vec::new();
        let mut played = 0;
        while played < cells.len() {
            let turn = self.due_after(played).min(cells.len() - played);
            moves.extend(Move::of(&cells[played..played + turn]));
            played += turn;
        }
        Ok(moves)
    }

    /// The board with its coordinates in letter pairs, X for the first player and O for the second, the stones of
    /// `last` in lower case; and a line that says who moves or how the game ended.
    #[must_use]
    pub fn draw(&self, position: &Position, last: Option<Move>) -> String {
        let is_last = |cell| last.is_some_and(|mv| mv.cells().any(|c| c == cell));
        let name = |i| Notation::Pairs.column_letter(i).to_ascii_uppercase();
        let mut text = String::new();
        for y in (0..self.rows()).rev() {
            text.push(name(y));
            for cell in (0..self.columns()).filter_map(|x| self.cell(x, y)) {
                let stone = position.holder(cell).map_or('.', letter);
                text.extend([' ', if is_last(cell) { stone.to_ascii_lowercase() } else { stone }]);
            }
            text.push('\n');
        }
        text.push(' ');
        (0..self.columns()).for_each(|x| text.extend([' ', name(x)]));
        let _ = match self.ending(position) {
            Some(outcome) => writeln!(text, "\n{}", describe(outcome)),
            None => writeln!(text, "\n{} to move", letter(position.to_move())),
        };
        text
    }

    pub(super) fn name_of(&self, cell: Cell) -> String {
        self.format_cell(Notation::Pairs, cell)
    }
}
