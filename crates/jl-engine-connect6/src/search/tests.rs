use super::*;
use crate::geometry::Geometry;
use crate::limits::Limits;

const SIDES: [Side; 2] = [Side::First, Side::Second];

fn request(mover: Side) -> Request<'static> {
    Request {
        mover,
        stones: 2,
        prohibited: &[],
        only: None,
        refuting: &[],
        seed: 0,
        options: Options::default(),
        thread: 0,
    }
}

fn clock(nodes: u64) -> Clock {
    Clock::new(Limits { nodes: Some(nodes), ..Limits::default() })
}

/// Turns of two letters a stone, `JJ` being the centre; the side to move.
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

/// Stones at random, no line completed, with so many empty cells.
fn random<'g>(g: &'g Geometry, empties: usize, rng: &mut fastrand::Rng) -> Option<Board<'g>> {
    let mut board = Board::new(g);
    let mut cells: Vec<u16> = (0..g.cells() as u16).collect();
    rng.shuffle(&mut cells);
    for &c in &cells[empties..] {
        let side = SIDES[rng.usize(..2)];
        board.place(c, side);
        if board.has_won(side) {
            board.remove(c, side);
            board.place(c, side.opponent());
            if board.has_won(side.opponent()) {
                return None;
            }
        }
    }
    Some(board)
}

fn legal(board: &Board) -> Vec<Turn> {
    let empty: Vec<u16> = (0..board.geometry().cells() as u16).filter(|&c| board.is_empty(c)).collect();
    if let [only] = empty[..] {
        return vec![[only, only]];
    }
    let pairs = |(i, &a): (usize, &u16)| empty[i + 1..].iter().map(move |&b| [a, b]).collect::<Vec<_>>();
    empty.iter().enumerate().flat_map(pairs).collect()
}

/// Whether the mover wins, by looking at every continuation in which neither side misses a line.
fn wins(board: &mut Board, mover: Side) -> bool {
    board.can_win_now(mover) || legal(board).into_iter().any(|turn| wins_with(board, turn, mover))
}

fn wins_with(board: &mut Board, [a, b]: Turn, mover: Side) -> bool {
    board.place(a, mover);
    if b != a {
        board.place(b, mover);
    }
    let won = board.has_won(mover)
        || !board.can_win_now(mover.opponent()) && {
            let replies = legal(board);
            !replies.is_empty() && replies.into_iter().all(|reply| refuted(board, reply, mover))
        };
    if b != a {
        board.remove(b, mover);
    }
    board.remove(a, mover);
    won
}

/// Whether the mover wins after its opponent's reply.
fn refuted(board: &mut Board, [a, b]: Turn, mover: Side) -> bool {
    let opponent = mover.opponent();
    board.place(a, opponent);
    if b != a {
        board.place(b, opponent);
    }
    let won = !board.has_won(opponent) && wins(board, mover);
    if b != a {
        board.remove(b, opponent);
    }
    board.remove(a, opponent);
    won
}

fn search(board: &mut Board, request: &Request, clock: &mut Clock) -> Searched {
    super::search(board, request, &mut Memory::new(1 << 20, 1 << 14), clock)
}

#[test]
fn a_line_is_completed_with_one_stone_or_two() {
    let g = Geometry::new(19, 19, 6).unwrap();
    for (moves, cells) in [("JJ-AADD-KJLJ-AFDF-MJAS-FAFF", "IJHJNJOJ"), ("JJ-AADD-KJLJ-AFDF-MJNJ-IJFF", "OJ")]
    {
        let (mut board, mover) = position(&g, moves);
        let found = search(&mut board, &request(mover), &mut clock(1000));
        assert!(found.proved_win && found.score > PROVED);
        let [a, b] = found.best.unwrap();
        board.place(a, mover);
        board.place(b, mover);
        assert!(board.has_won(mover), "{cells}");
    }
}

#[test]
fn a_double_threat_is_answered() {
    let g = Geometry::new(19, 19, 6).unwrap();
    let (mut board, mover) = position(&g, "JJ-AADD-KJLJ-AFDF-MJAS");
    let found = search(&mut board, &request(mover), &mut clock(2000));
    let answers = Threats::of(&board, mover.opponent());
    assert_eq!(answers.count(), 2);
    assert!(answers.answers().contains(&found.best.unwrap()), "{found:?}");
}

#[test]
fn a_win_by_threats_is_found_and_proved() {
    let g = Geometry::new(19, 19, 6).unwrap();
    let (mut board, mover) = position(&g, "JJ-JIKL-KILH-HLGL-KHMH-FLEL-DLJL-NHKJ");
    let key = board.key();
    let found = search(&mut board, &request(mover), &mut clock(20_000));
    assert!(found.proved_win, "{found:?}");
    assert!(found.win_rate > 0.99 || mover == Side::Second && found.win_rate < 0.01);
    assert_eq!(board.key(), key, "the board is left as it was");
}

