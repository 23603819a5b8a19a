//! Games that begin differently, by a seed.

use super::MOST_TURNS;
use crate::cli::BeforeEnd;
use crate::crew;
use jl_engine_connect6::engine::Task;
use jl_engine_connect6::limits::Limits;
use jl_engine_connect6::{Course, Thinker};
use jl_game::{Game, Key};
use jl_games::connect6::{Cell, Connect, Move, Position};
use std::collections::HashSet;
use std::num::NonZeroUsize;

/// The nodes that a decided opening may cost to be seen as one.
const DECIDED_NODES: u64 = 2_000;
/// The games that show whether an opening is even, the nodes per move of each, and how often more openings are tried.
const QUICK_GAMES: u64 = 4;
const QUICK_NODES: u64 = 2_000;
const MOST_ROUNDS: usize = 10;
/// How far White's first stones may be from the centre, and other random stones from the ones that are there.
const REACH: usize = 3;
const NEAR: usize = 2;

/// Different openings, also under symmetry: the centre, two stones of White near it, two of Black near them. The
/// program sees no winner in any of them.
pub struct Openings {
    thinker: Thinker,
    rng: Rng,
    seen: HashSet<Key>,
    /// Some end after White's first turn.
    mixed: bool,
    /// What the program plays quickly after them.
    turns: u32,
}

impl Openings {
    pub fn new(mut thinker: Thinker, seed: u64) -> Openings {
        thinker.limits = Limits { nodes: Some(DECIDED_NODES), ..Limits::default() };
        Openings { thinker, rng: Rng::new(seed), seen: HashSet::new(), mixed: false, turns: 0 }
    }

    /// The program goes on from the openings for so many quick turns.
    #[must_use]
    pub fn and_turns(self, turns: u32) -> Openings {
        Openings { turns, ..self }
    }

    /// So many openings from which both sides have won quick games of the program against itself, equally often. Where
    /// an opening decides the game, players of different strength can hardly be told apart.
    pub fn even(mut self, count: usize, workers: NonZeroUsize) -> Vec<Course> {
        self.mixed = true;
        let quick = |seed| {
            let mut thinker = self.thinker.clone();
            thinker.limits.nodes = Some(QUICK_NODES);
            thinker.seed = seed;
            thinker
        };
        let players: Vec<Thinker> = (1..=QUICK_GAMES).map(quick).collect();
        let (mut even, mut rest) = (Vec::new(), Vec::new());
        for _ in 0..MOST_ROUNDS {
            if even.len() >= count {
                break;
            }
            let tried: Vec<Course> = self.by_ref().take(2 * count).collect();
            let is_even = crew::all(tried.len(), workers, |i| is_even(&tried[i], &players), |_, _| {});
            for (course, is_even) in tried.into_iter().zip(is_even) {
                if is_even { &mut even } else { &mut rest }.push(course);
            }
        }
        even.extend(rest);
        even.truncate(count);
        even
    }

    fn random(&mut self) -> Course {
        let game = *self.thinker.game();
        let mut course = Course::new(game);
        let centre = game.cell(game.columns() / 2, game.rows() / 2).expect("the centre is on the board");
        let play = |course: &mut Course, mv| course.play(mv).expect("free cells were chosen");
        play(&mut course, Move::one(centre));
        let replies = if self.mixed && self.rng.chance(0.5) { 1 } else { 2 };
        for reach in [REACH, NEAR].into_iter().take(replies) {
            let mv = near(&game, course.position(), reach, &mut self.rng);
            play(&mut course, mv.expect("the board is almost empty"));
        }
        self.go_on(&mut course);
        course
    }

    /// Plays the quick turns after an opening.
    fn go_on(&self, course: &mut Course) {
        for _ in 0..self.turns {
            if course.game().outcome(course.position()).is_some() {
                break;
            }
            let (mv, _) = self.thinker.choose(course.position());
            course.play(mv).expect("the program chooses among legal moves");
        }
    }

    /// Whether nothing like it was seen before, and nobody is seen to win.
    fn is_fresh(&mut self, course: &Course) -> bool {
        let (key, _) = course.game().canonical(course.position());
        course.game().outcome(course.position()).is_none()
            && self.seen.insert(key)
            && self.thinker.think(course.position(), Task::Solve, &[]).how.is_none()
    }

