//! Trains the network: `train STEPS OUT.bin GAMES.csv...` takes finished games as `games.csv` has them and writes the weights.
//!
//! From every turn the network learns which cells were chosen, those of the losers counting for less, and from every quiet
//! position who won: one without threats to answer in which a short search finds no win by threats, since the search
//! asks for nothing else. One game in twenty is kept apart to see how well it does on games that it has not learned from.
//! Steepest descent with momentum and scale per weight (Adam), batches of 128, the rate following a half cosine. The same steps and
//! games give the same weights.

use jl_engine_connect6::attack::{Force, Found};
use jl_engine_connect6::limits::{Clock, Limits};
use jl_engine_connect6::network::{
    CELLS, Desk, FEATURES, HIDDEN, LINE, PARAMETERS, Parameters, REACH, VALUE, WEIGHT_UNIT, WIDE, add,
    lines_through, padded,
};
use jl_engine_connect6::{Board, Geometry, Side, Solver, Threats};
use std::time::Instant;

const BATCH: usize = 128;
const THREADS: usize = 2;
const PEAK_RATE: f64 = 2e-3;
/// What the turns of losers count for, and the value against the policy.
const LOSER: f32 = 0.25;
const VALUE_SHARE: f32 = 0.3;
/// Nodes of the search that tells quiet positions.
const QUIET_NODES: u64 = 200;
const SIDES: [Side; 2] = [Side::First, Side::Second];

struct Sample {
    states: [u8; CELLS + 1],
    turn: [u16; 2],
    won: bool,
    quiet: bool,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [steps, out, files @ ..] = &args[..] else { panic!("train STEPS OUT.bin GAMES.csv...") };
    let steps: u64 = steps.parse().expect("a number of steps");
    let (mut train, mut test) = (Vec::new(), Vec::new());
    let texts = files.iter().map(|path| std::fs::read_to_string(path).expect("games"));
    let lines: Vec<String> = texts.flat_map(|t| t.lines().map(String::from).collect::<Vec<_>>()).collect();
    for (n, line) in lines.iter().filter(|line| line.contains('"')).enumerate() {
        samples(line, if n % 20 == 0 { &mut test } else { &mut train });
    }
    let test: Vec<Sample> = test.into_iter().step_by(3).collect();
    println!("{} turns to learn from, {} to test with, {PARAMETERS} parameters", train.len(), test.len());
    let mut trainer = Trainer::new();
    let start = Instant::now();
    for step in 0..steps {
        let rate = PEAK_RATE
            * (0.01 + 0.99 * 0.5 * (1.0 + (std::f64::consts::PI * step as f64 / steps as f64).cos()));
        trainer.step(&train, rate as f32);
        if (step + 1).is_multiple_of(1000) || step + 1 == steps {
            println!("step {}, {:.0} s: {}", step + 1, start.elapsed().as_secs_f64(), trainer.test(&test));
            std::fs::write(out, trainer.file()).expect("a file that can be written");
        }
    }
}

/// The turns of a game: a line with the stones in order, in quotes, and the winner.
fn samples(line: &str, into: &mut Vec<Sample>) {
    let g = Geometry::new(19, 19, 6).expect("Connect6's board");
    let stones = line.split('"').nth(1).expect("stones").split(',').map(|s| {
        let x = usize::from(s.as_bytes()[0] - b'a');
        g.cell(x, s[1..].parse::<usize>().expect("a row") - 1)
    });
    let stones: Vec<u16> = stones.collect();
    let winner = if line.trim_end().ends_with("black") { Side::First } else { Side::Second };
    let mut board = Board::new(&g);
    let mut solvers = SIDES.map(|side| Solver::new(side, 1 << 16));
    board.place(stones[0], Side::First);
    for (n, turn) in stones[1..].chunks_exact(2).enumerate() {
        let mover = SIDES[(n + 1) % 2];
        let mut desk = Desk::default();
        desk.survey(&board, mover);
        let mut clock = Clock::new(Limits { nodes: Some(QUIET_NODES), ..Limits::default() });
        let quiet = !board.can_win_now(mover)
            && Threats::of(&board, mover.opponent()).count() == 0
            && !matches!(
                solvers[mover as usize].search(&mut board, Force::Double, &mut clock),
                Found::Win(_)
            );
        into.push(Sample { states: desk.states, turn: [turn[0], turn[1]], won: mover == winner, quiet });
        turn.iter().for_each(|&c| board.place(c, mover));
    }
}

