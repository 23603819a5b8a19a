//! `jl bench calibrate`: what comes of positions with each grade.
//!
//! The program plays itself. So that there are positions of every grade, some moves of the early game are random ones:
//! up to a turn that is drawn before the game, and not once a win is claimed. Grades count from there on, so that
//! nothing but the program's own play lies between them and the result; sure ones count always.

use super::openings::{Openings, Rng, blunder};
use super::statistics::{Cluster, Forecast, Scale, Share};
use super::{MOST_TURNS, score, thinker};
use crate::cli::CalibrateArgs;
use crate::crew::{self, Progress};
use crate::failure::Failure;
use crate::output::say;
use crate::plot::{self, Reliability};
use jl_engine_connect6::engine::{Settings, Verdict};
use jl_engine_connect6::limits::Limits;
use jl_engine_connect6::{Board, Course, Geometry, Thinker, Threats};
use jl_game::{Game, Status};
use jl_games::connect6::{Connect, Position};
use jl_value::Player;
use serde::Serialize;
use serde_json::json;
use std::fs::OpenOptions;
use std::process::ExitCode;

/// The turn up to which moves may be random is drawn from these.
const DISTURBED: std::ops::Range<usize> = 4..12;
/// Whoever is said to win may look at so many times as much: the proof is to be carried out, not found again.
const PATIENCE: u32 = 10;

