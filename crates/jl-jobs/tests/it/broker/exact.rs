//! One behaviour each, with the exact commands.

use super::*;

/// One client and one one-core worker; job 0 runs there.
fn one_running(submitted: Submit) -> Checked {
    let mut b = Checked::new();
    b.expect(hello(0, 0), []);
    b.expect(joins(0, 1), [available(0)]);
    b.expect(submit(0, submitted.clone()), [assign(0, 0, 0, &submitted), assigned(0, submitted.job.0, 0)]);
    b
}

fn reassignable(id: u64, reassign: u32) -> Submit {
    Submit { reassign, ..job(id) }
}

#[test]
fn a_job_from_offer_to_answer() {
    let mut b = one_running(job(0));
    let t = ticket(0, 0, 0);
    b.expect(worker(0, Report::Doing { ticket: t }), [to_client(0, Notice::Doing { job: JobId(0) })]);
    let line = || "thinking".to_owned();
    b.expect(
        worker(0, Report::Message { ticket: t, line: line() }),
        [to_client(0, Notice::Message { job: JobId(0), line: line() })],
    );
    b.expect(
        client(0, Request::Stdin { job: JobId(0), line: line() }),
        [to_worker(0, Order::Stdin { ticket: t, line: line() })],
    );
    b.expect(done(0, t), [done_notice(0, 0), available(0)]);
    b.expect(done(0, t), []);
    b.expect(client(0, Request::Decline), []);
}

#[test]
fn a_failure_is_forwarded_and_frees_the_core() {
    let mut b = one_running(job(0));
    let (failure, cpu) = (Failure::Crashed("exit code 3".into()), Duration::from_secs(1));
    b.expect(
        worker(0, Report::Failed { ticket: ticket(0, 0, 0), failure: failure.clone(), cpu }),
        [to_client(0, Notice::Failed { job: JobId(0), failure, cpu }), available(0)],
    );
}

#[test]
fn one_offer_at_a_time_and_none_after_a_decline() {
    let mut b = Checked::new();
    b.expect(joins(0, 3), []);
    b.expect(hello(0, 0), [available(0)]);
    b.expect(client(0, Request::Ready), []);
    b.expect(submit(0, job(0)), [assign(0, 0, 0, &job(0)), assigned(0, 0, 0), available(0)]);
    b.expect(client(0, Request::Decline), []);
    b.expect(joins(1, 1), []);
    b.expect(done(0, ticket(0, 0, 0)), [done_notice(0, 0)]);
    b.expect(client(0, Request::Ready), [available(0)]);
    b.expect(client(0, Request::Ready), []);
}

#[test]
fn the_higher_priority_is_served_first() {
    let mut b = Checked::new();
    b.expect(hello(0, 1), []);
    b.expect(hello(1, 5), []);
    b.expect(hello(2, 3), []);
    b.expect(joins(0, 1), [available(1)]);
    b.expect(submit(1, job(0)), [assign(0, 1, 0, &job(0)), assigned(1, 0, 0)]);
    b.expect(done(0, ticket(1, 0, 0)), [done_notice(1, 0), available(1)]);
    b.expect(client(1, Request::Decline), [available(2)]);
    b.expect(client(2, Request::Decline), [available(0)]);
    b.expect(client(0, Request::Decline), []);
}

#[test]
fn the_core_of_one_worker_goes_round_among_equals() {
    let mut b = Checked::new();
    for id in 0..3 {
        b.expect(hello(id, 0), []);
    }
    let mut commands = b.handle(joins(0, 1));
    for round in 0..9 {
        let turn = round as u32 % 3;
        assert_eq!(commands.pop(), Some(available(turn)), "round {round}");
        b.expect(submit(turn, job(round)), [assign(0, turn, 0, &job(round)), assigned(turn, round, 0)]);
        commands = b.handle(done(0, ticket(turn, round, 0)));
    }
}

#[test]
fn only_workers_with_its_programs_are_offered() {
    let mut b = Checked::new();
    b.expect(client(0, Request::Hello { priority: 9, programs: vec!["hex".into(), "go".into()] }), []);
    b.expect(hello(1, 0), []);
    b.expect(joins(0, 1), [available(1)]);
    b.expect(worker(1, Report::Hello { cores: 1, programs: vec!["go".into()] }), [available(0)]);
}

