//! The grid: which settings are varied, in which order its points are numbered, and how a point is asked
//! of `coarsen run`.

use coarsen::policy::Policy;
use serde::{Deserialize, Serialize};

use crate::EngineError;
use crate::release::{find_algorithm, find_loss};

/// What to vary; an empty list leaves what the policy says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// The algorithms.
    pub algorithms: Vec<String>,
    /// How many rows a class has at least.
    pub k: Vec<u64>,
    /// The losses to search for.
    pub losses: Vec<String>,
    /// The shares of rows that may be suppressed.
    pub limits: Vec<f64>,
}

/// One point of a grid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GridPoint {
    /// Its number, from 1, by which it can be released.
    pub number: usize,
    /// The algorithm.
    pub algorithm: String,
    /// How many rows a class has at least.
    pub k: u64,
    /// The loss that is searched for.
    pub search_loss: String,
    /// The share of rows that may be suppressed.
    pub limit: f64,
}

impl Grid {
    /// The points in their order: algorithm by algorithm, then k, then loss, then limit, each as given,
    /// the same value once.
    pub fn points(&self, policy: &Policy) -> Vec<GridPoint> {
        let algorithms = given(&self.algorithms, &policy.search.algorithm);
        let losses = given(&self.losses, &policy.search.loss);
        let limits = given(&self.limits, &policy.suppression.limit);
        let mut points = Vec::new();
        for algorithm in &algorithms {
            for k in given(&self.k, &policy.privacy.k) {
                for loss in &losses {
                    for limit in &limits {
                        points.push(GridPoint {
                            number: points.len() + 1,
                            algorithm: algorithm.clone(),
                            k,
                            search_loss: loss.clone(),
                            limit: *limit,
                        });
                    }
                }
            }
        }
        points
    }
}

fn given<T: Clone + PartialEq>(values: &[T], own: &T) -> Vec<T> {
    let mut once: Vec<T> = Vec::new();
    for value in values {
        if !once.contains(value) {
            once.push(value.clone());
        }
    }
    if once.is_empty() {
        once.push(own.clone());
    }
    once
}

impl GridPoint {
    /// The policy of this point.
    pub fn policy(&self, base: &Policy) -> Policy {
        let mut policy = base.clone();
        policy.search.algorithm = self.algorithm.clone();
        policy.privacy.k = self.k;
        policy.search.loss = self.search_loss.clone();
        policy.suppression.limit = self.limit;
        policy
    }

    /// What `--set` says of this point: every key that the grid may vary.
    pub fn set(&self) -> Vec<(String, String)> {
        vec![
            ("search.algorithm".into(), self.algorithm.clone()),
            ("privacy.k".into(), self.k.to_string()),
            ("search.loss".into(), self.search_loss.clone()),
            ("suppression.limit".into(), format!("{:?}", self.limit)),
        ]
    }

    /// Refuses a point that no policy could be.
    pub(super) fn check(&self, base: &Policy) -> Result<(), EngineError> {
        let policy = self.policy(base);
        // Its paths are the base's, and a table in memory has none.
        policy.check_rules()?;
        find_algorithm(&policy)?;
        find_loss(&policy)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_numbered_in_a_stated_order() {
        let mut policy = Policy::default();
        policy.privacy.k = 4;
        let own = Grid::default().points(&policy);
        assert_eq!(own.len(), 1);
        assert_eq!((own[0].algorithm.as_str(), own[0].k), ("auto", 4));
        let grid = Grid {
            algorithms: vec!["datafly".into(), "mondrian".into()],
            k: vec![10, 2, 10],
            limits: vec![0.0, 0.05],
            ..Grid::default()
        };
        let points = grid.points(&policy);
        let told: Vec<(usize, &str, u64, f64)> = points
            .iter()
            .map(|p| (p.number, p.algorithm.as_str(), p.k, p.limit))
            .collect();
        assert_eq!(told.len(), 8);
        assert_eq!(told[0], (1, "datafly", 10, 0.0));
        assert_eq!(told[1], (2, "datafly", 10, 0.05));
        assert_eq!(told[2], (3, "datafly", 2, 0.0));
        assert_eq!(told[4], (5, "mondrian", 10, 0.0));
    }
}
