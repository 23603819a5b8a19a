//! What an attack remembers of positions: wins with their plans, numbers of those that are not decided, turns to try.
//!
//! Two positions may be taken for each other in the table of numbers, rarely; then a win is missed, and none is invented.

use super::Force;
use crate::engine::Turn;
use crate::plan::Plan;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

/// How much there is to do, in the search's opinion, to prove a win and to show that there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    pub proof: u32,
    pub disproof: u32,
}

/// More than there is ever to do. Sums stay below it: positions that are reached in many ways count as often.
pub const ENDLESS: u32 = 1 << 26;

impl Numbers {
    pub const WON: Numbers = Numbers { proof: 0, disproof: ENDLESS };
    /// No win by the turns that are tried.
    pub const NEVER: Numbers = Numbers { proof: ENDLESS, disproof: 0 };

    pub fn is_won(self) -> bool {
        self.proof == 0
    }

    pub fn is_never(self) -> bool {
        self.disproof == 0
    }

    pub fn is_decided(self) -> bool {
        self.is_won() || self.is_never()
    }
}

/// Positions that were won.
pub struct Wins {
    plans: HashMap<u128, Rc<Plan>, BuildHasherDefault<KeyHasher>>,
    most: usize,
}

impl Wins {
    pub fn new(memory: usize) -> Wins {
        Wins { plans: HashMap::default(), most: memory / 512 }
    }

    pub fn get(&self, key: u128) -> Option<&Rc<Plan>> {
        self.plans.get(&key)
    }

    pub fn insert(&mut self, key: u128, plan: Rc<Plan>) {
        self.plans.insert(key, plan);
    }

    /// Between searches; within one the plans are needed.
    pub fn make_room(&mut self) {
        if self.plans.len() > self.most {
            self.plans.clear();
        }
    }
}

/// The numbers of positions that were not won, of either side to move and for either force: the higher part of a key, and the
/// numbers. An untouched table is all zeros: memory that is not used is not asked for.
pub struct Known(Vec<[u64; 2]>);

impl Known {
    pub fn new(memory: usize) -> Known {
        Known(vec![[0; 2]; 1 << (memory / size_of::<[u64; 2]>()).clamp(1 << 9, 1 << 22).ilog2()])
    }

    pub fn get(&self, key: u128) -> Option<Numbers> {
        let [tag, numbers] = self.0[self.place(key)];
        let known = Numbers { proof: (numbers >> 32) as u32, disproof: numbers as u32 };
        (numbers != 0 && tag == (key >> 64) as u64).then_some(known)
    }

    pub fn put(&mut self, key: u128, numbers: Numbers) {
        let at = self.place(key);
        let Numbers { proof, disproof } = numbers;
        self.0[at] = [(key >> 64) as u64, u64::from(proof) << 32 | u64::from(disproof)];
    }

    fn place(&self, key: u128) -> usize {
        key as usize & (self.0.len() - 1)
    }
}

/// The turns of positions, in the order in which they came first: those with double threats, those with single ones.
pub struct Lists {
    turns: [HashMap<u128, Rc<[Turn]>, BuildHasherDefault<KeyHasher>>; 2],
    most: usize,
}

impl Lists {
    pub fn new(memory: usize) -> Lists {
        Lists { turns: Default::default(), most: memory / 2 / 128 }
    }

    pub fn get(&self, key: u128, force: Force) -> Option<&Rc<[Turn]>> {
        self.turns[force as usize].get(&key)
    }

    pub fn insert(&mut self, key: u128, force: Force, list: Rc<[Turn]>) {
        let turns = &mut self.turns[force as usize];
        if turns.len() >= self.most {
            turns.clear();
        }
        turns.insert(key, list);
    }
}

/// Keys are well mixed already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&b| self.0 = self.0.rotate_left(8) ^ u64::from(b));
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}