pub fn run(args: &CalibrateArgs) -> Result<ExitCode, Failure> {
    if let Some(file) = &args.plot {
        plot::Format::of(file)?;
        // A file that can't be written is better known before the games than after them.
        let opened = OpenOptions::new().append(true).create(true).open(file);
        opened.map_err(|e| Failure::usage(format!("--plot {}: {e}", file.display())))?;
    }
    let games = play_all(args)?;
    let rows = rows(&games);
    let scale = Scale::fit(&forecasts(&games));
    let broken: Vec<Broken> = games.iter().enumerate().flat_map(|(i, g)| g.broken(i)).collect();
    if let Some(file) = &args.plot {
        let title = format!("Grades and results, {}", args.common.limits_text());
        plot::reliability(file, &title, &points(&rows))?;
        eprintln!("drew {}", file.display());
    }
    if args.common.json {
        say(&object(args, &games, &rows, scale, &broken).to_string())?;
    } else {
        print(args, &games, &rows, scale)?;
    }
    for b in &broken {
        eprintln!("{}", b.text());
    }
    Ok(if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn play_all(args: &CalibrateArgs) -> Result<Vec<Played>, Failure> {
    let limits = args.common.limits();
    let players = Players {
        usual: thinker(limits, Settings::default())?,
        patient: thinker(patient(limits), Settings::default())?,
        random: args.random,
    };
    let openings = Openings::new(thinker(limits, Settings::default())?, args.common.seed);
    let openings: Vec<Course> = openings.take(args.games as usize).collect();
    let progress = Progress::new();
    let play = |i: usize| players.play(&openings[i], &mut Rng::fork(args.common.seed, i as u64));
    Ok(crew::all(openings.len(), args.common.workers, play, |done, _| {
        progress.show(&format!("{done}/{} games", args.games));
    }))
}

fn patient(limits: Limits) -> Limits {
    let nodes = limits.nodes.map(|n| n.saturating_mul(PATIENCE.into()));
    Limits { nodes, time: limits.time.map(|t| t * PATIENCE), ..limits }
}

struct Players {
    usual: Thinker,
    patient: Thinker,
    random: f64,
}

/// A game, with the grades that count.
struct Played {
    moves: String,
    winner: Option<Player>,
    grades: Vec<Graded>,
}

/// What the program said of the position after a move.
struct Graded {
    turn: usize,
    status: Status,
    win_rate: f64,
    how: Option<&'static str>,
}

impl Players {
    fn play(&self, opening: &Course, rng: &mut Rng) -> Played {
        let game = *opening.game();
        let disturbed = DISTURBED.start + rng.below(DISTURBED.len());
        let mut course = opening.clone();
        let mut claimed = None;
        let mut grades = Vec::new();
        while game.outcome(course.position()).is_none() && course.moves().len() < MOST_TURNS {
            let position = *course.position();
            let turn = course.moves().len() + 1;
            let is_disturbed = turn < disturbed && claimed.is_none();
            if is_disturbed
                && rng.chance(self.random)
                && is_calm(&position)
                && let Some(mv) = blunder(&game, &position, rng)
            {
                course.play(mv).expect("free cells were chosen");
                continue;
            }
            let carries_out = claimed == Some(position.to_move());
            let player = if carries_out { &self.patient } else { &self.usual };
            let (mv, verdict) = player.choose(&position);
            course.play(mv).expect("the program chooses among legal moves");
            if verdict.winner.is_some() || !(is_disturbed || carries_out) {
                grades.push(Graded::of(turn, &verdict));
            }
            claimed = claimed.or(verdict.winner.map(Player::from));
        }
        let winner = game.outcome(course.position()).and_then(|o| o.winner());
        let moves: Vec<String> = course.moves().iter().map(|&mv| game.format_move(mv)).collect();
        Played { moves: moves.join("-"), winner, grades }
    }
}

/// Nobody threatens to complete a line: a random move does not lose at once.
fn is_calm(position: &Position) -> bool {
    let game = Connect::CONNECT6;
    let geometry = Geometry::new(game.columns(), game.rows(), game.k()).expect("the board has a geometry");
    let mut board = Board::new(&geometry);
    let players = [Player::First, Player::Second];
    for player in players {
        for cell in position.stones(player).iter() {
            board.place(cell.index() as u16, player.into());
        }
    }
    players.into_iter().all(|player| Threats::of(&board, player.into()).count() == 0)
}

impl Graded {
    fn of(turn: usize, verdict: &Verdict) -> Graded {
        let Verdict { status, win_rate, how, .. } = *verdict;
        Graded { turn, status, win_rate, how: how.map(|how| how.name()) }
    }
}

impl Played {
    /// For Black.
    fn result(&self) -> f64 {
        score(self.winner, Player::First)
    }

    /// The sure grades that were not.
    fn broken(&self, game: usize) -> Vec<Broken<'_>> {
        let wrong = |g: &&Graded| g.status.outcome().is_some_and(|o| o.winner() != self.winner);
        let broken = |g: &Graded| Broken {
            game: game + 1,
            turn: g.turn,
            status: g.status.to_string(),
            how: g.how,
            winner: self.winner.map(|p| p.to_string()),
            moves: &self.moves,
        };
        self.grades.iter().filter(wrong).map(broken).collect()
    }
}

/// A claim that the game refutes.
#[derive(Serialize)]
struct Broken<'a> {
    game: usize,
    /// After which move.
    turn: usize,
    status: String,
    how: Option<&'static str>,
    winner: Option<String>,
    moves: &'a str,
}

impl Broken<'_> {
    fn text(&self) -> String {
        let Broken { game, turn, status, moves, .. } = self;
        let ended = match self.winner.as_deref() {
            Some("first") => "Black won",
            Some(_) => "White won",
            None => "nobody won",
        };
        let how = self.how.unwrap_or("-");
        format!("WRONG PROOF? game {game}: {status} ({how}) after move {turn}, but {ended}: {moves}")
    }
}

/// What a status stands for.
fn nominal(status: Status) -> f64 {
    let side = |player| score(Some(player), Player::First) - 0.5;
    match status {
        Status::Win(player) => 0.5 + side(player),
        Status::Favours(player, grade) => 0.5 + side(player) * (grade as u8 as f64) / 5.0,
        Status::Stable | Status::Unstable1 | Status::Unstable2 | Status::Draw => 0.5,
    }
}

/// The positions with one status.
#[derive(Serialize)]
struct Row {
    status: String,
    nominal: f64,
    positions: usize,
    games: usize,
    /// Won by Black, a draw being half a win, with the 95% interval; games are the units.
    won: Option<Share>,
    #[serde(skip)]
    kind: Status,
}

