//! Positions and moves: the search graph as a run keeps it.

use crate::insert::Table;
use crate::sql::{Row, Sql, Value, take};
use jl_messages::{MoveRow, PositionRow};
use std::ops::Range;

const POSITIONS: Table = Table {
    name: "positions",
    columns: &["run", "id", "key", "value", "status", "count", "level", "bits", "parents", "data"],
    replaced_by: 2,
};

const MOVES: Table = Table {
    name: "moves",
    columns: &["run", "parent", "ord", "code", "move", "child", "echo"],
    replaced_by: 3,
};

pub fn save(sql: &mut dyn Sql, run: i64, positions: &[PositionRow], moves: &[MoveRow]) -> Result<(), String> {
    POSITIONS.insert(sql, positions, |p, values| {
        let text = |t: &'_ Option<String>| t.clone().map_or(Value::Null, Value::from);
        values.extend([
            run.into(),
            p.id.into(),
            Value::Blob(p.key.to_be_bytes().to_vec().into()),
            text(&p.value),
            text(&p.status),
            p.count.into(),
            p.level.into(),
            p.bits.into(),
            joined(&p.parents).into(),
            p.data.as_str().into(),
        ]);
    })?;
    MOVES.insert(sql, moves, |m, values| {
        values.extend([
            run.into(),
            m.parent.into(),
            m.ord.into(),
            m.code.into(),
            m.text.as_str().into(),
            m.child.into(),
            i64::from(m.echo).into(),
        ]);
    })
}

/// The positions of a range, in order, and their moves.
pub fn load(
    sql: &mut dyn Sql,
    run: i64,
    ids: Range<u32>,
) -> Result<(Vec<PositionRow>, Vec<MoveRow>), String> {
    // Compared as large numbers, since the end of a range may be one.
    let which = |column: &str| {
        format!("run = $1 AND {column} >= CAST($2 AS BIGINT) AND {column} < CAST($3 AS BIGINT)")
    };
    let values = [run.into(), ids.start.into(), ids.end.into()];
    let select = format!(
        "SELECT id, key, value, status, count, level, bits, parents, data FROM positions WHERE {} ORDER BY id",
        which("id")
    );
    let positions = sql.query(&select, &values)?.into_iter().map(position).collect::<Result<_, _>>()?;
    let select = format!(
        "SELECT parent, ord, code, move, child, echo FROM moves WHERE {} ORDER BY parent, ord",
        which("parent")
    );
    let moves = sql.query(&select, &values)?.into_iter().map(a_move).collect::<Result<_, _>>()?;
    Ok((positions, moves))
}

fn position(mut row: Row) -> Result<PositionRow, String> {
    let r = &mut row;
    let id = take(r, 0)?;
    let mut read = || -> Result<PositionRow, String> {
        Ok(PositionRow {
            id,
            key: take(r, 1)?,
            value: take(r, 2)?,
            status: take(r, 3)?,
            count: take(r, 4)?,
            level: take(r, 5)?,
            bits: take(r, 6)?,
            parents: split(take(r, 7)?)?,
            data: take(r, 8)?,
        })
    };
    read().map_err(|why| format!("position {id}: {why}"))
}

fn a_move(mut row: Row) -> Result<MoveRow, String> {
    let r = &mut row;
    let (parent, ord) = (take(r, 0)?, take(r, 1)?);
    let mut read = || -> Result<MoveRow, String> {
        Ok(MoveRow {
            parent,
            ord,
            code: take(r, 2)?,
            text: take(r, 3)?,
            child: take(r, 4)?,
            echo: take::<i64>(r, 5)? != 0,
        })
    };
    read().map_err(|why| format!("move {ord} of position {parent}: {why}"))
}

fn joined(parents: &[u32]) -> Option<String> {
    let numbers: Vec<String> = parents.iter().map(u32::to_string).collect();
    (!numbers.is_empty()).then(|| numbers.join(","))
}

fn split(text: Option<String>) -> Result<Vec<u32>, String> {
    let text = text.unwrap_or_default();
    let number = |t: &str| t.parse().map_err(|_| format!("its parents are '{text}'"));
    if text.is_empty() { Ok(Vec::new()) } else { text.split(',').map(number).collect() }
}