/// What one thread needs for a sample, and what it has summed up.
struct Work {
    desk: Desk,
    /// Per known cell: the units of its lines, four directions read both ways, and their sums.
    lines: Vec<[[f32; LINE]; 8]>,
    units: Vec<[f32; LINE]>,
    /// Per cell of a board with a border: features, and how the loss changes with them.
    features: Vec<[f32; FEATURES]>,
    feature_slopes: Vec<[f32; FEATURES]>,
    /// Per near cell.
    rings: Vec<[[f32; FEATURES]; 3]>,
    hidden: Vec<[f32; HIDDEN]>,
    policy: Vec<f32>,
    slopes: Vec<f32>,
    tally: Tally,
}

#[derive(Clone, Copy, Default)]
struct Tally {
    quiet: f64,
    surprise: f64,
    turns: f64,
    best: f64,
    both_of_ten: f64,
    both_of_twenty: f64,
}

const BELOW: isize = WIDE as isize;
const RINGS: [&[isize]; 3] = [&[0], &[-1, 1, -BELOW, BELOW], &[-BELOW - 1, -BELOW + 1, BELOW - 1, BELOW + 1]];

fn row<const N: usize>(all: &[f32], at: usize) -> &[f32; N] {
    all[at..at + N].try_into().expect("so many")
}

fn row_mut<const N: usize>(all: &mut [f32], at: usize) -> &mut [f32; N] {
    (&mut all[at..at + N]).try_into().expect("so many")
}

/// In eight parts, which a processor adds side by side.
fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    let mut parts = [0.0; 8];
    for i in 0..N {
        parts[i % 8] += a[i] * b[i];
    }
    parts.iter().sum()
}

impl Work {
    fn new() -> Work {
        Work {
            desk: Desk::default(),
            lines: vec![[[0.0; LINE]; 8]; CELLS],
            units: vec![[0.0; LINE]; CELLS],
            features: vec![[0.0; FEATURES]; WIDE * WIDE],
            feature_slopes: vec![[0.0; FEATURES]; WIDE * WIDE],
            rings: vec![[[0.0; FEATURES]; 3]; CELLS],
            hidden: vec![[0.0; HIDDEN]; CELLS],
            policy: Vec::new(),
            slopes: vec![0.0; PARAMETERS],
            tally: Tally::default(),
        }
    }

    /// The weights of the taps of a line through a cell that are not empty, read forwards and backwards.
    fn taps(&self, through: &[[[u16; REACH]; 2]; 4], cell: u16, mut each: impl FnMut(usize, [usize; 2])) {
        let at = |tap: usize, state: u8| Parameters::LINE + (tap * 3 + usize::from(state) - 1) * LINE;
        for (direction, [before, after]) in through.iter().enumerate() {
            let own = [(REACH, cell)].into_iter();
            let before = before.iter().enumerate().map(|(i, &c)| (REACH - 1 - i, c));
            let after = after.iter().enumerate().map(|(i, &c)| (REACH + 1 + i, c));
            for (tap, c) in own.chain(before).chain(after) {
                let state = self.desk.states[usize::from(c)];
                if state > 0 {
                    each(direction, [at(tap, state), at(2 * REACH - tap, state)]);
                }
            }
        }
    }

