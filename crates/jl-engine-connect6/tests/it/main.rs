//! The threat searches and the verifier, against what is known.

mod boards;
mod checker;
mod delays;
mod distilled;
mod falsify;
mod flaws;
mod minimax;
mod oracles;
mod plans;
mod positions;
mod rebuild;
mod remembered;
mod symmetry;
mod zones;
