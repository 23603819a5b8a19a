//! Positions of real games on 19×19.

use crate::boards::{cells, clock, read};
use crate::checker::Checker;
use crate::distilled;
use jl_engine_connect6::attack::{Force, Found, Solver};
use jl_engine_connect6::verify::{Effort, verify};
use jl_engine_connect6::{Board, Geometry, Side};

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

#[test]
fn all_the_answers_at_once_may_complete_a_line() {
    // EJ, IJ, JJ and EO answer the threats along the row J and up the column E. With all of them the second player
    // would have six from EJ to JJ; with any two that answer it threatens to. MC and LQ make three threats.
    let g = Geometry::new(19, 19, 6).unwrap();
    let mut board = Board::new(&g);
    for (stones, side) in
        [("DJKJLJMJNJEKELEMENNCOCPCMDMEMFMQNQOQ", Side::First), ("FJGJHJOJEIEPQCMGPQ", Side::Second)]
    {
        cells(&g, stones).into_iter().for_each(|c| board.place(c, side));
    }
    let mut solver = Solver::new(Side::First, 1 << 20);
    let verified = verify(&mut solver, &mut board, Effort::default(), true, &mut clock(100_000));
    let open = verified.open.unwrap_or_default();
    Checker::thorough()
        .check_replies(&mut board, Side::First, &open, &verified.windows, &verified.branches)
        .unwrap();
}

#[test]
fn all_the_answers_at_once_may_complete_a_short_line() {
    let g = Geometry::new(6, 6, 4).unwrap();
    let mut board = distilled::board(&g, "....x....o................o...o..x..");
    for force in [Force::Double, Force::Single] {
        let found = Solver::new(Side::First, 1 << 18).search(&mut board, force, &mut clock(200));
        if let Found::Win(plan) = found {
            Checker::thorough().check(&mut board, Side::First, &plan).unwrap();
        }
    }
}
