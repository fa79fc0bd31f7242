//! `coarsen init`: look at a file that nobody has described yet, and draft a policy for it.

mod text;

use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use coarsen::policy::Role;
use coarsen_engine::{
    Draft, EngineError, Source, SourceSettings, Stage, draft, profile, profile_json, suggest,
    together, write_text,
};
use serde_json::json;

use super::{EngineArguments, print_json, spare};
use crate::Ending;
use crate::failure::Failure;
use crate::progress::{Bar, cancel_on_interrupt};

/// Profile the columns of a file, suggest roles and hierarchies, and write a commented policy
#[derive(Args)]
pub struct Arguments {
    /// The table: CSV, Parquet, JSON lines or Arrow
    data: PathBuf,
    /// Where to write the policy
    #[arg(short, long, value_name = "POLICY", default_value = "policy.toml")]
    output: PathBuf,
    /// Replace the policy if there is one; never the data
    #[arg(long)]
    force: bool,
    /// The first line of a CSV file is a row; name the columns column_1, column_2 and so on
    #[arg(long)]
    no_header: bool,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object instead of text; the policy is written all the same
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Ending {
    let places = Places::find(&arguments)?;
    let engine = arguments.engine.start(None)?;
    cancel_on_interrupt(&engine);
    let bar = Bar::new();
    bar.tell(Stage::Reading);
    let settings = SourceSettings {
        header: !arguments.no_header,
        ..Default::default()
    };
    let source = Source::open(&engine, &arguments.data, &settings)?;
    let found = profile(&engine, &source)?;
    let suggestions = suggest(&found);
    bar.tell(Stage::Counting);
    let quasi_identifiers: Vec<String> = suggestions
        .iter()
        .filter(|suggestion| suggestion.column.role == Role::QuasiIdentifier)
        .map(|suggestion| suggestion.name.clone())
        .collect();
    let exposed = together(&engine, &source, &found, &quasi_identifiers)?;
    drop(bar);

    let delimiter = source.dialect().map(|d| char::from(d.delimiter));
    let about = Draft {
        input: &places.input,
        delimiter: delimiter.filter(|delimiter| *delimiter != ','),
        header: source.dialect().is_none_or(|d| d.header),
        output: &places.release,
        recoding: &places.recoding,
    };
    let policy = draft(&about, &found, &suggestions, &exposed).map_err(|error| {
        // The draft is ours, so this is no fault of the user.
        let message = format!("the drafted policy cannot be read back: {}", error.message);
        EngineError::io(&arguments.output, std::io::Error::other(message))
    })?;
    write_text(&arguments.output, &policy, arguments.force)?;
    match arguments.json {
        true => {
            let mut found = profile_json(&found, &suggestions, &exposed);
            if let Some(found) = found.as_object_mut() {
                found.shift_insert(0, "policy".into(), json!(arguments.output));
            }
            print_json(&found);
        }
        false => text::print(&arguments, &found, &suggestions, &exposed),
    }
    Ok(ExitCode::SUCCESS)
}

/// Where the policy's files are, as its folder sees them.
struct Places {
    input: String,
    release: String,
    recoding: String,
}

impl Places {
    /// Looks at the places before anything is read, so that a wrong call costs no time.
    fn find(arguments: &Arguments) -> Result<Places, Failure> {
        let Arguments { data, output, .. } = arguments;
        if !data.exists() {
            return Err(EngineError::input(
                data,
                "there is no such file",
                "name the table to draft a policy for",
            )
            .into());
        }
        spare(data, "data", output)?;
        if !arguments.force && output.is_file() {
            return Err(EngineError::input(
                output,
                "this file exists already",
                "choose another name with -o, or add --force to replace it",
            )
            .into());
        }
        let folder = match output.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let folder = folder.canonicalize().map_err(|_| {
            EngineError::input(
                folder,
                "there is no such folder to write to",
                "make the folder, or choose another place with -o",
            )
        })?;
        let stem = data.file_stem().unwrap_or_default().to_string_lossy();
        let ending = data.extension().unwrap_or_default().to_string_lossy();
        Ok(Places {
            input: seen_from(&folder, data)?,
            release: format!("{stem}-release.{ending}"),
            recoding: format!("{stem}-recoding.json"),
        })
    }
}

/// The path of a file as a folder sees it; whole where the two have nothing in common.
fn seen_from(folder: &Path, file: &Path) -> Result<String, EngineError> {
    let absolute = std::path::absolute(file).map_err(|error| EngineError::io(file, error))?;
    // A link to a file keeps its name; links to folders are followed, or `..` would lead astray.
    let (Some(home), Some(name)) = (absolute.parent(), absolute.file_name()) else {
        return Err(EngineError::input(file, "this is no file", "name a table"));
    };
    let home = home
        .canonicalize()
        .map_err(|error| EngineError::io(file, error))?;
    let shared = folder
        .components()
        .zip(home.components())
        .take_while(|(one, other)| one == other)
        .count();
    let named = |component: &Component<'_>| matches!(component, Component::Normal(_));
    let path = match folder.components().take(shared).any(|part| named(&part)) {
        false if shared < folder.components().count() => home.join(name),
        _ => {
            let up = folder
                .components()
                .skip(shared)
                .map(|_| Component::ParentDir);
            let down = home.components().skip(shared);
            up.chain(down).collect::<PathBuf>().join(name)
        }
    };
    match path.to_str() {
        Some(path) => Ok(path.to_string()),
        None => Err(EngineError::input(
            file,
            "its path is not text",
            "rename it",
        )),
    }
}
