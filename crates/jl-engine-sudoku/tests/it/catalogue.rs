use jl_engine_sudoku::catalogue::{self, GRIDS, STARTS, Start};
use jl_engine_sudoku::{BANDS, Grid, canonical, random_grids};

/// Every grid with these digits on top and the rows of the two other bands sorted, by plain search.
#[derive(Default)]
struct Completions {
    digits: Vec<u8>,
    rows: [u16; 9],
    columns: [u16; 9],
    boxes: [u16; 9],
}

impl Completions {
    fn flip(&mut self, cell: usize, digit: u8) {
        self.rows[cell / 9] ^= 1 << digit;
        self.columns[cell % 9] ^= 1 << digit;
        self.boxes[cell / 27 * 3 + cell % 9 / 3] ^= 1 << digit;
    }

    fn push(&mut self, digit: u8) {
        self.flip(self.digits.len(), digit);
        self.digits.push(digit);
    }

    fn for_each(&mut self, visit: &mut impl FnMut(Grid)) {
        let cell = self.digits.len();
        if cell == 81 {
            return visit(Grid::new(self.digits[..].try_into().unwrap()).unwrap());
        }
        let used = self.rows[cell / 9] | self.columns[cell % 9] | self.boxes[cell / 27 * 3 + cell % 9 / 3];
        for digit in (1..=9).filter(|digit| used >> digit & 1 == 0) {
            let (row, column) = (cell / 9, cell % 9);
            let sorted = column > 0 || [3, 6].contains(&row) || self.digits[cell - 9] < digit;
            if sorted {
                self.push(digit);
                self.for_each(visit);
                self.digits.pop();
                self.flip(cell, digit);
            }
        }
    }
}

#[test]
fn the_bands_have_all_starts_and_all_grids() {
    assert_eq!((0..BANDS).map(catalogue::grids_of_band).sum::<u64>(), GRIDS);
    assert_eq!(catalogue::start(STARTS), None);
    let last = catalogue::start(STARTS - 1).unwrap();
    assert_eq!((last.band(), last.number()), (415, STARTS - 1));
    assert_eq!(catalogue::start(0).unwrap().number(), 0);
}

#[test]
fn the_first_and_the_last_grid() {
    let first = "123456789456789123789123456214365897365897214897214365531642978642978531978531642";
    let last = "123456789457893612986217354274538196531964827698721435342685971715349268869172543";
    assert_eq!(catalogue::slice(0, 0, 1), [first.parse().unwrap()]);
    let grids: Vec<Grid> = catalogue::slice(STARTS - 1, 0, usize::MAX);
    assert_eq!(grids, [last.parse().unwrap()]);
}

#[test]
fn the_starts_of_early_and_late_bands() {
    // Reading them compares their number with the table.
    for band in [0, 1, 29, 299, 387] {
        let starts = catalogue::starts_of_band(band);
        assert!(starts.is_sorted());
        assert!(starts.iter().all(|start| start.band() == band));
    }
}

#[test]
fn the_grids_of_late_bands() {
    for band in [379, 387, 391, 393, 394, 395, 398, 404, 406, 410, 414, 415] {
        let grids: Vec<Grid> =
            catalogue::starts_of_band(band).iter().flat_map(|start| start.grids(0..usize::MAX)).collect();
        assert_eq!(grids.len() as u64, catalogue::grids_of_band(band), "band {}", band + 1);
        assert!(grids.is_sorted_by(|a, b| a < b));
        for grid in grids {
            let form = canonical(&grid);
            assert_eq!((form.grid, form.band), (grid, band));
        }
    }
}

#[test]
fn the_grids_of_a_start_are_the_least_forms_among_its_completions() {
    for (band, place) in [(0, 3), (29, 100), (120, 40), (299, 1000)] {
        let start = catalogue::starts_of_band(band)[place];
        let mut completions = Completions::default();
        start.to_string().bytes().for_each(|digit| completions.push(digit - b'0'));
        let mut expected = Vec::new();
        completions.for_each(&mut |grid| {
            if canonical(&grid).grid == grid {
                expected.push(grid);
            }
        });
        assert!(!expected.is_empty());
        assert_eq!(start.count(), expected.len());
        assert!(start.grids(0..usize::MAX) == expected);
        assert_eq!(start.grids(10..12), expected[10..12]);
    }
}

#[test]
fn a_grid_is_found_at_its_address() {
    for grid in random_grids(11).take(5) {
        let (start, place) = Start::of_grid(&grid).unwrap();
        assert_eq!(catalogue::start(start.number()), Some(start));
        assert_eq!(start.grids(place..place + 1), [grid]);
    }
    // A grid that is no least form has no address.
    let other = "639241785284765193517983624123857946796432851458619237342178569861594372975326418";
    assert_eq!(Start::of_grid(&other.parse().unwrap()), None);
}
