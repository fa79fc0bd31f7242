//! The frequency list: distinct combinations of quasi-identifier codes, how many rows hold each, and
//! how often each sensitive or target value stands beside them (Sweeney's *freq*, Wang's *vids*).
//!
//! Every search reads this, never rows.

mod classes;
mod grouping;
mod kinds;
mod passes;
mod sample;
mod tally;

pub use classes::{Class, Classes, Member};
pub use grouping::{Grouping, group};
pub use kinds::Kind;
pub use passes::{Batch, PassError, Passes};
pub use tally::{ClassTally, Tally, TallyColumn, TallyView};

use rayon::prelude::*;

use self::kinds::Kinds;

use crate::domain::Code;

/// Distinct combinations with their rows and tallies, sorted by their codes.
#[derive(Clone, Debug)]
pub struct Counts {
    codes: Vec<Vec<Code>>,
    rows: Vec<u64>,
    total: u64,
    tallies: Vec<Tally>,
    lumped: bool,
    kinds: Kinds,
}

/// Combinations as they come from the engine: not sorted, perhaps repeated, one entry for each
/// combination of quasi-identifier codes and tallied values.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    /// For each quasi-identifier, the code in every entry.
    pub codes: Vec<Vec<Code>>,
    /// For each tallied column, the code in every entry.
    pub tallied: Vec<Vec<Code>>,
    /// How many rows each entry stands for.
    pub rows: Vec<u64>,
}

/// Entries of a lump, a value that stands in it, and the rows that hold it.
type Lumped = Vec<(u32, Code, u64)>;

impl Counts {
    /// Sorts and merges entries; also says which combination each entry became part of.
    pub fn build(entries: Entries, columns: Vec<TallyColumn>) -> (Counts, Vec<u32>) {
        let Entries {
            codes,
            tallied,
            rows,
        } = entries;
        let count = rows.len();
        assert!(
            count < u32::MAX as usize,
            "more distinct combinations than a search can number"
        );
        let order = sorted(&codes, count);

        let mut combination_of = vec![0u32; count];
        let mut merged: Vec<Vec<Code>> = codes.iter().map(|_| Vec::new()).collect();
        let mut merged_rows: Vec<u64> = Vec::new();
        let mut last: Option<usize> = None;
        for &entry in &order {
            let entry = entry as usize;
            let same = last.is_some_and(|last| codes.iter().all(|c| c[last] == c[entry]));
            if same {
                *merged_rows.last_mut().expect("a combination is open") += rows[entry];
            } else {
                for (column, merged) in codes.iter().zip(&mut merged) {
                    merged.push(column[entry]);
                }
                merged_rows.push(rows[entry]);
            }
            combination_of[entry] = merged_rows.len() as u32 - 1;
            last = Some(entry);
        }
        let total = merged_rows.iter().sum();
        let kinds = Kinds::of(&tallied, &rows, &combination_of, total);
        let tallies = columns
            .into_iter()
            .zip(&tallied)
            .map(|(column, codes)| {
                Tally::build(column, codes, &rows, &combination_of, merged_rows.len())
            })
            .collect();
        (
            Counts {
                codes: merged,
                rows: merged_rows,
                total,
                tallies,
                lumped: false,
                kinds,
            },
            combination_of,
        )
    }

    /// Lumps of combinations, for a table whose combinations nobody counts: each has the codes of one
    /// combination in it, rising, and the rows and values of all. `tallies` has, for each tallied
    /// column, entries of a lump, a value and its rows.
    pub fn of_lumps(
        codes: Vec<Vec<Code>>,
        rows: Vec<u64>,
        tallies: Vec<(TallyColumn, Lumped)>,
    ) -> Counts {
        let combinations = rows.len();
        let tallies = tallies
            .into_iter()
            .map(|(column, entries)| Tally::of_entries(column, entries, combinations))
            .collect();
        Counts {
            codes,
            total: rows.iter().sum(),
            rows,
            tallies,
            lumped: true,
            kinds: Kinds::default(),
        }
    }

    /// Whether its combinations are lumps, so that the codes of their rows are not known.
    pub fn is_lumped(&self) -> bool {
        self.lumped
    }

    /// Number of quasi-identifiers.
    pub fn attributes(&self) -> usize {
        self.codes.len()
    }

    /// Number of distinct combinations.
    pub fn combinations(&self) -> usize {
        self.rows.len()
    }

    /// Number of rows.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// One column's codes, one a combination.
    pub fn codes(&self, attribute: usize) -> &[Code] {
        &self.codes[attribute]
    }

    /// The rows of each combination.
    pub fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// The tallies of sensitive and target columns.
    pub fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    /// The rows of each combination by their tallied values, in a table that is small enough to be
    /// recoded row by row; else, and where nothing is tallied, none.
    pub fn kinds(&self) -> &[Kind] {
        self.kinds.all()
    }

    /// The place among [`Counts::kinds`] of each entry that the counts were built from.
    pub fn kind_of_entries(&self) -> &[u32] {
        self.kinds.of_entries()
    }

    /// The place of a tallied column among [`Counts::tallies`].
    pub fn tally(&self, column: &str) -> Option<usize> {
        self.tallies
            .iter()
            .position(|tally| tally.column().name == column)
    }

    /// The values of every tallied column over some combinations, as of one class.
    pub fn tally_of(&self, combinations: &[u32]) -> Vec<ClassTally> {
        let members = || combinations.iter().map(|combination| *combination as usize);
        let together = |tally: &Tally| tally.merge(std::iter::once((0, members())), 1);
        self.tallies.iter().map(together).collect()
    }

