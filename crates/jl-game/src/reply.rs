//! The dialogue with our own programs: `--moves a1-b2 --prohibit c3` in, one JSON line out.
//!
//! ```text
//! {"move":"b2","status":"B2","win_rate":0.68,"line":["b2","a1"],"nodes":812}
//! {"move":"b2","status":"W1","defences":["b2","a1"]}   every move that is not prohibited and not one of these loses
//! {"move":"b2","status":"B2","next":[{"move":"a1","win_rate":0.6}]}   what it would answer if b2 were prohibited
//! {"move":null,"status":"W:w"}                         every move outside the prohibited ones loses (first player to move)
//! {"move":"b2","status":"B1","next":[…],"draft":true}  not the answer yet: what it thinks after a first look
//! ```
//!
//! The last line of the output that starts with `{` is the answer; lines before it are drafts and progress. [`Native`] is the
//! [`Program`] that speaks this for any game.

use crate::{Answer, Assessment, BadAnswer, Effort, Game, Others, Program, Query, Symmetry};
use jl_value::Outcome;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The answer line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reply {
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Of the position after the move, as [`crate::Status`] is written.
    pub status: String,
    /// Of the first player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win_rate: Option<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    #[serde(default)]
    pub nodes: u64,
    /// The moves outside the prohibited ones that may avoid a loss, `mv` among them, if all others are known to lose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defences: Option<Vec<String>>,
    /// Further moves, the best first: what it expects to answer once the move is prohibited.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<Next>,
    /// The answer comes later.
    #[serde(default, skip_serializing_if = "is_false")]
    pub draft: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// A move that would be answered next.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Next {
    #[serde(rename = "move")]
    pub mv: String,
    /// Of the first player, after the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win_rate: Option<f64>,
}

/// A program of our own, or one that speaks like it.
#[derive(Clone, Debug)]
pub struct Native {
    name: String,
    /// Words added to every query: a seed, say.
    options: Vec<String>,
    effort: Effort,
}

impl Native {
    #[must_use]
    pub fn new(name: impl Into<String>, options: Vec<String>) -> Native {
        Native { name: name.into(), options, effort: Effort::default() }
    }

    /// For a program that takes `--nodes` and `--time`.
    #[must_use]
    pub fn with_effort(self, effort: Effort) -> Native {
        Native { effort, ..self }
    }

    /// The words that say neither position nor prohibited moves.
    fn terms_of<G: Game>(&self, query: &Query<'_, G>) -> Vec<String> {
        // The last of a word that is given twice counts, and the user's are to count.
        let mut words = self.effort.at(query.children).words();
        words.extend_from_slice(&self.options);
        words
    }
}

impl Reply {
    /// The same of the mapped position; `None` if a move that counts is none. A line that can't be read is left out.
    #[must_use]
    pub fn mapped<G: Game>(self, game: &G, symmetry: G::Symmetry) -> Option<Reply> {
        let map = |text: &String| {
            let mv = game.parse_move(text).ok()?;
            Some(game.format_move(game.map_move(symmetry, mv)))
        };
        let all = |moves: &Vec<String>| moves.iter().map(map).collect::<Option<Vec<_>>>();
        Some(Reply {
            mv: match &self.mv {
                None => None,
                Some(text) => Some(map(text)?),
            },
            line: all(&self.line).unwrap_or_default(),
            defences: match &self.defences {
                None => None,
                Some(moves) => Some(all(moves)?),
            },
            next: {
                let next = |n: &Next| Some(Next { mv: map(&n.mv)?, ..*n });
                self.next.iter().map(next).collect::<Option<_>>()?
            },
            ..self
        })
    }
}

/// The line that answers: the last one that starts with `{`.
fn answer_line(output: &[String]) -> Option<&String> {
    output.iter().rfind(|l| l.starts_with('{'))
}

/// A move list as one word.
#[must_use]
pub fn join_moves<G: Game>(game: &G, moves: &[G::Move], separator: &str) -> String {
    moves.iter().map(|&m| game.format_move(m)).collect::<Vec<_>>().join(separator)
}

/// At most the first 120 characters of a line, to be quoted in a message.
#[must_use]
pub fn excerpt(line: &str) -> String {
    match line.char_indices().nth(120) {
        None => format!("'{line}'"),
        Some((cut, _)) => format!("'{}…'", &line[..cut]),
    }
}