    /// So many openings, or as many as there are, so many turns before the end of recorded games: one of a game at most, in random order.
    pub fn of_games(mut self, mut games: Vec<Course>, before_end: BeforeEnd, count: usize) -> Vec<Course> {
        let mut openings = Vec::new();
        while openings.len() < count && !games.is_empty() {
            let mut course = games.swap_remove(self.rng.below(games.len()));
            let BeforeEnd { least, most } = before_end;
            let turns = least + self.rng.below(most - least + 1);
            // At the first stone of a game nothing is going on yet.
            if course.moves().len() <= turns {
                continue;
            }
            course.truncate(course.moves().len() - turns);
            self.go_on(&mut course);
            if self.is_fresh(&course) {
                openings.push(course);
            }
        }
        openings
    }
}

impl Iterator for Openings {
    type Item = Course;

    /// There are far more than anybody plays.
    fn next(&mut self) -> Option<Course> {
        loop {
            let course = self.random();
            if self.is_fresh(&course) {
                return Some(course);
            }
        }
    }
}

/// Whether either side wins half of the games that these play against themselves.
fn is_even(opening: &Course, players: &[Thinker]) -> bool {
    let mut wins = [0, 0];
    for player in players {
        let mut course = opening.clone();
        while course.game().outcome(course.position()).is_none() && course.moves().len() < MOST_TURNS {
            let (mv, _) = player.choose(course.position());
            course.play(mv).expect("the program chooses among legal moves");
        }
        if let Some(winner) = course.game().outcome(course.position()).and_then(|o| o.winner()) {
            wins[winner as usize] += 1;
        }
        if wins.iter().any(|&n| 2 * n > players.len()) {
            return false;
        }
    }
    wins[0] == wins[1]
}

/// Two random cells that are no farther than `reach` from a stone. `None` if there are not two.
pub fn near(game: &Connect, position: &Position, reach: usize, rng: &mut Rng) -> Option<Move> {
    let stones: Vec<Cell> = game.cells().filter(|&c| position.holder(c).is_some()).collect();
    let distance = |a: Cell, b: Cell| {
        let ((ax, ay), (bx, by)) = (game.coordinates(a), game.coordinates(b));
        ax.abs_diff(bx).max(ay.abs_diff(by))
    };
    let is_near = |&c: &Cell| stones.iter().any(|&s| distance(c, s) <= reach);
    let mut cells: Vec<Cell> = game.empty_cells(position).filter(is_near).collect();
    let mut draw = || (!cells.is_empty()).then(|| cells.swap_remove(rng.below(cells.len())));
    Some(Move::two(draw()?, draw()?))
}

/// A random move as a person might blunder it.
pub fn blunder(game: &Connect, position: &Position, rng: &mut Rng) -> Option<Move> {
    near(game, position, NEAR, rng)
}

