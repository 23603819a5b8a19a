//! Who moves and who wins.
//!
//! The three types here are shared by the search graph and by the games, which know nothing else of each other.
//! Every value is seen from the **first** player's side: [`Outcome`] is ordered from worst to best for that player.
//!
//! [`Bounds`] is the principal type. A node's value is not "decided or not" but an interval of outcomes that only
//! ever narrows: "the first player does not win" is a fact of its own, long before "it is a draw" is known. A draw
//! is thereby proved from both sides, with the facts of one side kept for the other.
//!
//! ```
//! use jl_value::{Bounds, Outcome, Player};
//! let mut b = Bounds::UNKNOWN;
//! b = b.intersect(Bounds::at_most(Outcome::Draw)).unwrap();
//! assert!(b.cannot_win(Player::First) && b.exact().is_none());
//! b = b.intersect(Bounds::at_least(Outcome::Draw)).unwrap();
//! assert_eq!(b.exact(), Some(Outcome::Draw));
//! ```

use serde::{Deserialize, Serialize};
use std::fmt;

/// One of the two players. The papers' Black is `First`, White is `Second`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    First,
    Second,
}

impl Player {
    #[must_use]
    pub fn opponent(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::First => "first",
            Player::Second => "second",
        })
    }
}

/// How a game ends, ordered from worst to best for the first player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    SecondWins,
    Draw,
    FirstWins,
}

impl Outcome {
    /// The outcome in which `player` wins.
    #[must_use]
    pub fn win_of(player: Player) -> Outcome {
        match player {
            Player::First => Outcome::FirstWins,
            Player::Second => Outcome::SecondWins,
        }
    }

    /// The player who wins, or `None` for a draw.
    #[must_use]
    pub fn winner(self) -> Option<Player> {
        match self {
            Outcome::FirstWins => Some(Player::First),
            Outcome::SecondWins => Some(Player::Second),
            Outcome::Draw => None,
        }
    }

    /// The same outcome with the players exchanged.
    #[must_use]
    pub fn mirrored(self) -> Outcome {
        match self {
            Outcome::FirstWins => Outcome::SecondWins,
            Outcome::SecondWins => Outcome::FirstWins,
            Outcome::Draw => Outcome::Draw,
        }
    }

    /// How good the outcome is for `player`: `SecondWins < Draw < FirstWins` for the first player, reversed for
    /// the second.
    #[must_use]
    pub fn rank_for(self, player: Player) -> u8 {
        let rank = self as u8;
        match player {
            Player::First => rank,
            Player::Second => 2 - rank,
        }
    }

    /// The outcome that is better for `player`.
    #[must_use]
    pub fn better_for(self, player: Player, other: Outcome) -> Outcome {
        match player {
            Player::First => self.max(other),
            Player::Second => self.min(other),
        }
    }
}

/// What is known of a value: it lies between `lo` and `hi`, both included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bounds {
    lo: Outcome,
    hi: Outcome,
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Bounds = Bounds { lo: Outcome::SecondWins, hi: Outcome::FirstWins };

    #[must_use]
    pub fn exactly(outcome: Outcome) -> Bounds {
        Bounds { lo: outcome, hi: outcome }
    }

    #[must_use]
    pub fn at_least(lo: Outcome) -> Bounds {
        Bounds { lo, hi: Outcome::FirstWins }
    }

    #[must_use]
    pub fn at_most(hi: Outcome) -> Bounds {
        Bounds { lo: Outcome::SecondWins, hi }
    }

    /// `None` if `lo` is above `hi`.
    #[must_use]
    pub fn new(lo: Outcome, hi: Outcome) -> Option<Bounds> {
        (lo <= hi).then_some(Bounds { lo, hi })
    }

    #[must_use]
    pub fn lo(self) -> Outcome {
        self.lo
    }

    #[must_use]
    pub fn hi(self) -> Outcome {
        self.hi
    }

    /// The value, once it is known.
    #[must_use]
    pub fn exact(self) -> Option<Outcome> {
        (self.lo == self.hi).then_some(self.lo)
    }

    #[must_use]
    pub fn contains(self, outcome: Outcome) -> bool {
        self.lo <= outcome && outcome <= self.hi
    }

    /// Both facts together; `None` if they contradict each other.
    #[must_use]
    pub fn intersect(self, other: Bounds) -> Option<Bounds> {
        Bounds::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }

    /// The best that `player` may still hope for.
    #[must_use]
    pub fn best_for(self, player: Player) -> Outcome {
        match player {
            Player::First => self.hi,
            Player::Second => self.lo,
        }
    }

    /// The least that `player` is sure of.
    #[must_use]
    pub fn worst_for(self, player: Player) -> Outcome {
        match player {
            Player::First => self.lo,
            Player::Second => self.hi,
        }
    }

    /// `player` is known to win.
    #[must_use]
    pub fn is_win_of(self, player: Player) -> bool {
        self.worst_for(player) == Outcome::win_of(player)
    }

    /// `player` is known not to win: it loses or draws.
    #[must_use]
    pub fn cannot_win(self, player: Player) -> bool {
        self.best_for(player) != Outcome::win_of(player)
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.lo, self.hi) {
            (Outcome::FirstWins, _) => f.write_str("first wins"),
            (_, Outcome::SecondWins) => f.write_str("second wins"),
            (Outcome::Draw, Outcome::Draw) => f.write_str("draw"),
            (Outcome::Draw, _) => f.write_str("second does not win"),
            (_, Outcome::Draw) => f.write_str("first does not win"),
            _ => f.write_str("unknown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Outcome; 3] = [Outcome::SecondWins, Outcome::Draw, Outcome::FirstWins];

    #[test]
    fn mirroring_exchanges_the_players() {
        for o in ALL {
            assert_eq!(o.mirrored().mirrored(), o);
            assert_eq!(o.rank_for(Player::First), o.mirrored().rank_for(Player::Second));
            assert_eq!(o.winner().map(Player::opponent), o.mirrored().winner());
        }
    }

    #[test]
    fn intersection_is_what_both_contain() {
        for (a, b, c, d) in itertools4() {
            let (Some(x), Some(y)) = (Bounds::new(a, b), Bounds::new(c, d)) else { continue };
            let both: Vec<_> = ALL.into_iter().filter(|&o| x.contains(o) && y.contains(o)).collect();
            match x.intersect(y) {
                None => assert!(both.is_empty()),
                Some(z) => assert_eq!(both, ALL.into_iter().filter(|&o| z.contains(o)).collect::<Vec<_>>()),
            }
        }
    }

    fn itertools4() -> impl Iterator<Item = (Outcome, Outcome, Outcome, Outcome)> {
        (0..81).map(|i| (ALL[i / 27], ALL[i / 9 % 3], ALL[i / 3 % 3], ALL[i % 3]))
    }
}
