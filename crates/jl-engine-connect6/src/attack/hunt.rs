//! A search for one win: depth first, by proof numbers.
//!
//! Each position has two numbers: how much there is to do, as far as is known, to prove a win, and to show that there is none. Of the
//! attacker's turns the search goes into the one that needs the least proof, of the defender's replies into the one that is
//! disproved the soonest, until another looks better: that is what [`Bounds`] say. Nothing is searched again from the root as long
//! as the choice stays the same below.
//!
//! The numbers are not counts of leaves:
//! - a turn costs, single threats far more than double ones and later ones more than earlier ones. Otherwise a
//!   chain of single threats, of which there always is one more, would seem as close to a win as it was at its beginning;
//! - replies to a double threat add up, but of the free stones against a single threat the hardest counts: they are many,
//!   and what wins against one mostly wins against the next.
//!
//! A position is *glanced* at first: whether something wins at once, or a plan that won against a similar reply does. Only
//! when the search comes back are its turns listed; single threats later still, when the double ones look worse.

use super::tables::{ENDLESS, Numbers};
use super::{Force, Solver, completable, enough, put, take, threatening};
use crate::board::Board;
use crate::engine::Turn;
use crate::limits::{Clock, Limit};
use crate::plan::{Branch, Plan};
use crate::threats::Threats;
use std::cmp::Reverse;
use std::rc::Rc;

/// A position that was only glanced at.
const FRESH: Numbers = Numbers { proof: 4, disproof: 1 };
/// A turn with a double threat that was not tried yet needs more proof by one for each so many before it.
const RANKS: usize = 2;
const DOUBLE_COST: u32 = 1;
/// The first single threats; and what is added each time their number doubles.
const SINGLE_COST: u32 = 30;
const SINGLE_STEP: u32 = 4;
const MAX_SINGLES: usize = 40;
/// What single threats that are not listed yet are worth to the defender.
const UNLISTED: u32 = 8;
/// So many free stones that are left count as much as one more to prove.
const FREE_STONES: usize = 8;
/// The most that is not endless, and what is given up as if it were.
const MOST: u32 = ENDLESS - 1;
const TOO_MUCH: u32 = ENDLESS / 2;
/// A turn is stayed with until it looks worse than the next by a part of so much.
const PATIENCE: u32 = 4;

/// Keys of positions with the defender to move, and of those that are tried with single threats.
const REPLY: u128 = 0x5851_f42d_4c95_7f2d_1405_7b7e_f767_814f;
const SINGLE: u128 = 0x2545_f491_4f6c_dd1d_9e37_79b9_7f4a_7c15;

/// How far numbers may grow before the search goes elsewhere.
#[derive(Clone, Copy)]
struct Bounds {
    proof: u32,
    disproof: u32,
}

impl Bounds {
    const NONE: Bounds = Bounds { proof: ENDLESS, disproof: ENDLESS };
    /// Nothing is listed: a glance at each reply at most.
    const GLANCE: Bounds = Bounds { proof: 1, disproof: ENDLESS };

    fn is_glance(self) -> bool {
        self.proof <= Bounds::GLANCE.proof
    }

    /// Whether there is nothing more to do within them.
    fn are_met(self, numbers: Numbers) -> bool {
        numbers.is_decided() || numbers.proof >= self.proof || numbers.disproof >= self.disproof
    }
}

/// What the attack must win against: all of these stones at once, if there is such a reply, or else each of those.
struct Duty {
    together: Option<Vec<u16>>,
    each: Vec<Vec<u16>>,
}

/// The branches against every reply, or what is missing.
type Answered = Result<Result<Vec<Branch>, Numbers>, Limit>;

pub(super) struct Hunt<'a, 'g> {
    pub solver: &'a mut Solver,
    pub board: &'a mut Board<'g>,
    pub force: Force,
    pub clock: &'a mut Clock,
}

