//! The local driver with real processes: every way in which a program can misbehave, and none may survive.

use jl_jobs::local::{Ended, LocalError, LocalOptions, LocalStats, StopHandle, run};
use jl_jobs::registry::{OneshotStdin, ProgramSpec, Protocol, Registry};
use jl_jobs::worker::Slot;
use jl_messages::{ClientId, Driven, Failure, Input, JobId, Notice, Order, Report, Request, Submit, Ticket};
use std::collections::VecDeque;
use std::error::Error;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

/// Far more than anything here takes, far less than the programs that hang.
const LONG: Duration = Duration::from_secs(20);

type React = Box<dyn FnMut(&Notice) -> Vec<Request> + Send>;

/// Submits its jobs in order, one for each offer, and is finished when all of them have ended.
struct Toy {
    jobs: VecDeque<Submit>,
    open: usize,
    log: Vec<Notice>,
    react: React,
    refuses: bool,
}

impl Toy {
    fn new(jobs: impl IntoIterator<Item = Submit>) -> Self {
        let jobs: VecDeque<_> = jobs.into_iter().collect();
        Toy { open: jobs.len(), jobs, log: Vec::new(), react: Box::new(|_| Vec::new()), refuses: false }
    }

    fn reacting(mut self, react: impl FnMut(&Notice) -> Vec<Request> + Send + 'static) -> Self {
        self.react = Box::new(react);
        self
    }

    fn messages(&self) -> Vec<&str> {
        let lines = self.log.iter().filter_map(|n| match n {
            Notice::Message { line, .. } => Some(line.as_str()),
            _ => None,
        });
        lines.collect()
    }

    fn end(&self, job: u64) -> &Notice {
        self.log.iter().find(|n| n.ends() == Some(JobId(job))).expect("the job has ended")
    }

    fn output(&self, job: u64) -> &[String] {
        match self.end(job) {
            Notice::Done { output, .. } => output,
            other => panic!("{other:?}"),
        }
    }

    fn failure(&self, job: u64) -> &Failure {
        match self.end(job) {
            Notice::Failed { failure, .. } => failure,
            other => panic!("{other:?}"),
        }
    }
}

impl Toy {
    fn handle(&mut self, notice: Notice) -> Vec<Request> {
        let mut requests = (self.react)(&notice);
        if notice == Notice::WorkerAvailable {
            requests.push(self.jobs.pop_front().map_or(Request::Decline, Request::Submit));
        }
        self.open -= usize::from(notice.ends().is_some());
        self.log.push(notice);
        requests
    }
}

impl Driven for Toy {
    fn begin(&mut self) -> Vec<Request> {
        vec![Request::Hello { priority: 0, programs: Vec::new() }]
    }

    fn receive(&mut self, notices: Vec<Notice>) -> Result<Vec<Request>, Box<dyn Error + Send + Sync>> {
        if self.refuses && notices.iter().any(|n| matches!(n, Notice::Message { .. })) {
            return Err("the journal is full".into());
        }
        Ok(notices.into_iter().flat_map(|n| self.handle(n)).collect())
    }

    fn is_over(&self) -> bool {
        self.open == 0
    }
}

/// A warm program in shell: `script` handles the query in `$line` and must print `end`.
fn warm(script: &str) -> ProgramSpec {
    let all = format!("while read -r line; do {script}; done");
    ProgramSpec::lines("p", ["sh", "-c", all.as_str()], "end")
}

/// A one-shot program in shell; the words of the job are `$1`, `$2`, …
fn oneshot(script: &str) -> ProgramSpec {
    ProgramSpec::oneshot("p", ["sh", "-c", script, "sh"])
}

fn submit(job: u64, words: &[&str]) -> Submit {
    Submit {
        job: JobId(job),
        program: "p".into(),
        input: Input { words: words.iter().map(|w| (*w).into()).collect(), stdin: Vec::new() },
        priority: 0,
        cores: 1,
        time_limit: None,
        abortable: true,
        reassign: 0,
    }
}

fn options(spec: ProgramSpec, workers: usize) -> LocalOptions {
    let mut registry = Registry::new();
    registry.insert(spec);
    LocalOptions { workers, registry: Arc::new(registry) }
}

