use fastrand::Rng;
use jl_engine_sudoku::{CellSet, Grid, Symmetry, canonical, canonical_puzzle, random_grids};

/// The least of all forms, and how many symmetries lead to it: each row on top with each order of the columns, upright
/// and on its side, then the digits renamed and the rows sorted.
fn brute_force(grid: &Grid) -> (Grid, usize) {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mut least = [10; 81];
    let mut ways = 0;
    for transpose in [false, true] {
        let digit = |i: usize, j: usize| grid.digits()[if transpose { j * 9 + i } else { i * 9 + j }];
        for (top, n) in (0..9).flat_map(|top| (0..1296).map(move |n| (top, n))) {
            let within = [n / 6 % 6, n / 36 % 6, n / 216];
            let columns: [usize; 9] =
                std::array::from_fn(|j| orders[n % 6][j / 3] * 3 + orders[within[j / 3]][j % 3]);
            let mut labels = [0; 10];
            (0..9).for_each(|j| labels[digit(top, columns[j]) as usize] = j as u8 + 1);
            let mut bands: Vec<Vec<[u8; 9]>> = (0..3)
                .map(|band| {
                    let row = |i: usize| columns.map(|j| labels[digit(band * 3 + i, j) as usize]);
                    let mut rows: Vec<[u8; 9]> = (0..3).map(row).collect();
                    rows.sort_unstable();
                    rows
                })
                .collect();
            bands.sort_unstable();
            let form: Vec<u8> = bands.into_iter().flatten().flatten().collect();
            match form[..].cmp(&least[..]) {
                std::cmp::Ordering::Less => {
                    least.copy_from_slice(&form);
                    ways = 1;
                }
                std::cmp::Ordering::Equal => ways += 1,
                std::cmp::Ordering::Greater => {}
            }
        }
    }
    (Grid::new(least).unwrap(), ways)
}

fn grid(text: &str) -> Grid {
    text.parse().unwrap()
}

/// Grids with a known number of automorphisms.
fn symmetric_grids() -> [(Grid, usize); 3] {
    [
        (grid("123456789456789123789123456231564897564897231897231564312645978645978312978312645"), 648),
        (grid("123456789457893612986217354274538196531964827698721435342685971715349268869172543"), 72),
        (grid("639241785284765193517983624123857946796432851458619237342178569861594372975326418"), 1),
    ]
}

fn extract() -> impl Iterator<Item = Grid> {
    include_str!("../data/minlex.tsv").lines().map(|line| grid(line.split('\t').next().unwrap()))
}

#[test]
fn the_automorphisms_of_known_grids() {
    for (grid, automorphisms) in symmetric_grids() {
        assert_eq!(canonical(&grid).automorphisms, automorphisms, "{grid}");
    }
}

#[test]
fn agrees_with_brute_force() {
    let mut rng = Rng::with_seed(1);
    let some = random_grids(5).take(8).chain(extract().step_by(40));
    for grid in some.chain(symmetric_grids().map(|(grid, _)| grid)) {
        let moved = Symmetry::random(&mut rng).grid(&grid);
        let form = canonical(&moved);
        assert_eq!((form.grid, form.automorphisms), brute_force(&moved), "{moved}");
    }
}

#[test]
fn least_forms_from_elsewhere_are_their_own() {
    assert_eq!(extract().count(), 250);
    for grid in extract() {
        assert_eq!(canonical(&grid).grid, grid);
    }
}

#[test]
fn no_symmetry_changes_the_form_and_one_leads_to_it() {
    let mut rng = Rng::with_seed(2);
    for (grid, automorphisms) in
        extract().map(|grid| (grid, None)).chain(symmetric_grids().map(|(g, n)| (g, Some(n))))
    {
        let form = canonical(&grid);
        for _ in 0..4 {
            let moved = Symmetry::random(&mut rng).grid(&grid);
            let found = canonical(&moved);
            assert_eq!(found.grid, form.grid);
            assert_eq!(found.symmetry.grid(&moved), form.grid);
            assert!(automorphisms.is_none_or(|n| n == found.automorphisms));
        }
    }
}

#[test]
fn a_symmetry_moves_cells_as_it_moves_clues() {
    let mut rng = Rng::with_seed(3);
    for grid in random_grids(6).take(20) {
        let symmetry = Symmetry::random(&mut rng);
        let clues: CellSet = (0..81).filter(|_| rng.bool()).collect();
        assert_eq!(symmetry.puzzle(&grid.puzzle(clues)), symmetry.grid(&grid).puzzle(symmetry.cells(clues)));
        assert_eq!(symmetry.cells(clues).len(), clues.len());
    }
}

#[test]
fn the_form_of_a_puzzle_is_that_of_its_images() {
    let mut rng = Rng::with_seed(4);
    for (grid, _) in symmetric_grids() {
        for _ in 0..10 {
            let clues: CellSet = (0..81).filter(|_| rng.u8(..4) == 0).collect();
            let form = canonical_puzzle(&grid, clues);
            let symmetry = Symmetry::random(&mut rng);
            let (moved, moved_clues) = (symmetry.grid(&grid), symmetry.cells(clues));
            assert_eq!(canonical_puzzle(&moved, moved_clues), form);
            assert_eq!(canonical(&grid).grid.puzzle(form.clues()), form);
        }
    }
}
