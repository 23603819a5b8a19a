//! Moves that a program names before its answer, on hand-drawn trees.

use crate::by_hand::*;
use jl_client::{End, Options};
use jl_messages::{JobClient, JobId, Notice, Request, Submit};
use jl_search::pns::Pns;
use jl_tree::NodeId;
use jl_value::{Outcome, Player};
use std::time::Duration;

/// A line of a running job.
fn says(c: &mut Pnsd, s: &Submit, line: &str) -> Vec<Request> {
    let requests = c.handle(Notice::Message { job: s.job, line: line.into() });
    c.check();
    requests
}

const DRAFT: &str =
    r#"{"move":"b","status":"B2","win_rate":0.7,"next":[{"move":"c","win_rate":0.6}],"draft":true}"#;

fn child(c: &Pnsd, n: NodeId, i: usize) -> NodeId {
    c.graph().children(n).nth(i).unwrap()
}

#[test]
fn others_look_into_what_a_job_drafts() {
    let (script, mut c) = start(WIDE, Pns::default(), Options::default());
    let root = submit(&mut c);
    assert_eq!(c.handle(Notice::WorkerAvailable), [Request::Decline], "the only node is active");
    assert!(c.heeds(root.job, DRAFT));
    assert_eq!(says(&mut c, &root, DRAFT), [Request::Ready], "now there is something");
    assert_eq!(c.graph().len(), 1, "but nobody is sent there before a worker is free");
    assert_eq!(submit(&mut c).input.words, ["b"]);
    assert_eq!(submit(&mut c).input.words, ["c"], "the next of the draft, and no sibling job");
    assert_eq!(c.handle(Notice::WorkerAvailable), [Request::Decline]);
    assert!(c.graph().is_active(c.graph().root()), "the job goes on");
    done(&mut c, &script, &root);
    assert_eq!(c.graph().edges(c.graph().root()).len(), 3, "its answer is another child");
    assert_eq!(submit(&mut c).input.words, ["a"]);
}

#[test]
fn one_worker_does_as_without_drafts() {
    let asked = |drafts: bool| {
        let (script, mut c) = start(WIDE, Pns::default(), Options::default());
        let mut asked = Vec::new();
        while let [Request::Submit(s)] = &c.handle(Notice::WorkerAvailable)[..] {
            if let Some(line) = script.draft(&s.input.words).filter(|_| drafts) {
                assert_eq!(says(&mut c, s, &line), []);
            }
            asked.push(s.input.words.join(" "));
            done(&mut c, &script, s);
        }
        assert_eq!(c.end(), Some(End::Decided));
        (asked, c.graph().digest())
    };
    assert_eq!(asked(true), asked(false));
}

