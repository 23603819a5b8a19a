//! Tries the threat searches on a file of positions: `probe FILE double|single NODES`.
use jl_engine_connect6::attack::{Force, Found, Solver};
use jl_engine_connect6::limits::{Clock, Limits};
use jl_engine_connect6::*;
use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let force = if args[2] == "double" { Force::Double } else { Force::Single };
    let nodes: u64 = args[3].parse().unwrap();
    let g = Geometry::new(19, 19, 6).unwrap();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let (mut solved, mut total, mut all) = (0, 0, 0);
    let start = Instant::now();
    for line in text.lines().skip(1) {
        let f: Vec<&str> = line.split('\t').collect();
        if args.len() > 4 && f[0] != args[4] { continue; }
        let mut board = Board::new(&g);
        let mut side = Side::First;
        for turn in f[2].split('-') {
            for s in turn.as_bytes().chunks(2) {
                board.place(g.cell(usize::from(s[0] - b'A'), usize::from(s[1] - b'A')), side);
            }
            side = side.opponent();
        }
        let mut clock = Clock::new(Limits { nodes: Some(nodes), ..Limits::default() });
        let t = Instant::now();
        let found = Solver::new(side, 64 << 20).search(&mut board, force, &mut clock);
        let found = if matches!(found, Found::Win(_)) || args.len() < 6 { found } else {
            let effort = jl_engine_connect6::verify::Effort { double: 1000, null: args[5].parse().unwrap(), seminull: args[5].parse().unwrap(), pair: args[5].parse().unwrap() };
            let mut clock = Clock::new(Limits::default());
            let mut solver = Solver::new(side, 64 << 20);
            match jl_engine_connect6::quiet::quiet_win(&mut solver, &mut board, effort, 100, &mut clock) { Some(p) => { println!("quiet {} nodes", clock.nodes()); Found::Win(p) } , None => { println!("no quiet {} nodes", clock.nodes()); found } }
        };
        total += 1;
        all += clock.nodes();
        let text = match &found {
            Found::Win(plan) => { solved += 1; format!("win kind {:?} length {} zone {}", plan.kind, plan.length, plan.zone.reach(&g).len()) }
            Found::Nothing => "nothing".into(),
            Found::Unknown => "unknown".into(),
        };
        if total <= 20 || !matches!(found, Found::Win(_)) {
            println!("{} {} nodes {} {:.2} ms", f[0], text, clock.nodes(), t.elapsed().as_secs_f64() * 1e3);
        }
    }
    println!("{solved}/{total} nodes {all} {:.3} s, {:.0} nodes/s", start.elapsed().as_secs_f64(), all as f64 / start.elapsed().as_secs_f64());
}
