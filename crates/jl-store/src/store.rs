//! The run store: one implementation for both databases.

use crate::address::Database;
use crate::database::Connection;
use crate::entry::JobRow;
use crate::file::RunFile;
use crate::insert::Table;
use crate::sql::{Row, Sql, Value, take};
use crate::{Address, Entry, StoreError, rows};
use jl_messages::{JobId, MoveRow, PositionRow};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::time::{Instant, SystemTime};

/// What `runs` says.
#[derive(Clone, PartialEq, Debug)]
pub struct RunInfo {
    pub created: String,
    /// JSON, as given to [`RunStore::create`].
    pub parameters: String,
    pub status: String,
    pub digest: Option<String>,
    pub report: Option<String>,
    /// Running time recorded so far.
    pub seconds: f64,
    pub entries: u64,
}

/// A run that is open for writing by this process alone, or for reading.
pub struct RunStore {
    address: Address,
    sql: RefCell<Box<dyn Sql>>,
    /// Its row in `runs`.
    run: i64,
    /// Running time before this session.
    earlier: f64,
    since: Instant,
    /// The number of the last entry.
    last: i64,
    /// Entries that are written with the next commit. Ends of jobs are in the table of jobs already.
    appended: Vec<(i64, f64, Entry)>,
    /// A transaction is open.
    writing: bool,
    /// Something could not be written, and what the open transaction held is gone.
    broken: bool,
}

const JOURNAL: Table =
    Table { name: "journal", columns: &["run", "seq", "at", "kind", "job", "detail"], replaced_by: 0 };

const JOBS: Table =
    Table { name: "jobs", columns: &["run", "job", "question", "output", "cpu", "reason"], replaced_by: 0 };

pub(crate) fn insert_journal(
    sql: &mut dyn Sql,
    run: i64,
    entries: &[(i64, f64, Entry)],
) -> Result<(), String> {
    JOURNAL.insert(sql, entries, |(seq, at, entry), values| {
        let job = entry.ends().map(number);
        values.extend([
            run.into(),
            (*seq).into(),
            (*at).into(),
            entry.kind().into(),
            job.into(),
            entry.detail().into(),
        ]);
    })
}

pub(crate) fn insert_jobs(sql: &mut dyn Sql, run: i64, jobs: &[(JobId, JobRow)]) -> Result<(), String> {
    JOBS.insert(sql, jobs, |(job, row), values| {
        let JobRow { question, output, cpu, reason } = row;
        values.extend([
            run.into(),
            number(*job).into(),
            question.as_deref().into(),
            output.as_deref().into(),
            (*cpu).into(),
            reason.as_deref().into(),
        ]);
    })
}

/// As a database has it, which knows no unsigned numbers.
fn number(job: JobId) -> i64 {
    job.0.cast_signed()
}

/// How many entries are read at a time.
const PAGE: usize = 512;

impl RunStore {
    /// A new run; an existing one is left alone.
    pub fn create(address: &Address, parameters: &str) -> Result<RunStore, StoreError> {
        match address {
            Address::File(path) => {
                let name = address.name();
                let (sql, run) = RunFile::create(path, |sql| insert_run(sql, &name, parameters))?;
                let run = run.ok_or_else(|| StoreError::Exists { path: address.to_string() })?;
                RunStore::new(address, Box::new(sql), run)
            }
            Address::Database(database) => {
                let name = database.named()?;
                let mut sql = Connection::to_write(database)?;
                let cannot = |why| StoreError::CannotOpen { path: address.to_string(), why };
                sql.begin().map_err(cannot)?;
                let run = insert_run(&mut sql, name, parameters).map_err(cannot)?;
                let run = run.ok_or_else(|| StoreError::Exists { path: address.to_string() })?;
                // Before anyone else can see it.
                sql.lock(database, run)?;
                sql.commit().map_err(cannot)?;
                RunStore::new(address, Box::new(sql), run)
            }
        }
    }

