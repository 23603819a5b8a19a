//! Shares and their errors.

use serde::Serialize;

/// The normal quantile of a 95% interval.
const Z: f64 = 1.96;

/// So many clusters say how much they vary. Of fewer, games that cancel out may be chance.
const ENOUGH: usize = 30;

/// A share with its 95% interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Share {
    pub share: f64,
    pub low: f64,
    pub high: f64,
}

/// A unit of sampling, whose parts are not independent of each other: the games of a pair, the positions of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cluster {
    /// Of its parts, each from 0 to 1.
    pub sum: f64,
    pub parts: usize,
}

impl Share {
    /// The share of all parts, with Wilson's interval for as many independent parts as would vary like these clusters
    /// (if they don't vary at all, one for each). That is more than there are where the parts of a cluster cancel out,
    /// as two games do that the opening has decided; it counts where there are enough clusters to say so.
    /// `None` if there is no part.
    pub fn of(clusters: &[Cluster]) -> Option<Share> {
        let parts = clusters.iter().map(|c| c.parts).sum::<usize>() as f64;
        if parts == 0.0 {
            return None;
        }
        let units = clusters.len() as f64;
        let share = clusters.iter().map(|c| c.sum).sum::<f64>() / parts;
        let squares: f64 = clusters.iter().map(|c| (c.sum - share * c.parts as f64).powi(2)).sum();
        let variance = squares * units / (units - 1.0) / parts.powi(2);
        let varies = clusters.len() > 1 && variance > 0.0;
        let most = if clusters.len() < ENOUGH { parts } else { f64::INFINITY };
        let independent = if varies { (share * (1.0 - share) / variance).min(most) } else { units };
        Some(Share::wilson(share, independent))
    }

    fn wilson(share: f64, n: f64) -> Share {
        let shrink = 1.0 + Z * Z / n;
        let centre = (share + Z * Z / (2.0 * n)) / shrink;
        let half = Z / shrink * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        Share { share, low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
    }
}

/// The difference of strength that a score stands for, infinite for 0 and 1.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// What a program said of a position, and how the game went.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Forecast {
    /// The positions of a game share their result.
    pub game: usize,
    pub win_rate: f64,
    pub result: f64,
}

/// The factor s that makes P = 1/(1 + exp(−s·logit(win rate))) fit the results best.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Scale {
    pub scale: f64,
    pub low: f64,
    pub high: f64,
    pub positions: usize,
}

/// The scale is looked for up to here, in either direction.
const MOST: f64 = 64.0;

impl Scale {
    /// By maximum likelihood; the interval takes games as units. `None` if the win rates say nothing.
    /// The forecasts of a game stand together.
    pub fn fit(forecasts: &[Forecast]) -> Option<Scale> {
        let slope = |s: f64| forecasts.iter().map(|f| f.pull(s)).sum::<f64>();
        let curvature = |s: f64| forecasts.iter().map(|f| f.curvature(s)).sum::<f64>();
        if curvature(0.0) <= 0.0 {
            return None;
        }
        let (mut low, mut high) = (-MOST, MOST);
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            if slope(middle) > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        let scale = (low + high) / 2.0;
        let games = forecasts.chunk_by(|a, b| a.game == b.game);
        let squares: f64 = games.map(|g| g.iter().map(|f| f.pull(scale)).sum::<f64>().powi(2)).sum();
        let error = squares.sqrt() / curvature(scale);
        let (low, high) = (scale - Z * error, scale + Z * error);
        Some(Scale { scale, low, high, positions: forecasts.len() })
    }
}

impl Forecast {
    fn logit(&self) -> f64 {
        let rate = self.win_rate.clamp(0.001, 0.999);
        (rate / (1.0 - rate)).ln()
    }

    fn chance(&self, scale: f64) -> f64 {
        1.0 / (1.0 + (-scale * self.logit()).exp())
    }

    /// The derivative of the log-likelihood by the scale.
    fn pull(&self, scale: f64) -> f64 {
        self.logit() * (self.result - self.chance(scale))
    }

    /// The second derivative, negated.
    fn curvature(&self, scale: f64) -> f64 {
        let p = self.chance(scale);
        self.logit().powi(2) * p * (1.0 - p)
    }
}

#[cfg(test)]
mod tests {
    use super::super::openings::Rng;
    use super::*;

