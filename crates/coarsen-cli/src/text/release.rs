//! A release as a person reads it: what was, what is, what it cost.

use coarsen::audit::Exposure;
use coarsen::loss;
use coarsen_engine::Release;

use super::{
    FAINT, GOOD, HEAD, WARN, bar, columns, counted, cut, in_style, number, percent, seconds,
};

/// How much of the examples fits on a line.
const EXAMPLES: usize = 44;

/// Prints a release.
pub fn print(made: &Release, limit: f64, steps: bool) {
    if let Some(rows) = made.unproven_rows {
        anstream::println!(
            "{}  {} fall short of the requirement in this release, which was accepted all the same",
            in_style(WARN, "UNPROVEN"),
            counted(rows, "row", "rows")
        );
    }
    let share = made.suppressed_rows as f64 / made.rows_in.max(1) as f64;
    let suppressed = match made.suppressed_rows {
        0 => "none suppressed".to_string(),
        rows if limit < 1.0 => {
            format!(
                "{} suppressed ({} of {} allowed)",
                number(rows),
                percent(share),
                percent(limit)
            )
        }
        rows => format!("{} suppressed ({})", number(rows), percent(share)),
    };
    anstream::println!(
        "\n{}  {} in, {} out, {suppressed}\n",
        in_style(HEAD, "Release"),
        counted(made.rows_in, "row", "rows"),
        number(made.rows_out)
    );
    scoreboard(made);
    released_columns(made);
    losses(made);
    if steps {
        anstream::println!("{}", in_style(HEAD, "Steps"));
        for (place, step) in made.trace.iter().enumerate() {
            anstream::println!(
                "  {place:>3}  {}; {} fall short",
                step.what,
                counted(step.short_rows, "row", "rows")
            );
        }
        anstream::println!();
    }
    for column in &made.unseen {
        anstream::println!(
            "{}  {} holds {} in {} that the recoding has never seen",
            in_style(WARN, "note"),
            column.column,
            counted(column.values, "value", "values"),
            counted(column.rows, "row", "rows")
        );
    }
    for warning in &made.warnings {
        anstream::println!("{}  {warning}", in_style(WARN, "note"));
    }
    let (style, verdict) = match made.unproven_rows {
        None => (GOOD, "holds"),
        Some(_) => (WARN, "does not hold"),
    };
    anstream::println!(
        "{}  {}, recounted from the written file",
        in_style(style, verdict),
        made.requirements.join(", ")
    );
    if let Some(output) = &made.output {
        anstream::println!("{}  {}", in_style(GOOD, "wrote"), output.display());
    }
    if let Some(recoding) = &made.recoding {
        anstream::println!(
            "       {} {}",
            recoding.display(),
            in_style(FAINT, "(for `coarsen apply` on the next delivery)")
        );
    }
    for (path, what) in [
        (&made.report, "(the report; open it in a browser)"),
        (&made.manifest, "(for `coarsen check FILE --manifest`)"),
    ] {
        if let Some(path) = path {
            anstream::println!("       {} {}", path.display(), in_style(FAINT, what));
        }
    }
    let time = &made.seconds;
    anstream::println!(
        "{}",
        in_style(
            FAINT,
            format!(
                "       {} in {}: read {}, count {}, search {}, write {}, audit {}{}",
                made.algorithm,
                seconds(time.total),
                seconds(time.read),
                seconds(time.count),
                seconds(time.search),
                seconds(time.write),
                seconds(time.audit),
                match made.manifest {
                    Some(_) => format!(", report {}", seconds(time.report)),
                    None => String::new(),
                }
            )
        )
    );
}

/// Prints why a release looks as it does.
pub fn explain(made: &Release) {
    let Some(explanation) = &made.explanation else {
        return;
    };
    anstream::println!("\n{}", in_style(HEAD, "Why"));
    for reason in &explanation.columns {
        anstream::println!("  {}", reason.text);
    }
    anstream::println!("  {}", explanation.suppression.text);
}

