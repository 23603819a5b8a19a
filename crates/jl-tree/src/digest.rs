//! A fingerprint of a graph, to see that two runs grew the same one.

use crate::{Graph, Record};
use std::hash::{Hash, Hasher};

/// FNV-1a: the same on every machine and in every version, unlike the standard library's hasher.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.0 = (self.0 ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn write_u32(&mut self, i: u32) {
        self.write(&i.to_le_bytes());
    }

    fn write_u64(&mut self, i: u64) {
        self.write(&i.to_le_bytes());
    }
}

impl<D: Hash + Clone> Graph<D> {
    /// Depends on every node's facts, flags, data and edges.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mut h = Fnv(0xcbf2_9ce4_8422_2325);
        for Record { bits, count, data, edges, .. } in self.records() {
            h.write_u32(u32::from(bits));
            h.write_u32(count);
            data.hash(&mut h);
            for e in edges {
                h.write_u32(e.child().0);
                h.write_u32(e.mv);
            }
        }
        h.finish()
    }
}