fn drive(toy: &mut Toy, spec: ProgramSpec) {
    let began = Instant::now();
    let ended = run(toy, &options(spec, 1), &StopHandle::new(), &mut |_, _| {}).unwrap();
    assert_eq!(ended, Ended::Finished);
    assert!(began.elapsed() < LONG, "took {:?}", began.elapsed());
}

/// Runs jobs one after the other on one slot.
fn ask(spec: ProgramSpec, jobs: &[&[&str]]) -> Toy {
    let mut toy = Toy::new((1..).zip(jobs).map(|(job, words)| submit(job, words)));
    drive(&mut toy, spec);
    toy
}

fn limited(mut spec: ProgramSpec, time_limit: Duration) -> ProgramSpec {
    spec.time_limit = time_limit;
    spec
}

fn says(failure: &Failure, words: &[&str]) {
    let text = failure.to_string();
    for word in words {
        assert!(text.contains(word), "{word:?} is not in {text:?}");
    }
}

/// Nobody may reap an orphan in a container, so a zombie counts as gone.
fn is_alive(pid: &str) -> bool {
    let pid = rustix::process::Pid::from_raw(pid.parse().unwrap()).unwrap();
    let zombie = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid()))
        .is_ok_and(|stat| stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['Z', 'X'])));
    rustix::process::test_kill_process(pid).is_ok() && !zombie
}

