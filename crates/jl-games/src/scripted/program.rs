//! The program of a script: it offers the moves of a node in their written order.

use super::{Node, Script};
use jl_game::reply::{Native, Next, Reply, join_moves};
use jl_game::{Answer, BadAnswer, Game, Grade, Program, Query, Status};
use jl_value::Outcome;

/// Asks a script's program. A query's words are the node's name and, if there are any, the prohibited names joined
/// by commas.
#[derive(Clone, Debug)]
pub struct ScriptedProgram {
    /// The answer line is that of our own programs, and is read as theirs.
    native: Native,
}

impl ScriptedProgram {
    #[must_use]
    pub fn new(name: impl Into<String>) -> ScriptedProgram {
        ScriptedProgram { native: Native::new(name, Vec::new()) }
    }
}

impl Program<Script> for ScriptedProgram {
    fn name(&self) -> &str {
        Program::<Script>::name(&self.native)
    }

    fn prepare(&self, query: &Query<'_, Script>) -> Vec<String> {
        let mut words = vec![query.game.node_name(*query.position).to_string()];
        if !query.prohibited.is_empty() {
            words.push(join_moves(query.game, query.prohibited, ","));
        }
        words
    }

    fn parse(&self, query: &Query<'_, Script>, output: &[String]) -> Result<Answer<Node>, BadAnswer> {
        self.native.parse(query, output)
    }

    fn draft(&self, query: &Query<'_, Script>, line: &str) -> Option<Answer<Node>> {
        self.native.draft(query, line)
    }
}

/// Moves that a program suggests besides the best.
const SUGGESTED: usize = 2;

impl Script {
    /// What the program prints when it is asked with these words, see [`ScriptedProgram`]: an answer line, or a
    /// line that says what is wrong with the words.
    #[must_use]
    pub fn answer(&self, words: &[String]) -> Vec<String> {
        let line = self.read_query(words).map(|(node, prohibited)| {
            serde_json::to_string(&self.reply(node, &prohibited)).expect("a reply has no maps or odd keys")
        });
        vec![line.unwrap_or_else(|why| format!("error: {why}"))]
    }

    /// What it may print before: the moves in the other order, the losing ones too. `None` where it has nothing to name.
    #[must_use]
    pub fn draft(&self, words: &[String]) -> Option<String> {
        let (node, prohibited) = self.read_query(words).ok()?;
        let name = |c: Node| self.node_name(c).to_string();
        let mut left = self.children(node).iter().copied().rev().filter(|c| !prohibited.contains(c));
        let first = left.next()?;
        let rate = |c: Node| (c.index() % 7) as f64 / 6.0;
        let draft = Reply {
            mv: Some(name(first)),
            status: Status::Stable.to_string(),
            win_rate: Some(rate(first)),
            line: Vec::new(),
            nodes: 0,
            defences: None,
            next: left.map(|c| Next { mv: name(c), win_rate: Some(rate(c)) }).collect(),
            draft: true,
        };
        Some(serde_json::to_string(&draft).expect("a reply has no maps or odd keys"))
    }

    fn read_query(&self, words: &[String]) -> Result<(Node, Vec<Node>), String> {
        let (name, prohibited) = match words {
            [name] => (name, ""),
            [name, prohibited] => (name, prohibited.as_str()),
            _ => return Err(format!("expected a node and its prohibited moves, read {} words", words.len())),
        };
        let named = |text: &str| self.parse_move(text).map_err(|e| e.to_string());
        let node = named(name)?;
        if self.outcome(&node).is_some() {
            return Err(format!("the game is over at {name}"));
        }
        let prohibited = prohibited.split(',').filter(|w| !w.is_empty()).map(|word| {
            let child = named(word)?;
            self.play(&node, child).map_err(|why| format!("'{word}' cannot be prohibited: {why}"))
        });
        Ok((node, prohibited.collect::<Result<_, String>>()?))
    }

    fn reply(&self, node: Node, prohibited: &[Node]) -> Reply {
        let loss = Status::of(Outcome::win_of(self.to_move(&node).opponent()));
        let mut remaining = self.children(node).iter().copied().filter(|c| !prohibited.contains(c));
        let all_lose = remaining.clone().all(|c| Status::of(self.minimax(c)) == loss);
        let offered = remaining.next().filter(|_| self.is_blind(node) || !all_lose);
        let name = |child: Node| self.node_name(child).to_string();
        let reply = |mv: Option<Node>, status: Status| Reply {
            mv: mv.map(name),
            status: status.to_string(),
            win_rate: None,
            line: Vec::new(),
            nodes: 0,
            defences: None,
            next: Vec::new(),
            draft: false,
        };
        let Some(child) = offered else { return reply(None, loss) };
        // A sure loss speaks of every remaining move, so it cannot be said of one that is merely the next: the
        // program says how bad it looks, and leaves the rest to whoever plays it.
        let status = match self.status(child) {
            status if status == loss => Status::Favours(self.to_move(&node).opponent(), Grade::Four),
            status => status,
        };
        let holds = |&c: &Node| c == child || Status::of(self.minimax(c)) != loss;
        let others = || remaining.clone();
        // It has an opinion of every other one, and a wild one.
        let rate = |c: Node| c.index().is_multiple_of(2).then(|| (c.index() % 11) as f64 / 10.0);
        let suggestion = |c: Node| Next { mv: name(c), win_rate: rate(c) };
        let defences = || [child].into_iter().chain(others().filter(holds)).map(name).collect();
        let next =
            if self.suggests(node) { others().take(SUGGESTED).map(suggestion).collect() } else { Vec::new() };
        Reply { defences: self.is_listed(node).then(defences), next, ..reply(Some(child), status) }
    }
}
