//! Scripts as text. The format is described in the parent module.

use super::{Entry, Node, Script, evaluate};
use jl_game::Status;
use jl_value::{Outcome, Player};
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

/// A line that could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line} '{text}': {problem}")]
pub struct ScriptError {
    /// From 1.
    pub line: usize,
    pub text: String,
    pub problem: Problem,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    #[error("the script is empty, expected a root line: a name, and `second` if that player moves")]
    NoRoot,
    #[error("expected {expected} spaces before the name, read {read:?}")]
    Indentation { expected: String, read: String },
    #[error("expected no lines below a transposition; they belong below the node itself")]
    BelowTransposition,
    #[error("'{0}' is not a name, expected letters, digits, _ and '")]
    NotAName(String),
    #[error("the name '{name}' is taken by line {line}, expected a new one, or ={name} for a transposition")]
    NameTaken { name: String, line: usize },
    #[error("'{0}' was not expected: a status, `blind`, or a result `first`, `second` or `draw`, each once")]
    Word(String),
    #[error(
        "'{0}' was not expected: the root has only a name, `first` or `second` for who moves, and `blind`"
    )]
    RootWord(String),
    #[error("'{0}' was not expected: a transposition is only = and a name")]
    TranspositionWord(String),
    #[error("no node is named '{0}', expected one that is defined on its own line")]
    UnknownNode(String),
    #[error("'{0}' is already a move here, expected each move once")]
    MoveTwice(String),
    #[error("at '{name}' the {mover} player moves, expected a node where the {} player does", .mover.opponent())]
    WrongMover { name: String, mover: Player },
    #[error("'{0}' leads back to this line, expected a tree without cycles")]
    Cycle(String),
    #[error("no move follows, expected a result: `first`, `second` or `draw`")]
    NoResult,
    #[error("the game ends here, expected no `{0}`")]
    ProgramAtEnd(&'static str),
    #[error("the root has no moves, expected at least one")]
    NoMoves,
    #[error("the game ends here, expected no moves below")]
    MovesAfterEnd,
    #[error("the sure status {claim} is false, expected {truth} or a graded one")]
    FalseClaim { claim: Status, truth: Status },
}

/// A node's line: the entry so far, and what can only be understood once all lines are read.
struct Draft<'a> {
    entry: Entry,
    line: usize,
    text: &'a str,
    children: Vec<Child<'a>>,
    /// The words `first`, `second` and `draw`: a result at the end of the game, else the latter is a status.
    ends: Vec<Outcome>,
    status: Option<Status>,
}

enum Child<'a> {
    Defined(Node),
    Transposition { name: &'a str, line: usize, text: &'a str },
}

fn error<T>(line: usize, text: &str, problem: Problem) -> Result<T, ScriptError> {
    Err(ScriptError { line, text: text.trim().into(), problem })
}

impl FromStr for Script {
    type Err = ScriptError;

    fn from_str(text: &str) -> Result<Script, ScriptError> {
        let mut drafts = read_lines(text)?;
        link(&mut drafts)?;
        for draft in &mut drafts {
            settle(draft)?;
        }
        let mut entries: Vec<Entry> = drafts.iter().map(|d| d.entry.clone()).collect();
        if !evaluate(&mut entries) {
            return Err(find_cycle(&drafts, &entries));
        }
        for (draft, entry) in drafts.iter().zip(&entries) {
            let truth = Status::of(entry.value);
            if entry.status.outcome().is_some_and(|claim| claim != entry.value) {
                return error(draft.line, draft.text, Problem::FalseClaim { claim: entry.status, truth });
            }
        }
        Ok(Script::new(entries))
    }
}