#[test]
fn jobs_submitted_ahead_wait_by_priority_then_age() {
    let mut b = Checked::new();
    b.expect(hello(0, 0), []);
    let (old, new, urgent) = (job(7), job(1), Submit { priority: 1, ..job(2) });
    b.expect(submit(0, old.clone()), []);
    b.expect(submit(0, new.clone()), []);
    b.expect(submit(0, urgent.clone()), []);
    b.expect(joins(0, 1), [assign(0, 0, 0, &urgent), assigned(0, 2, 0)]);
    b.expect(done(0, ticket(0, 2, 0)), [done_notice(0, 2), assign(0, 0, 0, &old), assigned(0, 7, 0)]);
    b.expect(done(0, ticket(0, 7, 0)), [done_notice(0, 7), assign(0, 0, 0, &new), assigned(0, 1, 0)]);
    b.expect(done(0, ticket(0, 1, 0)), [done_notice(0, 1), available(0)]);
}

/// Submitting ahead must not starve a client that binds late, nor jump over one of higher priority.
#[test]
fn waiting_jobs_and_offers_share_one_order() {
    let mut b = Checked::new();
    b.expect(hello(0, 0), []);
    b.expect(hello(1, 0), []);
    b.expect(hello(2, 1), []);
    b.expect(client(2, Request::Decline), []);
    for id in 0..4 {
        b.expect(submit(0, job(id)), []);
    }
    b.expect(joins(0, 1), [assign(0, 0, 0, &job(0)), assigned(0, 0, 0)]);
    b.expect(done(0, ticket(0, 0, 0)), [done_notice(0, 0), available(1)]);
    b.expect(submit(1, job(0)), [assign(0, 1, 0, &job(0)), assigned(1, 0, 0)]);
    b.expect(done(0, ticket(1, 0, 0)), [done_notice(1, 0), assign(0, 0, 0, &job(1)), assigned(0, 1, 0)]);
    b.expect(client(2, Request::Ready), []);
    b.expect(done(0, ticket(0, 1, 0)), [done_notice(0, 1), available(2)]);
}

#[test]
fn a_job_goes_to_another_worker_if_it_does_not_fit_the_offered_one() {
    let mut b = Checked::new();
    b.expect(joins(0, 1), []);
    b.expect(hello(0, 0), [available(0)]);
    b.expect(worker(1, Report::Hello { cores: 4, programs: vec!["big".into()] }), []);
    let big = Submit { program: "big".into(), cores: 3, ..job(0) };
    b.expect(submit(0, big.clone()), [assign(1, 0, 0, &big), assigned(0, 0, 1), available(0)]);
}

/// Single cores that become free one after another must add up for a wide job.
#[test]
fn a_wide_job_is_not_starved_by_narrow_ones() {
    let mut b = Checked::new();
    b.expect(joins(0, 2), []);
    b.expect(hello(0, 0), [available(0)]);
    b.expect(submit(0, job(0)), [assign(0, 0, 0, &job(0)), assigned(0, 0, 0), available(0)]);
    b.expect(submit(0, job(1)), [assign(0, 0, 0, &job(1)), assigned(0, 1, 0)]);
    b.expect(hello(1, 0), []);
    let wide = Submit { cores: 2, ..job(0) };
    b.expect(submit(1, wide.clone()), []);
    b.expect(done(0, ticket(0, 0, 0)), [done_notice(0, 0)]);
    b.expect(done(0, ticket(0, 1, 0)), [done_notice(0, 1), assign(0, 1, 0, &wide), assigned(1, 0, 0)]);
    b.expect(done(0, ticket(1, 0, 0)), [done_notice(1, 0), available(0), available(1)]);
}

/// Otherwise a client's own narrow jobs would keep up its share, and with it the turns of the others.
#[test]
fn younger_jobs_wait_behind_a_wide_one() {
    let mut b = Checked::new();
    b.expect(hello(0, 0), []);
    b.expect(client(0, Request::Decline), []);
    b.expect(joins(0, 2), []);
    b.expect(joins(1, 1), []);
    let wide = Submit { cores: 2, ..job(1) };
    b.expect(submit(0, job(0)), [assign(0, 0, 0, &job(0)), assigned(0, 0, 0)]);
    b.expect(submit(0, wide.clone()), []);
    b.expect(submit(0, job(2)), []);
    b.expect(
        done(0, ticket(0, 0, 0)),
        [
            done_notice(0, 0),
            assign(0, 0, 0, &wide),
            assigned(0, 1, 0),
            assign(1, 0, 0, &job(2)),
            assigned(0, 2, 1),
        ],
    );
}

