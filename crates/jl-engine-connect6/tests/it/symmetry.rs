//! What is true of a position is true of its mirror images, and with the colours swapped.

use crate::boards::{Open, clock, for_boards};
use crate::checker::Checker;
use crate::rebuild::{Flaw, Map, rebuild};
use jl_engine_connect6::attack::{Force, Found, Solver};
use jl_engine_connect6::engine::Turn;
use jl_engine_connect6::plan::Kind;
use jl_engine_connect6::verify::{Effort, verify};
use jl_engine_connect6::{Board, Geometry, Side};

const SQUARE: [Open; 5] = [
    Open { columns: 7, rows: 7, k: 5, part: 7, density: 0.25 },
    Open { columns: 9, rows: 9, k: 5, part: 6, density: 0.1 },
    Open { columns: 9, rows: 9, k: 6, part: 9, density: 0.3 },
    Open { columns: 13, rows: 13, k: 6, part: 8, density: 0.15 },
    Open { columns: 19, rows: 19, k: 6, part: 9, density: 0.12 },
];

/// Every image of the board with its map and the side that was first.
fn images<'g>(board: &Board<'g>) -> Vec<(Map, Side, Board<'g>)> {
    let g: &Geometry = board.geometry();
    let image = |n: usize| {
        let map = Map::symmetry(g, n % 8);
        let board = map.board(board, n >= 8);
        (map, if n >= 8 { Side::Second } else { Side::First }, board)
    };
    (0..16).map(image).collect()
}

#[test]
fn a_win_is_a_win_in_every_mirror() {
    let (mut won, mut not_won) = (0, 0);
    for_boards(&SQUARE, 14, 41, |board, _| {
        let found = Solver::new(Side::First, 1 << 20).search(board, Force::Double, &mut clock(20_000));
        for (map, attacker, mut image) in images(board) {
            let mut solver = Solver::new(attacker, 1 << 20);
            let again = solver.search(&mut image, Force::Double, &mut clock(20_000));
            match (&found, again) {
                (Found::Win(plan), Found::Win(_)) => {
                    let mirrored = rebuild(&mut image, attacker, plan, &map, Flaw::None);
                    Checker::new(0, &[20, 4]).check(&mut image, attacker, &mirrored).unwrap();
                    won += 1;
                }
                (Found::Nothing, Found::Nothing) => not_won += 1,
                (Found::Unknown, _) | (_, Found::Unknown) => {}
                (_, again) => panic!("{found:?} but {again:?}"),
            }
        }
    });
    println!("{won} {not_won}");
    assert!(won > 200 && not_won > 100, "{won} won, {not_won} not");
}

#[test]
fn a_win_by_single_threats_is_one_in_every_mirror() {
    // Which turns are tried depends on their order, so that one may be missed in a mirror; none may be wrong.
    let (mut won, mut missed) = (0, 0);
    for_boards(&SQUARE[1..2], 150, 43, |board, _| {
        let found = Solver::new(Side::First, 1 << 20).search(board, Force::Single, &mut clock(1_000));
        let Found::Win(plan) = found else { return };
        if plan.kind == Kind::Double {
            return;
        }
        for (map, attacker, mut image) in images(board) {
            let mirrored = rebuild(&mut image, attacker, &plan, &map, Flaw::None);
            let zone = plan.zone.cells().iter().map(|c| map.cells[usize::from(c)]).collect();
            assert_eq!(*mirrored.zone.cells(), zone, "the zone is mirrored too");
            Checker::new(0, &[40, 4, 2]).check(&mut image, attacker, &mirrored).unwrap();
            let again = Solver::new(attacker, 1 << 20).search(&mut image, Force::Single, &mut clock(10_000));
            *if matches!(again, Found::Win(_)) { &mut won } else { &mut missed } += 1;
        }
    });
    println!("{won} {missed}");
    assert!(won > 100 && missed * 20 <= won, "{won} won, {missed} missed");
}

#[test]
fn the_replies_that_hold_hold_in_every_mirror() {
    // With double threats alone the list is exact: it does not depend on the plans that are found.
    let effort = Effort { double: 20_000, null: 0, seminull: 0, pair: 0 };
    let (mut lists, mut lost) = (0, 0);
    for_boards(&SQUARE[..3], 3, 45, |board, _| {
        // No list if the limits come first.
        let list = |board: &mut Board, attacker| {
            let mut solver = Solver::new(attacker, 1 << 20);
            let mut clock = clock(60_000);
            let open = verify(&mut solver, board, effort, true, &mut clock).open;
            (!clock.is_over()).then_some(open)
        };
        let Some(open) = list(board, Side::First) else { return };
        for (map, attacker, mut image) in images(board).into_iter().skip(1) {
            let mirrored = open.as_ref().map(|turns| {
                let mut turns: Vec<Turn> = turns.iter().map(|&t| map.turn(t)).collect();
                turns.sort_unstable();
                turns
            });
            let Some(again) = list(&mut image, attacker) else { return };
            assert_eq!(again, mirrored);
        }
        lists += usize::from(open.is_some());
        lost += usize::from(open.is_some_and(|o| o.is_empty()));
    });
    println!("{lists} {lost}");
    assert!(lists > 3, "{lists} lists");
}
