//! Whether a difference between two methods is more than chance, both having been tried on the same
//! rows: the paired t-test of seed 001 (section 4.4), corrected where training parts overlap (Nadeau
//! and Bengio 2003), and McNemar's exact test for a single hold-out part.

use serde::Serialize;

/// What a test says of a difference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Paired {
    /// The test.
    pub test: &'static str,
    /// How often the two were compared: rounds, or test rows.
    pub pairs: usize,
    /// The mean of the first less the second.
    pub difference: f64,
    /// How likely a difference at least this large is where there is none.
    pub p: f64,
}

/// A paired t-test. `overlap` is the test rows over the training rows of a round where rounds share
/// training rows, 0 where they are independent.
pub fn paired_t(differences: &[f64], overlap: f64) -> Paired {
    let pairs = differences.len();
    let count = pairs as f64;
    let difference = differences.iter().sum::<f64>() / count.max(1.0);
    let squares = differences
        .iter()
        .map(|d| (d - difference).powi(2))
        .sum::<f64>();
    let p = match (pairs, squares > 0.0) {
        (0 | 1, _) => 1.0,
        (_, false) if difference == 0.0 => 1.0,
        (_, false) => 0.0,
        _ => {
            let variance = squares / (count - 1.0);
            two_sided_t(
                difference / ((1.0 / count + overlap) * variance).sqrt(),
                count - 1.0,
            )
        }
    };
    Paired {
        test: match overlap > 0.0 {
            true => "paired t-test, corrected for shared training rows",
            false => "paired t-test",
        },
        pairs,
        difference,
        p,
    }
}

/// McNemar's exact test on the errors (0 or 1) of two methods for the same rows.
pub fn mcnemar(first: &[f64], second: &[f64]) -> Paired {
    let (mut only_first, mut only_second) = (0u64, 0u64);
    for (first, second) in first.iter().zip(second) {
        only_first += u64::from(first > second);
        only_second += u64::from(second > first);
    }
    let (all, fewer) = (only_first + only_second, only_first.min(only_second));
    // Twice the chance that so few of them, or fewer, fall on one side.
    let p = match all {
        0 => 1.0,
        _ => (2.0 * incomplete_beta((all - fewer) as f64, fewer as f64 + 1.0, 0.5)).min(1.0),
    };
    Paired {
        test: "McNemar's exact test",
        pairs: first.len(),
        difference: (only_first as f64 - only_second as f64) / first.len().max(1) as f64,
        p,
    }
}

/// How likely |t| or more is, by Student's distribution.
fn two_sided_t(t: f64, freedom: f64) -> f64 {
    incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))
}

/// The regularized incomplete beta function, by its continued fraction (Lentz's method).
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let factor = a * x.ln() + b * (1.0 - x).ln() + log_gamma(a + b) - log_gamma(a) - log_gamma(b);
    const TINY: f64 = 1e-300;
    let away = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut ratio = 1.0;
    let mut inverse = 1.0 / away(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = inverse;
    for step in 1..10_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            inverse = 1.0 / away(1.0 + term * inverse);
            ratio = away(1.0 + term / ratio);
            change = inverse * ratio;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    (factor.exp() * fraction / a).clamp(0.0, 1.0)
}

/// The logarithm of the gamma function for x > 0 (Stirling's series, after moving up).
fn log_gamma(x: f64) -> f64 {
    let (mut x, mut shift) = (x, 0.0);
    while x < 12.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let squared = x * x;
    let series =
        1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / 1680.0 / squared) / squared) / squared;
    shift + (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + series / x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// scipy.stats.ttest_1samp and binomtest gave the values.
    #[test]
    fn agrees_with_scipy() {
        let differences = [
            0.01, 0.03, -0.005, 0.02, 0.015, 0.0, 0.025, 0.01, 0.005, 0.02,
        ];
        let test = paired_t(&differences, 0.0);
        assert!((test.difference - 0.013).abs() < 1e-12);
        assert!((test.p - 0.004_907_503_576_86).abs() < 1e-9, "{}", test.p);
        // t is smaller by √((1/10 + 1/9) / (1/10)).
        let corrected = paired_t(&differences, 1.0 / 9.0);
        assert!(
            (corrected.p - 0.031_312_899_017_39).abs() < 1e-9,
            "{}",
            corrected.p
        );
        for (t, freedom, p) in [(2.0, 5.0, 0.101_939_479), (0.5, 30.0, 0.620_723_0)] {
            assert!((two_sided_t(t, freedom) - p).abs() < 1e-6);
        }

        // 12 rows wrong by the first only, 4 by the second only.
        let first: Vec<f64> = (0..30).map(|row| f64::from(u8::from(row < 12))).collect();
        let second: Vec<f64> = (0..30)
            .map(|row| f64::from(u8::from((12..16).contains(&row))))
            .collect();
        let test = mcnemar(&first, &second);
        assert!((test.p - 0.076_812_744_140_625).abs() < 1e-12, "{}", test.p);
        assert!((test.difference - 8.0 / 30.0).abs() < 1e-12);
    }

    #[test]
    fn no_difference_is_no_difference() {
        assert_eq!(paired_t(&[0.0; 5], 0.1).p, 1.0);
        assert_eq!(paired_t(&[0.1], 0.1).p, 1.0);
        assert_eq!(paired_t(&[0.5; 3], 0.0).p, 0.0);
        assert_eq!(mcnemar(&[1.0, 0.0], &[1.0, 0.0]).p, 1.0);
    }
}
