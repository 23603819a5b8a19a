//! What a store costs a client: `cargo bench -p jl-store`.
//!
//! JL-PNS on `jl_testing::stones` with 16 jobs in flight, in SQLite (`synchronous = FULL`) and in PostgreSQL (a server of this bench's own,
//! with `fsync = on`), in temporary folders: set `TMPDIR` to choose the disk. Reported are
//!
//! - the time in the client per job, with no store and journalled, where one end or sixteen arrive together and share a commit;
//! - how long the graph takes to be saved: all of it, and what 1,000 further jobs changed;
//! - how long a resumption takes: from the saved graph, and from the journal alone;
//! - bytes on disk, by table;
//! - jobs per second when three quarters of the graph's pages must be out of memory.
//!
//! Sizes can be given as arguments, in nodes, and one of the databases: `cargo bench -p jl-store -- sqlite 100000 1000000`. Above five million only the graph is
//! written, in SQLite, with so much memory for its pages: `cargo bench -p jl-store -- 50000000 8000MB` (256MB unless you say).

use jl_client::Client;
use jl_messages::{Driven, JobClient, Notice, Request, Savable};
use jl_search::pns::Pns;
use jl_store::{Address, Journalled, Keeping, Kept, RunStore, replay, restore};
use jl_testing::stones::{self, App, Workers};
use std::error::Error;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

type Stones = Client<App<Pns>>;

const WORKERS: usize = 16;
/// Above this, the graph alone.
const LARGE: usize = 5_000_000;

fn client() -> Stones {
    stones::client(Pns::default())
}

/// Whatever has the client inside.
trait Has: Driven {
    fn stones(&self) -> &Stones;
}

impl Has for Stones {
    fn stones(&self) -> &Stones {
        self
    }
}

impl Has for Journalled<Stones> {
    fn stones(&self) -> &Stones {
        self.client()
    }
}

impl Has for Kept<Stones> {
    fn stones(&self) -> &Stones {
        self.client()
    }
}

/// Time in the client and its store, without what programs and workers take.
struct Spent {
    time: Duration,
    jobs: u32,
}

impl Spent {
    fn micros(&self) -> f64 {
        self.time.as_secs_f64() * 1e6 / f64::from(self.jobs)
    }

    fn per_second(&self) -> f64 {
        f64::from(self.jobs) / self.time.as_secs_f64()
    }
}

/// `batch` ends at a time, until `until` says so.
fn drive<H: Has>(
    workers: &mut Workers,
    run: &mut H,
    batch: usize,
    mut until: impl FnMut(&Stones) -> bool,
) -> Spent {
    let (time, jobs) = (workers.time, workers.jobs);
    while !until(run.stones()) {
        workers.turn(run, batch);
    }
    Spent { time: workers.time - time, jobs: (workers.jobs - jobs) as u32 }
}

/// So many further jobs.
fn more<H: Has>(workers: &mut Workers, run: &mut H, batch: usize, jobs: u64) -> Spent {
    let end = run.stones().counts().done + jobs;
    drive(workers, run, batch, |c| c.counts().done >= end)
}

/// What a client without a store takes for a job, by batch.
fn plain(size: usize, jobs: u64) -> [f64; 2] {
    let (mut client, mut workers) = (client(), Workers::new(WORKERS));
    drive(&mut workers, &mut client, 256, |c| c.graph().len() >= size);
    [1, 16].map(|batch| more(&mut workers, &mut client, batch, jobs).micros())
}

fn seconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed().as_secs_f64())
}