/// A grandchild's death is not waited for by the driver, only ordered.
fn dies(pid: &str) {
    let began = Instant::now();
    while is_alive(pid) {
        assert!(began.elapsed() < LONG, "process {pid} lives");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_warm_program_answers_many_jobs_in_one_process() {
    let toy = ask(warm("echo \"$line\"; echo $$; echo end"), &[&["a", "b"], &["c"], &["d"]]);
    assert_eq!(toy.output(1)[0], "a b");
    assert_eq!(toy.output(3)[0], "d");
    assert_eq!(toy.output(1)[1], toy.output(3)[1], "the same process");
    assert!(!is_alive(&toy.output(1)[1]));
    let lines: Vec<_> = (1..=3).flat_map(|j| toy.output(j)).map(String::as_str).collect();
    assert_eq!(toy.messages(), lines);
}

#[test]
fn a_oneshot_program_answers_each_job_in_its_own_process() {
    let toy = ask(oneshot("echo \"$1|$2\"; echo $$; printf last"), &[&["a b", ""], &["c"]]);
    assert_eq!(toy.output(1)[0], "a b|");
    assert_eq!(toy.output(1)[2], "last", "also without its newline");
    assert_eq!(toy.output(2)[0], "c|");
    assert_ne!(toy.output(1)[1], toy.output(2)[1]);
}

#[test]
fn notices_come_in_order() {
    let toy = ask(warm("echo x; echo end"), &[&["a"]]);
    let job = JobId(1);
    assert!(matches!(
        &toy.log[..],
        [
            Notice::WorkerAvailable,
            Notice::Assigned { .. },
            Notice::Doing { job: j },
            Notice::Message { line, .. },
            Notice::Done { .. },
            ..
        ] if *j == job && line == "x"
    ));
}

#[test]
fn lines_are_streamed_while_the_program_runs() {
    // It waits for a line that the client only sends once it has seen the first one.
    let answer = |notice: &Notice| match notice {
        Notice::Message { job, line } if line == "more?" => {
            vec![Request::Stdin { job: *job, line: "yes".into() }]
        }
        _ => Vec::new(),
    };
    let mut toy = Toy::new([submit(1, &["q"])]).reacting(answer);
    drive(&mut toy, warm("echo more?; read -r reply; echo \"$reply\"; echo end"));
    assert_eq!(toy.output(1), ["more?", "yes"]);

    let mut spec = oneshot("echo more?; read -r reply; echo \"$reply\"");
    spec.protocol = Protocol::Oneshot { stdin: OneshotStdin::Open };
    let mut toy = Toy::new([submit(1, &[])]).reacting(answer);
    drive(&mut toy, spec);
    assert_eq!(toy.output(1), ["more?", "yes"]);
}

#[test]
fn a_jobs_own_lines_are_its_standard_input() {
    let mut job = submit(1, &[]);
    job.input.stdin = vec!["one".into(), "two".into()];
    let mut toy = Toy::new([job]);
    drive(&mut toy, oneshot("cat; echo closed"));
    assert_eq!(toy.output(1), ["one", "two", "closed"]);

    let mut job = submit(1, &["board"]);
    job.input.stdin = vec!["row".into()];
    let mut toy = Toy::new([job]);
    drive(&mut toy, warm("read -r row; echo \"$line $row\"; echo end"));
    assert_eq!(toy.output(1), ["board row"]);
}

#[test]
fn a_large_input_and_a_program_that_does_not_read_it() {
    let big: Vec<String> = (0..50_000).map(|i| format!("line {i}")).collect();
    let mut job = submit(1, &[]);
    job.input.stdin = big.clone();
    let mut toy = Toy::new([job.clone()]);
    let mut spec = oneshot("cat");
    spec.max_output = 10_000_000;
    drive(&mut toy, spec);
    assert_eq!(toy.output(1), big);

    let mut toy = Toy::new([job.clone()]);
    drive(&mut toy, oneshot("echo done"));
    assert_eq!(toy.output(1), ["done"]);

    let mut toy = Toy::new([job]);
    drive(&mut toy, limited(oneshot("sleep 1000"), Duration::from_millis(200)));
    assert!(matches!(toy.failure(1), Failure::TimedOut(_)));
}

#[test]
fn a_crash_is_told_with_what_was_read_and_the_next_job_gets_a_new_process() {
    let script = "case $line in bad) echo xyz; echo oops >&2; exit 3;; *) echo $$; echo end;; esac";
    let toy = ask(warm(script), &[&["a"], &["bad"], &["b"]]);
    assert!(matches!(toy.failure(2), Failure::Crashed(_)));
    says(toy.failure(2), &["exit code 3", "'end'", "'xyz'", "stderr: 'oops'"]);
    assert_ne!(toy.output(1), toy.output(3));

    let toy = ask(oneshot("echo xyz; kill -SEGV $$"), &[&[]]);
    assert!(matches!(toy.failure(1), Failure::Crashed(_)));
    says(toy.failure(1), &["signal 11 (SIGSEGV)", "'xyz'"]);
}

#[test]
fn a_program_that_prints_nothing_and_exits() {
    let toy = ask(warm("exit 0"), &[&["a"], &["b"]]);
    for job in 1..=2 {
        assert!(matches!(toy.failure(job), Failure::Crashed(_)));
        says(toy.failure(job), &["exit code 0 before the line 'end'", "printed nothing"]);
    }
    // A one-shot program may have nothing to say.
    assert!(ask(oneshot("exit 0"), &[&[]]).output(1).is_empty());
    says(ask(oneshot("exit 7"), &[&[]]).failure(1), &["exit code 7", "printed nothing"]);
}

#[test]
fn a_program_that_closes_its_output_but_lives() {
    let toy = ask(warm("echo x; exec >&-; sleep 1000"), &[&["a"]]);
    assert!(matches!(toy.failure(1), Failure::Crashed(_)));
    says(toy.failure(1), &["closed its output", "'x'"]);
}

#[test]
fn a_hang_is_a_time_out_and_the_slot_works_on() {
    let script = "case $line in hang) echo thinking; sleep 1000;; *) echo ok; echo end;; esac";
    let mut job = submit(1, &["hang"]);
    job.time_limit = Some(Duration::from_secs(1));
    let mut toy = Toy::new([job.clone(), submit(2, &["a"])]);
    drive(&mut toy, warm(script));
    assert!(matches!(toy.failure(1), Failure::TimedOut(_)));
    says(toy.failure(1), &["no answer within 1s", "last line read 'thinking'"]);
    assert_eq!(toy.output(2), ["ok"]);

    // Half a line is better than none to tell of.
    let mut toy = Toy::new([job.clone()]);
    drive(&mut toy, warm("printf hal; sleep 1000"));
    says(toy.failure(1), &["'hal'"]);

    // The registry's limit wins if it is shorter.
    job.time_limit = Some(Duration::from_secs(1000));
    let mut toy = Toy::new([job]);
    drive(&mut toy, limited(warm("sleep 1000"), Duration::from_millis(300)));
    says(toy.failure(1), &["300ms", "it printed nothing"]);
}

#[test]
fn garbage_is_only_output() {
    let toy = ask(warm(r"printf 'end \n\377\376ok\r\n\n END\nend\n'"), &[&["a"], &["b"]]);
    for job in 1..=2 {
        assert_eq!(toy.output(job), ["end ", "\u{fffd}\u{fffd}ok", "", " END"]);
    }
}

#[test]
fn floods_are_cut() {
    let with_newlines = "echo first; while :; do echo xxxxxxxxxxxxxxxx; done";
    let without = "printf first; while :; do printf xxxxxxxxxxxxxxxx; done";
    for script in [with_newlines, without] {
        for mut spec in [warm(script), oneshot(script)] {
            spec.max_output = 10_000;
            let toy = ask(spec, &[&["a"]]);
            assert!(matches!(toy.failure(1), Failure::Flooded(_)), "{:?}", toy.failure(1));
            says(toy.failure(1), &["more than 10000 bytes", "began with 'first"]);
            assert!(toy.messages().iter().map(|l| l.len() + 1).sum::<usize>() <= 10_000);
        }
    }
    // Standard error may say as much as it likes, and exactly the limit is no flood.
    let mut spec = warm("yes complaint | head -n 100000 >&2; echo ok; echo end");
    spec.max_output = 7;
    assert_eq!(ask(spec, &[&["a"]]).output(1), ["ok"]);
}

#[test]
fn a_time_out_kills_grandchildren_that_ignore_everything() {
    let script =
        "trap '' TERM INT HUP; sh -c \"trap '' TERM INT HUP; sleep 1000; :\" & echo $!; echo $$; wait";
    for spec in [warm(script), oneshot(script)] {
        let toy = ask(limited(spec, Duration::from_secs(1)), &[&["a"]]);
        assert!(matches!(toy.failure(1), Failure::TimedOut(_)));
        let pids = toy.messages();
        assert_eq!(pids.len(), 2);
        assert!(!is_alive(pids[1]), "the program itself is reaped");
        dies(pids[0]);
    }
}

#[test]
fn an_abort_in_the_middle_kills_the_group_at_once_and_the_slot_works_on() {
    let script = "case $line in hang) trap '' TERM; sleep 1000 & echo $!; echo $$; wait;;
        *) echo ok; echo end;; esac";
    let mut lines = 0;
    let mut toy = Toy::new([submit(1, &["hang"]), submit(2, &["a"])]).reacting(move |notice| match notice {
        Notice::Message { job, .. } if *job == JobId(1) => {
            lines += 1;
            if lines == 2 { vec![Request::Abort { job: *job }] } else { Vec::new() }
        }
        _ => Vec::new(),
    });
    drive(&mut toy, warm(script));
    assert_eq!(toy.end(1), &Notice::AbortAck { job: JobId(1) });
    assert_eq!(toy.output(2), ["ok"]);
    let pids = toy.messages();
    assert!(!is_alive(pids[1]));
    dies(pids[0]);
}

#[test]
fn an_abort_is_heard_above_a_flood() {
    let mut spec = oneshot("while :; do echo x; done");
    spec.max_output = usize::MAX;
    let mut aborted = false;
    let mut toy = Toy::new([submit(1, &[])]).reacting(move |notice| match notice {
        Notice::Message { job, .. } if !aborted => {
            aborted = true;
            vec![Request::Abort { job: *job }]
        }
        _ => Vec::new(),
    });
    drive(&mut toy, spec);
    assert_eq!(toy.end(1), &Notice::AbortAck { job: JobId(1) });
}

#[test]
fn a_child_left_behind_by_a_finished_program_dies_too() {
    let toy = ask(oneshot("sleep 1000 & echo $!"), &[&[]]);
    dies(&toy.output(1)[0]);
    // It holds the program's output open, which must not delay the answer of a crash either.
    let toy = ask(warm("sleep 1000 & echo $!; exit 5"), &[&["a"]]);
    says(toy.failure(1), &["exit code 5"]);
    dies(toy.messages()[0]);
}

#[test]
fn a_program_that_died_while_idle_is_replaced_without_a_word() {
    // It ends right after its answer; whether the slot notices before or after its next query is chance.
    let jobs: Vec<&[&str]> = vec![&["a"]; 50];
    let toy = ask(warm("echo \"$line\" $$; echo end; exit 1"), &jobs);
    let mut answers: Vec<_> = (1..=50).map(|job| &toy.output(job)[0]).collect();
    answers.sort();
    answers.dedup();
    assert_eq!(answers.len(), 50, "each by its own process");
}

#[test]
fn a_warm_program_that_dies_over_a_query_has_crashed() {
    let toy = ask(
        warm("[ \"$line\" = b ] && sleep 0.3 && exit 7; echo \"$line\"; echo end"),
        &[&["a"], &["b"], &["c"]],
    );
    assert_eq!((toy.output(1), toy.output(3)), (&["a".to_string()][..], &["c".to_string()][..]));
    says(toy.failure(2), &["exit code 7"]);
}

#[test]
fn what_is_printed_unasked_is_no_part_of_the_next_answer() {
    let jobs = [submit(1, &["a"]), submit(2, &["b"])];
    let toy = |jobs: &[Submit]| {
        // Between the two jobs there is time for the late line to come.
        Toy::new(jobs.to_vec()).reacting(|notice| {
            if notice.ends() == Some(JobId(1)) {
                thread::sleep(Duration::from_secs(1));
            }
            Vec::new()
        })
    };
    let mut stray = toy(&jobs);
    drive(&mut stray, warm("echo \"$line\"; echo end; echo stray; echo end"));
    assert_eq!(stray.output(2), ["b"]);

    // Blank lines are harmless: the process is kept.
    let mut blank = toy(&jobs);
    drive(&mut blank, warm("echo $$; echo end; echo; echo"));
    assert_eq!(blank.output(1), blank.output(2));

    // Part of the same chunk as the terminator.
    let mut chunk = toy(&jobs);
    drive(&mut chunk, warm("printf \"$line\\nend\\nstray\\nend\\n\""));
    assert_eq!(chunk.output(2), ["b"]);
}

#[test]
fn words_that_are_no_query_line_are_refused() {
    let toy = ask(warm("echo ok; echo end"), &[&["a\nb"], &["a b"], &["a", ""], &["\u{2003}"], &["a"], &[]]);
    for job in 1..=4 {
        assert!(matches!(toy.failure(job), Failure::NotStarted(_)));
    }
    says(toy.failure(1), &["\"a\\nb\""]);
    assert_eq!(toy.output(5), ["ok"]);
    assert_eq!(toy.output(6), ["ok"], "no words are an empty line, which is a question too");
    // Not even a one-shot program can be given a zero byte.
    assert!(matches!(ask(oneshot(":"), &[&["a\0b"]]).failure(1), Failure::NotStarted(_)));
}

#[test]
fn a_missing_or_unusable_command_is_named() {
    let toy = ask(ProgramSpec::lines("p", ["no-such-engine", "-x"], "end"), &[&["a"]]);
    assert!(matches!(toy.failure(1), Failure::NotStarted(_)));
    says(toy.failure(1), &["no-such-engine -x", "No such file"]);

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine");
    std::fs::write(&path, "not a program").unwrap();
    let toy = ask(ProgramSpec::oneshot("p", [path.to_str().unwrap()]), &[&["a"]]);
    says(toy.failure(1), &["engine", "ermission denied"]);
}

#[test]
fn a_program_that_no_worker_has_never_runs() {
    let mut job = submit(1, &["a"]);
    job.program = "q".into();
    let mut toy = Toy::new([job]);
    drive(&mut toy, warm("echo end"));
    assert!(!matches!(toy.end(1), Notice::Done { .. }), "{:?}", toy.end(1));
}

#[test]
fn the_running_executable_can_be_a_program() {
    // This very test binary, asked for its list of tests.
    let toy = ask(ProgramSpec::oneshot("p", ["{self}", "--list"]), &[&["--format", "terse"]]);
    assert!(toy.output(1).iter().any(|line| line.contains("running_executable")));
}

#[test]
#[cfg(target_os = "linux")]
fn processor_time_is_counted_also_of_a_wrapped_program() {
    let busy = "i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done";
    let specs = [
        warm(&format!("{busy}; echo end")),
        oneshot(busy),
        oneshot(&format!("sh -c '{busy}'; :")),
        warm("sleep 0.3; echo end"),
        oneshot("sleep 0.3"),
    ];
    let cpu = specs.map(|spec| match ask(spec, &[&["a"]]).end(1) {
        Notice::Done { cpu, .. } => *cpu,
        other => panic!("{other:?}"),
    });
    assert!(cpu[..3].iter().all(|c| *c >= Duration::from_millis(20)), "{cpu:?}");
    assert!(cpu[3..].iter().all(|c| *c > Duration::ZERO && *c < Duration::from_millis(200)), "{cpu:?}");
}

#[test]
fn several_workers_run_jobs_at_the_same_time() {
    // Each waits until the other has begun.
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    let meet = "touch \"$1\"; while [ ! -e \"$2\" ]; do sleep 0.01; done; echo met";
    let (a, b) = (a.to_str().unwrap(), b.to_str().unwrap());
    let mut toy = Toy::new([submit(1, &[a, b]), submit(2, &[b, a])]);
    let mut most = 0;
    let mut last = LocalStats::default();
    let ended = run(&mut toy, &options(oneshot(meet), 2), &StopHandle::new(), &mut |_, stats| {
        most = most.max(stats.running);
        last = *stats;
    });
    assert_eq!(ended.unwrap(), Ended::Finished);
    assert_eq!(toy.output(1), ["met"]);
    assert_eq!(most, 2);
    assert_eq!((last.workers, last.running, last.done), (2, 0, 2));
}

#[test]
fn a_stop_returns_at_once_keeps_what_is_done_and_leaves_no_process() {
    let script = "case $line in hang) sleep 1000 & echo $!; echo $$; wait;; *) echo $$; echo end;; esac";
    let mut toy = Toy::new([submit(1, &["a"]), submit(2, &["hang"]), submit(3, &["b"])]);
    let stop = StopHandle::new();
    let handle = stop.clone();
    let began = Instant::now();
    let ended = run(&mut toy, &options(warm(script), 1), &stop, &mut |toy, _| {
        if toy.messages().len() == 3 && !handle.is_stopped() {
            let handle = handle.clone();
            thread::spawn(move || handle.stop());
        }
    });
    assert_eq!(ended.unwrap(), Ended::Stopped);
    assert!(began.elapsed() < LONG);
    toy.output(1);
    assert!(toy.log.iter().all(|n| !matches!(n.ends(), Some(JobId(2 | 3)))));
    let pids = toy.messages();
    assert!(!is_alive(pids[0]) && !is_alive(pids[2]));
    dies(pids[1]);

    // A handle that was used before the run stops it too.
    let mut toy = Toy::new([submit(1, &["hang"])]);
    assert_eq!(run(&mut toy, &options(warm(script), 1), &stop, &mut |_, _| {}).unwrap(), Ended::Stopped);
}

#[test]
fn results_that_came_together_with_a_stop_reach_the_client() {
    let mut toy = Toy::new([submit(1, &["a"]), submit(2, &["b"])]);
    let stop = StopHandle::new();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answered");
    let script = format!("echo end; touch {}; sleep 1000", file.display());
    let ended = run(&mut toy, &options(warm(&script), 1), &stop, &mut |_, stats| {
        if stats.running == 1 {
            // The answer is there before the loop looks again.
            while !file.exists() {
                thread::sleep(Duration::from_millis(5));
            }
            thread::sleep(Duration::from_millis(500));
            stop.stop();
        }
    });
    assert_eq!(ended.unwrap(), Ended::Stopped);
    assert!(toy.output(1).is_empty());
}

#[test]
fn an_error_of_the_client_stops_everything() {
    let mut toy = Toy::new([submit(1, &["a"])]);
    toy.refuses = true;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let script = format!("echo $$ > {}; echo x; sleep 1000", file.display());
    let error = run(&mut toy, &options(warm(&script), 1), &StopHandle::new(), &mut |_, _| {}).unwrap_err();
    assert!(matches!(error, LocalError::Client(_)));
    assert_eq!(error.to_string(), "the journal is full");
    assert!(!is_alive(std::fs::read_to_string(file).unwrap().trim()));
}

#[test]
fn a_panic_of_the_client_leaves_no_process() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let script = format!("echo $$ > {}; echo x; sleep 1000", file.display());
    let panicked = thread::spawn(move || {
        let mut toy = Toy::new([submit(1, &["a"])]).reacting(|notice| match notice {
            Notice::Message { .. } => panic!("as the test wants"),
            _ => Vec::new(),
        });
        let _ = run(&mut toy, &options(warm(&script), 1), &StopHandle::new(), &mut |_, _| {});
    });
    assert!(panicked.join().is_err());
    assert!(!is_alive(std::fs::read_to_string(file).unwrap().trim()));
}

