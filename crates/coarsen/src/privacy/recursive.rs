//! Recursive (c,l)-diversity: the most frequent sensitive value of a class is rarer than c times the
//! l-th and all rarer ones together (Machanavajjhala et al. 2006, definition 4.2).
//!
//! The figure that is measured is the ratio of the two: a class satisfies the requirement for every
//! c above it. A missing value counts as a value like any other.

use super::{Requirement, RequirementEntry, Requirements, TOLERANCE, tally_of};
use crate::counts::{Class, Tally, TallyView};
use crate::policy::{DiversityMeasure, Policy};
use crate::problem::ProblemError;

/// In every class, the most frequent value is rarer than `c` times the `l`-th and later ones.
#[derive(Clone, Debug)]
struct Recursive {
    column: String,
    tally: usize,
    c: f64,
    l: u64,
}

pub(super) const ENTRY: RequirementEntry = RequirementEntry {
    name: "recursive",
    summary: "in every class, the most frequent sensitive value is rarer than c times the l-th and all rarer ones together",
    formula: "r_1 < c (r_l + … + r_m), frequencies in falling order",
    policy: "diversity = [{ column = \"disease\", recursive = { c = 2.0, l = 3 } }]",
    source: "Machanavajjhala et al. 2006, definition 4.2",
    build,
};

fn build(policy: &Policy, tallies: &[Tally]) -> Requirements {
    let mut built: Vec<Box<dyn Requirement>> = Vec::new();
    for diversity in &policy.privacy.diversity {
        if let DiversityMeasure::Recursive { c, l } = diversity.measure {
            built.push(Box::new(Recursive {
                column: diversity.column.clone(),
                tally: tally_of(tallies, &diversity.column),
                c,
                l,
            }));
        }
    }
    Ok(built)
}

/// The most frequent value's rows over those of the `l`-th and rarer values together; infinite where
/// there are fewer than `l` values.
pub fn recursive_c(values: TallyView<'_>, l: u64) -> f64 {
    let mut rows: Vec<u64> = values.rows.to_vec();
    rows.sort_unstable_by(|a, b| b.cmp(a));
    let before = usize::try_from(l.saturating_sub(1)).unwrap_or(usize::MAX);
    let rest: u64 = rows.iter().skip(before).sum();
    match (rows.first(), rest) {
        (Some(most), 1..) => *most as f64 / rest as f64,
        _ => f64::INFINITY,
    }
}

impl Requirement for Recursive {
    fn text(&self) -> String {
        format!(
            "recursive ({}, {})-diversity of `{}`",
            self.c, self.l, self.column
        )
    }

    fn holds(&self, class: &Class<'_>, _: &Class<'_>) -> bool {
        // The condition is strict: what falls within the tolerance of equality does not hold.
        recursive_c(class.tally(self.tally), self.l) < self.c * (1.0 - TOLERANCE)
    }

    fn possible(&self, whole: &Class<'_>) -> Result<(), ProblemError> {
        if self.holds(whole, whole) {
            return Ok(());
        }
        let ratio = recursive_c(whole.tally(self.tally), self.l);
        let reason = if ratio.is_finite() {
            // Rounded up: every c above the figure that is named can be asked for.
            let least = (ratio * 100.0).ceil() / 100.0;
            format!(
                "in the table as a whole, l = {} needs a c above {least:.2}",
                self.l
            )
        } else {
            format!(
                "`{}` has fewer than {} distinct values in the whole table",
                self.column, self.l
            )
        };
        Err(ProblemError::Impossible {
            requirement: self.text(),
            reason,
        })
    }
}
