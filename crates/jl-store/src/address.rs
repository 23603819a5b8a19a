//! Where a run is: a file, or a row of a database.

use crate::StoreError;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Where a run is. Shown without a password.
#[derive(Clone)]
pub enum Address {
    File(PathBuf),
    Database(Database),
}

/// `postgres://user:password@host:port/database?run=NAME`, and further options of the connection.
#[derive(Clone)]
pub struct Database {
    /// What the driver is given, or why it can't be.
    config: Result<Box<postgres::Config>, String>,
    /// Without password and run.
    shown: String,
    run: Option<String>,
}

const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

impl Address {
    /// Anything that does not begin like a URL is the name of a file. What makes no sense is refused when it is opened.
    fn parse(text: OsString) -> Address {
        match text.to_str().filter(|t| SCHEMES.iter().any(|s| t.starts_with(s))) {
            Some(url) => Address::Database(Database::parse(url)),
            None => Address::File(text.into()),
        }
    }

    /// The file's stem, or the name of the run.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Address::File(path) => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            Address::Database(database) => database.run.clone().unwrap_or_default(),
        }
    }

    /// As a word of a shell command.
    #[must_use]
    pub fn quoted(&self) -> String {
        match self {
            Address::File(path) => path.display().to_string(),
            Address::Database(_) => format!("\"{self}\""),
        }
    }
}

impl Database {
    fn parse(url: &str) -> Database {
        let (base, query) = url.rsplit_once('?').unwrap_or((url, ""));
        let mut run = None;
        let (mut given, mut shown) = (Vec::new(), Vec::new());
        let mut nonsense = false;
        for pair in query.split('&').filter(|p| !p.is_empty()) {
            match pair.split_once('=') {
                Some(("run", name)) => match decoded(name) {
                    Some(name) if !name.is_empty() => run = Some(name),
                    _ => nonsense = true,
                },
                Some(("password", _)) => given.push(pair),
                Some(_) => {
                    given.push(pair);
                    shown.push(pair);
                }
                None => nonsense = true,
            }
        }
        let with = |base: &str, pairs: &[&str]| {
            if pairs.is_empty() { base.to_string() } else { format!("{base}?{}", pairs.join("&")) }
        };
        let config = postgres::Config::from_str(&with(base, &given)).map_err(|e| e.to_string());
        let config = match config {
            Ok(_) if nonsense => Err("its options must be ?name=value&name=value".into()),
            Ok(mut config) => {
                if config.get_password().is_none()
                    && let Ok(password) = std::env::var("PGPASSWORD")
                {
                    config.password(password);
                }
                Ok(Box::new(config))
            }
            Err(why) => Err(why),
        };
        // Of a URL that can't be understood nobody knows which part is the password.
        let shown =
            if config.is_ok() { with(&without_password(base), &shown) } else { "postgres://…".to_string() };
        Database { config, shown, run }
    }

    /// The run of this database with that name.
    #[must_use]
    pub fn with_run(&self, name: &str) -> Address {
        Address::Database(Database { run: Some(name.into()), ..self.clone() })
    }

    /// The run that the address names.
    #[must_use]
    pub fn run(&self) -> Option<&str> {
        self.run.as_deref()
    }

    pub(crate) fn named(&self) -> Result<&str, StoreError> {
        self.config()?;
        self.run().ok_or_else(|| StoreError::NoRunNamed { path: self.to_string() })
    }

    pub(crate) fn config(&self) -> Result<&postgres::Config, StoreError> {
        let config = self.config.as_ref();
        config.map(|c| &**c).map_err(|why| StoreError::Address { path: self.to_string(), why: why.clone() })
    }
}

fn without_password(base: &str) -> String {
    let (scheme, rest) = base.split_once("//").unwrap_or(("", base));
    match rest.split_once('@') {
        None => base.to_string(),
        Some((who, rest)) => {
            let user = who.split_once(':').map_or(who, |(user, _)| user);
            format!("{scheme}//{user}@{rest}")
        }
    }
}

/// `%20` and the like.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(first);
        }
    }
    String::from_utf8(bytes).ok()
}

pub(crate) fn encoded(text: &str) -> String {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.~".contains(&b) || !b.is_ascii();
    let mut bytes = Vec::new();
    for b in text.bytes() {
        if is_plain(b) { bytes.push(b) } else { bytes.extend(format!("%{b:02X}").bytes()) }
    }
    String::from_utf8(bytes).expect("what is not ASCII was left as it is")
}

impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)?;
        match &self.run {
            None => Ok(()),
            Some(run) => {
                let joint = if self.shown.contains('?') { '&' } else { '?' };
                write!(f, "{joint}run={}", encoded(run))
            }
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::File(path) => path.display().fmt(f),
            Address::Database(database) => database.fmt(f),
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

impl From<OsString> for Address {
    fn from(text: OsString) -> Address {
        Address::parse(text)
    }
}

impl From<&str> for Address {
    fn from(text: &str) -> Address {
        Address::parse(text.into())
    }
}

impl From<&Path> for Address {
    fn from(path: &Path) -> Address {
        Address::File(path.into())
    }
}

impl From<PathBuf> for Address {
    fn from(path: PathBuf) -> Address {
        Address::File(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shown_without_passwords() {
        for (url, shown, name) in [
            ("postgres://u:secret@h:5433/d?run=a%20b", "postgres://u@h:5433/d?run=a%20b", "a b"),
            ("postgresql://u@h/d?connect_timeout=3&run=é", "postgresql://u@h/d?connect_timeout=3&run=é", "é"),
            ("postgres://h/d?password=secret&user=u", "postgres://h/d?user=u", ""),
            ("postgres://u:se?cret@h/d?run=x@y", "postgres://u@h/d?run=x%40y", "x@y"),
            // What can't be understood is not shown at all.
            ("postgres://u:se?cret@h/d", "postgres://…", ""),
            ("postgres://u:se/cret:1@h:x/d?run=n", "postgres://…?run=n", "n"),
            ("postgres://u@h:99999/d", "postgres://…", ""),
            ("runs/a.b.jl", "runs/a.b.jl", "a.b"),
        ] {
            let address = Address::from(url);
            assert_eq!((address.to_string().as_str(), address.name().as_str()), (shown, name), "{url}");
            assert!(!format!("{address:?}").contains("cret"), "{address:?}");
        }
    }

    #[test]
    fn a_database_alone_is_no_run() {
        let Address::Database(d) = Address::from("postgres://u:secret@h/d") else { panic!("a database") };
        assert_eq!(
            d.named().unwrap_err().to_string(),
            "postgres://u@h/d names no run of the database: add ?run=NAME"
        );
        assert_eq!(d.with_run("x").to_string(), "postgres://u@h/d?run=x");
        let Address::Database(d) = Address::from("postgres://u:secret@h:port/d?run=x") else {
            panic!("a database")
        };
        let why = d.named().unwrap_err().to_string();
        assert!(why.contains("makes no sense") && !why.contains("secret"), "{why}");
    }
}
