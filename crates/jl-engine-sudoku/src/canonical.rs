//! The least form of a grid: the least 81-digit string that renaming digits, reordering bands, stacks, rows of a
//! band and columns of a stack, and turning the grid on its side lead to.
//!
//! The least form begins with the least form of one of the six bands and stacks, so only those of the lowest class
//! come to the top, and only in the ways that give the class's least form: one way, for most bands. Then nothing is
//! left to choose. The columns are in place and the digits named, and the other rows are sorted by their first digits.

use crate::bands::{Automorphism, BandMap, TABLES};
use crate::{CellSet, Grid, Puzzle, bands, keys};
use std::cmp::Ordering;

/// One of the 2 × 6⁸ × 9! symmetries.
///
/// The cell in row i and column j of the new grid is the one in row `rows[i]` and column `columns[j]` of the old one,
/// after that is turned on its side if `transpose` says so, with the new name of its digit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry {
    transpose: bool,
    rows: [u8; 9],
    columns: [u8; 9],
    /// The new names of 0 (an empty cell) to 9.
    labels: [u8; 10],
}

impl Symmetry {
    pub const IDENTITY: Symmetry = Symmetry {
        transpose: false,
        rows: [0, 1, 2, 3, 4, 5, 6, 7, 8],
        columns: [0, 1, 2, 3, 4, 5, 6, 7, 8],
        labels: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    };

    /// Any symmetry, all of them equally likely.
    pub fn random(rng: &mut fastrand::Rng) -> Symmetry {
        let lines = |rng: &mut fastrand::Rng| {
            let mut triples = [[0, 1, 2], [3, 4, 5], [6, 7, 8]];
            triples.iter_mut().for_each(|triple| rng.shuffle(triple));
            rng.shuffle(&mut triples);
            std::array::from_fn(|i| triples[i / 3][i % 3])
        };
        let mut symmetry =
            Symmetry { transpose: rng.bool(), rows: lines(rng), columns: lines(rng), ..Symmetry::IDENTITY };
        rng.shuffle(&mut symmetry.labels[1..]);
        symmetry
    }

    /// The cell of the old grid that comes to this cell of the new one.
    fn source(&self, cell: usize) -> usize {
        let (row, column) = (self.rows[cell / 9] as usize, self.columns[cell % 9] as usize);
        if self.transpose { column * 9 + row } else { row * 9 + column }
    }

    fn digits(&self, digits: &[u8; 81]) -> [u8; 81] {
        std::array::from_fn(|cell| self.labels[digits[self.source(cell)] as usize])
    }

    #[must_use]
    pub fn grid(&self, grid: &Grid) -> Grid {
        Grid::from_complete(self.digits(grid.digits()))
    }

    #[must_use]
    pub fn puzzle(&self, puzzle: &Puzzle) -> Puzzle {
        Puzzle::from_digits(self.digits(puzzle.digits()))
    }

    /// Where the cells come to.
    #[must_use]
    pub fn cells(&self, cells: CellSet) -> CellSet {
        (0..81).filter(|&cell| cells.contains(self.source(cell))).collect()
    }
}

/// The least form of a grid, and how it came about.
#[derive(Clone, Copy, Debug)]
pub struct Canonical {
    pub grid: Grid,
    /// A symmetry that leads from the grid to its least form.
    pub symmetry: Symmetry,
    /// How many symmetries do, which is also how many lead from the grid to itself.
    pub automorphisms: usize,
    /// The class of the top band of the least form, from 0.
    pub band: usize,
}

/// The least form of a grid.
#[must_use]
pub fn canonical(grid: &Grid) -> Canonical {
    let mut symmetry = Symmetry::IDENTITY;
    let mut automorphisms = 0;
    let (grid, band) = least_form(grid, |raised, form, better| {
        if better {
            automorphisms = 0;
            symmetry = raised.symmetry(form);
        }
        automorphisms += 1;
    });
    Canonical { grid, symmetry, automorphisms, band }
}

/// The least form of a puzzle, such that two puzzles have the same form if and only if they are the same up to
/// symmetry. Its solution is the least form of the solution; empty cells count as 0.
#[must_use]
pub fn canonical_puzzle(solution: &Grid, clues: CellSet) -> Puzzle {
    let puzzle = solution.puzzle(clues);
    let mut least = puzzle;
    least_form(solution, |raised, form, better| {
        let image = raised.symmetry(form).puzzle(&puzzle);
        least = if better { image } else { least.min(image) };
    });
    least
}

/// Visits the ways to ever lesser forms, each with whether it is the first to its form, and gives the least form and
/// the class of its top band.
fn least_form(grid: &Grid, mut visit: impl FnMut(&Raised, &Form, bool)) -> (Grid, usize) {
    let upright = std::array::from_fn(|i| std::array::from_fn(|j| grid.digits()[i * 9 + j] - 1));
    let views = [upright, on_its_side(&upright)];
    let classes: [u16; 6] = std::array::from_fn(|i| class_of(&views[i / 3], i % 3));
    let class = *classes.iter().min().expect("six bands and stacks");
    let mut least = [[9; 9]; 6];
    for i in (0..6).filter(|&i| classes[i] == class) {
        let raised = Raised::new(&views[i / 3], i % 3, i >= 3);
        for automorphism in bands()[class as usize].maps() {
            let form = Form { rest: &raised.rest, automorphism };
            let order = form.compare(&least);
            if order.is_lt() {
                least = form.rows();
            }
            if order.is_le() {
                visit(&raised, &form, order.is_lt());
            }
        }
    }
    let top = bands()[class as usize].rows().iter().chain(&least).flatten();
    let mut digits = [0; 81];
    digits.iter_mut().zip(top).for_each(|(digit, from)| *digit = from + 1);
    (Grid::from_complete(digits), class as usize)
}

