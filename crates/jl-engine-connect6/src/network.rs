//! What a small network thinks of a Connect6 position: where the next stones go, and who wins.
//!
//! ```text
//!   line       eleven cells around a cell, in each of four directions, read both ways
//!              LINE units, all directions and both ways added up
//!   cell       FEATURES units from those of its lines
//!   surroundings   HIDDEN units from the cell's features and the sums of those of its four neighbours beside and across
//!   policy     a number per empty cell near a stone, the higher the likelier a stone of the next turn
//!   value      from the mean of all surroundings: log-odds that the side to move wins
//! ```
//!
//! Nothing in it tells the directions apart, so a mirrored or turned position gets the same numbers. That is exact, on any
//! machine: weights are multiples of 1/256 and what one layer hands to the next is rounded to multiples of 1/64, so that sums do
//! not depend on the order of their parts.
//!
//! The weights in `network.bin` are the work of `examples/train.rs`; [`PARAMETERS`] 16-bit numbers in the order of
//! [`Parameters`], the lowest byte first.

use crate::board::{Board, Side};
use std::sync::OnceLock;

/// The board that it was trained for.
pub const SIZE: usize = 19;
pub const CELLS: usize = SIZE * SIZE;
/// Cells of a line before and after its middle.
pub const REACH: usize = 5;
const TAPS: usize = 2 * REACH + 1;
pub const LINE: usize = 24;
pub const FEATURES: usize = 32;
pub const HIDDEN: usize = 32;
pub const VALUE: usize = 32;
/// What a cell may hold, nothing apart: a stone of the mover's, of the opponent's, or no board.
const STATES: usize = 3;
const OUTSIDE: u8 = 3;
/// Surroundings: the cell itself, its neighbours beside and across.
const RINGS: usize = 3;
/// Cells so far from a stone are candidates, and have features.
pub const NEAR: usize = 2;
pub const KNOWN: usize = 3;

/// Where the parameters of a layer begin, in the order of the file.
pub struct Parameters;

impl Parameters {
    /// By tap and state.
    pub const LINE: usize = 0;
    pub const LINE_BIAS: usize = Self::LINE + TAPS * STATES * LINE;
    /// By unit of the line.
    pub const CELL: usize = Self::LINE_BIAS + LINE;
    pub const CELL_BIAS: usize = Self::CELL + LINE * FEATURES;
    /// By ring and feature.
    pub const AROUND: usize = Self::CELL_BIAS + FEATURES;
    pub const AROUND_BIAS: usize = Self::AROUND + RINGS * FEATURES * HIDDEN;
    pub const POLICY: usize = Self::AROUND_BIAS + HIDDEN;
    pub const POLICY_BIAS: usize = Self::POLICY + HIDDEN;
    /// By hidden unit.
    pub const MEAN: usize = Self::POLICY_BIAS + 1;
    pub const MEAN_BIAS: usize = Self::MEAN + HIDDEN * VALUE;
    pub const VALUE: usize = Self::MEAN_BIAS + VALUE;
    pub const VALUE_BIAS: usize = Self::VALUE + VALUE;
}

/// How many there are in all.
pub const PARAMETERS: usize = Parameters::VALUE_BIAS + 1;
/// Weights are multiples of one over this.
pub const WEIGHT_UNIT: f32 = 256.0;

/// What half a line adds to the units of the whole: by the states of its cells, the nearest in the lowest two bits; read
/// from the middle outwards as the part before it, and as the part after it.
type Halves = Vec<[[f32; LINE]; 2]>;
const HALVES: usize = 1 << (2 * REACH);

/// The network with its weights.
#[derive(PartialEq, Debug)]
pub struct Network {
    halves: Halves,
    /// By the state of the cell in the middle, bias included.
    middle: [[f32; LINE]; STATES + 1],
    cell: [[f32; FEATURES]; LINE],
    cell_bias: [f32; FEATURES],
    around: Vec<[[f32; HIDDEN]; FEATURES]>,
    around_bias: [f32; HIDDEN],
    policy: [f32; HIDDEN],
    policy_bias: f32,
    mean: [[f32; VALUE]; HIDDEN],
    mean_bias: [f32; VALUE],
    value: [f32; VALUE],
    value_bias: f32,
    /// Per cell: the cells of the four lines through it, before and after it, the nearest first; [`CELLS`] is off the board.
    lines: Vec<[[[u16; REACH]; 2]; 4]>,
}

