//! Answers of programs, kept from one experiment or run to the next.

use crate::StoreError;
use rusqlite::{Connection, OptionalExtension};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const APPLICATION_ID: i32 = 0x6a6c_616e; // "jlan"

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS answers (
    program  TEXT NOT NULL,
    version  TEXT NOT NULL,
    question TEXT NOT NULL,                  -- the words of the job, or its key
    output   TEXT NOT NULL,                  -- JSON: the lines that the program printed
    PRIMARY KEY (program, version, question)
) WITHOUT ROWID;
";

/// For others that write.
const PATIENCE: Duration = Duration::from_secs(30);

const SELECT: &str = "SELECT output FROM answers WHERE program = ?1 AND version = ?2 AND question = ?3";

/// A file of answers. Several processes may use one at the same time.
pub struct AnswerFile {
    path: PathBuf,
    conn: Connection,
}

impl AnswerFile {
    /// Opens the file, or makes it.
    pub fn open(path: &Path) -> Result<AnswerFile, StoreError> {
        let show = || path.display().to_string();
        let not_answers = |why: String| StoreError::NotAnswers { path: show(), why };
        let conn = Connection::open(path)
            .map_err(|e| StoreError::CannotOpen { path: show(), why: e.to_string() })?;
        let wait = conn.busy_timeout(PATIENCE);
        wait.map_err(|e| StoreError::CannotOpen { path: show(), why: e.to_string() })?;
        // In this order: whoever makes the file meanwhile names it first and gives it tables then.
        let look = || {
            let tables = conn.query_row("SELECT count(*) FROM sqlite_master", [], count)?;
            Ok((conn.pragma_query_value(None, "application_id", |r| r.get::<_, i32>(0))?, tables))
        };
        let (id, tables) = look().map_err(|e: rusqlite::Error| not_answers(e.to_string()))?;
        if id != APPLICATION_ID && (id, tables) != (0, 0) {
            return Err(not_answers("it is some other kind of file".into()));
        }
        let set_up = || {
            if id != APPLICATION_ID {
                conn.pragma_update(None, "application_id", APPLICATION_ID)?;
            }
            conn.pragma_update(None, "journal_mode", "WAL")?;
            conn.pragma_update(None, "synchronous", "NORMAL")?;
            conn.execute_batch(SCHEMA)?;
            // Nothing of this need have written anything.
            conn.execute_batch("BEGIN IMMEDIATE; ROLLBACK")
        };
        // Two that make a file at the same time can be in each other's way however long one waits.
        let begin = Instant::now();
        let mut done = set_up();
        while done.as_ref().is_err_and(is_busy) && begin.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(5));
            done = set_up();
        }
        done.map_err(|e| StoreError::CannotWrite { path: show(), why: e.to_string() })?;
        conn.prepare_cached(SELECT).map_err(|e| not_answers(e.to_string()))?;
        Ok(AnswerFile { path: path.to_path_buf(), conn })
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn get(
        &self,
        program: &str,
        version: &str,
        question: &str,
    ) -> Result<Option<Vec<String>>, StoreError> {
        let read = || {
            let mut select = self.conn.prepare_cached(SELECT)?;
            select.query_row([program, version, question], |r| r.get::<_, String>(0)).optional()
        };
        let not_answers = |why: String| StoreError::NotAnswers { path: self.path.display().to_string(), why };
        let text = read().map_err(|e| not_answers(e.to_string()))?;
        text.map(|text| serde_json::from_str(&text)).transpose().map_err(|e| not_answers(e.to_string()))
    }

    /// Keeps an answer; a second one to the same question takes its place.
    pub fn put(
        &self,
        program: &str,
        version: &str,
        question: &str,
        output: &[String],
    ) -> Result<(), StoreError> {
        let output = serde_json::to_string(output).expect("lines have a JSON form");
        let sql =
            "INSERT OR REPLACE INTO answers (program, version, question, output) VALUES (?1, ?2, ?3, ?4)";
        let write = || self.conn.prepare_cached(sql)?.execute([program, version, question, &output]);
        write().map(|_| ()).map_err(|e| StoreError::CannotWrite {
            path: self.path.display().to_string(),
            why: e.to_string(),
        })
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
}

fn count(row: &rusqlite::Row<'_>) -> rusqlite::Result<i32> {
    row.get(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_kept_apart_and_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept.answers");
        let lines = |text: &str| vec!["depth 1".to_string(), text.to_string()];
        {
            let file = AnswerFile::open(&path).unwrap();
            file.put("p", "1", "--moves a", &lines("one")).unwrap();
            file.put("p", "2", "--moves a", &lines("two")).unwrap();
            file.put("p", "2", "--moves a", &lines("three")).unwrap();
        }
        let (one, other) = (AnswerFile::open(&path).unwrap(), AnswerFile::open(&path).unwrap());
        other.put("q", "1", "--moves a", &lines("four")).unwrap();
        assert_eq!(one.get("p", "1", "--moves a").unwrap(), Some(lines("one")));
        assert_eq!(one.get("p", "2", "--moves a").unwrap(), Some(lines("three")));
        assert_eq!(one.get("q", "1", "--moves a").unwrap(), Some(lines("four")));
        assert_eq!(one.get("q", "1", "--moves b").unwrap(), None);
    }

    #[test]
    fn many_may_open_a_new_file_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept.answers");
        std::thread::scope(|scope| {
            for i in 0..8 {
                let path = &path;
                scope.spawn(move || {
                    let file = AnswerFile::open(path).unwrap();
                    for n in 0..20 {
                        file.put("p", "1", &format!("{i} {n}"), &[]).unwrap();
                    }
                });
            }
        });
        let file = AnswerFile::open(&path).unwrap();
        let rows = file.conn.query_row("SELECT count(*) FROM answers", [], count).unwrap();
        assert_eq!(rows, 160);
    }

    #[test]
    fn a_file_with_another_table_is_no_file_of_answers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("odd.answers");
        let conn = Connection::open(&path).unwrap();
        conn.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
        conn.execute_batch("CREATE TABLE answers (word TEXT)").unwrap();
        drop(conn);
        let why = AnswerFile::open(&path).err().unwrap().to_string();
        assert!(why.contains("is not a file of answers"), "{why}");
    }

    #[test]
    fn other_files_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("notes.txt");
        std::fs::write(&text, "these are notes, and not few of them; they fill more than a header").unwrap();
        let run = folder.path().join("run.jl");
        drop(crate::RunStore::create(&run.as_path().into(), "{}").unwrap());
        for path in [&text, &run] {
            let before = std::fs::read(path).unwrap();
            let why = AnswerFile::open(path).err().unwrap().to_string();
            assert!(why.contains("is not a file of answers"), "{why}");
            assert_eq!(std::fs::read(path).unwrap(), before);
        }
        assert!(AnswerFile::open(&folder.path().join("no/where")).is_err());
    }
}
