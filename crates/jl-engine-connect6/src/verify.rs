//! The verifier: every reply that may avoid a loss, or the proof that there is none.
//!
//! The defender is to move. If the attacker threatens, the reply must answer; otherwise the attack is tried after a
//! *null move*: both stones float. If even that does not win, nothing is known and every reply may do. If it wins, only
//! replies that touch its zone may help. For each stone s within the zone comes a *seminull move*: s is placed and the other stone
//! floats; that leaves pairs (s, t) with t in the zone of that plan, which are searched one by one, the plans that won
//! against s and against t first. Where the attack does not win against s alone, it would not win against s and another
//! stone either: all those pairs are defences.
//!
//! The plans that win are kept as branches: together they are the proof that the other replies lose.

use crate::attack::{Force, Found, Solver, put, take, threatening};
use crate::board::Board;
use crate::engine::Turn;
use crate::limits::Clock;
use crate::plan::{Branch, Plan};
use crate::sets::CellSet;
use crate::threats::Threats;
use std::collections::VecDeque;
use std::rc::Rc;

/// How hard to try, in nodes per search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// For the attack with double threats only, which comes first: its zones are the smallest.
    pub double: u64,
    /// For the attack with single threats too; none if 0.
    pub null: u64,
    pub seminull: u64,
    pub pair: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { double: 3_000, null: 30_000, seminull: 10_000, pair: 3_000 }
    }
}

/// What is known of the replies at a position.
#[derive(Clone, Debug)]
pub struct Verified {
    /// Every reply that may avoid a loss; `None` if all may.
    pub open: Option<Vec<Turn>>,
    /// The windows that threaten, and how the attack wins against the other replies.
    pub windows: Vec<u16>,
    pub branches: Vec<Branch>,
}

impl Verified {
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.open.as_ref().is_some_and(Vec::is_empty)
    }

    fn nothing_known() -> Verified {
        Verified { open: None, windows: Vec::new(), branches: Vec::new() }
    }
}

/// Looks at the replies to `solver`'s attacker; the defender is to move with two stones. Stops at the first reply
/// that may avoid the loss unless `every` is wanted.
pub fn verify(
    solver: &mut Solver,
    board: &mut Board,
    effort: Effort,
    every: bool,
    clock: &mut Clock,
) -> Verified {
    verify_first(solver, board, effort, &[], every, clock)
}

/// Likewise; unless `every` is wanted, the replies `first` are tried before all others.
pub fn verify_first(
    solver: &mut Solver,
    board: &mut Board,
    effort: Effort,
    first: &[Turn],
    every: bool,
    clock: &mut Clock,
) -> Verified {
    let attacker = solver.attacker();
    // With a single cell left there is no second stone to reason about.
    if board.can_win_now(attacker.opponent()) || board.placed() + 2 > board.geometry().cells() {
        return Verified::nothing_known();
    }
    let threats = Threats::of(board, attacker);
    let windows = threatening(board, attacker);
    let mut work = Work { solver, board, effort, every, clock, branches: Vec::new(), open: Vec::new() };
    let known = match threats.count() {
        0 => work.quiet(first),
        1 => work.one_threat(&threats),
        2 => work.two_threats(&threats),
        _ => true,
    };
    let (branches, mut open) = (work.branches, work.open);
    open.sort_unstable();
    open.dedup();
    if known { Verified { open: Some(open), windows, branches } } else { Verified::nothing_known() }
}

/// Presses on against the replies that are still open, but for those to skip, each in turn and then harder, until none is left
/// or the clock is over. A plan that wins against one is held against all others that leave its zone alone.
pub fn press(
    solver: &mut Solver,
    board: &mut Board,
    force: Force,
    skip: &[Turn],
    verified: &mut Verified,
    clock: &mut Clock,
) {
    let Verified { open: Some(open), branches, .. } = verified else { return };
    let mut hints: VecDeque<Rc<Plan>> = VecDeque::new();
    let mut nodes = PRESSING;
    while open.iter().any(|t| !skip.contains(t)) && !clock.is_over() && nodes <= MOST_PRESSING {
        let mut i = 0;
        while i < open.len() && !clock.is_over() {
            let reply = open[i];
            if skip.contains(&reply) {
                i += 1;
                continue;
            }
            let given: Vec<&Plan> = hints.iter().map(|plan| &**plan).collect();
            put(board, &reply, solver.attacker().opponent());
            let found = clock.within(nodes, |c| solver.search_with(board, force, &given, c));
            take(board, &reply, solver.attacker().opponent());
            let Found::Win(plan) = found else {
                i += 1;
                continue;
            };
            let before = open.len();
            open.retain(|&other| other != reply && !plan.zone.misses(board.geometry(), other));
            let floats = if open.len() + 1 < before { 2 } else { 0 };
            branches.push(Branch { stones: reply.to_vec(), floats, plan: plan.clone() });
            hints.push_front(plan);
            hints.truncate(RECENT);
            // Replies before this one may have fallen too.
            i = i.min(open.len());
        }
        nodes *= 4;
    }
}