/// What it thinks of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Opinion {
    /// Per cell, log-odds of the mover's next stones up to a constant; far from every stone, or occupied: [`UNLIKELY`].
    pub policy: [f32; CELLS],
    /// The log-odds that the mover wins.
    pub value: f32,
}

/// Less than anything the network says.
pub const UNLIKELY: f32 = -64.0;

/// Rounded to a multiple of 1/64.
#[inline]
fn rounded(x: f32) -> f32 {
    /// Numbers of this size have no finer parts.
    const COARSE: f32 = (3u32 << 16) as f32;
    (x + COARSE) - COARSE
}

impl Network {
    /// The one that is part of the program.
    pub fn builtin() -> &'static Network {
        static NETWORK: OnceLock<Network> = OnceLock::new();
        NETWORK.get_or_init(|| {
            let parameters: Vec<i16> = include_bytes!("network.bin")
                .chunks_exact(2)
                .map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]]))
                .collect();
            Network::new(&parameters)
        })
    }

    /// # Panics
    ///
    /// If there are not exactly [`PARAMETERS`].
    #[must_use]
    pub fn new(parameters: &[i16]) -> Network {
        assert_eq!(parameters.len(), PARAMETERS, "the parameters of the network");
        let weight = |i: usize| f32::from(parameters[i]) / WEIGHT_UNIT;
        let tap = |tap: usize, state: usize, unit: usize| {
            weight(Parameters::LINE + (tap * STATES + state - 1) * LINE + unit)
        };
        let mut halves = vec![[[0.0; LINE]; 2]; HALVES];
        for (code, [before, after]) in halves.iter_mut().enumerate() {
            for distance in 1..=REACH {
                let state = code >> (2 * (distance - 1)) & 3;
                if state > 0 {
                    for unit in 0..LINE {
                        before[unit] += tap(REACH - distance, state, unit);
                        after[unit] += tap(REACH + distance, state, unit);
                    }
                }
            }
        }
        let middle = std::array::from_fn(|state| {
            std::array::from_fn(|unit| {
                let own = if state > 0 { tap(REACH, state, unit) } else { 0.0 };
                weight(Parameters::LINE_BIAS + unit) + own
            })
        });
        let around = |ring: usize| {
            std::array::from_fn(|i| {
                std::array::from_fn(|j| weight(Parameters::AROUND + (ring * FEATURES + i) * HIDDEN + j))
            })
        };
        Network {
            halves,
            middle,
            cell: std::array::from_fn(|i| {
                std::array::from_fn(|j| weight(Parameters::CELL + i * FEATURES + j))
            }),
            cell_bias: std::array::from_fn(|i| weight(Parameters::CELL_BIAS + i)),
            around: (0..RINGS).map(around).collect(),
            around_bias: std::array::from_fn(|i| weight(Parameters::AROUND_BIAS + i)),
            policy: std::array::from_fn(|i| weight(Parameters::POLICY + i)),
            policy_bias: weight(Parameters::POLICY_BIAS),
            mean: std::array::from_fn(|i| std::array::from_fn(|j| weight(Parameters::MEAN + i * VALUE + j))),
            mean_bias: std::array::from_fn(|i| weight(Parameters::MEAN_BIAS + i)),
            value: std::array::from_fn(|i| weight(Parameters::VALUE + i)),
            value_bias: weight(Parameters::VALUE_BIAS),
            lines: (0..CELLS).map(lines_through).collect(),
        }
    }

    /// Whether it knows such boards.
    #[must_use]
    pub fn fits(board: &Board) -> bool {
        let g = board.geometry();
        (g.columns, g.rows, g.k) == (SIZE, SIZE, 6)
    }

    /// What it thinks of the position with `mover` to place two stones.
    pub fn consider(&self, board: &Board, mover: Side, desk: &mut Desk) -> Opinion {
        desk.survey(board, mover);
        desk.features.fill([0.0; FEATURES]);
        for &cell in &desk.known {
            desk.features[padded(cell)] = self.features(cell, &desk.states);
        }
        let mut policy = [UNLIKELY; CELLS];
        let mut sum = [0.0; HIDDEN];
        for &cell in &desk.near {
            let hidden = self.surroundings(padded(cell), &desk.features);
            add(&mut sum, 1.0, &hidden);
            let likely = hidden.iter().zip(&self.policy).map(|(x, w)| x * w);
            policy[usize::from(cell)] = likely.fold(self.policy_bias, |all, part| all + part);
        }
        Opinion { policy, value: self.judge(&sum, desk.near.len()) }
    }

    fn features(&self, cell: u16, states: &[u8; CELLS + 1]) -> [f32; FEATURES] {
        let middle = &self.middle[usize::from(states[usize::from(cell)])];
        let mut units = [0.0; LINE];
        for line in &self.lines[usize::from(cell)] {
            let [before, after] = line.map(|half| {
                let code = |code: usize, &c: &u16| code << 2 | usize::from(states[usize::from(c)]);
                &self.halves[half.iter().rev().fold(0, code)]
            });
            for unit in 0..LINE {
                let forwards = before[0][unit] + middle[unit] + after[1][unit];
                let backwards = before[1][unit] + middle[unit] + after[0][unit];
                units[unit] += forwards.max(0.0) + backwards.max(0.0);
            }
        }
        let mut features = self.cell_bias;
        for (unit, weights) in units.into_iter().zip(&self.cell) {
            let x = rounded(unit);
            if x != 0.0 {
                add(&mut features, x, weights);
            }
        }
        features.map(|x| rounded(x.max(0.0)))
    }

    fn surroundings(&self, at: usize, features: &[[f32; FEATURES]]) -> [f32; HIDDEN] {
        let rings: [&[usize]; RINGS] = [
            &[at],
            &[at - 1, at + 1, at - WIDE, at + WIDE],
            &[at - WIDE - 1, at - WIDE + 1, at + WIDE - 1, at + WIDE + 1],
        ];
        let mut hidden = self.around_bias;
        for (ring, weights) in rings.into_iter().zip(&self.around) {
            let mut sum = [0.0; FEATURES];
            for &cell in ring {
                add(&mut sum, 1.0, &features[cell]);
            }
            for (x, weights) in sum.into_iter().zip(weights).filter(|&(x, _)| x != 0.0) {
                add(&mut hidden, x, weights);
            }
        }
        hidden.map(|x| rounded(x.max(0.0)))
    }

    /// The value, from the sum of so many surroundings.
    fn judge(&self, sum: &[f32; HIDDEN], number: usize) -> f32 {
        let mut units = self.mean_bias;
        for (x, weights) in sum.iter().zip(&self.mean) {
            add(&mut units, x / number.max(1) as f32, weights);
        }
        (0..VALUE).fold(self.value_bias, |v, j| v + units[j].max(0.0) * self.value[j])
    }
}

