//! `coarsen list`: what there is to choose from, straight from the tables.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use coarsen::catalog::{self, Entry};
use coarsen_learn::models::MODELS;

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

fn entries(table: Table) -> Vec<Entry> {
    match table {
        Table::Algorithms => catalog::algorithms(),
        Table::Losses => catalog::losses(),
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
                ..Entry::plain(entry.name, entry.summary)
            })
            .collect(),
        Table::Requirements => catalog::requirements(),
        Table::Schemes => catalog::schemes(),
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
