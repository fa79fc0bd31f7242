//! What is added up of a target over some rows, and how mixed it is: entropy for categories, squared
//! deviation for quantities (seed 001, sections 3.1 and 3.2).
//!
//! Everything that is added is a whole number, so that the order of rows, which differs between
//! threads and between passes over a table, makes no difference: quantities are measured in steps of
//! 2⁻⁴⁵ of their range.

use crate::domain::Code;
use crate::problem::Problem;
use crate::workload::Target;

/// Steps from the least number of a target to the greatest.
const STEPS: f64 = (1u64 << 45) as f64;
/// Logarithms of smaller numbers are looked up.
const TABLE: usize = 1 << 16;

/// A target with what its impurity is worth.
pub(super) struct Measured {
    /// Its place among the tallied columns.
    pub tally: usize,
    /// Weight by the impurity of the whole table.
    pub worth: f64,
    kind: Kind,
    /// x·log₂ x for small x.
    logs: Vec<f64>,
}

enum Kind {
    /// So many categories.
    Labels(usize),
    /// The number of steps of each code; none for what is no number.
    Steps(Vec<Option<u64>>),
}

/// Sums over rows, in one or several slots.
#[derive(Clone, Debug)]
pub(super) enum Sums {
    /// The rows of each category, slot by slot.
    Labels { width: usize, rows: Vec<u64> },
    /// Moments of each slot.
    Moments(Vec<Moments>),
}

/// How many numbers, their sum and that of their squares.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    rows: u64,
    sum: u128,
    squares: u128,
}

impl Measured {
    /// These targets as they are measured; those that do not vary are left out.
    pub fn of<'t>(problem: &Problem, targets: impl Iterator<Item = &'t Target>) -> Vec<Self> {
        let measure = |target: &'t Target| {
            let tally = &problem.counts.tallies()[target.tally];
            let domain = &tally.column().domain;
            let size = domain.size();
            let number = |code: Code| domain.low(code).and_then(|value| value.number());
            let numbers = || (0..size as Code).filter_map(number);
            let (low, high) = numbers().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), n| {
                (l.min(n), h.max(n))
            });
            let steps = |code: Code| {
                let share = (number(code)? - low) / (high - low).max(f64::MIN_POSITIVE);
                Some((share.clamp(0.0, 1.0) * STEPS).round() as u64)
            };
            let logs = (problem.counts.total() as usize + 1).min(TABLE);
            let mut measured = Measured {
                tally: target.tally,
                worth: 1.0,
                kind: match target.numeric {
                    true => Kind::Steps((0..size as Code).map(steps).collect()),
                    false => Kind::Labels(size),
                },
                logs: (0..logs).map(|x| x_log_x(x as f64)).collect(),
            };
            let mut all = measured.nothing(1);
            for (value, rows) in tally.whole().of(0).iter() {
                measured.add(&mut all, 0, value, rows);
            }
            let impurity = measured.impurity(&all, 0);
            measured.worth = target.weight / impurity;
            (impurity > 0.0).then_some(measured)
        };
        targets
            .filter(|target| target.weight > 0.0)
            .filter_map(measure)
            .collect()
    }

    /// Sums of nothing, in so many slots.
    pub fn nothing(&self, slots: usize) -> Sums {
        match &self.kind {
            Kind::Labels(width) => Sums::Labels {
                width: *width,
                rows: vec![0; slots * width],
            },
            Kind::Steps(_) => Sums::Moments(vec![Moments::default(); slots]),
        }
    }

    /// The bytes that the sums of one slot take.
    pub fn bytes(&self) -> u64 {
        match &self.kind {
            Kind::Labels(width) => 8 * *width as u64,
            Kind::Steps(_) => size_of::<Moments>() as u64,
        }
    }

    /// Adds rows with one value.
    pub fn add(&self, sums: &mut Sums, slot: usize, value: Code, rows: u64) {
        match (sums, &self.kind) {
            (Sums::Labels { width, rows: sums }, _) => sums[slot * *width + value as usize] += rows,
            (Sums::Moments(moments), Kind::Steps(steps)) => {
                if let Some(steps) = steps[value as usize] {
                    let (steps, count) = (u128::from(steps), u128::from(rows));
                    let moments = &mut moments[slot];
                    moments.rows += rows;
                    moments.sum += steps * count;
                    moments.squares += steps * steps * count;
                }
            }
            (Sums::Moments(_), Kind::Labels(_)) => {
                unreachable!("sums are made by the target that they are of")
            }
        }
    }

    /// Rows times entropy in bits, or the sum of squared deviations in shares of the range.
    pub fn impurity(&self, sums: &Sums, slot: usize) -> f64 {
        match sums {
            Sums::Labels { width, rows } => {
                let rows = &rows[slot * width..(slot + 1) * width];
                let of_labels: f64 = rows.iter().map(|rows| self.x_log_x(*rows)).sum();
                (self.x_log_x(rows.iter().sum()) - of_labels).max(0.0)
            }
            Sums::Moments(moments) => {
                let Moments { rows, sum, squares } = moments[slot];
                if rows == 0 {
                    return 0.0;
                }
                let (sum, squares) = (sum as f64 / STEPS, squares as f64 / (STEPS * STEPS));
                (squares - sum * sum / rows as f64).max(0.0)
            }
        }
    }

    fn x_log_x(&self, x: u64) -> f64 {
        match self.logs.get(x as usize) {
            Some(known) => *known,
            None => x_log_x(x as f64),
        }
    }
}

fn x_log_x(x: f64) -> f64 {
    if x > 0.0 { x * x.log2() } else { 0.0 }
}

impl Sums {
    /// Adds one slot of others to one of these.
    pub fn join(&mut self, slot: usize, other: &Sums, from: usize) {
        match (self, other) {
            (Sums::Labels { width, rows }, Sums::Labels { rows: more, .. }) => {
                let more = &more[from * *width..(from + 1) * *width];
                for (rows, more) in rows[slot * *width..].iter_mut().zip(more) {
                    *rows += more;
                }
            }
            (Sums::Moments(moments), Sums::Moments(more)) => {
                let (moments, more) = (&mut moments[slot], &more[from]);
                moments.rows += more.rows;
                moments.sum += more.sum;
                moments.squares += more.squares;
            }
            _ => unreachable!("both are sums of one target"),
        }
    }

    /// Moves one slot of others out of one of these.
    pub fn part(&mut self, slot: usize, other: &Sums, from: usize) {
        match (self, other) {
            (Sums::Labels { width, rows }, Sums::Labels { rows: less, .. }) => {
                let less = &less[from * *width..(from + 1) * *width];
                for (rows, less) in rows[slot * *width..].iter_mut().zip(less) {
                    *rows -= less;
                }
            }
            (Sums::Moments(moments), Sums::Moments(less)) => {
                let (moments, less) = (&mut moments[slot], &less[from]);
                moments.rows -= less.rows;
                moments.sum -= less.sum;
                moments.squares -= less.squares;
            }
            _ => unreachable!("both are sums of one target"),
        }
    }
}
