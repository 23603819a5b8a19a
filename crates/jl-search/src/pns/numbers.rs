//! Proof and disproof numbers.

use jl_value::Player;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A proof number and a disproof number. `u32::MAX` is infinity, which is not a number to add.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(from = "(u32, u32)", into = "(u32, u32)")]
pub struct Numbers {
    pub pn: u32,
    pub dn: u32,
}

impl From<(u32, u32)> for Numbers {
    fn from((pn, dn): (u32, u32)) -> Numbers {
        Numbers { pn, dn }
    }
}

impl From<Numbers> for (u32, u32) {
    fn from(Numbers { pn, dn }: Numbers) -> (u32, u32) {
        (pn, dn)
    }
}

impl Numbers {
    pub const INFINITY: u32 = u32::MAX;
    const LARGEST: u32 = u32::MAX - 1;
    pub const PROVED: Numbers = Numbers { pn: 0, dn: Numbers::INFINITY };
    pub const DISPROVED: Numbers = Numbers { pn: Numbers::INFINITY, dn: 0 };

    #[must_use]
    pub const fn new(pn: u32, dn: u32) -> Numbers {
        Numbers { pn, dn }
    }

    /// The numbers as this attacker sees them, from those with the first player as attacker: what proves for one
    /// disproves for the other.
    #[must_use]
    pub fn for_attacker(self, attacker: Player) -> Numbers {
        match attacker {
            Player::First => self,
            Player::Second => Numbers { pn: self.dn, dn: self.pn },
        }
    }

    /// The nearest numbers that neither prove nor disprove.
    #[must_use]
    pub fn unsettled(self) -> Numbers {
        let clamp = |n: u32| n.clamp(1, Numbers::LARGEST);
        Numbers { pn: clamp(self.pn), dn: clamp(self.dn) }
    }

    /// The number by which the parent selects, and the one it sums: pn and dn at OR, dn and pn at AND.
    #[inline]
    pub(crate) fn selector_and_addend(self, or: bool) -> (u32, u32) {
        if or { (self.pn, self.dn) } else { (self.dn, self.pn) }
    }

    pub(crate) fn from_selector_and_addend(or: bool, selector: u32, addend: u32) -> Numbers {
        if or { Numbers { pn: selector, dn: addend } } else { Numbers { pn: addend, dn: selector } }
    }

    /// Finite numbers never reach infinity, however many are added.
    #[inline]
    #[must_use]
    pub fn add(a: u32, b: u32) -> u32 {
        if a == Numbers::INFINITY || b == Numbers::INFINITY {
            Numbers::INFINITY
        } else {
            a.saturating_add(b).min(Numbers::LARGEST)
        }
    }
}

impl Numbers {
    /// So many times a number that is less than infinite.
    #[inline]
    pub(crate) fn times(a: u32, times: u32) -> u32 {
        if a == Numbers::INFINITY { a } else { a.saturating_mul(times).min(Numbers::LARGEST) }
    }
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |n: u32| if n == Numbers::INFINITY { "∞".into() } else { n.to_string() };
        write!(f, "{}/{}", text(self.pn), text(self.dn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_saturate_below_infinity() {
        assert_eq!(Numbers::add(2, 3), 5);
        assert_eq!(Numbers::add(Numbers::LARGEST, Numbers::LARGEST), Numbers::LARGEST);
        assert_eq!(Numbers::add(Numbers::INFINITY, 0), Numbers::INFINITY);
        assert_eq!(Numbers::PROVED.for_attacker(Player::Second), Numbers::DISPROVED);
    }
}
