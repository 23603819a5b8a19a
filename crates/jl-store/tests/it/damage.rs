//! Files after power cuts and bad disks: all of a run is there, or what is written is refused. Never another graph.

use jl_client::Client;
use jl_search::pns::Pns;
use jl_store::{Address, Entry, Journalled, RunStore, StoreError, restore};
use jl_testing::stones::{self, App, Workers};
use std::ops::Range;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

type Stones = Client<App<Pns>>;

/// A run as it lies on a disk.
struct OnDisk {
    file: Vec<u8>,
    log: Vec<u8>,
    entries: Vec<Entry>,
    digest: u64,
}

/// What became of one.
struct Found {
    /// All entries, or what is told of the journal.
    entries: Result<Vec<Entry>, StoreError>,
    /// The graph after the last entry, and what was wrong with the saved one.
    resumed: Result<(u64, Option<String>), StoreError>,
}

fn client() -> Stones {
    stones::client(Pns::default())
}

fn log_of(path: &Path) -> PathBuf {
    path.with_extension("jl-wal")
}

/// The file and its log while the run is written, and the file when it is closed. The graph was saved in between.
fn recorded() -> (OnDisk, OnDisk) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run.jl");
    let mut run = Journalled::new(client(), RunStore::create(&path.as_path().into(), "{}").unwrap());
    let mut workers = Workers::new(4);
    for turn in 0..300 {
        workers.turn(&mut run, 2);
        if turn == 50 || turn == 270 {
            run.save().unwrap();
        }
    }
    let digest = run.client().graph().digest();
    let read = |path: &Path| std::fs::read(path).unwrap_or_default();
    let on_disk = || {
        let (file, log) = (read(&path), read(&log_of(&path)));
        OnDisk {
            file,
            log,
            entries: entries(&RunStore::open_to_read(&path.as_path().into()).unwrap()).unwrap(),
            digest,
        }
    };
    let open = on_disk();
    drop(run);
    let closed = on_disk();
    assert!(closed.log.is_empty() && open.log.len() > 100_000 && open.entries == closed.entries);
    (open, closed)
}

fn entries(run: &RunStore) -> Result<Vec<Entry>, StoreError> {
    let mut all = Vec::new();
    let note = |_, entry| {
        all.push(entry);
        Ok(())
    };
    run.replay(note).map(|()| all)
}

impl OnDisk {
    /// Looks at it as `jl replay` does, and as `jl resume` does.
    fn found(&self) -> Found {
        let look = |open: fn(&Address) -> Result<RunStore, StoreError>| {
            let folder = TempDir::new().unwrap();
            let path = folder.path().join("run.jl");
            std::fs::write(&path, &self.file).unwrap();
            if !self.log.is_empty() {
                std::fs::write(log_of(&path), &self.log).unwrap();
            }
            (open(&path.as_path().into()), folder)
        };
        let (run, _folder) = look(RunStore::open_to_read);
        let entries = run.and_then(|run| entries(&run));
        let (run, _folder) = look(RunStore::open);
        let resumed = run.and_then(|run| {
            let mut client = client();
            let trouble = restore(&run, &mut client, usize::MAX, |_, _| {})?;
            Ok((client.graph().digest(), trouble))
        });
        Found { entries, resumed }
    }

    /// All of it is there, or it is refused. How often the journal was read, how often the run could be resumed, and how often
    /// in spite of its saved graph.
    fn check(&self, damaged: &OnDisk, what: &str, counts: &mut [u32; 3]) {
        let Found { entries, resumed } = damaged.found();
        match entries {
            Ok(entries) => {
                assert!(entries == self.entries, "{what}: other entries");
                counts[0] += 1;
            }
            Err(e) => told(&e, what),
        }
        match resumed {
            Ok((digest, trouble)) => {
                assert_eq!(digest, self.digest, "{what}: another graph; {trouble:?}");
                counts[1] += 1;
                counts[2] += u32::from(trouble.is_some());
            }
            Err(e) => told(&e, what),
        }
    }

    fn with(&self, change: impl FnOnce(&mut Vec<u8>)) -> OnDisk {
        let mut file = self.file.clone();
        change(&mut file);
        OnDisk { file, log: self.log.clone(), entries: Vec::new(), digest: 0 }
    }
}

/// The error of a file that is damaged.
fn told(e: &StoreError, what: &str) {
    let fits = matches!(
        e,
        StoreError::Damaged { .. }
            | StoreError::Corrupt { .. }
            | StoreError::NotARun { .. }
            | StoreError::Version { .. }
            | StoreError::CannotOpen { .. }
            | StoreError::CannotMigrate { .. }
    );
    assert!(fits, "{what}: {e:?}");
}

/// Ways to spoil a part of a file.
fn spoil(bytes: &mut [u8], part: Range<usize>, way: usize, rng: &mut fastrand::Rng) {
    match way {
        0 => bytes[part].fill(0),
        1 => bytes[part].fill_with(|| rng.u8(..)),
        2 => {
            // A sector of it.
            let start = rng.usize(part.start..part.end - 511);
            bytes[start..start + 512].fill_with(|| rng.u8(..));
        }
        3 => {
            // A few letters and digits, which may well make sense.
            for _ in 0..3 {
                let at = rng.usize(part.clone());
                bytes[at] = if rng.bool() { rng.alphanumeric() as u8 } else { bytes[at] ^ 1 };
            }
        }
        _ => {
            // Written to the wrong place.
            let other = rng.usize(0..bytes.len() / part.len()) * part.len();
            bytes.copy_within(other..other + part.len(), part.start);
        }
    }
}

