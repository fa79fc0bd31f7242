//! Grouping combinations that a recoding releases alike: a table look-up per column and an add make
//! one number of each combination; then a direct-address table where those numbers are few, a hash
//! where they are many.

use std::hash::Hash;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Counts;

/// Which class each combination falls into. Classes are numbered as they are first met, so that the
/// numbers do not depend on threads or on a hash's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouping {
    /// The class of each combination.
    pub class_of: Vec<u32>,
    /// How many classes there are.
    pub classes: usize,
}

/// A direct-address table may be this many times as long as the list of combinations, or this long
/// whatever the list.
const DIRECT: usize = 4;
const DIRECT_AT_LEAST: usize = 1 << 16;

/// Groups combinations by the blocks of their codes; `blocks[a][code]` is the block in column `a`.
pub fn group(counts: &Counts, blocks: &[&[u32]]) -> Grouping {
    let radices: Vec<usize> = blocks
        .iter()
        .map(|b| b.iter().max().map_or(1, |max| *max as usize + 1))
        .collect();
    let product = radices
        .iter()
        .try_fold(1usize, |product, radix| product.checked_mul(*radix));
    let limit = (counts.combinations() * DIRECT).max(DIRECT_AT_LEAST);
    match product {
        Some(size) if size <= limit => direct(&keys::<u64>(counts, blocks, &radices), size),
        _ if fits::<u64>(&radices) => hashed(&keys::<u64>(counts, blocks, &radices)),
        _ if fits::<u128>(&radices) => hashed(&keys::<u128>(counts, blocks, &radices)),
        _ => hashed(&tuples(counts, blocks)),
    }
}

/// A number that combinations are packed into by mixed radix.
pub(super) trait Key: Copy + Eq + Hash + Send + Sync {
    const BITS: u32;
    const ZERO: Self;
    fn push(self, radix: usize, digit: u32) -> Self;
}

impl Key for u64 {
    const BITS: u32 = 64;
    const ZERO: Self = 0;
    fn push(self, radix: usize, digit: u32) -> Self {
        self * radix as u64 + u64::from(digit)
    }
}

impl Key for u128 {
    const BITS: u32 = 128;
    const ZERO: Self = 0;
    fn push(self, radix: usize, digit: u32) -> Self {
        self * radix as u128 + u128::from(digit)
    }
}

/// Whether every combination of these radices has a number of its own in a `K`.
pub(super) fn fits<K: Key>(radices: &[usize]) -> bool {
    let product = radices
        .iter()
        .try_fold(1u128, |product, r| product.checked_mul(*r as u128));
    product.is_some_and(|product| K::BITS == 128 || product <= 1u128 << K::BITS)
}

fn keys<K: Key>(counts: &Counts, blocks: &[&[u32]], radices: &[usize]) -> Vec<K> {
    (0..counts.combinations())
        .into_par_iter()
        .with_min_len(4096)
        .map(|i| {
            let mut key = K::ZERO;
            for (attribute, blocks) in blocks.iter().enumerate() {
                let code = counts.codes[attribute][i];
                key = key.push(radices[attribute], blocks[code as usize]);
            }
            key
        })
        .collect()
}

fn tuples(counts: &Counts, blocks: &[&[u32]]) -> Vec<Vec<u32>> {
    (0..counts.combinations())
        .map(|i| {
            let codes = counts.codes.iter().map(|column| column[i] as usize);
            codes
                .zip(blocks)
                .map(|(code, blocks)| blocks[code])
                .collect()
        })
        .collect()
}

fn direct(keys: &[u64], size: usize) -> Grouping {
    let mut class_at = vec![u32::MAX; size];
    let mut classes = 0;
    let class_of = keys
        .iter()
        .map(|key| {
            let class = &mut class_at[*key as usize];
            if *class == u32::MAX {
                *class = classes;
                classes += 1;
            }
            *class
        })
        .collect();
    Grouping {
        class_of,
        classes: classes as usize,
    }
}

