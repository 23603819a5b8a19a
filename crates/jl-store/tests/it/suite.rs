//! What holds in either database.

use crate::place::{Place, read, read_after};
use jl_messages::{
    Driven, DropReason, Failure, JobClient, JobId, MoveRow, Notice, PositionRow, Request, WorkerId,
};
use jl_store::{Address, Entry, Journalled, RunStore, StoreError};
use std::time::{Duration, Instant};

/// Every test of the suite, in both.
macro_rules! in_both {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[test] fn $name() { super::$name(&crate::place::Place::sqlite()) })*
        }
        mod postgres {
            $(#[test] fn $name() { super::$name(&crate::place::Place::postgres()) })*
        }
    };
}

in_both!(
    a_journal_reads_as_it_was_written,
    a_long_journal_is_read_in_order,
    a_jobs_end_is_written_once,
    after_a_failure_nothing_more_is_written,
    a_second_writer_is_refused_and_an_existing_run_left_alone,
    damage_is_named,
    ends_are_durable_before_they_have_an_effect,
    a_notice_that_cannot_be_written_has_no_effect,
    the_clock_goes_on_where_it_stopped,
    a_change_by_the_user_is_durable_before_it_has_an_effect,
    a_stopped_run_has_all_its_entries_and_one_that_goes_on_has_no_digest,
    an_answer_is_not_taken_for_another_questions,
    positions_and_moves_read_as_they_were_saved,
    a_run_is_read_from_within_its_replay,
    many_positions_are_saved_in_little_time,
    runs_are_listed,
    what_a_client_notes_reads_as_it_was_written,
);

fn entries() -> Vec<Entry> {
    vec![
        Entry::Available,
        Entry::Done {
            job: JobId(0),
            question: "--moves a1 --prohibit b2".into(),
            output: vec!["{\"move\":\"é\"}".into(), String::new(), "nul \0 and \\".into()],
            cpu: Duration::from_millis(3),
        },
        Entry::Available,
        Entry::Failed { job: JobId(1), failure: Failure::Flooded("x".into()), cpu: Duration::ZERO },
        Entry::Dropped { job: JobId(2), reason: DropReason::WorkerLost },
        Entry::Dropped { job: JobId(3), reason: DropReason::Refused("no".into()) },
        Entry::Cached { job: JobId(4), question: "--moves a2".into(), output: vec!["known".into()] },
        Entry::Limit(Some(7)),
        Entry::Limit(None),
        Entry::Retry,
        Entry::Session { first_job: 2_000_000, note: None },
    ]
}

fn a_journal_reads_as_it_was_written(place: &Place) {
    let address = place.run();
    let mut run = place.create();
    for e in entries() {
        run.append(&e).unwrap();
    }
    assert_eq!(read(&address), [], "nothing is there before the commit");
    run.commit().unwrap();
    assert_eq!(read(&address), entries(), "a reader sees it while the writer is open");
    run.append(&Entry::Retry).unwrap();
    assert_eq!(read(&address), entries(), "a reader does not wait for the writer");
    run.set_status("decided", "abc", "{}").unwrap();
    drop(run);
    assert_eq!(
        read_after(&address, 9),
        [Entry::Retry, Entry::Session { first_job: 2_000_000, note: None }, Entry::Retry]
    );
    let info = RunStore::open(&address).unwrap().info().unwrap();
    assert_eq!((info.status.as_str(), info.digest.as_deref(), info.entries), ("decided", Some("abc"), 12));
    assert_eq!((info.parameters.as_str(), info.report.as_deref()), ("{}", Some("{}")));
    assert!(info.created.starts_with("20") && info.created.ends_with('Z'), "{}", info.created);
}