/// A client may answer offers with jobs that the offered worker can't run; that must come to an end.
#[test]
fn a_client_is_offered_nothing_while_a_job_of_it_waits() {
    let mut b = Checked::new();
    b.expect(joins(0, 1), []);
    b.expect(worker(1, Report::Hello { cores: 1, programs: vec!["other".into()] }), []);
    b.expect(hello(0, 0), [available(0)]);
    b.expect(submit(0, job(0)), [assign(0, 0, 0, &job(0)), assigned(0, 0, 0), available(0)]);
    b.expect(submit(0, job(1)), []);
    // A job of another program passes it.
    let other = Submit { program: "other".into(), ..job(2) };
    b.expect(submit(0, other.clone()), [assign(1, 0, 0, &other), assigned(0, 2, 1)]);
    b.expect(done(0, ticket(0, 0, 0)), [done_notice(0, 0), assign(0, 0, 0, &job(1)), assigned(0, 1, 0)]);
    b.expect(done(1, ticket(0, 2, 0)), [done_notice(0, 2), available(0)]);
}

#[test]
fn a_job_that_no_worker_could_run_is_refused_with_the_reason() {
    let mut b = Checked::new();
    let unknown = Submit { program: "gnugo".into(), ..job(0) };
    let wide = Submit { cores: 8, ..job(1) };
    let no_program = "no worker has program `gnugo`; the workers have `engine`";
    let too_wide = "program `engine` was to run on 8 cores, but the largest worker that has it has 2";
    b.expect(hello(0, 0), []);
    b.expect(submit(0, unknown.clone()), []);
    b.expect(submit(0, wide.clone()), []);
    b.expect(joins(0, 2), [refused(0, 0, no_program), refused(0, 1, too_wide), available(0)]);
    b.expect(submit(0, unknown), [refused(0, 0, no_program), available(0)]);
    b.expect(submit(0, wide.clone()), [refused(0, 1, too_wide), available(0)]);
    b.expect(client(0, Request::Decline), []);
    b.expect(joins(1, 8), []);
    b.expect(submit(0, wide.clone()), [assign(1, 0, 0, &wide), assigned(0, 1, 1)]);
    b.expect(BrokerEvent::WorkerGone(WorkerId(1)), [lost(0, 1)]);
    b.expect(client(7, Request::Submit(job(0))), [refused(7, 0, "client c7 has not said Hello")]);
}

#[test]
fn a_lost_worker_drops_its_job_once_and_its_late_answer_is_ignored() {
    let gone = || BrokerEvent::WorkerGone(WorkerId(0));
    for event in [gone(), worker(0, Report::Bye)] {
        let mut b = one_running(job(0));
        b.expect(event, [lost(0, 0)]);
        b.expect(gone(), []);
        b.expect(done(0, ticket(0, 0, 0)), []);
        b.expect(joins(0, 1), [available(0)]);
        b.expect(done(0, ticket(0, 0, 0)), []);
    }
}

#[test]
fn a_lost_workers_job_is_assigned_again_as_often_as_allowed() {
    let first = reassignable(0, 2);
    let mut b = one_running(first.clone());
    b.expect(submit(0, job(1)), []);
    b.expect(BrokerEvent::WorkerGone(WorkerId(0)), []);
    // It is older than the job that waits already.
    b.expect(joins(1, 1), [assign(1, 0, 1, &first), assigned(0, 0, 1)]);
    b.expect(done(0, ticket(0, 0, 0)), []);
    b.expect(done(1, ticket(0, 0, 0)), []);
    b.expect(joins(1, 1), [assign(1, 0, 2, &first), assigned(0, 0, 1)]);
    b.expect(done(1, ticket(0, 0, 1)), []);
    b.expect(BrokerEvent::WorkerGone(WorkerId(1)), [lost(0, 0)]);
    b.expect(joins(2, 1), [assign(2, 0, 0, &job(1)), assigned(0, 1, 2)]);
}

