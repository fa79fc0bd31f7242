//! Splits that lower LM most, for users without a stated workload: the greedy step on what the
//! release will show, each part with blocks that fit tightly around its rows in every column.

use super::rule::{Collector, Rule};
use super::split::{Candidate, Context, Region};
use super::strip::Asked;
use super::summary::{Summary, each_cut};

pub(super) struct LeastLoss;

impl Rule for LeastLoss {
    fn asked(&self) -> Asked<'_> {
        Asked {
            boxes: true,
            ..Asked::default()
        }
    }

    fn candidates(&self, context: &Context<'_>, region: &Region<'_>) -> Vec<Candidate> {
        let mut found = Collector::new(context);
        for (column, strip) in region.strips(self.asked()) {
            each_cut(context, region, column, &strip, |cut, parts| {
                let score = parts.iter().map(|part| loss(context, part)).sum();
                let smallest = parts.iter().map(|part| part.rows).min().unwrap_or(0);
                found.add(Candidate {
                    column,
                    cut: cut(),
                    score,
                    then: -(smallest as f64),
                });
            });
        }
        found.finish()
    }
}

/// The rows of a part times the LM of what would be released for it.
fn loss(context: &Context<'_>, part: &Summary<'_>) -> f64 {
    let columns = context.columns.iter().zip(part.held);
    let cost: f64 = columns
        .map(|(column, held)| column.attribute.settings.weight * column.cost(held))
        .sum();
    cost * part.rows as f64
}