    /// An existing run, to go on with it.
    pub fn open(address: &Address) -> Result<RunStore, StoreError> {
        match address {
            Address::File(path) => RunStore::new(address, Box::new(RunFile::open(path)?), 1),
            Address::Database(database) => {
                database.named()?;
                // Looked for before anything is made.
                find(&mut Connection::to_read(database)?, database)?;
                let mut sql = Connection::to_write(database)?;
                let run = find(&mut sql, database)?;
                sql.lock(database, run)?;
                RunStore::new(address, Box::new(sql), run)
            }
        }
    }

    /// An existing run, to look into it, while it runs or afterwards.
    pub fn open_to_read(address: &Address) -> Result<RunStore, StoreError> {
        match address {
            Address::File(path) => RunStore::new(address, Box::new(RunFile::open_to_read(path)?), 1),
            Address::Database(database) => {
                database.named()?;
                let mut sql = Connection::to_read(database)?;
                let run = find(&mut sql, database)?;
                RunStore::new(address, Box::new(sql), run)
            }
        }
    }

    fn new(address: &Address, sql: Box<dyn Sql>, run: i64) -> Result<RunStore, StoreError> {
        let mut store = RunStore {
            address: address.clone(),
            sql: RefCell::new(sql),
            run,
            earlier: 0.0,
            since: Instant::now(),
            last: 0,
            appended: Vec::new(),
            writing: false,
            broken: false,
        };
        (store.last, store.earlier) = store.end().map_err(|why| store.unreadable(why))?;
        store.since = Instant::now();
        Ok(store)
    }

