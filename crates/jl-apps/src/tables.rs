//! Tables from a program's status to a search's values: configuration, with the papers' as defaults. The first player's view; a search
//! mirrors them for the other attacker itself. What is sure needs no table.

use jl_game::{Assessment, Grade, Status};
use jl_search::pns::Numbers;
use jl_value::Player;
use serde::{Deserialize, Serialize};

/// A value for every status that is not sure. Written with the statuses' names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row<T> {
    #[serde(rename = "B4")]
    b4: T,
    #[serde(rename = "B3")]
    b3: T,
    #[serde(rename = "B2")]
    b2: T,
    #[serde(rename = "B1")]
    b1: T,
    stable: T,
    unstable1: T,
    unstable2: T,
    #[serde(rename = "W1")]
    w1: T,
    #[serde(rename = "W2")]
    w2: T,
    #[serde(rename = "W3")]
    w3: T,
    #[serde(rename = "W4")]
    w4: T,
}

impl<T: Copy> Row<T> {
    /// The favourable half, best first, and what is even; the other half is its mirror image.
    fn mirrored(
        [b4, b3, b2, b1]: [T; 4],
        [stable, unstable1, unstable2]: [T; 3],
        mirror: fn(T) -> T,
    ) -> Row<T> {
        let [w1, w2, w3, w4] = [b1, b2, b3, b4].map(mirror);
        Row { b4, b3, b2, b1, stable, unstable1, unstable2, w1, w2, w3, w4 }
    }

    /// `None` for a sure status.
    fn get(&self, status: Status) -> Option<T> {
        let Row { b4, b3, b2, b1, stable, unstable1, unstable2, w1, w2, w3, w4 } = *self;
        let grade = |grade, [one, two, three, four]: [T; 4]| match grade {
            Grade::One => one,
            Grade::Two => two,
            Grade::Three => three,
            Grade::Four => four,
        };
        match status {
            Status::Favours(Player::First, g) => Some(grade(g, [b1, b2, b3, b4])),
            Status::Favours(Player::Second, g) => Some(grade(g, [w1, w2, w3, w4])),
            Status::Stable => Some(stable),
            Status::Unstable1 => Some(unstable1),
            Status::Unstable2 => Some(unstable2),
            Status::Win(_) | Status::Draw => None,
        }
    }
}

impl<T: Copy> Row<Option<T>> {
    /// What is left out of the second player's half mirrors the first player's; what is left out of that, the default.
    fn complete(self, default: &Row<T>, mirror: fn(T) -> T) -> Row<T> {
        let even = [
            self.stable.unwrap_or(default.stable),
            self.unstable1.unwrap_or(default.unstable1),
            self.unstable2.unwrap_or(default.unstable2),
        ];
        let first = [
            self.b4.unwrap_or(default.b4),
            self.b3.unwrap_or(default.b3),
            self.b2.unwrap_or(default.b2),
            self.b1.unwrap_or(default.b1),
        ];
        let row = Row::mirrored(first, even, mirror);
        Row {
            w1: self.w1.unwrap_or(row.w1),
            w2: self.w2.unwrap_or(row.w2),
            w3: self.w3.unwrap_or(row.w3),
            w4: self.w4.unwrap_or(row.w4),
            ..row
        }
    }
}

/// What the statuses of a program mean to each search.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct StatusTables {
    /// With the first player as attacker.
    pns: Row<Numbers>,
    /// The first player's win rates, in place of those that the program prints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    uct: Option<Row<f64>>,
}

impl Default for StatusTables {
    fn default() -> StatusTables {
        StatusTables { pns: lin13(), uct: None }
    }
}

/// Lin13 Table 7.
fn lin13() -> Row<Numbers> {
    let favourable = [(1, 18), (2, 12), (3, 10), (4, 8)].map(Numbers::from);
    Row::mirrored(favourable, [(6, 6), (5, 5), (4, 4)].map(Numbers::from), exchanged)
}

