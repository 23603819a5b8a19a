//! The broker core: the exact commands for each event, and that there are no others; then the laws.

mod exact;
mod fairness;
mod storm;

use jl_jobs::broker::{Broker, BrokerCommand, BrokerConfig, BrokerEvent};
use jl_messages::*;
use std::time::Duration;

/// A broker whose invariants are checked after every event.
struct Checked(Broker);

impl Checked {
    fn new() -> Checked {
        Checked(Broker::new(BrokerConfig::default()))
    }

    fn handle(&mut self, event: BrokerEvent) -> Vec<BrokerCommand> {
        let commands = self.0.handle(event);
        self.0.check();
        commands
    }

    /// The event causes exactly these commands.
    #[track_caller]
    fn expect<const N: usize>(&mut self, event: BrokerEvent, commands: [BrokerCommand; N]) {
        let shown = format!("{event:?}");
        assert_eq!(self.handle(event), commands, "after {shown}");
    }
}

fn client(id: u32, request: Request) -> BrokerEvent {
    BrokerEvent::Client(ClientId(id), request)
}

fn worker(id: u32, report: Report) -> BrokerEvent {
    BrokerEvent::Worker(WorkerId(id), report)
}

/// A client of this priority that uses any program.
fn hello(id: u32, priority: i32) -> BrokerEvent {
    client(id, Request::Hello { priority, programs: vec![] })
}

/// A worker that has the program `engine`.
fn joins(id: u32, cores: u32) -> BrokerEvent {
    worker(id, Report::Hello { cores, programs: vec!["engine".into()] })
}

fn job(id: u64) -> Submit {
    Submit {
        job: JobId(id),
        program: "engine".into(),
        input: Input { words: vec![format!("position {id}")], stdin: vec![] },
        priority: 0,
        cores: 1,
        time_limit: None,
        abortable: true,
        reassign: 0,
    }
}

fn submit(id: u32, submit: Submit) -> BrokerEvent {
    client(id, Request::Submit(submit))
}

fn ticket(client: u32, job: u64, attempt: u32) -> Ticket {
    Ticket { client: ClientId(client), job: JobId(job), attempt }
}

fn done(at: u32, ticket: Ticket) -> BrokerEvent {
    worker(at, Report::Done { ticket, output: vec!["answer".into()], cpu: Duration::from_millis(7) })
}

fn to_client(id: u32, notice: Notice) -> BrokerCommand {
    BrokerCommand::ToClient(ClientId(id), notice)
}

fn to_worker(id: u32, order: Order) -> BrokerCommand {
    BrokerCommand::ToWorker(WorkerId(id), order)
}

fn available(id: u32) -> BrokerCommand {
    to_client(id, Notice::WorkerAvailable)
}

fn assign(at: u32, client: u32, attempt: u32, submit: &Submit) -> BrokerCommand {
    let Submit { job, program, input, cores, time_limit, .. } = submit.clone();
    let ticket = Ticket { client: ClientId(client), job, attempt };
    to_worker(at, Order::Assign { ticket, program, input, cores, time_limit })
}

fn assigned(client: u32, job: u64, at: u32) -> BrokerCommand {
    to_client(client, Notice::Assigned { job: JobId(job), worker: WorkerId(at) })
}

fn done_notice(client: u32, job: u64) -> BrokerCommand {
    let (output, cpu) = (vec!["answer".into()], Duration::from_millis(7));
    to_client(client, Notice::Done { job: JobId(job), output, cpu })
}

fn acked(client: u32, job: u64) -> BrokerCommand {
    to_client(client, Notice::AbortAck { job: JobId(job) })
}

fn lost(client: u32, job: u64) -> BrokerCommand {
    to_client(client, Notice::Dropped { job: JobId(job), reason: DropReason::WorkerLost })
}

fn refused(client: u32, job: u64, why: &str) -> BrokerCommand {
    to_client(client, Notice::Dropped { job: JobId(job), reason: DropReason::Refused(why.into()) })
}

fn abort(id: u32, job: u64) -> BrokerEvent {
    client(id, Request::Abort { job: JobId(job) })
}

fn abort_order(at: u32, ticket: Ticket) -> BrokerCommand {
    to_worker(at, Order::Abort { ticket })
}
