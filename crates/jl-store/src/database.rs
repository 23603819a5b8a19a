//! PostgreSQL: many runs in one database.

use crate::address::Database;
use crate::schema::{self, Dialect, VERSION};
use crate::sql::{Row, Sql, Value, in_transaction};
use crate::{StoreError, patience};
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::{ToSql, Type};
use postgres::{Client, NoTls, Statement};
use std::collections::HashMap;
use std::error::Error;
use std::time::Duration;

/// The first key of every advisory lock of ours; the second is the run's id, or 0 for the tables.
const LOCK_CLASS: i64 = 0x6a6c_7275; // "jlru"

/// A connection. Without encryption: for servers on this machine, in a trusted network, or behind a tunnel.
pub struct Connection {
    client: Client,
    prepared: HashMap<String, Statement>,
}

/// What went wrong inside a transaction.
enum Trouble {
    Sql(String),
    Store(StoreError),
}

impl From<String> for Trouble {
    fn from(why: String) -> Trouble {
        Trouble::Sql(why)
    }
}

impl Connection {
    fn new(database: &Database) -> Result<Connection, StoreError> {
        let mut config = database.config()?.clone();
        config.application_name("jl");
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(10));
        }
        let client = config.connect(NoTls).map_err(|e| match e.as_db_error() {
            Some(_) => cannot_open(database, in_words(e)),
            None => StoreError::Unreachable { path: database.to_string(), why: in_words(e) },
        })?;
        Ok(Connection { client, prepared: HashMap::new() })
    }

    /// To write. Makes the tables if the database has none.
    pub fn to_write(database: &Database) -> Result<Connection, StoreError> {
        let mut conn = Connection::new(database)?;
        // A commit is durable when it returns, jobs may take long, and a client whose machine is gone soon loses its lock.
        let tuning = "SELECT set_config('synchronous_commit', 'on', false)
                          WHERE current_setting('synchronous_commit') = 'off';
                      SET idle_in_transaction_session_timeout = 0;
                      SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3;
                      SET client_min_messages = warning;";
        conn.batch(tuning).map_err(|why| cannot_open(database, why))?;
        let made = in_transaction(&mut conn, |sql| {
            sql.query("SELECT pg_advisory_xact_lock($1, 0)", &[LOCK_CLASS.into()])?;
            if version(database, sql)?.is_none() {
                sql.batch(&schema::tables(Dialect::Postgres))?;
                sql.batch("CREATE TABLE joblevel (version INTEGER NOT NULL)")?;
                sql.execute("INSERT INTO joblevel (version) VALUES ($1)", &[i64::from(VERSION).into()])?;
            }
            Ok::<(), Trouble>(())
        });
        made.map_err(|trouble| trouble.at(database))?;
        Ok(conn)
    }

    /// To look into the database.
    pub fn to_read(database: &Database) -> Result<Connection, StoreError> {
        let mut conn = Connection::new(database)?;
        conn.batch("SET default_transaction_read_only = on").map_err(|why| cannot_open(database, why))?;
        match version(database, &mut conn).map_err(|trouble| trouble.at(database))? {
            Some(_) => Ok(conn),
            None => Err(cannot_open(database, "the database has no runs".into())),
        }
    }

    /// Keeps other writers of a run away until the connection ends.
    pub fn lock(&mut self, database: &Database, run: i64) -> Result<(), StoreError> {
        patience::until_free(|| {
            let sql = "SELECT 1 WHERE pg_try_advisory_lock($1, $2)";
            let locked = self.query(sql, &[LOCK_CLASS.into(), run.into()]);
            match locked.map_err(|why| cannot_open(database, why))?.is_empty() {
                false => Ok(()),
                true => Err(StoreError::InUse { path: database.to_string() }),
            }
        })
    }

    fn prepare(&mut self, sql: &str) -> Result<Statement, String> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql).map_err(in_words)?;
        self.prepared.insert(sql.into(), statement.clone());
        Ok(statement)
    }
}

