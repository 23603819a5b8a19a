//! Unavoidable sets as bits, to see quickly which of them some clues do not hit.

use super::hitting::cells;
use super::{Parts, size};
use crate::check::without;
use crate::solver::BAND;

/// 256 sets, one bit each.
pub type Page = [u64; 4];

/// Sets that have cells in one band, their *own* parts, and perhaps in others; those with the smallest own parts first.
pub struct Table {
    own: Vec<u32>,
    pages: Vec<Page>,
    /// For each page and each cell of the grid, the sets that have it.
    of_cell: Vec<[Page; 81]>,
}

/// What disjoint sets show about those that are not hit.
pub struct Packing {
    /// How many disjoint sets were found.
    pub count: usize,
    /// Their cells.
    pub cells: u32,
}

impl Packing {
    /// Takes the set if it is disjoint from the others.
    pub fn add(&mut self, set: u32) {
        if set & self.cells == 0 {
            self.cells |= set;
            self.count += 1;
        }
    }

    /// The cells that cannot be among so many clues: if each must hit one of the disjoint sets, all others.
    pub fn dead(&self, clues: usize) -> u32 {
        if self.count == clues { BAND & !self.cells } else { 0 }
    }
}

impl Table {
    /// At most so many sets, of those without a given clue that have cells in one band and none in another.
    pub fn new(sets: &[Parts], given: &Parts, own: usize, absent: Option<usize>, most: usize) -> Table {
        let belongs = |set: &&Parts| {
            set[own] != 0
                && absent.is_none_or(|band| set[band] == 0)
                && (0..3).all(|b| set[b] & given[b] == 0)
        };
        let mut rows: Vec<(u32, u32, &Parts)> =
            sets.iter().filter(belongs).map(|set| (set[own].count_ones(), size(set), set)).collect();
        if rows.len() > most {
            rows.select_nth_unstable(most);
            rows.truncate(most);
        }
        rows.sort_unstable();
        let pages = rows.len().div_ceil(256);
        let mut table = Table {
            own: rows.iter().map(|(_, _, set)| set[own]).collect(),
            pages: vec![[0; 4]; pages],
            of_cell: vec![[[0; 4]; 81]; pages],
        };
        for (place, (_, _, set)) in rows.into_iter().enumerate() {
            let (page, word, bit) = (place / 256, place % 256 / 64, 1 << (place % 64));
            table.pages[page][word] |= bit;
            for (band, &part) in set.iter().enumerate() {
                cells(part).for_each(|cell| table.of_cell[page][27 * band + cell][word] |= bit);
            }
        }
        table
    }

    /// All sets.
    pub fn all(&self) -> &[Page] {
        &self.pages
    }

    /// Those of all sets that these clues of a band do not hit.
    pub fn unhit(&self, band: usize, clues: u32, unhit: &mut Vec<Page>) {
        unhit.clear();
        unhit.extend(self.pages.iter().zip(&self.of_cell).map(|(page, of_cell)| {
            cells(clues).fold(*page, |page, cell| without(&page, &of_cell[27 * band + cell]))
        }));
    }

    /// The own parts of those of some sets that these clues of a band do not hit. `None` if disjoint ones show that more
    /// than so many clues are needed to hit them.
    pub fn own_parts(
        &self,
        from: &[Page],
        band: usize,
        clues: u32,
        most: usize,
        parts: &mut Vec<u32>,
    ) -> Option<Packing> {
        parts.clear();
        let mut packing = Packing { count: 0, cells: 0 };
        for ((page, of_cell), own) in from.iter().zip(&self.of_cell).zip(self.own.chunks(256)) {
            let page = cells(clues).fold(*page, |page, cell| without(&page, &of_cell[27 * band + cell]));
            for (mut left, own) in page.into_iter().zip(own.chunks(64)) {
                while left != 0 {
                    let part = own[left.trailing_zeros() as usize];
                    left &= left - 1;
                    parts.push(part);
                    packing.add(part);
                    if packing.count > most {
                        return None;
                    }
                }
            }
        }
        Some(packing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_what_is_not_hit_smallest_first() {
        let mut random = fastrand::Rng::with_seed(6);
        let mut part =
            |most: u32| (0..random.u32(0..=most)).fold(0, |set, _| set | 1u32 << random.u32(0..27));
        // More than a page.
        let sets: Vec<Parts> = (0..700).map(|_| [part(3), part(4), part(5)]).collect();
        let (first, second, given) = (part(4) | 1, part(4) | 2, [0, 0, 4]);
        let expected = |hit: &dyn Fn(&Parts) -> bool, absent: Option<usize>| {
            let belongs =
                |s: &&Parts| s[2] != 0 && s[2] & 4 == 0 && absent.is_none_or(|b| s[b] == 0) && !hit(s);
            let mut parts: Vec<u32> = sets.iter().filter(belongs).map(|s| s[2]).collect();
            parts.sort_unstable();
            parts
        };
        for absent in [None, Some(1)] {
            let table = Table::new(&sets, &given, 2, absent, usize::MAX);
            let mut found = vec![];
            let packing = table.own_parts(table.all(), 0, first, 27, &mut found).unwrap();
            assert!(found.is_sorted_by_key(|part| part.count_ones()));
            assert!(found.iter().all(|part| part & packing.cells != 0) && packing.count > 1);
            assert!(table.own_parts(table.all(), 0, first, packing.count - 1, &mut vec![]).is_none());
            found.sort_unstable();
            assert_eq!(found, expected(&|s| s[0] & first != 0, absent));

            let mut unhit = vec![];
            table.unhit(0, first, &mut unhit);
            table.own_parts(&unhit, 1, second, 27, &mut found).unwrap();
            found.sort_unstable();
            assert_eq!(found, expected(&|s| s[0] & first != 0 || s[1] & second != 0, absent));
        }
    }

    #[test]
    fn only_as_many_clues_as_disjoint_sets_must_be_in_them() {
        let mut packing = Packing { count: 0, cells: 0 };
        [0b11, 0b110, 0b1100].into_iter().for_each(|set| packing.add(set));
        assert_eq!((packing.count, packing.cells), (2, 0b1111));
        assert_eq!(packing.dead(2), BAND & !0b1111);
        assert_eq!(packing.dead(3), 0);
    }
}
