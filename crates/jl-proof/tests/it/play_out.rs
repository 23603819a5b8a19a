//! A second checker, as naive as can be: it plays every legal reply on the real board.
//!
//! It knows no zones. What a branch stands for is of no interest to it: after a reply, the attacker completes a line if it
//! can, or plays on by any branch that turns out to win. Moves are played by the rules of `jl-games`.

use crate::support::{Draft, Lines, defended};
use jl_game::Game;
use jl_games::connect6::{Connect, Move, Position, Stones};
use jl_proof::{Family, Kind};
use jl_value::{Outcome, Player};
use std::collections::HashMap;

pub struct PlayOut<'a> {
    game: Connect,
    lines: Lines,
    attacker: Player,
    nodes: HashMap<u64, &'a Kind>,
    known: HashMap<(u64, [Stones; 2]), bool>,
}

impl<'a> PlayOut<'a> {
    /// Whether the attacker wins against everything by the moves of the file.
    pub fn wins(draft: &'a Draft) -> bool {
        let h = &draft.header;
        let game = Connect::new(h.columns, h.rows, h.connect, 2, 1).unwrap();
        let nodes = draft.nodes.iter().map(|n| (n.id, &n.kind)).collect();
        let lines = Lines::new(&game);
        let mut play_out = PlayOut { game, lines, attacker: h.winner, nodes, known: HashMap::new() };
        let (_, position) = game.replay(&h.moves).unwrap();
        let root = h.root;
        match draft.root() {
            Kind::Win { .. } | Kind::Or { .. } => {
                position.to_move() == h.winner && play_out.node(&position, root)
            }
            Kind::And { .. } | Kind::Threats { .. } => {
                position.to_move() != h.winner && play_out.replies(&position, root)
            }
        }
    }

    /// The attacker is to move.
    fn node(&mut self, position: &Position, id: u64) -> bool {
        let key = (id, [Player::First, Player::Second].map(|p| *position.stones(p)));
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let (turn, then) = match self.nodes[&id] {
            Kind::Win { turn, .. } => (turn, None),
            Kind::Or { turn, node } => (turn, Some(*node)),
            Kind::And { .. } | Kind::Threats { .. } => return false,
        };
        let wins = match self.game.play(position, self.game.parse_move(turn).unwrap()) {
            Err(_) => false,
            Ok(next) => match self.game.outcome(&next) {
                Some(outcome) => outcome == Outcome::win_of(self.attacker),
                None => then.is_some_and(|then| self.replies(&next, then)),
            },
        };
        self.known.insert(key, wins);
        wins
    }

    /// The defender is to move.
    fn replies(&mut self, position: &Position, id: u64) -> bool {
        let game = self.game;
        let Some((_, families)) = defended(self.nodes[&id]) else { return false };
        game.legal_moves(position).into_iter().all(|reply| {
            let next = game.play(position, reply).unwrap();
            if game.outcome(&next).is_some() {
                return false;
            }
            self.lines.can_complete(&next, self.attacker) || {
                // The order is for speed only.
                let mut branches: Vec<&Family> = families.iter().collect();
                let names: Vec<String> = reply.cells().map(|c| game.format_move(Move::one(c))).collect();
                let has =
                    |b: &Family, name: &str| b.stones.as_bytes().chunks(2).any(|s| s == name.as_bytes());
                branches.sort_by_cached_key(|b| names.iter().filter(|name| !has(b, name)).count());
                branches.into_iter().any(|branch| self.node(&next, branch.node))
            }
        })
    }
}
