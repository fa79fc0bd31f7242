//! `coarsen hierarchy`: show the tree over a column with the rows behind it, build one, export one.

mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{ArgGroup, Args, Subcommand};
use coarsen::domain::Kind;
use coarsen::policy::{Column, DateUnit, HierarchySpec, Key, Side};
use coarsen_engine::{
    CountedHierarchy, Engine, HierarchyRequest, Source, SourceSettings, write_text,
};

use super::{EngineArguments, LoadedPolicy, print_json, spare};
use crate::Ending;
use crate::failure::Failure;
use crate::progress::cancel_on_interrupt;
use crate::text::counted;

/// Show the tree over a column, build one from the data, or export one in ARX's layout
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Show(Show),
    Build(Build),
    Export(Export),
}

/// Show a column's hierarchy as a tree, with the rows of the data behind every node
#[derive(Args)]
#[command(
    override_usage = "coarsen hierarchy show [OPTIONS] POLICY COLUMN\n       \
    coarsen hierarchy show [OPTIONS] --file FILE [--data DATA --column NAME]"
)]
struct Show {
    /// The policy file
    #[arg(required_unless_present = "file", conflicts_with = "file")]
    policy: Option<PathBuf>,
    /// The column
    #[arg(value_name = "COLUMN", required_unless_present = "file")]
    of: Option<String>,
    /// Show a hierarchy file in ARX's layout instead: a line a leaf, such as Masters;Graduate;*
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Lay the hierarchy file over this table
    #[arg(long, value_name = "DATA", requires_all = ["file", "column"])]
    data: Option<PathBuf>,
    /// The table's column
    #[arg(long, value_name = "NAME", requires = "data")]
    column: Option<String>,
    /// The type of the file's leaves: integer, decimal, date, text or boolean [default: text]
    #[arg(long = "type", value_name = "TYPE", value_parser = kind, requires = "file")]
    kind: Option<Kind>,
    /// How dates are written, such as %m/%d/%Y
    #[arg(long, value_name = "FORMAT", requires = "file")]
    format: Option<String>,
    /// Show this many levels below the top [default: as many as fit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    depth: Option<u16>,
    /// Show every node, however many there are
    #[arg(long, conflicts_with = "depth")]
    all: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineArguments,
}

/// Build a hierarchy from a column's values, in ARX's layout
#[derive(Args)]
#[command(group = ArgGroup::new("how").required(true).args(["intervals", "mask", "dates", "quantiles", "flat"]))]
struct Build {
    /// The table
    data: PathBuf,
    /// The column
    column: String,
    /// Intervals of these widths, each a multiple of the one before, such as 5,10,20
    #[arg(long, value_name = "WIDTHS", value_delimiter = ',')]
    intervals: Vec<f64>,
    /// Where an interval of every width begins [default: 0]
    #[arg(
        long,
        value_name = "X",
        requires = "intervals",
        allow_negative_numbers = true
    )]
    origin: Option<f64>,
    /// Mask one more character a level, from this side: right or left
    #[arg(long, value_name = "SIDE", value_parser = side)]
    mask: Option<Side>,
    /// Mask at most this many characters [default: all]
    #[arg(long, value_name = "N", requires = "mask")]
    levels: Option<usize>,
    /// Calendar units from fine to coarse: day, month, quarter, year, decade
    #[arg(long, value_name = "UNITS", value_delimiter = ',', value_parser = unit)]
    dates: Vec<DateUnit>,
    /// How dates are written, such as %m/%d/%Y [default: %Y-%m-%d]
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// At most this many runs of numbers or dates that hold about equally many rows, then pairs of them
    #[arg(long, value_name = "N")]
    quantiles: Option<usize>,
    /// Nothing between the values and the top
    #[arg(long)]
    flat: bool,
    /// The type of the values: integer, decimal, date, text or boolean [default: found]
    #[arg(long = "type", value_name = "TYPE", value_parser = kind)]
    kind: Option<Kind>,
    /// Cells that stand for a missing value, separated by commas [default: the empty cell, ?, NA]
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    missing: Option<Vec<String>>,
    #[command(flatten)]
    written: Written,
    #[command(flatten)]
    engine: EngineArguments,
}

/// Write the hierarchy that a policy describes for a column, in ARX's layout
#[derive(Args)]
struct Export {
    /// The policy file
    policy: PathBuf,
    /// The column
    column: String,
    #[command(flatten)]
    written: Written,
    #[command(flatten)]
    engine: EngineArguments,
}

#[derive(Args)]
struct Written {
    /// Where to write [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if there is one; never the data
    #[arg(long, requires = "output")]
    force: bool,
}

fn kind(word: &str) -> Result<Kind, String> {
    Kind::from_word(word).ok_or_else(|| format!("types are {}", Kind::WORDS.join(", ")))
}

fn side(word: &str) -> Result<Side, String> {
    Side::from_word(word).ok_or_else(|| format!("sides are {}", Side::WORDS.join(", ")))
}

