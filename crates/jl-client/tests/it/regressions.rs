//! What once went wrong.

use crate::apps::client;
use crate::by_hand::*;
use jl_client::{End, Options};
use jl_games::scripted::Script;
use jl_messages::{DropReason, Failure, JobClient, Notice, Request};
use jl_search::pns::{Pns, Policy};
use std::time::Duration;

#[test]
fn a_run_whose_stopped_root_has_only_given_up_children_ends() {
    for policy in Policy::ALL {
        let script: Script = "r\n  a stable\n    b first\n  c second".parse().unwrap();
        let mut c = client(
            &script,
            Pns { policy, ..Pns::default() },
            Options { max_failures: 2, ..Options::default() },
        );
        c.start();
        let mut jobs = 0;
        while !c.is_finished() {
            if let [Request::Submit(s)] = &c.handle(Notice::WorkerAvailable)[..] {
                jobs += 1;
                assert!(jobs < 50, "{policy}: asks {:?} for ever", s.input.words);
                if s.input.words[0] == "a" {
                    c.handle(Notice::Failed {
                        job: s.job,
                        failure: Failure::Crashed("x".into()),
                        cpu: Duration::ZERO,
                    });
                } else {
                    done(&mut c, &script, s);
                }
            }
        }
        assert_eq!(c.end(), Some(End::GivenUp));
    }
}

#[test]
fn a_claim_about_a_known_node_reaches_all_its_parents() {
    let text = "
r
  a stable
    p1 stable
      x stable
        d draw
        e first
  b stable
    p2 stable
      =x
      f draw
";
    let (script, mut c) = start(text, Pns::default(), Options::default());
    let held = all_but(&mut c, &script, &[&["p2"]]);
    answer(&mut c, held[0].job, vec![r#"{"move":"x","status":"draw"}"#.into()]); // check() panics: a parent of x is stale
}

#[test]
fn jobs_below_a_known_node_that_is_claimed_are_aborted() {
    let text = "
r
  a stable
    p1 stable
      d1 draw
      x stable
        y stable
          z draw
  b stable
    p2 stable
      d2 draw
      =x
";
    let (script, mut c) = start(text, Pns::default(), Options::default());
    let held = all_but(&mut c, &script, &[&["p2", "d2"], &["x"], &["p1", "d1,x"]]);
    let requests = c.handle(Notice::Done {
        job: held[0].job,
        output: vec![r#"{"move":"x","status":"draw"}"#.into()],
        cpu: Duration::ZERO,
    });
    assert!(requests.contains(&Request::Abort { job: held[1].job }), "{requests:?}");
    c.check();
}

#[test]
fn the_next_question_keeps_the_jobs_that_matter_to_it() {
    let text = "
r
  a stable
    a2 stable
      a3 draw
    a1 draw
";
    let (script, mut c) = start(text, Pns::default(), Options::default());
    let held = all_but(&mut c, &script, &[&["a2"], &["a", "a2"]]);
    let goal = c.graph().goal();
    let requests = done(&mut c, &script, &held[1]);
    assert_ne!(c.graph().goal(), goal, "the draw is half proved");
    assert!(
        !requests.contains(&Request::Abort { job: held[0].job }),
        "a2 may still win for the second player"
    );
}

#[test]
fn jobs_taken_back_latest_first_were_never_made() {
    let text = "
r
  a B1
    a1 W1
      a2 first
  b W1
    b1 first
";
    let (script, mut c) = start(text, Pns::default(), Options::default());
    let s = submit(&mut c);
    done(&mut c, &script, &s);
    let a = submit(&mut c);
    let sibling = submit(&mut c);
    for job in [sibling.job, a.job] {
        c.handle(Notice::Dropped { job, reason: DropReason::ClientRestarted });
    }
    assert_eq!(submit(&mut c).input.words, a.input.words);
    assert_eq!(submit(&mut c).input.words, sibling.input.words);
}

#[test]
fn an_id_is_never_given_to_another_question_after_a_restart() {
    // The journal is durable up to the last end of a job; a job given out after that is not in it.
    let (script, mut c) = start(WIDE, Pns::default(), Options::default());
    let r = submit(&mut c);
    done(&mut c, &script, &r);
    let a = submit(&mut c);
    let sibling = submit(&mut c);
    done(&mut c, &script, &a);
    let lost = submit(&mut c); // a worker far away goes on with it

    let (_, mut c) = start(WIDE, Pns::default(), Options::default());
    submit(&mut c);
    done(&mut c, &script, &r);
    submit(&mut c);
    submit(&mut c);
    done(&mut c, &script, &a);
    c.begin_session(c.unused_job());
    c.handle(Notice::Dropped { job: sibling.job, reason: DropReason::ClientRestarted });
    let next = submit(&mut c);
    assert_ne!(next.job, lost.job, "a late answer would be read as the answer to another question");
    assert_eq!(done(&mut c, &script, &lost), []);
    assert_eq!(c.counts().ignored, 1);
}

#[test]
fn lowering_the_limit_of_a_running_client_tells_the_broker() {
    let (script, mut c) =
        start("r\n  a B1\n    a1 first\n  b W1\n    b1 first", Pns::default(), Options::default());
    let r = submit(&mut c);
    done(&mut c, &script, &r);
    let a = submit(&mut c);
    assert_eq!(c.set_limit(Some(1)), [Request::Abort { job: a.job }, Request::Leave]);
}
