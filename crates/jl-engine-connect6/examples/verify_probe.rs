//! Tries the verifier on a file of positions: `verify_probe FILE SINGLE`.
use jl_engine_connect6::attack::Solver;
use jl_engine_connect6::limits::{Clock, Limits};
use jl_engine_connect6::verify::{Effort, verify};
use jl_engine_connect6::*;
use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let scale: u64 = args[2].parse().unwrap();
    let g = Geometry::new(19, 19, 6).unwrap();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    for line in text.lines().skip(1) {
        let f: Vec<&str> = line.split('\t').collect();
        if args.len() > 3 && f[0] != args[3] { continue; }
        let mut board = Board::new(&g);
        let mut side = Side::First;
        for turn in f[2].split('-') {
            for s in turn.as_bytes().chunks(2) {
                board.place(g.cell(usize::from(s[0] - b'A'), usize::from(s[1] - b'A')), side);
            }
            side = side.opponent();
        }
        let mut clock = Clock::new(Limits::default());
        let t = Instant::now();
        let mut solver = Solver::new(side.opponent(), 64 << 20);
        let effort = Effort { double: 3000, null: 20000*scale, seminull: 3000 * scale, pair: 1000 * scale };
        let v = verify(&mut solver, &mut board, effort, true, &mut clock);
        let floats = |n| v.branches.iter().filter(|b| b.floats == n).count();
        println!("{} open {:?} null {:?} semis {} pairs {} nodes {} {:.1} ms", f[0], v.open.as_ref().map(|o| o.len()),
            v.branches.iter().find(|b| b.floats == 2).map(|b| (b.plan.kind, b.plan.zone.reach(&g).len())), floats(1), floats(0), clock.nodes(), t.elapsed().as_secs_f64() * 1e3);
    }
}
