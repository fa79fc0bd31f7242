//! Benchmarks of coarsen: one command an experiment, each of which prints what it measured.
//!
//! They run the binary that a user runs, as a process of its own, so that start-up, memory and exit
//! are part of what is measured. Build it first: `cargo build --release`.

mod baseline;
mod cells;
mod iyengar;
mod lefevre;
mod li;
mod measure;
mod mondrian;
mod report;
mod report_cost;
mod scale;
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
    /// What models learn from a release (seed 001, section 4; Figure 9 needs COARSEN_DATA)
    Lefevre {
        /// Small tables, few trials
        #[arg(long)]
        quick: bool,
        /// Synthetic tables that are averaged over [default: 100]
        #[arg(long)]
        tables: Option<usize>,
        /// These figures only, 8 to 11, separated by commas
        #[arg(long, value_delimiter = ',')]
        figure: Vec<u8>,
        /// A folder for tables (Markdown, CSV) and plots (SVG)
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Adult, what Mondrian loses by scheme and split rule (needs COARSEN_DATA); or many synthetic rows
    Mondrian {
        /// So many synthetic rows, in memory and in passes, and not Adult
        #[arg(long)]
        rows: Option<u64>,
    },
    /// The genetic search on Adult, reuse on its test rows, a million rows (seed 000; needs COARSEN_DATA)
    Iyengar {
        /// How many children are bred
        #[arg(long, default_value_t = 500_000)]
        iterations: u64,
        /// The share of rows that may be suppressed, but for reuse
        #[arg(long, default_value_t = 0.05)]
        limit: f64,
        /// Synthetic rows of the last part; 0 leaves it out
        #[arg(long, default_value_t = 1_000_000)]
        rows: u64,
        /// One k, few children, few rows
        #[arg(long)]
        quick: bool,
        /// One part: metrics, reuse, errors or rows
        #[arg(long)]
        only: Option<String>,
        /// A folder for tables (Markdown, CSV) and plots (SVG)
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Adult, the proven optimum in six schemes (seed 004, section 5; needs COARSEN_DATA)
    Li {
        /// Seconds for a proof over four columns
        #[arg(long, default_value_t = 60)]
        budget: u64,
        /// Seconds for a proof over more
        #[arg(long, default_value_t = 600)]
        long_budget: u64,
        /// All but the searches over more columns
        #[arg(long)]
        quick: bool,
        /// One part: schemes, directions, devices, levels, ages or columns
        #[arg(long)]
        only: Option<String>,
        /// Over more columns, for these k [default: 5, 10]
        #[arg(long = "k", value_delimiter = ',')]
        ks: Vec<u64>,
        /// Over more columns, under these losses of dm and hdm [default: both]
        #[arg(long, value_delimiter = ',')]
        losses: Vec<String>,
        /// Over more columns, in these schemes [default: all six]
        #[arg(long, value_delimiter = ',')]
        schemes: Vec<String>,
        /// Threads of a search [default: as many as there are cores]
        #[arg(long)]
        threads: Option<usize>,
        /// A folder for the tables and plots, and for the searches, of which none is run twice
        #[arg(long)]
        out: Option<PathBuf>,
        /// The tables and plots of the searches that are there, without running any
        #[arg(long, requires = "out")]
        tables: bool,
    },
    /// Seed 002's worked tables, what MinGen by cells proves, and MinGen on Adult (needs COARSEN_DATA, but
    /// for --quick)
    Sweeney {
        /// How often a search on Adult is run
        #[arg(long, default_value_t = 20)]
        runs: usize,
        /// Seconds for a proof by cells
        #[arg(long, default_value_t = 8.0)]
        budget: f64,
        /// The worked tables only
        #[arg(long)]
        quick: bool,
        /// The folder to write to
        #[arg(long, default_value = "experiments/sweeney")]
        out: PathBuf,
    },
    /// Adult, what the report costs, and a grid of 24 candidates (needs COARSEN_DATA)
    Report {
        /// How often to run; the least is reported
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
    /// Time and memory of Datafly and of Mondrian in passes over the number of rows, under a memory limit
    Scale {
        /// How many rows, separated by commas
        #[arg(long, value_delimiter = ',', default_values_t = [1_000_000, 10_000_000, 100_000_000])]
        rows: Vec<u64>,
        /// The most rows that Mondrian is run on
        #[arg(long, default_value_t = 10_000_000)]
        mondrian: u64,
        /// The memory limit
        #[arg(long, default_value = "2GB")]
        memory: String,
        /// Where tables are made, and removed again [default: a temporary folder]
        #[arg(long)]
        scratch: Option<PathBuf>,
        /// A folder for the table and the plots
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Bottom-up and top-down on Adult, synthetic rows and Adult enlarged (seed 003, section 6; needs COARSEN_DATA)
    Wang {
        /// Not the enlarged data, and one synthetic function
        #[arg(long)]
        quick: bool,
        /// A folder for tables (Markdown, CSV) and the plot (SVG)
        #[arg(long)]
        out: Option<PathBuf>,
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
        Experiment::Lefevre {
            quick,
            tables,
            figure,
            out,
        } => lefevre::run(quick, tables, &figure, out.as_deref()),
        Experiment::Mondrian { rows: None } => mondrian::adult(),
        Experiment::Mondrian { rows: Some(rows) } => mondrian::rows(rows),
        Experiment::Iyengar {
            iterations,
            limit,
            rows,
            quick,
            only,
            out,
        } => iyengar::run(&iyengar::Asked {
            iterations: if quick { 500 } else { iterations },
            limit,
            rows: if quick { rows.min(20_000) } else { rows },
            ks: if quick { &[50] } else { &iyengar::KS },
            only,
            out,
        }),
        Experiment::Li {
            budget,
            long_budget,
            quick,
            only,
            ks,
            losses,
            schemes,
            threads,
            out,
            tables,
        } => li::run(&li::Settings {
            budget,
            long_budget,
            quick,
            only: only.as_deref(),
            ks: &ks,
            losses: &losses,
            schemes: &schemes,
            threads,
            out: out.as_deref(),
            tables,
        }),
        Experiment::Sweeney {
            runs,
            budget,
            quick,
            out,
        } => sweeney::run(&sweeney::Settings {
            runs,
            budget,
            quick,
            out: &out,
        }),
        Experiment::Report { runs } => report_cost::adult(runs),
        Experiment::Rows { rows, keep } => speed::rows(rows, keep),
        Experiment::Scale {
            rows,
            mondrian,
            memory,
            scratch,
            out,
        } => scale::measure(&scale::Asked {
            rows,
            mondrian,
            memory,
            scratch,
            out,
        }),
        Experiment::Wang { quick, out } => wang::run(quick, out.as_deref()),
        Experiment::Baseline { input, output } => baseline::run(&input, &output),
    };
    done.map_err(|error| miette::miette!("{error}"))
}

/// An experiment either says what it saw or why it could not.
type Fallible<T> = Result<T, Box<dyn std::error::Error>>;
type Done = Fallible<()>;
