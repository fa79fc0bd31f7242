//! The risk of being recognized, row by row, from the sizes of the classes.
//!
//! Three attackers are told apart, as is usual in disclosure control (El Emam and Dankar 2008). A
//! *prosecutor* knows that a person is in the release: the risk of a row is one over the size of its
//! class. A *journalist* looks for anybody at all in a population of which the release is a sample:
//! one over the number of people whom the class's labels cover. A *marketer* wants as many rows as
//! possible: the share of rows that are recognized on average.

use serde::Serialize;

use super::Population;
use crate::counts::Counts;

/// The threshold of [`Risk::at_risk`] where no requirement gives a k.
pub const THRESHOLD: f64 = 0.2;

/// The sizes at which the buckets of a histogram of classes begin.
const BUCKETS: [u64; 8] = [1, 2, 3, 5, 10, 20, 50, 100];

/// How likely a row is to be recognized.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Risk {
    /// The greatest risk of a row, where its person is known to be in the release.
    pub prosecutor_max: f64,
    /// The mean of that risk over all rows, which is classes over rows.
    pub prosecutor_mean: f64,
    /// The share of rows whose risk is above [`Risk::threshold`].
    pub at_risk: f64,
    /// The risk above which a row counts as being at risk.
    pub threshold: f64,
    /// How many rows are alone in their class.
    pub uniques: u64,
    /// The greatest risk of a row where a person is only known to be in the population; absent
    /// without a population.
    pub journalist_max: Option<f64>,
    /// The mean of that risk over all rows.
    pub journalist_mean: Option<f64>,
    /// The share of rows that are recognized on average: in the population, where there is one.
    pub marketer: f64,
    /// In how many classes the population holds fewer people than the release has rows, so that it
    /// is not the population that the release was drawn from, or not all of it.
    pub short_population: Option<u64>,
    /// How many classes there are of which size.
    pub histogram: Vec<Bucket>,
}

/// The classes whose sizes lie in one range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bucket {
    /// The least size.
    pub from: u64,
    /// The greatest size; none for the last bucket.
    pub to: Option<u64>,
    /// How many classes.
    pub classes: u64,
    /// How many rows they have together.
    pub rows: u64,
}

impl Bucket {
    /// The range of sizes as a report shows it: `1`, `3-4`, `100+`.
    pub fn label(&self) -> String {
        match self.to {
            None => format!("{}+", self.from),
            Some(to) if to == self.from => to.to_string(),
            Some(to) => format!("{}-{to}", self.from),
        }
    }
}

impl Risk {
    /// The risk in classes of these sizes; in a table without rows there is none.
    ///
    /// Where a population is given it holds every row of the release, so a class covers at least as
    /// many people as it has rows. A population that says less is taken at the class's own size, and
    /// [`Risk::short_population`] counts how often.
    pub fn of(sizes: &[u64], threshold: f64, population: Option<&Population>) -> Self {
        let sizes_in_use = || sizes.iter().copied().filter(|size| *size > 0);
        let rows: u64 = sizes.iter().sum();
        let share = |part: f64| if rows == 0 { 0.0 } else { part / rows as f64 };
        let risk = |size: u64| 1.0 / size as f64;
        let classes = sizes_in_use().count() as f64;
        let in_danger: u64 = sizes_in_use().filter(|size| risk(*size) > threshold).sum();
        let smallest = sizes_in_use().min();

        let people = population.map(|population| {
            assert_eq!(
                population.covered.len(),
                sizes.len(),
                "a population is counted class by class"
            );
            let pairs = || {
                let covered = population.covered.iter().copied();
                sizes
                    .iter()
                    .copied()
                    .zip(covered)
                    .filter(|(size, _)| *size > 0)
            };
            let least = pairs().map(|(size, covered)| size.max(covered)).min();
            let sum: f64 = pairs()
                .map(|(size, covered)| size as f64 * risk(size.max(covered)))
                .sum();
            let short = pairs().filter(|(size, covered)| covered < size).count();
            (least.map_or(0.0, risk), share(sum), short as u64)
        });
        Risk {
            prosecutor_max: smallest.map_or(0.0, risk),
            prosecutor_mean: share(classes),
            at_risk: share(in_danger as f64),
            threshold,
            uniques: sizes_in_use().filter(|size| *size == 1).count() as u64,
            journalist_max: people.map(|(greatest, _, _)| greatest),
            journalist_mean: people.map(|(_, mean, _)| mean),
            marketer: people.map_or(share(classes), |(_, mean, _)| mean),
            short_population: people.map(|(_, _, short)| short),
            histogram: histogram(sizes),
        }
    }
}

