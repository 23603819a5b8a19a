//! What is changed in a proof is noticed, or does no harm.

use crate::play_out::PlayOut;
use crate::support::{By, Draft, for_small_proofs, lost, won};
use fastrand::Rng;
use jl_engine_connect6::verify::Effort;
use jl_games::connect6::Connect;
use jl_proof::{Node, Reply, Wrong};
use jl_value::Player;
use std::collections::HashSet;

fn any_node<'a>(draft: &'a mut Draft, rng: &mut Rng) -> &'a mut Node {
    let at = rng.usize(..draft.nodes.len());
    &mut draft.nodes[at]
}

fn any_reply<'a>(draft: &'a mut Draft, rng: &mut Rng) -> Option<&'a mut Reply> {
    let mut replies: Vec<&mut Reply> =
        draft.nodes.iter_mut().flat_map(|n| n.replies.iter_mut().flatten()).collect();
    let at = (!replies.is_empty()).then(|| rng.usize(..replies.len()))?;
    Some(replies.swap_remove(at))
}

fn any_cell(draft: &Draft, rng: &mut Rng) -> String {
    let letter = |n: u8, rng: &mut Rng| char::from(b'A' + rng.u8(..n));
    [letter(draft.header.columns, rng), letter(draft.header.rows, rng)].iter().collect()
}

/// One of the pairs of letters becomes another.
fn change_cell(text: &mut String, cell: &str, rng: &mut Rng) {
    if !text.is_empty() {
        let at = 2 * rng.usize(..text.len() / 2);
        text.replace_range(at..at + 2, cell);
    }
}

fn remove_cell(text: &mut String, rng: &mut Rng) {
    if !text.is_empty() {
        let at = 2 * rng.usize(..text.len() / 2);
        text.replace_range(at..at + 2, "");
    }
}

/// Nodes that nothing refers to any more go.
fn prune(draft: &mut Draft) {
    let mut used: HashSet<u64> = draft.nodes.last().map(|n| n.id).into_iter().collect();
    for node in draft.nodes.iter().rev() {
        if used.contains(&node.id) {
            used.extend(node.replies.iter().flatten().map(|r| r.to));
        }
    }
    draft.nodes.retain(|n| used.contains(&n.id));
}

type Change = fn(&mut Draft, &mut Rng);

const CHANGES: [(&str, Change); 15] = [
    ("drop a branch", |d, rng| {
        if let Some(replies) = any_node(d, rng).replies.as_mut().filter(|r| !r.is_empty()) {
            replies.remove(rng.usize(..replies.len()));
        }
    }),
    ("drop a threat", |d, rng| {
        if let Some(threats) = any_node(d, rng).threats.as_mut().filter(|t| !t.is_empty()) {
            threats.remove(rng.usize(..threats.len()));
        }
    }),
    ("repeat a threat elsewhere", |d, rng| {
        let more = any_node(d, rng).threats.clone();
        if let (Some(more), Some(threats)) = (more, &mut any_node(d, rng).threats) {
            threats.extend(more);
        }
    }),
    ("change a move", |d, rng| {
        let cell = any_cell(d, rng);
        if let Some(turn) = &mut any_node(d, rng).turn {
            change_cell(turn, &cell, rng);
        }
    }),
    ("move with one stone", |d, rng| {
        if let Some(turn) = any_node(d, rng).turn.as_mut().filter(|t| t.len() > 2) {
            remove_cell(turn, rng);
        }
    }),
    ("take the move of another", |d, rng| {
        if let Some(turn) = any_node(d, rng).turn.clone() {
            any_node(d, rng).turn = Some(turn);
        }
    }),
    ("complete another window", |d, rng| {
        let windows: Vec<String> = d.nodes.iter().filter_map(|n| n.completes.clone()).collect();
        let cell = any_cell(d, rng);
        if let Some(window) = &mut any_node(d, rng).completes {
            match rng.choice(&windows) {
                Some(other) if rng.bool() => window.clone_from(other),
                _ => change_cell(window, &cell, rng),
            }
        }
    }),
    ("let more stones float", |d, rng| {
        if let Some(reply) = any_reply(d, rng) {
            reply.floats = (reply.floats + 1).min(2);
        }
    }),
    ("let fewer stones float", |d, rng| {
        if let Some(reply) = any_reply(d, rng) {
            reply.floats = reply.floats.saturating_sub(1);
        }
    }),
    ("redirect a branch", |d, rng| {
        let to = any_node(d, rng).id;
        if let Some(reply) = any_reply(d, rng) {
            reply.to = to;
        }
    }),
    ("take a stone of a branch away", |d, rng| {
        if let Some(reply) = any_reply(d, rng) {
            remove_cell(&mut reply.stones, rng);
        }
    }),
    ("let it float instead", |d, rng| {
        if let Some(reply) = any_reply(d, rng).filter(|r| r.floats < 2) {
            remove_cell(&mut reply.stones, rng);
            reply.floats += 1;
        }
    }),
    ("add a stone to a branch", |d, rng| {
        let cell = any_cell(d, rng);
        if let Some(reply) = any_reply(d, rng) {
            reply.stones += &cell;
        }
    }),
    ("let the other win", |d, _| {
        d.header.winner = d.header.winner.opponent();
    }),
    ("change the position", |d, rng| {
        let mut moves: Vec<String> = d.header.moves.split('-').map(String::from).collect();
        let (a, b) = (rng.usize(1..moves.len()), rng.usize(1..moves.len()));
        if rng.bool() {
            moves.swap(a, b);
        } else {
            let cell = any_cell(d, rng);
            change_cell(&mut moves[a], &cell, rng);
        }
        d.header.moves = moves.join("-");
    }),
];

