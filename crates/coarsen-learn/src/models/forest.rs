//! A random forest (Breiman 2001) as Weka has it by default, with the 40 trees of seed 001, section
//! 4.1: each tree on a bootstrap sample of the rows, each split the best of log₂(columns) + 1 columns
//! drawn at random, no pruning. Trees vote with the shares at their leaves.

use coarsen::synthetic::Random;
use rayon::prelude::*;

use super::tree::{Ranked, Tree, TreeSettings};
use super::{Fitted, Model};
use crate::features::{Features, Target};

/// How many trees.
const TREES: u64 = 40;

pub(super) const ENTRY: Model = Model {
    name: "forest",
    summary: "a random forest of 40 trees, or of regression trees for a numeric target",
    made_by: "ours",
    labels: Some(fit),
    numbers: Some(fit),
};

fn fit(features: &Features, target: &Target, seed: u64) -> Box<dyn Fitted> {
    let ranked = Ranked::of(features);
    let columns = features.columns.len();
    let drawn = (columns.max(1) as f64).log2().floor() as usize + 1;
    let settings = TreeSettings::grown_out(Some(drawn));
    let trees = (0..TREES).into_par_iter().map(|tree| {
        let mut random = Random::stream(seed, tree);
        let mut weights = vec![0.0; features.rows];
        for _ in 0..features.rows {
            weights[random.below(features.rows as u64) as usize] += 1.0;
        }
        let own = random.next_u64();
        Tree::fit_ranked(&ranked, target, Some(&weights), &settings, own)
    });
    let labels = match target {
        Target::Labels { size, .. } => Some((*size).max(1)),
        Target::Numbers(_) => None,
    };
    Box::new(Forest {
        trees: trees.collect(),
        labels,
    })
}

struct Forest {
    trees: Vec<Tree>,
    labels: Option<usize>,
}

impl Fitted for Forest {
    fn predict(&self, features: &Features) -> Target {
        match self.labels {
            Some(size) => {
                let vote = |row: usize| {
                    let mut votes = vec![0.0; size];
                    for tree in &self.trees {
                        let leaf = tree.leaf(features, row);
                        let rows: f64 = leaf.iter().sum();
                        for (vote, here) in votes.iter_mut().zip(leaf) {
                            *vote += here / rows;
                        }
                    }
                    let most = (0..size)
                        .rev()
                        .max_by(|a, b| votes[*a].total_cmp(&votes[*b]));
                    most.unwrap_or(0) as u32
                };
                Target::Labels {
                    codes: (0..features.rows).into_par_iter().map(vote).collect(),
                    size,
                }
            }
            None => {
                let mut sums = vec![0.0; features.rows];
                for tree in &self.trees {
                    let Target::Numbers(numbers) = tree.predict(features) else {
                        unreachable!("trees of numbers predict numbers");
                    };
                    for (sum, number) in sums.iter_mut().zip(numbers) {
                        *sum += number;
                    }
                }
                let mean = |sum: f64| sum / self.trees.len() as f64;
                Target::Numbers(sums.into_iter().map(mean).collect())
            }
        }
    }
}
