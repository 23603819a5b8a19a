//! Victory by continuous threats: double ones (VCDT), and single ones too (VCST).
//!
//! At an attacking node the attacker
//! 1. wins at once if it has a live window with k − 2 stones or more;
//! 2. else must answer the defender's own threats with the same two stones (*inversion*: the replies may have made some),
//!    and threaten: three threats win, two force both stones of the reply, one forces one of them.
//!
//! **Conservative defence.** First the defender is given *all* the cells of all the answers at once. If the attack wins even
//! so, it wins against each of them: a stone of the defender's that is taken away never spoils a plan. Only if that
//! fails is each answer tried by itself.
//!
//! **Single threats.** The reply is an answering stone and a free one. The attack is tried with the free one floating; the
//! plan that wins has a zone (see [`crate::plan`]), and only a free stone within it needs a search of its own, which first
//! tries the same plan.
//!
//! Iterative deepening over a *budget*: a double threat costs little, a single one more, the more the later it comes among
//! the candidates. Every win that is claimed is one, and comes with its plan; that none was found says nothing.

use crate::board::{Board, Side};
use crate::candidates::{Candidate, Candidates};
use crate::engine::Turn;
use crate::geometry::MAX_CELLS;
use crate::limits::{Clock, Limit};
use crate::plan::{Branch, Plan, edge};
use crate::threats::Threats;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

/// What a search for a win found.
#[derive(Clone, Debug)]
pub enum Found {
    Win(Rc<Plan>),
    /// No win by the moves that are tried.
    Nothing,
    /// The limit came first.
    Unknown,
}

impl Found {
    #[must_use]
    pub fn win(self) -> Option<Rc<Plan>> {
        match self {
            Found::Win(plan) => Some(plan),
            _ => None,
        }
    }
}

/// How an attack ends.
#[derive(Clone)]
pub(crate) enum Verdict {
    Win(Rc<Plan>),
    /// Perhaps with a larger budget.
    NotYet,
    /// Not by these moves, whatever the budget.
    Never,
}

/// Which threats the attacker may use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Force {
    Double,
    Single,
}

const DOUBLE_COST: i32 = 2;
/// By rank among the candidates, in powers of two.
const SINGLE_COSTS: [i32; 6] = [5, 7, 9, 11, 13, 15];
const MAX_SINGLES: usize = 40;
const MAX_BUDGET: i32 = 70;
/// How far the attack may go on by itself where a plan that it follows breaks.
const HINT_BUDGETS: [i32; 2] = [0, 4];

/// Searches for wins of one side, and remembers what it has found.
pub struct Solver {
    attacker: Side,
    wins: HashMap<u128, Rc<Plan>, BuildHasherDefault<KeyHasher>>,
    most_wins: usize,
    failures: Failures,
    candidates: Candidates,
    /// Per cell: how often a free stone there held.
    held: Vec<u32>,
}

impl Solver {
    /// With tables of about so many bytes.
    #[must_use]
    pub fn new(attacker: Side, memory: usize) -> Solver {
        Solver {
            attacker,
            wins: HashMap::default(),
            most_wins: memory / 2 / 1024,
            failures: Failures::new(memory / 2),
            candidates: Candidates::default(),
            held: vec![0; MAX_CELLS],
        }
    }

    #[must_use]
    pub fn attacker(&self) -> Side {
        self.attacker
    }

    /// The win that was found here before, if any.
    #[must_use]
    pub fn known(&self, board: &Board) -> Option<Rc<Plan>> {
        self.wins.get(&board.key()).cloned()
    }

    /// Looks for a win of the attacker, who is to move with two stones.
    pub fn search(&mut self, board: &mut Board, force: Force, clock: &mut Clock) -> Found {
        self.search_with(board, force, &[], clock)
    }

