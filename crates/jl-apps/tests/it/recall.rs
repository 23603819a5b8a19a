//! Answers that are used again, at mirror images above all.

use super::{parameters, pns};
use jl_apps::{AnyClient, Parameters};
use jl_game::reply::{Native, Reply, join_moves};
use jl_game::{Effort, Game, Program, Symmetry};
use jl_games::connect6::Connect;
use jl_games::square::D4;
use jl_games::tictactoe::TicTacToe;
use jl_messages::{JobId, Notice, Request, Submit};
use std::time::Duration;

fn of(game: &str, moves: &str, nodes: Option<u64>) -> Parameters {
    Parameters {
        game: game.into(),
        program: game.into(),
        effort: Effort { nodes, time: None },
        ..parameters(moves, pns("mf-ve"), true)
    }
}

fn start(parameters: &Parameters) -> Box<dyn AnyClient> {
    let mut client = parameters.client().unwrap();
    client.start();
    client
}

/// The next job, if there is one.
fn next(client: &mut dyn AnyClient) -> Option<Submit> {
    client.handle(Notice::WorkerAvailable).into_iter().find_map(|r| match r {
        Request::Submit(submit) => Some(submit),
        _ => None,
    })
}

/// Runs `jobs` jobs at a position and, beside it, the same at every mirror image with nothing but what was kept. The graphs must be
/// the same, since the nodes stand for all images.
fn recalled_everywhere<G: Game>(
    game: &G,
    moves: &str,
    nodes: Option<u64>,
    jobs: usize,
    engine: impl Fn(&[String]) -> Vec<String>,
) -> usize {
    let (moves, _) = game.replay(moves).unwrap();
    let image = |s: G::Symmetry| {
        let moves: Vec<G::Move> = moves.iter().map(|&m| game.map_move(s, m)).collect();
        let text = join_moves(game, &moves, "-");
        (start(&of(game.name(), &text, nodes)), text)
    };
    let (mut asking, _) = image(G::Symmetry::IDENTITY);
    let mut images: Vec<_> = game.symmetries().iter().map(|&s| image(s)).collect();
    let mut done = 0;
    while done < jobs
        && let Some(submit) = next(&mut *asking)
    {
        let job = submit.job;
        let output = engine(&submit.input.words);
        let key = asking.cache_key(job).unwrap();
        let kept = asking.to_keep(job, &output).expect("the program's answer can be used");
        asking.handle(Notice::Done { job, output, cpu: Duration::ZERO });
        done += 1;
        for (client, root) in &mut images {
            let submit = next(&mut **client).expect("the images are alike");
            assert_eq!(submit.job, job);
            assert_eq!(client.cache_key(job).unwrap(), key, "at {root}");
            let recalled =
                client.recalled(job, &kept).unwrap_or_else(|| panic!("a miss at {root}: {kept:?}"));
            // The line is for people, but should be one.
            let line: Reply = serde_json::from_str(recalled.last().unwrap()).unwrap();
            let at = super::word_after(&submit.input.words, "--moves");
            game.replay(&format!("{at}-{}", line.line.join("-"))).unwrap();
            client.handle(Notice::Cached { job, output: recalled });
            let counts = client.summary().counts;
            assert_eq!(
                (counts.cached, counts.done, counts.failed),
                (done as u64, done as u64, 0),
                "at {root}"
            );
            assert_eq!(client.digest(), asking.digest(), "at {root}");
        }
    }
    done
}

#[test]
fn an_answer_of_tictactoe_is_one_at_every_mirror_image() {
    let engine = |words: &[String]| jl_engine_tictactoe::answer(words).unwrap();
    let mut jobs = 0;
    for (position, moves) in super::positions() {
        if position.empty().count_ones() % 4 == 1 && position.outcome().is_none() {
            jobs += recalled_everywhere(&TicTacToe, &moves, None, 5, engine);
        }
    }
    assert!(recalled_everywhere(&TicTacToe, "", None, 1000, engine) > 100, "all of the game");
    assert!(jobs > 1000, "{jobs}");
}

#[test]
fn drafts_are_mapped_with_the_answer() {
    let game = TicTacToe;
    let program = Native::new("tictactoe", Vec::new());
    let lines = [
        r#"{"move":"a1","status":"B1","next":[{"move":"b1","win_rate":0.4}],"draft":true}"#,
        "depth 2",
        r#"{"move":"nowhere","status":"B1","draft":true}"#,
        r#"{"move":"a2","status":"B2"}"#,
    ]
    .map(String::from);
    let turned = D4::ALL.into_iter().find(|&s| {
        game.format_move(game.map_move(s, game.parse_move("a1").unwrap())) == "c1"
            && game.format_move(game.map_move(s, game.parse_move("a2").unwrap())) == "c2"
    });
    let mapped = program.map_output(&game, turned.unwrap(), &lines).unwrap();
    let moves: Vec<Reply> = mapped.iter().map(|l| serde_json::from_str(l).unwrap()).collect();
    let moves: Vec<_> = moves.iter().map(|r| (r.mv.as_deref().unwrap(), r.draft)).collect();
    assert_eq!(moves, [("c1", true), ("c2", false)], "a draft that can't be read is left out");
    assert!(program.map_output(&game, turned.unwrap(), &lines[..3]).is_none(), "no answer, nothing to keep");
}

