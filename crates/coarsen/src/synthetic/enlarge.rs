//! A table enlarged by a scale and a novelty factor, to measure how a search grows: Wang, Yu and Chakraborty 2004,
//! "Bottom-up generalization", section 6.2.
//!
//! Beside each record come σ − 1 variations of it, each with random values in ρ quasi-identifiers chosen at random, and
//! agreeing with it in the others. The paper draws the values "from the leaves in the corresponding hierarchy"; here
//! every leaf is as likely, the record's own too, and what lies outside the quasi-identifiers (the class) is kept.
//!
//! The paper's own count of distinct rows does not follow from its words. For Adult (45,222 records, the leaves of its
//! Table 1) with σ = 30 and ρ = 3 it reports 127,831; this makes about 465,000, and values drawn as often as they occur
//! make about 80,000. The figure is what ρ = 1 makes here, about 127,400. So compare at equal numbers of distinct rows.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::random::Random;

/// How far to enlarge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EnlargeSettings {
    /// σ: the enlarged table has this many times the records; 1 leaves it as it is.
    pub scale: u64,
    /// ρ: in how many quasi-identifiers a variation draws anew.
    pub novelty: usize,
    /// The same seed gives the same table.
    pub seed: u64,
}

impl Default for EnlargeSettings {
    fn default() -> Self {
        EnlargeSettings {
            scale: 30,
            novelty: 3,
            seed: 1,
        }
    }
}

/// Why a table was not enlarged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EnlargeError {
    /// A scale of 0 would drop the records themselves.
    #[error("the scale factor must be at least 1")]
    Scale,
    /// More columns to change than there are.
    #[error("the novelty factor is {novelty}, but the table has {columns} quasi-identifiers")]
    Novelty {
        /// What was asked.
        novelty: usize,
        /// What there is.
        columns: usize,
    },
    /// A column without values, from which none can be drawn.
    #[error("quasi-identifier {column} has an empty domain")]
    EmptyDomain {
        /// Its place, from 0.
        column: usize,
    },
    /// The rows do not match what was said of them.
    #[error("{codes} codes are not {rows} rows of {width}")]
    Shape {
        /// Number of codes.
        codes: usize,
        /// Number of counts.
        rows: usize,
        /// Codes a row.
        width: usize,
    },
}

/// The distinct rows of the enlarged table in ascending order, row after row, and how many records each has.
///
/// `codes` holds the distinct rows one after another, `width` codes each: first the quasi-identifiers, whose domains
/// have `domains` values (codes 0 to size − 1), then what a variation keeps, such as the code of a class. `counts` says
/// how many records each row stands for; each record has variations of its own.
///
/// ```
/// # use coarsen::synthetic::{EnlargeSettings, enlarge};
/// let settings = EnlargeSettings { scale: 3, novelty: 1, seed: 1 };
/// let (rows, counts) = enlarge(&[0, 1, 2, 0], &[5, 1], 2, &[10, 10], &settings)?;
/// assert_eq!(counts.iter().sum::<u64>(), 18);
/// assert_eq!(rows.len(), 2 * counts.len());
/// # Ok::<(), coarsen::synthetic::EnlargeError>(())
/// ```
pub fn enlarge(
    codes: &[u32],
    counts: &[u64],
    width: usize,
    domains: &[u32],
    settings: &EnlargeSettings,
) -> Result<(Vec<u32>, Vec<u64>), EnlargeError> {
    let (columns, novelty) = (domains.len(), settings.novelty);
    if settings.scale == 0 {
        return Err(EnlargeError::Scale);
    }
    if novelty > columns {
        return Err(EnlargeError::Novelty { novelty, columns });
    }
    if let Some(column) = domains.iter().position(|&size| size == 0) {
        return Err(EnlargeError::EmptyDomain { column });
    }
    if width == 0 || width < columns || codes.len() != counts.len() * width {
        return Err(EnlargeError::Shape {
            codes: codes.len(),
            rows: counts.len(),
            width,
        });
    }

    let mut random = Random::new(settings.seed);
    let mut order: Vec<usize> = (0..columns).collect();
    let mut rows: Vec<u32> = codes.to_vec();
    let mut weights: Vec<u64> = counts.to_vec();
    for (row, &count) in codes.chunks_exact(width).zip(counts) {
        for _ in 0..count * (settings.scale - 1) {
            let start = rows.len();
            rows.extend_from_slice(row);
            // The first steps of a shuffle choose the columns; whatever order it left before is as good a start.
            for chosen in 0..novelty {
                let other = chosen + random.below((columns - chosen) as u64) as usize;
                order.swap(chosen, other);
                let column = order[chosen];
                rows[start + column] = random.below(u64::from(domains[column])) as u32;
            }
            weights.push(1);
        }
    }
    Ok(collapse(&rows, &weights, width))
}

