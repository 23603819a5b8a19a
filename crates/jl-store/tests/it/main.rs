//! The run file: what is written is what is read, and nothing else is taken for one.

use jl_messages::{Driven, DropReason, Failure, JobClient, JobId, Notice, Request};
use jl_store::{Entry, Journalled, RunFile, StoreError};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

fn folder() -> (TempDir, PathBuf) {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("run.jl");
    (dir, path)
}

fn entries() -> Vec<Entry> {
    vec![
        Entry::Available,
        Entry::Done {
            job: JobId(0),
            question: "--moves a1 --prohibit b2".into(),
            output: vec!["{\"move\":\"é\"}".into(), String::new()],
            cpu: Duration::from_millis(3),
        },
        Entry::Cached { job: JobId(5), question: "--moves a1".into(), output: vec!["{}".into()] },
        Entry::Available,
        Entry::Failed { job: JobId(1), failure: Failure::Flooded("x".into()), cpu: Duration::ZERO },
        Entry::Dropped { job: JobId(2), reason: DropReason::WorkerLost },
        Entry::Dropped { job: JobId(3), reason: DropReason::Refused("no".into()) },
        Entry::Limit(Some(7)),
        Entry::Limit(None),
        Entry::Retry,
        Entry::Session { first_job: 2_000_000 },
    ]
}

fn read(path: &Path) -> Vec<Entry> {
    let mut all = Vec::new();
    RunFile::open_to_read(path)
        .unwrap()
        .replay(|_, e| {
            all.push(e);
            Ok(())
        })
        .unwrap();
    all
}

#[test]
fn a_journal_reads_as_it_was_written() {
    let (_dir, path) = folder();
    let mut run = RunFile::create(&path, "{}").unwrap();
    for e in entries() {
        run.append(&e).unwrap();
    }
    assert_eq!(read(&path), [], "nothing is there before the commit");
    run.commit().unwrap();
    assert_eq!(read(&path), entries(), "a reader sees it while the writer is open");
    run.set_status("decided", "abc", "{}").unwrap();
    drop(run);
    assert_eq!(read(&path), entries());
    let info = RunFile::open(&path).unwrap().info().unwrap();
    assert_eq!((info.status.as_str(), info.digest.as_deref(), info.entries), ("decided", Some("abc"), 11));
    let left: Vec<_> =
        std::fs::read_dir(path.parent().unwrap()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["run.jl"], "one file is left");
}

#[test]
fn a_jobs_end_is_written_once() {
    let (_dir, path) = folder();
    let mut run = RunFile::create(&path, "{}").unwrap();
    run.append(&Entry::Dropped { job: JobId(4), reason: DropReason::WorkerLost }).unwrap();
    let again = run.append(&Entry::Done {
        job: JobId(4),
        question: String::new(),
        output: vec![],
        cpu: Duration::ZERO,
    });
    assert!(matches!(again, Err(StoreError::CannotWrite { .. })), "{again:?}");
}

#[test]
fn a_second_writer_is_refused_and_an_existing_file_left_alone() {
    let (_dir, path) = folder();
    let run = RunFile::create(&path, "{}").unwrap();
    assert!(matches!(RunFile::open(&path), Err(StoreError::InUse { .. })));
    assert!(matches!(RunFile::create(&path, "{}"), Err(StoreError::Exists { .. })));
    drop(run);
    assert!(RunFile::open(&path).is_ok());
    assert!(matches!(RunFile::create(&path, "{}"), Err(StoreError::Exists { .. })));
}

