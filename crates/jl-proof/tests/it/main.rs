//! Proofs of the Connect6 program, what is made of them, and what is not accepted.

mod accepted;
mod drawn;
mod files;
mod play_out;
mod spoiled;
mod support;