impl Hunt<'_, '_> {
    pub fn run(&mut self, hints: &[&Plan]) -> Result<Option<Rc<Plan>>, Limit> {
        for hint in hints {
            if let Some(plan) = self.solver.known(self.board) {
                return Ok(Some(plan));
            }
            if self.settled().is_none() && self.follow(hint)? {
                break;
            }
        }
        self.attack(Bounds::NONE, None)?;
        Ok(self.solver.known(self.board))
    }

    /// As the tables have it.
    fn marked(&self, key: u128) -> u128 {
        if self.force == Force::Single { key ^ SINGLE } else { key }
    }

    /// What is known of a position with the attacker to move.
    fn known(&self, key: u128) -> Option<Numbers> {
        if self.solver.wins.get(key).is_some() {
            return Some(Numbers::WON);
        }
        self.solver.known.get(self.marked(key))
    }

    /// With these stones of the defender added.
    fn known_with(&self, stones: &[u16]) -> Option<Numbers> {
        self.known(self.board.key_with(stones, self.solver.attacker.opponent()))
    }

    fn numbers_with(&self, stones: &[u16]) -> Numbers {
        self.known_with(stones).unwrap_or(FRESH)
    }

    fn won_with(&self, stones: &[u16], floats: u8) -> Option<Branch> {
        let plan = self.solver.wins.get(self.board.key_with(stones, self.solver.attacker.opponent()))?;
        Some(Branch { stones: stones.to_vec(), floats, plan: plan.clone() })
    }

    fn note(&mut self, numbers: Numbers) -> Numbers {
        self.solver.known.put(self.marked(self.board.key()), numbers);
        numbers
    }

    fn win(&mut self, plan: Rc<Plan>) -> Numbers {
        self.solver.candidates.remember(plan.turn);
        self.solver.wins.insert(self.board.key(), plan);
        Numbers::WON
    }

    /// The attacker to move: searches until the numbers meet the bounds.
    fn attack(&mut self, bounds: Bounds, hint: Option<&Plan>) -> Result<Numbers, Limit> {
        let numbers = match self.known(self.board.key()) {
            Some(numbers) => numbers,
            None => self.glance(hint)?,
        };
        if bounds.are_met(numbers) {
            return Ok(numbers);
        }
        self.clock.spend()?;
        self.best_turn(bounds)
    }

    /// What is seen without a search.
    fn glance(&mut self, hint: Option<&Plan>) -> Result<Numbers, Limit> {
        self.clock.spend()?;
        if let Some(numbers) = self.settled() {
            return Ok(numbers);
        }
        let attacker = self.solver.attacker;
        let inverted = Threats::of(self.board, attacker.opponent());
        if inverted.count() > 2 {
            return Ok(self.note(Numbers::NEVER));
        }
        if let Some(plan) = hint
            && self.follow(plan)?
        {
            return Ok(Numbers::WON);
        }
        let numbers = match self.solver.candidates.winning(self.board, attacker, &inverted) {
            Ok(winning) => match self.after(winning.turn, Bounds::GLANCE, None)? {
                Ok(plan) => return Ok(self.win(plan)),
                Err(_) => FRESH,
            },
            Err(perhaps) if perhaps || self.force == Force::Single => FRESH,
            Err(_) => Numbers::NEVER,
        };
        Ok(self.note(numbers))
    }

    /// What needs no turn of the attacker's that only threatens.
    fn settled(&mut self) -> Option<Numbers> {
        // Given more stones than it can place, the defender may have a line that it would only threaten to complete.
        if self.board.has_won(self.solver.attacker.opponent()) {
            return Some(self.note(Numbers::NEVER));
        }
        let window = completable(self.board, self.solver.attacker)?;
        let plan = Rc::new(Plan::completing(self.board, window));
        Some(self.win(plan))
    }

    /// Whether the attack wins as a plan does, and by what is seen at a glance where it breaks.
    fn follow(&mut self, plan: &Plan) -> Result<bool, Limit> {
        let [a, b] = plan.turn;
        let legal = a != b && self.board.is_empty(a) && self.board.is_empty(b);
        if !legal || !Threats::of(self.board, self.solver.attacker.opponent()).answered_by(a, b) {
            return Ok(false);
        }
        let won = self.after(plan.turn, Bounds::GLANCE, Some(plan))?;
        Ok(won.is_ok_and(|plan| self.win(plan).is_won()))
    }

