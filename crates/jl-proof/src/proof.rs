//! A proof as it was read: everything that a line names is there.

use crate::format::{FORMAT, Family, Header, Kind, Node, Reply, VERSION};
use crate::windows::Shape;
use jl_game::Game;
use jl_games::connect6::{BadRules, Connect, Move, Position};
use std::collections::HashMap;
use std::fmt;

/// A position, and the nodes that prove who wins it. Whether they do is for [`crate::check()`] to say.
#[derive(Clone, Debug)]
pub struct Proof {
    pub(crate) header: Header,
    pub(crate) shape: Shape,
    pub(crate) moves: Vec<Move>,
    pub(crate) position: Position,
    /// Children before parents, the root last.
    pub(crate) steps: Vec<Step>,
}

/// A node, with cells, windows and children by their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub id: u64,
    pub turn: Turn,
}

/// Whose turn it is. Children are given by their places.
#[derive(Clone, Debug)]
pub(crate) enum Turn {
    Win {
        stones: Vec<u16>,
        window: u16,
    },
    Or {
        stones: [u16; 2],
        then: usize,
    },
    /// Without branches the threats alone win.
    And {
        threats: Vec<u16>,
        branches: Vec<Branch>,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub stones: Vec<u16>,
    pub floats: u8,
    /// The place of the node that wins.
    pub to: usize,
}

impl Step {
    /// The stones that the attacker plays.
    pub fn stones(&self) -> &[u16] {
        match &self.turn {
            Turn::Win { stones, .. } => stones,
            Turn::Or { stones, .. } => stones,
            Turn::And { .. } => &[],
        }
    }

    pub fn branches(&self) -> &[Branch] {
        match &self.turn {
            Turn::And { branches, .. } => branches,
            Turn::Win { .. } | Turn::Or { .. } => &[],
        }
    }

    pub fn children(&self) -> impl Iterator<Item = usize> {
        let then = if let Turn::Or { then, .. } = self.turn { Some(then) } else { None };
        then.into_iter().chain(self.branches().iter().map(|b| b.to))
    }

    pub fn mover(&self) -> Mover {
        match self.turn {
            Turn::Win { .. } | Turn::Or { .. } => Mover::Attacker,
            Turn::And { .. } => Mover::Defender,
        }
    }
}

/// Who is to move at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mover {
    Attacker,
    Defender,
}

impl fmt::Display for Mover {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Mover::Attacker => "attacker",
            Mover::Defender => "defender",
        })
    }
}

