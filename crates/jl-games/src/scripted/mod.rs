//! The scripted game: a tree written out by hand, for tests of how a search behaves.
//!
//! One node per line, two spaces of indentation per level. A node's name is also the move that leads to it.
//!
//! ```text
//! # From a hash sign to the end of a line, and blank lines, are skipped.
//! r second           # the root: a name, who moves (`first` unless it says `second`)
//!   a B2             # the move `a`; the program says B2 of the position after it
//!     b first        # `first` | `second` | `draw`: the game ends here with this result
//!     c draw
//!   d W1 blind       # `blind`: the program does not notice that all remaining moves lose, until none remains
//!     e second
//!     =b             # the node `b`, defined elsewhere: a transposition
//!   f W1 listed      # `listed`: the program names all remaining moves that do not lose
//!     g draw
//!     h second
//!   i W1 suggests    # `suggests`: the program names the two moves that it would answer next
//!     j draw
//! ```
//!
//! Names are words of letters, digits, `_` and `'`. Players alternate from level to level, and a transposition must
//! have the same mover at both places. A node without a status is evaluated as `stable`, or for sure if the game
//! ends there. A node with moves may claim a sure status (`B:w`, `W:w`, `draw`); since a program's sure words must
//! be right, a claim that minimax does not confirm is an error.
//!
//! [`Script`] is the [`Game`], [`ScriptedProgram`] how its program is asked, [`Script::answer`] the program itself.
//! [`Script::random`] draws trees with a known value.
//!
//! ```
//! use jl_game::Game;
//! use jl_games::scripted::Script;
//! use jl_value::Outcome;
//!
//! let script: Script = "r\n  a W2\n    b first\n  c draw\n".parse().unwrap();
//! assert_eq!(script.root_value(), Outcome::FirstWins);
//! let a = script.parse_move("a").unwrap();
//! assert_eq!(script.answer(&["r".into()])[0], r#"{"move":"a","status":"W2","nodes":0}"#);
//! assert_eq!(script.minimax(a), Outcome::FirstWins);
//! ```

mod program;
mod random;
mod text;

use jl_game::{Game, GameError, Key, Status};
use jl_value::{Outcome, Player};
use std::collections::HashMap;
use std::sync::Arc;

pub use program::ScriptedProgram;
pub use random::RandomScript;
pub use text::{Problem, ScriptError};

/// A node of a script: a position, and the move that leads there. Numbered in the order of the lines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Node(u32);

impl Node {
    pub const ROOT: Node = Node(0);

    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A parsed script. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    tree: Arc<Tree>,
}

#[derive(PartialEq, Eq, Debug)]
struct Tree {
    entries: Vec<Entry>,
    by_name: HashMap<String, Node>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    name: String,
    /// Where the node is defined; its other parents refer to it.
    parent: Option<Node>,
    children: Vec<Node>,
    mover: Player,
    /// What the program says of this node, when it offers the move that leads here.
    status: Status,
    /// `Some` if and only if there are no children.
    result: Option<Outcome>,
    blind: bool,
    listed: bool,
    suggests: bool,
    value: Outcome,
}

impl Script {
    /// The value of `node` if both play their best.
    #[must_use]
    pub fn minimax(&self, node: Node) -> Outcome {
        self.entry(node).value
    }

    #[must_use]
    pub fn root_value(&self) -> Outcome {
        self.minimax(Node::ROOT)
    }

