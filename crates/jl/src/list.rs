//! `jl list`.

use crate::cli::ListArgs;
use crate::failure::Failure;
use crate::programs::{self, built_in};
use jl_apps::openings::{self, Opening};
use jl_apps::{GAMES, SEARCHES, tables};
use jl_search::pns::Policy;
use serde_json::json;
use std::process::ExitCode;

pub fn run(args: &ListArgs) -> Result<ExitCode, Failure> {
    let rows: Vec<(String, String)> = match args.what.as_str() {
        "games" => GAMES.iter().map(|g| (g.name.into(), g.about.into())).collect(),
        "openings" => openings::all().map(described).collect(),
        "searches" => SEARCHES.iter().map(|&(name, about)| (name.into(), about.into())).collect(),
        "policies" => Policy::ALL.iter().map(|p| (p.to_string(), about(*p).into())).collect(),
        "tables" => tables::NAMED.iter().map(|&(name, about)| (name.into(), about.into())).collect(),
        "engines" => {
            let registry = programs::registry(args.programs.as_deref())?;
            let names = registry.names().map(String::from).collect::<Vec<_>>();
            let row = |name: String| {
                let spec = registry.get(&name).expect("listed by the registry");
                let about = built_in(&name).map_or(String::new(), |b| format!("{}: ", b.about));
                (name, format!("{about}{}", spec.command.join(" ")))
            };
            names.into_iter().map(row).collect()
        }
        other => {
            return Err(Failure::usage(format!(
                "there is no list '{other}' (games, openings, engines, searches, policies or tables)"
            )));
        }
    };
    if args.json {
        let items: Vec<_> =
            rows.iter().map(|(name, about)| json!({ "name": name, "about": about })).collect();
        println!("{}", json!({ args.what.as_str(): items }));
    } else {
        for (name, about) in rows {
            println!("{name:12} {about}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn described(opening: Opening) -> (String, String) {
    let Opening { id, to_move, moves, known, origin, how } = opening;
    (id.into(), format!("{moves}, {to_move} to move: {known} ({how}; {origin})"))
}

fn about(policy: Policy) -> &'static str {
    match policy {
        Policy::Native => "nothing; only meaningful with one worker",
        Policy::VirtualWin => "virtual win",
        Policy::VirtualLoss => "virtual loss",
        Policy::Greedy => "greedy: virtual win where it looks like one, else virtual loss",
        Policy::Flag => "flag",
        Policy::ModifiedFlag => "modified flag",
        Policy::FlagEquivalence => "flag with virtual equivalence",
        Policy::ModifiedFlagEquivalence => "modified flag with virtual equivalence (default)",
        Policy::Spread => "likewise; jobs are spread over the children of a node that needs all of them",
    }
}
