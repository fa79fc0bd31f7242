//! One file a command.

pub mod apply;
pub mod check;
pub mod compare;
pub mod evaluate;
pub mod generate;
pub mod hierarchy;
pub mod init;
pub mod list;
pub mod report;
pub mod run;
pub mod serve;

use std::path::{Path, PathBuf};

use clap::Args;
use coarsen::policy::{Policy, parse_bytes, split_override};
use coarsen_engine::{Engine, EngineError, EngineSettings, Origin, same_file};

use crate::failure::Failure;

/// What every command that reads data takes.
#[derive(Args, Clone, Debug, Default)]
pub struct EngineArguments {
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Memory beyond which work spills to disk, such as 2GB
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<u64>,
}

fn memory(text: &str) -> Result<u64, String> {
    parse_bytes(text).ok_or_else(|| "write a size with its unit, such as 512MB or 2GB".to_string())
}

impl EngineArguments {
    /// Starts an engine with these settings, or a policy's where they say nothing.
    pub fn start(&self, policy: Option<&Policy>) -> Result<Engine, EngineError> {
        Engine::new(EngineSettings {
            threads: self
                .threads
                .map(usize::from)
                .or(policy.and_then(|p| p.search.threads)),
            memory: self.memory.or(policy.and_then(|p| p.engine.memory)),
        })
    }
}

/// A policy with its text and its folder.
pub struct LoadedPolicy {
    /// The policy.
    pub policy: Policy,
    /// Its file.
    pub path: PathBuf,
    /// Its text.
    pub source: String,
    /// What the command line set in it.
    pub overrides: Vec<(String, String)>,
}

impl LoadedPolicy {
    /// Reads a policy and sets what the command line says.
    pub fn read(path: &Path, overrides: Vec<(String, String)>) -> Result<Self, Failure> {
        let bytes = std::fs::read(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => EngineError::input(
                path,
                "there is no such policy",
                "write one with `coarsen init DATA -o policy.toml`",
            ),
            _ => EngineError::io(path, error),
        })?;
        let source = String::from_utf8(bytes).map_err(|_| {
            EngineError::input(path, "the policy is not UTF-8 text", "save it as UTF-8")
        })?;
        match Policy::parse(&source, &overrides) {
            Ok(policy) => Ok(LoadedPolicy {
                policy,
                path: path.to_path_buf(),
                source,
                overrides,
            }),
            Err(error) => Err(Failure::Policy {
                path: path.to_path_buf(),
                source,
                error: Box::new(error),
            }),
        }
    }

    /// The folder that the policy's paths start from.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// What a manifest says of where the policy came from.
    pub fn origin(&self) -> Origin {
        Origin {
            path: self.path.clone(),
            text: self.source.clone(),
            set: self.overrides.clone(),
        }
    }

    /// Refuses to write a release, or what goes with it, over this policy.
    pub fn spare_policy(&self) -> Result<(), EngineError> {
        let output = &self.policy.output;
        let manifest = output.manifest_path();
        let files = [&output.recoding, &output.report, &manifest];
        let files = files.into_iter().flatten();
        for path in files.chain([&output.path]) {
            spare(&self.path, "policy", &self.folder().join(path))?;
        }
        Ok(())
    }

    /// An engine's error, with the place in this policy where it is about the policy.
    pub fn blame(&self, error: EngineError) -> Failure {
        Failure::under_policy(error, &self.path, &self.source, &self.overrides)
    }
}

/// What `--set` says, key by key.
pub fn overrides(set: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let split = |text: &String| split_override(text).map_err(Failure::from);
    set.iter().map(split).collect()
}

/// Refuses to write over a file that the command itself reads.
pub fn spare(file: &Path, what: &str, output: &Path) -> Result<(), EngineError> {
    if same_file(file, output) {
        return Err(EngineError::input(
            output,
            format!("this is the {what}, and would be overwritten by the output"),
            "choose another output path",
        ));
    }
    Ok(())
}

/// Prints a value as JSON.
pub fn print_json(value: &impl serde::Serialize) {
    let text = serde_json::to_string_pretty(value).expect("results are plain data");
    anstream::println!("{text}");
}
