//! The default tables from a program's status to a search's values (Lin13 Table 7, Wei15b Table 1). The first player's
//! view; a search mirrors them for the other attacker itself.

use jl_game::{Grade, Status};
use jl_search::pns::Numbers;
use jl_value::Player;

/// Proof and disproof numbers with the first player as attacker.
#[must_use]
pub fn numbers(status: Status) -> Numbers {
    let favourable = |grade| match grade {
        Grade::Four => Numbers::new(1, 18),
        Grade::Three => Numbers::new(2, 12),
        Grade::Two => Numbers::new(3, 10),
        Grade::One => Numbers::new(4, 8),
    };
    match status {
        Status::Win(Player::First) => Numbers::PROVED,
        Status::Favours(Player::First, grade) => favourable(grade),
        Status::Stable => Numbers::new(6, 6),
        Status::Unstable1 => Numbers::new(5, 5),
        Status::Unstable2 => Numbers::new(4, 4),
        Status::Favours(Player::Second, grade) => favourable(grade).for_attacker(Player::Second),
        Status::Win(Player::Second) | Status::Draw => Numbers::DISPROVED,
    }
}

/// The first player's win rate.
#[must_use]
pub fn win_rate(status: Status) -> f64 {
    match status {
        Status::Win(Player::First) => 1.0,
        Status::Favours(Player::First, grade) => 0.5 + 0.1 * f64::from(grade as u8),
        Status::Stable | Status::Unstable1 | Status::Unstable2 | Status::Draw => 0.5,
        Status::Favours(Player::Second, grade) => 0.5 - 0.1 * f64::from(grade as u8),
        Status::Win(Player::Second) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_the_papers() {
        let row = "B:w 0/∞ B4 1/18 B3 2/12 B2 3/10 B1 4/8 stable 6/6 unstable1 5/5 unstable2 4/4 \
                   W1 8/4 W2 10/3 W3 12/2 W4 18/1 W:w ∞/0";
        let words: Vec<&str> = row.split_whitespace().collect();
        for pair in words.chunks(2) {
            assert_eq!(numbers(pair[0].parse().unwrap()).to_string(), pair[1], "{}", pair[0]);
        }
        for (status, rate) in
            [("B:w", 1.0), ("B3", 0.8), ("unstable2", 0.5), ("W1", 0.4), ("W4", 0.1), ("W:w", 0.0)]
        {
            assert!((win_rate(status.parse().unwrap()) - rate).abs() < 1e-9, "{status}");
        }
    }
}
