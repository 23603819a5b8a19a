//! The graded evaluations that game-playing programs answer with.

use jl_value::{Outcome, Player};
use std::fmt;
use std::str::FromStr;

/// How much a position favours a player, from 1 (least) to 4 (very good chance of a win).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Grade {
    One = 1,
    Two = 2,
    Three = 3,
    Four = 4,
}

/// The evaluation of the position *after* the reported move.
///
/// The papers' thirteen statuses, and `Draw` for games that have one. Written as the papers write them, with B for
/// the first player: `B:w B4 B3 B2 B1 stable unstable1 unstable2 W1 W2 W3 W4 W:w draw`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// The player wins for sure.
    Win(Player),
    Favours(Player, Grade),
    Stable,
    /// The evaluation swings between successive searches.
    Unstable1,
    /// It swings even more.
    Unstable2,
    /// A draw for sure.
    Draw,
}

impl Status {
    pub const ALL: [Status; 14] = {
        use Grade::{Four, One, Three, Two};
        use Player::{First, Second};
        [
            Status::Win(First),
            Status::Favours(First, Four),
            Status::Favours(First, Three),
            Status::Favours(First, Two),
            Status::Favours(First, One),
            Status::Stable,
            Status::Unstable1,
            Status::Unstable2,
            Status::Favours(Second, One),
            Status::Favours(Second, Two),
            Status::Favours(Second, Three),
            Status::Favours(Second, Four),
            Status::Win(Second),
            Status::Draw,
        ]
    };

    /// Where it is on the scale from a win of the first player, 0, over `stable`, 5, to a win of the second, 10 (Lin13
    /// Table 8). An unstable position has no place there, nor has a sure draw.
    #[must_use]
    pub fn scale(self) -> Option<i32> {
        let towards_first = |player, steps| if player == Player::First { 5 - steps } else { 5 + steps };
        match self {
            Status::Win(player) => Some(towards_first(player, 5)),
            Status::Favours(player, grade) => Some(towards_first(player, grade as i32)),
            Status::Stable => Some(5),
            Status::Unstable1 | Status::Unstable2 | Status::Draw => None,
        }
    }

    /// The outcome, if the status is a sure one.
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Status::Win(p) => Some(Outcome::win_of(p)),
            Status::Draw => Some(Outcome::Draw),
            _ => None,
        }
    }

    /// The sure status of an outcome.
    #[must_use]
    pub fn of(outcome: Outcome) -> Status {
        outcome.winner().map_or(Status::Draw, Status::Win)
    }

    /// The same status with the players exchanged.
    #[must_use]
    pub fn mirrored(self) -> Status {
        match self {
            Status::Win(p) => Status::Win(p.opponent()),
            Status::Favours(p, g) => Status::Favours(p.opponent(), g),
            other => other,
        }
    }

    /// The status whose win rate (0.9 for B4 down to 0.1 for W4) is nearest to `win_rate`, the first player's.
    #[must_use]
    pub fn from_win_rate(win_rate: f64) -> Status {
        let grade = |steps: i32| match steps {
            1 => Grade::One,
            2 => Grade::Two,
            3 => Grade::Three,
            _ => Grade::Four,
        };
        let steps = ((win_rate - 0.5) * 10.0).round() as i32;
        match steps {
            0 => Status::Stable,
            1.. => Status::Favours(Player::First, grade(steps)),
            _ => Status::Favours(Player::Second, grade(-steps)),
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |p: &Player| if *p == Player::First { 'B' } else { 'W' };
        match self {
            Status::Win(p) => write!(f, "{}:w", letter(p)),
            Status::Favours(p, g) => write!(f, "{}{}", letter(p), *g as u8),
            Status::Stable => f.write_str("stable"),
            Status::Unstable1 => f.write_str("unstable1"),
            Status::Unstable2 => f.write_str("unstable2"),
            Status::Draw => f.write_str("draw"),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a status (B:w, B4 … B1, stable, unstable1, unstable2, W1 … W4, W:w, draw)")]
pub struct UnknownStatus(pub String);

impl FromStr for Status {
    type Err = UnknownStatus;

    fn from_str(text: &str) -> Result<Status, UnknownStatus> {
        let found = Status::ALL.into_iter().find(|s| s.to_string() == text);
        found.ok_or_else(|| UnknownStatus(text.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_the_papers() {
        let row = "B:w 0 B4 1 B3 2 B2 3 B1 4 stable 5 W1 6 W2 7 W3 8 W4 9 W:w 10";
        for pair in row.split_whitespace().collect::<Vec<_>>().chunks(2) {
            let status: Status = pair[0].parse().unwrap();
            assert_eq!(status.scale().map(|v| v.to_string()), Some(pair[1].into()));
        }
        assert!([Status::Unstable1, Status::Unstable2, Status::Draw].iter().all(|s| s.scale().is_none()));
    }

    #[test]
    fn every_status_reads_as_it_is_written() {
        for s in Status::ALL {
            assert_eq!(s.to_string().parse(), Ok(s));
            assert_eq!(s.mirrored().mirrored(), s);
        }
        assert!("B5".parse::<Status>().is_err());
        assert_eq!(Status::ALL.len(), 14);
    }

    #[test]
    fn win_rates_grade_to_the_table() {
        for (rate, text) in
            [(0.9, "B4"), (0.8, "B3"), (0.6, "B1"), (0.5, "stable"), (0.3, "W2"), (0.1, "W4"), (0.0, "W4")]
        {
            assert_eq!(Status::from_win_rate(rate).to_string(), text);
        }
    }
}
