//! A game for benches: as large as a real one, and answered in microseconds.
//!
//! It is a stand-in for Connect6: two stones a move on 19×19, so that paths, prohibited lists and keys have their
//! real sizes; the program's answers are a function of the query, graded around a hidden score that drifts down the
//! tree, some 15% of them sure (Wu13 §V); wins begin deep enough for the root to stay open.

use jl_client::{Application, Client, Options};
use jl_game::{Answer, Assessment, BadAnswer, Game, GameError, Key, Others, Program, Query, Status};
use jl_messages::{Driven, JobId, Notice, Request};
use jl_search::Search;
use jl_search::pns::{Numbers, Pns};
use jl_search::uct::{Uct, WinRate};
use jl_value::{Outcome, Player};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

const CELLS: u32 = 361;

/// The game.
pub struct Stones;

#[derive(Clone, PartialEq, Debug)]
pub struct Position {
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
pub struct Asker;

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
        Ok(Answer::Move { mv, assessment: status.into(), others: Others::default() })
    }
}

/// What the program says: a function of the query's words.
///
/// # Panics
/// If they are not what [`Asker`] writes.
#[must_use]
pub fn answer(words: &[String]) -> String {
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

/// The application, for any search that can read a status.
pub struct App<S> {
    search: S,
}

pub trait Retrieve: Search {
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

/// A client before its first job.
pub fn client<S: Retrieve>(search: S) -> Client<App<S>> {
    Client::new(App { search }, Vec::new(), Stones.initial(), Options::default())
}

/// Workers that answer at once, in the order of the jobs.
pub struct Workers {
    many: usize,
    running: VecDeque<(JobId, String)>,
    /// Time in the client and its store, without what programs and workers take.
    pub time: Duration,
    pub jobs: u64,
}

impl Workers {
    #[must_use]
    pub fn new(many: usize) -> Workers {
        Workers { many, running: VecDeque::new(), time: Duration::ZERO, jobs: 0 }
    }

    /// Every free worker is offered, then up to `batch` jobs end together.
    ///
    /// # Panics
    /// If the client can't go on.
    pub fn turn(&mut self, run: &mut impl Driven, batch: usize) {
        assert!(!run.is_over(), "the root must stay open");
        let free = self.many.max(batch) - self.running.len();
        self.tell(run, vec![Notice::WorkerAvailable; free]);
        let ended: Vec<_> = self.running.drain(..batch.min(self.running.len())).collect();
        self.jobs += ended.len() as u64;
        let done = |(job, line)| Notice::Done { job, output: vec![line], cpu: Duration::from_millis(1234) };
        self.tell(run, ended.into_iter().map(done).collect());
    }

    fn tell(&mut self, run: &mut impl Driven, notices: Vec<Notice>) {
        let start = Instant::now();
        let requests = run.receive(notices).expect("the client goes on");
        self.time += start.elapsed();
        for request in requests {
            match request {
                Request::Submit(s) => self.running.push_back((s.job, answer(&s.input.words))),
                Request::Abort { job } => self.running.retain(|(j, _)| *j != job),
                _ => {}
            }
        }
    }
}
