//! Proofs to try things on.

use jl_engine_connect6::attack::{Force, Solver};
use jl_engine_connect6::limits::{Clock, Limits};
use jl_engine_connect6::verify::{Effort, verify};
use jl_engine_connect6::{Board, Geometry, Side, proof};
use jl_game::Game;
use jl_games::connect6::{Cell, Connect, Move, Position};
use jl_proof::{Checked, Family, Flaw, Header, Kind, Node, Proof, Writer};
use jl_value::Player;

/// A file, not written yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    pub header: Header,
    pub nodes: Vec<Node>,
}

impl Draft {
    pub fn text(&self) -> String {
        let header = Header { nodes: self.nodes.len() as u64, ..self.header.clone() };
        let mut writer = Writer::new(Vec::new(), &header).unwrap();
        self.nodes.iter().for_each(|node| writer.node(node).unwrap());
        String::from_utf8(writer.finish().unwrap()).unwrap()
    }

    pub fn read(&self) -> Result<Proof, String> {
        jl_proof::read(self.text().as_bytes()).map_err(|e| e.to_string())
    }

    pub fn root(&self) -> &Kind {
        &self.nodes.last().unwrap().kind
    }

    /// The answers at all turns of the defender's.
    pub fn families(&self) -> impl Iterator<Item = Family> {
        self.nodes.iter().filter_map(|node| defended(&node.kind)).flat_map(|(_, families)| families)
    }

    /// Whether some branch leaves stones floating.
    pub fn floats(&self) -> bool {
        self.families().any(|family| family.floats > 0)
    }

    /// Whether the defender is to move and nothing threatens.
    pub fn is_quiet(&self) -> bool {
        defended(self.root()).is_some_and(|(threats, _)| threats.is_empty())
    }

    /// Of a file that can be read.
    pub fn check(&self) -> Result<Checked, Flaw> {
        jl_proof::check(&self.read().unwrap())
    }
}

/// The threats and answers, if it is the defender's turn: the inverse of [`Kind::defended`].
pub fn defended(kind: &Kind) -> Option<(Vec<String>, Vec<Family>)> {
    match kind {
        Kind::Win { .. } | Kind::Or { .. } => None,
        Kind::Threats { threats } => Some((threats.clone(), Vec::new())),
        Kind::And { threats, replies, others } => {
            let single = replies.iter().map(|r| Family { stones: r.turn.clone(), floats: 0, node: r.node });
            Some((threats.clone(), single.chain(others.iter().cloned()).collect()))
        }
    }
}

pub fn clock(nodes: u64) -> Clock {
    Clock::new(Limits { nodes: Some(nodes), ..Limits::default() })
}

pub fn board<'g>(g: &'g Geometry, position: &Position) -> Board<'g> {
    let mut board = Board::new(g);
    for player in [Player::First, Player::Second] {
        position.stones(player).iter().for_each(|c| board.place(c.index() as u16, player.into()));
    }
    board
}

pub fn geometry(game: &Connect) -> Geometry {
    Geometry::new(game.columns(), game.rows(), game.k()).unwrap()
}

/// What the program may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum By {
    Double,
    Single,
}

/// The player to move wins.
pub fn won(game: &Connect, moves: &str, by: By, nodes: u64) -> Option<Draft> {
    let g = geometry(game);
    let (_, position) = game.replay(moves).unwrap();
    let mut board = board(&g, &position);
    let side: Side = position.to_move().into();
    let mut solver = Solver::new(side, 1 << 20);
    let mut clock = clock(nodes);
    let plan = match by {
        By::Double => solver.search(&mut board, Force::Double, &mut clock).win(),
        By::Single => solver.search(&mut board, Force::Single, &mut clock).win(),
    }?;
    let nodes = proof::won(&board, side, &plan);
    Some(draft(game, moves, side, nodes))
}

/// The player to move loses.
pub fn lost(game: &Connect, moves: &str, effort: Effort, nodes: u64) -> Option<Draft> {
    let g = geometry(game);
    let (_, position) = game.replay(moves).unwrap();
    let mut board = board(&g, &position);
    let attacker = Side::from(position.to_move()).opponent();
    let mut solver = Solver::new(attacker, 1 << 20);
    let verified = verify(&mut solver, &mut board, effort, false, &mut clock(nodes));
    let nodes = proof::lost(&board, attacker, &verified)?;
    Some(draft(game, moves, attacker, nodes))
}

fn draft(game: &Connect, moves: &str, attacker: Side, nodes: Vec<Node>) -> Draft {
    let (moves, _) = game.replay(moves).unwrap();
    Draft { header: Header::new(game, &moves, attacker.into(), &nodes), nodes }
}

