//! The ten label functions of Agrawal, Imielinski and Swami, "Database mining: a performance perspective", IEEE TKDE
//! 5(6), 1993, of which LeFevre et al. 2006 prints 2, 4, 6 and 7 (Figure 6) and varies the constants of 2 to 6 at
//! random (sections 4.3 and 4.5). They are data, not ten pieces of code: four shapes and their constants.
//!
//! LeFevre et al. vary the constants "independently at random over the range of the attribute" and say no more. Here
//! each function has its own constants (the age limits of function 2 are not those of function 4); two limits are drawn
//! evenly, in whole units, and put in order; a set of education levels, always consecutive in the paper, is a range too.

use super::AgrawalRow;
use crate::synthetic::random::Random;

/// One label function with its constants: true is group A.
///
/// With `K` for thousands, `salary ∈ [50K, 100K]` closed at both ends, `?:` as in C, and
/// `base = 0.67 × (salary + commission)`:
///
/// | function | group A |
/// | --- | --- |
/// | 1 | `age < 40 ∨ age ≥ 60` |
/// | 2 | `age < 40 ∧ salary ∈ [50K, 100K]` ∨ `40 ≤ age < 60 ∧ salary ∈ [75K, 125K]` ∨ `age ≥ 60 ∧ salary ∈ [25K, 75K]` |
/// | 3 | `age < 40 ∧ elevel ∈ [0, 1]` ∨ `40 ≤ age < 60 ∧ elevel ∈ [1, 3]` ∨ `age ≥ 60 ∧ elevel ∈ [2, 4]` |
/// | 4 | `age < 40 ∧ (elevel ∈ [0, 1] ? salary ∈ [25K, 75K] : salary ∈ [50K, 100K])` ∨ `40 ≤ age < 60 ∧ (elevel ∈ [1, 3] ? salary ∈ [50K, 100K] : salary ∈ [75K, 125K])` ∨ `age ≥ 60 ∧ (elevel ∈ [2, 4] ? salary ∈ [50K, 100K] : salary ∈ [25K, 75K])` |
/// | 5 | `age < 40 ∧ (salary ∈ [50K, 100K] ? loan ∈ [100K, 300K] : loan ∈ [200K, 400K])` ∨ `40 ≤ age < 60 ∧ (salary ∈ [75K, 125K] ? loan ∈ [200K, 400K] : loan ∈ [300K, 500K])` ∨ `age ≥ 60 ∧ (salary ∈ [25K, 75K] ? loan ∈ [300K, 500K] : loan ∈ [100K, 300K])` |
/// | 6 | as 2, with `salary + commission` in place of `salary` |
/// | 7 | `base − 0.2 × loan − 20K > 0` |
/// | 8 | `base − 5K × elevel − 20K > 0` |
/// | 9 | `base − 5K × elevel − 0.2 × loan − 10K > 0` |
/// | 10 | `base − 5K × elevel + 0.2 × equity − 10K > 0`, `equity = hyears < 20 ? 0 : 0.1 × hvalue × (hyears − 20)` |
///
/// Its `Display` is the predicate with the constants in use, in the words of a selection:
///
/// ```
/// # use coarsen::synthetic::LabelFunction;
/// let first = LabelFunction::printed(1).expect("there is a function 1");
/// assert_eq!(first.to_string(), "age < 40 or age >= 60");
/// assert!(LabelFunction::printed(11).is_none());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LabelFunction {
    number: u8,
    pub(super) shape: Shape,
}

/// A closed range.
pub(super) type Range = [f64; 2];

/// The four shapes. Three ranges are those of the three age bands, the youngest first.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// Function 1: outside the middle band.
    Outside { ages: Range },
    /// 2, 3, 6: the band's range holds the measure.
    Plain {
        ages: Range,
        measure: Measure,
        within: [Range; 3],
    },
    /// 4, 5: which range must hold the measure hangs on another one.
    Nested {
        ages: Range,
        test: Measure,
        when: [Range; 3],
        measure: Measure,
        then: [Range; 3],
        otherwise: [Range; 3],
    },
    /// 7 to 10: what is left of an income.
    Disposable {
        elevel: f64,
        loan: f64,
        equity: f64,
        fixed: f64,
    },
}

/// What a range is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Measure {
    Salary,
    Income,
    Elevel,
    Loan,
}

impl Measure {
    fn of(self, row: &AgrawalRow) -> f64 {
        match self {
            Measure::Salary => row.salary,
            Measure::Income => row.salary + row.commission,
            Measure::Elevel => row.elevel as f64,
            Measure::Loan => row.loan,
        }
    }

    /// Over which random constants are drawn. An income is at least 20,000 with a commission of 10,000.
    pub(super) fn limits(self) -> (i64, i64) {
        match self {
            Measure::Salary => (20_000, 150_000),
            Measure::Income => (30_000, 150_000),
            Measure::Elevel => (0, 4),
            Measure::Loan => (0, 500_000),
        }
    }
}

