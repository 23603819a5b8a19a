//! Which position a run is about: moves, a named opening, or a game record.

use crate::failure::Failure;
use clap::Args;
use jl_apps::openings;
use jl_engine_connect6::Course;
use jl_game::reply::join_moves;
use jl_games::connect6::Connect;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct PositionArgs {
    /// The moves that lead to the position, for example "a1 b2" or JJ-IHHI-KKLJ
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// A named opening of Connect6; 'jl list openings' shows them
    #[arg(long, value_name = "NAME", conflicts_with = "moves")]
    opening: Option<String>,
    /// The position after the last move of a Connect6 record (SGF, or the Chinese competitions' format)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "opening"])]
    sgf: Option<PathBuf>,
    /// Which game of the file, if there are several
    #[arg(long, value_name = "N", default_value = "1", requires = "sgf")]
    record: NonZeroUsize,
    /// The position after the first N moves of the record, not after the last
    #[arg(long, value_name = "N", requires = "sgf")]
    after: Option<usize>,
    /// In letters and numbers, columns skip the letter I: the centre of Connect6 is k10
    #[arg(long)]
    skip_i: bool,
}

impl PositionArgs {
    /// The moves from the game's initial position, as the game itself writes them.
    pub fn moves(&self, game: &str) -> Result<String, Failure> {
        if game == "connect6" {
            let course = self.course()?;
            return Ok(join_moves(course.game(), course.moves(), "-"));
        }
        let given =
            [(self.opening.is_some(), "--opening"), (self.sgf.is_some(), "--sgf"), (self.skip_i, "--skip-i")];
        match given.into_iter().find(|(given, _)| *given) {
            Some((_, name)) => Err(Failure::usage(format!("{name} is for connect6, not for {game}"))),
            None => Ok(self.moves.clone().unwrap_or_default()),
        }
    }

    fn course(&self) -> Result<Course, Failure> {
        let game = Connect::CONNECT6;
        let (text, option) = match (&self.sgf, &self.opening) {
            (Some(file), _) => return self.recorded(game, file),
            (None, Some(name)) => (opening(name)?, "--opening"),
            (None, None) => (self.moves.as_deref().unwrap_or_default(), "--moves"),
        };
        Course::read(game, self.skip_i, text).map_err(|e| Failure::usage(format!("in {option}: {e}")))
    }

    fn recorded(&self, game: Connect, file: &Path) -> Result<Course, Failure> {
        let mut course = Course::read_record(game, file, self.record.get())
            .map_err(|e| Failure::usage(format!("in --sgf: {e}")))?;
        let count = course.moves().len();
        match self.after {
            Some(after) if after > count => {
                Err(Failure::usage(format!("--after: there is no move {after}, only {count}")))
            }
            after => {
                course.truncate(after.unwrap_or(count));
                Ok(course)
            }
        }
    }
}

fn opening(name: &str) -> Result<&'static str, Failure> {
    openings::find(name).map(|o| o.moves).ok_or_else(|| {
        let names: Vec<&str> = openings::all().map(|o| o.id).collect();
        Failure::usage(format!("there is no opening '{name}' ({})", names.join(", ")))
    })
}
