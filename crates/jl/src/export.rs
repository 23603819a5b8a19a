//! From a decided run to a proof file.
//!
//! The graph says which move wins and which replies were looked at, not why the program's claims hold. Those are proved again
//! here, each position that the proof needs once: a won one by a plan of threats, or by the graph's winning move; a lost one by the
//! verifier, which leaves only replies that the graph knows. A round asks for all positions that the one before
//! brought up; then everything is written down, children first.

use crate::crew::{self, Progress};
use crate::failure::Failure;
use crate::output;
use jl_apps::AnyClient;
use jl_client::Child;
use jl_engine_connect6::Thinker;
use jl_engine_connect6::prove::Refuted;
use jl_game::reply::join_moves;
use jl_game::{Game, Key};
use jl_games::connect6::{Connect, Move, Position};
use jl_jobs::local::StopHandle;
use jl_proof::{Checked, Family, Header, Kind, Node, Writer};
use jl_tree::NodeId;
use jl_value::{Outcome, Player};
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::Path;

/// Nodes of the search per position at first; then four times as many, as often as it takes.
const FIRST_NODES: u64 = 2_000_000;
const TRIES: u32 = 3;

/// Refuses a file for which there will be no proof.
pub fn require(file: &Path, game: &str) -> Result<(), Failure> {
    if game != Connect::CONNECT6.name() {
        let file = file.display();
        return Err(Failure::usage(format!("--proof {file}: there are proof files for connect6 only")));
    }
    output::require("--proof", file)
}

/// Proves what the run found out, checks the proof, and writes it.
pub fn write(
    file: &Path,
    client: &dyn AnyClient,
    moves: &str,
    workers: NonZeroUsize,
    stop: &StopHandle,
) -> Result<Checked, Failure> {
    let (header, nodes) = prove(client, moves, workers, stop)?;
    let mut text = Vec::new();
    let written = Writer::new(&mut text, &header).and_then(|mut writer| {
        nodes.iter().try_for_each(|node| writer.node(node))?;
        writer.finish().map(|_| ())
    });
    written.map_err(Failure::run)?;
    let proof = jl_proof::read(text.as_slice()).map_err(Failure::run)?;
    let unsound = |flaw| Failure::run(format!("THE PROOF IS WRONG, do not trust the result: {flaw}"));
    let checked = jl_proof::check(&proof).map_err(unsound)?;
    output::write_whole(file, &text).map_err(|e| Failure::run(format!("{}: {e}", file.display())))?;
    Ok(checked)
}

/// The proof of a decided run of Connect6.
fn prove(
    client: &dyn AnyClient,
    moves: &str,
    workers: NonZeroUsize,
    stop: &StopHandle,
) -> Result<(Header, Vec<Node>), Failure> {
    let game = Connect::CONNECT6;
    let winner = client.summary().bounds.exact().and_then(|o| o.winner());
    let winner =
        winner.ok_or_else(|| Failure::run("only a position that is won for one player can be proved"))?;
    let (start, position) = game.replay(moves).map_err(Failure::run)?;
    let mut export = Export { client, game, winner, reasons: HashMap::new() };
    let root = Place { node: client.root(), moves: start.clone(), position };
    export.explore(root, workers, stop)?;
    let mut lines = Lines::default();
    let at = game.canonical(&position);
    if position.to_move() == winner {
        export.write_won(at, &mut lines);
    } else {
        export.write_lost(at, &mut lines);
    }
    let header = Header::new(&game, &start, winner, &lines.nodes);
    Ok((header, lines.nodes))
}

/// A position: the frame of its orbit, and how it is turned.
type At = (Key, <Connect as Game>::Symmetry);

/// A position that the proof needs, and its node in the graph.
struct Place {
    node: NodeId,
    moves: Vec<Move>,
    position: Position,
}

/// Why a position is decided.
enum Reason {
    /// The winner is to move and wins by these nodes.
    Plan(Vec<Node>),
    /// The winner is to move and wins by this move.
    Move(Move, At),
    /// The loser is to move: these replies are for the graph to refute, the others are refuted.
    Replies(Refuted, Vec<(Move, At)>),
}

/// What is to be found out about a place.
struct Task {
    place: Place,
    /// The children in which the winner wins.
    won: Vec<Child>,
    /// The moves to those of them whose wins the graph has found, and not only been told of in passing.
    looked_into: Vec<Move>,
}

/// What was found out.
enum Finding {
    Plan(Vec<Node>),
    Refuted(Refuted),
    Nothing,
}