impl<G: Game> Program<G> for Native {
    fn name(&self) -> &str {
        &self.name
    }

    fn prepare(&self, query: &Query<'_, G>) -> Vec<String> {
        let mut words = self.terms_of(query);
        if !query.moves.is_empty() {
            words.extend(["--moves".into(), join_moves(query.game, query.moves, "-")]);
        }
        if !query.prohibited.is_empty() {
            words.extend(["--prohibit".into(), join_moves(query.game, query.prohibited, ",")]);
        }
        words
    }

    fn time_limit(&self, query: &Query<'_, G>) -> Option<Duration> {
        self.effort.at(query.children).patience()
    }

    fn parse(&self, query: &Query<'_, G>, output: &[String]) -> Result<Answer<G::Move>, BadAnswer> {
        let Some(line) = answer_line(output) else {
            return Err(BadAnswer(match output.last() {
                None => "the program printed nothing".into(),
                Some(last) => format!("no answer line; the last line read was {}", excerpt(last)),
            }));
        };
        read_line(query, line, false)
    }

    fn draft(&self, query: &Query<'_, G>, line: &str) -> Option<Answer<G::Move>> {
        // Most lines are none: they need not be read.
        if !line.starts_with('{') || !line.contains("\"draft\"") {
            return None;
        }
        read_line(query, line, true).ok()
    }

    fn terms(&self, query: &Query<'_, G>) -> Option<String> {
        Some(self.terms_of(query).join(" "))
    }

    /// Of what is mapped only answers and drafts are left: other lines and fields may hold moves that nobody would find there.
    fn map_output(&self, game: &G, symmetry: G::Symmetry, output: &[String]) -> Option<Vec<String>> {
        if symmetry == G::Symmetry::IDENTITY {
            return Some(output.to_vec());
        }
        let answer = answer_line(output)?;
        let replies = output.iter().filter(|l| l.starts_with('{'));
        let mapped = |line: &String| {
            let reply: Reply = serde_json::from_str(line).ok()?;
            let line = serde_json::to_string(&reply.mapped(game, symmetry)?);
            Some(line.expect("a reply has a JSON form"))
        };
        // A draft that can't be read is left out; without the answer there is nothing.
        let last = mapped(answer)?;
        let drafts = replies.filter(|l| !std::ptr::eq(*l, answer)).filter_map(mapped);
        Some(drafts.chain([last]).collect())
    }
}

/// Reads an answer, or a draft.
fn read_line<G: Game>(query: &Query<'_, G>, line: &str, draft: bool) -> Result<Answer<G::Move>, BadAnswer> {
    let bad = |why: String| BadAnswer(format!("{why}; read {}", excerpt(line)));
    let reply: Reply = serde_json::from_str(line).map_err(|e| bad(e.to_string()))?;
    if reply.draft != draft {
        return Err(bad("no answer after the draft".into()));
    }
    let status = reply.status.parse().map_err(|e: crate::UnknownStatus| bad(e.to_string()))?;
    let mut rates = reply.next.iter().filter_map(|n| n.win_rate).chain(reply.win_rate);
    if let Some(rate) = rates.find(|rate| !(0.0..=1.0).contains(rate)) {
        return Err(bad(format!("win rate {rate} is not between 0 and 1")));
    }
    let assessment = Assessment { status, win_rate: reply.win_rate };
    let mover = query.game.to_move(query.position);
    if assessment.status.outcome() == Some(Outcome::win_of(mover.opponent())) {
        return Ok(Answer::SureLoss);
    }
    let Some(text) = reply.mv else {
        return Err(bad("no move, but no sure loss either".into()));
    };
    let read = |text: &String| query.game.parse_move(text).map_err(|e| bad(e.to_string()));
    let mv = read(&text)?;
    let all = reply.defences.is_some();
    let next = reply.next.iter().map(|n| Ok((read(&n.mv)?, n.win_rate)));
    let mut moves = next.collect::<Result<Vec<_>, _>>()?;
    if let Some(defences) = &reply.defences {
        let defences = defences.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        if !defences.contains(&mv) {
            return Err(bad(format!("the move {text} is not one of the defences")));
        }
        let rate = |mv| moves.iter().find(|(m, _)| *m == mv).and_then(|&(_, rate)| rate);
        moves = defences.into_iter().filter(|&m| m != mv).map(|m| (m, rate(m))).collect();
    }
    Ok(Answer::Move { mv, assessment, others: Others { moves, all } })
}
