//! A proof as a tree that viewers of game records walk.
//!
//! The tree has real games: each branch is shown by one legal reply that it covers, and a comment says what else it stands
//! for. A node that is reached again is drawn again if it is small; otherwise a comment says where it goes on.

use crate::check::{Board, zones};
use crate::flaw::Flaw;
use crate::proof::{Branch, Mover, Proof, Step, Turn};
use crate::sets::Cells;
use crate::zone::Zone;
use jl_game::sgf::{self, Property, Tree};
use jl_games::connect6::Record;
use jl_games::connect6::record::{Style, write};
use jl_value::Player;

/// The most nodes of a tree: one per stone.
const MOST: usize = 20_000;
/// What is reached again is drawn again if it has no more nodes than this.
const SMALL: u64 = 12;

/// The tree of a proof as SGF. Only of a proof that holds, since the moves of others need not be legal.
pub fn to_sgf(proof: &Proof) -> Result<String, Flaw> {
    let zones = zones(proof)?;
    let mut sizes: Vec<u64> = Vec::new();
    for step in &proof.steps {
        let below = step.children().map(|child| sizes[child]);
        // A move and the turn after it are drawn as one.
        let own = u64::from(!matches!(step.turn, Turn::Or { .. }));
        sizes.push(below.fold(own, u64::saturating_add));
    }
    let mut drawing =
        Drawing { proof, zones, sizes, drawn: vec![false; proof.steps.len()], tree: start(proof) };
    drawing.draw();
    Ok(drawing.tree.to_string())
}

/// The moves of the header.
fn start(proof: &Proof) -> Tree {
    let winner = match proof.header.winner {
        Player::First => "Black",
        Player::Second => "White",
    };
    let mut record = Record::new(proof.moves.clone());
    let nodes = proof.steps.len();
    record.comments.insert(
        0,
        format!(
            "A proof that {winner} wins after {} moves, with {nodes} nodes. Of the replies that a branch stands for one is \
             drawn, and at most about {MOST} stones; comments say what is left out.",
            proof.moves.len()
        ),
    );
    let text = write(proof.game(), &record, Style::StonePerNode);
    sgf::parse(&text).expect("a record is written as it is read").swap_remove(0)
}

struct Drawing<'a> {
    proof: &'a Proof,
    zones: Vec<Zone>,
    /// How many nodes each would have if everything below were drawn.
    sizes: Vec<u64>,
    drawn: Vec<bool>,
    tree: Tree,
}

/// A node of the proof that is to be drawn.
struct Task {
    place: usize,
    /// As in the proof.
    board: Board,
    /// With the stones that the defender really has.
    real: Board,
    /// Below this node of the tree.
    below: usize,
}

