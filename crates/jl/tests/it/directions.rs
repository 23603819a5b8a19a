//! Who may know whom. A search can't name a move, a game can't name a proof number, broker and workers see bytes.

use serde_json::Value;
use std::process::Command;

/// Every crate of the workspace with the ones it may depend on. Test dependencies are free.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("jl-value", &[]),
    ("jl-tree", &["jl-value"]),
    ("jl-search", &["jl-value", "jl-tree"]),
    ("jl-game", &["jl-value"]),
    ("jl-games", &["jl-value", "jl-game"]),
    ("jl-messages", &[]),
    ("jl-client", &["jl-value", "jl-tree", "jl-search", "jl-game", "jl-messages"]),
    ("jl-jobs", &["jl-messages"]),
    ("jl-store", &["jl-messages"]),
    ("jl-testing", &["jl-value", "jl-search", "jl-game", "jl-messages", "jl-client"]),
    ("jl-proof", &["jl-value", "jl-game", "jl-games"]),
    ("jl-engine", &[]),
    ("jl-engine-tictactoe", &["jl-value", "jl-game", "jl-games", "jl-engine"]),
    ("jl-engine-connect6", &["jl-value", "jl-game", "jl-games", "jl-engine", "jl-proof"]),
    ("jl-engine-sudoku", &["jl-engine"]),
    (
        "jl-apps",
        &[
            "jl-value",
            "jl-tree",
            "jl-search",
            "jl-game",
            "jl-games",
            "jl-client",
            "jl-messages",
            "jl-engine-sudoku",
        ],
    ),
    (
        "jl",
        &[
            "jl-value",
            "jl-tree",
            "jl-search",
            "jl-game",
            "jl-games",
            "jl-messages",
            "jl-client",
            "jl-jobs",
            "jl-store",
            "jl-apps",
            "jl-engine",
            "jl-engine-tictactoe",
            "jl-engine-connect6",
            "jl-engine-sudoku",
            "jl-proof",
        ],
    ),
];

#[test]
fn the_crates_depend_in_one_direction() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let args = ["metadata", "--format-version", "1", "--no-deps", "--offline", "--manifest-path", manifest];
    let out = Command::new(cargo).args(args).output().unwrap();
    let metadata: Value = serde_json::from_slice(&out.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert_eq!(packages.len(), MAY_KNOW.len(), "a crate is missing in the table or in the workspace");
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let (_, allowed) =
            MAY_KNOW.iter().find(|(n, _)| *n == name).unwrap_or_else(|| panic!("{name} is not in the table"));
        for dependency in package["dependencies"].as_array().unwrap() {
            let other = dependency["name"].as_str().unwrap();
            let ours = MAY_KNOW.iter().any(|(n, _)| *n == other);
            let test_only = dependency["kind"] == "dev";
            assert!(!ours || test_only || allowed.contains(&other), "{name} may not know {other}");
        }
    }
}