    /// The attacker's turns, the one that needs the least proof first.
    fn best_turn(&mut self, bounds: Bounds) -> Result<Numbers, Limit> {
        let inverted = Threats::of(self.board, self.solver.attacker.opponent());
        let mut turns = self.turns(Force::Double, &inverted).to_vec();
        let doubles = turns.len();
        let mut numbers = Vec::with_capacity(doubles + MAX_SINGLES);
        self.look_up(&turns, doubles, &mut numbers);
        let mut unlisted = self.force == Force::Single;
        loop {
            let mut choice = Choice::among(&numbers, doubles);
            if unlisted {
                let single = FRESH.proof + SINGLE_COST;
                choice.disproof = (choice.disproof + UNLISTED).min(MOST);
                if single <= choice.proof {
                    choice.proof = single;
                    if !bounds.are_met(choice.numbers()) {
                        unlisted = false;
                        turns.extend(self.turns(Force::Single, &inverted).iter());
                        self.look_up(&turns, doubles, &mut numbers);
                        continue;
                    }
                }
                choice.next = choice.next.min(single);
            }
            let here = choice.numbers();
            if bounds.are_met(here) {
                return Ok(self.note(here));
            }
            let i = choice.at;
            let stay = choice.next.saturating_add(1 + choice.next / PATIENCE);
            let disproof = match here.disproof {
                MOST => bounds.disproof,
                sum => (bounds.disproof - sum + numbers[i].disproof).min(ENDLESS),
            };
            let within = Bounds { proof: stay.min(bounds.proof) - cost(i, doubles), disproof };
            match self.after(turns[i], within, None)? {
                Ok(plan) => return Ok(self.win(plan)),
                Err(missing) => numbers[i] = missing,
            }
        }
    }

    /// The numbers of turns beyond those that are there.
    fn look_up(&self, turns: &[Turn], doubles: usize, numbers: &mut Vec<Numbers>) {
        for (i, turn) in turns.iter().enumerate().skip(numbers.len()) {
            let key = self.marked(self.board.key_with(turn, self.solver.attacker)) ^ REPLY;
            let rank = if i < doubles { i / RANKS } else { 0 };
            let fresh = Numbers { proof: FRESH.proof + rank as u32, ..FRESH };
            numbers.push(self.solver.known.get(key).unwrap_or(fresh));
        }
    }

    fn turns(&mut self, force: Force, inverted: &Threats) -> Rc<[Turn]> {
        let key = self.board.key();
        let Solver { attacker, candidates, lists, .. } = &mut *self.solver;
        if let Some(list) = lists.get(key, force) {
            return list.clone();
        }
        let found = match force {
            Force::Double => candidates.doubles(self.board, *attacker, inverted),
            Force::Single => candidates.singles(self.board, *attacker, inverted, MAX_SINGLES),
        };
        let list: Rc<[Turn]> = found.iter().map(|m| m.turn).collect();
        lists.insert(key, force, list.clone());
        list
    }

    /// How the attack goes on after a turn that answers the defender's threats, whatever the reply.
    fn after(
        &mut self,
        turn: Turn,
        bounds: Bounds,
        hint: Option<&Plan>,
    ) -> Result<Result<Rc<Plan>, Numbers>, Limit> {
        let attacker = self.solver.attacker;
        put(self.board, &turn, attacker);
        let threats = Threats::of(self.board, attacker);
        let answered = match threats.count() {
            3 => Ok(Ok(Vec::new())),
            2 => self.answer_both(&threats, bounds, hint),
            1 if self.force == Force::Single => self.answer_one(&threats, bounds, hint),
            _ => Ok(Err(Numbers::NEVER)),
        };
        let result = answered.map(|answered| match answered {
            Ok(branches) => {
                let windows = if threats.count() == 3 {
                    enough(self.board, attacker)
                } else {
                    threatening(self.board, attacker)
                };
                Ok(Rc::new(Plan::after(self.board, attacker, turn, windows, branches)))
            }
            Err(missing) => {
                let key = self.marked(self.board.key()) ^ REPLY;
                self.solver.known.put(key, missing);
                Err(missing)
            }
        });
        take(self.board, &turn, attacker);
        result
    }

