//! Bands whose columns hold given digits.
//!
//! The columns of a stack hold nine different digits, so in the top row only the stacks can clash, and what the first
//! two leave must be one digit of each column of the third. With the top row chosen, each column has two digits left
//! and each digit two columns: rings of columns. Around a ring the choice in one column decides the others, so a ring
//! has two ways and no dead end.

/// What each of the nine columns holds, as sets of the digits 0 to 8.
pub(crate) type ColumnSets = [u16; 9];

/// Visits every band with these columns whose rows ascend by their first digits, in the order of their strings, as
/// long as `visit` says so.
pub(crate) fn for_each(columns: &ColumnSets, visit: &mut impl FnMut(&[[u8; 9]; 3]) -> bool) -> bool {
    let mut holders = [0; 9];
    for (column, &set) in columns.iter().enumerate() {
        Digits(set).for_each(|digit| holders[digit as usize] ^= column as u8);
    }
    let lowest = columns[0] & columns[0].wrapping_neg();
    for a in Bits(lowest) {
        for b in Bits(columns[1]) {
            for c in Bits(columns[2]) {
                let free = !(a | b | c);
                for d in Bits(columns[3] & free) {
                    for e in Bits(columns[4] & free) {
                        for f in Bits(columns[5] & free) {
                            let rest = 0o777 & free & !(d | e | f);
                            let [g, h, i] = [6, 7, 8].map(|column| columns[column] & rest);
                            if g != 0 && h != 0 && i != 0 {
                                let top = [a, b, c, d, e, f, g, h, i];
                                if !below(columns, &holders, &top, visit) {
                                    return false;
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    true
}

/// How many bands [`for_each`] visits.
pub(crate) fn count(columns: &ColumnSets) -> usize {
    let mut count = 0;
    for_each(columns, &mut |_| {
        count += 1;
        true
    });
    count
}

/// Visits the bands with this top row. `holders` has the three columns that hold a digit, by exclusive or: less two of
/// them, the third is left.
#[inline]
fn below(
    columns: &ColumnSets,
    holders: &[u8; 9],
    top: &ColumnSets,
    visit: &mut impl FnMut(&[[u8; 9]; 3]) -> bool,
) -> bool {
    let mut rows = [[0; 9]; 3];
    let mut holders = *holders;
    let mut pairs = [0; 9];
    for column in 0..9 {
        let digit = top[column].trailing_zeros() as u8;
        rows[0][column] = digit;
        holders[digit as usize] ^= column as u8;
        pairs[column] = columns[column] ^ top[column];
    }
    let mut rings = [0u16; 4];
    let mut count = 0;
    let mut left = 0o777u16;
    while left != 0 {
        let start = left.trailing_zeros() as usize;
        let mut ring = 0;
        let mut column = start;
        let mut digit = pairs[start] & pairs[start].wrapping_neg();
        loop {
            let other = pairs[column] ^ digit;
            rows[1][column] = digit.trailing_zeros() as u8;
            rows[2][column] = other.trailing_zeros() as u8;
            ring |= 1 << column;
            column = (holders[rows[2][column] as usize] ^ column as u8) as usize;
            digit = other;
            if column == start {
                break;
            }
        }
        rings[count] = ring;
        count += 1;
        left &= !ring;
    }
    // The first column's ring stays as it is, for there the second row has the lower digit. Of the others the first
    // turns last, which is the order of the strings.
    let turning = &rings[1..count];
    for turn in 0..1 << turning.len() {
        if turn > 0 {
            let changed = turn ^ (turn - 1);
            for (i, ring) in turning.iter().rev().enumerate() {
                if changed >> i & 1 == 1 {
                    let [_, second, third] = &mut rows;
                    Digits(*ring).for_each(|column| {
                        std::mem::swap(&mut second[column as usize], &mut third[column as usize])
                    });
                }
            }
        }
        if !visit(&rows) {
            return false;
        }
    }
    true
}

/// The members of a set, each as a set of its own.
struct Bits(u16);

impl Iterator for Bits {
    type Item = u16;

    #[inline]
    fn next(&mut self) -> Option<u16> {
        let lowest = self.0 & self.0.wrapping_neg();
        self.0 ^= lowest;
        (lowest != 0).then_some(lowest)
    }
}

/// The members of a set.
pub(crate) struct Digits(pub u16);

impl Iterator for Digits {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let digit = self.0.trailing_zeros() as u8;
        (self.0 != 0).then(|| {
            self.0 &= self.0 - 1;
            digit
        })
    }
}
