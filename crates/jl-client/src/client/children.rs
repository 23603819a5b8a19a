//! What becomes of an answer: a child, a stopper, moves in reserve that need no job, or nothing if the program can't mean it.

use super::{Client, InFlight};
use crate::application::{Application, MoveOf};
use crate::asked::{self, Asked};
use jl_game::{Answer, Assessment, Game, Key, Others, Program, Status};
use jl_messages::{JobId, Request};
use jl_search::Search;
use jl_tree::{Edge, NodeId, Spec};
use jl_value::{Bounds, Outcome, Player};
use std::collections::{HashSet, VecDeque};

/// The further moves of a node that its program named.
pub(super) struct Reserve {
    /// As edges hold them, with the first player's win rates after them if the program has an opinion.
    pub(super) moves: VecDeque<(u32, Option<f64>)>,
    /// Every other loses.
    pub(super) all: bool,
    /// Of those without: that of the move that was answered.
    pub(super) assessment: Assessment,
}

/// What a program says of a node before its answer.
pub(super) struct Drafted<M> {
    pub(super) mv: M,
    pub(super) assessment: Assessment,
    /// What it would say next.
    pub(super) moves: Vec<(M, Option<f64>)>,
}

/// A child in the making.
struct Found {
    code: u32,
    key: Key,
    /// The node that stands for this position already.
    known: Option<NodeId>,
    mover: Player,
    bounds: Bounds,
    assessment: Assessment,
    /// Whether the assessment is the program's word on this very child.
    looked_at: bool,
}

impl<A: Application> Client<A> {
    /// Whether a job in flight would be answered by this: whether `on_done` would make something of it.
    pub(crate) fn is_answer(&self, job: JobId, output: &[String]) -> bool {
        let Some(InFlight { path, asked, .. }) = self.in_flight.get(&job) else { return false };
        let n = path[path.len() - 1];
        match self.app.program().parse(&asked.query(self.app.game()), output) {
            Err(_) => false,
            Ok(Answer::SureLoss) => self.lost_drafts(n, asked, None, None).is_ok(),
            Ok(Answer::Move { mv, assessment, others }) => {
                let found = self.find(n, asked, mv, assessment);
                let reserve = self.reserve(n, asked, others, assessment);
                found.is_ok_and(|found| {
                    reserve.is_ok_and(|r| self.lost_drafts(n, asked, Some(&found), r.as_ref()).is_ok())
                })
            }
        }
    }

    /// Update; the nodes whose bounds narrowed. An error leaves the graph as it was, and the job is undone as failed.
    pub(super) fn apply(
        &mut self,
        path: &[NodeId],
        asked: &Asked<A>,
        answer: Answer<MoveOf<A>>,
    ) -> Result<Vec<NodeId>, String> {
        let n = path[path.len() - 1];
        let (found, reserve, rates) = match answer {
            Answer::SureLoss => (None, None, Vec::new()),
            Answer::Move { mv, assessment, others } => {
                let found = self.find(n, asked, mv, assessment)?;
                let rates = self.rates(asked, &others);
                (Some(found), self.reserve(n, asked, others, assessment)?, rates)
            }
        };
        let lost = self.lost_drafts(n, asked, found.as_ref(), reserve.as_ref())?;
        jl_search::release(self.app.search(), &mut self.graph, path);
        self.reserves.remove(&n);
        let stops = found.is_none() || reserve.as_ref().is_some_and(|r| r.all && r.moves.is_empty());
        let loss = self.loss_of_mover(n);
        for &child in &lost {
            self.graph.narrow(child, loss);
        }
        let mut changed = lost;
        changed.extend(self.revise(n, asked, found.as_ref(), &rates));
        let drafted = |found: &Found| self.drafted(n, asked).any(|e| Some(e.child()) == found.known);
        let found = found.filter(|found| !drafted(found));
        let child = found.map(|found| self.generate(n, found));
        if stops {
            self.graph.stop(n);
        } else if let Some(reserve) = reserve.filter(|r| !r.moves.is_empty()) {
            self.reserves.insert(n, reserve);
        }
        let search = self.app.search();
        let mut narrowed = self.graph.propagate(&changed, |g, n| search.back_up(g, n));
        narrowed.extend(jl_search::update(search, &mut self.graph, path, child));
        Ok(narrowed)
    }

