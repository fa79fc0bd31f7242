//! Fig. 9 on Adult (train.csv to train on, test.csv to test on) and on Contraceptives (ten folds), in
//! place of the census sample.

use std::path::Path;

use coarsen::policy::Scheme;
use coarsen::synthetic::Random;
use coarsen_learn::features::{Column, Features, Target};
use coarsen_learn::folds::Division;
use coarsen_learn::models::find;
use coarsen_learn::{Evaluation, Method, Plan, Rows, evaluate};

use super::Fallible;
use super::data::{self, Data};
use super::methods::{CONTENDERS, method, present};
use super::synthetic::{hold_out, models};
use crate::report::{Findings, Plot, Table};
use crate::taxonomies::Trees;

const KS: [u64; 7] = [5, 10, 25, 50, 100, 250, 500];

/// The cell of a contender: its place among the measured methods, if it was.
fn cells(of: &dyn Fn(usize) -> String) -> Vec<String> {
    let mut place = 0;
    let each = CONTENDERS.iter().map(|one| match one.has_landed() {
        true => {
            place += 1;
            of(place - 1)
        }
        false => String::new(),
    });
    each.collect()
}

fn named(first: &[&str]) -> Vec<String> {
    let first = first.iter().map(|name| name.to_string());
    first
        .chain(CONTENDERS.iter().map(|one| one.name.to_string()))
        .collect()
}

fn released(evaluation: &Evaluation, result: usize, place: usize) -> f64 {
    let outcome = &evaluation.results[result];
    match place {
        0 => outcome.released.mean,
        other => outcome.against[other - 1].released.mean,
    }
}

fn percent(share: f64) -> String {
    format!("{:.2}", 100.0 * share)
}

fn measured(data: &Data, k: u64, plan: &Plan) -> Fallible<Evaluation> {
    let methods: Vec<Method> = present(&data.policy, k)?
        .into_iter()
        .map(|(_, m)| m)
        .collect();
    Ok(evaluate(&data.rows, &methods, plan, None)?)
}

pub fn figures(quick: bool, folder: &Path, findings: &mut Findings) -> Fallible<()> {
    let (adult, cmc) = (folder.join("adult"), folder.join("cmc"));
    categorical(quick, &adult, findings)?;
    let by_trees = (Trees::Paper, Scheme::Cut);
    let trees = data::adult(&adult, true, by_trees, false)?;
    let sets = data::adult(&adult, true, (Trees::Shipped, Scheme::Ordered), false)?;
    over_k(quick, &trees, &TREES, findings)?;
    over_k(quick, &sets, &SETS, findings)?;
    contraceptives(quick, &data::contraceptives(&cmc)?, findings)?;
    groups(quick, &trees, findings)?;
    projection(quick, &trees, findings)?;
    let hours = data::adult(&adult, true, by_trees, true)?;
    regression(quick, &hours, findings)
}

