//! What runs there are.

use crate::database::Connection;
use crate::file::{RunFile, log_of};
use crate::sql::{Row, Sql, take};
use crate::{Address, StoreError};
use std::path::Path;

/// A run, from outside.
#[derive(Clone, Debug)]
pub struct Listed {
    pub address: Address,
    pub name: String,
    pub created: String,
    /// JSON.
    pub parameters: String,
    pub status: String,
    /// JSON: of the last stop.
    pub report: Option<String>,
    /// JSON: what a client kept besides positions and moves.
    pub state: Option<String>,
    /// Jobs that were answered so far.
    pub answers: u64,
    /// Bytes: of the file and its log, or of the run's rows in a database.
    pub size: u64,
}

/// The run of an address, or all runs of a database that names none. Files of earlier versions are left as they are.
pub fn list(address: &Address) -> Result<Vec<Listed>, StoreError> {
    match address {
        Address::File(path) => {
            let (mut sql, version) = RunFile::open_as_it_is(path)?;
            let length = |file: &Path| std::fs::metadata(file).map_or(0, |m| m.len());
            let size = length(path) + length(&log_of(path));
            let damaged = |why| StoreError::Corrupt { path: address.to_string(), why };
            let state = if version == 1 { "NULL" } else { "state" };
            let rows = listed(&mut sql, &format!("SELECT id, {COLUMNS}, {state} FROM runs"), &[]);
            let rows = rows.map_err(damaged)?;
            if rows.is_empty() {
                return Err(damaged("it holds no run".into()));
            }
            let run = |run: Read| run.listed(address.clone(), address.name(), size);
            Ok(rows.into_iter().map(run).collect())
        }
        Address::Database(database) => {
            let mut sql = Connection::to_read(database)?;
            let cannot = |why| StoreError::CannotRead { path: address.to_string(), why };
            let select = format!("SELECT id, {COLUMNS}, state, name FROM runs");
            let rows = match database.run() {
                None => listed(&mut sql, &format!("{select} ORDER BY id"), &[]),
                Some(name) => listed(&mut sql, &format!("{select} WHERE name = $1"), &[name.into()]),
            };
            let rows = rows.map_err(cannot)?;
            if rows.is_empty() && database.run().is_some() {
                let why = "the database has no run of this name".into();
                return Err(StoreError::CannotOpen { path: address.to_string(), why });
            }
            let run = |mut run: Read| {
                let (name, size) = (take::<String>(&mut run.rest, 0)?, size(&mut sql, run.id)?);
                Ok(run.listed(database.with_run(&name), name, size))
            };
            rows.into_iter().map(run).collect::<Result<_, String>>().map_err(cannot)
        }
    }
}

const COLUMNS: &str = "created, parameters, status, report,
    (SELECT count(*) FROM journal WHERE journal.run = runs.id AND kind IN ('done', 'cached'))";

/// What a row says.
struct Read {
    id: i64,
    created: String,
    parameters: String,
    status: String,
    report: Option<String>,
    answers: u64,
    state: Option<String>,
    rest: Row,
}

impl Read {
    fn listed(self, address: Address, name: String, size: u64) -> Listed {
        let Read { created, parameters, status, report, answers, state, .. } = self;
        Listed { address, name, created, parameters, status, report, state, answers, size }
    }
}

fn listed(sql: &mut dyn Sql, select: &str, values: &[crate::sql::Value<'_>]) -> Result<Vec<Read>, String> {
    let read = |mut row: Row| {
        let r = &mut row;
        Ok(Read {
            id: take(r, 0)?,
            created: take(r, 1)?,
            parameters: take(r, 2)?,
            status: take(r, 3)?,
            report: take(r, 4)?,
            answers: take(r, 5)?,
            state: take(r, 6)?,
            rest: row.split_off(7),
        })
    };
    sql.query(select, values)?.into_iter().map(read).collect()
}

/// The bytes of a run's rows.
fn size(sql: &mut dyn Sql, run: i64) -> Result<u64, String> {
    let of = |table: &str, key: &str| {
        format!("(SELECT coalesce(sum(pg_column_size(t.*)), 0) FROM {table} t WHERE {key} = $1)")
    };
    let tables = ["journal", "jobs", "positions", "moves"].map(|table| of(table, "run"));
    let select = format!("SELECT CAST({} + {} AS BIGINT)", of("runs", "id"), tables.join(" + "));
    let mut rows = sql.query(&select, &[run.into()])?;
    take(rows.first_mut().ok_or("no size")?, 0)
}