struct Export<'c> {
    client: &'c dyn AnyClient,
    game: Connect,
    winner: Player,
    reasons: HashMap<At, Reason>,
}

impl Export<'_> {
    /// Finds the reason of every position that the proof needs.
    fn explore(&mut self, root: Place, workers: NonZeroUsize, stop: &StopHandle) -> Result<(), Failure> {
        let progress = Progress::new();
        let mut frontier = vec![root];
        while !frontier.is_empty() {
            let mut tasks = Vec::new();
            let mut seen = Vec::new();
            for place in frontier.drain(..) {
                let at = self.game.canonical(&place.position);
                if !self.reasons.contains_key(&at) && !seen.contains(&at) {
                    seen.push(at);
                    tasks.push(self.task(place)?);
                }
            }
            let known = self.reasons.len();
            let (game, winner) = (&self.game, self.winner);
            let findings = crew::all(
                tasks.len(),
                workers,
                |i| if stop.is_stopped() { Finding::Nothing } else { tasks[i].work(game, winner) },
                |done, _| {
                    progress.show(&format!("proving: {} positions", known + done));
                },
            );
            if stop.is_stopped() {
                return Err(Failure::stopped("stopped before the proof was complete; no proof was written"));
            }
            for (task, finding) in tasks.into_iter().zip(findings) {
                frontier.extend(self.settle(task, finding)?);
            }
        }
        Ok(())
    }

    fn task(&self, place: Place) -> Result<Task, Failure> {
        let moves = join_moves(&self.game, &place.moves, "-");
        let mut won = self.client.children(place.node, &moves).map_err(Failure::run)?;
        won.retain(|c| c.bounds.exact() == Some(Outcome::win_of(self.winner)));
        // Those that the run has looked into come first.
        won.sort_by_key(|c| c.is_leaf);
        let mut looked_into = Vec::new();
        for child in won.iter().filter(|_| place.position.to_move() != self.winner) {
            let moves: Vec<Move> = child.moves.iter().filter_map(|m| self.game.parse_move(m).ok()).collect();
            let line: Vec<Move> = place.moves.iter().chain(moves.first()).copied().collect();
            let below = self.client.children(child.node, &join_moves(&self.game, &line, "-"));
            let is_won = |c: &Child| c.bounds.exact() == Some(Outcome::win_of(self.winner));
            if below.map_err(Failure::run)?.iter().any(is_won) {
                looked_into.extend(moves);
            }
        }
        Ok(Task { place, won, looked_into })
    }

    /// Notes the reason; the positions that it brings up.
    fn settle(&mut self, task: Task, finding: Finding) -> Result<Vec<Place>, Failure> {
        let Task { place, won, .. } = task;
        let at = self.game.canonical(&place.position);
        let mut next = Vec::new();
        let reason = match finding {
            Finding::Plan(nodes) => Reason::Plan(nodes),
            Finding::Refuted(refuted) => {
                let mut open = Vec::new();
                for &reply in &refuted.open {
                    let text = self.game.format_move(reply);
                    let child = won.iter().find(|c| c.moves.contains(&text));
                    let node = child.ok_or_else(|| self.gap("a lost reply", &place, Some(reply)))?.node;
                    let below = self.below(&place, node, reply)?;
                    open.push((reply, self.game.canonical(&below.position)));
                    next.push(below);
                }
                Reason::Replies(refuted, open)
            }
            Finding::Nothing if place.position.to_move() == self.winner => {
                let child = won.first().ok_or_else(|| self.gap("a win", &place, None))?;
                let mv = self.game.parse_move(&child.moves[0]).map_err(Failure::run)?;
                let below = self.below(&place, child.node, mv)?;
                let reason = Reason::Move(mv, self.game.canonical(&below.position));
                next.push(below);
                reason
            }
            Finding::Nothing => return Err(self.gap("a loss", &place, None)),
        };
        self.reasons.insert(at, reason);
        Ok(next)
    }

    fn below(&self, place: &Place, node: NodeId, mv: Move) -> Result<Place, Failure> {
        let position = self.game.play(&place.position, mv).map_err(Failure::run)?;
        let moves = place.moves.iter().copied().chain([mv]).collect();
        Ok(Place { node, moves, position })
    }

    fn gap(&self, claim: &str, place: &Place, reply: Option<Move>) -> Failure {
        let moves: Vec<Move> = place.moves.iter().copied().chain(reply).collect();
        let moves = join_moves(&self.game, &moves, "-");
        Failure::run(format!(
            "no proof was written: {claim} that the run relies on was not found again, after {moves}"
        ))
    }

    /// Writes the position's nodes, the winner being to move, and gives the last one's id.
    fn write_won(&self, at: At, lines: &mut Lines) -> u64 {
        if let Some(&id) = lines.ids.get(&at) {
            return id;
        }
        let id = match &self.reasons[&at] {
            Reason::Plan(nodes) => lines.append(nodes) + nodes.len() as u64 - 1,
            Reason::Move(mv, below) => {
                let node = self.write_lost(*below, lines);
                lines.add(Kind::Or { turn: self.game.format_move(*mv), node })
            }
            Reason::Replies(..) => unreachable!("the winner is to move"),
        };
        lines.ids.insert(at, id);
        id
    }

    /// Likewise, the loser being to move.
    fn write_lost(&self, at: At, lines: &mut Lines) -> u64 {
        if let Some(&id) = lines.ids.get(&at) {
            return id;
        }
        let Reason::Replies(refuted, open) = &self.reasons[&at] else { unreachable!("the loser is to move") };
        let first = lines.append(&refuted.nodes);
        let mut answers = refuted.answers.clone();
        answers.iter_mut().for_each(|family| family.node += first);
        for &(reply, at) in open {
            let node = self.write_won(at, lines);
            answers.push(Family { stones: self.game.format_move(reply), floats: 0, node });
        }
        let id = lines.add(Kind::defended(refuted.threats.clone(), answers));
        lines.ids.insert(at, id);
        id
    }
}

