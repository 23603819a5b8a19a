//! The words of a question, read the same way on the command line, on a line of `--lines` and in process.

use crate::course::{Course, read_move};
use crate::engine::{Settings, Style, Task};
use crate::limits::{Limits, read_threads};
use crate::thinker::{DEFAULT_NODES, NotPlayed, PROOF_NODES, Thinker};
use clap::{Parser, ValueEnum};
use jl_game::reply::join_moves;
use jl_game::{Game, GameError};
use jl_games::connect6::{BadRules, Connect, Move, Notation, Position};
use jl_value::{Outcome, Player};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

const EXAMPLES: &str = concat!(
    r#"Notation: a stone is two letters A to S, column then row, rows from the bottom, I
included: JJ is the centre. The two stones of a move are written together, in any
order: JIKL. Letters and numbers are read as well: j10 j9k12. Black, who is shown as
X, moves first, with a single stone.

The last line of the output is the answer:
"#,
    include_str!("example.txt"),
    r#"  move      the best move outside the prohibited ones, null if there is none
  status    of the position after it: B:w B4 … B1 stable unstable1 unstable2 W1 … W4 W:w
            draw (B:w, W:w and draw are proved)
  win_rate  of Black, from 0 to 1
  decided   whether it is proved who wins
  winner    "first" is Black, "second" is White; null in a draw and while undecided
  how       now, vcdt (continuous double threats), vcst (single threats as well), zone
            (a quiet move to which every reply loses), sure-loss (every move outside the
            prohibited ones loses), search; null while undecided
  line      the move and the expected continuation
  nodes, seconds
  defences  if it is proved that all others lose: the moves outside the prohibited ones that may
            avoid a loss, the best first; left out if there are more than 100
  next      with --next: what it would answer if the move were prohibited, and so on
  draft     true in a line before the answer, with --draft: nothing in it is sure
With --verify also:
  defences  every move that may avoid a loss, however many, prohibited ones included
  zone      false if nothing was excluded: the defences are then all legal moves
  lost      whether there is no defence at all

Examples:
  jl engine connect6                                            the first move
  jl engine connect6 --moves JJ-JIKL-KILH --time 2s --show      a position, drawn
  jl engine connect6 --moves JJ-JIKL-KILH --prohibit HLGL,HLIL  the best of the others
  jl engine connect6 --moves JJ-LHHH-JIKJ --verify --json       what avoids a loss?
  jl engine connect6 --sgf game.sgf --after 12 --json           a position of a record
  printf '%s\n' '--moves JJ' '--moves JJ-IJJI' | jl engine connect6 --lines --nodes 5000
  printf '%s\n' 'new black' 'move IJJI' | jl engine connect6 --protocol c6 --time 1s

Exit code: 0 answered, 2 the question makes no sense (standard error says why)."#
);

