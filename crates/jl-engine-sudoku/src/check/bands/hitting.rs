//! Sets of clues in one band that hit each of some sets of cells.

use crate::check::Nodes;
use crate::solver::BAND;

/// How many sets at the end of a choice are looked at between questions whether any clue is left.
const STRIDE: usize = 16;

/// Sets of cells of one band. Those that come first are hit first: small ones should be.
pub struct Hitting<'a> {
    pub sets: &'a mut Vec<u32>,
    /// The clues that there are.
    pub given: u32,
    /// The cells that cannot be clues.
    pub dead: u32,
    /// How many clues more there must be.
    pub left: usize,
    /// How many clues there are in the whole grid.
    pub level: usize,
}

impl Hitting<'_> {
    /// Calls the visitor with all choices of clues that hit each set. It may return one more set, which they do not hit and
    /// all later ones must; the empty set, which nothing hits, ends the search. Then this is false.
    pub fn each(
        &mut self,
        nodes: &mut Nodes,
        visit: &mut impl FnMut(u32, &mut Nodes) -> Option<u32>,
    ) -> bool {
        self.descend(0, self.given, self.dead | self.given, self.left, nodes, visit)
    }

    /// How many such choices there are.
    pub fn count(&self) -> f64 {
        self.choices(0, self.given, self.dead | self.given, self.left)
    }

    /// The choices with these clues, which hit all sets before a place, and none of the dead cells.
    fn descend(
        &mut self,
        place: usize,
        clues: u32,
        mut dead: u32,
        left: usize,
        nodes: &mut Nodes,
        visit: &mut impl FnMut(u32, &mut Nodes) -> Option<u32>,
    ) -> bool {
        let (place, mut next) = self.next(place, clues, dead, left);
        if left == 0 {
            let learned = if place < self.sets.len() { None } else { visit(clues, nodes) };
            self.sets.extend(learned);
            return learned != Some(0);
        }
        if left == 1 {
            next &= self.in_all(place, clues);
        }
        // Sets may be added at the end while this goes on.
        let place = (place + 1).min(self.sets.len());
        while next != 0 {
            let cell = next & next.wrapping_neg();
            next ^= cell;
            dead |= cell;
            nodes.count(self.level + self.left - left + 1);
            if !self.descend(place, clues | cell, dead, left - 1, nodes, visit) {
                return false;
            }
        }
        true
    }

    /// The first set from a place on that the clues do not hit, and its cells: one of them must be chosen next. If there is
    /// no such set, it may be any cell. Dead ones were tried before, or are clues.
    fn next(&self, place: usize, clues: u32, dead: u32, left: usize) -> (usize, u32) {
        if left > 9 && 27 - (dead.count_ones() as usize) < left {
            return (place, 0);
        }
        match self.sets[place..].iter().position(|set| set & clues == 0) {
            Some(further) => (place + further, self.sets[place + further] & !dead),
            None => (self.sets.len(), BAND & !dead),
        }
    }

    /// The cells that are in all sets from a place on that the clues do not hit.
    fn in_all(&self, place: usize, clues: u32) -> u32 {
        let mut cells = BAND;
        for sets in self.sets[place..].chunks(STRIDE) {
            cells = sets.iter().fold(cells, |all, &set| all & if set & clues == 0 { set } else { BAND });
            if cells == 0 {
                break;
            }
        }
        cells
    }

    fn choices(&self, place: usize, clues: u32, mut dead: u32, left: usize) -> f64 {
        let (place, next) = self.next(place, clues, dead, left);
        if place == self.sets.len() {
            let free = f64::from((BAND & !dead).count_ones());
            return (0..left).fold(1.0, |c, i| c * (free - i as f64).max(0.0) / (i as f64 + 1.0));
        }
        if left == 0 {
            return 0.0;
        }
        let mut sum = 0.0;
        for cell in cells(next) {
            dead |= 1 << cell;
            sum += self.choices(place + 1, clues | 1 << cell, dead, left - 1);
        }
        sum
    }
}