fn rows(games: &[Played]) -> Vec<Row> {
    let row = |status: Status| {
        let cluster = |game: &Played| {
            let parts = game.grades.iter().filter(|g| g.status == status).count();
            Cluster { sum: parts as f64 * game.result(), parts }
        };
        let clusters: Vec<Cluster> = games.iter().map(cluster).filter(|c| c.parts > 0).collect();
        Row {
            status: status.to_string(),
            nominal: nominal(status),
            positions: clusters.iter().map(|c| c.parts).sum(),
            games: clusters.len(),
            won: Share::of(&clusters),
            kind: status,
        }
    };
    Status::ALL.into_iter().map(row).collect()
}

/// Of the positions that are not decided.
fn forecasts(games: &[Played]) -> Vec<Forecast> {
    let of = |(game, played): (usize, &Played)| {
        let result = played.result();
        let open = played.grades.iter().filter(|g| g.status.outcome().is_none());
        open.map(|g| Forecast { game, win_rate: g.win_rate, result }).collect::<Vec<_>>()
    };
    games.iter().enumerate().flat_map(of).collect()
}

fn points(rows: &[Row]) -> Vec<Reliability> {
    let point = |row: &Row| {
        let Share { share, low, high } = row.won?;
        let aside = match row.kind {
            Status::Unstable1 => 0.015,
            Status::Unstable2 => 0.03,
            _ => 0.0,
        };
        Some(Reliability {
            label: format!("{} ({})", row.status, row.positions),
            nominal: row.nominal + aside,
            observed: share,
            low,
            high,
            unstable: aside > 0.0,
        })
    };
    rows.iter().filter_map(point).collect()
}

/// Games won by Black, drawn, won by White.
fn results(games: &[Played]) -> [usize; 3] {
    [Some(Player::First), None, Some(Player::Second)]
        .map(|winner| games.iter().filter(|g| g.winner == winner).count())
}

fn object(
    args: &CalibrateArgs,
    games: &[Played],
    rows: &[Row],
    scale: Option<Scale>,
    broken: &[Broken],
) -> serde_json::Value {
    let limits = args.common.limits();
    let [black, drawn, white] = results(games);
    json!({
        "nodes": limits.nodes,
        "time": limits.time.map(|t| t.as_secs_f64()),
        "seed": args.common.seed,
        "random": args.random,
        "games": games.len(),
        "black_won": black,
        "drawn": drawn,
        "white_won": white,
        "rows": rows,
        "scale": scale,
        "broken": broken,
    })
}

