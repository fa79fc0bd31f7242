//! `coarsen compare`: a grid of candidates, and the frontier between risk and loss.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use coarsen::policy::parse_duration;
use coarsen_engine::{
    Comparison, EngineError, Frontier, Grid, GridPoint, Holder, StateFile, release_for, write_text,
};

use super::{EngineArguments, LoadedPolicy, overrides, print_json, spare};
use crate::Ending;
use crate::failure::Failure;
use crate::progress::{Bar, GridBar, cancel_on_interrupt};

/// Search a grid of algorithms, k, losses and limits, and show which candidates no other beats
#[derive(Args)]
pub struct Arguments {
    /// The policy; what the grid does not vary is as it says
    policy: PathBuf,
    /// Rows that a class must have, separated by commas
    #[arg(long, value_name = "K", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..))]
    k: Vec<u64>,
    /// Algorithms, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    algorithm: Vec<String>,
    /// Losses to search for, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    loss: Vec<String>,
    /// Shares of rows that may be suppressed, separated by commas
    #[arg(long, value_name = "SHARES", value_delimiter = ',')]
    limit: Vec<f64>,
    /// The time for all points together, such as 60s; what one leaves goes to the others
    #[arg(long, value_name = "TIME")]
    budget: Option<String>,
    /// Set any other key of the policy; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Keep finished points here, and take those that are there already
    /// [default: a hidden file beside the policy, removed when all points are done]
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Make the release of this point, and search no other
    #[arg(long, value_name = "N", conflicts_with_all = ["csv", "plot", "state"])]
    release: Option<usize>,
    /// Save the candidates as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Save the plot of risk and loss as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Replace files that are there already
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Ending {
    let loaded = LoadedPolicy::read(&arguments.policy, overrides(&arguments.set)?)?;
    let budget = match &arguments.budget {
        None => None,
        Some(text) => Some(
            parse_duration(text)
                .filter(|b| !b.is_zero())
                .ok_or_else(|| {
                    Failure::usage(
                        format!("--budget {text} is not a time."),
                        "Write a time with its unit, such as 30s or 5m.",
                    )
                })?,
        ),
    };
    let grid = Grid {
        algorithms: arguments.algorithm.clone(),
        k: arguments.k.clone(),
        losses: arguments.loss.clone(),
        limits: arguments.limit.clone(),
    };
    if let Some(number) = arguments.release {
        return release(&arguments, &loaded, &grid, number);
    }
    let comparison = Comparison {
        grid,
        budget,
        state: match &arguments.state {
            Some(path) => StateFile::Kept(path.clone()),
            None => StateFile::Passing(hidden_state(&loaded.path)),
        },
    };
    let (input, folder) = (&loaded.policy.input.path, loaded.folder());
    for file in [&arguments.csv, &arguments.plot, &arguments.state]
        .into_iter()
        .flatten()
    {
        spare(&loaded.path, "policy", file)?;
        spare(&folder.join(input), "input", file)?;
    }
    for file in [&arguments.csv, &arguments.plot].into_iter().flatten() {
        if file.exists() && !arguments.force {
            return Err(EngineError::input(
                file,
                "this file exists already",
                "choose another name, or add --force to replace it",
            )
            .into());
        }
    }
    let engine = arguments.engine.start(Some(&loaded.policy))?;
    cancel_on_interrupt(&engine);
    let bar = GridBar::new();
    let found =
        coarsen_engine::compare(&engine, &loaded.policy, folder, &comparison, &|progress| {
            bar.tell(progress)
        });
    drop(bar);
    let frontier = match found {
        Ok(frontier) => frontier,
        Err(EngineError::Cancelled) => {
            anstream::eprintln!("interrupted; the same command goes on where this one stopped");
            return Err(EngineError::Cancelled.into());
        }
        Err(error) => return Err(loaded.blame(error)),
    };
    if let Some(path) = &arguments.csv {
        write_text(path, &frontier.to_csv(), arguments.force)?;
    }
    if let Some(path) = &arguments.plot {
        write_text(path, &frontier.plot().to_file(), arguments.force)?;
    }
    if arguments.json {
        print_json(&frontier);
    } else {
        crate::text::frontier::print(&frontier, &run_command(&arguments, None));
    }
    Ok(match found_any(&frontier) {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    })
}

fn found_any(frontier: &Frontier) -> bool {
    frontier.candidates.iter().any(|c| c.measured().is_some())
}

/// Where an interrupted comparison is kept where the user names no place.
fn hidden_state(policy: &Path) -> PathBuf {
    let name = policy.file_name().unwrap_or_default().to_string_lossy();
    policy.with_file_name(format!(".{name}.compare"))
}

/// Makes the release of one point, as `coarsen run` does.
fn release(arguments: &Arguments, loaded: &LoadedPolicy, grid: &Grid, number: usize) -> Ending {
    let points = grid.points(&loaded.policy);
    let Some(point) = number.checked_sub(1).and_then(|place| points.get(place)) else {
        return Err(Failure::usage(
            format!("The grid has no point {number}."),
            format!("Its points are numbered from 1 to {}.", points.len()),
        ));
    };
    let mut set = loaded.overrides.clone();
    set.extend(point.set());
    if let Some(budget) = &arguments.budget {
        set.push(("search.budget".into(), format!("{budget:?}")));
    }
    let chosen = LoadedPolicy::read(&loaded.path, set)?;
    chosen.spare_policy()?;
    let engine = arguments.engine.start(Some(&chosen.policy))?;
    cancel_on_interrupt(&engine);
    let bar = Bar::new();
    let origin = chosen.origin();
    let holder = Holder {
        origin: Some(&origin),
        ..Holder::default()
    };
    let made = release_for(&engine, &chosen.policy, chosen.folder(), holder, &|stage| {
        bar.tell(stage)
    });
    drop(bar);
    let made = made.map_err(|error| chosen.blame(error))?;
    if arguments.json {
        print_json(&made);
    } else {
        crate::text::release::print(&made, chosen.policy.suppression.limit, false);
        anstream::println!("the same as  {}", run_command(arguments, Some(point)));
    }
    Ok(ExitCode::SUCCESS)
}

/// The command that makes a point's release, or its beginning for all points.
fn run_command(arguments: &Arguments, point: Option<&GridPoint>) -> String {
    let mut words = vec![
        "coarsen run".to_string(),
        quoted(&arguments.policy.to_string_lossy()),
    ];
    for set in &arguments.set {
        words.push(format!("--set {}", quoted(set)));
    }
    for (key, value) in point.map(GridPoint::set).unwrap_or_default() {
        words.push(format!("--set {key}={value}"));
    }
    if let (Some(budget), Some(_)) = (&arguments.budget, point) {
        words.push(format!("--budget {budget}"));
    }
    words.join(" ")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:@%+".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
