//! `coarsen init`: look at a file that nobody has described yet, and draft a policy for it.

mod text;

use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use coarsen::policy::Role;
use coarsen_engine::{
    Compression, Draft, EngineError, Place, Source, SourceSettings, Stage, draft, located, profile,
    profile_json, suggest, together, would_be_part, write_text,
};
use serde_json::json;

use super::{EngineArguments, print_json, spare};
use crate::Ending;
use crate::failure::Failure;
use crate::progress::{Bar, cancel_on_interrupt};

/// Profile the columns of a file, suggest roles and hierarchies, and write a commented policy
#[derive(Args)]
pub struct Arguments {
    /// The table: CSV, Parquet, JSON lines or Arrow; a folder of parts, or a quoted pattern
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
    let (stem, ending) = names(&arguments.data, &source);
    let about = Draft {
        input: &places.input,
        delimiter: delimiter.filter(|delimiter| *delimiter != ','),
        header: source.dialect().is_none_or(|d| d.header),
        output: &format!("{stem}-release.{ending}"),
        recoding: &format!("{stem}-recoding.json"),
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
}

impl Places {
    /// Looks at the places before anything is read, so that a wrong call costs no time.
    fn find(arguments: &Arguments) -> Result<Places, Failure> {
        let Arguments { data, output, .. } = arguments;
        spare(data, "data", output)?;
        if would_be_part(data, output) {
            return Err(EngineError::input(
                output,
                "the policy would stand among the parts of the data",
                "choose another place with -o",
            )
            .into());
        }
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
        let url = data.to_str().filter(|text| Place::is_meant(text));
        Ok(Places {
            input: match url {
                // From here, for the policy may stand elsewhere.
                Some(url) => {
                    let here = std::env::current_dir();
                    let here = here.map_err(|error| EngineError::io(data, error))?;
                    located(&here, url).to_string_lossy().into_owned()
                }
                None => seen_from(&folder, data)?,
            },
        })
    }
}

/// What files beside the data are named after, and the ending of a release like it.
fn names(data: &Path, source: &Source) -> (String, String) {
    if let Some((_, table)) = data
        .to_str()
        .filter(|text| Place::is_meant(text))
        .and_then(|t| t.split_once('#'))
    {
        return (table.replace(['/', '.'], "-"), "csv".to_string());
    }
    let split = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let packed = match source.compression() {
            Compression::None => None,
            _ => name
                .rsplit_once('.')
                .filter(|_| Compression::of_name(path) != Compression::None),
        };
        let (plain, packed) = match packed {
            Some((plain, packed)) => (plain, format!(".{packed}")),
            None => (&*name, String::new()),
        };
        let (stem, ending) = plain.rsplit_once('.').unwrap_or((plain, ""));
        (stem.to_string(), format!("{ending}{packed}"))
    };
    let (_, ending) = split(&source.files()[0]);
    let stem = match data.is_dir() {
        true => data
            .canonicalize()
            .ok()
            .and_then(|data| Some(data.file_name()?.to_string_lossy().into_owned())),
        false => Some(split(data).0),
    };
    // What is left of a pattern.
    let stem: String = stem.unwrap_or_default().replace(['*', '?', '[', ']'], "");
    let stem = stem.trim_matches(['-', '_', '.']);
    (
        if stem.is_empty() { "data" } else { stem }.to_string(),
        ending,
    )
}

/// The path of a file as a folder sees it; whole where the two have nothing in common.
fn seen_from(folder: &Path, file: &Path) -> Result<String, EngineError> {
    let absolute = std::path::absolute(file).map_err(|error| EngineError::io(file, error))?;
    // A link to a file keeps its name; links to folders are followed, or `..` would lead astray.
    // The folders of a pattern need not have such a name.
    let mut homes = absolute.ancestors().skip(1);
    let found = homes.find_map(|home| {
        let name = absolute.strip_prefix(home).ok()?;
        Some((home.canonicalize().ok()?, name))
    });
    let Some((home, name)) = found else {
        return Err(EngineError::input(file, "this is no file", "name a table"));
    };
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
