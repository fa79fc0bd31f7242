//! `coarsen apply`: recode new rows with a saved recoding.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use coarsen::recoding::SavedRecoding;
use coarsen_engine::EngineError;

use super::{EngineArguments, print_json, spare};
use crate::Ending;
use crate::failure::Failure;
use crate::progress::{Bar, cancel_on_interrupt};

/// Recode new rows with a saved recoding, and audit them like any release
#[derive(Args)]
pub struct Arguments {
    /// The recoding that `coarsen run` saved
    recoding: PathBuf,
    /// The new rows, with the same columns
    data: PathBuf,
    /// Where to write the release
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// What to do with values that the recoding has never seen [default: as the policy said]
    #[arg(long, value_name = "RULE", value_parser = ["error", "suppress", "root"])]
    unseen: Option<String>,
    /// What to do with rows that fall short of the requirement [default: as the policy said]
    #[arg(long, value_name = "RULE", value_parser = ["suppress", "fail"])]
    shortfall: Option<String>,
    /// Search these rows anew as well, and show what that would lose beside what the recoding loses
    #[arg(long)]
    beside: bool,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Ending {
    let path = &arguments.recoding;
    let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => EngineError::input(
            path,
            "there is no such recoding",
            "`coarsen run` saves one where the policy has output.recoding",
        ),
        _ => EngineError::io(path, error),
    })?;
    let mut saved = SavedRecoding::from_json(&text).map_err(|error| EngineError::Load {
        path: path.clone(),
        error,
    })?;
    if let Some(rule) = arguments
        .unseen
        .as_deref()
        .and_then(coarsen::policy::Unseen::from_word)
    {
        saved.policy.apply.unseen = rule;
    }
    if let Some(rule) = arguments
        .shortfall
        .as_deref()
        .and_then(coarsen::policy::Shortfall::from_word)
    {
        saved.policy.apply.shortfall = rule;
    }
    spare(path, "recoding", &arguments.output)?;
    let engine = arguments.engine.start(Some(&saved.policy))?;
    cancel_on_interrupt(&engine);
    let bar = Bar::new();
    let made = coarsen_engine::apply(
        &engine,
        &saved,
        path.parent().unwrap_or(Path::new("")),
        &arguments.data,
        &arguments.output,
        arguments.beside,
        &|stage| bar.tell(stage),
    );
    drop(bar);
    // What is wrong with the policy inside the recoding is said of the recoding.
    let made = made.map_err(|error| Failure::under_policy(error, path, "", &[]))?;
    if arguments.json {
        print_json(&made);
    } else {
        crate::text::release::print(&made, 1.0, false);
    }
    Ok(ExitCode::SUCCESS)
}
