//! The programs that a worker may run.
//!
//! A job names a program; only its worker says what that name means. So a client can't make a worker run anything but
//! what the worker's owner wrote into this file, and a command is a list of words, never a shell line.
//!
//! ```toml
//! [program.tictactoe]
//! command = ["{self}", "engine", "tictactoe", "--lines"]  # "{self}": the running executable
//! protocol = "lines"      # kept warm: one query line, answer lines, a terminator; or "oneshot": one process per job
//! terminator = "end"      # lines only: the line that ends an answer
//! version = "1"           # optional; an answer cached under another version is not reused
//! cores = 1
//! time_limit = "60s"      # most time for a job; a job's own limit wins if it is shorter
//! max_output = 1000000    # most bytes a job may print
//!
//! [program.count]
//! command = ["wc", "-l"]
//! protocol = "oneshot"
//! stdin = "close"         # oneshot only: "open" keeps standard input open for lines sent while the job runs
//! ```
//!
//! ```
//! let text = "[program.echo]\ncommand = ['echo']\nprotocol = 'oneshot'\n";
//! let registry = jl_jobs::registry::Registry::parse(text, "example.toml").unwrap();
//! assert_eq!(registry.names().collect::<Vec<_>>(), ["echo"]);
//! ```

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use thiserror::Error;

/// A hanging program must end at some time even if nobody thought of a limit.
pub const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(600);
pub const DEFAULT_MAX_OUTPUT: usize = 1_000_000;

/// The word of a command that stands for the running executable.
pub const SELF_WORD: &str = "{self}";

/// How a program is asked and how its answer ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// One process serves many jobs: a query line in, lines out, the terminator line ends the answer.
    Lines { terminator: String },
    /// One process per job: words are arguments, lines out, exit code 0 ends the answer.
    Oneshot { stdin: OneshotStdin },
}

/// What happens to a one-shot program's standard input once the job's own lines are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OneshotStdin {
    /// The program sees its end. Lines that a client sends later go nowhere.
    #[default]
    Close,
    /// Lines that a client sends while the job runs are written to it; it never sees an end.
    Open,
}

/// One registered program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramSpec {
    pub name: String,
    /// Not empty. The first word is looked up on PATH.
    pub command: Vec<String>,
    pub protocol: Protocol,
    pub version: Option<String>,
    pub cores: u32,
    pub time_limit: Duration,
    pub max_output: usize,
}

impl ProgramSpec {
    /// A warm program with default limits.
    #[must_use]
    pub fn lines<S: Into<String>>(
        name: impl Into<String>,
        command: impl IntoIterator<Item = S>,
        terminator: impl Into<String>,
    ) -> Self {
        Self::new(name.into(), command, Protocol::Lines { terminator: terminator.into() })
    }

    /// A one-shot program with default limits.
    #[must_use]
    pub fn oneshot<S: Into<String>>(name: impl Into<String>, command: impl IntoIterator<Item = S>) -> Self {
        Self::new(name.into(), command, Protocol::Oneshot { stdin: OneshotStdin::Close })
    }

    fn new<S: Into<String>>(name: String, command: impl IntoIterator<Item = S>, protocol: Protocol) -> Self {
        ProgramSpec {
            name,
            command: command.into_iter().map(Into::into).collect(),
            protocol,
            version: None,
            cores: 1,
            time_limit: DEFAULT_TIME_LIMIT,
            max_output: DEFAULT_MAX_OUTPUT,
        }
    }
}

/// The programs of one worker, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Registry {
    programs: BTreeMap<String, ProgramSpec>,
}

#[derive(Debug, Error)]
pub enum RegistryError {
    #[error("{path}: cannot read the program registry: {source}")]
    Read { path: String, source: std::io::Error },
    /// Not TOML, an unknown key, or a value of a wrong kind. The message shows the line and what is allowed there.
    #[error("{origin}: {message}")]
    Syntax { origin: String, message: String },
    #[error("{origin}: program.{program}.{key}: {problem}")]
    Value { origin: String, program: String, key: &'static str, problem: String },
}

impl Registry {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// `origin` is the name that errors give to the text, usually a file name.
    pub fn parse(text: &str, origin: &str) -> Result<Self, RegistryError> {
        let file: File = toml::from_str(text).map_err(|e| RegistryError::Syntax {
            origin: origin.to_owned(),
            message: e.to_string().trim_end().to_owned(),
        })?;
        let mut registry = Registry::new();
        for (name, entry) in file.program {
            let spec = entry.check(&name).map_err(|(key, problem)| RegistryError::Value {
                origin: origin.to_owned(),
                program: name,
                key,
                problem,
            })?;
            registry.insert(spec);
        }
        Ok(registry)
    }