fn a_long_journal_is_read_in_order(place: &Place) {
    let mut run = place.create();
    let entry = |i: u64| Entry::Cached { job: JobId(i), question: i.to_string(), output: vec![] };
    for i in 0..2000 {
        // Ends come in another order than jobs.
        run.append(&entry(i ^ 1023)).unwrap();
    }
    run.commit().unwrap();
    assert_eq!(read(&place.run()), (0..2000).map(|i| entry(i ^ 1023)).collect::<Vec<_>>());
}

fn a_jobs_end_is_written_once(place: &Place) {
    let mut run = place.create();
    let lost = |job| Entry::Dropped { job: JobId(job), reason: DropReason::WorkerLost };
    run.append(&lost(4)).unwrap();
    run.commit().unwrap();
    let again = run.append(&Entry::Cached { job: JobId(4), question: String::new(), output: vec![] });
    assert!(matches!(again, Err(StoreError::CannotWrite { .. })), "{again:?}");
}

fn after_a_failure_nothing_more_is_written(place: &Place) {
    let mut run = place.create();
    let lost = |job| Entry::Dropped { job: JobId(job), reason: DropReason::WorkerLost };
    run.append(&lost(1)).unwrap();
    assert!(run.append(&lost(1)).is_err());
    for result in [run.commit(), run.append(&lost(2)), run.set_status("stopped", "abc", "{}")] {
        assert!(matches!(result, Err(StoreError::CannotWrite { .. })), "{result:?}");
    }
    drop(run);
    assert_eq!(read(&place.run()), []);
    let mut run = RunStore::open(&place.run()).unwrap();
    run.append(&lost(1)).unwrap();
    run.commit().unwrap();
    assert_eq!(read(&place.run()), [lost(1)], "it can be resumed");
}

fn a_second_writer_is_refused_and_an_existing_run_left_alone(place: &Place) {
    let address = place.run();
    let run = place.create();
    let refused = RunStore::open(&address).err().unwrap();
    assert!(refused.to_string().contains("in use by another client"), "{refused}");
    assert!(matches!(RunStore::create(&address, "{}"), Err(StoreError::Exists { .. })));
    let other = RunStore::create(&place.of("other"), "{}").unwrap();
    drop(run);
    let mut run = RunStore::open(&address).unwrap();
    assert!(RunStore::open(&address).is_err());
    run.append(&Entry::Retry).unwrap();
    run.commit().unwrap();
    drop(run);
    assert!(matches!(RunStore::create(&address, "{}"), Err(StoreError::Exists { .. })));
    assert_eq!((read(&address), read(other.address())), (vec![Entry::Retry], vec![]), "runs are kept apart");
    let missing = RunStore::open(&place.of("missing")).err().unwrap();
    assert!(matches!(missing, StoreError::CannotOpen { .. }), "{missing}");
    assert!(RunStore::open_to_read(&place.of("missing")).is_err());
}

fn damage_is_named(place: &Place) {
    let mut run = place.create();
    for e in entries() {
        run.append(&e).unwrap();
    }
    run.save(&[position(0)], &[], "{}").unwrap();
    run.commit().unwrap();
    drop(run);
    let damage = || RunStore::open_to_read(&place.run()).unwrap().replay(|_, _| Ok(())).unwrap_err();
    place.tamper("UPDATE jobs SET output = '[\"move' WHERE job = 0");
    assert!(matches!(damage(), StoreError::Damaged { seq: 2, .. }), "{}", damage());
    place.tamper("DELETE FROM jobs WHERE job = 0");
    assert!(damage().to_string().contains("entry 2: nothing is recorded of job 0"), "{}", damage());
    place.tamper("UPDATE journal SET kind = 'finished', job = NULL WHERE seq = 2");
    assert!(damage().to_string().contains("unknown kind 'finished'"), "{}", damage());
    place.tamper("UPDATE positions SET parents = '1,x'");
    let damage = RunStore::open_to_read(&place.run()).unwrap().load(0..10).unwrap_err();
    assert!(damage.to_string().contains("position 0: its parents are '1,x'"), "{damage}");
}

