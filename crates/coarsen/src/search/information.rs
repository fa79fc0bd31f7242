//! What a block of a column tells about the targets, and what is lost when blocks become one: I(G) of
//! Wang, Yu and Chakraborty 2004 (seed 003, section 3), which Fung, Wang and Yu 2005 read the other
//! way round as the gain of a split.
//!
//! The paper has the entropy of one class label. Here an impurity may also be Gini's; several targets
//! count by their weights; a target that is a quantity has its variance, over that of the whole table,
//! for an impurity. Without a target there is nothing to keep, and the increase of LM takes its place.

use serde::{Deserialize, Serialize};

use crate::counts::Counts;
use crate::domain::Code;
use crate::problem::Problem;

/// How the information of a block is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Measure {
    /// The targets' entropy, in bits.
    #[default]
    Entropy,
    /// The targets' Gini impurity.
    Gini,
    /// What LM goes up by, targets left aside.
    Lm,
    /// Every step is as good as another: only anonymity counts.
    None,
}

/// The rows of a block, and how its targets' values are mixed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Mix {
    pub rows: u64,
    /// For each target, its values with their rows, rising.
    targets: Vec<Vec<(Code, u64)>>,
}

impl Mix {
    /// The mix of several blocks together.
    pub fn sum<'a>(mixes: impl Iterator<Item = &'a Mix>) -> Mix {
        let mut sum = Mix::default();
        for mix in mixes {
            sum.rows += mix.rows;
            sum.targets.resize(mix.targets.len(), Vec::new());
            for (whole, part) in sum.targets.iter_mut().zip(&mix.targets) {
                whole.extend_from_slice(part);
            }
        }
        for values in &mut sum.targets {
            values.sort_unstable_by_key(|(value, _)| *value);
            values.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                if same {
                    kept.1 += next.1;
                }
                same
            });
        }
        sum
    }
}

struct Target {
    tally: usize,
    weight: f64,
    /// The values as numbers and the variance of all rows, for a quantity.
    numbers: Option<(Vec<Option<f64>>, f64)>,
}

/// Measures mixes for one problem.
pub(super) struct Judge {
    pub measure: Measure,
    targets: Vec<Target>,
}

impl Judge {
    pub fn new(problem: &Problem, measure: Measure) -> Self {
        let tallies = problem.counts.tallies();
        let weighed = problem.workload.targets.iter().filter(|t| t.weight > 0.0);
        let targets: Vec<Target> = weighed
            .map(|target| {
                let domain = &tallies[target.tally].column().domain;
                let numbers = target.numeric.then(|| {
                    let number = |code| domain.low(code).and_then(|value| value.number());
                    let numbers: Vec<_> = (0..domain.size() as Code).map(number).collect();
                    let whole = tallies[target.tally].whole();
                    let whole: Vec<(Code, u64)> = whole.of(0).iter().collect();
                    let spread = variance(&whole, &numbers);
                    (numbers, spread)
                });
                Target {
                    tally: target.tally,
                    weight: target.weight,
                    numbers,
                }
            })
            .collect();
        let measure = match measure {
            Measure::Entropy | Measure::Gini if targets.is_empty() => Measure::Lm,
            measure => measure,
        };
        Judge { measure, targets }
    }

    /// The mix of each code of a column.
    pub fn mixes(&self, counts: &Counts, column: usize, size: usize) -> Vec<Mix> {
        let mut mixes: Vec<Mix> = counts
            .marginal(column, size)
            .into_iter()
            .map(|rows| Mix {
                rows,
                targets: Vec::with_capacity(self.targets.len()),
            })
            .collect();
        for target in &self.targets {
            let tally = &counts.tallies()[target.tally];
            let mut held: Vec<Vec<(Code, u64)>> = vec![Vec::new(); size];
            // A column at a time, so that this table stays as small as one domain by another.
            let width = tally.column().domain.size();
            let mut table = vec![0u64; size * width];
            for (combination, code) in counts.codes(column).iter().enumerate() {
                for (value, rows) in tally.of(combination).iter() {
                    table[*code as usize * width + value as usize] += rows;
                }
            }
            for (place, rows) in table.into_iter().enumerate().filter(|(_, rows)| *rows > 0) {
                held[place / width].push(((place % width) as Code, rows));
            }
            for (mix, held) in mixes.iter_mut().zip(held) {
                mix.targets.push(held);
            }
        }
        mixes
    }

