//! What [`Cached`](crate::Cached) wraps: a client alone, or one that is written down.

use jl_messages::{JobClient, Notice, Request};
use std::error::Error;

/// A client that takes its notices one by one.
pub trait Stepped {
    type Client: JobClient + ?Sized;

    fn client(&self) -> &Self::Client;

    fn step(&mut self, notice: Notice) -> Result<Vec<Request>, Box<dyn Error + Send + Sync>>;

    /// Before requests leave: what they follow from is made durable.
    fn settle(&mut self) -> Result<(), Box<dyn Error + Send + Sync>>;

    /// Notices that arrived together, and what is to leave after them.
    fn step_all(&mut self, notices: Vec<Notice>) -> Result<Vec<Request>, Box<dyn Error + Send + Sync>> {
        let mut requests = Vec::new();
        for notice in notices {
            requests.extend(self.step(notice)?);
        }
        self.settle()?;
        Ok(requests)
    }
}

impl<C: JobClient> Stepped for C {
    type Client = C;

    fn client(&self) -> &C {
        self
    }

    fn step(&mut self, notice: Notice) -> Result<Vec<Request>, Box<dyn Error + Send + Sync>> {
        Ok(self.handle(notice))
    }

    fn settle(&mut self) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(())
    }
}
