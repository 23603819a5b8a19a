//! The built binary in a folder of its own.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

pub struct Place(TempDir);

pub struct Outcome {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Place {
    pub fn new() -> Place {
        Place(TempDir::new().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.file(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jl"));
        command.args(args).current_dir(self.path()).stdin(Stdio::null()).env_remove("JL_CACHE");
        command
    }

    pub fn jl(&self, args: &[&str]) -> Outcome {
        Outcome::of(self.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// A command that must succeed; the JSON of its last line.
    pub fn json(&self, args: &[&str]) -> Value {
        let out = self.jl(args);
        assert_eq!(out.code, 0, "{args:?}: {}", out.stderr);
        out.json()
    }
}

impl Outcome {
    pub fn of(child: Child) -> Outcome {
        let out = child.wait_with_output().unwrap();
        Outcome {
            code: out.status.code().unwrap_or(-1),
            stdout: String::from_utf8(out.stdout).unwrap(),
            stderr: String::from_utf8(out.stderr).unwrap(),
        }
    }

    /// The only thing on standard output must be one JSON object.
    pub fn json(&self) -> Value {
        assert_eq!(self.stdout.lines().count(), 1, "{}", self.stdout);
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {}", self.stdout))
    }
}
