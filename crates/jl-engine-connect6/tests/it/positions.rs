//! Positions of real games on 19×19.

use crate::boards::{cells, clock, read};
use crate::checker::Checker;
use jl_engine_connect6::attack::{Force, Found, Solver};
use jl_engine_connect6::{Geometry, Side};

#[test]
fn false_wins_are_not_claimed() {
    // The defender completes six first: positions in which a solver that forgets inversion claims a win.
    for (moves, wrong) in [
        (
            "JJ-IJJI-KHII-KIJH-KKHH-LLGG-LJJL-MIIK-IMLI-HNLG-JGMJ-NKIF-KJMH-NJNG-JKJM-JNKM-MKNI-IOLK-HPLO-JOIP-GOGM-GNKN-INFM-HMHO-HKFN-HLGJ-FKFL-FJFO",
            "EMDN",
        ),
        (
            "JJ-LKLI-LJJL-MJMI-JGNI-MKML-MHMM-KKJK-IKOK-LLKM-JNNJ-KLKN-KOKJ-NKOL-PMNL-LNLM-LOIJ-HJHK-IHKF-HIII",
            "KIHL",
        ),
    ] {
        let g = Geometry::new(19, 19, 6).unwrap();
        let (mut board, side) = read(&g, moves);
        assert_eq!(side, Side::First);
        let found = Solver::new(side, 1 << 20).search(&mut board, Force::Single, &mut clock(100_000));
        if let Found::Win(plan) = found {
            let wrong_cells = cells(&g, wrong);
            assert!(!wrong_cells.iter().all(|c| plan.turn.contains(c)), "{wrong} does not win");
        }
    }
}

#[test]
fn known_wins_by_threats_are_found_and_win() {
    for (moves, force) in [
        ("JJ-JIKL-KILH-HLGL-KHMH-FLEL-DLJL-NHKJ", Force::Double),
        ("JJ-JIKL-KILH-HLGL-KHMH-FLEL-DLJL-OHKJ", Force::Double),
        ("JJ-IHHI-KKLJ-JGKF-FKLE-HJHK-HHHL-IIIK", Force::Double),
        ("JJ-JIKL-KILH-HLIL-JLKG-KKNF", Force::Single),
        ("JJ-HLIH-LJKK-HJHK-HHII-FFLL-JLJK-HNJM", Force::Single),
    ] {
        let g = Geometry::new(19, 19, 6).unwrap();
        let (mut board, side) = read(&g, moves);
        let found = Solver::new(side, 1 << 20).search(&mut board, force, &mut clock(200_000));
        let Found::Win(plan) = found else { panic!("{moves}: {found:?}") };
        Checker::new(0, &[300, 10, 4, 2]).check(&mut board, side, &plan).unwrap();
    }
}

#[test]
fn the_limit_is_kept_and_said() {
    let g = Geometry::new(19, 19, 6).unwrap();
    let (mut board, side) = read(&g, "JJ-JIKL-KILH-HLGL-KHMH-FLEL-DLJL-NHKJ");
    let mut clock = clock(2);
    let found = Solver::new(side, 1 << 20).search(&mut board, Force::Double, &mut clock);
    assert!(matches!(found, Found::Unknown) && clock.nodes() == 2, "{found:?}");
}