#[test]
fn finishing_early_kills_what_still_runs() {
    // Finished after the first end; the other job hangs.
    let mut toy = Toy::new([submit(1, &["hang"]), submit(2, &["a"])]);
    toy.open = 1;
    let script = "case $line in hang) echo $$; sleep 1000;; *) sleep 0.3; echo ok; echo end;; esac";
    let ended = run(&mut toy, &options(warm(script), 2), &StopHandle::new(), &mut |_, _| {});
    assert_eq!(ended.unwrap(), Ended::Finished);
    assert_eq!(toy.output(2), ["ok"]);
    assert!(!is_alive(toy.messages()[0]));
}

#[test]
fn a_client_that_wants_nothing_and_never_finishes_is_an_error() {
    let mut toy = Toy::new([]);
    toy.open = 1;
    let none = run(&mut toy, &options(warm(":"), 2), &StopHandle::new(), &mut |_, _| {});
    assert!(matches!(none, Err(LocalError::Stalled)));
    let none = run(&mut toy, &options(warm(":"), 0), &StopHandle::new(), &mut |_, _| {});
    assert!(matches!(none, Err(LocalError::NoWorkers)));
}

fn ticket(job: u64) -> Ticket {
    Ticket { client: ClientId(0), job: JobId(job), attempt: 0 }
}