/// Whether no band or stack of the class of the top band, put on top, gives a lesser form. The top band must be the
/// least form of its class, and the rows below it sorted. Of its own symmetries only `maps` are tried.
pub(crate) fn is_least<'a>(
    rows: &[[u8; 9]; 9],
    classes: &[u16; 6],
    mut maps: impl Iterator<Item = &'a Automorphism>,
) -> bool {
    let own: &[[u8; 9]; 6] = rows[3..].try_into().expect("six rows are below the top band");
    let not_less =
        |rest: &[[u8; 9]; 6], automorphism: &Automorphism| Form { rest, automorphism }.compare(own).is_ge();
    maps.all(|automorphism| not_less(own, automorphism))
        && (1..6).filter(|&i| classes[i] == classes[0]).all(|i| {
            let raised = if i < 3 {
                Raised::new(rows, i, false)
            } else {
                Raised::new(&on_its_side(rows), i - 3, true)
            };
            bands()[classes[0] as usize].maps().iter().all(|map| not_less(&raised.rest, map))
        })
}

/// Whether a grid is a least form, if its top band is the least form of its class and the rows below it are sorted.
pub(crate) fn is_least_form(rows: &[[u8; 9]; 9], class: u16) -> bool {
    let side = on_its_side(rows);
    let classes: [u16; 6] = std::array::from_fn(|i| class_of(if i < 3 { rows } else { &side }, i % 3));
    classes.iter().all(|other| *other >= class)
        && is_least(rows, &classes, bands()[class as usize].maps().iter())
}

fn on_its_side(rows: &[[u8; 9]; 9]) -> [[u8; 9]; 9] {
    std::array::from_fn(|i| std::array::from_fn(|j| rows[j][i]))
}

fn class_of(rows: &[[u8; 9]; 9], band: usize) -> u16 {
    TABLES.class(keys::key(band_of(rows, band)))
}

fn band_of(rows: &[[u8; 9]; 9], band: usize) -> [&[u8; 9]; 3] {
    [&rows[band * 3], &rows[band * 3 + 1], &rows[band * 3 + 2]]
}

/// A grid with one of its bands put on top and made the least form of its class, in one of the ways.
struct Raised {
    transpose: bool,
    band: usize,
    map: BandMap,
    labels: [u8; 9],
    /// The rows of the two other bands, as they were but for the columns and the names of the digits.
    rest: [[u8; 9]; 6],
}

impl Raised {
    fn new(rows: &[[u8; 9]; 9], band: usize, transpose: bool) -> Raised {
        let map = TABLES.map(band_of(rows, band));
        let labels = map.labels(&rows[band * 3 + map.rows[0] as usize]);
        let rest = std::array::from_fn(|i| {
            let row = &rows[below(band, i)];
            std::array::from_fn(|column| labels[row[map.columns[column] as usize] as usize])
        });
        Raised { transpose, band, map, labels, rest }
    }

    /// The symmetry that leads from the grid to the form.
    fn symmetry(&self, form: &Form) -> Symmetry {
        let map = form.automorphism.map.after(&self.map);
        let order = form.order();
        let rows = std::array::from_fn(|i| match i.checked_sub(3) {
            None => (self.band * 3) as u8 + map.rows[i],
            Some(i) => below(self.band, order[i]) as u8,
        });
        let mut labels = [0; 10];
        (0..9).for_each(|i| labels[i + 1] = form.automorphism.labels[self.labels[i] as usize] + 1);
        Symmetry { transpose: self.transpose, rows, columns: map.columns, labels }
    }
}

/// The rows that are not in a band, by their number.
fn below(band: usize, row: usize) -> usize {
    if row < band * 3 { row } else { row + 3 }
}

/// The rows below a band after a symmetry of the band.
struct Form<'a> {
    rest: &'a [[u8; 9]; 6],
    automorphism: &'a Automorphism,
}

impl Form<'_> {
    /// The row that comes fourth: the one that begins with the second digit.
    #[inline]
    fn fourth(&self) -> usize {
        let begins = |row: &[u8; 9]| self.automorphism.digit(row, 0) == 1;
        self.rest
            .iter()
            .position(begins)
            .expect("the second digit is in the first column, below the top band")
    }

    /// The order of the rows.
    fn order(&self) -> [usize; 6] {
        let mut order = if self.fourth() < 3 { [0, 1, 2, 3, 4, 5] } else { [3, 4, 5, 0, 1, 2] };
        order.chunks_mut(3).for_each(|band| {
            band.sort_unstable_by_key(|&row| self.automorphism.digit(&self.rest[row], 0));
        });
        order
    }

    fn rows(&self) -> [[u8; 9]; 6] {
        self.order().map(|row| self.automorphism.row(&self.rest[row]))
    }

    #[inline]
    fn compare(&self, other: &[[u8; 9]; 6]) -> Ordering {
        let fourth = &self.rest[self.fourth()];
        let mut digits = (0..9).map(|column| self.automorphism.digit(fourth, column)).zip(other[0]);
        match digits.find(|(digit, other)| digit != other) {
            Some((digit, other)) => digit.cmp(&other),
            None => self.rows().cmp(other),
        }
    }
}
