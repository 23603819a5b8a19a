//! Driving a client on a hand-drawn tree by hand, event by event.

use crate::apps::{Scripted, client};
use jl_client::{Client, Options};
use jl_games::scripted::Script;
use jl_messages::{Failure, JobClient, JobId, Notice, Request, Submit};
use jl_search::pns::Pns;
use std::time::Duration;

pub type Pnsd = Client<Scripted<Pns>>;

/// Three moves at the root, the last of which wins.
pub const WIDE: &str = "
r
  a B1
    a1 W1
      a2 first
    a3 second
  b W1
    b1 stable
      b2 first
    b3 draw
  c W2
    c1 first
";

pub fn start(text: &str, pns: Pns, options: Options) -> (Script, Pnsd) {
    let script: Script = text.parse().unwrap();
    let mut c = client(&script, pns, options);
    assert!(matches!(&c.start()[..], [Request::Hello { programs, .. }] if programs == &["scripted"]));
    (script, c)
}

/// A worker is available: the job it gets.
pub fn submit(c: &mut Pnsd) -> Submit {
    let requests = c.handle(Notice::WorkerAvailable);
    c.check();
    match <[Request; 1]>::try_from(requests) {
        Ok([Request::Submit(s)]) => s,
        other => panic!("expected one submit, got {other:?}"),
    }
}

pub fn answer(c: &mut Pnsd, job: JobId, output: Vec<String>) -> Vec<Request> {
    let requests = c.handle(Notice::Done { job, output, cpu: Duration::ZERO });
    c.check();
    requests
}

/// The job is done as the script says.
pub fn done(c: &mut Pnsd, script: &Script, s: &Submit) -> Vec<Request> {
    answer(c, s.job, script.answer(&s.input.words))
}

pub fn crash(c: &mut Pnsd, s: &Submit) {
    c.handle(Notice::Failed { job: s.job, failure: Failure::Crashed("x".into()), cpu: Duration::ZERO });
    c.check();
}

/// Answers every job but those with these words, until nothing else can be chosen; gives back the held ones.
pub fn all_but(c: &mut Pnsd, script: &Script, held: &[&[&str]]) -> Vec<Submit> {
    let mut kept: Vec<Submit> = Vec::new();
    loop {
        match &c.handle(Notice::WorkerAvailable)[..] {
            [Request::Submit(s)] if held.iter().any(|h| s.input.words == *h) => kept.push(s.clone()),
            [Request::Submit(s)] => drop(done(c, script, s)),
            [Request::Decline] => break,
            other => panic!("expected one submit or a decline, got {other:?}"),
        }
    }
    kept.sort_by_key(|s| held.iter().position(|h| s.input.words == *h));
    assert_eq!(kept.len(), held.len(), "each of them was asked once");
    kept
}
