//! The run store: one implementation for both databases.

use crate::address::Database;
use crate::database::Connection;
use crate::entry::JobRow;
use crate::file::RunFile;
use crate::insert::Table;
use crate::sql::{Row, Sql, Value, take};
use crate::sum::{self, Line};
use crate::{Address, Entry, StoreError, rows};
use jl_messages::{JobId, MoveRow, PositionRow};
use std::cell::RefCell;
use std::ops::Range;
use std::slice;
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
    /// The last sum in the journal.
    sum: i32,
    /// Entries that are written with the next commit. Ends of jobs are in the table of jobs already.
    appended: Vec<Written>,
    /// A transaction is open.
    writing: bool,
    /// Something could not be written, and what the open transaction held is gone.
    broken: bool,
}

const JOURNAL: Table =
    Table { name: "journal", columns: &["run", "seq", "at", "kind", "job", "detail", "sum"], replaced_by: 0 };

const JOBS: Table =
    Table { name: "jobs", columns: &["run", "job", "question", "output", "cpu", "reason"], replaced_by: 0 };

/// An entry as the journal has it.
pub(crate) struct Written {
    seq: i64,
    at: i64,
    kind: &'static str,
    job: Option<i64>,
    detail: Option<String>,
    pub sum: Option<i32>,
}

impl Written {
    /// `ended` is what the table of jobs has of it, `before` the last sum before this entry.
    pub fn new(seq: i64, at: i64, entry: &Entry, ended: Option<&JobRow>, before: i32) -> Written {
        let (kind, job, detail) = (entry.kind(), entry.ends().map(number), entry.detail());
        let sum = Line { seq, at, kind, job, detail: detail.as_deref(), ended }.sum(before);
        Written { seq, at, kind, job, detail, sum }
    }
}

