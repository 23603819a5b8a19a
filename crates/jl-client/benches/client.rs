//! The client's cost per job on graphs of 10⁴ to 10⁷ nodes: `cargo bench -p jl-client`.
//!
//! The game is a stand-in for Connect6: two stones a move on 19×19, so that paths, prohibited lists and keys have their
//! real sizes; the program's answers are a function of the query, graded around a hidden score that drifts down the
//! tree, some 15% of them sure (Wu13 §V); wins begin deep enough for the root to stay open.
//! What a job costs is two events, "worker available" (select, pre-update, dispatch) and "done" (parse, generate,
//! update), with 16 and with 1024 jobs in flight. Sizes can be given as arguments: `cargo bench -p jl-client -- 10000 1000000`.

use jl_client::{Application, Client, Options};
use jl_game::{Answer, Assessment, BadAnswer, Game, GameError, Key, Program, Query, Status};
use jl_messages::{JobClient, JobId, Notice, Request};
use jl_search::Search;
use jl_search::pns::{Numbers, Pns};
use jl_search::uct::{Uct, WinRate};
use jl_value::{Outcome, Player};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

const CELLS: u32 = 361;

struct Stones;

#[derive(Clone, PartialEq, Debug)]
struct Position {
    key: Key,
    /// A hidden score: what the statuses are graded around.
    score: i32,
    plies: u32,
}

fn mix(seed: u64) -> u64 {
    let z = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn stone(player: Player, cell: u32) -> Key {
    let n = u64::from(cell * 2 + u32::from(player == Player::Second)) + 1;
    Key::from(mix(n.wrapping_mul(0x9e37_79b9_7f4a_7c15))) << 64
        | Key::from(mix(n.wrapping_mul(0xd1b5_4a32_d192_ed03)))
}

impl Game for Stones {
    type Position = Position;
    type Move = (u32, u32);
    type Symmetry = ();

    fn name(&self) -> &'static str {
        "stones"
    }
    fn initial(&self) -> Position {
        Position { key: 1, score: 0, plies: 0 }
    }
    fn to_move(&self, p: &Position) -> Player {
        if p.plies.is_multiple_of(2) { Player::First } else { Player::Second }
    }
    fn play(&self, p: &Position, mv: (u32, u32)) -> Result<Position, String> {
        let player = self.to_move(p);
        let key = p.key ^ stone(player, mv.0) ^ stone(player, mv.1);
        let drift = (mix(key as u64) % 3) as i32 - 1;
        Ok(Position { key, score: (p.score + drift).clamp(-9, 9), plies: p.plies + 1 })
    }
    fn outcome(&self, _: &Position) -> Option<Outcome> {
        None
    }
    fn legal_moves(&self, _: &Position) -> Vec<(u32, u32)> {
        Vec::new()
    }
    fn code(&self, mv: (u32, u32)) -> u32 {
        mv.0 * CELLS + mv.1
    }
    fn decode(&self, code: u32) -> Option<(u32, u32)> {
        Some((code / CELLS, code % CELLS))
    }
    fn format_move(&self, mv: (u32, u32)) -> String {
        let cell = |c: u32| [(b'A' + (c % 19) as u8) as char, (b'A' + (c / 19) as u8) as char];
        cell(mv.0).into_iter().chain(cell(mv.1)).collect()
    }
    fn parse_move(&self, text: &str) -> Result<(u32, u32), GameError> {
        let b: Vec<u32> = text.bytes().map(|b| u32::from(b - b'A')).collect();
        Ok((b[0] + 19 * b[1], b[2] + 19 * b[3]))
    }
    fn canonical(&self, p: &Position) -> (Key, ()) {
        (p.key, ())
    }
    fn map_move(&self, (): (), mv: (u32, u32)) -> (u32, u32) {
        mv
    }
    fn map_position(&self, (): (), p: &Position) -> Position {
        p.clone()
    }
    fn symmetries(&self) -> &'static [()] {
        &[()]
    }
    fn stabilizer(&self, _: &Position) -> Vec<()> {
        vec![()]
    }
    fn show(&self, _: &Position) -> String {
        String::new()
    }
}

