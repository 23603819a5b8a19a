//! `jl proof`: proof files, checked and drawn.

use crate::cli::{ProofArgs, ProofFileArgs, ProofTask, ProofVerifyArgs};
use crate::failure::Failure;
use crate::output::say;
use jl_game::Game;
use jl_proof::{Checked, Flaw, Proof, ReadError};
use serde_json::{Value, json};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

pub fn run(args: &ProofArgs) -> Result<ExitCode, Failure> {
    match &args.task {
        ProofTask::Verify(args) => verify(args),
        ProofTask::Sgf(args) => sgf(args),
    }
}

fn verify(args: &ProofVerifyArgs) -> Result<ExitCode, Failure> {
    let start = Instant::now();
    let proof = match read(&args.file) {
        Ok(proof) => proof,
        Err(bad) => {
            if let (true, Some((node, wrong))) = (args.json, bad.node()) {
                say(&json!({ "proved": false, "flaw": flaw_json(node, "", &wrong) }).to_string())?;
            }
            return Err(bad.failure(&args.file));
        }
    };
    let result = jl_proof::check(&proof);
    let seconds = (start.elapsed().as_secs_f64() * 1e6).round() / 1e6;
    if args.json {
        say(&as_json(&proof, &result, seconds).to_string())?;
    }
    let checked = result.map_err(|flaw| Failure::run(format!("{}: {flaw}", args.file.display())))?;
    if !args.json {
        say(&summary(&proof, &checked, seconds))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn sgf(args: &ProofFileArgs) -> Result<ExitCode, Failure> {
    let proof = read(&args.file).map_err(|bad| bad.failure(&args.file))?;
    let tree =
        jl_proof::to_sgf(&proof).map_err(|flaw| Failure::run(format!("{}: {flaw}", args.file.display())))?;
    say(&tree)?;
    Ok(ExitCode::SUCCESS)
}

fn read(file: &Path) -> Result<Proof, Unread> {
    let input = File::open(file).map_err(|e| Unread(e.into()))?;
    jl_proof::read(BufReader::new(input)).map_err(Unread)
}

/// A file that is none, or one whose nodes make no proof.
struct Unread(ReadError);

impl Unread {
    /// The node that is in the way, and why.
    fn node(&self) -> Option<(u64, String)> {
        match &self.0 {
            ReadError::Line { node: Some(node), problem, .. } => Some((*node, problem.to_string())),
            ReadError::Line { node: None, .. } | ReadError::Io(_) => None,
        }
    }

    fn failure(&self, file: &Path) -> Failure {
        let (file, error) = (file.display(), &self.0);
        match self.node() {
            Some((node, _)) => Failure::run(format!("{file}: node {node} on {error}")),
            None => Failure::usage(format!("{file}: {error}")),
        }
    }
}

fn as_json(proof: &Proof, result: &Result<Checked, Flaw>, seconds: f64) -> Value {
    let header = proof.header();
    let mut value = json!({
        "proved": result.is_ok(),
        "game": header.game,
        "moves": header.moves,
        "winner": header.winner,
        "nodes": header.nodes,
        "seconds": seconds,
    });
    match result {
        Ok(checked) => {
            value["leaves"] = json!(checked.leaves);
            value["turns"] = json!(checked.turns);
            value["replies"] = json!(checked.replies);
            value["depth"] = json!(checked.depth);
        }
        Err(Flaw { node, line, wrong }) => value["flaw"] = flaw_json(*node, line, &wrong.to_string()),
    }
    value
}

/// The node that is wrong; a file whose nodes make no proof has no line to it.
fn flaw_json(node: u64, line: &str, wrong: &str) -> Value {
    json!({ "node": node, "line": line, "wrong": wrong })
}

/// For people.
fn summary(proof: &Proof, checked: &Checked, seconds: f64) -> String {
    let header = proof.header();
    let winner = proof.game().player_name(header.winner);
    let Checked { nodes, leaves, turns, replies, depth } = checked;
    let board = proof.game().draw(proof.position(), proof.moves().last().copied());
    format!(
        "{board}
  position   {}, {}
  result     PROVED: {winner} wins
  proof      {nodes} nodes, {leaves} of them leaves; at most {depth} moves of the winner's before threats decide
  replies    {replies}, at {turns} turns of the loser's
  time       {seconds:.3} s",
        header.game, header.moves
    )
}
