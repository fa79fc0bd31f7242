//! What it costs to take a row of one label for another (seed 000, section 3, on CM).

use std::collections::BTreeMap;

use crate::domain::{Code, Domain};

/// A cost for each pair of a target's labels.
#[derive(Clone, Debug, PartialEq)]
pub struct CostMatrix {
    labels: usize,
    costs: Vec<f64>,
}

impl CostMatrix {
    /// `rows[true label][label it is taken for]`, in the order of the target's codes. `None` unless
    /// it is square, finite, nowhere negative, and free where a label is taken for itself.
    ///
    /// ```
    /// use coarsen::workload::CostMatrix;
    ///
    /// // To miss an illness is worse than to suspect one.
    /// let costs = CostMatrix::new(&[vec![0.0, 10.0], vec![1.0, 0.0]]).unwrap();
    /// assert_eq!(costs.cost(0, 1), 10.0);
    /// assert!(CostMatrix::new(&[vec![1.0]]).is_none());
    /// ```
    pub fn new(rows: &[Vec<f64>]) -> Option<Self> {
        let labels = rows.len();
        let sound = rows.iter().enumerate().all(|(label, row)| {
            let costs = row.iter().all(|cost| cost.is_finite() && *cost >= 0.0);
            costs && row.len() == labels && row[label] == 0.0
        });
        sound.then(|| CostMatrix {
            labels,
            costs: rows.concat(),
        })
    }

    /// Costs given by the texts of labels; 1 for pairs that are not given. Labels that the domain does
    /// not have are passed over. `None` as in [`CostMatrix::new`].
    pub fn of_labels(
        given: &BTreeMap<String, BTreeMap<String, f64>>,
        domain: &Domain,
    ) -> Option<Self> {
        let texts: Vec<String> = (0..domain.size() as Code)
            .map(|code| domain.text(code))
            .collect();
        let cost = |label: &String, taken_for: &String| {
            let given = given.get(label).and_then(|row| row.get(taken_for));
            let usual = if label == taken_for { 0.0 } else { 1.0 };
            given.copied().unwrap_or(usual)
        };
        let rows: Vec<Vec<f64>> = texts
            .iter()
            .map(|label| texts.iter().map(|other| cost(label, other)).collect())
            .collect();
        CostMatrix::new(&rows)
    }

    /// What it costs to take a row of one label for another.
    ///
    /// # Panics
    /// If the matrix has no such label.
    pub fn cost(&self, label: Code, taken_for: Code) -> f64 {
        assert!(
            (taken_for as usize) < self.labels,
            "the matrix has a column for every label"
        );
        self.costs[label as usize * self.labels + taken_for as usize]
    }
}