/// Chen10 Table 3, the earlier one.
fn chen10() -> Row<Numbers> {
    let favourable = [(1, 18), (2, 12), (3, 8), (4, 6)].map(Numbers::from);
    Row::mirrored(favourable, [(6, 6), (5, 5), (4, 4)].map(Numbers::from), exchanged)
}

/// Wei15b Table 1.
fn wei15() -> Row<f64> {
    Row::mirrored([0.9, 0.8, 0.7, 0.6], [0.5; 3], |rate| 1.0 - rate)
}

fn exchanged(numbers: Numbers) -> Numbers {
    numbers.for_attacker(Player::Second)
}

/// The tables that have names, the default first.
pub const NAMED: &[(&str, &str)] = &[
    ("lin13", "the default: B4 1/18, B3 2/12, B2 3/10, B1 4/8, stable 6/6, unstable 5/5 and 4/4 (JL-PNS)"),
    ("chen10", "an earlier one: B2 3/8, B1 4/6, the rest the same (JL-PNS)"),
    (
        "wei15",
        "B4 0.9, B3 0.8, B2 0.7, B1 0.6, else 0.5, in place of the win rates that the program prints (JL-UCT)",
    ),
];

#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum TableError {
    #[error("{0}")]
    Syntax(String),
    #[error("{status} = {given}: proof numbers are from 1 to {MOST}, since nothing in the table is sure")]
    Numbers { status: Status, given: Numbers },
    #[error("{status} = {given}: a win rate is from 0 to 1")]
    WinRate { status: Status, given: f64 },
}

/// More than any table needs, and far from where sums saturate.
const MOST: u32 = 1_000_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    pns: Option<Row<Option<Numbers>>>,
    uct: Option<Row<Option<f64>>>,
}

impl StatusTables {
    /// One of [`NAMED`].
    #[must_use]
    pub fn named(name: &str) -> Option<StatusTables> {
        let default = StatusTables::default();
        match name {
            "lin13" => Some(default),
            "chen10" => Some(StatusTables { pns: chen10(), ..default }),
            "wei15" => Some(StatusTables { uct: Some(wei15()), ..default }),
            _ => None,
        }
    }