fn unit(word: &str) -> Result<DateUnit, String> {
    DateUnit::from_word(word).ok_or_else(|| format!("units are {}", DateUnit::WORDS.join(", ")))
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Ending {
    match arguments.action {
        Action::Show(arguments) => show(arguments),
        Action::Build(arguments) => build(arguments),
        Action::Export(arguments) => export(arguments),
    }
}

fn show(arguments: Show) -> Ending {
    let (counted, origin) = match (&arguments.policy, &arguments.of, &arguments.file) {
        (Some(policy), Some(column), _) => {
            let (loaded, counted) = under_policy(policy, column, &arguments.engine)?;
            let spec = loaded.policy.columns[column.as_str()].hierarchy.as_ref();
            let origin = text::origin(spec, counted.attribute.domain.kind());
            (counted, origin)
        }
        (_, _, Some(file)) => (laid_over(&arguments, file)?, file.display().to_string()),
        _ => {
            return Err(Failure::usage(
                "there is no column to show",
                "name a policy and a column, or a hierarchy file with --file",
            ));
        }
    };
    let depth = arguments.depth.map(usize::from);
    if arguments.json {
        print_json(&text::as_json(&counted, &origin, depth));
    } else {
        text::print(&counted, &origin, depth, arguments.all);
    }
    Ok(ExitCode::SUCCESS)
}

fn started(engine: Engine) -> Engine {
    cancel_on_interrupt(&engine);
    engine
}

fn under_policy(
    policy: &Path,
    column: &str,
    engine: &EngineArguments,
) -> Result<(LoadedPolicy, CountedHierarchy), Failure> {
    let loaded = LoadedPolicy::read(policy, Vec::new())?;
    let engine = started(engine.start(Some(&loaded.policy))?);
    let counted = CountedHierarchy::of_policy(&engine, &loaded.policy, loaded.folder(), column)
        .map_err(|error| loaded.blame(error))?;
    Ok((loaded, counted))
}

/// A hierarchy file by itself, or over a table.
fn laid_over(arguments: &Show, file: &Path) -> Result<CountedHierarchy, Failure> {
    let (kind, format) = (arguments.kind, &arguments.format);
    let (Some(data), Some(column)) = (&arguments.data, &arguments.column) else {
        return Ok(CountedHierarchy::of_file(file, kind, format.as_deref())?);
    };
    let engine = started(arguments.engine.start(None)?);
    let request = HierarchyRequest {
        source: Source::open(&engine, data, &SourceSettings::default())?,
        column,
        described: Column {
            kind: kind.or(format.as_ref().map(|_| Kind::Date)),
            format: format.clone(),
            hierarchy: Some(HierarchySpec::File {
                path: file.to_string_lossy().into_owned(),
            }),
            ..Column::default()
        },
        missing: None,
    };
    Ok(CountedHierarchy::of_data(&engine, request)?)
}

fn build(arguments: Build) -> Ending {
    if let Some(output) = &arguments.written.output {
        spare(&arguments.data, "data", output)?;
    }
    let hierarchy = if !arguments.intervals.is_empty() {
        Some(HierarchySpec::Intervals {
            widths: arguments.intervals.clone(),
            origin: arguments.origin.unwrap_or(0.0),
        })
    } else if let Some(side) = arguments.mask {
        let levels = arguments.levels;
        Some(HierarchySpec::Mask { side, levels })
    } else if !arguments.dates.is_empty() {
        let units = arguments.dates.clone();
        Some(HierarchySpec::Dates { units })
    } else {
        let limit = arguments.quantiles;
        limit.map(|limit| HierarchySpec::Quantiles { limit })
    };
    let is_date = arguments.format.is_some() || !arguments.dates.is_empty();
    let engine = started(arguments.engine.start(None)?);
    let request = HierarchyRequest {
        source: Source::open(&engine, &arguments.data, &SourceSettings::default())?,
        column: &arguments.column,
        described: Column {
            kind: arguments.kind.or(is_date.then_some(Kind::Date)),
            format: arguments.format.clone(),
            hierarchy,
            ..Column::default()
        },
        missing: arguments.missing.clone(),
    };
    let counted = CountedHierarchy::of_data(&engine, request)?;
    write(&counted, &arguments.written)
}

fn export(arguments: Export) -> Ending {
    if let Some(output) = &arguments.written.output {
        spare(&arguments.policy, "policy", output)?;
    }
    let (loaded, counted) = under_policy(&arguments.policy, &arguments.column, &arguments.engine)?;
    if let Some(output) = &arguments.written.output {
        let data = loaded.folder().join(&loaded.policy.input.path);
        spare(&data, "data", output)?;
    }
    write(&counted, &arguments.written)
}

fn write(hierarchy: &CountedHierarchy, written: &Written) -> Ending {
    let layout = hierarchy.layout();
    let Some(output) = &written.output else {
        anstream::print!("{layout}");
        return Ok(ExitCode::SUCCESS);
    };
    write_text(output, &layout, written.force)?;
    let leaves = counted(hierarchy.layout_leaves() as u64, "leaf", "leaves");
    anstream::println!("wrote {leaves} to {}", output.display());
    anstream::println!("use it in a policy as: {}", policy_line(hierarchy, output));
    Ok(ExitCode::SUCCESS)
}

/// The line of a policy that reads the file back as the values that it was built from.
fn policy_line(hierarchy: &CountedHierarchy, file: &Path) -> String {
    let domain = &hierarchy.attribute.domain;
    let kind = match domain.kind() {
        Kind::Text => String::new(),
        kind => format!(" type = \"{kind}\","),
    };
    let format = match domain.format() {
        None => String::new(),
        Some(format) => format!(" format = {format:?},"),
    };
    format!(
        "{} = {{ role = \"quasi-identifier\",{kind}{format} hierarchy = {{ file = {:?} }} }}",
        Key::of([hierarchy.attribute.name.as_str()]),
        file.to_string_lossy()
    )
}
