//! The client's cost per job on graphs of 10⁴ to 10⁷ nodes: `cargo bench -p jl-client`.
//!
//! The game is `jl_testing::stones`.
//! What a job costs is two events, "worker available" (select, pre-update, dispatch) and "done" (parse, generate,
//! update), with 16 and with 1024 jobs in flight. Sizes can be given as arguments: `cargo bench -p jl-client -- 10000 1000000`.

use jl_client::Client;
use jl_messages::{JobClient, JobId, Notice, Request};
use jl_search::pns::Pns;
use jl_search::uct::Uct;
use jl_testing::stones::{self, App, Retrieve, answer};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Time in the client alone.
#[derive(Default)]
struct Spent {
    available: Duration,
    done: Duration,
    jobs: u32,
}

struct Driver<S: Retrieve> {
    workers: usize,
    client: Client<App<S>>,
    running: VecDeque<(JobId, String)>,
}

impl<S: Retrieve> Driver<S> {
    fn new(search: S, workers: usize) -> Driver<S> {
        Driver { workers, client: stones::client(search), running: VecDeque::new() }
    }

    /// Until `until` says so; every worker gets a new job as soon as it has answered.
    fn run(&mut self, mut until: impl FnMut(&Client<App<S>>) -> bool) -> Spent {
        let mut spent = Spent::default();
        while !until(&self.client) {
            assert!(!self.client.is_finished(), "the root must stay open");
            let start = Instant::now();
            let requests = self.client.handle(Notice::WorkerAvailable);
            spent.available += start.elapsed();
            let mut declined = true;
            for r in requests {
                if let Request::Submit(s) = r {
                    self.running.push_back((s.job, answer(&s.input.words)));
                    declined = false;
                }
            }
            if self.running.len() < self.workers && !declined {
                continue;
            }
            let (job, line) = self.running.pop_front().expect("declined only while something runs");
            let notice = Notice::Done { job, output: vec![line], cpu: Duration::ZERO };
            let start = Instant::now();
            let requests = self.client.handle(notice);
            spent.done += start.elapsed();
            spent.jobs += 1;
            for r in requests {
                if let Request::Abort { job } = r {
                    self.running.retain(|(j, _)| *j != job);
                }
            }
        }
        spent
    }
}

fn measure<S: Retrieve>(search: S, workers: usize, sizes: &[usize]) {
    println!("\n{} {}, {workers} jobs in flight", search.name(), search.policy());
    println!("     nodes   µs/job  available      done  bytes/node  mean depth  mean width   build");
    let mut driver = Driver::new(search, workers);
    for &size in sizes {
        let start = Instant::now();
        driver.run(|c| c.graph().len() >= size);
        let build = start.elapsed();
        let end = driver.client.counts().done + (size as u64 / 5).min(20_000);
        let spent = driver.run(|c| c.counts().done >= end);
        let per = |d: Duration| d.as_secs_f64() * 1e6 / f64::from(spent.jobs);
        let g = driver.client.graph();
        let (depth, width) = shape(g);
        println!(
            "{:10} {:8.2} {:10.2} {:9.2} {:11.1} {depth:11.1} {width:11.1} {:6.1}s",
            g.len(),
            per(spent.available + spent.done),
            per(spent.available),
            per(spent.done),
            driver.client.bytes() as f64 / g.len() as f64,
            build.as_secs_f64(),
        );
    }
}

/// Mean depth of the nodes, and mean number of children of those that have any.
fn shape<D>(g: &jl_tree::Graph<D>) -> (f64, f64) {
    let mut depth = vec![0u32; g.len()];
    let mut parents = 0;
    for n in g.ids().skip(1) {
        depth[n.index()] = g.parents(n).next().map_or(0, |p| depth[p.index()] + 1);
    }
    for n in g.ids() {
        parents += usize::from(!g.edges(n).is_empty());
    }
    let mean = depth.iter().map(|&d| f64::from(d)).sum::<f64>() / g.len() as f64;
    (mean, (g.len() - 1) as f64 / parents as f64)
}

fn main() {
    let given: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let sizes = if given.is_empty() { vec![10_000, 100_000, 1_000_000, 10_000_000] } else { given };
    measure(Pns::default(), 16, &sizes);
    let most = sizes.iter().copied().filter(|&s| s <= 1_000_000).collect::<Vec<_>>();
    measure(Pns::default(), 1024, &most);
    measure(Uct::default(), 16, &most);
}
