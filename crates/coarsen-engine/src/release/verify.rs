//! Whether a file is the release that a manifest describes: by its fingerprint, and by a recount that
//! needs nothing but the two.

use std::path::Path;

use coarsen_report::manifest::Manifest;

use crate::EngineError;
use crate::audit::{CheckRequest, Checked, check, check_source};
use crate::database::place_of;
use crate::engine::Engine;
use crate::fingerprint;
use crate::source::{Source, SourceSettings};

/// What came of holding a file against a manifest.
#[derive(Debug)]
pub struct Verified {
    /// The manifest.
    pub manifest: Manifest,
    /// The file's own fingerprint.
    pub sha256: String,
    /// What is not as the manifest says; empty where the file is the one described.
    pub differences: Vec<String>,
    /// The recount; none where the file has not even the columns for it.
    pub checked: Option<Checked>,
}

impl Verified {
    /// Whether the file is the release that the manifest describes.
    pub fn is_the_one(&self) -> bool {
        self.differences.is_empty()
    }
}

/// Holds a file against a manifest.
///
/// # Errors
/// A manifest or a file that cannot be read.
pub fn verify(engine: &Engine, data: &Path, manifest: &Path) -> Result<Verified, EngineError> {
    let text = std::fs::read_to_string(manifest).map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidData => unreadable(manifest, "it is not UTF-8 text"),
        _ => EngineError::io(manifest, error),
    })?;
    let told =
        Manifest::from_json(&text).map_err(|error| unreadable(manifest, &error.to_string()))?;
    // Of a database, what is proven and what is counted must be read at one moment.
    let taken = match place_of(data, None)? {
        Some(place) => Some(Source::of_database(engine, &place)?),
        None => None,
    };
    let found = match &taken {
        Some(source) => fingerprint::of_source(source, "")?,
        None => fingerprint::of_table(data, "")?,
    };
    let mut differences = Vec::new();
    let files = &told.files;
    if found.sha256 != files.output.sha256 {
        let others = [
            ("input", &files.input),
            ("policy", &files.policy),
            ("recoding", &files.recoding),
            ("report", &files.report),
        ];
        let same = |(_, file): &&(&str, &Option<coarsen_report::manifest::FileProof>)| {
            file.as_ref()
                .is_some_and(|file| file.sha256 == found.sha256)
        };
        differences.push(match others.iter().find(same) {
            Some((what, _)) => format!("it is the {what} that the manifest names, not the release"),
            None => format!(
                "its SHA-256 is {}, and the manifest's release has {}",
                found.sha256, files.output.sha256
            ),
        });
    }
    let request = CheckRequest {
        policy: told.audit_policy(),
        quasi_identifiers: told.recount.quasi_identifiers.clone(),
        population: None,
        subset_size: 0,
        source: SourceSettings {
            format: told.recount.format,
            expected: told.recount.columns(),
            ..SourceSettings::default()
        },
    };
    let folder = manifest.parent().unwrap_or(Path::new(""));
    let checked = match taken {
        Some(source) => check_source(engine, source, folder, &request),
        None => check(engine, data, folder, &request),
    };
    let checked = match checked {
        Ok(checked) => {
            differences.extend(told.differences(&checked.audit));
            Some(checked)
        }
        // Another file need not have the columns of the release, nor be a table at all.
        Err(_) if !differences.is_empty() => None,
        Err(error) => return Err(error),
    };
    Ok(Verified {
        manifest: told,
        sha256: found.sha256,
        differences,
        checked,
    })
}

fn unreadable(path: &Path, why: &str) -> EngineError {
    let help = "give the manifest.json that `coarsen run` wrote beside the report";
    EngineError::input(path, why, help)
}
