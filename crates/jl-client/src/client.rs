//! The state machine.

mod children;
mod saved;

use crate::application::{Application, DataOf, MoveOf, PositionOf};
use crate::asked::{self, Asked};
use crate::recall;
use crate::run::{Counts, End, FailedJob, Options};
use crate::transpositions::Transpositions;
use children::{Drafted, Reserve};
use jl_game::{Answer, Assessment, Game, Program, Status};
use jl_messages::{DropReason, Failure, Input, JobClient, JobId, Notice, Request, Submit};
use jl_search::{Search, Selection};
use jl_tree::{Graph, NodeId};
use jl_value::Bounds;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;

struct InFlight<A: Application> {
    path: Vec<NodeId>,
    asked: Asked<A>,
    /// The job's words.
    question: String,
    /// For a postponed sibling, the job whose selection brought it.
    brought_by: Option<JobId>,
    /// The path is not live any more, but another way leads to its end.
    detoured: bool,
}

impl<A: Application> InFlight<A> {
    /// The node that it is about.
    fn end(&self) -> NodeId {
        self.path[self.path.len() - 1]
    }
}

/// A postponed sibling job that waits for a worker.
struct Waiting {
    /// To the node that gets a further child.
    path: Vec<NodeId>,
    /// The job whose selection brought it.
    brought_by: JobId,
}

/// A job-level client. See the [crate's page](crate).
pub struct Client<A: Application> {
    app: A,
    options: Options,
    /// The moves from the game's initial position to the root, and the root's position.
    start: Vec<MoveOf<A>>,
    root: PositionOf<A>,
    graph: Graph<DataOf<A>>,
    transpositions: Transpositions,
    /// What the program said of each node, if it looked at it. By its number.
    statuses: Vec<Option<Status>>,
    in_flight: BTreeMap<JobId, InFlight<A>>,
    waiting: VecDeque<Waiting>,
    reserves: HashMap<NodeId, Reserve>,
    failures: BTreeMap<NodeId, u32>,
    recent_failures: VecDeque<FailedJob>,
    next_job: u64,
    /// A worker was declined since the last change of the graph.
    starved: bool,
    end: Option<End>,
    counts: Counts,
    transposed: u64,
    engine_time: Duration,
}

const RECENT_FAILURES: usize = 5;

impl<A: Application> Client<A> {
    /// Initialize: the graph of the root alone. `start` leads from the game's initial position to the root `position`.
    pub fn new(app: A, start: Vec<MoveOf<A>>, position: PositionOf<A>, options: Options) -> Client<A> {
        let (game, search) = (app.game(), app.search());
        let mover = game.to_move(&position);
        let value = app.retrieve(&Assessment::from(Status::Stable));
        let mut graph = Graph::new(search.goal(mover), mover, search.init(value));
        if let Some(outcome) = game.outcome(&position) {
            graph.narrow(graph.root(), Bounds::exactly(outcome));
        }
        graph.propagate(&[graph.root()], |g, n| search.back_up(g, n));
        let mut transpositions = Transpositions::default();
        if options.transpositions {
            transpositions.insert(game.canonical(&position).0, graph.root());
        }
        let mut client = Client {
            app,
            options,
            start,
            root: position,
            graph,
            transpositions,
            statuses: vec![None],
            in_flight: BTreeMap::new(),
            waiting: VecDeque::new(),
            reserves: HashMap::new(),
            failures: BTreeMap::new(),
            recent_failures: VecDeque::new(),
            next_job: 0,
            starved: false,
            end: None,
            counts: Counts::default(),
            transposed: 0,
            engine_time: Duration::ZERO,
        };
        client.conclude();
        client
    }

    #[must_use]
    pub fn app(&self) -> &A {
        &self.app
    }

    #[must_use]
    pub fn graph(&self) -> &Graph<DataOf<A>> {
        &self.graph
    }

    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    #[must_use]
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// How often a job's answer led to a position that was a node already.
    #[must_use]
    pub fn transposed(&self) -> u64 {
        self.transposed
    }

    /// What the program said of a node, if it looked at it.
    #[must_use]
    pub fn status(&self, n: NodeId) -> Option<Status> {
        self.statuses[n.index()]
    }

