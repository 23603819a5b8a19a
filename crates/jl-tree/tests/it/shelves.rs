//! A graph that leaves the memory and comes back is the same graph.

use crate::spec;
use jl_tree::{Goal, Graph, NodeId, PAGE, Record, Shelf};
use jl_value::{Bounds, Outcome, Player};
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

/// Keeps records in a list.
#[derive(Default)]
struct List {
    records: RefCell<Vec<Record<()>>>,
    loads: Cell<usize>,
}

impl Shelf<()> for List {
    fn load(&self, nodes: Range<usize>) -> Vec<Record<()>> {
        self.loads.set(self.loads.get() + 1);
        self.records.borrow()[nodes].to_vec()
    }
}

impl List {
    /// What a checkpoint does: only what changed is written.
    fn save(&self, g: &mut Graph<()>) {
        let mut records = self.records.borrow_mut();
        for n in g.unsaved() {
            let record = g.record(n);
            match records.get_mut(n.index()) {
                Some(place) => *place = record,
                None => records.push(record),
            }
        }
        g.mark_saved();
    }
}

/// A graph of several pages, by random changes, with something done to it between them.
fn grow(seed: u64, size: usize, goal: Goal, mut between: impl FnMut(&mut Graph<()>)) -> Graph<()> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut g = Graph::new(goal, Player::First, ());
    for _ in 0..size {
        between(&mut g);
        // Mostly near the youngest nodes, as a search does.
        let back = if rng.u32(..4) == 0 { g.len() } else { g.len().min(50) };
        let n = NodeId::from_index(g.len() - 1 - rng.usize(..back));
        let mv = g.edges(n).len() as u32;
        let open = g.bounds(n).exact().is_none() && !g.is_stopped(n);
        let mut changed = vec![n];
        match rng.u32(..20) {
            0..14 if open || g.len() < 9 => {
                let decided = rng.u32(..20) == 0;
                let bounds = if decided { Bounds::exactly(Outcome::Draw) } else { Bounds::UNKNOWN };
                changed.insert(0, g.add_child(n, mv, spec(g.mover(n).opponent(), bounds)));
            }
            14..17 if open => {
                let c = NodeId::from_index(rng.usize(..g.len()));
                if g.mover(c) != g.mover(n) {
                    let _ = g.link(n, mv, c);
                }
            }
            17 => g.set_active(n, !g.is_active(n)),
            18 if mv > 1 => g.stop(n),
            _ => g.count_path(&changed),
        }
        g.propagate(&changed, |_, _| ());
    }
    g
}

#[test]
fn pages_leave_the_memory_and_come_back_as_they_were() {
    for seed in 0..4 {
        let size = 8 * PAGE;
        let goal = if seed % 2 == 0 { Goal::Exact } else { Goal::Win(Player::First) };
        let whole = grow(seed, size, goal, |_| ());
        assert!(whole.len() > 2 * PAGE);

        let shelf = Rc::new(List::default());
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut gone = 0;
        let mut paged = grow(seed, size, goal, |g| {
            g.set_shelf(shelf.clone());
            g.pass_time();
            if rng.u32(..50) == 0 {
                shelf.save(g);
                gone += g.trim(if rng.bool() { 0 } else { g.bytes() / 2 });
            }
        });
        assert!(gone > 20 && shelf.loads.get() > 20, "{gone} pages left, {} came back", shelf.loads.get());
        shelf.save(&mut paged);
        paged.trim(0);
        assert_eq!(paged.pages().0, 1);
        assert!(paged == whole && paged.digest() == whole.digest());
        paged.check(|_, _| ());

        for bytes in [0, usize::MAX] {
            let records = shelf.records.borrow().clone();
            let restored = Graph::restored(goal, records, shelf.clone(), bytes).unwrap();
            assert_eq!(restored.unsaved(), []);
            assert!(restored == whole);
            restored.check(|_, _| ());
        }
    }
}

#[test]
fn what_is_not_saved_stays() {
    let shelf = Rc::new(List::default());
    let mut g = grow(7, 8 * PAGE, Goal::Exact, |_| ());
    g.set_shelf(shelf.clone());
    assert_eq!(g.trim(0), 0);
    shelf.save(&mut g);
    let root = g.root();
    g.set_active(root, !g.is_active(root));
    assert_eq!(g.unsaved(), [root]);
    let (_, all) = g.pages();
    assert_eq!(g.trim(0), all - 2, "all but the root's page and the last one");
    assert_eq!(shelf.records.borrow()[0].bits ^ g.record(root).bits, 1 << 6, "the store has the old root");
}

#[test]
fn records_that_make_no_graph_are_refused() {
    let shelf = Rc::new(List::default());
    let restored = |records: Vec<Record<()>>| Graph::restored(Goal::Exact, records, shelf.clone(), 0);
    assert!(restored(Vec::new()).is_none());
    let mut record = grow(1, 1, Goal::Exact, |_| ()).record(NodeId::from_index(0));
    assert!(restored(vec![record.clone()]).is_some());
    record.bits = u16::MAX;
    assert!(restored(vec![record]).is_none());
}
