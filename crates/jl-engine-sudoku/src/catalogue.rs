//! The 5,472,730,538 essentially different grids, in the order of their least forms.
//!
//! A grid of the catalogue is the least form of a band and six rows below it, sorted by their first digits, such that
//! no other of the six bands and stacks, put on top, gives a lesser string. A band and its next row with which some
//! grid begins are a *start*, of which there are 652,408. The grids of a start are made on their own, so any part of
//! the catalogue can be had without the parts before it: a grid's address is the number of its start and its place
//! there.

use crate::bands::{Automorphism, Rows, TABLES};
use crate::canonical::is_least;
use crate::fills::{self, ColumnSets};
use crate::{BANDS, Grid, bands, keys};
use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

/// The number of essentially different grids.
pub const GRIDS: u64 = 5_472_730_538;

/// The number of starts.
pub const STARTS: usize = 652_408;

/// The numbers of starts and of grids of each band, as G. Penet published them with his virtual catalogue. Counted
/// again with this code, and found the same: all numbers of starts, and the numbers of grids of the bands 1 to 11, 30,
/// 91 to 104, 215 to 238 and 250 to 416. `examples/count_grids.rs` counts any of them.
static COUNTS: LazyLock<Vec<(usize, u64)>> = LazyLock::new(|| {
    let number = |text: &str| text.parse::<u64>().expect("the table has numbers");
    let lines = include_str!("catalogue.tsv").lines();
    lines
        .map(|line| line.split_once('\t').expect("the table has two columns"))
        .map(|(starts, grids)| (number(starts) as usize, number(grids)))
        .collect()
});

/// How many grids of the catalogue begin with this band.
#[must_use]
pub fn grids_of_band(band: usize) -> u64 {
    COUNTS[band].1
}

/// The starts of a band, in order.
#[must_use]
pub fn starts_of_band(band: usize) -> &'static [Start] {
    // The late bands have few starts among many rows that begin no grid, and to find that out takes a part of a second.
    static FOUND: [OnceLock<Vec<Start>>; BANDS] = [const { OnceLock::new() }; BANDS];
    FOUND[band].get_or_init(|| {
        let mut starts = candidates(band);
        starts.retain(|start| !start.search(&mut |_| false));
        assert_eq!(starts.len(), COUNTS[band].0, "the starts of band {}", band + 1);
        starts
    })
}

/// The start with this number, from 0 to [`STARTS`].
#[must_use]
pub fn start(number: usize) -> Option<Start> {
    let band = band_of_start(number)?;
    Some(starts_of_band(band)[number - first_start_of_band(band)])
}

/// The number of the first start of a band.
#[must_use]
pub fn first_start_of_band(band: usize) -> usize {
    COUNTS[..band].iter().map(|(starts, _)| starts).sum()
}

/// The band of the start with this number.
#[must_use]
pub fn band_of_start(number: usize) -> Option<usize> {
    let mut before = 0;
    COUNTS.iter().position(|(starts, _)| {
        before += starts;
        number < before
    })
}

/// Visits the grids of the catalogue from a place of a start on, and those of the starts after it, as long as `visit` says
/// so. A place beyond the grids of the start is one of a later start.
pub fn for_each_from(start: usize, place: usize, mut visit: impl FnMut(Grid) -> bool) {
    let mut skip = place;
    for start in (start..).map_while(self::start) {
        if !start.for_each_after(&mut skip, &mut visit) {
            break;
        }
    }
}

/// So many grids from a place of a start on; fewer at the end of the catalogue.
#[must_use]
pub fn slice(start: usize, place: usize, count: usize) -> Vec<Grid> {
    let mut grids = Vec::new();
    if count > 0 {
        for_each_from(start, place, |grid| {
            grids.push(grid);
            grids.len() < count
        });
    }
    grids
}

/// The first four rows of some grids of the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Start {
    band: u16,
    row: [u8; 9],
}

/// The rows that can come fourth below a band, in order: those that no symmetry of the band makes less. Some begin no
/// grid of the catalogue.
fn candidates(band: usize) -> Vec<Start> {
    let class = &bands()[band];
    let columns = class.columns();
    let mut starts = Vec::new();
    let mut row = [0; 9];
    rows(&columns, 0, 1 << 1, 0, &mut row, &mut |row| {
        let least = class.maps().iter().all(|map| {
            let image = map.row(row);
            image[0] != 1 || image >= *row
        });
        if least {
            starts.push(Start { band: band as u16, row: *row });
        }
        true
    });
    starts
}

