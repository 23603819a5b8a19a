//! In how many ways a band can be completed to a grid.
//!
//! Below a band, each column of a stack has three of its six digits in band 2 and the others in band 3: 56 ways for a
//! stack, 56³ for all. Given such a way, the bands have nothing more to do with each other, and the number of
//! completions is the product of the numbers of their fills.

use crate::bands::ORDERS;
use crate::fills::{self, ColumnSets, Digits};
use std::sync::LazyLock;

/// The numbers of fills of a band, by what its columns hold.
///
/// The order of the columns within a stack does not matter to the number, nor do the names of the digits, so let the
/// first stack hold 012, 345 and 678; the other two are then among the 280 ways to part nine digits into three threes.
pub(crate) struct FillCounts {
    parts: Vec<u16>,
    counts: Vec<u16>,
}

/// A column of each stack has three of the six digits that band 1 left it; 56 ways for a stack.
pub(crate) type StackWays = [[u16; 3]; 56];

impl FillCounts {
    pub fn get() -> &'static FillCounts {
        static COUNTS: LazyLock<FillCounts> = LazyLock::new(FillCounts::build);
        &COUNTS
    }

    fn build() -> FillCounts {
        let mut parts = vec![u16::MAX; 1 << 18];
        let mut all: Vec<[u16; 3]> = Vec::new();
        let triples = || (0..512u16).filter(|set| set.count_ones() == 3);
        for a in triples().filter(|a| a & 1 == 1) {
            let rest = 0o777 & !a;
            for b in triples().filter(|b| b & !rest == 0 && b >> rest.trailing_zeros() & 1 == 1) {
                let sets = [a, b, rest & !b];
                for order in ORDERS {
                    parts[part_key(order.map(|i| sets[i]))] = all.len() as u16;
                }
                all.push(sets);
            }
        }
        let mut counts = vec![0; all.len() * all.len()];
        for (i, second) in all.iter().enumerate() {
            for (j, third) in all.iter().enumerate().take(i + 1) {
                let columns =
                    [0o007, 0o070, 0o700, second[0], second[1], second[2], third[0], third[1], third[2]];
                let count = 6 * fills::count(&columns) as u16;
                counts[i * all.len() + j] = count;
                counts[j * all.len() + i] = count;
            }
        }
        FillCounts { parts, counts }
    }

    /// In how many ways a band can have these digits in its columns.
    pub fn count(&self, stacks: [&[u16; 3]; 3]) -> u16 {
        let labels = set_labels(stacks[0]);
        let part = |stack: &[u16; 3]| self.parts[part_key(stack.map(|set| rename(&labels, set)))] as usize;
        self.counts[part(stacks[1]) * 280 + part(stacks[2])]
    }

    /// In how many ways two bands go below one with these columns, and in how many at most with the same digits in
    /// their columns.
    pub fn completions(&self, band: &ColumnSets) -> (u64, u32) {
        let ways: [StackWays; 3] = std::array::from_fn(|stack| stack_ways(band, stack));
        let mut counts = vec![0u16; 56 * 56 * 56];
        for (first, counts) in ways[0].iter().zip(counts.chunks_mut(56 * 56)) {
            let labels = set_labels(first);
            let parts = |stack: usize| {
                ways[stack].map(|way| self.parts[part_key(way.map(|set| rename(&labels, set)))] as usize)
            };
            let third = parts(2);
            for (second, counts) in parts(1).iter().zip(counts.chunks_mut(56)) {
                let row = &self.counts[second * 280..][..280];
                counts.iter_mut().zip(third).for_each(|(count, third)| *count = row[third]);
            }
        }
        // The ways are in such an order that what one leaves is the one as far from the end.
        let both = || counts.iter().zip(counts.iter().rev()).map(|(&a, &b)| u32::from(a) * u32::from(b));
        (both().map(u64::from).sum(), both().max().expect("there are ways"))
    }
}

fn part_key(sets: [u16; 3]) -> usize {
    usize::from(sets[0]) << 9 | usize::from(sets[1])
}

/// Names for the digits such that the sets become 012, 345 and 678.
fn set_labels(sets: &[u16; 3]) -> [u8; 9] {
    let mut labels = [0; 9];
    let digits = sets.iter().flat_map(|&set| Digits(set));
    digits.zip(0..).for_each(|(digit, label)| labels[digit as usize] = label);
    labels
}

fn rename(labels: &[u8; 9], set: u16) -> u16 {
    Digits(set).map(|digit| 1 << labels[digit as usize]).sum()
}

/// What the columns of a stack can hold in band 2; band 3 has the rest, which is another of the ways: the last way
/// is the rest of the first, and so on.
pub(crate) fn stack_ways(band: &ColumnSets, stack: usize) -> StackWays {
    let held = &band[stack * 3..][..3];
    let [a, b, c] = [held[0], held[1], held[2]];
    let triples = |of: u16| (0..512u16).filter(move |set| set & !of == 0 && set.count_ones() == 3);
    let mut ways = [[0; 3]; 56];
    let mut next = 0;
    for first in triples(b | c) {
        for second in triples((a | c) & !first) {
            let third = 0o777 & !(first | second);
            if third & c == 0 {
                // The sets ascend, so what a way leaves comes as late as the way comes early.
                ways[next] = [first, second, third];
                next += 1;
            }
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bands;

    #[test]
    fn the_rest_of_a_way_is_the_way_as_far_from_the_end() {
        for band in bands() {
            let columns = band.columns();
            for stack in 0..3 {
                let ways = stack_ways(&columns, stack);
                for (way, rest) in ways.iter().zip(ways.iter().rev()) {
                    for i in 0..3 {
                        assert_eq!(way[i] | rest[i] | columns[stack * 3 + i], 0o777);
                        assert_eq!(way[i] & rest[i], 0);
                    }
                }
            }
        }
    }
}