    /// Two threats: both stones of the reply are answers.
    fn answer_both(&mut self, threats: &Threats, bounds: Bounds, hint: Option<&Plan>) -> Answered {
        let all = threats.cells();
        let each = threats.answers().iter().map(|answer| answer.to_vec()).collect();
        let duty = Duty { together: (all.len() > 2).then_some(all), each };
        if let Some(hint) = hint {
            self.glance_at(&duty, |stones| hint_for(hint, stones, 0))?;
        }
        self.fulfil(&duty, bounds, None)
    }

    /// One threat: an answering stone, and a free one.
    fn answer_one(&mut self, threats: &Threats, bounds: Bounds, hint: Option<&Plan>) -> Answered {
        let all = threats.cells();
        let singles = threats.singles();
        let hint_at = |stones: &[u16]| hint.and_then(|hint| hint_for(hint, stones, 1));
        if hint.is_some() {
            self.glance_with(&all, hint_at(&all))?;
        }
        loop {
            let together = self.numbers_with(&all);
            // Two cells that answer alone are a reply themselves: if the attack fails against both, it fails.
            if all.len() <= 2 || together.is_won() {
                return self.answer_all_and_any(&all, singles, bounds);
            }
            let singly = singles.iter().map(|&h| self.numbers_with(&[h]).proof);
            let apart = singly.chain(threats.answers().iter().map(|pair| self.numbers_with(pair).proof));
            let apart = apart.sum::<u32>().min(MOST);
            if together.proof > apart || bounds.is_glance() {
                break;
            }
            let within = Bounds { proof: bounds.proof.min(apart + 1), ..bounds };
            let numbers = self.reply(&all, within, None)?;
            if !numbers.is_decided() && bounds.are_met(numbers) {
                return Ok(Err(numbers));
            }
        }
        let mut branches = Vec::new();
        let mut left = (singles.len() + threats.answers().len()) as u32;
        for &h in singles {
            left -= 1;
            if hint.is_some() {
                self.glance_with(&[h], hint_at(&[h]))?;
            }
            let within = Bounds { proof: bounds.proof.saturating_sub(left).max(1), ..bounds };
            match self.answer_all_and_any(&[h], &[h], within)? {
                Ok(more) => branches.extend(more),
                Err(Numbers { proof, disproof }) => {
                    return Ok(Err(Numbers { proof: (proof + left).min(ENDLESS), disproof }));
                }
            }
        }
        for pair in threats.answers() {
            let duty = Duty { together: None, each: vec![pair.to_vec()] };
            match self.fulfil(&duty, bounds, None)? {
                Ok(more) => branches.extend(more),
                missing => return Ok(missing),
            }
        }
        Ok(Ok(branches))
    }

