//! The models, one file each, one line in [`MODELS`].
//!
//! From a library (smartcore) where one fits: logistic regression, and the linear algebra of linear
//! regression. Ours where none does: trees and forests (smartcore's and linfa's know no categories, no
//! gain ratio and no pruning), naive Bayes (theirs cannot pass over a value that was never seen in
//! training), the linear support vector machine (their solvers compare all rows with all rows, which
//! thirty thousand rows do not allow).

pub mod bayes;
pub mod discretize;
pub mod forest;
pub mod linear;
pub mod logistic;
pub mod svm;
pub mod table;
pub mod tree;

use crate::features::{Features, Target};

/// A model that was trained.
pub trait Fitted: Send + Sync {
    /// What it says of rows with the same columns as those that it was trained on.
    fn predict(&self, features: &Features) -> Target;
}

/// Trains a model. The same seed gives the same model, on one thread or many.
pub type Fit = fn(&Features, &Target, seed: u64) -> Box<dyn Fitted>;

/// An entry of the table of models.
pub struct Model {
    /// Its name, as on the command line.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// Whose code it is: ours, or a library's.
    pub made_by: &'static str,
    /// How it learns a column of labels, where it can.
    pub labels: Option<Fit>,
    /// How it learns a column of numbers, where it can.
    pub numbers: Option<Fit>,
}

impl Model {
    /// How it learns a target of this kind, where it can.
    pub fn fit_for(&self, numeric: bool) -> Option<Fit> {
        if numeric { self.numbers } else { self.labels }
    }
}

/// Every model there is.
pub static MODELS: &[Model] = &[
    tree::ENTRY,
    forest::ENTRY,
    bayes::ENTRY,
    svm::ENTRY,
    logistic::ENTRY,
    linear::ENTRY,
];

/// The model of a name.
pub fn find(name: &str) -> Option<&'static Model> {
    MODELS.iter().find(|model| model.name == name)
}

/// The label that most rows have; of several, the first.
fn most_frequent(codes: &[u32], size: usize) -> u32 {
    let mut rows = vec![0u64; size.max(1)];
    for code in codes {
        rows[*code as usize] += 1;
    }
    (0..rows.len())
        .rev()
        .max_by_key(|label| rows[*label])
        .unwrap_or(0) as u32
}

/// The labels of a target.
///
/// # Panics
/// If it holds numbers: the table says which model learns what.
fn labels_of(target: &Target) -> (&[u32], usize) {
    match target {
        Target::Labels { codes, size } => (codes, *size),
        Target::Numbers(_) => panic!("this model learns labels"),
    }
}