    #[must_use]
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Running time in all sessions.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.earlier + self.since.elapsed().as_secs_f64()
    }

    pub fn info(&self) -> Result<RunInfo, StoreError> {
        let read = || -> Result<Option<RunInfo>, String> {
            let sql = "SELECT created, parameters, status, digest, report FROM runs WHERE id = $1";
            let Some(mut row) = self.query(sql, &[self.run.into()])?.pop() else { return Ok(None) };
            let (entries, seconds) = self.end()?;
            let r = &mut row;
            Ok(Some(RunInfo {
                created: take(r, 0)?,
                parameters: take(r, 1)?,
                status: take(r, 2)?,
                digest: take(r, 3)?,
                report: take(r, 4)?,
                seconds,
                entries: entries.cast_unsigned(),
            }))
        };
        let info = read().map_err(|why| self.unreadable(why))?;
        info.ok_or_else(|| self.unreadable("it holds no run".into()))
    }

    /// The number and time of the last entry.
    fn end(&self) -> Result<(i64, f64), String> {
        let sql = "SELECT seq, at FROM journal WHERE run = $1 ORDER BY seq DESC LIMIT 1";
        match self.query(sql, &[self.run.into()])?.pop() {
            None => Ok((0, 0.0)),
            Some(mut row) => Ok((take(&mut row, 0)?, take(&mut row, 1)?)),
        }
    }

    /// Calls `each` with the number of every entry and the entry, in order, until it refuses one.
    pub fn replay(&self, each: impl FnMut(i64, Entry) -> Result<(), StoreError>) -> Result<(), StoreError> {
        self.replay_after(0, each)
    }

    /// The same from the entry after this one on.
    pub fn replay_after(
        &self,
        seq: i64,
        each: impl FnMut(i64, Entry) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.replay_between(seq, i64::MAX, each)
    }

    /// The entries after the first number, up to the second one.
    pub fn replay_between(
        &self,
        after: i64,
        end: i64,
        mut each: impl FnMut(i64, Entry) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut last = after;
        loop {
            let sql = format!(
                "SELECT seq, kind, job, detail FROM journal WHERE run = $1 AND seq > $2 AND seq <= $3
                 ORDER BY seq LIMIT {PAGE}"
            );
            let damaged = |seq, why| StoreError::Damaged { path: self.address.to_string(), seq, why };
            let page = self.query(&sql, &[self.run.into(), last.into(), end.into()]);
            // A file that can't be read is damaged; a server may be gone.
            let unread = |why| match self.address {
                Address::File(_) => damaged(last + 1, why),
                Address::Database(_) => self.unreadable(why),
            };
            let page = page.map_err(unread)?;
            if page.is_empty() {
                return Ok(());
            }
            let mut jobs = self.jobs(&page).map_err(unread)?;
            for mut row in page {
                let seq: i64 = take(&mut row, 0).map_err(|why| damaged(last + 1, why))?;
                let entry = entry(&mut row, &mut jobs).map_err(|why| damaged(seq, why))?;
                each(seq, entry)?;
                last = seq;
            }
        }
    }

    /// The jobs that a page of the journal ends.
    fn jobs(&self, page: &[Row]) -> Result<HashMap<i64, JobRow>, String> {
        let mut values: Vec<Value<'_>> = vec![self.run.into()];
        values.extend(page.iter().map(|row| row[2].clone()));
        // Always as long, so that it stays prepared.
        values.resize(PAGE + 1, Value::Null);
        let places: Vec<String> = (2..PAGE + 2).map(|i| format!("${i}")).collect();
        let sql = format!(
            "SELECT job, question, output, cpu, reason FROM jobs WHERE run = $1 AND job IN ({})",
            places.join(", ")
        );
        let job = |mut row: Row| {
            let r = &mut row;
            let ended =
                JobRow { question: take(r, 1)?, output: take(r, 2)?, cpu: take(r, 3)?, reason: take(r, 4)? };
            Ok((take(r, 0)?, ended))
        };
        self.query(&sql, &values)?.into_iter().map(job).collect()
    }

    /// Adds an entry. It is durable after the next [`RunStore::commit`].
    pub fn append(&mut self, entry: &Entry) -> Result<(), StoreError> {
        let at = self.seconds();
        let run = self.run;
        if let Some(job) = entry.ends() {
            // At once, so that a second end is refused before it has an effect.
            self.write(|sql| insert_jobs(sql, run, &[(job, entry.job_row())]))?;
        }
        self.last += 1;
        self.appended.push((self.last, at, entry.clone()));
        Ok(())
    }

    /// Makes everything that was appended and saved durable.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        if !self.appended.is_empty() {
            let (appended, run) = (std::mem::take(&mut self.appended), self.run);
            self.write(|sql| insert_journal(sql, run, &appended))?;
        }
        if self.writing {
            self.write(|sql| sql.commit())?;
            self.writing = false;
        }
        Ok(())
    }

    /// Keeps positions and moves, each at most once, in place of those of the same number and place; they account for
    /// all that was appended. `state` is what else is needed to go on from here. Durable after the next
    /// [`RunStore::commit`].
    pub fn save(
        &mut self,
        positions: &[PositionRow],
        moves: &[MoveRow],
        state: &str,
    ) -> Result<(), StoreError> {
        let (run, last) = (self.run, self.last);
        self.write(|sql| {
            rows::save(sql, run, positions, moves)?;
            let update = "UPDATE runs SET saved = $1, state = $2 WHERE id = $3";
            sql.execute(update, &[last.into(), state.into(), run.into()]).map(|_| ())
        })
    }

    /// The positions with these numbers, in order, and their moves, in order of parents.
    pub fn load(&self, ids: Range<u32>) -> Result<(Vec<PositionRow>, Vec<MoveRow>), StoreError> {
        let loaded = rows::load(self.sql.borrow_mut().as_mut(), self.run, ids);
        loaded.map_err(|why| StoreError::CannotRead { path: self.address.to_string(), why })
    }

    /// The last entry that positions and moves account for, and the state; `None` if nothing was saved.
    pub fn saved(&self) -> Result<Option<(i64, String)>, StoreError> {
        let read = || -> Result<Option<(i64, String)>, String> {
            let sql = "SELECT saved, state FROM runs WHERE id = $1 AND state IS NOT NULL";
            let row = self.query(sql, &[self.run.into()])?.pop();
            row.map(|mut row| Ok((take(&mut row, 0)?, take(&mut row, 1)?))).transpose()
        };
        read().map_err(|why| self.unreadable(why))
    }

    /// Records how the run stands when it stops.
    pub fn set_status(&mut self, status: &str, digest: &str, report: &str) -> Result<(), StoreError> {
        let run = self.run;
        self.write(|sql| {
            let update = "UPDATE runs SET status = $1, digest = $2, report = $3 WHERE id = $4";
            sql.execute(update, &[status.into(), digest.into(), report.into(), run.into()]).map(|_| ())
        })?;
        self.commit()
    }

    /// Records that the run goes on.
    pub fn set_running(&mut self) -> Result<(), StoreError> {
        let run = self.run;
        self.write(|sql| {
            let update = "UPDATE runs SET status = 'running', digest = NULL WHERE id = $1";
            sql.execute(update, &[run.into()]).map(|_| ())
        })?;
        self.commit()
    }

    /// Writes in the open transaction, or in a new one. After a failure nothing more is written: the databases differ in what
    /// is left of the transaction then, and nobody may take for durable what is not.
    fn write(&mut self, work: impl FnOnce(&mut dyn Sql) -> Result<(), String>) -> Result<(), StoreError> {
        let path = || self.address.to_string();
        if self.broken {
            return Err(StoreError::CannotWrite { path: path(), why: "an earlier write failed".into() });
        }
        let sql = self.sql.get_mut().as_mut();
        let begun = if self.writing { Ok(()) } else { sql.begin() };
        let written = begun.and_then(|()| work(sql));
        if written.is_err() {
            // A lost connection rolls back by itself.
            let _ = sql.roll_back();
            self.broken = true;
        }
        written.map_err(|why| StoreError::CannotWrite { path: path(), why })?;
        self.writing = true;
        Ok(())
    }

    fn query(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, String> {
        self.sql.borrow_mut().query(sql, values)
    }

    fn unreadable(&self, why: String) -> StoreError {
        let path = self.address.to_string();
        match self.address {
            Address::File(_) => StoreError::NotARun { path, why },
            Address::Database(_) => StoreError::CannotRead { path, why },
        }
    }
}

