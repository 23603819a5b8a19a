mod apps;
mod behaviour;
mod by_hand;
mod drafts;
mod outcomes;
mod regressions;
mod saved;
mod sequence;
