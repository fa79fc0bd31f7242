//! What a policy asks for by name, and whose fault it is when that cannot be had: errors tied to the
//! policy's keys.

use coarsen::loss;
use coarsen::policy::{Key, Policy, PolicyError, did_you_mean};
use coarsen::problem::ProblemError;
use coarsen::search;
use coarsen::workload::WorkloadError;

use crate::EngineError;
use crate::error::{at_key, mark};

/// Whether the data holder takes what an algorithm leaves unprotected (μ-Argus alone may leave some).
pub(super) fn accepts_unproven(policy: &Policy) -> bool {
    let settings = policy.search.settings.get(policy.search.algorithm.as_str());
    let accepts = settings.and_then(|settings| settings.get("accept_unproven"));
    accepts.and_then(|accepts| accepts.as_bool()) == Some(true)
}

pub(crate) fn find_algorithm(policy: &Policy) -> Result<Box<dyn search::Search>, EngineError> {
    let known = || search::ALGORITHMS.iter().map(|algorithm| algorithm.name);
    let unknown = |key: Key, name: &str| {
        PolicyError::new(&key, format!("There is no algorithm `{name}`."))
            .with_help(suggestion(name, known()))
    };
    for name in policy.search.settings.keys() {
        if search::find(name).is_none() {
            return Err(unknown(Key::of(["search", name]), name).into());
        }
    }
    let name = policy.search.algorithm.as_str();
    let algorithm =
        search::find(name).ok_or_else(|| unknown(Key::of(["search", "algorithm"]), name))?;
    let settings = policy.search.settings.get(name);
    let given = settings.and_then(|settings| settings.as_table());
    check_settings(algorithm, given.into_iter().flatten().map(|(name, _)| name))?;
    (algorithm.build)(settings)
        .map_err(|error| PolicyError::new(&Key::of(["search", name]), error.message).into())
}

/// Whether a policy's algorithm, its settings and its loss can be had at all.
pub(crate) fn check_search(policy: &Policy) -> Result<(), EngineError> {
    find_algorithm(policy)?;
    find_loss(policy)?;
    Ok(())
}

/// An algorithm's table may hold only its own settings.
pub(super) fn check_settings<'a>(
    algorithm: &search::Algorithm,
    given: impl Iterator<Item = &'a String>,
) -> Result<(), PolicyError> {
    let defaults = (algorithm.settings)();
    let known = || {
        let names = defaults.as_object().into_iter().flatten();
        names.map(|(name, _)| name.as_str())
    };
    for name in given {
        if !known().any(|each| each == name) {
            let key = Key::of(["search", algorithm.name, name]);
            let message = format!("`{}` has no setting `{name}`.", algorithm.name);
            let help = match known().next() {
                Some(_) => suggestion(name, known()),
                None => "It has no settings: remove it.".to_string(),
            };
            return Err(PolicyError::new(&key, message).with_help(help));
        }
    }
    Ok(())
}

/// The likeliest of the known words, and all of them.
pub(super) fn suggestion<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    let all = format!("There are: {}.", known.join(", "));
    match did_you_mean(word, known) {
        Some(close) => format!("Did you mean `{close}`? {all}"),
        None => all,
    }
}

pub(crate) fn find_loss(policy: &Policy) -> Result<&'static loss::LossEntry, EngineError> {
    let name = policy.search.loss.as_str();
    loss::find(name).ok_or_else(|| {
        let known = loss::LOSSES.iter().map(|entry| entry.name);
        PolicyError::new(
            &Key::of(["search", "loss"]),
            format!("There is no loss `{name}`."),
        )
        .with_help(suggestion(name, known))
        .into()
    })
}

/// A problem without solution, tied to the policy's key that asks for too much.
pub(super) fn blame_problem(error: ProblemError) -> EngineError {
    match &error {
        ProblemError::TooFewRows { k, rows } => {
            let message = format!("k is {k}, but the table has only {rows} rows.");
            let help = format!("Every class needs k rows: choose a k of at most {rows}.");
            PolicyError::new(&Key::of(["privacy", "k"]), message)
                .with_help(help)
                .into()
        }
        ProblemError::NoSuchLoss { .. } => {
            at_key(&Key::of(["search", "loss"]), &error.to_string()).into()
        }
        _ => error.into(),
    }
}

pub(super) fn blame_workload(error: WorkloadError) -> EngineError {
    match error {
        WorkloadError::NotTallied { .. } => {
            at_key(&Key::of(["workload", "targets"]), &error.to_string()).into()
        }
        WorkloadError::NoSuchLabel {
            place,
            ref label,
            ref labels,
            ..
        } => {
            let place = place.to_string();
            let key = Key::of(["workload", "targets", place.as_str(), "costs", label]);
            let help = suggestion(label, labels.iter().map(String::as_str));
            PolicyError::new(&key, error.to_string())
                .with_help(help)
                .into()
        }
        WorkloadError::CostsOfNumbers { place, .. } => {
            let place = place.to_string();
            let key = Key::of(["workload", "targets", place.as_str(), "costs"]);
            PolicyError::new(&key, error.to_string())
                .with_help(
                    "Remove `costs`: the regression loss measures how far numbers are apart.",
                )
                .into()
        }
        WorkloadError::Selection { place, text, error } => {
            let place = place.to_string();
            let key = Key::of(["workload", "selections", place.as_str()]);
            let marked = mark(&text, &error.at);
            PolicyError::new(&key, format!("{}\n{marked}", error.message))
                .with_help(error.help)
                .into()
        }
    }
}