    /// The processor time of all jobs that were answered or failed.
    #[must_use]
    pub fn engine_time(&self) -> Duration {
        self.engine_time
    }

    /// The jobs in flight.
    pub fn jobs_in_flight(&self) -> impl Iterator<Item = JobId> + '_ {
        self.in_flight.keys().copied()
    }

    /// The last few failed jobs, latest last.
    pub fn recent_failures(&self) -> impl Iterator<Item = &FailedJob> {
        self.recent_failures.iter()
    }

    /// Nodes for which no more jobs are made.
    #[must_use]
    pub fn given_up(&self) -> usize {
        self.failures.values().filter(|&&n| n >= self.options.max_failures).count()
    }

    /// The memory of graph and transposition table.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let statuses = self.statuses.capacity() * size_of::<Option<Status>>();
        self.graph.bytes() + self.transpositions.bytes() + statuses
    }

    /// Changes the job limit; a run that had ended by it goes on, one that has reached it ends.
    #[must_use = "the broker must hear of it"]
    pub fn set_limit(&mut self, limit: Option<u64>) -> Vec<Request> {
        self.options.limit = limit;
        if self.end == Some(End::Limit) {
            self.end = None;
        }
        let mut requests = self.conclude();
        requests.extend(self.ready());
        requests
    }

    /// The run goes on after its client was stopped or killed. Jobs that the journal does not know may have been given
    /// out meanwhile; from now on jobs are numbered from `first_job`, so that a late answer to one of them is not taken
    /// for another's.
    pub fn begin_session(&mut self, first_job: u64) {
        self.next_job = self.next_job.max(first_job);
    }

    /// A number that no job of this run can have had.
    #[must_use]
    pub fn unused_job(&self) -> u64 {
        JobId::unused_after(self.next_job)
    }

    /// Forgets all failures: the nodes that were given up are tried again.
    #[must_use = "the broker must hear of it"]
    pub fn retry(&mut self) -> Vec<Request> {
        let search = self.app.search();
        for (n, _) in std::mem::take(&mut self.failures) {
            self.graph.set_given_up(n, false);
            self.graph.propagate(&[n], |g, n| search.back_up(g, n));
        }
        if self.end == Some(End::GivenUp) {
            self.end = None;
        }
        self.ready().into_iter().collect()
    }

    fn on_available(&mut self) -> Vec<Request> {
        let mut requests = Vec::new();
        if self.end.is_some() {
            return requests;
        }
        let chosen = self.choose(&mut requests);
        if self.end.is_some() {
            return requests;
        }
        match chosen {
            Some((path, brought_by)) => requests.push(self.dispatch(path, brought_by)),
            None if self.in_flight.is_empty() && !self.at_limit() => {
                requests.extend(self.finalize(End::GivenUp))
            }
            None => {
                self.starved = true;
                requests.push(Request::Decline);
            }
        }
        requests
    }

    /// Select: a path and, for a postponed sibling's, the job that brought it. These go before a new selection. Children that
    /// need no job are made on the way, which may end the run.
    fn choose(&mut self, requests: &mut Vec<Request>) -> Option<(Vec<NodeId>, Option<JobId>)> {
        while self.end.is_none() && !self.at_limit() {
            let (path, brought_by) = self.next_choice()?;
            match self.draw(&path) {
                Some(more) => requests.extend(more),
                // A draft that has nothing more to offer; its job goes on.
                None if self.graph.is_active(path[path.len() - 1]) => {}
                None => return Some((path, brought_by)),
            }
        }
        None
    }

    fn next_choice(&mut self) -> Option<(Vec<NodeId>, Option<JobId>)> {
        while let Some(Waiting { path, brought_by }) = self.waiting.pop_front() {
            if self.wants_sibling(&path) {
                return Some((path, Some(brought_by)));
            }
        }
        let Selection { path, siblings } = jl_search::select(self.app.search(), &self.graph)?;
        let brought_by = JobId(self.next_job);
        self.waiting
            .extend(siblings.into_iter().map(|len| Waiting { path: path[..len].to_vec(), brought_by }));
        Some((path, None))
    }

    fn at_limit(&self) -> bool {
        self.options.limit.is_some_and(|limit| self.counts.done + self.in_flight.len() as u64 >= limit)
    }

    fn wants_sibling(&self, path: &[NodeId]) -> bool {
        let g = &self.graph;
        let n = path[path.len() - 1];
        !g.is_settled(n) && !g.is_busy(n) && !g.is_stopped(n) && !g.is_given_up(n) && self.is_live(path)
    }

    fn is_live(&self, path: &[NodeId]) -> bool {
        path.windows(2).all(|step| self.graph.is_live(step[0], step[1]))
    }

    /// Pre-update and dispatch.
    fn dispatch(&mut self, path: Vec<NodeId>, brought_by: Option<JobId>) -> Request {
        jl_search::pre_update(self.app.search(), &mut self.graph, &path);
        let (game, program) = (self.app.game(), self.app.program());
        let asked = self.asked(&path, None);
        let query = asked.query(game);
        let words = program.prepare(&query);
        let time_limit = program.time_limit(&query).or(self.options.job_time);
        let question = words.join(" ");
        let job = JobId(self.next_job);
        self.next_job += 1;
        let submit = Submit {
            job,
            program: program.name().into(),
            input: Input { words, stdin: Vec::new() },
            priority: 0,
            cores: self.options.cores,
            time_limit,
            abortable: true,
            reassign: 0,
        };
        self.in_flight.insert(job, InFlight { path, asked, question, brought_by, detoured: false });
        Request::Submit(submit)
    }

    /// What a job on the path's last node asks, or asked when the node had so many children.
    fn asked(&self, path: &[NodeId], children: Option<usize>) -> Asked<A> {
        let game = self.app.game();
        let edges = self.graph.edges(path[path.len() - 1]);
        let edges = &edges[..children.unwrap_or(edges.len())];
        let mut asked = asked::walk::<A>(game, &self.graph, (&self.start, &self.root), path);
        asked.prohibited = asked::prohibited(game, edges, &asked);
        asked.children = edges.len();
        asked
    }

    /// What a line of a running job drafts, if it does.
    fn draft(&self, job: JobId, line: &str) -> Option<Drafted<MoveOf<A>>> {
        let flight = self.in_flight.get(&job).filter(|_| self.options.drafts && self.end.is_none())?;
        match self.app.program().draft(&flight.asked.query(self.app.game()), line)? {
            // What is sure is for the answer to say.
            Answer::Move { mv, assessment, others } if assessment.status.outcome().is_none() => {
                Some(Drafted { mv, assessment, moves: others.moves })
            }
            _ => None,
        }
    }

    /// The moves of a draft can become children while the job goes on.
    fn on_message(&mut self, job: JobId, line: &str) -> Vec<Request> {
        let Some(drafted) = self.draft(job, line) else { return Vec::new() };
        self.take_draft(job, drafted);
        self.ready().into_iter().collect()
    }

    /// Handle result: an answer becomes a child or a stopper, or the job counts as failed.
    fn on_done(&mut self, job: JobId, output: &[String], cpu: Duration) -> Vec<Request> {
        let Some(flight) = self.in_flight.remove(&job) else {
            self.counts.ignored += 1;
            return Vec::new();
        };
        self.engine_time += cpu;
        let game = self.app.game();
        let answer = self.app.program().parse(&flight.asked.query(game), output).map_err(|e| e.to_string());
        match answer.and_then(|answer| self.apply(&flight.path, &flight.asked, answer)) {
            Err(why) => self.fail(job, flight, Failure::BadAnswer(why)),
            Ok(narrowed) => {
                self.counts.done += 1;
                self.failures.remove(&flight.path[flight.path.len() - 1]);
                let mut requests = self.follow_up(&narrowed);
                requests.extend(self.ready());
                requests
            }
        }
    }

    /// As any answer, but for the program's time.
    fn on_cached(&mut self, job: JobId, output: &[String]) -> Vec<Request> {
        let done = self.counts.done;
        let requests = self.on_done(job, output, Duration::ZERO);
        self.counts.cached += self.counts.done - done;
        requests
    }

    /// What a job in flight asks.
    pub(crate) fn asked_by(&self, job: JobId) -> Option<&Asked<A>> {
        self.in_flight.get(&job).map(|f| &f.asked)
    }

    /// What follows from a change of the graph: first the question, then what matters to it.
    fn follow_up(&mut self, narrowed: &[NodeId]) -> Vec<Request> {
        for n in narrowed.iter().filter(|&&n| self.graph.bounds(n).exact().is_some()) {
            self.reserves.remove(n);
        }
        let mut requests = self.conclude();
        if self.end.is_none() {
            requests.extend(self.abort_irrelevant(Some(narrowed)));
        }
        requests
    }

    fn on_failed(&mut self, job: JobId, failure: Failure, cpu: Duration) -> Vec<Request> {
        match self.in_flight.remove(&job) {
            Some(flight) => {
                self.engine_time += cpu;
                self.fail(job, flight, failure)
            }
            None => {
                self.counts.ignored += 1;
                Vec::new()
            }
        }
    }

    fn on_dropped(&mut self, job: JobId, reason: DropReason) -> Vec<Request> {
        if let DropReason::Refused(why) = reason {
            return self.on_failed(job, Failure::NotStarted(why), Duration::ZERO);
        }
        match self.in_flight.remove(&job) {
            Some(flight) => {
                self.counts.lost += 1;
                self.take_back(job, flight);
                self.ready().into_iter().collect()
            }
            None => {
                self.counts.ignored += 1;
                Vec::new()
            }
        }
    }

    /// As if the job had never been selected, but for the count of its failures.
    fn fail(&mut self, job: JobId, flight: InFlight<A>, failure: Failure) -> Vec<Request> {
        let n = flight.path[flight.path.len() - 1];
        self.counts.failed += 1;
        if self.recent_failures.len() == RECENT_FAILURES {
            self.recent_failures.pop_front();
        }
        self.recent_failures.push_back(FailedJob { job, failure });
        let failures = self.failures.entry(n).or_default();
        *failures += 1;
        if *failures >= self.options.max_failures {
            self.graph.set_given_up(n, true);
        }
        self.take_back(job, flight);
        self.ready().into_iter().collect()
    }

    /// Everything is as it was before the job was selected: a sibling waits again, and the siblings that a selection
    /// brought wait no more. So a run that was interrupted goes on just as it would have gone.
    fn take_back(&mut self, job: JobId, InFlight { path, brought_by, .. }: InFlight<A>) {
        jl_search::undo(self.app.search(), &mut self.graph, &path);
        self.forget_draft(path[path.len() - 1]);
        if let Some(brought_by) = brought_by {
            self.waiting.push_front(Waiting { path, brought_by });
        } else {
            self.waiting.retain(|w| w.brought_by != job);
        }
    }

    /// A job that ends without an answer takes what it drafted with it, but for what has become a child.
    fn forget_draft(&mut self, n: NodeId) {
        if self.reserves.remove(&n).is_some() {
            self.graph.touch(n);
        }
    }

    fn ready(&mut self) -> Option<Request> {
        (std::mem::take(&mut self.starved) && self.end.is_none()).then_some(Request::Ready)
    }

    /// Aborts the jobs that no way of live edges leads to any more. Only a job whose way went through one of the nodes
    /// that `narrowed` can have become one, or a job that had lost its own way before.
    fn abort_irrelevant(&mut self, narrowed: Option<&[NodeId]>) -> Vec<Request> {
        let concerned = |f: &InFlight<A>| match narrowed {
            None => true,
            Some(nodes) => f.detoured || f.path.iter().any(|n| nodes.contains(n)),
        };
        if narrowed.is_some_and(<[NodeId]>::is_empty) {
            return Vec::new();
        }
        let off: Vec<JobId> = (self.in_flight.iter())
            .filter(|(_, f)| concerned(f) && !self.is_live(&f.path))
            .map(|(&job, _)| job)
            .collect();
        let mut requests = Vec::new();
        for job in off {
            let flight = self.in_flight.get_mut(&job).expect("it was just listed");
            if self.graph.is_relevant(flight.path[flight.path.len() - 1]) {
                flight.detoured = true;
            } else {
                requests.push(self.abort(job));
            }
        }
        requests
    }

    fn abort(&mut self, job: JobId) -> Request {
        let InFlight { path, .. } = self.in_flight.remove(&job).expect("only jobs in flight are aborted");
        jl_search::undo(self.app.search(), &mut self.graph, &path);
        self.forget_draft(path[path.len() - 1]);
        self.counts.aborted += 1;
        Request::Abort { job }
    }

    /// Is completed: goes on to the search's next question, or ends the run.
    fn conclude(&mut self) -> Vec<Request> {
        let mut requests = Vec::new();
        while self.end.is_none() && self.app.search().is_completed(&self.graph) {
            let search = self.app.search();
            match search.next_goal(&self.graph) {
                None => requests.extend(self.finalize(End::Decided)),
                Some(goal) => {
                    self.graph.set_goal(goal, |g, n| search.back_up(g, n));
                    self.waiting.clear();
                    requests.extend(self.abort_irrelevant(None));
                }
            }
        }
        if self.end.is_none() && self.options.limit.is_some_and(|limit| self.counts.done >= limit) {
            requests.extend(self.finalize(End::Limit));
        }
        requests
    }

    /// Finalize: whatever still runs is of no more interest.
    fn finalize(&mut self, end: End) -> Vec<Request> {
        self.end = Some(end);
        let jobs: Vec<JobId> = self.jobs_in_flight().collect();
        let mut requests: Vec<Request> = jobs.into_iter().map(|job| self.abort(job)).collect();
        requests.push(Request::Leave);
        requests
    }

    pub(crate) fn root_position(&self) -> (&[MoveOf<A>], &PositionOf<A>) {
        (&self.start, &self.root)
    }

    /// Panics on a broken invariant. Walks the whole graph: for tests.
    pub fn check(&self) {
        let search = self.app.search();
        self.graph.check(|g, n| search.back_up(g, n));
        let mut busy: Vec<NodeId> = self.in_flight.values().map(|f| f.path[f.path.len() - 1]).collect();
        busy.sort();
        let jobs = busy.len();
        busy.dedup();
        assert_eq!(jobs, busy.len(), "two jobs for one node are in flight");
        let active: Vec<NodeId> = self.graph.ids().filter(|&n| self.graph.is_active(n)).collect();
        assert_eq!(active, busy, "active nodes are those with a job in flight");
        if self.end.is_none() {
            for f in self.in_flight.values() {
                let n = f.path[f.path.len() - 1];
                assert!(self.graph.is_relevant(n), "a job on {n} is in flight, but does not matter");
            }
            let stuck = self.in_flight.is_empty() && !self.graph.is_blocked(self.graph.root());
            if stuck && !self.at_limit() {
                assert!(
                    jl_search::select(search, &self.graph).is_some(),
                    "nothing runs and nothing can be selected"
                );
            }
        }
    }
}

