//! Iyengar's regression metric (seed 000, section 3): how much of a numeric target's dispersion is
//! left inside the classes.
//!
//! Dispersion is the squared deviation from the mean or the absolute deviation from the median, as
//! the workload says. The paper does not say what a suppressed row costs: here it keeps its deviation
//! from the whole table's centre, as if nothing were known of it. So 0 is classes of equal numbers
//! and 1 is one class of everything, or all rows suppressed. A missing target has no deviation; a bin
//! counts as its middle. A column that does not vary costs nothing. Several targets: their weighted
//! mean, which is the paper's weighted sum over the sum of the weights.

use super::{Loss, LossEntry, mean_of_targets};
use crate::counts::{Classes, TallyView};
use crate::domain::{Code, Domain, Value};
use crate::problem::Problem;
use crate::workload::{Dispersion, Workload};

#[derive(Debug)]
struct Regression;

pub(super) const ENTRY: LossEntry = LossEntry {
    name: "regression",
    summary: "the share of a numeric target's dispersion that is left inside the classes: 0 is classes of equal numbers, 1 is no classes at all",
    formula: "Σ_E dispersion(E) / dispersion(table), by squared deviation from the mean or absolute deviation from the median",
    source: "Iyengar 2002, section 3",
    additive: true,
    loss: &Regression,
};

impl Loss for Regression {
    fn cost(&self, problem: &Problem, classes: &Classes) -> Option<f64> {
        let dispersion = problem.workload.dispersion;
        let (_, pool) = classes.pool();
        mean_of_targets(problem.workload.quantities(), |target| {
            let tally = &problem.counts.tallies()[target.tally];
            let domain = &tally.column().domain;
            let numbers: Vec<Option<f64>> = (0..domain.size() as Code)
                .map(|code| number(domain, code))
                .collect();
            let whole = tally.whole();
            let table = centre(whole.of(0), &numbers, dispersion);
            let most = around(whole.of(0), &numbers, table, dispersion);
            if most == 0.0 {
                return 0.0;
            }
            let suppressed = around(pool[target.tally].of(0), &numbers, table, dispersion);
            let released = classes.released().map(|class| {
                let values = classes.class(class).tally(target.tally);
                around(
                    values,
                    &numbers,
                    centre(values, &numbers, dispersion),
                    dispersion,
                )
            });
            (released.sum::<f64>() + suppressed) / most
        })
    }

    fn unfit(&self, workload: &Workload) -> Option<String> {
        let fits = workload.quantities().next().is_some();
        (!fits).then(|| {
            "it needs a target of numbers or dates; give such a column role = \"target\""
                .to_string()
        })
    }
}

/// The number behind a code.
fn number(domain: &Domain, code: Code) -> Option<f64> {
    let low = domain.low(code).and_then(Value::number)?;
    let high = domain.high(code).and_then(Value::number)?;
    Some(low + (high - low) / 2.0)
}

/// The mean or the median of the numbers; 0 where there is none.
fn centre(values: TallyView<'_>, numbers: &[Option<f64>], dispersion: Dispersion) -> f64 {
    let mut known: Vec<(f64, u64)> = values
        .iter()
        .filter_map(|(code, rows)| Some((numbers[code as usize]?, rows)))
        .collect();
    let total: u64 = known.iter().map(|(_, rows)| rows).sum();
    if total == 0 {
        return 0.0;
    }
    match dispersion {
        Dispersion::Variance => {
            known.iter().map(|(x, rows)| x * *rows as f64).sum::<f64>() / total as f64
        }
        Dispersion::AbsoluteDeviation => {
            known.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            // Every point between the two middle rows is as good; this is the lower of them.
            let mut before = 0;
            let median = known.iter().find(|(_, rows)| {
                before += rows;
                before * 2 >= total
            });
            median.expect("some row is in the middle").0
        }
    }
}

/// The numbers' dispersion around a point.
fn around(
    values: TallyView<'_>,
    numbers: &[Option<f64>],
    centre: f64,
    dispersion: Dispersion,
) -> f64 {
    values
        .iter()
        .filter_map(|(code, rows)| {
            let off = numbers[code as usize]? - centre;
            let cost = match dispersion {
                Dispersion::Variance => off * off,
                Dispersion::AbsoluteDeviation => off.abs(),
            };
            Some(cost * rows as f64)
        })
        .sum()
}
