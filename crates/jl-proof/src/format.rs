//! The lines of a proof file, as they are written.

use jl_game::Game;
use jl_game::reply::join_moves;
use jl_games::connect6::{Connect, Move};
use jl_value::Player;
use serde::{Deserialize, Serialize};

/// What the header's `format` says.
pub const FORMAT: &str = "joblevel-proof";
/// The version that is written and read.
pub const VERSION: u32 = 1;

/// The first line: what is proved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    pub format: String,
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
    /// The node of the position that is proved, on the last line.
    pub root: u64,
    /// How many lines follow.
    pub nodes: u64,
}

impl Header {
    /// Of a proof that `winner` wins after `moves`. The last of the nodes is the root.
    #[must_use]
    pub fn new(game: &Connect, moves: &[Move], winner: Player, nodes: &[Node]) -> Header {
        Header {
            format: FORMAT.into(),
            version: VERSION,
            game: game.name().into(),
            columns: game.columns() as u8,
            rows: game.rows() as u8,
            connect: game.k() as u8,
            moves: join_moves(game, moves, "-"),
            winner,
            root: nodes.last().expect("a proof has a root").id,
            nodes: nodes.len() as u64,
        }
    }
}

/// A further line: a position, and how it goes on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Node {
    pub id: u64,
    // Unknown fields are refused there.
    #[serde(flatten)]
    pub kind: Kind,
}

/// Whose turn it is, and why the attacker wins. Windows are named by their ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum Kind {
    /// The attacker's turn: one or two stones complete a window.
    Win {
        #[serde(rename = "move")]
        turn: String,
        completes: String,
    },
    /// The attacker's turn: after these two stones it goes on at a node of the defender's.
    Or {
        #[serde(rename = "move")]
        turn: String,
        node: u64,
    },
    /// The defender's turn: a reply that leaves a threat alone loses to it, every other one is answered.
    And { threats: Vec<String>, replies: Vec<Reply>, others: Vec<Family> },
    /// The defender's turn: no reply hits all threats.
    Threats { threats: Vec<String> },
}

/// A reply, and the node of the attacker's that wins then.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// Two stones.
    #[serde(rename = "move")]
    pub turn: String,
    pub node: u64,
}

/// Replies of which a node of the attacker's wins against each.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// The stones that the defender is given, perhaps more than it can place.
    pub stones: String,
    /// How many of its stones are somewhere outside the zone of what follows.
    pub floats: u8,
    pub node: u64,
}

impl Family {
    /// The family of one reply alone.
    fn single(self) -> Result<Reply, Family> {
        // Two stones are four letters.
        match self {
            Family { stones, floats: 0, node } if stones.len() == 4 => Ok(Reply { turn: stones, node }),
            family => Err(family),
        }
    }
}

impl Kind {
    /// The defender's turn, each answer where the format wants it.
    #[must_use]
    pub fn defended(threats: Vec<String>, answers: Vec<Family>) -> Kind {
        if answers.is_empty() {
            return Kind::Threats { threats };
        }
        let (mut replies, mut others) = (Vec::new(), Vec::new());
        for family in answers {
            match family.single() {
                Ok(reply) => replies.push(reply),
                Err(family) => others.push(family),
            }
        }
        Kind::And { threats, replies, others }
    }

    /// The ids of the nodes where it goes on, to be renumbered for instance.
    pub fn children_mut(&mut self) -> Vec<&mut u64> {
        match self {
            Kind::Win { .. } | Kind::Threats { .. } => Vec::new(),
            Kind::Or { node, .. } => vec![node],
            Kind::And { replies, others, .. } => {
                let replies = replies.iter_mut().map(|reply| &mut reply.node);
                replies.chain(others.iter_mut().map(|family| &mut family.node)).collect()
            }
        }
    }
}