/// Reads each line by itself and finds its parent by the indentation.
fn read_lines(text: &str) -> Result<Vec<Draft<'_>>, ScriptError> {
    let mut drafts: Vec<Draft> = Vec::new();
    let mut names: HashMap<&str, usize> = HashMap::new();
    // The last node of every level above the next line; `None` stands for a transposition.
    let mut path: Vec<Option<Node>> = Vec::new();
    for (line, raw) in (1..).zip(text.lines()) {
        let content = raw.split('#').next().unwrap_or_default();
        let Some(first) = content.split_whitespace().next() else { continue };
        let indent = &content[..content.len() - content.trim_start().len()];
        let depth = indent.len() / 2;
        if indent.len() % 2 != 0
            || indent.contains(|c| c != ' ')
            || depth > path.len()
            || (depth == 0) != path.is_empty()
        {
            let expected = match path.len() {
                0 => "no".into(),
                1 => "2".into(),
                deepest => format!("2, 4, … or {}", 2 * deepest),
            };
            return error(line, raw, Problem::Indentation { expected, read: indent.into() });
        }
        path.truncate(depth);
        let parent = match path.last() {
            None => None,
            Some(Some(parent)) => Some(*parent),
            Some(None) => return error(line, raw, Problem::BelowTransposition),
        };
        if let (Some(name), Some(parent)) = (first.strip_prefix('='), parent) {
            if let Some(word) = content.split_whitespace().nth(1) {
                return error(line, raw, Problem::TranspositionWord(word.into()));
            }
            drafts[parent.index()].children.push(Child::Transposition { name, line, text: raw });
            path.push(None);
            continue;
        }
        if !first.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '\'') {
            return error(line, raw, Problem::NotAName(first.into()));
        }
        if let Some(earlier) = names.insert(first, line) {
            return error(line, raw, Problem::NameTaken { name: first.into(), line: earlier });
        }
        let node = Node(drafts.len() as u32);
        let mover = parent.map(|p| drafts[p.index()].entry.mover.opponent());
        let draft = read_words(line, raw, content, parent, mover)?;
        drafts.push(draft);
        if let Some(parent) = parent {
            drafts[parent.index()].children.push(Child::Defined(node));
        }
        path.push(Some(node));
    }
    if drafts.is_empty() { error(1, "", Problem::NoRoot) } else { Ok(drafts) }
}

/// `mover` is `None` at the root, whose line says it.
fn read_words<'a>(
    line: usize,
    text: &'a str,
    content: &'a str,
    parent: Option<Node>,
    mover: Option<Player>,
) -> Result<Draft<'a>, ScriptError> {
    let (mut ends, mut status) = (Vec::new(), None);
    let (mut blind, mut listed, mut suggests) = (false, false, false);
    let mut words = content.split_whitespace();
    let name = words.next().unwrap_or_default().to_string();
    for word in words {
        let end = match word {
            "first" => Some(Outcome::FirstWins),
            "second" => Some(Outcome::SecondWins),
            "draw" => Some(Outcome::Draw),
            _ => None,
        };
        let is_root = mover.is_none();
        match (end, word.parse::<Status>()) {
            (Some(end), _) if ends.is_empty() && !(is_root && end == Outcome::Draw) => ends.push(end),
            (None, Ok(read)) if status.is_none() && !is_root => status = Some(read),
            (None, Err(_)) if word == "blind" && !blind => blind = true,
            (None, Err(_)) if word == "listed" && !listed => listed = true,
            (None, Err(_)) if word == "suggests" && !suggests => suggests = true,
            _ if is_root => return error(line, text, Problem::RootWord(word.into())),
            _ => return error(line, text, Problem::Word(word.into())),
        }
    }
    let root_mover = |ends: &mut Vec<Outcome>| ends.pop().and_then(Outcome::winner).unwrap_or(Player::First);
    let mover = mover.unwrap_or_else(|| root_mover(&mut ends));
    let entry = Entry {
        name,
        parent,
        children: Vec::new(),
        mover,
        status: Status::Stable,
        result: None,
        blind,
        listed,
        suggests,
        value: Outcome::Draw,
    };
    Ok(Draft { entry, line, text, children: Vec::new(), ends, status })
}

