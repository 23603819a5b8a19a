//! Games of the Connect6 program against itself, and what they say.

use crate::support::Place;
use serde_json::{Value, json};

const LADDER: &[&str] = &["bench", "ladder", "--games", "4", "--nodes", "100", "--json"];
const CALIBRATE: &[&str] = &["bench", "calibrate", "--games", "3", "--nodes", "100", "--json"];

fn with<'a>(args: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [args, more].concat()
}

/// Times are never the same.
fn without_seconds(mut v: Value) -> Value {
    for row in v["rows"].as_array_mut().unwrap() {
        for side in ["full", "opponent"] {
            assert!(row[side]["seconds"].as_f64().unwrap() > 0.0);
            row[side]["seconds"] = Value::Null;
        }
    }
    v
}

#[test]
fn a_ladder_has_a_rung_for_each_opponent() {
    let place = Place::new();
    let v = place.json(&with(LADDER, &["--opponents", "threats,zones"]));
    assert_eq!((&v["nodes"], &v["time"], &v["seed"]), (&json!(100), &Value::Null, &json!(1)));
    assert_eq!(v.get("openings"), Some(&Value::Null), "random ones");
    let rows = v["rows"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|r| r["without"].as_str().unwrap()).collect();
    assert_eq!(names, ["threats", "zones"]);
    for row in rows {
        let [wins, draws, losses] = ["wins", "draws", "losses"].map(|f| row[f].as_u64().unwrap());
        assert_eq!((&row["games"], wins + draws + losses), (&json!(4), 4));
        let [share, low, high] = ["share", "low", "high"].map(|f| row["score"][f].as_f64().unwrap());
        assert_eq!(share, (wins as f64 + draws as f64 / 2.0) / 4.0);
        assert!(0.0 <= low && low <= share && share <= high && high <= 1.0 && low < high, "{row}");
        assert_eq!(row["elo"].is_null(), share == 0.0 || share == 1.0);
        assert!(row.get("elo_low").is_some() && row.get("elo_high").is_some());
        assert!((4.0..=120.0).contains(&row["mean_turns"].as_f64().unwrap()));
        for side in ["full", "opponent"] {
            assert!((0.0..=100.0).contains(&row[side]["nodes"].as_f64().unwrap()), "{row}");
        }
    }
}

#[test]
fn a_ladder_by_nodes_is_always_the_same_whoever_plays() {
    let place = Place::new();
    let zones = with(LADDER, &["--opponents", "zones"]);
    let one = without_seconds(place.json(&zones));
    assert_eq!(without_seconds(place.json(&with(&zones, &["--workers", "3"]))), one);
    let other = without_seconds(place.json(&with(&zones, &["--seed", "2"])));
    assert_ne!(other["rows"], one["rows"], "other openings");
}

#[test]
fn a_ladder_is_a_table_for_people() {
    let place = Place::new();
    let out = place.jl(&["bench", "ladder", "--games", "2", "--nodes", "30", "--opponents", "threats"]);
    assert_eq!((out.code, out.stderr.as_str()), (0, ""), "progress is for terminals");
    let lines: Vec<&str> = out.stdout.lines().collect();
    assert_eq!(lines[0], "30 nodes per move, 2 games, intervals of 95% over pairs");
    assert!(lines[1].starts_with("without ") && lines[2].starts_with("threats "), "{}", out.stdout);
    assert!(lines[2].contains('%') && lines.len() == 3, "{}", out.stdout);
}

/// Games of seven turns, the second a mirror image of the first; nobody is seen to win before the fifth.
const GAMES: &str = "id,stones,winner\n\
    1,\"j10,i11,j11,k9,l9,k11,l11,i9,h8,m9,m11,g12,h12\",white\n\
    2,\"j10,k11,j11,i9,h9,i11,h11,k9,l8,g9,g11,m12,l12\",white\n\
    3,\"j10,i9,k9,k11,l12,h11,j8,h9,m10,k8,l10,i12,g10\",black\n";

#[test]
fn a_ladder_begins_in_the_middle_of_recorded_games() {
    let place = Place::new();
    place.write("games.csv", GAMES);
    let recorded = ["--opponents", "zones", "--openings", "games.csv", "--before-end"];
    let v = place.json(&with(LADDER, &with(&recorded, &["4"])));
    assert_eq!((&v["openings"], &v["rows"][0]["games"]), (&json!("games.csv"), &json!(4)));
    assert!(v["rows"][0]["mean_turns"].as_f64().unwrap() > 4.0, "{v}");
    let few = place.jl(&with(&["bench", "ladder", "--games", "6"], &with(&recorded, &["4"])));
    assert_eq!((few.code, few.stdout.as_str(), few.stderr.lines().count()), (2, "", 1), "{}", few.stderr);
    assert!(few.stderr.contains("games.csv: 2 different undecided openings, 3 are needed"), "{}", few.stderr);
}

#[test]
fn grades_are_counted_with_how_games_ended() {
    let place = Place::new();
    let out = place.jl(&with(CALIBRATE, &["--plot", "c.svg"]));
    let v = out.json();
    let broken = v["broken"].as_array().unwrap();
    assert_eq!(out.code, i32::from(!broken.is_empty()), "{}", out.stderr);
    assert_eq!(out.stderr.lines().count(), 1 + broken.len(), "{}", out.stderr);
    let [black, drawn, white] = ["black_won", "drawn", "white_won"].map(|f| v[f].as_u64().unwrap());
    assert_eq!((&v["games"], black + drawn + white), (&json!(3), 3));
    let rows = v["rows"].as_array().unwrap();
    let statuses: Vec<&str> = rows.iter().map(|r| r["status"].as_str().unwrap()).collect();
    assert_eq!(statuses.join(" "), "B:w B4 B3 B2 B1 stable unstable1 unstable2 W1 W2 W3 W4 W:w draw");
    for row in rows {
        let (positions, games) = (row["positions"].as_u64().unwrap(), row["games"].as_u64().unwrap());
        assert!(games <= 3 && games <= positions && (games == 0) == (positions == 0), "{row}");
        assert_eq!(row["won"].is_null(), positions == 0, "{row}");
        assert!((0.0..=1.0).contains(&row["nominal"].as_f64().unwrap()));
    }
    assert!(rows.iter().any(|r| r["positions"].as_u64() > Some(0)));
    assert!(v["scale"].is_null() || v["scale"]["low"].as_f64() <= v["scale"]["scale"].as_f64());
    let svg = std::fs::read_to_string(place.file("c.svg")).unwrap();
    for text in ["<svg", "100 nodes per move", "nominal win rate of Black", "as nominal"] {
        assert!(svg.contains(text), "{text} is missing");
    }
}

#[test]
fn a_calibration_by_nodes_is_always_the_same() {
    let place = Place::new();
    let run = |more: &[&str]| place.jl(&with(CALIBRATE, more)).json();
    let one = run(&[]);
    assert_eq!(run(&["--workers", "2"]), one);
    assert_ne!(run(&["--seed", "5"])["rows"], one["rows"]);
    assert_ne!(run(&["--random", "0.9"])["rows"], one["rows"]);
    let out = place.jl(&["bench", "calibrate", "--games", "2", "--nodes", "50"]);
    assert!(out.stdout.starts_with("50 nodes per move, 2 games: Black won "), "{}", out.stdout);
    assert!(out.stdout.lines().last().unwrap().starts_with("scale: "), "{}", out.stdout);
}
