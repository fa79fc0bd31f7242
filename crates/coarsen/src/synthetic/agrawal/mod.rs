//! The synthetic table of Agrawal, Imielinski and Swami, "Database mining: a performance perspective", IEEE TKDE 5(6),
//! 1993, with the distributions of LeFevre, DeWitt and Ramakrishnan 2006, Figure 6, in column buffers of any length.
//!
//! Where the papers leave a choice: money is in whole cents, drawn evenly, so that `salary` and `loan` are continuous in
//! effect (13 and 50 million values) and still print in two decimals. Every column draws from a stream of its own: the
//! rows are the same whatever the chunk size, the functions and the constants, and noise leaves the labels alone.
//! Noise is the 1993 paper's (the public programs that descend from its C code double it); the result is kept within
//! the attribute's range, of which that paper does not speak.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::random::Random;

mod columns;
#[cfg(test)]
mod function_tests;
mod functions;
mod predicate;
#[cfg(test)]
mod tests;

pub use columns::{AgrawalColumns, AgrawalRow};
pub use functions::LabelFunction;

/// The nine attributes, in the order of the paper and of the released table.
pub const ATTRIBUTES: [&str; 9] = [
    "salary",
    "commission",
    "age",
    "elevel",
    "car",
    "zipcode",
    "hvalue",
    "hyears",
    "loan",
];

/// What to generate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AgrawalSettings {
    /// The label functions, 1 to 10, each at most once: a column of labels for each.
    pub functions: Vec<u8>,
    /// The same seed gives the same rows for ever.
    pub seed: u64,
    /// Draw the constants of functions 2 to 6 from the seed. Training and testing rows must then come from one
    /// generator, or they would follow different rules.
    pub random_constants: bool,
    /// The perturbation factor p, 0 to 1: after labelling, v becomes v + r·p·a, with r even in [−0.5, 0.5) and a the
    /// width of the attribute's range. `elevel`, `car` and `zipcode` are categories and stay; so does a commission of 0.
    pub noise: f64,
}

impl Default for AgrawalSettings {
    fn default() -> Self {
        AgrawalSettings {
            functions: vec![2],
            seed: 1,
            random_constants: false,
            noise: 0.0,
        }
    }
}

/// Why settings were refused.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum AgrawalError {
    /// A function that the paper does not have.
    #[error("there is no label function {0}: they are numbered 1 to 10")]
    UnknownFunction(u8),
    /// A function that was asked for twice.
    #[error("label function {0} is listed twice")]
    RepeatedFunction(u8),
    /// A factor that is not a share.
    #[error("noise is a factor from 0 to 1, not {0}")]
    Noise(f64),
}

/// The generator: an endless table, read some rows at a time.
///
/// ```
/// # use coarsen::synthetic::{Agrawal, AgrawalColumns, AgrawalSettings};
/// let settings = AgrawalSettings { functions: vec![2, 7], ..AgrawalSettings::default() };
/// let mut table = Agrawal::new(settings)?;
/// assert_eq!(table.column_names()[8..], ["loan", "group_2", "group_7"]);
/// let mut columns = AgrawalColumns::default();
/// table.next_rows(1000, &mut columns);
/// assert_eq!((columns.age.len(), columns.labels.len()), (1000, 2));
/// # Ok::<(), coarsen::synthetic::AgrawalError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Agrawal {
    functions: Vec<LabelFunction>,
    noise: f64,
    /// One stream an attribute, for the value and for its noise.
    values: [Random; 9],
    noises: [Random; 9],
}

/// Streams of a seed: the attributes', the noises', the functions'. They are part of the promise: never renumber them.
const VALUES: u64 = 100;
const NOISES: u64 = 200;
const CONSTANTS: u64 = 300;

impl Agrawal {
    /// A generator at its first row, if the settings make sense. No function at all is a table without labels.
    pub fn new(settings: AgrawalSettings) -> Result<Agrawal, AgrawalError> {
        let AgrawalSettings {
            functions: numbers,
            seed,
            random_constants,
            noise,
        } = settings;
        if !(0.0..=1.0).contains(&noise) {
            return Err(AgrawalError::Noise(noise));
        }
        let mut functions: Vec<LabelFunction> = Vec::with_capacity(numbers.len());
        for number in numbers {
            if functions.iter().any(|function| function.number() == number) {
                return Err(AgrawalError::RepeatedFunction(number));
            }
            let function = if random_constants {
                LabelFunction::drawn(
                    number,
                    &mut Random::stream(seed, CONSTANTS + u64::from(number)),
                )
            } else {
                LabelFunction::printed(number)
            };
            functions.push(function.ok_or(AgrawalError::UnknownFunction(number))?);
        }
        let streams = |first: u64| {
            std::array::from_fn(|attribute| Random::stream(seed, first + attribute as u64))
        };
        Ok(Agrawal {
            functions,
            noise,
            values: streams(VALUES),
            noises: streams(NOISES),
        })
    }

