//! The 416 essentially different bands.
//!
//! A band is three rows of a grid, and turned on its side a stack is one too. Two bands are the same if renaming
//! digits, reordering rows, stacks and the columns of a stack leads from one to the other. The class is named by
//! its place in the order of least forms: the least of the 27-digit strings of the class, whose first row is
//! 123456789.

use crate::completions::FillCounts;
use crate::fills::ColumnSets;
use crate::keys::{self, KEYS};
use std::cmp::Ordering;
use std::sync::LazyLock;

/// Three rows of digits 0 to 8.
pub(crate) type Rows = [[u8; 9]; 3];

/// The number of essentially different bands.
pub const BANDS: usize = 416;

/// The orders of three things, the least first.
pub(crate) const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// How the rows and columns of one band come from those of another: row i is `rows[i]` there.
/// The digits follow, for the top row becomes 012345678.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BandMap {
    pub rows: [u8; 3],
    pub columns: [u8; 9],
}

impl BandMap {
    const IDENTITY: BandMap = BandMap { rows: [0, 1, 2], columns: [0, 1, 2, 3, 4, 5, 6, 7, 8] };

    pub fn is_identity(&self) -> bool {
        *self == BandMap::IDENTITY
    }

    /// This map after `first`.
    pub fn after(&self, first: &BandMap) -> BandMap {
        BandMap {
            rows: self.rows.map(|row| first.rows[row as usize]),
            columns: self.columns.map(|column| first.columns[column as usize]),
        }
    }

    fn inverse(&self) -> BandMap {
        let mut inverse = *self;
        (0..3).for_each(|i| inverse.rows[self.rows[i] as usize] = i as u8);
        (0..9).for_each(|i| inverse.columns[self.columns[i] as usize] = i as u8);
        inverse
    }

    /// The digit that each digit becomes, by what is in the row that comes to the top.
    pub fn labels(&self, top: &[u8; 9]) -> [u8; 9] {
        let mut labels = [0; 9];
        (0..9).for_each(|i| labels[top[self.columns[i] as usize] as usize] = i as u8);
        labels
    }

    /// What the map makes of a band against another band, which begins with 012345678.
    fn compare(&self, band: &Rows, other: &Rows) -> Ordering {
        let labels = self.labels(&band[self.rows[0] as usize]);
        let row = |i: usize| {
            let row = &band[self.rows[i] as usize];
            self.columns.iter().map(move |&column| labels[row[column as usize] as usize])
        };
        row(1).cmp(other[1].iter().copied()).then_with(|| row(2).cmp(other[2].iter().copied()))
    }

    fn apply(&self, band: &Rows) -> Rows {
        let labels = self.labels(&band[self.rows[0] as usize]);
        self.rows.map(|row| self.columns.map(|column| labels[band[row as usize][column as usize] as usize]))
    }
}

/// A symmetry that leads from the least form of a class to itself, and what it makes of the digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Automorphism {
    pub map: BandMap,
    pub labels: [u8; 9],
}

impl Automorphism {
    /// What becomes of a row of the grid.
    #[inline]
    pub fn row(&self, row: &[u8; 9]) -> [u8; 9] {
        std::array::from_fn(|column| self.digit(row, column))
    }

    /// What comes to this column of a row of the grid.
    #[inline]
    pub fn digit(&self, row: &[u8; 9], column: usize) -> u8 {
        self.labels[row[self.map.columns[column] as usize] as usize]
    }
}

/// One of the 416 classes.
#[derive(Debug)]
pub struct Band {
    rows: Rows,
    automorphisms: Vec<Automorphism>,
    class: usize,
}

impl Band {
    /// The least form, as digits 1 to 9.
    #[must_use]
    pub fn digits(&self) -> [u8; 27] {
        std::array::from_fn(|cell| self.rows[cell / 9][cell % 9] + 1)
    }

    /// How many symmetries lead from the band to itself.
    #[must_use]
    pub fn automorphisms(&self) -> usize {
        self.automorphisms.len()
    }

    /// How many bands are of this class.
    #[must_use]
    pub fn class_size(&self) -> u64 {
        362_880 * 7_776 / self.automorphisms.len() as u64
    }

    /// In how many ways two more bands complete this one to a grid.
    #[must_use]
    pub fn completions(&self) -> u64 {
        COMPLETIONS[self.class].0
    }

    /// The most fills that two bands below this one have together with the same digits in their columns.
    pub(crate) fn most_fills(&self) -> u32 {
        COMPLETIONS[self.class].1
    }

    pub(crate) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The symmetries that lead from the least form to itself.
    pub(crate) fn maps(&self) -> &[Automorphism] {
        &self.automorphisms
    }

    /// What is in each column, as sets of digits.
    pub(crate) fn columns(&self) -> ColumnSets {
        std::array::from_fn(|column| self.rows.iter().map(|row| 1 << row[column]).sum())
    }
}

/// The classes, in the order of their least forms.
#[must_use]
pub fn bands() -> &'static [Band] {
    &TABLES.bands
}

