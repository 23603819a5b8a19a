//! Game records, as other tools write and read them.
//!
//! | style | a turn | from |
//! |---|---|---|
//! | [`Style::StonePerNode`] | `;W[JH];W[MK]` after `(;GM[511]` | CGI's editor, NCTU6 |
//! | [`Style::LittleGolem`] | `;W[i11k11]` after `(;FF[4]` | littlegolem.net |
//! | Chinese competitions | `;W(I,11);W(I,12)` after `{[C6]…` | read only |
//!
//! A reader need not be told the style: it shows in the values. Any mixture is read, as long as the stones are those
//! of a legal game, which is what is checked. `GM` is of no help, since 511 is used for other games too and half of
//! the tools leave it out. Of a record with variations the main line is read. Properties of the root are kept, and
//! comments; what else is said of a position is dropped.

use super::{Cell, Connect, Move, Notation, Position, chinese};
use crate::marks::letter;
use jl_game::Game;
use jl_game::sgf::{self, Place, Property, SgfError, Tree};
use jl_value::Player;
use std::collections::BTreeMap;

/// One game. Whatever its source, the moves are legal when it was read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// What the root says: players (`PB`, `PW`), event (`EV`), result (`RE`) … Not what belongs to a style or to the
    /// board: `GM`, `FF`, `SZ`.
    pub header: Vec<Property>,
    pub moves: Vec<Move>,
    /// By the number of moves after which they are made.
    pub comments: BTreeMap<usize, String>,
}

/// How a turn is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    StonePerNode,
    LittleGolem,
}

/// The text is no record of a game by these rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    #[error(transparent)]
    Syntax(#[from] SgfError),
    #[error("{place}: '{text}' is not a stone: {why}")]
    NotAStone { place: Place, text: String, why: String },
    #[error("{place}: expected a stone of {}, found one of {}", letter(*expected), letter(expected.opponent()))]
    WrongPlayer { place: Place, expected: Player },
    #[error("{place}: move {number} is illegal: {why}")]
    Illegal { place: Place, number: usize, why: String },
    #[error("{place}: the board is {text}, expected {expected}")]
    Size { place: Place, text: String, expected: String },
    #[error("{place}: stones that are set up ({name}) are no moves")]
    SetUp { place: Place, name: String },
}

impl Record {
    #[must_use]
    pub fn new(moves: Vec<Move>) -> Record {
        Record { moves, ..Record::default() }
    }

    /// The first value of a property of the header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.header.iter().find(|p| p.name == name)?.values.first().map(String::as_str)
    }
}

/// Reads the games of a file, one or more, in any of the styles.
pub fn read(game: &Connect, text: &str) -> Result<Vec<Record>, RecordError> {
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        return chinese::read(game, text);
    }
    sgf::parse(text)?.iter().map(|tree| read_tree(game, text, tree)).collect()
}

/// Reads the main line of a tree of `text`.
fn read_tree(game: &Connect, text: &str, tree: &Tree) -> Result<Record, RecordError> {
    let mut replay = Replay::new(game, text);
    let mut record = Record::default();
    for (i, node) in tree.main_line().enumerate() {
        let mut said = Vec::new();
        for property in &node.properties {
            let place = || Place::of(text, property.offset);
            match property.name.as_str() {
                "B" => replay.stones(Player::First, property)?,
                "W" => replay.stones(Player::Second, property)?,
                name @ ("AB" | "AW") => return Err(RecordError::SetUp { place: place(), name: name.into() }),
                "SZ" if !property.values.iter().all(|v| is_board_size(game, v)) => {
                    let expected = board_size(game);
                    return Err(RecordError::Size {
                        place: place(),
                        text: property.values.join(" "),
                        expected,
                    });
                }
                "C" => said.extend(property.values.iter().map(String::as_str)),
                "GM" | "FF" | "SZ" => (),
                _ if i == 0 => record.header.push(property.clone()),
                _ => (),
            }
        }
        for comment in said {
            // A comment on the first stone of a turn is one on the turn.
            let known = record.comments.entry(replay.turns_begun()).or_default();
            *known = if known.is_empty() { comment.into() } else { format!("{known}\n{comment}") };
        }
    }
    record.moves = replay.finish()?;
    Ok(record)
}

