//! InfoGain and LSD Mondrian (seed 001, sections 3.1 to 3.3): the split after which the targets are
//! least mixed inside the parts, by entropy for categories and by squared deviation for quantities.
//!
//! Several targets add up by their weights, each measured against its own impurity in the whole table,
//! so that categories and quantities compare. Every threshold is looked at, not only those where the
//! label changes: without a constraint the best is among those, with one it need not be. Where all
//! splits are equally good (a pure region), the widest column's median decides, as in Median Mondrian.

use super::rule::{Collector, Rule};
use super::split::{Candidate, Context, Cut, Region, cuts, part_of, parts, rows_of_codes};
use crate::counts::Tally;
use crate::domain::Code;
use crate::problem::Problem;
use crate::workload::Target;

/// Two scores nearer than this are equal: they differ by the order of additions only.
const EQUAL: f64 = 1e-12;

pub(super) struct Targets {
    measures: Vec<Measured>,
}

/// A target with what its impurity is worth.
struct Measured {
    tally: usize,
    /// Weight by the impurity of the whole table.
    worth: f64,
    /// The value of each code, for quantities; `None` for categories.
    numbers: Option<Vec<Option<f64>>>,
    /// How many values a category has.
    labels: usize,
}

/// What is added up of a target over some rows.
#[derive(Clone, Default)]
struct Sums {
    rows: f64,
    labels: Vec<f64>,
    sum: f64,
    squares: f64,
}

impl Targets {
    /// The rule for these targets; `None` where none of them varies.
    pub fn of<'t>(problem: &Problem, targets: impl Iterator<Item = &'t Target>) -> Option<Self> {
        let mut measures = Vec::new();
        for target in targets.filter(|target| target.weight > 0.0) {
            let tally = &problem.counts.tallies()[target.tally];
            let domain = &tally.column().domain;
            let number = |code: Code| domain.low(code).and_then(|value| value.number());
            let size = domain.size();
            let mut measured = Measured {
                tally: target.tally,
                worth: 1.0,
                numbers: target
                    .numeric
                    .then(|| (0..size as Code).map(number).collect()),
                labels: size,
            };
            let mut all = measured.nothing();
            for combination in 0..problem.counts.combinations() {
                measured.add(&mut all, tally, combination);
            }
            let impurity = measured.impurity(&all);
            if impurity > 0.0 {
                measured.worth = target.weight / impurity;
                measures.push(measured);
            }
        }
        (!measures.is_empty()).then_some(Targets { measures })
    }
}

impl Measured {
    fn nothing(&self) -> Sums {
        let labels = if self.numbers.is_some() {
            0
        } else {
            self.labels
        };
        Sums {
            labels: vec![0.0; labels],
            ..Sums::default()
        }
    }

    fn add(&self, sums: &mut Sums, tally: &Tally, combination: usize) {
        for (value, rows) in tally.of(combination).iter() {
            let rows = rows as f64;
            match &self.numbers {
                None => {
                    sums.rows += rows;
                    sums.labels[value as usize] += rows;
                }
                Some(numbers) => {
                    if let Some(number) = numbers[value as usize] {
                        sums.rows += rows;
                        sums.sum += rows * number;
                        sums.squares += rows * number * number;
                    }
                }
            }
        }
    }

    /// Rows times entropy in bits, or the sum of squared deviations.
    fn impurity(&self, sums: &Sums) -> f64 {
        if sums.rows <= 0.0 {
            return 0.0;
        }
        match self.numbers {
            None => {
                let of_labels: f64 = sums.labels.iter().map(|rows| x_log_x(*rows)).sum();
                (x_log_x(sums.rows) - of_labels).max(0.0)
            }
            Some(_) => (sums.squares - sums.sum * sums.sum / sums.rows).max(0.0),
        }
    }
}

fn x_log_x(x: f64) -> f64 {
    if x > 0.0 { x * x.log2() } else { 0.0 }
}

impl Sums {
    fn join(&mut self, other: &Sums) {
        self.rows += other.rows;
        self.sum += other.sum;
        self.squares += other.squares;
        for (rows, more) in self.labels.iter_mut().zip(&other.labels) {
            *rows += more;
        }
    }

    fn without(&self, other: &Sums) -> Sums {
        Sums {
            rows: self.rows - other.rows,
            sum: self.sum - other.sum,
            squares: self.squares - other.squares,
            labels: self
                .labels
                .iter()
                .zip(&other.labels)
                .map(|(a, b)| a - b)
                .collect(),
        }
    }
}

impl Rule for Targets {
    fn candidates(&self, context: &Context<'_>, region: &Region<'_>) -> Vec<Candidate> {
        let rows = rows_of_codes(region);
        let tallies = context.problem.counts.tallies();
        let mut found = Collector::new(context);
        for column in 0..region.tile.len() {
            let cuts = cuts(context, region, column, &rows[column]);
            if cuts.is_empty() {
                continue;
            }
            let low = region.held[column].low;
            let mut scores = vec![0.0; cuts.len()];
            for measured in &self.measures {
                let mut of_codes = vec![measured.nothing(); rows[column].len()];
                for (codes, _, id) in region.rows.iter_with_ids() {
                    let here = &mut of_codes[(codes[column] - low) as usize];
                    measured.add(here, &tallies[measured.tally], id as usize);
                }
                for (score, impurity) in scores
                    .iter_mut()
                    .zip(impurities(measured, &of_codes, low, &cuts))
                {
                    *score += measured.worth * impurity;
                }
            }
            let width = context.columns[column].width(&region.held[column]);
            let mut before = 0;
            let mut next = 0;
            for (cut, score) in cuts.into_iter().zip(scores) {
                // Balance decides between thresholds of one column, width between columns.
                let unevenness = match &cut {
                    Cut::Below(at) => {
                        let end = (at - low) as usize;
                        before += rows[column][next..end].iter().sum::<u64>();
                        next = end;
                        (before as f64 / region.weight as f64 - 0.5).abs()
                    }
                    Cut::Into(_) => 0.0,
                };
                let score = (score / EQUAL).round() * EQUAL;
                found.add(Candidate {
                    column,
                    cut,
                    score,
                    then: unevenness - 2.0 * width,
                });
            }
        }
        found.finish()
    }
}

/// The impurity that each cut of a column leaves.
fn impurities(measured: &Measured, of_codes: &[Sums], low: Code, cuts: &[Cut]) -> Vec<f64> {
    let mut all = measured.nothing();
    for sums in of_codes {
        all.join(sums);
    }
    let mut before = measured.nothing();
    let mut next = 0;
    cuts.iter()
        .map(|cut| match cut {
            Cut::Below(at) => {
                let end = (at - low) as usize;
                for sums in &of_codes[next..end] {
                    before.join(sums);
                }
                next = end;
                measured.impurity(&before) + measured.impurity(&all.without(&before))
            }
            Cut::Into(_) => {
                let mut sums = vec![measured.nothing(); parts(cut)];
                for (i, here) in of_codes.iter().enumerate() {
                    sums[part_of(cut, low + i as Code)].join(here);
                }
                sums.iter().map(|part| measured.impurity(part)).sum()
            }
        })
        .collect()
}
