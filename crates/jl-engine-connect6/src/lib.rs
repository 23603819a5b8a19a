//! The Connect6 program: what jobs run.
//!
//! - [`geometry`]: the windows of a board of the family Connect(m, n, k, 2, 1);
//! - [`board`]: stones on it, with the live windows of each side by how many stones they hold;
//! - [`threats`]: how many stones it takes to answer a side's threats, and which;
//! - [`vcdt`]: victory by continuous double threats.
//!
//! A window is k consecutive cells in a line. It is *live* for a side while the other has no stone in it; with k − 2 stones
//! or more, one turn completes it.
//!
//! ```
//! use jl_engine_connect6::{Board, Geometry, Side, Threats};
//!
//! let geometry = Geometry::new(19, 19, 6).unwrap();
//! let mut board = Board::new(&geometry);
//! for x in 6..10 {
//!     board.place(geometry.cell(x, 9), Side::First);
//! }
//! let threats = Threats::of(&board, Side::First);
//! assert_eq!(threats.count(), 2); // four in a row with both ends open: it takes two stones
//! assert!(threats.answers().iter().all(|&[a, b]| a != b));
//! ```

pub mod board;
pub mod geometry;
pub mod threats;
pub mod vcdt;

pub use board::{Board, Side};
pub use geometry::Geometry;
pub use threats::Threats;
pub use vcdt::{Found, Vcdt};
