//! `coarsen check`: audit any file, whoever made it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use coarsen::policy::{Column, Policy, Privacy, Role};
use coarsen_engine::{CheckRequest, Source, SourceSettings, released_names};
use serde_json::json;

use super::{EngineArguments, LoadedPolicy, print_json};
use crate::Ending;
use crate::failure::Failure;

/// Audit any file: is every row hidden among k, and how exposed are the people in it?
#[derive(Args)]
#[command(group = clap::ArgGroup::new("columns").args(["policy", "qi", "manifest"]).required(true).multiple(true))]
pub struct Arguments {
    /// The file to audit
    data: PathBuf,
    /// Is it the release that this manifest describes? By its SHA-256, and by a recount
    #[arg(long, value_name = "FILE", conflicts_with_all = ["policy", "qi", "k", "sensitive", "population"])]
    manifest: Option<PathBuf>,
    /// Hold it against this policy's columns and requirements
    #[arg(long, value_name = "POLICY")]
    policy: Option<PathBuf>,
    /// The quasi-identifiers, separated by commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    qi: Vec<String>,
    /// The k that every class must reach
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    k: Option<u64>,
    /// Sensitive columns, separated by commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', num_args = 1..)]
    sensitive: Vec<String>,
    /// A table of the population that these people come from, with raw values: journalist risk
    #[arg(long, value_name = "FILE")]
    population: Option<PathBuf>,
    /// Look at every combination of up to this many columns for what makes people stand out
    #[arg(long, value_name = "N", default_value_t = 3)]
    subsets: usize,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Ending {
    if let Some(manifest) = &arguments.manifest {
        return against_manifest(&arguments, manifest);
    }
    let loaded = match &arguments.policy {
        Some(path) => Some(LoadedPolicy::read(path, Vec::new())?),
        None => None,
    };
    let engine = arguments
        .engine
        .start(loaded.as_ref().map(|loaded| &loaded.policy))?;
    let request = request(&arguments, loaded.as_ref(), &engine)?;
    let folder = loaded.as_ref().map_or(Path::new(""), LoadedPolicy::folder);
    let checked =
        coarsen_engine::check(&engine, &arguments.data, folder, &request).map_err(|error| {
            match &loaded {
                Some(loaded) => loaded.blame(error),
                None => error.into(),
            }
        })?;
    if arguments.json {
        print_json(&checked.to_json());
    } else {
        crate::text::audit::print(&arguments.data, &checked, request.policy.privacy.k);
    }
    Ok(if checked.audit.holds {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

/// Whether the file is the one that a manifest describes.
fn against_manifest(arguments: &Arguments, manifest: &Path) -> Ending {
    let engine = arguments.engine.start(None)?;
    let verified = coarsen_engine::verify(&engine, &arguments.data, manifest)?;
    if arguments.json {
        let audit = verified.checked.as_ref().map(|checked| &checked.audit);
        print_json(&json!({
            "described": verified.is_the_one(),
            "sha256": verified.sha256,
            "differences": verified.differences,
            "kind": verified.manifest.kind,
            "tool": verified.manifest.tool,
            "audit": audit,
        }));
    } else {
        crate::text::audit::print_verified(&arguments.data, manifest, &verified);
    }
    Ok(match verified.is_the_one() {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    })
}

fn request(
    arguments: &Arguments,
    loaded: Option<&LoadedPolicy>,
    engine: &coarsen_engine::Engine,
) -> Result<CheckRequest, Failure> {
    let source = SourceSettings::default();
    let mut policy = match loaded {
        Some(loaded) => loaded.policy.clone(),
        None => Policy {
            privacy: Privacy {
                k: arguments.k.unwrap_or(1),
                ..Default::default()
            },
            ..Default::default()
        },
    };
    if let Some(k) = arguments.k {
        policy.privacy.k = k;
    }
    for name in &arguments.sensitive {
        let column = Column {
            role: Role::Sensitive,
            ..Default::default()
        };
        policy.columns.entry(name.clone()).or_insert(column).role = Role::Sensitive;
    }
    let quasi_identifiers = match arguments.qi.is_empty() {
        false => arguments.qi.clone(),
        true => released_names(engine, &arguments.data, &policy, &source)?,
    };
    if let Some(both) = quasi_identifiers
        .iter()
        .find(|name| arguments.sensitive.contains(name))
    {
        return Err(Failure::usage(
            format!("column `{both}` cannot be both a quasi-identifier and sensitive"),
            "name it once",
        ));
    }
    if !arguments.qi.is_empty() {
        // Columns named on the command line take the place of the policy's quasi-identifiers.
        let named = |column: &String| quasi_identifiers.contains(column);
        (policy.privacy.quasi_identifiers).retain(|narrower| narrower.columns.iter().all(named));
        let kept: BTreeMap<_, _> = policy
            .columns
            .into_iter()
            .filter(|(_, column)| column.role == Role::Sensitive)
            .collect();
        policy.columns = kept;
    }
    let population = match &arguments.population {
        Some(path) => Some(Source::open(engine, path, &SourceSettings::default())?),
        None => None,
    };
    let subset_size = arguments.subsets;
    Ok(CheckRequest {
        policy,
        quasi_identifiers,
        population,
        subset_size,
        source,
    })
}
