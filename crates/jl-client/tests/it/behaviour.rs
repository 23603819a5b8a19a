//! The client's answers to single events, on hand-drawn trees.

use crate::apps::Scripted;
use crate::by_hand::*;
use jl_client::{Client, End, Options};
use jl_games::scripted::Script;
use jl_messages::{DropReason, Failure, JobClient, Notice, Request, Submit};
use jl_search::pns::{Pns, Policy};
use jl_value::Player;
use std::time::Duration;

#[test]
fn a_worker_gets_a_job_and_a_second_one_waits_until_there_is_something_to_choose() {
    let (script, mut c) = start(WIDE, Pns::default(), Options::default());
    let first = submit(&mut c);
    assert_eq!(first.input.words, ["r"]);
    assert_eq!(c.handle(Notice::WorkerAvailable), [Request::Decline], "the only node is active");
    assert_eq!(done(&mut c, &script, &first), [Request::Ready], "now there is something");
    assert_eq!(c.graph().len(), 2);
}

#[test]
fn a_cached_answer_is_an_answer() {
    let (script, mut c) = start(WIDE, Pns::default(), Options::default());
    let first = submit(&mut c);
    let cached = |s: &Submit| Notice::Cached { job: s.job, output: script.answer(&s.input.words) };
    assert_eq!(c.handle(Notice::WorkerAvailable), [Request::Decline]);
    assert_eq!(c.handle(cached(&first)), [Request::Ready]);
    assert_eq!(c.graph().len(), 2);
    // Late, and unusable.
    assert_eq!(c.handle(cached(&first)), []);
    let bad = submit(&mut c);
    c.handle(Notice::Cached { job: bad.job, output: vec!["?".into()] });
    c.check();
    let counts = c.counts();
    assert_eq!((counts.done, counts.cached, counts.ignored, counts.failed), (1, 1, 1, 1));
    assert_eq!(c.engine_time(), Duration::ZERO);
}

#[test]
fn the_youngest_child_brings_its_sibling() {
    let (script, mut c) = start(WIDE, Pns::default(), Options::default());
    let s = submit(&mut c);
    done(&mut c, &script, &s);
    assert_eq!(submit(&mut c).input.words, ["a"]);
    assert_eq!(submit(&mut c).input.words, ["r", "a"], "the postponed sibling goes to the next worker");
    assert_eq!(c.handle(Notice::WorkerAvailable), [Request::Decline], "never two sibling jobs of one node");
}

#[test]
fn a_sure_loss_is_a_stopper() {
    let text = "
r
  a B1
    a1 first
  b second
";
    let (script, mut c) = start(text, Pns::default(), Options::default());
    let s = submit(&mut c);
    done(&mut c, &script, &s);
    let a = submit(&mut c);
    let sibling = submit(&mut c);
    assert_eq!(done(&mut c, &script, &sibling), [], "b loses, and nothing else is left: no child");
    let g = c.graph();
    assert!(g.is_stopped(g.root()) && g.children(g.root()).count() == 1);
    let end = done(&mut c, &script, &a);
    assert_eq!(end, [Request::Leave], "a's reply loses too: the root is won");
    assert_eq!(c.end(), Some(End::Decided));
}

/// After the only move the second player has three replies that may hold, and its program says so.
const LISTED: &str = "
r
  a B1 listed
    a1 B1 blind
      b1 first
    a2 B1 blind
      b2 first
    a3 B1 blind
      b3 first
    x first
";

/// The words of all jobs of one worker.
fn questions(c: &mut Pnsd, mut output: impl FnMut(&[String]) -> Vec<String>) -> Vec<String> {
    let mut asked = Vec::new();
    while let [Request::Submit(s)] = &c.handle(Notice::WorkerAvailable)[..] {
        c.check();
        asked.push(s.input.words.join(" "));
        let lines = output(&s.input.words);
        answer(c, s.job, lines);
    }
    asked
}

