//! A frontier as a plot and as CSV.

use coarsen::loss::{LOSSES, find};
use coarsen_report::chart::{Axis, Point, Scatter, Svg, Unit, Words};
use coarsen_report::text::{figure, percent};

use super::{Candidate, Frontier, Outcome};

impl Frontier {
    /// Risk against loss, the undominated candidates solid and joined.
    pub fn plot(&self) -> Svg {
        let mut groups: Vec<String> = Vec::new();
        let mut points = Vec::new();
        for candidate in &self.candidates {
            let point = &candidate.point;
            let Some(measured) = candidate.measured() else {
                continue;
            };
            let Some(cost) = self.cost(measured) else {
                continue;
            };
            let group = match groups.iter().position(|name| *name == point.algorithm) {
                Some(group) => group,
                None => {
                    groups.push(point.algorithm.clone());
                    groups.len() - 1
                }
            };
            points.push(Point {
                label: point.number.to_string(),
                said: format!(
                    "{}: {}, k = {}, searched for {}, limit {}: highest risk {}, {} {}",
                    point.number,
                    point.algorithm,
                    point.k,
                    point.search_loss,
                    percent(point.limit),
                    percent(measured.highest_risk),
                    self.loss,
                    figure(cost)
                ),
                group,
                x: measured.highest_risk,
                y: cost,
                undominated: candidate.undominated,
            });
        }
        let best = points.iter().filter(|point| point.undominated).count();
        let name = match self.loss.as_str() {
            "prec" => "1 − Prec".to_string(),
            other => other.to_string(),
        };
        let chart = Scatter {
            words: Words {
                title: "Risk and loss of every candidate".into(),
                description: format!(
                    "{} candidates by highest risk and {name}; {best} are undominated, drawn solid and joined.",
                    points.len()
                ),
            },
            x: Axis::new("highest risk of a row", Unit::Share).log(),
            y: Axis::new(format!("loss ({name})"), Unit::Plain),
            groups,
            points,
        };
        chart.draw()
    }

    /// One line a candidate, the same columns always.
    pub fn to_csv(&self) -> String {
        let mut head: Vec<String> = "number,algorithm,k,search_loss,limit,undominated,by,stop,highest_risk,average_risk,smallest_class,classes,rows_out,suppressed_rows,unproven_rows"
            .split(',')
            .map(str::to_string)
            .collect();
        let losses = LOSSES.iter().map(|entry| entry.name.replace('-', "_"));
        head.extend(losses);
        head.push("reason".into());
        let lines = self.candidates.iter().map(line);
        let lines = std::iter::once(head).chain(lines);
        lines.map(|cells| joined(&cells)).collect()
    }

    /// The loss that candidates are compared by, in a sentence.
    pub fn loss_summary(&self) -> &'static str {
        find(&self.loss).map_or("", |entry| entry.summary)
    }
}

fn line(candidate: &Candidate) -> Vec<String> {
    let point = &candidate.point;
    let mut cells = vec![
        point.number.to_string(),
        point.algorithm.clone(),
        point.k.to_string(),
        point.search_loss.clone(),
        point.limit.to_string(),
        candidate.undominated.to_string(),
    ];
    match &candidate.outcome {
        Outcome::Measured(found) => {
            cells.extend([
                found.by.clone(),
                found.stop.clone(),
                found.highest_risk.to_string(),
                found.average_risk.to_string(),
                found.smallest_class.to_string(),
                found.classes.to_string(),
                found.rows_out.to_string(),
                found.suppressed_rows.to_string(),
                found
                    .unproven_rows
                    .map_or(String::new(), |rows| rows.to_string()),
            ]);
            cells.extend(LOSSES.iter().map(|entry| {
                let shown = found.loss.get(&entry.name.replace('-', "_"));
                shown
                    .and_then(|shown| shown.as_f64())
                    .map_or(String::new(), |shown| shown.to_string())
            }));
            cells.push(String::new());
        }
        Outcome::Reason(reason) => {
            cells.extend(vec![String::new(); 9 + LOSSES.len()]);
            cells.push(reason.clone());
        }
    }
    cells
}

/// A line of CSV (RFC 4180).
fn joined(cells: &[String]) -> String {
    let quoted = |cell: &String| match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    };
    cells.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n"
}
