//! Two settings of the search against each other: `match games.csv LIMIT PAIRS A B [GAMES]`.
//!
//! A sixth argument names a file to which the games are added, as they are in `games.csv`.
//!
//! LIMIT is `200ms` or `5000n`; A and B are lists like `width=20,network=none,threads=2`, empty for the defaults. Openings are the first
//! stones of games in the file, five unless PAIRS is like `200/9`; each is played twice with the sides changed.

use jl_engine_connect6::limits::{Clock, Limits};
use jl_engine_connect6::network::Network;
use jl_engine_connect6::search::node::DECIDED;
use jl_engine_connect6::search::threads::search_with;
use jl_engine_connect6::search::{Memory, Options, Request};
use jl_engine_connect6::{Board, Geometry, Side};
use std::io::Write;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// None, or the one in a file.
fn network(value: &str) -> Option<&'static Network> {
    if value == "none" {
        return None;
    }
    let bytes = std::fs::read(value).expect("a file of weights");
    let parameters: Vec<i16> = bytes.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]])).collect();
    Some(Box::leak(Box::new(Network::new(&parameters))))
}

struct Player {
    options: Options,
    threads: NonZeroUsize,
}

fn player(text: &str) -> Player {
    let mut o = Options::default();
    let mut threads = NonZeroUsize::MIN;
    for item in text.split(',').filter(|s| !s.is_empty()) {
        let (name, value) = item.split_once('=').expect("name=value");
        if name == "network" {
            o.network = network(value);
            continue;
        }
        if name == "threads" {
            threads = value.parse().expect("a number");
            continue;
        }
        let n: i32 = value.parse().expect("a number");
        match name {
            "cells" => o.cells = n as usize,
            "rootcells" => o.root_cells = n as usize,
            "rootwidth" => o.root_width = n as usize,
            "width" => o.width = n as usize,
            "narrow" => o.narrow = n as usize,
            "singlewidth" => o.single_width = n as usize,
            "late" => o.late = n as usize,
            "reduction" => o.reduction = n,
            "double" => o.double_extension = n,
            "single" => o.single_extension = n,
            "root" => o.root_tactics = n as u64,
            "leaf" => o.leaf_tactics = n as u64,
            "node" => o.node_tactics = n as u64,
            "null" => o.null_tactics = n as u64,
            "nulldepth" => o.null_depth = n,
            "stubborn" => o.stubborn = n != 0,
            "zones" => o.zones = n != 0,
            "bottom" => o.bottom = n,
            "low" => o.low_width = n as usize,
            "potential" => o.potential = n as usize,
            "three" => o.three = n as usize,
            "history" => o.history = n,
            "historymost" => o.history_most = n,
            "likelihood" => o.likelihood = n,
            "joint" => o.joint = n,
            "opinion" => o.opinion = n,
            "odds" => o.odds = n,
            "maxdepth" => o.max_depth = n as u32,
            "tempo" => o.weights.tempo = n,
            "own3" => o.weights.own[3] = n,
            "own4" => o.weights.own[4] = n,
            "own5" => o.weights.own[5] = n,
            "other3" => o.weights.other[3] = n,
            "other4" => o.weights.other[4] = n,
            "other5" => o.weights.other[5] = n,
            "build2" => o.weights.build[2] = n,
            "build3" => o.weights.build[3] = n,
            "build4" => o.weights.build[4] = n,
            "build5" => o.weights.build[5] = n,
            "kill2" => o.weights.kill[2] = n,
            "kill3" => o.weights.kill[3] = n,
            "kill4" => o.weights.kill[4] = n,
            "kill5" => o.weights.kill[5] = n,
            _ => panic!("unknown: {name}"),
        }
    }
    Player { options: o, threads }
}