    /// Likewise, trying plans first that won against similar stones.
    pub fn search_with(
        &mut self,
        board: &mut Board,
        force: Force,
        hints: &[&Plan],
        clock: &mut Clock,
    ) -> Found {
        if self.wins.len() > self.most_wins {
            self.wins.clear();
        }
        match (Hunt { solver: self, board, force, clock }).deepen(hints) {
            Ok(Some(plan)) => Found::Win(plan),
            Ok(None) => Found::Nothing,
            Err(Limit) => Found::Unknown,
        }
    }
}

/// A search for one win.
struct Hunt<'a, 'g> {
    solver: &'a mut Solver,
    board: &'a mut Board<'g>,
    force: Force,
    clock: &'a mut Clock,
}

impl Hunt<'_, '_> {
    fn deepen(&mut self, hints: &[&Plan]) -> Result<Option<Rc<Plan>>, Limit> {
        for budget in HINT_BUDGETS {
            for hint in hints {
                if let Verdict::Win(plan) = self.follow(budget, hint)? {
                    return Ok(Some(plan));
                }
            }
        }
        let mut budget = 0;
        while budget <= MAX_BUDGET {
            match self.attack(budget, None)? {
                Verdict::Win(plan) => return Ok(Some(plan)),
                Verdict::Never => return Ok(None),
                Verdict::NotYet => {}
            }
            budget += if self.force == Force::Single && budget >= SINGLE_COSTS[0] { 1 } else { DOUBLE_COST };
        }
        Ok(None)
    }

    /// The attack that begins as a plan does, going on by itself where the plan breaks as far as the budget lets it.
    fn follow(&mut self, budget: i32, plan: &Plan) -> Result<Verdict, Limit> {
        if let Some(plan) = self.solver.wins.get(&self.board.key()) {
            return Ok(Verdict::Win(plan.clone()));
        }
        let verdict = self.follow_now(budget, plan)?;
        if let Verdict::Win(plan) = &verdict {
            self.remember(plan);
        }
        Ok(verdict)
    }

    fn follow_now(&mut self, budget: i32, plan: &Plan) -> Result<Verdict, Limit> {
        if let Some(verdict) = self.settled() {
            return Ok(verdict);
        }
        let [a, b] = plan.turn;
        let legal = a != b && self.board.is_empty(a) && self.board.is_empty(b);
        if legal && Threats::of(self.board, self.solver.attacker.opponent()).answered_by(a, b) {
            self.after(plan.turn, budget, Some(plan))
        } else {
            Ok(Verdict::NotYet)
        }
    }

    /// What needs no search.
    fn settled(&self) -> Option<Verdict> {
        // Given more stones than it can place, the defender may have a line that it would only threaten to complete.
        if self.board.has_won(self.solver.attacker.opponent()) {
            return Some(Verdict::Never);
        }
        let window = completable(self.board, self.solver.attacker)?;
        Some(Verdict::Win(Rc::new(Plan::completing(self.board, window))))
    }

    fn remember(&mut self, plan: &Rc<Plan>) {
        self.solver.wins.insert(self.board.key(), plan.clone());
        self.solver.candidates.remember(plan.turn);
    }

    fn attack(&mut self, budget: i32, hint: Option<&Plan>) -> Result<Verdict, Limit> {
        match self.known(self.board.key(), budget) {
            Some(verdict) => Ok(verdict),
            None => self.attack_anew(budget, hint),
        }
    }

    /// What was found out about a position before, if that is enough.
    fn known(&self, key: u128, budget: i32) -> Option<Verdict> {
        if let Some(plan) = self.solver.wins.get(&key) {
            return Some(Verdict::Win(plan.clone()));
        }
        match self.solver.failures.get(key, self.force) {
            NEVER => Some(Verdict::Never),
            b => (b >= budget).then_some(Verdict::NotYet),
        }
    }

    fn attack_anew(&mut self, budget: i32, hint: Option<&Plan>) -> Result<Verdict, Limit> {
        self.clock.spend()?;
        let verdict = self.attack_now(budget, hint)?;
        match &verdict {
            Verdict::Win(plan) => self.remember(plan),
            Verdict::NotYet => self.solver.failures.put(self.board.key(), self.force, budget),
            Verdict::Never => self.solver.failures.put(self.board.key(), self.force, NEVER),
        }
        Ok(verdict)
    }

