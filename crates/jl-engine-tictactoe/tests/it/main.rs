//! The program against the truth, at every position of the game.

use jl_engine_tictactoe::{Limits, MAX_DEPTH, answer, think};
use jl_game::reply::{Native, join_moves};
use jl_game::{Answer, Game, Program, Query, Status};
use jl_games::tictactoe::{Position, Square, TicTacToe, oracle};
use jl_value::Outcome;
use std::collections::{HashMap, HashSet};

/// Every position with a move to make, and the value of every position.
fn positions() -> (Vec<Position>, HashMap<Position, Outcome>) {
    let all = oracle::reachable();
    let values = all.iter().map(|&p| (p, oracle::minimax(p))).collect();
    (all.into_iter().filter(|p| p.outcome().is_none()).collect(), values)
}

/// What play of at most some further plies proves of a position: the definition, without a search.
#[derive(Default)]
struct Proofs(HashMap<(Position, u8), (Outcome, Outcome)>);

impl Proofs {
    /// The value, if it is proved.
    fn of(&mut self, position: Position, depth: u8) -> Option<Outcome> {
        let (lo, hi) = self.bounds(position, depth);
        (lo == hi).then_some(lo)
    }

    fn bounds(&mut self, position: Position, depth: u8) -> (Outcome, Outcome) {
        if let Some(outcome) = position.outcome() {
            return (outcome, outcome);
        }
        if depth == 0 {
            return (Outcome::SecondWins, Outcome::FirstWins);
        }
        if let Some(&known) = self.0.get(&(position, depth)) {
            return known;
        }
        let mover = position.to_move();
        let children = Square::all_of(position.empty()).map(|s| self.bounds(position.after(s), depth - 1));
        let better = |a: (Outcome, Outcome), b: (Outcome, Outcome)| {
            (a.0.better_for(mover, b.0), a.1.better_for(mover, b.1))
        };
        let bounds = children.reduce(better).expect("a game that is not over has a move");
        self.0.insert((position, depth), bounds);
        bounds
    }
}

fn check(
    position: Position,
    prohibited: u16,
    limits: Limits,
    values: &HashMap<Position, Outcome>,
    proofs: &mut Proofs,
) {
    let verdict = think(position, prohibited, limits);
    let context =
        || format!("{}{limits:?} prohibited {prohibited:o}: {verdict:?}", TicTacToe.show(&position));
    let mover = position.to_move();
    let loss = Outcome::win_of(mover.opponent());
    let remaining: Vec<_> = Square::all_of(position.empty() & !prohibited).collect();
    assert!((0.0..=1.0).contains(&verdict.win_rate), "{}", context());
    let Some(mv) = verdict.mv else {
        assert!(remaining.is_empty() && verdict.status == Status::of(loss), "{}", context());
        return;
    };
    assert!(remaining.contains(&mv), "{}", context());
    assert_eq!(verdict.line.first(), Some(&mv), "{}", context());
    let end = verdict.line.iter().try_fold(position, |p, &s| TicTacToe.play(&p, s));
    assert!(end.is_ok(), "{}", context());
    assert_eq!(
        verdict.status.outcome(),
        proofs.of(position.after(mv), limits.depth),
        "sure exactly when it is proved\n{}",
        context()
    );
    if let Some(outcome) = verdict.status.outcome() {
        assert_eq!(outcome, values[&position.after(mv)], "{}", context());
    }
    if verdict.status == Status::of(loss) {
        assert!(remaining.iter().all(|&s| values[&position.after(s)] == loss), "{}", context());
    }
    assert_eq!(
        verdict.status == Status::of(loss),
        remaining.iter().all(|&s| proofs.of(position.after(s), limits.depth) == Some(loss)),
        "a sure loss exactly when every move is proved lost\n{}",
        context()
    );
}

#[test]
fn sure_words_are_right_at_every_position() {
    let (positions, values) = positions();
    let mut proofs = Proofs::default();
    let mut rng = fastrand::Rng::with_seed(5);
    for &position in &positions {
        for depth in [0, 1, 2, 3] {
            check(position, 0, Limits { depth, seed: 0 }, &values, &mut proofs);
            let prohibited = position.empty() & rng.u16(..);
            check(position, prohibited, Limits { depth, seed: rng.u64(..) }, &values, &mut proofs);
        }
    }
}

