//! An audit as a person reads it.

use std::path::Path;

use coarsen_engine::{Checked, Verified};

use super::{BAD, FAINT, GOOD, HEAD, WARN, columns, counted, in_style, number, percent};

/// How many subsets of columns are shown.
const SUBSETS: usize = 8;

/// Prints an audit.
pub fn print(path: &Path, checked: &Checked, k: u64) {
    let audit = &checked.audit;
    anstream::println!(
        "\n{}  {}, quasi-identifiers {}\n",
        in_style(HEAD, path.display()),
        counted(audit.rows, "row", "rows"),
        checked.quasi_identifiers.join(", ")
    );
    let row = |name: &str, figure: String, meaning: &str| {
        vec![format!("  {name}"), figure, in_style(FAINT, meaning)]
    };
    let risk = &audit.risk;
    let mut rows = vec![
        row(
            "smallest class",
            number(audit.k),
            "every row hides among at least this many",
        ),
        row(
            "unique rows",
            number(risk.uniques),
            "rows that no other row is like",
        ),
        row(
            "classes",
            number(audit.classes),
            "groups of rows that are alike",
        ),
        row(
            "average class",
            format!("{:.1}", audit.average_class),
            "rows in a class",
        ),
        row(
            "suppressed rows",
            number(audit.suppressed_rows),
            "rows with * in every quasi-identifier",
        ),
        row(
            "highest risk",
            percent(risk.prosecutor_max),
            "chance to pick the right row for the most exposed person (prosecutor)",
        ),
        row(
            "average risk",
            percent(risk.prosecutor_mean),
            "the same chance, over all rows",
        ),
        row(
            "marketer risk",
            percent(risk.marketer),
            "share of rows that an attack on all would get right",
        ),
        row(
            "rows at risk",
            percent(risk.at_risk),
            &format!(
                "share of rows whose risk is above {}",
                percent(risk.threshold)
            ),
        ),
    ];
    if let (Some(most), Some(mean)) = (risk.journalist_max, risk.journalist_mean) {
        rows.push(row(
            "journalist risk",
            format!("{} / {}", percent(most), percent(mean)),
            "highest and average chance, when the person is only known to be in the population",
        ));
    }
    for column in &audit.sensitive {
        let of = |what: &str| format!("{}: {what}", column.column);
        rows.push(row(
            &of("distinct l"),
            number(column.distinct_l),
            "fewest different values in a class",
        ));
        rows.push(row(
            &of("entropy l"),
            format!("{:.2}", column.entropy_l),
            "as many equally frequent values would be as mixed",
        ));
        rows.push(row(
            &of("t"),
            format!("{:.3}", column.t),
            "greatest distance of a class from the whole table, 0 to 1",
        ));
    }
    for line in columns(&rows, &[1]) {
        anstream::println!("{line}");
    }
    anstream::println!();
    subsets(checked);
    for note in &audit.notes {
        anstream::println!("{}  {note}", in_style(WARN, "note"));
    }
    if audit.holds {
        let demand = if k > 1 {
            format!("{k}-anonymity and all that was asked")
        } else {
            "all that was asked".into()
        };
        anstream::println!("{}  {demand}", in_style(GOOD, "holds"));
    } else {
        for failure in &audit.failures {
            anstream::println!("{}  {failure}", in_style(BAD, "fails"));
        }
    }
}

fn subsets(checked: &Checked) {
    let Some(found) = &checked.subsets else {
        return;
    };
    let rows: Vec<Vec<String>> = found
        .subsets
        .iter()
        .filter(|subset| subset.uniques > 0)
        .take(SUBSETS)
        .map(|subset| {
            let names: Vec<&str> = subset
                .columns
                .iter()
                .map(|c| checked.quasi_identifiers[*c].as_str())
                .collect();
            vec![
                format!("  {}", names.join(", ")),
                counted(subset.uniques, "unique row", "unique rows"),
            ]
        })
        .collect();
    if rows.is_empty() {
        return;
    }
    anstream::println!("{}", in_style(HEAD, "What makes people stand out"));
    for line in columns(&rows, &[1]) {
        anstream::println!("{line}");
    }
    if found.cut {
        anstream::println!(
            "  {}",
            in_style(
                FAINT,
                "not every combination of columns was looked at; raise --subsets or name fewer columns"
            )
        );
    }
    anstream::println!();
}

/// Prints whether a file is the release that a manifest describes.
pub fn print_verified(data: &Path, manifest: &Path, verified: &Verified) {
    let (data, manifest) = (data.display(), manifest.display());
    if verified.is_the_one() {
        let told = &verified.manifest;
        anstream::println!(
            "{}  {data} is the release that {manifest} describes: the same bytes, and a recount finds the same figures",
            in_style(GOOD, "yes")
        );
        let holds = if told.results.holds {
            "holds"
        } else {
            "does not hold"
        };
        anstream::println!(
            "     {holds}: {}; {} in {}, the smallest of {}",
            told.parameters.requirements.join(", "),
            counted(told.results.rows, "row", "rows"),
            counted(told.results.classes, "class", "classes"),
            number(told.results.smallest_class)
        );
        return;
    }
    anstream::println!(
        "{}  {data} is not the release that {manifest} describes",
        in_style(BAD, "no")
    );
    for difference in &verified.differences {
        anstream::println!("    {difference}");
    }
}
