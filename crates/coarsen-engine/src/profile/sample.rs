//! Counting distinct values in little memory: adaptive sampling (Wegman's method, analysed by Flajolet
//! in 1990).
//!
//! A value is kept by its hash. Where there are more than `limit`, only hashes that end in one zero bit
//! are kept, then in two, and so on: a sample of the *values*, each with all of its rows. So both the
//! number of values and the number of those that stand in one row only can be told, exactly up to the
//! limit and past it to about 1/√limit. Samples of parts of a file add up to the sample of the whole,
//! whatever the parts.

use std::collections::hash_map::Entry;
use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

/// A sample of distinct values, each with whether it stands in more than one row.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    limit: usize,
    level: u32,
    seen: FxHashMap<u64, bool>,
}

impl Sample {
    /// A sample of at most so many values.
    pub fn new(limit: usize) -> Self {
        Sample {
            limit: limit.max(2),
            level: 0,
            seen: FxHashMap::default(),
        }
    }

    /// Takes in a row's value by its hash; says whether the value is known to have been there before.
    pub fn add(&mut self, hash: u64) -> bool {
        if hash.trailing_zeros() < self.level {
            return false;
        }
        match self.seen.entry(hash) {
            Entry::Occupied(mut many) => {
                many.insert(true);
                true
            }
            Entry::Vacant(place) => {
                place.insert(false);
                self.thin();
                false
            }
        }
    }

    /// Takes in the sample of another part of the file.
    pub fn merge(&mut self, other: Sample) {
        self.level = self.level.max(other.level);
        for (hash, many) in other.seen {
            self.seen
                .entry(hash)
                .and_modify(|here| *here = true)
                .or_insert(many);
        }
        let level = self.level;
        self.seen.retain(|hash, _| hash.trailing_zeros() >= level);
        self.thin();
    }

    /// Whether the figures are exact.
    pub fn is_exact(&self) -> bool {
        self.level == 0
    }

    /// How many distinct values there are.
    pub fn distinct(&self) -> u64 {
        self.told(self.seen.len())
    }

    /// How many of them stand in one row only.
    pub fn uniques(&self) -> u64 {
        self.told(self.seen.values().filter(|many| !**many).count())
    }

    /// A number of values of the sample as one of all; three digits where that is no longer exact.
    fn told(&self, sampled: usize) -> u64 {
        let all = (sampled as u64) << self.level;
        match all.checked_ilog10() {
            Some(digits) if self.level > 0 && digits > 2 => {
                let step = 10u64.pow(digits - 2);
                (all + step / 2) / step * step
            }
            _ => all,
        }
    }

    fn thin(&mut self) {
        while self.seen.len() > self.limit {
            self.level += 1;
            let level = self.level;
            self.seen.retain(|hash, _| hash.trailing_zeros() >= level);
        }
    }
}

/// The hash of some bytes, every bit of it as good as any other.
pub(super) fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    mixed(hasher.finish())
}

/// The last step of SplitMix64.
pub(super) fn mixed(mut hash: u64) -> u64 {
    hash = hash.wrapping_add(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_are_counted_exactly() {
        let mut sample = Sample::new(100);
        for value in 0..80u64 {
            assert!(!sample.add(mixed(value)));
        }
        for value in 0..30u64 {
            assert!(sample.add(mixed(value)));
        }
        assert!(sample.is_exact());
        assert_eq!((sample.distinct(), sample.uniques()), (80, 50));
    }

    #[test]
    fn many_values_are_told_closely_and_parts_add_up() {
        let mut whole = Sample::new(4096);
        let mut parts = [Sample::new(4096), Sample::new(4096)];
        for row in 0..300_000u64 {
            // 200,000 values, of which half stand in two rows.
            let hash = mixed(row % 200_000);
            whole.add(hash);
            parts[(row % 7 > 2) as usize].add(hash);
        }
        let [mut one, other] = parts;
        one.merge(other);
        assert_eq!(
            (one.distinct(), one.uniques()),
            (whole.distinct(), whole.uniques())
        );
        assert!(!whole.is_exact());
        let off = |found: u64, real: f64| (found as f64 / real - 1.0).abs();
        assert!(off(whole.distinct(), 200_000.0) < 0.05);
        assert!(off(whole.uniques(), 100_000.0) < 0.08);
    }
}