/// Why a line can't belong to a proof.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    #[error("it is not UTF-8")]
    Encoding,
    #[error("{0}")]
    Json(String),
    #[error("the format is '{0}', expected '{FORMAT}'")]
    Format(String),
    #[error("the version is {0}, expected {VERSION}")]
    Version(u32),
    #[error("{0}")]
    Rules(#[from] BadRules),
    #[error("{0} in a row: it must be 3 or more")]
    ShortRow(u8),
    #[error("the game is '{found}', expected '{expected}' for these rules")]
    Game { found: String, expected: &'static str },
    #[error("{0}")]
    Moves(String),
    #[error("the position has no stones; the first turn is unlike the others")]
    NoStones,
    #[error("the game is over after these moves")]
    GameOver,
    #[error("'{0}' is not a row of cells on the board, in letter pairs")]
    Cells(String),
    #[error("'{0}' is not a move of one or two stones")]
    Turn(String),
    #[error("'{0}' is not a window, by its first and last cell")]
    Window(String),
    #[error("'{0}' is not a move of two stones")]
    TwoStones(String),
    #[error("node {0} has neither replies nor others; its type is 'threats'")]
    NoBranch(u64),
    #[error("at node {node} it is not the {expected}'s turn")]
    Mover { node: u64, expected: Mover },
    #[error("{0} floating stones: at most 2")]
    Floats(u8),
    #[error("node {0} was on an earlier line")]
    Repeated(u64),
    #[error("node {0} is on no earlier line")]
    Unknown(u64),
    #[error("no line refers to node {0}, which is not the last")]
    Unused(u64),
    #[error("node {found} is the last, but the header's root is {expected}")]
    Root { expected: u64, found: u64 },
    #[error("the header says {expected} nodes, there are {found}")]
    Count { expected: u64, found: u64 },
    #[error("there is no header")]
    NoHeader,
}

impl Proof {
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    #[must_use]
    pub fn game(&self) -> &Connect {
        self.shape.game()
    }

    /// What is proved about.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves that lead there.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }
}

/// Puts a proof together, line by line.
pub(crate) struct Builder {
    header: Header,
    shape: Shape,
    moves: Vec<Move>,
    position: Position,
    steps: Vec<Step>,
    places: HashMap<u64, usize>,
    used: Vec<bool>,
}

impl Builder {
    pub fn new(header: Header) -> Result<Builder, Problem> {
        if header.format != FORMAT {
            return Err(Problem::Format(header.format));
        }
        if header.version != VERSION {
            return Err(Problem::Version(header.version));
        }
        if header.connect < 3 {
            return Err(Problem::ShortRow(header.connect));
        }
        let game = Connect::new(header.columns, header.rows, header.connect, 2, 1)?;
        if header.game != game.name() {
            return Err(Problem::Game { found: header.game, expected: game.name() });
        }
        let (moves, position) = game.replay(&header.moves).map_err(|e| Problem::Moves(e.to_string()))?;
        if moves.is_empty() {
            return Err(Problem::NoStones);
        }
        if game.outcome(&position).is_some() {
            return Err(Problem::GameOver);
        }
        let shape = Shape::new(game);
        // The rules read other notations too; the format has one.
        let is_pairs = |mv: &str| shape.read_cells(mv).is_some_and(|cells| !cells.is_empty());
        if let Some(mv) = header.moves.split('-').find(|mv| !is_pairs(mv)) {
            return Err(Problem::Cells(mv.into()));
        }
        Ok(Builder { header, shape, moves, position, steps: vec![], places: HashMap::new(), used: vec![] })
    }

    pub fn add(&mut self, node: &Node) -> Result<(), Problem> {
        let turn = self.turn(node)?;
        if self.places.insert(node.id, self.steps.len()).is_some() {
            return Err(Problem::Repeated(node.id));
        }
        self.steps.push(Step { id: node.id, turn });
        self.used.push(false);
        Ok(())
    }

    /// The proof, or the place of the node with which something is wrong.
    pub fn finish(self) -> Result<Proof, (usize, Option<u64>, Problem)> {
        let Builder { header, shape, moves, position, steps, used, .. } = self;
        let found = steps.len() as u64;
        if found != header.nodes || found == 0 {
            return Err((steps.len(), None, Problem::Count { expected: header.nodes, found }));
        }
        let last = steps.len() - 1;
        if steps[last].id != header.root {
            let found = steps[last].id;
            return Err((last, Some(found), Problem::Root { expected: header.root, found }));
        }
        if let Some(place) = used[..last].iter().position(|used| !used) {
            return Err((place, Some(steps[place].id), Problem::Unused(steps[place].id)));
        }
        Ok(Proof { header, shape, moves, position, steps })
    }

    fn turn(&mut self, node: &Node) -> Result<Turn, Problem> {
        match &node.kind {
            Kind::Win { turn, completes } => {
                Ok(Turn::Win { stones: self.one_or_two(turn)?, window: self.window(completes)? })
            }
            Kind::Or { turn, node } => {
                Ok(Turn::Or { stones: self.two(turn)?, then: self.child(*node, Mover::Defender)? })
            }
            Kind::And { replies, others, .. } if replies.is_empty() && others.is_empty() => {
                Err(Problem::NoBranch(node.id))
            }
            Kind::And { threats, replies, others } => {
                let mut branches = Vec::with_capacity(replies.len() + others.len());
                for reply in replies {
                    branches.push(self.reply(reply)?);
                }
                for family in others {
                    branches.push(self.family(family)?);
                }
                Ok(Turn::And { threats: self.windows(threats)?, branches })
            }
            Kind::Threats { threats } => {
                Ok(Turn::And { threats: self.windows(threats)?, branches: Vec::new() })
            }
        }
    }

    fn reply(&mut self, reply: &Reply) -> Result<Branch, Problem> {
        let stones = self.two(&reply.turn)?.into();
        Ok(Branch { stones, floats: 0, to: self.child(reply.node, Mover::Attacker)? })
    }

    fn family(&mut self, family: &Family) -> Result<Branch, Problem> {
        if family.floats > 2 {
            return Err(Problem::Floats(family.floats));
        }
        let stones = self.cells(&family.stones)?;
        Ok(Branch { stones, floats: family.floats, to: self.child(family.node, Mover::Attacker)? })
    }

    /// The place of a node on an earlier line.
    fn child(&mut self, id: u64, expected: Mover) -> Result<usize, Problem> {
        let place = *self.places.get(&id).ok_or(Problem::Unknown(id))?;
        if self.steps[place].mover() != expected {
            return Err(Problem::Mover { node: id, expected });
        }
        self.used[place] = true;
        Ok(place)
    }

    fn cells(&self, text: &str) -> Result<Vec<u16>, Problem> {
        self.shape.read_cells(text).ok_or_else(|| Problem::Cells(text.into()))
    }

    fn one_or_two(&self, text: &str) -> Result<Vec<u16>, Problem> {
        let cells = self.cells(text)?;
        if matches!(cells.len(), 1 | 2) { Ok(cells) } else { Err(Problem::Turn(text.into())) }
    }

    fn two(&self, text: &str) -> Result<[u16; 2], Problem> {
        self.cells(text)?.try_into().map_err(|_| Problem::TwoStones(text.into()))
    }

    fn windows(&self, texts: &[String]) -> Result<Vec<u16>, Problem> {
        texts.iter().map(|text| self.window(text)).collect()
    }

    fn window(&self, text: &str) -> Result<u16, Problem> {
        let bad = || Problem::Window(text.into());
        let ends: [u16; 2] = self.cells(text)?.try_into().map_err(|_| bad())?;
        self.shape.window(ends).ok_or_else(bad)
    }
}
