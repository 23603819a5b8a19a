//! Writes a proof file.

use crate::format::{Header, Node};
use serde::Serialize;
use std::io::{self, Write};

/// Writes the header, then node after node, children first. Whether they prove anything is for the checker to say.
pub struct Writer<W> {
    out: W,
    left: u64,
}

impl<W: Write> Writer<W> {
    /// Writes the header, which says how many nodes there will be.
    pub fn new(out: W, header: &Header) -> io::Result<Writer<W>> {
        let mut writer = Writer { out, left: header.nodes };
        writer.line(header)?;
        Ok(writer)
    }

    pub fn node(&mut self, node: &Node) -> io::Result<()> {
        self.left = self.left.checked_sub(1).ok_or_else(|| wrong_count("more nodes than the header says"))?;
        self.line(node)
    }

    /// The file is complete.
    pub fn finish(mut self) -> io::Result<W> {
        if self.left > 0 {
            return Err(wrong_count("fewer nodes than the header says"));
        }
        self.out.flush()?;
        Ok(self.out)
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        self.out.write_all(b"\n")
    }
}

fn wrong_count(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}
