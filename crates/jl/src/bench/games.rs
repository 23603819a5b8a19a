//! Files of recorded Connect6 games: records as other tools write them, tables, or a list of moves per line.

use crate::failure::Failure;
use jl_engine_connect6::Course;
use jl_games::connect6::{Connect, record};
use std::path::Path;

/// The games of a file. What is wrong is said with its place.
pub fn read(file: &Path) -> Result<Vec<Course>, Failure> {
    let name = file.display();
    let bad = |why: String| Failure::usage(format!("{name}{why}"));
    let text = std::fs::read_to_string(file).map_err(|e| bad(format!(": {e}")))?;
    let text = text.trim_start_matches('\u{feff}');
    let is_record = text.trim_start().starts_with(['(', '{']);
    let games = if is_record { records(text) } else { lines(text) }.map_err(bad)?;
    if games.is_empty() { Err(bad(": there is no game".into())) } else { Ok(games) }
}

fn records(text: &str) -> Result<Vec<Course>, String> {
    let game = Connect::CONNECT6;
    let records = record::read(&game, text).map_err(|e| format!(": {e}"))?;
    let course = |record: &record::Record| {
        let mut course = Course::new(game);
        record.moves.iter().try_for_each(|&mv| course.play(mv))?;
        Ok(course)
    };
    records.iter().map(course).collect::<Result<_, String>>().map_err(|e| format!(": {e}"))
}

/// A game per line, in a column of a table if the first line is a header.
fn lines(text: &str) -> Result<Vec<Course>, String> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).peekable();
    let table = lines.peek().and_then(|(_, line)| Table::of(line));
    if table.is_some() {
        lines.next();
    }
    let game = |(i, line): (usize, &str)| {
        let moves = match &table {
            Some(table) => table.moves(line),
            None => Ok(line.to_string()),
        };
        let course =
            moves.and_then(|moves| Course::read(Connect::CONNECT6, false, &moves).map_err(|e| e.to_string()));
        course.map_err(|why| format!(":{}: {why}", i + 1))
    };
    lines.map(game).collect()
}

/// Where in a line the game is.
struct Table {
    separator: char,
    column: usize,
    /// Stones in order, not joined to moves.
    stones: bool,
}

impl Table {
    /// What a line is the header of, if it is one: it has a column `moves` or `stones`.
    fn of(line: &str) -> Option<Table> {
        let separator = if line.contains('\t') { '\t' } else { ',' };
        let names = fields(line, separator);
        let column = |wanted: &str| names.iter().position(|n| n.trim() == wanted);
        let (column, stones) =
            column("moves").map(|c| (c, false)).or_else(|| column("stones").map(|c| (c, true)))?;
        Some(Table { separator, column, stones })
    }

    /// The moves of a line of the table.
    fn moves(&self, line: &str) -> Result<String, String> {
        let fields = fields(line, self.separator);
        let name = if self.stones { "stones" } else { "moves" };
        let field = fields.get(self.column).ok_or_else(|| format!("there is no field '{name}'"))?;
        Ok(if self.stones { joined(field) } else { field.clone() })
    }
}

/// The fields of a line; in quotes a separator is a part of the field.
fn fields(line: &str, separator: char) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match (c, fields.last_mut()) {
            ('"', _) => quoted = !quoted,
            (c, _) if c == separator && !quoted => fields.push(String::new()),
            (c, Some(field)) => field.push(c),
            (_, None) => {}
        }
    }
    fields
}

/// Stones in order as moves: one, then two by two.
fn joined(stones: &str) -> String {
    let stones: Vec<&str> =
        stones.split(|c: char| c == ',' || c.is_whitespace()).filter(|s| !s.is_empty()).collect();
    let (first, rest) = stones.split_at(stones.len().min(1));
    let moves: Vec<String> =
        std::iter::once(first.concat()).chain(rest.chunks(2).map(<[&str]>::concat)).collect();
    moves.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Result<Vec<String>, String> {
        let courses = if text.starts_with('(') { records(text) } else { lines(text) }?;
        let text = |course: &Course| {
            let game = course.game();
            course
                .moves()
                .iter()
                .map(|&mv| jl_game::Game::format_move(game, mv))
                .collect::<Vec<_>>()
                .join("-")
        };
        Ok(courses.iter().map(text).collect())
    }

    #[test]
    fn games_are_read_from_tables_lines_and_records() {
        let expected = Ok(vec!["JJ-IKJK-KILI".to_string(), "JJ-AABB".to_string()]);
        for text in [
            "id,stones,winner\n1,\"j10,i11,j11,k9,l9\",white\n2,\"j10,a1,b2\",black\n",
            "id\tmoves\tto_move\nx\tJJ-IKJK-KILI\twhite\n\ny\tj10 a1b2\twhite\n",
            "JJ-IKJK-KILI\n\nJJ AABB\n",
            "(;GM[511];B[JJ];W[IK];W[JK];B[KI];B[LI])(;B[JJ];W[AA];W[BB])",
        ] {
            assert_eq!(moves(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, why) in [
            ("id,stones\n1,\"j10,j10,a1\"\n", ":2: "),
            ("JJ-AABB\nJJ-AAB\n", ":2: "),
            ("id\tmoves\nx\n", ":2: there is no field 'moves'"),
            ("(;B[JJ];B[JK])", "expected a stone of"),
        ] {
            let said = moves(text).unwrap_err();
            assert!(said.contains(why), "{said} does not say {why}");
        }
    }
}
