//! The lines of a proof file, as they are written.

use jl_game::Game;
use jl_game::reply::join_moves;
use jl_games::connect6::{Connect, Move};
use jl_value::Player;
use serde::{Deserialize, Serialize};

/// What the header's `proof` says.
pub const FORMAT: &str = "joblevel";
/// The version that is written and read.
pub const VERSION: u32 = 1;

/// The first line: what is proved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    pub proof: String,
    pub version: u32,
    /// `connect6`; `connect` for the others of its family.
    pub game: String,
    pub columns: u8,
    pub rows: u8,
    /// How many in a row win.
    pub connect: u8,
    /// The moves that lead to the position.
    pub moves: String,
    pub winner: Player,
    /// How many lines follow.
    pub nodes: u64,
}

impl Header {
    /// Of a proof with so many nodes that `winner` wins after `moves`.
    #[must_use]
    pub fn new(game: &Connect, moves: &[Move], winner: Player, nodes: usize) -> Header {
        Header {
            proof: FORMAT.into(),
            version: VERSION,
            game: game.name().into(),
            columns: game.columns() as u8,
            rows: game.rows() as u8,
            connect: game.k() as u8,
            moves: join_moves(game, moves, "-"),
            winner,
            nodes: nodes as u64,
        }
    }
}

/// A further line: a position in which the attacker is to move, and how it goes on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    pub id: u64,
    /// One or two stones. Only the root may lack it: then the defender is to move.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// The window that the move completes, by its ends. If there is none there are threats and replies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completes: Option<String>,
    /// The windows that the move threatens to complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threats: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replies: Option<Vec<Reply>>,
}

/// A branch: what the attacker does against some of the replies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// The stones that the defender is given, perhaps more than it can place.
    pub stones: String,
    /// How many of its stones are somewhere outside the zone of what follows.
    pub floats: u8,
    /// The node that wins then, on an earlier line.
    pub to: u64,
}
