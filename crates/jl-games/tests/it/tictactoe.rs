use jl_game::laws::game_laws;
use jl_game::{Game, GameError};
use jl_games::tictactoe::{Position, Square, TicTacToe, oracle};
use jl_value::Outcome;
use std::collections::HashSet;

fn after(moves: &str) -> Position {
    TicTacToe.replay(moves).expect("the test's own moves").1
}

#[test]
fn obeys_the_laws() {
    game_laws(&TicTacToe, 200, 1);
}

#[test]
fn has_the_known_number_of_positions() {
    let positions = oracle::reachable();
    assert_eq!(positions.len(), 5478);
    let orbits: HashSet<_> = positions.iter().map(|p| TicTacToe.canonical(p).0).collect();
    assert_eq!(orbits.len(), 765);
}

#[test]
fn has_the_known_number_of_games() {
    // First wins, second wins, draws.
    fn count(position: &Position) -> [u32; 3] {
        match TicTacToe.outcome(position) {
            Some(Outcome::FirstWins) => [1, 0, 0],
            Some(Outcome::SecondWins) => [0, 1, 0],
            Some(Outcome::Draw) => [0, 0, 1],
            None => {
                let mut sum = [0; 3];
                for square in TicTacToe.legal_moves(position) {
                    let below = count(&TicTacToe.play(position, square).unwrap());
                    sum.iter_mut().zip(below).for_each(|(s, b)| *s += b);
                }
                sum
            }
        }
    }
    let games = count(&TicTacToe.initial());
    assert_eq!(games, [131_184, 77_904, 46_080]);
    assert_eq!(games.iter().sum::<u32>(), 255_168);
}

#[test]
fn the_oracle_knows_the_classics() {
    assert_eq!(oracle::minimax(TicTacToe.initial()), Outcome::Draw);
    assert_eq!(oracle::minimax(after("a1 b2")), Outcome::Draw);
    assert_eq!(oracle::minimax(after("a1 a2")), Outcome::FirstWins);
    assert_eq!(oracle::minimax(after("a1 b2 c3 a3")), Outcome::FirstWins);
    assert_eq!(oracle::minimax(after("b1 b2 b3 a1")), Outcome::SecondWins);
    assert_eq!(oracle::minimax(after("a1 b2 a2 a3 b3")), Outcome::SecondWins);
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let error = |moves: &str| TicTacToe.replay(moves).unwrap_err().to_string();
    assert_eq!(error("b2 A1-a1"), "move 3 'a1' is illegal: a1 is occupied by O");
    assert_eq!(error("a1 d1"), "'d1' is not a move of tictactoe: column d is off the board (a to c)");
    assert_eq!(error("a4"), "'a4' is not a move of tictactoe: row 4 is off the board (1 to 3)");
    assert!(error("22").contains("expected a column a to c"));
    assert!(error("aa").contains("expected a row 1 to 3"));
    assert!(error("b22").contains("like b2"));
    assert!(error("é1").contains("expected a column"));
    assert_eq!(error("a1 a2 b1 b2 c1 c2"), "move 6 'c2' is illegal: the game is already over");
    let over = after("a1 a2 b1 b2 c1");
    assert_eq!(TicTacToe.play(&over, Square::new(5).unwrap()), Err("the game is over: X has won".into()));
    assert!(matches!(TicTacToe.parse_move(""), Err(GameError::NotAMove { .. })));
}

#[test]
fn upper_case_is_read() {
    assert_eq!(after("B2,A1"), after("b2 a1"));
}

#[test]
fn the_board_is_drawn_with_its_coordinates() {
    assert_eq!(TicTacToe.show(&after("b2 c3 a1")), "3 . . O\n2 . X .\n1 X . .\n  a b c\nO to move\n");
    assert!(TicTacToe.show(&after("a1 a2 b1 b2 c1")).ends_with("X has won\n"));
}

#[test]
fn codes_are_the_nine_squares() {
    assert_eq!((0..9).filter_map(|c| TicTacToe.decode(c)).count(), 9);
    assert_eq!(TicTacToe.decode(9), None);
    assert_eq!(TicTacToe.decode(u32::MAX), None);
}
