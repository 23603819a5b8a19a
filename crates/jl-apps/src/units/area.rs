//! What a project is about: a slice of the catalogue, or a sample of all of it.

use super::PROGRAM;
use jl_engine_sudoku::{Draw, catalogue};
use serde::{Deserialize, Serialize};

/// What to check, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    pub clues: usize,
    /// Of a slice, how many grids make a unit.
    pub unit: u64,
    /// Whether two jobs have to agree on each unit.
    pub twice: bool,
    /// How often a unit may fail and be tried again.
    pub retries: u32,
}

/// Which grids.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Area {
    /// So many grids from a place of a start on.
    Slice {
        start: usize,
        place: u64,
        count: u64,
        /// The numbers of grids of the starts from the first one on; of the last, only up to the end of the slice.
        starts: Vec<u64>,
    },
    /// Random grids of all parts of the catalogue, each a unit.
    Sample {
        parts: usize,
        seed: u64,
        /// Part, start and place of each.
        draws: Vec<(usize, usize, u64)>,
    },
}

impl Area {
    #[must_use]
    pub fn sample(parts: usize, seed: u64, draws: &[Draw]) -> Area {
        let draws = draws.iter().map(|draw| (draw.part, draw.start, draw.place as u64)).collect();
        Area::Sample { parts, seed, draws }
    }

    pub fn grids(&self) -> u64 {
        match self {
            Area::Slice { count, .. } => *count,
            Area::Sample { draws, .. } => draws.len() as u64,
        }
    }

    /// Why there can be no such project, if there can't.
    fn check(&self) -> Result<(), String> {
        match self {
            Area::Slice { start, place, count, starts } => {
                let sum = starts.iter().try_fold(0u64, |sum, grids| sum.checked_add(*grids));
                if *count == 0 || starts.is_empty() || starts.contains(&0) {
                    return Err("a slice has grids".into());
                }
                if sum != place.checked_add(*count) || *place >= starts[0] {
                    return Err("the grids of its starts do not add up to its own".into());
                }
                within(*start, starts.len())
            }
            Area::Sample { parts, draws, .. } => {
                if draws.is_empty() || *parts == 0 {
                    return Err("a sample has grids".into());
                }
                if draws.iter().any(|(part, ..)| part >= parts) {
                    return Err(format!("a sample of {parts} parts has no grids of others"));
                }
                draws.iter().try_for_each(|(_, start, _)| within(*start, 1))
            }
        }
    }
}

/// So many starts must be there from this one on.
fn within(start: usize, count: usize) -> Result<(), String> {
    match start.checked_add(count) {
        Some(end) if end <= catalogue::STARTS => Ok(()),
        _ => Err(format!("the catalogue has {} starts", catalogue::STARTS)),
    }
}

/// What the run is about, as the store keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Parameters {
    pub game: String,
    /// What is checked, in words.
    pub moves: String,
    search: SearchName,
    pub clues: usize,
    pub unit: u64,
    pub twice: bool,
    pub retries: u32,
    pub area: Area,
}

/// `jl runs` shows it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SearchName {
    name: String,
}

impl Parameters {
    #[must_use]
    pub fn new(plan: Plan, area: Area) -> Parameters {
        let Plan { clues, unit, twice, retries } = plan;
        let what = match &area {
            Area::Slice { start, place: 0, count, .. } => format!("{} from start {start} on", grids(*count)),
            Area::Slice { start, place, count, .. } => {
                format!("{} from start {start}, place {place} on", grids(*count))
            }
            Area::Sample { parts, draws, .. } => {
                format!("a sample of {} of {parts} parts", grids(draws.len() as u64))
            }
        };
        let again = if twice { ", twice" } else { "" };
        let unit = if matches!(area, Area::Sample { .. }) { 1 } else { unit };
        Parameters {
            game: PROGRAM.into(),
            moves: format!("{what}, {clues} clues{again}"),
            search: SearchName { name: "units".into() },
            clues,
            unit,
            twice,
            retries,
            area,
        }
    }

    /// Why there can be no such project, if there can't: what is read from a file may have been written by anyone.
    pub fn check(&self) -> Result<(), String> {
        if self.game != PROGRAM {
            return Err(format!("its game is {}", self.game));
        }
        if !(1..=81).contains(&self.clues) {
            return Err(format!("a puzzle has 1 to 81 clues, not {}", self.clues));
        }
        if self.unit == 0 || matches!(self.area, Area::Sample { .. }) && self.unit != 1 {
            return Err(format!("a unit can't have {} grids", self.unit));
        }
        if usize::try_from(self.area.grids().div_ceil(self.unit)).is_err() {
            return Err("it has too many units".into());
        }
        self.area.check()
    }

    pub fn grids(&self) -> u64 {
        self.area.grids()
    }

    pub fn units(&self) -> usize {
        self.grids().div_ceil(self.unit) as usize
    }
}

fn grids(count: u64) -> String {
    if count == 1 { "1 grid".into() } else { format!("{count} grids") }
}

/// Where a unit begins, and how many grids it has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Slice {
    pub start: usize,
    pub place: u64,
    pub grids: u64,
}

/// The units of an area by their numbers.
pub(super) enum Slices {
    /// The grids before each start, from the first one on.
    Even {
        start: usize,
        place: u64,
        count: u64,
        unit: u64,
        before: Vec<u64>,
    },
    Drawn(Vec<Slice>),
}

impl Slices {
    /// Of parameters that were checked.
    pub fn new(parameters: &Parameters) -> Slices {
        match &parameters.area {
            Area::Slice { start, place, count, starts } => {
                let before = starts.iter().scan(0, |sum, grids| {
                    *sum += grids;
                    Some(*sum - grids)
                });
                Slices::Even {
                    start: *start,
                    place: *place,
                    count: *count,
                    unit: parameters.unit,
                    before: before.collect(),
                }
            }
            Area::Sample { draws, .. } => Slices::Drawn(
                draws.iter().map(|&(_, start, place)| Slice { start, place, grids: 1 }).collect(),
            ),
        }
    }

    pub fn get(&self, number: usize) -> Slice {
        match self {
            Slices::Even { start, place, count, unit, before } => {
                let done = number as u64 * unit;
                let from = place + done;
                let nth = before.partition_point(|before| *before <= from) - 1;
                Slice { start: start + nth, place: from - before[nth], grids: (*unit).min(count - done) }
            }
            Slices::Drawn(slices) => slices[number],
        }
    }
}