    /// The network's answer, everything on the way kept; the log-odds of a win and the values of the units behind them.
    fn forward(
        &mut self,
        p: &[f32],
        lines: &[[[[u16; REACH]; 2]; 4]],
        sample: &Sample,
    ) -> (f32, [f32; HIDDEN], [f32; VALUE]) {
        self.desk.states = sample.states;
        self.desk.locate();
        self.features.fill([0.0; FEATURES]);
        for k in 0..self.desk.known.len() {
            let cell = self.desk.known[k];
            let mut all = [*row::<LINE>(p, Parameters::LINE_BIAS); 8];
            self.taps(&lines[usize::from(cell)], cell, |direction, weights| {
                for (way, at) in weights.into_iter().enumerate() {
                    add(&mut all[2 * direction + way], 1.0, row(p, at));
                }
            });
            self.lines[k] = all;
            let mut units = [0.0; LINE];
            all.iter().for_each(|line| (0..LINE).for_each(|i| units[i] += line[i].max(0.0)));
            self.units[k] = units;
            let mut features = *row::<FEATURES>(p, Parameters::CELL_BIAS);
            for (i, &x) in units.iter().enumerate() {
                add(&mut features, x, row(p, Parameters::CELL + i * FEATURES));
            }
            self.features[padded(cell)] = features.map(|x| x.max(0.0));
        }
        let mut mean = [0.0; HIDDEN];
        self.policy.clear();
        for (k, &cell) in self.desk.near.iter().enumerate() {
            let mut hidden = *row::<HIDDEN>(p, Parameters::AROUND_BIAS);
            for (r, ring) in RINGS.into_iter().enumerate() {
                let mut sum = [0.0; FEATURES];
                for &d in ring {
                    add(&mut sum, 1.0, &self.features[padded(cell).wrapping_add_signed(d)]);
                }
                self.rings[k][r] = sum;
                for (i, &x) in sum.iter().enumerate().filter(|&(_, &x)| x != 0.0) {
                    add(&mut hidden, x, row(p, Parameters::AROUND + (r * FEATURES + i) * HIDDEN));
                }
            }
            let hidden = hidden.map(|x| x.max(0.0));
            self.hidden[k] = hidden;
            self.policy.push(p[Parameters::POLICY_BIAS] + dot(&hidden, row(p, Parameters::POLICY)));
            add(&mut mean, 1.0 / self.desk.near.len() as f32, &hidden);
        }
        let mut units = *row::<VALUE>(p, Parameters::MEAN_BIAS);
        for (i, &x) in mean.iter().enumerate() {
            add(&mut units, x, row(p, Parameters::MEAN + i * VALUE));
        }
        let units = units.map(|x| x.max(0.0));
        (p[Parameters::VALUE_BIAS] + dot(&units, row(p, Parameters::VALUE)), mean, units)
    }

    fn count(&mut self, sample: &Sample, value: f32) {
        if sample.quiet {
            let rate = 1.0 / (1.0 + (if sample.won { -value } else { value }).exp());
            self.tally.quiet += 1.0;
            self.tally.surprise -= f64::from(rate.max(1e-9).ln());
        }
        if sample.won {
            let ranks = sample.turn.map(|cell| {
                let at = self.desk.near.iter().position(|&c| c == cell);
                at.map_or(CELLS, |k| self.policy.iter().filter(|&&p| p > self.policy[k]).count())
            });
            let tally = &mut self.tally;
            tally.turns += 1.0;
            tally.best += f64::from(u8::from(ranks.contains(&0)));
            tally.both_of_ten += f64::from(u8::from(ranks.iter().all(|&r| r < 10)));
            tally.both_of_twenty += f64::from(u8::from(ranks.iter().all(|&r| r < 20)));
        }
    }

