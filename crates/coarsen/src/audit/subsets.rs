//! Which columns make people stand out: every small subset of the quasi-identifiers, with how many
//! rows are alone in it and how few share a combination.
//!
//! This is the question that μ-Argus asks of 2- and 3-combinations (seed 002, section 4.2), asked of
//! any table and without leaving combinations out: where there are more subsets than a limit, those
//! of the most telling columns come first, and the answer says that it was cut.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::counts::Counts;

/// How many subsets to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubsetSettings {
    /// Subsets of at most this many columns.
    pub size: usize,
    /// At most this many subsets.
    pub most: usize,
}

impl Default for SubsetSettings {
    /// Up to three columns, up to two thousand subsets.
    fn default() -> Self {
        SubsetSettings {
            size: 3,
            most: 2000,
        }
    }
}

/// One subset of the quasi-identifiers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Subset {
    /// The columns, by their place among the quasi-identifiers, rising.
    pub columns: Vec<usize>,
    /// How many distinct combinations of their values the table holds.
    pub combinations: u64,
    /// How many rows have a combination of their own.
    pub uniques: u64,
    /// How few rows share a combination.
    pub k: u64,
    /// Combinations over rows: 1 where the columns tell all rows apart.
    pub distinct_ratio: f64,
}

/// Subsets of the quasi-identifiers, those with most unique rows first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Subsets {
    /// Those that were looked at: by falling uniques, then fewer columns, then their order.
    pub subsets: Vec<Subset>,
    /// How many subsets of the asked size there are.
    pub possible: u64,
    /// Whether some were left out. A smaller subset is never left out for a larger one, and among
    /// equally large ones those of columns with more distinct values come first.
    pub cut: bool,
}

/// A direct-address table may be this many times as long as the list of combinations, or this long
/// whatever the list.
const DIRECT: u64 = 4;
const DIRECT_AT_LEAST: u64 = 1 << 16;

/// Looks at the subsets of the quasi-identifiers.
pub fn subsets(counts: &Counts, settings: SubsetSettings) -> Subsets {
    let radices: Vec<u64> = (0..counts.attributes())
        .map(|column| {
            counts
                .codes(column)
                .iter()
                .max()
                .map_or(1, |max| u64::from(*max) + 1)
        })
        .collect();
    let size = settings.size.min(radices.len());
    let possible: u64 = (1..=size as u64).fold(0, |sum, k| {
        choose(radices.len() as u64, k).saturating_add(sum)
    });
    let chosen = first_subsets(&by_distinct(counts, &radices), size, settings.most);
    let cut = (chosen.len() as u64) < possible;
    let mut subsets: Vec<Subset> = chosen
        .into_par_iter()
        .map(|columns| look(counts, &radices, columns))
        .collect();
    subsets.sort_by(|a, b| {
        let by_uniques = b.uniques.cmp(&a.uniques);
        let by_size = a.columns.len().cmp(&b.columns.len());
        by_uniques
            .then(by_size)
            .then_with(|| a.columns.cmp(&b.columns))
    });
    Subsets {
        subsets,
        possible,
        cut,
    }
}

/// The columns by falling number of distinct values, ties in their order.
fn by_distinct(counts: &Counts, radices: &[u64]) -> Vec<usize> {
    let distinct: Vec<u64> = radices
        .iter()
        .enumerate()
        .map(|(column, radix)| {
            let mut seen = vec![false; *radix as usize];
            for code in counts.codes(column) {
                seen[*code as usize] = true;
            }
            seen.iter().filter(|seen| **seen).count() as u64
        })
        .collect();
    let mut order: Vec<usize> = (0..radices.len()).collect();
    order.sort_by_key(|column| (std::cmp::Reverse(distinct[*column]), *column));
    order
}

/// The first subsets of up to `size` columns: smaller ones before larger ones, and among equally
/// large ones those without the `i`-th column of `order` before those with it.
fn first_subsets(order: &[usize], size: usize, most: usize) -> Vec<Vec<usize>> {
    let mut subsets = Vec::new();
    for size in 1..=size {
        let mut places: Vec<usize> = (0..size).collect();
        loop {
            if subsets.len() == most {
                return subsets;
            }
            let mut columns: Vec<usize> = places.iter().map(|place| order[*place]).collect();
            columns.sort_unstable();
            subsets.push(columns);
            // The next one: the first place that can move up does, and those before it start anew.
            let end = |i: usize| places.get(i + 1).copied().unwrap_or(order.len());
            let Some(moving) = (0..size).find(|i| places[*i] + 1 < end(*i)) else {
                break;
            };
            places[moving] += 1;
            for (i, place) in places[..moving].iter_mut().enumerate() {
                *place = i;
            }
        }
    }
    subsets
}

/// n over k, as far as it can be counted.
fn choose(n: u64, k: u64) -> u64 {
    let product = (0..k).try_fold(1u128, |product, i| {
        // A product of i + 1 neighbours is divisible by each number up to i + 1.
        product
            .checked_mul(u128::from(n - i))
            .map(|product| product / u128::from(i + 1))
    });
    product
        .and_then(|product| u64::try_from(product).ok())
        .unwrap_or(u64::MAX)
}

