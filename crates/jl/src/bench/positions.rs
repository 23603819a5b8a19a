//! Files of Connect6 positions: tab-separated, with a header.

use crate::failure::Failure;
use jl_engine_connect6::Course;
use jl_game::Game;
use jl_games::connect6::Connect;
use jl_value::Player;
use std::fmt::Display;
use std::path::Path;

/// A position of the file.
pub struct Item {
    pub id: String,
    /// The file's name, if it says nothing else.
    pub category: String,
    pub course: Course,
    pub claim: Option<String>,
    pub claimed_how: Option<String>,
}

/// The positions of a file. What is wrong is said with its line.
pub fn read(file: &Path) -> Result<Vec<Item>, Failure> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|e| Failure::usage(format!("{name}: {e}")))?;
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let header: Vec<&str> = lines.next().map_or(Vec::new(), |(_, line)| line.split('\t').collect());
    let column = |wanted: &str| header.iter().position(|c| c.trim() == wanted);
    let required = |wanted: &str| {
        column(wanted).ok_or_else(|| Failure::usage(format!("{name}:1: there is no column '{wanted}'")))
    };
    let (id, to_move, moves) = (required("id")?, required("to_move")?, required("moves")?);
    let (category, claim, how) = (column("category"), column("claim").or(column("known")), column("how"));
    let stem = file.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let mut items = Vec::new();
    for (i, line) in lines {
        let bad = |why: &dyn Display| Failure::usage(format!("{name}:{}: {why}", i + 1));
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        let field = |column: usize| {
            fields.get(column).copied().ok_or_else(|| bad(&format!("there is no field '{}'", header[column])))
        };
        let optional = |column: Option<usize>| {
            column.and_then(|c| fields.get(c)).filter(|f| !f.is_empty()).map(|f| f.to_string())
        };
        let course = Course::read(Connect::CONNECT6, false, field(moves)?).map_err(|e| bad(&e))?;
        check_mover(&course, field(to_move)?).map_err(|why| bad(&why))?;
        items.push(Item {
            id: field(id)?.into(),
            category: optional(category).unwrap_or_else(|| stem.clone()),
            course,
            claim: optional(claim),
            claimed_how: optional(how),
        });
    }
    if items.is_empty() {
        return Err(Failure::usage(format!("{name}: there is no position")));
    }
    Ok(items)
}

fn check_mover(course: &Course, said: &str) -> Result<(), String> {
    let position = course.position();
    if course.game().outcome(position).is_some() {
        return Err("the game is over".into());
    }
    let mover = match position.to_move() {
        Player::First => "black",
        Player::Second => "white",
    };
    match said {
        "black" | "white" if said == mover => Ok(()),
        "black" | "white" => Err(format!("{said} to move, but after these moves it is {mover}'s turn")),
        _ => Err(format!("to_move is '{said}', expected black or white")),
    }
}