/// Leaves only sets that contain none before them.
pub fn drop_larger(sets: &mut Vec<u32>) {
    let mut kept = 0;
    for place in 0..sets.len() {
        let set = sets[place];
        // Without a way out of the loop the compiler compares several at a time.
        if !sets[..kept].iter().fold(false, |any, &smaller| any | (smaller & !set == 0)) {
            sets[kept] = set;
            kept += 1;
        }
    }
    sets.truncate(kept);
}

/// The bits of a word, lowest first.
pub fn cells(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let cell = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(cell)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes() -> Nodes {
        Nodes { total: 0, per_level: vec![0; 28] }
    }

    fn random_sets(random: &mut fastrand::Rng, count: usize) -> Vec<u32> {
        let set =
            |random: &mut fastrand::Rng| (0..random.usize(2..6)).fold(0, |s, _| s | 1 << random.u32(0..27));
        let mut sets: Vec<u32> = (0..count).map(|_| set(random)).collect();
        sets.sort_by_key(|set| set.count_ones());
        sets
    }

    /// All choices of four clues that hit the sets, by trying all.
    fn expected(sets: &[u32], given: u32) -> Vec<u32> {
        let mut found = vec![];
        for a in 0..27 {
            for b in a + 1..27 {
                for c in b + 1..27 {
                    for d in c + 1..27 {
                        let clues = 1 << a | 1 << b | 1 << c | 1 << d;
                        if clues & given == given && sets.iter().all(|set| set & clues != 0) {
                            found.push(clues);
                        }
                    }
                }
            }
        }
        found.sort_unstable();
        found
    }

    #[test]
    fn every_choice_that_hits_all_is_visited_once() {
        let mut random = fastrand::Rng::with_seed(4);
        for round in 0..60 {
            let mut sets = random_sets(&mut random, round % 12);
            let given: u32 = if round % 3 == 0 { 1 << random.u32(0..27) } else { 0 };
            let left = 4 - given.count_ones() as usize;
            let expected = expected(&sets, given);
            let mut hitting = Hitting { sets: &mut sets, given, dead: 0, left, level: 0 };
            assert_eq!(hitting.count(), expected.len() as f64);
            let mut found = vec![];
            assert!(hitting.each(&mut nodes(), &mut |clues, _| {
                found.push(clues);
                None
            }));
            found.sort_unstable();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn what_is_learned_on_the_way_must_be_hit_too() {
        let mut random = fastrand::Rng::with_seed(5);
        for round in 0..60 {
            let mut sets = random_sets(&mut random, round % 6);
            let hidden = random_sets(&mut random, 10);
            let all: Vec<u32> = sets.iter().chain(&hidden).copied().collect();
            let mut found = vec![];
            let mut learned = 0;
            Hitting { sets: &mut sets, given: 0, dead: 0, left: 4, level: 0 }.each(
                &mut nodes(),
                &mut |clues, _| {
                    let unhit = hidden.iter().copied().find(|set| set & clues == 0);
                    match unhit {
                        Some(_) => learned += 1,
                        None => found.push(clues),
                    }
                    unhit
                },
            );
            found.sort_unstable();
            assert_eq!(found, expected(&all, 0));
            assert!(learned <= hidden.len(), "each set is learned once");
        }
    }

    #[test]
    fn the_empty_set_ends_the_search() {
        let mut visits = 0;
        let mut sets = vec![0b11, 0b1100];
        let ended = !Hitting { sets: &mut sets, given: 0, dead: 0, left: 2, level: 0 }.each(
            &mut nodes(),
            &mut |_, _| {
                visits += 1;
                (visits == 2).then_some(0)
            },
        );
        assert!(ended && visits == 2);
    }

    #[test]
    fn a_set_that_contains_another_is_dropped() {
        let mut sets = vec![0b11, 0b110, 0b111, 0b11, 0b1001];
        drop_larger(&mut sets);
        assert_eq!(sets, [0b11, 0b110, 0b1001]);
    }
}