/// Random numbers that are the same everywhere (SplitMix64).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// Another sequence for each number.
    pub fn fork(seed: u64, number: u64) -> Rng {
        Rng(Rng(seed).next() ^ Rng(!number).next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// From 0 to `n - 1`.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        ((self.next() >> 11) as f64) < probability * (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn openings(seed: u64) -> Openings {
        Openings::new(Thinker::new(Connect::CONNECT6).unwrap(), seed)
    }

    #[test]
    fn random_openings_are_near_the_centre() {
        let mut openings = openings(7);
        for _ in 0..200 {
            let course = openings.random();
            let lengths: Vec<usize> = course.moves().iter().map(|mv| mv.len()).collect();
            assert_eq!(lengths, [1, 2, 2]);
            let far = |mv: Move| {
                let cells = mv.cells().map(|c| course.game().coordinates(c));
                cells.map(|(x, y)| x.abs_diff(9).max(y.abs_diff(9))).max()
            };
            assert_eq!(far(course.moves()[0]), Some(0));
            assert!(far(course.moves()[1]) <= Some(REACH) && far(course.moves()[2]) <= Some(REACH + NEAR));
        }
    }

    #[test]
    fn even_openings_are_won_by_either_side() {
        let two = NonZeroUsize::new(2).unwrap();
        let even = openings(5).even(2, two);
        assert_eq!(even.len(), 2);
        let player = |seed| {
            let mut thinker = Thinker::new(Connect::CONNECT6).unwrap();
            thinker.limits = Limits { nodes: Some(QUICK_NODES), ..Limits::default() };
            thinker.seed = seed;
            thinker
        };
        let players: Vec<Thinker> = (1..=QUICK_GAMES).map(player).collect();
        assert!(even.iter().all(|course| is_even(course, &players)));
        assert!(!is_even(&even[0], &players[..3]), "three games cannot be shared");
        let again = openings(5).even(2, NonZeroUsize::MIN);
        assert_eq!(
            even.iter().map(Course::moves).collect::<Vec<_>>(),
            again.iter().map(Course::moves).collect::<Vec<_>>()
        );
    }

    #[test]
    fn the_program_goes_on_from_openings() {
        let before = openings(1).random();
        let after = openings(1).and_turns(3).random();
        assert_eq!(after.moves().len(), before.moves().len() + 3);
        assert_eq!(after.moves()[..before.moves().len()], *before.moves(), "the same beginning");
        for course in openings(1).and_turns(3).take(3) {
            assert!(course.moves().len() == 6 && course.game().outcome(course.position()).is_none());
        }
    }

    fn written(courses: &[Course]) -> Vec<Vec<Move>> {
        courses.iter().map(|course| course.moves().to_vec()).collect()
    }

    #[test]
    fn openings_of_games_are_turns_before_their_ends() {
        let games: Vec<Course> = openings(1).and_turns(4).take(5).collect();
        let of = |seed, games: &[Course], least, most, count| {
            openings(seed).of_games(games.to_vec(), BeforeEnd { least, most }, count)
        };
        let found = of(3, &games, 2, 4, 5);
        assert!(found.len() > 1, "{}", found.len());
        for course in &found {
            let of_game = |game: &Course| {
                let turns = game.moves().len() - course.moves().len();
                game.moves().starts_with(course.moves()) && (2..=4).contains(&turns)
            };
            assert_eq!(games.iter().filter(|game| of_game(game)).count(), 1, "one of a game");
            assert!(openings(3).is_fresh(course), "nobody is seen to win");
        }
        assert_eq!(written(&of(3, &games, 2, 4, 1)), written(&found)[..1], "no more than are wanted");
        assert_eq!(written(&of(3, &games, 2, 4, 5)), written(&found), "the same for the same seed");
        assert_ne!(written(&of(4, &games, 2, 4, 5)), written(&found));
        let twice = [&games[..1], &games[..1]].concat();
        assert_eq!(of(3, &twice, 3, 3, 5).len(), 1, "nothing comes twice");
        assert_eq!(of(3, &games, 7, 9, 5).len(), 0, "the games are too short");
    }

    #[test]
    fn openings_differ_under_symmetry_and_follow_the_seed() {
        let first: Vec<Course> = openings(1).take(4).collect();
        let keys: HashSet<Key> = first.iter().map(|c| c.game().canonical(c.position()).0).collect();
        assert_eq!(keys.len(), 4);
        let moves = |seed| openings(seed).take(2).map(|c| c.moves().to_vec()).collect::<Vec<_>>();
        assert_eq!(moves(1), first[..2].iter().map(|c| c.moves().to_vec()).collect::<Vec<_>>());
        assert_ne!(moves(1), moves(2));
    }

    #[test]
    fn an_opening_that_was_seen_is_skipped() {
        let mut again = openings(1);
        let first = again.next().unwrap();
        again.rng = Rng::new(1);
        assert_ne!(again.next().unwrap().moves(), first.moves());
    }

    #[test]
    fn numbers_are_spread_evenly() {
        let mut rng = Rng::fork(3, 4);
        let mut counts = [0; 5];
        for _ in 0..10_000 {
            counts[rng.below(5)] += 1;
        }
        assert!(counts.iter().all(|&n| (1_800..2_200).contains(&n)), "{counts:?}");
        let hits = (0..10_000).filter(|_| rng.chance(0.15)).count();
        assert!((1_350..1_650).contains(&hits), "{hits}");
        assert!(!rng.chance(0.0) && rng.chance(1.0));
        assert_ne!(Rng::fork(3, 4).next(), Rng::fork(4, 3).next());
    }
}
