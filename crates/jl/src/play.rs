//! `jl play`: a person against a program, in the terminal or through pipes.

use crate::cli::{Color, PlayArgs};
use crate::failure::Failure;
use jl_engine_connect6::course::read_move;
use jl_engine_connect6::engine::{Recollection, Verdict};
use jl_engine_connect6::limits::Limits;
use jl_engine_connect6::{Course, Thinker};
use jl_game::Game;
use jl_game::sgf::Property;
use jl_games::connect6::record::{self, Style};
use jl_games::connect6::{Cell, Connect, Move, Notation, Record};
use jl_value::{Outcome, Player};
use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

const HELP: &str = "\
JIKL, j9k12      your move: two stones (Black's first move: one), as letter pairs
                 or letters and numbers, in any order, with or without a space
undo             take your last move back
hint             what the program would play for you
swap             change sides; also 'color black', 'color white'
board, moves     show the board, the moves so far
save FILE.sgf    write the game to a file
quit             the end";

pub fn run(args: &PlayArgs) -> Result<ExitCode, Failure> {
    if args.game != "connect6" {
        return Err(Failure::usage(format!("'{}' can't be played here (connect6)", args.game)));
    }
    let mut table = Table::new(args, io::stdin().lock(), io::stdout().lock())?;
    match table.play().and_then(|()| table.save_at_end(args.save.as_deref())) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::FAILURE),
        Err(e) => Err(Failure::run(e)),
    }
}

/// A board with a person and the program at it.
struct Table<R, W> {
    thinker: Thinker,
    /// What the program remembers of the game.
    recollection: Recollection,
    course: Course,
    /// Whose moves are read; of nobody, if the program plays against itself.
    person: Option<Player>,
    skip_i: bool,
    /// Files of this session, which may be written again.
    written: HashSet<PathBuf>,
    input: R,
    output: W,
}

enum Next {
    /// The board has changed.
    Show,
    Ask,
    Leave,
}

impl<R: BufRead, W: Write> Table<R, W> {
    fn new(args: &PlayArgs, input: R, output: W) -> Result<Table<R, W>, Failure> {
        let game = Connect::CONNECT6;
        let mut thinker = Thinker::new(game).map_err(Failure::usage)?;
        let time = args.time.or(args.nodes.is_none().then_some(Duration::from_secs(1)));
        thinker.limits = Limits { nodes: args.nodes, time, threads: args.threads, ..Limits::default() };
        thinker.seed = args.seed;
        let course = match &args.sgf {
            Some(file) => Course::read_record(game, file, 1).map_err(Failure::usage)?,
            None => Course::read(game, args.skip_i, &args.moves).map_err(Failure::usage)?,
        };
        let person = match args.color {
            Color::Black => Some(Player::First),
            Color::White => Some(Player::Second),
            Color::None => None,
        };
        let written = HashSet::new();
        let mut table = Table {
            thinker,
            recollection: Recollection::default(),
            course,
            person,
            skip_i: args.skip_i,
            written,
            input,
            output,
        };
        if let Some(file) = &args.save {
            // A file that can't be written is better known before the game than after it.
            table.save(file).map_err(Failure::usage)?;
        }
        Ok(table)
    }

