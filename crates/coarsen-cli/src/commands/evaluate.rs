//! `coarsen evaluate`: what models still learn from what a policy would release.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgGroup, Args};
use coarsen::policy::did_you_mean;
use coarsen_engine::{CodedRows, Engine, EngineError, read_more_rows, read_rows};
use coarsen_learn::folds::Division;
use coarsen_learn::models::{self, MODELS, Model};
use coarsen_learn::{LearnError, Method, Plan, RowColumn, Rows};

use super::{EngineArguments, LoadedPolicy, overrides, print_json};
use crate::Ending;
use crate::failure::Failure;
use crate::progress::{Bar, cancel_on_interrupt};

/// Measure what models still learn from the release that a policy describes
///
/// The recoding is found on the training rows only, and applied to the test rows; models are trained and
/// tested on released rows. Beside them stand the same models on the unreleased rows and on rows with
/// every quasi-identifier suppressed. Nothing is written.
#[derive(Args)]
#[command(group = ArgGroup::new("division").required(true).args(["test", "folds"]))]
pub struct Arguments {
    /// The policy file (its input is what models are trained on; its targets are what they predict)
    policy: PathBuf,
    /// A file with the same columns to test on
    #[arg(long, value_name = "FILE")]
    test: Option<PathBuf>,
    /// Deal the input's rows to this many folds, and test on each in turn
    #[arg(long, value_name = "N")]
    folds: Option<usize>,
    /// The models, separated by commas (see `coarsen list models`)
    #[arg(long, value_name = "NAME", value_delimiter = ',', required = true)]
    model: Vec<String>,
    /// The target to predict, where the policy has several; may be given several times [default: all]
    #[arg(long, value_name = "COLUMN")]
    target: Vec<String>,
    /// Repeat the whole with other seeds, this many times
    #[arg(long, value_name = "N", default_value_t = 1)]
    trials: usize,
    /// Restrict models to the rows of a selection, such as "age > 40"
    #[arg(long = "where", value_name = "SELECTION")]
    selection: Option<String>,
    /// Also without the most predictive quasi-identifiers, one by one, up to this many
    #[arg(long, value_name = "N", default_value_t = 0)]
    without_best: usize,
    /// Hold another algorithm against the policy's, on the same rows, with a paired test
    #[arg(long, value_name = "ALGORITHM")]
    against: Option<String>,
    /// Set a key of the policy for the method that is held against it; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    against_set: Vec<String>,
    /// Set any key of the policy, such as privacy.k=5; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Short for --set search.seed=N; also where folds and models start
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Ending {
    let models = arguments
        .model
        .iter()
        .map(|name| known_model(name))
        .collect::<Result<Vec<_>, _>>()?;
    let mut set = overrides(&arguments.set)?;
    if let Some(seed) = arguments.seed {
        set.push(("search.seed".into(), seed.to_string()));
    }
    let loaded = LoadedPolicy::read(&arguments.policy, set.clone())?;
    let other = other(&arguments, &set)?;

    let engine = arguments.engine.start(Some(&loaded.policy))?;
    cancel_on_interrupt(&engine);
    let bar = Bar::new();
    bar.tell(coarsen_engine::Stage::Reading);
    let (training, policy) =
        read_rows(&engine, &loaded.policy, loaded.folder()).map_err(|error| loaded.blame(error))?;
    let seed = policy.search.seed;
    let method = Method {
        name: name_of(&loaded),
        policy,
    };
    let mut methods = vec![method];
    if let Some(other) = &other {
        let second = second(&engine, &methods[0], &training, other)?;
        methods.push(second);
    }
    let mut rows = to_rows(&training);
    let division = match (&arguments.test, arguments.folds) {
        (Some(test), _) => {
            let more = read_more_rows(&engine, &methods[0].policy, test, &training)?;
            rows = rows.with_test(to_rows(&more));
            Division::HoldOut
        }
        (None, folds) => Division::Folds(folds.unwrap_or_default()),
    };
    let plan = Plan {
        division,
        trials: arguments.trials,
        seed,
        models,
        targets: arguments.target,
        selection: arguments.selection,
        without_best: arguments.without_best,
    };
    bar.tell(coarsen_engine::Stage::Searching(None));
    let cancel = engine.cancel_flag();
    let done = engine.install(|| coarsen_learn::evaluate(&rows, &methods, &plan, Some(&cancel)));
    drop(bar);
    let evaluation = done.map_err(|error| blame(error, &loaded))?;
    if arguments.json {
        print_json(&evaluation);
    } else {
        crate::text::evaluation::print(&evaluation);
    }
    Ok(ExitCode::SUCCESS)
}

fn known_model(name: &str) -> Result<&'static Model, Failure> {
    models::find(name).ok_or_else(|| {
        let names: Vec<&str> = MODELS.iter().map(|model| model.name).collect();
        let list = format!("there are: {}", names.join(", "));
        let help = match did_you_mean(name, names) {
            Some(close) => format!("did you mean `{close}`? {list}"),
            None => list,
        };
        Failure::usage(format!("There is no model `{name}`."), help)
    })
}

