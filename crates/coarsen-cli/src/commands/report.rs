//! `coarsen report`: the report of a finished run, without searching again.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use coarsen::policy::ReportKind;
use coarsen_engine::{ReportRequest, manifest_beside, same_file};

use super::{EngineArguments, LoadedPolicy, overrides, print_json, spare};
use crate::Ending;
use crate::progress::{Bar, cancel_on_interrupt};
use crate::text::{FAINT, GOOD, in_style};

/// Write the report and the manifest of a finished run: nothing is searched for, no row is written
#[derive(Args)]
pub struct Arguments {
    /// The policy that the release was made by (with output.recoding)
    policy: PathBuf,
    /// Where to write the report [default: output.report, or report.html beside the release]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Where to write the manifest [default: the policy's, or beside a report of another name under that name]
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// For whom: internal (before and after), or public (nothing beyond the release) [default: output.report_kind]
    #[arg(long, value_name = "KIND", value_parser = clap::builder::PossibleValuesParser::new(ReportKind::WORDS))]
    kind: Option<String>,
    /// Set any key of the policy, as the run did; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Ending {
    let loaded = LoadedPolicy::read(&arguments.policy, overrides(&arguments.set)?)?;
    let request = request(&arguments, &loaded);
    for file in [&request.report, &request.manifest] {
        spare(&loaded.path, "policy", file)?;
    }
    let engine = arguments.engine.start(Some(&loaded.policy))?;
    cancel_on_interrupt(&engine);
    let bar = Bar::new();
    let made = coarsen_engine::report(
        &engine,
        &loaded.policy,
        loaded.folder(),
        Some(&loaded.origin()),
        &request,
        &|stage| bar.tell(stage),
    );
    drop(bar);
    let made = made.map_err(|error| loaded.blame(error))?;
    if arguments.json {
        print_json(&made);
    } else {
        let kind = in_style(FAINT, format!("({})", made.kind));
        anstream::println!(
            "{}  {} {kind}",
            in_style(GOOD, "wrote"),
            made.report.display()
        );
        anstream::println!("       {}", made.manifest.display());
    }
    match made.holds {
        true => Ok(ExitCode::SUCCESS),
        false => Ok(ExitCode::from(1)),
    }
}

fn request(arguments: &Arguments, loaded: &LoadedPolicy) -> ReportRequest {
    let named = &loaded.policy.output;
    let folder = loaded.folder();
    let own = named.report.as_ref().map(|path| folder.join(path));
    let beside = || folder.join(&named.path).with_file_name("report.html");
    let report = arguments
        .output
        .clone()
        .or(own.clone())
        .unwrap_or_else(beside);
    let is_own = own.is_some_and(|own| same_file(&own, &report));
    let manifest = match (&arguments.manifest, named.manifest_path()) {
        (Some(path), _) => path.clone(),
        (None, Some(path)) if is_own => folder.join(path),
        // A second report, a public one beside an internal, has a manifest of its own.
        _ => manifest_beside(&report),
    };
    let kind = arguments.kind.as_deref().and_then(ReportKind::from_word);
    ReportRequest {
        kind: kind.unwrap_or(named.report_kind),
        report,
        manifest,
    }
}
