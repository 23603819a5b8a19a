mod apps;
mod behaviour;
mod outcomes;
mod sequence;
