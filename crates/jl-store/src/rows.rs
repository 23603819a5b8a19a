//! Positions and moves: the search graph as a run keeps it.

use crate::insert::Table;
use crate::sql::{Row, Sql, Value, take};
use crate::sum;
use jl_messages::{MoveRow, PositionRow};
use std::ops::Range;

const POSITIONS: Table = Table {
    name: "positions",
    columns: &["run", "id", "key", "value", "status", "count", "level", "bits", "parents", "data", "sum"],
    replaced_by: 2,
};

const MOVES: Table = Table {
    name: "moves",
    columns: &["run", "parent", "ord", "code", "move", "child", "echo"],
    replaced_by: 3,
};

/// Writes positions with all their moves, both in the order of positions. By how much the total of the sums grows.
pub fn save(
    sql: &mut dyn Sql,
    run: i64,
    positions: &[PositionRow],
    moves: &[MoveRow],
) -> Result<i64, String> {
    let replaced = sums_of(sql, run, positions)?;
    let summed: Vec<(&PositionRow, i32)> = with_sums(positions, moves).collect();
    POSITIONS.insert(sql, &summed, |(p, sum), values| {
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
            (*sum).into(),
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
    })?;
    Ok(summed.iter().map(|&(_, sum)| i64::from(sum)).sum::<i64>() - replaced)
}

/// Every position with the sum of it and its moves.
fn with_sums<'a>(
    positions: &'a [PositionRow],
    moves: &'a [MoveRow],
) -> impl Iterator<Item = (&'a PositionRow, i32)> {
    let mut moves = moves.iter().peekable();
    positions.iter().map(move |p| {
        let own = std::iter::from_fn(|| moves.next_if(|m| m.parent == p.id));
        (p, sum::of_position(p, own))
    })
}

/// The sums of those positions that the store has, added up.
fn sums_of(sql: &mut dyn Sql, run: i64, positions: &[PositionRow]) -> Result<i64, String> {
    const AT_ONCE: usize = 256;
    let mut rows = sql.query("SELECT max(id) FROM positions WHERE run = $1", &[run.into()])?;
    let Some(last) = rows.first_mut().map(|r| take::<Option<u32>>(r, 0)).transpose()?.flatten() else {
        return Ok(0);
    };
    // A join, since a server may take a long list for most of the table and read all of it.
    let places: Vec<String> = (2..AT_ONCE + 2).map(|i| format!("(CAST(${i} AS INTEGER))")).collect();
    let select = format!(
        "SELECT CAST(sum(p.sum) AS BIGINT) FROM (SELECT CAST($1 AS INTEGER) AS run) AS r
         CROSS JOIN (VALUES {}) AS v JOIN positions AS p ON p.run = r.run AND p.id = v.column1",
        places.join(", ")
    );
    let known: Vec<Value<'_>> = positions.iter().filter(|p| p.id <= last).map(|p| p.id.into()).collect();
    let mut total = 0;
    for chunk in known.chunks(AT_ONCE) {
        let mut values = vec![run.into()];
        values.extend_from_slice(chunk);
        // Always as long, so that it stays prepared.
        values.resize(AT_ONCE + 1, Value::Null);
        let mut rows = sql.query(&select, &values)?;
        let sum: Option<i64> = take(rows.first_mut().ok_or("no sum")?, 0)?;
        total += sum.unwrap_or(0);
    }
    Ok(total)
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
        "SELECT id, key, value, status, count, level, bits, parents, data, sum FROM positions WHERE {} ORDER BY id",
        which("id")
    );
    let rows = sql.query(&select, &values)?.into_iter().map(position).collect::<Result<Vec<_>, _>>()?;
    let (positions, sums): (Vec<PositionRow>, Vec<i32>) = rows.into_iter().unzip();
    let select = format!(
        "SELECT parent, ord, code, move, child, echo FROM moves WHERE {} ORDER BY parent, ord",
        which("parent")
    );
    let moves = sql.query(&select, &values)?.into_iter().map(a_move).collect::<Result<Vec<_>, _>>()?;
    let as_written = with_sums(&positions, &moves).zip(sums);
    if let Some(((p, _), _)) = as_written.into_iter().find(|((_, now), then)| now != then) {
        return Err(format!("position {} or its moves are not as they were written", p.id));
    }
    Ok((positions, moves))
}

fn position(mut row: Row) -> Result<(PositionRow, i32), String> {
    let r = &mut row;
    let id = take(r, 0)?;
    let mut read = || -> Result<(PositionRow, i32), String> {
        let position = PositionRow {
            id,
            key: take(r, 1)?,
            value: take(r, 2)?,
            status: take(r, 3)?,
            count: take(r, 4)?,
            level: take(r, 5)?,
            bits: take(r, 6)?,
            parents: split(take(r, 7)?)?,
            data: take(r, 8)?,
        };
        Ok((position, take(r, 9)?))
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
