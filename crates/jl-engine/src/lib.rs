//! The frame of an engine's command: a question in its arguments, or warm, a question per line.
//!
//! [`Query`] is the principal type: what the words of one question are parsed into, and what is printed for it. The
//! rest is the same for every program of ours:
//!
//! ```text
//!   once           the answer, exit code 0; or one line on standard error, exit code 2
//!   --lines        per line of standard input: the answer, or `error: …`; then a line `end`
//! ```
//!
//! The words of a question are read by one parser, wherever they come from, so that a program says the same of them on
//! the command line, on a line and in process ([`read`]).
//!
//! ```
//! use clap::Parser;
//!
//! #[derive(Parser)]
//! #[command(no_binary_name = true, args_override_self = true)]
//! struct Double {
//!     #[arg(long, default_value_t = 0)]
//!     number: u32,
//!     #[arg(long)]
//!     lines: bool,
//! }
//!
//! impl jl_engine::Query for Double {
//!     type Error = std::convert::Infallible;
//!
//!     fn is_warm(&self) -> bool {
//!         self.lines
//!     }
//!
//!     fn command_only(&self) -> Option<&'static str> {
//!         self.lines.then_some("--lines")
//!     }
//!
//!     fn answer(&self, _say: &mut dyn FnMut(String)) -> Result<Vec<String>, Self::Error> {
//!         Ok(vec![(2 * self.number).to_string()])
//!     }
//! }
//!
//! let (mut output, mut errors) = (Vec::new(), Vec::new());
//! let input = "--number 21\n--numb\n".as_bytes();
//! jl_engine::run_on::<Double>(vec!["--lines".into()], input, &mut output, &mut errors).unwrap();
//! let expected = "42\nend\nerror: unexpected argument '--numb' found; a similar argument exists: '--number'\nend\n";
//! assert_eq!(String::from_utf8(output).unwrap(), expected);
//! ```

mod frame;
mod memory;
mod words;

pub use frame::{Query, end_with_reader, exit_code, run, run_on};
pub use memory::read_memory;
pub use words::{BadWords, one_line, read, split_line, usage};