fn hashed<K: Eq + Hash>(keys: &[K]) -> Grouping {
    let mut classes: FxHashMap<&K, u32> = FxHashMap::default();
    let class_of = keys
        .iter()
        .map(|key| {
            let next = classes.len() as u32;
            *classes.entry(key).or_insert(next)
        })
        .collect();
    Grouping {
        class_of,
        classes: classes.len(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use crate::counts::Entries;

    fn counted(rows: &[Vec<u32>], columns: usize) -> Counts {
        let entries = Entries {
            codes: (0..columns)
                .map(|c| rows.iter().map(|r| r[c]).collect())
                .collect(),
            tallied: Vec::new(),
            rows: vec![1; rows.len()],
        };
        Counts::build(entries, Vec::new()).0
    }

    /// Classes numbered as they are first met, by a map from the tuples of blocks.
    fn by_map(counts: &Counts, blocks: &[Vec<u32>]) -> Grouping {
        let mut classes: HashMap<Vec<u32>, u32> = HashMap::new();
        let class_of = (0..counts.combinations())
            .map(|i| {
                let tuple = blocks
                    .iter()
                    .enumerate()
                    .map(|(column, blocks)| blocks[counts.codes(column)[i] as usize]);
                let next = classes.len() as u32;
                *classes.entry(tuple.collect()).or_insert(next)
            })
            .collect();
        Grouping {
            class_of,
            classes: classes.len(),
        }
    }

    proptest! {
        #[test]
        fn every_way_of_grouping_agrees_with_a_map(
            rows in prop::collection::vec(prop::collection::vec(0u32..6, 5), 0..60),
            blocks in prop::collection::vec(prop::collection::vec(0u32..4, 6), 5),
        ) {
            let counts = counted(&rows, 5);
            let expected = by_map(&counts, &blocks);
            // The farther apart the blocks are numbered, the larger the keys.
            for (factor, bits) in [(1, 0), (300, 32), (1_000_000, 64), (1_000_000_000, 128)] {
                let far: Vec<Vec<u32>> = blocks
                    .iter()
                    .map(|blocks| blocks.iter().map(|block| block * factor).collect())
                    .collect();
                let views: Vec<&[u32]> = far.iter().map(Vec::as_slice).collect();
                prop_assert_eq!(&group(&counts, &views), &expected, "{} bits", bits);
            }
        }
    }

    #[test]
    fn the_key_is_as_long_as_the_radices_need() {
        let small = [4usize; 5];
        let (middling, large, huge) =
            ([1000usize; 5], [4_000_000usize; 5], [4_000_000_000usize; 5]);
        assert!(small.iter().product::<usize>() <= DIRECT_AT_LEAST);
        assert!(middling.iter().product::<usize>() > DIRECT_AT_LEAST && fits::<u64>(&middling));
        assert!(!fits::<u64>(&large) && fits::<u128>(&large));
        assert!(!fits::<u128>(&huge));
        // Exactly 2⁶⁴ numbers still fit 64 bits, one more does not.
        assert!(fits::<u64>(&[1 << 32, 1 << 32]));
        assert!(!fits::<u64>(&[1 << 32, (1 << 32) + 1]));
        assert!(fits::<u64>(&[]));
    }

    #[test]
    fn the_last_number_of_64_bits_does_not_overflow() {
        let counts = counted(&[vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]], 2);
        let ends = vec![u32::MAX, 0];
        let grouping = group(&counts, &[&ends, &ends]);
        assert_eq!((grouping.class_of, grouping.classes), (vec![0, 1, 2, 3], 4));
    }

    #[test]
    fn no_column_is_one_class() {
        let counts = counted(&[vec![0], vec![3]], 1);
        assert_eq!(group(&counts, &[&[0, 0, 0, 0]]).classes, 1);
        assert_eq!(group(&counted(&[], 1), &[&[]]).classes, 0);
    }
}
