//! The trees of proofs.

use crate::support::{By, Draft, for_small_proofs, lost, won};
use jl_engine_connect6::verify::Effort;
use jl_game::{Game, sgf};
use jl_games::connect6::{Connect, Position, record};
use jl_proof::Kind;
use jl_value::Player;

fn drawn(draft: &Draft) -> sgf::Tree {
    let text = jl_proof::to_sgf(&draft.read().unwrap()).unwrap();
    sgf::parse(&text).unwrap().swap_remove(0)
}

/// Every path of the tree is a legal game; how many end with a line of the winner's, and how many otherwise.
fn walk(draft: &Draft, tree: &sgf::Tree) -> (usize, usize) {
    let h = &draft.header;
    let game = Connect::new(h.columns, h.rows, h.connect, 2, 1).unwrap();
    let (mut won, mut open) = (0, 0);
    let mut paths = vec![(0, game.initial(), Vec::new())];
    while let Some((at, mut position, mut turn)) = paths.pop() {
        for property in &tree.nodes()[at].properties {
            let player = match property.name.as_str() {
                "B" => Player::First,
                "W" => Player::Second,
                _ => continue,
            };
            assert_eq!(position.to_move(), player);
            turn.push(property.values[0].clone());
            play(&game, &mut position, &mut turn);
        }
        if tree.children(at).is_empty() {
            assert!(turn.is_empty(), "a turn is not complete");
            *if position.winner() == Some(h.winner) { &mut won } else { &mut open } += 1;
        }
        paths.extend(tree.children(at).iter().map(|&c| (c, position, turn.clone())));
    }
    (won, open)
}

/// Plays the turn if it is complete.
fn play(game: &Connect, position: &mut Position, turn: &mut Vec<String>) {
    if let Ok(next) = game.play(position, game.parse_move(&turn.concat()).unwrap()) {
        *position = next;
        turn.clear();
    }
    assert!(turn.len() < 2, "{turn:?} is not legal");
}

#[test]
fn trees_are_legal_games() {
    let game = Connect::CONNECT6;
    let drafts = [
        won(&game, "JJ-JIKL-KILH-HLGL-KHMH-FLEL-DLJL-NHKJ", By::Double, 1_000),
        won(&game, "JJ-JIKL-KILH-HLIL-JLKG-KKNF", By::Single, 10_000),
        lost(&game, "JJ-JIKL-KILH-HLIL-JLKG-KKNF-MINJ", Effort::default(), 100_000),
    ];
    for draft in drafts.map(Option::unwrap) {
        let tree = drawn(&draft);
        let (_, open) = walk(&draft, &tree);
        assert!(open > 0, "three threats are not played out");
        let text = tree.to_string();
        assert!(text.starts_with("(;GM[511]C[A proof that "), "{text}");
        assert!(text.contains("threatens") && text.contains("For replies within"), "{text}");
        assert_eq!(record::read(&game, &text).unwrap().len(), 1, "it reads as a record");
        println!("{} nodes, {} stones drawn", draft.nodes.len(), tree.nodes().len());
    }
    let mut lines = 0;
    for_small_proofs(5, 8, |draft, _| lines += walk(draft, &drawn(draft)).0);
    assert!(lines > 0, "no line is completed");
}

#[test]
fn what_comes_again_is_referred_to() {
    let moves = "JJ-HHIH-LJKI-JHKH-GHLH-IKIJ";
    let mut draft = won(&Connect::CONNECT6, moves, By::Single, 100_000).unwrap();
    // Two branches with the same node: what one covers, the other covers too.
    for node in &mut draft.nodes {
        if let Kind::And { others, .. } = &mut node.kind {
            others.extend(others.clone());
        }
    }
    let tree = drawn(&draft);
    walk(&draft, &tree);
    let text = tree.to_string();
    assert!(tree.nodes().len() < 20_200);
    assert!(text.contains("It goes on as where node "), "{} nodes", tree.nodes().len());
}
