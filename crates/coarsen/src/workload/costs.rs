//! What it costs to take a row of one label for another (seed 000, section 3, on CM).

use crate::domain::Code;

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
