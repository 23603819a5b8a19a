//! What holds of files alone.

use crate::place::{Place, read};
use jl_messages::{DropReason, JobId};
use jl_store::{Address, Entry, RunStore, StoreError};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn folder() -> (TempDir, PathBuf) {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("run.jl");
    (dir, path)
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).unwrap();
    entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn one_file_is_left() {
    let (dir, path) = folder();
    let mut run = RunStore::create(&path.as_path().into(), "{}").unwrap();
    run.append(&Entry::Retry).unwrap();
    run.commit().unwrap();
    drop(RunStore::open_to_read(&path.as_path().into()).unwrap());
    drop(run);
    assert_eq!(names(&dir), ["run.jl"]);
}

#[test]
fn other_files_are_not_taken_for_runs() {
    let (dir, path) = folder();
    let open = |p: &Path| {
        (RunStore::open(&p.into()).err().unwrap(), RunStore::open_to_read(&p.into()).err().unwrap())
    };
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
fn a_newer_version_is_refused() {
    let place = Place::sqlite();
    drop(place.create());
    place.tamper("PRAGMA user_version = 99");
    for refused in [RunStore::open(&place.run()), RunStore::open_to_read(&place.run())] {
        let why = refused.err().unwrap().to_string();
        assert!(why.contains("has version 99"), "{why}");
    }
}

/// A file of version 1.
fn version_1(path: &Path) -> rusqlite::Connection {
    let conn = rusqlite::Connection::open(path).unwrap();
    conn.execute_batch(include_str!("../fixtures/version-1.sql")).unwrap();
    conn
}

fn version(path: &Path) -> i32 {
    let conn = rusqlite::Connection::open(path).unwrap();
    conn.pragma_query_value(None, "user_version", |r| r.get(0)).unwrap()
}

#[test]
fn version_1_is_brought_to_version_2() {
    type Opens = fn(&Address) -> Result<RunStore, StoreError>;
    for open in [RunStore::open as Opens, RunStore::open_to_read] {
        let (dir, path) = folder();
        drop(version_1(&path));
        let address = Address::from(path.as_path());
        let listed = jl_store::list(&address).unwrap();
        assert_eq!((listed[0].answers, listed[0].status.as_str(), version(&path)), (7, "limit", 1));
        let run = open(&address).unwrap();
        let info = run.info().unwrap();
        assert_eq!((info.entries, info.created.as_str()), (25, "2026-11-16T09:01:03Z"));
        assert_eq!(info.digest.as_deref(), Some("4b20d036b0614ae4"));
        assert!((info.seconds - 0.279).abs() < 1e-12, "{}", info.seconds);
        assert_eq!(run.saved().unwrap(), None);
        drop(run);
        let entries = read(&address);
        let Entry::Done { job: JobId(0), question, output, cpu } = &entries[2] else {
            panic!("{:?}", entries[2]);
        };
        assert_eq!((question.as_str(), cpu.as_nanos()), ("--delay 40ms --moves a1-b2-c3", 2_393_053));
        assert!(output[0].starts_with("{\"move\":\"b1\""), "{output:?}");
        let lost = |e: &&Entry| matches!(e, Entry::Dropped { reason: DropReason::ClientRestarted, .. });
        assert_eq!(entries.iter().filter(lost).count(), 3);
        assert!(entries.contains(&Entry::Limit(Some(7))));
        assert!(entries.contains(&Entry::Session { first_job: 2_000_000, note: None }));
        assert_eq!((names(&dir), version(&path)), (vec!["run.jl".to_string()], 2));
        let conn = rusqlite::Connection::open(&path).unwrap();
        let tables = "SELECT group_concat(name, ' ') FROM (SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1)";
        let tables: String = conn.query_row(tables, [], |r| r.get(0)).unwrap();
        assert_eq!(tables, "jobs journal moves positions runs");
    }
}

#[test]
fn a_file_that_cannot_be_brought_to_version_2_stays_as_it_is() {
    let (_dir, path) = folder();
    version_1(&path).execute("UPDATE journal SET detail = '{' WHERE seq = 24", []).unwrap();
    let address = Address::from(path.as_path());
    for refused in [RunStore::open(&address), RunStore::open_to_read(&address)] {
        let why = refused.err().unwrap();
        assert!(matches!(why, StoreError::Damaged { seq: 24, .. }), "{why}");
        assert_eq!(version(&path), 1);
    }
    let conn = rusqlite::Connection::open(&path).unwrap();
    let rows: i64 = conn.query_row("SELECT count(*) FROM journal", [], |r| r.get(0)).unwrap();
    assert_eq!(rows, 25);
    // Someone writes it, as a program of version 1 does.
    conn.execute("UPDATE journal SET detail = '{}', kind = 'available', job = NULL WHERE seq = 24", [])
        .unwrap();
    let file = std::fs::File::open(&path).unwrap();
    file.try_lock().unwrap();
    assert!(matches!(RunStore::open_to_read(&address), Err(StoreError::InUse { .. })));
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
    let _run = RunStore::create(&path.as_path().into(), "{}").unwrap();
    let before = locks(&path);
    assert!(before > 0, "SQLite holds a lock in WAL mode");
    let reader = RunStore::open_to_read(&path.as_path().into());
    assert!(locks(&path) >= before);
    drop(reader);
    assert!(locks(&path) >= before, "looking at the file cancelled the writer's locks");
    assert!(RunStore::open(&path.as_path().into()).is_err(), "it is in use");
    assert!(locks(&path) >= before, "a refused second writer cancelled the first one's locks");
}