fn measure(
    name: &str,
    address: &Address,
    size: usize,
    plain: [f64; 2],
    bytes: impl Fn() -> Vec<(String, u64)>,
) {
    println!("\n{name}, {size} nodes");
    let mut run = Journalled::new(client(), RunStore::create(address, "{}").expect("a new run"));
    let mut workers = Workers::new(WORKERS);
    let (_, built) = seconds(|| drive(&mut workers, &mut run, 256, |c| c.graph().len() >= size));
    println!("  built in {built:.1} s, {} jobs", run.client().counts().done);
    let jobs = (size as u64 / 5).min(20_000);
    for (i, (batch, jobs)) in [(1, jobs / 4), (16, jobs)].into_iter().enumerate() {
        let spent = more(&mut workers, &mut run, batch, jobs);
        println!(
            "  journalled, {batch:2} ends a commit: {:7.0} jobs/s, {:6.1} µs a job; without a store {:.1}, so {:.1} added",
            spent.per_second(),
            spent.micros(),
            plain[i],
            spent.micros() - plain[i],
        );
    }
    let nodes = run.client().graph().len();
    let ((), all) = seconds(|| run.save().expect("it is saved"));
    more(&mut workers, &mut run, 16, 1000);
    let changed = run.client().graph().unsaved().len();
    let ((), part) = seconds(|| run.save().expect("it is saved"));
    println!(
        "  saved: all {nodes} nodes in {all:.2} s ({:.1} µs a node), {changed} nodes after 1000 further jobs in {part:.3} s",
        all * 1e6 / nodes as f64,
    );
    let (digest, nodes) = (run.client().graph().digest(), run.client().graph().len());
    let in_memory = run.client().bytes();
    let pages = run.client().graph().bytes();
    drop(run);

    let tables = bytes();
    let total: u64 = tables.iter().map(|(_, b)| b).sum();
    let each: Vec<String> =
        tables.iter().map(|(t, b)| format!("{t} {:.1}", *b as f64 / nodes as f64)).collect();
    println!("  bytes per node on disk: {:.1} ({})", total as f64 / nodes as f64, each.join(", "));

    let store = RunStore::open(address).expect("it is there");
    let mut restored = client();
    let (trouble, graph) =
        seconds(|| restore(&store, &mut restored, usize::MAX, |_, _| {}).expect("it is read"));
    assert_eq!((trouble, restored.graph().digest()), (None, digest));
    drop(restored);
    let mut replayed = client();
    let ((), journal) = seconds(|| replay(&store, &mut replayed, |_, _| {}).expect("it is read"));
    assert_eq!(replayed.graph().digest(), digest);
    drop(replayed);
    println!("  resumed: from the saved graph in {graph:.2} s, from the journal alone in {journal:.2} s");

    let memory = in_memory - pages + pages / 4;
    let mut restored = client();
    restore(&store, &mut restored, pages / 4, |_, _| {}).expect("it is read");
    let keeping = Keeping { pause: Duration::from_secs(30), memory };
    let mut kept = Kept::new(Journalled::new(restored, store), keeping).expect("it can be read beside");
    let mut workers = Workers::new(WORKERS);
    // Jobs that were out when the run was left are out for good.
    let lost = |job| Notice::Dropped { job, reason: jl_messages::DropReason::ClientRestarted };
    let mut orphans: Vec<Notice> = kept.client().jobs_in_flight().map(lost).collect();
    orphans.reverse();
    kept.receive(orphans).expect("the store works");
    let spent = more(&mut workers, &mut kept, 16, jobs);
    let (here, all) = kept.client().graph().pages();
    println!(
        "  with {:.0} MB, a quarter of the pages: {:.0} jobs/s, {here} of {all} pages in memory after {} jobs",
        memory as f64 / 1e6,
        spent.per_second(),
        spent.jobs,
    );
}

/// The bytes of the tables of a file, indexes with their tables.
fn file_bytes(path: &Path) -> Vec<(String, u64)> {
    let conn = rusqlite::Connection::open(path).expect("it is a file");
    let sql =
        "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_schema USING (name) GROUP BY 1 ORDER BY 2 DESC";
    let mut statement = conn.prepare(sql).expect("dbstat is there");
    let rows = statement.query_map([], |r| Ok((r.get(0)?, r.get::<_, i64>(1)?.cast_unsigned())));
    rows.expect("it is read").map(|row| row.expect("it is a row")).collect()
}

fn database_bytes(database: &str) -> Vec<(String, u64)> {
    let sql = "SELECT relname || ' ' || pg_total_relation_size(oid) FROM pg_class
               WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY pg_total_relation_size(oid) DESC";
    let text = jl_testing::durable_server().sql(database, sql);
    let row = |line: &str| line.split_once(' ').map(|(t, b)| (t.to_string(), b.parse().unwrap_or(0)));
    text.lines().filter_map(row).filter(|(t, _)| t != "joblevel").collect()
}