fn assign(job: u64, program: &str, word: &str) -> Order {
    let input = Input { words: vec![word.into()], stdin: Vec::new() };
    Order::Assign { ticket: ticket(job), program: program.into(), input, cores: 1, time_limit: None }
}

#[test]
fn a_slot_alone_keeps_orders_in_their_order() {
    let script = "case $line in hang) echo $$; sleep 1000;; ask) read -r more; echo \"$more\"; echo end;;
        *) echo \"$line\"; echo end;; esac";
    let (sender, reports) = channel();
    let registry = options(warm(script), 1).registry;
    let slot =
        Slot::start("slot", registry, move |batch| batch.into_iter().for_each(|r| sender.send(r).unwrap()))
            .unwrap();
    let next = || loop {
        match reports.recv_timeout(LONG).unwrap() {
            Report::Doing { .. } => {}
            Report::Done { ticket, output, .. } => {
                return Report::Done { ticket, output, cpu: Duration::ZERO };
            }
            report => return report,
        }
    };
    let done = |job: u64, line: &str| Report::Done {
        ticket: ticket(job),
        output: vec![line.into()],
        cpu: Duration::ZERO,
    };
    let message = |job: u64, line: &str| Report::Message { ticket: ticket(job), line: line.into() };

    slot.order(assign(1, "q", "a"));
    match next() {
        Report::Failed { ticket: t, failure: Failure::NotStarted(why), .. } => {
            assert_eq!(t, ticket(1));
            assert!(why.contains("\"q\"") && why.ends_with("there are: p"), "{why}");
        }
        other => panic!("{other:?}"),
    }
    // What waits behind a running job can be aborted, written to, or run after it.
    slot.order(assign(2, "p", "hang"));
    let Report::Message { line: pid, .. } = next() else { panic!("no message") };
    for job in [3, 4] {
        slot.order(assign(job, "p", "b"));
    }
    slot.order(assign(5, "p", "ask"));
    slot.order(Order::Stdin { ticket: ticket(5), line: "more".into() });
    slot.order(Order::SetCores { ticket: ticket(2), cores: 2 });
    slot.order(Order::Abort { ticket: ticket(3) });
    slot.order(Order::Abort { ticket: ticket(99) });
    slot.order(Order::Abort { ticket: ticket(2) });
    assert_eq!(next(), Report::CoresSet { ticket: ticket(2), cores: 2 });
    assert_eq!(next(), Report::AbortAck { ticket: ticket(3) });
    assert_eq!(next(), Report::AbortAck { ticket: ticket(2) });
    assert!(!is_alive(&pid));
    assert_eq!(next(), message(4, "b"));
    assert_eq!(next(), done(4, "b"));
    assert_eq!(next(), message(5, "more"));
    assert_eq!(next(), done(5, "more"));

    slot.order(assign(6, "p", "hang"));
    let Report::Message { line: pid, .. } = next() else { panic!("no message") };
    drop(slot);
    assert!(!is_alive(&pid));
    assert!(reports.recv().is_err(), "a dropped slot has nothing more to say");
}
