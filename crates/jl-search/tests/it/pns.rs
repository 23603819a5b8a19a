//! JL-PNS on the papers' examples.

use crate::sketch::Sketch;
use jl_search::pns::{Pns, Policy, Widening};
use jl_search::{Search, Siblings};
use jl_value::{Bounds, Outcome};
use std::num::NonZeroUsize;

fn with(policy: Policy) -> Pns {
    Pns { policy, ..Pns::default() }
}

#[test]
fn plain_proof_numbers() {
    let s = Sketch::new(
        with(Policy::Native),
        "r
           a
             b 1/3
             c 2/4
           d
             e 5/1",
    );
    assert_eq!(s.numbers("a"), "3/3");
    assert_eq!(s.numbers("d"), "5/1");
    assert_eq!(s.numbers("r"), "3/4");
    assert_eq!(s.next(), Some("b"));
}

/// Lin13 Fig. 24: n1 is 60/15 without and 15/30 with virtual wins, n2 is 24/18.
const STARVATION: &str = "
    r
      n1
        a 15/15 *
        b 15/15 *
        c 15/15 *
        d 15/30
      n2 24/18";

#[test]
fn virtual_wins_starve_the_better_sibling() {
    let native = Sketch::new(with(Policy::Native), STARVATION);
    assert_eq!((native.numbers("n1").as_str(), native.numbers("n2").as_str()), ("60/15", "24/18"));
    assert_eq!(native.next(), Some("n2"));

    let vw = Sketch::new(with(Policy::VirtualWin), STARVATION);
    assert_eq!((vw.numbers("n1").as_str(), vw.numbers("n2").as_str()), ("15/30", "24/18"));
    assert_eq!(vw.next(), Some("d"), "n2 starves while jobs under n1 run");

    for policy in
        [Policy::Flag, Policy::ModifiedFlag, Policy::FlagEquivalence, Policy::ModifiedFlagEquivalence]
    {
        assert_eq!(Sketch::new(with(policy), STARVATION).next(), Some("n2"), "{policy}");
    }
}

/// Lin13 Figs. 26, 28, 30, 31: the children of n1 are W4, W3 and W1, the youngest of them active.
fn flags(policy: Policy, second_active: &str, sibling: &str) -> Sketch {
    let text = format!(
        "r
           m
             n1 {sibling}
               n2 18/1
               n3 12/2 {second_active}
               n4 8/4 *"
    );
    Sketch::new(with(policy), &text)
}

#[test]
fn a_partially_flagged_node_takes_the_unflagged_minimum_under_mf() {
    assert_eq!(flags(Policy::Flag, "", "").numbers("n1"), "8/7");
    assert_eq!(flags(Policy::ModifiedFlag, "", "").numbers("n1"), "12/7");
    assert_eq!(flags(Policy::Flag, "", "").next(), Some("n3"));
    assert_eq!(flags(Policy::ModifiedFlag, "*", "").numbers("n1"), "18/7");
}

#[test]
fn a_fully_flagged_node_takes_the_maximum_under_mf() {
    for (policy, before, after) in [(Policy::Flag, "8/7", "8/7"), (Policy::ModifiedFlag, "18/7", "18/7")] {
        let mut s = flags(policy, "*", "");
        assert_eq!(s.numbers("n1"), before);
        assert!(!s.graph.is_flagged(s.id("n1")));
        assert_eq!(s.dispatch(1), ["n2"]);
        assert!(s.graph.is_flagged(s.id("n1")), "fully flagged nodes are flagged");
        assert!(s.graph.is_flagged(s.graph.root()), "recursively");
        assert_eq!(s.numbers("n1"), after);
        assert_eq!(s.next(), None, "nothing is left to select");
    }
}

#[test]
fn virtual_equivalence_adds_the_youngest_siblings_numbers() {
    // The sibling job on n1 will generate n5, which is expected to be like n4, 8/4.
    assert_eq!(flags(Policy::FlagEquivalence, "", "*").numbers("n1"), "8/11");
    assert_eq!(flags(Policy::ModifiedFlagEquivalence, "", "*").numbers("n1"), "12/11");
    assert_eq!(flags(Policy::ModifiedFlagEquivalence, "", "").numbers("n1"), "12/7");
    assert_eq!(flags(Policy::ModifiedFlag, "", "*").numbers("n1"), "12/7");
}

