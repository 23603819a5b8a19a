//! Sets of cells and of windows, as bits.

use crate::geometry::{MAX_CELLS, WINDOW_WORDS};

/// A set of small numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Set<const WORDS: usize>([u64; WORDS]);

pub type CellSet = Set<{ MAX_CELLS / 64 }>;
pub type WindowSet = Set<WINDOW_WORDS>;

impl<const WORDS: usize> Default for Set<WORDS> {
    fn default() -> Self {
        Set([0; WORDS])
    }
}

impl<const WORDS: usize> Set<WORDS> {
    #[must_use]
    pub fn from_words(words: [u64; WORDS]) -> Self {
        Set(words)
    }

    #[inline]
    pub fn insert(&mut self, n: u16) {
        self.0[usize::from(n) / 64] |= 1 << (n % 64);
    }

    #[inline]
    pub fn remove(&mut self, n: u16) {
        self.0[usize::from(n) / 64] &= !(1 << (n % 64));
    }

    #[inline]
    #[must_use]
    pub fn contains(&self, n: u16) -> bool {
        self.0[usize::from(n) / 64] >> (n % 64) & 1 == 1
    }

    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    #[inline]
    pub fn join(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
    }

    #[inline]
    #[must_use]
    pub fn without(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= !b);
        self
    }

    /// In ascending order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = u16> + use<'_, WORDS> {
        self.0.iter().enumerate().flat_map(|(i, &word)| Bits { word, base: i as u16 * 64 })
    }
}

impl<const WORDS: usize> FromIterator<u16> for Set<WORDS> {
    fn from_iter<T: IntoIterator<Item = u16>>(numbers: T) -> Self {
        let mut set = Self::default();
        numbers.into_iter().for_each(|n| set.insert(n));
        set
    }
}

/// The set bits of a word, the lowest of which stands for `base`.
#[derive(Clone)]
pub(crate) struct Bits {
    pub word: u64,
    pub base: u16,
}

impl Iterator for Bits {
    type Item = u16;

    #[inline]
    fn next(&mut self) -> Option<u16> {
        if self.word == 0 {
            return None;
        }
        let bit = self.word.trailing_zeros() as u16;
        self.word &= self.word - 1;
        Some(self.base + bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let mut set: CellSet = [5, 63, 64, 383].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [5, 63, 64, 383]);
        set.remove(64);
        assert!(!set.contains(64) && set.contains(63) && set.len() == 3);
        let other: CellSet = [5, 6].into_iter().collect();
        assert_eq!(set.without(&other).iter().collect::<Vec<_>>(), [63, 383]);
        set.join(&other);
        assert_eq!(set.iter().collect::<Vec<_>>(), [5, 6, 63, 383]);
        assert!(CellSet::default().is_empty() && !set.is_empty());
    }
}