#[test]
fn the_answer_corrects_the_draft() {
    let (_, mut c) = start(WIDE, Pns::default(), Options::default());
    let root = submit(&mut c);
    says(&mut c, &root, DRAFT);
    submit(&mut c);
    submit(&mut c);
    let r = c.graph().root();
    let numbers = |c: &Pnsd, i| Pns::default().numbers(c.graph(), child(c, r, i)).to_string();
    assert_eq!((numbers(&c, 0), numbers(&c, 1)), ("3/12".into(), "4/9".into()), "B2 and B1");
    let next = r#"[{"move":"b","win_rate":0.2}]"#;
    answer(&mut c, root.job, vec![DRAFT.into(), format!(r#"{{"move":"c","status":"B4","next":{next}}}"#)]);
    assert_eq!(c.graph().edges(r).len(), 2, "c is there already");
    assert_eq!((numbers(&c, 0), numbers(&c, 1)), ("15/2".into(), "1/18".into()), "W3 and B4");
    assert_eq!(c.counts().done, 1);
}

/// The second player's replies lose in ways that take a move to see.
const REFUTED: &str = "
r
  a B1
    a1 W1 blind
      x1 first
    b1 W1 blind
      x2 first
    c1 W1 blind
      x3 first
";

#[test]
fn drafts_that_are_not_named_among_all_that_hold_are_lost() {
    let draft = r#"{"move":"c1","status":"stable","next":[{"move":"b1"}],"draft":true}"#;
    for (answered, lost, edges) in [
        (r#"{"move":null,"status":"B:w"}"#, vec!["c1", "b1"], 2),
        (r#"{"move":"a1","status":"W1","defences":["a1"]}"#, vec!["c1", "b1"], 3),
        (r#"{"move":"a1","status":"W1","defences":["a1","b1"]}"#, vec!["c1"], 3),
        (r#"{"move":"a1","status":"W1"}"#, vec![], 3),
    ] {
        let (script, mut c) = start(REFUTED, Pns::default(), Options::default());
        let root = submit(&mut c);
        done(&mut c, &script, &root);
        let a = submit(&mut c);
        submit(&mut c);
        says(&mut c, &a, draft);
        let below = [submit(&mut c), submit(&mut c)];
        assert_eq!(below.each_ref().map(|s| s.input.words.join(" ")), ["c1", "b1"]);
        let n = child(&c, c.graph().root(), 0);
        let requests = answer(&mut c, a.job, vec![answered.into()]);
        assert_eq!(c.graph().edges(n).len(), edges, "{answered}");
        let first = Some(Outcome::win_of(Player::First));
        for (i, name) in ["c1", "b1"].into_iter().enumerate() {
            let exact = c.graph().bounds(child(&c, n, i)).exact();
            assert_eq!(exact == first, lost.contains(&name), "{name} after {answered}");
            let aborted = requests.contains(&Request::Abort { job: below[i].job });
            assert_eq!(aborted, lost.contains(&name), "the job on {name} after {answered}");
        }
    }
}

#[test]
fn what_is_found_below_a_draft_can_decide_the_node() {
    let text = "
r blind
  a B1
    a1 W1 blind
      x1 second
    b1 first
";
    let (script, mut c) = start(text, Pns::default(), Options::default());
    let root = submit(&mut c);
    done(&mut c, &script, &root);
    let a = submit(&mut c);
    let sibling = submit(&mut c);
    done(&mut c, &script, &sibling);
    says(&mut c, &a, r#"{"move":"a1","status":"stable","draft":true}"#);
    let below = submit(&mut c);
    assert_eq!(below.input.words, ["a1"]);
    // Whoever looks into it finds that the second player wins there, and so the job that goes on matters no more.
    done(&mut c, &script, &below);
    let rest = submit(&mut c);
    assert_eq!(rest.input.words, ["a1", "x1"]);
    let requests = done(&mut c, &script, &rest);
    assert!(requests.contains(&Request::Abort { job: a.job }), "{requests:?}");
    assert_eq!(c.end(), Some(End::Decided));
}

#[test]
fn an_answer_that_contradicts_what_was_found_below_its_draft_is_a_bad_one() {
    let (script, mut c) = start(WIDE, Pns::default(), Options::default());
    let root = submit(&mut c);
    // The draft leads to b, where the second player can get a draw at least.
    says(&mut c, &root, DRAFT);
    let b = submit(&mut c);
    answer(&mut c, b.job, vec![r#"{"move":"b3","status":"draw"}"#.into()]);
    answer(&mut c, root.job, vec![r#"{"move":"b","status":"B:w"}"#.into()]);
    let failed = c.recent_failures().next().unwrap().failure.to_string();
    assert!(failed.contains("B:w claimed after b, but it is known"), "{failed}");
    assert_eq!(script.root_value(), Outcome::win_of(Player::First));
}

#[test]
fn only_children_stay_of_a_job_that_fails() {
    let (script, mut c) = start(WIDE, Pns::default(), Options::default());
    let root = submit(&mut c);
    says(&mut c, &root, DRAFT);
    let b = submit(&mut c);
    crash(&mut c, &root);
    assert_eq!(c.graph().edges(c.graph().root()).len(), 1);
    let again = submit(&mut c);
    assert_eq!(again.input.words, ["r", "b"], "c is forgotten: the node is asked again");
    done(&mut c, &script, &again);
    done(&mut c, &script, &b);
    while let [Request::Submit(s)] = &c.handle(Notice::WorkerAvailable)[..] {
        done(&mut c, &script, s);
    }
    assert_eq!(c.end(), Some(End::Decided));
    assert_eq!(c.summary().bounds.exact(), Some(script.root_value()));
}

#[test]
fn only_drafts_are_heeded() {
    let (script, mut c) = start(WIDE, Pns::default(), Options::default());
    let root = submit(&mut c);
    let answer = script.answer(&root.input.words).remove(0);
    let sure = r#"{"move":"b","status":"B:w","draft":true}"#;
    let nonsense = r#"{"move":"nowhere","status":"B1","draft":true}"#;
    for line in ["depth 3", "", answer.as_str(), sure, nonsense, "{\"draft\":true}"] {
        assert!(!c.heeds(root.job, line), "{line}");
        assert_eq!(says(&mut c, &root, line), []);
    }
    assert!(!c.heeds(JobId(99), DRAFT) && c.heeds(root.job, DRAFT));
    assert!(c.graph().is_busy(c.graph().root()));
    // A draft alone is no answer.
    c.handle(Notice::Done { job: root.job, output: vec![DRAFT.into()], cpu: Duration::ZERO });
    let failed = c.recent_failures().next().unwrap().failure.to_string();
    assert!(failed.contains("no answer after the draft"), "{failed}");
    assert!(!c.heeds(root.job, DRAFT), "the job is over");

    let (_, mut deaf) = start(WIDE, Pns::default(), Options { drafts: false, ..Options::default() });
    let root = submit(&mut deaf);
    assert!(!deaf.heeds(root.job, DRAFT));
    says(&mut deaf, &root, DRAFT);
    assert_eq!(deaf.handle(Notice::WorkerAvailable), [Request::Decline]);
}