/// Reads what [`answer`] writes.
struct Asker;

impl Program<Stones> for Asker {
    fn name(&self) -> &str {
        "stones"
    }
    fn prepare(&self, q: &Query<'_, Stones>) -> Vec<String> {
        let join = |moves: &[(u32, u32)], by: &str| {
            moves.iter().map(|&m| q.game.format_move(m)).collect::<Vec<_>>().join(by)
        };
        vec!["--moves".into(), join(q.moves, "-"), "--prohibit".into(), join(q.prohibited, ",")]
    }
    fn parse(&self, q: &Query<'_, Stones>, output: &[String]) -> Result<Answer<(u32, u32)>, BadAnswer> {
        let mut words = output[0].split(' ');
        let mv = q.game.parse_move(words.next().unwrap_or_default()).map_err(|e| BadAnswer(e.to_string()))?;
        let status: Status =
            words.next().unwrap_or_default().parse().map_err(|_| BadAnswer(output[0].clone()))?;
        if status == Status::Win(q.game.to_move(q.position).opponent()) {
            return Ok(Answer::SureLoss);
        }
        Ok(Answer::Move { mv, assessment: status.into(), others: None })
    }
}

/// A function of the query's words.
fn answer(words: &[String]) -> String {
    let moves: Vec<(u32, u32)> =
        words[1].split('-').filter(|w| !w.is_empty()).map(|w| Stones.parse_move(w).unwrap()).collect();
    let position = moves.iter().fold(Stones.initial(), |p, &m| Stones.play(&p, m).unwrap());
    let tried = words[3].split(',').filter(|w| !w.is_empty()).count() as u64;
    let mut seed = (position.key as u64) ^ tried.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(seed)
    };
    let mv = loop {
        let (a, b) = ((next() % u64::from(CELLS)) as u32, (next() % u64::from(CELLS)) as u32);
        let mv = (a.min(b), a.max(b));
        if a != b && !words[3].contains(&Stones.format_move(mv)) {
            break mv;
        }
    };
    let mover = Stones.to_move(&position);
    let after = Stones.play(&position, mv).unwrap();
    let status = match next() % 100 {
        // A verifier's list: a few to some dozens of moves, then a sure loss.
        _ if tried >= 2 + mix(position.key as u64) % 16 => Status::Win(mover.opponent()),
        0..10 if position.plies >= 14 => Status::Win(mover),
        // The later a move is offered, the worse it is for its mover.
        _ => {
            let worse = 3 * (tried.min(6) as i32) * if mover == Player::First { -1 } else { 1 };
            Status::from_win_rate(0.5 + f64::from((after.score + worse).clamp(-9, 9)) / 22.0)
        }
    };
    format!("{} {status}", Stones.format_move(mv))
}

struct App<S> {
    search: S,
}

trait Retrieve: Search {
    fn value(status: Status) -> Self::Value;
}

impl Retrieve for Pns {
    fn value(status: Status) -> Numbers {
        match status {
            Status::Win(Player::First) => Numbers::PROVED,
            Status::Win(Player::Second) | Status::Draw => Numbers::DISPROVED,
            Status::Favours(p, g) => Numbers::new(5 - g as u32, 6 + 3 * g as u32).for_attacker(p),
            _ => Numbers::new(6, 6),
        }
    }
}

impl Retrieve for Uct {
    fn value(status: Status) -> WinRate {
        WinRate::new(match status {
            Status::Win(p) => f64::from(u8::from(p == Player::First)),
            Status::Favours(Player::First, g) => 0.5 + 0.1 * f64::from(g as u8),
            Status::Favours(Player::Second, g) => 0.5 - 0.1 * f64::from(g as u8),
            _ => 0.5,
        })
    }
}

impl<S: Retrieve> Application for App<S> {
    type Game = Stones;
    type Search = S;
    type Program = Asker;