    fn attack_now(&mut self, budget: i32, hint: Option<&Plan>) -> Result<Verdict, Limit> {
        if let Some(verdict) = self.settled() {
            return Ok(verdict);
        }
        let inverted = Threats::of(self.board, self.solver.attacker.opponent());
        if inverted.count() > 2 {
            return Ok(Verdict::Never);
        }
        if let Some(plan) = hint
            && let win @ Verdict::Win(_) = self.follow_now(budget, plan)?
        {
            return Ok(win);
        }
        if budget < DOUBLE_COST {
            return match self.solver.candidates.winning(self.board, self.solver.attacker, &inverted) {
                Ok(m) => self.after(m.turn, budget, None),
                Err(maybe) => {
                    Ok(if maybe || self.force == Force::Single { Verdict::NotYet } else { Verdict::Never })
                }
            };
        }
        let mut verdict = Verdict::Never;
        let doubles = self.solver.candidates.doubles(self.board, self.solver.attacker, &inverted);
        for m in &doubles {
            match self.after(m.turn, budget - DOUBLE_COST, None)? {
                win @ Verdict::Win(_) => return Ok(win),
                Verdict::NotYet => verdict = Verdict::NotYet,
                Verdict::Never => {}
            }
        }
        if self.force == Force::Single {
            if budget < SINGLE_COSTS[0] {
                return Ok(Verdict::NotYet);
            }
            let most = affordable(budget);
            let singles = self.solver.candidates.singles(self.board, self.solver.attacker, &inverted, most);
            if singles.len() == most && most < MAX_SINGLES {
                verdict = Verdict::NotYet;
            }
            return self.first_win(&singles, budget, verdict);
        }
        Ok(verdict)
    }

    /// Tries turns that make a single threat.
    fn first_win(
        &mut self,
        singles: &[Candidate],
        budget: i32,
        mut verdict: Verdict,
    ) -> Result<Verdict, Limit> {
        for (rank, m) in singles.iter().enumerate() {
            match self.after(m.turn, budget - single_cost(rank), None)? {
                win @ Verdict::Win(_) => return Ok(win),
                Verdict::NotYet => verdict = Verdict::NotYet,
                Verdict::Never => {}
            }
        }
        Ok(verdict)
    }

    /// How the attack goes on after a turn that answers the defender's threats, whatever the reply.
    fn after(&mut self, turn: Turn, budget: i32, hint: Option<&Plan>) -> Result<Verdict, Limit> {
        let attacker = self.solver.attacker;
        put(self.board, &turn, attacker);
        let threats = Threats::of(self.board, attacker);
        let branches = match threats.count() {
            3 => Ok(Ok(Vec::new())),
            2 => self.answer_both(&threats, budget, hint),
            1 if self.force == Force::Single => self.answer_one(&threats, budget, hint),
            _ => Ok(Err(Verdict::Never)),
        };
        let verdict = branches.map(|branches| match branches {
            Ok(branches) => {
                let windows = if threats.count() == 3 {
                    enough(self.board, attacker)
                } else {
                    threatening(self.board, attacker)
                };
                Verdict::Win(Rc::new(Plan::after(self.board, attacker, turn, windows, branches)))
            }
            Err(verdict) => verdict,
        });
        take(self.board, &turn, attacker);
        verdict
    }

    /// Two threats: both stones of the reply are answers.
    fn answer_both(
        &mut self,
        threats: &Threats,
        budget: i32,
        hint: Option<&Plan>,
    ) -> Result<Result<Vec<Branch>, Verdict>, Limit> {
        let all = threats.cells();
        if all.len() > 2 {
            let hint = hint_for(hint, &all, 0);
            if let Verdict::Win(plan) = self.reply(&all, budget, hint)? {
                return Ok(Ok(vec![Branch { stones: all, floats: 0, plan }]));
            }
        }
        let mut branches = Vec::new();
        for answer in threats.answers() {
            let hint = hint_for(hint, answer, 0);
            match self.reply(answer, budget, hint)? {
                Verdict::Win(plan) => branches.push(Branch { stones: answer.to_vec(), floats: 0, plan }),
                other => return Ok(Err(other)),
            }
        }
        Ok(Ok(branches))
    }

