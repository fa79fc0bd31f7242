//! Numbers as categories for a given label: thresholds by least entropy, as many as pay for their own
//! description (Fayyad and Irani 1993). Weka's supervised discretization, which seed 001 uses for
//! naive Bayes.

/// The thresholds of a column of numbers for a column of labels, in rising order; none where nothing
/// is gained.
pub fn thresholds(numbers: &[f64], labels: &[u32], size: usize) -> Vec<f64> {
    let mut order: Vec<(f64, u32)> = numbers
        .iter()
        .zip(labels)
        .filter(|(number, _)| !number.is_nan())
        .map(|(number, label)| (*number, *label))
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut found = Vec::new();
    part(&order, size.max(1), &mut found);
    found.sort_by(f64::total_cmp);
    found
}

/// The bin of a number among thresholds: a threshold belongs to the bin below it.
pub fn bin(number: f64, thresholds: &[f64]) -> u32 {
    thresholds.partition_point(|threshold| *threshold < number) as u32
}

fn entropy(rows: &[u64]) -> (f64, u32) {
    let total: u64 = rows.iter().sum();
    let held = rows.iter().filter(|rows| **rows > 0);
    let bits = held.clone().map(|rows| {
        let share = *rows as f64 / total as f64;
        -share * share.log2()
    });
    (bits.sum(), held.count() as u32)
}

fn part(order: &[(f64, u32)], size: usize, found: &mut Vec<f64>) {
    let mut all = vec![0u64; size];
    for (_, label) in order {
        all[*label as usize] += 1;
    }
    let (mixed, labels) = entropy(&all);
    if labels < 2 {
        return;
    }
    let total = order.len() as f64;
    let mut below = vec![0u64; size];
    let mut best: Option<(f64, usize, f64)> = None;
    for place in 0..order.len() - 1 {
        below[order[place].1 as usize] += 1;
        if order[place].0 == order[place + 1].0 {
            continue;
        }
        let above: Vec<u64> = all
            .iter()
            .zip(&below)
            .map(|(all, below)| all - below)
            .collect();
        let low = place as f64 + 1.0;
        let ((in_low, labels_low), (in_high, labels_high)) = (entropy(&below), entropy(&above));
        let left = (low * in_low + (total - low) * in_high) / total;
        if best.is_none_or(|(least, _, _)| left < least - 1e-12) {
            // What it costs to describe the cut beside what it saves.
            let delta = (3f64.powi(labels as i32) - 2.0).log2()
                - (f64::from(labels) * mixed
                    - f64::from(labels_low) * in_low
                    - f64::from(labels_high) * in_high);
            best = Some((left, place, delta));
        }
    }
    let Some((left, place, delta)) = best else {
        return;
    };
    if mixed - left <= ((total - 1.0).log2() + delta) / total {
        return;
    }
    found.push((order[place].0 + order[place + 1].0) / 2.0);
    part(&order[..=place], size, found);
    part(&order[place + 1..], size, found);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clear_border_is_found_and_noise_is_not() {
        let numbers: Vec<f64> = (0..40).map(f64::from).collect();
        let labels: Vec<u32> = (0..40).map(|i| u32::from((10..25).contains(&i))).collect();
        assert_eq!(thresholds(&numbers, &labels, 2), [9.5, 24.5]);
        let noise: Vec<u32> = (0..40).map(|i| i % 2).collect();
        assert!(thresholds(&numbers, &noise, 2).is_empty());
        assert!(thresholds(&[1.0, 1.0], &[0, 1], 2).is_empty());
        assert!(thresholds(&[], &[], 2).is_empty());
        assert_eq!(
            [9.0, 9.5, 9.6, 30.0].map(|n| bin(n, &[9.5, 24.5])),
            [0, 0, 1, 2]
        );
    }
}
