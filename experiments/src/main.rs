//! Benchmarks of coarsen: one command an experiment, each of which prints what it measured.
//!
//! They run the binary that a user runs, as a process of its own, so that start-up, memory and exit
//! are part of what is measured. Build it first: `cargo build --release`.

mod baseline;
mod decision_tree;
mod iyengar;
mod li;
mod measure;
mod mondrian;
mod speed;
mod sweeney;
mod taxonomies;
mod wang;

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
    /// Adult, what Mondrian loses by scheme and split rule (needs COARSEN_DATA)
    Mondrian,
    /// The genetic search on Adult, reuse on its test rows, a million rows (seed 000; needs COARSEN_DATA)
    Iyengar {
        /// How many children are bred
        #[arg(long, default_value_t = 500_000)]
        iterations: u64,
        /// The share of rows that may be suppressed
        #[arg(long, default_value_t = 0.05)]
        limit: f64,
        /// Synthetic rows of the last part; 0 leaves it out
        #[arg(long, default_value_t = 1_000_000)]
        rows: u64,
        /// Leave out Adult
        #[arg(long)]
        only_rows: bool,
        /// Leave out the other searches
        #[arg(long)]
        alone: bool,
        /// A folder for the plots
        #[arg(long)]
        plots: Option<PathBuf>,
    },
    /// Adult, the proven optimum in six schemes (seed 004, section 5; needs COARSEN_DATA)
    Li {
        /// Seconds for a proof over four columns
        #[arg(long, default_value_t = 60)]
        budget: u64,
        /// Seconds for a proof over more
        #[arg(long, default_value_t = 600)]
        long_budget: u64,
        /// Four columns only
        #[arg(long)]
        quick: bool,
        /// A folder for the plots
        #[arg(long)]
        plots: Option<PathBuf>,
    },
    /// Adult, MinGen: the proven optimum for every k and suppression limit (needs COARSEN_DATA)
    Mingen {
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
    /// Bottom-up and top-down on Adult, and on Adult enlarged (seed 003, section 6; needs COARSEN_DATA)
    Wang {
        /// Adult only
        #[arg(long)]
        quick: bool,
        /// Where to draw the times on the enlarged data
        #[arg(long)]
        svg: Option<PathBuf>,
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
        Experiment::Mondrian => mondrian::adult(),
        Experiment::Iyengar {
            iterations,
            limit,
            rows,
            only_rows,
            alone,
            plots,
        } => iyengar::run(&iyengar::Asked {
            iterations,
            limit,
            rows,
            adult: !only_rows,
            others: !alone,
            plots,
        }),
        Experiment::Li {
            budget,
            long_budget,
            quick,
            plots,
        } => li::run(budget, long_budget, quick, plots.as_deref()),
        Experiment::Mingen { runs } => sweeney::adult(runs),
        Experiment::Rows { rows, keep } => speed::rows(rows, keep),
        Experiment::Wang { quick, svg } => wang::run(quick, svg.as_deref()),
        Experiment::Baseline { input, output } => baseline::run(&input, &output),
    };
    done.map_err(|error| miette::miette!("{error}"))
}

/// An experiment either says what it saw or why it could not.
type Done = Result<(), Box<dyn std::error::Error>>;