/// Visits the rows that have none of the digits of their columns, the first being one of `choices`.
fn rows(
    taken: &ColumnSets,
    column: usize,
    mut choices: u16,
    used: u16,
    row: &mut [u8; 9],
    visit: &mut impl FnMut(&[u8; 9]) -> bool,
) -> bool {
    while choices != 0 {
        let digit = choices.trailing_zeros();
        choices &= choices - 1;
        row[column] = digit as u8;
        let used = used | 1 << digit;
        let more = match taken.get(column + 1) {
            Some(next) => rows(taken, column + 1, 0o777 & !(next | used), used, row, visit),
            None => visit(row),
        };
        if !more {
            return false;
        }
    }
    true
}

/// The digits of each small row of a row, once for each of its columns.
fn small_rows(row: &[u8; 9]) -> ColumnSets {
    std::array::from_fn(|column| row[column / 3 * 3..][..3].iter().map(|digit| 1 << digit).sum())
}

fn union(a: &ColumnSets, b: &ColumnSets) -> ColumnSets {
    std::array::from_fn(|i| a[i] | b[i])
}

/// The box of a stack in these three rows, by its columns.
#[inline]
fn on_its_side(rows: &[[u8; 9]], stack: usize) -> [[u8; 3]; 3] {
    let column = |column: usize| [rows[0][column], rows[1][column], rows[2][column]];
    [column(stack * 3), column(stack * 3 + 1), column(stack * 3 + 2)]
}

impl Start {
    /// The start of a grid in its least form, and the place of the grid among those of the start.
    #[must_use]
    pub fn of_grid(grid: &Grid) -> Option<(Start, usize)> {
        let start = Start::beginning(grid)?;
        let mut before = 0;
        let mut found = false;
        start.for_each(|other| {
            found = other == *grid;
            before += usize::from(other < *grid);
            other < *grid
        });
        found.then_some((start, before))
    }

    /// The first four rows of a grid, if some least form begins with them.
    #[must_use]
    pub fn beginning(grid: &Grid) -> Option<Start> {
        let class = bands().iter().position(|band| band.digits() == grid.digits()[..27])?;
        let start = Start { band: class as u16, row: std::array::from_fn(|i| grid.digits()[27 + i] - 1) };
        starts_of_band(class).binary_search(&start).ok().map(|_| start)
    }

    /// The number of the start among all.
    #[must_use]
    pub fn number(&self) -> usize {
        let place = starts_of_band(self.band()).binary_search(self);
        first_start_of_band(self.band()) + place.expect("a start is among those of its band")
    }

    /// The class of the top band, from 0.
    #[must_use]
    pub fn band(&self) -> usize {
        self.band as usize
    }

    /// How many grids begin so.
    #[must_use]
    pub fn count(&self) -> usize {
        let mut count = 0;
        self.search(&mut |_| {
            count += 1;
            true
        });
        count
    }

    /// Some of the grids, by their places.
    #[must_use]
    pub fn grids(&self, places: Range<usize>) -> Vec<Grid> {
        let mut grids = Vec::new();
        let mut place = 0;
        self.for_each(|grid| {
            if places.contains(&place) {
                grids.push(grid);
            }
            place += 1;
            place < places.end
        });
        grids
    }

    /// Visits the grids in order, as long as `visit` says so.
    pub fn for_each(&self, mut visit: impl FnMut(Grid) -> bool) {
        self.for_each_after(&mut 0, &mut visit);
    }

    /// The same without the first ones; takes those that it leaves out from their number. False if `visit` wants no more.
    pub fn for_each_after(&self, skip: &mut usize, visit: &mut impl FnMut(Grid) -> bool) -> bool {
        self.search(&mut |rows| match skip.checked_sub(1) {
            Some(less) => {
                *skip = less;
                true
            }
            None => visit(Grid::from_complete(std::array::from_fn(|cell| rows[cell / 9][cell % 9] + 1))),
        })
    }

    fn search(&self, visit: &mut impl FnMut(&[[u8; 9]; 9]) -> bool) -> bool {
        let band = &bands()[self.band()];
        let columns = band.columns();
        let mut grid = [[0; 9]; 9];
        grid[..3].copy_from_slice(band.rows());
        grid[3] = self.row;
        let boxes4 = small_rows(&self.row);
        let taken5 = union(&columns, &boxes4);
        let labels = std::array::from_fn(|stack| {
            // The stack on its side: the places of the digits of its top box.
            keys::box_labels(&on_its_side(&grid[..3], stack))
        });
        let mut search = Search { class: self.band, grid, labels, maps: Vec::new() };
        let mut row5 = [0; 9];
        rows(&taken5, 0, 0o777 & !taken5[0], 0, &mut row5, &mut |row5| {
            let boxes = union(&boxes4, &small_rows(row5));
            // The sixth row has what is left of each box, so these must be nine different digits.
            if (boxes[0] & boxes[3] | boxes[0] & boxes[6] | boxes[3] & boxes[6]) != 0o777 {
                return true;
            }
            let taken6 = union(&columns, &boxes);
            search.grid[4] = *row5;
            let mut row6 = [0; 9];
            let above = 0o777 & !((2 << row5[0]) - 1);
            rows(&taken6, 0, above & !taken6[0], 0, &mut row6, &mut |row6| {
                search.grid[5] = *row6;
                search.third_band(&columns, visit)
            })
        })
    }
}

