//! Sums that show whether rows are as they were written. SQLite has none of its own.

use crate::entry::JobRow;
use jl_messages::{MoveRow, PositionRow};

/// FNV-1a. What it guards against is chance.
struct Hash(u64);

impl Hash {
    fn new() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    fn number(&mut self, n: i64) {
        self.bytes(&n.to_le_bytes());
    }

    fn text(&mut self, text: Option<&str>) {
        self.number(text.map_or(-1, |t| t.len() as i64));
        self.bytes(text.unwrap_or_default().as_bytes());
    }

    /// Four bytes in either database.
    fn end(self) -> i32 {
        ((self.0 ^ (self.0 >> 32)) as u32).cast_signed()
    }
}

/// A line of the journal as it is written and read.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    pub seq: i64,
    pub at: i64,
    pub kind: &'a str,
    pub job: Option<i64>,
    pub detail: Option<&'a str>,
    pub ended: Option<&'a JobRow>,
}

impl Line<'_> {
    /// Of this line and, by way of the last sum before it, of all lines up to it. Offers have none, to save room: there is nothing in
    /// them, and the numbers of the lines around them tell that they are there.
    pub fn sum(&self, before: i32) -> Option<i32> {
        let Line { seq, at, kind, job, detail, ended } = *self;
        if kind == "available" {
            return None;
        }
        let mut hash = Hash::new();
        hash.number(before.into());
        hash.number(seq);
        hash.number(at);
        hash.text(Some(kind));
        hash.number(job.unwrap_or(-1));
        hash.text(detail);
        if let Some(JobRow { question, output, cpu, reason }) = ended {
            for text in [question, output, reason] {
                hash.text(text.as_deref());
            }
            hash.number(cpu.map_or(-1, |x| x.to_bits().cast_signed()));
        }
        Some(hash.end())
    }
}

/// Of a position and its moves, in order.
pub fn of_position<'a>(position: &PositionRow, moves: impl Iterator<Item = &'a MoveRow>) -> i32 {
    let PositionRow { id, key, value, status, count, level, bits, parents, data } = position;
    let mut hash = Hash::new();
    hash.bytes(&key.to_le_bytes());
    for text in [Some(data), value.as_ref(), status.as_ref()] {
        hash.text(text.map(String::as_str));
    }
    for n in [id, count, level, bits].into_iter().chain(parents) {
        hash.number((*n).into());
    }
    for MoveRow { parent: _, ord, code, text, child, echo } in moves {
        for n in [*ord, *code, *child, u32::from(*echo)] {
            hash.number(n.into());
        }
        hash.text(Some(text));
    }
    hash.end()
}

/// Of what is saved besides positions and moves, and of the total of their sums.
pub fn of_state(saved: i64, state: &str, total: i64) -> i32 {
    let mut hash = Hash::new();
    hash.number(saved);
    hash.text(Some(state));
    hash.number(total);
    hash.end()
}