    pub fn load(path: impl AsRef<Path>) -> Result<Self, RegistryError> {
        let origin = path.as_ref().display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|source| RegistryError::Read { path: origin.clone(), source })?;
        Self::parse(&text, &origin)
    }

    /// Adds a program, or replaces the one of the same name and gives that back.
    pub fn insert(&mut self, spec: ProgramSpec) -> Option<ProgramSpec> {
        self.programs.insert(spec.name.clone(), spec)
    }

    /// Adds all programs of `other`; they replace those of the same name.
    pub fn merge(&mut self, other: Registry) {
        self.programs.extend(other.programs);
    }

    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ProgramSpec> {
        self.programs.get(name)
    }

    /// In alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.programs.keys().map(String::as_str)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    program: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    command: Vec<String>,
    protocol: ProtocolName,
    terminator: Option<String>,
    stdin: Option<OneshotStdin>,
    version: Option<String>,
    #[serde(default = "one")]
    cores: u32,
    #[serde(default, deserialize_with = "duration")]
    time_limit: Option<Duration>,
    max_output: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum ProtocolName {
    Lines,
    Oneshot,
}

fn one() -> u32 {
    1
}

impl Entry {
    /// What the kinds of the values alone can't say. An error is the key and what is wrong with it.
    fn check(self, name: &str) -> Result<ProgramSpec, (&'static str, String)> {
        if self.command.first().is_none_or(String::is_empty) {
            return Err(("command", "is empty; give the program and its arguments, as [\"jl\", …]".into()));
        }
        if self.command.iter().any(|word| word.contains('\0')) {
            return Err(("command", "has a word with a zero byte, which no command can have".into()));
        }
        if self.cores == 0 {
            return Err(("cores", "is 0; a job needs at least 1".into()));
        }
        if self.max_output == Some(0) {
            return Err(("max_output", "is 0; a job must be able to print at least 1 byte".into()));
        }
        let protocol = match (self.protocol, self.terminator, self.stdin) {
            (ProtocolName::Lines, Some(t), None) if !t.trim().is_empty() && !t.contains(['\r', '\n']) => {
                Protocol::Lines { terminator: t }
            }
            (ProtocolName::Lines, Some(t), None) => {
                return Err(("terminator", format!("is {t:?}; it must be one line that is not blank")));
            }
            (ProtocolName::Lines, None, _) => {
                return Err((
                    "terminator",
                    "is missing; protocol \"lines\" needs the line that ends an answer".into(),
                ));
            }
            (ProtocolName::Lines, _, Some(_)) => {
                return Err((
                    "stdin",
                    "belongs to protocol \"oneshot\"; \"lines\" always keeps it open".into(),
                ));
            }
            (ProtocolName::Oneshot, Some(_), _) => {
                return Err((
                    "terminator",
                    "belongs to protocol \"lines\"; the exit ends a \"oneshot\" answer".into(),
                ));
            }
            (ProtocolName::Oneshot, None, stdin) => Protocol::Oneshot { stdin: stdin.unwrap_or_default() },
        };
        Ok(ProgramSpec {
            name: name.to_owned(),
            command: self.command,
            protocol,
            version: self.version,
            cores: self.cores,
            time_limit: self.time_limit.unwrap_or(DEFAULT_TIME_LIMIT),
            max_output: self.max_output.unwrap_or(DEFAULT_MAX_OUTPUT),
        })
    }
}

fn duration<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(from)?;
    let time = humantime::parse_duration(&text).ok().filter(|t| !t.is_zero());
    time.map(Some).ok_or_else(|| {
        D::Error::custom(format!(
            "{text:?} is not a time; give a whole number above 0 and a unit, such as \"500ms\", \"60s\", \"2m\", \"1h\""
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        Registry::parse(text, "my.toml").unwrap_err().to_string()
    }

    #[test]
    fn reads_every_key() {
        let registry = Registry::parse(
            "[program.a]\ncommand = ['{self}', 'x']\nprotocol = 'lines'\nterminator = 'end'\nversion = '2'\n\
             cores = 3\ntime_limit = '500ms'\nmax_output = 7\n\
             [program.b]\ncommand = ['true']\nprotocol = 'oneshot'\nstdin = 'open'\n",
            "my.toml",
        )
        .unwrap();
        let a = registry.get("a").unwrap();
        assert_eq!(a.command, ["{self}", "x"]);
        assert_eq!(a.protocol, Protocol::Lines { terminator: "end".into() });
        assert_eq!((a.version.as_deref(), a.cores, a.max_output), (Some("2"), 3, 7));
        assert_eq!(a.time_limit, Duration::from_millis(500));
        let b = registry.get("b").unwrap();
        assert_eq!(b.protocol, Protocol::Oneshot { stdin: OneshotStdin::Open });
        assert_eq!((b.cores, b.time_limit, b.max_output), (1, DEFAULT_TIME_LIMIT, DEFAULT_MAX_OUTPUT));
        assert!(registry.get("c").is_none());
    }

    #[test]
    fn errors_name_the_file_the_key_and_what_is_allowed() {
        let cases = [
            (
                "[program.a]\ncommand = ['x']\nprotocol = 'gtp'",
                &["my.toml", "gtp", "`lines`", "`oneshot`"][..],
            ),
            ("[program.a]\ncommand = ['x']\nprotcol = 'lines'", &["line 3", "protcol", "`protocol`"]),
            ("[progam.a]\ncommand = ['x']", &["progam", "`program`"]),
            ("[program.a]\nprotocol = 'oneshot'", &["missing", "`command`"]),
            (
                "[program.a]\ncommand = 'x y'\nprotocol = 'oneshot'",
                &["line 2", "command = 'x y'", "sequence"],
            ),
            ("[program.a]\ncommand = []\nprotocol = 'oneshot'", &["my.toml: program.a.command", "empty"]),
            ("[program.a]\ncommand = ['x']\nprotocol = 'lines'", &["program.a.terminator", "missing"]),
            (
                "[program.a]\ncommand = ['x']\nprotocol = 'lines'\nterminator = ' '",
                &["a.terminator", "not blank"],
            ),
            (
                "[program.a]\ncommand = ['x']\nprotocol = 'oneshot'\nterminator = 'e'",
                &["a.terminator", "\"lines\""],
            ),
            (
                "[program.a]\ncommand = ['x']\nprotocol = 'oneshot'\ntime_limit = '2 fortnights'",
                &["time_limit", "2 fortnights", "60s"],
            ),
            ("[program.a]\ncommand = ['x']\nprotocol = 'oneshot'\ncores = 0", &["a.cores", "at least 1"]),
            ("[program.a]\ncommand = ['x']\nprotocol = 'oneshot'\nmax_output = -1", &["max_output", "-1"]),
        ];
        for (text, words) in cases {
            let message = refused(text);
            for word in words {
                assert!(message.contains(word), "{word:?} is not in {message}");
            }
        }
        let message = Registry::load("no/such.toml").unwrap_err().to_string();
        assert!(message.starts_with("no/such.toml: cannot read"), "{message}");
    }

    #[test]
    fn times() {
        let program = |time: &str| {
            format!("[program.p]\ncommand = [\"p\"]\nprotocol = \"oneshot\"\ntime_limit = \"{time}\"")
        };
        let limit = |time| Registry::parse(&program(time), "t").map(|r| r.get("p").unwrap().time_limit);
        assert_eq!(limit("500ms").unwrap(), Duration::from_millis(500));
        assert_eq!(limit("2m").unwrap(), Duration::from_secs(120));
        for bad in ["", "5", "s", "0s", "-1s", "99999999999999999999s"] {
            assert!(limit(bad).is_err_and(|e| e.to_string().contains("is not a time")), "{bad}");
        }
    }

    #[test]
    fn later_programs_replace_earlier_ones() {
        let mut registry = Registry::new();
        registry.insert(ProgramSpec::oneshot("a", ["old"]));
        let mut other = Registry::new();
        other.insert(ProgramSpec::oneshot("a", ["new"]));
        other.insert(ProgramSpec::lines("b", ["b"], "end"));
        registry.merge(other);
        assert_eq!(registry.get("a").unwrap().command, ["new"]);
        assert_eq!(registry.names().collect::<Vec<_>>(), ["a", "b"]);
    }
}
