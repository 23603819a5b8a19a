//! Tic-tac-toe, solved: every search against plain minimax, at every position.

mod connect6;
mod recall;

use jl_apps::{AnyClient, Integrated, Parameters, SearchParameters, SetupError};
use jl_client::Options;
use jl_game::Game;
use jl_games::tictactoe::{Position, TicTacToe, oracle};
use jl_messages::{JobClient, Notice, Request};
use jl_search::Siblings;
use jl_search::uct::Mean;
use std::collections::{HashMap, VecDeque};
use std::time::Duration;

fn parameters(moves: &str, search: SearchParameters, transpositions: bool) -> Parameters {
    let options = Options { transpositions, ..Options::default() };
    Parameters { options, ..Parameters::new("tictactoe", "tictactoe", moves, search) }
}

fn pns(policy: &str) -> SearchParameters {
    SearchParameters::pns(policy)
}

const UCT: SearchParameters =
    SearchParameters::Uct { exploration: 0.5, mean: Mean::Live, siblings: Siblings::Gradual };

/// Solves with `workers` jobs in flight, which the tic-tac-toe program answers in turn.
fn solve(parameters: &Parameters, workers: usize) -> Box<dyn AnyClient> {
    solve_with(parameters, workers, |words| jl_engine_tictactoe::answer(words).unwrap())
}

fn solve_with(
    parameters: &Parameters,
    workers: usize,
    mut answer: impl FnMut(&[String]) -> Vec<String>,
) -> Box<dyn AnyClient> {
    let mut client = parameters.client().unwrap();
    client.start();
    let mut running = VecDeque::new();
    while !client.is_finished() {
        let requests = client.handle(Notice::WorkerAvailable);
        let before = running.len();
        running.extend(
            requests.into_iter().filter_map(|r| if let Request::Submit(s) = r { Some(s) } else { None }),
        );
        if running.len() == workers || running.len() == before {
            let Some(s) = running.pop_front() else { continue };
            let output = answer(&s.input.words);
            let requests = client.handle(Notice::Done { job: s.job, output, cpu: Duration::ZERO });
            let aborted = |job| requests.contains(&Request::Abort { job });
            running.retain(|s| !aborted(s.job));
        }
    }
    client
}

/// A move list to every reachable position.
fn positions() -> HashMap<Position, String> {
    let game = TicTacToe;
    let mut known = HashMap::from([(game.initial(), String::new())]);
    let mut queue = VecDeque::from([game.initial()]);
    while let Some(p) = queue.pop_front() {
        for mv in game.legal_moves(&p) {
            let after = game.play(&p, mv).unwrap();
            let text = format!("{} {}", known[&p], game.format_move(mv));
            if known.insert(after, text).is_none() {
                queue.push_back(after);
            }
        }
    }
    known
}

/// What follows the word `name` of a question, or nothing.
fn word_after<'a>(words: &'a [String], name: &str) -> &'a str {
    words.iter().position(|w| w == name).map_or("", |i| words[i + 1].as_str())
}

fn agrees_everywhere(search: &SearchParameters, workers: usize) {
    let positions = positions();
    assert_eq!(positions.len(), 5478);
    for (position, moves) in positions {
        let client = solve(&parameters(&moves, search.clone(), true), workers);
        let value = client.summary().bounds.exact();
        assert_eq!(value, Some(oracle::minimax(position)), "{} at{moves}", search.name());
    }
}

#[test]
fn jl_pns_finds_the_value_of_every_position() {
    agrees_everywhere(&pns("mf-ve"), 1);
}

#[test]
fn jl_uct_finds_the_value_of_every_position() {
    agrees_everywhere(&UCT, 1);
}

#[test]
fn the_empty_board_is_a_draw_for_every_search_policy_and_number_of_workers() {
    let policies = ["native", "vw", "vl", "gd", "fg", "mf", "fg-ve", "mf-ve", "mf-sp"];
    let searches = policies.into_iter().map(pns).chain([UCT]);
    for search in searches {
        for workers in [1, 2, 5, 16] {
            for transpositions in [true, false] {
                let client = solve(&parameters("", search.clone(), transpositions), workers);
                let s = client.summary();
                assert_eq!(s.bounds.to_string(), "draw", "{search:?} {workers}");
                assert_eq!(s.transposed > 0, transpositions, "{search:?} {workers}");
            }
        }
    }
}

