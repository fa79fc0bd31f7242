//! What is found on the training rows, applied to the test rows, beside what the same search finds on those
//! (the paper's Figs. 11 and 12). No limit on suppression, as in the paper: under one, `apply` could
//! suppress more than a fresh search may, and look better for it.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{Asked, LOSSES, genetic, losses_of, policy, search};
use crate::measure::{run as measured, sibling};
use crate::report::{Findings, Table};
use crate::speed::adult_folder;
use crate::{Done, Fallible};

/// A loss on the test rows: of what was found there, and of what was found on the training rows.
struct Reused {
    k: u64,
    fresh: f64,
    again: f64,
    suppressed: [u64; 2],
}

/// A table and a plot for each loss.
pub fn over_k(asked: &Asked, folder: &Path, findings: &mut Findings) -> Done {
    let policy = policy(folder, 1.0)?;
    for (place, loss) in LOSSES.into_iter().enumerate() {
        let name = loss.to_uppercase();
        let mut points = Vec::new();
        for k in asked.ks {
            search(&policy, &genetic(*k, loss, asked.iterations))?;
            points.push(applied(folder, place, *k)?);
        }
        let mut table = Table::new(
            ["reuse-lm", "reuse-cm"][place],
            format!(
                "{name} on the test rows (15,060): found there, and found on the training rows"
            ),
            [
                "k",
                "found on test",
                "found on train",
                "worse by",
                "suppressed, found on test",
                "on train",
            ],
        );
        for point in &points {
            table.rows.push(vec![
                point.k.to_string(),
                format!("{:.4}", point.fresh),
                format!("{:.4}", point.again),
                format!("{:.1} %", 100.0 * (point.again / point.fresh - 1.0)),
                point.suppressed[0].to_string(),
                point.suppressed[1].to_string(),
            ]);
        }
        findings.table(table);
        let title = format!("{name} on Adult's test rows, by k");
        findings.drawing(&title, &format!("reuse-{loss}"), plot(&name, &points));
    }
    Ok(())
}

/// Applies the recoding of the last release to the test rows: its loss, and that of a fresh search.
fn applied(folder: &Path, place: usize, k: u64) -> Fallible<Reused> {
    let mut apply = Command::new(sibling("coarsen")?);
    apply
        .arg("apply")
        .arg(folder.join("recoding.json"))
        .arg(adult_folder()?.join("test.csv"))
        .arg("-o")
        .arg(folder.join("test-release.csv"))
        .args(["--unseen", "suppress", "--beside", "--json"]);
    let made: Value = serde_json::from_str(&measured(&mut apply)?.stdout)?;
    let suppressed = |made: &Value| made["suppressed_rows"].as_u64().unwrap_or_default();
    Ok(Reused {
        k,
        fresh: losses_of(&made["fresh"])[place],
        again: losses_of(&made)[place],
        suppressed: [suppressed(&made["fresh"]), suppressed(&made)],
    })
}

/// Reused against fresh, as in the paper's Figs. 11 and 12: on the line both are equal.
fn plot(name: &str, points: &[Reused]) -> String {
    let figures = || points.iter().flat_map(|point| [point.fresh, point.again]);
    let (least, most) = (
        figures().fold(f64::INFINITY, f64::min),
        figures().fold(f64::NEG_INFINITY, f64::max),
    );
    let margin = ((most - least) * 0.08).max(1e-6);
    let (low, high) = (least - margin, most + margin);
    let x = |figure: f64| 70.0 + 360.0 * (figure - low) / (high - low);
    let y = |figure: f64| 400.0 - 360.0 * (figure - low) / (high - low);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"470\" height=\"460\" font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"470\" height=\"460\" fill=\"white\"/>\n<text x=\"70\" y=\"22\" font-size=\"14\">{name} on Adult's test rows, by k</text>\n<path d=\"M70 40V400H430\" fill=\"none\" stroke=\"#888\"/>\n<path d=\"M70 400L430 40\" stroke=\"#bbb\"/>\n<text x=\"250\" y=\"440\" text-anchor=\"middle\">found on the test rows</text>\n<text x=\"16\" y=\"220\" text-anchor=\"middle\" transform=\"rotate(-90 16 220)\">found on the training rows</text>\n"
    );
    for figure in [least, most] {
        svg += &format!(
            "<text x=\"{:.1}\" y=\"416\" text-anchor=\"middle\">{figure:.3}</text>\n<text x=\"64\" y=\"{:.1}\" text-anchor=\"end\">{figure:.3}</text>\n",
            x(figure),
            y(figure) + 4.0
        );
    }
    for Reused {
        k, fresh, again, ..
    } in points
    {
        let (x, y) = (x(*fresh), y(*again));
        svg += &format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#1b6ca8\"/>\n<text x=\"{:.1}\" y=\"{:.1}\">{k}</text>\n",
            x + 7.0,
            y - 5.0
        );
    }
    svg + "</svg>\n"
}