#[test]
fn other_files_are_not_taken_for_runs() {
    let (dir, path) = folder();
    let open = |p: &Path| (RunFile::open(p).err().unwrap(), RunFile::open_to_read(p).err().unwrap());
    let (a, b) = open(&path);
    assert!(matches!((&a, &b), (StoreError::CannotOpen { .. }, StoreError::CannotOpen { .. })), "{a} {b}");
    std::fs::write(&path, "a text file of some length, so that SQLite looks at its header").unwrap();
    let (a, b) = open(&path);
    assert!(matches!((&a, &b), (StoreError::NotARun { .. }, StoreError::NotARun { .. })), "{a} {b}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "nothing was written");
    std::fs::write(&path, "").unwrap();
    let (a, b) = open(&path);
    assert!(matches!((&a, &b), (StoreError::NotARun { .. }, StoreError::NotARun { .. })), "{a} {b}");
}

#[test]
fn versions_and_damage_are_named() {
    let (_dir, path) = folder();
    let mut run = RunFile::create(&path, "{}").unwrap();
    for e in entries() {
        run.append(&e).unwrap();
    }
    run.commit().unwrap();
    drop(run);
    let conn = rusqlite::Connection::open(&path).unwrap();
    conn.execute("UPDATE journal SET detail = '{\"output\":' WHERE seq = 2", []).unwrap();
    let damaged = RunFile::open_to_read(&path).unwrap().replay(|_, _| Ok(())).unwrap_err();
    assert!(matches!(damaged, StoreError::Damaged { seq: 2, .. }), "{damaged}");
    conn.execute("UPDATE journal SET kind = 'finished' WHERE seq = 2", []).unwrap();
    let damaged = RunFile::open_to_read(&path).unwrap().replay(|_, _| Ok(())).unwrap_err();
    assert!(damaged.to_string().contains("unknown kind 'finished'"), "{damaged}");
    conn.pragma_update(None, "user_version", 99).unwrap();
    let version = RunFile::open(&path).err().unwrap();
    assert!(version.to_string().contains("version 99"), "{version}");
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

#[test]
fn ends_are_durable_before_they_have_an_effect() {
    let (_dir, path) = folder();
    let client = Noting { awaited: vec![JobId(1), JobId(2)], ..Noting::default() };
    let mut run = Journalled::new(client, RunFile::create(&path, "{}").unwrap());
    run.receive(vec![Notice::WorkerAvailable, Notice::Doing { job: JobId(1) }]).unwrap();
    assert_eq!(read(&path), [], "a choice alone need not be durable");
    // A duplicate in the same batch, and an answer that nobody waits for.
    run.receive(vec![done(1), done(1), done(9), Notice::AbortAck { job: JobId(2) }]).unwrap();
    let written = read(&path);
    assert_eq!(written.len(), 2, "{written:?}");
    assert_eq!(written[0], Entry::Available);
    assert_eq!(written[1].clone().into_notice(), Ok(done(1)));
    assert_eq!(run.client().handled.len(), 6, "the client is told everything");
}

#[test]
fn a_notice_that_cannot_be_written_has_no_effect() {
    let (_dir, path) = folder();
    let client = Noting { awaited: vec![JobId(1)], forgetful: true, ..Noting::default() };
    let mut run = Journalled::new(client, RunFile::create(&path, "{}").unwrap());
    run.receive(vec![done(1)]).unwrap();
    // The client still says that it awaits job 1, but the journal has its end already.
    assert!(run.receive(vec![done(1)]).is_err());
    assert_eq!(run.client().handled.len(), 1);
}

#[test]
fn the_clock_goes_on_where_it_stopped() {
    let (_dir, path) = folder();
    let mut run = RunFile::create(&path, "{}").unwrap();
    std::thread::sleep(Duration::from_millis(30));
    run.append(&Entry::Available).unwrap();
    run.commit().unwrap();
    drop(run);
    let run = RunFile::open(&path).unwrap();
    assert!(run.seconds() >= 0.03);
    assert!(run.info().unwrap().seconds >= 0.03);
}

#[test]
fn a_change_by_the_user_is_durable_before_it_has_an_effect() {
    let (_dir, path) = folder();
    let mut run = Journalled::new(Noting::default(), RunFile::create(&path, "{}").unwrap());
    run.amend(&Entry::Retry, |_| assert_eq!(read(&path), [Entry::Retry])).unwrap();
}

#[test]
fn a_stopped_run_has_all_its_entries_and_one_that_goes_on_has_no_digest() {
    let (_dir, path) = folder();
    let mut run = RunFile::create(&path, "{}").unwrap();
    run.append(&Entry::Available).unwrap();
    run.set_status("stopped", "abc", "{}").unwrap();
    drop(run);
    assert_eq!(read(&path), [Entry::Available], "also those that no end of a job made durable");
    let mut run = RunFile::open(&path).unwrap();
    assert_eq!(run.info().unwrap().status, "stopped");
    run.set_running().unwrap();
    let info = RunFile::open_to_read(&path).unwrap().info().unwrap();
    assert_eq!((info.status.as_str(), info.digest), ("running", None), "its graph changes from now on");
}

#[test]
fn an_answer_is_not_taken_for_another_questions() {
    let (_dir, path) = folder();
    let mut run = RunFile::create(&path, "{}").unwrap();
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
    // A job that the client never made.
    let mut client = Noting { awaited: vec![JobId(2)], ..Noting::default() };
    let refused = jl_store::replay(&run, &mut client, |_, _| ()).unwrap_err();
    assert!(matches!(refused, StoreError::Diverged { seq: 1, .. }), "{refused}");
}

/// The POSIX locks that this process holds on a file.
#[cfg(target_os = "linux")]
fn locks(path: &Path) -> usize {
    use std::os::unix::fs::MetadataExt;
    let inode = std::fs::metadata(path).unwrap().ino();
    let (pid, inode) = (format!(" {} ", std::process::id()), format!(":{inode} "));
    let table = std::fs::read_to_string("/proc/locks").unwrap();
    table.lines().filter(|l| l.contains("POSIX") && l.contains(&pid) && l.contains(&inode)).count()
}

#[test]
#[cfg(target_os = "linux")]
fn a_second_look_from_the_same_process_leaves_the_writers_locks_alone() {
    let (_dir, path) = folder();
    let _run = RunFile::create(&path, "{}").unwrap();
    let before = locks(&path);
    assert!(before > 0, "SQLite holds a lock in WAL mode");
    let reader = RunFile::open_to_read(&path);
    assert!(locks(&path) >= before);
    drop(reader);
    assert!(locks(&path) >= before, "looking at the file cancelled the writer's locks");
    assert!(RunFile::open(&path).is_err(), "it is in use");
    assert!(locks(&path) >= before, "a refused second writer cancelled the first one's locks");
}
