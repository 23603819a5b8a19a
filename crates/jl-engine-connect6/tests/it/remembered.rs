//! What the program remembers of a game.

use crate::minimax::Minimax;
use jl_engine_connect6::engine::{Recollection, Task};
use jl_engine_connect6::limits::Limits;
use jl_engine_connect6::thinker::move_of;
use jl_engine_connect6::{Side, Thinker};
use jl_game::Game;
use jl_games::connect6::Connect;
use jl_value::Player;

/// A win that takes all of the nodes to find, and that the next question alone would not find again.
#[test]
fn a_win_that_was_proved_is_carried_out() {
    let mut thinker = Thinker::new(Connect::CONNECT6).unwrap();
    thinker.limits = Limits { nodes: Some(5_000), ..Limits::default() };
    let moves = "JJ-KKHJ-ILHK-GJJL-IKIM-HLIJ-EJIN-IOHI-FKGH-FIGL-GMHM-FMGN-JMKN-LOKM-HNHO-KLHP-EKGP-FQGK-EIEH-EGEM-FHHH";
    let game = *thinker.game();
    let (_, mut position) = game.replay(moves).unwrap();
    let mut recollection = Recollection::default();
    let (mv, verdict) = thinker.choose_on(&position, &mut recollection);
    assert_eq!(verdict.winner, Some(Side::Second));
    position = game.play(&position, mv).unwrap();
    position = game.play(&position, game.parse_move("FLJN").unwrap()).unwrap();
    assert_eq!(thinker.choose(&position).1.winner, None, "or this position says nothing");
    while game.outcome(&position).is_none() {
        let (mv, verdict) = thinker.choose_on(&position, &mut recollection);
        assert_eq!(verdict.winner, Some(Side::Second), "{}", game.format_move(mv));
        position = game.play(&position, mv).unwrap();
        if game.outcome(&position).is_none() {
            // The longest resistance that the program itself can think of.
            let verdict = thinker.think(&position, Task::Play, &[]);
            position = game.play(&position, move_of(verdict.mv.unwrap())).unwrap();
        }
    }
    assert_eq!(game.outcome(&position).unwrap().winner(), Some(Player::Second));
}

#[test]
fn what_is_claimed_in_a_game_is_true() {
    let mut rng = fastrand::Rng::with_seed(21);
    let (mut claims, mut games) = (0, 0);
    for (columns, rows, k) in [(6, 5, 4), (6, 6, 5), (7, 5, 5)] {
        let mut thinker = Thinker::new(Connect::new(columns, rows, k, 2, 1).unwrap()).unwrap();
        thinker.limits = Limits { nodes: Some(300), ..Limits::default() };
        let game = *thinker.game();
        for _ in 0..60 {
            games += 1;
            let mut recollection = Recollection::default();
            let mut position = game.initial();
            while game.outcome(&position).is_none() {
                let (mut mv, verdict) = thinker.choose_on(&position, &mut recollection);
                if let Some(winner) = verdict.winner {
                    let mut truth = Minimax::new(20_000);
                    let mut board = thinker.board(&position);
                    let mover = Side::from(position.to_move());
                    let claimed = if winner == mover {
                        truth.wins(&mut board, mover)
                    } else {
                        truth.loses(&mut board, mover)
                    };
                    assert!(!matches!(claimed, Ok(false)), "{verdict:?} at {position:?}");
                    claims += u32::from(claimed.is_ok());
                }
                // Now and then another turn, so that games differ and go on.
                if rng.u8(..3) == 0 {
                    let legal = game.legal_moves(&position);
                    mv = legal[rng.usize(..legal.len())];
                }
                position = game.play(&position, mv).unwrap();
            }
        }
    }
    assert!(claims > games, "{claims} claims could be checked in {games} games");
}