    /// The same combinations with their columns in another order, without tallies.
    pub fn reordered(&self, order: &[usize]) -> Counts {
        let codes = order
            .iter()
            .map(|column| self.codes[*column].clone())
            .collect();
        let entries = Entries {
            codes,
            tallied: Vec::new(),
            rows: self.rows.clone(),
        };
        Counts::build(entries, Vec::new()).0
    }

    /// How many rows hold each code of a column.
    pub fn marginal(&self, attribute: usize, size: usize) -> Vec<u64> {
        let mut marginal = vec![0; size];
        for (code, rows) in self.codes[attribute].iter().zip(&self.rows) {
            marginal[*code as usize] += rows;
        }
        marginal
    }
}

/// The order of entries by their codes, column by column; equal entries stay in the order given.
fn sorted(codes: &[Vec<Code>], count: usize) -> Vec<u32> {
    let radices: Vec<usize> = codes
        .iter()
        .map(|column| column.iter().max().map_or(1, |m| *m as usize + 1))
        .collect();
    if grouping::fits::<u64>(&radices) {
        let mut keys: Vec<(u64, u32)> = (0..count)
            .into_par_iter()
            .map(|i| {
                let key = codes
                    .iter()
                    .zip(&radices)
                    .fold(0u64, |key, (column, radix)| {
                        key * *radix as u64 + u64::from(column[i])
                    });
                (key, i as u32)
            })
            .collect();
        keys.par_sort_unstable();
        return keys.into_iter().map(|(_, i)| i).collect();
    }
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.par_sort_unstable_by(|a, b| {
        let by_codes = codes.iter().map(|c| c[*a as usize].cmp(&c[*b as usize]));
        by_codes
            .fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
            .then(a.cmp(b))
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Domain, Kind, Value};

    fn letters(name: &str, size: usize) -> TallyColumn {
        let letter = |i: usize| Value::Text(((b'a' + i as u8) as char).to_string());
        TallyColumn {
            name: name.into(),
            domain: Domain::new(Kind::Text, None, (0..size).map(letter).collect(), false),
            hierarchy: None,
        }
    }

    #[test]
    fn entries_are_sorted_and_merged() {
        // (2,0) with s = 1 twice and s = 0 once, (0,1) with s = 1, (0,0) with s = 0.
        let entries = Entries {
            codes: vec![vec![2, 0, 2, 0, 2], vec![0, 1, 0, 0, 0]],
            tallied: vec![vec![1, 1, 0, 0, 1]],
            rows: vec![5, 2, 1, 7, 3],
        };
        let (counts, combination_of) = Counts::build(entries, vec![letters("s", 2)]);
        assert_eq!((counts.attributes(), counts.combinations()), (2, 3));
        assert_eq!(
            (counts.codes(0), counts.codes(1)),
            (&[0, 0, 2][..], &[0, 1, 0][..])
        );
        assert_eq!((counts.rows(), counts.total()), (&[7, 2, 9][..], 18));
        assert_eq!(combination_of, [2, 1, 2, 0, 2]);
        assert_eq!(counts.marginal(0, 4), [9, 0, 9, 0]);
        assert_eq!(counts.marginal(1, 2), [16, 2]);
        assert_eq!((counts.tally("s"), counts.tally("t")), (Some(0), None));
        let tally = &counts.tallies()[0];
        let held: Vec<Vec<(Code, u64)>> = (0..3).map(|i| tally.of(i).iter().collect()).collect();
        assert_eq!(held, [vec![(0, 7)], vec![(1, 2)], vec![(0, 1), (1, 8)]]);
        let whole = tally.whole();
        assert_eq!(whole.of(0).iter().collect::<Vec<_>>(), [(0, 8), (1, 10)]);
        assert_eq!(whole.of(0).total(), 18);
    }

    #[test]
    fn nothing_is_no_combination() {
        let entries = Entries {
            codes: vec![Vec::new(); 2],
            tallied: vec![Vec::new()],
            rows: Vec::new(),
        };
        let (counts, combination_of) = Counts::build(entries, vec![letters("s", 1)]);
        assert_eq!((counts.combinations(), counts.total()), (0, 0));
        assert!(combination_of.is_empty());
        assert_eq!(counts.tallies()[0].whole().of(0).total(), 0);
    }

    #[test]
    fn codes_too_large_for_a_number_are_sorted_too() {
        // 2³² values in each of three columns do not fit 64 bits; the order is the same.
        let small = vec![vec![3, 1, 3, 0], vec![0, 2, 0, 2], vec![1, 1, 0, 1]];
        let large: Vec<Vec<Code>> = small
            .iter()
            .map(|column| column.iter().map(|code| code * 1_000_000_000).collect())
            .collect();
        let radices: Vec<usize> = large
            .iter()
            .map(|column| *column.iter().max().expect("four codes") as usize + 1)
            .collect();
        assert!(!grouping::fits::<u64>(&radices));
        assert_eq!(sorted(&small, 4), [3, 1, 2, 0]);
        assert_eq!(sorted(&large, 4), [3, 1, 2, 0]);
    }

    #[test]
    fn columns_in_another_order() {
        let entries = Entries {
            codes: vec![vec![0, 0, 1], vec![0, 1, 0]],
            tallied: Vec::new(),
            rows: vec![1, 2, 4],
        };
        let counts = Counts::build(entries, Vec::new()).0.reordered(&[1, 0]);
        assert_eq!(
            (counts.codes(0), counts.codes(1)),
            (&[0, 0, 1][..], &[0, 1, 0][..])
        );
        assert_eq!(counts.rows(), [1, 4, 2]);
    }
}
