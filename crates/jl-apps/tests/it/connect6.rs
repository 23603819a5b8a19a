//! Connect6: small decided positions, and moves under the symmetries of the board.

use crate::{UCT, parameters, pns, solve_with, word_after};
use jl_apps::{AnyClient, Parameters, SearchParameters};
use jl_client::Options;
use jl_game::{Effort, Game, Key, Status};
use jl_games::connect6::{Cell, Connect, Move};
use jl_messages::{JobClient, Notice, Request};
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

/// Black to move wins by threats; with few nodes the program sees it only a few moves later.
const WON: &str = "JJ-HLIH-LJKK-HJHI-JLHK-FKGJ-DMJG-IMJK";
/// After the winning move: White to move.
const LOST: &str = "JJ-HLIH-LJKK-HJHI-JLHK-FKGJ-DMJG-IMJK-IILL";

fn connect6(moves: &str, search: SearchParameters, transpositions: bool, nodes: u64) -> Parameters {
    Parameters {
        game: "connect6".into(),
        program: "connect6".into(),
        effort: Effort { nodes: Some(nodes), time: None },
        ..parameters(moves, search, transpositions)
    }
}

/// As workers run it for proofs.
fn engine(words: &[String]) -> Vec<String> {
    let style = ["--style", "attack"].map(String::from);
    jl_engine_connect6::answer(&[&style, words].concat()).unwrap()
}

/// The line must be legal.
fn played(client: &dyn AnyClient, moves: &str) {
    let line = client.summary().line;
    assert!(!line.is_empty());
    Connect::CONNECT6.replay(&format!("{moves}-{}", line.join("-"))).unwrap();
}

#[test]
fn searches_workers_and_transpositions_agree() {
    for (moves, nodes) in [(WON, 40), (LOST, 40)] {
        for search in [pns("mf-ve"), UCT] {
            for workers in [1, 4] {
                for transpositions in [true, false] {
                    let p = connect6(moves, search.clone(), transpositions, nodes);
                    let client = solve_with(&p, workers, engine);
                    let s = client.summary();
                    assert_eq!(s.bounds.to_string(), "first wins", "{moves} {search:?} {workers}");
                    assert!(s.counts.done > 1 && s.counts.failed == 0, "{moves} {search:?} {:?}", s.counts);
                    played(&*client, moves);
                }
            }
        }
    }
}

#[test]
fn players_have_names() {
    let client = connect6(LOST, UCT, true, 100).client().unwrap();
    assert_eq!(client.player_name(client.mover()), "White");
    let client = parameters("", UCT, true).client().unwrap();
    assert_eq!(client.player_name(client.mover()), "first player");
}

/// White's every move at the root loses at once, so that the root is asked about again and again.
#[test]
fn jobs_cost_more_where_a_node_has_many_children() {
    let mut nodes = Vec::new();
    let p = connect6("JJ", pns("mf-ve"), true, 7);
    let p = Parameters { options: Options { limit: Some(28), ..p.options }, ..p };
    solve_with(&p, 1, |words| {
        if word_after(words, "--moves") != "JJ" {
            return vec![r#"{"move":"KKLL","status":"B:w"}"#.into()];
        }
        nodes.push(word_after(words, "--nodes").to_string());
        let row = char::from(b'A' + nodes.len() as u8);
        vec![format!(r#"{{"move":"A{row}BB","status":"stable"}}"#)]
    });
    let expected = [["7"; 4].as_slice(), &["14"; 8], &["28"; 2]].concat();
    assert_eq!(nodes, expected, "although each move stands for eight, or four, by symmetry");
}

/// Random answers on the cells around the centre of a symmetric position, where many transpose. Whatever way leads to a
/// node, the prohibited moves of a question are those that were answered for it, as the position asked about has them.
#[test]
fn prohibited_moves_are_those_answered_under_every_symmetry() {
    let game = Connect::CONNECT6;
    let cells: Vec<Cell> = (0..9).filter_map(|i| game.cell(8 + i % 3, 8 + i / 3)).collect();
    let moves: Vec<Move> = (0..81).map(|i| Move::two(cells[i % 9], cells[i / 9])).collect();
    let mut transposed = 0;
    for seed in 0..4 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let search = if seed % 2 == 0 { pns("mf-ve") } else { UCT };
        // The positions that a node's answers led to, by the node's key.
        let mut answered: HashMap<Key, BTreeSet<Key>> = HashMap::new();
        let client = solve_with(&connect6("JJ", search, true, 1), 1, |words| {
            let (_, position) = game.replay(word_after(words, "--moves")).unwrap();
            let prohibited = game.split_moves(word_after(words, "--prohibit"));
            let prohibited: Vec<Move> = prohibited.iter().map(|w| game.parse_move(w).unwrap()).collect();
            let key_after = |mv| game.canonical(&game.play(&position, mv).unwrap()).0;
            let known = answered.entry(game.canonical(&position).0).or_default();
            let asked: BTreeSet<Key> = prohibited.iter().map(|&mv| key_after(mv)).collect();
            assert_eq!(asked, *known, "{words:?}");
            let allowed = |mv: &&Move| game.play(&position, **mv).is_ok() && !prohibited.contains(mv);
            let allowed: Vec<Move> = moves.iter().filter(allowed).copied().collect();
            let Some(mv) = rng.choice(allowed) else {
                let lost = Status::Win(position.to_move().opponent());
                return vec![format!(r#"{{"move":null,"status":"{lost}"}}"#)];
            };
            known.insert(key_after(mv));
            let status = rng.choice(["B2", "stable", "W1", "W3"]).unwrap();
            vec![format!(r#"{{"move":"{}","status":"{status}"}}"#, game.format_move(mv))]
        });
        let s = client.summary();
        assert_eq!((s.bounds.to_string(), s.counts.failed), ("first wins".into(), 0));
        transposed += s.transposed;
    }
    assert!(transposed > 50, "only {transposed} transpositions");
}

#[test]
fn the_time_of_the_jobs_is_added_up() {
    let mut client = connect6(WON, pns("mf-ve"), true, 2000).client().unwrap();
    client.start();
    let second = Duration::from_secs(1);
    let [Request::Submit(s)] = &client.handle(Notice::WorkerAvailable)[..] else { panic!("one job") };
    assert_eq!(s.time_limit, Some(Duration::from_secs(602)), "a hanging program is killed some time");
    client.handle(Notice::Done { job: s.job, output: engine(&s.input.words), cpu: second });
    client.handle(Notice::Done { job: s.job, output: Vec::new(), cpu: second });
    assert_eq!(client.summary().engine_time, second, "an answer to no job is ignored");
}
