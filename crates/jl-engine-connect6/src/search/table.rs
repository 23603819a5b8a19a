//! What the search knows of positions it has seen: a table of fixed size, the newest entry of a slot stays.
//!
//! Threads share it without locks: the two words of a slot may come from different entries, but then the first does not fit the second.
//!
//! ```text
//!   word 0   the high half of the position's key, with word 1 added by exclusive or
//!   word 1   63…32 score   31…24 depth   23…22 bound   21 tried   20 passed   17…9 second cell   8…0 first cell
//! ```

use crate::engine::Turn;
use std::sync::atomic::{AtomicU64, Ordering};

/// How a stored score relates to the position's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    AtMost = 1,
    AtLeast = 2,
    Exact = 3,
}

/// What was found out about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub score: i32,
    pub depth: u8,
    pub bound: Bound,
    /// A threat search of the mover's found nothing.
    pub tried: bool,
    /// One of the opponent's after a pass found nothing.
    pub passed: bool,
    pub best: Turn,
}

/// The table.
pub struct Table {
    words: Vec<AtomicU64>,
}

const SLOT_BYTES: usize = 16;

impl Table {
    /// With at most so many bytes.
    #[must_use]
    pub fn new(memory: usize) -> Table {
        let slots = (memory / SLOT_BYTES).max(2);
        // Memory that the system gives out zeroed, as numbers are, costs nothing until it is used.
        Table { words: vec![0; 2 << slots.ilog2()].into_iter().map(AtomicU64::new).collect() }
    }

    fn slot(&self, key: u128) -> [&AtomicU64; 2] {
        let first = 2 * (key as usize & (self.words.len() / 2 - 1));
        [&self.words[first], &self.words[first + 1]]
    }

    #[must_use]
    pub fn get(&self, key: u128) -> Option<Entry> {
        let [check, word] = self.slot(key).map(|w| w.load(Ordering::Relaxed));
        let bound = match word >> 22 & 3 {
            1 => Bound::AtMost,
            2 => Bound::AtLeast,
            3 => Bound::Exact,
            _ => return None,
        };
        (check ^ word == (key >> 64) as u64).then_some(Entry {
            score: (word >> 32) as i32,
            depth: (word >> 24) as u8,
            bound,
            tried: word >> 21 & 1 == 1,
            passed: word >> 20 & 1 == 1,
            best: [word as u16 & 511, (word >> 9) as u16 & 511],
        })
    }

    pub fn put(&self, key: u128, entry: Entry) {
        let [a, b] = entry.best;
        let word = u64::from(entry.score as u32) << 32
            | u64::from(entry.depth) << 24
            | (entry.bound as u64) << 22
            | u64::from(entry.tried) << 21
            | u64::from(entry.passed) << 20
            | u64::from(b) << 9
            | u64::from(a);
        let [first, second] = self.slot(key);
        first.store((key >> 64) as u64 ^ word, Ordering::Relaxed);
        second.store(word, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_found_until_its_slot_is_taken() {
        let table = Table::new(1000);
        assert_eq!(table.words.len(), 2 * 32);
        let entry = Entry {
            score: -123_456,
            depth: 200,
            bound: Bound::AtLeast,
            tried: true,
            passed: false,
            best: [7, 383],
        };
        let key = 5 << 64 | 33;
        assert_eq!(table.get(key), None);
        table.put(key, entry);
        assert_eq!(table.get(key), Some(entry));
        assert_eq!(table.get(6 << 64 | 33), None);
        let other = Entry { score: i32::MAX, bound: Bound::AtMost, tried: false, passed: true, ..entry };
        table.put(6 << 64 | 1, other);
        assert_eq!((table.get(6 << 64 | 1), table.get(key)), (Some(other), None));
    }

    #[test]
    fn words_of_different_entries_are_no_entry() {
        let (mine, other) = (Table::new(32), Table::new(32));
        let entry = |score| Entry {
            score,
            depth: 70,
            bound: Bound::Exact,
            tried: false,
            passed: false,
            best: [1, 2],
        };
        let (key, other_key) = (5 << 64, 6 << 64);
        mine.put(key, entry(-1));
        other.put(other_key, entry(999_999));
        mine.words[0].store(other.words[0].load(Ordering::Relaxed), Ordering::Relaxed);
        assert_eq!((mine.get(key), mine.get(other_key)), (None, None));
    }
}
