//! A tree that viewers of game records walk.
//!
//! The best child of a node comes first, so that the main line is the run's. A node that is met again is not drawn again: a
//! comment says where it was.

use super::{Extent, Graph};
use crate::failure::Failure;
use jl_client::NodeView;
use jl_game::sgf::{self, Property, Tree};
use jl_game::{Game, GameError};
use jl_games::connect6::record::{Style, write};
use jl_games::connect6::{Connect, Notation, Record};
use jl_tree::NodeId;
use jl_value::Player;
use std::collections::HashMap;

/// A node that is to be drawn.
struct Task {
    node: NodeId,
    view: NodeView,
    /// From the root.
    line: Vec<String>,
    /// Below this node of the tree, for which it has to be the next move.
    below: usize,
}

pub fn tree(graph: &Graph<'_>, extent: Extent) -> Result<Tree, Failure> {
    let game = Connect::CONNECT6;
    if graph.parameters.game != game.name() {
        let name = &graph.parameters.game;
        return Err(Failure::usage(format!("--sgf: there are no game records of {name}, of connect6 only")));
    }
    draw(graph, &game, extent).map_err(Failure::run)
}

fn draw(graph: &Graph<'_>, game: &Connect, extent: Extent) -> Result<Tree, GameError> {
    let client = graph.client;
    let root = client.root();
    let (moves, _) = game.replay(&graph.parameters.moves)?;
    // The moves to the root are a record of their own.
    let text = write(game, &Record::new(moves), Style::StonePerNode);
    let mut tree = sgf::parse(&text).expect("a record is written as it is read").swap_remove(0);
    let last = tree.nodes().len() - 1;
    let mut drawn: HashMap<NodeId, Vec<String>> = HashMap::new();
    let mut tasks = vec![Task { node: root, view: client.view(root), line: Vec::new(), below: last }];
    while let Some(Task { node, view, line, below }) = tasks.pop() {
        let mut comment = graph.describe(&view);
        let mut children = client.children(node, &graph.moves(&line))?;
        if let Some(known) = drawn.get(&node) {
            comment.push(format!("see {}", graph.moves(known)));
            children.clear();
        } else if line.len() >= extent.depth || drawn.len() >= extent.nodes {
            if !children.is_empty() {
                comment.push(format!("{} moves are left out", children.len()));
            }
            children.clear();
        } else {
            drawn.insert(node, line.clone());
        }
        let comment = Property::new("C", comment.join("\n"));
        let place = match line.last() {
            Some(mv) => stones(&mut tree, game, below, view.mover.opponent(), mv, comment)?,
            None => tree.add(below, vec![comment]),
        };
        let mut next: Vec<Task> = children
            .into_iter()
            .map(|child| {
                let line = line.iter().chain([&child.moves[0]]).cloned().collect();
                Task { node: child.node, view: client.view(child.node), line, below: place }
            })
            .collect();
        // The last one is drawn first.
        next.reverse();
        next.sort_by_key(|task| task.view.merit_for(view.mover));
        tasks.extend(next);
    }
    Ok(tree)
}

/// Adds the stones of a move, one below the other, with a comment on the last; gives its place.
fn stones(
    tree: &mut Tree,
    game: &Connect,
    below: usize,
    player: Player,
    mv: &str,
    comment: Property,
) -> Result<usize, GameError> {
    let name = match player {
        Player::First => "B",
        Player::Second => "W",
    };
    let stone = |cell| vec![Property::new(name, game.format_cell(Notation::Pairs, cell))];
    let mut nodes: Vec<Vec<Property>> = game.parse_move(mv)?.cells().map(stone).collect();
    if let Some(last) = nodes.last_mut() {
        last.push(comment);
    }
    Ok(nodes.into_iter().fold(below, |below, properties| tree.add(below, properties)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jl_apps::{AnyClient, Parameters, SearchParameters};
    use jl_games::connect6::{Cell, Move};
    use jl_messages::{Notice, Request};
    use std::time::Duration;

    const START: &str = "JJ-ABAC";

    /// A run against a program that knows four turns: whoever plays them, in whatever order.
    fn explored(jobs: usize) -> (Parameters, Box<dyn AnyClient>) {
        let parameters = Parameters::new("connect6", "connect6", START, SearchParameters::uct());
        let mut client = parameters.client().unwrap();
        client.start();
        let game = Connect::CONNECT6;
        for _ in 0..jobs {
            let requests = client.handle(Notice::WorkerAvailable);
            let [Request::Submit(job)] = &requests[..] else { panic!("{requests:?}") };
            let words = job.input.words.iter().flat_map(|w| w.split(['-', ',']));
            let taken: Vec<Move> = words.filter_map(|w| game.parse_move(w).ok()).collect();
            let mv = ["DDEE", "DPEQ", "PDQE", "PPQQ"].into_iter();
            let mv = mv.map(|m| game.parse_move(m).unwrap()).find(|m| !taken.contains(m));
            let line = mv.map_or("none".into(), |m| {
                format!("{{\"move\":\"{}\",\"status\":\"stable\"}}", game.format_move(m))
            });
            client.handle(Notice::Done { job: job.job, output: vec![line], cpu: Duration::ZERO });
        }
        (parameters, client)
    }

    /// The turns to a node of the tree, from its comments on: a comment ends a turn.
    fn walk(tree: &Tree, place: usize, stones: &mut Vec<Cell>, seen: &mut Vec<(Vec<Cell>, String)>) {
        let game = Connect::CONNECT6;
        let before = stones.len();
        for property in &tree.nodes()[place].properties {
            match property.name.as_str() {
                "B" | "W" => stones.extend(game.parse_move(&property.values[0]).unwrap().cells()),
                "C" => seen.push((stones.clone(), property.values[0].clone())),
                _ => {}
            }
        }
        tree.children(place).iter().for_each(|&child| walk(tree, child, stones, seen));
        stones.truncate(before);
    }

    #[test]
    fn what_is_met_again_is_where_the_comment_says() {
        let game = Connect::CONNECT6;
        let (parameters, client) = explored(80);
        let graph = Graph { run: "t.jl".into(), parameters: &parameters, client: &*client };
        let tree = tree(&graph, Extent { depth: usize::MAX, nodes: usize::MAX }).unwrap();
        let tree = sgf::parse(&tree.to_string()).unwrap().swap_remove(0);
        let mut seen = Vec::new();
        walk(&tree, 0, &mut Vec::new(), &mut seen);
        let s = client.summary();
        assert!(s.transposed > 0);
        assert_eq!(
            seen.len() as u64,
            s.nodes as u64 + s.transposed,
            "every node, and again where it is met again"
        );
        let mut referred = 0;
        for (stones, comment) in &seen {
            let Some(moves) = comment.lines().find_map(|l| l.strip_prefix("see ")) else { continue };
            let turns = stones[1..].chunks(2).map(|pair| Move::two(pair[0], pair[1]));
            let mut here = game.play(&game.initial(), Move::one(stones[0])).unwrap();
            for turn in turns {
                here = game.play(&here, turn).unwrap();
            }
            let (_, there) = game.replay(moves).unwrap();
            assert_eq!(game.canonical(&here).0, game.canonical(&there).0, "{comment}");
            referred += 1;
        }
        assert_eq!(referred, s.transposed);
    }
}
