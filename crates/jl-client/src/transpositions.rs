//! From a position's canonical key to its node.

use hashbrown::HashTable;
use jl_game::Key;
use jl_tree::NodeId;

/// Keys are kept once, in the order of the nodes; the table holds node numbers only.
#[derive(Debug, Default)]
pub(crate) struct Transpositions {
    keys: Vec<Key>,
    table: HashTable<u32>,
}

fn hash(key: Key) -> u64 {
    let folded = (key as u64) ^ ((key >> 64) as u64).rotate_left(32);
    let product = folded.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ (product >> 32)
}

impl Transpositions {
    pub(crate) fn get(&self, key: Key) -> Option<NodeId> {
        let found = self.table.find(hash(key), |&i| self.keys[i as usize] == key);
        found.map(|&i| NodeId::from_index(i as usize))
    }

    /// The key of a node, if keys are kept.
    pub(crate) fn key(&self, node: NodeId) -> Option<Key> {
        self.keys.get(node.index()).copied()
    }

    /// Nodes must come in order.
    pub(crate) fn insert(&mut self, key: Key, node: NodeId) {
        assert_eq!(node.index(), self.keys.len(), "keys are kept in the order of the nodes");
        self.keys.push(key);
        let Transpositions { keys, table } = self;
        table.insert_unique(hash(key), node.index() as u32, |&i| hash(keys[i as usize]));
    }

    pub(crate) fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<Key>() + self.table.capacity() * 8 / 7 * (size_of::<u32>() + 1)
    }
}