/// The nodes against each reply at first, and at most.
const PRESSING: u64 = 1_000;
const MOST_PRESSING: u64 = 4_000_000;

/// Plans that won against a stone and another are tried against it and a third.
const RECENT: usize = 3;

struct Work<'a, 'g> {
    solver: &'a mut Solver,
    board: &'a mut Board<'g>,
    effort: Effort,
    every: bool,
    clock: &'a mut Clock,
    branches: Vec<Branch>,
    open: Vec<Turn>,
}

/// What is known of a stone of the defender's with the other floating.
enum Stone {
    /// Loses unless the other stone is in this zone.
    Loses(Rc<Plan>, CellSet),
    MayHold,
}

impl Work<'_, '_> {
    fn done(&self) -> bool {
        !self.every && !self.open.is_empty()
    }

    /// The attack with these stones of the defender's added.
    fn attack(&mut self, stones: &[u16], single: u64, hints: &[&Plan]) -> Option<Rc<Plan>> {
        let Work { solver, board, effort, clock, .. } = self;
        let defender = solver.attacker().opponent();
        put(board, stones, defender);
        let mut found = clock.within(effort.double, |c| solver.search_with(board, Force::Double, hints, c));
        if !matches!(found, Found::Win(_)) && single > 0 {
            found = clock.within(single, |c| solver.search_with(board, Force::Single, hints, c));
        }
        take(board, stones, defender);
        found.win()
    }

    fn empties(&self) -> Vec<u16> {
        (0..self.board.geometry().cells() as u16).filter(|&c| self.board.is_empty(c)).collect()
    }

    fn branch(&mut self, stones: Vec<u16>, floats: u8, plan: Rc<Plan>) {
        self.branches.push(Branch { stones, floats, plan });
    }

    /// Both stones are forced.
    fn two_threats(&mut self, threats: &Threats) -> bool {
        let all = threats.cells();
        if all.len() > 2
            && let Some(plan) = self.attack(&all, self.effort.pair, &[])
        {
            self.branch(all, 0, plan);
            return true;
        }
        for &answer in threats.answers() {
            self.pair(answer, &[]);
            if self.done() {
                break;
            }
        }
        true
    }

    /// One stone is forced.
    fn one_threat(&mut self, threats: &Threats) -> bool {
        let all = threats.cells();
        let hint = self.attack(&all, self.effort.null, &[]);
        let hints: Vec<&Plan> = hint.iter().map(|p| &**p).collect();
        for &h in threats.singles() {
            match self.seminull(h, &hints) {
                Stone::MayHold => self.open_all(h),
                Stone::Loses(plan, reach) => {
                    let free = self.empties().into_iter().filter(|&t| t != h && reach.contains(t));
                    for t in free.collect::<Vec<_>>() {
                        // A pair of two answering stones comes once.
                        if !(threats.singles().contains(&t) && t < h) {
                            self.pair([h.min(t), h.max(t)], &[&plan]);
                        }
                        if self.done() {
                            return true;
                        }
                    }
                }
            }
            if self.done() {
                return true;
            }
        }
        for &answer in threats.answers() {
            self.pair(answer, &hints);
            if self.done() {
                return true;
            }
        }
        true
    }