/// Awaits the jobs it is told to, and notes what it was given.
#[derive(Default)]
struct Noting {
    awaited: Vec<JobId>,
    handled: Vec<Notice>,
    /// Goes on waiting for a job that has ended.
    forgetful: bool,
}

impl JobClient for Noting {
    fn start(&mut self) -> Vec<Request> {
        Vec::new()
    }
    fn handle(&mut self, notice: Notice) -> Vec<Request> {
        if let Notice::Done { job, .. } = notice {
            self.awaited.retain(|j| *j != job || self.forgetful);
        }
        self.handled.push(notice);
        Vec::new()
    }
    fn is_finished(&self) -> bool {
        false
    }
    fn question(&self, job: JobId) -> Option<&str> {
        self.awaited.contains(&job).then(|| ["what is j0?", "what is j1?", "what is j2?"][job.0 as usize])
    }
}

fn done(job: u64) -> Notice {
    Notice::Done { job: JobId(job), output: vec![job.to_string()], cpu: Duration::ZERO }
}

fn ends_are_durable_before_they_have_an_effect(place: &Place) {
    let client = Noting { awaited: vec![JobId(1), JobId(2)], ..Noting::default() };
    let mut run = Journalled::new(client, place.create());
    run.receive(vec![Notice::WorkerAvailable, Notice::Doing { job: JobId(1) }]).unwrap();
    assert_eq!(read(&place.run()), [], "a choice alone need not be durable");
    // A duplicate in the same batch, and an answer that nobody waits for.
    run.receive(vec![done(1), done(1), done(9), Notice::AbortAck { job: JobId(2) }]).unwrap();
    let written = read(&place.run());
    assert_eq!(written.len(), 2, "{written:?}");
    assert_eq!(written[0], Entry::Available);
    assert_eq!(written[1].clone().into_notice(), Ok(done(1)));
    assert_eq!(run.client().handled.len(), 6, "the client is told everything");
}

fn a_notice_that_cannot_be_written_has_no_effect(place: &Place) {
    let client = Noting { awaited: vec![JobId(1)], forgetful: true, ..Noting::default() };
    let mut run = Journalled::new(client, place.create());
    run.receive(vec![done(1)]).unwrap();
    // The client still says that it awaits job 1, but the journal has its end already.
    assert!(run.receive(vec![done(1)]).is_err());
    assert_eq!(run.client().handled.len(), 1);
}

fn the_clock_goes_on_where_it_stopped(place: &Place) {
    let mut run = place.create();
    std::thread::sleep(Duration::from_millis(30));
    run.append(&Entry::Available).unwrap();
    run.commit().unwrap();
    drop(run);
    let run = RunStore::open(&place.run()).unwrap();
    assert!(run.seconds() >= 0.03);
    assert!(run.info().unwrap().seconds >= 0.03);
}

fn a_change_by_the_user_is_durable_before_it_has_an_effect(place: &Place) {
    let mut run = Journalled::new(Noting::default(), place.create());
    run.amend(&Entry::Retry, |_| assert_eq!(read(&place.run()), [Entry::Retry])).unwrap();
}

fn a_stopped_run_has_all_its_entries_and_one_that_goes_on_has_no_digest(place: &Place) {
    let mut run = place.create();
    run.append(&Entry::Available).unwrap();
    run.set_status("stopped", "abc", "{}").unwrap();
    drop(run);
    assert_eq!(read(&place.run()), [Entry::Available], "also those that no end of a job made durable");
    let mut run = RunStore::open(&place.run()).unwrap();
    assert_eq!(run.info().unwrap().status, "stopped");
    run.set_running().unwrap();
    let info = RunStore::open_to_read(&place.run()).unwrap().info().unwrap();
    assert_eq!((info.status.as_str(), info.digest), ("running", None), "its graph changes from now on");
}

