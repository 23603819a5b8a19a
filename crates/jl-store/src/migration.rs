//! Files of version 1, brought to this version.

use crate::file::RunFile;
use crate::schema::{self, Dialect, VERSION};
use crate::sql::{Sql, take};
use crate::store::{Written, insert_jobs, insert_journal, milliseconds};
use crate::{Entry, StoreError};
use jl_messages::JobId;
use std::path::Path;

/// What went wrong: with the database, or with an entry.
enum Trouble {
    Sql(String),
    Entry(i64, String),
}

impl From<String> for Trouble {
    fn from(why: String) -> Trouble {
        Trouble::Sql(why)
    }
}

/// In one transaction. Ends of jobs move from the journal to a table of their own.
pub fn from_1(run: &mut RunFile, path: &Path) -> Result<(), StoreError> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let show = || path.display().to_string();
    crate::sql::in_transaction(run, |sql| rewrite(sql, &name)).map_err(|trouble| match trouble {
        Trouble::Sql(why) => StoreError::CannotWrite { path: show(), why },
        Trouble::Entry(seq, why) => StoreError::Damaged { path: show(), seq, why },
    })
}

fn rewrite(sql: &mut dyn Sql, name: &str) -> Result<(), Trouble> {
    sql.batch("DROP INDEX one_end_per_job; ALTER TABLE runs RENAME TO runs_1; ALTER TABLE journal RENAME TO journal_1")?;
    sql.batch(&schema::tables(Dialect::Sqlite))?;
    let columns = "id, created, parameters, status, digest, report";
    let copy = format!("INSERT INTO runs (name, {columns}) SELECT $1, {columns} FROM runs_1");
    sql.execute(&copy, &[name.into()])?;
    let (mut last, mut number, mut sum) = (0, 0, 0);
    loop {
        let page = "SELECT seq, at, kind, job, detail FROM journal_1 WHERE seq > $1 ORDER BY seq LIMIT 1000";
        let rows = sql.query(page, &[last.into()])?;
        if rows.is_empty() {
            break;
        }
        let (mut entries, mut jobs) = (Vec::new(), Vec::new());
        for mut row in rows {
            last = take(&mut row, 0)?;
            number += 1;
            let (at, kind): (f64, String) = (take(&mut row, 1)?, take(&mut row, 2)?);
            let (job, detail): (Option<u64>, Option<String>) = (take(&mut row, 3)?, take(&mut row, 4)?);
            let entry = Entry::from_version_1(&kind, job.map(JobId), detail.as_deref())
                .map_err(|why| Trouble::Entry(last, why))?;
            let row = entry.ends().map(|job| (job, entry.job_row()));
            let line = Written::new(number, milliseconds(at), &entry, row.as_ref().map(|(_, row)| row), sum);
            sum = line.sum.unwrap_or(sum);
            entries.push(line);
            jobs.extend(row);
        }
        insert_journal(sql, 1, &entries)?;
        insert_jobs(sql, 1, &jobs)?;
    }
    sql.batch(&format!("DROP TABLE journal_1; DROP TABLE runs_1; PRAGMA user_version = {VERSION}"))?;
    Ok(())
}