/// How one way of cutting categories is headed, and where its figures go.
struct Way {
    title: &'static str,
    error: &'static str,
    measures: &'static str,
    plots: [&'static str; 3],
}

const TREES: Way = Way {
    title: "categories cut by our trees of seed 003's sizes",
    error: "figure-9-trees",
    measures: "figure-9-trees-measures",
    plots: [
        "figure-9-trees-tree",
        "figure-9-trees-bayes",
        "figure-9-trees-forest",
    ],
};

const SETS: Way = Way {
    title: "categories cut in the order of the leaves of the data's own trees, named as sets",
    error: "figure-9-sets",
    measures: "figure-9-sets-measures",
    plots: [
        "figure-9-sets-tree",
        "figure-9-sets-bayes",
        "figure-9-sets-forest",
    ],
};

/// The seven categorical columns of seed 003, whose baselines are printed there.
fn categorical(quick: bool, folder: &Path, findings: &mut Findings) -> Fallible<()> {
    let data = data::adult(folder, false, (Trees::Paper, Scheme::Cut), false)?;
    let mut table = Table::new(
        "adult-categorical",
        "Adult, the 7 categorical columns of seed 003: test error of a tree in percent",
        named(&["k", "unreleased (B)", "all suppressed (W)"]),
    );
    let ks: &[u64] = if quick { &[100] } else { &KS };
    for k in ks {
        let evaluation = measured(&data, *k, &hold_out(&["tree"], 1))?;
        let outcome = &evaluation.results[0];
        let mut row = vec![
            k.to_string(),
            percent(outcome.unreleased.mean),
            percent(outcome.suppressed.mean),
        ];
        row.extend(cells(&|place| percent(released(&evaluation, 0, place))));
        table.rows.push(row);
    }
    table.notes.push("Seed 003 reports B = 17.4 and W = 24.6, and 18.4 to 18.5 for its bottom-up search from K = 10 to 500.".into());
    findings.table(table);
    Ok(())
}

/// Figs. 9 (a) to (e).
fn over_k(quick: bool, data: &Data, way: &Way, findings: &mut Findings) -> Fallible<()> {
    let names: &[&'static str] = if quick {
        &["tree"]
    } else {
        &["tree", "bayes", "forest"]
    };
    let ks: &[u64] = if quick { &[100] } else { &KS };
    let mut error = Table::new(
        way.error,
        format!(
            "Figure 9 (a, b, c), Adult, 8 quasi-identifiers, {}: test error in percent",
            way.title
        ),
        named(&["model", "k", "unreleased"]),
    );
    let mut classes = Table::new(
        way.measures,
        format!(
            "Figure 9 (d, e), Adult, {}: conditional entropy in bits, and average class size, of the released training rows",
            way.title
        ),
        named(&["measure", "k"]),
    );
    let evaluations: Vec<(u64, Evaluation)> = ks
        .iter()
        .map(|k| Ok((*k, measured(data, *k, &hold_out(names, 1))?)))
        .collect::<Fallible<_>>()?;
    for (result, model) in names.iter().enumerate() {
        let mut lines: Vec<(String, Vec<(f64, f64)>)> = CONTENDERS
            .iter()
            .filter(|one| one.has_landed())
            .map(|one| (one.name.to_string(), Vec::new()))
            .collect();
        let mut baseline = Vec::new();
        for (k, evaluation) in &evaluations {
            let outcome = &evaluation.results[result];
            let mut row = vec![
                model.to_string(),
                k.to_string(),
                percent(outcome.unreleased.mean),
            ];
            row.extend(cells(&|place| percent(released(evaluation, result, place))));
            error.rows.push(row);
            baseline.push((*k as f64, 100.0 * outcome.unreleased.mean));
            for (place, (_, points)) in lines.iter_mut().enumerate() {
                points.push((*k as f64, 100.0 * released(evaluation, result, place)));
            }
        }
        lines.push(("unreleased".into(), baseline));
        findings.plot(&Plot {
            title: format!("Adult, {}: test error of {model} in percent", way.title),
            name: way.plots[result],
            across: "k",
            lines,
        });
    }
    for (measure, key) in [
        ("conditional entropy", "conditional_entropy"),
        ("average class size", "average_class_size"),
    ] {
        for (k, evaluation) in &evaluations {
            let mut row = vec![measure.to_string(), k.to_string()];
            row.extend(cells(&|place| {
                let value = evaluation.methods[place].loss.get(key).copied().flatten();
                value.map_or(String::new(), |value| format!("{value:.4}"))
            }));
            classes.rows.push(row);
        }
    }
    findings.table(error);
    findings.table(classes);
    Ok(())
}

/// Fig. 9 (f).
fn contraceptives(quick: bool, data: &Data, findings: &mut Findings) -> Fallible<()> {
    let folds = if quick { 3 } else { 10 };
    let mut head = named(&["k", "unreleased"]);
    head.push("p against Median".into());
    let mut table = Table::new(
        "figure-9-contraceptives",
        format!("Figure 9 (f), Contraceptives: accuracy of a tree in percent, {folds} folds"),
        head,
    );
    let ks: &[u64] = if quick {
        &[25]
    } else {
        &[5, 10, 25, 50, 100, 200]
    };
    for k in ks {
        let plan = Plan {
            division: Division::Folds(folds),
            trials: if quick { 1 } else { 10 },
            seed: 1,
            models: models(&["tree"]),
            targets: Vec::new(),
            selection: None,
            without_best: 0,
        };
        let evaluation = measured(data, *k, &plan)?;
        let outcome = &evaluation.results[0];
        let mut row = vec![k.to_string(), percent(1.0 - outcome.unreleased.mean)];
        row.extend(cells(&|place| {
            percent(1.0 - released(&evaluation, 0, place))
        }));
        row.push(
            outcome
                .against
                .first()
                .map_or(String::new(), |a| format!("{:.4}", a.paired.p)),
        );
        table.rows.push(row);
    }
    table.notes.push(
        "Ten trials of ten folds each; p by the paired t-test corrected for shared training rows."
            .into(),
    );
    findings.table(table);
    Ok(())
}

/// Fig. 9 (g): rows in n random groups, each released by itself, one model of all.
fn groups(quick: bool, data: &Data, findings: &mut Findings) -> Fallible<()> {
    let mut table = Table::new(
        "figure-9-groups",
        "Figure 9 (g), Adult in random groups that are released apart, k = 50: test error of a tree in percent",
        ["groups", "InfoGain Mondrian", "Median Mondrian"]
            .map(String::from)
            .to_vec(),
    );
    let counts: &[usize] = if quick { &[2] } else { &[1, 2, 5, 10, 20, 40] };
    for count in counts {
        let mut row = vec![count.to_string()];
        for contender in &CONTENDERS[..2] {
            let method = contender.method(&data.policy, 50)?;
            row.push(percent(in_groups(&data.rows, &method, *count)?));
        }
        table.rows.push(row);
    }
    findings.table(table);
    Ok(())
}

fn in_groups(rows: &Rows, method: &Method, count: usize) -> Fallible<f64> {
    let mut random = Random::new(9);
    let group_of: Vec<usize> = (0..rows.len())
        .map(|_| random.below(count as u64) as usize)
        .collect();
    let column = rows
        .column("salary-class")
        .ok_or("Adult has a salary class")?;
    let target = |which: &[u32]| Target::Labels {
        codes: which
            .iter()
            .map(|row| column.codes[*row as usize])
            .collect(),
        size: column.cells.len(),
    };
    let (mut training, mut test) = (Vec::<Column>::new(), Vec::<Column>::new());
    let (mut trained, mut tested) = (Vec::new(), Vec::new());
    for group in 0..count {
        let all = (0..rows.len() as u32).filter(|row| group_of[*row as usize] == group);
        let (own, held): (Vec<u32>, Vec<u32>) =
            all.partition(|row| (*row as usize) < rows.training());
        let found = method.find(rows, &own, 1, None)?;
        append(
            &mut training,
            found.encode(rows, &own, None).without(&[]).columns,
        );
        append(
            &mut test,
            found.encode(rows, &held, None).without(&[]).columns,
        );
        trained.extend(own);
        tested.extend(held);
    }
    let fit = find("tree")
        .and_then(|model| model.labels)
        .ok_or("there is a tree")?;
    let model = fit(&Features::new(training), &target(&trained), 1);
    let errors = target(&tested).errors(&model.predict(&Features::new(test)));
    Ok(errors.iter().sum::<f64>() / errors.len() as f64)
}

/// Puts the rows of regions behind those before them.
fn append(all: &mut Vec<Column>, more: Vec<Column>) {
    if all.is_empty() {
        *all = more;
        return;
    }
    for (column, more) in all.iter_mut().zip(more) {
        if let (Column::Numbers(numbers), Column::Numbers(more)) = (column, more) {
            numbers.extend(more);
        }
    }
}

/// Fig. 9 (h).
fn projection(quick: bool, data: &Data, findings: &mut Findings) -> Fallible<()> {
    let mut table = Table::new(
        "figure-9-projection",
        "Figure 9 (h), Adult without its most predictive columns, k = 100: test error of a tree in percent",
        named(&["without", "unreleased"]),
    );
    let mut plan = hold_out(&["tree"], 1);
    plan.without_best = if quick { 1 } else { 7 };
    let evaluation = measured(data, 100, &plan)?;
    for (result, outcome) in evaluation.results.iter().enumerate() {
        let without = match outcome.removed.last() {
            None => "nothing".to_string(),
            Some(last) if outcome.removed.len() == 1 => last.clone(),
            Some(last) => format!("also {last}"),
        };
        let mut row = vec![without, percent(outcome.unreleased.mean)];
        row.extend(cells(&|place| {
            percent(released(&evaluation, result, place))
        }));
        table.rows.push(row);
    }
    findings.table(table);
    Ok(())
}

/// Fig. 9 (i), with the hours that one works in a week in place of the salary.
fn regression(quick: bool, data: &Data, findings: &mut Findings) -> Fallible<()> {
    let names = ["tree", "linear"];
    let mut table = Table::new(
        "figure-9-regression",
        "Figure 9 (i), Adult, hours per week: mean absolute test error",
        [
            "model",
            "k",
            "unreleased",
            "LSD Mondrian",
            "Median Mondrian",
            "all suppressed",
        ]
        .map(String::from)
        .to_vec(),
    );
    let ks: &[u64] = if quick { &[100] } else { &KS };
    for k in ks {
        let methods = ["lsd", "median"].map(|split| {
            let settings = format!("split = \"{split}\"");
            method(split, &data.policy, *k, "mondrian", &settings, "lm")
        });
        let methods = methods.into_iter().collect::<Fallible<Vec<_>>>()?;
        let evaluation = evaluate(&data.rows, &methods, &hold_out(&names, 1), None)?;
        for (result, outcome) in evaluation.results.iter().enumerate() {
            table.rows.push(vec![
                names[result].to_string(),
                k.to_string(),
                format!("{:.3}", outcome.unreleased.mean),
                format!("{:.3}", released(&evaluation, result, 0)),
                format!("{:.3}", released(&evaluation, result, 1)),
                format!("{:.3}", outcome.suppressed.mean),
            ]);
        }
    }
    table
        .rows
        .sort_by_key(|row| names.iter().position(|name| *name == row[0]));
    findings.table(table);
    Ok(())
}