fn an_answer_is_not_taken_for_another_questions(place: &Place) {
    let mut run = place.create();
    let answer = |job, question: &str| Entry::Done {
        job: JobId(job),
        question: question.into(),
        output: vec![],
        cpu: Duration::ZERO,
    };
    run.append(&answer(1, "what is j1?")).unwrap();
    run.append(&answer(2, "what is j7?")).unwrap();
    run.commit().unwrap();
    let mut client = Noting { awaited: vec![JobId(1), JobId(2)], ..Noting::default() };
    let refused = jl_store::replay(&run, &mut client, |_, _| ()).unwrap_err();
    assert!(matches!(refused, StoreError::Diverged { seq: 2, job: JobId(2), .. }), "{refused}");
    assert!(refused.to_string().contains("'what is j2?'"), "{refused}");
    assert_eq!(client.handled.len(), 1);
    // A client that accounts for the first answer already.
    let mut client = Noting { awaited: vec![JobId(2)], ..Noting::default() };
    let refused = jl_store::replay_after(&run, 1, &mut client, |_, _| ()).unwrap_err();
    assert!(matches!(refused, StoreError::Diverged { seq: 2, .. }), "{refused}");
    // A job that the client never made.
    let mut client = Noting { awaited: vec![JobId(2)], ..Noting::default() };
    let refused = jl_store::replay(&run, &mut client, |_, _| ()).unwrap_err();
    assert!(matches!(refused, StoreError::Diverged { seq: 1, .. }), "{refused}");
}

fn position(id: u32) -> PositionRow {
    PositionRow {
        id,
        key: u128::from(id) << 64 | 0xff00,
        value: id.is_multiple_of(3).then(|| "B:w".into()),
        status: id.is_multiple_of(2).then(|| "unstable2".into()),
        count: id + 1,
        level: id / 2,
        bits: u32::MAX - id,
        parents: if id == 0 { vec![] } else { (id.saturating_sub(2)..id).collect() },
        data: format!("[{id},\"é\"]"),
    }
}

fn a_move(parent: u32, ord: u32) -> MoveRow {
    MoveRow { parent, ord, code: u32::MAX - ord, text: format!("m{ord}"), child: parent + 1, echo: ord > 0 }
}

fn positions_and_moves_read_as_they_were_saved(place: &Place) {
    let mut run = place.create();
    assert_eq!(run.saved().unwrap(), None);
    let positions: Vec<_> = (0..1000).map(position).collect();
    let moves: Vec<_> = (0..999).flat_map(|p| (0..p % 3).map(move |ord| a_move(p, ord))).collect();
    for e in entries() {
        run.append(&e).unwrap();
    }
    // In any order.
    let (late, early) = positions.split_at(600);
    let (of_late, of_early) = moves.split_at(moves.iter().position(|m| m.parent >= 600).unwrap());
    run.save(early, of_early, "{\"next\":1}").unwrap();
    run.save(late, of_late, "{\"next\":2}").unwrap();
    let reader = RunStore::open_to_read(&place.run()).unwrap();
    assert_eq!((reader.saved().unwrap(), reader.load(0..u32::MAX).unwrap()), (None, (vec![], vec![])));
    assert_eq!(
        run.load(0..u32::MAX).unwrap(),
        (positions.clone(), moves.clone()),
        "the writer sees it at once"
    );
    run.commit().unwrap();
    assert_eq!(reader.saved().unwrap(), Some((11, "{\"next\":2}".into())));
    let within = |m: &&MoveRow| (255..258).contains(&m.parent);
    let some = (positions[255..258].to_vec(), moves.iter().filter(within).cloned().collect());
    assert_eq!(reader.load(255..258).unwrap(), some);
    // Rewritten and grown.
    let changed = PositionRow { value: None, count: u32::MAX, parents: vec![7, 8, 9], ..position(256) };
    let more = [MoveRow { text: "é".into(), ..a_move(256, 0) }, a_move(256, 9)];
    run.append(&Entry::Available).unwrap();
    run.save(std::slice::from_ref(&changed), &more, "{\"next\":3}").unwrap();
    run.commit().unwrap();
    drop(run);
    let run = RunStore::open(&place.run()).unwrap();
    assert_eq!(run.saved().unwrap(), Some((12, "{\"next\":3}".into())));
    let (positions, moves) = run.load(256..257).unwrap();
    assert_eq!((positions, moves.len()), (vec![changed], 2));
    assert_eq!((moves[0].text.as_str(), moves[1].ord), ("é", 9));
    assert_eq!(read_after(&place.run(), 11), [Entry::Available], "what the positions do not account for");
}

