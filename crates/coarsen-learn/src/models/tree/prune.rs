//! Cutting back: where a subtree is not expected to do better than a leaf, it becomes one.
//!
//! For labels, C4.5: first a subtree that makes no fewer errors on its own rows goes, then one whose
//! errors, each taken at the upper end of a confidence interval of 25 %, are not fewer than the leaf's.
//! For numbers, M5: errors are deviations, multiplied by (n + 1)/(n − 1) for the one mean that a leaf
//! was fitted with.

use super::measure::{Measure, heaviest};
use super::{Split, Tree};

/// How sure the upper end is.
const CONFIDENCE: f64 = 0.25;
/// The normal deviate of that confidence.
const DEVIATE: f64 = 0.674_489_750_196_081_7;

pub(super) fn prune(tree: &mut Tree) {
    match tree.measure {
        Measure::Labels(_) => {
            collapse(tree, 0);
            cut(tree, 0, &expected_errors, 0.1);
        }
        Measure::Numbers { .. } => {
            let measure = tree.measure;
            cut(tree, 0, &|sums| expected_deviation(measure, sums), 0.0);
        }
    }
}

fn branches(tree: &Tree, node: u32) -> Vec<u32> {
    let split = tree.nodes[node as usize].split.as_ref();
    split.map(Split::branches).unwrap_or_default()
}

fn wrong(sums: &[f64]) -> f64 {
    sums.iter().sum::<f64>() - sums[heaviest(sums) as usize]
}

/// Removes subtrees that do no better on the training rows; returns the errors that are left.
fn collapse(tree: &mut Tree, node: u32) -> f64 {
    let as_leaf = wrong(&tree.nodes[node as usize].sums);
    let below = branches(tree, node);
    if below.is_empty() {
        return as_leaf;
    }
    let as_tree: f64 = below.into_iter().map(|branch| collapse(tree, branch)).sum();
    if as_tree >= as_leaf - 1e-3 {
        tree.nodes[node as usize].split = None;
        return as_leaf;
    }
    as_tree
}

/// Removes subtrees of which no less error is expected; returns what is expected. A leaf is preferred
/// when it is worse by no more than `leeway`.
fn cut(tree: &mut Tree, node: u32, expected: &dyn Fn(&[f64]) -> f64, leeway: f64) -> f64 {
    let as_leaf = expected(&tree.nodes[node as usize].sums);
    let below = branches(tree, node);
    if below.is_empty() {
        return as_leaf;
    }
    let each = below
        .into_iter()
        .map(|branch| cut(tree, branch, expected, leeway));
    let as_tree: f64 = each.sum();
    if as_leaf <= as_tree + leeway {
        tree.nodes[node as usize].split = None;
        return as_leaf;
    }
    as_tree
}

fn expected_errors(sums: &[f64]) -> f64 {
    let (rows, errors) = (sums.iter().sum::<f64>(), wrong(sums));
    errors + added(rows, errors)
}

/// The errors to be added to those that were seen: the upper end of the binomial's interval, by the
/// normal approximation with a correction for continuity; exact at no error, and between that and one
/// error on a line (Quinlan 1993, section 4.2).
fn added(rows: f64, errors: f64) -> f64 {
    if rows <= 0.0 {
        return 0.0;
    }
    if errors < 1.0 {
        let none = rows * (1.0 - CONFIDENCE.powf(1.0 / rows));
        return match errors {
            0.0 => none,
            _ => none + errors * (added(rows, 1.0) - none),
        };
    }
    if errors + 0.5 >= rows {
        return (rows - errors).max(0.0);
    }
    let (share, z2) = ((errors + 0.5) / rows, DEVIATE * DEVIATE);
    let spread = (share / rows - share * share / rows + z2 / (4.0 * rows * rows)).sqrt();
    let upper = (share + z2 / (2.0 * rows) + DEVIATE * spread) / (1.0 + z2 / rows);
    upper * rows - errors
}

/// Rows times the expected deviation.
fn expected_deviation(measure: Measure, sums: &[f64]) -> f64 {
    let rows = measure.weight(sums);
    if rows <= 1.0 {
        return 0.0;
    }
    let deviation = (measure.impurity(sums) / rows).sqrt();
    rows * deviation * (rows + 1.0) / (rows - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quinlan 1993, section 4.2: U(25 %; 0 of 6) = 0.206, of 9 = 0.143, of 1 = 0.750, and
    /// U(1 of 16) = 0.157.
    #[test]
    fn upper_ends_are_those_of_the_book() {
        for (rows, upper) in [(6.0, 0.206), (9.0, 0.143), (1.0, 0.750)] {
            assert!((added(rows, 0.0) / rows - upper).abs() < 5e-4);
        }
        // The book's exact binomial gives 0.157; the approximation is near it.
        assert!(((1.0 + added(16.0, 1.0)) / 16.0 - 0.157).abs() < 0.01);
    }
}