fn scoreboard(made: &Release) {
    let after = &made.audit;
    // Nobody has counted the combinations of a table that was searched in passes.
    let before = |figure: fn(&Exposure) -> String| match &made.before {
        Some(exposure) => figure(exposure),
        None => "-".to_string(),
    };
    let row = |name: &str, before: String, after: String, meaning: &str| {
        vec![format!("  {name}"), before, after, in_style(FAINT, meaning)]
    };
    let mut rows = vec![
        vec![
            String::new(),
            in_style(FAINT, "before"),
            in_style(FAINT, "after"),
            String::new(),
        ],
        row(
            "smallest class",
            before(|exposure| number(exposure.k)),
            number(after.k),
            "every row hides among at least this many",
        ),
        row(
            "unique rows",
            before(|exposure| number(exposure.uniques)),
            number(after.risk.uniques),
            "rows that no other row is like",
        ),
        row(
            "classes",
            before(|exposure| number(exposure.combinations)),
            number(after.classes),
            "groups of rows that are alike",
        ),
        row(
            "highest risk",
            before(|exposure| percent(1.0 / exposure.k.max(1) as f64)),
            percent(after.risk.prosecutor_max),
            "chance to pick the right row for the most exposed person",
        ),
        row(
            "average risk",
            before(|exposure| percent(exposure.combinations as f64 / exposure.rows.max(1) as f64)),
            percent(after.risk.prosecutor_mean),
            "the same chance, over all rows",
        ),
    ];
    for column in &after.sensitive {
        rows.push(row(
            &format!("{}: distinct", column.column),
            String::new(),
            number(column.distinct_l),
            "fewest different values in any class",
        ));
    }
    for line in columns(&rows, &[1, 2]) {
        anstream::println!("{line}");
    }
    anstream::println!();
}

fn released_columns(made: &Release) {
    anstream::println!("{}", in_style(HEAD, "Columns"));
    let rows: Vec<Vec<String>> = made
        .columns
        .iter()
        .map(|column| {
            vec![
                format!("  {}", column.column),
                format!(
                    "{} → {}",
                    number(column.values_before),
                    number(column.values_after)
                ),
                bar(column.lm),
                format!("{} lost", percent(column.lm)),
                in_style(FAINT, cut(&column.examples.join(", "), EXAMPLES)),
            ]
        })
        .collect();
    for line in columns(&rows, &[1, 3]) {
        anstream::println!("{line}");
    }
    anstream::println!();
}

fn losses(made: &Release) {
    anstream::println!("{}", in_style(HEAD, "Loss"));
    let figure = |losses: &serde_json::Map<String, serde_json::Value>, name: &str| {
        let shown = losses.get(&name.replace('-', "_"))?.as_f64()?;
        Some(match shown {
            figure if figure.abs() >= 1000.0 => number(figure.round() as u64),
            figure => format!("{figure:.4}"),
        })
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    if let Some(fresh) = &made.fresh {
        let heads = ["reused", "fresh"].map(|head| in_style(FAINT, head));
        let about = format!(
            "fresh: {} on these rows, {} suppressed, not released",
            fresh.algorithm,
            counted(fresh.suppressed_rows, "row", "rows")
        );
        let [reused, anew] = heads;
        rows.push(vec![String::new(), reused, anew, in_style(FAINT, about)]);
    }
    for entry in loss::LOSSES {
        let Some(shown) = figure(&made.loss, entry.name) else {
            continue;
        };
        let mut row = vec![format!("  {}", entry.name), shown];
        if let Some(fresh) = &made.fresh {
            row.push(figure(&fresh.loss, entry.name).unwrap_or_default());
        }
        row.push(in_style(FAINT, entry.summary));
        rows.push(row);
    }
    for line in columns(&rows, &[1, 2][..1 + usize::from(made.fresh.is_some())]) {
        anstream::println!("{line}");
    }
    if let Some(sample) = &made.sample {
        anstream::println!(
            "{}",
            in_style(
                FAINT,
                format!(
                    "  searched on a {} sample of {} for k = {}: cost {:.4} there, {:.4} on all rows",
                    sample.sampling,
                    counted(sample.rows, "row", "rows"),
                    sample.k,
                    sample.cost,
                    sample.cost_of_all
                )
            )
        );
    }
    anstream::println!();
}