/// Equal rows made one, in ascending order.
fn collapse(rows: &[u32], weights: &[u64], width: usize) -> (Vec<u32>, Vec<u64>) {
    let row = |place: usize| &rows[place * width..(place + 1) * width];
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_unstable_by(|&one, &other| row(one).cmp(row(other)));
    let (mut distinct, mut counts): (Vec<u32>, Vec<u64>) = (Vec::new(), Vec::new());
    for place in order {
        match counts.last_mut() {
            Some(count) if distinct[distinct.len() - width..] == *row(place) => {
                *count += weights[place]
            }
            _ => {
                distinct.extend_from_slice(row(place));
                counts.push(weights[place]);
            }
        }
    }
    (distinct, counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOMAINS: [u32; 4] = [1000, 1000, 1000, 1000];

    fn settings(scale: u64, novelty: usize) -> EnlargeSettings {
        EnlargeSettings {
            scale,
            novelty,
            seed: 3,
        }
    }

    #[test]
    fn records_multiply_and_the_class_stays() {
        // One row of class 1 that stands for 50 records.
        let (rows, counts) =
            enlarge(&[7, 7, 7, 7, 1], &[50], 5, &DOMAINS, &settings(30, 2)).unwrap();
        assert_eq!(counts.iter().sum::<u64>(), 1500);
        let changed = |row: &[u32]| row[..4].iter().filter(|&&code| code != 7).count();
        assert!(
            rows.chunks(5)
                .all(|row| row[4] == 1 && changed(row) <= 2 && row.iter().all(|&code| code < 1000))
        );
        let original = rows.chunks(5).position(|row| changed(row) == 0).unwrap();
        assert!((50..55).contains(&counts[original]));
        let fresh = rows.chunks(5).filter(|row| changed(row) == 2).count();
        assert!(fresh > 1400);
        for column in 0..4 {
            let touched = rows.chunks(5).filter(|row| row[column] != 7).count();
            assert!((600..850).contains(&touched), "column {column}: {touched}");
        }
    }

    #[test]
    fn rows_come_out_distinct_sorted_and_the_same_again() {
        let table = ([0, 1, 1, 0, 2, 2], [2, 3, 4], 2, [3, 3]);
        let first = enlarge(&table.0, &table.1, table.2, &table.3, &settings(20, 2)).unwrap();
        assert_eq!(
            first,
            enlarge(&table.0, &table.1, table.2, &table.3, &settings(20, 2)).unwrap()
        );
        assert!(
            first
                .0
                .chunks(2)
                .zip(first.0.chunks(2).skip(1))
                .all(|(one, next)| one < next)
        );
        assert_eq!(first.1.iter().sum::<u64>(), 180);
    }

    #[test]
    fn nothing_new_without_scale_or_novelty() {
        let same = enlarge(&[0, 1, 2, 3], &[2, 5], 2, &[9, 9], &settings(1, 2)).unwrap();
        assert_eq!(same, (vec![0, 1, 2, 3], vec![2, 5]));
        let scaled = enlarge(&[0, 1, 2, 3], &[2, 5], 2, &[9, 9], &settings(4, 0)).unwrap();
        assert_eq!(scaled, (vec![0, 1, 2, 3], vec![8, 20]));
    }

    #[test]
    fn senseless_tables_are_refused() {
        let refused = |width, domains: &[u32], settings| {
            enlarge(&[0, 0], &[1], width, domains, &settings).err()
        };
        assert_eq!(
            refused(2, &[1, 1], settings(0, 1)),
            Some(EnlargeError::Scale)
        );
        assert_eq!(
            refused(2, &[1, 1], settings(2, 3)),
            Some(EnlargeError::Novelty {
                novelty: 3,
                columns: 2
            })
        );
        assert_eq!(
            refused(2, &[1, 0], settings(2, 1)),
            Some(EnlargeError::EmptyDomain { column: 1 })
        );
        assert_eq!(
            refused(1, &[1], settings(2, 1)),
            Some(EnlargeError::Shape {
                codes: 2,
                rows: 1,
                width: 1
            })
        );
    }
}
