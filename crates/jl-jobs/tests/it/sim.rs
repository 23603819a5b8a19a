//! The virtual-time driver, with a client that has N independent jobs to do.

use jl_jobs::sim::{SimAnswer, SimError, SimOptions, SimResult, StuckCause, run, seeded_duration};
use jl_messages::*;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

/// Wants each of its tasks done. A task that fails or is lost is tried again as a new job.
struct Ledger {
    todo: Vec<usize>,
    /// The task of each job that has not ended.
    jobs: BTreeMap<JobId, usize>,
    /// How often each task was done.
    done: Vec<u32>,
    next_job: u64,
    reassign: u32,
    declined: bool,
    /// Every notice, for comparing runs.
    heard: Vec<Notice>,
}

impl Ledger {
    fn new(tasks: usize) -> Ledger {
        Ledger {
            todo: (0..tasks).rev().collect(),
            jobs: BTreeMap::new(),
            done: vec![0; tasks],
            next_job: 0,
            reassign: 0,
            declined: false,
            heard: vec![],
        }
    }

    fn offered(&mut self) -> Request {
        let Some(task) = self.todo.pop() else {
            self.declined = true;
            return Request::Decline;
        };
        let job = JobId(self.next_job);
        self.next_job += 1;
        self.jobs.insert(job, task);
        Request::Submit(Submit {
            job,
            program: "engine".into(),
            input: Input { words: vec![format!("task {task}")], stdin: vec![] },
            priority: 0,
            cores: 1,
            time_limit: None,
            abortable: true,
            reassign: self.reassign,
        })
    }

    fn ended(&mut self, job: JobId, done: bool) -> Option<Request> {
        let task = self.jobs.remove(&job)?; // A duplicate, otherwise.
        if done {
            self.done[task] += 1;
            return self.is_finished().then_some(Request::Leave);
        }
        self.todo.push(task);
        std::mem::take(&mut self.declined).then_some(Request::Ready)
    }
}

impl JobClient for Ledger {
    fn start(&mut self) -> Vec<Request> {
        vec![Request::Hello { priority: 0, programs: vec!["engine".into()] }]
    }

    fn handle(&mut self, notice: Notice) -> Vec<Request> {
        self.heard.push(notice.clone());
        match notice {
            Notice::WorkerAvailable => vec![self.offered()],
            _ => {
                let is_done = matches!(notice, Notice::Done { .. });
                notice.ends().and_then(|job| self.ended(job, is_done)).into_iter().collect()
            }
        }
    }

    fn is_finished(&self) -> bool {
        self.done.iter().all(|n| *n > 0)
    }
}

fn constant(_: &str, _: &Input) -> SimAnswer {
    SimAnswer::whole(vec!["answer".into()], SECOND)
}

fn varied(_: &str, input: &Input) -> SimAnswer {
    SimAnswer::whole(input.words.clone(), seeded_duration(SECOND, 0.8, 3, input))
}

fn rough(seed: u64) -> SimOptions {
    SimOptions {
        workers: 8,
        seed,
        loss: 0.1,
        failure: 0.1,
        duplicate: 0.3,
        latency: Duration::from_millis(30),
        reorder: true,
        rejoin: SECOND * 5,
        max_events: 100_000,
        ..SimOptions::default()
    }
}

#[test]
fn equal_jobs_take_the_time_of_the_longest_queue() {
    for (workers, tasks) in [(1, 1), (1, 7), (3, 7), (4, 8), (16, 5), (100, 1000)] {
        let options = SimOptions { workers, ..SimOptions::default() };
        let mut ledger = Ledger::new(tasks);
        let result = run(&mut ledger, &mut constant, &options, &mut |_| ()).unwrap();
        assert_eq!(
            result.virtual_time,
            SECOND * tasks.div_ceil(workers) as u32,
            "{workers} workers, {tasks} tasks"
        );
        let expected = SimResult {
            virtual_time: result.virtual_time,
            done: tasks as u64,
            busy: SECOND * tasks as u32,
            events: result.events,
            ..SimResult::default()
        };
        assert_eq!(result, expected);
        assert_eq!(ledger.done, vec![1; tasks]);
    }
}

