mod bad_engines;
mod commands;
mod connect6;
mod directions;
mod interrupted;
mod ladder;
mod mistakes;
mod support;