    /// From TOML, with a table `pns` or `uct` or both:
    ///
    /// ```
    /// let tables = jl_apps::tables::StatusTables::read("[pns]\nB1 = [3, 9]\n").unwrap();
    /// assert_eq!(tables.numbers("B1".parse().unwrap()).to_string(), "3/9");
    /// assert_eq!(tables.numbers("W1".parse().unwrap()).to_string(), "9/3");
    /// ```
    pub fn read(text: &str) -> Result<StatusTables, TableError> {
        let Text { pns, uct } = toml::from_str(text).map_err(|e| TableError::Syntax(e.to_string()))?;
        let pns = pns.map_or(lin13(), |row| row.complete(&lin13(), exchanged));
        let uct = uct.map(|row| row.complete(&wei15(), |rate| 1.0 - rate));
        for status in Status::ALL {
            match pns.get(status) {
                Some(given) if ![given.pn, given.dn].iter().all(|n| (1..=MOST).contains(n)) => {
                    return Err(TableError::Numbers { status, given });
                }
                _ => {}
            }
            match uct.and_then(|row| row.get(status)) {
                Some(given) if !(0.0..=1.0).contains(&given) => {
                    return Err(TableError::WinRate { status, given });
                }
                _ => {}
            }
        }
        Ok(StatusTables { pns, uct })
    }

    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == StatusTables::default()
    }

    /// Proof and disproof numbers with the first player as attacker.
    #[must_use]
    pub fn numbers(&self, status: Status) -> Numbers {
        match status {
            Status::Win(Player::First) => Numbers::PROVED,
            Status::Win(Player::Second) | Status::Draw => Numbers::DISPROVED,
            other => self.pns.get(other).expect("a table has every status that is not sure"),
        }
    }

    /// The first player's win rate: what the program prints, unless there is a table for it.
    #[must_use]
    pub fn win_rate(&self, assessment: &Assessment) -> f64 {
        let outcome = match assessment.status {
            Status::Win(Player::First) => Some(1.0),
            Status::Win(Player::Second) => Some(0.0),
            Status::Draw => Some(0.5),
            _ => None,
        };
        let (status, printed) = (assessment.status, assessment.win_rate);
        let of_table = |row: &Row<f64>| row.get(status).expect("a table has every status that is not sure");
        outcome.unwrap_or_else(|| match &self.uct {
            Some(row) => of_table(row),
            None => printed.unwrap_or_else(|| of_table(&wei15())),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(name: &str) -> Status {
        name.parse().unwrap()
    }

    fn says(tables: &StatusTables, row: &str) {
        for pair in row.split_whitespace().collect::<Vec<_>>().chunks(2) {
            assert_eq!(tables.numbers(status(pair[0])).to_string(), pair[1], "{}", pair[0]);
        }
    }

    #[test]
    fn the_tables_are_the_papers() {
        let row = "B:w 0/∞ B4 1/18 B3 2/12 B2 3/10 B1 4/8 stable 6/6 unstable1 5/5 unstable2 4/4 \
                   W1 8/4 W2 10/3 W3 12/2 W4 18/1 W:w ∞/0";
        says(&StatusTables::default(), row);
        let row = "B4 1/18 B3 2/12 B2 3/8 B1 4/6 stable 6/6 W1 6/4 W2 8/3 W3 12/2";
        says(&StatusTables::named("chen10").unwrap(), row);
        for tables in [StatusTables::default(), StatusTables::named("wei15").unwrap()] {
            for (name, rate) in
                [("B:w", 1.0), ("B3", 0.8), ("unstable2", 0.5), ("W1", 0.4), ("W4", 0.1), ("W:w", 0.0)]
            {
                assert!((tables.win_rate(&status(name).into()) - rate).abs() < 1e-9, "{name}");
            }
        }
        assert!(NAMED.iter().all(|(name, _)| StatusTables::named(name).is_some()));
    }

    #[test]
    fn a_printed_win_rate_counts_unless_there_is_a_table() {
        let printed = Assessment { status: status("B3"), win_rate: Some(0.77) };
        let rate = |tables: &StatusTables| tables.win_rate(&printed);
        assert!((rate(&StatusTables::default()) - 0.77).abs() < 1e-9);
        assert!((rate(&StatusTables::named("wei15").unwrap()) - 0.8).abs() < 1e-9);
    }

    #[test]
    fn what_a_file_leaves_out_is_mirrored_or_the_default() {
        let tables = StatusTables::read("[pns]\nB2 = [2, 20]\nW1 = [7, 7]\n[uct]\nB4 = 0.95\n").unwrap();
        says(&tables, "B4 1/18 B2 2/20 W2 20/2 B1 4/8 W1 7/7 stable 6/6");
        assert!((tables.win_rate(&status("W4").into()) - 0.05).abs() < 1e-9);
        let text = serde_json::to_string(&tables).unwrap();
        assert_eq!(serde_json::from_str::<StatusTables>(&text).unwrap(), tables);
        assert_eq!(StatusTables::read("").unwrap(), StatusTables::default());
    }

    #[test]
    fn a_table_that_makes_no_sense_is_refused() {
        for (text, names) in [
            ("[pns]\nB5 = [1, 1]\n", "B5"),
            ("[pns]\nB4 = [0, 18]\n", "B4 = 0/18"),
            ("[pns]\nB4 = 3\n", "B4"),
            ("[uct]\nstable = 1.5\n", "stable = 1.5"),
            ("[uct]\nstable = nan\n", "stable"),
            ("[cns]\n", "cns"),
            ("pns", "pns"),
        ] {
            let error = StatusTables::read(text).unwrap_err().to_string();
            assert!(error.contains(names), "{text}: {error}");
        }
    }
}
