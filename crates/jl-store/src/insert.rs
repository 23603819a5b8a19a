//! Many rows at a time.

use crate::sql::{Sql, Value};

/// The most rows of a statement. A database takes some ten thousand parameters.
const MOST: usize = 256;

/// A table as rows are written to it.
pub struct Table {
    pub name: &'static str,
    pub columns: &'static [&'static str],
    /// The first columns are its key, and a row that has it already is replaced. 0: such a row is an error.
    pub replaced_by: usize,
}

impl Table {
    /// Writes a row for each item; `row` adds its values. In few statements of few lengths, so that they stay prepared.
    pub fn insert<'a, T>(
        &self,
        sql: &mut dyn Sql,
        items: &'a [T],
        row: impl Fn(&'a T, &mut Vec<Value<'a>>),
    ) -> Result<(), String> {
        let mut rest = items;
        while !rest.is_empty() {
            let length = MOST.min(1 << rest.len().ilog2());
            let (now, later) = rest.split_at(length);
            let mut values = Vec::with_capacity(length * self.columns.len());
            for item in now {
                row(item, &mut values);
            }
            sql.execute(&self.statement(length), &values)?;
            rest = later;
        }
        Ok(())
    }

    fn statement(&self, rows: usize) -> String {
        let Table { name, columns, replaced_by } = *self;
        let mut text = format!("INSERT INTO {name} ({}) VALUES ", columns.join(", "));
        for row in 0..rows {
            text.push_str(if row == 0 { "(" } else { ", (" });
            for column in 0..columns.len() {
                let comma = if column == 0 { "" } else { ", " };
                text.push_str(&format!("{comma}${}", row * columns.len() + column + 1));
            }
            text.push(')');
        }
        if replaced_by > 0 {
            let (key, others) = columns.split_at(replaced_by);
            let set: Vec<String> = others.iter().map(|c| format!("{c} = excluded.{c}")).collect();
            text.push_str(&format!(" ON CONFLICT ({}) DO UPDATE SET {}", key.join(", "), set.join(", ")));
        }
        text
    }
}