struct Search {
    class: u16,
    grid: [[u8; 9]; 9],
    /// For each stack the places of the digits in its top box, as the stack lies on its side.
    labels: [[u8; 9]; 3],
    /// The symmetries of the top band which do not make the second band greater.
    maps: Vec<&'static Automorphism>,
}

impl Search {
    /// Completes the grid with band 3 in every way that makes it a grid of the catalogue.
    fn third_band(&mut self, columns: &ColumnSets, visit: &mut impl FnMut(&[[u8; 9]; 9]) -> bool) -> bool {
        let tables = &*TABLES;
        let second = tables.class(keys::key([&self.grid[3], &self.grid[4], &self.grid[5]]));
        if second < self.class {
            return true;
        }
        let mut bases = [0; 3];
        for (stack, base) in bases.iter_mut().enumerate() {
            *base = keys::key_base(&self.labels[stack], &on_its_side(&self.grid[3..6], stack));
            if tables.greatest(*base) < self.class {
                return true;
            }
        }
        if !self.second_band_is_least() {
            return true;
        }
        let left = std::array::from_fn(|column| {
            let second = (3..6).map(|row| 1 << self.grid[row][column]).sum::<u16>();
            0o777 & !(columns[column] | second)
        });
        fills::for_each(&left, &mut |third: &Rows| {
            let mut classes = [self.class, second, 0, 0, 0, 0];
            for stack in 0..3 {
                let code = keys::box_code(&self.labels[stack], &on_its_side(third, stack));
                classes[3 + stack] = tables.class(bases[stack] + code);
                if classes[3 + stack] < self.class {
                    return true;
                }
            }
            classes[2] = tables.class(keys::key([&third[0], &third[1], &third[2]]));
            if classes[2] < self.class {
                return true;
            }
            self.grid[6..].copy_from_slice(third);
            let alone = self.maps.is_empty() && classes[1..].iter().all(|class| *class > self.class);
            !(alone || is_least(&self.grid, &classes, self.maps.iter().copied())) || visit(&self.grid)
        })
    }

    /// Whether no symmetry of the top band makes the second band less; keeps those that leave it open.
    fn second_band_is_least(&mut self) -> bool {
        self.maps.clear();
        let maps = bands()[self.class as usize].maps();
        for map in maps.iter().filter(|automorphism| !automorphism.map.is_identity()) {
            let mut image: Rows = std::array::from_fn(|row| map.row(&self.grid[3 + row]));
            image.sort_unstable();
            // With the second digit in the third band, that comes second.
            let order = if image[0][0] == 1 { image[..].cmp(&self.grid[3..6]) } else { Ordering::Equal };
            match order {
                Ordering::Less => return false,
                Ordering::Equal => self.maps.push(map),
                Ordering::Greater => {}
            }
        }
        true
    }
}

/// The 36 digits.
impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let band = bands()[self.band()].rows().iter().flatten();
        band.chain(&self.row).try_for_each(|digit| write!(f, "{}", digit + 1))
    }
}

impl fmt::Debug for Start {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Start({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical;

    /// A grid with a band of class 0 has it on top in its least form. So the grids with such a band, one by one with
    /// their symmetries, must be as many as the completions of the bands of the class, each in six places.
    #[test]
    fn the_grids_of_the_first_band_are_all_with_such_a_band() {
        let symmetries = 2 * 6u128.pow(8) * 362_880;
        let mut in_places = 0;
        let mut grids = 0;
        for start in starts_of_band(0) {
            start.search(&mut |rows| {
                let side: [[u8; 9]; 9] = std::array::from_fn(|i| std::array::from_fn(|j| rows[j][i]));
                let band =
                    |of: &[[u8; 9]; 9], i: usize| TABLES.class(keys::key([&of[i], &of[i + 1], &of[i + 2]]));
                let places = [rows, &side].map(|of| [0, 3, 6].map(|i| usize::from(band(of, i) == 0)));
                let grid = Grid::from_complete(std::array::from_fn(|cell| rows[cell / 9][cell % 9] + 1));
                let orbit = symmetries / canonical(&grid).automorphisms as u128;
                in_places += orbit * places.as_flattened().iter().sum::<usize>() as u128;
                grids += 1;
                true
            });
        }
        let band = &bands()[0];
        assert_eq!(grids, grids_of_band(0));
        assert_eq!(in_places, 6 * u128::from(band.class_size()) * u128::from(band.completions()));
    }
}
