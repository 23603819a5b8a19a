use jl_game::laws::game_laws;
use jl_game::{Answer, Game, Program, Query, Status};
use jl_games::scripted::{Node, Problem, RandomScript, Script, ScriptError, ScriptedProgram};
use jl_value::{Outcome, Player};

const EXAMPLE: &str = "\
# comments and blank lines are skipped
r second

  a B2             # the mover's best
    b first
    c draw
  d W1 blind
    e second
    =b
";

fn script(text: &str) -> Script {
    text.parse().unwrap_or_else(|e| panic!("{e}"))
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

/// The program's answer at `node`, through its words and its printed line.
fn ask(script: &Script, node: Node, prohibited: &[Node]) -> Answer<Node> {
    let program = ScriptedProgram::new("scripted");
    let query = Query { game: script, moves: &[], position: &node, prohibited, children: prohibited.len() };
    let lines = script.answer(&program.prepare(&query));
    program.parse(&query, &lines).unwrap_or_else(|e| panic!("{e}\n{script}"))
}

#[test]
fn reads_the_example() {
    let s = script(EXAMPLE);
    let node = |name: &str| s.node(name).unwrap();
    assert_eq!(s.nodes().count(), 6);
    assert_eq!(s.to_move(&node("r")), Player::Second);
    assert_eq!(s.children(node("d")), [node("e"), node("b")]);
    assert_eq!(s.minimax(node("a")), Outcome::FirstWins);
    assert_eq!(s.minimax(node("d")), Outcome::FirstWins);
    assert_eq!(s.root_value(), Outcome::FirstWins);
    assert_eq!(s.status(node("a")).to_string(), "B2");
    assert_eq!(s.status(node("e")), Status::Win(Player::Second));
    assert!(s.is_blind(node("d")) && !s.is_blind(node("a")));
    assert_eq!(s.show(&node("d")), "d: first to move: e b\n");
    assert_eq!(s.show(&node("b")), "b: first has won\n");
    assert_eq!(s.replay("a-c").unwrap().1, node("c"));
    assert_eq!(s.replay("a e").unwrap_err().to_string(), "move 2 'e' is illegal: the moves at a are b c");
    assert_eq!(script(&s.to_string()), s);
}

#[test]
fn obeys_the_laws() {
    game_laws(&script(EXAMPLE), 10, 1);
    for seed in 0..200 {
        game_laws(&Script::random(RandomScript::default(), seed), 5, seed);
    }
}

#[test]
fn draw_is_a_result_at_the_end_and_a_claim_before_it() {
    let s = script("r\n  a draw\n    b draw\n  c W2 draw\n");
    assert_eq!(s.status(s.node("a").unwrap()), Status::Draw);
    assert_eq!(s.outcome(&s.node("a").unwrap()), None);
    assert_eq!(s.status(s.node("c").unwrap()).to_string(), "W2");
    assert_eq!(s.outcome(&s.node("c").unwrap()), Some(Outcome::Draw));
}

#[test]
fn errors_say_the_line_and_what_was_expected() {
    let cases: &[(&str, usize, Problem)] = &[
        ("", 1, Problem::NoRoot),
        ("# only this\n", 1, Problem::NoRoot),
        ("r\n", 1, Problem::NoMoves),
        ("  r\n", 1, Problem::Indentation { expected: "no".into(), read: "  ".into() }),
        ("r\n a first\n", 2, Problem::Indentation { expected: "2".into(), read: " ".into() }),
        ("r\n\ta first\n", 2, Problem::Indentation { expected: "2".into(), read: "\t".into() }),
        ("r\n    a first\n", 2, Problem::Indentation { expected: "2".into(), read: "    ".into() }),
        ("r\n  a first\nq\n", 3, Problem::Indentation { expected: "2, 4, … or 4".into(), read: "".into() }),
        ("r\n  a first\n  =a\n    b first\n", 4, Problem::BelowTransposition),
        ("r\n  a-b first\n", 2, Problem::NotAName("a-b".into())),
        ("=r\n", 1, Problem::NotAName("=r".into())),
        ("r\n  a first\n\n  a draw\n", 4, Problem::NameTaken { name: "a".into(), line: 2 }),
        ("r\n  a B5 first\n", 2, Problem::Word("B5".into())),
        ("r\n  a first second\n", 2, Problem::Word("second".into())),
        ("r\n  a B1 B2 first\n", 2, Problem::Word("B2".into())),
        ("r\n  a blind blind\n    b first\n", 2, Problem::Word("blind".into())),
        ("r\n  a B1 draw\n    b draw\n", 2, Problem::Word("draw".into())),
        ("r draw\n  a first\n", 1, Problem::RootWord("draw".into())),
        ("r B1\n  a first\n", 1, Problem::RootWord("B1".into())),
        ("r\n  a first\n  =b B1\n", 3, Problem::TranspositionWord("B1".into())),
        ("r\n  a first\n  =b\n", 3, Problem::UnknownNode("b".into())),
        ("r\n  a first\n  =a\n", 3, Problem::MoveTwice("a".into())),
        (
            "r\n  a\n    b first\n    =c\n  c first\n",
            4,
            Problem::WrongMover { name: "c".into(), mover: Player::Second },
        ),
        ("r\n  a\n    b\n      =a\n", 4, Problem::Cycle("a".into())),
        ("r\n  a\n    b\n      =c\n  c\n    d\n      e first\n      =a\n", 4, Problem::Cycle("c".into())),
        ("r\n  a B1\n", 2, Problem::NoResult),
        ("r\n  a first blind\n", 2, Problem::ProgramAtEnd("blind")),
        ("r\n  a first listed\n", 2, Problem::ProgramAtEnd("listed")),
        ("r\n  a first\n    b first\n", 2, Problem::MovesAfterEnd),
        (
            "r\n  a W:w\n    b first\n",
            2,
            Problem::FalseClaim { claim: Status::Win(Player::Second), truth: Status::Win(Player::First) },
        ),
        (
            "r\n  a draw\n    b first\n",
            2,
            Problem::FalseClaim { claim: Status::Draw, truth: Status::Win(Player::First) },
        ),
        (
            "r\n  a B:w draw\n",
            2,
            Problem::FalseClaim { claim: Status::Win(Player::First), truth: Status::Draw },
        ),
    ];
    for (text, line, problem) in cases {
        let expected =
            text.lines().nth(line - 1).filter(|_| !text.starts_with('#')).unwrap_or_default().trim();
        let ScriptError { line: at, text: quoted, problem: read } = text.parse::<Script>().unwrap_err();
        assert_eq!((at, quoted.as_str(), &read), (*line, expected, problem), "{text:?}");
    }
    let message = "r\n  a Q\n".parse::<Script>().unwrap_err().to_string();
    assert_eq!(
        message,
        "line 2 'a Q': 'Q' was not expected: a status, `blind`, or a result `first`, `second` or `draw`, each once"
    );
}

#[test]
fn the_program_offers_the_written_order_and_stops_when_all_the_rest_loses() {
    let s = script(
        "r\n  a B2\n    x second\n    x' first\n  b second\n  c W:w\n    y second\n  d draw\n  e W1\n    z second\n",
    );
    let at = |prohibited: &str| s.answer(&words(&["r", prohibited])).concat();
    assert_eq!(at(""), r#"{"move":"a","status":"B2","nodes":0}"#);
    // Lost moves come up in their turn while the draw is still to come, and never as a sure loss.
    assert_eq!(at("a"), r#"{"move":"b","status":"W4","nodes":0}"#);
    assert_eq!(at("a,b"), r#"{"move":"c","status":"W4","nodes":0}"#);
    assert_eq!(at("c,b,a"), r#"{"move":"d","status":"draw","nodes":0}"#);
    assert_eq!(at("a,b,c,d"), r#"{"move":null,"status":"W:w","nodes":0}"#);
    assert_eq!(at("a,b,c,d,e"), r#"{"move":null,"status":"W:w","nodes":0}"#);
}

#[test]
fn a_blind_node_offers_its_lost_moves_to_the_last() {
    let s = script("r second blind\n  a first\n  b W3\n    c first\n");
    let at = |prohibited: &str| s.answer(&words(&["r", prohibited])).concat();
    assert_eq!(at(""), r#"{"move":"a","status":"B4","nodes":0}"#);
    assert_eq!(at("a"), r#"{"move":"b","status":"W3","nodes":0}"#);
    assert_eq!(at("a,b"), r#"{"move":null,"status":"B:w","nodes":0}"#);
}

#[test]
fn words_that_make_no_query_are_answered_with_the_reason() {
    let s = script(EXAMPLE);
    let said = |list: &[&str]| s.answer(&words(list)).concat();
    assert_eq!(said(&[]), "error: expected a node and its prohibited moves, read 0 words");
    assert_eq!(said(&["b"]), "error: the game is over at b");
    assert!(said(&["q"]).contains("no node of this name"));
    assert_eq!(said(&["a", "e"]), "error: 'e' cannot be prohibited: the moves at a are b c");
    let program = ScriptedProgram::new("p");
    let query = Query { game: &s, moves: &[], position: &Node::ROOT, prohibited: &[], children: 0 };
    assert!(program.parse(&query, &s.answer(&[])).is_err());
}

/// The options that the seed stands for: every feature on and off, small and large.
fn varied(seed: u64) -> RandomScript {
    RandomScript {
        max_nodes: [2, 10, 40, 120][seed as usize % 4],
        max_width: 1 + seed as usize % 5,
        max_depth: 1 + seed as usize % 7,
        draws: seed.is_multiple_of(2),
        transpositions: !seed.is_multiple_of(3),
        blind: [0.0, 0.2, 1.0][seed as usize % 3],
        listed: [0.0, 0.3, 1.0][seed as usize / 2 % 3],
        suggests: [0.0, 1.0, 0.3][seed as usize / 4 % 3],
        lies: [0.0, 0.3, 1.0][seed as usize / 3 % 3],
    }
}

#[test]
fn random_scripts_are_valid_and_keep_to_their_options() {
    let (mut values, mut transpositions, mut claims) = ([0; 3], 0, 0);
    for seed in 0..1000 {
        let options = varied(seed);
        let s = Script::random(options, seed);
        let text = s.to_string();
        let again: Script = text.parse().unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        assert_eq!(again, s, "seed {seed}\n{text}");
        assert_eq!(Script::random(options, seed), s);
        let depth = text.lines().map(|l| (l.len() - l.trim_start().len()) / 2).max().unwrap();
        assert!(s.nodes().count() <= options.max_nodes && depth <= options.max_depth, "seed {seed}\n{text}");
        for node in s.nodes() {
            assert!(s.children(node).len() <= options.max_width);
            assert!(options.draws || s.minimax(node) != Outcome::Draw);
            let below = s.children(node).iter().map(|&c| s.minimax(c));
            let best = below.max_by_key(|o| o.rank_for(s.to_move(&node)));
            assert_eq!(Some(s.minimax(node)), best.or(s.outcome(&node)));
            claims += usize::from(s.status(node).outcome().is_some() && s.outcome(&node).is_none());
        }
        let references = text.matches('=').count();
        assert!(options.transpositions || references == 0);
        transpositions += references;
        values[s.root_value() as usize] += 1;
    }
    assert!(values.iter().all(|&n| n > 100), "every value comes up often: {values:?}");
    assert!(transpositions > 500 && claims > 500, "{transpositions} transpositions, {claims} claims");
}

#[test]
fn answers_are_sound_at_every_node_for_random_prohibited_moves() {
    let mut rng = fastrand::Rng::with_seed(7);
    let (mut stoppers, mut disguised, mut lists, mut suggestions) = (0, 0, 0, 0);
    for seed in 0..1000 {
        let s = Script::random(varied(seed), seed);
        for node in s.nodes().filter(|n| s.outcome(n).is_none()) {
            let share = rng.f64();
            let (prohibited, remaining): (Vec<_>, Vec<_>) =
                s.children(node).iter().partition(|_| rng.f64() < share);
            let loss = Outcome::win_of(s.to_move(&node).opponent());
            let all_lose = remaining.iter().all(|&c| s.minimax(c) == loss);
            match ask(&s, node, &prohibited) {
                Answer::SureLoss => {
                    assert!(all_lose, "seed {seed} at {}\n{s}", s.node_name(node));
                    assert!(remaining.is_empty() || !s.is_blind(node));
                    stoppers += 1;
                }
                Answer::Move { mv, assessment, others } => {
                    assert_eq!(mv, remaining[0], "the next move in the written order");
                    assert_eq!(others.all, s.is_listed(node));
                    if others.all {
                        let holding = remaining[1..].iter().copied().filter(|&c| s.minimax(c) != loss);
                        let moves: Vec<_> = others.moves.iter().map(|(mv, _)| *mv).collect();
                        assert_eq!(moves, holding.collect::<Vec<_>>(), "those that do not lose");
                        lists += 1;
                    } else {
                        let next = remaining[1..].iter().take(if s.suggests(node) { 2 } else { 0 });
                        let moves: Vec<_> = others.moves.iter().map(|(mv, _)| *mv).collect();
                        assert_eq!(moves, next.copied().collect::<Vec<_>>(), "the next in the written order");
                        suggestions += others.moves.len();
                    }
                    assert!(s.is_blind(node) || !all_lose, "seed {seed} at {}\n{s}", s.node_name(node));
                    if let Some(claim) = assessment.status.outcome() {
                        assert_eq!(claim, s.minimax(mv), "sure words are right");
                    }
                    disguised += usize::from(assessment.status != s.status(mv));
                }
            }
        }
    }
    assert!(stoppers > 500 && disguised > 200, "{stoppers} sure losses, {disguised} graded ones");
    assert!(lists > 500 && suggestions > 500, "{lists} lists, {suggestions} suggestions");
}
