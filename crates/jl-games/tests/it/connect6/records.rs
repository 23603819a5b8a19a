//! Game records: real ones, in every style, and broken ones.

use super::{C6, after, rules};
use jl_game::{Game, sgf};
use jl_games::connect6::record::{self, RecordError, Style};
use jl_games::connect6::{Connect, Move, Notation, Record};
use jl_value::Outcome;
use proptest::prelude::*;

const GAMES: &str = include_str!("../../data/connect6-games.csv");
const LITTLE_GOLEM: &str = include_str!("../../data/connect6-little-golem.sgf");

/// Stones in order, winner.
fn games() -> Vec<(&'static str, Outcome)> {
    let game = |line: &'static str| {
        let (_, rest) = line.split_once(",\"").expect("an id");
        let (stones, winner) = rest.split_once("\",").expect("a winner");
        (stones, if winner == "black" { Outcome::FirstWins } else { Outcome::SecondWins })
    };
    GAMES.lines().skip(1).map(game).collect()
}

fn outcome(game: &Connect, moves: &[Move]) -> Option<Outcome> {
    let end = moves.iter().fold(game.initial(), |p, &mv| game.play(&p, mv).expect("a legal game"));
    game.outcome(&end)
}

fn read_one(text: &str) -> Record {
    let records = record::read(&C6, text).expect(text);
    assert_eq!(records.len(), 1);
    records.into_iter().next().expect("one")
}

fn reads_back(game: &Connect, record: &Record) {
    for style in [Style::StonePerNode, Style::LittleGolem] {
        let text = record::write(game, record, style);
        assert_eq!(record::read(game, &text).as_deref(), Ok(std::slice::from_ref(record)), "{text}");
    }
    for notation in [Notation::Pairs, Notation::Numbers, Notation::NumbersSkipI] {
        for &mv in &record.moves {
            assert_eq!(game.parse_move_in(notation, &game.format_move_in(notation, mv)), Ok(mv));
        }
    }
    let text = jl_game::reply::join_moves(game, &record.moves, "-");
    assert_eq!(game.replay(&text).expect("a legal game").0, record.moves);
}

#[test]
fn finished_games_end_with_their_last_stone() {
    assert_eq!(games().len(), 12);
    for (stones, won) in games() {
        let moves = C6.parse_stones(stones).expect(stones);
        assert_eq!(outcome(&C6, &moves), Some(won), "{stones}");
        assert_eq!(moves.iter().map(|mv| mv.len()).sum::<usize>(), stones.split(',').count());
        // Without the last stone, nobody has won: it is no turn, or the row isn't there.
        let (but_last, _) = stones.rsplit_once(',').expect("many");
        let moves = C6.parse_stones(but_last).expect(stones);
        let played = moves.iter().try_fold(C6.initial(), |p, &mv| C6.play(&p, mv));
        assert!(played.is_err() || played.is_ok_and(|p| C6.outcome(&p).is_none()), "{stones}");
        reads_back(&C6, &Record::new(C6.parse_stones(stones).expect(stones)));
    }
}

#[test]
fn little_golem_is_read() {
    let records = record::read(&C6, LITTLE_GOLEM).expect("as the site writes them");
    let outcomes: Vec<_> = records.iter().map(|r| outcome(&C6, &r.moves)).collect();
    let (won, lost) = (Some(Outcome::FirstWins), Some(Outcome::SecondWins));
    assert_eq!(outcomes, [lost, won, won, won, lost, lost, None]);
    assert_eq!(records[0].header("PB"), Some("bill"));
    assert_eq!(records[0].header("SO"), Some("http://www.littlegolem.com"));
    assert_eq!(records[6].moves, C6.replay("JJ JILK").unwrap().0);
    for record in &records {
        reads_back(&C6, record);
    }
    let last = LITTLE_GOLEM.lines().last().expect("a record");
    assert_eq!(record::write(&C6, &records[6], Style::LittleGolem), last);
}

