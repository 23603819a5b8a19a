//! The client as rows of a store, and back.
//!
//! A journal is the truth about a run; what is saved here spares reading it from the beginning, shows the graph to others, and
//! lets parts of it leave the memory.

use super::{Client, InFlight, Reserve, Waiting};
use crate::application::{Application, DataOf};
use crate::run::{Counts, End, FailedJob};
use crate::transpositions::Transpositions;
use jl_game::{Assessment, Game, Program, Status};
use jl_messages::{JobId, MoveRow, PositionRow, RowSource, Rows, RowsLost, Savable};
use jl_tree::{Edge, Goal, Graph, NodeId, PAGE, Record, Shelf};
use jl_value::{Bounds, Player};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::marker::PhantomData;
use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;

/// Everything but the nodes.
#[derive(Serialize, Deserialize)]
struct State {
    nodes: usize,
    /// Whose win is asked for; both sides' if nobody's.
    attacker: Option<Player>,
    limit: Option<u64>,
    end: Option<End>,
    next_job: u64,
    starved: bool,
    counts: Counts,
    transposed: u64,
    engine_time: Duration,
    in_flight: Vec<SavedJob>,
    waiting: Vec<SavedWaiting>,
    /// By node.
    failures: Vec<(u32, u32)>,
    recent_failures: Vec<FailedJob>,
}

#[derive(Serialize, Deserialize)]
struct SavedJob {
    job: JobId,
    path: Vec<u32>,
    brought_by: Option<JobId>,
    detoured: bool,
    /// The edges that its node had when it was asked, if it has got others since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    edges: Option<usize>,
}

#[derive(Serialize, Deserialize)]
struct SavedWaiting {
    path: Vec<u32>,
    brought_by: JobId,
}

/// The data of a row.
#[derive(Serialize, Deserialize)]
struct NodeData<D> {
    #[serde(flatten)]
    search: D,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reserve: Option<SavedReserve>,
}

#[derive(Serialize, Deserialize)]
struct SavedReserve {
    moves: VecDeque<u32>,
    /// Of the moves, if the program has an opinion of any.
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    win_rates: VecDeque<Option<f64>>,
    /// Lists of older versions had them all.
    #[serde(default = "yes")]
    all: bool,
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    win_rate: Option<f64>,
}

fn yes() -> bool {
    true
}

impl SavedReserve {
    fn of(reserve: &Reserve) -> SavedReserve {
        let Assessment { status, win_rate } = reserve.assessment;
        let (moves, mut win_rates): (_, VecDeque<_>) = reserve.moves.iter().copied().unzip();
        if win_rates.iter().all(Option::is_none) {
            win_rates.clear();
        }
        SavedReserve { moves, win_rates, all: reserve.all, status: status.to_string(), win_rate }
    }

    fn read(self) -> Result<Reserve, String> {
        let status: Status = self.status.parse().map_err(|e| format!("{e}"))?;
        let rates = self.win_rates.into_iter().chain(std::iter::repeat(None));
        Ok(Reserve {
            moves: self.moves.into_iter().zip(rates).collect(),
            all: self.all,
            assessment: Assessment { status, win_rate: self.win_rate },
        })
    }
}

fn numbers(path: &[NodeId]) -> Vec<u32> {
    path.iter().map(|n| n.index() as u32).collect()
}

fn node(id: u32) -> NodeId {
    NodeId::from_index(id as usize)
}

/// Rows as a graph's shelf.
struct RowShelf<D> {
    source: Rc<dyn RowSource>,
    data: PhantomData<D>,
}

impl<D: DeserializeOwned> Shelf<D> for RowShelf<D> {
    fn load(&self, nodes: Range<usize>) -> Vec<Record<D>> {
        let lost = |why: String| -> ! { std::panic::panic_any(RowsLost(why)) };
        let rows = self.source.rows(nodes.start as u32..nodes.end as u32);
        let (positions, moves) = rows.unwrap_or_else(|e| lost(e.to_string()));
        if positions.len() != nodes.len() {
            lost(format!("{} of the positions {nodes:?} are there", positions.len()));
        }
        let mut records = Vec::with_capacity(positions.len());
        let read = each::<D>((positions, moves), |_, record, _| {
            records.push(record);
            Ok(())
        });
        if let Err(why) = read {
            lost(why);
        }
        records
    }
}

