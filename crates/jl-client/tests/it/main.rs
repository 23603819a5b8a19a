mod apps;
mod behaviour;
mod by_hand;
mod outcomes;
mod regressions;
mod saved;
mod sequence;