#[derive(Default, Clone, Copy, Debug)]
struct Tally {
    unreadable: usize,
    flawed: usize,
    harmless: usize,
}

/// What comes of a changed proof. That it is accepted although it does not win is a fault of the checker.
fn judge(draft: &Draft, name: &str, tally: &mut Tally) {
    let Ok(proof) = draft.read() else {
        tally.unreadable += 1;
        return;
    };
    match jl_proof::check(&proof) {
        Err(flaw) => {
            assert!(draft.nodes.iter().any(|n| n.id == flaw.node), "{flaw}");
            tally.flawed += 1;
        }
        Ok(_) => {
            assert!(PlayOut::wins(draft), "{name}: accepted, but wrong\n{}", draft.text());
            tally.harmless += 1;
        }
    }
}

#[test]
fn what_is_accepted_after_a_change_still_wins() {
    let mut tallies = [Tally::default(); CHANGES.len()];
    for_small_proofs(10, 2, |draft, rng| {
        for (&(name, change), tally) in CHANGES.iter().zip(&mut tallies) {
            for _ in 0..6 {
                let mut changed = draft.clone();
                change(&mut changed, rng);
                prune(&mut changed);
                if changed != *draft {
                    judge(&changed, name, tally);
                }
            }
        }
    });
    for ((name, _), tally) in CHANGES.iter().zip(&tallies) {
        println!("{name}: {tally:?}");
        // A branch that lets more float covers more, and what it relies on grows with it.
        let usual =
            if *name == "let more stones float" { tally.harmless } else { tally.flawed + tally.unreadable };
        assert!(usual > 10, "{name}: {tally:?}");
    }
    assert!(tallies.iter().map(|t| t.harmless).sum::<usize>() > 50, "{tallies:?}");
}

/// The changes that make a proof smaller or vaguer.
const WEAKENING: [&str; 7] = [
    "drop a branch",
    "drop a branch",
    "drop a threat",
    "let more stones float",
    "redirect a branch",
    "take a stone of a branch away",
    "let it float instead",
];

#[test]
fn a_proof_that_is_worn_down_as_far_as_it_is_accepted_still_wins() {
    let (mut accepted, mut refused) = (0, 0);
    for_small_proofs(15, 3, |draft, rng| {
        let mut worn = draft.clone();
        for _ in 0..4 * draft.nodes.len().min(200) {
            let kind = WEAKENING[rng.usize(..WEAKENING.len())];
            let (_, change) = CHANGES.iter().find(|(name, _)| *name == kind).unwrap();
            let mut next = worn.clone();
            change(&mut next, rng);
            prune(&mut next);
            if next != worn {
                let accept = next.read().is_ok_and(|proof| jl_proof::check(&proof).is_ok());
                *if accept { &mut accepted } else { &mut refused } += 1;
                worn = if accept { next } else { worn };
            }
        }
        assert!(PlayOut::wins(&worn), "accepted, but wrong\n{}\nfrom\n{}", worn.text(), draft.text());
    });
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 1_000 && refused > 2_000, "{accepted} accepted, {refused} refused");
}

const SINGLE: &str = "JJ-JIKL-KILH-HLIL-JLKG-KKNF";

fn single() -> Draft {
    won(&Connect::CONNECT6, SINGLE, By::Single, 10_000).unwrap()
}

