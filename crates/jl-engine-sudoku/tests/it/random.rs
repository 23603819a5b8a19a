use jl_engine_sudoku::{BANDS, Grid, canonical, catalogue, random_grids};

#[test]
fn a_seed_gives_the_same_grids_everywhere() {
    let grids: Vec<String> = random_grids(1).take(3).map(|grid| grid.to_string()).collect();
    assert_eq!(
        grids,
        [
            "123456789457189236689732415274891653316527894895643172541368927762915348938274561",
            "123456789457189236689723154218974365346815927975632418594361872732548691861297543",
            "123456789457189236698732154284675391761893425935241867316927548549318672872564913",
        ]
    );
    assert_ne!(random_grids(2).next().unwrap().to_string(), grids[0]);
}

#[test]
fn the_bands_come_up_as_often_as_they_have_grids() {
    let draws = 20_000;
    let mut seen = [0.0; BANDS];
    for grid in random_grids(8).take(draws) {
        let form = canonical(&grid);
        assert_eq!(form.grid, grid);
        seen[form.band] += 1.0;
    }
    // Groups of bands with at least one grid in a hundred, so that the chi-square distribution is near the normal one.
    let (mut sum, mut groups) = (0.0, 0.0);
    let (mut found, mut expected) = (0.0, 0.0);
    for (band, seen) in seen.iter().enumerate() {
        found += seen;
        expected += catalogue::grids_of_band(band) as f64 / catalogue::GRIDS as f64 * draws as f64;
        if expected >= draws as f64 / 100.0 || band == BANDS - 1 {
            sum += (found - expected) * (found - expected) / expected;
            groups += 1.0;
            (found, expected) = (0.0, 0.0);
        }
    }
    let freedom: f64 = groups - 1.0;
    let off = (sum - freedom) / (2.0 * freedom).sqrt();
    assert!(off.abs() < 4.0, "{off} standard deviations over {groups} groups");
}

#[test]
fn random_grids_are_hardly_ever_the_same() {
    let mut grids: Vec<Grid> = random_grids(9).take(500).collect();
    grids.sort_unstable();
    grids.dedup();
    assert_eq!(grids.len(), 500);
}
