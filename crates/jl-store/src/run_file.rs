//! The SQLite file of a run.

use crate::Entry;
use jl_messages::JobId;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

const APPLICATION_ID: i32 = 0x6a6c_7275; // "jlru"
const SCHEMA_VERSION: i32 = 1;

const SCHEMA: &str = "
CREATE TABLE runs (
    id         INTEGER PRIMARY KEY,
    created    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    parameters TEXT NOT NULL,                -- JSON: game, position, search, program, limits
    status     TEXT NOT NULL,                -- running, stopped, decided, limit, given-up
    digest     TEXT,                         -- fingerprint of the graph when the run last stopped
    report     TEXT                          -- JSON: the last report
);
CREATE TABLE journal (
    seq    INTEGER PRIMARY KEY,
    run    INTEGER NOT NULL REFERENCES runs (id),
    at     REAL NOT NULL,                    -- seconds of running time since the run was created
    kind   TEXT NOT NULL,                    -- available, done, failed, dropped, limit, retry, session
    job    INTEGER,
    detail TEXT                              -- JSON
);
CREATE UNIQUE INDEX one_end_per_job ON journal (run, job) WHERE job IS NOT NULL;
";

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{path} exists already; 'jl resume {path}' goes on with it, or choose another --run file")]
    Exists { path: String },
    #[error("{path} is in use by another client; wait for it to end or stop it first")]
    InUse { path: String },
    #[error("cannot open {path}: {why}")]
    CannotOpen { path: String, why: String },
    #[error("{path} is not a run file: {why}")]
    NotARun { path: String, why: String },
    #[error("{path} is not a file of answers: {why}")]
    NotAnswers { path: String, why: String },
    #[error("{path} has run-file version {found}; this program reads version {SCHEMA_VERSION}")]
    Version { path: String, found: i32 },
    #[error("{path} is damaged at journal entry {seq}: {why}")]
    Damaged { path: String, seq: i64, why: String },
    #[error(
        "{path} was recorded by a program that chose its jobs differently: entry {seq} ends job {job}, {now}; \
         resume it with the version that began it"
    )]
    Diverged { path: String, seq: i64, job: JobId, now: String },
    #[error("cannot write to {path}: {why}")]
    CannotWrite { path: String, why: String },
}

/// What `runs` says.
#[derive(Clone, PartialEq, Debug)]
pub struct RunInfo {
    pub created: String,
    /// JSON, as given to [`RunFile::create`].
    pub parameters: String,
    pub status: String,
    pub digest: Option<String>,
    pub report: Option<String>,
    /// Running time recorded so far.
    pub seconds: f64,
    pub entries: u64,
}

/// A run file that is open for writing by this process alone, or for reading.
pub struct RunFile {
    path: PathBuf,
    conn: Connection,
    /// Running time before this session.
    earlier: f64,
    since: Instant,
    // Dropped after the connection, see `WRITTEN`.
    _lock: Option<(File, Claim)>,
}

/// The run files that this process writes. Closing any handle to a file releases the locks that SQLite holds on it in
/// the same process, so that a second handle must not even be opened.
static WRITTEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A place in [`WRITTEN`], given back when dropped.
struct Claim(PathBuf);