/// The record as text, in one line.
#[must_use]
pub fn write(game: &Connect, record: &Record, style: Style) -> String {
    let mut root = match style {
        Style::StonePerNode => vec![Property::new("GM", "511")],
        Style::LittleGolem => vec![Property::new("FF", "4")],
    };
    if (game.columns(), game.rows()) != (19, 19) {
        root.push(Property::new("SZ", board_size(game)));
    }
    root.extend(record.header.iter().cloned());
    let comment = |number| record.comments.get(&number).map(|text| Property::new("C", text));
    root.extend(comment(0));
    let mut tree = Tree::new(root);
    let mut last = 0;
    for (i, &mv) in record.moves.iter().enumerate() {
        let player = if i % 2 == 0 { "B" } else { "W" };
        let values: Vec<String> = match style {
            Style::StonePerNode => mv.cells().map(|c| game.format_cell(Notation::Pairs, c)).collect(),
            Style::LittleGolem => vec![game.format_move_in(Notation::Numbers, mv)],
        };
        let nodes = values.len();
        for (n, value) in values.into_iter().enumerate() {
            let mut properties = vec![Property::new(player, value)];
            properties.extend(comment(i + 1).filter(|_| n + 1 == nodes));
            last = tree.add(last, properties);
        }
    }
    tree.to_string()
}

fn board_size(game: &Connect) -> String {
    let (columns, rows) = (game.columns(), game.rows());
    if columns == rows { columns.to_string() } else { format!("{columns}:{rows}") }
}

fn is_board_size(game: &Connect, value: &str) -> bool {
    let (columns, rows) = value.split_once(':').unwrap_or((value, value));
    (columns.trim().parse(), rows.trim().parse()) == (Ok(game.columns()), Ok(game.rows()))
}

/// Joins stones to turns and plays them.
pub(super) struct Replay<'a> {
    game: &'a Connect,
    text: &'a str,
    position: Position,
    moves: Vec<Move>,
    /// The stones of the present turn so far.
    turn: Vec<Cell>,
    /// Where the last stone was read.
    offset: usize,
}

impl<'a> Replay<'a> {
    pub(super) fn new(game: &'a Connect, text: &'a str) -> Replay<'a> {
        Replay { game, text, position: game.initial(), moves: Vec::new(), turn: Vec::new(), offset: 0 }
    }

    /// The stones of a property's values, in any notation.
    fn stones(&mut self, player: Player, property: &Property) -> Result<(), RecordError> {
        for value in &property.values {
            let value = value.trim();
            let not_a_stone = |why| RecordError::NotAStone {
                place: Place::of(self.text, property.offset),
                text: value.into(),
                why,
            };
            let cells = self.game.parse_cells(Notation::of(value), value).map_err(not_a_stone)?;
            if cells.is_empty() {
                return Err(not_a_stone("a player may not pass".into()));
            }
            for cell in cells {
                self.stone(player, cell, property.offset)?;
            }
        }
        Ok(())
    }

    pub(super) fn stone(&mut self, player: Player, cell: Cell, offset: usize) -> Result<(), RecordError> {
        let expected = self.position.to_move();
        let over = self.game.outcome(&self.position).is_some();
        self.offset = offset;
        if !over && player != expected {
            return Err(RecordError::WrongPlayer { place: Place::of(self.text, offset), expected });
        }
        self.turn.push(cell);
        // Once the game is over, the first stone is one too many.
        if over || self.turn.len() == self.game.stones_due(&self.position) { self.play() } else { Ok(()) }
    }

    fn play(&mut self) -> Result<(), RecordError> {
        let Some(mv) = Move::of(&self.turn) else { return Ok(()) };
        self.turn.clear();
        self.position = self.game.play(&self.position, mv).map_err(|why| RecordError::Illegal {
            place: Place::of(self.text, self.offset),
            number: self.moves.len() + 1,
            why,
        })?;
        self.moves.push(mv);
        Ok(())
    }

    fn turns_begun(&self) -> usize {
        self.moves.len() + usize::from(!self.turn.is_empty())
    }

    /// The moves. A last turn that lacks a stone must have won.
    pub(super) fn finish(mut self) -> Result<Vec<Move>, RecordError> {
        self.play()?;
        Ok(self.moves)
    }
}
