//! What is changed in a proof is noticed, or does no harm.

use crate::play_out::PlayOut;
use crate::support::{By, Draft, defended, for_small_proofs, lost, won};
use fastrand::Rng;
use jl_engine_connect6::verify::Effort;
use jl_games::connect6::Connect;
use jl_proof::{Family, Kind, Mover, Node, Wrong};
use jl_value::Player;
use std::collections::HashSet;

/// A node for which something can be picked out.
fn any<'a, T>(draft: &'a mut Draft, rng: &mut Rng, pick: impl Fn(&'a mut Node) -> Option<T>) -> Option<T> {
    let mut picked: Vec<T> = draft.nodes.iter_mut().filter_map(pick).collect();
    let at = (!picked.is_empty()).then(|| rng.usize(..picked.len()))?;
    Some(picked.swap_remove(at))
}

fn any_move<'a>(draft: &'a mut Draft, rng: &mut Rng) -> Option<&'a mut String> {
    any(draft, rng, |node| match &mut node.kind {
        Kind::Win { turn, .. } | Kind::Or { turn, .. } => Some(turn),
        Kind::And { .. } | Kind::Threats { .. } => None,
    })
}

/// A window that is completed.
fn any_window<'a>(draft: &'a mut Draft, rng: &mut Rng) -> Option<&'a mut String> {
    any(draft, rng, |node| match &mut node.kind {
        Kind::Win { completes, .. } => Some(completes),
        _ => None,
    })
}

/// Where it goes on after a move.
fn any_after_a_move<'a>(draft: &'a mut Draft, rng: &mut Rng) -> Option<&'a mut u64> {
    any(draft, rng, |node| match &mut node.kind {
        Kind::Or { node, .. } => Some(node),
        _ => None,
    })
}

fn mover(kind: &Kind) -> Mover {
    match kind {
        Kind::Win { .. } | Kind::Or { .. } => Mover::Attacker,
        Kind::And { .. } | Kind::Threats { .. } => Mover::Defender,
    }
}

/// The id of a node where this side is to move.
fn any_turn(draft: &mut Draft, rng: &mut Rng, of: Mover) -> Option<u64> {
    any(draft, rng, |node| (mover(&node.kind) == of).then_some(node.id))
}

/// Changes the threats at a turn of the defender's.
fn change_threats(draft: &mut Draft, rng: &mut Rng, change: impl FnOnce(&mut Vec<String>, &mut Rng)) {
    let threats = any(draft, rng, |node| match &mut node.kind {
        Kind::And { threats, .. } | Kind::Threats { threats } => Some(threats),
        Kind::Win { .. } | Kind::Or { .. } => None,
    });
    if let Some(threats) = threats {
        change(threats, rng);
    }
}

/// Changes the answers at a turn of the defender's; each in the proof is as likely to be the one to change.
fn change_answers(draft: &mut Draft, rng: &mut Rng, change: impl FnOnce(&mut Vec<Family>, usize, &mut Rng)) {
    let count = draft.families().count();
    if count == 0 {
        return;
    }
    let mut skip = rng.usize(..count);
    for node in &mut draft.nodes {
        let Some((threats, mut families)) = defended(&node.kind) else { continue };
        if skip < families.len() {
            change(&mut families, skip, rng);
            node.kind = Kind::defended(threats, families);
            return;
        }
        skip -= families.len();
    }
}

fn change_family(draft: &mut Draft, rng: &mut Rng, change: impl FnOnce(&mut Family, &mut Rng)) {
    change_answers(draft, rng, |families, at, rng| change(&mut families[at], rng));
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
    for node in draft.nodes.iter_mut().rev() {
        if used.contains(&node.id) {
            used.extend(node.kind.children_mut().into_iter().map(|child| *child));
        }
    }
    draft.nodes.retain(|n| used.contains(&n.id));
}

type Change = fn(&mut Draft, &mut Rng);