/// The number of the new run, or `None` if there is one of this name.
fn insert_run(sql: &mut dyn Sql, name: &str, parameters: &str) -> Result<Option<i64>, String> {
    let created = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let insert = "INSERT INTO runs (name, created, parameters, status) VALUES ($1, $2, $3, 'running')
                  ON CONFLICT (name) DO NOTHING RETURNING id";
    let row = sql.query(insert, &[name.into(), created.into(), parameters.into()])?.pop();
    row.map(|mut row| take(&mut row, 0)).transpose()
}

/// The number of the run that the address names.
fn find(sql: &mut Connection, database: &Database) -> Result<i64, StoreError> {
    let cannot = |why: String| StoreError::CannotOpen { path: database.to_string(), why };
    let row = sql.query("SELECT id FROM runs WHERE name = $1", &[database.named()?.into()]);
    match row.map_err(cannot)?.pop() {
        Some(mut row) => take(&mut row, 0).map_err(cannot),
        None => Err(cannot("the database has no run of this name".into())),
    }
}

/// The entry of a row of the journal, with the job that it ends.
fn entry(row: &mut Row, jobs: &mut HashMap<i64, JobRow>) -> Result<Entry, String> {
    let (kind, job, detail): (String, Option<i64>, Option<String>) =
        (take(row, 1)?, take(row, 2)?, take(row, 3)?);
    let ended = job.and_then(|job| Some((JobId(job.cast_unsigned()), jobs.remove(&job)?)));
    if job.is_some() && ended.is_none() {
        return Err(format!("nothing is recorded of job {}", job.unwrap_or_default()));
    }
    Entry::from_rows(&kind, detail.as_deref(), ended)
}