#[test]
fn what_is_called_proved_is_won() {
    let mut rng = fastrand::Rng::with_seed(11);
    let (mut proved, mut unproved) = ([0; 3], 0);
    for (columns, rows, k) in [(5, 5, 4), (7, 4, 4), (6, 6, 5), (7, 5, 5)] {
        let g = Geometry::new(columns, rows, k).unwrap();
        for i in 0..12_000 {
            let Some(mut board) = random(&g, 9 + i % 5, &mut rng) else { continue };
            if board.can_win_now(Side::First) {
                continue;
            }
            let mut request = request(Side::First);
            // Without threat searches; with those that find only the simplest wins, whose plans are held against other
            // turns; with all of them.
            let quick = i % 3;
            if quick < 2 {
                let options = &mut request.options;
                let nodes = 10 * quick as u64;
                (options.root_tactics, options.node_tactics, options.leaf_tactics) = (0, nodes, nodes);
                options.null_tactics = nodes;
            }
            let found = search(&mut board, &request, &mut clock(1000));
            if found.proved_win {
                assert!(wins_with(&mut board, found.best.unwrap(), Side::First), "{found:?}");
                proved[quick] += 1;
            } else {
                unproved += 1;
            }
        }
    }
    assert!(proved.iter().all(|&n| n > 20) && unproved > 500, "{proved:?} proved, {unproved} not");
}

/// As [`search`], with three threads.
fn search_threaded(board: &mut Board, request: &Request, clock: &mut Clock) -> Searched {
    let threads = std::num::NonZeroUsize::new(3).unwrap();
    threads::search_with(threads, board, request, &mut Memory::new(1 << 16, 1 << 14), clock)
}

#[test]
fn what_threads_call_proved_is_won() {
    let g = Geometry::new(6, 6, 5).unwrap();
    let mut rng = fastrand::Rng::with_seed(12);
    let (mut proved, mut unproved) = (0, 0);
    for i in 0..6_000 {
        let Some(mut board) = random(&g, 9 + i % 5, &mut rng) else { continue };
        if board.can_win_now(Side::First) {
            continue;
        }
        let mut request = request(Side::First);
        // What wins must be found by the search, through the table that they share.
        request.options = request.options.without_threats();
        let found = search_threaded(&mut board, &request, &mut clock(3000));
        if found.proved_win {
            assert!(wins_with(&mut board, found.best.unwrap(), Side::First), "{found:?}");
            proved += 1;
        } else {
            unproved += 1;
        }
    }
    assert!(proved > 20 && unproved > 200, "{proved} proved, {unproved} not");
}

#[test]
fn threads_keep_to_the_limit_and_the_prohibited_turns() {
    let g = Geometry::new(19, 19, 6).unwrap();
    let (mut board, mover) = position(&g, "JJ-JIKL-KILH");
    let key = board.key();
    let mut prohibited = Vec::new();
    for _ in 0..6 {
        let mut clock = clock(9_000);
        let asked = Request { prohibited: &prohibited, ..request(mover) };
        let found = search_threaded(&mut board, &asked, &mut clock);
        // The first thread's third at least; on a busy machine the others may hardly have begun by then.
        assert!((2_900..=9_000).contains(&clock.nodes()), "{} nodes of all threads", clock.nodes());
        assert!(clock.is_over() || clock.spend().is_ok(), "nobody called this clock off");
        let best = found.best.unwrap();
        assert!(!prohibited.contains(&best) && found.ranking.iter().all(|(t, _)| !prohibited.contains(t)));
        assert_eq!(board.key(), key, "the board is left as it was");
        prohibited.push(best);
    }
}

#[test]
fn threads_that_can_t_help_change_nothing() {
    let g = Geometry::new(19, 19, 6).unwrap();
    let (mut board, mover) = position(&g, "JJ-AADD-KJLJ-AFDF-MJNJ-IJFF");
    let mut clock = clock(1_000_000);
    assert!(search_threaded(&mut board, &request(mover), &mut clock).proved_win);
    assert!(clock.nodes() < 10_000, "the others are called off: {}", clock.nodes());
}

#[test]
fn every_legal_turn_comes_when_the_others_are_prohibited() {
    let mut rng = fastrand::Rng::with_seed(13);
    for (columns, rows, k, empties) in [(5, 5, 4, 1), (5, 5, 4, 2), (5, 5, 4, 5), (7, 7, 5, 4), (6, 6, 6, 6)]
    {
        let g = Geometry::new(columns, rows, k).unwrap();
        let mut board = std::iter::repeat_with(|| random(&g, empties, &mut rng)).find_map(|b| b).unwrap();
        let mut expected = legal(&board);
        // A stone that completes a line by itself ends the game.
        let alone: Vec<u16> = board.live(Side::Second, k - 1).flat_map(|w| board.empties_of(w)).collect();
        expected.extend(alone.into_iter().map(|c| [c, c]));
        expected.sort_unstable();
        expected.dedup();
        let mut prohibited = Vec::new();
        for _ in 0..=expected.len() {
            let found = search(
                &mut board,
                &Request { prohibited: &prohibited, ..request(Side::Second) },
                &mut clock(300),
            );
            match found.best {
                Some(turn) => {
                    assert!(!prohibited.contains(&turn) && expected.contains(&turn), "{turn:?}");
                    prohibited.push(turn);
                }
                None => assert_eq!(prohibited.len(), expected.len()),
            }
        }
        assert_eq!(prohibited.len(), expected.len());
    }
}

