//! Files that can't be read: the line, and what is wrong with it.

use jl_proof::{Header, Node, Writer};

const HEADER: &str = r#"{"proof":"joblevel","version":1,"game":"connect6","columns":19,"rows":19,"connect":6,"moves":"JJ-AAAB-JKJL-ACAD-JMJN-AGAH","winner":"first","nodes":1}"#;
const LEAF: &str = r#"{"id":0,"move":"JO","completes":"JJJO"}"#;

fn error(file: impl AsRef<[u8]>) -> String {
    jl_proof::read(file.as_ref()).unwrap_err().to_string()
}

#[test]
fn headers_are_checked() {
    jl_proof::read(format!("{HEADER}\n{LEAF}").as_bytes()).unwrap();
    for (from, to, expected) in [
        (r#""proof":"joblevel""#, r#""proof":"sat""#, "line 1: the proof is 'sat', expected 'joblevel'"),
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
        ("-AGAH", "-AGAH-JOJP", "line 1: the game is over after these moves"),
        ("JJ-AAAB-JKJL-ACAD-JMJN-AGAH", "", "line 1: the position has no stones"),
        (r#""winner":"first""#, r#""winner":"black""#, "line 1: unknown variant `black`"),
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
    assert_eq!(error(b"{\"proof\":\"\xff\"}"), "line 1: it is not UTF-8");
}

#[test]
fn nodes_are_checked() {
    let reply = |to: &str| format!(r#"{{"id":1,"move":"JOJP","threats":[],"replies":[{to}]}}"#);
    for (nodes, expected) in [
        (vec!["{\"id\":0,\"move\":\"JO"], "line 2: EOF while parsing a string"),
        (vec![""], "line 2: EOF while parsing a value"),
        (vec![r#"{"id":-1,"move":"JO","completes":"JJJO"}"#], "line 2: invalid value: integer `-1`"),
        (vec![r#"{"id":0,"move":"JO","completes":"JJJO","why":1}"#], "line 2: unknown field `why`"),
        (
            vec![r#"{"id":0,"move":"JO"}"#],
            "line 2: node 0 needs either 'completes', or 'threats' and 'replies'",
        ),
        (vec![r#"{"id":0,"move":"JO","threats":[]}"#], "line 2: node 0 needs either"),
        (vec![r#"{"id":0,"move":"JO","completes":"JJJO","threats":[]}"#], "line 2: node 0 needs either"),
        (vec![r#"{"id":0,"completes":"JJJO"}"#], "line 2: a root without a move completes nothing"),
        (vec![r#"{"id":0,"move":"JZ","completes":"JJJO"}"#], "line 2: 'JZ' is not a row of cells"),
        (vec![r#"{"id":0,"move":"JOJ","completes":"JJJO"}"#], "line 2: 'JOJ' is not a row of cells"),
        (vec![r#"{"id":0,"move":"jo","completes":"JJJO"}"#], "line 2: 'jo' is not a row of cells"),
        (vec![r#"{"id":0,"move":"JOJPJQ","completes":"JJJO"}"#], "line 2: 'JOJPJQ' is not a move"),
        (vec![r#"{"id":0,"move":"","completes":"JJJO"}"#], "line 2: '' is not a move"),
        (vec![r#"{"id":0,"move":"JO","completes":"JJJP"}"#], "line 2: 'JJJP' is not a window"),
        (vec![r#"{"id":0,"move":"JO","completes":"JJ"}"#], "line 2: 'JJ' is not a window"),
        (vec![LEAF, LEAF], "line 3: node 0 was on an earlier line"),
        (
            vec![r#"{"id":0,"threats":[],"replies":[]}"#, LEAF],
            "line 3: node 0 has no move, and is not the last",
        ),
        (vec![LEAF, &reply("")], "line 2: no line refers to node 0, which is not the last"),
        (vec![LEAF, &reply(r#"{"stones":"","floats":2,"to":7}"#)], "line 3: node 7 is on no earlier line"),
        (vec![LEAF, &reply(r#"{"stones":"","floats":2,"to":1}"#)], "line 3: node 1 is on no earlier line"),
        (vec![LEAF, &reply(r#"{"stones":"","floats":3,"to":0}"#)], "line 3: 3 floating stones: at most 2"),
        (vec![LEAF, &reply(r#"{"stones":"K","floats":0,"to":0}"#)], "line 3: 'K' is not a row of cells"),
        (vec![LEAF, &reply(r#"{"stones":"","floats":2}"#)], "line 3: missing field `to`"),
    ] {
        let header = HEADER.replace(r#""nodes":1"#, &format!(r#""nodes":{}"#, nodes.len()));
        let text = error(format!("{header}\n{}\n", nodes.join("\n")));
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
