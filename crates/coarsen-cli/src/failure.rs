//! Failures as a person reads them: what is wrong, where, and what to do.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use coarsen::policy::PolicyError;
use coarsen_engine::EngineError;
use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, NamedSource, Report,
};

/// A command that did not do its work.
#[derive(Debug)]
pub enum Failure {
    /// The engine said why.
    Engine(Box<EngineError>),
    /// A policy that cannot be used, with its text so that the place can be shown.
    Policy {
        /// The policy's file.
        path: PathBuf,
        /// Its text.
        source: String,
        /// What is wrong.
        error: Box<PolicyError>,
    },
    /// The command was called in a way that makes no sense.
    Usage {
        /// What is wrong.
        message: String,
        /// What to do.
        help: String,
    },
}

impl Failure {
    /// A wrong call.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Failure::Usage {
            message: message.into(),
            help: help.into(),
        }
    }

    /// An engine's error about a policy gets the policy's text and the place in it.
    pub fn under_policy(
        error: EngineError,
        path: &Path,
        source: &str,
        overrides: &[(String, String)],
    ) -> Self {
        match error {
            EngineError::Policy(error) => Failure::Policy {
                path: path.to_path_buf(),
                source: source.to_string(),
                error: Box::new(error.locate(source, overrides)),
            },
            other => other.into(),
        }
    }

    /// Prints the failure and gives the exit status for it.
    pub fn report(self) -> ExitCode {
        let (status, report) = match self {
            Failure::Engine(error) => {
                let mut diagnostic = MietteDiagnostic::new(error.to_string());
                diagnostic.help = error.help();
                (error.status(), Report::new(diagnostic))
            }
            Failure::Usage { message, help } => (
                2,
                Report::new(MietteDiagnostic::new(message).with_help(help)),
            ),
            Failure::Policy {
                path,
                source,
                error,
            } => {
                let key = match &error.key {
                    Some(key) => format!("{} ({key})", path.display()),
                    None => path.display().to_string(),
                };
                let mut diagnostic = MietteDiagnostic::new(format!("{key}: {}", error.message));
                diagnostic.help = error.help.clone();
                let report = match &error.span {
                    None => Report::new(diagnostic),
                    Some(span) => {
                        diagnostic.labels = Some(vec![LabeledSpan::at(span.clone(), "here")]);
                        Report::new(diagnostic)
                            .with_source_code(NamedSource::new(path.to_string_lossy(), source))
                    }
                };
                (2, report)
            }
        };
        let mut text = String::new();
        let is_terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
        let theme = match is_terminal && std::env::var_os("NO_COLOR").is_none() {
            true => GraphicalTheme::unicode(),
            false => GraphicalTheme::unicode_nocolor(),
        };
        // Messages are not wrapped: a program that greps them finds them whole.
        let handler = GraphicalReportHandler::new_themed(theme).with_wrap_lines(false);
        match handler.render_report(&mut text, report.as_ref()) {
            Ok(()) => anstream::eprintln!("{}", text.trim_end()),
            Err(_) => anstream::eprintln!("error: {report}"),
        }
        ExitCode::from(status)
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        Failure::Engine(Box::new(error))
    }
}

impl From<PolicyError> for Failure {
    /// What is wrong with a `--set`, before there is a policy to point into.
    fn from(error: PolicyError) -> Self {
        Failure::usage(error.message, error.help.unwrap_or_default())
    }
}
