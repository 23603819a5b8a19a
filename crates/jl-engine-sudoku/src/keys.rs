//! A band as a number, so that its class is a matter of looking it up.
//!
//! Name the digits after their places in the first box, and sort the columns of the other two boxes by their top digit:
//! what is left is which digits are in which small row (56 ways) and the orders of four small rows, two for each box.
//!
//! ```text
//! 012 | abc | jkl
//! 345 | def | mno     key = (pattern × 36 + code of box 2) × 36 + code of box 3
//! 678 | ghi | pqr     pattern: {abc}, {def}, {ghi}; code of box 2: the orders of def and ghi, where a < b < c
//! ```

use crate::bands::{ORDERS, Rows};
use crate::fills::Digits;
use std::sync::LazyLock;

/// How many keys there are.
pub(crate) const KEYS: usize = 56 * 36 * 36;

/// The place of the order of three numbers in [`ORDERS`], by which of them are greater than which.
#[inline]
const fn comparisons(a: u8, b: u8, c: u8) -> usize {
    (a > b) as usize | ((a > c) as usize) << 1 | ((b > c) as usize) << 2
}

/// The places in [`ORDERS`] for the results of [`comparisons`]; two cannot be.
const RANKS: [u8; 8] = [0, 2, 0, 4, 1, 0, 3, 5];

/// For the comparisons of the three small rows of a box, the orders of the second and the third after the columns
/// are sorted by the first, as one number below 36.
static BOX_CODES: [u8; 512] = {
    const fn ranks(code: usize, row: usize) -> [usize; 3] {
        ORDERS[RANKS[code >> (3 * row) & 7] as usize]
    }
    const fn order(code: usize, row: usize) -> u8 {
        let mut sorted = [0; 3];
        let mut column = 0;
        while column < 3 {
            sorted[ranks(code, 0)[column]] = ranks(code, row)[column] as u8;
            column += 1;
        }
        RANKS[comparisons(sorted[0], sorted[1], sorted[2])]
    }
    let mut codes = [0; 512];
    let mut code = 0;
    while code < 512 {
        codes[code] = order(code, 1) * 6 + order(code, 2);
        code += 1;
    }
    codes
};

/// Which of the 56 ways to share the digits out over the small rows of boxes 2 and 3: by the digits of the first
/// and second small row of box 2.
static PATTERNS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut patterns = vec![u8::MAX; 1 << 12];
    let ways = patterns_in_order();
    ways.iter().enumerate().for_each(|(i, sets)| patterns[pattern_key(sets[0], sets[1])] = i as u8);
    patterns
});

/// The three small rows of box 2 as sets of digits, for each of the 56 patterns.
fn patterns_in_order() -> Vec<[u16; 3]> {
    let triples = || (0..512u16).filter(|set| set.count_ones() == 3);
    let mut ways = Vec::new();
    for a in triples().filter(|a| a & 0o007 == 0) {
        for b in triples().filter(|b| b & 0o070 == 0 && a & b == 0) {
            let c = 0o777 & !(a | b);
            if c & 0o700 == 0 {
                ways.push([a, b, c]);
            }
        }
    }
    ways
}

/// The first small row has nothing of the first three digits and the second nothing of the next three.
fn pattern_key(first: u16, second: u16) -> usize {
    usize::from(first >> 3) << 6 | usize::from(second & 7 | second >> 3 & 0o70)
}

/// The part of a key that boxes 1 and 2 make: all of it but the code of box 3. `labels` are the places of the
/// digits in box 1, the rest is box 2.
#[inline]
pub(crate) fn key_base(labels: &[u8; 9], box2: &[[u8; 3]; 3]) -> usize {
    let set = |row: &[u8; 3]| {
        1u16 << labels[row[0] as usize] | 1 << labels[row[1] as usize] | 1 << labels[row[2] as usize]
    };
    let pattern = PATTERNS[pattern_key(set(&box2[0]), set(&box2[1]))] as usize;
    (pattern * 36 + box_code(labels, box2)) * 36
}

/// The orders of the small rows of a box, as its part of a key.
#[inline(always)]
pub(crate) fn box_code(labels: &[u8; 9], digits: &[[u8; 3]; 3]) -> usize {
    let label = |row: usize, column: usize| labels[digits[row][column] as usize];
    let row = |row: usize| comparisons(label(row, 0), label(row, 1), label(row, 2));
    BOX_CODES[row(0) | row(1) << 3 | row(2) << 6] as usize
}

/// The places of the digits in a box.
#[inline]
pub(crate) fn box_labels(box1: &[[u8; 3]; 3]) -> [u8; 9] {
    let mut labels = [0; 9];
    for row in 0..3 {
        for column in 0..3 {
            labels[box1[row][column] as usize] = (3 * row + column) as u8;
        }
    }
    labels
}

/// The key of a band.
#[inline]
pub(crate) fn key(band: [&[u8; 9]; 3]) -> usize {
    let part = |from: usize| {
        let row = |row: usize| [band[row][from], band[row][from + 1], band[row][from + 2]];
        [row(0), row(1), row(2)]
    };
    let labels = box_labels(&part(0));
    key_base(&labels, &part(3)) + box_code(&labels, &part(6))
}

/// The key of a band, and the order of its columns that the key is about.
pub(crate) fn normal(band: [&[u8; 9]; 3]) -> (usize, [u8; 9]) {
    let labels = box_labels(&band.map(|row| [row[0], row[1], row[2]]));
    let mut columns = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    for stack in columns[3..].chunks_mut(3) {
        stack.sort_unstable_by_key(|&column| labels[band[0][column as usize] as usize]);
    }
    (key(band), columns)
}

/// A band with this key.
pub(crate) fn band(key: usize) -> Rows {
    let [_, b2, c2, b3, c3] = [1296, 216, 36, 6, 1].map(|unit| ORDERS[key / unit % 6]);
    let box2 = patterns_in_order()[key / 1296];
    let mut band = [[0, 1, 2, 0, 0, 0, 0, 0, 0], [3, 4, 5, 0, 0, 0, 0, 0, 0], [6, 7, 8, 0, 0, 0, 0, 0, 0]];
    for (row, (order2, order3)) in [(ORDERS[0], ORDERS[0]), (b2, b3), (c2, c3)].into_iter().enumerate() {
        let set2 = Digits(box2[row]).collect::<Vec<u8>>();
        let set3 = Digits(0o777 & !box2[row] & !(7 << (3 * row))).collect::<Vec<u8>>();
        for column in 0..3 {
            band[row][3 + column] = set2[order2[column]];
            band[row][6 + column] = set3[order3[column]];
        }
    }
    band
}