pub(crate) struct Tables {
    bands: Vec<Band>,
    classes: Vec<u16>,
    maps: Vec<BandMap>,
    greatest: Vec<u16>,
}

/// For each class the completions, and the most fills of two bands with the same digits in their columns.
static COMPLETIONS: LazyLock<Vec<(u64, u32)>> =
    LazyLock::new(|| bands().iter().map(|band| FillCounts::get().completions(&band.columns())).collect());

pub(crate) static TABLES: LazyLock<Tables> = LazyLock::new(Tables::build);

impl Tables {
    /// The class of the band with this key.
    #[inline]
    pub fn class(&self, key: usize) -> u16 {
        self.classes[key]
    }

    /// The greatest class of the 36 keys that begin with this key's first two boxes.
    #[inline]
    pub fn greatest(&self, key: usize) -> u16 {
        self.greatest[key / 36]
    }

    /// A way from the band to its least form.
    pub fn map(&self, band: [&[u8; 9]; 3]) -> BandMap {
        let (key, columns) = keys::normal(band);
        self.maps[key].after(&BandMap { columns, ..BandMap::IDENTITY })
    }

    fn build() -> Tables {
        let mut least: Vec<Rows> = Vec::with_capacity(BANDS);
        let mut seen = vec![false; KEYS];
        let columns = column_orders();
        for key in 0..KEYS {
            if !seen[key] {
                let band = keys::band(key);
                for_each_normal(&band, |key, _| seen[key] = true);
                least.push(least_form(&band, &columns));
            }
        }
        least.sort_unstable();

        let mut classes = vec![0; KEYS];
        let mut maps = vec![BandMap::IDENTITY; KEYS];
        for (class, band) in least.iter().enumerate() {
            for_each_normal(band, |key, map| {
                classes[key] = class as u16;
                maps[key] = map.inverse();
            });
        }
        let greatest = classes.chunks(36).map(|keys| *keys.iter().max().expect("36 keys")).collect();
        let bands = least
            .into_iter()
            .enumerate()
            .map(|(class, rows)| Band { rows, automorphisms: automorphisms(&rows, &columns), class })
            .collect();
        Tables { bands, classes, maps, greatest }
    }
}

/// Every key that a band has if its rows, its stacks and the columns of its first stack are reordered.
fn for_each_normal(band: &Rows, mut visit: impl FnMut(usize, BandMap)) {
    for rows in ORDERS {
        for stacks in ORDERS {
            for first in ORDERS {
                let columns = std::array::from_fn(|i| {
                    let within = if i < 3 { first[i] } else { i % 3 };
                    (stacks[i / 3] * 3 + within) as u8
                });
                let map = BandMap { rows: rows.map(|row| row as u8), columns };
                let moved = map.apply(band);
                let (key, sorted) = keys::normal([&moved[0], &moved[1], &moved[2]]);
                visit(key, BandMap { columns: sorted, ..BandMap::IDENTITY }.after(&map));
            }
        }
    }
}

/// The 1,296 orders of the columns.
fn column_orders() -> Vec<[u8; 9]> {
    let mut all = Vec::with_capacity(1296);
    for stacks in ORDERS {
        for (a, b, c) in
            ORDERS.iter().flat_map(|a| ORDERS.iter().flat_map(move |b| ORDERS.iter().map(move |c| (a, b, c))))
        {
            all.push(std::array::from_fn(|i| (stacks[i / 3] * 3 + [a, b, c][i / 3][i % 3]) as u8));
        }
    }
    all
}

/// Every form of a band whose top row is 012345678 and whose second row begins lower than the third.
fn for_each_form(band: &Rows, columns: &[[u8; 9]], mut visit: impl FnMut(BandMap)) {
    for top in 0..3 {
        for &columns in columns {
            let mut map = BandMap { rows: [top, (top + 1) % 3, (top + 2) % 3], columns };
            let labels = map.labels(&band[top as usize]);
            let first = |row: u8| labels[band[row as usize][columns[0] as usize] as usize];
            if first(map.rows[1]) > first(map.rows[2]) {
                map.rows.swap(1, 2);
            }
            visit(map);
        }
    }
}

fn least_form(band: &Rows, columns: &[[u8; 9]]) -> Rows {
    let mut least = [[9; 9]; 3];
    for_each_form(band, columns, |map| {
        if map.compare(band, &least).is_lt() {
            least = map.apply(band);
        }
    });
    least
}

fn automorphisms(band: &Rows, columns: &[[u8; 9]]) -> Vec<Automorphism> {
    let mut maps = Vec::new();
    for_each_form(band, columns, |map| {
        if map.compare(band, band).is_eq() {
            maps.push(Automorphism { map, labels: map.labels(&band[map.rows[0] as usize]) });
        }
    });
    maps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_of_the_table_leads_to_the_least_form() {
        for key in (0..KEYS).step_by(17) {
            let band = keys::band(key);
            let rows = [&band[0], &band[1], &band[2]];
            assert_eq!(keys::key(rows), key);
            let class = TABLES.class(key) as usize;
            assert_eq!(TABLES.map(rows).apply(&band), bands()[class].rows);
        }
    }
}