/// Makes records of rows, position by position.
fn each<D: DeserializeOwned>(
    (positions, moves): Rows,
    mut with: impl FnMut(&PositionRow, Record<D>, Option<SavedReserve>) -> Result<(), String>,
) -> Result<(), String> {
    let mut moves = moves.into_iter().peekable();
    for row in positions {
        let wrong = |why: String| format!("position {}: {why}", row.id);
        let NodeData { search, reserve } =
            serde_json::from_str::<NodeData<D>>(&row.data).map_err(|e| wrong(e.to_string()))?;
        let bits = u16::try_from(row.bits).map_err(|_| wrong(format!("bits {}", row.bits)))?;
        let mut edges = Vec::new();
        while let Some(mv) = moves.next_if(|m| m.parent == row.id) {
            edges.push(Edge::new(node(mv.child), mv.code, mv.echo));
        }
        let parents = row.parents.iter().map(|&p| node(p)).collect();
        let record = Record { bits, count: row.count, level: row.level, parents, edges, data: search };
        with(&row, record, reserve)?;
    }
    Ok(())
}

impl<A: Application> Client<A> {
    fn shelf(source: Rc<dyn RowSource>) -> Rc<dyn Shelf<DataOf<A>>> {
        Rc::new(RowShelf { source, data: PhantomData })
    }

    fn row(&self, n: NodeId, record: Record<DataOf<A>>) -> (PositionRow, Vec<MoveRow>) {
        let game = self.app.game();
        let Record { bits, count, level, parents, edges, data } = record;
        let bounds = self.graph.bounds(n);
        let reserve = self.reserves.get(&n).map(SavedReserve::of);
        let id = n.index() as u32;
        let text = |code| game.decode(code).map_or_else(|| code.to_string(), |mv| game.format_move(mv));
        let position = PositionRow {
            id,
            key: self.transpositions.key(n).unwrap_or(0),
            value: (bounds != Bounds::UNKNOWN).then(|| bounds.to_string()),
            status: self.statuses[n.index()].map(|s| s.to_string()),
            count,
            level,
            bits: u32::from(bits),
            parents: numbers(&parents),
            data: serde_json::to_string(&NodeData { search: data, reserve })
                .expect("plain data has a JSON form"),
        };
        let moves = edges.iter().enumerate().map(|(ord, e)| MoveRow {
            parent: id,
            ord: ord as u32,
            code: e.mv,
            text: text(e.mv),
            child: e.child().index() as u32,
            echo: e.is_echo(),
        });
        (position, moves.collect())
    }

    fn present(&self) -> State {
        State {
            nodes: self.graph.len(),
            attacker: match self.graph.goal() {
                Goal::Win(player) => Some(player),
                Goal::Exact => None,
            },
            limit: self.options.limit,
            end: self.end,
            next_job: self.next_job,
            starved: self.starved,
            counts: self.counts,
            transposed: self.transposed,
            engine_time: self.engine_time,
            in_flight: (self.in_flight.iter())
                .map(|(&job, f)| SavedJob {
                    job,
                    path: numbers(&f.path),
                    brought_by: f.brought_by,
                    detoured: f.detoured,
                    edges: Some(f.asked.children).filter(|&n| n < self.graph.edges(f.end()).len()),
                })
                .collect(),
            waiting: (self.waiting.iter())
                .map(|w| SavedWaiting { path: numbers(&w.path), brought_by: w.brought_by })
                .collect(),
            failures: self.failures.iter().map(|(n, &times)| (n.index() as u32, times)).collect(),
            recent_failures: self.recent_failures.iter().cloned().collect(),
        }
    }

    /// The nodes of a path of the graph that begins at its root.
    fn path(&self, ids: &[u32]) -> Result<Vec<NodeId>, String> {
        let nodes: Vec<NodeId> = ids.iter().map(|&id| node(id)).collect();
        let known = nodes.first() == Some(&self.graph.root())
            && nodes.iter().all(|n| n.index() < self.graph.len())
            && nodes.windows(2).all(|s| self.graph.edges(s[0]).iter().any(|e| e.child() == s[1]));
        known.then_some(nodes).ok_or_else(|| format!("{ids:?} is no path from the root"))
    }

