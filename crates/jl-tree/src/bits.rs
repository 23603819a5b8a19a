//! The one-bit and two-bit facts of a node, packed.
//!
//! ```text
//!  bit   15      14      13     12      11      10       9        8         7       6        5      4…3  2…1    0
//!      unused  drafted  dirty queued blocked flagged frontier settled  given up  active  stopped   hi   lo   mover
//! ```
//!
//! `mover`, `lo`, `hi`, `stopped`, `given up` are facts, `active` marks a job in flight, `drafted` that it has named a child; `settled`, `frontier`,
//! `flagged` and `blocked` are derived from these and from the children; `queued` and `dirty` (bounds were narrowed, and
//! no parent knows it yet) are scratch of the propagation.

use jl_value::{Bounds, Outcome, Player};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bits(u16);

pub(crate) const STOPPED: u16 = 1 << 5;
pub(crate) const ACTIVE: u16 = 1 << 6;
pub(crate) const GIVEN_UP: u16 = 1 << 7;
pub(crate) const SETTLED: u16 = 1 << 8;
pub(crate) const FRONTIER: u16 = 1 << 9;
pub(crate) const FLAGGED: u16 = 1 << 10;
pub(crate) const BLOCKED: u16 = 1 << 11;
pub(crate) const QUEUED: u16 = 1 << 12;
pub(crate) const DIRTY: u16 = 1 << 13;
pub(crate) const DRAFTED: u16 = 1 << 14;

impl Bits {
    pub(crate) fn new(mover: Player, bounds: Bounds) -> Bits {
        let mut bits = Bits(u16::from(mover == Player::Second));
        bits.set_bounds(bounds);
        bits
    }

    pub(crate) fn mover(self) -> Player {
        if self.0 & 1 == 0 { Player::First } else { Player::Second }
    }

    pub(crate) fn bounds(self) -> Bounds {
        let outcome = |rank: u16| match rank & 3 {
            0 => Outcome::SecondWins,
            1 => Outcome::Draw,
            _ => Outcome::FirstWins,
        };
        Bounds::new(outcome(self.0 >> 1), outcome(self.0 >> 3)).expect("bounds are stored in order")
    }

    pub(crate) fn set_bounds(&mut self, bounds: Bounds) {
        self.0 = self.0 & !0b11110 | (bounds.lo() as u16) << 1 | (bounds.hi() as u16) << 3;
    }

    /// `(least, best)` ranks for `player`: what it is sure of and what it may still hope for, 0 loss … 2 win.
    pub(crate) fn ranks_for(self, player: Player) -> (u8, u8) {
        let (lo, hi) = ((self.0 >> 1 & 3) as u8, (self.0 >> 3 & 3) as u8);
        match player {
            Player::First => (lo, hi),
            Player::Second => (2 - hi, 2 - lo),
        }
    }

    pub(crate) fn has(self, mask: u16) -> bool {
        self.0 & mask != 0
    }

    pub(crate) fn set(&mut self, mask: u16, on: bool) {
        self.0 = if on { self.0 | mask } else { self.0 & !mask };
    }

    /// What [`Bits::lasting`] gave.
    pub(crate) fn from_lasting(bits: u16) -> Option<Bits> {
        let rank = |shift: u32| bits >> shift & 3;
        let sound = bits & (QUEUED | DIRTY | 1 << 15) == 0 && rank(1) <= rank(3) && rank(3) <= 2;
        sound.then_some(Bits(bits))
    }

    /// Without the scratch bits.
    pub(crate) fn lasting(self) -> u16 {
        self.0 & !(QUEUED | DIRTY)
    }
}