/// Adds a multiple.
#[inline]
pub fn add<const N: usize>(to: &mut [f32; N], times: f32, what: &[f32; N]) {
    for (sum, x) in to.iter_mut().zip(what) {
        *sum += times * x;
    }
}

/// The board with a border of one cell.
pub const WIDE: usize = SIZE + 2;

/// Where a cell is on it.
#[must_use]
pub fn padded(cell: u16) -> usize {
    let cell = usize::from(cell);
    (cell / SIZE + 1) * WIDE + cell % SIZE + 1
}

/// The cells of the four lines through a cell, before and after it, the nearest first.
#[must_use]
pub fn lines_through(cell: usize) -> [[[u16; REACH]; 2]; 4] {
    let (x, y) = ((cell % SIZE) as i32, (cell / SIZE) as i32);
    [(1, 0), (0, 1), (1, 1), (1, -1)].map(|(dx, dy)| {
        [-1, 1].map(|way| {
            std::array::from_fn(|i| {
                let d = way * (i as i32 + 1);
                let (x, y) = (x + d * dx, y + d * dy);
                let inside = (0..SIZE as i32).contains(&x) && (0..SIZE as i32).contains(&y);
                if inside { (x + SIZE as i32 * y) as u16 } else { CELLS as u16 }
            })
        })
    })
}

/// Room to work in.
pub struct Desk {
    /// Per cell, and off the board.
    pub states: [u8; CELLS + 1],
    /// Cells that have features, and those where the next stones may go.
    pub known: Vec<u16>,
    pub near: Vec<u16>,
    features: Vec<[f32; FEATURES]>,
}

impl Default for Desk {
    fn default() -> Desk {
        let mut states = [0; CELLS + 1];
        states[CELLS] = OUTSIDE;
        Desk { states, known: Vec::new(), near: Vec::new(), features: vec![[0.0; FEATURES]; WIDE * WIDE] }
    }
}

impl Desk {
    /// Reads the board.
    pub fn survey(&mut self, board: &Board, mover: Side) {
        for (cell, state) in self.states[..CELLS].iter_mut().enumerate() {
            *state = board.at(cell as u16).map_or(0, |side| if side == mover { 1 } else { 2 });
        }
        self.locate();
    }

