//! A client that is saved and restored at any moment goes on as if nothing had been.

use crate::apps::{Retriever, Scripted, all_uct, client};
use crate::by_hand::WIDE;
use jl_client::{Client, Options};
use jl_games::scripted::{RandomScript, Script};
use jl_messages::{
    DropReason, Failure, JobClient, MoveRow, Notice, PositionRow, Request, RowSource, Rows, Savable, Submit,
};
use jl_search::Siblings;
use jl_search::pns::Pns;
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::error::Error;
use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;

/// Two tables, and the state beside them.
#[derive(Default)]
struct Tables {
    positions: RefCell<BTreeMap<u32, PositionRow>>,
    moves: RefCell<BTreeMap<(u32, u32), MoveRow>>,
    state: RefCell<String>,
}

impl Tables {
    fn save(&self, client: &mut impl Savable) {
        let saved = client.save();
        self.positions.borrow_mut().extend(saved.positions.into_iter().map(|p| (p.id, p)));
        self.moves.borrow_mut().extend(saved.moves.into_iter().map(|m| ((m.parent, m.ord), m)));
        *self.state.borrow_mut() = saved.state;
    }

    fn all(&self) -> Vec<(PositionRow, Vec<MoveRow>)> {
        let moves = self.moves.borrow();
        let of = |id: u32| moves.range((id, 0)..=(id, u32::MAX)).map(|(_, m)| m.clone()).collect();
        self.positions.borrow().values().map(|p| (p.clone(), of(p.id))).collect()
    }
}

impl RowSource for Tables {
    fn rows(&self, ids: Range<u32>) -> Result<Rows, Box<dyn Error + Send + Sync>> {
        let positions = self.positions.borrow().range(ids.clone()).map(|(_, p)| p.clone()).collect();
        let moves = self.moves.borrow();
        let moves = moves.range((ids.start, 0)..(ids.end, 0)).map(|(_, m)| m.clone()).collect();
        Ok((positions, moves))
    }
}

type Subject<S> = Client<Scripted<S>>;

fn restored<S: Retriever>(script: &Script, search: S, options: &Options, tables: &Rc<Tables>) -> Subject<S> {
    let mut fresh = client(script, search, options.clone());
    let state = tables.state.borrow().clone();
    fresh.restore(&state, tables.clone(), 0).unwrap();
    fresh
}

/// Random workers, failures and losses; one client is left alone, the other one is saved, trimmed and restored.
fn compare<S: Retriever + Clone>(seed: u64, search: S) -> Result<(), TestCaseError> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let script = Script::random(RandomScript::default(), seed);
    let options = Options {
        transpositions: rng.bool(),
        limit: rng.bool().then(|| rng.u64(5..80)),
        max_failures: 2,
        ..Options::default()
    };
    let mut plain = client(&script, search.clone(), options.clone());
    let mut other = client(&script, search.clone(), options.clone());
    let tables = Rc::new(Tables::default());
    other.set_source(tables.clone());
    prop_assert_eq!(plain.start(), other.start());
    let mut running: Vec<Submit> = Vec::new();
    for _ in 0..400 {
        if plain.is_finished() {
            break;
        }
        match rng.u32(..10) {
            0..3 => tables.save(&mut other),
            3 => {
                tables.save(&mut other);
                other = restored(&script, search.clone(), &options, &tables);
            }
            4 => other.trim(0),
            _ => {}
        }
        let ends = !running.is_empty() && (running.len() == 4 || rng.bool());
        let drafts = !running.is_empty() && rng.u32(..4) == 0;
        let notice = if drafts {
            let Submit { job, input, .. } = &running[rng.usize(..running.len())];
            let line = script.draft(&input.words).unwrap_or_default();
            prop_assert_eq!(plain.heeds(*job, &line), other.heeds(*job, &line));
            Notice::Message { job: *job, line }
        } else if ends {
            let Submit { job, input, .. } = running.swap_remove(rng.usize(..running.len()));
            let cpu = Duration::from_millis(3);
            match rng.u32(..12) {
                0 => Notice::Failed { job, failure: Failure::Crashed("x".into()), cpu },
                1 => Notice::Dropped { job, reason: DropReason::WorkerLost },
                2 => Notice::Done { job, output: vec!["nonsense".into()], cpu },
                _ => Notice::Done { job, output: script.answer(&input.words), cpu },
            }
        } else {
            Notice::WorkerAvailable
        };
        let requests = plain.handle(notice.clone());
        prop_assert_eq!(&requests, &other.handle(notice));
        other.check();
        for request in requests {
            match request {
                Request::Submit(submit) => running.push(submit),
                Request::Abort { job } => running.retain(|s| s.job != job),
                _ => {}
            }
        }
        for s in &running {
            prop_assert_eq!(plain.question(s.job), other.question(s.job));
        }
    }
    prop_assert_eq!(plain.summary(), other.summary());
    prop_assert_eq!(plain.graph().digest(), other.graph().digest());
    tables.save(&mut other);
    prop_assert!(plain.rows().eq(tables.all()), "the tables hold the graph");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_restored_client_goes_on_as_the_saved_one_would(seed: u64) {
        for siblings in Siblings::ALL {
            compare(seed, Pns { siblings, ..Pns::default() })?;
        }
        for uct in all_uct() {
            compare(seed, uct)?;
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused_and_changes_nothing() {
    let script: Script = WIDE.parse().unwrap();
    let mut saved = client(&script, Pns::default(), Options::default());
    for _ in 0..4 {
        if let [Request::Submit(s)] = &saved.handle(Notice::WorkerAvailable)[..] {
            let output = script.answer(&s.input.words);
            saved.handle(Notice::Done { job: s.job, output, cpu: Duration::ZERO });
        }
    }
    saved.handle(Notice::WorkerAvailable);
    let tables = Rc::new(Tables::default());
    tables.save(&mut saved);
    let state = tables.state.borrow().clone();
    assert!(state.contains("\"path\":[0"), "a job is in flight: {state}");
    let refused = |state: &str, tables: Rc<Tables>, says: &str| {
        let mut fresh = client(&script, Pns::default(), Options::default());
        let before = (fresh.graph().digest(), fresh.summary());
        let why = fresh.restore(state, tables, 0).unwrap_err();
        assert!(why.contains(says), "{why:?} does not say {says:?}");
        assert_eq!((fresh.graph().digest(), fresh.summary()), before);
        fresh.check();
    };
    refused("{", tables.clone(), "the saved state");
    refused(&state.replace("\"path\":[0", "\"path\":[1"), tables.clone(), "no path");
    let spoilt = |spoil: &dyn Fn(&mut PositionRow)| {
        let copy = Tables::default();
        *copy.positions.borrow_mut() = tables.positions.borrow().clone();
        *copy.moves.borrow_mut() = tables.moves.borrow().clone();
        spoil(copy.positions.borrow_mut().get_mut(&2).unwrap());
        Rc::new(copy)
    };
    refused(&state, spoilt(&|row| row.data = "{}".into()), "position 2");
    refused(&state, spoilt(&|row| row.status = Some("B9".into())), "position 2");
    refused(&state, spoilt(&|row| row.bits = 65_000), "no graph");
    let missing = spoilt(&|_| ());
    missing.positions.borrow_mut().remove(&2);
    refused(&state, missing, "position 2 is missing");
}
