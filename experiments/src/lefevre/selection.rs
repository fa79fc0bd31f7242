//! Fig. 11: how many rows too many function 2's three boxes return, when they are asked of the release.

use coarsen::policy::{Policy, Role};
use coarsen_learn::Method;
use rayon::prelude::*;

use super::methods::method;
use super::{Fallible, Size, data, mean};
use crate::report::{Findings, Plot, Table};

const KS: [u64; 4] = [10, 25, 50, 100];

const BOXES: [&str; 3] = [
    "age < 40 and salary between 50000 and 100000",
    "age >= 40 and age < 60 and salary between 75000 and 125000",
    "age >= 60 and salary between 25000 and 75000",
];

fn methods(policy: &Policy, k: u64) -> Fallible<Vec<Method>> {
    let mut policy = policy.clone();
    policy
        .columns
        .retain(|_, column| column.role != Role::Target);
    policy.workload.selections = BOXES.map(String::from).to_vec();
    let mut two = policy.clone();
    two.columns
        .retain(|name, _| ["age", "salary"].contains(&name.as_str()));
    let median = "split = \"median\"";
    Ok(vec![
        method("Median Mondrian", &policy, k, "mondrian", median, "lm")?,
        method(
            "Median Mondrian, age and salary only",
            &two,
            k,
            "mondrian",
            median,
            "lm",
        )?,
        method(
            "Selection Mondrian",
            &policy,
            k,
            "mondrian",
            "split = \"selection\"",
            "lm",
        )?,
    ])
}

/// The imprecision of each method on the training rows of a table.
fn imprecision(size: Size, k: u64, seed: u64) -> Fallible<Vec<f64>> {
    let data = data::synthetic(&[2], size.rows, seed)?;
    let training: Vec<u32> = (0..data.rows.training() as u32).collect();
    methods(&data.policy, k)?
        .iter()
        .map(|method| {
            let rows = data
                .rows
                .only(|column| method.policy.columns.contains_key(&column.name));
            let found = method.find(&rows, &training, 1, None)?;
            let of = found.losses.iter().find(|(name, _)| *name == "imprecision");
            Ok(of.and_then(|(_, value)| *value).unwrap_or(f64::NAN))
        })
        .collect()
}

pub fn figure(size: Size, findings: &mut Findings) -> Fallible<()> {
    let names = [
        "Median Mondrian",
        "Median, age and salary only",
        "Selection Mondrian",
    ];
    let mut head = vec!["k".to_string()];
    head.extend(names.map(String::from));
    let title = format!(
        "Figure 11: imprecision of function 2's selection, {} rows, mean of {} tables",
        size.rows, size.trials
    );
    let mut table = Table::new("figure-11", title, head);
    let mut lines: Vec<(String, Vec<(f64, f64)>)> = names
        .iter()
        .map(|name| (name.to_string(), Vec::new()))
        .collect();
    for k in KS.into_iter().filter(|k| *k as usize * 2 <= size.rows) {
        let trials: Vec<Vec<f64>> = (0..size.trials as u64)
            .into_par_iter()
            .map(|trial| imprecision(size, k, 30_000 + trial))
            .collect::<Fallible<_>>()?;
        let mut row = vec![k.to_string()];
        for (place, (_, points)) in lines.iter_mut().enumerate() {
            let rows = mean(trials.iter().map(|trial| trial[place]));
            row.push(format!("{rows:.1}"));
            points.push((k as f64, rows));
        }
        table.rows.push(row);
    }
    table.notes.push("The paper prints Fig. 11 as lines without numbers: imprecision grows with k, and Selection Mondrian is lowest.".into());
    findings.table(table);
    findings.plot(&Plot {
        title: "Imprecision of function 2's selection".into(),
        name: "figure-11",
        across: "k",
        lines,
    });
    Ok(())
}