/// A client that saves its graph when it takes too much memory, and keeps no journal.
struct GraphOnly {
    client: Stones,
    run: RunStore,
    memory: usize,
    saving: Duration,
    batches: u32,
}

impl GraphOnly {
    fn save(&mut self) {
        let start = Instant::now();
        let state = self.client.state();
        for ids in self.client.unsaved().chunks(1 << 16) {
            let (positions, moves) = self.client.rows_of(ids);
            self.run.save(&positions, &moves, &state).expect("it is saved");
        }
        self.run.commit().expect("it is committed");
        self.client.mark_saved();
        self.client.trim(self.client.bytes() - self.client.graph().bytes() + self.memory / 4 * 3);
        self.saving += start.elapsed();
    }
}

impl Driven for GraphOnly {
    fn begin(&mut self) -> Vec<Request> {
        self.client.start()
    }

    fn receive(&mut self, notices: Vec<Notice>) -> Result<Vec<Request>, Box<dyn Error + Send + Sync>> {
        let requests = self.client.receive(notices)?;
        self.batches += 1;
        if self.batches.is_multiple_of(64) && self.client.graph().bytes() > self.memory {
            self.save();
        }
        Ok(requests)
    }

    fn is_over(&self) -> bool {
        self.client.is_finished()
    }
}

impl Has for GraphOnly {
    fn stones(&self) -> &Stones {
        &self.client
    }
}

fn graph_only(path: &Path, size: usize, memory: usize) {
    println!("\nSQLite, the graph alone up to {size} nodes, {} MB for its pages", memory >> 20);
    let address = Address::from(path);
    let run = RunStore::create(&address, "{}").expect("a new run");
    let mut client = client();
    client.set_source(Rc::new(RunStore::open_to_read(&address).expect("it is there")));
    let mut run = GraphOnly { client, run, memory, saving: Duration::ZERO, batches: 0 };
    let mut workers = Workers::new(WORKERS);
    println!("       nodes    jobs/s  saving   pages in memory   tables    file");
    for step in 1..=10 {
        run.saving = Duration::ZERO;
        let spent = drive(&mut workers, &mut run, 256, |c| c.graph().len() >= size / 10 * step);
        let (here, all) = run.client.graph().pages();
        println!(
            "{:12} {:9.0} {:6.0}% {here:8} of {all:6} {:5.0} MB {:4.1} GB",
            run.client.graph().len(),
            spent.per_second(),
            100.0 * run.saving.as_secs_f64() / spent.time.as_secs_f64(),
            (run.client.bytes() - run.client.graph().bytes()) as f64 / 1e6,
            std::fs::metadata(path).map_or(0, |m| m.len()) as f64 / 1e9,
        );
    }
    run.save();
    let GraphOnly { run: store, client: built, .. } = run;
    let (nodes, digest) = (built.graph().len(), built.graph().digest());
    drop(built);
    let mut restored = stones::client(Pns::default());
    let (trouble, took) = seconds(|| restore(&store, &mut restored, memory, |_, _| {}).expect("it is read"));
    assert_eq!((trouble, restored.graph().len(), restored.graph().digest()), (None, nodes, digest));
    println!("resumed from the saved graph in {took:.1} s");
}

fn main() {
    let given: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let named: Vec<String> =
        std::env::args().filter(|a| ["sqlite", "postgres"].contains(&a.as_str())).collect();
    let wants = |name: &str| named.is_empty() || named.iter().any(|n| n == name);
    let megabytes = std::env::args().find_map(|a| a.strip_suffix("MB")?.parse::<usize>().ok());
    let memory = megabytes.unwrap_or(256) << 20;
    let sizes = if given.is_empty() { vec![100_000] } else { given };
    for size in sizes {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("bench.jl");
        if size > LARGE {
            graph_only(&path, size, memory);
            continue;
        }
        let plain = plain(size, (size as u64 / 5).min(20_000));
        if wants("sqlite") {
            measure("SQLite", &path.as_path().into(), size, plain, || file_bytes(&path));
        }
        if !wants("postgres") {
            continue;
        }
        let database = jl_testing::durable_server().database();
        let address = format!("{database}?run=bench");
        measure("PostgreSQL", &address.as_str().into(), size, plain, || database_bytes(&database));
    }
}