#[test]
fn a_list_of_all_that_may_hold_saves_the_sibling_jobs() {
    let listed = r#"{"move":"a1","status":"B1","defences":["a1","a2","a3"]}"#;
    for (listed_most, suggested, expected) in [
        (3, 0, "r, a, r a, a1, a2, a3"),
        (2, 0, "r, a, r a, a1, a a1, a2, a a1,a2, a3, a a1,a2,a3"),
        (2, 1, "r, a, r a, a1, a2, a a1,a2, a3, a a1,a2,a3"),
        (2, 2, "r, a, r a, a1, a2, a3, a a1,a2,a3"),
    ] {
        let options = Options { listed: listed_most, suggested, ..Options::default() };
        let (script, mut c) = start(LISTED, Pns::default(), options);
        let asked = questions(&mut c, |words| match words {
            [a] if a == "a" => vec![listed.into()],
            [a, prohibited] if a == "a" && prohibited != "a1,a2,a3" => {
                let next = if prohibited == "a1" { "a2" } else { "a3" };
                vec![format!(r#"{{"move":"{next}","status":"B1"}}"#)]
            }
            _ => script.answer(words),
        });
        assert_eq!(
            asked.join(", "),
            expected,
            "with lists of up to {listed_most} and {suggested} suggestions"
        );
        assert_eq!(c.end(), Some(End::Decided));
        assert!(c.graph().bounds(c.graph().root()).is_win_of(Player::First));
    }
}

#[test]
fn an_attacker_tries_what_is_listed() {
    let text = "
r listed
  a B1
    a1 second
  b B1
    b1 first
";
    let (script, mut c) = start(text, Pns::default(), Options::default());
    let asked = questions(&mut c, |words| match words {
        [r] if r == "r" => vec![r#"{"move":"a","status":"B1","defences":["a","b"]}"#.into()],
        _ => script.answer(words),
    });
    assert!(asked.iter().all(|words| !words.starts_with("r ")), "{asked:?}");
    assert!(c.graph().bounds(c.graph().root()).is_win_of(Player::First));
}

#[test]
fn a_list_that_can_not_be_is_a_bad_answer() {
    for (defences, named) in [
        (r#"["a2"]"#, "a1 is not one of the defences"),
        (r#"["a1","b1"]"#, "illegal move b1"),
        (r#"["a1","nobody"]"#, "nobody"),
    ] {
        let (script, mut c) = start(LISTED, Pns::default(), Options::default());
        let root = submit(&mut c);
        done(&mut c, &script, &root);
        let a = submit(&mut c);
        let before = c.graph().len();
        answer(&mut c, a.job, vec![format!(r#"{{"move":"a1","status":"B1","defences":{defences}}}"#)]);
        let failure = c.recent_failures().last().unwrap().failure.to_string();
        assert!(failure.contains(named), "{failure} does not name {named}");
        assert_eq!(c.graph().len(), before);
    }
}

#[test]
fn jobs_below_a_decided_node_are_aborted() {
    let text = "
r
  a B1
    a1 B1
      a2 first
    a3 B1
      a4 first
  w W1
    w1 first
";
    let (script, mut c) = start(text, Pns::default(), Options::default());
    let s = submit(&mut c);
    done(&mut c, &script, &s);
    let below = submit(&mut c);
    assert_eq!(below.input.words, ["a"]);
    let sibling = submit(&mut c);
    let claim = r#"{"move":"w","status":"B:w"}"#.to_string();
    let requests = answer(&mut c, sibling.job, vec![claim]);
    assert_eq!(requests, [Request::Abort { job: below.job }, Request::Leave], "w wins: nothing else matters");
    assert_eq!(c.counts().aborted, 1);
    assert_eq!(done(&mut c, &script, &below), [], "an answer after the abort changes nothing");
    assert_eq!((c.counts().ignored, c.graph().len()), (1, 3));
}

#[test]
fn failures_losses_and_duplicates_leave_the_graph_alone() {
    let (script, mut c) = start(WIDE, Pns::default(), Options::default());
    let s = submit(&mut c);
    done(&mut c, &script, &s);
    let before = c.graph().clone();
    assert_eq!(done(&mut c, &script, &s), [], "a duplicate");
    assert!(*c.graph() == before);
    let s = submit(&mut c);
    let crash = Failure::Crashed("exit code 1".into());
    c.handle(Notice::Failed { job: s.job, failure: crash, cpu: Duration::ZERO });
    c.check();
    assert!(*c.graph() == before, "as if never selected");
    let again = submit(&mut c);
    assert_eq!(again.input.words, s.input.words, "computed again, before the sibling that came with it");
    assert_ne!(again.job, s.job);
    let with_a = c.graph().clone();
    let sibling = submit(&mut c);
    assert_eq!(sibling.input.words, ["r", "a"]);
    c.handle(Notice::Dropped { job: sibling.job, reason: DropReason::WorkerLost });
    c.check();
    assert!(*c.graph() == with_a, "as if never selected");
    let sibling_again = submit(&mut c);
    assert_eq!(sibling_again.input.words, sibling.input.words, "the sibling had waited again");
    assert_eq!((c.counts().failed, c.counts().lost, c.counts().ignored), (1, 1, 1));
}

#[test]
fn bad_answers_fail_with_what_was_read() {
    let cases = [
        (vec![], "printed nothing"),
        (vec!["segfault at 0xdead".to_string()], "'segfault at 0xdead'"),
        (vec![r#"{"move":"zz","status":"B1"}"#.into()], "zz"),
        (vec![r#"{"move":"a1","status":"B1"}"#.into()], "a1"),
        (vec![r#"{"move":"a","status":"B9"}"#.into()], "B9"),
        (vec![r#"{"move":null,"status":"B1"}"#.into()], "no move"),
        (vec![r#"{"move":"a","status":"B1","win_rate":7}"#.into()], "win rate 7"),
        (vec![r#"{"move":"a","#.into()], r#"{"move":"a","#),
    ];
    for (output, named) in cases {
        let (script, mut c) = start(WIDE, Pns::default(), Options::default());
        let before = c.graph().clone();
        let s = submit(&mut c);
        answer(&mut c, s.job, output.clone());
        assert!(*c.graph() == before);
        let failure = c.recent_failures().next().unwrap().failure.to_string();
        assert!(failure.contains(named), "{failure} does not name {named}");
        let s = submit(&mut c);
        done(&mut c, &script, &s);
        assert_eq!((c.counts().failed, c.graph().len()), (1, 2), "the search goes on");
    }
}

#[test]
fn a_prohibited_move_is_a_bad_answer() {
    let (script, mut c) = start(WIDE, Pns::default(), Options::default());
    let s = submit(&mut c);
    done(&mut c, &script, &s);
    submit(&mut c);
    let sibling = submit(&mut c);
    answer(&mut c, sibling.job, vec![r#"{"move":"a","status":"B1"}"#.into()]);
    assert!(c.recent_failures().last().unwrap().failure.to_string().contains("a was prohibited"));
}

#[test]
fn claims_that_contradict_the_rules_or_the_graph_are_bad_answers() {
    let text = "
r
  a draw
  b stable
    c first
";
    let (_, mut c) = start(text, Pns::default(), Options::default());
    let s = submit(&mut c);
    answer(&mut c, s.job, vec![r#"{"move":"a","status":"B:w"}"#.into()]);
    assert!(c.recent_failures().last().unwrap().failure.to_string().contains("game is over"));
    let text = "
r
  a stable
    x stable
      y draw
  b stable
    =x
";
    let (script, mut c) = start(text, Pns::default(), Options::default());
    let s = submit(&mut c);
    done(&mut c, &script, &s);
    let a = submit(&mut c);
    let sibling = submit(&mut c);
    done(&mut c, &script, &sibling);
    answer(&mut c, a.job, vec![r#"{"move":"x","status":"draw"}"#.into()]);
    // x is known to be a draw; through b the program now claims that the second player wins there.
    let jobs: Vec<Submit> = (0..2).map(|_| submit(&mut c)).collect();
    let b = jobs.iter().find(|s| s.input.words[0] == "b").expect("b is selected");
    answer(&mut c, b.job, vec![r#"{"move":"x","status":"W:w"}"#.into()]);
    let failure = c.recent_failures().last().unwrap().failure.to_string();
    assert!(failure.contains("known: draw"), "{failure}");
}

#[test]
fn a_node_whose_jobs_always_fail_is_given_up_and_the_search_goes_on() {
    for policy in Policy::ALL {
        let options = Options { max_failures: 2, ..Options::default() };
        let (script, mut c) = start(WIDE, Pns { policy, ..Pns::default() }, options);
        let mut submitted = 0;
        while !c.is_finished() {
            let s = submit(&mut c);
            submitted += 1;
            if s.input.words[0] == "a" {
                c.handle(Notice::Failed {
                    job: s.job,
                    failure: Failure::TimedOut("1 s".into()),
                    cpu: Duration::ZERO,
                });
            } else {
                done(&mut c, &script, &s);
            }
            c.check();
            assert!(submitted < 50, "{policy}: no end");
            if c.graph().is_blocked(c.graph().root()) && c.jobs_in_flight().count() == 0 {
                let requests = c.handle(Notice::WorkerAvailable);
                assert_eq!(requests, [Request::Leave]);
            }
        }
        // The root is a win for the first player through c, whatever a is.
        assert_eq!(c.end(), Some(End::Decided), "{policy}");
        assert!(c.counts().failed >= 2, "{policy}");
        assert_eq!(c.summary().line[0], "c", "{policy}");
    }
}

#[test]
fn a_run_whose_every_job_fails_ends_undecided() {
    let (_, mut c) = start(WIDE, Pns::default(), Options { max_failures: 3, ..Options::default() });
    for _ in 0..3 {
        let s = submit(&mut c);
        c.handle(Notice::Dropped { job: s.job, reason: DropReason::Refused("no such program".into()) });
        c.check();
    }
    assert_eq!(c.handle(Notice::WorkerAvailable), [Request::Leave]);
    assert_eq!((c.end(), c.given_up()), (Some(End::GivenUp), 1));
}

#[test]
fn the_limit_counts_answers_and_can_be_raised() {
    let (script, mut c) = start(WIDE, Pns::default(), Options { limit: Some(2), ..Options::default() });
    let s = submit(&mut c);
    done(&mut c, &script, &s);
    let a = submit(&mut c);
    assert_eq!(c.handle(Notice::WorkerAvailable), [Request::Decline], "one done, one running: no third");
    let crash = Notice::Failed { job: a.job, failure: Failure::Crashed("x".into()), cpu: Duration::ZERO };
    assert_eq!(c.handle(crash), [Request::Ready], "a failed job makes room");
    let a = submit(&mut c);
    assert_eq!(done(&mut c, &script, &a), [Request::Leave]);
    assert_eq!(c.end(), Some(End::Limit));
    let _ = c.set_limit(None);
    assert!(!c.is_finished());
    submit(&mut c);
}

#[test]
fn a_draw_is_proved_from_both_sides_on_one_graph() {
    let text = "
r
  a stable
    a1 draw
    a2 first
  b stable
    b1 second
";
    let (script, mut c) = start(text, Pns::default(), Options::default());
    let mut attackers = vec![c.graph().goal()];
    while !c.is_finished() {
        let s = submit(&mut c);
        done(&mut c, &script, &s);
        if c.graph().goal() != attackers[attackers.len() - 1] {
            attackers.push(c.graph().goal());
        }
    }
    assert_eq!(attackers.len(), 2, "both players were the attacker");
    let s = c.summary();
    assert_eq!(
        (s.bounds.to_string().as_str(), &s.line[..]),
        ("draw", &["a".to_string(), "a1".to_string()][..])
    );
}

#[test]
fn a_finished_game_needs_no_job() {
    let script: Script = "r\n  a first\n  b stable\n    c second".parse().unwrap();
    let app = Scripted {
        script: script.clone(),
        search: Pns::default(),
        program: jl_games::scripted::ScriptedProgram::new("s"),
    };
    let a = script.node("a").unwrap();
    let mut c = Client::new(app, vec![a], a, Options::default());
    assert_eq!((c.is_finished(), c.start()), (true, vec![]));
    assert_eq!(c.summary().bounds.to_string(), "first wins");
}

/// x is reached through p and through q.
const TWO_WAYS: &str = "
r
  a stable
    p stable
      x stable
        y stable
          z draw
    p2 draw
  b stable
    q stable
      =x
";

#[test]
fn a_job_that_still_matters_by_another_way_goes_on() {
    let (script, mut c) = start(TWO_WAYS, Pns::default(), Options::default());
    let [draw, x, q] = &all_but(&mut c, &script, &[&["a", "p"], &["x"], &["q"]])[..] else { panic!("three") };
    done(&mut c, &script, q);
    assert_eq!(c.transposed(), 1, "x was selected through p, and is now reached through q as well");
    // p2 is a draw, so a is not a win for the first player: the way through p is of no more interest.
    done(&mut c, &script, draw);
    assert!(c.question(x.job).is_some(), "x matters through q");
    assert_eq!(c.counts().aborted, 0);
}

#[test]
fn a_claim_about_a_known_node_is_kept() {
    let (script, mut c) = start(&TWO_WAYS.replace("    p2 draw\n", ""), Pns::default(), Options::default());
    let held = all_but(&mut c, &script, &[&["q"], &["x"]]);
    let g = c.graph();
    let x = g.ids().find(|&n| g.is_active(n) && g.mover(n) == Player::Second).unwrap();
    let requests = answer(&mut c, held[0].job, vec![r#"{"move":"x","status":"draw"}"#.into()]);
    assert!(requests.contains(&Request::Abort { job: held[1].job }), "x needs no more jobs: {requests:?}");
    assert_eq!((c.graph().bounds(x).to_string().as_str(), c.transposed()), ("draw", 1));
}

#[test]
fn a_sibling_job_that_failed_too_often_is_not_made_again() {
    let (script, mut c) = start(WIDE, Pns::default(), Options { max_failures: 2, ..Options::default() });
    let s = submit(&mut c);
    done(&mut c, &script, &s);
    submit(&mut c);
    for _ in 0..2 {
        let sibling = submit(&mut c);
        assert_eq!(sibling.input.words, ["r", "a"]);
        crash(&mut c, &sibling);
    }
    assert_eq!(c.given_up(), 1);
    assert_eq!(c.handle(Notice::WorkerAvailable), [Request::Decline]);
}

#[test]
fn an_answer_wipes_out_the_failures_before_it() {
    let (script, mut c) = start(WIDE, Pns::default(), Options { max_failures: 2, ..Options::default() });
    let s = submit(&mut c);
    crash(&mut c, &s);
    let s = submit(&mut c);
    done(&mut c, &script, &s);
    submit(&mut c);
    let sibling = submit(&mut c);
    crash(&mut c, &sibling);
    assert_eq!(c.given_up(), 0, "one failure since the last answer");
    assert_eq!(submit(&mut c).input.words, ["r", "a"]);
}

#[test]
fn given_up_nodes_can_be_tried_again() {
    let (script, mut c) = start(WIDE, Pns::default(), Options { max_failures: 1, ..Options::default() });
    let s = submit(&mut c);
    crash(&mut c, &s);
    assert_eq!(c.handle(Notice::WorkerAvailable), [Request::Leave]);
    assert_eq!((c.end(), c.given_up()), (Some(End::GivenUp), 1));
    let _ = c.retry();
    c.check();
    assert_eq!((c.end(), c.given_up(), c.is_finished()), (None, 0, false));
    let s = submit(&mut c);
    done(&mut c, &script, &s);
    assert_eq!(c.graph().len(), 2);
}

#[test]
fn changing_the_limit_reopens_only_what_ended_by_it() {
    let options = Options { limit: Some(1), max_failures: 1, ..Options::default() };
    let (script, mut c) = start("r\n  a first", Pns::default(), options.clone());
    let s = submit(&mut c);
    assert_eq!(done(&mut c, &script, &s), [Request::Leave]);
    let _ = c.set_limit(None);
    assert_eq!(c.end(), Some(End::Decided), "decided goes before the limit");
    let (_, mut c) = start("r\n  a first", Pns::default(), options);
    let s = submit(&mut c);
    crash(&mut c, &s);
    assert_eq!(c.handle(Notice::WorkerAvailable), [Request::Leave]);
    let _ = c.set_limit(None);
    assert_eq!(c.end(), Some(End::GivenUp));
}

#[test]
fn without_transpositions_a_count_is_the_size_of_the_subtree() {
    let (script, mut c) = start(WIDE, Pns::default(), Options::default());
    while !c.is_finished() {
        let s = submit(&mut c);
        done(&mut c, &script, &s);
    }
    let g = c.graph();
    assert!(g.len() > 4);
    for n in g.ids() {
        assert_eq!(g.count(n), 1 + g.children(n).map(|c| g.count(c)).sum::<u32>(), "{n}");
    }
    assert_eq!(g.count(g.root()) as usize, g.len());
}

#[test]
fn a_finished_client_asks_for_no_worker() {
    let (script, mut c) = start("r\n  a first", Pns::default(), Options::default());
    let s = submit(&mut c);
    assert_eq!(c.handle(Notice::WorkerAvailable), [Request::Decline]);
    assert_eq!(done(&mut c, &script, &s), [Request::Leave], "and is not ready for another");
    assert_eq!(c.handle(Notice::WorkerAvailable), []);
}

#[test]
fn of_equal_moves_the_line_has_the_elder() {
    let (script, mut c) = start(WIDE, Pns::default(), Options::default());
    let s = submit(&mut c);
    done(&mut c, &script, &s);
    submit(&mut c);
    let sibling = submit(&mut c);
    done(&mut c, &script, &sibling);
    assert_eq!(c.graph().children(c.graph().root()).count(), 2);
    assert_eq!(c.summary().line, ["a"]);
}