    /// A draft: its moves wait in reserve. While the job goes on the node can be selected, and gets them as children one by one. As long as
    /// there is something better to select, they wait.
    pub(super) fn take_draft(&mut self, job: JobId, Drafted { mv, assessment, moves }: Drafted<MoveOf<A>>) {
        let InFlight { path, asked, .. } = &self.in_flight[&job];
        let n = path[path.len() - 1];
        // A move that can't be is for the answer to be blamed for.
        let Ok(first) = self.find(n, asked, mv, assessment) else { return };
        let others = Others { moves, all: false };
        let Ok(Some(mut reserve)) = self.reserve(n, asked, others, assessment) else { return };
        reserve.moves.push_front((first.code, assessment.win_rate));
        self.reserves.insert(n, reserve);
        self.graph.touch(n);
        self.set_drafted(n, true);
    }

    fn set_drafted(&mut self, n: NodeId, drafted: bool) {
        self.graph.set_drafted(n, drafted);
        let search = self.app.search();
        self.graph.propagate(&[n], |g, n| search.back_up(g, n));
    }

    /// The children that came by drafts of the job that asked this.
    fn drafted(&self, n: NodeId, asked: &Asked<A>) -> impl Iterator<Item = Edge> {
        self.graph.edges(n)[asked.children..].iter().copied().filter(|e| !e.is_echo())
    }

    /// Drafts that the answer says lose: all that it does not name, where it names all that may hold. An error if one is known not to.
    fn lost_drafts(
        &self,
        n: NodeId,
        asked: &Asked<A>,
        found: Option<&Found>,
        reserve: Option<&Reserve>,
    ) -> Result<Vec<NodeId>, String> {
        if self.graph.edges(n).len() == asked.children || reserve.is_some_and(|r| !r.all) {
            return Ok(Vec::new());
        }
        let game = self.app.game();
        let key = |code: u32| {
            let mv = asked::in_position::<A>(game, asked.to_node, code);
            game.play(&asked.position, mv).ok().map(|after| game.canonical(&after).0)
        };
        let named = reserve.iter().flat_map(|r| r.moves.iter().map(|&(code, _)| code));
        let named: HashSet<Option<Key>> = named.chain(found.map(|f| f.code)).map(key).collect();
        let lost = self.drafted(n, asked).filter(|e| !named.contains(&key(e.mv)));
        let lost: Vec<NodeId> = lost.map(Edge::child).collect();
        let bounds = self.loss_of_mover(n);
        if let Some(&child) = lost.iter().find(|&&c| self.graph.bounds(c).intersect(bounds).is_none()) {
            let known = self.graph.bounds(child);
            return Err(format!("every other move is said to lose, but one of its drafts is known: {known}"));
        }
        Ok(lost)
    }

    fn loss_of_mover(&self, n: NodeId) -> Bounds {
        Bounds::exactly(Outcome::win_of(self.graph.mover(n).opponent()))
    }

    /// The moves besides the answer that the program has an opinion of, as edges hold them, with the first player's win rates.
    fn rates(&self, asked: &Asked<A>, others: &Others<MoveOf<A>>) -> Vec<(u32, f64)> {
        let game = self.app.game();
        let code = |mv| game.code(game.map_move(asked.to_node, mv));
        others.moves.iter().filter_map(|&(mv, rate)| Some((code(mv), rate?))).collect()
    }

    /// The answer's word on moves that were drafted counts, not the draft's. The children that it is about.
    fn revise(
        &mut self,
        n: NodeId,
        asked: &Asked<A>,
        found: Option<&Found>,
        rates: &[(u32, f64)],
    ) -> Vec<NodeId> {
        let drafted: Vec<Edge> = self.drafted(n, asked).collect();
        let mut revised = Vec::new();
        for edge in drafted {
            let child = edge.child();
            let answered = found.filter(|f| f.known == Some(child));
            let named = || rates.iter().find(|(code, _)| *code == edge.mv);
            let assessment = match answered {
                Some(found) => Some(found.assessment),
                None => named().map(|&(_, rate)| Assessment::from_win_rate(rate)),
            };
            let Some(assessment) = assessment else { continue };
            let value = self.app.retrieve(&assessment);
            self.app.search().revise(&mut self.graph, child, value);
            if let Some(found) = answered {
                self.graph.narrow(child, found.bounds);
                self.statuses[child.index()] = Some(assessment.status);
                self.graph.touch(child);
            }
            revised.push(child);
        }
        revised
    }

