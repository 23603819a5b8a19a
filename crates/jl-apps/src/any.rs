//! A client of any application, for the edge: the command line, and later the monitor.

use jl_client::{Application, Client, FailedJob, Summary};
use jl_game::Game;
use jl_messages::{JobClient, JobId};
use jl_value::Player;

/// What the edge asks of a client, whatever its game and search.
pub trait AnyClient: JobClient {
    fn summary(&self) -> Summary;
    /// The player to move at the root.
    fn mover(&self) -> Player;
    /// The principal line's moves and the board it ends on, as text.
    fn board(&self) -> String;
    fn digest(&self) -> u64;
    fn set_limit(&mut self, limit: Option<u64>);
    /// Tries the given-up nodes again.
    fn retry(&mut self);
    fn limit(&self) -> Option<u64>;
    fn jobs_in_flight(&self) -> Vec<JobId>;
    fn recent_failures(&self) -> Vec<FailedJob>;
    fn given_up(&self) -> usize;
}

impl<A: Application> AnyClient for Client<A> {
    fn summary(&self) -> Summary {
        Client::summary(self)
    }

    fn mover(&self) -> Player {
        self.graph().mover(self.graph().root())
    }

    fn board(&self) -> String {
        let (_, position) = self.principal_line();
        self.app().game().show(&position)
    }

    fn digest(&self) -> u64 {
        self.graph().digest()
    }

    fn set_limit(&mut self, limit: Option<u64>) {
        Client::set_limit(self, limit);
    }

    fn retry(&mut self) {
        Client::retry(self);
    }

    fn limit(&self) -> Option<u64> {
        self.options().limit
    }

    fn jobs_in_flight(&self) -> Vec<JobId> {
        Client::jobs_in_flight(self).collect()
    }

    fn recent_failures(&self) -> Vec<FailedJob> {
        Client::recent_failures(self).cloned().collect()
    }

    fn given_up(&self) -> usize {
        Client::given_up(self)
    }
}