    /// Info(R): the weighted mean impurity of the targets.
    pub fn impurity(&self, mix: &Mix) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (target, values) in self.targets.iter().zip(&mix.targets) {
            let each = match (&target.numbers, self.measure) {
                (Some((_, whole)), _) if *whole <= 0.0 => 0.0,
                (Some((numbers, whole)), _) => variance(values, numbers) / whole,
                (None, Measure::Gini) => gini(values),
                (None, _) => entropy(values),
            };
            sum += target.weight * each;
            weights += target.weight;
        }
        if weights > 0.0 { sum / weights } else { 0.0 }
    }

    /// I(G): what is lost when the parts become the whole, in which no row is new.
    pub fn lost<'a>(&self, whole: &Mix, parts: impl Iterator<Item = &'a Mix>) -> f64 {
        if whole.rows == 0 {
            return 0.0;
        }
        let within: f64 = parts
            .map(|part| part.rows as f64 / whole.rows as f64 * self.impurity(part))
            .sum();
        // An impurity is concave: what is below 0 is rounding.
        (self.impurity(whole) - within).max(0.0)
    }
}

fn entropy(values: &[(Code, u64)]) -> f64 {
    let total: u64 = values.iter().map(|(_, rows)| rows).sum();
    let each = values.iter().map(|(_, rows)| *rows as f64 / total as f64);
    each.map(|share| -share * share.log2()).sum()
}

fn gini(values: &[(Code, u64)]) -> f64 {
    let total: u64 = values.iter().map(|(_, rows)| rows).sum();
    if total == 0 {
        return 0.0;
    }
    let each = values.iter().map(|(_, rows)| *rows as f64 / total as f64);
    1.0 - each.map(|share| share * share).sum::<f64>()
}

/// The variance of the values that are numbers.
fn variance(values: &[(Code, u64)], numbers: &[Option<f64>]) -> f64 {
    let known = || {
        values
            .iter()
            .filter_map(|(value, rows)| Some((numbers[*value as usize]?, *rows as f64)))
    };
    let total: f64 = known().map(|(_, rows)| rows).sum();
    if total == 0.0 {
        return 0.0;
    }
    let mean = known().map(|(x, rows)| x * rows).sum::<f64>() / total;
    known()
        .map(|(x, rows)| rows * (x - mean).powi(2))
        .sum::<f64>()
        / total
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(measure: Measure) -> Judge {
        let target = Target {
            tally: 0,
            weight: 1.0,
            numbers: None,
        };
        Judge {
            measure,
            targets: vec![target],
        }
    }

    fn mix(yes: u64, no: u64) -> Mix {
        let both = [(0, yes), (1, no)]
            .into_iter()
            .filter(|(_, rows)| *rows > 0);
        Mix {
            rows: yes + no,
            targets: vec![both.collect()],
        }
    }

    #[test]
    fn merging_pure_blocks_of_two_kinds_loses_a_bit() {
        let (yes, no) = (mix(4, 0), mix(0, 4));
        let whole = Mix::sum([&yes, &no].into_iter());
        assert_eq!(whole, mix(4, 4));
        let lost = |measure| judge(measure).lost(&whole, [&yes, &no].into_iter());
        assert_eq!(lost(Measure::Entropy), 1.0);
        assert_eq!(lost(Measure::Gini), 0.5);
        // Alike blocks lose nothing, and neither do blocks without rows.
        let two = Mix::sum([&yes, &yes].into_iter());
        assert_eq!(
            judge(Measure::Entropy).lost(&two, [&yes, &yes].into_iter()),
            0.0
        );
        let none = mix(0, 0);
        assert_eq!(
            judge(Measure::Gini).lost(&none, [&none, &none].into_iter()),
            0.0
        );
    }

    #[test]
    fn a_quantity_is_as_impure_as_it_spreads() {
        // 0 and 10, equally often, of the whole table's variance 50.
        let numbers = [Some(0.0), Some(10.0), None];
        assert_eq!(variance(&[(0, 3), (1, 3), (2, 9)], &numbers), 25.0);
        let target = Target {
            tally: 0,
            weight: 2.0,
            numbers: Some((numbers.to_vec(), 50.0)),
        };
        let judge = Judge {
            measure: Measure::Entropy,
            targets: vec![target],
        };
        assert_eq!(judge.impurity(&mix(3, 3)), 0.5);
        assert_eq!(judge.impurity(&mix(3, 0)), 0.0);
    }
}