#[test]
fn every_style_is_the_same_game() {
    let moves = C6.replay("JJ-JHMK-IIKK").unwrap().0;
    for text in [
        "(;GM[511];B[JJ];W[JH];W[MK];B[II];B[KK])",
        "(;B[j10];W[j8m11];B[k11i9])",
        "(;FF[4];B[jj];W[MKJH];B[i9][KK])",
        "(;GM[511]SZ[19]B[JJ];W[JH]N[x]XY[?][];W[MK]\n;B[II] ;B[KK]BL[3])",
        "(;B[JJ](;W[JH];W[MK](;B[II];B[KK])(;B[AA];B[AB]))(;W[JH];B[no stone]))",
        "{[C6][a b B][c W][先手胜][2018];B(J,10);W(J,8);W(M,11);B(I,9);B(K , 11)}",
        " {[C6] [a B][c W] ; b(j,10) ; W(J,8);W(M,11);B(I,9);B(K,11);\n}\n",
    ] {
        assert_eq!(read_one(text).moves, moves, "{text}");
    }
    let record = Record::new(moves);
    assert_eq!(record::write(&C6, &record, Style::StonePerNode), "(;GM[511];B[JJ];W[JH];W[MK];B[II];B[KK])");
    assert_eq!(record::write(&C6, &record, Style::LittleGolem), "(;FF[4];B[j10];W[j8m11];B[i9k11])");
}

#[test]
fn what_is_said_is_kept() {
    let text = "(;GM[511]PB[A \\] B]PW[c]C[root];B[JJ]C[centre];W[JH]C[one];W[MK]C[two])";
    let record = read_one(text);
    assert_eq!(
        (record.header("PB"), record.header("PW"), record.header("GM")),
        (Some("A ] B"), Some("c"), None)
    );
    let comments: Vec<_> = record.comments.iter().map(|(&n, text)| (n, text.as_str())).collect();
    assert_eq!(comments, [(0, "root"), (1, "centre"), (2, "one\ntwo")]);
    reads_back(&C6, &record);
    assert!(record::write(&C6, &record, Style::StonePerNode).ends_with("C[centre];W[JH];W[MK]C[one\ntwo])"));
    let chinese = read_one("{[C6][队 一 B][two W][先手胜][];B(J,10)}");
    let header: Vec<_> = chinese.header.iter().map(|p| (p.name.as_str(), p.values[0].as_str())).collect();
    assert_eq!(header, [("PB", "队 一"), ("PW", "two"), ("GC", "先手胜")]);
    assert_eq!(record::read(&C6, "{[C6]} {[C6]}").unwrap().len(), 2);
}

#[test]
fn other_boards_say_their_size() {
    let wide = rules(7, 5, 4, 2, 1);
    let record = Record::new(wide.replay("AA-GEBB").unwrap().0);
    assert_eq!(record::write(&wide, &record, Style::StonePerNode), "(;GM[511]SZ[7:5];B[AA];W[BB];W[GE])");
    reads_back(&wide, &record);
    let error = record::read(&C6, "(;SZ[15];B[JJ])").unwrap_err();
    assert_eq!(error.to_string(), "line 1, byte 2: the board is 15, expected 19");
    assert!(record::read(&wide, "(;SZ[5:7])").is_err() && record::read(&C6, "(;SZ[19:19])").is_ok());
}

