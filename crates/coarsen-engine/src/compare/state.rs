//! What a comparison has found so far, one line of JSON a point, so that one which was interrupted goes
//! on. The first line tells which policy and input it belongs to, by a fingerprint over both, over the
//! hierarchies and over this program's version; it holds figures, and no cell of the input.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use coarsen::policy::{Policy, format_duration};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Comparison, GridPoint, Outcome, StateFile};
use crate::EngineError;
use crate::fingerprint;
use crate::inline::self_contained;
use crate::source::Source;

/// A comparison's memory.
pub(super) struct State {
    known: Vec<Kept>,
    file: Option<(PathBuf, Mutex<File>)>,
    passes: bool,
}

/// A point that is done.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Kept {
    point: GridPoint,
    /// The whole comparison's budget, which matters where the search was stopped by it.
    budget: Option<String>,
    outcome: Outcome,
}

#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    of: String,
}

const FORMAT: &str = "coarsen-comparison";

impl State {
    /// Opens the state of a comparison, or begins one. A folder that cannot be written to is no reason
    /// not to compare, unless the user named it.
    pub fn open(
        comparison: &Comparison,
        policy: &Policy,
        folder: &Path,
        source: &Source,
    ) -> Result<State, EngineError> {
        let none = State {
            known: Vec::new(),
            file: None,
            passes: false,
        };
        let input = source;
        match &comparison.state {
            StateFile::None => Ok(none),
            StateFile::Kept(path) | StateFile::Passing(path) if source.format().is_none() => {
                Err(EngineError::input(
                    path,
                    "what is found on a table in memory is not kept in a file",
                    "leave the state file out; or save the table and compare the file",
                ))
            }
            StateFile::Kept(path) => State::of_file(path, false, policy, folder, input),
            StateFile::Passing(path) => match State::of_file(path, true, policy, folder, input) {
                Err(EngineError::Io { path: at, .. }) if at == *path => Ok(none),
                other => other,
            },
        }
    }

    fn of_file(
        path: &Path,
        passes: bool,
        policy: &Policy,
        folder: &Path,
        input: &Source,
    ) -> Result<State, EngineError> {
        let of = subject(policy, folder, input)?;
        let io = |error| EngineError::io(path, error);
        let mut text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(io(error)),
        };
        let first = text.lines().next();
        let head: Option<Head> = first.and_then(|line| serde_json::from_str(line).ok());
        let is_ours = head.is_some_and(|head| head.format == FORMAT && head.of == of);
        if !text.is_empty() && !is_ours {
            if !passes {
                return Err(EngineError::input(
                    path,
                    "this is not the state of this comparison: the policy, the input or the program is another",
                    "choose another --state file, or remove this one to begin anew",
                ));
            }
            std::fs::remove_file(path).map_err(io)?;
            text.clear();
        }
        // The last line may have been cut off by what interrupted the comparison.
        let lines = text.lines().skip(1);
        let known = lines
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(io)?;
        if text.is_empty() {
            let head = json!({ "format": FORMAT, "of": of });
            writeln!(file, "{head}").map_err(io)?;
        } else if !text.ends_with('\n') {
            writeln!(file).map_err(io)?;
        }
        Ok(State {
            known,
            file: Some((path.to_path_buf(), Mutex::new(file))),
            passes,
        })
    }

    /// Every point is done: a passing state has served.
    pub fn done(&self) {
        if let (true, Some((path, _))) = (self.passes, &self.file) {
            // Nothing more can be done about what cannot be removed.
            let _ = std::fs::remove_file(path);
        }
    }

    /// What is known of a point. One that was stopped by its budget counts only under the same budget.
    pub fn known(&self, point: &GridPoint, budget: Option<Duration>) -> Option<Outcome> {
        let same = |kept: &&Kept| {
            let stopped = matches!(&kept.outcome, Outcome::Measured(m) if m.stop == "budget");
            // Points of another grid may have other numbers.
            let asked = GridPoint {
                number: kept.point.number,
                ..point.clone()
            };
            kept.point == asked && (!stopped || kept.budget == budget.map(format_duration))
        };
        self.known
            .iter()
            .rev()
            .find(same)
            .map(|kept| kept.outcome.clone())
    }

    /// Keeps a point.
    pub fn keep(
        &self,
        point: &GridPoint,
        budget: Option<Duration>,
        outcome: &Outcome,
    ) -> Result<(), EngineError> {
        let Some((path, file)) = &self.file else {
            return Ok(());
        };
        let kept = Kept {
            point: point.clone(),
            budget: budget.map(format_duration),
            outcome: outcome.clone(),
        };
        let line = serde_json::to_string(&kept).expect("figures are plain data");
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(file, "{line}").map_err(|error| EngineError::io(path, error))
    }
}

/// The fingerprint of what a comparison is about, less what a grid varies.
fn subject(policy: &Policy, folder: &Path, input: &Source) -> Result<String, EngineError> {
    let mut policy = self_contained(policy, folder)?;
    let input = fingerprint::of_source(input, "")?.sha256;
    policy.output = Default::default();
    policy.search.algorithm.clear();
    policy.search.loss.clear();
    policy.search.threads = None;
    policy.privacy.k = 1;
    policy.suppression.limit = 0.0;
    policy.engine = Default::default();
    let text = json!({ "tool": env!("CARGO_PKG_VERSION"), "input": input, "policy": policy });
    Ok(fingerprint::of_text(&text.to_string(), "").sha256)
}