#[test]
fn latency_is_paid_on_every_way() {
    let latency = Duration::from_millis(100);
    let options = SimOptions { latency, ..SimOptions::default() };
    let tasks = 400;
    let result = run(&mut Ledger::new(tasks), &mut constant, &options, &mut |_| ()).unwrap();
    // Per job: offer, submit, assign and the report of its end, one after another; the notice of the end overlaps
    // with the next offer, which may not overtake it.
    let per_job = result.virtual_time.as_secs_f64() / tasks as f64;
    assert!((1.35..1.55).contains(&per_job), "{per_job}");
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let play = |seed| {
        let mut ledger = Ledger::new(100);
        let result = run(&mut ledger, &mut varied, &rough(seed), &mut |_| ()).unwrap();
        (result, ledger.heard)
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}

#[test]
fn the_counts_agree_with_what_the_client_heard() {
    let mut ledger = Ledger::new(300);
    let mut calls = 0;
    let result = run(&mut ledger, &mut varied, &rough(5), &mut |_| calls += 1).unwrap();
    assert_eq!(calls, ledger.heard.len() + 1, "after the start and after each notice");
    let ends: Vec<&Notice> = ledger.heard.iter().filter(|n| n.ends().is_some()).collect();
    let first: BTreeMap<_, &Notice> = ends.iter().rev().map(|n| (n.ends(), *n)).collect();
    let count = |f: fn(&Notice) -> bool| first.values().filter(|n| f(n)).count() as u64;
    assert_eq!(result.duplicates, (ends.len() - first.len()) as u64);
    assert_eq!(result.failed, count(|n| matches!(n, Notice::Failed { .. })));
    // Nothing is reassigned, so that each loss is heard of.
    assert_eq!(result.lost, count(|n| matches!(n, Notice::Dropped { .. })));
    assert_eq!(result.done, count(|n| matches!(n, Notice::Done { .. })));
    assert_eq!(result.done, 300);
    assert_eq!(result.aborted, 0);
    for (what, n) in [("failed", result.failed), ("lost", result.lost), ("duplicates", result.duplicates)] {
        assert!(n > 10, "{what}: {n}");
    }
}

#[test]
fn notices_overtake_each_other_only_if_asked() {
    let overtaken = |reorder| {
        let options = SimOptions { loss: 0.0, failure: 0.0, duplicate: 0.0, reorder, ..rough(1) };
        let mut ledger = Ledger::new(200);
        run(&mut ledger, &mut constant, &options, &mut |_| ()).unwrap();
        // Jobs are numbered as they are submitted, and requests don't overtake each other: the broker sends the
        // `Assigned` in the order of the numbers.
        let assigned: Vec<JobId> = ledger
            .heard
            .iter()
            .filter_map(|n| if let Notice::Assigned { job, .. } = n { Some(*job) } else { None })
            .collect();
        !assigned.is_sorted()
    };
    assert!(!overtaken(false));
    assert!(overtaken(true));
}

#[test]
fn a_job_over_its_limit_times_out() {
    struct Limited(Ledger, Option<Notice>);
    impl JobClient for Limited {
        fn start(&mut self) -> Vec<Request> {
            self.0.start()
        }
        fn handle(&mut self, notice: Notice) -> Vec<Request> {
            if notice.ends().is_some() {
                self.1 = Some(notice);
                return vec![Request::Leave];
            }
            let mut requests = self.0.handle(notice);
            for request in &mut requests {
                if let Request::Submit(submit) = request {
                    submit.time_limit = Some(SECOND / 4);
                }
            }
            requests
        }
        fn is_finished(&self) -> bool {
            self.1.is_some()
        }
    }
    let mut client = Limited(Ledger::new(1), None);
    let result = run(&mut client, &mut constant, &SimOptions::default(), &mut |_| ()).unwrap();
    assert_eq!(result.virtual_time, SECOND / 4);
    assert!(matches!(client.1, Some(Notice::Failed { failure: Failure::TimedOut(_), .. })), "{:?}", client.1);
}

/// Races tasks: as soon as one is done, the others are aborted.
struct Race(Ledger, u64);

impl JobClient for Race {
    fn start(&mut self) -> Vec<Request> {
        self.0.start()
    }

    fn handle(&mut self, notice: Notice) -> Vec<Request> {
        match notice {
            Notice::Done { job, .. } => {
                self.0.jobs.remove(&job);
                self.0.jobs.keys().map(|job| Request::Abort { job: *job }).collect()
            }
            Notice::AbortAck { .. } => {
                self.1 += 1;
                vec![]
            }
            other => self.0.handle(other),
        }
    }

    fn is_finished(&self) -> bool {
        self.1 == 3
    }
}

#[test]
fn an_aborted_job_stops_its_worker_at_once() {
    let mut answers = |_: &str, input: &Input| {
        SimAnswer::whole(vec![], if input.words[0] == "task 2" { SECOND } else { SECOND * 100 })
    };
    let options = SimOptions { workers: 4, ..SimOptions::default() };
    let mut race = Race(Ledger::new(4), 0);
    let result = run(&mut race, &mut answers, &options, &mut |_| ()).unwrap();
    assert_eq!((result.done, result.aborted), (1, 3));
    assert_eq!((result.virtual_time, result.busy), (SECOND, SECOND * 4));
}

/// One job after the other; notes what it hears of them.
struct Listener(Ledger, Vec<(u64, String)>);

impl JobClient for Listener {
    fn start(&mut self) -> Vec<Request> {
        self.0.start()
    }

    fn handle(&mut self, notice: Notice) -> Vec<Request> {
        if let Notice::Message { job, line } = &notice {
            self.1.push((job.0, line.clone()));
        }
        self.0.handle(notice)
    }

    fn is_finished(&self) -> bool {
        self.0.is_finished()
    }
}

#[test]
fn lines_are_told_when_they_are_printed_unless_the_job_is_over() {
    let mut answers = |_: &str, _: &Input| {
        let line = |quarters: u32| (SECOND * quarters / 4, format!("{quarters} of 4"));
        SimAnswer { lines: vec![line(1), line(3), line(5)], ..SimAnswer::whole(vec![], SECOND) }
    };
    let mut client = Listener(Ledger::new(2), Vec::new());
    let result = run(&mut client, &mut answers, &SimOptions::default(), &mut |_| ());
    assert_eq!(result.unwrap().virtual_time, SECOND * 2);
    let lines: Vec<(u64, &str)> = client.1.iter().map(|(job, line)| (*job, line.as_str())).collect();
    assert_eq!(
        lines,
        [(0, "1 of 4"), (0, "3 of 4"), (1, "1 of 4"), (1, "3 of 4")],
        "what comes late is void"
    );
}

#[test]
fn a_client_that_declines_for_ever_is_stuck() {
    struct Lazy;
    impl JobClient for Lazy {
        fn start(&mut self) -> Vec<Request> {
            Ledger::new(0).start()
        }
        fn handle(&mut self, _: Notice) -> Vec<Request> {
            vec![Request::Decline]
        }
        fn is_finished(&self) -> bool {
            false
        }
    }
    let error = run(&mut Lazy, &mut constant, &SimOptions::default(), &mut |_| ()).unwrap_err();
    let SimError::Stuck { cause, time, jobs } = &error else { panic!("{error}") };
    assert_eq!((*cause, *time, jobs.len()), (StuckCause::NothingToHappen, Duration::ZERO, 0));
    assert!(error.to_string().ends_with("jobs in flight: none"), "{error}");
}

#[test]
fn too_many_events_are_stuck_and_the_jobs_are_told() {
    let options = SimOptions { max_events: 26, ..SimOptions::default() };
    let error = run(&mut Ledger::new(1000), &mut constant, &options, &mut |_| ()).unwrap_err();
    let SimError::Stuck { cause, jobs, .. } = &error else { panic!("{error}") };
    assert_eq!(*cause, StuckCause::TooManyEvents(26));
    assert_eq!(jobs.len(), 1);
    assert!(
        error.to_string().ends_with("after 26 events; jobs in flight: 1 (j2 Doing(WorkerId(0)))"),
        "{error}"
    );
}

#[test]
fn a_client_that_can_not_write_its_journal_ends_the_run() {
    struct FullDisk;
    impl Driven for FullDisk {
        fn begin(&mut self) -> Vec<Request> {
            Ledger::new(0).start()
        }
        fn receive(
            &mut self,
            _: Vec<Notice>,
        ) -> Result<Vec<Request>, Box<dyn std::error::Error + Send + Sync>> {
            Err("no space left".into())
        }
        fn is_over(&self) -> bool {
            false
        }
    }
    let error = run(&mut FullDisk, &mut constant, &SimOptions::default(), &mut |_| ()).unwrap_err();
    assert!(matches!(error, SimError::Client { .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the network does, each task is done exactly once, and nothing is left in flight.
    #[test]
    fn every_task_is_done_exactly_once(
        seed in any::<u64>(),
        workers in 1_usize..20,
        tasks in 1_usize..80,
        loss in 0.0..0.3,
        failure in 0.0..0.3,
        duplicate in 0.0..0.5,
        latency in 0_u64..500,
        reorder in any::<bool>(),
        reassign in 0_u32..3,
    ) {
        let latency = Duration::from_millis(latency);
        let options = SimOptions { workers, loss, failure, duplicate, latency, reorder, ..rough(seed) };
        let mut ledger = Ledger { reassign, ..Ledger::new(tasks) };
        let mut most = 0;
        let result = run(&mut ledger, &mut varied, &options, &mut |ledger: &Ledger| {
            most = most.max(ledger.jobs.len());
            assert!(ledger.done.iter().all(|n| *n <= 1), "a task was done twice");
        });
        prop_assert!(result.is_ok(), "{}", result.unwrap_err());
        prop_assert_eq!(&ledger.done, &vec![1; tasks]);
        prop_assert!(ledger.jobs.is_empty(), "{:?}", ledger.jobs);
        prop_assert_eq!(result.unwrap().done, tasks as u64);
        // Late binding: no more jobs than workers, and for each of them the answer that is on its way.
        prop_assert!(most <= 2 * workers + 1, "{most} jobs for {workers} workers");
    }
}

/// The simulation must be cheap enough for a thousand workers: the broker's cost per event does not grow with them.
#[test]
fn a_thousand_workers() {
    let options = SimOptions { workers: 1024, ..SimOptions::default() };
    let result = run(&mut Ledger::new(20_000), &mut varied, &options, &mut |_| ()).unwrap();
    assert_eq!(result.done, 20_000);
    let share = result.busy.as_secs_f64() / result.virtual_time.as_secs_f64() / 1024.0;
    assert!(share > 0.6, "the workers were busy for {share} of the time");
}