    /// Finds the cells that matter, by the states.
    pub fn locate(&mut self) {
        // Rows as bit sets with a margin.
        let mut stones = [0u32; SIZE + 2 * KNOWN];
        for (cell, &state) in self.states[..CELLS].iter().enumerate() {
            stones[cell / SIZE + KNOWN] |= u32::from(state > 0) << (cell % SIZE + KNOWN);
        }
        let spread = |row: u32, d: usize| (0..=2 * d).fold(0, |all, i| all | row << i) >> d;
        let within =
            |y: usize, d: usize| (y + KNOWN - d..=y + KNOWN + d).fold(0, |all, i| all | spread(stones[i], d));
        self.known.clear();
        self.near.clear();
        for y in 0..SIZE {
            let (known, near) = (within(y, KNOWN), within(y, NEAR));
            for x in 0..SIZE {
                let cell = (x + SIZE * y) as u16;
                if known >> (x + KNOWN) & 1 == 1 {
                    self.known.push(cell);
                }
                if near >> (x + KNOWN) & 1 == 1 && self.states[usize::from(cell)] == 0 {
                    self.near.push(cell);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Geometry;

    /// A board with up to so many stones near the middle.
    fn board<'g>(g: &'g Geometry, rng: &mut fastrand::Rng, stones: usize) -> Board<'g> {
        let mut board = Board::new(g);
        for _ in 0..=rng.usize(..stones) {
            let reach = rng.usize(2..10);
            let cell = g.cell(
                rng.usize(9 - reach.min(9)..=9 + reach.min(9)),
                rng.usize(9 - reach.min(9)..=9 + reach.min(9)),
            );
            if board.is_empty(cell) {
                board.place(cell, if rng.bool() { Side::First } else { Side::Second });
            }
        }
        board
    }

    fn consider(board: &Board, mover: Side) -> Opinion {
        Network::builtin().consider(board, mover, &mut Desk::default())
    }

    #[test]
    fn an_image_gets_the_very_same_numbers() {
        let g = Geometry::new(SIZE, SIZE, 6).unwrap();
        let mut rng = fastrand::Rng::with_seed(11);
        for _ in 0..100 {
            let board = board(&g, &mut rng, 120);
            let opinion = consider(&board, Side::First);
            for n in 0..16 {
                let image = |c: usize| {
                    let (x, y) = (c % SIZE, c / SIZE);
                    let (x, y) = if n & 1 == 1 { (y, x) } else { (x, y) };
                    let x = if n & 2 == 2 { SIZE - 1 - x } else { x };
                    let y = if n & 4 == 4 { SIZE - 1 - y } else { y };
                    g.cell(x, y)
                };
                let recolour = |side: Side| if n & 8 == 8 { side.opponent() } else { side };
                let mut other = Board::new(&g);
                for c in 0..CELLS {
                    if let Some(side) = board.at(c as u16) {
                        other.place(image(c), recolour(side));
                    }
                }
                let again = consider(&other, recolour(Side::First));
                assert_eq!(again.value.to_bits(), opinion.value.to_bits());
                for c in 0..CELLS {
                    assert_eq!(again.policy[usize::from(image(c))].to_bits(), opinion.policy[c].to_bits());
                }
            }
        }
    }

    /// The definition, cell by cell and without tables.
    fn by_definition(parameters: &[i16], board: &Board, mover: Side) -> Opinion {
        let w = |i: usize| f64::from(parameters[i]) / 256.0;
        let round = |x: f64| (64.0 * x).round_ties_even() / 64.0;
        let state = |x: i32, y: i32| {
            let inside = (0..SIZE as i32).contains(&x) && (0..SIZE as i32).contains(&y);
            match inside.then(|| board.at((x + SIZE as i32 * y) as u16)) {
                None => 3,
                Some(None) => 0,
                Some(Some(side)) => {
                    if side == mover {
                        1
                    } else {
                        2
                    }
                }
            }
        };
        let distance = |x: i32, y: i32| {
            let stones = (0..CELLS as i32).filter(|&c| board.at(c as u16).is_some());
            stones.map(|c| (x - c % 19).abs().max((y - c / 19).abs())).min().unwrap_or(99)
        };
        let features = |x: i32, y: i32| -> [f64; FEATURES] {
            if state(x, y) == 3 || distance(x, y) > 3 {
                return [0.0; FEATURES];
            }
            let mut units = [0.0; LINE];
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
                for (unit, sum) in units.iter_mut().enumerate() {
                    let tap = |t: i32| match state(x + (t - 5) * dx, y + (t - 5) * dy) {
                        0 => 0.0,
                        s => w(Parameters::LINE + (t as usize * 3 + s - 1) * LINE + unit),
                    };
                    *sum += ((0..11).map(tap).sum::<f64>() + w(Parameters::LINE_BIAS + unit)).max(0.0);
                }
            }
            std::array::from_fn(|i| {
                let sum: f64 =
                    (0..LINE).map(|u| round(units[u]) * w(Parameters::CELL + u * FEATURES + i)).sum();
                round((sum + w(Parameters::CELL_BIAS + i)).max(0.0))
            })
        };
        let table: Vec<[f64; FEATURES]> = (0..21 * 21).map(|i| features(i % 21 - 1, i / 21 - 1)).collect();
        let (mut policy, mut all, mut number) = ([UNLIKELY; CELLS], [0.0; HIDDEN], 0.0);
        for (c, likely) in policy.iter_mut().enumerate() {
            let (x, y) = ((c % SIZE) as i32, (c / SIZE) as i32);
            if state(x, y) != 0 || distance(x, y) > 2 {
                continue;
            }
            let hidden: [f64; HIDDEN] = std::array::from_fn(|j| {
                let mut sum = w(Parameters::AROUND_BIAS + j);
                for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                    let ring = i32::abs(dx) + i32::abs(dy);
                    let features = &table[((y + dy + 1) * 21 + x + dx + 1) as usize];
                    let weight = |i| w(Parameters::AROUND + (ring as usize * FEATURES + i) * HIDDEN + j);
                    sum += features.iter().enumerate().map(|(i, x)| x * weight(i)).sum::<f64>();
                }
                round(sum.max(0.0))
            });
            let sum: f64 = (0..HIDDEN).map(|j| hidden[j] * w(Parameters::POLICY + j)).sum();
            *likely = (sum + w(Parameters::POLICY_BIAS)) as f32;
            (0..HIDDEN).for_each(|j| all[j] += hidden[j]);
            number += 1.0;
        }
        let value: f64 = (0..VALUE)
            .map(|j| {
                let sum: f64 =
                    (0..HIDDEN).map(|i| all[i] / number * w(Parameters::MEAN + i * VALUE + j)).sum();
                (sum + w(Parameters::MEAN_BIAS + j)).max(0.0) * w(Parameters::VALUE + j)
            })
            .sum();
        Opinion { policy, value: (value + w(Parameters::VALUE_BIAS)) as f32 }
    }

