//! Which columns predict a target best, by the unreleased rows: a label by information gain, numbers
//! in bins that suit it; a quantity by the variance that knowing the column takes away, numbers in ten
//! equal parts (seed 001, section 4.7).

use crate::features::{Column, Target, UNKNOWN};
use crate::models::discretize::{bin, thresholds};

/// The places of the columns, the most predictive first; of equals the first.
pub fn most_predictive_first(columns: &[Column], target: &Target) -> Vec<usize> {
    let worth: Vec<f64> = columns.iter().map(|column| gain(column, target)).collect();
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by(|a, b| worth[*b].total_cmp(&worth[*a]).then(a.cmp(b)));
    order
}

fn gain(column: &Column, target: &Target) -> f64 {
    let codes = match column {
        Column::Categories { codes, .. } => codes.clone(),
        Column::Numbers(numbers) => {
            let cuts = match target {
                Target::Labels { codes, size } => thresholds(numbers, codes, *size),
                Target::Numbers(_) => tenths(numbers),
            };
            let code = |number: &f64| match number.is_nan() {
                true => UNKNOWN,
                false => bin(*number, &cuts),
            };
            numbers.iter().map(code).collect()
        }
    };
    let groups = codes
        .iter()
        .filter(|c| **c != UNKNOWN)
        .max()
        .map_or(0, |m| *m as usize + 1);
    // What is unknown is a group of its own.
    let group = |row: usize| (codes[row] as usize).min(groups);
    match target {
        Target::Labels {
            codes: labels,
            size,
        } => {
            let mut counts = vec![0u64; (groups + 1) * size];
            for (row, label) in labels.iter().enumerate() {
                counts[group(row) * size + *label as usize] += 1;
            }
            let within: f64 = counts.chunks(*size).map(bits).sum();
            let mut whole = vec![0u64; *size];
            for (place, count) in counts.iter().enumerate() {
                whole[place % size] += count;
            }
            bits(&whole) - within
        }
        Target::Numbers(numbers) => {
            let mut sums = vec![(0.0, 0.0); groups + 1];
            for (row, number) in numbers.iter().enumerate() {
                let sum = &mut sums[group(row)];
                *sum = (sum.0 + 1.0, sum.1 + number);
            }
            let held = sums.iter().filter(|sum| sum.0 > 0.0);
            let between: f64 = held.map(|(rows, sum)| sum * sum / rows).sum();
            let all: f64 = numbers.iter().sum();
            between - all * all / numbers.len().max(1) as f64
        }
    }
}

fn tenths(numbers: &[f64]) -> Vec<f64> {
    let mut known: Vec<f64> = numbers.iter().copied().filter(|n| !n.is_nan()).collect();
    known.sort_by(f64::total_cmp);
    let mut cuts: Vec<f64> = (1..10)
        .filter_map(|tenth| known.get(known.len() * tenth / 10).copied())
        .collect();
    cuts.dedup();
    cuts
}

/// Rows times entropy.
fn bits(rows: &[u64]) -> f64 {
    let total = rows.iter().sum::<u64>() as f64;
    let held = rows.iter().filter(|rows| **rows > 0);
    held.map(|rows| *rows as f64 * (total / *rows as f64).log2())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_more_comes_first() {
        let parity: Vec<u32> = (0..40).map(|row| row % 2).collect();
        let half: Vec<u32> = (0..40).map(|row| row / 20).collect();
        let columns = vec![
            Column::Categories {
                codes: parity.clone(),
                size: 2,
            },
            Column::Numbers((0..40).map(f64::from).collect()),
        ];
        let labels = |codes: &[u32]| Target::Labels {
            codes: codes.to_vec(),
            size: 2,
        };
        assert_eq!(most_predictive_first(&columns, &labels(&half)), [1, 0]);
        assert_eq!(most_predictive_first(&columns, &labels(&parity)), [0, 1]);
        let rising = Target::Numbers((0..40).map(f64::from).collect());
        assert_eq!(most_predictive_first(&columns, &rising), [1, 0]);
    }
}
