//! Both metrics for both optimizations (the paper's experiments 1 and 2), and the other single-dimensional
//! searches on the same columns under the same limit.

use std::path::Path;

use super::{Asked, LOSSES, Made, genetic, policy, search, settings};
use crate::Fallible;
use crate::report::Table;

/// The searches beside the genetic one that minimize no loss that is given: name, setting, as told.
const OTHERS: [(&str, &str, &str); 4] = [
    ("bottom-up", "", "bottom-up"),
    ("bottom-up", "refine=true", "bottom-up, refined"),
    ("top-down", "", "top-down"),
    ("datafly", "", "datafly"),
];

/// Every search at every k.
pub fn over_k(asked: &Asked, folder: &Path) -> Fallible<Table> {
    let policy = policy(folder, asked.limit)?;
    let mut table = Table::new(
        "metrics",
        format!(
            "Adult, {} iterations, {} of the rows may be suppressed",
            asked.iterations, asked.limit
        ),
        [
            "k",
            "search",
            "for",
            "LM",
            "CM",
            "suppressed",
            "search s",
            "CPU s",
            "peak MB",
        ],
    );
    table.notes.push("Asked for: 500,000 iterations in under 30 s on two cores, LM below the optimal full-domain release (`mingen`) and below bottom-up at every k, CM below every other single-dimensional search.".into());
    for k in asked.ks {
        let mut tell = |name: &str, loss: &str, made: Made| {
            table.rows.push(vec![
                k.to_string(),
                name.into(),
                loss.into(),
                format!("{:.4}", made.losses[0]),
                format!("{:.4}", made.losses[1]),
                made.suppressed.to_string(),
                format!("{:.2}", made.search),
                format!("{:.1}", made.taken.cpu),
                format!("{:.0}", made.taken.megabytes),
            ]);
        };
        for loss in LOSSES {
            let set = genetic(*k, loss, asked.iterations);
            tell("genetic", loss, search(&policy, &set)?);
            tell(
                "mingen",
                loss,
                search(&policy, &settings(*k, "mingen", loss))?,
            );
        }
        for (name, more, told) in OTHERS {
            let mut set = settings(*k, name, "lm");
            set.extend((!more.is_empty()).then(|| format!("search.{name}.{more}")));
            tell(told, "–", search(&policy, &set)?);
        }
    }
    Ok(table)
}
