//! Plays a plan out on the real board.
//!
//! Every stone of the defender's is somewhere here: nothing floats. What is taken from the program is which branch stands
//! for a reply; that the branch wins against it is seen by playing on. Where there are too many replies a part of them is
//! tried: those that the program does not look at one by one come first, and of them those that build the defender's own
//! windows.

use crate::boards::{empties, pull, sorted, stones};
use crate::minimax::with;
use jl_engine_connect6::engine::Turn;
use jl_engine_connect6::plan::{Branch, Plan};
use jl_engine_connect6::{Board, Side};

pub struct Checker {
    rng: fastrand::Rng,
    /// How many replies to try at the first turn with more of them, at the next below, and so on; then one.
    most: &'static [usize],
    /// How many were tried.
    pub replies: usize,
}

/// Turns with no more replies than this are tried whole.
const FEW: usize = 6;

impl Checker {
    /// Tries every reply.
    pub fn thorough() -> Checker {
        Checker::new(0, &[usize::MAX; 40])
    }

    pub fn new(seed: u64, most: &'static [usize]) -> Checker {
        Checker { rng: fastrand::Rng::with_seed(seed), most, replies: 0 }
    }

    /// The plan wins for `attacker`, who is to move, or what it has no answer to.
    pub fn check(&mut self, board: &mut Board, attacker: Side, plan: &Plan) -> Result<(), String> {
        self.check_given(board, attacker, plan, &[], 0)
    }

    /// The branches win against every reply of the defender, who is to move, but for those left open.
    pub fn check_replies(
        &mut self,
        board: &mut Board,
        attacker: Side,
        open: &[Turn],
        windows: &[u16],
        branches: &[Branch],
    ) -> Result<(), String> {
        self.check_all(board, attacker, open, windows, branches, &[], 0)
    }

    /// A branch stands for the reply and wins against it.
    pub fn check_reply(
        &mut self,
        board: &mut Board,
        attacker: Side,
        reply: Turn,
        branches: &[Branch],
    ) -> Result<(), String> {
        self.check_one(board, attacker, reply, branches, &[], 0)
    }

    /// A plan may have given the defender stones that it does not have: one there is no news to it.
    fn check_given(
        &mut self,
        board: &mut Board,
        attacker: Side,
        plan: &Plan,
        given: &[u16],
        level: usize,
    ) -> Result<(), String> {
        let turn = stones(&plan.turn);
        if let Some(c) = turn.iter().find(|&&c| !board.is_empty(c)) {
            return Err(format!("{c} is occupied"));
        }
        with(board, turn, attacker, |board| {
            if board.has_won(attacker) {
                return Ok(());
            }
            let k = board.geometry().k;
            if plan.windows.iter().any(|&w| board.stones_in(w, attacker).is_none_or(|n| n < k - 2)) {
                return Err(format!("a threat of {:?} is none", plan.turn));
            }
            self.check_all(board, attacker, &[], &plan.windows, &plan.branches, given, level)
        })
    }

    #[allow(clippy::too_many_arguments)]
    fn check_all(
        &mut self,
        board: &mut Board,
        attacker: Side,
        open: &[Turn],
        windows: &[u16],
        branches: &[Branch],
        given: &[u16],
        level: usize,
    ) -> Result<(), String> {
        let defender = attacker.opponent();
        if board.can_win_now(defender) {
            return Err("the defender completes a line".into());
        }
        let mut replies = replies_that_hit(board, windows);
        replies.retain(|r| !open.contains(r));
        if replies.len() <= FEW {
            return replies
                .iter()
                .try_for_each(|&r| self.check_one(board, attacker, r, branches, given, level));
        }
        let most = self.most.get(level).copied().unwrap_or(1);
        if replies.len() > most {
            replies = self.choose(board, defender, &replies, branches, given, most);
        }
        replies.iter().try_for_each(|&r| self.check_one(board, attacker, r, branches, given, level + 1))
    }

    fn check_one(
        &mut self,
        board: &mut Board,
        attacker: Side,
        reply: Turn,
        branches: &[Branch],
        given: &[u16],
        level: usize,
    ) -> Result<(), String> {
        self.replies += 1;
        with(board, stones(&reply), attacker.opponent(), |board| {
            let branch = branches.iter().find(|b| b.covers(board.geometry(), reply, given));
            let Some(branch) = branch else { return Err(format!("no branch against {reply:?}")) };
            let given = [given, &branch.stones].concat();
            self.check_given(board, attacker, &branch.plan, &given, level)
                .map_err(|e| format!("{reply:?}: {e}"))
        })
    }

    /// Some of the replies: three in four with a stone outside a zone, most of these where it builds a line.
    fn choose(
        &mut self,
        board: &Board,
        defender: Side,
        replies: &[Turn],
        branches: &[Branch],
        given: &[u16],
        most: usize,
    ) -> Vec<Turn> {
        let g = board.geometry();
        let floats = |r: &Turn| {
            let mut floating = branches.iter().filter(|b| b.floats > 0);
            floating.any(|b| b.covers(g, *r, given) && r.iter().any(|c| !b.stones.contains(c)))
        };
        let outside: Vec<Turn> = replies.iter().copied().filter(floats).collect();
        (0..most)
            .filter_map(|i| {
                let among = if i % 4 == 3 || outside.is_empty() { replies } else { &outside };
                let tries =
                    (0..if i % 2 == 0 { 20 } else { 1 }).filter_map(|_| self.rng.choice(among)).copied();
                tries.max_by_key(|r| r.iter().map(|&c| pull(board, defender, c)).sum::<u64>())
            })
            .collect()
    }
}

/// The replies that leave none of these windows to be completed.
fn replies_that_hit(board: &Board, windows: &[u16]) -> Vec<Turn> {
    let g = board.geometry();
    let cells = empties(board);
    let firsts: Vec<u16> = windows.first().map_or(cells.clone(), |&w| board.empties_of(w).collect());
    let mut replies = Vec::new();
    for &a in &firsts {
        for &b in cells.iter().filter(|&&b| b != a || cells.len() == 1) {
            let hit = |&w: &u16| g.cells_of(w).contains(&a) || g.cells_of(w).contains(&b);
            // A pair of two firsts comes once.
            if (b >= a || !firsts.contains(&b)) && windows.iter().all(hit) {
                replies.push(sorted(a, b));
            }
        }
    }
    replies
}
