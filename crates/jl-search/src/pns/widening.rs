//! Which children a sum takes: all, the K largest addends (K-Band, Chen10 §3.1), or the K most promising (dynamic
//! widening).

use super::Numbers;
use std::num::NonZeroUsize;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Widening {
    /// Plain proof-number search.
    #[default]
    All,
    /// The sum of the K largest addends.
    Band(NonZeroUsize),
    /// The sum over the K children with the least selection numbers.
    Dynamic(NonZeroUsize),
}

impl Widening {
    pub(super) fn sum(self) -> Sum {
        match self {
            Widening::All => Sum::All(0),
            Widening::Band(k) => Sum::Some { k: k.get(), ascending: false, kept: Vec::new() },
            Widening::Dynamic(k) => Sum::Some { k: k.get(), ascending: true, kept: Vec::new() },
        }
    }
}

/// A sum in the making.
pub(super) enum Sum {
    All(u32),
    Some {
        k: usize,
        ascending: bool,
        /// (what it is kept by, addend), the first to be dropped last. Equal ones stay in order of generation.
        kept: Vec<(u32, u32)>,
    },
}

impl Sum {
    #[inline]
    pub(super) fn add(&mut self, selector: u32, addend: u32) {
        match self {
            Sum::All(total) => *total = Numbers::add(*total, addend),
            Sum::Some { k, ascending, kept } => {
                let rank = if *ascending { selector } else { Numbers::INFINITY - addend };
                let place = kept.partition_point(|&(r, _)| r <= rank);
                if place < *k {
                    kept.truncate(*k - 1);
                    kept.insert(place, (rank, addend));
                }
            }
        }
    }

    pub(super) fn total(&self) -> u32 {
        match self {
            Sum::All(total) => *total,
            Sum::Some { kept, .. } => kept.iter().fold(0, |sum, &(_, addend)| Numbers::add(sum, addend)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(widening: Widening, children: &[(u32, u32)]) -> u32 {
        let mut sum = widening.sum();
        children.iter().for_each(|&(s, a)| sum.add(s, a));
        sum.total()
    }

    #[test]
    fn each_widening_takes_its_children() {
        let k = |k| NonZeroUsize::new(k).unwrap();
        let children = [(5, 1), (2, 7), (9, 9), (1, 2), (2, 4)];
        assert_eq!(total(Widening::All, &children), 23);
        assert_eq!(total(Widening::Band(k(2)), &children), 16);
        assert_eq!(total(Widening::Dynamic(k(2)), &children), 9);
        assert_eq!(total(Widening::Dynamic(k(3)), &children), 13);
        for n in 5..8 {
            assert_eq!(total(Widening::Band(k(n)), &children), 23);
            assert_eq!(total(Widening::Dynamic(k(n)), &children), 23);
        }
        assert_eq!(total(Widening::Band(k(1)), &[(1, 3), (1, Numbers::INFINITY)]), Numbers::INFINITY);
    }
}
