//! Proofs that the program makes are accepted, and are proofs.

use crate::play_out::PlayOut;
use crate::support::{By, for_small_proofs, lost, won};
use jl_engine_connect6::verify::Effort;
use jl_games::connect6::Connect;
use jl_proof::{Kind, Node};

#[test]
fn proofs_of_wins_by_threats_are_accepted() {
    for (moves, by) in [
        ("JJ-JIKL-KILH-HLGL-KHMH-FLEL-DLJL-NHKJ", By::Double),
        ("JJ-JIKL-KILH-HLGL-KHMH-FLEL-DLJL-OHKJ", By::Double),
        ("JJ-IHHI-KKLJ-JGKF-FKLE-HJHK-HHHL-IIIK", By::Double),
        ("JJ-JIKL-KILH-HLIL-JLKG-KKNF", By::Single),
        ("JJ-HLIH-LJKK-HJHK-HHII-FFLL-JLJK-HNJM", By::Single),
    ] {
        let draft = won(&Connect::CONNECT6, moves, by, 200_000).expect(moves);
        let checked = draft.check().unwrap_or_else(|flaw| panic!("{moves}: {flaw}"));
        println!("{moves}: {checked:?}");
        assert_eq!(checked.nodes, draft.nodes.len());
        let is_leaf = |node: &&Node| matches!(node.kind, Kind::Win { .. } | Kind::Threats { .. });
        assert_eq!(checked.leaves, draft.nodes.iter().filter(is_leaf).count());
        assert!(checked.depth > 1 && checked.turns > 0 && checked.replies > 1_000, "{checked:?}");
        assert_eq!(by == By::Single, draft.floats());
    }
}

#[test]
fn proofs_of_losses_are_accepted() {
    for moves in ["JJ-JIKL-KILH-HLGL-KHMH-FLEL-DLJL-NHKJ", "JJ-JIKL-KILH-HLIL-JLKG-KKNF"] {
        let win = won(&Connect::CONNECT6, moves, By::Single, 200_000).expect(moves);
        let Kind::Or { turn, .. } = win.root() else { panic!("it is not won at once") };
        let played = format!("{moves}-{turn}");
        let draft = lost(&Connect::CONNECT6, &played, Effort::default(), 200_000).expect("the loss is found");
        let checked = draft.check().unwrap();
        println!("{played}: {checked:?}");
        assert!(matches!(draft.root(), Kind::And { .. }));
    }
}

#[test]
fn proofs_on_small_boards_win_against_every_reply() {
    let (mut proofs, mut floating, mut quiet) = (0, 0, 0);
    for_small_proofs(20, 1, |draft, _| {
        draft.check().unwrap_or_else(|flaw| panic!("{flaw}\n{}", draft.text()));
        assert!(PlayOut::wins(draft), "{}", draft.text());
        proofs += 1;
        floating += usize::from(draft.floats());
        quiet += usize::from(draft.is_quiet());
    });
    assert_eq!((proofs, floating, quiet), (168, 88, 8));
}
