//! One worker: the same jobs in the same order, whatever the policy.

use crate::apps::{Retriever, client};
use jl_client::Options;
use jl_games::scripted::{RandomScript, Script};
use jl_messages::{JobClient, Notice, Request};
use jl_search::Siblings;
use jl_search::pns::{Pns, Policy, Widening};
use proptest::prelude::*;
use std::num::NonZeroUsize;
use std::time::Duration;

/// The words of every job that one worker is given.
pub fn jobs_of_one_worker<S: Retriever>(script: &Script, search: S) -> Vec<Vec<String>> {
    let mut client = client(script, search, Options::default());
    client.start();
    let mut jobs = Vec::new();
    while !client.is_finished() {
        let requests = client.handle(Notice::WorkerAvailable);
        client.check();
        let submit = match &requests[..] {
            [Request::Submit(submit)] => submit,
            // The next move was known without a job, and decided the matter.
            [Request::Leave] => break,
            _ => panic!("one worker, one job: {requests:?}"),
        };
        jobs.push(submit.input.words.clone());
        let output = script.answer(&submit.input.words);
        client.handle(Notice::Done { job: submit.job, output, cpu: Duration::ZERO });
        client.check();
    }
    jobs
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn with_one_worker_all_policies_compute_the_same_jobs(seed: u64) {
        let script = Script::random(RandomScript::default(), seed);
        let k = NonZeroUsize::new(2).unwrap();
        let widenings = [Widening::All, Widening::Band(k), Widening::Dynamic(k)];
        for (widening, siblings) in widenings.into_iter().flat_map(|w| Siblings::ALL.map(|s| (w, s))) {
            let native = jobs_of_one_worker(&script, Pns { policy: Policy::Native, widening, siblings });
            for policy in Policy::ALL {
                let jobs = jobs_of_one_worker(&script, Pns { policy, widening, siblings });
                prop_assert_eq!(&jobs, &native, "{} differs from native", policy);
            }
        }
    }
}