    /// One threat: an answering stone, and a free one.
    fn answer_one(
        &mut self,
        threats: &Threats,
        budget: i32,
        hint: Option<&Plan>,
    ) -> Result<Result<Vec<Branch>, Verdict>, Limit> {
        let all = threats.cells();
        let given = hint_for(hint, &all, 1);
        match self.reply(&all, budget, given)? {
            Verdict::Win(plan) => {
                let branch = Branch { stones: all.clone(), floats: 1, plan };
                return self.free_stones(threats.singles(), branch, budget);
            }
            // Two cells that answer alone are a reply themselves, which the attack has just failed against.
            other if all.len() <= 2 => return Ok(Err(other)),
            _ => {}
        }
        let mut branches = Vec::new();
        for &h in threats.singles() {
            let given = hint_for(hint, &[h], 1);
            match self.reply(&[h], budget, given)? {
                Verdict::Win(plan) => {
                    let branch = Branch { stones: vec![h], floats: 1, plan };
                    match self.free_stones(&[h], branch, budget)? {
                        Ok(more) => branches.extend(more),
                        Err(other) => return Ok(Err(other)),
                    }
                }
                other => return Ok(Err(other)),
            }
        }
        for pair in threats.answers() {
            match self.reply(pair, budget, None)? {
                Verdict::Win(plan) => branches.push(Branch { stones: pair.to_vec(), floats: 0, plan }),
                other => return Ok(Err(other)),
            }
        }
        Ok(Ok(branches))
    }

    /// The branch wins against a free stone outside its zone; here are those within.
    fn free_stones(
        &mut self,
        singles: &[u16],
        branch: Branch,
        budget: i32,
    ) -> Result<Result<Vec<Branch>, Verdict>, Limit> {
        let plan = branch.plan.clone();
        let mut free: Vec<u16> = plan
            .zone
            .reach(self.board.geometry())
            .iter()
            .filter(|&c| self.board.is_empty(c) && !branch.stones.contains(&c))
            .collect();
        // Where the attack would go on is where the defender would be; then come the cells that held elsewhere.
        free.sort_by_key(|&c| (!plan.turn.contains(&c), Reverse(self.solver.held[usize::from(c)])));
        let mut branches = vec![branch];
        for t in free {
            match self.free_stone(singles, &branches[0], t, budget)? {
                Ok(more) => branches.extend(more),
                Err(verdict) => {
                    self.solver.held[usize::from(t)] += 1;
                    return Ok(Err(verdict));
                }
            }
        }
        Ok(Ok(branches))
    }

    /// The attack against a free stone on `t`: with all the stones of the branch, else with each answer by itself.
    fn free_stone(
        &mut self,
        singles: &[u16],
        branch: &Branch,
        t: u16,
        budget: i32,
    ) -> Result<Result<Vec<Branch>, Verdict>, Limit> {
        let stones = [branch.stones.as_slice(), &[t]].concat();
        match self.reply(&stones, budget, Some(&branch.plan))? {
            Verdict::Win(plan) => return Ok(Ok(vec![Branch { stones, floats: 0, plan }])),
            other if stones.len() == 2 => return Ok(Err(other)),
            _ => {}
        }
        let mut branches = Vec::new();
        for &h in singles {
            match self.reply(&[h, t], budget, Some(&branch.plan))? {
                Verdict::Win(plan) => branches.push(Branch { stones: vec![h, t], floats: 0, plan }),
                other => return Ok(Err(other)),
            }
        }
        Ok(Ok(branches))
    }

    /// The attack with these stones of the defender added.
    fn reply(&mut self, stones: &[u16], budget: i32, hint: Option<&Plan>) -> Result<Verdict, Limit> {
        let defender = self.solver.attacker.opponent();
        // Placing stones costs more than looking up what is known.
        if let Some(verdict) = self.known(self.board.key_with(stones, defender), budget) {
            return Ok(verdict);
        }
        put(self.board, stones, defender);
        let verdict = self.attack_anew(budget, hint);
        take(self.board, stones, defender);
        verdict
    }
}

