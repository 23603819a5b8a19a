//! Random scripts: trees of a known value on which any search can be tried.

use super::{Entry, Node, Script, evaluate};
use fastrand::Rng;
use jl_game::{Grade, Status};
use jl_value::{Outcome, Player};

/// What random scripts look like.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RandomScript {
    /// At least 2: the root has a move.
    pub max_nodes: usize,
    pub max_width: usize,
    pub max_depth: usize,
    /// Whether games may end in a draw.
    pub draws: bool,
    /// Whether a node may have several parents.
    pub transpositions: bool,
    /// How often, from 0 to 1, the program is blind at a node.
    pub blind: f64,
    /// How often, from 0 to 1, the program lists the moves that do not lose.
    pub listed: f64,
    /// How often, from 0 to 1, the program suggests further moves.
    pub suggests: f64,
    /// How often, from 0 to 1, a graded status points the wrong way.
    pub lies: f64,
}

impl Default for RandomScript {
    fn default() -> RandomScript {
        RandomScript {
            max_nodes: 40,
            max_width: 4,
            max_depth: 6,
            draws: true,
            transpositions: true,
            blind: 0.1,
            listed: 0.2,
            suggests: 0.2,
            lies: 0.2,
        }
    }
}

/// How often a node stays a leaf though there is room below it.
const STOP: f64 = 0.15;
/// How often a node with room for one more move gets a transposition.
const TRANSPOSE: f64 = 0.3;
/// How often a node's true value is claimed before the game ends there.
const CLAIM: f64 = 0.12;
/// How often the end of the game is not noticed by the program.
const OVERLOOK: f64 = 0.15;

/// How often the program has no opinion on a node that somebody wins.
const UNDECIDED: f64 = 0.1;

struct Shape {
    depth: usize,
    children: Vec<usize>,
}

impl Script {
    /// The script of a seed. The same options and seed always give the same one.
    #[must_use]
    pub fn random(options: RandomScript, seed: u64) -> Script {
        let mut rng = Rng::with_seed(seed);
        let shapes = random_shapes(options, &mut rng);
        let mut entries = number(shapes, &mut rng);
        for entry in &mut entries {
            if entry.children.is_empty() {
                let mut results = vec![Outcome::FirstWins, Outcome::SecondWins];
                results.extend(options.draws.then_some(Outcome::Draw));
                entry.result = rng.choice(results);
            } else {
                entry.blind = rng.f64() < options.blind;
                entry.listed = rng.f64() < options.listed;
                entry.suggests = rng.f64() < options.suggests;
            }
        }
        assert!(evaluate(&mut entries), "edges lead to greater depths only");
        for entry in entries.iter_mut().skip(1) {
            entry.status = random_status(entry, options.lies, &mut rng);
        }
        Script::new(entries)
    }
}

/// Grows a tree from the root by giving moves to leaves chosen at random, so that narrow and deep trees come up as
/// well as bushy ones; then adds transpositions.
fn random_shapes(options: RandomScript, rng: &mut Rng) -> Vec<Shape> {
    let mut shapes = vec![Shape { depth: 0, children: Vec::new() }];
    let mut leaves = vec![0];
    while !leaves.is_empty() && shapes.len() < options.max_nodes.max(2) {
        let parent = leaves.swap_remove(rng.usize(..leaves.len()));
        let depth = shapes[parent].depth + 1;
        if parent != 0 && (depth > options.max_depth || rng.f64() < STOP) {
            continue;
        }
        for _ in 0..rng.usize(1..=options.max_width.max(1)).min(options.max_nodes.max(2) - shapes.len()) {
            let child = shapes.len();
            shapes[parent].children.push(child);
            shapes.push(Shape { depth, children: Vec::new() });
            leaves.push(child);
        }
    }
    for parent in (0..shapes.len()).filter(|_| options.transpositions) {
        let Shape { depth, children } = &shapes[parent];
        if children.is_empty() || children.len() >= options.max_width || rng.f64() >= TRANSPOSE {
            continue;
        }
        // An odd number of levels further down: the same mover, and no cycle.
        let fits = |&c: &usize| {
            shapes[c].depth > *depth && (shapes[c].depth - depth) % 2 == 1 && !children.contains(&c)
        };
        let choice = rng.choice((0..shapes.len()).filter(fits).collect::<Vec<_>>());
        shapes[parent].children.extend(choice);
    }
    shapes
}

/// Shuffles the moves and numbers the nodes in the order of their lines, as a script that is read does.
fn number(mut shapes: Vec<Shape>, rng: &mut Rng) -> Vec<Entry> {
    // Any parent may be the one under which a node's line stands: all of them have the same mover.
    let mut home = vec![usize::MAX; shapes.len()];
    for (parent, shape) in shapes.iter().enumerate() {
        shape.children.iter().for_each(|&child| home[child] = home[child].min(parent));
    }
    shapes.iter_mut().for_each(|shape| rng.shuffle(&mut shape.children));
    let first_mover = if rng.bool() { Player::First } else { Player::Second };
    let mut numbers = vec![u32::MAX; shapes.len()];
    let mut order = Vec::new();
    let mut open = vec![0];
    while let Some(shape) = open.pop() {
        numbers[shape] = order.len() as u32;
        order.push(shape);
        open.extend(shapes[shape].children.iter().rev().filter(|&&child| home[child] == shape));
    }
    let node = |shape: usize| Node(numbers[shape]);
    let entries = order.iter().map(|&shape| Entry {
        name: format!("n{}", numbers[shape]),
        parent: (shape != 0).then(|| node(home[shape])),
        children: shapes[shape].children.iter().map(|&c| node(c)).collect(),
        mover: if shapes[shape].depth.is_multiple_of(2) { first_mover } else { first_mover.opponent() },
        status: Status::Stable,
        result: None,
        blind: false,
        listed: false,
        suggests: false,
        value: Outcome::Draw,
    });
    entries.collect()
}

fn random_status(entry: &Entry, lies: f64, rng: &mut Rng) -> Status {
    let sure = if entry.result.is_some() { 1.0 - OVERLOOK } else { CLAIM };
    if rng.f64() < sure {
        return Status::of(entry.value);
    }
    let level = rng.choice([Status::Stable, Status::Unstable1, Status::Unstable2]).expect("three");
    let grade = rng.choice([Grade::One, Grade::Two, Grade::Three, Grade::Four]).expect("four");
    let either = if rng.bool() { Player::First } else { Player::Second };
    match (rng.f64() < lies, entry.value.winner()) {
        (true, winner) => Status::Favours(winner.map_or(either, Player::opponent), grade),
        (false, Some(winner)) if rng.f64() >= UNDECIDED => Status::Favours(winner, grade),
        _ => level,
    }
}
