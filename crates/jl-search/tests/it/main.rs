mod laws;
mod pns;
mod random;
mod sketch;
mod uct;
