//! Rows that are alike also in what is tallied of them: what a recoding that sends equal rows different
//! ways must tell apart. Only small tables are recoded so, and only theirs are kept.

use crate::domain::Code;

/// Beyond this many rows kinds are not kept: no search by rows gets that far.
const MOST_ROWS: u64 = 4096;

/// Rows of one combination with the same tallied values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The combination.
    pub combination: u32,
    /// The value of each tallied column.
    pub values: Vec<Code>,
    /// How many rows.
    pub rows: u64,
}

/// All kinds, by combination and then by value, and the kind of each entry.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    all: Vec<Kind>,
    of_entries: Vec<u32>,
}

impl Kinds {
    pub fn of(tallied: &[Vec<Code>], rows: &[u64], combination_of: &[u32], total: u64) -> Self {
        if tallied.is_empty() || total > MOST_ROWS {
            return Kinds::default();
        }
        let key = |entry: usize| {
            let values: Vec<Code> = tallied.iter().map(|column| column[entry]).collect();
            (combination_of[entry], values)
        };
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|entry| key(*entry));
        let mut kinds = Kinds {
            all: Vec::new(),
            of_entries: vec![0; rows.len()],
        };
        for entry in order {
            let (combination, values) = key(entry);
            match kinds.all.last_mut() {
                Some(last) if last.combination == combination && last.values == values => {
                    last.rows += rows[entry];
                }
                _ => kinds.all.push(Kind {
                    combination,
                    values,
                    rows: rows[entry],
                }),
            }
            kinds.of_entries[entry] = kinds.all.len() as u32 - 1;
        }
        kinds
    }

    pub fn all(&self) -> &[Kind] {
        &self.all
    }

    pub fn of_entries(&self) -> &[u32] {
        &self.of_entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_told_apart_by_what_is_tallied() {
        // Entries of combinations 1, 0, 1, 1 with values 7, 7, 2, 7.
        let kinds = Kinds::of(&[vec![7, 7, 2, 7]], &[1, 2, 3, 4], &[1, 0, 1, 1], 10);
        let all: Vec<(u32, Code, u64)> = (kinds.all().iter())
            .map(|kind| (kind.combination, kind.values[0], kind.rows))
            .collect();
        assert_eq!(all, [(0, 7, 2), (1, 2, 3), (1, 7, 5)]);
        assert_eq!(kinds.of_entries(), [2, 0, 1, 2]);
    }

    #[test]
    fn a_large_table_and_one_without_tallies_have_none() {
        assert!(Kinds::of(&[], &[1], &[0], 1).all().is_empty());
        assert!(Kinds::of(&[vec![1]], &[5000], &[0], 5000).all().is_empty());
    }
}