    fn play(&mut self) -> io::Result<()> {
        if let Some(person) = self.person {
            writeln!(self.output, "You are {}. 'help' lists what you can type.", colour(person))?;
        }
        let mut next = Next::Show;
        loop {
            let over = self.outcome();
            if over.is_none() && self.person != Some(self.mover()) {
                self.program_moves()?;
                next = Next::Show;
                continue;
            }
            if matches!(next, Next::Show) {
                write!(self.output, "\n{}", self.course.draw())?;
                if let Some(outcome) = over {
                    self.announce(outcome)?;
                }
            }
            if self.person.is_none() {
                return Ok(());
            }
            next = self.ask()?;
            if matches!(next, Next::Leave) {
                return Ok(());
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.course.game().outcome(self.course.position())
    }

    fn mover(&self) -> Player {
        self.course.position().to_move()
    }

    fn program_moves(&mut self) -> io::Result<()> {
        let (mv, verdict) = self.thinker.choose_on(self.course.position(), &mut self.recollection);
        let (who, number) = (colour(self.mover()), self.course.moves().len() + 1);
        let text = self.course.game().format_move(mv);
        self.course.play(mv).expect("the program chooses among legal moves");
        writeln!(self.output, "{number}. {who} plays {text} ({})", opinion(&verdict))?;
        self.output.flush()
    }

    fn announce(&mut self, outcome: Outcome) -> io::Result<()> {
        let game = *self.course.game();
        match outcome.winner() {
            None => writeln!(self.output, "The board is full: a draw."),
            Some(winner) => {
                let row = winning_row(&self.course, winner);
                let row: Vec<String> =
                    row.into_iter().map(|cell| game.format_cell(Notation::Pairs, cell)).collect();
                let moves = self.course.moves().len();
                writeln!(self.output, "{} wins at move {moves}: {}", colour(winner), row.join(" "))
            }
        }
    }

    /// Reads a line and does what it says. The end of the input is the end of the game.
    fn ask(&mut self) -> io::Result<Next> {
        write!(self.output, "> ")?;
        self.output.flush()?;
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            writeln!(self.output)?;
            return Ok(Next::Leave);
        }
        match self.obey(String::from_utf8_lossy(&line).trim()) {
            Ok((text, next)) => {
                if !text.is_empty() {
                    writeln!(self.output, "{text}")?;
                }
                Ok(next)
            }
            Err(why) => {
                writeln!(self.output, "{why}")?;
                Ok(Next::Ask)
            }
        }
    }

    fn obey(&mut self, line: &str) -> Result<(String, Next), String> {
        let nothing = String::new;
        let words: Vec<&str> = line.split_whitespace().collect();
        let lower = line.to_lowercase();
        Ok(match lower.split_whitespace().collect::<Vec<_>>()[..] {
            [] => (nothing(), Next::Ask),
            ["quit" | "exit" | "q"] => (nothing(), Next::Leave),
            ["help" | "?"] => (HELP.into(), Next::Ask),
            ["board"] => (nothing(), Next::Show),
            ["moves"] => (self.moves(), Next::Ask),
            ["hint"] => (self.hint()?, Next::Ask),
            ["undo"] => {
                self.undo()?;
                (nothing(), Next::Show)
            }
            ["swap"] => self.sit_at(self.person.map(Player::opponent)),
            ["color" | "colour", "black"] => self.sit_at(Some(Player::First)),
            ["color" | "colour", "white"] => self.sit_at(Some(Player::Second)),
            ["color" | "colour", ..] => return Err("Which colour, black or white?".into()),
            ["save"] => return Err("Which file? save FILE.sgf".into()),
            ["save", ..] => {
                let file = line[words[0].len()..].trim();
                self.save(Path::new(file))?;
                (format!("saved in {file}"), Next::Ask)
            }
            _ => {
                self.person_moves(line)?;
                (nothing(), Next::Show)
            }
        })
    }

    fn sit_at(&mut self, person: Option<Player>) -> (String, Next) {
        self.person = person;
        let text = person.map_or_else(String::new, |p| format!("You are {} now.", colour(p)));
        (text, Next::Show)
    }

    fn person_moves(&mut self, line: &str) -> Result<(), String> {
        let game = self.course.game();
        if self.outcome().is_some() {
            return Err("The game is over: undo, save FILE.sgf or quit.".into());
        }
        let text = game.split_moves(line).concat();
        let mv = read_move(game, self.skip_i, &text)
            .map_err(|e| format!("{e}; 'help' lists what you can type"))?;
        self.course.play(mv).map_err(|why| format!("'{line}' is illegal: {why}"))
    }

    /// Takes back the person's last move and what followed.
    fn undo(&mut self) -> Result<(), String> {
        let own =
            |i: &usize| self.person == Some(if i.is_multiple_of(2) { Player::First } else { Player::Second });
        let last = (0..self.course.moves().len()).rev().find(own);
        self.course.truncate(last.ok_or("There is no move of yours to take back.")?);
        Ok(())
    }

    fn hint(&mut self) -> Result<String, String> {
        if self.outcome().is_some() {
            return Err("The game is over.".into());
        }
        let (mv, verdict) = self.thinker.choose_on(self.course.position(), &mut self.recollection);
        Ok(format!("{} ({})", self.course.game().format_move(mv), opinion(&verdict)))
    }

    fn moves(&self) -> String {
        let game = self.course.game();
        self.course.moves().iter().map(|&mv| game.format_move(mv)).collect::<Vec<_>>().join("-")
    }

    fn save(&mut self, file: &Path) -> Result<(), String> {
        let again = self.written.contains(file);
        let mut options = OpenOptions::new();
        options.write(true).create(true).create_new(!again).truncate(again);
        let text = record::write(self.course.game(), &self.record(), Style::StonePerNode);
        let written = options.open(file).and_then(|mut f| writeln!(f, "{text}"));
        written.map_err(|e| format!("{}: {e}", file.display()))?;
        self.written.insert(file.into());
        Ok(())
    }

    fn save_at_end(&mut self, file: Option<&Path>) -> io::Result<()> {
        let Some(file) = file else { return Ok(()) };
        self.save(file).map_err(io::Error::other)?;
        writeln!(self.output, "saved in {}", file.display())
    }

    fn record(&self) -> Record {
        let name = |player| if self.person == Some(player) { "a person" } else { "joblevel" };
        let mut record = Record::new(self.course.moves().to_vec());
        record.header =
            vec![Property::new("PB", name(Player::First)), Property::new("PW", name(Player::Second))];
        let result = self.outcome().map(|outcome| match outcome.winner() {
            Some(Player::First) => "B+",
            Some(Player::Second) => "W+",
            None => "0",
        });
        record.header.extend(result.map(|text| Property::new("RE", text)));
        record
    }
}

fn colour(player: Player) -> &'static str {
    match player {
        Player::First => "Black (X)",
        Player::Second => "White (O)",
    }
}

fn opinion(verdict: &Verdict) -> String {
    match verdict.winner {
        Some(side) => format!("{} wins for sure", colour(side.into())),
        None => format!("{}; Black wins {:.0}%", verdict.status, 100.0 * verdict.win_rate),
    }
}

/// The stones in a row, of which the last move put one.
fn winning_row(course: &Course, winner: Player) -> Vec<Cell> {
    let (game, stones) = (course.game(), course.position().stones(winner));
    let last = course.moves().last().into_iter().flat_map(|mv: &Move| mv.cells());
    let along = |cell: Cell, (dx, dy): (isize, isize)| {
        let (x, y) = game.coordinates(cell);
        (1..)
            .map_while(|n| game.cell(x.checked_add_signed(n * dx)?, y.checked_add_signed(n * dy)?))
            .take_while(|&c| stones.contains(c))
            .collect::<Vec<_>>()
    };
    let rows = last.flat_map(|cell| {
        [(1, 0), (0, 1), (1, 1), (1, -1)].map(|(dx, dy)| {
            let mut row = along(cell, (-dx, -dy));
            row.reverse();
            row.push(cell);
            row.extend(along(cell, (dx, dy)));
            row
        })
    });
    rows.max_by_key(Vec::len).unwrap_or_default()
}
