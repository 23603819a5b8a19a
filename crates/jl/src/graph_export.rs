//! `jl export`: the graph of a run, for people and programs.
//!
//! The run is rebuilt in memory from what its journal says by now; the file is only read, and whoever writes to it goes on.
//!
//! - [`walk`]: the nodes in the order of their distance from the root;
//! - [`sgf`], [`json`], [`dot`]: the formats.

mod dot;
mod json;
mod sgf;
mod walk;

use crate::cli::ExportArgs;
use crate::failure::Failure;
use crate::{output, report, resume};
use jl_apps::{AnyClient, Parameters};
use jl_client::NodeView;
use jl_store::RunStore;
use jl_value::Player;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

/// How deep a drawing goes, unless the user says otherwise.
const DOT_DEPTH: usize = 3;

/// How much is written.
#[derive(Clone, Copy)]
struct Extent {
    /// Moves from the root.
    depth: usize,
    nodes: usize,
}

/// A run that was read.
struct Graph<'a> {
    run: String,
    parameters: &'a Parameters,
    client: &'a dyn AnyClient,
}

pub fn run(args: &ExportArgs) -> Result<ExitCode, Failure> {
    if let Some(file) = &args.out {
        output::require("--out", file)?;
    }
    let run = RunStore::open_to_read(&args.run).map_err(Failure::store)?;
    let (parameters, client) = resume::rebuild(&run)?;
    drop(run);
    let graph = Graph { run: args.run.to_string(), parameters: &parameters, client: &*client };
    let depth = args.depth.unwrap_or(if args.format.dot { DOT_DEPTH } else { usize::MAX });
    let extent = Extent { depth, nodes: args.nodes.map_or(usize::MAX, Into::into) };
    if args.format.sgf {
        let tree = sgf::tree(&graph, extent)?;
        emit(args.out.as_deref(), |out| writeln!(out, "{tree}"))?;
    } else if args.format.dot {
        emit(args.out.as_deref(), |out| dot::write(&graph, extent, out))?;
    } else {
        emit(args.out.as_deref(), |out| json::write(&graph, out))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// To a file, whole or not at all; or to standard output, whose reader may have had enough.
fn emit(file: Option<&Path>, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    if let Some(file) = file {
        let written = output::write_whole_with(file, write);
        return written.map_err(|e| Failure::run(format!("{}: {e}", file.display())));
    }
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(Failure::run),
    }
}

impl Graph<'_> {
    /// The moves from the start of the game to what a line from the root leads to.
    fn moves(&self, line: &[String]) -> String {
        let start = Some(self.parameters.moves.as_str()).filter(|m| !m.trim().is_empty());
        start.into_iter().chain(line.iter().map(String::as_str)).collect::<Vec<_>>().join("-")
    }

    /// What is known of a node, in the words of the game.
    fn value(&self, view: &NodeView) -> String {
        let name = |player| self.client.player_name(player);
        let text = view.bounds.to_string();
        text.replace("first", name(Player::First)).replace("second", name(Player::Second))
    }

    /// Who moves, what is known, what the program said, and how many jobs went into it.
    fn describe(&self, view: &NodeView) -> Vec<String> {
        let mut parts = vec![
            format!("{} to move", self.client.player_name(view.mover)),
            format!("value: {}", self.value(view)),
        ];
        parts.extend(view.status.map(|status| format!("status {status}")));
        let jobs = report::count(view.count.saturating_sub(1) as usize, "job");
        parts.push(format!("{jobs}, {}", view.numbers));
        let notes = [(view.is_active, "a job runs"), (view.is_given_up, "given up")];
        parts.extend(notes.into_iter().filter(|(is, _)| *is).map(|(_, note)| note.into()));
        parts
    }
}
