//! The command line of **coarsen**: one file a command under `commands/`, no algorithm here.

mod ask;
mod commands;
mod failure;
mod progress;
mod text;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// Releases a table about people without releasing the people in it.
#[derive(Parser)]
#[command(name = "coarsen", version, arg_required_else_help = true)]
#[command(
    after_help = "Start with `coarsen init DATA`, which writes a commented policy; then `coarsen run policy.toml`.\n\
Exit status: 0 done and proven; 1 the requirement does not hold or cannot be met; 2 bad input or usage; 3 anything else."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Init(commands::init::Arguments),
    Run(commands::run::Arguments),
    Check(commands::check::Arguments),
    Apply(commands::apply::Arguments),
    Compare(commands::compare::Arguments),
    Report(commands::report::Arguments),
    Evaluate(commands::evaluate::Arguments),
    Hierarchy(commands::hierarchy::Arguments),
    Serve(commands::serve::Arguments),
    Generate(commands::generate::Arguments),
    List(commands::list::Arguments),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Init(arguments) => commands::init::run(arguments),
        Command::Run(arguments) => commands::run::run(arguments),
        Command::Check(arguments) => commands::check::run(arguments),
        Command::Apply(arguments) => commands::apply::run(arguments),
        Command::Compare(arguments) => commands::compare::run(arguments),
        Command::Report(arguments) => commands::report::run(arguments),
        Command::Evaluate(arguments) => commands::evaluate::run(arguments),
        Command::Hierarchy(arguments) => commands::hierarchy::run(arguments),
        Command::Serve(arguments) => commands::serve::run(arguments),
        Command::Generate(arguments) => commands::generate::run(arguments),
        Command::List(arguments) => commands::list::run(arguments),
    };
    match done {
        Ok(status) => status,
        Err(failure) => failure.report(),
    }
}

/// How a command ends: with a status of its own, or with a failure to report.
type Ending = Result<ExitCode, Failure>;