    /// All of these stones, and any other that is free: at first it floats; then come those within the zone of the plan that wins.
    fn answer_all_and_any(&mut self, stones: &[u16], singles: &[u16], bounds: Bounds) -> Answered {
        let numbers = self.reply(stones, bounds, None)?;
        let Some(branch) = self.won_with(stones, 1) else { return Ok(Err(numbers)) };
        let plan = branch.plan.clone();
        let mut free: Vec<u16> = plan
            .zone
            .reach(self.board.geometry())
            .iter()
            .filter(|&c| self.board.is_empty(c) && !stones.contains(&c))
            .collect();
        // Where the attack would go on is where the defender would be; then come the cells that held elsewhere.
        free.sort_by_key(|&c| (!plan.turn.contains(&c), Reverse(self.solver.held[usize::from(c)])));
        let duty = |&t: &u16| Duty {
            together: (stones.len() > 1).then(|| [stones, &[t]].concat()),
            each: singles.iter().map(|&h| vec![h, t]).collect(),
        };
        let duties: Vec<Duty> = free.iter().map(duty).collect();
        let mut numbers = Vec::with_capacity(duties.len());
        for (duty, &t) in duties.iter().zip(&free) {
            if bounds.is_glance() {
                self.glance_at(duty, |_| Some(&plan))?;
            } else {
                let reply = duty.together.as_ref().unwrap_or(&duty.each[0]);
                self.glance_with(reply, Some(&plan))?;
            }
            let missing = self.missing(duty);
            if missing.is_never() {
                return Ok(Err(self.held(t)));
            }
            // Who only glances has seen enough.
            if bounds.is_glance() && !missing.is_won() {
                return Ok(Err(missing));
            }
            numbers.push(missing);
        }
        loop {
            let open = || (0..duties.len()).filter(|&i| !numbers[i].is_won());
            let Some(first) = open().min_by_key(|&i| (numbers[i].disproof, Reverse(numbers[i].proof))) else {
                let branches = duties.iter().flat_map(|duty| self.fulfilled(duty));
                return Ok(Ok(std::iter::once(branch).chain(branches).collect()));
            };
            let more = (open().count() / FREE_STONES) as u32;
            let hardest = open().map(|i| numbers[i].proof).max().unwrap_or(0);
            let here = Numbers { proof: (hardest + more).min(MOST), disproof: numbers[first].disproof };
            if bounds.are_met(here) {
                return Ok(Err(here));
            }
            let next = open().filter(|&i| i != first).map(|i| numbers[i].disproof).min().unwrap_or(ENDLESS);
            let within = Bounds { proof: bounds.proof - more, disproof: bounds.disproof.min(next + 1) };
            numbers[first] = match self.fulfil(&duties[first], within, Some(&plan))? {
                Ok(_) => Numbers::WON,
                Err(never) if never.is_never() => return Ok(Err(self.held(free[first]))),
                Err(missing) => missing,
            };
        }
    }

    /// A free stone on this cell refutes the turn.
    fn held(&mut self, cell: u16) -> Numbers {
        self.solver.held[usize::from(cell)] += 1;
        Numbers::NEVER
    }

    /// What is missing to fulfil a duty.
    fn missing(&self, duty: &Duty) -> Numbers {
        let together = duty.together.as_ref().map_or(Numbers::NEVER, |stones| self.numbers_with(stones));
        if together.is_won() { together } else { either(together, self.apart(duty)) }
    }

    /// What is missing to win against each reply by itself.
    fn apart(&self, duty: &Duty) -> Numbers {
        let mut sum = Numbers::WON;
        for stones in &duty.each {
            let numbers = self.numbers_with(stones);
            if numbers.is_never() {
                return numbers;
            }
            if !numbers.is_won() {
                sum.proof = (sum.proof + numbers.proof).min(MOST);
                sum.disproof = sum.disproof.min(numbers.disproof);
            }
        }
        sum
    }

    /// The branches of a duty that nothing is missing of.
    fn fulfilled(&self, duty: &Duty) -> Vec<Branch> {
        match duty.together.as_ref().and_then(|stones| self.won_with(stones, 0)) {
            Some(branch) => vec![branch],
            None => duty.each.iter().filter_map(|stones| self.won_with(stones, 0)).collect(),
        }
    }

    fn fulfil(&mut self, duty: &Duty, bounds: Bounds, hint: Option<&Plan>) -> Answered {
        loop {
            let together = duty.together.as_ref().map_or(Numbers::NEVER, |stones| self.numbers_with(stones));
            let apart = self.apart(duty);
            let missing = either(together, apart);
            if missing.is_won() {
                return Ok(Ok(self.fulfilled(duty)));
            }
            if bounds.are_met(missing) {
                return Ok(Err(missing));
            }
            let apart = apart.proof;
            if let Some(stones) = &duty.together
                && together.proof <= apart
            {
                // That the attack fails against all of them at once says nothing about each.
                let within = Bounds { proof: bounds.proof.min(apart + 1), disproof: ENDLESS };
                self.reply(stones, within, hint)?;
                continue;
            }
            let numbers: Vec<Numbers> = duty.each.iter().map(|stones| self.numbers_with(stones)).collect();
            let mut open: Vec<usize> = (0..numbers.len()).filter(|&i| !numbers[i].is_won()).collect();
            open.sort_by_key(|&i| (numbers[i].disproof, Reverse(numbers[i].proof)));
            let first = open[0];
            let next = open.get(1).map_or(ENDLESS, |&i| numbers[i].disproof);
            let others = apart - numbers[first].proof;
            let within = Bounds {
                proof: bounds.proof.min(together.proof.saturating_add(1)) - others,
                disproof: bounds.disproof.min(next + 1),
            };
            self.reply(&duty.each[first], within, hint)?;
        }
    }

