mod broker;
mod local;
mod sim;