    /// The moves besides the one that was answered that no job will be asked for.
    fn reserve(
        &self,
        n: NodeId,
        asked: &Asked<A>,
        Others { moves: others, all }: Others<MoveOf<A>>,
        assessment: Assessment,
    ) -> Result<Option<Reserve>, String> {
        let all = all && others.len() < self.options.listed;
        let most = if all { others.len() } else { self.options.suggested };
        // Nobody has looked at them; they are thought to be like the best, as a sibling in the making is. But what is sure
        // of the best is not of them.
        let assessment = match assessment.status.outcome() {
            None => assessment,
            Some(_) => Status::Stable.into(),
        };
        let mut moves = VecDeque::new();
        for (mv, rate) in others.into_iter().take(most) {
            moves.push_back((self.find(n, asked, mv, assessment)?.code, rate));
        }
        Ok(Some(Reserve { moves, all, assessment }))
    }

    /// Takes the node's next child from its reserve, if it has one: no job is needed. What the broker must hear.
    pub(super) fn draw(&mut self, path: &[NodeId]) -> Option<Vec<Request>> {
        let n = path[path.len() - 1];
        let mut reserve = self.reserves.remove(&n)?;
        let asked = self.asked(path, None);
        let game = self.app.game();
        let mut child = None;
        while child.is_none()
            && let Some((code, rate)) = reserve.moves.pop_front()
        {
            let mv = asked::in_position::<A>(game, asked.to_node, code);
            // One that a symmetry makes the same as an earlier one is left out, and so is one that can't be any more.
            let assessment = rate.map_or(reserve.assessment, Assessment::from_win_rate);
            let found = self.find(n, &asked, mv, assessment);
            child = found.map(|found| Found { looked_at: false, ..found }).ok();
        }
        if child.is_none() && !reserve.all {
            self.set_drafted(n, false);
            return None;
        }
        let child = child.map(|found| self.generate(n, found));
        if !reserve.moves.is_empty() {
            self.reserves.insert(n, reserve);
        } else if reserve.all {
            self.graph.stop(n);
        } else {
            self.graph.set_drafted(n, false);
        }
        let narrowed = jl_search::update(self.app.search(), &mut self.graph, path, child);
        Some(self.follow_up(&narrowed))
    }

    /// The child that a move leads to, or why the program can't mean it.
    fn find(
        &self,
        n: NodeId,
        asked: &Asked<A>,
        mv: MoveOf<A>,
        assessment: Assessment,
    ) -> Result<Found, String> {
        let game = self.app.game();
        let text = || game.format_move(mv);
        if asked.prohibited.contains(&mv) {
            return Err(format!("the move {} was prohibited", text()));
        }
        let after =
            game.play(&asked.position, mv).map_err(|why| format!("illegal move {}: {why}", text()))?;
        let by_rule = game.outcome(&after);
        let claimed = assessment.status.outcome();
        if let (Some(rule), Some(claim)) = (by_rule, claimed)
            && rule != claim
        {
            return Err(format!(
                "{} claimed after {}, but the game is over there: {rule:?}",
                assessment.status,
                text()
            ));
        }
        let bounds = by_rule.or(claimed).map_or(Bounds::UNKNOWN, Bounds::exactly);
        let key = game.canonical(&after).0;
        let code = game.code(game.map_move(asked.to_node, mv));
        let known = if self.options.transpositions { self.transpositions.get(key) } else { None };
        let drafted = || self.graph.edges(n).iter().find(|e| e.mv == code).map(|e| e.child());
        let known = known.or_else(drafted);
        if let Some(child) = known {
            if self.graph.bounds(child).intersect(bounds).is_none() {
                let known = self.graph.bounds(child);
                return Err(format!(
                    "{} claimed after {}, but it is known: {known}",
                    assessment.status,
                    text()
                ));
            }
            if self.graph.is_above(child, n) {
                return Err(format!("{} repeats an earlier position", text()));
            }
        }
        Ok(Found { code, key, known, mover: game.to_move(&after), bounds, assessment, looked_at: true })
    }

    /// Adds a child: a new node, or a known one that is reached by another way.
    fn generate(&mut self, n: NodeId, found: Found) -> NodeId {
        let Found { code, key, known, mover, bounds, assessment, looked_at } = found;
        if let Some(child) = known {
            self.graph.link(n, code, child).expect("that it closes no circle was looked at");
            self.graph.narrow(child, bounds);
            self.transposed += 1;
            return child;
        }
        let data = self.app.search().init(self.app.retrieve(&assessment));
        let child = self.graph.add_child(n, code, Spec { mover, bounds, data });
        self.statuses.push(looked_at.then_some(assessment.status));
        if self.options.transpositions {
            self.transpositions.insert(key, child);
        }
        child
    }
}
