//! What each selection of the workload asks for, and what it gets from the release (seed 001, section
//! 3.4).

use coarsen::counts::{Classes, Counts};
use coarsen::domain::Attribute;
use coarsen::loss::returned;
use coarsen::workload::Workload;

/// One selection's imprecision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectionCost {
    /// The selection, as it is written.
    pub text: String,
    /// The rows of the input that satisfy it.
    pub wanted: u64,
    /// The rows of all classes that overlap it, suppressed ones included: they may be anywhere.
    pub returned: u64,
}

impl SelectionCost {
    /// Rows too many.
    pub fn excess(&self) -> u64 {
        self.returned.saturating_sub(self.wanted)
    }
}

/// The imprecision of every selection.
pub fn selections(
    attributes: &[Attribute],
    counts: &Counts,
    classes: &Classes,
    workload: &Workload,
) -> Vec<SelectionCost> {
    let cost = |selection: &coarsen::workload::Selection| {
        Some(SelectionCost {
            text: selection.text().to_string(),
            wanted: selection.rows(counts)?,
            returned: returned(attributes, classes, selection),
        })
    };
    workload.selections.iter().filter_map(cost).collect()
}
