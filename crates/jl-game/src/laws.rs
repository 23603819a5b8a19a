//! What every game must obey. A game's tests call [`game_laws`]; a violated law panics and says which.

use crate::{Game, Symmetry};
use jl_value::Player;
use std::fmt::Debug;

/// Plays `games` random games and checks every law at every position.
pub fn game_laws<G: Game>(game: &G, games: usize, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    for _ in 0..games {
        let mut position = game.initial();
        let mut moves = Vec::new();
        loop {
            position_laws(game, &position);
            let legal = game.legal_moves(&position);
            if game.outcome(&position).is_some() {
                same(&legal.len(), &0, "no move is legal once the game is over");
                break;
            }
            let Some(&mv) = legal.get(rng.usize(..legal.len().max(1))) else { break };
            position = game.play(&position, mv).expect("a legal move can be played");
            moves.push(mv);
        }
        let text = crate::reply::join_moves(game, &moves, "-");
        let (again, end) = game.replay(&text).expect("a played game can be read back");
        same(&again, &moves, "a move list reads as it is written");
        same(&end, &position, "a game is determined by its moves");
    }
}

fn position_laws<G: Game>(game: &G, position: &G::Position) {
    let (key, to_canonical) = game.canonical(position);
    let representative = game.map_position(to_canonical, position);
    for &s in game.symmetries() {
        let image = game.map_position(s, position);
        same(&game.map_position(s.inverse(), &image), position, "a symmetry is undone by its inverse");
        let (image_key, image_to_canonical) = game.canonical(&image);
        same(&image_key, &key, "the canonical key is constant over the orbit");
        let image_representative = game.map_position(image_to_canonical, &image);
        same(&image_representative, &representative, "the representative is constant over the orbit");
        same(&game.outcome(&image), &game.outcome(position), "symmetries keep the outcome");
        same(&mover(game, &image), &mover(game, position), "symmetries keep the mover");
        for mv in game.legal_moves(position) {
            let after = game.play(position, mv).expect("legal");
            let mapped = game.map_move(s, mv);
            same(&game.map_move(s.inverse(), mapped), &mv, "a mapped move maps back");
            let image_after = game.play(&image, mapped).expect("a symmetry keeps moves legal");
            same(&game.map_position(s, &after), &image_after, "playing commutes with symmetries");
        }
    }
    same(&game.map_position(G::Symmetry::IDENTITY, position), position, "the identity maps to itself");
    for mv in game.legal_moves(position) {
        same(&game.decode(game.code(mv)), &Some(mv), "a move's code decodes to it");
        same(&game.parse_move(&game.format_move(mv)), &Ok(mv), "a move reads as it is written");
    }
}

fn mover<G: Game>(game: &G, position: &G::Position) -> Option<Player> {
    game.outcome(position).is_none().then(|| game.to_move(position))
}

fn same<T: PartialEq + Debug>(a: &T, b: &T, law: &str) {
    assert!(a == b, "law broken: {law}\n  left {a:?}\n right {b:?}");
}
