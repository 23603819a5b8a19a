//! What the board, the threat searches, the verifier and alpha–beta cost: `cargo bench -p jl-engine-connect6`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use jl_engine_connect6::attack::{Force, Solver};
use jl_engine_connect6::limits::{Clock, Limits};
use jl_engine_connect6::search::{Memory, Options, Request, search};
use jl_engine_connect6::verify::{Effort, verify};
use jl_engine_connect6::{Board, Geometry, Side, Threats};
use std::hint::black_box;

/// A middle game in which the side to move wins by double threats.
const WON: &str = "JJ-JIKL-KILH-HLGL-KHMH-FLEL-DLJL-NHKJ";
/// One that takes long.
const HARD: &str = "JJ-IHHI-KKLJ-GJJG-FKKF-HJHK";
/// White to move would lose to double threats after a pass.
const PRESSED: &str = "JJ-JIKL-KILH-HLGL-KHMH-FLEL-DLJL";

fn position<'g>(g: &'g Geometry, moves: &str) -> (Board<'g>, Side) {
    let mut board = Board::new(g);
    let mut side = Side::First;
    for turn in moves.split('-') {
        for stone in turn.as_bytes().chunks(2) {
            board.place(g.cell(usize::from(stone[0] - b'A'), usize::from(stone[1] - b'A')), side);
        }
        side = side.opponent();
    }
    (board, side)
}

fn clock(nodes: u64) -> Clock {
    Clock::new(Limits { nodes: Some(nodes), ..Limits::default() })
}

fn board(c: &mut Criterion) {
    let g = Geometry::new(19, 19, 6).expect("Connect6's board");
    let (mut board, side) = position(&g, WON);
    let empty: Vec<u16> = (0..361).filter(|&cell| board.is_empty(cell)).collect();
    let mut next = 0;
    c.bench_function("place and remove a stone", |b| {
        b.iter(|| {
            let cell = empty[next % empty.len()];
            next += 7;
            board.place(black_box(cell), side);
            board.remove(black_box(cell), side);
        });
    });
    c.bench_function("count the threats", |b| b.iter(|| Threats::of(black_box(&board), side.opponent())));
}

fn threats(c: &mut Criterion) {
    const NODES: u64 = 50_000;
    let g = Geometry::new(19, 19, 6).expect("Connect6's board");
    let (mut won, side) = position(&g, WON);
    c.bench_function("find a win by double threats", |b| {
        b.iter(|| Solver::new(side, 1 << 20).search(&mut won, Force::Double, &mut clock(100_000)));
    });
    let (mut pressed, side) = position(&g, PRESSED);
    c.bench_function("verify a position with a null-move win", |b| {
        b.iter(|| {
            let mut solver = Solver::new(side.opponent(), 1 << 22);
            verify(&mut solver, &mut pressed, Effort::default(), true, &mut clock(10_000_000))
        });
    });
    let (mut hard, side) = position(&g, HARD);
    let mut group = c.benchmark_group("nodes");
    group.throughput(Throughput::Elements(NODES)).sample_size(10);
    group.bench_function("threat search", |b| {
        b.iter(|| Solver::new(side, 1 << 24).search(&mut hard, Force::Single, &mut clock(NODES)));
    });
    for (name, options) in [
        ("alpha-beta", Options::default().without_threats()),
        ("alpha-beta with threat searches", Options::default()),
    ] {
        let (prohibited, refuting) = (&[], &[]);
        let request =
            Request { mover: side, stones: 2, prohibited, only: None, refuting, seed: 0, options, thread: 0 };
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut memory = Memory::new(1 << 24, 1 << 22);
                search(&mut hard, &request, &mut memory, &mut clock(NODES))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, board, threats);
criterion_main!(benches);
