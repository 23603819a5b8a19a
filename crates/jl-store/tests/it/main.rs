//! The run store: what is written is what is read, in either database, and nothing else is taken for it.

mod damage;
mod files;
mod place;
mod servers;
mod suite;
