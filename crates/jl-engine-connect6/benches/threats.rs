//! What the board and the threat search cost: `cargo bench -p jl-engine-connect6`.

use criterion::{Criterion, criterion_group, criterion_main};
use jl_engine_connect6::{Board, Geometry, Side, Threats, Vcdt};
use std::hint::black_box;

/// A middle game in which the side to move wins by double threats.
const WON: &str = "JJ-JIKL-KILH-HLGL-KHMH-FLEL-DLJL-NHKJ";

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

fn threats(c: &mut Criterion) {
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
    c.bench_function("find a win by double threats", |b| {
        b.iter(|| Vcdt::new(&mut board, side, 100_000).search(20));
    });
}

criterion_group!(benches, threats);
criterion_main!(benches);