const AGES: Range = [40.0, 60.0];
const SALARIES: [Range; 3] = [[50e3, 100e3], [75e3, 125e3], [25e3, 75e3]];
const LEVELS: [Range; 3] = [[0.0, 1.0], [1.0, 3.0], [2.0, 4.0]];

impl LabelFunction {
    /// Function `number`, 1 to 10, with the constants that the paper prints; none for another number.
    pub fn printed(number: u8) -> Option<LabelFunction> {
        let plain = |measure, within| Shape::Plain {
            ages: AGES,
            measure,
            within,
        };
        let disposable = |elevel, loan, equity, fixed| Shape::Disposable {
            elevel,
            loan,
            equity,
            fixed,
        };
        let shape = match number {
            1 => Shape::Outside { ages: AGES },
            2 => plain(Measure::Salary, SALARIES),
            3 => plain(Measure::Elevel, LEVELS),
            4 => Shape::Nested {
                ages: AGES,
                test: Measure::Elevel,
                when: LEVELS,
                measure: Measure::Salary,
                then: [[25e3, 75e3], [50e3, 100e3], [50e3, 100e3]],
                otherwise: [[50e3, 100e3], [75e3, 125e3], [25e3, 75e3]],
            },
            5 => Shape::Nested {
                ages: AGES,
                test: Measure::Salary,
                when: SALARIES,
                measure: Measure::Loan,
                then: [[100e3, 300e3], [200e3, 400e3], [300e3, 500e3]],
                otherwise: [[200e3, 400e3], [300e3, 500e3], [100e3, 300e3]],
            },
            6 => plain(Measure::Income, SALARIES),
            7 => disposable(0.0, -0.2, 0.0, -20e3),
            8 => disposable(-5e3, 0.0, 0.0, -20e3),
            9 => disposable(-5e3, -0.2, 0.0, -10e3),
            10 => disposable(-5e3, 0.0, 0.2, -10e3),
            _ => return None,
        };
        Some(LabelFunction { number, shape })
    }

    /// Function `number` with the constants of 2 to 6 drawn at random; the others as printed, as in the paper.
    pub fn drawn(number: u8, random: &mut Random) -> Option<LabelFunction> {
        let mut function = LabelFunction::printed(number)?;
        match &mut function.shape {
            Shape::Plain {
                ages,
                measure,
                within,
            } => {
                draw(ages, (20, 80), random);
                within
                    .iter_mut()
                    .for_each(|range| draw(range, measure.limits(), random));
            }
            Shape::Nested {
                ages,
                test,
                when,
                measure,
                then,
                otherwise,
            } => {
                draw(ages, (20, 80), random);
                when.iter_mut()
                    .for_each(|range| draw(range, test.limits(), random));
                then.iter_mut()
                    .chain(otherwise)
                    .for_each(|range| draw(range, measure.limits(), random));
            }
            Shape::Outside { .. } | Shape::Disposable { .. } => {}
        }
        Some(function)
    }

    /// The function's number in the paper.
    pub fn number(&self) -> u8 {
        self.number
    }

    /// Whether the row belongs to group A.
    #[inline]
    pub fn group_a(&self, row: &AgrawalRow) -> bool {
        match &self.shape {
            Shape::Outside { ages } => band(ages, row) != 1,
            Shape::Plain {
                ages,
                measure,
                within,
            } => holds(&within[band(ages, row)], measure.of(row)),
            Shape::Nested {
                ages,
                test,
                when,
                measure,
                then,
                otherwise,
            } => {
                let band = band(ages, row);
                let branch = if holds(&when[band], test.of(row)) {
                    then
                } else {
                    otherwise
                };
                holds(&branch[band], measure.of(row))
            }
            Shape::Disposable {
                elevel,
                loan,
                equity,
                fixed,
            } => {
                let owned = if row.hyears < 20 {
                    0.0
                } else {
                    0.1 * row.hvalue * (row.hyears - 20) as f64
                };
                let base = 0.67 * (row.salary + row.commission);
                base + elevel * row.elevel as f64 + loan * row.loan + equity * owned + fixed > 0.0
            }
        }
    }
}

/// 0 below the first age, 1 from it to below the second, 2 from there on.
#[inline]
fn band(ages: &Range, row: &AgrawalRow) -> usize {
    let age = row.age as f64;
    usize::from(age >= ages[0]) + usize::from(age >= ages[1])
}

#[inline]
fn holds(range: &Range, value: f64) -> bool {
    range[0] <= value && value <= range[1]
}

fn draw(range: &mut Range, (low, high): (i64, i64), random: &mut Random) {
    let (one, other) = (random.between(low, high), random.between(low, high));
    *range = [one.min(other) as f64, one.max(other) as f64];
}