#[test]
fn damaged_pages_are_noticed() {
    let (open, closed) = recorded();
    let mut rng = fastrand::Rng::with_seed(1);
    let size = 4096;
    let mut counts = [0; 3];
    let mut cases = 0;
    for way in 0..5 {
        for page in 0..closed.file.len() / size {
            let damaged = closed.with(|bytes| spoil(bytes, page * size..(page + 1) * size, way, &mut rng));
            closed.check(&damaged, &format!("page {} spoilt in way {way}", page + 1), &mut counts);
            cases += 1;
        }
    }
    // The log has newer pages, but perhaps not all.
    for way in [0, 4] {
        for page in 0..open.file.len() / size {
            let damaged = open.with(|bytes| spoil(bytes, page * size..(page + 1) * size, way, &mut rng));
            open.check(&damaged, &format!("page {} spoilt in way {way} under a log", page + 1), &mut counts);
        }
    }
    let [read, resumed, rebuilt] = counts;
    println!(
        "{cases} cases and more: {read} journals read, {resumed} runs resumed, {rebuilt} of them rebuilt"
    );
    assert!(read > 50, "the graph may be spoilt, and the journal is whole");
    assert!(rebuilt > 50, "a spoilt graph is rebuilt from the journal");
}

#[test]
fn truncated_files_are_noticed() {
    let (open, closed) = recorded();
    let mut rng = fastrand::Rng::with_seed(2);
    let mut counts = [0; 3];
    for i in 0..60 {
        let mut length = rng.usize(0..closed.file.len());
        if i % 2 == 0 {
            length -= length % 4096;
        }
        let damaged = closed.with(|bytes| bytes.truncate(length));
        closed.check(&damaged, &format!("cut to {length}"), &mut counts);
        let length = rng.usize(0..open.file.len());
        let damaged = open.with(|bytes| bytes.truncate(length));
        open.check(&damaged, &format!("cut to {length} under a log"), &mut counts);
    }
    println!("{counts:?}");
}

/// Where the transactions of a log end: <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>.
fn commits(log: &[u8]) -> Vec<usize> {
    let number = |at: usize| u32::from_be_bytes(log[at..at + 4].try_into().unwrap());
    let frame = 24 + number(8) as usize;
    let ends = (32 + frame..=log.len()).step_by(frame);
    let valid = ends.take_while(|end| log[end - frame + 8..end - frame + 16] == log[16..24]);
    valid.filter(|end| number(end - frame + 4) != 0).collect()
}

#[test]
fn a_cut_log_gives_the_committed_prefix() {
    let (open, _) = recorded();
    let commits = commits(&open.log);
    assert!(commits.len() > 20, "{}", commits.len());
    let mut rng = fastrand::Rng::with_seed(3);
    let cut = |length: usize, tail: Vec<u8>| {
        let log = [&open.log[..length], &tail].concat();
        OnDisk { file: open.file.clone(), log, entries: Vec::new(), digest: 0 }.found()
    };
    let mut lengths = Vec::new();
    for i in 0..40 {
        let length = if i == 0 { commits[commits.len() - 1] } else { rng.usize(commits[0]..open.log.len()) };
        let whole = commits.iter().copied().filter(|&end| end <= length).max().unwrap();
        let expected = cut(whole, Vec::new());
        let entries = expected.entries.unwrap();
        assert!(open.entries.starts_with(&entries));
        let tail =
            if i % 2 == 0 { Vec::new() } else { (0..rng.usize(1..9000)).map(|_| rng.u8(..)).collect() };
        let found = cut(length, tail);
        assert!(found.entries.unwrap() == entries, "cut at {length}: what is committed, and only that");
        let (digest, trouble) = found.resumed.unwrap();
        assert_eq!((digest, trouble), expected.resumed.unwrap(), "cut at {length}");
        // The graph is that of these entries.
        let mut replayed = client();
        give(&mut replayed, &entries);
        assert_eq!(digest, replayed.graph().digest(), "cut at {length}");
        lengths.push(entries.len());
    }
    assert!(
        lengths.contains(&open.entries.len()) && lengths.iter().any(|&l| l < open.entries.len()),
        "{lengths:?}"
    );
}

#[test]
fn a_lost_log_is_a_shorter_run_or_is_noticed() {
    let (open, _) = recorded();
    let found = OnDisk { log: Vec::new(), ..open.with(|_| {}) }.found();
    match (found.entries, found.resumed) {
        (Ok(entries), Ok((digest, _))) => {
            assert!(open.entries.starts_with(&entries) && entries.len() < open.entries.len());
            let mut replayed = client();
            give(&mut replayed, &entries);
            assert_eq!(digest, replayed.graph().digest());
        }
        (entries, resumed) => {
            for e in [entries.err(), resumed.err()].into_iter().flatten() {
                told(&e, "without its log");
            }
        }
    }
}

fn give(client: &mut Stones, entries: &[Entry]) {
    use jl_messages::JobClient;
    for entry in entries {
        drop(client.handle(entry.clone().into_notice().unwrap()));
    }
}
