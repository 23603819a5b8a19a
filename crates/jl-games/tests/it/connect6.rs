//! Connect(m, n, k, p, q): rules, keys and notations. Game records are in `records`.

mod records;

use jl_game::laws::game_laws;
use jl_game::{Game, GameError};
use jl_games::connect6::{Cell, Connect, Move, Notation, Position};
use jl_value::{Outcome, Player};
use proptest::prelude::*;

const C6: Connect = Connect::CONNECT6;

fn rules(columns: u8, rows: u8, k: u8, p: u8, q: u8) -> Connect {
    Connect::new(columns, rows, k, p, q).expect("the test's own rules")
}

fn after(game: Connect, moves: &str) -> Position {
    game.replay(moves).expect("the test's own moves").1
}

fn cell(index: usize) -> Cell {
    Cell::new(index).expect("on the largest board")
}

/// The positions of a random game. Stones fill some columns first, so that rows arise.
fn random_game(game: Connect, seed: u64) -> Vec<Position> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let width = rng.usize(3..=game.columns().max(3));
    let mut line = vec![game.initial()];
    let mut position = game.initial();
    while game.outcome(&position).is_none() {
        let mut cells: Vec<Cell> = game.empty_cells(&position).collect();
        rng.shuffle(&mut cells);
        cells.sort_by_key(|&c| game.coordinates(c).0 >= width);
        let mv = Move::of(&cells[..game.stones_due(&position)]).expect("one or two");
        position = game.play(&position, mv).expect("empty cells");
        line.push(position);
    }
    line
}

/// Every window of k cells, one by one.
fn has_row(game: Connect, position: &Position, player: Player) -> bool {
    let holds = |x: isize, y: isize| {
        let cell = game.cell(usize::try_from(x).ok()?, usize::try_from(y).ok()?)?;
        position.stones(player).contains(cell).then_some(())
    };
    let k = game.k() as isize;
    game.cells().any(|start| {
        let (x, y) = game.coordinates(start);
        let (x, y) = (x as isize, y as isize);
        [(1, 0), (0, 1), (1, 1), (1, -1)]
            .into_iter()
            .any(|(dx, dy)| (0..k).all(|i| holds(x + i * dx, y + i * dy).is_some()))
    })
}

#[test]
fn obeys_the_laws() {
    for (seed, game) in [
        rules(5, 4, 4, 2, 1),
        rules(4, 5, 4, 2, 2),
        rules(4, 4, 4, 2, 1),
        rules(5, 5, 5, 1, 1),
        rules(5, 5, 4, 1, 2),
        rules(5, 1, 3, 2, 1),
        rules(3, 3, 2, 2, 2),
    ]
    .into_iter()
    .enumerate()
    {
        game_laws(&game, 3, seed as u64);
    }
    game_laws(&rules(5, 5, 5, 2, 1), 1, 9);
}

#[test]
fn tic_tac_toe_is_one_of_the_family() {
    use jl_games::tictactoe::TicTacToe;
    fn count<G: Game>(game: &G, position: &G::Position) -> u32 {
        let moves = game.legal_moves(position);
        let below = |&mv: &G::Move| count(game, &game.play(position, mv).expect("legal"));
        if moves.is_empty() { 1 } else { moves.iter().map(below).sum() }
    }
    let game = rules(3, 3, 3, 1, 1);
    assert_eq!(count(&game, &game.initial()), count(&TicTacToe, &TicTacToe.initial()));
}

#[test]
fn a_win_is_seen_when_it_is_made() {
    let mut wins = 0;
    let mut draws = 0;
    for game in [C6, rules(7, 6, 4, 2, 1), rules(4, 9, 4, 1, 2), rules(19, 5, 5, 2, 2), rules(6, 6, 6, 2, 1)]
    {
        for seed in 0..25 {
            for position in random_game(game, seed) {
                let winner =
                    [Player::First, Player::Second].into_iter().find(|&p| has_row(game, &position, p));
                assert_eq!(position.winner(), winner, "{}", game.show(&position));
                let full = position.played() == game.area();
                let outcome = winner.map(Outcome::win_of).or(full.then_some(Outcome::Draw));
                assert_eq!(game.outcome(&position), outcome);
                wins += u32::from(winner.is_some());
                draws += u32::from(outcome == Some(Outcome::Draw));
            }
        }
    }
    assert!(wins > 50 && draws > 10, "{wins} wins, {draws} draws");
}

