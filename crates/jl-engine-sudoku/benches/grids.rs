//! Least forms, grids of the catalogue and random grids per second.

use jl_engine_sudoku::{Grid, Symmetry, canonical, catalogue, random_grids};
use std::hint::black_box;
use std::time::Instant;

fn report(what: &str, count: usize, run: impl FnOnce()) {
    let start = Instant::now();
    run();
    println!("{what}: {:.0} per second", count as f64 / start.elapsed().as_secs_f64());
}

fn main() {
    let start = Instant::now();
    black_box(random_grids(0).next());
    println!("tables: {:.0?}, once", start.elapsed());

    let mut grids: Vec<Grid> = Vec::new();
    report("random grids", 10_000, || grids = random_grids(1).take(10_000).collect());

    let mut rng = fastrand::Rng::with_seed(2);
    let moved: Vec<Grid> = grids.iter().map(|grid| Symmetry::random(&mut rng).grid(grid)).collect();
    report("least forms", 10 * moved.len(), || {
        for grid in (0..10).flat_map(|_| &moved) {
            black_box(canonical(grid));
        }
    });

    for band in [5, 99, 199, 299] {
        let starts: Vec<_> = catalogue::starts_of_band(band).iter().step_by(50).collect();
        let count = starts.iter().map(|start| start.count()).sum();
        report(&format!("grids of the catalogue in band {}", band + 1), count, || {
            starts.iter().for_each(|start| start.for_each(|grid| black_box(grid) == grid));
        });
    }
}
