//! O[i], the number of vids of i rows (seed 003, section 5.3), and the anonymity that follows.
//!
//! Rows may be suppressed, which the paper leaves as future work: A(VID) is then the size at which the
//! vids of that size or less hold more rows than the limit allows. Without suppression that is the
//! paper's, the size of the smallest vid. It never falls as vids merge.

/// How many vids there are of each size below the one that is aimed at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Counters {
    /// `of[i]` vids have i rows, for i below the aim.
    of: Vec<u64>,
    limit: u64,
}

impl Counters {
    pub fn new(aim: u64, limit: u64) -> Self {
        Counters {
            of: vec![0; aim as usize],
            limit,
        }
    }

    /// The size from which vids are not counted.
    pub fn aim(&self) -> u64 {
        self.of.len() as u64
    }

    pub fn add(&mut self, rows: u64) {
        if let Some(vids) = self.of.get_mut(rows as usize) {
            *vids += 1;
        }
    }

    pub fn remove(&mut self, rows: u64) {
        if let Some(vids) = self.of.get_mut(rows as usize) {
            *vids -= 1;
        }
    }

    /// A(VID), at most the aim.
    pub fn anonymity(&self) -> u64 {
        self.anonymity_with(&[])
    }

    /// A(VID) after changes: each a size, and how many vids of that size more or fewer there are.
    pub fn anonymity_with(&self, changes: &[i64]) -> u64 {
        let mut short = 0u64;
        for (size, vids) in self.of.iter().enumerate() {
            let vids = vids.saturating_add_signed(changes.get(size).copied().unwrap_or(0));
            short += vids * size as u64;
            if short > self.limit {
                return size as u64;
            }
        }
        self.aim()
    }

    /// The rows in vids below a size.
    pub fn rows_below(&self, size: u64) -> u64 {
        let below = self.of.iter().enumerate().take(size as usize);
        below.map(|(size, vids)| size as u64 * vids).sum()
    }

    /// How many rows may be suppressed.
    pub fn limit(&self) -> u64 {
        self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anonymity_is_the_smallest_size_that_cannot_be_suppressed() {
        let counters = |limit| {
            let mut counters = Counters::new(10, limit);
            [2, 2, 3, 4, 12]
                .into_iter()
                .for_each(|rows| counters.add(rows));
            counters
        };
        // 4 rows are in vids of 2, 7 in vids of 3 or less, 11 in those of 4 or less.
        for (limit, anonymity) in [(0, 2), (3, 2), (4, 3), (6, 3), (7, 4), (10, 4), (11, 10)] {
            assert_eq!(counters(limit).anonymity(), anonymity, "limit {limit}");
        }
        assert_eq!(counters(0).rows_below(4), 7);
        let mut changes = [0; 10];
        (changes[2], changes[4]) = (-2, 1);
        assert_eq!(counters(0).anonymity_with(&changes), 3);
    }
}
