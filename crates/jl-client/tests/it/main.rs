mod apps;
mod behaviour;
mod outcomes;
mod regressions;
mod sequence;
