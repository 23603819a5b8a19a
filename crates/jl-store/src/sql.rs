//! What a run store needs of a database, so that one text of SQL serves both.

use std::borrow::Cow;

/// A value of a column.
#[derive(Clone, PartialEq, Debug)]
pub enum Value<'a> {
    Null,
    Int(i64),
    Real(f64),
    Text(Cow<'a, str>),
    Blob(Cow<'a, [u8]>),
}

/// A row of a result.
pub type Row = Vec<Value<'static>>;

/// A connection. Parameters are `$1`, `$2`… in every statement, in order.
pub trait Sql: Send {
    /// Runs a statement that returns nothing; how many rows it changed.
    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64, String>;

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, String>;

    /// Runs several statements without parameters.
    fn batch(&mut self, sql: &str) -> Result<(), String>;

    /// Begins a transaction that will write.
    fn begin(&mut self) -> Result<(), String>;

    fn commit(&mut self) -> Result<(), String> {
        self.batch("COMMIT")
    }

    fn roll_back(&mut self) -> Result<(), String> {
        self.batch("ROLLBACK")
    }
}

/// Runs `work` in one transaction: all of it happens, or nothing.
pub fn in_transaction<T, E: From<String>>(
    sql: &mut dyn Sql,
    work: impl FnOnce(&mut dyn Sql) -> Result<T, E>,
) -> Result<T, E> {
    sql.begin()?;
    let result = work(sql).and_then(|value| {
        sql.commit()?;
        Ok(value)
    });
    if result.is_err() {
        // What went wrong first is what matters; a lost connection rolls back by itself.
        let _ = sql.roll_back();
    }
    result
}

impl From<i64> for Value<'_> {
    fn from(n: i64) -> Self {
        Value::Int(n)
    }
}

impl From<u32> for Value<'_> {
    fn from(n: u32) -> Self {
        Value::Int(n.into())
    }
}

impl From<i32> for Value<'_> {
    fn from(n: i32) -> Self {
        Value::Int(n.into())
    }
}

impl From<f64> for Value<'_> {
    fn from(x: f64) -> Self {
        Value::Real(x)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Value::Text(text.into())
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Value::Text(text.into())
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

/// What a column is read as.
pub trait Column: Sized {
    fn read(value: &mut Value<'static>) -> Option<Self>;
}

impl Column for i64 {
    fn read(value: &mut Value<'static>) -> Option<i64> {
        if let Value::Int(n) = value { Some(*n) } else { None }
    }
}

impl Column for u32 {
    fn read(value: &mut Value<'static>) -> Option<u32> {
        u32::try_from(i64::read(value)?).ok()
    }
}

impl Column for i32 {
    fn read(value: &mut Value<'static>) -> Option<i32> {
        i32::try_from(i64::read(value)?).ok()
    }
}

impl Column for u64 {
    fn read(value: &mut Value<'static>) -> Option<u64> {
        i64::read(value).map(i64::cast_unsigned)
    }
}

impl Column for f64 {
    fn read(value: &mut Value<'static>) -> Option<f64> {
        match value {
            Value::Real(x) => Some(*x),
            Value::Int(n) => Some(*n as f64),
            _ => None,
        }
    }
}

impl Column for String {
    fn read(value: &mut Value<'static>) -> Option<String> {
        match std::mem::replace(value, Value::Null) {
            Value::Text(text) => Some(text.into_owned()),
            _ => None,
        }
    }
}

impl Column for u128 {
    fn read(value: &mut Value<'static>) -> Option<u128> {
        match value {
            Value::Blob(bytes) => Some(u128::from_be_bytes((**bytes).try_into().ok()?)),
            _ => None,
        }
    }
}

impl<T: Column> Column for Option<T> {
    fn read(value: &mut Value<'static>) -> Option<Option<T>> {
        if *value == Value::Null { Some(None) } else { T::read(value).map(Some) }
    }
}

/// Takes a column out of a row.
pub fn take<T: Column>(row: &mut Row, column: usize) -> Result<T, String> {
    let value = row.get_mut(column).ok_or_else(|| format!("column {} is missing", column + 1))?;
    T::read(value).ok_or_else(|| format!("column {} holds something else", column + 1))
}