#[test]
fn an_answer_of_connect6_is_one_at_every_mirror_image() {
    let game = Connect::CONNECT6;
    let lost = "JJ-HLIH-LJKK-HJHI-JLHK-FKGJ-DMJG-IMJK-IILL";
    // The last three have symmetries of their own: all eight, and two.
    let mut done = 0;
    for (moves, nodes, jobs) in
        [(lost, 60_000, 8), ("JJ-HLIH-LJKK", 3_000, 6), ("JJ", 2_000, 6), ("JJ-IIKK", 2_000, 5), ("", 500, 4)]
    {
        let engine = |words: &[String]| jl_engine_connect6::answer(words).unwrap();
        done += recalled_everywhere(&game, moves, Some(nodes), jobs, engine);
    }
    assert!(done >= 20, "{done}");
}

type Change = fn(&mut Parameters);

#[test]
fn keys_say_what_was_asked_and_nothing_else() {
    let key = |p: &Parameters| {
        let mut client = start(p);
        let job = next(&mut *client).unwrap().job;
        client.cache_key(job).unwrap()
    };
    let base = of("connect6", "JJ-IKJK-LLMM-AAAB", Some(100));
    let known = key(&base);
    let with = |change: Change| {
        let mut p = base.clone();
        change(&mut p);
        key(&p)
    };
    let same: [(&str, Change); 3] = [
        ("another way to the position", |p| p.moves = "JJ-AAAB-LLMM-IKJK".into()),
        ("another search", |p| p.search = super::UCT),
        ("workers", |p| p.workers = 7),
    ];
    for (what, change) in same {
        assert_eq!(with(change), known, "{what}");
    }
    let others: [(&str, Change); 4] = [
        ("nodes", |p| p.effort.nodes = Some(101)),
        ("time", |p| p.effort.time = Some(Duration::from_secs(1))),
        ("words of the user", |p| p.program_options = vec!["--seed".into(), "3".into()]),
        ("position", |p| p.moves = "JJ-IKJK-LLMM-AAAC".into()),
    ];
    for (what, change) in others {
        assert_ne!(with(change), known, "{what}");
    }
}

#[test]
fn what_does_not_fit_is_not_recalled() {
    let mut client = start(&of("tictactoe", "", None));
    let first = next(&mut *client).unwrap();
    let output = jl_engine_tictactoe::answer(&first.input.words).unwrap();
    let (key, kept) = (client.cache_key(first.job).unwrap(), client.to_keep(first.job, &output).unwrap());
    assert_eq!(client.to_keep(first.job, &["nonsense".into()]), None, "only answers are kept");
    assert_eq!(client.recalled(first.job, &["{}".into()]), None);
    assert_eq!(client.recalled(JobId(9), &kept), None, "a job that is not in flight");
    client.handle(Notice::Done { job: first.job, output, cpu: Duration::ZERO });
    assert_eq!(client.cache_key(first.job), None);
    let again = loop {
        // The root is asked again, without the first move.
        let submit = next(&mut *client).unwrap();
        if submit.input.words.iter().all(|w| w != "--moves") {
            break submit;
        }
        let output = jl_engine_tictactoe::answer(&submit.input.words).unwrap();
        client.handle(Notice::Done { job: submit.job, output, cpu: Duration::ZERO });
    };
    assert_ne!(client.cache_key(again.job).unwrap(), key, "other moves are prohibited");
    assert_eq!(client.recalled(again.job, &kept), None, "the move is prohibited");
}

#[test]
fn only_what_is_understood_is_mapped() {
    let native = Native::new("p", Vec::new());
    let (game, turn) = (TicTacToe, D4::ALL[1]);
    let mapped = |line: &str| {
        let output = ["progress: a1 leads".to_string(), line.to_string()];
        assert_eq!(native.map_output(&game, D4::IDENTITY, &output).as_deref(), Some(&output[..]));
        native.map_output(&game, turn, &output)
    };
    let line = r#"{"move":"a1","status":"B2","win_rate":0.25,"line":["a1","b3"],"nodes":7,"defences":["a1","a2"],"worst":"a3"}"#;
    let expected =
        r#"{"move":"c1","status":"B2","win_rate":0.25,"line":["c1","b3"],"nodes":7,"defences":["c1","c2"]}"#;
    assert_eq!(mapped(line), Some(vec![expected.to_string()]), "unknown fields may hold moves");
    let lost = mapped(r#"{"move":null,"status":"W:w"}"#).unwrap();
    assert!(lost[0].starts_with(r#"{"move":null,"status":"W:w""#), "{lost:?}");
    let odd_line = mapped(r#"{"move":"a1","status":"B2","line":["a1","?"]}"#).unwrap();
    assert!(!odd_line[0].contains("line") && odd_line[0].contains("c1"), "{odd_line:?}");
    for bad in ["{}", r#"{"move":"zz","status":"B2"}"#, r#"{"move":"a1","status":"B2","defences":["zz"]}"#] {
        assert_eq!(mapped(bad), None, "{bad}");
    }
}

/// A program that does not say how its answers are mapped.
struct Plain;

impl Program<TicTacToe> for Plain {
    fn name(&self) -> &str {
        "plain"
    }
    fn prepare(&self, _: &jl_game::Query<'_, TicTacToe>) -> Vec<String> {
        Vec::new()
    }
    fn parse(
        &self,
        _: &jl_game::Query<'_, TicTacToe>,
        _: &[String],
    ) -> Result<jl_game::Answer<jl_games::tictactoe::Square>, jl_game::BadAnswer> {
        Ok(jl_game::Answer::SureLoss)
    }
}

#[test]
fn a_program_that_can_not_map_is_asked_again() {
    let output = vec!["a1".to_string()];
    assert_eq!(Plain.map_output(&TicTacToe, D4::IDENTITY, &output), Some(output.clone()));
    assert_eq!(Plain.map_output(&TicTacToe, D4::ALL[1], &output), None);
}