impl Drawing<'_> {
    fn draw(&mut self) {
        let board = Board::of_header(self.proof);
        let last = self.tree.nodes().len() - 1;
        let mut tasks = vec![Task { place: self.proof.steps.len() - 1, board, real: board, below: last }];
        while let Some(task) = tasks.pop() {
            let mut next = self.step(task);
            next.reverse();
            tasks.extend(next);
        }
    }

    /// Draws the move of a node and the replies; gives the nodes that go on.
    fn step(&mut self, task: Task) -> Vec<Task> {
        let Task { place, mut board, mut real, below } = task;
        let proof = self.proof;
        let stones = proof.steps[place].stones();
        board.add(Mover::Attacker, stones);
        real.add(Mover::Attacker, stones);
        let after = self.after(place);
        let step = &proof.steps[after];
        let left_out = self.left_out(after);
        self.drawn[after] = true;
        let mut next = Vec::new();
        if left_out.is_none() {
            let mut used = Vec::new();
            for branch in step.branches() {
                if let Some(reply) = self.reply(step, branch, &board, &real, &used) {
                    used.push(reply);
                    next.push((branch, reply));
                }
            }
        }
        let mut comment = self.about(place);
        let hidden = step.branches().len() - next.len();
        match left_out {
            Some(why) => comment += &why,
            None if hidden > 0 => {
                comment += &format!(" {hidden} more branches stand for no further reply here.")
            }
            None => {}
        }
        let at = self.stones(below, proof.header.winner, stones, &comment);
        let tasks = next.into_iter().map(|(branch, reply)| {
            let (mut board, mut real) = (board, real);
            board.add(Mover::Defender, &branch.stones);
            real.add(Mover::Defender, &reply);
            let comment = self.stands_for(branch);
            let below = self.stones(at, proof.header.winner.opponent(), &reply, &comment);
            Task { place: branch.to, board, real, below }
        });
        tasks.collect()
    }

    /// The defender's turn after the move of a node; the node itself where there is none.
    fn after(&self, place: usize) -> usize {
        if let Turn::Or { then, .. } = self.proof.steps[place].turn { then } else { place }
    }

    /// Why the replies at a node are not drawn, if they aren't.
    fn left_out(&self, place: usize) -> Option<String> {
        let step = &self.proof.steps[place];
        if step.branches().is_empty() {
            return None;
        }
        if self.drawn[place] && self.sizes[place] > SMALL {
            return Some(format!(" It goes on as where node {} comes first.", step.id));
        }
        let full = self.tree.nodes().len() >= MOST;
        full.then(|| format!(" What follows is left out: the tree has {MOST} stones."))
    }

    /// A legal reply that the branch covers and that none before shows.
    fn reply(
        &self,
        step: &Step,
        branch: &Branch,
        board: &Board,
        real: &Board,
        used: &[[u16; 2]],
    ) -> Option<[u16; 2]> {
        let shape = &self.proof.shape;
        let zone = &self.zones[branch.to];
        let free = real.empty(shape);
        let stones: Cells = branch.stones.iter().copied().collect();
        let outside = board.empty(shape).minus(&stones).minus(&zone.reach(shape));
        let outside = if branch.floats > 0 { outside.intersection(&free) } else { Cells::default() };
        let given = board.defender.intersection(&free);
        let cells: Vec<u16> =
            [stones.intersection(&free), outside, given].iter().flat_map(|set| set.iter()).collect();
        let Turn::And { threats, .. } = &step.turn else { return None };
        let hits = |s, t| threats.iter().all(|&w| shape.cells(w).contains(s) || shape.cells(w).contains(t));
        let covers = |s: u16, t: u16| {
            let both = outside.contains(s) && outside.contains(t);
            !both || branch.floats == 2 && !zone.mates(shape, s).contains(t)
        };
        cells.iter().enumerate().find_map(|(i, &s)| {
            let reply = |t: u16| [s.min(t), s.max(t)];
            let mut seconds = cells[i + 1..].iter().copied();
            seconds.find(|&t| hits(s, t) && !used.contains(&reply(t)) && covers(s, t)).map(reply)
        })
    }

    /// What a node does.
    fn about(&self, place: usize) -> String {
        let shape = &self.proof.shape;
        let after = self.after(place);
        let [node, then] = [place, after].map(|place| self.proof.steps[place].id);
        let name = if place == after { format!("Node {node}") } else { format!("Node {node}, then {then}") };
        match &self.proof.steps[after].turn {
            Turn::Win { window, .. } => format!("{name}: completes {}.", shape.window_text(*window)),
            Turn::And { threats, .. } if !threats.is_empty() => {
                let windows: Vec<String> = threats.iter().map(|&w| shape.window_text(w)).collect();
                let windows = windows.join(" ");
                format!("{name}: threatens {windows}. A reply that leaves one of these alone loses to it.")
            }
            Turn::And { .. } | Turn::Or { .. } => format!("{name}: threatens nothing."),
        }
    }

    fn stands_for(&self, branch: &Branch) -> String {
        let id = self.proof.steps[branch.to].id;
        let stones = self.proof.shape.text(branch.stones.iter().copied());
        match (stones.as_str(), branch.floats) {
            (stones, 0) => format!("For replies within {stones}."),
            ("", _) => format!("For stones anywhere that do not touch the zone of node {id}."),
            (stones, _) => format!(
                "For replies within {stones} and with stones anywhere that do not touch the zone of node {id}."
            ),
        }
    }

    /// Adds stones, one below the other, with a comment on the last; gives its place.
    fn stones(&mut self, below: usize, player: Player, stones: &[u16], comment: &str) -> usize {
        let name = match player {
            Player::First => "B",
            Player::Second => "W",
        };
        let mut nodes: Vec<Vec<Property>> =
            stones.iter().map(|&c| vec![Property::new(name, self.proof.shape.text([c]))]).collect();
        if nodes.is_empty() {
            // The defender is to move: there is only something to say.
            nodes.push(Vec::new());
        }
        if let Some(last) = nodes.last_mut() {
            last.push(Property::new("C", comment));
        }
        nodes.into_iter().fold(below, |below, properties| self.tree.add(below, properties))
    }
}
