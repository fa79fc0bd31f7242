//! A small decision tree after C4.5 (Quinlan 1993): multiway splits by gain ratio among those of at
//! least average gain, then pessimistic pruning at a confidence of 25 %. Enough to compare releases by
//! what can be learned from them; it knows categories only.

use std::collections::BTreeMap;

/// One combination of values: the value of each column, and the rows of each label.
pub type Example = (Vec<u32>, Vec<u64>);

/// A tree.
pub enum Tree {
    Leaf(usize),
    Split {
        column: usize,
        branches: BTreeMap<u32, Tree>,
        majority: usize,
    },
}

/// C4.5's default: the normal deviate of a confidence of 25 %.
const DEVIATE: f64 = 0.6745;
/// A split needs this many rows in two branches.
const LEAST: u64 = 2;

impl Tree {
    /// Learns from examples over `columns` columns.
    pub fn learn(examples: &[Example], columns: usize) -> Tree {
        let all: Vec<&Example> = examples.iter().collect();
        grow(&all, &(0..columns).collect::<Vec<_>>()).0
    }

    /// The label it predicts.
    pub fn predict(&self, values: &[u32]) -> usize {
        match self {
            Tree::Leaf(label) => *label,
            Tree::Split {
                column,
                branches,
                majority,
            } => match branches.get(&values[*column]) {
                Some(branch) => branch.predict(values),
                None => *majority,
            },
        }
    }

    /// The share of rows it takes for another label.
    pub fn error(&self, examples: &[Example]) -> f64 {
        let (mut wrong, mut all) = (0, 0);
        for (values, labels) in examples {
            let rows: u64 = labels.iter().sum();
            all += rows;
            wrong += rows - labels[self.predict(values)];
        }
        wrong as f64 / all as f64
    }
}

fn tally(examples: &[&Example]) -> Vec<u64> {
    let labels = examples.first().map_or(1, |(_, labels)| labels.len());
    let mut tally = vec![0; labels];
    for (_, rows) in examples {
        for (sum, rows) in tally.iter_mut().zip(rows) {
            *sum += rows;
        }
    }
    tally
}

/// Rows times entropy, in bits.
fn bits(tally: &[u64]) -> f64 {
    let total = tally.iter().sum::<u64>() as f64;
    let each = tally.iter().filter(|rows| **rows > 0);
    each.map(|rows| *rows as f64 * (total / *rows as f64).log2())
        .sum()
}

/// The errors that are to be expected beyond the training rows: the upper end of a Wilson interval.
fn pessimistic(wrong: f64, rows: f64) -> f64 {
    let (share, z) = (wrong / rows, DEVIATE);
    let middle = share + z * z / (2.0 * rows);
    let spread = z * (share * (1.0 - share) / rows + z * z / (4.0 * rows * rows)).sqrt();
    rows * (middle + spread) / (1.0 + z * z / rows)
}

/// A tree and the errors that are to be expected of it.
fn grow(examples: &[&Example], columns: &[usize]) -> (Tree, f64) {
    let whole = tally(examples);
    let rows: u64 = whole.iter().sum();
    let majority = (0..whole.len())
        .rev()
        .max_by_key(|l| whole[*l])
        .unwrap_or(0);
    let as_leaf = pessimistic((rows - whole[majority]) as f64, rows as f64);
    let leaf = (Tree::Leaf(majority), as_leaf);
    if whole[majority] == rows {
        return leaf;
    }
    let mut splits = Vec::new();
    for column in columns {
        let mut branches: BTreeMap<u32, Vec<&Example>> = BTreeMap::new();
        for example in examples {
            branches
                .entry(example.0[*column])
                .or_default()
                .push(example);
        }
        let tallies: Vec<Vec<u64>> = branches.values().map(|branch| tally(branch)).collect();
        let sizes: Vec<u64> = tallies.iter().map(|tally| tally.iter().sum()).collect();
        if sizes.iter().filter(|size| **size >= LEAST).count() < 2 {
            continue;
        }
        let within: f64 = tallies.iter().map(|tally| bits(tally)).sum();
        let gain = bits(&whole) - within;
        if gain > 1e-9 {
            splits.push((gain, gain / bits(&sizes), *column, branches));
        }
    }
    let mean = splits.iter().map(|split| split.0).sum::<f64>() / splits.len().max(1) as f64;
    let fair = splits.into_iter().filter(|split| split.0 >= mean - 1e-9);
    let Some((_, _, column, branches)) = fair.max_by(|a, b| a.1.total_cmp(&b.1)) else {
        return leaf;
    };
    let rest: Vec<usize> = columns.iter().copied().filter(|c| *c != column).collect();
    let mut expected = 0.0;
    let branches = branches
        .into_iter()
        .map(|(value, branch)| {
            let (tree, errors) = grow(&branch, &rest);
            expected += errors;
            (value, tree)
        })
        .collect();
    if expected >= as_leaf {
        return leaf;
    }
    let split = Tree::Split {
        column,
        branches,
        majority,
    };
    (split, expected)
}
