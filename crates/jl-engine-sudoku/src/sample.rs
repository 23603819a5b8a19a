//! Random grids of the catalogue by address, as many of each part of it.

use crate::catalogue::{GRIDS, Start, band_of_start, first_start_of_band, grids_of_band, starts_of_band};
use crate::{Grid, random_grids};

/// A grid that was drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Draw {
    pub part: usize,
    pub start: usize,
    pub place: usize,
}

/// So many random grids, in order, as many of each part of the catalogue as of any other as far as their number allows. The
/// same for the same seed. `None` if `more` says in between that it shall end.
///
/// Each grid of a part is as likely as any other. The parts consist of whole starts and are nearly, not exactly, of one size:
/// see [`part_of_start`].
pub fn sample(
    count: usize,
    parts: usize,
    seed: u64,
    mut more: impl FnMut(usize) -> bool,
) -> Option<Vec<Draw>> {
    let share = |part: usize| count * part / parts;
    let mut wanted: Vec<usize> = (0..parts).map(|part| share(part + 1) - share(part)).collect();
    let mut draws = Vec::new();
    let mut grids = random_grids(seed);
    while draws.len() < count {
        if !more(draws.len()) {
            return None;
        }
        let grid = grids.next()?;
        let part = part_of_grid(&grid, parts)?;
        if wanted[part] > 0 {
            wanted[part] -= 1;
            let (start, place) = Start::of_grid(&grid)?;
            draws.push(Draw { part, start: start.number(), place });
        }
    }
    draws.sort_unstable();
    Some(draws)
}

fn part_of_grid(grid: &Grid, parts: usize) -> Option<usize> {
    Some(part_of_start(Start::beginning(grid)?.number(), parts))
}

/// The part of the catalogue, of so many, that a start is in. The number of grids before its band is exact; within the band it
/// is as if all starts had the same number of grids.
#[must_use]
pub fn part_of_start(number: usize, parts: usize) -> usize {
    let band = band_of_start(number).expect("the catalogue has this start");
    let before: u64 = (0..band).map(grids_of_band).sum();
    let (nth, starts) = ((number - first_start_of_band(band)) as u64, starts_of_band(band).len() as u64);
    // The middle of the start, in halves.
    let middle = 2 * before + grids_of_band(band) * (2 * nth + 1) / starts;
    (u128::from(middle) * parts as u128 / u128::from(2 * GRIDS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{self, STARTS};

    #[test]
    fn a_sample_has_as_many_grids_of_each_part() {
        let draws = sample(6, 3, 5, |_| true).unwrap();
        assert_eq!(draws.iter().map(|draw| draw.part).collect::<Vec<_>>(), [0, 0, 1, 1, 2, 2]);
        assert!(draws.is_sorted());
        for draw in &draws {
            assert_eq!(part_of_start(draw.start, 3), draw.part);
            let grid = catalogue::slice(draw.start, draw.place, 1)[0];
            let (start, place) = Start::of_grid(&grid).unwrap();
            assert_eq!((start.number(), place), (draw.start, draw.place));
        }
        assert_eq!(sample(6, 3, 5, |_| true).unwrap(), draws);
        assert_ne!(sample(6, 3, 6, |_| true).unwrap(), draws);
        assert_eq!(sample(6, 3, 5, |drawn| drawn < 2), None);
    }

    #[test]
    fn the_parts_follow_each_other() {
        assert_eq!((part_of_start(0, 52), part_of_start(STARTS - 1, 52)), (0, 51));
        let bands = [1, 5, 40, 90];
        let parts: Vec<usize> = bands.iter().map(|&b| part_of_start(first_start_of_band(b), 52)).collect();
        assert!(parts.is_sorted() && parts[3] > 10, "{parts:?}");
    }
}