    /// No stone is forced.
    fn quiet(&mut self, first: &[Turn]) -> bool {
        let Some(null) = self.attack(&[], self.effort.null, &[]) else { return false };
        let reach = null.zone.reach(self.board.geometry());
        self.branch(Vec::new(), 2, null.clone());
        for &turn in first {
            if !self.every && turn.iter().all(|&c| self.board.is_empty(c)) {
                self.pair(turn, &[&null]);
            }
            if self.done() {
                return true;
            }
        }
        let mut firsts: Vec<u16> = self.empties().into_iter().filter(|&c| reach.contains(c)).collect();
        firsts.sort_by_key(|c| !null.turn.contains(c));
        let mut stones: Vec<(u16, Stone)> = Vec::new();
        for s in firsts {
            let stone = self.seminull(s, &[&null]);
            if matches!(stone, Stone::MayHold) && !self.every {
                // The other stone may be as good anywhere; one reply is enough.
                let t = self.empties().into_iter().find(|&t| t != s);
                self.open.extend(t.map(|t| [s.min(t), s.max(t)]));
                return true;
            }
            stones.push((s, stone));
        }
        self.pairs_within(&stones, &reach);
        if !self.done() {
            self.pairs_without(&null, &reach);
        }
        true
    }

    /// The pairs of which at least one stone is in the zone of the null move.
    fn pairs_within(&mut self, stones: &[(u16, Stone)], reach: &CellSet) {
        let empties = self.empties();
        for (i, (s, first)) in stones.iter().enumerate() {
            let mut recent: Vec<Rc<Plan>> = Vec::new();
            for &t in &empties {
                if t == *s {
                    continue;
                }
                let second = if reach.contains(t) {
                    let at =
                        stones.iter().position(|(c, _)| *c == t).expect("every cell of the zone was tried");
                    if at < i {
                        continue;
                    }
                    Some(&stones[at].1)
                } else {
                    None
                };
                if refutes(first, t) || second.is_some_and(|stone| refutes(stone, *s)) {
                    continue;
                }
                let turn = [*s.min(&t), *s.max(&t)];
                match (first, second) {
                    (Stone::MayHold, _) | (_, Some(Stone::MayHold)) => self.open.push(turn),
                    (Stone::Loses(first, _), second) => {
                        let mut hints: Vec<Rc<Plan>> = vec![first.clone()];
                        if let Some(Stone::Loses(second, _)) = second {
                            hints.push(second.clone());
                        }
                        hints.extend(recent.iter().cloned());
                        let hints: Vec<&Plan> = hints.iter().map(|p| &**p).collect();
                        if let Some(plan) = self.pair(turn, &hints) {
                            recent.retain(|p| !Rc::ptr_eq(p, &plan));
                            recent.insert(0, plan);
                            recent.truncate(RECENT);
                        }
                    }
                }
                if self.done() {
                    return;
                }
            }
        }
    }

    /// The pairs outside the zone of the null move that may spoil its plan together.
    fn pairs_without(&mut self, null: &Rc<Plan>, reach: &CellSet) {
        let g = self.board.geometry();
        let outside: Vec<u16> = self.empties().into_iter().filter(|&c| !reach.contains(c)).collect();
        for (i, &s) in outside.iter().enumerate() {
            let mates: Vec<u16> =
                outside[i + 1..].iter().copied().filter(|&t| null.zone.forbids_pair(g, s, t)).collect();
            if mates.is_empty() {
                continue;
            }
            // One search for all of them, if it goes well.
            let stone = self.seminull(s, &[null]);
            for t in mates {
                match &stone {
                    stone if refutes(stone, t) => {}
                    Stone::MayHold => self.open.push([s, t]),
                    Stone::Loses(plan, _) => {
                        self.pair([s, t], &[plan]);
                    }
                }
                if self.done() {
                    return;
                }
            }
        }
    }

    fn seminull(&mut self, s: u16, hints: &[&Plan]) -> Stone {
        match self.attack(&[s], self.effort.seminull, hints) {
            Some(plan) => {
                let reach = plan.zone.reach(self.board.geometry());
                self.branch(vec![s], 1, plan.clone());
                Stone::Loses(plan, reach)
            }
            None => Stone::MayHold,
        }
    }

    fn pair(&mut self, turn: Turn, hints: &[&Plan]) -> Option<Rc<Plan>> {
        match self.attack(&turn, self.effort.pair, hints) {
            Some(plan) => {
                self.branch(turn.to_vec(), 0, plan.clone());
                Some(plan)
            }
            None => {
                self.open.push(turn);
                None
            }
        }
    }

    fn open_all(&mut self, s: u16) {
        let others = self.empties().into_iter().filter(|&t| t != s).map(|t| [s.min(t), s.max(t)]);
        self.open.extend(others);
    }
}

/// Whether a stone, with the other on `t`, is known to lose.
fn refutes(stone: &Stone, t: u16) -> bool {
    matches!(stone, Stone::Loses(_, reach) if !reach.contains(t))
}