    fn game(&self) -> &Stones {
        &Stones
    }
    fn search(&self) -> &S {
        &self.search
    }
    fn program(&self) -> &Asker {
        &Asker
    }
    fn retrieve(&self, a: &Assessment) -> S::Value {
        S::value(a.status)
    }
}

/// Time in the client alone.
#[derive(Default)]
struct Spent {
    available: Duration,
    done: Duration,
    jobs: u32,
}

struct Driver<S: Retrieve> {
    workers: usize,
    client: Client<App<S>>,
    running: VecDeque<(JobId, String)>,
}

impl<S: Retrieve> Driver<S> {
    fn new(search: S, workers: usize) -> Driver<S> {
        let client = Client::new(App { search }, Vec::new(), Stones.initial(), Options::default());
        Driver { workers, client, running: VecDeque::new() }
    }

    /// Until `until` says so; every worker gets a new job as soon as it has answered.
    fn run(&mut self, mut until: impl FnMut(&Client<App<S>>) -> bool) -> Spent {
        let mut spent = Spent::default();
        while !until(&self.client) {
            assert!(!self.client.is_finished(), "the root must stay open");
            let start = Instant::now();
            let requests = self.client.handle(Notice::WorkerAvailable);
            spent.available += start.elapsed();
            let mut declined = true;
            for r in requests {
                if let Request::Submit(s) = r {
                    self.running.push_back((s.job, answer(&s.input.words)));
                    declined = false;
                }
            }
            if self.running.len() < self.workers && !declined {
                continue;
            }
            let (job, line) = self.running.pop_front().expect("declined only while something runs");
            let notice = Notice::Done { job, output: vec![line], cpu: Duration::ZERO };
            let start = Instant::now();
            let requests = self.client.handle(notice);
            spent.done += start.elapsed();
            spent.jobs += 1;
            for r in requests {
                if let Request::Abort { job } = r {
                    self.running.retain(|(j, _)| *j != job);
                }
            }
        }
        spent
    }
}

fn measure<S: Retrieve>(search: S, workers: usize, sizes: &[usize]) {
    println!("\n{} {}, {workers} jobs in flight", search.name(), search.policy());
    println!("     nodes   µs/job  available      done  bytes/node  mean depth  mean width   build");
    let mut driver = Driver::new(search, workers);
    for &size in sizes {
        let start = Instant::now();
        driver.run(|c| c.graph().len() >= size);
        let build = start.elapsed();
        let end = driver.client.counts().done + (size as u64 / 5).min(20_000);
        let spent = driver.run(|c| c.counts().done >= end);
        let per = |d: Duration| d.as_secs_f64() * 1e6 / f64::from(spent.jobs);
        let g = driver.client.graph();
        let (depth, width) = shape(g);
        println!(
            "{:10} {:8.2} {:10.2} {:9.2} {:11.1} {depth:11.1} {width:11.1} {:6.1}s",
            g.len(),
            per(spent.available + spent.done),
            per(spent.available),
            per(spent.done),
            driver.client.bytes() as f64 / g.len() as f64,
            build.as_secs_f64(),
        );
    }
}

/// Mean depth of the nodes, and mean number of children of those that have any.
fn shape<D>(g: &jl_tree::Graph<D>) -> (f64, f64) {
    let mut depth = vec![0u32; g.len()];
    let mut parents = 0;
    for n in g.ids().skip(1) {
        depth[n.index()] = g.parents(n).next().map_or(0, |p| depth[p.index()] + 1);
    }
    for n in g.ids() {
        parents += usize::from(!g.edges(n).is_empty());
    }
    let mean = depth.iter().map(|&d| f64::from(d)).sum::<f64>() / g.len() as f64;
    (mean, (g.len() - 1) as f64 / parents as f64)
}

fn main() {
    let given: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let sizes = if given.is_empty() { vec![10_000, 100_000, 1_000_000, 10_000_000] } else { given };
    measure(Pns::default(), 16, &sizes);
    let most = sizes.iter().copied().filter(|&s| s <= 1_000_000).collect::<Vec<_>>();
    measure(Pns::default(), 1024, &most);
    measure(Uct::default(), 16, &most);
}
