//! Decision and regression trees.
//!
//! For labels, after C4.5 (Quinlan 1993), as Weka's J48 has it by default: gain ratio among the splits
//! of at least average gain, a charge for choosing a threshold, collapsing, then pessimistic pruning at
//! a confidence of 25 %. For numbers, after M5 (Quinlan 1992) with a mean at each leaf: least squared
//! deviation, then pruning by its correction for small leaves.
//!
//! Departures: a split point lies halfway between two values; a missing value follows the branch with
//! most rows instead of being divided; no subtree is raised; leaves of M5 hold no linear model.

mod grow;
mod measure;
mod prune;
mod ranked;

use coarsen::synthetic::Random;

use super::{Fitted, Model};
use crate::features::{Column, Features, Target, UNKNOWN};
use measure::Measure;
pub(crate) use ranked::Ranked;

pub(crate) const ENTRY: Model = Model {
    name: "tree",
    summary: "a decision tree (C4.5: gain ratio, pruned), or a regression tree for a numeric target",
    made_by: "ours",
    labels: Some(|features, target, seed| {
        Box::new(Tree::fit(
            features,
            target,
            None,
            &TreeSettings::c45(),
            seed,
        ))
    }),
    numbers: Some(|features, target, seed| {
        Box::new(Tree::fit(features, target, None, &TreeSettings::m5(), seed))
    }),
};

/// How a tree grows and is cut back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeSettings {
    /// Whether splits are compared by their gain over what they tell by themselves.
    pub gain_ratio: bool,
    /// Whether it is cut back.
    pub prune: bool,
    /// The least rows of a branch.
    pub least_rows: f64,
    /// Look at this many columns, drawn at random, for each split; at all where absent.
    pub columns: Option<usize>,
}

impl TreeSettings {
    /// J48's defaults.
    pub fn c45() -> Self {
        TreeSettings {
            gain_ratio: true,
            prune: true,
            least_rows: 2.0,
            columns: None,
        }
    }

    /// M5's defaults.
    pub fn m5() -> Self {
        TreeSettings {
            gain_ratio: false,
            prune: true,
            least_rows: 4.0,
            columns: None,
        }
    }

    /// A tree that splits by gain alone until nothing is left to part: as in a forest.
    pub fn grown_out(columns: Option<usize>) -> Self {
        TreeSettings {
            gain_ratio: false,
            prune: false,
            least_rows: 1.0,
            columns,
        }
    }
}

/// A trained tree.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    measure: Measure,
}

#[derive(Clone, Debug)]
struct Node {
    /// The training rows: of each label, or their number, sum and sum of squares.
    sums: Vec<f64>,
    split: Option<Split>,
}

#[derive(Clone, Debug)]
struct Split {
    column: usize,
    by: By,
    /// The branch with most rows, for what is unknown.
    largest: u32,
}

#[derive(Clone, Debug)]
enum By {
    /// At most this, or above it.
    Threshold { at: f64, below: u32, above: u32 },
    /// A branch a category; categories without a row have none.
    Category(Vec<Option<u32>>),
}

impl Tree {
    /// Learns from rows; `weights` says how often each counts (once where absent).
    pub fn fit(
        features: &Features,
        target: &Target,
        weights: Option<&[f64]>,
        settings: &TreeSettings,
        seed: u64,
    ) -> Tree {
        let ranked = Ranked::of(features);
        Tree::fit_ranked(&ranked, target, weights, settings, seed)
    }

    /// The same over columns that are ranked already, for many trees over the same rows.
    pub(crate) fn fit_ranked(
        ranked: &Ranked,
        target: &Target,
        weights: Option<&[f64]>,
        settings: &TreeSettings,
        seed: u64,
    ) -> Tree {
        let measure = Measure::of(target);
        let mut tree = grow::grow(
            ranked,
            &measure.rows(target, weights),
            measure,
            settings,
            Random::new(seed),
        );
        if settings.prune {
            prune::prune(&mut tree);
        }
        tree
    }

    /// How many leaves it has.
    pub fn leaves(&self) -> usize {
        self.count(0).0
    }

    /// How many nodes it has, leaves included.
    pub fn size(&self) -> usize {
        self.count(0).1
    }

    fn count(&self, node: u32) -> (usize, usize) {
        let branches = self.nodes[node as usize].split.iter();
        let below: Vec<_> = branches
            .flat_map(Split::branches)
            .map(|branch| self.count(branch))
            .collect();
        match below.is_empty() {
            true => (1, 1),
            false => below
                .iter()
                .fold((0, 1), |(leaves, nodes), b| (leaves + b.0, nodes + b.1)),
        }
    }

    /// The leaf that a row ends at: its sums.
    pub(crate) fn leaf(&self, features: &Features, row: usize) -> &[f64] {
        let mut node = &self.nodes[0];
        while let Some(split) = &node.split {
            let next = match (&split.by, &features.columns[split.column]) {
                (By::Threshold { at, below, above }, Column::Numbers(numbers)) => {
                    let number = numbers[row];
                    match number.is_nan() {
                        true => split.largest,
                        false if number <= *at => *below,
                        false => *above,
                    }
                }
                (By::Category(branches), Column::Categories { codes, .. }) => {
                    let code = codes[row];
                    let known = (code != UNKNOWN).then(|| branches.get(code as usize));
                    known.flatten().copied().flatten().unwrap_or(split.largest)
                }
                _ => panic!("a tree is asked about the columns that it was trained on"),
            };
            node = &self.nodes[next as usize];
        }
        &node.sums
    }
}

impl Split {
    fn branches(&self) -> Vec<u32> {
        match &self.by {
            By::Threshold { below, above, .. } => vec![*below, *above],
            By::Category(branches) => branches.iter().copied().flatten().collect(),
        }
    }
}

impl Fitted for Tree {
    fn predict(&self, features: &Features) -> Target {
        let leaves = (0..features.rows).map(|row| self.leaf(features, row));
        match self.measure {
            Measure::Labels(size) => Target::Labels {
                codes: leaves.map(measure::heaviest).collect(),
                size,
            },
            Measure::Numbers { .. } => {
                Target::Numbers(leaves.map(|sums| self.measure.mean(sums)).collect())
            }
        }
    }
}
