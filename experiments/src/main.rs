//! Benchmarks of coarsen: one command an experiment, each of which prints what it measured.
//!
//! They run the binary that a user runs, as a process of its own, so that start-up, memory and exit
//! are part of what is measured. Build it first: `cargo build --release`.

mod baseline;
mod measure;
mod speed;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Repeat what the README of this folder reports.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Subcommand)]
enum Experiment {
    /// Adult, whole process, Datafly (needs COARSEN_DATA)
    Adult {
        /// How often to run; the median is reported
        #[arg(long, default_value_t = 5)]
        runs: usize,
    },
    /// Synthetic rows, Datafly k = 10, against DataFusion alone
    Rows {
        /// How many rows
        #[arg(long, default_value_t = 10_000_000)]
        rows: u64,
        /// Where to keep the generated tables [default: a folder that is removed]
        #[arg(long)]
        keep: Option<PathBuf>,
    },
    /// DataFusion alone: group, write, read back (run by `rows` as a process of its own)
    #[command(hide = true)]
    Baseline {
        /// The table
        input: PathBuf,
        /// Where to write it
        output: PathBuf,
    },
}

fn main() -> miette::Result<()> {
    let done = match Arguments::parse().experiment {
        Experiment::Adult { runs } => speed::adult(runs),
        Experiment::Rows { rows, keep } => speed::rows(rows, keep),
        Experiment::Baseline { input, output } => baseline::run(&input, &output),
    };
    done.map_err(|error| miette::miette!("{error}"))
}

/// An experiment either says what it saw or why it could not.
type Done = Result<(), Box<dyn std::error::Error>>;
