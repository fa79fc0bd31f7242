//! Fig. 10: a release that is optimized for one to seven of seven labels, and how well a tree predicts
//! each of them. The paper's functions 2 to 7 and 9; targets are added in 25 random orders.

use std::collections::BTreeMap;

use coarsen::policy::{Policy, Target};
use coarsen::synthetic::Random;
use coarsen_learn::{Method, evaluate};
use rayon::prelude::*;

use super::methods::method;
use super::synthetic::{accuracy, hold_out};
use super::{Fallible, Size, data, four};
use crate::report::{Findings, Table};

const FUNCTIONS: [u8; 7] = [2, 3, 4, 5, 6, 7, 9];

/// The paper's rows, from seven targets down to one.
const PAPER: [[f64; 7]; 7] = [
    [0.8308, 0.8243, 0.8258, 0.8233, 0.8308, 0.8159, 0.8267],
    [0.8349, 0.8361, 0.8352, 0.8312, 0.8390, 0.8271, 0.7605],
    [0.8454, 0.8476, 0.8467, 0.8424, 0.8461, 0.7436, 0.7592],
    [0.8571, 0.8652, 0.8634, 0.8573, 0.7413, 0.7338, 0.7477],
    [0.8676, 0.8829, 0.8799, 0.7498, 0.7349, 0.7390, 0.7382],
    [0.8921, 0.9031, 0.7541, 0.7549, 0.7448, 0.7394, 0.7329],
    [0.9250, 0.7478, 0.7453, 0.7638, 0.7678, 0.7451, 0.7611],
];

/// The orders in which targets are added: functions by their place.
fn orders(count: usize) -> Vec<[usize; 7]> {
    let mut random = Random::new(10);
    (0..count)
        .map(|_| {
            let mut order = [0, 1, 2, 3, 4, 5, 6];
            for place in (1..7).rev() {
                order.swap(place, random.below(place as u64 + 1) as usize);
            }
            order
        })
        .collect()
}

/// The release that is optimized for a set of targets, a bit each.
fn optimized_for(set: u8, policy: &Policy, k: u64) -> Fallible<Method> {
    let mut policy = policy.clone();
    policy.workload.targets = FUNCTIONS
        .iter()
        .enumerate()
        .map(|(place, function)| Target {
            column: format!("group_{function}"),
            weight: f64::from(set >> place & 1),
            ..Target::default()
        })
        .collect();
    let settings = "split = \"info-gain\"";
    method(&format!("{set}"), &policy, k, "mondrian", settings, "lm")
}

/// What one table gave: the accuracy of each target's tree, for each set of targets and on unreleased rows.
struct Measured {
    released: BTreeMap<u8, [f64; 7]>,
    original: [f64; 7],
}

fn one_table(sets: &[u8], size: Size, seed: u64) -> Fallible<Measured> {
    let data = data::synthetic(&FUNCTIONS, size.rows, seed)?;
    let methods = sets
        .iter()
        .map(|set| optimized_for(*set, &data.policy, size.k))
        .collect::<Fallible<Vec<_>>>()?;
    let mut plan = hold_out(&["tree"], seed);
    plan.targets = FUNCTIONS.iter().map(|f| format!("group_{f}")).collect();
    let evaluation = evaluate(&data.rows, &methods, &plan, None)?;
    let of = |place: usize| std::array::from_fn(|target| accuracy(&evaluation, target, place));
    let released = sets
        .iter()
        .enumerate()
        .map(|(place, set)| (*set, of(place)));
    Ok(Measured {
        released: released.collect(),
        original: std::array::from_fn(|t| 1.0 - evaluation.results[t].unreleased.mean),
    })
}

pub fn figure(size: Size, findings: &mut Findings) -> Fallible<()> {
    let orders = orders(size.permutations);
    let bits = |order: &[usize]| order.iter().fold(0u8, |set, place| set | 1 << place);
    let mut sets: Vec<u8> = orders
        .iter()
        .flat_map(|order| (1..=7).map(move |count| bits(&order[..count])))
        .collect();
    sets.sort_unstable();
    sets.dedup();
    let tables: Vec<Measured> = (0..size.trials as u64)
        .into_par_iter()
        .map(|trial| one_table(&sets, size, 20_000 + trial))
        .collect::<Fallible<_>>()?;
    let over =
        |of: &dyn Fn(&Measured) -> f64| tables.iter().map(of).sum::<f64>() / tables.len() as f64;
    let mut head = vec!["optimized for".to_string()];
    head.extend("abcdefg".chars().map(|model| format!("{model} (paper)")));
    let title = format!(
        "Figure 10: accuracy of a tree for several targets, k = {}, {} tables, {} orders",
        size.k, size.trials, size.permutations
    );
    let mut table = Table::new("figure-10", title, head);
    for count in (1..=7).rev() {
        let mut row = vec![format!("{{{}}}", &"a,b,c,d,e,f,g"[..2 * count - 1])];
        for model in 0..7 {
            let ours = orders.iter().map(|order| {
                let set = bits(&order[..count]);
                over(&|table| table.released[&set][order[model]])
            });
            let ours = ours.sum::<f64>() / orders.len() as f64;
            row.push(format!("{} ({:.4})", four(ours), PAPER[7 - count][model]));
        }
        table.rows.push(row);
    }
    findings.table(table);

    let mut each = Table::new(
        "figure-10-functions",
        "The same by function: on unreleased rows, optimized for it alone, for all seven, and for one other",
        ["function", "original", "alone", "all seven", "one other"]
            .map(String::from)
            .to_vec(),
    );
    for (place, function) in FUNCTIONS.iter().enumerate() {
        let alone = 1u8 << place;
        let has = |set: &u8| sets.contains(set);
        let of = |set: u8| has(&set).then(|| over(&|table| table.released[&set][place]));
        let others: Vec<f64> = (0..7)
            .filter(|other| *other != place)
            .filter_map(|other| of(1 << other))
            .collect();
        let shown = |value: Option<f64>| value.map_or(String::new(), four);
        let other = (!others.is_empty()).then(|| others.iter().sum::<f64>() / others.len() as f64);
        each.rows.push(vec![
            function.to_string(),
            four(over(&|table| table.original[place])),
            shown(of(alone)),
            shown(of(0b111_1111)),
            shown(other),
        ]);
    }
    findings.table(each);
    Ok(())
}