/// Finds the nodes that transpositions name.
fn link(drafts: &mut [Draft]) -> Result<(), ScriptError> {
    let by_name: HashMap<String, Node> =
        drafts.iter().zip(0..).map(|(d, i)| (d.entry.name.clone(), Node(i))).collect();
    for parent in 0..drafts.len() {
        let mut children = Vec::new();
        for child in &drafts[parent].children {
            let (node, line, text) = match *child {
                Child::Defined(node) => (node, drafts[node.index()].line, drafts[node.index()].text),
                Child::Transposition { name, line, text } => match by_name.get(name) {
                    Some(&node) => (node, line, text),
                    None => return error(line, text, Problem::UnknownNode(name.into())),
                },
            };
            let target = &drafts[node.index()].entry;
            let name = target.name.clone();
            if target.mover == drafts[parent].entry.mover {
                return error(line, text, Problem::WrongMover { name, mover: target.mover });
            }
            if children.contains(&node) {
                return error(line, text, Problem::MoveTwice(name));
            }
            children.push(node);
        }
        drafts[parent].entry.children = children;
    }
    Ok(())
}

/// Decides what `first`, `second` and `draw` mean, now that it is known whether moves follow.
fn settle(draft: &mut Draft) -> Result<(), ScriptError> {
    let fail = |problem| error(draft.line, draft.text, problem);
    let end = draft.ends.pop();
    let entry = &mut draft.entry;
    if entry.children.is_empty() {
        if entry.parent.is_none() {
            return fail(Problem::NoMoves);
        }
        let Some(result) = end else { return fail(Problem::NoResult) };
        let words = [(entry.blind, "blind"), (entry.listed, "listed"), (entry.suggests, "suggests")];
        if let Some((_, word)) = words.into_iter().find(|(said, _)| *said) {
            return fail(Problem::ProgramAtEnd(word));
        }
        entry.result = Some(result);
        entry.status = draft.status.unwrap_or(Status::of(result));
    } else {
        entry.status = match (end, draft.status) {
            (None, status) => status.unwrap_or(Status::Stable),
            (Some(Outcome::Draw), None) => Status::Draw,
            (Some(Outcome::Draw), Some(_)) => return fail(Problem::Word("draw".into())),
            (Some(_), _) => return fail(Problem::MovesAfterEnd),
        };
    }
    Ok(())
}

/// The first transposition from which its own line can be reached.
fn find_cycle(drafts: &[Draft], entries: &[Entry]) -> ScriptError {
    let reaches = |from: Node, to: Node| {
        let (mut seen, mut open) = (vec![false; entries.len()], vec![from]);
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node.index()], true) {
                open.extend(&entries[node.index()].children);
            }
        }
        seen[to.index()]
    };
    for (draft, parent) in drafts.iter().zip(0..) {
        for (child, &node) in draft.children.iter().zip(&draft.entry.children) {
            if let Child::Transposition { name, line, text } = *child
                && reaches(node, Node(parent))
            {
                return ScriptError { line, text: text.trim().into(), problem: Problem::Cycle(name.into()) };
            }
        }
    }
    unreachable!("definitions alone form a tree, so every cycle passes a transposition")
}

/// The text of a script reads as the same script.
impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A stack of (depth, parent, node), not recursion: scripts may be deep.
        let mut open = vec![(0, None, Node::ROOT)];
        while let Some((depth, parent, node)) = open.pop() {
            let entry = self.entry(node);
            write!(f, "{:1$}", "", 2 * depth)?;
            if entry.parent != parent {
                writeln!(f, "={}", entry.name)?;
                continue;
            }
            f.write_str(&entry.name)?;
            if parent.is_none() && entry.mover == Player::Second {
                f.write_str(" second")?;
            }
            let default = entry.result.map_or(Status::Stable, Status::of);
            if entry.status != default {
                write!(f, " {}", entry.status)?;
            }
            match entry.result {
                None => {}
                Some(Outcome::FirstWins) => f.write_str(" first")?,
                Some(Outcome::SecondWins) => f.write_str(" second")?,
                Some(Outcome::Draw) => f.write_str(" draw")?,
            }
            f.write_str(if entry.blind { " blind" } else { "" })?;
            f.write_str(if entry.listed { " listed" } else { "" })?;
            f.write_str(if entry.suggests { " suggests\n" } else { "\n" })?;
            open.extend(entry.children.iter().rev().map(|&child| (depth + 1, Some(node), child)));
        }
        Ok(())
    }
}