#[test]
fn a_silent_worker_is_lost_after_three_heartbeats() {
    let second = Duration::from_secs(1);
    let mut b = Checked(Broker::new(BrokerConfig { heartbeat: Some(second) }));
    b.expect(hello(0, 0), []);
    b.expect(joins(0, 1), [available(0)]);
    b.expect(submit(0, job(0)), [assign(0, 0, 0, &job(0)), assigned(0, 0, 0)]);
    b.expect(BrokerEvent::Tick(second * 2), []);
    b.expect(worker(0, Report::Alive), []);
    b.expect(BrokerEvent::Tick(second * 4), []);
    b.expect(BrokerEvent::Tick(second * 5 - Duration::from_millis(1)), []);
    b.expect(BrokerEvent::Tick(second * 5), [lost(0, 0)]);
    b.expect(worker(0, Report::Alive), []);
    b.expect(joins(0, 1), [available(0)]);
}

#[test]
fn an_abort_ends_with_one_ack_whatever_the_worker_answers() {
    let t = ticket(0, 0, 0);
    let failed =
        Report::Failed { ticket: t, failure: Failure::Crashed("killed".into()), cpu: Duration::ZERO };
    for answer in [worker(0, Report::AbortAck { ticket: t }), done(0, t), worker(0, failed)] {
        let mut b = one_running(job(0));
        b.expect(abort(0, 0), [abort_order(0, t)]);
        b.expect(abort(0, 0), []);
        b.expect(worker(0, Report::Message { ticket: t, line: "late".into() }), []);
        b.expect(worker(0, Report::Doing { ticket: t }), []);
        b.expect(answer, [acked(0, 0), available(0)]);
        b.expect(worker(0, Report::AbortAck { ticket: t }), []);
        b.expect(done(0, t), []);
    }
    let mut b = one_running(reassignable(0, 5));
    b.expect(abort(0, 0), [abort_order(0, t)]);
    b.expect(BrokerEvent::WorkerGone(WorkerId(0)), [acked(0, 0)]);
}

#[test]
fn an_abort_of_what_does_not_run_is_acked_at_once() {
    let mut b = one_running(Submit { abortable: false, ..job(0) });
    b.expect(submit(0, job(1)), []);
    b.expect(abort(0, 1), [acked(0, 1)]);
    b.expect(abort(0, 99), [acked(0, 99)]);
    b.expect(abort(5, 0), [acked(5, 0)]);
    // A job that can't be aborted goes on.
    b.expect(abort(0, 0), []);
    b.expect(done(0, ticket(0, 0, 0)), [done_notice(0, 0), available(0)]);
}

#[test]
fn a_client_that_leaves_gives_everything_back() {
    for event in [client(0, Request::Leave), BrokerEvent::ClientGone(ClientId(0))] {
        let mut b = Checked::new();
        b.expect(joins(0, 2), []);
        b.expect(hello(0, 0), [available(0)]);
        b.expect(submit(0, job(0)), [assign(0, 0, 0, &job(0)), assigned(0, 0, 0), available(0)]);
        b.expect(submit(0, job(1)), [assign(0, 0, 0, &job(1)), assigned(0, 1, 0)]);
        b.expect(submit(0, job(2)), []);
        b.expect(abort(0, 1), [abort_order(0, ticket(0, 1, 0))]);
        b.expect(event, [abort_order(0, ticket(0, 0, 0))]);
        b.expect(hello(1, 0), []);
        b.expect(worker(0, Report::AbortAck { ticket: ticket(0, 0, 0) }), [available(1)]);
        b.expect(client(1, Request::Decline), []);
        // The same client comes back with the same job ids, while its old job 1 still runs.
        b.expect(hello(0, 0), [available(0)]);
        b.expect(submit(0, job(1)), [assign(0, 0, 1, &job(1)), assigned(0, 1, 0)]);
        b.expect(done(0, ticket(0, 1, 0)), [available(0)]);
        b.expect(done(0, ticket(0, 1, 1)), [done_notice(0, 1)]);
    }
}

#[test]
fn an_offer_of_a_worker_that_goes_is_still_answered() {
    for event in [BrokerEvent::WorkerGone(WorkerId(0)), worker(0, Report::Sleep)] {
        let mut b = Checked::new();
        b.expect(joins(0, 1), []);
        b.expect(hello(0, 0), [available(0)]);
        b.expect(event, []);
        b.expect(joins(1, 1), []);
        b.expect(submit(0, job(0)), [assign(1, 0, 0, &job(0)), assigned(0, 0, 1)]);
        b.expect(joins(2, 1), [available(0)]);
    }
}

