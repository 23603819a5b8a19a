//! The text protocol of Connect6 programs: a command per line, the program keeps the game.
//!
//! ```text
//!   > new black        < move JJ
//!   > move IJJI        < move KKLI
//!   > white IKKK       > next              < move …
//! ```
//!
//! There is no written standard. This is what graphical boards send and programs answer: moves in letter pairs, the
//! single first stone as `JJ`, `JJJJ` or `JJ@@`. What is wrong is answered by a line that starts with `error`, and the
//! game is as it was before.

use crate::course::Course;
use crate::engine::Recollection;
use crate::flags::Protocol;
use crate::thinker::Thinker;
use jl_game::Game;
use jl_games::connect6::Position;
use jl_value::{Outcome, Player};
use std::io::{self, BufRead, Write};

const HELP: &str = "\
name         the program's name: name NAME
print        the board, the last move in lower case
new black    a new game in which the program is Black: it moves at once
new white    a new game in which the program is White
new          a new game; nobody moves until told to
black XXXX   a move of Black's; the single first stone is XX, XXXX or XX@@
white XXXX   a move of White's
next         the program moves for the player to move: move XXXX
move XXXX    the opponent's move; the program answers with its own: move XXXX,
             or with end black, end white or end draw if the game is over
undo         takes the last move back
vcf, unvcf   think with threat searches, as at the start, or without
depth N      accepted; how long the program thinks is set by --nodes and --time
help         this list
exit, quit   the end";

/// A game that is played over this protocol.
pub(crate) struct Dialogue {
    thinker: Thinker,
    course: Course,
    doubled: bool,
    recollection: Recollection,
}

enum Reply {
    /// Lines, or nothing if there are none.
    Text(String),
    Leave,
}

impl Dialogue {
    pub fn new(thinker: Thinker, course: Course, protocol: Protocol) -> Dialogue {
        let doubled = protocol == Protocol::C6Doubled;
        Dialogue { thinker, course, doubled, recollection: Recollection::default() }
    }

    pub fn serve(&mut self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        let mut line = Vec::new();
        while input.read_until(b'\n', &mut line)? > 0 {
            let text = match self.obey(&String::from_utf8_lossy(&line)) {
                Ok(Reply::Leave) => return Ok(()),
                Ok(Reply::Text(text)) => text,
                Err(why) => format!("error {}", jl_engine::one_line(&why)),
            };
            if !text.is_empty() {
                output.write_all((text + "\n").as_bytes())?;
                output.flush()?;
            }
            line.clear();
        }
        Ok(())
    }

    fn obey(&mut self, line: &str) -> Result<Reply, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let text = match words[..] {
            // The last two are a referee's: it says that the game is over, or that a move was refused.
            [] | ["end" | "error", ..] => String::new(),
            ["exit" | "quit"] => return Ok(Reply::Leave),
            ["name" | "name?"] => "name joblevel".into(),
            ["help"] => HELP.into(),
            ["print"] => self.course.draw().trim_end().into(),
            ["new", "black"] => {
                self.begin();
                self.next()?
            }
            ["new", ..] => {
                self.begin();
                String::new()
            }
            ["black", mv] => self.move_of(Player::First, mv)?,
            ["white", mv] => self.move_of(Player::Second, mv)?,
            ["move", mv] => {
                self.move_of(self.position().to_move(), mv)?;
                match self.outcome() {
                    Some(outcome) => end(outcome),
                    None => self.next()?,
                }
            }
            ["next"] => self.next()?,
            ["undo"] => self.undo()?,
            ["vcf"] => self.set_threats(true),
            ["unvcf"] => self.set_threats(false),
            ["depth", n] if n.parse::<u32>().is_ok() => String::new(),
            ["depth", ..] => return Err("depth needs a number".into()),
            ["black" | "white" | "move", ..] => {
                return Err(format!("{} needs one move, like JIKL", words[0]));
            }
            _ => return Err(format!("unknown command '{}'; try help", line.trim())),
        };
        Ok(Reply::Text(text))
    }

    fn begin(&mut self) {
        self.course.truncate(0);
        self.recollection = Recollection::default();
    }

    fn position(&self) -> &Position {
        self.course.position()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.thinker.game().outcome(self.position())
    }

    fn move_of(&mut self, player: Player, text: &str) -> Result<String, String> {
        let game = self.thinker.game();
        if self.outcome().is_none() && player != self.position().to_move() {
            return Err(format!("it is {}'s turn", colour(player.opponent())));
        }
        let single = game.stones_due(self.position()) == 1;
        let text = if single { one_of_doubled(text) } else { text };
        let mv = game.parse_move(text).map_err(|e| e.to_string())?;
        self.course.play(mv)?;
        Ok(String::new())
    }

    fn next(&mut self) -> Result<String, String> {
        if let Some(outcome) = self.outcome() {
            return Err(format!("the game is over: {}", end(outcome)));
        }
        let (mv, _) = self.thinker.choose_on(self.course.position(), &mut self.recollection);
        let text = self.thinker.game().format_move(mv);
        let repeat = if self.doubled && mv.len() == 1 { 2 } else { 1 };
        self.course.play(mv)?;
        Ok(format!("move {}", text.repeat(repeat)))
    }

    fn undo(&mut self) -> Result<String, String> {
        let count = self.course.moves().len();
        self.course.truncate(count.checked_sub(1).ok_or("there is no move to take back")?);
        Ok(String::new())
    }

    fn set_threats(&mut self, on: bool) -> String {
        self.thinker.settings.threats = on;
        self.recollection = Recollection::default();
        String::new()
    }
}

/// `JJ` of `JJJJ` and of `JJ@@`; other texts as they are.
fn one_of_doubled(text: &str) -> &str {
    match text.split_at_checked(text.len() / 2) {
        Some((stone, rest)) if stone.len() >= 2 && (rest == stone || rest == "@@") => stone,
        _ => text,
    }
}

fn colour(player: Player) -> &'static str {
    match player {
        Player::First => "black",
        Player::Second => "white",
    }
}

fn end(outcome: Outcome) -> String {
    format!("end {}", outcome.winner().map_or("draw", colour))
}
