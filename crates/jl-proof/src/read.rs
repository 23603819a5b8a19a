//! Reads a proof file, line by line.

use crate::format::{Header, Node};
use crate::proof::{Builder, Problem, Proof};
use serde::de::DeserializeOwned;
use std::io::{self, BufRead};

/// The file is no proof file.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("{0}")]
    Io(#[from] io::Error),
    /// What is wrong with a line, counted from 1; and with which node, if it can be read as one.
    #[error("line {line}: {problem}")]
    Line { line: usize, node: Option<u64>, problem: Problem },
}

/// Reads a whole file. That a line is there for everything that another names is made sure here; that the lines prove
/// anything is not.
pub fn read(mut input: impl BufRead) -> Result<Proof, ReadError> {
    let at = |line| move |problem| ReadError::Line { line, node: None, problem };
    let of = |line, node| move |problem| ReadError::Line { line, node: Some(node), problem };
    let mut text = Vec::new();
    if input.read_until(b'\n', &mut text)? == 0 {
        return Err(at(1)(Problem::NoHeader));
    }
    let header: Header = parse(&text).map_err(at(1))?;
    let mut builder = Builder::new(header).map_err(at(1))?;
    for line in 2.. {
        text.clear();
        if input.read_until(b'\n', &mut text)? == 0 {
            break;
        }
        let node: Node = parse(&text).map_err(at(line))?;
        builder.add(&node).map_err(of(line, node.id))?;
    }
    // The first node is on line 2.
    builder.finish().map_err(|(place, node, problem)| ReadError::Line { line: place + 2, node, problem })
}

fn parse<T: DeserializeOwned>(line: &[u8]) -> Result<T, Problem> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let text = std::str::from_utf8(line).map_err(|_| Problem::Encoding)?;
    serde_json::from_str(text).map_err(|e| Problem::Json(without_line(&e)))
}

/// The message without the number of the line, which is always 1. What is wrong with a whole object has no place.
fn without_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((message, _)) => format!("{message}, at column {}", error.column()),
        None => text,
    }
}