    #[test]
    fn its_numbers_are_those_of_the_definition() {
        let g = Geometry::new(SIZE, SIZE, 6).unwrap();
        let mut rng = fastrand::Rng::with_seed(12);
        // Any weights will do, if they are of the size of real ones.
        let parameters: Vec<i16> = (0..PARAMETERS).map(|_| rng.i16(-90..90)).collect();
        let network = Network::new(&parameters);
        for _ in 0..15 {
            let board = board(&g, &mut rng, 60);
            let opinion = network.consider(&board, Side::Second, &mut Desk::default());
            let expected = by_definition(&parameters, &board, Side::Second);
            assert_eq!(opinion.policy, expected.policy);
            let scale = expected.value.abs().max(1.0);
            assert!(
                (opinion.value - expected.value).abs() < 1e-4 * scale,
                "{} {}",
                opinion.value,
                expected.value
            );
        }
    }

    #[test]
    fn it_prefers_to_have_more() {
        let g = Geometry::new(SIZE, SIZE, 6).unwrap();
        let mut board = Board::new(&g);
        for (x, y, side) in
            [(9, 9, Side::First), (10, 10, Side::First), (9, 11, Side::First), (3, 3, Side::Second)]
        {
            board.place(g.cell(x, y), side);
        }
        let [with, against] = [Side::First, Side::Second].map(|mover| consider(&board, mover).value);
        assert!(with > against, "{with} {against}");
        let likeliest = |mover| {
            let policy = consider(&board, mover).policy;
            (0..CELLS).max_by(|&a, &b| policy[a].total_cmp(&policy[b])).unwrap()
        };
        let at = likeliest(Side::First);
        assert!((7..13).contains(&(at % SIZE)) && (7..14).contains(&(at / SIZE)), "near its stones: {at}");
    }
}