    /// Every node, the root first.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        (0..self.tree.entries.len() as u32).map(Node)
    }

    #[must_use]
    pub fn node(&self, name: &str) -> Option<Node> {
        self.tree.by_name.get(name).copied()
    }

    #[must_use]
    pub fn node_name(&self, node: Node) -> &str {
        &self.entry(node).name
    }

    /// The moves at `node`, in the order in which the program offers them.
    #[must_use]
    pub fn children(&self, node: Node) -> &[Node] {
        &self.entry(node).children
    }

    /// What the program says of the position `node`.
    #[must_use]
    pub fn status(&self, node: Node) -> Status {
        self.entry(node).status
    }

    #[must_use]
    pub fn is_blind(&self, node: Node) -> bool {
        self.entry(node).blind
    }

    #[must_use]
    pub fn is_listed(&self, node: Node) -> bool {
        self.entry(node).listed
    }

    #[must_use]
    pub fn suggests(&self, node: Node) -> bool {
        self.entry(node).suggests
    }

    fn entry(&self, node: Node) -> &Entry {
        &self.tree.entries[node.index()]
    }

    /// The entries must be valid: names unique, numbered in the order of the lines, values computed.
    fn new(entries: Vec<Entry>) -> Script {
        let by_name = entries.iter().zip(0..).map(|(entry, i)| (entry.name.clone(), Node(i))).collect();
        Script { tree: Arc::new(Tree { entries, by_name }) }
    }
}

/// Sets every value by minimax. `false` if the graph has a cycle, and then the values mean nothing.
fn evaluate(entries: &mut [Entry]) -> bool {
    let mut parents_left = vec![0; entries.len()];
    for child in entries.iter().flat_map(|entry| &entry.children) {
        parents_left[child.index()] += 1;
    }
    let mut order = vec![Node::ROOT];
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        for &child in &entries[node.index()].children {
            parents_left[child.index()] -= 1;
            if parents_left[child.index()] == 0 {
                order.push(child);
            }
        }
        next += 1;
    }
    for &node in order.iter().rev() {
        let entry = &entries[node.index()];
        let values = entry.children.iter().map(|child| entries[child.index()].value);
        let best = values.reduce(|a, b| a.better_for(entry.mover, b));
        entries[node.index()].value = entry.result.or(best).expect("a node without children has a result");
    }
    order.len() == entries.len()
}

impl Game for Script {
    type Position = Node;
    type Move = Node;
    type Symmetry = ();

    fn name(&self) -> &'static str {
        "scripted"
    }

    fn initial(&self) -> Node {
        Node::ROOT
    }

    fn to_move(&self, position: &Node) -> Player {
        self.entry(*position).mover
    }

    fn play(&self, position: &Node, mv: Node) -> Result<Node, String> {
        if self.children(*position).contains(&mv) {
            Ok(mv)
        } else if self.outcome(position).is_some() {
            Err(format!("the game is over at {}", self.node_name(*position)))
        } else {
            Err(format!("the moves at {} are {}", self.node_name(*position), self.names_below(*position)))
        }
    }

    fn outcome(&self, position: &Node) -> Option<Outcome> {
        self.entry(*position).result
    }

    fn legal_moves(&self, position: &Node) -> Vec<Node> {
        self.children(*position).to_vec()
    }

    fn code(&self, mv: Node) -> u32 {
        mv.0
    }

    fn decode(&self, code: u32) -> Option<Node> {
        ((code as usize) < self.tree.entries.len()).then_some(Node(code))
    }

    fn format_move(&self, mv: Node) -> String {
        self.node_name(mv).into()
    }

    fn parse_move(&self, text: &str) -> Result<Node, GameError> {
        let why = || "the script has no node of this name".into();
        self.node(text).ok_or_else(|| GameError::NotAMove {
            game: self.name(),
            text: text.into(),
            why: why(),
        })
    }

    fn canonical(&self, position: &Node) -> (Key, ()) {
        (Key::from(position.0) + 1, ())
    }

    fn map_move(&self, (): (), mv: Node) -> Node {
        mv
    }

    fn map_position(&self, (): (), position: &Node) -> Node {
        *position
    }

    fn symmetries(&self) -> &'static [()] {
        &[()]
    }

    fn show(&self, position: &Node) -> String {
        let name = self.node_name(*position);
        match self.outcome(position) {
            None => format!("{name}: {} to move: {}\n", self.to_move(position), self.names_below(*position)),
            Some(outcome) => match outcome.winner() {
                Some(player) => format!("{name}: {player} has won\n"),
                None => format!("{name}: a draw\n"),
            },
        }
    }
}

impl Script {
    fn names_below(&self, node: Node) -> String {
        self.children(node).iter().map(|&c| self.node_name(c)).collect::<Vec<_>>().join(" ")
    }
}
