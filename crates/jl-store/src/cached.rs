//! A client some of whose jobs are answered by what other runs have found out.

use crate::{AnswerFile, Stepped, StoreError};
use jl_messages::{Driven, JobClient, JobId, Notice, Request};
use std::error::Error;
use std::path::Path;

/// How often answers were asked of a cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CacheCounts {
    pub hits: u64,
    /// Not known, or not of use.
    pub misses: u64,
    pub stored: u64,
}

/// The kept answers of one version of a program.
pub struct Cache {
    file: AnswerFile,
    program: String,
    version: String,
    counts: CacheCounts,
    /// What went wrong. From then on nothing is known and nothing is kept.
    trouble: Option<StoreError>,
}

impl Cache {
    /// Answers count for this very version only.
    #[must_use]
    pub fn new(file: AnswerFile, program: impl Into<String>, version: impl Into<String>) -> Cache {
        let (program, version) = (program.into(), version.into());
        Cache { file, program, version, counts: CacheCounts::default(), trouble: None }
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    #[must_use]
    pub fn counts(&self) -> CacheCounts {
        self.counts
    }

    #[must_use]
    pub fn trouble(&self) -> Option<&StoreError> {
        self.trouble.as_ref()
    }

    /// The answer to a job in flight, if it is known.
    fn answer<C: JobClient + ?Sized>(
        &mut self,
        client: &C,
        program: &str,
        job: JobId,
    ) -> Option<Vec<String>> {
        let key = client.cache_key(job).filter(|_| self.is_for(program))?;
        let kept = self.file.get(&self.program, &self.version, &key);
        let kept = kept.unwrap_or_else(|e| {
            self.trouble = Some(e);
            None
        });
        let answer = kept.and_then(|kept| client.recalled(job, &kept));
        let count = if answer.is_some() { &mut self.counts.hits } else { &mut self.counts.misses };
        *count += 1;
        answer
    }

    fn keep(&mut self, key: &str, kept: &[String]) {
        if self.trouble.is_some() {
            return;
        }
        match self.file.put(&self.program, &self.version, key, kept) {
            Ok(()) => self.counts.stored += 1,
            Err(e) => self.trouble = Some(e),
        }
    }

    fn is_for(&self, program: &str) -> bool {
        self.trouble.is_none() && program == self.program
    }
}

/// A client and, perhaps, a cache.
///
/// A job whose answer is known never leaves: the client gets the answer at once ([`Notice::Cached`]) and, since the worker is
/// still on offer, chooses again. To a journal these are notices as any, so that a replay needs no cache.
pub struct Cached<S> {
    run: S,
    cache: Option<Cache>,
}

/// So many answers are taken in a row. Then the offer is declined and asked for anew, so that a driver can see to other things.
const IN_A_ROW: usize = 256;

impl<S: Stepped> Cached<S> {
    pub fn new(run: S, cache: Option<Cache>) -> Cached<S> {
        Cached { run, cache }
    }

    pub fn run(&self) -> &S {
        &self.run
    }

    #[must_use]
    pub fn cache(&self) -> Option<&Cache> {
        self.cache.as_ref()
    }

    #[must_use]
    pub fn into_parts(self) -> (S, Option<Cache>) {
        (self.run, self.cache)
    }

    /// Hands a notice on, and keeps the answer that it brings, if it is one.
    fn pass_on(&mut self, notice: Notice) -> Result<Vec<Request>, Box<dyn Error + Send + Sync>> {
        let mut kept = None;
        if let (Some(_), Notice::Done { job, output, .. }) = (&self.cache, &notice) {
            let client = self.run.client();
            // The client knows what a job asks only while it waits for it.
            kept = client.cache_key(*job).zip(client.to_keep(*job, output));
        }
        let requests = self.run.step(notice)?;
        if let (Some(cache), Some((key, kept))) = (&mut self.cache, kept) {
            cache.keep(&key, &kept);
        }
        Ok(requests)
    }

    /// Takes a job whose answer is known out of the requests.
    fn take_known(&mut self, requests: &mut Vec<Request>) -> Option<Notice> {
        let cache = self.cache.as_mut()?;
        // A choice is the last of the requests that come with it.
        let Some(Request::Submit(submit)) = requests.last() else { return None };
        let job = submit.job;
        let output = cache.answer(self.run.client(), &submit.program, job)?;
        requests.pop();
        Some(Notice::Cached { job, output })
    }
}

impl<S: Stepped + Driven> Driven for Cached<S> {
    fn begin(&mut self) -> Vec<Request> {
        self.run.begin()
    }

    fn receive(&mut self, notices: Vec<Notice>) -> Result<Vec<Request>, Box<dyn Error + Send + Sync>> {
        let mut all = Vec::new();
        for notice in notices {
            let mut requests = self.pass_on(notice)?;
            let mut taken = 0;
            while let Some(known) = self.take_known(&mut requests) {
                taken += 1;
                requests.extend(self.run.step(known)?);
                if self.is_over() {
                    break;
                }
                if taken == IN_A_ROW {
                    requests.extend([Request::Decline, Request::Ready]);
                    break;
                }
                requests.extend(self.run.step(Notice::WorkerAvailable)?);
            }
            all.extend(requests);
        }
        self.run.settle()?;
        Ok(all)
    }

    fn is_over(&self) -> bool {
        self.run.is_over()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Address, Journalled, RunStore, replay};
    use jl_messages::{Input, Submit};
    use std::time::Duration;

    /// Asks one question after the other, and takes every answer that is not empty.
    #[derive(Default)]
    struct Asking {
        next: u64,
        asked: Option<(JobId, String)>,
        answers: Vec<Vec<String>>,
        wanted: usize,
    }

