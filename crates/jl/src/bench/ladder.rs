//! `jl bench ladder`: the full program against itself without a part.
//!
//! Each opening is an even one and played twice, with the colours exchanged. The two games of a pair are not independent of each other,
//! so that the pair is the unit of sampling.

use super::openings::Openings;
use super::statistics::{Cluster, Share, elo};
use super::{MOST_TURNS, games, microseconds, score, thinker};
use crate::cli::{LadderArgs, Part};
use crate::crew::{self, Progress};
use crate::failure::Failure;
use crate::output::say;
use jl_engine_connect6::engine::{Recollection, Settings};
use jl_engine_connect6::{Course, Thinker};
use jl_game::Game;
use jl_value::Player;
use serde::Serialize;
use std::process::ExitCode;
use std::time::Instant;

pub fn run(args: &LadderArgs) -> Result<ExitCode, Failure> {
    let games = args.games as usize;
    if !games.is_multiple_of(2) {
        return Err(Failure::usage("--games must be even: each opening is played twice, colours exchanged"));
    }
    let limits = args.common.limits();
    let full = thinker(limits, Settings::default())?;
    let openings = openings(args, games / 2)?;
    if !args.common.json {
        say(&format!("{}, {games} games, intervals of 95% over pairs", args.common.limits_text()))?;
        say(HEADER)?;
    }
    let mut rows = Vec::new();
    for &part in &args.opponents {
        let row = against(args, &full, &openings, part)?;
        if !args.common.json {
            say(&row.text())?;
        }
        rows.push(row);
    }
    if args.common.json {
        let time = limits.time.map(|t| t.as_secs_f64());
        let all = serde_json::json!({
            "nodes": limits.nodes, "time": time, "seed": args.common.seed, "openings": args.openings, "rows": rows,
        });
        say(&all.to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Where games begin, so many times.
fn openings(args: &LadderArgs, count: usize) -> Result<Vec<Course>, Failure> {
    let thinker = thinker(args.common.limits(), Settings::default())?;
    let openings = Openings::new(thinker, args.common.seed).and_turns(args.turns);
    let Some(file) = &args.openings else { return Ok(openings.even(count, args.common.workers)) };
    let found = openings.of_games(games::read(file)?, args.before_end, count);
    if found.len() < count {
        let (name, pairs) = (file.display(), found.len());
        let why = format!(
            "{name}: {pairs} different undecided openings, {count} are needed for {} games",
            2 * count
        );
        return Err(Failure::usage(why));
    }
    Ok(found)
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Part::Zones => "zones",
            Part::SingleThreats => "single-threats",
            Part::Threats => "threats",
            Part::Network => "network",
        }
    }

    /// The program without this part.
    fn left_out(self) -> Settings {
        let all = Settings::default();
        match self {
            Part::Zones => Settings { zones: false, ..all },
            Part::SingleThreats => Settings { single_threats: false, ..all },
            Part::Threats => Settings { threats: false, single_threats: false, zones: false, ..all },
            Part::Network => Settings { network: false, ..all },
        }
    }
}

fn against(args: &LadderArgs, full: &Thinker, openings: &[Course], part: Part) -> Result<Row, Failure> {
    let weaker = thinker(full.limits, part.left_out())?;
    let progress = Progress::new();
    let mut tally = Tally::default();
    let play = |i: usize| {
        let (opening, full_is) = seat(i);
        play(&openings[opening], full, &weaker, full_is)
    };
    let games = crew::all(2 * openings.len(), args.common.workers, play, |done, game| {
        tally.add(game);
        let Tally { wins, draws, losses } = tally;
        let count = 2 * openings.len();
        progress.show(&format!("without {}: {done}/{count} games, +{wins} ={draws} −{losses}", part.name()));
    });
    Ok(Row::of(part.name(), &games))
}

/// The opening of a game, and what the full program is in it.
fn seat(game: usize) -> (usize, Player) {
    (game / 2, if game.is_multiple_of(2) { Player::First } else { Player::Second })
}

/// A game of the full program.
struct Played {
    /// For the full program: 1, ½ or 0.
    score: f64,
    turns: usize,
    full: Spent,
    opponent: Spent,
}

/// What a side's moves cost.
#[derive(Clone, Copy, Default)]
struct Spent {
    moves: u64,
    nodes: u64,
    seconds: f64,
}

impl Spent {
    fn add(&mut self, other: Spent) {
        self.moves += other.moves;
        self.nodes += other.nodes;
        self.seconds += other.seconds;
    }
}

fn play(opening: &Course, full: &Thinker, weaker: &Thinker, full_is: Player) -> Played {
    let mut course = opening.clone();
    let mut spent = [Spent::default(); 2];
    let mut recollections = [Recollection::default(), Recollection::default()];
    while course.game().outcome(course.position()).is_none() && course.moves().len() < MOST_TURNS {
        let is_full = course.position().to_move() == full_is;
        let (who, thinker) = if is_full { (0, full) } else { (1, weaker) };
        let start = Instant::now();
        let (mv, verdict) = thinker.choose_on(course.position(), &mut recollections[who]);
        let seconds = start.elapsed().as_secs_f64();
        spent[who].add(Spent { moves: 1, nodes: verdict.nodes, seconds });
        course.play(mv).expect("the program chooses among legal moves");
    }
    let winner = course.game().outcome(course.position()).and_then(|o| o.winner());
    let [full, opponent] = spent;
    Played { score: score(winner, full_is), turns: course.moves().len(), full, opponent }
}

#[derive(Clone, Copy, Default)]
struct Tally {
    wins: usize,
    draws: usize,
    losses: usize,
}

impl Tally {
    fn add(&mut self, game: &Played) {
        self.wins += usize::from(game.score == 1.0);
        self.draws += usize::from(game.score == 0.5);
        self.losses += usize::from(game.score == 0.0);
    }
}

/// The games against one opponent.
#[derive(Serialize)]
struct Row {
    /// The part that the opponent is without.
    without: &'static str,
    games: usize,
    wins: usize,
    draws: usize,
    losses: usize,
    /// With its 95% interval, from the variance of the scores of pairs.
    score: Share,
    /// `null` where it is infinite.
    elo: f64,
    elo_low: f64,
    elo_high: f64,
    mean_turns: f64,
    full: Means,
    opponent: Means,
}

/// Per move.
#[derive(Serialize)]
struct Means {
    nodes: f64,
    seconds: f64,
}

impl Means {
    fn of(all: impl Iterator<Item = Spent>) -> Means {
        let mut sum = Spent::default();
        all.for_each(|s| sum.add(s));
        let moves = sum.moves.max(1) as f64;
        Means { nodes: (sum.nodes as f64 / moves).round(), seconds: microseconds(sum.seconds / moves) }
    }
}

impl Row {
    /// Of games that come in pairs.
    fn of(without: &'static str, games: &[Played]) -> Row {
        let mut tally = Tally::default();
        games.iter().for_each(|g| tally.add(g));
        let pair = |pair: &[Played]| Cluster { sum: pair.iter().map(|g| g.score).sum(), parts: pair.len() };
        let pairs: Vec<Cluster> = games.chunks(2).map(pair).collect();
        let score = Share::of(&pairs).expect("games were played");
        Row {
            without,
            games: games.len(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            score,
            elo: elo(score.share),
            elo_low: elo(score.low),
            elo_high: elo(score.high),
            mean_turns: games.iter().map(|g| g.turns as f64).sum::<f64>() / games.len() as f64,
            full: Means::of(games.iter().map(|g| g.full)),
            opponent: Means::of(games.iter().map(|g| g.opponent)),
        }
    }

    fn text(&self) -> String {
        let Share { share, low, high } = self.score;
        let score = format!("{:.1}% ({:.1} to {:.1})", 100.0 * share, 100.0 * low, 100.0 * high);
        let elo = format!("{:+.0} ({:+.0} to {:+.0})", self.elo, self.elo_low, self.elo_high);
        let nodes = format!("{:.0}/{:.0}", self.full.nodes, self.opponent.nodes);
        let seconds = format!("{:.3}/{:.3}", self.full.seconds, self.opponent.seconds);
        format!(
            "{:14}  {:>5}  {:>4}  {:>5}  {:>6}  {score:22}  {elo:24}  {:>5.1}  {nodes:>15}  {seconds:>13}",
            self.without, self.games, self.wins, self.draws, self.losses, self.mean_turns,
        )
    }
}

const HEADER: &str = "without         games  wins  draws  losses  score                   Elo                       turns  \
                      nodes per move   s per move";

#[cfg(test)]
mod tests {
    use super::*;
    use jl_engine_connect6::limits::Limits;
    use jl_games::connect6::Connect;

    fn game(score: f64, turns: usize) -> Played {
        let full = Spent { moves: 2, nodes: 30, seconds: 0.5 };
        let opponent = Spent { moves: turns as u64, nodes: 90, seconds: 1.0 };
        Played { score, turns, full, opponent }
    }

    #[test]
    fn a_row_counts_games_and_measures_pairs() {
        let scores = [1.0, 1.0, 1.0, 1.0, 0.5, 0.5, 0.0, 0.0];
        let games: Vec<Played> = scores.iter().enumerate().map(|(i, &s)| game(s, 10 + i)).collect();
        let row = Row::of("zones", &games);
        assert_eq!((row.games, row.wins, row.draws, row.losses), (8, 4, 2, 2));
        assert_eq!((row.score.share, row.mean_turns), (0.625, 13.5));
        let sums = [2.0, 2.0, 1.0, 0.0].map(|sum| Cluster { sum, parts: 2 });
        assert_eq!(Some(row.score), Share::of(&sums));
        assert!(row.elo_low < row.elo && row.elo < row.elo_high && row.elo > 0.0);
        assert_eq!((row.full.nodes, row.full.seconds), (15.0, 0.25));
        assert_eq!(row.opponent.nodes, (720.0_f64 / 108.0).round());
        assert!(row.text().contains("62.5%"), "{}", row.text());
    }

    #[test]
    fn openings_are_played_with_either_colour() {
        let (black, white) = (Player::First, Player::Second);
        assert_eq!([0, 1, 2, 3].map(seat), [(0, black), (0, white), (1, black), (1, white)]);
    }

    #[test]
    fn a_game_is_scored_for_the_full_program() {
        let limits = Limits { nodes: Some(20), ..Limits::default() };
        let full = thinker(limits, Settings::default()).unwrap();
        let weaker = thinker(limits, Part::Threats.left_out()).unwrap();
        // Black completes six.
        let opening = Course::read(Connect::CONNECT6, false, "JJ-AAAB-JKJL-ACAD-JMJN-AGAH").unwrap();
        let game = |full_is| play(&opening, &full, &weaker, full_is);
        let (as_black, as_white) = (game(Player::First), game(Player::Second));
        assert_eq!((as_black.score, as_black.turns), (1.0, 7));
        assert_eq!((as_black.full.moves, as_black.opponent.moves), (1, 0));
        assert_eq!((as_white.score, as_white.full.moves, as_white.opponent.moves), (0.0, 0, 1));
    }

    #[test]
    fn every_opponent_is_weaker_by_its_part() {
        let all = Settings::default();
        let plain = Settings { single_threats: false, zones: false, threats: false, ..all };
        let expected = [
            (Part::Zones, Settings { zones: false, ..all }),
            (Part::SingleThreats, Settings { single_threats: false, ..all }),
            (Part::Threats, plain),
            (Part::Network, Settings { network: false, ..all }),
        ];
        for (part, settings) in expected {
            assert_eq!(part.left_out(), settings, "{part:?}");
        }
    }
}