pub(crate) fn insert_journal(sql: &mut dyn Sql, run: i64, entries: &[Written]) -> Result<(), String> {
    JOURNAL.insert(sql, entries, |w, values| {
        values.extend([
            run.into(),
            w.seq.into(),
            w.at.into(),
            w.kind.into(),
            w.job.into(),
            w.detail.as_deref().into(),
            w.sum.into(),
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

/// As the journal has it. Rounded up, so that the clock never goes back.
pub(crate) fn milliseconds(seconds: f64) -> i64 {
    (seconds * 1e3).ceil() as i64
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
            sum: 0,
            appended: Vec::new(),
            writing: false,
            broken: false,
        };
        (store.last, store.earlier) = store.end().map_err(|why| store.unreadable(why))?;
        store.sum = store.sum_before(i64::MAX).map_err(|why| store.unreadable(why))?;
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
            Some(mut row) => Ok((take(&mut row, 0)?, take::<i64>(&mut row, 1)? as f64 / 1e3)),
        }
    }

    /// How many jobs have ended, as one of the tables has it; in the journal, up to an entry.
    fn count(&self, table: &str, last: i64) -> Result<i64, String> {
        let (which, values) = match table {
            "journal" => (" AND seq <= $2", vec![self.run.into(), last.into()]),
            _ => ("", vec![self.run.into()]),
        };
        let sql = format!("SELECT count(job) FROM {table} WHERE run = $1{which}");
        let mut rows = self.query(&sql, &values)?;
        take(rows.first_mut().ok_or("no count")?, 0)
    }

    /// The last sum up to an entry.
    fn sum_before(&self, seq: i64) -> Result<i32, String> {
        let sql = "SELECT sum FROM journal WHERE run = $1 AND seq <= $2 AND sum IS NOT NULL ORDER BY seq DESC LIMIT 1";
        let row = self.query(sql, &[self.run.into(), seq.into()])?.pop();
        row.map_or(Ok(0), |mut row| take(&mut row, 0))
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
        let damaged = |seq, why| StoreError::Damaged { path: self.address.to_string(), seq, why };
        // A file that can't be read is damaged; a server may be gone.
        let unread = |seq, why| match self.address {
            Address::File(_) => damaged(seq, why),
            Address::Database(_) => self.unreadable(why),
        };
        let mut sum =
            if after == 0 { 0 } else { self.sum_before(after).map_err(|why| unread(after, why))? };
        // Taken first, since more may end meanwhile.
        let whole = end == i64::MAX && !self.writing;
        let ends = if whole { self.count("jobs", i64::MAX) } else { Ok(0) };
        let ends = ends.map_err(|why| unread(after + 1, why))?;
        let mut seen = match after {
            0 => 0,
            _ => self.count("journal", after).map_err(|why| unread(after, why))?,
        };
        let mut length = PAGE;
        loop {
            let sql = format!(
                "SELECT seq, kind, journal.job, detail, at, sum, jobs.job, question, output, cpu, reason
                 FROM journal LEFT JOIN jobs ON jobs.run = journal.run AND jobs.job = journal.job
                 WHERE journal.run = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT {length}"
            );
            let page = match self.query(&sql, &[self.run.into(), last.into(), end.into()]) {
                // Which of them it is.
                Err(_) if length > 1 => {
                    length = 1;
                    continue;
                }
                page => page.map_err(|why| unread(last + 1, why))?,
            };
            if page.is_empty() {
                if end < i64::MAX && last < end {
                    return Err(damaged(last + 1, "it is missing".into()));
                }
                let lost = ends - seen;
                let why = || format!("it is missing, and so are the ends of {lost} jobs");
                return if whole && lost > 0 { Err(damaged(last + 1, why())) } else { Ok(()) };
            }
            for mut row in page {
                let seq: i64 = take(&mut row, 0).map_err(|why| damaged(last + 1, why))?;
                if seq != last + 1 {
                    return Err(damaged(last + 1, "it is missing".into()));
                }
                let (entry, now) = entry(&mut row, seq, sum).map_err(|why| damaged(seq, why))?;
                sum = now;
                seen += i64::from(entry.ends().is_some());
                each(seq, entry)?;
                last = seq;
            }
        }
    }

    /// Adds an entry. It is durable after the next [`RunStore::commit`].
    pub fn append(&mut self, entry: &Entry) -> Result<(), StoreError> {
        let at = milliseconds(self.seconds());
        let run = self.run;
        let row = entry.ends().map(|job| (job, entry.job_row()));
        if let Some(row) = &row {
            // At once, so that a second end is refused before it has an effect.
            self.write(|sql| insert_jobs(sql, run, slice::from_ref(row)))?;
        }
        self.last += 1;
        let written = Written::new(self.last, at, entry, row.as_ref().map(|(_, row)| row), self.sum);
        self.sum = written.sum.unwrap_or(self.sum);
        self.appended.push(written);
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

    /// Keeps positions with all their moves, each at most once and in the same order, in place of those of the same number and
    /// place; they account for all that was appended. `state` is what else is needed to go on from here. Durable after the next
    /// [`RunStore::commit`].
    pub fn save(
        &mut self,
        positions: &[PositionRow],
        moves: &[MoveRow],
        state: &str,
    ) -> Result<(), StoreError> {
        let (run, last) = (self.run, self.last);
        self.write(|sql| {
            let grown = rows::save(sql, run, positions, moves)?;
            let mut total = sql.query("SELECT total FROM runs WHERE id = $1", &[run.into()])?;
            let total = take::<i64>(total.first_mut().ok_or("it holds no run")?, 0)? + grown;
            let sum = sum::of_state(last, state, total);
            let update = "UPDATE runs SET saved = $1, state = $2, total = $3, sum = $4 WHERE id = $5";
            sql.execute(update, &[last.into(), state.into(), total.into(), sum.into(), run.into()])
                .map(|_| ())
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

    /// Whether what was saved is there as it was: the entries that it accounts for, the state, and all positions together. Of each
    /// position, [`RunStore::load`] finds out.
    pub(crate) fn check_saved(&self) -> Result<(), String> {
        let sql = "SELECT saved, state, total, sum FROM runs WHERE id = $1";
        let mut row = self.query(sql, &[self.run.into()])?.pop().ok_or("it holds no run")?;
        let r = &mut row;
        let (saved, state, total): (i64, String, i64) = (take(r, 0)?, take(r, 1)?, take(r, 2)?);
        if take::<Option<i32>>(r, 3)? != Some(sum::of_state(saved, &state, total)) {
            return Err("the saved state is not as it was written".into());
        }
        if saved > self.last {
            return Err(format!("it accounts for {saved} entries, and the journal has {}", self.last));
        }
        let sql = "SELECT CAST(coalesce(sum(sum), 0) AS BIGINT) FROM positions WHERE run = $1";
        let mut rows = self.query(sql, &[self.run.into()])?;
        let found: i64 = take(rows.first_mut().ok_or("no sum")?, 0)?;
        if found != total {
            return Err("some positions are missing, or older or younger than the others".into());
        }
        Ok(())
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
            Address::File(_) => {
                // What it says of the place may help.
                let found = self.query("PRAGMA quick_check(1)", &[]).ok().and_then(|mut rows| rows.pop());
                let place = found.and_then(|mut row| take::<String>(&mut row, 0).ok());
                let place =
                    place.filter(|text| text != "ok").and_then(|t| t.lines().last().map(String::from));
                let why = place.map_or(why.clone(), |place| format!("{why} ({place})"));
                StoreError::Corrupt { path, why }
            }
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

/// The entry of a row of the journal, with the job that it ends, and the sum up to it.
fn entry(row: &mut Row, seq: i64, before: i32) -> Result<(Entry, i32), String> {
    let (kind, job, detail): (String, Option<i64>, Option<String>) =
        (take(row, 1)?, take(row, 2)?, take(row, 3)?);
    let (at, sum): (i64, Option<i32>) = (take(row, 4)?, take(row, 5)?);
    let known = take::<Option<i64>>(row, 6)?.is_some();
    if let (Some(job), false) = (job, known) {
        return Err(format!("nothing is recorded of job {job}"));
    }
    let ended =
        JobRow { question: take(row, 7)?, output: take(row, 8)?, cpu: take(row, 9)?, reason: take(row, 10)? };
    let ended = job.map(|job| (JobId(job.cast_unsigned()), ended));
    let line = Line {
        seq,
        at,
        kind: &kind,
        job,
        detail: detail.as_deref(),
        ended: ended.as_ref().map(|(_, row)| row),
    };
    let now = line.sum(before);
    // What can't be read is told first: it says more.
    let entry = Entry::from_rows(&kind, detail.as_deref(), ended)?;
    if now != sum {
        return Err("it is not as it was written".into());
    }
    Ok((entry, now.unwrap_or(before)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jl_messages::DropReason;

    #[test]
    fn a_full_disk_loses_nothing_that_was_committed() {
        let folder = tempfile::tempdir().unwrap();
        let address = Address::from(folder.path().join("r.jl").as_path());
        let mut run = RunStore::create(&address, "{}").unwrap();
        run.sql.get_mut().batch("PRAGMA max_page_count = 40").unwrap();
        let why = "no more".repeat(20);
        let end = |job| Entry::Dropped { job: JobId(job), reason: DropReason::Refused(why.clone()) };
        let mut write = |job| {
            run.append(&end(job))?;
            run.commit()
        };
        let (full, e) = (0..).find_map(|job| Some((job, write(job).err()?))).unwrap();
        assert!(full > 50, "{full}");
        assert!(e.to_string().ends_with("r.jl: the disk is full"), "{e}");
        assert!(write(full + 1).unwrap_err().to_string().contains("an earlier write failed"));
        drop(run);
        let mut run = RunStore::open(&address).unwrap();
        run.append(&end(full)).unwrap();
        run.commit().unwrap();
        let mut jobs = Vec::new();
        let note = |_, entry: Entry| {
            jobs.extend(entry.ends());
            Ok(())
        };
        run.replay(note).unwrap();
        assert_eq!(jobs, (0..=full).map(JobId).collect::<Vec<_>>());
    }
}