/// Counts the rows of each combination of some columns.
fn look(counts: &Counts, radices: &[u64], columns: Vec<usize>) -> Subset {
    let mut keys = vec![0u64; counts.combinations()];
    let mut range = 1u64;
    for &column in &columns {
        range = match range.checked_mul(radices[column]) {
            Some(product) => product,
            None => {
                // Too many for one number: those that do occur are numbered anew, and there are
                // fewer of them, as of a column's codes, than 2^32.
                let used = renumber(&mut keys);
                used * radices[column]
            }
        };
        for (key, code) in keys.iter_mut().zip(counts.codes(column)) {
            *key = *key * radices[column] + u64::from(*code);
        }
    }
    let limit = (DIRECT * keys.len() as u64).max(DIRECT_AT_LEAST);
    let sizes: Vec<u64> = if range <= limit {
        let mut sizes = vec![0u64; range as usize];
        for (key, rows) in keys.iter().zip(counts.rows()) {
            sizes[*key as usize] += rows;
        }
        sizes
    } else {
        let mut sizes: FxHashMap<u64, u64> = FxHashMap::default();
        for (key, rows) in keys.iter().zip(counts.rows()) {
            *sizes.entry(*key).or_default() += rows;
        }
        sizes.into_values().collect()
    };
    // Sums and a minimum: the order in which a hash gives the sizes does not show.
    let sizes = || sizes.iter().copied().filter(|size| *size > 0);
    let combinations = sizes().count() as u64;
    Subset {
        columns,
        combinations,
        uniques: sizes().filter(|size| *size == 1).count() as u64,
        k: sizes().min().unwrap_or(0),
        distinct_ratio: combinations as f64 / counts.total().max(1) as f64,
    }
}

/// Numbers keys as they are first met; returns how many there are.
fn renumber(keys: &mut [u64]) -> u64 {
    let mut numbers: FxHashMap<u64, u64> = FxHashMap::default();
    for key in keys {
        let next = numbers.len() as u64;
        *key = *numbers.entry(*key).or_insert(next);
    }
    (numbers.len() as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Entries;

    fn counts(codes: Vec<Vec<u32>>) -> Counts {
        let rows = vec![1; codes[0].len()];
        let entries = Entries {
            codes,
            tallied: vec![],
            rows,
        };
        Counts::build(entries, vec![]).0
    }

    #[test]
    fn smaller_subsets_and_telling_columns_come_first() {
        let all = first_subsets(&[2, 0, 1, 3], 3, 99);
        assert_eq!(all.len(), 4 + 6 + 4);
        assert_eq!(all[..4], [vec![2], vec![0], vec![1], vec![3]]);
        assert_eq!(all[4..7], [vec![0, 2], vec![1, 2], vec![0, 1]]);
        assert_eq!(all[10], [0, 1, 2]);
        let mut sorted = all.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), all.len());
        assert_eq!(first_subsets(&[2, 0, 1, 3], 3, 5), all[..5]);
    }

    #[test]
    fn a_cut_is_told() {
        let counts = counts(vec![vec![0, 1], vec![0, 0], vec![1, 0], vec![0, 1]]);
        let settings = |size, most| SubsetSettings { size, most };
        let whole = subsets(&counts, settings(9, 99));
        assert_eq!(
            (whole.possible, whole.subsets.len(), whole.cut),
            (15, 15, false)
        );
        let cut = subsets(&counts, settings(2, 4));
        assert_eq!((cut.possible, cut.subsets.len(), cut.cut), (10, 4, true));
        assert!(cut.subsets.iter().all(|subset| subset.columns.len() == 1));
        // Column 1 is the same in both rows; every other column alone tells them apart.
        assert_eq!(cut.subsets[3].columns, [1]);
        assert_eq!((cut.subsets[3].uniques, cut.subsets[3].k), (0, 2));
        assert_eq!(
            (cut.subsets[0].uniques, cut.subsets[0].distinct_ratio),
            (2, 1.0)
        );
    }

    #[test]
    fn combinations_past_one_number_are_counted() {
        // Six columns of 2^16 codes each: 2^96 combinations, of which three occur.
        let top = (1 << 16) - 1;
        let codes = (0..6).map(|column| vec![top, column, top, 0]).collect();
        let counts = counts(codes);
        let all = subsets(&counts, SubsetSettings { size: 6, most: 99 });
        let widest = all
            .subsets
            .iter()
            .find(|subset| subset.columns.len() == 6)
            .unwrap();
        assert_eq!((widest.combinations, widest.uniques, widest.k), (3, 2, 1));
    }

    #[test]
    fn binomials() {
        assert_eq!(choose(30, 3), 4060);
        assert_eq!(choose(4, 4), 1);
        assert_eq!(choose(200, 100), u64::MAX);
    }
}
