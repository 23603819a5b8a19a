//! Proofs that a Connect6 position is won, as files that a stranger can check.
//!
//! A proof is a graph of positions: where the attacker is to move, with its move; where the defender is, with what stands for
//! every reply. `docs/proof-format.md` says what a file looks like, what must hold, and why a file for which it holds is a proof.
//!
//! - [`Header`], [`Node`], [`Kind`]: the lines of a file; [`Writer`] writes them;
//! - [`read()`]: a file as a [`Proof`], in which everything that a line names is there;
//! - [`check()`]: whether it proves what it says, or the [`Flaw`];
//! - [`to_sgf`]: a tree for the viewers of game records.
//!
//! The checker shares nothing with the program that finds proofs but the rules: it has its own windows, its own
//! boards and its own zones, and believes nothing that it can compute.
//!
//! ```
//! // Black has five in a row and completes six.
//! let file = r#"{"format":"joblevel-proof","version":1,"game":"connect6","columns":19,"rows":19,"connect":6,"moves":"JJ-AAAB-JKJL-ACAD-JMJN-AGAH","winner":"first","root":0,"nodes":1}
//! {"id":0,"type":"win","move":"JO","completes":"JJJO"}
//! "#;
//! let proof = jl_proof::read(file.as_bytes()).unwrap();
//! assert_eq!(jl_proof::check(&proof).unwrap().nodes, 1);
//!
//! let wrong = file.replace(r#""move":"JO""#, r#""move":"JP""#);
//! let flaw = jl_proof::check(&jl_proof::read(wrong.as_bytes()).unwrap()).unwrap_err();
//! assert_eq!(flaw.to_string(), "node 0: its move does not complete JJJO");
//! ```

mod check;
mod coverage;
mod flaw;
mod format;
mod proof;
mod read;
mod sets;
mod sgf;
mod windows;
mod write;
mod zone;

pub use check::{Checked, check};
pub use flaw::{Flaw, Wrong};
pub use format::{FORMAT, Family, Header, Kind, Node, Reply, VERSION};
pub use proof::{Mover, Problem, Proof};
pub use read::{ReadError, read};
pub use sgf::to_sgf;
pub use write::Writer;
