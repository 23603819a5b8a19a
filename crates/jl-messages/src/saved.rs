//! What a client saves of its graph: rows that a person understands, and that it can go on from.

use crate::JobClient;
use std::error::Error;
use std::ops::Range;
use std::rc::Rc;

/// A node of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionRow {
    pub id: u32,
    /// The position, the same for all symmetric ones.
    pub key: u128,
    /// What is known for sure, if anything.
    pub value: Option<String>,
    /// What the program said of it, if it looked at it.
    pub status: Option<String>,
    pub count: u32,
    pub level: u32,
    /// Facts and flags.
    pub bits: u32,
    pub parents: Vec<u32>,
    /// JSON: the search's numbers, and what else belongs to the node.
    pub data: String,
}

/// An edge of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveRow {
    pub parent: u32,
    /// 0 for the eldest.
    pub ord: u32,
    /// The move as the game's code for it, and as text.
    pub code: u32,
    pub text: String,
    pub child: u32,
    /// The same child as an elder edge, by another move.
    pub echo: bool,
}

/// What changed since the last time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Saved {
    /// In the order of their numbers. Of each, all moves.
    pub positions: Vec<PositionRow>,
    pub moves: Vec<MoveRow>,
    /// JSON: everything else that the client needs to go on from here.
    pub state: String,
}

pub type Rows = (Vec<PositionRow>, Vec<MoveRow>);

/// Where saved rows are read from.
pub trait RowSource {
    /// The positions of these numbers and their moves, in order.
    fn rows(&self, ids: Range<u32>) -> Result<Rows, Box<dyn Error + Send + Sync>>;
}

/// Saved rows could not be read again, and the client can't go on without them. It panics with this: whoever drives it can
/// catch it.
#[derive(Clone, Debug)]
pub struct RowsLost(pub String);

/// A client whose graph can be kept in a store: for a quick resumption, for readers, and to make room in memory.
pub trait Savable: JobClient {
    /// The positions that changed since they were last saved, in order.
    fn unsaved(&self) -> Vec<u32>;

    /// Positions with their moves, as they are now.
    fn rows_of(&self, ids: &[u32]) -> Rows;

    /// Everything else that the client needs to go on from here, as JSON.
    fn state(&self) -> String;

    /// The store has everything as it is now.
    fn mark_saved(&mut self);

    /// All that changed at once, which the caller is about to write.
    fn save(&mut self) -> Saved {
        let (positions, moves) = self.rows_of(&self.unsaved());
        self.mark_saved();
        Saved { positions, moves, state: self.state() }
    }

    /// Back to what was saved, whatever the client has done so far. At most about `bytes` of the graph are kept in memory at first. An error
    /// says what makes no sense, and leaves the client as it was.
    fn restore(&mut self, state: &str, source: Rc<dyn RowSource>, bytes: usize) -> Result<(), String>;

    /// From now on parts of the graph can leave the memory, once they are saved.
    fn set_source(&mut self, source: Rc<dyn RowSource>);

    /// The memory of the graph.
    fn bytes(&self) -> usize;

    /// Takes what is saved and was not visited for long out of memory, until about `bytes` are left.
    fn trim(&mut self, bytes: usize);

    /// Every row, as it would be saved now.
    fn rows(&self) -> Box<dyn Iterator<Item = (PositionRow, Vec<MoveRow>)> + '_>;
}

impl<C: Savable + ?Sized> Savable for Box<C> {
    fn unsaved(&self) -> Vec<u32> {
        (**self).unsaved()
    }

    fn rows_of(&self, ids: &[u32]) -> Rows {
        (**self).rows_of(ids)
    }

    fn state(&self) -> String {
        (**self).state()
    }

    fn mark_saved(&mut self) {
        (**self).mark_saved();
    }

    fn restore(&mut self, state: &str, source: Rc<dyn RowSource>, bytes: usize) -> Result<(), String> {
        (**self).restore(state, source, bytes)
    }

    fn set_source(&mut self, source: Rc<dyn RowSource>) {
        (**self).set_source(source);
    }

    fn bytes(&self) -> usize {
        (**self).bytes()
    }

    fn trim(&mut self, bytes: usize) {
        (**self).trim(bytes);
    }

    fn rows(&self) -> Box<dyn Iterator<Item = (PositionRow, Vec<MoveRow>)> + '_> {
        (**self).rows()
    }
}