impl Claim {
    fn new(path: &Path) -> Result<Claim, StoreError> {
        // A file that does not exist yet is written by nobody.
        let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
        if written.insert(real.clone()) {
            Ok(Claim(real))
        } else {
            Err(StoreError::InUse { path: show(path) })
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        WRITTEN.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

fn show(path: &Path) -> String {
    path.display().to_string()
}

impl RunFile {
    /// A new run file; an existing file is left alone.
    pub fn create(path: &Path, parameters: &str) -> Result<RunFile, StoreError> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path);
        let lock = file.map_err(|e| match e.kind() {
            std::io::ErrorKind::AlreadyExists => StoreError::Exists { path: show(path) },
            _ => StoreError::CannotOpen { path: show(path), why: e.to_string() },
        })?;
        let claim = lock_exclusively(path, &lock)?;
        let cannot = |e: rusqlite::Error| StoreError::CannotOpen { path: show(path), why: e.to_string() };
        let conn = Connection::open(path).map_err(cannot)?;
        let set_up = || {
            conn.pragma_update(None, "application_id", APPLICATION_ID)?;
            conn.pragma_update(None, "user_version", SCHEMA_VERSION)?;
            tune(&conn)?;
            conn.execute_batch(&format!("BEGIN; {SCHEMA} COMMIT;"))?;
            conn.execute("INSERT INTO runs (parameters, status) VALUES (?1, 'running')", [parameters])
        };
        set_up().map_err(cannot).inspect_err(|_| {
            // Half a run file is none; if it can't even be removed, the error says enough.
            let _ = std::fs::remove_file(path);
        })?;
        let path = path.to_path_buf();
        Ok(RunFile { path, conn, earlier: 0.0, since: Instant::now(), _lock: Some((lock, claim)) })
    }

    /// An existing run file, to go on with it.
    pub fn open(path: &Path) -> Result<RunFile, StoreError> {
        let claim = Claim::new(path)?;
        let file = OpenOptions::new().read(true).write(true).open(path);
        let lock = file.map_err(|e| StoreError::CannotOpen { path: show(path), why: e.to_string() })?;
        flock(path, &lock)?;
        let conn = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        tune(&conn).map_err(|e| StoreError::CannotOpen { path: show(path), why: e.to_string() })?;
        let mut run = RunFile {
            path: path.to_path_buf(),
            conn,
            earlier: 0.0,
            since: Instant::now(),
            _lock: Some((lock, claim)),
        };
        run.earlier = run.info()?.seconds;
        run.since = Instant::now();
        Ok(run)
    }

    /// An existing run file, to look into it, while it runs or afterwards.
    pub fn open_to_read(path: &Path) -> Result<RunFile, StoreError> {
        if let Err(e) = std::fs::metadata(path) {
            return Err(StoreError::CannotOpen { path: show(path), why: e.to_string() });
        }
        // The last connection to a file in WAL mode tidies up behind it, if it may write.
        let conn = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
            .or_else(|_| connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY))?;
        let path = path.to_path_buf();
        Ok(RunFile { path, conn, earlier: 0.0, since: Instant::now(), _lock: None })
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Running time in all sessions.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.earlier + self.since.elapsed().as_secs_f64()
    }

    pub fn info(&self) -> Result<RunInfo, StoreError> {
        let sql = "SELECT created, parameters, status, digest, report,
                          (SELECT coalesce(max(at), 0.0) FROM journal), (SELECT count(*) FROM journal)
                   FROM runs WHERE id = 1";
        let row = self.conn.query_row(sql, [], |r| {
            Ok(RunInfo {
                created: r.get(0)?,
                parameters: r.get(1)?,
                status: r.get(2)?,
                digest: r.get(3)?,
                report: r.get(4)?,
                seconds: r.get(5)?,
                entries: r.get::<_, i64>(6)?.unsigned_abs(),
            })
        });
        let row = row.optional().map_err(|e| self.not_a_run(&e))?;
        row.ok_or_else(|| StoreError::NotARun { path: show(&self.path), why: "it holds no run".into() })
    }

    /// Calls `each` with the number of every entry and the entry, in order, until it refuses one.
    pub fn replay(
        &self,
        mut each: impl FnMut(i64, Entry) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let sql = "SELECT seq, kind, job, detail FROM journal WHERE run = 1 ORDER BY seq";
        let mut statement = self.conn.prepare(sql).map_err(|e| self.not_a_run(&e))?;
        let mut rows = statement.query([]).map_err(|e| self.not_a_run(&e))?;
        let mut last = 0;
        loop {
            let damaged = |seq, why: String| StoreError::Damaged { path: show(&self.path), seq, why };
            let row = match rows.next() {
                Ok(Some(row)) => row,
                Ok(None) => return Ok(()),
                Err(e) => return Err(damaged(last + 1, e.to_string())),
            };
            let read = || -> rusqlite::Result<(i64, String, Option<i64>, Option<String>)> {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            };
            let (seq, kind, job, detail) = read().map_err(|e| damaged(last + 1, e.to_string()))?;
            let job = job.map(i64::unsigned_abs);
            let entry = Entry::from_row(&kind, job, detail.as_deref()).map_err(|why| damaged(seq, why))?;
            each(seq, entry)?;
            last = seq;
        }
    }