/// The version of the tables, if there are any.
fn version(database: &Database, sql: &mut dyn Sql) -> Result<Option<i32>, Trouble> {
    if sql.query("SELECT 1 WHERE to_regclass('joblevel') IS NOT NULL", &[])?.is_empty() {
        return Ok(None);
    }
    let mut rows = sql.query("SELECT version FROM joblevel", &[])?;
    let found: i64 = crate::sql::take(rows.first_mut().ok_or("the table joblevel is empty".to_string())?, 0)?;
    let found = i32::try_from(found).unwrap_or(i32::MAX);
    if found == VERSION {
        Ok(Some(found))
    } else {
        Err(Trouble::Store(StoreError::Version { path: database.to_string(), found }))
    }
}

impl Trouble {
    fn at(self, database: &Database) -> StoreError {
        match self {
            Trouble::Sql(why) => cannot_open(database, why),
            Trouble::Store(error) => error,
        }
    }
}

fn cannot_open(database: &Database, why: String) -> StoreError {
    StoreError::CannotOpen { path: database.to_string(), why }
}

/// What the server says, without the driver's introduction.
fn in_words(e: postgres::Error) -> String {
    match e.as_db_error() {
        Some(error) => error.message().to_string(),
        None if e.is_closed() => "the connection to the database is lost".into(),
        // The driver keeps the reason to itself, and says "error connecting to server".
        None => e.source().map_or(e.to_string(), ToString::to_string),
    }
}

type Parameter<'a> = Box<dyn ToSql + Sync + 'a>;

/// The values as the statement's types want them.
fn parameters<'a>(statement: &Statement, values: &'a [Value<'_>]) -> Result<Vec<Parameter<'a>>, String> {
    let parameter = |(value, ty): (&'a Value<'_>, &Type)| -> Result<Parameter<'a>, String> {
        Ok(match value {
            Value::Null => match *ty {
                Type::INT4 => Box::new(None::<i32>),
                Type::INT8 => Box::new(None::<i64>),
                Type::FLOAT8 => Box::new(None::<f64>),
                Type::BYTEA => Box::new(None::<&[u8]>),
                _ => Box::new(None::<&str>),
            },
            Value::Int(n) if *ty == Type::INT4 => {
                Box::new(i32::try_from(*n).map_err(|_| format!("the number {n} is too large"))?)
            }
            Value::Int(n) => Box::new(*n),
            Value::Real(x) => Box::new(*x),
            Value::Text(text) => Box::new(text.as_ref()),
            Value::Blob(bytes) => Box::new(bytes.as_ref()),
        })
    };
    values.iter().zip(statement.params()).map(parameter).collect()
}

fn value(row: &postgres::Row, column: usize) -> Result<Value<'static>, String> {
    let get = |e: postgres::Error| e.to_string();
    let ty = row.columns()[column].type_();
    Ok(match *ty {
        Type::INT4 => row.try_get::<_, Option<i32>>(column).map_err(get)?.map(i64::from).into(),
        Type::INT8 => row.try_get::<_, Option<i64>>(column).map_err(get)?.into(),
        Type::FLOAT8 => row.try_get::<_, Option<f64>>(column).map_err(get)?.into(),
        Type::TEXT => row.try_get::<_, Option<String>>(column).map_err(get)?.into(),
        Type::BYTEA => {
            let bytes = row.try_get::<_, Option<Vec<u8>>>(column).map_err(get)?;
            bytes.map_or(Value::Null, |bytes| Value::Blob(bytes.into()))
        }
        Type::VOID => Value::Null,
        _ => return Err(format!("a column of type {ty}")),
    })
}

impl Sql for Connection {
    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64, String> {
        let statement = self.prepare(sql)?;
        let values = parameters(&statement, values)?;
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|v| &**v).collect();
        self.client.execute(&statement, &values).map_err(in_words)
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, String> {
        let statement = self.prepare(sql)?;
        let values = parameters(&statement, values)?;
        let mut rows = self.client.query_raw(&statement, values).map_err(in_words)?;
        let mut all = Vec::new();
        while let Some(row) = rows.next().map_err(in_words)? {
            all.push((0..row.len()).map(|i| value(&row, i)).collect::<Result<Row, String>>()?);
        }
        Ok(all)
    }

    fn batch(&mut self, sql: &str) -> Result<(), String> {
        self.client.batch_execute(sql).map_err(in_words)
    }

    fn begin(&mut self) -> Result<(), String> {
        self.batch("BEGIN")
    }
}