#[test]
fn at_full_depth_it_knows_everything() {
    let (positions, values) = positions();
    let mut rng = fastrand::Rng::with_seed(6);
    for &position in &positions {
        let prohibited = if rng.bool() { 0 } else { position.empty() & rng.u16(..) };
        let limits = Limits { depth: MAX_DEPTH, seed: 0 };
        let verdict = think(position, prohibited, limits);
        let mover = position.to_move();
        let remaining = Square::all_of(position.empty() & !prohibited).map(|s| values[&position.after(s)]);
        let best = remaining.reduce(|a, b| a.better_for(mover, b));
        let truth = best.unwrap_or(Outcome::win_of(mover.opponent()));
        assert_eq!(verdict.status, Status::of(truth), "{}", TicTacToe.show(&position));
        if let Some(mv) = verdict.mv {
            assert_eq!(values[&position.after(mv)], truth);
        }
    }
}

#[test]
fn wins_come_soon_and_losses_late() {
    let think_after = |moves: &str| {
        let (_, position) = TicTacToe.replay(moves).unwrap();
        think(position, 0, Limits { depth: MAX_DEPTH, seed: 0 })
    };
    // X can win at once; other moves win too, later.
    assert_eq!(think_after("a1 a2 b2 b3").mv.unwrap().to_string(), "c3");
    // O is lost everywhere; only stopping the diagonal lasts longer than a move.
    let lost = think_after("a1 b1 b2");
    assert_eq!((lost.status.to_string(), lost.mv.unwrap().to_string()), ("B:w".into(), "c3".into()));
}

#[test]
fn ties_are_broken_by_the_seed_and_only_ties() {
    let (_, centre_taken) = TicTacToe.replay("b2").unwrap();
    let reply = |seed| think(centre_taken, 0, Limits { depth: MAX_DEPTH, seed }).mv.unwrap();
    assert_eq!(reply(0).to_string(), "a1");
    let seen: HashSet<_> = (1..40).map(|seed| reply(seed).to_string()).collect();
    assert_eq!(seen, HashSet::from(["a1", "a3", "c1", "c3"].map(String::from)), "corners draw, edges lose");
    assert_eq!(reply(7), reply(7));
}

#[test]
fn what_it_prints_is_read_as_what_it_meant() {
    let program = Native::new("tictactoe", vec!["--depth".into(), "3".into()]);
    let mut rng = fastrand::Rng::with_seed(8);
    for _ in 0..300 {
        let mut position = TicTacToe.initial();
        let mut moves = Vec::new();
        for _ in 0..rng.usize(..8) {
            let Some(square) = rng.choice(TicTacToe.legal_moves(&position)) else { break };
            let next = position.after(square);
            if next.outcome().is_some() {
                break;
            }
            moves.push(square);
            position = next;
        }
        let mask = position.empty() & rng.u16(..);
        let prohibited: Vec<_> = Square::all_of(mask).collect();
        let children = prohibited.len();
        let query =
            Query { game: &TicTacToe, moves: &moves, position: &position, prohibited: &prohibited, children };
        let lines = answer(&program.prepare(&query)).unwrap();
        let verdict = think(position, mask, Limits { depth: 3, seed: 0 });
        let read = program.parse(&query, &lines).unwrap();
        if verdict.status == Status::Win(position.to_move().opponent()) {
            assert_eq!(read, Answer::SureLoss);
        } else {
            let Answer::Move { mv, assessment, .. } = read else { panic!("{lines:?}") };
            assert_eq!(Some(mv), verdict.mv);
            assert_eq!(assessment.status, verdict.status);
            assert_eq!(assessment.win_rate, Some(verdict.win_rate));
            assert!(lines[0].contains(&join_moves(&TicTacToe, &verdict.line, "\",\"")));
        }
    }
}

#[test]
fn every_status_comes_up() {
    let (positions, _) = positions();
    let mut seen = HashMap::new();
    for depth in 0..=4 {
        for &position in &positions {
            *seen.entry(think(position, 0, Limits { depth, seed: 0 }).status).or_insert(0) += 1;
        }
    }
    for status in Status::ALL {
        assert!(seen.contains_key(&status), "{status} never comes up: {seen:?}");
    }
}
