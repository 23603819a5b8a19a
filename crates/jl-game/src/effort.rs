//! What a job may cost.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The limits per job of a program that limits itself. They grow for nodes that resist: a node that has got many
/// children and is still asked about is worth a longer look.
///
/// | children | factor |
/// |---|---|
/// | 0 to 3 | 1 |
/// | 4 to 11 | 2 |
/// | 12 or more | 4 |
///
/// The factor depends on nothing but the node, so that with a limit of nodes a run can be repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
}

impl Effort {
    /// The limits of a job at a node that has so many children.
    #[must_use]
    pub fn at(self, children: usize) -> Effort {
        let factor = factor(children);
        Effort {
            nodes: self.nodes.map(|n| n.saturating_mul(u64::from(factor))),
            time: self.time.map(|t| t.saturating_mul(factor)),
        }
    }

    /// As the words of a question.
    #[must_use]
    pub fn words(self) -> Vec<String> {
        let nodes = self.nodes.map(|n| ["--nodes".into(), n.to_string()]);
        let time = self.time.map(|t| ["--time".into(), format!("{}ms", t.as_millis().max(1))]);
        nodes.into_iter().chain(time).flatten().collect()
    }

    /// After so long the program must be hanging: half as long again as it may think and two seconds, or, without a
    /// limit of time, ten minutes and a millisecond per node.
    #[must_use]
    pub fn patience(self) -> Option<Duration> {
        match (self.time, self.nodes) {
            (Some(time), _) => Some(time.saturating_add(time / 2).saturating_add(Duration::from_secs(2))),
            (None, Some(nodes)) => {
                Some(Duration::from_secs(600).saturating_add(Duration::from_millis(nodes)))
            }
            (None, None) => None,
        }
    }
}

fn factor(children: usize) -> u32 {
    match children {
        0..4 => 1,
        4..12 => 2,
        12.. => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_that_resist_get_more() {
        let effort = Effort { nodes: Some(100), time: Some(Duration::from_millis(1500)) };
        let words = |children| effort.at(children).words().join(" ");
        assert_eq!((words(0), words(3)), ("--nodes 100 --time 1500ms".into(), words(0)));
        assert_eq!((words(4), words(11)), ("--nodes 200 --time 3000ms".into(), words(4)));
        assert_eq!((words(12), words(400)), ("--nodes 400 --time 6000ms".into(), words(12)));
        assert_eq!(Effort::default().at(12).words(), [] as [&str; 0]);
        let huge = Effort { nodes: Some(u64::MAX), time: Some(Duration::MAX) };
        assert_eq!((huge.at(12), huge.patience()), (huge, Some(Duration::MAX)));
    }

    #[test]
    fn a_program_that_stops_itself_is_not_taken_to_hang() {
        let seconds = Duration::from_secs;
        let patience = |nodes, time| Effort { nodes, time }.at(4).patience();
        assert_eq!(patience(Some(1000), Some(seconds(1))), Some(seconds(5)));
        assert_eq!(patience(Some(1000), None), Some(seconds(602)));
        assert_eq!(patience(None, None), None);
    }
}
