//! How long a check takes: the fast algorithm, and the versions of the thesis beside it.
//!
//! `cargo bench -p jl-engine-sudoku` prints tables. The seconds are those of the processor as far as the system tells them,
//! so that other programs on the machine disturb less.

use jl_engine_sudoku::{
    Algorithm, CellSet, Checked, Grid, Limits, Puzzle, check, check_within, processor_seconds, random_grids,
};
use std::time::Instant;

/// Speed-up over V1 in Phase 2, from the thesis, table 3.
const THESIS: [f64; 6] = [1.0, 3.04, 39.43, 89.81, 140.96, 136.67];

fn main() {
    let some: Vec<Grid> = random_grids(1).take(20).collect();
    fast(&some);
    growth(&some[..3]);
    versions();
}

fn fast(grids: &[Grid]) {
    println!("Fast, {} random grids, seconds", grids.len());
    println!("  n     mean   median      max   Phase 1");
    for n in [16, 17] {
        let mut seconds = vec![];
        let mut finding = 0.0;
        for grid in grids {
            let (checked, time) = timed(|| check(grid, n, Algorithm::Fast));
            seconds.push(time);
            finding += time * checked.finding.as_secs_f64() / checked.seconds();
        }
        seconds.sort_by(f64::total_cmp);
        let mean = seconds.iter().sum::<f64>() / grids.len() as f64;
        let (median, most) = (seconds[grids.len() / 2], seconds[grids.len() - 1]);
        println!(" {n} {mean:8.3} {median:8.3} {most:8.3}  {:8.3}", finding / grids.len() as f64);
    }
}

fn growth(grids: &[Grid]) {
    println!("\nFast, {} random grids: growth with n", grids.len());
    println!("  n  seconds      nodes     puzzles   nodes per level of the first grid");
    for n in 14..=18 {
        let (mut seconds, mut nodes, mut puzzles) = (0.0, 0, 0);
        let mut levels = vec![];
        for grid in grids {
            let (checked, time) = timed(|| check(grid, n, Algorithm::Fast));
            seconds += time;
            nodes += checked.nodes();
            puzzles += checked.puzzles.len();
            if levels.is_empty() {
                levels = checked.nodes_per_level;
            }
        }
        let count = grids.len();
        println!(" {n} {:8.3} {:10} {puzzles:11}   {levels:?}", seconds / count as f64, nodes / count as u64);
    }
}

/// The slow versions can be compared where some clues are given: the first ones of a 17-clue puzzle.
fn versions() {
    let extract = include_str!("../tests/data/puzzles17.tsv");
    let grids: Vec<(Grid, CellSet)> = extract.lines().step_by(60).map(given).collect();
    println!("\nPhase 2 of all versions, n = 16, {} grids, {GIVEN} clues given", grids.len());
    println!("        seconds  speed-up   thesis         nodes   nodes per level from {GIVEN} clues on");
    let mut first = 0.0;
    for (version, algorithm) in Algorithm::ALL.into_iter().enumerate() {
        let mut seconds = 0.0;
        let mut levels = [0; 17];
        for &(grid, given) in &grids {
            let limits = Limits { given, ..Limits::default() };
            let (checked, time) = timed(|| check_within(&grid, 16, algorithm, &limits));
            assert!(checked.puzzles.is_empty());
            seconds += time * checked.searching.as_secs_f64() / checked.seconds();
            levels.iter_mut().zip(&checked.nodes_per_level).for_each(|(sum, nodes)| *sum += nodes);
        }
        if version == 0 {
            first = seconds;
        }
        let thesis = THESIS.get(version).map_or(String::new(), f64::to_string);
        let nodes: u64 = levels.iter().sum();
        let (name, ratio) = (format!("{algorithm:?}"), first / seconds);
        println!("  {name:4} {seconds:9.4} {ratio:9.2} {thesis:>8} {nodes:13}   {:?}", &levels[GIVEN..]);
    }
}

const GIVEN: usize = 6;

fn given(line: &str) -> (Grid, CellSet) {
    let mut fields = line.split('\t');
    let grid = fields.next().unwrap().parse().unwrap();
    let puzzle: Puzzle = fields.nth(1).unwrap().parse().unwrap();
    (grid, puzzle.clues().iter().take(GIVEN).collect())
}

fn timed(run: impl FnOnce() -> Checked) -> (Checked, f64) {
    let (wall, processor) = (Instant::now(), processor_seconds());
    let checked = run();
    let seconds = match (processor, processor_seconds()) {
        (Some(before), Some(after)) => after - before,
        _ => wall.elapsed().as_secs_f64(),
    };
    (checked, seconds)
}
