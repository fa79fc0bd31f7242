//! `coarsen run`: make the release that a policy describes.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use coarsen::policy::split_override;

use super::{EngineArguments, LoadedPolicy, print_json, spare};
use crate::Ending;
use crate::failure::Failure;
use crate::progress::{Bar, cancel_on_interrupt};

/// Make the release that a policy describes, prove it from the written file, and save its recoding
#[derive(Args)]
pub struct Arguments {
    /// The policy file (paths in it are relative to its folder)
    policy: PathBuf,
    /// Set any key of the policy, such as privacy.k=5; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Short for --set search.seed=N
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Short for --set search.budget=TIME, such as 30s
    #[arg(long, value_name = "TIME")]
    budget: Option<String>,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Show what the search did, step by step
    #[arg(long, conflicts_with = "json")]
    steps: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Ending {
    let mut overrides = Vec::new();
    for set in &arguments.set {
        match split_override(set) {
            Ok(pair) => overrides.push(pair),
            Err(error) => {
                return Err(Failure::usage(
                    error.message,
                    error.help.unwrap_or_default(),
                ));
            }
        }
    }
    if let Some(seed) = arguments.seed {
        overrides.push(("search.seed".into(), seed.to_string()));
    }
    if let Some(budget) = &arguments.budget {
        overrides.push(("search.budget".into(), format!("{budget:?}")));
    }
    let loaded = LoadedPolicy::read(&arguments.policy, overrides)?;
    let output = &loaded.policy.output;
    for path in std::iter::once(&output.path).chain(&output.recoding) {
        spare(&loaded.path, "policy", &loaded.folder().join(path))?;
    }
    let engine = arguments.engine.start(Some(&loaded.policy))?;
    cancel_on_interrupt(&engine);
    let bar = Bar::new();
    let made = coarsen_engine::release(&engine, &loaded.policy, loaded.folder(), &|stage| {
        bar.tell(stage)
    });
    drop(bar);
    let made = made.map_err(|error| loaded.blame(error))?;
    if arguments.json {
        print_json(&made);
    } else {
        crate::text::release::print(&made, loaded.policy.suppression.limit, arguments.steps);
    }
    Ok(ExitCode::SUCCESS)
}
