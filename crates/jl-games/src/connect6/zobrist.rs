//! Keys of a position and of its mirror images, kept up to date stone by stone.
//!
//! A position's key is the exclusive or of one random number per stone, and one more if the second player moves. For
//! each symmetry s of the board, `keys[s]` is the key of the image under s; a stone changes all of them, each by the
//! number of the cell that s moves it to. The orbit's key is then the least of eight numbers, and a symmetry leaves
//! the position as it is if its key is the identity's.
//!
//! The numbers belong to coordinates on a grid of 19×19, whatever the board, and come from a fixed seed: keys may be
//! stored and compared between machines. A test keeps them.

use crate::square::D4;
use jl_value::Player;

/// The longest side of a board.
pub const MAX_SIDE: usize = 19;

/// Numbered as [`D4::ALL`]. On boards that are not square the last four, which transpose, stay 0.
pub(super) type Keys = [u128; D4::ALL.len()];

const SEED: u64 = 0x636f_6e6e_6563_7436;

/// For the first player's stones, then the second's.
static STONES: [[u128; MAX_SIDE * MAX_SIDE]; 2] = {
    let mut table = [[0; MAX_SIDE * MAX_SIDE]; 2];
    let mut i = 0;
    while i < 2 * MAX_SIDE * MAX_SIDE {
        table[i / (MAX_SIDE * MAX_SIDE)][i % (MAX_SIDE * MAX_SIDE)] = random(i as u64);
        i += 1;
    }
    table
};

const SECOND_MOVES: u128 = random(2 * (MAX_SIDE * MAX_SIDE) as u64);

/// The `i`th pair of numbers of splitmix64.
const fn random(i: u64) -> u128 {
    const fn splitmix64(i: u64) -> u64 {
        let z = SEED.wrapping_add((i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    (splitmix64(2 * i) as u128) << 64 | splitmix64(2 * i + 1) as u128
}

/// Adds or removes a stone at column `x`, row `y` of a board of `columns`×`rows`.
pub(super) fn toggle_stone(
    keys: &mut Keys,
    player: Player,
    (columns, rows): (usize, usize),
    x: usize,
    y: usize,
) {
    let table = &STONES[player as usize];
    let (x_, y_) = (columns - 1 - x, rows - 1 - y);
    for (key, (x, y)) in keys.iter_mut().zip([(x, y), (x_, y), (x, y_), (x_, y_)]) {
        *key ^= table[MAX_SIDE * y + x];
    }
    if columns == rows {
        for (key, (x, y)) in keys[4..].iter_mut().zip([(y, x), (y_, x), (y, x_), (y_, x_)]) {
            *key ^= table[MAX_SIDE * y + x];
        }
    }
}

/// Passes the turn to the other player.
pub(super) fn toggle_mover(keys: &mut Keys, symmetries: usize) {
    keys[..symmetries].iter_mut().for_each(|key| *key ^= SECOND_MOVES);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_numbers_are_the_same_for_ever() {
        assert_eq!(STONES[0][0], 0x9967_f656_72ea_157f_4dec_365f_e2eb_a07f);
        assert_eq!(STONES[1][360], 0x4e62_0376_3dd2_041e_cf8b_3add_d193_1c0e);
        assert_eq!(SECOND_MOVES, 0xe91b_4f81_4ad0_c05f_796e_6de8_21d5_b0ee);
    }

    #[test]
    fn the_numbers_differ() {
        let halves: HashSet<u64> = STONES
            .iter()
            .flatten()
            .chain([&SECOND_MOVES])
            .flat_map(|&n| [n as u64, (n >> 64) as u64])
            .collect();
        assert_eq!(halves.len(), 2 * (2 * 361 + 1));
    }
}
