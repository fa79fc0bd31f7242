//! `coarsen run`: make the release that a policy describes.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use coarsen::search::Question;
use coarsen_engine::{EngineError, Holder};

use super::{EngineArguments, LoadedPolicy, overrides, print_json, spare};
use crate::Ending;
use crate::ask::Terminal;
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
    /// Say why each column is as coarse as it is, and why rows were suppressed
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    /// Write μ-Argus's release even where it does not protect (the report says so first)
    #[arg(long)]
    accept_unproven: bool,
    /// Save what the search did as JSON: each step with its anonymity, information and precision
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Release for another k that the search passes on its way to the policy's
    /// (bottom-up: a smaller one; top-down: a larger one)
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    at_k: Option<u64>,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Ending {
    let mut overrides = overrides(&arguments.set)?;
    if let Some(seed) = arguments.seed {
        overrides.push(("search.seed".into(), seed.to_string()));
    }
    if let Some(budget) = &arguments.budget {
        overrides.push(("search.budget".into(), format!("{budget:?}")));
    }
    if arguments.accept_unproven {
        overrides.push(("search.mu-argus.accept_unproven".into(), "true".into()));
    }
    let loaded = match arguments.at_k {
        None => LoadedPolicy::read(&arguments.policy, overrides)?,
        Some(k) => at_k(&arguments.policy, overrides, k)?,
    };
    loaded.spare_policy()?;
    let output = &loaded.policy.output;
    if let Some(trace) = &arguments.trace {
        spare(&loaded.path, "policy", trace)?;
        for (path, what) in [
            (&output.path, "release"),
            (&loaded.policy.input.path, "input"),
        ] {
            spare(&loaded.folder().join(path), what, trace)?;
        }
    }
    let engine = arguments.engine.start(Some(&loaded.policy))?;
    cancel_on_interrupt(&engine);
    let bar = Bar::new();
    let terminal = asks(&loaded).then(|| Terminal::new(engine.cancel_flag()));
    let choose = |question: &Question| {
        let terminal = terminal.as_ref()?;
        bar.aside(|| terminal.ask(question))
    };
    let origin = loaded.origin();
    let holder = Holder {
        origin: Some(&origin),
        chooser: terminal.is_some().then_some(&choose),
    };
    let made =
        coarsen_engine::release_for(&engine, &loaded.policy, loaded.folder(), holder, &|stage| {
            bar.tell(stage)
        });
    drop(bar);
    let made = made.map_err(|error| loaded.blame(error))?;
    if let Some(trace) = &arguments.trace {
        let text = serde_json::to_string_pretty(&made.trace).expect("a trace is plain data");
        std::fs::write(trace, text + "\n").map_err(|error| EngineError::io(trace, error))?;
    }
    if arguments.json {
        print_json(&made);
    } else {
        crate::text::release::print(&made, loaded.policy.suppression.limit, arguments.steps);
        if arguments.explain {
            crate::text::release::explain(&made);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the policy leaves a choice to the data holder, and there is somebody to ask.
fn asks(loaded: &LoadedPolicy) -> bool {
    let search = &loaded.policy.search;
    let settings = search.settings.get(search.algorithm.as_str());
    let asks = settings.and_then(|settings| settings.get("ask"));
    asks.and_then(|asks| asks.as_bool()) == Some(true) && crate::ask::is_possible()
}

/// The policy with another k, and with its own k as what the search goes toward: the steps are those of
/// the policy's run, as far as the other k is met.
fn at_k(
    path: &Path,
    mut overrides: Vec<(String, String)>,
    k: u64,
) -> Result<LoadedPolicy, Failure> {
    let asked = LoadedPolicy::read(path, overrides.clone())?.policy;
    let (algorithm, own) = (asked.search.algorithm, asked.privacy.k);
    let passes = match algorithm.as_str() {
        "bottom-up" => k <= own,
        "top-down" => k >= own,
        _ => {
            return Err(Failure::usage(
                format!("--at-k cannot be used with the algorithm `{algorithm}`."),
                "Only bottom-up and top-down pass other k on their way: set search.algorithm to one of them.",
            ));
        }
    };
    if !passes {
        return Err(Failure::usage(
            format!("The policy's k is {own}, and {algorithm} does not pass {k} on its way there."),
            "bottom-up passes every smaller k, top-down every larger one.",
        ));
    }
    overrides.push((format!("search.{algorithm}.toward"), own.to_string()));
    overrides.push(("privacy.k".into(), k.to_string()));
    LoadedPolicy::read(path, overrides)
}
