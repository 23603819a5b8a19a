//! A proof as it was read: everything that a line names is there.

use crate::format::{FORMAT, Header, Node, Reply, VERSION};
use crate::windows::Shape;
use jl_game::Game;
use jl_games::connect6::{BadRules, Connect, Move, Position};
use std::collections::HashMap;

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
    /// One or two stones; none at a root where the defender is to move.
    pub turn: Vec<u16>,
    pub then: Then,
}

#[derive(Clone, Debug)]
pub(crate) enum Then {
    Completes(u16),
    Replies { threats: Vec<u16>, branches: Vec<Branch> },
}

#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub stones: Vec<u16>,
    pub floats: u8,
    /// The place of the node that wins.
    pub to: usize,
}

impl Step {
    pub fn branches(&self) -> &[Branch] {
        match &self.then {
            Then::Completes(_) => &[],
            Then::Replies { branches, .. } => branches,
        }
    }
}

/// Why a line can't belong to a proof.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    #[error("it is not UTF-8")]
    Encoding,
    #[error("{0}")]
    Json(String),
    #[error("the proof is '{0}', expected '{FORMAT}'")]
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
    #[error("node {0} has no move, and is not the last")]
    NoMove(u64),
    #[error("node {0} needs either 'completes', or 'threats' and 'replies'")]
    Incomplete(u64),
    #[error("a root without a move completes nothing")]
    NothingToComplete,
    #[error("{0} floating stones: at most 2")]
    Floats(u8),
    #[error("node {0} was on an earlier line")]
    Repeated(u64),
    #[error("node {0} is on no earlier line")]
    Unknown(u64),
    #[error("no line refers to node {0}, which is not the last")]
    Unused(u64),
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
        if header.proof != FORMAT {
            return Err(Problem::Format(header.proof));
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
        Ok(Builder { header, shape, moves, position, steps: vec![], places: HashMap::new(), used: vec![] })
    }

    pub fn add(&mut self, node: &Node) -> Result<(), Problem> {
        // Only the last node may lack a move, and this is the one before the next.
        if let Some(Step { id, .. }) = self.steps.last().filter(|step| step.turn.is_empty()) {
            return Err(Problem::NoMove(*id));
        }
        let then = self.then(node)?;
        let turn = node.turn.as_ref().map_or(Ok(Vec::new()), |text| self.turn(text))?;
        if turn.is_empty() && matches!(then, Then::Completes(_)) {
            return Err(Problem::NothingToComplete);
        }
        if self.places.insert(node.id, self.steps.len()).is_some() {
            return Err(Problem::Repeated(node.id));
        }
        self.steps.push(Step { id: node.id, turn, then });
        self.used.push(false);
        Ok(())
    }

    /// The proof, or the place of the node with which something is wrong.
    pub fn finish(self) -> Result<Proof, (usize, Problem)> {
        let Builder { header, shape, moves, position, steps, used, .. } = self;
        let found = steps.len() as u64;
        if found != header.nodes || found == 0 {
            return Err((steps.len(), Problem::Count { expected: header.nodes, found }));
        }
        if let Some(place) = used[..steps.len() - 1].iter().position(|used| !used) {
            return Err((place, Problem::Unused(steps[place].id)));
        }
        Ok(Proof { header, shape, moves, position, steps })
    }

    fn then(&mut self, node: &Node) -> Result<Then, Problem> {
        match (&node.completes, &node.threats, &node.replies) {
            (Some(window), None, None) => Ok(Then::Completes(self.window(window)?)),
            (None, Some(threats), Some(replies)) => Ok(Then::Replies {
                threats: threats.iter().map(|text| self.window(text)).collect::<Result<_, _>>()?,
                branches: replies.iter().map(|reply| self.branch(reply)).collect::<Result<_, _>>()?,
            }),
            _ => Err(Problem::Incomplete(node.id)),
        }
    }

    fn branch(&mut self, reply: &Reply) -> Result<Branch, Problem> {
        if reply.floats > 2 {
            return Err(Problem::Floats(reply.floats));
        }
        let to = *self.places.get(&reply.to).ok_or(Problem::Unknown(reply.to))?;
        self.used[to] = true;
        Ok(Branch { stones: self.cells(&reply.stones)?, floats: reply.floats, to })
    }

    fn cells(&self, text: &str) -> Result<Vec<u16>, Problem> {
        self.shape.read_cells(text).ok_or_else(|| Problem::Cells(text.into()))
    }

    fn turn(&self, text: &str) -> Result<Vec<u16>, Problem> {
        let cells = self.cells(text)?;
        if matches!(cells.len(), 1 | 2) { Ok(cells) } else { Err(Problem::Turn(text.into())) }
    }

    fn window(&self, text: &str) -> Result<u16, Problem> {
        let bad = || Problem::Window(text.into());
        let ends: [u16; 2] = self.cells(text)?.try_into().map_err(|_| bad())?;
        self.shape.window(ends).ok_or_else(bad)
    }
}
