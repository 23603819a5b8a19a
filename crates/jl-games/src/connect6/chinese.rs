//! The record of the Chinese computer-games competitions.
//!
//! ```text
//! {[C6][NAME B][NAME W][RESULT][PLACE AND TIME][EVENT];B(J,10);W(I,11);W(I,12);…}
//! ```
//!
//! A player's name ends with the colour. Columns are letters that include I, rows are numbers from the bottom. What
//! follows the players is kept as one comment on the game (`GC`), since its fields differ between competitions.

use super::record::{Record, RecordError, Replay};
use super::{Connect, Notation};
use jl_game::sgf::{Place, Property, SgfError};
use jl_value::Player;

pub(super) fn read(game: &Connect, text: &str) -> Result<Vec<Record>, RecordError> {
    let mut reader = Reader { text, at: if text.starts_with('\u{feff}') { 3 } else { 0 } };
    let mut records = Vec::new();
    while records.is_empty() || reader.peek().is_some() {
        records.push(reader.record(game)?);
    }
    Ok(records)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn record(&mut self, game: &Connect) -> Result<Record, RecordError> {
        self.take('{', "a game, which starts with '{'")?;
        let mut fields = Vec::new();
        while self.peek() == Some('[') {
            self.take('[', "'['")?;
            fields.push(self.until(']', "']' at the end of a field")?.trim());
        }
        if fields.first() != Some(&"C6") {
            return Err(self.error("[C6] first, for Connect6").into());
        }
        let mut replay = Replay::new(game, self.text);
        while self.peek() == Some(';') {
            self.take(';', "';'")?;
            let Some(player) = self.peek() else { break };
            let offset = self.at;
            let player = match player {
                'B' | 'b' => Player::First,
                'W' | 'w' => Player::Second,
                '}' => break,
                _ => return Err(self.error("a stone like B(J,10)").into()),
            };
            self.at += 1;
            self.take('(', "'(' after the colour")?;
            let inside = self.until(')', "')' after a stone")?;
            let text: String = inside.split(',').map(str::trim).collect();
            let not_a_stone = |why| RecordError::NotAStone {
                place: Place::of(self.text, offset),
                text: inside.into(),
                why,
            };
            let cells = game.parse_cells(Notation::Numbers, &text).map_err(not_a_stone)?;
            let [cell] = cells[..] else {
                return Err(not_a_stone("expected one stone, like J,10".into()));
            };
            replay.stone(player, cell, offset)?;
        }
        self.take('}', "';' or '}'")?;
        Ok(Record { header: header(&fields[1..]), ..Record::new(replay.finish()?) })
    }

    /// The text up to `end`, which is passed over.
    fn until(&mut self, end: char, expected: &'static str) -> Result<&'a str, SgfError> {
        let rest = &self.text[self.at..];
        let Some(length) = rest.find(end) else {
            return Err(SgfError::at(self.text, self.text.len(), expected));
        };
        self.at += length + end.len_utf8();
        Ok(&rest[..length])
    }

    fn take(&mut self, wanted: char, expected: &'static str) -> Result<(), SgfError> {
        if self.peek() != Some(wanted) {
            return Err(self.error(expected));
        }
        self.at += wanted.len_utf8();
        Ok(())
    }

    /// The next character that is not white space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn error(&self, expected: &'static str) -> SgfError {
        SgfError::at(self.text, self.at, expected)
    }
}

fn header(fields: &[&str]) -> Vec<Property> {
    let mut header = Vec::new();
    let mut rest = Vec::new();
    for &field in fields {
        match field.rsplit_once(' ') {
            Some((name, "B")) => header.push(Property::new("PB", name.trim())),
            Some((name, "W")) => header.push(Property::new("PW", name.trim())),
            _ if field.is_empty() => (),
            _ => rest.push(field),
        }
    }
    if !rest.is_empty() {
        header.push(Property::new("GC", rest.join(", ")));
    }
    header
}
