//! Where a column may be cut at all: between all neighbouring values, or, past a limit, between the
//! units that a discretization makes (seed 000, sections 2 and 4).
//!
//! A unit is a run of codes that is never cut. A column on a number line has units of about equally many
//! rows, of equal width, or those that tell most about the first target of categories (binary splits,
//! the one with the greatest gain first, as entropy discretization does; here they end at the limit and
//! not by a test). A tree with too many leaves has the nodes of its lowest level that is small enough.
//! The missing value is a unit of its own.

use serde::{Deserialize, Serialize};

use crate::counts::Counts;
use crate::domain::{Attribute, Code, Value};
use crate::problem::Problem;
use crate::search::SearchError;

/// How the units of a column with many values are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Discretize {
    /// About equally many rows.
    #[default]
    EqualFrequency,
    /// Equally wide.
    EqualWidth,
    /// As they tell most about the first target of categories.
    Entropy,
}

/// The first code of each unit, and the number of codes, of a column on a line.
pub(super) fn on_the_line(
    problem: &Problem,
    place: usize,
    limit: usize,
    how: Discretize,
) -> Result<Vec<usize>, SearchError> {
    let attribute = &problem.attributes[place];
    let (present, size) = (attribute.domain.present(), attribute.domain.size());
    if present <= limit {
        return Ok((0..=size).collect());
    }
    let mut starts = match how {
        Discretize::EqualFrequency => {
            let marginal = problem.counts.marginal(place, size);
            equal_frequency(&marginal[..present], limit)
        }
        Discretize::EqualWidth => equal_width(attribute, limit),
        Discretize::Entropy => {
            let target = problem.workload.categories().next();
            let target = target.ok_or_else(|| {
                SearchError::Unfit(format!(
                    "search.genetic.discretize = \"entropy\" needs a target of categories to cut column `{}` by; give a column role = \"target\", or choose equal-frequency or equal-width",
                    attribute.name
                ))
            })?;
            by_entropy(
                &labels(&problem.counts, place, present, target.tally),
                limit,
            )
        }
    };
    // The missing value stands after all others.
    starts.extend(present..=size);
    Ok(starts)
}

/// The same of a tree: the leaves, or the nodes of the lowest level with at most `limit`. Where only the
/// top is as small, the level below it.
pub(super) fn in_the_tree(attribute: &Attribute, limit: usize) -> Vec<usize> {
    let levels = attribute.hierarchy.levels();
    let below_top = &levels[..levels.len().saturating_sub(1).max(1)];
    let small = below_top.iter().find(|level| level.nodes.len() <= limit);
    let level = small.or(below_top.last());
    let firsts = level.into_iter().flat_map(|level| &level.nodes);
    let firsts = firsts.map(|node| node.first as usize);
    firsts.chain([attribute.domain.size()]).collect()
}

fn equal_frequency(rows: &[u64], limit: usize) -> Vec<usize> {
    let total: u64 = rows.iter().sum();
    let mut before = 0u64;
    let mut last = None;
    let mut starts = Vec::new();
    for (code, rows) in rows.iter().enumerate() {
        let bin = u128::from(before) * limit as u128 / u128::from(total.max(1));
        if last != Some(bin) {
            starts.push(code);
            last = Some(bin);
        }
        before += rows;
    }
    starts
}

/// Values that are no numbers are as far apart as their places.
fn equal_width(attribute: &Attribute, limit: usize) -> Vec<usize> {
    let number = |code: usize| {
        let low = attribute.domain.low(code as Code).and_then(Value::number);
        low.unwrap_or(code as f64)
    };
    let present = attribute.domain.present();
    let (least, most) = (number(0), number(present - 1));
    let width = ((most - least) / limit as f64).max(f64::MIN_POSITIVE);
    let mut last = None;
    let mut starts = Vec::new();
    for code in 0..present {
        let bin = (((number(code) - least) / width) as usize).min(limit - 1);
        if last != Some(bin) {
            starts.push(code);
            last = Some(bin);
        }
    }
    starts
}

