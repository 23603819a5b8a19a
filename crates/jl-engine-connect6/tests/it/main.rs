//! The threat searches and the verifier, against what is known.

mod checker;
mod minimax;
mod oracles;
mod positions;