const CHANGES: [(&str, Change); 20] = [
    ("drop a branch", |d, rng| {
        change_answers(d, rng, |families, at, _| {
            families.remove(at);
        });
    }),
    ("drop a threat", |d, rng| {
        change_threats(d, rng, |threats, rng| {
            if !threats.is_empty() {
                threats.remove(rng.usize(..threats.len()));
            }
        });
    }),
    ("repeat a threat elsewhere", |d, rng| {
        let more = any(d, rng, |node| defended(&node.kind)).map(|(threats, _)| threats);
        change_threats(d, rng, |threats, _| threats.extend(more.unwrap_or_default()));
    }),
    ("change a move", |d, rng| {
        let cell = any_cell(d, rng);
        if let Some(turn) = any_move(d, rng) {
            change_cell(turn, &cell, rng);
        }
    }),
    ("move with one stone", |d, rng| {
        if let Some(turn) = any_move(d, rng).filter(|t| t.len() > 2) {
            remove_cell(turn, rng);
        }
    }),
    ("take the move of another", |d, rng| {
        if let Some(turn) = any_move(d, rng).cloned() {
            *any_move(d, rng).unwrap() = turn;
        }
    }),
    ("go on like another", |d, rng| {
        let kind = any(d, rng, |node| Some(node.kind.clone())).unwrap();
        let same = |node: &mut Node| mover(&node.kind) == mover(&kind);
        *any(d, rng, |node| same(node).then_some(&mut node.kind)).unwrap() = kind.clone();
    }),
    ("complete another window", |d, rng| {
        let cell = any_cell(d, rng);
        let other = any_window(d, rng).cloned();
        if let Some(window) = any_window(d, rng) {
            match other {
                Some(other) if rng.bool() => *window = other,
                _ => change_cell(window, &cell, rng),
            }
        }
    }),
    ("let more stones float", |d, rng| {
        change_family(d, rng, |family, _| family.floats = (family.floats + 1).min(2));
    }),
    ("let fewer stones float", |d, rng| {
        change_family(d, rng, |family, _| family.floats = family.floats.saturating_sub(1));
    }),
    ("redirect a branch", |d, rng| {
        let to = any_turn(d, rng, Mover::Attacker);
        change_family(d, rng, |family, _| family.node = to.unwrap_or(family.node));
    }),
    ("redirect a move", |d, rng| {
        let to = any_turn(d, rng, Mover::Defender);
        if let (Some(to), Some(node)) = (to, any_after_a_move(d, rng)) {
            *node = to;
        }
    }),
    ("go on at a turn of the wrong side", |d, rng| {
        if rng.bool() {
            let to = any_turn(d, rng, Mover::Defender);
            change_family(d, rng, |family, _| family.node = to.unwrap_or(family.node));
        } else if let Some(to) = any_turn(d, rng, Mover::Attacker)
            && let Some(node) = any_after_a_move(d, rng)
        {
            *node = to;
        }
    }),
    ("name another root", |d, rng| {
        d.header.root = any(d, rng, |node| Some(node.id)).unwrap();
    }),
    ("write a reply as a family", |d, rng| {
        let single = any(d, rng, |node| match &mut node.kind {
            Kind::And { replies, others, .. } if !replies.is_empty() => Some((replies, others)),
            _ => None,
        });
        if let Some((replies, others)) = single {
            let reply = replies.remove(rng.usize(..replies.len()));
            others.push(Family { stones: reply.turn, floats: 0, node: reply.node });
        }
    }),
    ("take a stone of a branch away", |d, rng| {
        change_family(d, rng, |family, rng| remove_cell(&mut family.stones, rng));
    }),
    ("let it float instead", |d, rng| {
        change_family(d, rng, |family, rng| {
            if family.floats < 2 {
                remove_cell(&mut family.stones, rng);
                family.floats += 1;
            }
        });
    }),
    ("add a stone to a branch", |d, rng| {
        let cell = any_cell(d, rng);
        change_family(d, rng, |family, _| family.stones += &cell);
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
            for _ in 0..8 {
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
        let usual = match *name {
            // A branch that lets more float covers more, and what it relies on grows with it.
            "let more stones float" => tally.harmless,
            // It says the same.
            "write a reply as a family" => {
                assert_eq!((tally.unreadable, tally.flawed), (0, 0), "{name}");
                tally.harmless
            }
            _ => tally.flawed + tally.unreadable,
        };
        assert!(usual > 10, "{name}: {tally:?}");
    }
    assert!(tallies.iter().map(|t| t.harmless).sum::<usize>() > 50, "{tallies:?}");
}

/// The changes that make a proof smaller or vaguer.
const WEAKENING: [&str; 8] = [
    "drop a branch",
    "drop a branch",
    "drop a threat",
    "let more stones float",
    "redirect a branch",
    "redirect a move",
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
        let Kind::Or { turn, node } = draft.root() else { panic!("it is not won at once") };
        for (at, Node { id, kind }) in draft.nodes.iter().enumerate() {
            let Some((threats, families)) = defended(kind) else { continue };
            for branch in 0..families.len() {
                let mut left = families.clone();
                left.remove(branch);
                let mut changed = draft.clone();
                changed.nodes[at].kind = Kind::defended(threats.clone(), left);
                prune(&mut changed);
                match changed.check() {
                    Ok(_) => redundant += 1,
                    Err(flaw) => {
                        assert_eq!(flaw.node, *id, "{flaw}");
                        assert!(matches!(&flaw.wrong, Wrong::Uncovered(reply) if reply.len() == 4), "{flaw}");
                        let is_first = id == node;
                        assert!(flaw.line.starts_with(turn) && is_first == (flaw.line == *turn), "{flaw}");
                        assert!(is_first != flaw.line.contains('('), "{flaw}");
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
    let leaf = draft.nodes.iter().position(|n| matches!(n.kind, Kind::Threats { .. })).unwrap();
    let Node { id, kind: Kind::Threats { threats } } = &draft.nodes[leaf] else { unreachable!() };
    let mut one_threat = draft.clone();
    one_threat.nodes[leaf].kind = Kind::Threats { threats: threats[..1].to_vec() };
    let flaw = one_threat.check().unwrap_err();
    assert!(flaw.node == *id && matches!(flaw.wrong, Wrong::Uncovered(_)), "{flaw}");
    let mut no_threat = draft.clone();
    no_threat.nodes[leaf].kind = Kind::Threats { threats: vec!["AAFF".into()] };
    let flaw = no_threat.check().unwrap_err();
    assert_eq!((flaw.node, &flaw.wrong), (*id, &Wrong::NotAThreat("AAFF".into())));
    // The move that leads there does not complete what it threatens.
    let mut too_soon = draft.clone();
    let before =
        too_soon.nodes.iter_mut().find(|n| matches!(&n.kind, Kind::Or { node, .. } if node == id)).unwrap();
    let Kind::Or { turn, .. } = before.kind.clone() else { unreachable!() };
    before.kind = Kind::Win { turn, completes: threats[0].clone() };
    let id = before.id;
    prune(&mut too_soon);
    let flaw = too_soon.check().unwrap_err();
    assert_eq!((flaw.node, &flaw.wrong), (id, &Wrong::NotComplete(threats[0].clone())));
}

#[test]
fn a_changed_move_is_found() {
    let draft = single();
    let moves: Vec<usize> =
        (0..draft.nodes.len()).filter(|&at| matches!(draft.nodes[at].kind, Kind::Or { .. })).collect();
    for at in [moves[0], moves[moves.len() / 2], moves[moves.len() - 1]] {
        let with = |stones: &str| {
            let mut changed = draft.clone();
            let Kind::Or { turn, .. } = &mut changed.nodes[at].kind else { unreachable!() };
            *turn = stones.into();
            changed
        };
        let flaw = with("JJAA").check().unwrap_err();
        assert_eq!((flaw.node, &flaw.wrong), (draft.nodes[at].id, &Wrong::Move("JJAA".into())));
        assert!(with("AAAS").check().is_err());
    }
}

#[test]
fn the_claim_must_fit_the_position() {
    let mut draft = single();
    draft.header.winner = Player::Second;
    assert_eq!(draft.check().unwrap_err().wrong, Wrong::Mover { expected: Mover::Defender });
    let mut draft = lost(&Connect::CONNECT6, &format!("{SINGLE}-MINJ"), Effort::default(), 100_000).unwrap();
    draft.header.winner = Player::Second;
    assert_eq!(draft.check().unwrap_err().wrong, Wrong::Mover { expected: Mover::Attacker });
    // Black's stones on JL and KG are elsewhere.
    let mut draft = single();
    draft.header.moves = "JJ-JIKL-KILH-HLIL-AAAS-KKNF".into();
    assert!(draft.check().is_err());
}

#[test]
fn a_node_has_one_board() {
    let mut draft = single();
    // The first turn of the defender's is the line before the root.
    let at = draft.nodes.len() - 2;
    let (threats, mut families) = defended(&draft.nodes[at].kind).unwrap();
    families.push(Family { stones: "AA".into(), ..families[0].clone() });
    draft.nodes[at].kind = Kind::defended(threats, families);
    let wrong = draft.check().unwrap_err().wrong;
    assert!(matches!(wrong, Wrong::OtherBoard(_)), "{wrong}");
}
