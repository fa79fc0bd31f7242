//! What models still learn, as a person reads it.

use coarsen_learn::evaluate::{Evaluation, Figure, MethodSummary, Outcome};

use super::{FAINT, HEAD, columns, counted, in_style, number, seconds};

/// Prints an evaluation.
pub fn print(evaluation: &Evaluation) {
    let protocol = &evaluation.protocol;
    let divided = match protocol.folds {
        Some(folds) => format!("{folds} folds"),
        None => "a test file".to_string(),
    };
    let repeated = match protocol.trials {
        1 => String::new(),
        trials => format!(", {trials} trials"),
    };
    anstream::println!(
        "{} {divided}{repeated}: trained on {} rows, tested on {}",
        in_style(HEAD, "evaluated by"),
        number(protocol.training_rows.round() as u64),
        number(protocol.test_rows.round() as u64),
    );
    if let Some(selection) = &protocol.selection {
        anstream::println!("models are restricted to the rows where {selection}");
    }
    for method in &evaluation.methods {
        tell_method(method);
    }
    let mut target = "";
    for outcome in &evaluation.results {
        if outcome.target != target {
            target = &outcome.target;
            table(evaluation, target);
        }
    }
    anstream::println!();
    let spread = match evaluation.results.first().map(|r| r.released.rounds.len()) {
        Some(rounds) if rounds > 1 => "± is the standard deviation from round to round; ",
        _ => "",
    };
    let notes = format!(
        "{spread}the recoding is found on the training rows only; took {}",
        seconds(evaluation.seconds)
    );
    anstream::println!("{}", in_style(FAINT, notes));
}

fn tell_method(method: &MethodSummary) {
    let unknown = match method.unknown_rows > 0.0 {
        true => format!(
            ", {:.1} test rows with values never seen in training",
            method.unknown_rows
        ),
        false => String::new(),
    };
    anstream::println!(
        "  {}, k = {}: {} classes and {} suppressed rows of the training part on average{unknown}; search {}",
        method.name,
        method.k,
        number(method.classes.round() as u64),
        number(method.suppressed_rows.round() as u64),
        seconds(method.search_seconds),
    );
}

fn table(evaluation: &Evaluation, target: &str) {
    let outcomes: Vec<&Outcome> = evaluation
        .results
        .iter()
        .filter(|o| o.target == target)
        .collect();
    let is_share = outcomes.iter().all(|outcome| outcome.measure == "error");
    let what = match is_share {
        true => "test rows taken for another label, in percent",
        false => "mean absolute error on the test rows",
    };
    anstream::println!("\n{} {what}", in_style(HEAD, format!("{target}:")));
    let projected = outcomes.iter().any(|outcome| !outcome.removed.is_empty());
    let other = evaluation.methods.get(1);
    let mut head = vec!["model".to_string()];
    if projected {
        head.push("without".into());
    }
    head.extend(["unreleased", "released", "all suppressed"].map(String::from));
    if let Some(other) = other {
        head.extend([other.name.clone(), "difference".into(), "p".into()]);
    }
    let figures = if projected { 2 } else { 1 };
    let right: Vec<usize> = (figures..head.len()).collect();
    let mut rows = vec![head];
    for outcome in &outcomes {
        let mut row = vec![outcome.model.to_string()];
        if projected {
            row.push(match outcome.removed.as_slice() {
                [] => "nothing".to_string(),
                [first, rest @ ..] => match rest.last() {
                    None => first.clone(),
                    Some(last) => format!("also {last}"),
                },
            });
        }
        for figure in [&outcome.unreleased, &outcome.released, &outcome.suppressed] {
            row.push(show(figure, is_share));
        }
        for against in &outcome.against {
            row.push(show(&against.released, is_share));
            let scale = if is_share { 100.0 } else { 1.0 };
            row.push(format!("{:+.2}", scale * against.paired.difference));
            row.push(match against.paired.p {
                p if p < 0.0001 => "< 0.0001".to_string(),
                p => format!("{p:.4}"),
            });
        }
        rows.push(row);
    }
    for line in columns(&rows, &right) {
        anstream::println!("  {line}");
    }
    if let Some(against) = outcomes.first().and_then(|outcome| outcome.against.first()) {
        let tested = match against.paired.test.starts_with("McNemar") {
            true => counted(against.paired.pairs as u64, "test row", "test rows"),
            false => counted(against.paired.pairs as u64, "pair", "pairs"),
        };
        let note = format!(
            "  difference: released less {}; p by {} over {tested}",
            evaluation.methods[1].name, against.paired.test,
        );
        anstream::println!("{}", in_style(FAINT, note));
    }
}

fn show(figure: &Figure, is_share: bool) -> String {
    let scale = if is_share { 100.0 } else { 1.0 };
    match figure.rounds.len() {
        0 | 1 => format!("{:.2}", scale * figure.mean),
        _ => format!("{:.2} ± {:.2}", scale * figure.mean, scale * figure.spread),
    }
}
