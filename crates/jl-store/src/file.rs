//! SQLite: a run in a file of its own.

use crate::address::encoded;
use crate::schema::{self, Dialect, VERSION};
use crate::sql::{Row, Sql, Value};
use crate::{StoreError, migration, patience};
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, params_from_iter};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

const APPLICATION_ID: i32 = 0x6a6c_7275; // "jlru"

/// A run file, open for writing by this process alone, or for reading.
pub struct RunFile {
    conn: Connection,
    // Dropped after the connection, see `WRITTEN`.
    _lock: Option<Lock>,
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

/// What keeps other writers away.
struct Lock {
    _file: File,
    _claim: Claim,
}

impl Lock {
    /// Of an existing file.
    fn of(path: &Path) -> Result<Lock, StoreError> {
        let claim = Claim::new(path)?;
        let file = OpenOptions::new().read(true).write(true).open(path);
        let file = file.map_err(|e| cannot_open(path, e))?;
        flock(path, &file)?;
        Ok(Lock { _file: file, _claim: claim })
    }
}

fn show(path: &Path) -> String {
    path.display().to_string()
}

fn cannot_open(path: &Path, why: impl ToString) -> StoreError {
    StoreError::CannotOpen { path: show(path), why: why.to_string() }
}

impl RunFile {
    /// A new file with empty tables, made a run by `fill`; an existing file is left alone.
    pub fn create<T>(
        path: &Path,
        fill: impl FnOnce(&mut RunFile) -> Result<T, String>,
    ) -> Result<(RunFile, T), StoreError> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path);
        let file = file.map_err(|e| match e.kind() {
            std::io::ErrorKind::AlreadyExists => StoreError::Exists { path: show(path) },
            _ => cannot_open(path, e),
        })?;
        // The claim is on the real path, which a file has only once it exists.
        let claim = Claim::new(path)?;
        flock(path, &file)?;
        let set_up = || -> Result<(RunFile, T), String> {
            let conn = Connection::open(path).map_err(in_words)?;
            conn.pragma_update(None, "application_id", APPLICATION_ID).map_err(in_words)?;
            conn.pragma_update(None, "user_version", VERSION).map_err(in_words)?;
            tune(&conn).map_err(in_words)?;
            let mut run = RunFile { conn, _lock: Some(Lock { _file: file, _claim: claim }) };
            run.begin()?;
            run.batch(&schema::tables(Dialect::Sqlite))?;
            let filled = fill(&mut run)?;
            run.commit()?;
            Ok((run, filled))
        };
        set_up().map_err(|why| cannot_open(path, why)).inspect_err(|_| {
            // Half a run file is none; if it can't even be removed, the error says enough.
            let _ = std::fs::remove_file(path);
        })
    }

    /// An existing file, to go on with it.
    pub fn open(path: &Path) -> Result<RunFile, StoreError> {
        let lock = Lock::of(path)?;
        let connected = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE);
        let (conn, version) = connected.map_err(|e| match e {
            StoreError::CannotOpen { path, why } => {
                StoreError::CannotOpen { path, why: format!("{why}; its folder must be writable, too") }
            }
            other => other,
        })?;
        tune(&conn).map_err(|e| cannot_open(path, e))?;
        let mut run = RunFile { conn, _lock: Some(lock) };
        if version < VERSION {
            migration::from_1(&mut run, path)?;
        }
        Ok(run)
    }

    /// An existing file, to look into it, while it runs or afterwards. One of an earlier version is brought to this one.
    pub fn open_to_read(path: &Path) -> Result<RunFile, StoreError> {
        let (run, version) = RunFile::open_as_it_is(path)?;
        if version == VERSION {
            return Ok(run);
        }
        drop(run);
        match RunFile::open(path) {
            // Opened anew, since others may write it from now on.
            Ok(run) => drop(run),
            Err(StoreError::CannotOpen { path, why } | StoreError::CannotWrite { path, why }) => {
                return Err(StoreError::CannotMigrate { path, found: version, why });
            }
            Err(other) => return Err(other),
        }
        RunFile::open_as_it_is(path).map(|(run, _)| run)
    }

    /// An existing file, to look into it, and the version of its tables.
    pub fn open_as_it_is(path: &Path) -> Result<(RunFile, i32), StoreError> {
        std::fs::metadata(path).map_err(|e| cannot_open(path, e))?;
        // The last connection to a file in WAL mode tidies up behind it, if it may write.
        let (conn, version) = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
            // Before anything is made beside it that this process may not take away again.
            .or_else(|e| connect_unchanging(path).and_then(Result::ok).ok_or(e))
            .or_else(|_| connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY))
            .map_err(|e| match e {
                StoreError::CannotOpen { why, .. } if log_of(path).exists() => {
                    let log = show(&log_of(path));
                    let how = "must be taken in first, in a folder that can be written";
                    cannot_open(path, format!("{why}; its log {log} {how}"))
                }
                other => other,
            })?;
        Ok((RunFile { conn, _lock: None }, version))
    }
}

