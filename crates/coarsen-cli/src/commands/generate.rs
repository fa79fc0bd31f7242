//! `coarsen generate`: tables of our own making, to measure on and to try things with.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, Subcommand};
use coarsen::synthetic::{Agrawal, AgrawalError, AgrawalSettings, EnlargeSettings};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value as Json, json};

use super::{EngineArguments, LoadedPolicy, print_json, spare};
use crate::Ending;
use crate::failure::Failure;
use crate::progress::cancel_on_interrupt;
use crate::text::{FAINT, counted, in_style, seconds};

/// Make a table in which nobody lives: to measure on, or to try things with
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    table: Table,
}

#[derive(Subcommand)]
enum Table {
    Agrawal(AgrawalArguments),
    Clinic(ClinicArguments),
    Enlarge(EnlargeArguments),
}

/// The table of Agrawal, Imielinski and Swami (1993): nine attributes and one label a function
///
/// Amounts are in whole cents and written in their shortest form, such as 20345.1; labels are A and B,
/// in a column `group`, or `group_2`, `group_7` and so on where there are several.
#[derive(Args)]
struct AgrawalArguments {
    /// Label functions, 1 to 10, separated by commas
    #[arg(long, value_name = "F", value_delimiter = ',', default_value = "2")]
    function: Vec<u8>,
    /// Draw the constants of functions 2 to 6 from the seed instead of taking the paper's
    #[arg(long)]
    random_constants: bool,
    /// Move the numbers after labelling by up to this share of their range, 0 to 1
    #[arg(long, value_name = "P", default_value_t = 0.0)]
    noise: f64,
    #[command(flatten)]
    written: Written,
    #[command(flatten)]
    engine: EngineArguments,
}

/// The patients of an invented clinic: name, birth date, ZIP code, sex, diagnosis, insurance, days
#[derive(Args)]
struct ClinicArguments {
    #[command(flatten)]
    written: Written,
}

/// The input of a policy made larger (Wang, Yu and Chakraborty 2004): beside each row come variations
/// of it, with values drawn anew in some quasi-identifiers, from the leaves of their hierarchies
///
/// Target and sensitive columns are kept; identifiers and others are left out.
#[derive(Args)]
struct EnlargeArguments {
    /// The policy file, whose input is enlarged
    policy: PathBuf,
    /// How many times the rows (the paper's σ)
    #[arg(long, visible_alias = "sigma", value_name = "N", default_value_t = 30)]
    scale: u64,
    /// In how many quasi-identifiers a variation draws anew (the paper's ρ)
    #[arg(long, visible_alias = "rho", value_name = "N", default_value_t = 3)]
    novelty: usize,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    engine: EngineArguments,
}

#[derive(Args)]
struct Written {
    /// How many rows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    rows: u64,
    #[command(flatten)]
    place: Place,
}

#[derive(Args)]
struct Place {
    /// The same seed gives the same bytes
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Where to write: .csv, .tsv, .parquet, .jsonl or .arrow
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Replace the file if there is one
    #[arg(long)]
    force: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Ending {
    match arguments.table {
        Table::Agrawal(arguments) => agrawal(arguments),
        Table::Clinic(arguments) => clinic(&arguments.written),
        Table::Enlarge(arguments) => enlarge(&arguments),
    }
}

fn agrawal(arguments: AgrawalArguments) -> Ending {
    let AgrawalArguments {
        function,
        random_constants,
        noise,
        written,
        engine,
    } = arguments;
    let table = Agrawal::new(AgrawalSettings {
        functions: function,
        seed: written.place.seed,
        random_constants,
        noise,
    })
    .map_err(|error| {
        let help = match error {
            AgrawalError::Noise(_) => "write --noise 0.05 for a twentieth of the range",
            _ => "name each function once, such as --function 2,7",
        };
        Failure::usage(error.to_string(), help)
    })?;
    let engine = engine.start(None)?;
    cancel_on_interrupt(&engine);
    let start = Instant::now();
    let bar = bar(written.rows);
    let made = coarsen_engine::generate_agrawal(
        &engine,
        &table,
        written.rows,
        &written.place.output,
        written.place.force,
        &|rows| bar.set_position(rows),
    );
    bar.finish_and_clear();
    let output = made?;
    let names = table.column_names();
    let labels: Vec<(String, String)> = names[names.len() - table.functions().len()..]
        .iter()
        .zip(table.functions())
        .map(|(name, function)| (name.clone(), function.to_string()))
        .collect();
    tell(
        &written.place,
        written.rows,
        &output,
        start,
        &names,
        &labels,
    );
    Ok(ExitCode::SUCCESS)
}

fn clinic(written: &Written) -> Ending {
    let start = Instant::now();
    let rows = usize::try_from(written.rows).map_err(|_| {
        Failure::usage(
            format!("{} rows are too many for this machine", written.rows),
            "ask for fewer",
        )
    })?;
    let place = &written.place;
    let output = coarsen_engine::generate_clinic(place.seed, rows, &place.output, place.force)?;
    let names = coarsen::synthetic::clinic::COLUMNS.map(str::to_string);
    tell(place, written.rows, &output, start, &names, &[]);
    Ok(ExitCode::SUCCESS)
}

fn enlarge(arguments: &EnlargeArguments) -> Ending {
    let start = Instant::now();
    let loaded = LoadedPolicy::read(&arguments.policy, Vec::new())?;
    let place = &arguments.place;
    spare(&loaded.path, "policy", &place.output)?;
    let input = loaded.folder().join(&loaded.policy.input.path);
    spare(&input, "input", &place.output)?;
    let engine = arguments.engine.start(Some(&loaded.policy))?;
    cancel_on_interrupt(&engine);
    let settings = EnlargeSettings {
        scale: arguments.scale,
        novelty: arguments.novelty,
        seed: place.seed,
    };
    let made = coarsen_engine::generate_enlarged(
        &engine,
        &loaded.policy,
        loaded.folder(),
        &settings,
        &place.output,
        place.force,
    )
    .map_err(|error| loaded.blame(error))?;
    tell(place, made.rows, &made.output, start, &made.columns, &[]);
    if !place.json {
        let distinct = counted(made.distinct, "distinct row", "distinct rows");
        anstream::println!("  {}", in_style(FAINT, distinct));
    }
    Ok(ExitCode::SUCCESS)
}

/// How far the rows are, on a terminal only.
fn bar(rows: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(rows), ProgressDrawTarget::stderr());
    let template = "{bar:30} {human_pos} of {human_len} rows, {eta} to go";
    bar.set_style(ProgressStyle::with_template(template).expect("the template is well-formed"));
    bar
}

fn tell(
    place: &Place,
    rows: u64,
    output: &Path,
    start: Instant,
    columns: &[String],
    labels: &[(String, String)],
) {
    let took = start.elapsed().as_secs_f64();
    if place.json {
        let labels: Vec<Json> = labels
            .iter()
            .map(|(column, rule)| json!({ "column": column, "a_where": rule }))
            .collect();
        print_json(&json!({
            "output": output,
            "rows": rows,
            "seed": place.seed,
            "columns": columns,
            "labels": labels,
            "seconds": took,
        }));
        return;
    }
    anstream::println!(
        "wrote {} to {} in {}",
        counted(rows, "row", "rows"),
        place.output.display(),
        seconds(took)
    );
    for (column, rule) in labels {
        anstream::println!("  {column} is A where {}", in_style(FAINT, rule));
    }
}
