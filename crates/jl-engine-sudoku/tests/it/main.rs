//! Tests of the whole crate in one program.

mod all;
mod bands;
mod canonical;
mod catalogue;
mod check;
mod grids;
mod naive;
mod random;
mod search17;
mod solver;
mod unavoidable;