#[test]
fn the_line_is_played_well_by_both() {
    let game = TicTacToe;
    for (moves, value) in
        [("", "draw"), ("a1 b1", "first wins"), ("a1 b1 a2 b2", "first wins"), ("b2 b1", "first wins")]
    {
        for search in [pns("mf-ve"), UCT] {
            let client = solve(&parameters(moves, search, true), 4);
            let s = client.summary();
            assert_eq!(s.bounds.to_string(), value, "{moves}");
            let (_, mut position) = game.replay(moves).unwrap();
            for mv in &s.line {
                position = game.play(&position, game.parse_move(mv).unwrap()).unwrap();
                assert_eq!(
                    Some(oracle::minimax(position)),
                    s.bounds.exact(),
                    "{moves}: {mv} gives something away"
                );
            }
        }
    }
}

#[test]
fn parameters_survive_json() {
    let p = parameters("a1", pns("vl"), false);
    let text = serde_json::to_string(&p).unwrap();
    assert_eq!(serde_json::from_str::<Parameters>(&text).unwrap(), p);
}

#[test]
fn moves_that_a_symmetry_makes_the_same_are_prohibited_together() {
    let game = TicTacToe;
    let mut client = parameters("", pns("mf-ve"), true).client().unwrap();
    client.start();
    let mut widest = 0;
    while !client.is_finished() {
        let [Request::Submit(s)] = &client.handle(Notice::WorkerAvailable)[..] else { panic!("one job") };
        let word = |name: &str| word_after(&s.input.words, name);
        let (_, position) = game.replay(word("--moves")).unwrap();
        let prohibited: Vec<_> =
            word("--prohibit").split_terminator(',').map(|w| game.parse_move(w).unwrap()).collect();
        let stabilizer = game.stabilizer(&position);
        for &mv in &prohibited {
            for &same in &stabilizer {
                let image = game.map_move(same, mv);
                assert!(prohibited.contains(&image), "{} but not {image}", word("--prohibit"));
            }
        }
        if !prohibited.is_empty() {
            widest = widest.max(stabilizer.len());
        }
        let output = jl_engine_tictactoe::answer(&s.input.words).unwrap();
        client.handle(Notice::Done { job: s.job, output, cpu: Duration::ZERO });
    }
    assert_eq!(widest, 8, "the empty board has been asked about with prohibited moves");
}

#[test]
fn impossible_parameters_are_named() {
    let k = std::num::NonZeroUsize::new(2);
    let error = |search| parameters("", search, true).client().err();
    let both =
        SearchParameters::Pns { policy: "mf".into(), k_band: k, widening: k, siblings: Siblings::Eager };
    assert_eq!(error(both), Some(SetupError::TwoWidenings));
    for exploration in [-1.0, f64::NAN, f64::INFINITY] {
        let refused =
            error(SearchParameters::Uct { exploration, mean: Mean::All, siblings: Siblings::Eager });
        assert_eq!(refused, Some(SetupError::Exploration(exploration.to_string())));
    }
    assert!(matches!(error(pns("mfve")), Some(SetupError::Policy(_))));
}

#[test]
fn a_printed_win_rate_goes_before_the_table() {
    use jl_client::Application;
    use jl_game::{Assessment, Status, reply::Native};
    use jl_search::uct::{Uct, WinRate};
    let program = Native::new("t", Vec::new());
    let app = Integrated {
        game: TicTacToe,
        search: Uct::default(),
        program,
        tables: jl_apps::tables::StatusTables::default(),
    };
    let says = |win_rate| app.retrieve(&Assessment { status: Status::Stable, win_rate });
    assert_eq!((says(Some(0.7)), says(None)), (WinRate::new(0.7), WinRate::new(0.5)));
}
