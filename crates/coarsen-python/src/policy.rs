//! Policies from Python: the path of a TOML file, or a dictionary as JSON.

use std::path::{Path, PathBuf};

use coarsen::policy::Policy;
use coarsen_engine::{EngineError, Holder, Origin};
use pyo3::prelude::*;

use crate::failure;

/// A policy and where it came from.
pub struct Spoken {
    /// The policy.
    pub policy: Policy,
    /// The folder that its paths start from.
    pub folder: PathBuf,
    /// What messages call it.
    pub name: String,
    /// Its file, where it came from one.
    pub origin: Option<Origin>,
}

impl Spoken {
    /// Who a release is made for.
    pub fn holder(&self) -> Holder<'_> {
        Holder {
            origin: self.origin.as_ref(),
            ..Holder::default()
        }
    }
}

/// A policy as Python hands it over.
#[derive(FromPyObject)]
pub struct PolicyArgument {
    /// The file, where it is one.
    path: Option<PathBuf>,
    /// Its keys as JSON, where it is not.
    json: Option<String>,
    /// Keys to set in a file's policy, dotted, with values as `--set` takes them.
    overrides: Vec<(String, String)>,
    /// The folder that paths start from, where it is no file.
    folder: PathBuf,
}

impl PolicyArgument {
    /// Reads and checks it.
    pub fn read(self, py: Python<'_>) -> PyResult<Spoken> {
        match (self.path, self.json) {
            (Some(path), _) => {
                let name = path.display().to_string();
                let source = read_text(py, &path, &name)?;
                let policy = Policy::parse(&source, &self.overrides)
                    .map_err(|error| failure::policy(py, &error, &name))?;
                let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
                let origin = Origin {
                    path,
                    text: source,
                    set: self.overrides,
                };
                Ok(Spoken {
                    policy,
                    folder,
                    name,
                    origin: Some(origin),
                })
            }
            (None, json) => {
                let name = "policy".to_string();
                let json = json.unwrap_or_else(|| "{}".into());
                let keys: toml::Table = serde_json::from_str(&json)
                    .map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))?;
                let policy =
                    Policy::from_table(keys).map_err(|error| failure::policy(py, &error, &name))?;
                Ok(Spoken {
                    policy,
                    folder: self.folder,
                    name,
                    origin: None,
                })
            }
        }
    }
}

fn read_text(py: Python<'_>, path: &Path, name: &str) -> PyResult<String> {
    let failed = |error: EngineError| failure::engine(py, error, name);
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => failed(EngineError::input(
            path,
            "there is no such policy",
            "write one with `coarsen init DATA -o policy.toml`",
        )),
        _ => failed(EngineError::io(path, error)),
    })?;
    String::from_utf8(bytes).map_err(|_| {
        failed(EngineError::input(
            path,
            "the policy is not UTF-8 text",
            "save it as UTF-8",
        ))
    })
}
