//! Where a test has its run.

use jl_store::{Address, Entry, RunStore};
use tempfile::TempDir;

/// A place for runs that none has used before.
pub struct Place {
    folder: Option<TempDir>,
    database: String,
}

impl Place {
    pub fn sqlite() -> Place {
        Place { folder: Some(TempDir::new().unwrap()), database: String::new() }
    }

    pub fn postgres() -> Place {
        Place { folder: None, database: jl_testing::server().database() }
    }

    /// The place of a run.
    pub fn of(&self, name: &str) -> Address {
        match &self.folder {
            Some(folder) => folder.path().join(format!("{name}.jl")).into(),
            None => format!("{}?run={name}", self.database).as_str().into(),
        }
    }

    pub fn run(&self) -> Address {
        self.of("run")
    }

    /// A new run.
    pub fn create(&self) -> RunStore {
        RunStore::create(&self.run(), "{}").unwrap()
    }

    /// Changes the run behind the store's back.
    pub fn tamper(&self, sql: &str) {
        match self.run() {
            Address::File(path) => rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap(),
            Address::Database(_) => drop(jl_testing::server().sql(&self.database, sql)),
        }
    }

    pub fn database(&self) -> &str {
        &self.database
    }
}

/// What a reader sees.
pub fn read(address: &Address) -> Vec<Entry> {
    read_after(address, 0)
}

pub fn read_after(address: &Address, seq: i64) -> Vec<Entry> {
    let mut all = Vec::new();
    let note = |seq: i64, entry| {
        all.push((seq, entry));
        Ok(())
    };
    RunStore::open_to_read(address).unwrap().replay_after(seq, note).unwrap();
    let expected: Vec<i64> = (seq + 1..).take(all.len()).collect();
    assert_eq!(all.iter().map(|(seq, _)| *seq).collect::<Vec<_>>(), expected, "numbered without gaps");
    all.into_iter().map(|(_, entry)| entry).collect()
}