impl Task {
    fn work(&self, game: &Connect, winner: Player) -> Finding {
        let mut thinker = Thinker::new(*game).expect("the program plays Connect6");
        let position = &self.place.position;
        let wins = position.to_move() == winner;
        let moves =
            |child: &Child| child.moves.iter().filter_map(|m| game.parse_move(m).ok()).collect::<Vec<_>>();
        let known: Vec<Move> = self.won.iter().flat_map(moves).collect();
        for i in 0..TRIES {
            thinker.limits.nodes = Some(FIRST_NODES << (2 * i));
            if wins {
                if let Some(nodes) = thinker.prove_win(position) {
                    return Finding::Plan(nodes);
                }
                // Where the graph knows how to go on there is no need to find a plan.
                if !self.won.is_empty() {
                    return Finding::Nothing;
                }
            } else if let Some(refuted) = thinker.refute(position, &self.looked_into)
                && refuted.open.iter().all(|mv| known.contains(mv))
            {
                return Finding::Refuted(refuted);
            }
        }
        Finding::Nothing
    }
}

/// Nodes in the order of the file.
#[derive(Default)]
struct Lines {
    nodes: Vec<Node>,
    ids: HashMap<At, u64>,
}

impl Lines {
    /// Adds nodes that are numbered from 0, and gives the first one's id.
    fn append(&mut self, nodes: &[Node]) -> u64 {
        let first = self.nodes.len() as u64;
        self.nodes.extend(nodes.iter().cloned().map(|mut node| {
            node.id += first;
            node.kind.children_mut().into_iter().for_each(|child| *child += first);
            node
        }));
        first
    }

    fn add(&mut self, kind: Kind) -> u64 {
        let id = self.nodes.len() as u64;
        self.nodes.push(Node { id, kind });
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jl_apps::{Parameters, SearchParameters};
    use jl_messages::{Notice, Request};
    use std::time::Duration;

    /// Black completes six.
    const WON: &str = "JJ-AAAB-JKJL-ACAD-JMSS-AGAH";

    /// A client whose run is decided.
    fn decided() -> Box<dyn AnyClient> {
        let parameters = Parameters::new("connect6", "connect6", WON, SearchParameters::pns("mf-ve"));
        let mut client = parameters.client().unwrap();
        client.start();
        let requests = client.handle(Notice::WorkerAvailable);
        let [Request::Submit(job)] = &requests[..] else { panic!("{requests:?}") };
        let output = jl_engine_connect6::answer(&job.input.words).unwrap();
        client.handle(Notice::Done { job: job.job, output, cpu: Duration::ZERO });
        client
    }

    #[test]
    fn a_proof_that_is_stopped_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("p.proof");
        let client = decided();
        let stop = StopHandle::new();
        let checked = write(&file, &*client, WON, NonZeroUsize::MIN, &stop).unwrap();
        assert_eq!(checked.nodes, 1);
        std::fs::remove_file(&file).unwrap();
        stop.stop();
        let failure = write(&file, &*client, WON, NonZeroUsize::MIN, &stop).unwrap_err();
        assert!(failure.to_string().contains("stopped"), "{failure}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