/// A game of so many turns that is not over. The moves are random, those of `builder` near its own stones.
fn random_game(
    game: &Connect,
    turns: usize,
    builder: Player,
    rng: &mut fastrand::Rng,
) -> Option<(String, Position)> {
    let mut position = game.initial();
    let mut moves = Vec::new();
    for _ in 0..turns {
        let mut empty: Vec<_> = game.empty_cells(&position).collect();
        rng.shuffle(&mut empty);
        if position.to_move() == builder {
            empty.sort_by_key(|&c| distance(game, &position, builder, c));
        }
        let mv = Move::of(&empty[..game.stones_due(&position)])?;
        position = game.play(&position, mv).ok()?;
        moves.push(game.format_move(mv));
        game.outcome(&position).is_none().then_some(())?;
    }
    Some((moves.join("-"), position))
}

/// To the nearest stone of the player, from 1; one step and two are the same.
fn distance(game: &Connect, position: &Position, player: Player, cell: Cell) -> usize {
    let (x, y) = game.coordinates(cell);
    let to = |c| {
        let (u, v) = game.coordinates(c);
        x.abs_diff(u).max(y.abs_diff(v)).div_ceil(2)
    };
    position.stones(player).iter().map(to).min().unwrap_or(0)
}

/// Small boards: columns, rows, how many in a row, and how many turns to play.
const SMALL: [(u8, u8, u8, usize); 4] = [(5, 5, 4, 4), (6, 4, 4, 4), (7, 6, 5, 6), (7, 7, 5, 6)];

/// Proofs of random positions on small boards. So many on each of the four have nothing that floats, as many have a
/// threat and a stone that floats, and a fifth as many begin with a quiet turn, on the two boards that have such.
pub fn for_small_proofs(each: usize, seed: u64, mut f: impl FnMut(&Draft, &mut fastrand::Rng)) {
    let mut rng = fastrand::Rng::with_seed(seed);
    for (columns, rows, k, turns) in SMALL {
        let game = Connect::new(columns, rows, k, 2, 1).unwrap();
        let mut left = [each, each, if k > 4 { each / 5 } else { 0 }];
        while left != [0; 3] {
            let Some(draft) = small_proof(&game, turns, &mut rng) else { continue };
            let left = &mut left[usize::from(draft.floats()) + usize::from(draft.is_quiet())];
            // Where the first move decides there is little to see.
            if *left > 0 && (draft.families().next().is_some() || rng.u8(..10) == 0) {
                f(&draft, &mut rng);
                *left -= 1;
            }
        }
    }
}

fn small_proof(game: &Connect, turns: usize, rng: &mut fastrand::Rng) -> Option<Draft> {
    let effort = Effort { double: 50, null: 100, seminull: 50, pair: 30 };
    let turns = turns - rng.usize(..2);
    let builder = if rng.bool() { Player::First } else { Player::Second };
    let (moves, position) = random_game(game, turns, builder, rng)?;
    match (position.to_move() == builder, rng.bool()) {
        (true, true) => won(game, &moves, By::Double, 50),
        (true, false) => won(game, &moves, By::Single, 100),
        (false, quiet) => {
            let threatens = Lines::new(game).can_complete(&position, builder);
            (quiet != threatens).then(|| lost(game, &moves, effort, 1_000)).flatten()
        }
    }
}

/// Every k cells in a line.
pub struct Lines(Vec<Vec<Cell>>);

impl Lines {
    pub fn new(game: &Connect) -> Lines {
        let line = |cell: Cell, (dx, dy): (isize, isize)| -> Option<Vec<Cell>> {
            let (x, y) = game.coordinates(cell);
            let at = |i| game.cell(x.checked_add_signed(dx * i)?, y.checked_add_signed(dy * i)?);
            (0..game.k() as isize).map(at).collect()
        };
        let directions = [(1, 0), (0, 1), (1, 1), (1, -1)];
        Lines(game.cells().flat_map(|c| directions.into_iter().filter_map(move |d| line(c, d))).collect())
    }

    /// Whether the player, given a turn, completes one.
    pub fn can_complete(&self, position: &Position, player: Player) -> bool {
        let (own, other) = (position.stones(player), position.stones(player.opponent()));
        self.0.iter().any(|line| {
            let misses = line.iter().filter(|&&c| !own.contains(c)).take(3).count();
            misses < 3 && !line.iter().any(|&c| other.contains(c))
        })
    }
}