/// The Connect6 program: the best move at a position, and what it thinks of the position after it
#[derive(Parser, Clone, Debug)]
#[command(bin_name = "jl engine connect6", no_binary_name = true, args_override_self = true)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Flags {
    /// The moves so far, separated by spaces, commas or hyphens
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,

    /// The position after the last move of a game record (SGF, or the Chinese competitions' format)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "lines"])]
    pub(crate) sgf: Option<PathBuf>,

    /// Which game of the file, if there are several
    #[arg(long, value_name = "N", default_value = "1", requires = "sgf")]
    record: NonZeroUsize,

    /// The position after the first N moves of the record, not after the last
    #[arg(long, value_name = "N", requires = "sgf")]
    after: Option<usize>,

    /// Moves that must not be answered, separated likewise
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    prohibit: String,

    /// Name up to N further moves, the best first
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    next: usize,

    /// Print what it thinks after a first look too, ahead of the answer, if it is to look at every reply
    #[arg(long)]
    draft: bool,

    /// Only find out whether the player to move wins
    #[arg(long, conflicts_with = "verify")]
    solve: bool,

    /// List every move that may avoid a loss
    #[arg(long)]
    verify: bool,

    /// Look at N positions at most [default: 100000, with --solve or --verify 2000000; if there is a --time, none]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Think for so long at most: 500ms, 2s
    #[arg(long, value_name = "TIME", value_parser = read_time)]
    time: Option<Duration>,

    /// The size of the tables
    #[arg(long, value_name = "SIZE", value_parser = jl_engine::read_memory, default_value = "256MB")]
    memory: usize,

    /// Chooses among equally good moves
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Threads that search for the best move at the same time; with more than one, answers differ from run to run
    #[arg(long, value_name = "N", value_parser = read_threads, default_value = "1")]
    threads: NonZeroUsize,

    /// Think without a part: single-threats, zones, all threat searches, or the network (may be repeated)
    #[arg(long, value_name = "PART", value_enum, value_delimiter = ',')]
    without: Vec<Part>,

    /// What the evaluation is for: to play, or to find wins that can be proved
    #[arg(long, value_name = "STYLE", value_enum, default_value_t = StyleFlag::Balanced)]
    style: StyleFlag,

    /// The board, columns by rows
    #[arg(long, value_name = "MxN", value_parser = read_board, default_value = "19x19")]
    board: (u8, u8),

    /// How many in a row win, 4 to 8
    #[arg(long, value_name = "K", default_value_t = 6)]
    connect: u8,

    /// In letters and numbers, columns skip the letter I: the centre is k10
    #[arg(long)]
    skip_i: bool,

    /// How the answer writes moves
    #[arg(long, value_name = "NOTATION", value_enum, default_value_t = Writing::Pairs)]
    notation: Writing,

    /// Print nothing but the answer line
    #[arg(long)]
    pub(crate) json: bool,

    /// Draw the board first, the last move in lower case
    #[arg(long)]
    pub(crate) show: bool,

    /// Stay, and answer one question per line of standard input, in these same flags (those of the command line
    /// hold for every question); each answer ends with a line `end`
    #[arg(long)]
    pub(crate) lines: bool,

    /// Stay, and play by the text protocol of Connect6 programs; its command `help` explains it. c6-doubled writes
    /// the single first stone twice
    #[arg(long, value_name = "PROTOCOL", value_enum, conflicts_with_all = ["lines", "solve", "verify", "prohibit"])]
    pub(crate) protocol: Option<Protocol>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Part {
    SingleThreats,
    Zones,
    Threats,
    Network,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum StyleFlag {
    Balanced,
    Attack,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Writing {
    Pairs,
    Numbers,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Protocol {
    C6,
    C6Doubled,
}

/// A question that makes sense: the game is not over.
#[derive(Debug)]
pub(crate) struct Asked {
    pub thinker: Thinker,
    pub course: Course,
    pub prohibited: Vec<Move>,
    pub task: Task,
    /// How many further moves are wanted.
    pub next: usize,
    pub draft: bool,
    /// Of the answer.
    pub notation: Notation,
}

/// Why a question makes no sense.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum QueryError {
    #[error("--board, --connect: {0}")]
    Rules(#[from] BadRules),
    #[error("--board, --connect: {0}")]
    NotPlayed(#[from] NotPlayed),
    #[error("--moves: {0}")]
    Moves(GameError),
    #[error("--sgf: {0}")]
    Record(String),
    #[error("--after: there is no move {after}, only {count}")]
    NoSuchMove { after: usize, count: usize },
    #[error("the game is over after '{moves}': {}", how(*.outcome))]
    GameOver { moves: String, outcome: Outcome },
    #[error("--prohibit: {0}")]
    NotAMove(GameError),
    #[error("--prohibit: '{text}' is not a move here: {why}")]
    NotHere { text: String, why: String },
}

fn how(outcome: Outcome) -> &'static str {
    match outcome.winner() {
        Some(Player::First) => "Black (X) has won",
        Some(Player::Second) => "White (O) has won",
        None => "it is a draw",
    }
}

impl Flags {
    /// The program as these flags set it up, and the game that leads to the position.
    pub fn set_up(&self) -> Result<(Thinker, Course), QueryError> {
        let (columns, rows) = self.board;
        let game = Connect::new(columns, rows, self.connect, 2, 1)?;
        let mut thinker = Thinker::new(game)?;
        let limited = self.nodes.is_some() || self.time.is_some();
        let default = if self.solve || self.verify { PROOF_NODES } else { DEFAULT_NODES };
        let nodes = if limited { self.nodes } else { Some(default) };
        thinker.limits = Limits { nodes, time: self.time, memory: self.memory, threads: self.threads };
        thinker.seed = self.seed;
        thinker.settings = Settings {
            single_threats: !self.without.contains(&Part::SingleThreats),
            zones: !self.without.contains(&Part::Zones),
            threats: !self.without.contains(&Part::Threats),
            network: !self.without.contains(&Part::Network),
            style: match self.style {
                StyleFlag::Balanced => Style::Balanced,
                StyleFlag::Attack => Style::Attack,
            },
        };
        let course = match &self.sgf {
            None => Course::read(game, self.skip_i, &self.moves).map_err(QueryError::Moves)?,
            Some(file) => self.read_record(game, file)?,
        };
        Ok((thinker, course))
    }

    pub fn asked(&self) -> Result<Asked, QueryError> {
        let (thinker, course) = self.set_up()?;
        let game = thinker.game();
        if let Some(outcome) = game.outcome(course.position()) {
            return Err(QueryError::GameOver { moves: join_moves(game, course.moves(), "-"), outcome });
        }
        let prohibited = self.read_prohibited(game, course.position())?;
        let task = match (self.solve, self.verify) {
            (true, _) => Task::Solve,
            (_, true) => Task::Verify,
            _ => Task::Play,
        };
        let notation = match (self.notation, self.skip_i) {
            (Writing::Pairs, _) => Notation::Pairs,
            (Writing::Numbers, false) => Notation::Numbers,
            (Writing::Numbers, true) => Notation::NumbersSkipI,
        };
        Ok(Asked { thinker, course, prohibited, task, next: self.next, draft: self.draft, notation })
    }

    fn read_prohibited(&self, game: &Connect, position: &Position) -> Result<Vec<Move>, QueryError> {
        let mut prohibited = Vec::new();
        for text in game.split_moves(&self.prohibit) {
            let mv = read_move(game, self.skip_i, text).map_err(QueryError::NotAMove)?;
            game.play(position, mv).map_err(|why| QueryError::NotHere { text: text.into(), why })?;
            prohibited.push(mv);
        }
        Ok(prohibited)
    }

    fn read_record(&self, game: Connect, file: &Path) -> Result<Course, QueryError> {
        let mut course = Course::read_record(game, file, self.record.get()).map_err(QueryError::Record)?;
        let count = course.moves().len();
        match self.after {
            Some(after) if after > count => Err(QueryError::NoSuchMove { after, count }),
            after => {
                course.truncate(after.unwrap_or(count));
                Ok(course)
            }
        }
    }
}

fn read_time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|e| format!("{e} (write 500ms or 2s)"))?;
    let longest = Duration::from_secs(365 * 24 * 3600);
    if (Duration::from_millis(1)..=longest).contains(&time) {
        Ok(time)
    } else {
        Err("it must be from 1ms to a year".into())
    }
}

fn read_board(text: &str) -> Result<(u8, u8), String> {
    let bad = || "write columns x rows, like 19x19".to_string();
    let (columns, rows) = text.split_once(['x', 'X']).ok_or_else(bad)?;
    Ok((columns.parse().map_err(|_| bad())?, rows.parse().map_err(|_| bad())?))
}

/// Nodes that stand for a second where no clock may be read.
const NODES_PER_SECOND: f64 = 200_000.0;

impl Flags {
    /// A time limit becomes one of nodes, so that the answer is the same on any machine.
    pub fn without_clock(&mut self) {
        if let Some(time) = self.time.take() {
            let nodes = (time.as_secs_f64() * NODES_PER_SECOND).ceil() as u64;
            self.nodes = Some(self.nodes.map_or(nodes, |n| n.min(nodes)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_of_the_flags_is_consistent() {
        use clap::CommandFactory;
        Flags::command().debug_assert();
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(read_board("7x5"), Ok((7, 5)));
        assert!(read_board("7").is_err() && read_board("300x5").is_err() && read_board("-1x5").is_err());
        assert!(read_time("0s").is_err() && read_time("9999years").is_err() && read_time("2").is_err());
    }

    #[test]
    fn a_limit_is_given_or_the_default() {
        let limits = |words: &[&str]| {
            let mut flags: Flags = jl_engine::read(words).unwrap();
            flags.without_clock();
            flags.set_up().unwrap().0.limits
        };
        assert_eq!(limits(&[]).nodes, Some(DEFAULT_NODES));
        assert_eq!(limits(&["--verify"]).nodes, Some(PROOF_NODES));
        assert_eq!(limits(&["--nodes", "7", "--time", "1s"]).nodes, Some(7));
        assert_eq!(limits(&["--time", "1s"]), Limits { nodes: Some(200_000), ..Limits::default() });
        assert_eq!(limits(&["--threads", "3"]).threads.get(), 3);
    }
}
