//! The pre-update policies (Wu13 §IV-C): what a node looks like while a job on it is in flight.
//!
//! | policy | the active leaf | ancestors |
//! |---|---|---|
//! | `native` | as it was | as they were |
//! | `vw` | 0/∞, a virtual win | updated |
//! | `vl` | ∞/0, a virtual loss | updated |
//! | `gd` | `vw` if pn ≤ dn, else `vl` | updated |
//! | `fg` | flagged, not selected | flagged when all their children are |
//! | `mf` | flagged | and the selection number is the least of the unflagged children, or the greatest of all |
//! | `fg-ve`, `mf-ve` | | and a sibling job adds a flagged virtual child, equal to its youngest elder sibling |
//! | `mf-sp` | | as `mf-ve`; at a node that takes all of its children to be decided as expected, a child's selection number counts once more for each job below it |
//!
//! Only first-child jobs change a leaf; a sibling job is visible to the `-ve` policies alone. A given-up node is
//! avoided under every policy.

use super::Numbers;
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Policy {
    Native,
    VirtualWin,
    VirtualLoss,
    Greedy,
    Flag,
    ModifiedFlag,
    FlagEquivalence,
    #[default]
    ModifiedFlagEquivalence,
    /// Ours: `mf-ve`, and jobs are spread where all children are needed.
    Spread,
}

impl Policy {
    pub const ALL: [Policy; 9] = [
        Policy::Native,
        Policy::VirtualWin,
        Policy::VirtualLoss,
        Policy::Greedy,
        Policy::Flag,
        Policy::ModifiedFlag,
        Policy::FlagEquivalence,
        Policy::ModifiedFlagEquivalence,
        Policy::Spread,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Policy::Native => "native",
            Policy::VirtualWin => "vw",
            Policy::VirtualLoss => "vl",
            Policy::Greedy => "gd",
            Policy::Flag => "fg",
            Policy::ModifiedFlag => "mf",
            Policy::FlagEquivalence => "fg-ve",
            Policy::ModifiedFlagEquivalence => "mf-ve",
            Policy::Spread => "mf-sp",
        }
    }

    pub(super) fn has_flags(self) -> bool {
        matches!(
            self,
            Policy::Flag
                | Policy::ModifiedFlag
                | Policy::FlagEquivalence
                | Policy::ModifiedFlagEquivalence
                | Policy::Spread
        )
    }

    pub(super) fn is_modified(self) -> bool {
        matches!(self, Policy::ModifiedFlag | Policy::ModifiedFlagEquivalence | Policy::Spread)
    }

    pub(super) fn has_equivalence(self) -> bool {
        matches!(self, Policy::FlagEquivalence | Policy::ModifiedFlagEquivalence | Policy::Spread)
    }

    /// Whether jobs are spread over the children of a node that needs all of them.
    pub(super) fn spreads(self) -> bool {
        self == Policy::Spread
    }

    pub(super) fn active_leaf(self, leaf: Numbers) -> Numbers {
        match self {
            Policy::VirtualWin => Numbers::PROVED,
            Policy::VirtualLoss => Numbers::DISPROVED,
            Policy::Greedy if leaf.pn <= leaf.dn => Numbers::PROVED,
            Policy::Greedy => Numbers::DISPROVED,
            _ => leaf,
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a policy of JL-PNS (native, vw, vl, gd, fg, mf, fg-ve, mf-ve, mf-sp)")]
pub struct UnknownPolicy(pub String);

impl FromStr for Policy {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Policy, UnknownPolicy> {
        Policy::ALL.into_iter().find(|p| p.name() == text).ok_or_else(|| UnknownPolicy(text.into()))
    }
}