fn print(args: &CalibrateArgs, games: &[Played], rows: &[Row], scale: Option<Scale>) -> Result<(), Failure> {
    let [black, drawn, white] = results(games);
    let count = games.len();
    say(&format!(
        "{}, {count} games: Black won {black}, White {white}, {drawn} drawn; intervals of 95% over games",
        args.common.limits_text(),
    ))?;
    say("status     positions  games  nominal  won by Black")?;
    for row in rows {
        let won = row.won.map_or_else(String::new, |Share { share, low, high }| {
            format!("{:.1}% ({:.1} to {:.1})", 100.0 * share, 100.0 * low, 100.0 * high)
        });
        let nominal = format!("{:.0}%", 100.0 * row.nominal);
        let line = format!("{:9}  {:9}  {:5}  {nominal:>7}  {won}", row.status, row.positions, row.games);
        say(line.trim_end())?;
    }
    say(&match scale {
        Some(Scale { scale, low, high, positions }) => {
            format!("scale: {scale:.3} ({low:.3} to {high:.3}) over {positions} undecided positions")
        }
        None => "scale: no undecided position says anything".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graded(turn: usize, status: &str, win_rate: f64) -> Graded {
        Graded { turn, status: status.parse().unwrap(), win_rate, how: None }
    }

    fn played(winner: Option<Player>, grades: Vec<Graded>) -> Played {
        Played { moves: "JJ-JIKL".into(), winner, grades }
    }

    fn games() -> Vec<Played> {
        vec![
            played(
                Some(Player::First),
                vec![graded(9, "B2", 0.7), graded(10, "B2", 0.72), graded(11, "B:w", 1.0)],
            ),
            played(Some(Player::Second), vec![graded(8, "B2", 0.68), graded(9, "W:w", 0.0)]),
            played(None, vec![graded(20, "unstable1", 0.4)]),
        ]
    }

    #[test]
    fn statuses_stand_for_the_table() {
        let rates: Vec<f64> = Status::ALL.into_iter().map(nominal).collect();
        let table = [1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.5, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0, 0.5];
        assert!(rates.iter().zip(table).all(|(a, b)| (a - b).abs() < 1e-9), "{rates:?}");
    }

    #[test]
    fn rows_count_positions_by_status_and_results_by_game() {
        let rows = rows(&games());
        let row = |status: &str| rows.iter().find(|r| r.status == status).unwrap();
        assert_eq!((row("B2").positions, row("B2").games), (3, 2));
        assert_eq!(row("B2").won.map(|s| s.share), Some(2.0 / 3.0));
        assert_eq!(row("B:w").won.map(|s| s.share), Some(1.0));
        assert_eq!(row("W:w").won.map(|s| s.share), Some(0.0));
        assert_eq!(row("unstable1").won.map(|s| s.share), Some(0.5));
        assert!(row("B1").won.is_none() && row("B1").positions == 0);
        assert_eq!(results(&games()), [1, 1, 1]);
        let points = points(&rows);
        assert_eq!(points.len(), 4);
        assert_eq!(points.iter().filter(|p| p.unstable).count(), 1);
    }

    #[test]
    fn only_undecided_positions_are_forecasts() {
        let all = forecasts(&games());
        let shown: Vec<(usize, f64, f64)> = all.iter().map(|f| (f.game, f.win_rate, f.result)).collect();
        assert_eq!(shown, [(0, 0.7, 1.0), (0, 0.72, 1.0), (1, 0.68, 0.0), (2, 0.4, 0.5)]);
    }

    #[test]
    fn a_claim_that_does_not_come_true_is_told() {
        assert!(games().iter().all(|g| g.broken(0).is_empty()));
        for winner in [None, Some(Player::Second)] {
            let game = played(winner, vec![graded(11, "B4", 0.9), graded(12, "B:w", 1.0)]);
            let broken = game.broken(4);
            assert_eq!(broken.len(), 1);
            let text = broken[0].text();
            for part in ["game 5", "B:w", "move 12", "JJ-JIKL"] {
                assert!(text.contains(part), "{text}");
            }
        }
    }

    #[test]
    fn calm_positions_have_no_threat() {
        let position = |moves| Course::read(Connect::CONNECT6, false, moves).unwrap().position().to_owned();
        assert!(is_calm(&position("JJ-AAAB-JKJL-ACSS")));
        assert!(!is_calm(&position("JJ-AAAB-JKJL-ACAD")));
        assert!(!is_calm(&position("JJ-AASS-JKJL-ACSA-JMQQ")));
    }

    fn players(random: f64) -> Players {
        let limits = Limits { nodes: Some(100), ..Limits::default() };
        let thinker = || thinker(limits, Settings::default()).unwrap();
        Players { usual: thinker(), patient: thinker(), random }
    }

    #[test]
    fn grades_count_once_the_game_is_left_alone() {
        let opening = Course::read(Connect::CONNECT6, false, "JJ-IILK-JKHJ").unwrap();
        let mut counted = 0;
        for seed in 0..3 {
            let disturbed = DISTURBED.start + Rng::new(seed).below(DISTURBED.len());
            let game = players(0.3).play(&opening, &mut Rng::new(seed));
            let claim = game.grades.iter().position(|g| g.status.outcome().is_some());
            for (i, g) in game.grades.iter().enumerate() {
                assert!(g.turn >= disturbed || claim.is_some_and(|c| c <= i), "{}", game.moves);
            }
            counted += game.grades.len();
        }
        assert!(counted > 0);
        let game = players(0.0).play(&opening, &mut Rng::new(1));
        assert_eq!(game.moves, players(0.0).play(&opening, &mut Rng::new(1)).moves);
        assert_ne!(game.moves, players(0.9).play(&opening, &mut Rng::new(1)).moves);
    }
}
