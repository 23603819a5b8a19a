//! Sets of cells and of windows, one bit each.

/// A set of numbers below `64 · WORDS`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Set<const WORDS: usize>([u64; WORDS]);

/// Cells of a board up to 19×19.
pub type Cells = Set<6>;
/// Windows of such a board with lines of three or more, of which there are at most 1,224.
pub type Windows = Set<20>;

impl<const WORDS: usize> Default for Set<WORDS> {
    fn default() -> Self {
        Set([0; WORDS])
    }
}

impl<const WORDS: usize> Set<WORDS> {
    pub fn insert(&mut self, n: u16) {
        self.0[usize::from(n / 64)] |= 1 << (n % 64);
    }

    pub fn contains(&self, n: u16) -> bool {
        self.0[usize::from(n / 64)] & 1 << (n % 64) != 0
    }

    pub fn with(mut self, n: u16) -> Self {
        self.insert(n);
        self
    }

    pub fn without(mut self, n: u16) -> Self {
        self.0[usize::from(n / 64)] &= !(1 << (n % 64));
        self
    }

    /// Adds every member of the other.
    pub fn add(&mut self, other: &Self) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }

    pub fn union(mut self, other: &Self) -> Self {
        self.add(other);
        self
    }

    pub fn minus(mut self, other: &Self) -> Self {
        for (word, less) in self.0.iter_mut().zip(other.0) {
            *word &= !less;
        }
        self
    }

    pub fn intersection(mut self, other: &Self) -> Self {
        for (word, both) in self.0.iter_mut().zip(other.0) {
            *word &= both;
        }
        self
    }

    /// Whether the other has every member.
    pub fn is_within(&self, other: &Self) -> bool {
        self.minus(other) == Self::default()
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// In ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u16> + use<WORDS> {
        let words = self.0;
        words.into_iter().enumerate().flat_map(|(i, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros())?;
                word &= word - 1;
                Some(64 * i as u16 + bit as u16)
            })
        })
    }
}

impl<const WORDS: usize> FromIterator<u16> for Set<WORDS> {
    fn from_iter<I: IntoIterator<Item = u16>>(numbers: I) -> Self {
        numbers.into_iter().fold(Self::default(), Set::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_sets() {
        let set = |numbers: &[u16]| numbers.iter().copied().collect::<Cells>();
        let a = set(&[0, 63, 64, 360]);
        assert_eq!(a.iter().collect::<Vec<_>>(), [0, 63, 64, 360]);
        assert!(a.contains(360) && !a.contains(359) && a.len() == 4);
        assert_eq!(a.without(63).with(1), set(&[0, 1, 64, 360]));
        let b = set(&[63, 65]);
        assert_eq!(a.union(&b), set(&[0, 63, 64, 65, 360]));
        assert_eq!(a.minus(&b), set(&[0, 64, 360]));
        assert_eq!(a.intersection(&b), set(&[63]));
        assert!(set(&[63, 360]).is_within(&a) && !b.is_within(&a));
    }
}