    fn assert_near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-3, "{a} is not {b}");
    }

    fn pairs(sums: &[f64]) -> Share {
        let clusters: Vec<Cluster> = sums.iter().map(|&sum| Cluster { sum, parts: 2 }).collect();
        Share::of(&clusters).unwrap()
    }

    #[test]
    fn pairs_vary_as_pairs() {
        // Pair scores 1, 1, ½, 0: mean 0.625, variance 0.6875/3 over 4 pairs is 0.057292 for the mean; as much as
        // 0.234375/0.057292 = 4.0909 games vary, though 8 were played. Wilson: 0.625 → (0.222, 0.907).
        let share = pairs(&[2.0, 2.0, 1.0, 0.0]);
        assert_near(share.share, 0.625);
        assert_near(share.low, 0.2222);
        assert_near(share.high, 0.9068);
    }

    #[test]
    fn games_of_few_pairs_that_cancel_out_are_worth_no_more_than_games() {
        // 2, 1, 1, 1, 0 of 2: 0.5, the mean varies by 0.5/4/5 = 0.025, as 10 games do.
        let share = pairs(&[2.0, 1.0, 1.0, 1.0, 0.0]);
        assert_near(share.low, 0.2366);
        assert_near(share.high, 0.7634);
        let steady = pairs(&[2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
        assert_near(steady.low, Share::wilson(0.5, 16.0).low);
    }

    #[test]
    fn intervals_of_many_pairs_hold_the_truth_nineteen_times_of_twenty() {
        // The opening decides seven pairs of ten; in the others each game is won with chance p.
        let mut rng = Rng::new(3);
        for (p, count) in [(0.5, ENOUGH), (0.6, 100)] {
            let truth = 0.7 * 0.5 + 0.3 * p;
            let (mut held, mut width) = (0, 0.0);
            for _ in 0..2_000 {
                let mut win = |p| f64::from(u8::from(rng.chance(p)));
                let mut pair = || if win(0.7) == 1.0 { 1.0 } else { win(p) + win(p) };
                let sums: Vec<f64> = (0..count).map(|_| pair()).collect();
                let share = pairs(&sums);
                held += usize::from(share.low <= truth && truth <= share.high);
                width += (share.high - share.low) / 2_000.0;
            }
            assert!((1_840..=1_980).contains(&held), "{held} of 2,000 for {p}");
            let games = Share::wilson(truth, 2.0 * count as f64);
            assert!(width < 0.65 * (games.high - games.low), "pairs tell more than as many single games");
        }
    }

    #[test]
    fn winning_every_game_leaves_a_doubt() {
        let share = pairs(&[2.0; 50]);
        assert_eq!((share.share, share.high), (1.0, 1.0));
        assert_near(share.low, 50.0 / (50.0 + 1.96 * 1.96));
        let one = Share::of(&[Cluster { sum: 0.0, parts: 3 }]).unwrap();
        assert_eq!((one.share, one.low), (0.0, 0.0));
        assert_near(one.high, 3.8416 / 4.8416);
        assert_eq!(Share::of(&[]), None);
    }

    #[test]
    fn clusters_of_any_size_count_by_their_parts() {
        let cluster = |sum, parts| Cluster { sum, parts };
        let share = Share::of(&[cluster(6.0, 6), cluster(0.0, 2), cluster(2.0, 2)]).unwrap();
        // Residues 6 − 4.8, −1.6, 2 − 1.6: squares 1.44 + 2.56 + 0.16 = 4.16, times 3/2 over 100.
        assert_near(share.share, 0.8);
        assert_eq!(share, Share::wilson(0.8, 0.16 / 0.0624));
    }

    #[test]
    fn elo_of_known_scores() {
        assert_near(elo(0.5), 0.0);
        assert_near(elo(0.75), 190.849);
        assert_near(elo(10.0 / 11.0), 400.0);
        assert_near(elo(0.25), -190.849);
        assert_eq!((elo(1.0), elo(0.0)), (f64::INFINITY, f64::NEG_INFINITY));
    }

    /// Games of one position each.
    fn forecasts(groups: &[(f64, usize, usize)]) -> Vec<Forecast> {
        let of = |&(win_rate, won, games): &(f64, usize, usize)| {
            (0..games).map(move |i| (win_rate, if i < won { 1.0 } else { 0.0 }))
        };
        let all = groups.iter().flat_map(of).enumerate();
        all.map(|(game, (win_rate, result))| Forecast { game, win_rate, result }).collect()
    }

    #[test]
    fn the_scale_of_forecasts_that_were_too_shy_or_too_bold() {
        // logit(¾) = ln 3; 9 of 10 won is ln 9.
        let shy = Scale::fit(&forecasts(&[(0.75, 9, 10), (0.25, 1, 10)])).unwrap();
        assert_near(shy.scale, 2.0);
        // Pulls: 18 of ln 3 · 0.1, 2 of ln 3 · 0.9; curvature: 20 of (ln 3)² · 0.09.
        let error = (18.0 * 0.01 + 2.0 * 0.81_f64).sqrt() / (20.0 * 0.09 * 3_f64.ln());
        assert_near(shy.high - shy.scale, 1.96 * error);
        assert_near(shy.scale - shy.low, 1.96 * error);
        let bold = Scale::fit(&forecasts(&[(0.9, 3, 4)])).unwrap();
        assert_near(bold.scale, 0.5);
        assert_eq!(bold.positions, 4);
        let right = Scale::fit(&forecasts(&[(0.8, 80, 100), (0.6, 60, 100), (0.1, 10, 100)])).unwrap();
        assert_near(right.scale, 1.0);
        let wrong = Scale::fit(&forecasts(&[(0.75, 1, 4)])).unwrap();
        assert_near(wrong.scale, -1.0);
    }

    #[test]
    fn positions_of_one_game_are_less_certain_than_positions_of_many() {
        let apart = forecasts(&[(0.75, 30, 40)]);
        let mut together = apart.clone();
        together.iter_mut().for_each(|f| f.game /= 10);
        let width = |f: &[Forecast]| Scale::fit(f).map(|s| s.high - s.low).unwrap();
        assert!(width(&together) > 2.0 * width(&apart));
    }

    #[test]
    fn even_forecasts_have_no_scale() {
        assert_eq!(Scale::fit(&forecasts(&[(0.5, 3, 4)])), None);
        assert_eq!(Scale::fit(&[]), None);
    }
}