    /// Adds how the loss of a sample changes with each parameter.
    fn learn(&mut self, p: &[f32], lines: &[[[[u16; REACH]; 2]; 4]], sample: &Sample) {
        let (value, mean, units) = self.forward(p, lines, sample);
        let mut mean_slopes = [0.0; HIDDEN];
        if sample.quiet {
            let rate = 1.0 / (1.0 + (-value).exp());
            let slope = VALUE_SHARE * (rate - f32::from(u8::from(sample.won)));
            self.slopes[Parameters::VALUE_BIAS] += slope;
            add(row_mut(&mut self.slopes, Parameters::VALUE), slope, &units);
            let last: &[f32; VALUE] = row(p, Parameters::VALUE);
            let unit_slopes: [f32; VALUE] =
                std::array::from_fn(|i| if units[i] > 0.0 { slope * last[i] } else { 0.0 });
            add(row_mut(&mut self.slopes, Parameters::MEAN_BIAS), 1.0, &unit_slopes);
            for i in 0..HIDDEN {
                let at = Parameters::MEAN + i * VALUE;
                add(row_mut(&mut self.slopes, at), mean[i], &unit_slopes);
                mean_slopes[i] = dot(&unit_slopes, row(p, at)) / self.desk.near.len() as f32;
            }
        }
        self.learn_policy(p, sample, &mean_slopes);
        self.learn_features(p, lines);
    }

    fn learn_policy(&mut self, p: &[f32], sample: &Sample, mean_slopes: &[f32; HIDDEN]) {
        self.feature_slopes.fill([0.0; FEATURES]);
        let counts = if sample.won { 1.0 } else { LOSER };
        let chosen = |cell: u16| sample.turn.contains(&cell);
        let share = self.desk.near.iter().filter(|&&c| chosen(c)).count() as f32 / 2.0;
        let most = self.policy.iter().copied().fold(f32::MIN, f32::max);
        let total: f32 = self.policy.iter().map(|x| (x - most).exp()).sum();
        for (k, &cell) in self.desk.near.iter().enumerate() {
            let rate = (self.policy[k] - most).exp() / total;
            let slope = counts * (share * rate - if chosen(cell) { 0.5 } else { 0.0 });
            self.slopes[Parameters::POLICY_BIAS] += slope;
            let hidden = &self.hidden[k];
            add(row_mut(&mut self.slopes, Parameters::POLICY), slope, hidden);
            let policy: &[f32; HIDDEN] = row(p, Parameters::POLICY);
            let hidden_slopes: [f32; HIDDEN] =
                std::array::from_fn(
                    |j| {
                        if hidden[j] > 0.0 { slope * policy[j] + mean_slopes[j] } else { 0.0 }
                    },
                );
            add(row_mut(&mut self.slopes, Parameters::AROUND_BIAS), 1.0, &hidden_slopes);
            for (r, ring) in RINGS.into_iter().enumerate() {
                let mut sums = [0.0; FEATURES];
                for (i, sum) in sums.iter_mut().enumerate() {
                    let at = Parameters::AROUND + (r * FEATURES + i) * HIDDEN;
                    *sum = dot(row(p, at), &hidden_slopes);
                    let x = self.rings[k][r][i];
                    if x != 0.0 {
                        add(row_mut(&mut self.slopes, at), x, &hidden_slopes);
                    }
                }
                for &d in ring {
                    add(&mut self.feature_slopes[padded(cell).wrapping_add_signed(d)], 1.0, &sums);
                }
            }
        }
    }

    fn learn_features(&mut self, p: &[f32], lines: &[[[[u16; REACH]; 2]; 4]]) {
        let mut slopes = std::mem::take(&mut self.slopes);
        for (k, &cell) in self.desk.known.iter().enumerate() {
            let (features, slope) = (&self.features[padded(cell)], &self.feature_slopes[padded(cell)]);
            let slope: [f32; FEATURES] =
                std::array::from_fn(|i| if features[i] > 0.0 { slope[i] } else { 0.0 });
            add(row_mut(&mut slopes, Parameters::CELL_BIAS), 1.0, &slope);
            let mut unit_slopes = [0.0; LINE];
            for (i, unit_slope) in unit_slopes.iter_mut().enumerate() {
                let at = Parameters::CELL + i * FEATURES;
                *unit_slope = dot(row(p, at), &slope);
                add(row_mut(&mut slopes, at), self.units[k][i], &slope);
            }
            let line_slopes = self.lines[k].map(|line| -> [f32; LINE] {
                std::array::from_fn(|i| if line[i] > 0.0 { unit_slopes[i] } else { 0.0 })
            });
            for line in &line_slopes {
                add(row_mut(&mut slopes, Parameters::LINE_BIAS), 1.0, line);
            }
            self.taps(&lines[usize::from(cell)], cell, |direction, weights| {
                for (way, at) in weights.into_iter().enumerate() {
                    add(row_mut(&mut slopes, at), 1.0, &line_slopes[2 * direction + way]);
                }
            });
        }
        self.slopes = slopes;
    }
}

