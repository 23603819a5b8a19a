//! The solver against exhaustive minimax on small boards: every win it claims is one.

use jl_engine_connect6::{Board, Found, Geometry, Side, Threats, Vcdt};
use std::collections::HashMap;

/// Whether the side to move, with two stones a turn, can force k in a row.
fn wins(board: &mut Board, mover: Side, memory: &mut HashMap<(u128, Side), bool>) -> bool {
    if let Some(&known) = memory.get(&(board.key(), mover)) {
        return known;
    }
    let result = !loses_or_draws(board, mover, memory);
    memory.insert((board.key(), mover), result);
    result
}

fn loses_or_draws(board: &mut Board, mover: Side, memory: &mut HashMap<(u128, Side), bool>) -> bool {
    let cells: Vec<u16> = (0..board.geometry().cells() as u16).filter(|&c| board.is_empty(c)).collect();
    let mut turns: Vec<Vec<u16>> = Vec::new();
    for (i, &a) in cells.iter().enumerate() {
        turns.extend(cells[i + 1..].iter().map(|&b| vec![a, b]));
    }
    if cells.len() == 1 {
        turns.push(cells);
    }
    !turns.iter().any(|turn| {
        turn.iter().for_each(|&c| board.place(c, mover));
        let good = board.has_won(mover) || does_not_escape(board, mover.opponent(), memory);
        turn.iter().for_each(|&c| board.remove(c, mover));
        good
    })
}

/// Whether `mover` loses whatever it plays.
fn does_not_escape(board: &mut Board, mover: Side, memory: &mut HashMap<(u128, Side), bool>) -> bool {
    let cells: Vec<u16> = (0..board.geometry().cells() as u16).filter(|&c| board.is_empty(c)).collect();
    if cells.is_empty() {
        return false; // a full board is a draw
    }
    let mut turns: Vec<Vec<u16>> = Vec::new();
    for (i, &a) in cells.iter().enumerate() {
        turns.extend(cells[i + 1..].iter().map(|&b| vec![a, b]));
    }
    if cells.len() == 1 {
        turns.push(cells);
    }
    turns.iter().all(|turn| {
        turn.iter().for_each(|&c| board.place(c, mover));
        let lost = !board.has_won(mover) && wins(board, mover.opponent(), memory);
        turn.iter().for_each(|&c| board.remove(c, mover));
        lost
    })
}

fn random_board<'g>(g: &'g Geometry, empties: usize, rng: &mut fastrand::Rng) -> Option<Board<'g>> {
    let mut cells: Vec<u16> = (0..g.cells() as u16).collect();
    rng.shuffle(&mut cells);
    let mut board = Board::new(g);
    for &c in &cells[empties..] {
        board.place(c, if rng.bool() { Side::First } else { Side::Second });
    }
    (!board.has_won(Side::First) && !board.has_won(Side::Second)).then_some(board)
}

#[test]
fn every_claimed_win_is_one_by_exhaustive_search() {
    let mut rng = fastrand::Rng::with_seed(7);
    let (mut claimed, mut won, mut tried) = (0, 0, 0);
    for (columns, rows, k, empties, games) in
        [(5, 5, 4, 8, 4000), (6, 5, 5, 9, 4000), (7, 7, 6, 9, 3000), (6, 6, 5, 9, 3000)]
    {
        let g = Geometry::new(columns, rows, k).unwrap();
        for _ in 0..games {
            let empties = rng.usize(2..=empties);
            let Some(mut board) = random_board(&g, empties, &mut rng) else { continue };
            let before = board.key();
            let found = Vcdt::new(&mut board, Side::First, 100_000).search(10);
            assert_eq!(board.key(), before, "the board is as it was");
            let truth = wins(&mut board, Side::First, &mut HashMap::new());
            tried += 1;
            won += u32::from(truth);
            if let Found::Win(line) = found {
                assert!(truth, "a win is claimed where there is none");
                check_line(&mut board, &line);
                claimed += 1;
            }
        }
    }
    assert!(tried > 5000 && claimed > 1000, "{claimed} of {won} wins claimed, {tried} boards");
    assert!(claimed * 10 >= won * 9, "{claimed} of {won} wins found");
}

/// The line is legal, and its last move wins or leaves threats that can't be answered.
fn check_line(board: &mut Board, line: &[[u16; 2]]) {
    let mut side = Side::First;
    for (i, turn) in line.iter().enumerate() {
        for &c in turn {
            if board.is_empty(c) {
                board.place(c, side);
            } else {
                assert!(i + 1 == line.len() && turn[0] == turn[1], "an occupied cell in the line");
            }
        }
        side = side.opponent();
    }
    assert!(line.len() % 2 == 1, "the attacker moves last");
    assert!(board.has_won(Side::First) || Threats::of(board, Side::First).count() == 3);
}

/// Letter pairs: column then row, A at the bottom.
fn read<'g>(g: &'g Geometry, moves: &str) -> (Board<'g>, Side) {
    let mut board = Board::new(g);
    let mut side = Side::First;
    for turn in moves.split('-') {
        for stone in turn.as_bytes().chunks(2) {
            board.place(g.cell(usize::from(stone[0] - b'A'), usize::from(stone[1] - b'A')), side);
        }
        side = side.opponent();
    }
    (board, side)
}

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
        if let Found::Win(line) = Vcdt::new(&mut board, side, 200_000).search(30) {
            let cells: Vec<u16> = wrong
                .as_bytes()
                .chunks(2)
                .map(|s| g.cell(usize::from(s[0] - b'A'), usize::from(s[1] - b'A')))
                .collect();
            assert!(!cells.iter().all(|c| line[0].contains(c)), "{wrong} does not win");
        }
    }
}

#[test]
fn known_wins_by_double_threats_are_found() {
    for moves in [
        "JJ-JIKL-KILH-HLGL-KHMH-FLEL-DLJL-NHKJ",
        "JJ-JIKL-KILH-HLGL-KHMH-FLEL-DLJL-OHKJ",
        "JJ-IHHI-KKLJ-JGKF-FKLE-HJHK-HHHL-IIIK",
    ] {
        let g = Geometry::new(19, 19, 6).unwrap();
        let (mut board, side) = read(&g, moves);
        let Found::Win(line) = Vcdt::new(&mut board, side, 20_000).search(20) else { panic!("{moves}") };
        check_line(&mut board, &line);
    }
}

#[test]
fn the_limit_is_kept_and_said() {
    let g = Geometry::new(19, 19, 6).unwrap();
    let (mut board, side) = read(&g, "JJ-JIKL-KILH-HLGL-KHMH-FLEL-DLJL-NHKJ");
    let mut search = Vcdt::new(&mut board, side, 2);
    assert_eq!((search.search(20), search.nodes()), (Found::Unknown, 2));
}