fn a_run_is_read_from_within_its_replay(place: &Place) {
    let mut run = place.create();
    run.append(&Entry::Retry).unwrap();
    run.save(&[position(3)], &[], "{}").unwrap();
    run.commit().unwrap();
    let mut seen = 0;
    let look = |_, _| {
        seen += run.load(3..4)?.0.len();
        Ok(())
    };
    run.replay(look).unwrap();
    assert_eq!(seen, 1);
}

fn many_positions_are_saved_in_little_time(place: &Place) {
    const MANY: u32 = 20_000;
    let mut run = place.create();
    let positions: Vec<_> = (0..MANY).map(position).collect();
    let moves: Vec<_> = (0..MANY).map(|p| a_move(p, 0)).collect();
    let begin = Instant::now();
    run.save(&positions, &moves, "{}").unwrap();
    run.commit().unwrap();
    let took = begin.elapsed();
    // A statement for each row would take far longer, at least where a server answers it. Generous: machines differ.
    assert!(took < Duration::from_secs(10), "{took:?}");
    assert_eq!(run.load(0..MANY).unwrap(), (positions, moves));
}

fn runs_are_listed(place: &Place) {
    let mut run = place.create();
    for e in entries() {
        run.append(&e).unwrap();
    }
    run.save(&[position(0)], &[], "{\"nodes\":5}").unwrap();
    run.set_status("stopped", "abc", "{\"nodes\":6}").unwrap();
    let address = place.run();
    let listed = jl_store::list(&address).unwrap();
    assert_eq!(listed.len(), 1);
    let one = &listed[0];
    assert_eq!((one.name.as_str(), one.status.as_str(), one.answers), ("run", "stopped", 2));
    assert_eq!((one.report.as_deref(), one.state.as_deref()), (Some("{\"nodes\":6}"), Some("{\"nodes\":5}")));
    assert_eq!(one.address.to_string(), address.to_string());
    assert!((500..200_000).contains(&one.size), "{}", one.size);
    if let Address::Database(database) = &address {
        let second = RunStore::create(&database.with_run("a second one"), "{}").unwrap();
        let all = jl_store::list(&place.database().into()).unwrap();
        assert_eq!(all.iter().map(|r| r.name.as_str()).collect::<Vec<_>>(), ["run", "a second one"]);
        assert_eq!(all[1].address.to_string(), second.address().to_string());
        assert!(second.address().to_string().ends_with("?run=a%20second%20one"));
    }
    assert!(jl_store::list(&place.of("missing")).is_err());
}

fn what_a_client_notes_reads_as_it_was_written(place: &Place) {
    let noted = [
        Entry::Session { first_job: 7, note: Some("an \"engine\"".into()) },
        Entry::Available,
        Entry::Assigned { job: JobId(7), worker: WorkerId(3) },
        Entry::Message { job: JobId(7), line: "{\"draft\": true}".into() },
    ];
    let mut run = place.create();
    noted.iter().for_each(|entry| run.append(entry).unwrap());
    run.commit().unwrap();
    assert_eq!(read(&place.run()), noted);
    place.tamper("UPDATE journal SET detail = '[7,4]' WHERE kind = 'assigned'");
    let damage = RunStore::open_to_read(&place.run()).unwrap().replay(|_, _| Ok(())).unwrap_err();
    assert!(matches!(damage, StoreError::Damaged { seq: 3, .. }), "{damage}");
}
