//! A searched grid as a person reads it: every candidate, the undominated ones marked.

use coarsen_engine::{Frontier, PointOutcome};

use super::{FAINT, GOOD, HEAD, columns, counted, in_style, number, percent, seconds};

/// Prints a frontier; `command` is how a release is made, less a point's own settings.
pub fn print(frontier: &Frontier, command: &str) {
    let head = [
        "",
        "#",
        "algorithm",
        "k",
        "limit",
        "searched for",
        &frontier.loss,
        "highest risk",
        "average risk",
        "classes",
        "suppressed",
        "time",
        "",
    ];
    let head = head.iter().map(|word| in_style(FAINT, word)).collect();
    let mut rows: Vec<Vec<String>> = vec![head];
    for candidate in &frontier.candidates {
        let point = &candidate.point;
        let mark = if candidate.undominated {
            in_style(GOOD, "*")
        } else {
            " ".into()
        };
        let mut row = vec![
            format!("  {mark}"),
            point.number.to_string(),
            point.algorithm.clone(),
            number(point.k),
            percent(point.limit),
            point.search_loss.clone(),
        ];
        match &candidate.outcome {
            PointOutcome::Measured(found) => {
                let shown = found.loss.get(&frontier.loss.replace('-', "_"));
                let shown = shown.and_then(|shown| shown.as_f64());
                row.extend([
                    shown.map_or("–".into(), coarsen_report::text::figure),
                    percent(found.highest_risk),
                    percent(found.average_risk),
                    number(found.classes),
                    number(found.suppressed_rows),
                    seconds(found.seconds),
                    match (found.unproven_rows, found.stop.as_str()) {
                        (Some(rows), _) => {
                            format!("unproven: {} fall short", counted(rows, "row", "rows"))
                        }
                        (None, "optimal") => "proven optimal".into(),
                        (None, "budget") => "stopped by the budget".into(),
                        _ => String::new(),
                    },
                ]);
            }
            PointOutcome::Reason(reason) => {
                row.extend(vec!["–".to_string(); 6]);
                row.push(in_style(FAINT, reason));
            }
        }
        rows.push(row);
    }
    anstream::println!("\n{}", in_style(HEAD, "Candidates"));
    for line in columns(&rows, &[1, 3, 4, 6, 7, 8, 9, 10, 11]) {
        anstream::println!("{line}");
    }
    let best = frontier.candidates.iter().filter(|c| c.undominated);
    anstream::println!(
        "\n{}  undominated: no other has both a highest risk and a loss as low ({} of {})",
        in_style(GOOD, "*"),
        best.clone().count(),
        frontier.candidates.len()
    );
    anstream::println!(
        "{}  {}: {}",
        in_style(FAINT, "loss"),
        frontier.loss,
        frontier.loss_summary()
    );
    if let Some(first) = best.clone().next() {
        let set: Vec<String> = first
            .point
            .set()
            .into_iter()
            .map(|(key, value)| format!("--set {key}={value}"))
            .collect();
        anstream::println!(
            "{}  add --release {} for its release, which is that of\n         {command} {}",
            in_style(FAINT, "next"),
            first.point.number,
            set.join(" ")
        );
    }
}