    impl JobClient for Asking {
        fn start(&mut self) -> Vec<Request> {
            Vec::new()
        }

        fn handle(&mut self, notice: Notice) -> Vec<Request> {
            match notice {
                Notice::WorkerAvailable if self.asked.is_some() => vec![Request::Decline],
                Notice::WorkerAvailable => {
                    let job = JobId(self.next);
                    self.next += 1;
                    self.asked = Some((job, job.to_string()));
                    vec![Request::Submit(submit(job))]
                }
                Notice::Done { job, output, .. } | Notice::Cached { job, output } => {
                    if self.question(job).is_some() {
                        self.asked = None;
                        self.answers.push(output);
                    }
                    Vec::new()
                }
                _ => Vec::new(),
            }
        }

        fn is_finished(&self) -> bool {
            self.answers.len() >= self.wanted
        }

        fn question(&self, job: JobId) -> Option<&str> {
            self.asked.as_ref().filter(|(j, _)| *j == job).map(|(_, q)| q.as_str())
        }

        fn cache_key(&self, job: JobId) -> Option<String> {
            self.question(job).map(String::from)
        }

        fn to_keep(&self, job: JobId, output: &[String]) -> Option<Vec<String>> {
            (self.question(job).is_some() && !output.is_empty()).then(|| output.to_vec())
        }

        fn recalled(&self, job: JobId, kept: &[String]) -> Option<Vec<String>> {
            self.to_keep(job, kept)
        }
    }

    fn submit(job: JobId) -> Submit {
        Submit {
            job,
            program: "p".into(),
            input: Input::default(),
            priority: 0,
            cores: 1,
            time_limit: None,
            abortable: true,
            reassign: 0,
        }
    }

    fn asking(wanted: usize) -> Asking {
        Asking { wanted, ..Asking::default() }
    }

    fn done(job: u64, line: &str) -> Notice {
        let output = if line.is_empty() { Vec::new() } else { vec![line.to_string()] };
        Notice::Done { job: JobId(job), output, cpu: Duration::from_secs(1) }
    }

    #[test]
    fn known_answers_are_given_at_once_and_journalled() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.answers");
        let cache = |version: &str| Cache::new(AnswerFile::open(&path).unwrap(), "p", version);
        let mut first = Cached::new(asking(9), Some(cache("1")));
        for (job, line) in [(0, "zero"), (1, "one"), (2, "")] {
            let requests = first.receive(vec![Notice::WorkerAvailable]).unwrap();
            assert_eq!(requests, [Request::Submit(submit(JobId(job)))]);
            first.receive(vec![done(job, line), done(job, "late")]).unwrap();
        }
        let counts = first.cache().unwrap().counts();
        assert_eq!(counts, CacheCounts { hits: 0, misses: 3, stored: 2 }, "answers only, and each once");

        let run = folder.path().join("r.jl");
        let journalled =
            Journalled::new(asking(9), RunStore::create(&Address::from(run.as_path()), "{}").unwrap());
        let mut second = Cached::new(journalled, Some(cache("1")));
        let requests = second.receive(vec![Notice::WorkerAvailable]).unwrap();
        assert_eq!(requests, [Request::Submit(submit(JobId(2)))], "what is known does not go out");
        let mut replayed = asking(9);
        replay(&RunStore::open_to_read(&Address::from(run.as_path())).unwrap(), &mut replayed, |_, _| {})
            .unwrap();
        assert_eq!(
            replayed.answers,
            [["zero"], ["one"]],
            "durable when the request left, and without a cache"
        );
        assert_eq!(replayed.next, 3, "the choice in between is there too");

        for other in [cache("2"), Cache::new(AnswerFile::open(&path).unwrap(), "q", "1")] {
            let mut other = Cached::new(asking(9), Some(other));
            let requests = other.receive(vec![Notice::WorkerAvailable]).unwrap();
            assert_eq!(requests, [Request::Submit(submit(JobId(0)))], "another version, another program");
        }
    }

    #[test]
    fn the_driver_gets_a_word_in() {
        let folder = tempfile::tempdir().unwrap();
        let file = AnswerFile::open(&folder.path().join("c.answers")).unwrap();
        for job in 0..1000 {
            file.put("p", "1", &JobId(job).to_string(), &["a".into()]).unwrap();
        }
        let mut cached = Cached::new(asking(1000), Some(Cache::new(file, "p", "1")));
        for _ in 0..3 {
            let requests = cached.receive(vec![Notice::WorkerAvailable]).unwrap();
            assert_eq!(requests, [Request::Decline, Request::Ready]);
        }
        assert_eq!(cached.run().answers.len(), 3 * IN_A_ROW);
        assert_eq!(cached.receive(vec![Notice::WorkerAvailable]).unwrap(), []);
        assert!(cached.is_over(), "it ends with its last answer");
    }

    #[test]
    fn trouble_ends_the_cache_and_not_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.answers");
        let file = AnswerFile::open(&path).unwrap();
        file.put("p", "1", "j0", &["zero".into()]).unwrap();
        let mut cached = Cached::new(asking(9), Some(Cache::new(file, "p", "1")));
        rusqlite::Connection::open(&path).unwrap().execute_batch("DROP TABLE answers").unwrap();
        for job in 0..2 {
            let requests = cached.receive(vec![Notice::WorkerAvailable]).unwrap();
            assert_eq!(requests, [Request::Submit(submit(JobId(job)))]);
            cached.receive(vec![done(job, "a")]).unwrap();
        }
        let cache = cached.cache().unwrap();
        assert!(cache.trouble().unwrap().to_string().contains("c.answers"), "{:?}", cache.trouble());
        assert_eq!(cache.counts().stored, 0);
        assert_eq!(cached.run().answers.len(), 2);
    }
}