#[test]
fn turns_are_legal_and_the_same_again() {
    let mut rng = fastrand::Rng::with_seed(14);
    for (columns, rows, k) in [(19, 19, 6), (5, 5, 4), (7, 7, 5), (8, 8, 8), (9, 1, 4)] {
        let g = Geometry::new(columns, rows, k).unwrap();
        for _ in 0..6 {
            let empties = rng.usize(1..g.cells());
            let Some(mut board) = random(&g, empties.max(g.cells().saturating_sub(30)), &mut rng) else {
                continue;
            };
            let request = Request { seed: 5, ..request(Side::First) };
            let first = search(&mut board, &request, &mut clock(1500));
            let second = search(&mut board, &request, &mut clock(1500));
            assert_eq!(first, second);
            assert!(legal(&board).contains(&first.best.unwrap()));
            assert_eq!(first.line.first(), first.best.as_ref());
        }
    }
}

#[test]
fn known_defences_are_kept_to() {
    let g = Geometry::new(19, 19, 6).unwrap();
    let (mut board, mover) = position(&g, "JJ-IIJK");
    let only = [[0, 1], [17, 40], [100, 300]];
    let asked = Request { only: Some(&only), prohibited: &only[..1], ..request(mover) };
    let found = search(&mut board, &asked, &mut clock(3000));
    assert!(only[1..].contains(&found.best.unwrap()));
    let asked = Request { only: Some(&only), prohibited: &only, ..request(mover) };
    assert_eq!(search(&mut board, &asked, &mut clock(3000)).best, None);
}

#[test]
fn the_first_stone_goes_to_the_centre() {
    for (size, k, centre) in [(19, 6, 180), (7, 5, 24), (5, 4, 12)] {
        let g = Geometry::new(size, size, k).unwrap();
        let mut board = Board::new(&g);
        let found = search(&mut board, &Request { stones: 1, ..request(Side::First) }, &mut clock(500));
        assert_eq!(found.best, Some([centre, centre]));
    }
}

#[test]
fn one_stone_completes_or_answers() {
    let g = Geometry::new(19, 19, 6).unwrap();
    let (mut board, _) = position(&g, "JJ-AADD-KJLJ-AFDF-MJNJ");
    for side in SIDES {
        let found = search(&mut board, &Request { stones: 1, ..request(side) }, &mut clock(500));
        let [a, b] = found.best.unwrap();
        assert!(a == b && [g.cell(8, 9), g.cell(14, 9)].contains(&a), "{side:?} {found:?}");
        assert_eq!(found.proved_win, side == Side::First);
    }
}

#[test]
fn little_time_still_gives_a_turn() {
    let g = Geometry::new(19, 19, 6).unwrap();
    let (mut board, mover) = position(&g, "JJ-IIJK-KIHH");
    for nodes in [0, 1, 2, 10, 50] {
        let found = search(&mut board, &request(mover), &mut clock(nodes));
        assert!(legal(&board).contains(&found.best.unwrap()), "{nodes}");
    }
}

#[test]
fn swings_are_unstable() {
    let iteration = |win_rate| Iteration { depth: 1, mv: [0, 1], win_rate, nodes: 1 };
    let of = |rates: &[f64]| {
        let iterations: Vec<_> = rates.iter().map(|&r| iteration(r)).collect();
        status(*rates.last().unwrap(), &iterations).to_string()
    };
    assert_eq!(of(&[0.5]), "stable");
    assert_eq!(of(&[0.2, 0.8, 0.71]), "B2");
    assert_eq!(of(&[0.5, 0.29]), "unstable1");
    assert_eq!(of(&[0.7, 0.3]), "unstable2");
    assert_eq!(of(&[1.0, 0.95]), "B4");
}

#[test]
fn one_who_cannot_answer_every_threat_spoils_the_most() {
    let g = Geometry::new(19, 19, 6).unwrap();
    let moves = "JJ-HKKI-KJKL-IJJI-HHII-GLIL-KHFM-FIGJ-EHJM-GMGK-GHGN-EKFK-DKIK-DJFL-CIHN-EJDI";
    let (mut board, mover) = position(&g, moves);
    assert_eq!(Threats::of(&board, mover.opponent()).count(), 3);
    let found = search(&mut board, &request(mover), &mut clock(1000));
    let left = |board: &mut Board, [a, b]: Turn| {
        board.place(a, mover);
        board.place(b, mover);
        let left = [4, 5].map(|level| board.live(mover.opponent(), level).count()).iter().sum::<usize>();
        board.remove(b, mover);
        board.remove(a, mover);
        left
    };
    let fewest = legal(&board).into_iter().map(|turn| left(&mut board, turn)).min().unwrap();
    assert!(fewest > 0);
    assert_eq!(left(&mut board, found.best.unwrap()), fewest);
}