#[test]
fn a_sleeping_worker_finishes_its_jobs_and_gets_no_new_ones() {
    let mut b = one_running(job(0));
    b.expect(worker(0, Report::Sleep), []);
    b.expect(submit(0, job(1)), []);
    b.expect(done(0, ticket(0, 0, 0)), [done_notice(0, 0)]);
    b.expect(worker(0, Report::Wake), [assign(0, 0, 0, &job(1)), assigned(0, 1, 0)]);
}

#[test]
fn workers_and_jobs_are_resized() {
    let mut b = one_running(job(0));
    let set = |cores| client(0, Request::SetCores { job: JobId(0), cores });
    let cores_set = |cores| to_client(0, Notice::CoresSet { job: JobId(0), cores });
    let t = ticket(0, 0, 0);
    b.expect(set(3), [cores_set(1)]);
    b.expect(worker(0, Report::SetCores { cores: 4 }), [available(0)]);
    b.expect(client(0, Request::Decline), []);
    b.expect(set(3), [to_worker(0, Order::SetCores { ticket: t, cores: 3 })]);
    b.expect(worker(0, Report::CoresSet { ticket: t, cores: 3 }), [cores_set(3)]);
    assert_eq!(b.0.info().workers[0].busy, 3);
    b.expect(submit(0, Submit { cores: 2, ..job(1) }), []);
    b.expect(set(5), [cores_set(3)]);
    // The worker does less than asked: what it says counts.
    b.expect(set(4), [to_worker(0, Order::SetCores { ticket: t, cores: 4 })]);
    b.expect(
        worker(0, Report::CoresSet { ticket: t, cores: 2 }),
        [cores_set(2), assign(0, 0, 0, &Submit { cores: 2, ..job(1) }), assigned(0, 1, 0)],
    );
    b.expect(worker(0, Report::SetCores { cores: 2 }), []);
    b.expect(client(0, Request::Ready), []);
    b.expect(done(0, t), [done_notice(0, 0)]);
    b.expect(done(0, ticket(0, 1, 0)), [done_notice(0, 1), available(0)]);
}

#[test]
fn standard_input_reaches_the_attempt_that_needs_it() {
    let line = |text: &str| client(0, Request::Stdin { job: JobId(0), line: text.into() });
    let mut first = reassignable(0, 1);
    let mut b = Checked::new();
    b.expect(hello(0, 0), []);
    b.expect(submit(0, first.clone()), []);
    b.expect(line("a"), []);
    first.input.stdin = vec!["a".into()];
    b.expect(joins(0, 1), [assign(0, 0, 0, &first), assigned(0, 0, 0)]);
    b.expect(line("b"), [to_worker(0, Order::Stdin { ticket: ticket(0, 0, 0), line: "b".into() })]);
    b.expect(BrokerEvent::WorkerGone(WorkerId(0)), []);
    first.input.stdin = vec!["a".into(), "b".into()];
    b.expect(joins(1, 1), [assign(1, 0, 1, &first), assigned(0, 0, 1)]);
    b.expect(line("c"), [to_worker(1, Order::Stdin { ticket: ticket(0, 0, 1), line: "c".into() })]);
}

#[test]
fn info_lists_workers_and_jobs() {
    let mut b = one_running(job(0));
    b.expect(submit(0, job(1)), []);
    let job_info =
        |job, state| JobInfo { client: ClientId(0), job: JobId(job), program: "engine".into(), state };
    let info = Info {
        workers: vec![WorkerInfo {
            worker: WorkerId(0),
            cores: 1,
            busy: 1,
            asleep: false,
            programs: vec!["engine".into()],
        }],
        jobs: vec![job_info(0, JobState::Assigned(WorkerId(0))), job_info(1, JobState::Waiting)],
    };
    b.expect(client(3, Request::AskInfo), [to_client(3, Notice::Info(info))]);
    b.handle(worker(0, Report::Doing { ticket: ticket(0, 0, 0) }));
    assert_eq!(b.0.info().jobs[0].state, JobState::Doing(WorkerId(0)));
    b.handle(abort(0, 0));
    assert_eq!(b.0.info().jobs[0].state, JobState::Aborting(WorkerId(0)));
}

#[test]
fn a_job_submitted_twice_runs_once() {
    let mut b = one_running(job(0));
    b.expect(submit(0, job(0)), []);
    b.expect(joins(1, 1), [available(0)]);
    // It was the answer to the offer nevertheless.
    b.expect(submit(0, job(0)), [available(0)]);
    b.expect(done(0, ticket(0, 0, 0)), [done_notice(0, 0)]);
}