#[derive(Default)]
struct Spent {
    nodes: u64,
    time: Duration,
    depth: u64,
    turns: u64,
    /// Scores of undecided positions in the first player's view, of the game going on.
    scores: Vec<i32>,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read_to_string(&args[0]).expect("readable");
    let limits = match args[1].strip_suffix("ms") {
        Some(ms) => Limits {
            time: Some(Duration::from_millis(ms.parse().expect("milliseconds"))),
            memory: 16 << 20,
            ..Limits::default()
        },
        None => Limits {
            nodes: Some(args[1].trim_end_matches('n').parse().expect("nodes")),
            memory: 16 << 20,
            ..Limits::default()
        },
    };
    let (pairs, placed) = args[2].split_once('/').unwrap_or((&args[2], "5"));
    let (pairs, placed): (usize, usize) = (pairs.parse().expect("a number"), placed.parse().expect("stones"));
    let players = [player(&args[3]), player(args.get(4).map_or("", |s| s))];
    let g = Geometry::new(19, 19, 6).expect("Connect6's board");
    let mut openings: Vec<Vec<u16>> = Vec::new();
    let lines: Vec<&str> = text.lines().skip(1).collect();
    let step = (lines.len() / pairs).max(1);
    for line in lines.iter().step_by(step) {
        let stones = line.split('"').nth(1).expect("stones");
        let cells: Vec<u16> = stones
            .split(',')
            .map(|s| {
                let x = usize::from(s.as_bytes()[0] - b'a');
                let y: usize = s[1..].parse().expect("a row");
                g.cell(x, y - 1)
            })
            .take(placed)
            .collect();
        if cells.len() == placed {
            openings.push(cells);
        }
    }
    let mut record = args.get(5).map(|path| {
        std::fs::OpenOptions::new().create(true).append(true).open(path).expect("a file that can be written")
    });
    let mut spent = [Spent::default(), Spent::default()];
    let mut judged: Vec<(i32, bool)> = Vec::new();
    let mut wins = [0.0; 2];
    let mut squares = 0.0;
    let (mut games, mut first_wins, mut turns) = (0.0, 0, 0);
    for opening in openings.iter().take(pairs) {
        let before: f64 = wins[0];
        for swap in [0, 1] {
            let mut stones = opening.clone();
            let winner = play(&g, &mut stones, &players, swap, limits, &mut spent);
            turns += (stones.len() - opening.len()) / 2;
            games += 1.0;
            if let (Some(record), Some(winner)) = (&mut record, winner) {
                let name = |&c: &u16| format!("{}{}", (b'a' + (c % 19) as u8) as char, c / 19 + 1);
                let stones = stones.iter().map(name).collect::<Vec<_>>().join(",");
                let winner = if winner == Side::First { "black" } else { "white" };
                writeln!(record, "{games},\"{stones}\",{winner}").expect("written");
            }
            let scores: Vec<i32> = spent.iter_mut().flat_map(|s| std::mem::take(&mut s.scores)).collect();
            match winner {
                Some(side) => {
                    judged.extend(scores.into_iter().map(|s| (s, side == Side::First)));
                    wins[side as usize ^ swap] += 1.0;
                    first_wins += u32::from(side == Side::First);
                }
                None => wins.iter_mut().for_each(|w| *w += 0.5),
            }
        }
        let p: f64 = wins[0] / games;
        squares += ((wins[0] - before) / 2.0).powi(2);
        let error = pair_error(p, squares, games);
        if (games as usize).is_multiple_of(20) {
            eprintln!("{games} games: {:.1}% ± {:.1}", 100.0 * p, 100.0 * error);
        }
    }
    let p: f64 = wins[0] / games;
    let error = pair_error(p, squares, games);
    println!(
        "A={:?} B={:?}: A won {} of {games}: {:.1}% ± {:.1}; Black won {first_wins}; {:.1} turns a game",
        args[3],
        args.get(4).map_or("", |s| s),
        wins[0],
        100.0 * p,
        100.0 * error,
        turns as f64 / games
    );
    println!("  the scale of the win rate that fits best: {}", fitting_scale(&judged));
    for s in &spent {
        println!(
            "  {:.0} nodes/s, {:.0} nodes and {:.1} ms per turn, depth {:.2}",
            s.nodes as f64 / s.time.as_secs_f64(),
            s.nodes as f64 / s.turns as f64,
            1000.0 * s.time.as_secs_f64() / s.turns as f64,
            s.depth as f64 / s.turns as f64
        );
    }
}

/// The standard error of a score, the two games of an opening being one draw.
fn pair_error(p: f64, squares: f64, games: f64) -> f64 {
    let pairs = games / 2.0;
    ((squares / pairs - p * p) / (pairs - 1.0).max(1.0)).sqrt()
}

/// The scale with which the logistic curve makes the results most likely.
fn fitting_scale(judged: &[(i32, bool)]) -> u32 {
    let surprise = |scale: u32| -> f64 {
        let of = |&(score, won): &(i32, bool)| {
            let x = f64::from(score) / f64::from(scale);
            (1.0 + (if won { -x } else { x }).exp()).ln()
        };
        judged.iter().map(of).sum()
    };
    let scales = (1..200).map(|i| i * 20);
    scales.min_by(|&a, &b| surprise(a).total_cmp(&surprise(b))).unwrap_or_default()
}

/// Whose the stone with this number is, from 0.
fn side_of(stone: usize) -> Side {
    if stone.div_ceil(2).is_multiple_of(2) { Side::First } else { Side::Second }
}

fn play(
    g: &Geometry,
    stones: &mut Vec<u16>,
    players: &[Player; 2],
    swap: usize,
    limits: Limits,
    spent: &mut [Spent; 2],
) -> Option<Side> {
    let mut board = Board::new(g);
    for (i, &c) in stones.iter().enumerate() {
        board.place(c, side_of(i));
    }
    let mut mover = side_of(stones.len());
    while board.placed() + 1 < g.cells() && board.placed() < 200 {
        let who = mover as usize ^ swap;
        let request = Request {
            mover,
            stones: 2,
            prohibited: &[],
            only: None,
            refuting: &[],
            seed: 0,
            options: players[who].options.clone(),
            thread: 0,
        };
        let mut clock = Clock::new(limits);
        let mut memory = Memory::new(limits.memory, limits.memory);
        let start = Instant::now();
        let found = search_with(players[who].threads, &mut board, &request, &mut memory, &mut clock);
        let s = &mut spent[who];
        s.turns += 1;
        s.time += start.elapsed();
        s.nodes += clock.nodes();
        if found.score.abs() < DECIDED {
            s.scores.push(if mover == Side::First { found.score } else { -found.score });
        }
        s.depth += u64::from(found.iterations.last().map_or(0, |i| i.depth));
        let [a, b] = found.best?;
        board.place(a, mover);
        board.place(b, mover);
        stones.extend([a, b]);
        if board.has_won(mover) {
            return Some(mover);
        }
        mover = mover.opponent();
    }
    None
}