#[test]
fn broken_records_say_where_and_why() {
    let error = |text: &str| record::read(&C6, text).unwrap_err().to_string();
    assert_eq!(error("(;B[JJ]\n;B[KK])"), "line 2, byte 9: expected a stone of O, found one of X");
    assert_eq!(error("(;B[JJ];W[KK];B[LL])"), "line 1, byte 14: expected a stone of O, found one of X");
    assert_eq!(error("(;B[JJ];W[KK];W[JJ])"), "line 1, byte 14: move 2 is illegal: JJ is occupied by X");
    assert_eq!(error("(;B[JJ];W[KK];W[KK])"), "line 1, byte 14: move 2 is illegal: KK is there twice");
    assert_eq!(
        error("(;B[JJ];W[KK])"),
        "line 1, byte 8: move 2 is illegal: the turn has two stones, unless the first completes a row"
    );
    assert_eq!(error("(;B[])"), "line 1, byte 2: '' is not a stone: a player may not pass");
    assert_eq!(error("(;B[tt])"), "line 1, byte 2: 'tt' is not a stone: column T is off the board (A to S)");
    assert_eq!(error("(;AB[JJ];W[KK])"), "line 1, byte 2: stones that are set up (AB) are no moves");
    assert_eq!(error("(;B[JJ]"), "line 1, byte 7: expected a property, ';', '(' or ')', found the end");
    assert_eq!(error("JJ-KK"), "line 1, byte 0: expected a game, which starts with '(', found 'J'");
    assert_eq!(error("{[Go];B(J,10)}"), "line 1, byte 5: expected [C6] first, for Connect6, found ';'");
    assert_eq!(error("{[C6];B(J,10;"), "line 1, byte 13: expected ')' after a stone, found the end");
    assert_eq!(
        error("{[C6];B(J,20)}"),
        "line 1, byte 6: 'J,20' is not a stone: row 20 is off the board (1 to 19)"
    );
    assert_eq!(error("{[C6];B()}"), "line 1, byte 6: '' is not a stone: expected one stone, like J,10");
    assert_eq!(error("{[C6];B(J,10)"), "line 1, byte 13: expected ';' or '}', found the end");
    let (stones, _) = games()[0];
    let won = record::write(&C6, &Record::new(C6.parse_stones(stones).unwrap()), Style::StonePerNode);
    for (extra, place) in [(";W[AA])", won.len()), (";B[AA];B[AB])", won.len())] {
        let error = record::read(&C6, &won.replace(')', extra)).unwrap_err();
        let RecordError::Illegal { place: at, number, why } = error else { panic!("{error}") };
        assert_eq!((at.offset, number, why.as_str()), (place, 8, "the game is over: X has won"));
    }
}

#[test]
fn an_empty_record_is_the_initial_position() {
    assert_eq!(read_one("(;)"), Record::default());
    assert_eq!(read_one("(;GM[511])").moves, []);
    assert_eq!(after(C6, ""), C6.initial());
}

proptest! {
    #[test]
    fn any_text_is_a_record_or_an_error(
        text in "\\PC*",
        near in "[(;)\\[\\]\\\\BWCJKL19\\n é{}(),]{0,60}",
        bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let prefixed = ["(;".to_string() + &near, "{[C6];".to_string() + &near];
        for text in [text, near, String::from_utf8_lossy(&bytes).into_owned()].iter().chain(&prefixed) {
            if let Ok(trees) = sgf::parse(text) {
                let again: String = trees.iter().map(sgf::Tree::to_string).collect();
                prop_assert_eq!(sgf::parse(&again), Ok(trees));
            }
            if let Ok(records) = record::read(&C6, text) {
                for record in records {
                    let written = record::write(&C6, &record, Style::LittleGolem);
                    prop_assert_eq!(record::read(&C6, &written), Ok(vec![record]));
                }
            }
        }
    }

    /// A record with a byte changed, dropped or doubled is read or refused.
    #[test]
    fn damaged_records_never_panic(line in 0..7_usize, at in 0..400_usize, byte in 0..128_u8, kind in 0..3) {
        let mut bytes = LITTLE_GOLEM.lines().nth(line).expect("seven").as_bytes().to_vec();
        let at = at % bytes.len();
        match kind {
            0 => bytes[at] = byte,
            1 => drop(bytes.remove(at)),
            _ => bytes.truncate(at),
        }
        let _ = record::read(&C6, &String::from_utf8_lossy(&bytes));
    }
}
