//! The versions of the built-in engines: fingerprints of everything that their answers follow from.
//!
//! A kept answer counts for the very same engine only, and nobody remembers to raise a number whenever a word of an engine's
//! source changes. The fingerprint depends on names and contents of files, not on where they are or when they were built.

use std::fs;
use std::path::{Path, PathBuf};

/// An engine, the crates whose sources make its answers, and foreign ones.
const ENGINES: &[(&str, &[&str], &[&str])] = &[
    ("TICTACTOE", &["jl-engine-tictactoe", "jl-engine", "jl-games", "jl-game", "jl-value"], &["fastrand"]),
    ("CONNECT6", &["jl-engine-connect6", "jl-engine", "jl-games", "jl-game", "jl-value"], &[]),
    ("SUDOKU", &["jl-engine-sudoku", "jl-engine"], &[]),
];

fn main() {
    let crates = PathBuf::from(env("CARGO_MANIFEST_DIR")).join("..");
    let lock = crates.join("../Cargo.lock");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", lock.display());
    for (engine, ours, foreign) in ENGINES {
        let mut hash = Hash::new();
        for name in *ours {
            let folder = crates.join(name).join("src");
            println!("cargo::rerun-if-changed={}", folder.display());
            add_folder(&mut hash, &folder, name);
        }
        let locked = fs::read_to_string(&lock).unwrap_or_default();
        for name in *foreign {
            hash.add(name.as_bytes());
            hash.add(version_of(&locked, name).as_bytes());
        }
        println!("cargo::rustc-env=JL_VERSION_{engine}={}+{:016x}", env("CARGO_PKG_VERSION"), hash.0);
    }
}

fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Every file below the folder, in the order of their names.
fn add_folder(hash: &mut Hash, folder: &Path, name: &str) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut names: Vec<_> = entries.map(|e| e.expect("a folder can be read").file_name()).collect();
    names.sort();
    for entry in names {
        let path = folder.join(&entry);
        let name = format!("{name}/{}", entry.to_string_lossy());
        if path.is_dir() {
            add_folder(hash, &path, &name);
        } else {
            let content = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            hash.add(name.as_bytes());
            hash.add(&content);
        }
    }
}

/// What the lock file says of a crate.
fn version_of<'a>(lock: &'a str, name: &str) -> &'a str {
    let head = format!("name = \"{name}\"\nversion = \"");
    lock.split_once(&head).and_then(|(_, rest)| rest.split_once('"')).map_or("", |(version, _)| version)
}

/// FNV-1a: the standard library's hash may change with it.
struct Hash(u64);

impl Hash {
    fn new() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }

    /// A part, with its end. Line ends are those of no system.
    fn add(&mut self, part: &[u8]) {
        let bytes = part.iter().copied().filter(|&b| b != b'\r');
        for byte in bytes.chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
