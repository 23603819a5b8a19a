//! What a sample says about the time for all grids.

use super::{Area, Project};

/// The time that grids take the engine, on one core.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// Seconds per grid, the parts counted as equally large.
    pub mean: f64,
    /// Its standard error; none if some part has fewer than two grids.
    pub error: Option<f64>,
    /// Of the parts that have grids, in order.
    pub parts: Vec<Part>,
}

/// The grids of a part.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    pub part: usize,
    pub grids: usize,
    pub mean: f64,
    /// The variance of the mean.
    variance: Option<f64>,
}

impl Project {
    /// Of the grids of a sample that are done, once there is one of each part; a slice says nothing about the rest.
    pub fn estimate(&self) -> Option<Estimate> {
        let Area::Sample { parts, draws, .. } = &self.parameters().area else { return None };
        let mut seconds = vec![Vec::new(); *parts];
        self.answers().for_each(|(unit, given)| seconds[draws[unit].0].push(given.answer.seconds));
        let parts: Vec<Part> = seconds.iter().enumerate().filter_map(|(i, s)| part(i, s)).collect();
        (parts.len() == seconds.len()).then(|| {
            let count = parts.len() as f64;
            let variances: Option<f64> = parts.iter().map(|part| part.variance).sum();
            Estimate {
                mean: parts.iter().map(|part| part.mean).sum::<f64>() / count,
                error: variances.map(|sum| sum.sqrt() / count),
                parts,
            }
        })
    }
}

fn part(part: usize, seconds: &[f64]) -> Option<Part> {
    let (grids, count) = (seconds.len(), seconds.len() as f64);
    let mean = seconds.iter().sum::<f64>() / count;
    let squares = seconds.iter().map(|s| (s - mean).powi(2)).sum::<f64>();
    let variance = (grids > 1).then(|| squares / (count - 1.0) / count);
    (grids > 0).then_some(Part { part, grids, mean, variance })
}