#[test]
fn greedy_goes_with_the_evaluation() {
    let s = Sketch::new(
        with(Policy::Greedy),
        "r
           a 2/12 *
           b 12/2 *
           c 6/6",
    );
    assert_eq!((s.numbers("a").as_str(), s.numbers("b").as_str()), ("0/∞", "∞/0"));
    assert_eq!(s.next(), None, "the root is virtually won");
}

#[test]
fn virtual_values_stop_the_choosing_when_the_root_is_virtually_decided() {
    let text = "r
                  a 2/12 *
                  b 4/8";
    assert_eq!(Sketch::new(with(Policy::VirtualWin), text).next(), None);
    assert_eq!(Sketch::new(with(Policy::VirtualLoss), text).next(), Some("b"));
    let both = "r
                  a 2/12 *
                  b 4/8 *";
    assert_eq!(Sketch::new(with(Policy::VirtualLoss), both).next(), None);
}

#[test]
fn an_open_node_without_live_children_is_a_leaf_again() {
    let mut s = Sketch::new(
        Pns::default(),
        "r
           a 4/8
             b 1/1",
    );
    let (a, b) = (s.id("a"), s.id("b"));
    s.graph.narrow(b, Bounds::exactly(Outcome::FirstWins));
    s.graph.propagate(&[b], |g, n| Pns::default().back_up(g, n));
    assert_eq!(s.numbers("b"), "0/∞");
    assert_eq!(s.numbers("a"), "4/8", "its next child is not known yet");
    assert!(!s.graph.is_settled(a));
    assert_eq!(s.next(), Some("a"));
    s.graph.stop(a);
    s.graph.propagate(&[a], |g, n| Pns::default().back_up(g, n));
    assert_eq!(s.numbers("r"), "0/∞");
}

#[test]
fn postponed_siblings_come_with_the_youngest_child_only() {
    let text = "r
                  a 4/8
                  b 5/7";
    let s = Sketch::new(Pns::default(), text);
    let selected = jl_search::select(&s.pns, &s.graph).unwrap();
    assert_eq!(
        (s.name(selected.path[1]), selected.siblings),
        ("a", vec![]),
        "an elder sibling creates no job"
    );
    let mut s = Sketch::new(Pns::default(), &text.replace("4/8", "6/8"));
    let selected = jl_search::select(&s.pns, &s.graph).unwrap();
    assert_eq!((s.name(selected.path[1]), &selected.siblings[..]), ("b", &[1][..]));
    s.graph.stop(s.graph.root());
    assert_eq!(
        jl_search::select(&s.pns, &s.graph).unwrap().siblings,
        [],
        "a stopped node has no further sibling"
    );
}

#[test]
fn gradual_siblings_wait_for_room() {
    // Three live replies are enough for four answers, but not three alternatives.
    let text = "r
                  m
                    a 9/9
                    b 9/9
                    c 9/1";
    let siblings = |siblings, text: &str| {
        let s = Sketch::new(Pns { siblings, ..Pns::default() }, text);
        let selected = jl_search::select(&s.pns, &s.graph).unwrap();
        (s.name(selected.path[selected.path.len() - 1]).to_string(), selected.siblings)
    };
    let of_c = |lengths: &[usize]| ("c".to_string(), lengths.to_vec());
    assert_eq!(siblings(Siblings::Eager, text), of_c(&[1, 2]));
    assert_eq!(siblings(Siblings::Gradual, text), of_c(&[1]), "the root may have further ones, m not yet");
    assert_eq!(siblings(Siblings::Gradual, &text.replace("a 9/9", "")), of_c(&[1, 2]), "two are few");
    let alternatives = "r
                          a 9/9
                          b 9/9
                          c 1/9";
    assert_eq!(
        siblings(Siblings::Gradual, alternatives),
        of_c(&[1]),
        "where one is enough there is more room"
    );
}

#[test]
fn gradual_siblings_do_not_count_children_that_are_busy() {
    let pns = Pns { siblings: Siblings::Gradual, ..Pns::default() };
    let s = Sketch::new(
        pns,
        "r
           m
             a 9/9 *
             b 9/1
             c 9/9 *",
    );
    let selected = jl_search::select(&s.pns, &s.graph).unwrap();
    assert_eq!(s.name(selected.path[2]), "b");
    assert_eq!(selected.siblings, [1, 2], "c is younger, but nobody can be sent there");
    let eager = Pns { siblings: Siblings::Eager, ..pns };
    assert_eq!(jl_search::select(&eager, &s.graph).unwrap().siblings, [1]);
}