    fn set_state(&mut self, state: State) -> Result<(), String> {
        self.options.limit = state.limit;
        self.end = state.end;
        self.next_job = state.next_job;
        self.starved = state.starved;
        self.counts = state.counts;
        self.transposed = state.transposed;
        self.engine_time = state.engine_time;
        self.failures = state.failures.iter().map(|&(id, times)| (node(id), times)).collect();
        self.recent_failures = state.recent_failures.into();
        self.waiting = VecDeque::new();
        for w in state.waiting {
            let path = self.path(&w.path)?;
            self.waiting.push_back(Waiting { path, brought_by: w.brought_by });
        }
        self.in_flight = BTreeMap::new();
        for SavedJob { job, path, brought_by, detoured, edges } in state.in_flight {
            let path = self.path(&path)?;
            let has = self.graph.edges(path[path.len() - 1]).len();
            if edges.is_some_and(|n| n > has) {
                return Err(format!("job {job} asked about more moves than its position has"));
            }
            let asked = self.asked(&path, edges);
            let question = self.app.program().prepare(&asked.query(self.app.game())).join(" ");
            self.in_flight.insert(job, InFlight { path, asked, question, brought_by, detoured });
        }
        Ok(())
    }
}

impl<A: Application> Savable for Client<A> {
    fn unsaved(&self) -> Vec<u32> {
        numbers(&self.graph.unsaved())
    }

    fn rows_of(&self, ids: &[u32]) -> Rows {
        let (mut positions, mut moves) = (Vec::with_capacity(ids.len()), Vec::new());
        for n in ids.iter().map(|&id| node(id)) {
            let (position, edges) = self.row(n, self.graph.record(n));
            positions.push(position);
            moves.extend(edges);
        }
        (positions, moves)
    }

    fn state(&self) -> String {
        serde_json::to_string(&self.present()).expect("plain data has a JSON form")
    }

    fn mark_saved(&mut self) {
        self.graph.mark_saved();
    }

    fn restore(&mut self, state: &str, source: Rc<dyn RowSource>, bytes: usize) -> Result<(), String> {
        let state: State = serde_json::from_str(state).map_err(|e| format!("the saved state: {e}"))?;
        let nodes = u32::try_from(state.nodes).map_err(|e| e.to_string())?;
        let mut transpositions = Transpositions::default();
        let mut statuses = Vec::with_capacity(state.nodes);
        let mut reserves = HashMap::new();
        let mut trouble = None;
        let with_keys = self.options.transpositions;
        // Page by page, so that only what stays is ever in memory at once.
        let mut starts = (0..nodes).step_by(PAGE);
        let pages = std::iter::from_fn(|| {
            let start = starts.next().filter(|_| trouble.is_none())?;
            let ids = start..nodes.min(start + PAGE as u32);
            let mut records = Vec::with_capacity(ids.len());
            let read = source.rows(ids.clone()).map_err(|e| e.to_string()).and_then(|rows| {
                each::<DataOf<A>>(rows, |row, record, reserve| {
                    let n = node(row.id);
                    if n.index() != statuses.len() {
                        return Err(format!("position {} is missing", statuses.len()));
                    }
                    let status = row.status.as_deref().map(str::parse::<Status>).transpose();
                    statuses.push(status.map_err(|e| format!("position {}: {e}", row.id))?);
                    if let Some(reserve) = reserve {
                        reserves.insert(n, reserve.read()?);
                    }
                    if with_keys {
                        transpositions.insert(row.key, n);
                    }
                    records.push(record);
                    Ok(())
                })
            });
            trouble = read.err();
            Some(records)
        });
        let goal = state.attacker.map_or(Goal::Exact, Goal::Win);
        let graph = Graph::restored(goal, pages.flatten(), Client::<A>::shelf(source.clone()), bytes);
        if let Some(why) = trouble {
            return Err(why);
        }
        let graph = graph.filter(|g| g.len() == state.nodes).ok_or("the saved positions make no graph")?;
        let before = std::mem::replace(&mut self.graph, graph);
        let tables = (
            std::mem::replace(&mut self.transpositions, transpositions),
            std::mem::replace(&mut self.statuses, statuses),
            std::mem::replace(&mut self.reserves, reserves),
        );
        let earlier = self.present();
        self.set_state(state).inspect_err(|_| {
            self.graph = before;
            (self.transpositions, self.statuses, self.reserves) = tables;
            self.set_state(earlier).expect("it is the client's own");
        })
    }

    fn set_source(&mut self, source: Rc<dyn RowSource>) {
        self.graph.set_shelf(Client::<A>::shelf(source));
    }

    fn bytes(&self) -> usize {
        Client::bytes(self)
    }

    fn trim(&mut self, bytes: usize) {
        let rest = Client::bytes(self) - self.graph.bytes();
        self.graph.trim(bytes.saturating_sub(rest));
    }

    fn rows(&self) -> Box<dyn Iterator<Item = (PositionRow, Vec<MoveRow>)> + '_> {
        Box::new(self.graph.records().enumerate().map(|(i, r)| self.row(NodeId::from_index(i), r)))
    }
}
