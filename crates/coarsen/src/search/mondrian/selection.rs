//! Selection Mondrian (seed 001, section 3.4): the split that leaves least imprecision, the rows that
//! selections return beyond those that satisfy them. Where no split lowers it, the next rule goes on.

use super::columns::Held;
use super::rule::{Collector, Rule};
use super::split::{Candidate, Context, Region};
use super::summary::{Summary, each_cut};
use crate::problem::Problem;
use crate::workload::Selection;

pub(super) struct Selections<'a> {
    selections: &'a [Selection],
    /// Who satisfies each selection, by combination.
    satisfied: Vec<Vec<bool>>,
}

impl<'a> Selections<'a> {
    pub fn of(problem: &'a Problem) -> Option<Self> {
        let selections = &problem.workload.selections;
        let counts = &problem.counts;
        let satisfied = selections
            .iter()
            .map(|selection| {
                (0..counts.combinations())
                    .map(|c| selection.satisfied_by(counts, c))
                    .collect()
            })
            .collect();
        (!selections.is_empty()).then_some(Selections {
            selections,
            satisfied,
        })
    }

    fn imprecision(&self, part: &Summary) -> u64 {
        let of = |(selection, satisfied): (&Selection, &u64)| match overlaps(selection, &part.held)
        {
            true => part.rows - satisfied,
            false => 0,
        };
        self.selections.iter().zip(&part.satisfied).map(of).sum()
    }
}

/// Whether a box of codes has a point that a selection wants.
fn overlaps(selection: &Selection, held: &[Held]) -> bool {
    held.iter()
        .enumerate()
        .all(|(column, held)| match selection.touched(column) {
            None => true,
            Some(wanted) => wanted[held.low as usize..=held.high as usize].contains(&true),
        })
}

impl Rule for Selections<'_> {
    fn candidates(&self, context: &Context<'_>, region: &Region<'_>) -> Vec<Candidate> {
        let now = self.imprecision(&Summary::of_region(region, &self.satisfied));
        let mut found = Collector::new(context);
        if now == 0 {
            return found.finish();
        }
        for column in 0..region.tile.len() {
            each_cut(context, region, column, &self.satisfied, |cut, parts| {
                let then: u64 = parts.iter().map(|part| self.imprecision(part)).sum();
                if then < now {
                    let smallest = parts.iter().map(|part| part.rows).min().unwrap_or(0);
                    let then = then as f64;
                    found.add(Candidate {
                        column,
                        cut,
                        score: then,
                        then: -(smallest as f64),
                    });
                }
            });
        }
        found.finish()
    }
}