impl<A: Application> JobClient for Client<A> {
    fn start(&mut self) -> Vec<Request> {
        self.starved = false;
        if self.end.is_some() {
            return Vec::new();
        }
        vec![Request::Hello {
            priority: self.options.priority,
            programs: vec![self.app.program().name().into()],
        }]
    }

    fn handle(&mut self, notice: Notice) -> Vec<Request> {
        self.graph.pass_time();
        match notice {
            Notice::WorkerAvailable => self.on_available(),
            Notice::Done { job, output, cpu } => self.on_done(job, &output, cpu),
            Notice::Cached { job, output } => self.on_cached(job, &output),
            Notice::Failed { job, failure, cpu } => self.on_failed(job, failure, cpu),
            Notice::Dropped { job, reason } => self.on_dropped(job, reason),
            Notice::Message { job, line } => self.on_message(job, &line),
            Notice::Assigned { .. }
            | Notice::Doing { .. }
            | Notice::AbortAck { .. }
            | Notice::CoresSet { .. }
            | Notice::Info(_) => Vec::new(),
        }
    }

    fn is_finished(&self) -> bool {
        self.end.is_some()
    }

    fn question(&self, job: JobId) -> Option<&str> {
        self.in_flight.get(&job).map(|f| f.question.as_str())
    }

    fn heeds(&self, job: JobId, line: &str) -> bool {
        self.draft(job, line).is_some()
    }

    fn cache_key(&self, job: JobId) -> Option<String> {
        recall::key(self, job)
    }

    fn to_keep(&self, job: JobId, output: &[String]) -> Option<Vec<String>> {
        recall::to_keep(self, job, output)
    }

    fn recalled(&self, job: JobId, kept: &[String]) -> Option<Vec<String>> {
        recall::recalled(self, job, kept)
    }
}
