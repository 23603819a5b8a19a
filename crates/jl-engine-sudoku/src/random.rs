//! Random grids, each of the 5,472,730,538 essentially different ones as likely as any other.
//!
//! A least form is the least form of a band with six rows below it, in one way. So choose a band in proportion to its
//! completions, one of its completions with equal chances, and keep it if it is a least form, as about one in seven is:
//! all least forms have the same chance, and how many automorphisms a grid has does not come into it.
//!
//! A completion is chosen by what the columns of its second band hold, in proportion to the fills of the second and
//! the third band with such columns, and then a fill for each.

use crate::bands::Rows;
use crate::canonical::is_least_form;
use crate::completions::{FillCounts, StackWays, stack_ways};
use crate::fills::{self, ColumnSets};
use crate::{Grid, bands};
use std::sync::LazyLock;

/// An endless sequence of random grids in their least forms, the same for the same seed on any machine.
pub fn random_grids(seed: u64) -> impl Iterator<Item = Grid> {
    let mut rng = fastrand::Rng::with_seed(seed);
    std::iter::from_fn(move || {
        loop {
            let (band, rows) = completed_band(&mut rng);
            if is_least_form(&rows, band) {
                return Some(Grid::from_complete(std::array::from_fn(|cell| rows[cell / 9][cell % 9] + 1)));
            }
        }
    })
}

/// What the stacks below each band can hold, and the numbers of completions of the bands up to each.
struct Choices {
    ways: Vec<[StackWays; 3]>,
    completions: Vec<u64>,
}

static CHOICES: LazyLock<Choices> = LazyLock::new(|| {
    let mut total = 0;
    Choices {
        ways: bands()
            .iter()
            .map(|band| std::array::from_fn(|stack| stack_ways(&band.columns(), stack)))
            .collect(),
        completions: bands()
            .iter()
            .map(|band| {
                total += band.completions();
                total
            })
            .collect(),
    }
});

/// One of the completions of the least forms of the bands, with its rows sorted, and the class of its band.
fn completed_band(rng: &mut fastrand::Rng) -> (u16, [[u8; 9]; 9]) {
    let choices = &*CHOICES;
    let total = *choices.completions.last().expect("there are bands");
    let place = rng.u64(..total);
    let band = choices.completions.partition_point(|&completions| completions <= place);
    (band as u16, complete(band, &choices.ways[band], rng))
}

/// One of the completions of a band, with its rows sorted.
fn complete(band: usize, ways: &[StackWays; 3], rng: &mut fastrand::Rng) -> [[u8; 9]; 9] {
    let counts = FillCounts::get();
    let band = &bands()[band];
    let (second, third) = loop {
        let choice: [usize; 3] = std::array::from_fn(|_| rng.u8(..56).into());
        let second: [&[u16; 3]; 3] = std::array::from_fn(|stack| &ways[stack][choice[stack]]);
        // What a way leaves to the third band is the way as far from the end.
        let third: [&[u16; 3]; 3] = std::array::from_fn(|stack| &ways[stack][55 - choice[stack]]);
        let both = u32::from(counts.count(second)) * u32::from(counts.count(third));
        if rng.u32(..band.most_fills()) < both {
            break (second, third);
        }
    };
    // The second digit comes first in column 1, so its band comes first.
    let (second, third) = if second[0][0] >> 1 & 1 == 1 { (second, third) } else { (third, second) };
    let mut rows = [[0; 9]; 9];
    rows[..3].copy_from_slice(band.rows());
    for (stacks, rows) in [second, third].into_iter().zip(rows[3..].chunks_mut(3)) {
        let columns = std::array::from_fn(|column| stacks[column / 3][column % 3]);
        rows.copy_from_slice(&fill(&columns, counts.count(stacks) / 6, rng));
    }
    rows
}

/// One of the bands with these columns and sorted rows, of which there are `count`.
fn fill(columns: &ColumnSets, count: u16, rng: &mut fastrand::Rng) -> Rows {
    let mut rows = [[0; 9]; 3];
    let mut left = rng.u16(..count);
    fills::for_each(columns, &mut |fill| {
        rows = *fill;
        left.checked_sub(1).map(|less| left = less).is_some()
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// The sum of (seen − expected)² / expected, and how far it lies from its mean in standard deviations.
    fn deviations(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
        let (sum, kinds) = pairs.fold((0.0, 0.0), |(sum, kinds), (seen, expected)| {
            (sum + (seen - expected).powi(2) / expected, kinds + 1.0)
        });
        (sum - (kinds - 1.0)) / (2.0f64 * (kinds - 1.0)).sqrt()
    }

    #[test]
    fn the_rows_below_a_band_have_equal_chances_as_they_have_completions() {
        // The fourth row of the completions of a band, drawn and counted.
        let band = 299;
        let ways = &CHOICES.ways[band];
        let mut expected: HashMap<[u8; 9], f64> = HashMap::new();
        let columns = bands()[band].columns();
        let mut total = 0.0;
        for (i, j, k) in (0..56 * 56 * 56).map(|n| (n / 3136, n / 56 % 56, n % 56)) {
            let second = [&ways[0][i], &ways[1][j], &ways[2][k]];
            if second[0][0] >> 1 & 1 == 0 {
                continue;
            }
            let sets: ColumnSets = std::array::from_fn(|column| second[column / 3][column % 3]);
            let rest: ColumnSets = std::array::from_fn(|column| 0o777 & !(sets[column] | columns[column]));
            let below = fills::count(&rest) as f64;
            fills::for_each(&sets, &mut |fill| {
                *expected.entry(fill[0]).or_default() += below;
                total += below;
                true
            });
        }
        assert_eq!(total as u64 * 72, bands()[band].completions());

        let mut rng = fastrand::Rng::with_seed(7);
        let draws = 40_000;
        let mut seen: HashMap<[u8; 9], f64> = HashMap::new();
        for _ in 0..draws {
            *seen.entry(complete(band, ways, &mut rng)[3]).or_default() += 1.0;
        }
        let off = deviations(expected.iter().map(|(row, completions)| {
            (seen.get(row).copied().unwrap_or(0.0), completions / total * f64::from(draws))
        }));
        assert!(off.abs() < 4.0, "{off} standard deviations over {} rows", expected.len());
    }

    #[test]
    fn the_fills_of_some_columns_have_equal_chances() {
        let ways = &CHOICES.ways[299];
        let mut rng = fastrand::Rng::with_seed(3);
        for choice in [[0, 0, 0], [10, 20, 30], [55, 27, 3]] {
            let columns = std::array::from_fn(|column| ways[column / 3][choice[column / 3]][column % 3]);
            let kinds = fills::count(&columns);
            let draws = 200 * kinds;
            let mut seen: HashMap<Rows, f64> = HashMap::new();
            for _ in 0..draws {
                *seen.entry(fill(&columns, kinds as u16, &mut rng)).or_default() += 1.0;
            }
            assert_eq!(seen.len(), kinds);
            let off = deviations(seen.values().map(|&seen| (seen, 200.0)));
            assert!(off.abs() < 4.0, "{off} standard deviations over {kinds} fills");
        }
    }
}
