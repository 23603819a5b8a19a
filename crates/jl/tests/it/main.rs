mod bad_engines;
mod commands;
mod directions;
mod interrupted;
mod mistakes;
mod support;