    /// The attack with these stones of the defender added.
    fn reply(&mut self, stones: &[u16], bounds: Bounds, hint: Option<&Plan>) -> Result<Numbers, Limit> {
        // Placing stones costs more than looking up what is known.
        if let Some(numbers) = self.known_with(stones)
            && bounds.are_met(numbers)
        {
            return Ok(numbers);
        }
        let defender = self.solver.attacker.opponent();
        put(self.board, stones, defender);
        let numbers = self.attack(bounds, hint);
        take(self.board, stones, defender);
        numbers
    }

    fn glance_with(&mut self, stones: &[u16], hint: Option<&Plan>) -> Result<Numbers, Limit> {
        self.reply(stones, Bounds::GLANCE, hint)
    }

    /// A glance at each reply, as long as they are won.
    fn glance_at<'p>(&mut self, duty: &Duty, hint: impl Fn(&[u16]) -> Option<&'p Plan>) -> Result<(), Limit> {
        if let Some(stones) = &duty.together
            && self.glance_with(stones, hint(stones))?.is_won()
        {
            return Ok(());
        }
        for stones in &duty.each {
            if !self.glance_with(stones, hint(stones))?.is_won() {
                break;
            }
        }
        Ok(())
    }
}

/// What is missing to win against all replies at once, or against each.
fn either(together: Numbers, apart: Numbers) -> Numbers {
    match () {
        () if together.is_won() => together,
        () if apart.is_decided() => apart,
        () => Numbers { proof: apart.proof.min(together.proof), ..apart },
    }
}

/// The turn to go into, what the position's numbers are, and when to leave it for another.
struct Choice {
    at: usize,
    proof: u32,
    disproof: u32,
    next: u32,
}

impl Choice {
    fn among(numbers: &[Numbers], doubles: usize) -> Choice {
        let mut choice = Choice { at: 0, proof: ENDLESS, disproof: 0, next: ENDLESS };
        for (i, numbers) in numbers.iter().enumerate() {
            if numbers.is_never() {
                continue;
            }
            choice.disproof = (choice.disproof + numbers.disproof).min(MOST);
            let proof = (numbers.proof + cost(i, doubles)).min(MOST);
            if proof < choice.proof {
                choice = Choice { at: i, proof, next: choice.proof, ..choice };
            } else {
                choice.next = choice.next.min(proof);
            }
        }
        choice
    }

    fn numbers(&self) -> Numbers {
        let Choice { proof, disproof, .. } = *self;
        if proof >= TOO_MUCH { Numbers::NEVER } else { Numbers { proof, disproof } }
    }
}

/// What a turn costs, by its place in the list.
fn cost(i: usize, doubles: usize) -> u32 {
    match i.checked_sub(doubles) {
        None => DOUBLE_COST,
        Some(rank) => SINGLE_COST + SINGLE_STEP * (rank / 2 + 1).ilog2(),
    }
}

/// The plan that a hint has against these stones.
fn hint_for<'p>(hint: &'p Plan, stones: &[u16], floats: u8) -> Option<&'p Plan> {
    let branches = &hint.branches;
    let same = |b: &&Branch| {
        b.floats == floats && b.stones.len() == stones.len() && stones.iter().all(|c| b.stones.contains(c))
    };
    branches.iter().find(same).or(branches.first()).map(|b| &*b.plan)
}
