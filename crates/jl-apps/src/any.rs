//! A client of any application, for the edge: the command line, and later the monitor.

use jl_client::{Application, Child, Client, Distances, FailedJob, NodeView, Summary};
use jl_game::{Game, GameError};
use jl_messages::{JobId, Request, Savable};
use jl_tree::NodeId;
use jl_value::Player;

/// What the edge asks of a client, whatever its game and search.
pub trait AnyClient: Savable {
    fn summary(&self) -> Summary;
    /// The player to move at the root.
    fn mover(&self) -> Player;
    /// What people call a player of this game.
    fn player_name(&self, player: Player) -> &'static str;
    /// The principal line's moves and the board it ends on, as text.
    fn board(&self) -> String;
    /// The root of the graph, and what is known below a node: see [`Client::children`].
    fn root(&self) -> NodeId;
    fn children(&self, node: NodeId, moves: &str) -> Result<Vec<Child>, GameError>;
    fn view(&self, node: NodeId) -> NodeView;
    /// How the program's words on neighbouring nodes differ.
    fn distances(&self) -> Distances;
    fn digest(&self) -> u64;
    #[must_use = "the broker must hear of it"]
    fn set_limit(&mut self, limit: Option<u64>) -> Vec<Request>;
    /// Tries the given-up nodes again.
    #[must_use = "the broker must hear of it"]
    fn retry(&mut self) -> Vec<Request>;
    /// Numbers jobs anew, see [`Client::begin_session`].
    fn begin_session(&mut self, first_job: u64);
    fn unused_job(&self) -> u64;
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

    fn player_name(&self, player: Player) -> &'static str {
        self.app().game().player_name(player)
    }

    fn board(&self) -> String {
        let (_, position) = self.principal_line();
        self.app().game().show(&position)
    }

    fn root(&self) -> NodeId {
        self.graph().root()
    }

    fn children(&self, node: NodeId, moves: &str) -> Result<Vec<Child>, GameError> {
        Client::children(self, node, moves)
    }

    fn view(&self, node: NodeId) -> NodeView {
        Client::view(self, node)
    }

    fn distances(&self) -> Distances {
        Client::distances(self)
    }

    fn digest(&self) -> u64 {
        self.graph().digest()
    }

    fn set_limit(&mut self, limit: Option<u64>) -> Vec<Request> {
        Client::set_limit(self, limit)
    }

    fn retry(&mut self) -> Vec<Request> {
        Client::retry(self)
    }

    fn begin_session(&mut self, first_job: u64) {
        Client::begin_session(self, first_job);
    }

    fn unused_job(&self) -> u64 {
        Client::unused_job(self)
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
