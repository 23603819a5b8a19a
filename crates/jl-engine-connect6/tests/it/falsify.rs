//! Positions of real games on 19×19 about which the verifier says that all other replies lose.

use crate::boards::{clock, empties, random_pair, read, stones};
use crate::checker::Checker;
use crate::minimax::with;
use jl_engine_connect6::attack::{Force, Found, Solver};
use jl_engine_connect6::verify::{Effort, Verified, verify};
use jl_engine_connect6::{Board, Geometry, Side};

/// The side to move has few replies that may hold, or none.
const POSITIONS: [&str; 14] = [
    "JJ-LHHH-JIKJ-IHJH-KHJK-GHJL-FHKI",
    "JJ-LHHH-JIKJ-IHJH-KHJK-EHJN-GHGI",
    "JJ-HLIH-LJKK-HJHK-HHII-FFLL-JLJK",
    "JJ-HLIH-LJKK-HJHK-HHLL-IIIJ-LILK-LGLM",
    "JJ-HLIH-LJKK-HJHI-JLHK",
    "JJ-JIKJ-KKLK-LIJK-MHMI-ILIJ",
    "JJ-JIKJ-IHKI-JHLH-IJIK-IIIL-HJGJ",
    "JJ-KHLI-JGIH-KIJI-HIGJ-FKKF-IJHJ-KJFJ-KGJK-MINI-IIOI",
    "JJ-IKKK-MKLJ-JHHJ-GKGI-GHHH-IHHI-EIFH-GJFK-ELJG-EKCK-DKDH-EHDJ-GMIL-GNIN-HGIF",
    "JJ-KKJH-IKHJ-JLHL-LJIL-IMKJ-KIGK-HNLH-GOKH-GMJI-IHFL-HMJM-EMKM-DNIN-HOFN-JOKP-FKLQ",
    "JJ-IKLJ-KKLL-MMKL-IIJL-HHJI-IMHN-GOHM-JKJM-JOKN-IPLM-HOIO-KOFO-GLIN-KPFK-IJHK-KHFM-HIHJ-HGHL-GHFG-EFFL-FNFH-JPHP-GPLP",
    "JJ-JKIJ-KJLK-IHHI-GHHK-GJFK-ELJG-IIIG-IFIK-JIKI-GILI-JHHF-GEMK-HJGK-KGEM-EJKL-FJMN-GLHM-INCH-ILGN-FOGO-HLJL-FLLL",
    "JJ-IILJ-KILH-IKIJ-MGKG-NFIG-IHIL-KJJH-MINJ-JFOK-MHMF-MEMK-LDNK-NHJK-HKHI-GJJG-JDIM-HLKD-JMKN-LOGI-KMLM-NMHM-MLIN-OJIP-JNLN-MNHN-KOKP-KQKL-JPIQ-HRNL-JOJQ-JRJL",
    "JJ-KIKJ-KKJL-JKLL-ILII-IJIM-KLHL-GLHM-KMHJ-INFK-EJKP-KNGK-IKGJ-LNGI-FJJN-DJGM",
];

fn finds_the_win(board: &mut Board, attacker: Side) -> bool {
    let mut solver = Solver::new(attacker, 1 << 20);
    [Force::Double, Force::Single]
        .into_iter()
        .any(|force| matches!(solver.search(board, force, &mut clock(5_000)), Found::Win(_)))
}

/// Plays replies that are not listed; how many.
fn falsify(board: &mut Board, attacker: Side, verified: &Verified, rng: &mut fastrand::Rng) -> usize {
    let open = verified.open.as_ref().unwrap();
    let defender = attacker.opponent();
    let cells = empties(board);
    let mut checker = Checker::new(rng.u64(..), &[8, 3, 2]);
    let mut played = 0;
    for i in 0..400 {
        let Some(reply) = random_pair(board, defender, &cells, rng) else { continue };
        if open.contains(&reply) {
            continue;
        }
        let g = board.geometry();
        if verified.windows.iter().all(|&w| g.cells_of(w).iter().any(|c| reply.contains(c))) {
            checker.check_reply(board, attacker, reply, &verified.branches).unwrap();
        }
        played += 1;
        if i % 8 == 0 {
            let found = with(board, stones(&reply), defender, |board| finds_the_win(board, attacker));
            assert!(found, "no win is found against {reply:?}");
        }
    }
    played
}

#[test]
fn replies_that_are_said_to_lose_do() {
    let g = Geometry::new(19, 19, 6).unwrap();
    let effort = Effort { double: 500, null: 2_000, seminull: 200, pair: 100 };
    let mut rng = fastrand::Rng::with_seed(21);
    let mut played = 0;
    for moves in POSITIONS {
        let (mut board, side) = read(&g, moves);
        let attacker = side.opponent();
        let mut solver = Solver::new(attacker, 1 << 20);
        let verified = verify(&mut solver, &mut board, effort, true, &mut clock(100_000));
        let open = verified.open.as_ref().map(Vec::len);
        assert!(open.is_some_and(|n| n < 2_000), "{moves}: {open:?} replies may hold");
        played += falsify(&mut board, attacker, &verified, &mut rng);
    }
    println!("{played}");
    assert!(played > 3_000, "{played} replies played");
}