/// How many classes there are of which size: 1, 2, 3-4, 5-9, 10-19, 20-49, 50-99, 100 and more.
pub fn histogram(sizes: &[u64]) -> Vec<Bucket> {
    let mut buckets: Vec<Bucket> = BUCKETS
        .iter()
        .enumerate()
        .map(|(i, from)| Bucket {
            from: *from,
            to: BUCKETS.get(i + 1).map(|next| next - 1),
            classes: 0,
            rows: 0,
        })
        .collect();
    for size in sizes.iter().filter(|size| **size > 0) {
        let bucket = BUCKETS.partition_point(|from| from <= size) - 1;
        buckets[bucket].classes += 1;
        buckets[bucket].rows += size;
    }
    buckets
}

/// How much a table exposes its rows: taken of the input and of the release, it says what the
/// release changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Exposure {
    /// How many rows there are.
    pub rows: u64,
    /// How many distinct combinations of quasi-identifiers they hold.
    pub combinations: u64,
    /// How many rows have a combination of their own.
    pub uniques: u64,
    /// How few rows share a combination: the k of the table as it is; 0 without rows.
    pub k: u64,
}

impl Exposure {
    /// The exposure of a frequency list.
    pub fn of(counts: &Counts) -> Self {
        let sizes = counts.rows();
        Exposure {
            rows: counts.total(),
            combinations: sizes.len() as u64,
            uniques: sizes.iter().filter(|size| **size == 1).count() as u64,
            k: sizes.iter().copied().min().unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prosecutor_worked_by_hand() {
        // Classes of 1, 1, 2 and 4 rows; 8 rows in all.
        let risk = Risk::of(&[1, 1, 2, 4], 0.5, None);
        assert_eq!(risk.prosecutor_max, 1.0);
        assert_eq!(risk.prosecutor_mean, 4.0 / 8.0);
        // Above one half: the two that are alone. The two of 1/2 are not above it.
        assert_eq!(risk.at_risk, 2.0 / 8.0);
        assert_eq!(risk.uniques, 2);
        assert_eq!(risk.marketer, 0.5);
        assert_eq!(risk.journalist_max, None);
    }

    #[test]
    fn a_threshold_of_one_over_k_spares_classes_of_k() {
        for k in 1..400u64 {
            let risk = Risk::of(&[k, k + 1], 1.0 / k as f64, None);
            assert_eq!(risk.at_risk, 0.0, "k = {k}");
            if k > 1 {
                let risk = Risk::of(&[k - 1], 1.0 / k as f64, None);
                assert_eq!(risk.at_risk, 1.0, "k = {k}");
            }
        }
    }

    #[test]
    fn journalist_worked_by_hand() {
        // Classes of 1, 2 and 2 rows cover 4, 10 and (short) 1 of 20 people.
        let population = Population {
            rows: 20,
            covered: vec![4, 10, 1],
        };
        let risk = Risk::of(&[1, 2, 2], 0.2, Some(&population));
        // 1/4; 1/10 twice; the short class counts its own two rows: 1/2 twice.
        assert_eq!(risk.journalist_max, Some(0.5));
        let mean = (0.25 + 0.2 + 1.0) / 5.0;
        assert!((risk.journalist_mean.unwrap() - mean).abs() < 1e-12);
        assert_eq!(Some(risk.marketer), risk.journalist_mean);
        assert_eq!(risk.short_population, Some(1));
        // The prosecutor does not care for the population.
        assert_eq!(risk.prosecutor_max, 1.0);
        assert_eq!(risk.prosecutor_mean, 3.0 / 5.0);
    }

    #[test]
    fn no_rows_no_risk() {
        let population = Population {
            rows: 9,
            covered: vec![],
        };
        let risk = Risk::of(&[], 0.2, Some(&population));
        assert_eq!((risk.prosecutor_max, risk.prosecutor_mean), (0.0, 0.0));
        assert_eq!((risk.at_risk, risk.marketer), (0.0, 0.0));
        assert_eq!(risk.journalist_max, Some(0.0));
    }

    #[test]
    fn buckets_hold_their_sizes() {
        let sizes = [1, 1, 2, 3, 4, 5, 9, 10, 19, 20, 49, 50, 99, 100, 5000];
        let histogram = histogram(&sizes);
        let labels: Vec<String> = histogram.iter().map(Bucket::label).collect();
        assert_eq!(
            labels,
            ["1", "2", "3-4", "5-9", "10-19", "20-49", "50-99", "100+"]
        );
        let classes: Vec<u64> = histogram.iter().map(|bucket| bucket.classes).collect();
        assert_eq!(classes, [2, 1, 2, 2, 2, 2, 2, 2]);
        let rows: u64 = histogram.iter().map(|bucket| bucket.rows).sum();
        assert_eq!(rows, sizes.iter().sum::<u64>());
    }
}
