use jl_engine_sudoku::{BANDS, bands};

fn text(digits: &[u8]) -> String {
    digits.iter().map(|digit| digit.to_string()).collect()
}

#[test]
fn there_are_416_bands_in_order() {
    assert_eq!(bands().len(), BANDS);
    assert!(bands().is_sorted_by_key(|band| band.digits()));
    assert_eq!(text(&bands()[0].digits()), "123456789456789123789123456");
    assert_eq!(text(&bands()[415].digits()), "123456789457893612986217354");
}

#[test]
fn the_classes_are_all_bands() {
    let total: u64 = bands().iter().map(|band| band.class_size()).sum();
    assert_eq!(total, 362_880 * 56 * 6u64.pow(6));
}

#[test]
fn the_completions_of_all_bands_are_all_grids() {
    let grids =
        |band: &jl_engine_sudoku::Band| u128::from(band.class_size()) * u128::from(band.completions());
    assert_eq!(bands().iter().map(grids).sum::<u128>(), 6_670_903_752_021_072_936_960);
}