    /// Adds an entry. It is durable after the next [`RunFile::commit`].
    pub fn append(&mut self, entry: &Entry) -> Result<(), StoreError> {
        let at = self.seconds();
        let write = || -> rusqlite::Result<()> {
            if self.conn.is_autocommit() {
                self.conn.execute_batch("BEGIN IMMEDIATE")?;
            }
            let sql = "INSERT INTO journal (run, at, kind, job, detail) VALUES (1, ?1, ?2, ?3, ?4)";
            let mut insert = self.conn.prepare_cached(sql)?;
            insert.execute(params![at, entry.kind(), entry.ends().map(|j| j.0 as i64), entry.detail()])?;
            Ok(())
        };
        write().map_err(|e| self.cannot_write(&e))
    }

    /// Makes everything that was appended durable.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        if !self.conn.is_autocommit() {
            self.conn.execute_batch("COMMIT").map_err(|e| self.cannot_write(&e))?;
        }
        Ok(())
    }

    /// Records how the run stands when it stops.
    pub fn set_status(&mut self, status: &str, digest: &str, report: &str) -> Result<(), StoreError> {
        self.commit()?;
        let sql = "UPDATE runs SET status = ?1, digest = ?2, report = ?3 WHERE id = 1";
        self.conn.execute(sql, [status, digest, report]).map_err(|e| self.cannot_write(&e))?;
        Ok(())
    }

    /// Records that the run goes on.
    pub fn set_running(&mut self) -> Result<(), StoreError> {
        let sql = "UPDATE runs SET status = 'running', digest = NULL WHERE id = 1";
        self.conn.execute(sql, []).map_err(|e| self.cannot_write(&e))?;
        Ok(())
    }

    fn not_a_run(&self, e: &rusqlite::Error) -> StoreError {
        StoreError::NotARun { path: show(&self.path), why: e.to_string() }
    }

    fn cannot_write(&self, e: &rusqlite::Error) -> StoreError {
        StoreError::CannotWrite { path: show(&self.path), why: e.to_string() }
    }
}

/// For a file that was just created.
fn lock_exclusively(path: &Path, file: &File) -> Result<Claim, StoreError> {
    let claim = Claim::new(path)?;
    flock(path, file)?;
    Ok(claim)
}

fn flock(path: &Path, file: &File) -> Result<(), StoreError> {
    file.try_lock().map_err(|e| match e {
        TryLockError::WouldBlock => StoreError::InUse { path: show(path) },
        TryLockError::Error(e) => StoreError::CannotOpen { path: show(path), why: e.to_string() },
    })
}

/// Durable at every commit, and readers never wait for the writer.
fn tune(conn: &Connection) -> rusqlite::Result<()> {
    conn.pragma_update(None, "journal_mode", "WAL")?;
    conn.pragma_update(None, "synchronous", "FULL")
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let not_a_run = |why: String| StoreError::NotARun { path: show(path), why };
    let conn = Connection::open_with_flags(path, flags).map_err(|e| not_a_run(e.to_string()))?;
    let pragma = |name: &str| conn.pragma_query_value(None, name, |r| r.get::<_, i32>(0));
    let id = pragma("application_id").map_err(|e| not_a_run(e.to_string()))?;
    if id != APPLICATION_ID {
        return Err(not_a_run("it is some other kind of file".into()));
    }
    let found = pragma("user_version").map_err(|e| not_a_run(e.to_string()))?;
    if found != SCHEMA_VERSION {
        return Err(StoreError::Version { path: show(path), found });
    }
    Ok(conn)
}
