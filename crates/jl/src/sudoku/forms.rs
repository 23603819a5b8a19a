//! `jl sudoku mus`, `random`, `canonical` and `solve`: small questions about grids and puzzles.

use crate::failure::Failure;
use crate::output::say;
use crate::sudoku::args::{CanonicalArgs, MusArgs, RandomArgs, SolvePuzzlesArgs};
use crate::sudoku::{input, some};
use jl_engine_sudoku::solver::{count_solutions, solutions};
use jl_engine_sudoku::unavoidable::minimal_sets;
use jl_engine_sudoku::{Grid, Puzzle, canonical_puzzle, random_grids};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::ExitCode;

pub fn mus(args: &MusArgs) -> Result<ExitCode, Failure> {
    let grid = input::grid(&args.grid)?;
    let sets = minimal_sets(&grid);
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    sets.iter().for_each(|set| *sizes.entry(set.len()).or_default() += 1);
    if args.json {
        let cells: Vec<Vec<usize>> = sets.iter().map(|set| set.iter().collect()).collect();
        let sizes: Vec<Value> =
            sizes.iter().map(|(cells, sets)| json!({ "cells": cells, "sets": sets })).collect();
        let value = json!({ "grid": grid.to_string(), "count": sets.len(), "sizes": sizes, "sets": cells });
        say(&value.to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    say(&some(sets.len(), "minimal unavoidable set"))?;
    say("cells  sets")?;
    sizes.iter().try_for_each(|(size, count)| say(&format!("{size:>5}  {count:>4}")))?;
    Ok(ExitCode::SUCCESS)
}

pub fn random(args: &RandomArgs) -> Result<ExitCode, Failure> {
    random_grids(args.seed).take(args.count).try_for_each(|grid| say(&grid.to_string()))?;
    Ok(ExitCode::SUCCESS)
}

pub fn canonical(args: &CanonicalArgs) -> Result<ExitCode, Failure> {
    let given: Vec<(Puzzle, Grid)> =
        input::read_with(&args.file, "grid or puzzle with one solution", input::solved)?;
    if !args.json {
        given.iter().try_for_each(|(puzzle, grid)| say(&least(puzzle, grid).to_string()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let row = |(puzzle, grid): &(Puzzle, Grid)| {
        let form = jl_engine_sudoku::canonical(grid);
        json!({
            "grid": puzzle.to_string(),
            "canonical": least(puzzle, grid).to_string(),
            "solution": form.grid.to_string(),
            "automorphisms": form.automorphisms,
            "band": form.band + 1,
        })
    };
    say(&json!({ "rows": given.iter().map(row).collect::<Vec<_>>() }).to_string())?;
    Ok(ExitCode::SUCCESS)
}

/// The least form; that of a puzzle with all clues is that of the grid.
fn least(puzzle: &Puzzle, solution: &Grid) -> Puzzle {
    canonical_puzzle(solution, puzzle.clues())
}

pub fn solve(args: &SolvePuzzlesArgs) -> Result<ExitCode, Failure> {
    let puzzles: Vec<Puzzle> = input::read(&args.file, "puzzle")?;
    let mut rows = Vec::new();
    for puzzle in puzzles {
        let first = solutions(&puzzle, 2);
        let count = match first.len() {
            2 if args.limit > 2 => count_solutions(&puzzle, args.limit),
            few => few.min(args.limit),
        };
        // Only what was counted to the end is known to be all.
        let exact = count < args.limit;
        let solution = match first[..] {
            [only] => Some(only.to_string()),
            _ => None,
        };
        if args.json {
            rows.push(json!({ "puzzle": puzzle.to_string(), "solutions": count, "all": exact, "solution": solution }));
        } else {
            say(&format!("{puzzle}  {}", verdict(count, exact, solution.as_deref())))?;
        }
    }
    if args.json {
        say(&json!({ "limit": args.limit, "rows": Value::from(rows) }).to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn verdict(count: usize, exact: bool, solution: Option<&str>) -> String {
    match (count, solution) {
        (0, _) => "no solution".into(),
        (_, Some(solution)) => format!("1 solution: {solution}"),
        (count, None) if exact => format!("{count} solutions"),
        (count, None) => format!("{count} solutions or more"),
    }
}
