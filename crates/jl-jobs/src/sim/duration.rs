//! Made-up durations that do not depend on when a job is run.

use jl_messages::Input;
use std::time::Duration;

/// A log-normal duration around `mean`; `spread` is the standard deviation of its logarithm.
///
/// It is a function of the seed and the words alone, so that a job takes the same virtual time under every policy and
/// with every number of workers.
#[must_use]
pub fn seeded_duration(mean: Duration, spread: f64, seed: u64, input: &Input) -> Duration {
    if spread == 0.0 {
        return mean;
    }
    let mut state = seed ^ fnv1a(&input.words);
    let (u, v) = (unit(splitmix(&mut state)), unit(splitmix(&mut state)));
    let normal = (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos();
    // The shift by half the variance makes `mean` the mean, not the median.
    let factor = (spread * normal - spread * spread / 2.0).exp();
    Duration::try_from_secs_f64(mean.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}

fn fnv1a(words: &[String]) -> u64 {
    // 0xff does not occur in UTF-8, so it can mark the end of a word.
    let bytes = words.iter().flat_map(|w| w.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Into (0, 1]: its logarithm is finite.
fn unit(bits: u64) -> f64 {
    ((bits >> 11) + 1) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(words: &[&str]) -> Input {
        Input { words: words.iter().map(|w| (*w).to_owned()).collect(), stdin: vec![] }
    }

    #[test]
    fn depends_on_seed_and_words_alone() {
        let mean = Duration::from_secs(10);
        let d = seeded_duration(mean, 0.5, 1, &input(&["a", "bc"]));
        assert_eq!(d, seeded_duration(mean, 0.5, 1, &input(&["a", "bc"])));
        assert_ne!(d, seeded_duration(mean, 0.5, 2, &input(&["a", "bc"])));
        assert_ne!(d, seeded_duration(mean, 0.5, 1, &input(&["ab", "c"])));
        assert_eq!(seeded_duration(mean, 0.0, 1, &input(&["a"])), mean);
    }

    #[test]
    fn has_the_mean_and_the_spread() {
        let (n, spread) = (20_000, 0.7);
        let logs: Vec<f64> = (0..n)
            .map(|i| {
                seeded_duration(Duration::from_secs(1), spread, 7, &input(&[&i.to_string()])).as_secs_f64()
            })
            .collect();
        let mean = logs.iter().sum::<f64>() / f64::from(n);
        assert!((mean - 1.0).abs() < 0.03, "mean {mean}");
        let log_mean = logs.iter().map(|d| d.ln()).sum::<f64>() / f64::from(n);
        let variance = logs.iter().map(|d| (d.ln() - log_mean).powi(2)).sum::<f64>() / f64::from(n);
        assert!((variance.sqrt() - spread).abs() < 0.02, "spread {}", variance.sqrt());
    }

    #[test]
    fn survives_absurd_spreads() {
        for i in 0..100 {
            let _ = seeded_duration(Duration::MAX, 1e6, i, &input(&["a"]));
        }
    }
}