struct Trainer {
    parameters: Vec<f32>,
    momentum: Vec<f32>,
    scale: Vec<f32>,
    steps: i32,
    rng: fastrand::Rng,
    works: [Work; THREADS],
    lines: Vec<[[[u16; REACH]; 2]; 4]>,
}

impl Trainer {
    fn new() -> Trainer {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut parameters = vec![0.0; PARAMETERS];
        let layers = [
            (Parameters::LINE..Parameters::LINE_BIAS, 0.3),
            (Parameters::CELL..Parameters::CELL_BIAS, 0.1),
            (Parameters::AROUND..Parameters::AROUND_BIAS, 0.05),
            (Parameters::POLICY..Parameters::POLICY_BIAS, 0.1),
            (Parameters::MEAN..Parameters::MEAN_BIAS, 0.2),
            (Parameters::VALUE..Parameters::VALUE_BIAS, 0.1),
        ];
        for (layer, spread) in layers {
            for x in &mut parameters[layer] {
                // Twelve together are nearly normal, with a variance of one.
                *x = spread * ((0..12).map(|_| rng.f32()).sum::<f32>() - 6.0);
            }
        }
        Trainer {
            parameters,
            momentum: vec![0.0; PARAMETERS],
            scale: vec![0.0; PARAMETERS],
            steps: 0,
            rng,
            works: std::array::from_fn(|_| Work::new()),
            lines: (0..CELLS).map(lines_through).collect(),
        }
    }

    fn step(&mut self, samples: &[Sample], rate: f32) {
        let batch: Vec<&Sample> = (0..BATCH).map(|_| &samples[self.rng.usize(..samples.len())]).collect();
        let (parameters, lines) = (&self.parameters, &self.lines);
        std::thread::scope(|scope| {
            for (work, part) in self.works.iter_mut().zip(batch.chunks(BATCH / THREADS)) {
                scope.spawn(move || part.iter().for_each(|sample| work.learn(parameters, lines, sample)));
            }
        });
        self.steps += 1;
        let (first, second) = (1.0 - 0.9f32.powi(self.steps), 1.0 - 0.999f32.powi(self.steps));
        for i in 0..PARAMETERS {
            let slope =
                self.works.iter_mut().map(|w| std::mem::take(&mut w.slopes[i])).sum::<f32>() / BATCH as f32;
            self.momentum[i] += 0.1 * (slope - self.momentum[i]);
            self.scale[i] += 0.001 * (slope * slope - self.scale[i]);
            let (m, s) = (self.momentum[i] / first, self.scale[i] / second);
            self.parameters[i] -= rate * m / (s.sqrt() + 1e-8);
        }
    }

    fn test(&mut self, samples: &[Sample]) -> String {
        let work = &mut self.works[0];
        work.tally = Tally::default();
        for sample in samples {
            let (value, ..) = work.forward(&self.parameters, &self.lines, sample);
            work.count(sample, value);
        }
        let Tally { quiet, surprise, turns, best, both_of_ten, both_of_twenty } = work.tally;
        format!(
            "log-loss of results {:.4}; of winners' turns {:.1}% have the likeliest cell, {:.1}% both among ten, {:.1}% both among twenty",
            surprise / quiet,
            100.0 * best / turns,
            100.0 * both_of_ten / turns,
            100.0 * both_of_twenty / turns
        )
    }

    /// The weights as the program reads them.
    fn file(&self) -> Vec<u8> {
        let whole = |&x: &f32| (x * WEIGHT_UNIT).round() as i16;
        self.parameters.iter().flat_map(|x| whole(x).to_le_bytes()).collect()
    }
}
