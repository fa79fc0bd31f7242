//! How wrong a tree is on the test rows after each optimization, by k: the recoding found on the training
//! rows, through `coarsen evaluate`.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{Asked, LOSSES, genetic, number, policy};
use crate::Fallible;
use crate::measure::{run as measured, sibling};
use crate::report::Table;
use crate::speed::adult_folder;

/// The test error after both optimizations, between the same tree's on unreleased and on suppressed rows.
pub fn over_k(asked: &Asked, folder: &Path) -> Fallible<Table> {
    let policy = policy(folder, asked.limit)?;
    let mut table = Table::new(
        "errors",
        format!(
            "Test error of a tree in percent, {} of the rows may be suppressed",
            asked.limit
        ),
        ["k", "unreleased", "for LM", "for CM", "all suppressed"],
    );
    table.notes.push("The paper's experiment 2: optimizing for the usage (CM) keeps the error near that of the unreleased rows, optimizing for LM does not.".into());
    for k in asked.ks {
        let results: Vec<Value> = LOSSES
            .iter()
            .map(|loss| {
                let mut evaluate = Command::new(sibling("coarsen")?);
                evaluate.arg("evaluate").arg(&policy);
                evaluate.arg("--test").arg(adult_folder()?.join("test.csv"));
                evaluate.args(["--model", "tree", "--json"]);
                for set in genetic(*k, loss, asked.iterations) {
                    evaluate.arg("--set").arg(set);
                }
                let told: Value = serde_json::from_str(&measured(&mut evaluate)?.stdout)?;
                Ok(told["results"][0].clone())
            })
            .collect::<Fallible<_>>()?;
        let error =
            |result: &Value, what: &str| format!("{:.2}", 100.0 * number(&result[what]["mean"]));
        table.rows.push(vec![
            k.to_string(),
            error(&results[0], "unreleased"),
            error(&results[0], "released"),
            error(&results[1], "released"),
            error(&results[0], "suppressed"),
        ]);
    }
    Ok(table)
}
