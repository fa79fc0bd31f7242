//! `coarsen list`: what there is to choose from, straight from the tables.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use coarsen::loss::LOSSES;
use coarsen::policy::Scheme;
use coarsen::privacy::REQUIREMENTS;
use coarsen::search::ALGORITHMS;
use coarsen_learn::models::MODELS;
use serde::Serialize;

use super::print_json;
use crate::Ending;
use crate::text::{FAINT, HEAD, in_style};

/// List the algorithms, losses, models, requirements or schemes there are, with what each means
#[derive(Args)]
pub struct Arguments {
    /// Which table
    table: Table,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Table {
    Algorithms,
    Losses,
    Models,
    Requirements,
    Schemes,
}

/// A line of a table.
#[derive(Serialize)]
struct Entry {
    name: &'static str,
    summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    makes: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    settings: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'static str>,
}

fn entries(table: Table) -> Vec<Entry> {
    let plain = |name, summary: &str| Entry {
        name,
        summary: summary.to_string(),
        formula: None,
        policy: None,
        makes: None,
        settings: None,
        source: None,
    };
    match table {
        Table::Algorithms => ALGORITHMS
            .iter()
            .map(|entry| Entry {
                makes: Some(entry.makes),
                settings: Some((entry.settings)()),
                source: Some(entry.source),
                policy: Some(format!("search.algorithm = \"{}\"", entry.name)),
                ..plain(entry.name, entry.summary)
            })
            .collect(),
        Table::Losses => LOSSES
            .iter()
            .map(|entry| Entry {
                formula: Some(entry.formula),
                source: Some(entry.source),
                policy: Some(format!("search.loss = \"{}\"", entry.name)),
                ..plain(entry.name, entry.summary)
            })
            .collect(),
        Table::Models => MODELS
            .iter()
            .map(|entry| Entry {
                makes: Some(match (entry.labels.is_some(), entry.numbers.is_some()) {
                    (true, true) => "labels and numbers",
                    (true, false) => "labels",
                    _ => "numbers",
                }),
                source: Some(entry.made_by),
                policy: Some(format!("coarsen evaluate --model {}", entry.name)),
                ..plain(entry.name, entry.summary)
            })
            .collect(),
        Table::Requirements => REQUIREMENTS
            .iter()
            .map(|entry| Entry {
                formula: Some(entry.formula),
                source: Some(entry.source),
                policy: Some(entry.policy.to_string()),
                ..plain(entry.name, entry.summary)
            })
            .collect(),
        Table::Schemes => Scheme::ALL
            .iter()
            .map(|scheme| Entry {
                policy: Some(format!("scheme = \"{scheme}\"")),
                ..plain(scheme.word(), scheme.summary())
            })
            .collect(),
    }
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Ending {
    let entries = entries(arguments.table);
    if arguments.json {
        print_json(&entries);
        return Ok(ExitCode::SUCCESS);
    }
    for entry in entries {
        anstream::println!("{}", in_style(HEAD, entry.name));
        anstream::println!("  {}", entry.summary);
        if let Some(formula) = entry.formula {
            anstream::println!("  {formula}");
        }
        let from = entry
            .source
            .map_or(String::new(), |source| format!("  ({source})"));
        if let Some(policy) = entry.policy {
            anstream::println!("  {}", in_style(FAINT, format!("{policy}{from}")));
        }
    }
    Ok(ExitCode::SUCCESS)
}