/// The rows of each label beside each code.
fn labels(counts: &Counts, place: usize, present: usize, tally: usize) -> Vec<Vec<f64>> {
    let tally = &counts.tallies()[tally];
    let mut rows = vec![vec![0.0; tally.column().domain.size()]; present];
    for (combination, code) in counts.codes(place).iter().enumerate() {
        if let Some(rows) = rows.get_mut(*code as usize) {
            for (label, count) in tally.of(combination).iter() {
                rows[label as usize] += count as f64;
            }
        }
    }
    rows
}

/// Best splits first; of equal ones the one further left.
fn by_entropy(labels: &[Vec<f64>], limit: usize) -> Vec<usize> {
    let mut splits = vec![best_split(labels, 0, labels.len())];
    let mut starts = vec![0];
    while starts.len() < limit {
        let mut best: Option<usize> = None;
        for (place, split) in splits.iter().enumerate() {
            if split.gain > best.map_or(1e-9, |best| splits[best].gain) {
                best = Some(place);
            }
        }
        let Some(best) = best else { break };
        let Split { first, at, end, .. } = splits.swap_remove(best);
        starts.push(at);
        splits.push(best_split(labels, first, at));
        splits.push(best_split(labels, at, end));
        splits.sort_unstable_by_key(|split| split.first);
    }
    starts.sort_unstable();
    starts
}

struct Split {
    first: usize,
    at: usize,
    end: usize,
    gain: f64,
}

fn best_split(labels: &[Vec<f64>], first: usize, end: usize) -> Split {
    let mut all = vec![0.0; labels.first().map_or(0, Vec::len)];
    for rows in &labels[first..end] {
        all.iter_mut()
            .zip(rows)
            .for_each(|(sum, rows)| *sum += rows);
    }
    let whole = bits(all.iter().copied());
    let mut left = vec![0.0; all.len()];
    let (mut at, mut gain) = (first, 0.0);
    let before_last = &labels[first..end.saturating_sub(1).max(first)];
    for (code, rows) in (first..).zip(before_last) {
        left.iter_mut()
            .zip(rows)
            .for_each(|(sum, rows)| *sum += rows);
        let right = all.iter().zip(&left).map(|(all, left)| all - left);
        let here = whole - bits(left.iter().copied()) - bits(right);
        if here > gain {
            (at, gain) = (code + 1, here);
        }
    }
    Split {
        first,
        at,
        end,
        gain,
    }
}

/// Rows times entropy, by the natural logarithm.
fn bits(rows: impl Iterator<Item = f64> + Clone) -> f64 {
    let total: f64 = rows.clone().sum();
    let each = rows.filter(|rows| *rows > 0.0);
    each.map(|rows| rows * (total / rows).ln()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_equally_many_rows() {
        assert_eq!(equal_frequency(&[1; 10], 5), [0, 2, 4, 6, 8]);
        // A heavy value is a unit by itself, and takes the place of several.
        assert_eq!(equal_frequency(&[1, 1, 96, 1, 1], 4), [0, 3]);
        assert_eq!(equal_frequency(&[50, 1, 49], 2), [0, 1]);
    }

    #[test]
    fn units_where_the_labels_change() {
        let pure = |label: usize| {
            if label == 0 {
                vec![4.0, 0.0]
            } else {
                vec![0.0, 4.0]
            }
        };
        let labels: Vec<Vec<f64>> = [0, 0, 1, 1, 1, 0, 0, 0].map(pure).to_vec();
        assert_eq!(by_entropy(&labels, 3), [0, 2, 5]);
        // Beyond that no split tells anything, whatever the limit.
        assert_eq!(by_entropy(&labels, 8), [0, 2, 5]);
        assert_eq!(by_entropy(&labels, 2).len(), 2);
    }
}
