//! Selection Mondrian (seed 001, section 3.4): the split that leaves least imprecision, the rows that
//! selections return beyond those that satisfy them. Where no split lowers it, the next rule goes on.

use super::columns::Held;
use super::rule::{Collector, Rule};
use super::split::{Candidate, Context, Region};
use super::strip::Asked;
use super::summary::{Summary, each_cut};
use crate::problem::Problem;
use crate::workload::Selection;

pub(super) struct Selections<'a> {
    selections: &'a [Selection],
}

impl<'a> Selections<'a> {
    pub fn of(problem: &'a Problem) -> Option<Self> {
        let selections = &problem.workload.selections;
        (!selections.is_empty()).then_some(Selections { selections })
    }

    fn imprecision(&self, part: &Summary<'_>) -> u64 {
        let of = |(selection, satisfied): (&Selection, &u64)| match overlaps(selection, part.held) {
            true => part.rows - satisfied,
            false => 0,
        };
        self.selections.iter().zip(part.satisfied).map(of).sum()
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
    fn asked(&self) -> Asked<'_> {
        Asked {
            selections: self.selections,
            boxes: true,
            ..Asked::default()
        }
    }

    fn candidates(&self, context: &Context<'_>, region: &Region<'_>) -> Vec<Candidate> {
        let mut found = Collector::new(context);
        let strips = region.strips(self.asked());
        let Some((_, strip)) = strips.first() else {
            return found.finish();
        };
        let mut satisfied = vec![0; self.selections.len()];
        for slot in 0..strip.codes.len() {
            for (sum, more) in satisfied.iter_mut().zip(strip.boxes.satisfied(slot)) {
                *sum += more;
            }
        }
        let now = self.imprecision(&Summary {
            rows: region.weight,
            held: &region.held,
            satisfied: &satisfied,
        });
        if now == 0 {
            return found.finish();
        }
        for (column, strip) in &strips {
            each_cut(context, region, *column, strip, |cut, parts| {
                let then: u64 = parts.iter().map(|part| self.imprecision(part)).sum();
                if then < now {
                    let smallest = parts.iter().map(|part| part.rows).min().unwrap_or(0);
                    found.add(Candidate {
                        column: *column,
                        cut: cut(),
                        score: then as f64,
                        then: -(smallest as f64),
                    });
                }
            });
        }
        found.finish()
    }
}