fn flock(path: &Path, file: &File) -> Result<(), StoreError> {
    patience::until_free(|| {
        file.try_lock().map_err(|e| match e {
            TryLockError::WouldBlock => StoreError::InUse { path: show(path) },
            TryLockError::Error(e) => cannot_open(path, e),
        })
    })
}

/// Durable at every commit, and readers never wait for the writer.
fn tune(conn: &Connection) -> rusqlite::Result<()> {
    conn.pragma_update(None, "journal_mode", "WAL")?;
    conn.pragma_update(None, "synchronous", "FULL")
}

/// A file in WAL mode in a folder where nothing can be made can be read if there is no log: nobody writes it.
fn connect_unchanging(path: &Path) -> Option<Result<(Connection, i32), StoreError>> {
    if log_of(path).exists() {
        return None;
    }
    let uri = format!("file:{}?immutable=1", encoded(path.to_str()?));
    Some(connect(Path::new(&uri), OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI))
}

/// The log that belongs to a file while it is written.
pub fn log_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push("-wal");
    name.into()
}

fn connect(path: &Path, flags: OpenFlags) -> Result<(Connection, i32), StoreError> {
    let not_a_run = |why: String| StoreError::NotARun { path: show(path), why };
    let refused = |e: rusqlite::Error| match e.sqlite_error_code() {
        Some(
            ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::DiskFull,
        ) => cannot_open(path, in_words(e)),
        _ => not_a_run(e.to_string()),
    };
    let conn = Connection::open_with_flags(path, flags).map_err(refused)?;
    // SQLite makes do with less than it was asked for.
    if flags.contains(OpenFlags::SQLITE_OPEN_READ_WRITE) && conn.is_readonly("main").map_err(refused)? {
        return Err(cannot_open(path, "it is read-only"));
    }
    let pragma = |name: &str| conn.pragma_query_value(None, name, |r| r.get::<_, i32>(0));
    let id = pragma("application_id").map_err(refused)?;
    if id != APPLICATION_ID {
        return Err(not_a_run("it is some other kind of file".into()));
    }
    let found = pragma("user_version").map_err(refused)?;
    if !(1..=VERSION).contains(&found) {
        return Err(StoreError::Version { path: show(path), found });
    }
    conn.set_prepared_statement_cache_capacity(64);
    Ok((conn, found))
}

fn in_words(e: rusqlite::Error) -> String {
    match e.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "the disk is full".into(),
        _ => e.to_string(),
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Int(n) => ValueRef::Integer(*n),
            Value::Real(x) => ValueRef::Real(*x),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

fn value(value: ValueRef<'_>) -> Result<Value<'static>, String> {
    Ok(match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(n) => Value::Int(n),
        ValueRef::Real(x) => Value::Real(x),
        ValueRef::Text(text) => {
            Value::Text(std::str::from_utf8(text).map_err(|e| e.to_string())?.to_owned().into())
        }
        ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec().into()),
    })
}

impl Sql for RunFile {
    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64, String> {
        let mut statement = self.conn.prepare_cached(sql).map_err(in_words)?;
        statement.execute(params_from_iter(values)).map(|n| n as u64).map_err(in_words)
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, String> {
        let mut statement = self.conn.prepare_cached(sql).map_err(in_words)?;
        let columns = statement.column_count();
        let mut rows = statement.query(params_from_iter(values)).map_err(in_words)?;
        let mut all = Vec::new();
        while let Some(row) = rows.next().map_err(in_words)? {
            let column = |i| value(row.get_ref(i).map_err(in_words)?);
            all.push((0..columns).map(column).collect::<Result<Row, String>>()?);
        }
        Ok(all)
    }

    fn batch(&mut self, sql: &str) -> Result<(), String> {
        self.conn.execute_batch(sql).map_err(in_words)
    }

    fn begin(&mut self) -> Result<(), String> {
        self.batch("BEGIN IMMEDIATE")
    }
}