#[test]
fn kept_keys_are_those_of_the_mapped_board() {
    for game in [C6, rules(7, 6, 4, 2, 1), rules(5, 5, 5, 1, 1)] {
        for position in random_game(game, 3) {
            let set_up = |s| {
                let image = |p| {
                    let cells = position.stones(p).iter().map(|c| game.map_move(s, Move::one(c)));
                    cells.flat_map(Move::cells).collect::<Vec<_>>()
                };
                game.set_up(&image(Player::First), &image(Player::Second), position.to_move())
                    .expect("a board")
            };
            for &s in game.symmetries() {
                // Equality compares the stones and all the keys.
                assert_eq!(game.map_position(s, &position), set_up(s), "{s:?} of {}", game.show(&position));
            }
        }
    }
}

#[test]
fn the_symmetries_of_a_position_show_in_its_keys() {
    let mut symmetric = 0;
    for game in [C6, rules(7, 4, 4, 2, 1), rules(3, 3, 3, 1, 1), rules(2, 2, 2, 2, 1)] {
        for position in (0..20).flat_map(|seed| random_game(game, seed)) {
            let all = game.symmetries().iter().copied();
            let by_mapping: Vec<_> = all.filter(|&s| game.map_position(s, &position) == position).collect();
            symmetric += usize::from(by_mapping.len() > 1);
            assert_eq!(game.stabilizer(&position), by_mapping);
        }
    }
    assert!(symmetric > 100, "{symmetric}");
    assert_eq!(C6.stabilizer(&after(C6, "JJ")).len(), 8);
    assert_eq!(C6.stabilizer(&after(C6, "JJ-IIKK")).len(), 4);
    assert_eq!(C6.stabilizer(&after(C6, "JJ-IIJI")).len(), 1);
}

#[test]
fn keys_are_the_same_for_ever() {
    assert_eq!(C6.canonical(&C6.initial()).0, 0);
    assert_eq!(C6.canonical(&after(C6, "JJ-IKKK")).0, 0x0358_8dfd_3dfd_0fa5_078c_ca96_a5e4_8682);
    let other = after(C6, "JJ-IIIK");
    assert_eq!(C6.canonical(&other).0, C6.canonical(&after(C6, "JJ-IKKK")).0);
    let passed = C6.set_up(&[cell(180)], &[], Player::First).unwrap();
    assert_ne!(C6.canonical(&passed).0, C6.canonical(&after(C6, "JJ")).0);
}

#[test]
fn a_turn_may_end_with_the_row_or_with_the_board() {
    let game = rules(5, 4, 4, 2, 1);
    let ready = after(game, "AA-ADBD-BACA-CDEB");
    assert_eq!(game.outcome(&after(game, "AA-ADBD-BACA-CDEB-DA")), Some(Outcome::FirstWins));
    let alone: Vec<_> = game.legal_moves(&ready).into_iter().filter(|mv| mv.len() == 1).collect();
    assert_eq!(alone, [game.parse_move("DA").unwrap()]);
    assert_eq!(
        game.play(&ready, game.parse_move("EA").unwrap()).unwrap_err(),
        "the turn has two stones, unless the first completes a row"
    );
    // Four cells: one stone, two, and the last.
    let game = rules(4, 1, 4, 2, 1);
    let last = after(game, "AA-BACA");
    assert_eq!((game.stones_due(&last), game.legal_moves(&last).len()), (1, 1));
    assert_eq!(game.outcome(&after(game, "AA-BACA-DA")), Some(Outcome::Draw));
}

#[test]
fn more_than_six_win_too() {
    let seven = "JJ-AAAC-KJLJ-AEAG-NJOJ-AIAK-PJSS-AMAO-MJSQ";
    assert_eq!(C6.outcome(&after(C6, seven)), Some(Outcome::FirstWins));
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let error = |moves: &str| C6.replay(moves).unwrap_err().to_string();
    assert_eq!(error("JJ jjkk"), "move 2 'jjkk' is illegal: JJ is occupied by X");
    assert_eq!(error("JJKK"), "move 1 'JJKK' is illegal: the turn has one stone, not two");
    assert_eq!(
        error("JJ KK"),
        "move 2 'KK' is illegal: the turn has two stones, unless the first completes a row"
    );
    assert_eq!(error("JJ KKKK"), "'KKKK' is not a move of connect6: KK is there twice");
    assert_eq!(error("TA"), "'TA' is not a move of connect6: column T is off the board (A to S)");
    assert_eq!(error("AT"), "'AT' is not a move of connect6: row T is off the board (A to S)");
    assert_eq!(error("a20"), "'a20' is not a move of connect6: row 20 is off the board (1 to 19)");
    assert_eq!(error("a0"), "'a0' is not a move of connect6: row 0 is off the board (1 to 19)");
    assert!(error("j10k").ends_with("the last stone has no row"));
    assert!(error("JJK").ends_with("the last stone has no row"));
    assert!(error("j1k2l3").ends_with("expected one or two stones, like JJ or JIKL"));
    assert!(error("j10é").contains("expected a column A to S, read 'é'"));
    assert!(error("Jé").contains("expected a row A to S, read 'é'"));
    assert!(error("j99999999999999999999999").contains("is off the board"));
    assert!(matches!(C6.parse_move(""), Err(GameError::NotAMove { .. })));
    let game = rules(5, 4, 4, 2, 1);
    let error = |position, mv| game.play(&position, mv).unwrap_err();
    let over = after(game, "AA-ADBD-BACA-CDEB-DA");
    assert_eq!(error(over, Move::one(cell(9))), "the game is over: X has won");
    assert_eq!(error(after(game, "AA"), Move::two(cell(9), cell(9))), "EB is there twice");
    assert_eq!(error(game.initial(), Move::one(cell(20))), "cell 20 is off the board");
    assert!(game.set_up(&[cell(3)], &[cell(3)], Player::First).is_err());
    assert!(game.parse_move("AE").is_err() && game.parse_move("EA").is_ok());
}