/// The plan that a hint has against these stones.
fn hint_for<'p>(hint: Option<&'p Plan>, stones: &[u16], floats: u8) -> Option<&'p Plan> {
    let branches = &hint?.branches;
    let same = |b: &&Branch| {
        b.floats == floats && b.stones.len() == stones.len() && stones.iter().all(|c| b.stones.contains(c))
    };
    branches.iter().find(same).or(branches.first()).map(|b| &*b.plan)
}

fn single_cost(rank: usize) -> i32 {
    let step = (rank / 2 + 1).ilog2() as usize;
    SINGLE_COSTS[step.min(SINGLE_COSTS.len() - 1)]
}

/// How many candidates a budget pays for.
fn affordable(budget: i32) -> usize {
    (0..MAX_SINGLES).take_while(|&rank| single_cost(rank) <= budget).count()
}

/// A window that `side` completes with two stones.
pub(crate) fn completable(board: &Board, side: Side) -> Option<u16> {
    let k = board.geometry().k;
    if !board.can_win_now(side) {
        return None;
    }
    board.live(side, k - 1).chain(board.live(side, k - 2)).next()
}

/// The windows that `side` threatens to complete.
pub(crate) fn threatening(board: &Board, side: Side) -> Vec<u16> {
    let k = board.geometry().k;
    board.live(side, k - 1).chain(board.live(side, k - 2)).collect()
}

/// Windows that no two stones answer, no more of them than needed.
fn enough(board: &Board, side: Side) -> Vec<u16> {
    let mut windows = threatening(board, side);
    let mut i = 0;
    while i < windows.len() {
        let rest: Vec<[u16; 2]> =
            windows.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &w)| edge(board, w)).collect();
        if Threats::of_edges(&rest).count() == 3 {
            windows.remove(i);
        } else {
            i += 1;
        }
    }
    windows
}

pub(crate) fn put(board: &mut Board, cells: &[u16], side: Side) {
    cells.iter().for_each(|&c| board.place(c, side));
}

pub(crate) fn take(board: &mut Board, cells: &[u16], side: Side) {
    cells.iter().rev().for_each(|&c| board.remove(c, side));
}

/// Budgets with which positions were tried in vain, by the two kinds of force: a part of the key above, one more than
/// each budget below. An untouched table is all zeros: memory that is not used is not asked for.
///
/// Two positions may be taken for each other, rarely; then a win is missed, and none is invented.
struct Failures(Vec<u64>);

const NEVER: i32 = i16::MAX as i32;
const TAG: u64 = !0 << 32;

impl Failures {
    fn new(memory: usize) -> Failures {
        Failures(vec![0; 1 << (memory / size_of::<u64>()).clamp(1 << 10, 1 << 22).ilog2()])
    }

    fn get(&self, key: u128, force: Force) -> i32 {
        let (index, tag) = self.place(key);
        let entry = self.0[index];
        if entry & TAG == tag { i32::from((entry >> shift(force)) as u16) - 1 } else { -1 }
    }

    fn put(&mut self, key: u128, force: Force, budget: i32) {
        let (index, tag) = self.place(key);
        let entry = &mut self.0[index];
        if *entry & TAG != tag {
            *entry = tag;
        }
        let kept = (*entry >> shift(force)) as u16;
        let budget = kept.max(budget as u16 + 1);
        *entry = *entry & !(u64::from(u16::MAX) << shift(force)) | u64::from(budget) << shift(force);
    }

    fn place(&self, key: u128) -> (usize, u64) {
        (key as usize & (self.0.len() - 1), (key >> 64) as u64 & TAG)
    }
}

fn shift(force: Force) -> u32 {
    16 * force as u32
}

/// Keys are well mixed already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&b| self.0 = self.0.rotate_left(8) ^ u64::from(b));
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}
