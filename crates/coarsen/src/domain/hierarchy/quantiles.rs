//! Numbers and dates without a given hierarchy.
//!
//! The leaves are the values themselves, so that every point between two neighbours is a candidate
//! end point; past a limit they are bins that hold about equally many rows. Levels above pair off
//! neighbours, so that a search by levels has a ladder to climb too.

use super::build::{level, top};
use super::{Hierarchy, Measure};
use crate::domain::{Code, Domain, Kind, Value};

/// How many leaves such a column keeps unless the policy says otherwise.
pub(super) const LIMIT: usize = 1024;

pub(super) fn build(
    kind: Kind,
    format: Option<String>,
    cells: &[Option<Value>],
    rows: &[u64],
    limit: usize,
    missing: bool,
) -> (Domain, Hierarchy) {
    let mut weighed: Vec<(&Value, u64)> = cells
        .iter()
        .zip(rows)
        .filter_map(|(cell, rows)| Some((cell.as_ref()?, *rows)))
        .collect();
    weighed.sort_unstable();
    weighed.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    let domain = if weighed.len() <= limit.max(1) {
        let values = weighed.iter().map(|(value, _)| (*value).clone()).collect();
        Domain::new(kind, format, values, missing)
    } else {
        let (lows, highs) = bins(&weighed, limit.max(1));
        Domain::of_bins(kind, format, lows, highs, missing)
    };

    let present = domain.present();
    let mut levels = Vec::new();
    let mut width = 1;
    while width == 1 || width < present {
        let nodes = (0..present).map(|code| {
            let first = code / width * width;
            let last = (first + width).min(present) - 1;
            let low = domain.low(first as Code).expect("a present code").clone();
            let high = domain.high(last as Code).expect("a present code").clone();
            let label = match low == high {
                true => domain.write(&low),
                false => format!("{}..{}", domain.write(&low), domain.write(&high)),
            };
            ((first / width) as u32, label, Some((low, high)))
        });
        levels.push(level(nodes, &domain));
        width *= 2;
    }
    levels.push(top(&domain));
    (domain, Hierarchy::new(levels, Measure::Span))
}

/// Cuts sorted values into at most `limit` bins of about equal weight; equal values stay together.
fn bins(weighed: &[(&Value, u64)], limit: usize) -> (Vec<Value>, Vec<Value>) {
    let total: u64 = weighed.iter().map(|(_, rows)| rows).sum();
    let (mut lows, mut highs) = (Vec::new(), Vec::new());
    let mut before = 0;
    let mut last_bin = None;
    for (value, rows) in weighed {
        let bin = (u128::from(before) * limit as u128 / u128::from(total.max(1))) as usize;
        if last_bin != Some(bin) {
            lows.push((*value).clone());
            highs.push((*value).clone());
            last_bin = Some(bin);
        } else if let Some(high) = highs.last_mut() {
            *high = (*value).clone();
        }
        before += rows;
    }
    (lows, highs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integers(n: i64) -> Vec<Option<Value>> {
        (0..n).map(|i| Some(Value::Integer(i))).collect()
    }

    #[test]
    fn values_stay_apart_below_the_limit_and_pair_off_above() {
        let (domain, hierarchy) = build(Kind::Integer, None, &integers(5), &[1; 5], 100, false);
        assert_eq!(domain.present(), 5);
        let labels = |level: usize| -> Vec<&str> {
            hierarchy
                .level(level)
                .nodes
                .iter()
                .map(|n| n.label.as_str())
                .collect()
        };
        assert_eq!(labels(0), ["0", "1", "2", "3", "4"]);
        assert_eq!(labels(1), ["0..1", "2..3", "4"]);
        assert_eq!(labels(2), ["0..3", "4"]);
        assert_eq!(labels(3), ["*"]);
    }

    #[test]
    fn past_the_limit_bins_hold_about_equally_many_rows() {
        let (domain, _) = build(Kind::Integer, None, &integers(1000), &[3; 1000], 10, true);
        assert_eq!(domain.present(), 10);
        assert_eq!(domain.text(0), "0..99");
        assert_eq!(domain.text(domain.missing().expect("asked for")), "missing");
        let index = domain.index();
        assert_eq!(index.code(&Value::Integer(150)), Some(1));
        assert_eq!(index.code(&Value::Integer(1000)), None);
    }
}
