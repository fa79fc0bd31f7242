//! The risk curve: which share of the rows is at least so much at risk of being recognized by somebody
//! who knows that they are there.

use crate::chart::{Axis, Curve, Line, Mark, Side, Svg, Unit, Words};
use crate::text::percent;

/// Draws the curve of class sizes before (where they are told) and after; `threshold` is the risk above
/// which a row counts as being at risk.
pub fn risk_curve(before: Option<&[u64]>, after: &[u64], threshold: f64) -> Svg {
    let mut lines = Vec::new();
    if let Some(before) = before {
        lines.push(line(Side::Before, "before", before));
    }
    lines.push(line(Side::After, "after", after));
    let least = lines
        .iter()
        .flat_map(|line| line.points.first())
        .map(|point| point.0)
        .fold(1.0, f64::min);
    // Both lines begin where the first does, with every row, and end at certainty.
    for line in &mut lines {
        line.points.insert(0, (least * 0.8, 1.0));
        line.points.push((1.0, 0.0));
    }
    let greatest = after.iter().min().map_or(0.0, |size| 1.0 / *size as f64);
    let curve = Curve {
        words: Words {
            title: "How many rows are how much at risk".into(),
            description: format!(
                "The share of rows whose risk of being recognized is above a given one. After, no row's risk is above {}.",
                percent(greatest)
            ),
        },
        x: Axis::new("risk of being recognized", Unit::Share).log(),
        y: Axis::new("rows with a higher risk", Unit::Share),
        lines,
        mark: Some(Mark {
            x: threshold,
            label: format!("threshold {}", percent(threshold)),
        }),
        ticks: None,
    };
    curve.draw()
}

/// For each risk that a class has, the share of rows with a higher one.
fn line(side: Side, name: &str, sizes: &[u64]) -> Line {
    let mut sizes: Vec<u64> = sizes.iter().copied().filter(|size| *size > 0).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let all: u64 = sizes.iter().sum();
    let mut above = all;
    let points = sizes
        .chunk_by(|a, b| a == b)
        .map(|alike| {
            above -= alike.iter().sum::<u64>();
            (1.0 / alike[0] as f64, above as f64 / all as f64)
        })
        .collect();
    Line {
        side,
        name: name.into(),
        points,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_above_each_risk() {
        // Classes of 4, 2, 2 and 1: nine rows. Above 1/4: five; above 1/2: one; above 1: none.
        let line = line(Side::After, "after", &[2, 1, 4, 2]);
        assert_eq!(
            line.points,
            [(0.25, 5.0 / 9.0), (0.5, 1.0 / 9.0), (1.0, 0.0)]
        );
    }
}