#[test]
fn a_refuted_reply_makes_room_for_the_next() {
    let pns = Pns { siblings: Siblings::Gradual, ..Pns::default() };
    let mut s = Sketch::new(
        pns,
        "r
           m
             a 9/9
             b 9/9
             c 9/1",
    );
    let a = s.id("a");
    s.graph.narrow(a, Bounds::exactly(Outcome::FirstWins));
    s.graph.propagate(&[a], |g, n| pns.back_up(g, n));
    let selected = jl_search::select(&s.pns, &s.graph).unwrap();
    assert_eq!((s.name(selected.path[2]), &selected.siblings[..]), ("c", &[1, 2][..]));
}

#[test]
fn the_bands_sum_what_they_say() {
    let text = "r
                  a
                    b 3/9
                    c 5/1
                    d 4/7
                    e 1/8";
    let k = NonZeroUsize::new(2).unwrap();
    for (widening, numbers) in
        [(Widening::All, "13/1"), (Widening::Band(k), "9/1"), (Widening::Dynamic(k), "9/1")]
    {
        assert_eq!(
            Sketch::new(Pns { widening, ..with(Policy::Native) }, text).numbers("a"),
            numbers,
            "{widening:?}"
        );
    }
    let k = NonZeroUsize::new(3).unwrap();
    for (widening, numbers) in [(Widening::Band(k), "12/1"), (Widening::Dynamic(k), "10/1")] {
        assert_eq!(
            Sketch::new(Pns { widening, ..with(Policy::Native) }, text).numbers("a"),
            numbers,
            "{widening:?}"
        );
    }
}

#[test]
fn an_active_node_brings_no_sibling_and_a_blocked_child_does_not_count_as_youngest() {
    let text = "r
                  a 4/8
                  b 5/7";
    let active = Sketch::new(Pns::default(), &text.replacen("r\n", "r *\n", 1).replace("4/8", "6/8"));
    let selected = jl_search::select(&active.pns, &active.graph).unwrap();
    assert_eq!((active.name(selected.path[1]), selected.siblings), ("b", vec![]), "it has its sibling job");
    let mut s = Sketch::new(Pns::default(), text);
    let b = s.id("b");
    s.graph.set_given_up(b, true);
    s.graph.propagate(&[b], |g, n| Pns::default().back_up(g, n));
    let selected = jl_search::select(&s.pns, &s.graph).unwrap();
    assert_eq!((s.name(selected.path[1]), &selected.siblings[..]), ("a", &[1][..]), "b will never bring it");
}

#[test]
fn greedy_takes_an_even_evaluation_for_a_win() {
    let s = Sketch::new(with(Policy::Greedy), "r\n  a 6/6 *\n  b 6/7");
    assert_eq!(s.numbers("a"), "0/∞");
}

/// An AND node whose numbers say that it is won, an OR node above with one good child: who is chosen, job after job.
const REPLIES: &str = "
    r
      good
        a 2/8
          a1 2/4
          a2 2/4
        b 2/9
          b1 2/5
          b2 2/4
      bad 9/2";

#[test]
fn jobs_are_spread_where_all_children_are_needed() {
    assert_eq!(
        Sketch::new(with(Policy::ModifiedFlagEquivalence), REPLIES).dispatch(4),
        ["a1", "a2", "b1", "b2"]
    );
    let mut s = Sketch::new(with(Policy::Spread), REPLIES);
    assert_eq!(s.dispatch(4), ["a1", "b1", "a2", "b2"], "8·2 is more than 9, 9·2 is more than 8·2");
    // Where one child is enough, nothing is spread: the root has its two jobs below one child before the other is looked at.
    assert_eq!(s.dispatch(1), ["bad"]);
}

#[test]
fn jobs_below_are_forgotten_when_they_end() {
    let before = Sketch::new(with(Policy::Spread), REPLIES);
    let mut s = Sketch::new(with(Policy::Spread), REPLIES);
    let path: Vec<_> = ["r", "good", "a", "a1"].map(|name| s.id(name)).into();
    jl_search::pre_update(&s.pns, &mut s.graph, &path);
    assert_eq!(s.next(), Some("b1"));
    jl_search::undo(&s.pns, &mut s.graph, &path);
    assert_eq!(s.next(), Some("a1"));
    assert!(s.graph.ids().all(|n| s.graph.data(n) == before.graph.data(n)));
}