/// What a method is called: its algorithm, and Mondrian's split rule where one is stated.
fn name_of(loaded: &LoadedPolicy) -> String {
    let search = &loaded.policy.search;
    let settings = search.settings.get(&search.algorithm);
    match settings.and_then(|settings| settings.get("split")?.as_str()) {
        Some(split) => format!("{} ({split})", search.algorithm),
        None => search.algorithm.clone(),
    }
}

/// The policy that the first is held against, where one is.
fn other(arguments: &Arguments, set: &[(String, String)]) -> Result<Option<LoadedPolicy>, Failure> {
    if arguments.against.is_none() && arguments.against_set.is_empty() {
        return Ok(None);
    }
    let mut set = set.to_vec();
    if let Some(algorithm) = &arguments.against {
        set.push(("search.algorithm".into(), format!("{algorithm:?}")));
    }
    set.extend(overrides(&arguments.against_set)?);
    LoadedPolicy::read(&arguments.policy, set).map(Some)
}

/// The second method, over the same rows as the first.
fn second(
    engine: &Engine,
    first: &Method,
    training: &CodedRows,
    other: &LoadedPolicy,
) -> Result<Method, Failure> {
    let (rows, policy) =
        read_rows(engine, &other.policy, other.folder()).map_err(|error| other.blame(error))?;
    let shape = |rows: &CodedRows| -> Vec<_> {
        let column = |c: &coarsen_engine::CodedColumn| (c.name.clone(), c.role, c.kind);
        rows.columns.iter().map(column).collect()
    };
    let count = |rows: &CodedRows| rows.rows.iter().sum::<u64>();
    if shape(&rows) != shape(training) || count(&rows) != count(training) {
        return Err(Failure::usage(
            "The two methods do not see the same rows, columns, roles and types, so they cannot be compared.",
            "change keys under search, privacy and suppression, and columns' schemes and hierarchies only",
        ));
    }
    let mut name = name_of(other);
    if name == first.name {
        name += ", other settings";
    }
    Ok(Method { name, policy })
}

fn to_rows(coded: &CodedRows) -> Rows {
    let column = |column: &coarsen_engine::CodedColumn| RowColumn {
        name: column.name.clone(),
        role: column.role,
        kind: column.kind,
        cells: column.cells.clone(),
        codes: column.codes.clone(),
    };
    Rows::new(coded.columns.iter().map(column).collect(), &coded.rows)
}

fn blame(error: LearnError, loaded: &LoadedPolicy) -> Failure {
    let text = error.to_string();
    match error {
        LearnError::Unfit { message, help } => Failure::usage(message, help),
        LearnError::Policy(error) => loaded.blame(error.into()),
        LearnError::Problem { error, .. } => EngineError::from(error).into(),
        LearnError::Search { error, .. } => EngineError::from(error).into(),
        LearnError::Selection { error, .. } => {
            Failure::usage(format!("--where: {}", error.message), error.help)
        }
        LearnError::Hierarchy(_) | LearnError::Workload(_) => Failure::usage(
            format!("The training rows of a round do not fit the policy: {text}"),
            "use fewer folds, or a test file of its own",
        ),
    }
}
