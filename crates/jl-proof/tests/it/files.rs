//! Files that can't be read: the line, and what is wrong with it.

use jl_proof::{Header, Node, Writer};

const HEADER: &str = r#"{"format":"joblevel-proof","version":1,"game":"connect6","columns":19,"rows":19,"connect":6,"moves":"JJ-AAAB-JKJL-ACAD-JMJN-AGAH","winner":"first","root":0,"nodes":1}"#;
const LEAF: &str = r#"{"id":0,"type":"win","move":"JO","completes":"JJJO"}"#;

fn error(file: impl AsRef<[u8]>) -> String {
    jl_proof::read(file.as_ref()).unwrap_err().to_string()
}

#[test]
fn headers_are_checked() {
    jl_proof::read(format!("{HEADER}\n{LEAF}").as_bytes()).unwrap();
    for (from, to, expected) in [
        (
            r#""format":"joblevel-proof""#,
            r#""format":"sat""#,
            "line 1: the format is 'sat', expected 'joblevel-proof'",
        ),
        (r#""version":1"#, r#""version":2"#, "line 1: the version is 2, expected 1"),
        (
            r#""game":"connect6""#,
            r#""game":"go""#,
            "line 1: the game is 'go', expected 'connect6' for these rules",
        ),
        (
            r#""columns":19"#,
            r#""columns":18"#,
            "line 1: the game is 'connect6', expected 'connect' for these rules",
        ),
        (r#""columns":19"#, r#""columns":20"#, "line 1: a board of 20×19: each side must be 1 to 19"),
        (r#""columns":19"#, r#""columns":-1"#, "line 1: invalid value: integer `-1`, expected u8, at column"),
        (r#""connect":6"#, r#""connect":2"#, "line 1: 2 in a row: it must be 3 or more"),
        (r#""connect":6"#, r#""connect":20"#, "line 1: 20 in a row: on this board it must be 2 to 19"),
        ("-AGAH", "-AGJJ", "line 1: move 6 'AGJJ' is illegal: JJ is occupied by X"),
        ("-AGAH", "-a7a8", "line 1: 'a7a8' is not a row of cells"),
        ("-AGAH", " AGAH", "line 1: 'JMJN AGAH' is not a row of cells"),
        ("-AGAH", "--AGAH", "line 1: '' is not a row of cells"),
        ("-AGAH", "-AGAH-JOJP", "line 1: the game is over after these moves"),
        ("JJ-AAAB-JKJL-ACAD-JMJN-AGAH", "", "line 1: the position has no stones"),
        (r#""winner":"first""#, r#""winner":"black""#, "line 1: unknown variant `black`"),
        (r#""root":0,"#, "", "line 1: missing field `root`"),
        (r#""root":0"#, r#""root":3"#, "line 2: node 0 is the last, but the header's root is 3"),
        (r#""nodes":1"#, r#""nodes":1,"author":"me""#, "line 1: unknown field `author`"),
        (r#","nodes":1"#, "", "line 1: missing field `nodes`"),
        (r#""nodes":1"#, r#""nodes":2"#, "line 3: the header says 2 nodes, there are 1"),
        (r#""nodes":1"#, r#""nodes":0"#, "line 3: the header says 0 nodes, there are 1"),
    ] {
        let changed = HEADER.replace(from, to);
        assert_ne!(changed, HEADER, "{from}");
        let text = error(format!("{changed}\n{LEAF}\n"));
        assert!(text.starts_with(expected), "{text}");
    }
    assert_eq!(error(""), "line 1: there is no header");
    assert_eq!(error(HEADER), "line 2: the header says 1 nodes, there are 0");
    assert_eq!(error(b"{\"format\":\"\xff\"}"), "line 1: it is not UTF-8");
}

/// What is said of a file with these nodes, the last one of which has the id 1 if there are several.
fn node_error(nodes: &[&str]) -> String {
    let root = u8::from(nodes.len() > 1);
    let header = HEADER.replace(r#""nodes":1"#, &format!(r#""nodes":{}"#, nodes.len()));
    let header = header.replace(r#""root":0"#, &format!(r#""root":{root}"#));
    error(format!("{header}\n{}\n", nodes.join("\n")))
}

#[test]
fn nodes_are_checked() {
    for (node, expected) in [
        ("{\"id\":0,\"move\":\"JO", "line 2: EOF while parsing a string"),
        ("", "line 2: EOF while parsing a value"),
        (r#"[0,"win","JO","JJJO"]"#, "line 2: invalid type: sequence"),
        (r#"{"type":"win","move":"JO","completes":"JJJO"}"#, "line 2: missing field `id`"),
        (r#"{"id":-1,"type":"win","move":"JO","completes":"JJJO"}"#, "line 2: invalid value: integer `-1`"),
        (r#"{"id":0,"move":"JO","completes":"JJJO"}"#, "line 2: missing field `type`"),
        (r#"{"id":0,"type":"draw"}"#, "line 2: unknown variant `draw`"),
        (r#"{"id":0,"type":"win","move":"JO","completes":"JJJO","why":1}"#, "line 2: unknown field `why`"),
        (r#"{"id":0,"type":"win","move":"JO","completes":"JJJO","node":1}"#, "line 2: unknown field `node`"),
        (
            r#"{"id":0,"type":"win","move":"JO","move":"JO","completes":"JJJO"}"#,
            "line 2: duplicate field `move`",
        ),
        (r#"{"id":0,"id":0,"type":"win","move":"JO","completes":"JJJO"}"#, "line 2: duplicate field `id`"),
        (
            r#"{"id":0,"type":"win","type":"win","move":"JO","completes":"JJJO"}"#,
            "line 2: duplicate field `type`",
        ),
        (r#"{"id":0,"type":"win","move":"JO"}"#, "line 2: missing field `completes`"),
        (r#"{"id":0,"type":"and","threats":[],"replies":[]}"#, "line 2: missing field `others`"),
        (r#"{"id":0,"type":"threats"}"#, "line 2: missing field `threats`"),
        (
            r#"{"id":0,"type":"and","threats":[],"replies":[],"others":[]}"#,
            "line 2: node 0 has neither replies nor others; its type is 'threats'",
        ),
        (r#"{"id":0,"type":"win","move":"JZ","completes":"JJJO"}"#, "line 2: 'JZ' is not a row of cells"),
        (r#"{"id":0,"type":"win","move":"JOJ","completes":"JJJO"}"#, "line 2: 'JOJ' is not a row of cells"),
        (r#"{"id":0,"type":"win","move":"jo","completes":"JJJO"}"#, "line 2: 'jo' is not a row of cells"),
        (r#"{"id":0,"type":"win","move":"JOJPJQ","completes":"JJJO"}"#, "line 2: 'JOJPJQ' is not a move"),
        (r#"{"id":0,"type":"win","move":"","completes":"JJJO"}"#, "line 2: '' is not a move"),
        (r#"{"id":0,"type":"win","move":"JO","completes":"JJJP"}"#, "line 2: 'JJJP' is not a window"),
        (r#"{"id":0,"type":"threats","threats":["JJ"]}"#, "line 2: 'JJ' is not a window"),
    ] {
        let text = node_error(&[node]);
        assert!(text.starts_with(expected), "{text}");
    }
}

#[test]
fn what_a_node_refers_to_is_checked() {
    const TURN: &str = r#"{"id":0,"type":"threats","threats":[]}"#;
    let reply =
        |branch: &str| format!(r#"{{"id":1,"type":"and","threats":[],"replies":[{branch}],"others":[]}}"#);
    let other =
        |branch: &str| format!(r#"{{"id":1,"type":"and","threats":[],"replies":[],"others":[{branch}]}}"#);
    let or = |stones: &str, node: u8| format!(r#"{{"id":1,"type":"or","move":"{stones}","node":{node}}}"#);
    for (first, second, expected) in [
        (LEAF, LEAF.into(), "line 3: node 0 was on an earlier line"),
        (LEAF, LEAF.replace(":0", ":1"), "line 2: no line refers to node 0, which is not the last"),
        (TURN, or("JOJP", 7), "line 3: node 7 is on no earlier line"),
        (TURN, or("JOJP", 1), "line 3: node 1 is on no earlier line"),
        (TURN, or("JO", 0), "line 3: 'JO' is not a move of two stones"),
        (LEAF, or("JOJP", 0), "line 3: at node 0 it is not the defender's turn"),
        (TURN, reply(r#"{"move":"JOJP","node":0}"#), "line 3: at node 0 it is not the attacker's turn"),
        (
            TURN,
            other(r#"{"stones":"","floats":2,"node":0}"#),
            "line 3: at node 0 it is not the attacker's turn",
        ),
        (LEAF, reply(r#"{"move":"JOJP","node":7}"#), "line 3: node 7 is on no earlier line"),
        (LEAF, reply(r#"{"move":"JOJPJQ","node":0}"#), "line 3: 'JOJPJQ' is not a move of two stones"),
        (LEAF, reply(r#"{"move":"JO","node":0}"#), "line 3: 'JO' is not a move of two stones"),
        (LEAF, reply(r#"{"move":"JOJP","floats":0,"node":0}"#), "line 3: unknown field `floats`"),
        (LEAF, other(r#"{"stones":"","floats":2,"node":7}"#), "line 3: node 7 is on no earlier line"),
        (LEAF, other(r#"{"stones":"","floats":2,"node":1}"#), "line 3: node 1 is on no earlier line"),
        (LEAF, other(r#"{"stones":"","floats":3,"node":0}"#), "line 3: 3 floating stones: at most 2"),
        (LEAF, other(r#"{"stones":"K","floats":0,"node":0}"#), "line 3: 'K' is not a row of cells"),
        (LEAF, other(r#"{"stones":"","floats":2}"#), "line 3: missing field `node`"),
    ] {
        let text = node_error(&[first, &second]);
        assert!(text.starts_with(expected), "{text}");
    }
}

#[test]
fn a_writer_keeps_count_and_writes_what_is_read() {
    let header: Header = serde_json::from_str(HEADER).unwrap();
    let leaf: Node = serde_json::from_str(LEAF).unwrap();
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    writer.node(&leaf).unwrap();
    assert!(writer.node(&leaf).is_err());
    assert_eq!(String::from_utf8(writer.finish().unwrap()).unwrap(), format!("{HEADER}\n{LEAF}\n"));
    assert!(Writer::new(Vec::new(), &header).unwrap().finish().is_err());
}
