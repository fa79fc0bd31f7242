//! InfoGain and LSD Mondrian (seed 001, sections 3.1 to 3.3): the split after which the targets are
//! least mixed inside the parts, by entropy for categories and by squared deviation for quantities.
//!
//! Several targets add up by their weights, each measured against its own impurity in the whole table,
//! so that categories and quantities compare. Every threshold is looked at, not only those where the
//! label changes: without a constraint the best is among those, with one it need not be. Where all
//! splits are equally good (a pure region), the widest column's median decides, as in Median Mondrian.

use super::measure::{Measured, Sums};
use super::rule::{Collector, Rule};
use super::split::{Candidate, Context, Cut, Place, Region, cuts, part_of, parts};
use super::strip::{Asked, Strip};
use crate::problem::Problem;
use crate::workload::Target;

/// Two scores nearer than this are equal: they differ by the order of additions only.
const EQUAL: f64 = 1e-12;

pub(super) struct Targets {
    measures: Vec<Measured>,
}

impl Targets {
    /// The rule for these targets; `None` where none of them varies.
    pub fn of<'t>(problem: &Problem, targets: impl Iterator<Item = &'t Target>) -> Option<Self> {
        let measures = Measured::of(problem, targets);
        (!measures.is_empty()).then_some(Targets { measures })
    }
}

impl Rule for Targets {
    fn asked(&self) -> Asked<'_> {
        Asked {
            measures: &self.measures,
            ..Asked::default()
        }
    }

    fn candidates(&self, context: &Context<'_>, region: &Region<'_>) -> Vec<Candidate> {
        let mut found = Collector::new(context);
        for (column, strip) in region.strips(self.asked()) {
            let cuts = cuts(context, region, column, &strip);
            let mut scores = vec![0.0; cuts.len()];
            for (measured, sums) in self.measures.iter().zip(&strip.sums) {
                let impurities = impurities(measured, sums, &strip, &cuts);
                for (score, impurity) in scores.iter_mut().zip(impurities) {
                    *score += measured.worth * impurity;
                }
            }
            let width = context.columns[column].width(&region.held[column]);
            for (place, score) in cuts.into_iter().zip(scores) {
                // Balance decides between thresholds of one column, width between columns.
                let unevenness = match &place.cut {
                    Cut::Below(_) => (place.below as f64 / region.weight as f64 - 0.5).abs(),
                    Cut::Into(_) => 0.0,
                };
                let score = (score / EQUAL).round() * EQUAL;
                found.add(Candidate {
                    column,
                    cut: place.cut,
                    score,
                    then: unevenness - 2.0 * width,
                });
            }
        }
        found.finish()
    }
}

/// The impurity that each cut of a column leaves.
fn impurities(measured: &Measured, of_codes: &Sums, strip: &Strip, cuts: &[Place]) -> Vec<f64> {
    let mut above = measured.nothing(1);
    for slot in 0..strip.codes.len() {
        above.join(0, of_codes, slot);
    }
    let mut below = measured.nothing(1);
    let mut next = 0;
    cuts.iter()
        .map(|place| match &place.cut {
            Cut::Below(_) => {
                for slot in next..place.slot {
                    below.join(0, of_codes, slot);
                    above.part(0, of_codes, slot);
                }
                next = place.slot;
                measured.impurity(&below, 0) + measured.impurity(&above, 0)
            }
            cut => {
                let mut sums = measured.nothing(parts(cut));
                for (slot, code) in strip.codes.iter().enumerate() {
                    sums.join(part_of(cut, *code), of_codes, slot);
                }
                (0..parts(cut))
                    .map(|part| measured.impurity(&sums, part))
                    .sum()
            }
        })
        .collect()
}