#[test]
fn the_notations_agree() {
    assert_eq!(after(C6, "jj,JIKL k9l8-HLGL"), after(C6, "J10 k12j9\tKILH\nglhl"));
    let mv = C6.parse_move("JIKL").unwrap();
    assert_eq!(C6.format_move(mv), "JIKL");
    assert_eq!(C6.format_move(C6.parse_move("KLJI").unwrap()), "JIKL");
    assert_eq!(C6.format_move_in(Notation::Numbers, mv), "j9k12");
    assert_eq!(C6.format_move_in(Notation::NumbersSkipI, mv), "k9l12");
    assert_eq!(C6.parse_move_in(Notation::NumbersSkipI, "K9L12"), Ok(mv));
    assert!(C6.parse_move_in(Notation::NumbersSkipI, "i9").unwrap_err().to_string().contains("no column I"));
    assert!(C6.parse_move_in(Notation::NumbersSkipI, "t19").is_ok() && C6.parse_move("t19").is_err());
    for cell in C6.cells() {
        for notation in [Notation::Pairs, Notation::Numbers, Notation::NumbersSkipI] {
            let text = C6.format_cell(notation, cell);
            assert_eq!(C6.parse_move_in(notation, &text), Ok(Move::one(cell)), "{text}");
        }
    }
}

#[test]
fn stones_in_order_are_joined_to_turns() {
    let text = |stones: &str| C6.parse_stones(stones).map(|m| jl_game::reply::join_moves(&C6, &m, "-"));
    assert_eq!(text("j10,k11,i11,JH,MK").unwrap(), "JJ-IKKK-JHMK");
    assert_eq!(text("j10,k11,i11,JH").unwrap(), "JJ-IKKK-JH");
    assert_eq!(text("").unwrap(), "");
    assert!(text("j10,k11i11").unwrap_err().to_string().ends_with("expected a single stone"));
    let small = rules(3, 1, 3, 1, 2);
    assert_eq!(small.parse_stones("AA BA CA").unwrap().len(), 2);
    assert!(small.parse_stones("AA BA CA AA").unwrap_err().to_string().ends_with("no cell left"));
}

#[test]
fn the_board_is_drawn_with_its_coordinates() {
    let game = rules(4, 3, 3, 2, 1);
    let (moves, position) = game.replay("BB AADC").unwrap();
    assert_eq!(game.show(&position), "C . . . O\nB . X . .\nA O . . .\n  A B C D\nX to move\n");
    assert!(game.draw(&position, moves.last().copied()).starts_with("C . . . o\nB . X . .\nA o . . .\n"));
    let over = after(game, "BB AADC ABCB");
    assert!(game.show(&over).ends_with("X has won\n"));
}

#[test]
fn codes_are_the_moves_of_the_board() {
    let game = rules(3, 2, 3, 2, 1);
    assert_eq!((0..10_000).filter_map(|c| game.decode(c)).count(), 6 + 15);
    for code in [6, 511, 512, 512 * 7, u32::MAX] {
        assert_eq!(game.decode(code), None, "{code}");
    }
    let last = Move::two(cell(360), cell(359));
    assert_eq!(C6.decode(C6.code(last)), Some(last));
}

proptest! {
    #[test]
    fn any_text_is_a_move_or_an_error(text in "\\PC*", near in "[a-tA-T0-9é ]{0,9}") {
        for text in [text, near] {
            for notation in [Notation::Pairs, Notation::Numbers, Notation::NumbersSkipI] {
                if let Ok(mv) = C6.parse_move_in(notation, &text) {
                    prop_assert_eq!(C6.parse_move_in(notation, &C6.format_move_in(notation, mv)), Ok(mv));
                }
            }
            let _ = C6.replay(&text);
            let _ = C6.parse_stones(&text);
        }
    }

    #[test]
    fn any_code_is_a_move_or_none(code: u32) {
        if let Some(mv) = C6.decode(code) {
            prop_assert_eq!(C6.code(mv), code);
        }
    }
}