    /// The label functions with the constants in use.
    pub fn functions(&self) -> &[LabelFunction] {
        &self.functions
    }

    /// The names of all columns: the attributes, then `group`, or `group_2`, `group_7` and so on for several functions.
    pub fn column_names(&self) -> Vec<String> {
        let mut names: Vec<String> = ATTRIBUTES.iter().map(ToString::to_string).collect();
        match self.functions.as_slice() {
            [_] => names.push("group".to_string()),
            several => names.extend(
                several
                    .iter()
                    .map(|function| format!("group_{}", function.number())),
            ),
        }
        names
    }

    /// How a label is written: `A` for true, `B` for false.
    pub fn group_name(group_a: bool) -> &'static str {
        if group_a { "A" } else { "B" }
    }

    /// Passes over `rows` rows at once, so that parts of a table can be made apart.
    pub fn skip_rows(&mut self, rows: u64) {
        self.values
            .iter_mut()
            .chain(&mut self.noises)
            .for_each(|stream| stream.skip(rows));
    }

    /// Replaces what `out` holds by the next `n` rows; the buffers are reused.
    pub fn next_rows(&mut self, n: usize, out: &mut AgrawalColumns) {
        let [
            salary,
            commission,
            age,
            elevel,
            car,
            zipcode,
            hvalue,
            hyears,
            loan,
        ] = &mut self.values;
        refill(
            &mut out.salary,
            (0..n).map(|_| money(salary, 20_000, 150_000)),
        );
        let commissions = out.salary.iter().map(|&salary| {
            // Drawn in any case, for draws are counted by rows.
            let drawn = money(commission, 10_000, 75_000);
            if salary >= 75e3 { 0.0 } else { drawn }
        });
        refill(&mut out.commission, commissions);
        refill(&mut out.age, (0..n).map(|_| age.between(20, 80)));
        refill(&mut out.elevel, (0..n).map(|_| elevel.between(0, 4)));
        refill(&mut out.car, (0..n).map(|_| car.between(1, 20)));
        refill(&mut out.zipcode, (0..n).map(|_| zipcode.between(0, 9)));
        let hvalues = out
            .zipcode
            .iter()
            .map(|&zip| money(hvalue, zip * 50_000, zip * 150_000));
        refill(&mut out.hvalue, hvalues);
        refill(&mut out.hyears, (0..n).map(|_| hyears.between(1, 30)));
        refill(&mut out.loan, (0..n).map(|_| money(loan, 0, 500_000)));

        let mut labels = std::mem::take(&mut out.labels);
        labels.resize_with(self.functions.len(), Vec::new);
        for (function, column) in self.functions.iter().zip(&mut labels) {
            refill(
                column,
                (0..n).map(|place| function.group_a(&out.row(place))),
            );
        }
        out.labels = labels;
        if self.noise > 0.0 {
            self.perturb(out);
        }
    }

    fn perturb(&mut self, out: &mut AgrawalColumns) {
        let p = self.noise;
        let [salary, commission, age, _, _, _, hvalue, hyears, loan] = &mut self.noises;
        out.salary
            .iter_mut()
            .for_each(|v| *v = rounded(shifted(*v, 20e3, 150e3, p, salary)));
        for value in &mut out.commission {
            let moved = rounded(shifted(*value, 10e3, 75e3, p, commission));
            *value = if *value == 0.0 { 0.0 } else { moved };
        }
        out.age
            .iter_mut()
            .for_each(|v| *v = shifted(*v as f64, 20.0, 80.0, p, age).round() as i64);
        for (value, &zip) in out.hvalue.iter_mut().zip(&out.zipcode) {
            *value = rounded(shifted(
                *value,
                zip as f64 * 50e3,
                zip as f64 * 150e3,
                p,
                hvalue,
            ));
        }
        out.hyears
            .iter_mut()
            .for_each(|v| *v = shifted(*v as f64, 1.0, 30.0, p, hyears).round() as i64);
        out.loan
            .iter_mut()
            .for_each(|v| *v = rounded(shifted(*v, 0.0, 500e3, p, loan)));
    }
}

/// v + r·p·a, kept within the range.
fn shifted(value: f64, low: f64, high: f64, p: f64, random: &mut Random) -> f64 {
    (value + (random.unit() - 0.5) * p * (high - low)).clamp(low, high)
}

/// To whole cents.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// An amount in whole cents, both ends included.
#[inline]
fn money(random: &mut Random, low: i64, high: i64) -> f64 {
    random.between(100 * low, 100 * high) as f64 / 100.0
}

fn refill<T>(column: &mut Vec<T>, values: impl Iterator<Item = T>) {
    column.clear();
    column.extend(values);
}