#[test]
fn a_missing_branch_is_found_where_it_is_missing() {
    // The program makes no branch that its zones don't ask for: one that were not missed would mean a zone too small.
    let deep = won(&Connect::CONNECT6, "JJ-HLIH-LJKK-HJHK-HHII-FFLL-JLJK-HNJM", By::Single, 200_000).unwrap();
    for draft in [single(), deep] {
        let (mut found, mut redundant) = (0, 0);
        for at in 0..draft.nodes.len() {
            for branch in 0..draft.nodes[at].replies.as_ref().map_or(0, Vec::len) {
                let mut changed = draft.clone();
                changed.nodes[at].replies.as_mut().unwrap().remove(branch);
                prune(&mut changed);
                match changed.check() {
                    Ok(_) => redundant += 1,
                    Err(flaw) => {
                        assert_eq!(flaw.node, draft.nodes[at].id, "{flaw}");
                        assert!(matches!(&flaw.wrong, Wrong::Uncovered(reply) if reply.len() == 4), "{flaw}");
                        let is_root = at + 1 == draft.nodes.len();
                        assert!(
                            is_root == flaw.line.is_empty() && is_root != flaw.line.contains('('),
                            "{flaw}"
                        );
                        found += 1;
                    }
                }
            }
        }
        println!("{found} found, {redundant} redundant");
        assert!(found > 50 && redundant * 100 < found, "{found} found, {redundant} redundant");
    }
}

#[test]
fn a_false_leaf_is_found() {
    let draft = single();
    let leaf = draft.nodes.iter().position(|n| n.replies.as_ref().is_some_and(Vec::is_empty)).unwrap();
    let id = draft.nodes[leaf].id;
    let mut one_threat = draft.clone();
    one_threat.nodes[leaf].threats.as_mut().unwrap().truncate(1);
    let flaw = one_threat.check().unwrap_err();
    assert!(flaw.node == id && matches!(flaw.wrong, Wrong::Uncovered(_)), "{flaw}");
    let mut no_threat = draft.clone();
    no_threat.nodes[leaf].threats = Some(vec!["AAFF".into()]);
    let flaw = no_threat.check().unwrap_err();
    assert_eq!((flaw.node, &flaw.wrong), (id, &Wrong::NotAThreat("AAFF".into())));
    let mut elsewhere = draft.clone();
    let line = elsewhere.nodes[leaf].threats.take().unwrap().swap_remove(0);
    elsewhere.nodes[leaf].replies = None;
    elsewhere.nodes[leaf].completes = Some(line.clone());
    let flaw = elsewhere.check().unwrap_err();
    assert_eq!((flaw.node, &flaw.wrong), (id, &Wrong::NotComplete(line)));
}

#[test]
fn a_changed_move_is_found() {
    let draft = single();
    for at in [0, draft.nodes.len() / 2, draft.nodes.len() - 1] {
        let mut occupied = draft.clone();
        occupied.nodes[at].turn = Some("JJAA".into());
        let flaw = occupied.check().unwrap_err();
        assert_eq!((flaw.node, &flaw.wrong), (draft.nodes[at].id, &Wrong::Move("JJAA".into())));
        let mut far = draft.clone();
        far.nodes[at].turn = Some("AAAS".into());
        assert!(far.check().is_err());
    }
    let mut one = draft.clone();
    one.nodes.last_mut().unwrap().turn.as_mut().unwrap().truncate(2);
    assert!(one.check().is_err());
}

#[test]
fn the_claim_must_fit_the_position() {
    let mut draft = single();
    draft.header.winner = Player::Second;
    assert_eq!(draft.check().unwrap_err().wrong, Wrong::NotToMove);
    let mut draft = lost(&Connect::CONNECT6, &format!("{SINGLE}-MINJ"), Effort::default(), 100_000).unwrap();
    draft.header.winner = Player::Second;
    assert_eq!(draft.check().unwrap_err().wrong, Wrong::NoMove);
    // Black's stones on JL and KG are elsewhere.
    let mut draft = single();
    draft.header.moves = "JJ-JIKL-KILH-HLIL-AAAS-KKNF".into();
    assert!(draft.check().is_err());
}

#[test]
fn a_node_has_one_board() {
    let mut draft = single();
    let root = draft.nodes.last_mut().unwrap().replies.as_mut().unwrap();
    let mut again = root[0].clone();
    again.stones = "AA".into();
    root.push(again);
    let wrong = draft.check().unwrap_err().wrong;
    assert!(matches!(wrong, Wrong::OtherBoard(_)), "{wrong}");
}
