//! A sample of the rows that a frequency list stands for (seed 000, section 6: very large tables are
//! searched by a sample).
//!
//! Rows are drawn without replacement. What stands beside a combination is drawn with it, each tallied
//! column for itself, for the list does not say which values stand in one row.

use super::kinds::Kinds;
use super::{Counts, Tally, TallyColumn};
use crate::policy::Sampling;
use crate::synthetic::Random;

impl Counts {
    /// A share of the rows, at least one, drawn by `seed`.
    ///
    /// ```
    /// use coarsen::counts::{Counts, Entries};
    /// use coarsen::policy::Sampling;
    ///
    /// let entries = Entries { codes: vec![vec![0, 1]], tallied: vec![], rows: vec![80, 20] };
    /// let counts = Counts::build(entries, vec![]).0;
    /// assert_eq!(counts.sample(0.1, Sampling::Random, 1).total(), 10);
    /// assert_eq!(counts.sample(0.1, Sampling::Stratified, 1).rows(), [8, 2]);
    /// ```
    pub fn sample(&self, share: f64, how: Sampling, seed: u64) -> Counts {
        let mut random = Random::new(seed);
        let wanted = ((share * self.total as f64).round() as u64).clamp(1, self.total.max(1));
        let drawn = match how {
            Sampling::Random => draw(&self.rows, wanted, &mut random),
            Sampling::Stratified => every_nth(&self.rows, wanted, &mut random),
        };
        let kept: Vec<usize> = (0..drawn.len()).filter(|place| drawn[*place] > 0).collect();
        let codes = self.codes.iter();
        let codes = codes.map(|column| kept.iter().map(|place| column[*place]).collect());
        let tallies = self
            .tallies
            .iter()
            .map(|tally| sampled(tally, &kept, &drawn, &mut random));
        Counts {
            codes: codes.collect(),
            rows: kept.iter().map(|place| drawn[*place]).collect(),
            total: drawn.iter().sum(),
            tallies: tallies.collect(),
            lumped: self.lumped,
            // Only recodings of cells need them, and those belong to the rows that they were found for.
            kinds: Kinds::default(),
        }
    }
}

/// The values that are drawn beside the rows that are kept.
fn sampled(tally: &Tally, kept: &[usize], drawn: &[u64], random: &mut Random) -> Tally {
    let (mut values, mut rows, mut owners) = (Vec::new(), Vec::new(), Vec::new());
    for (owner, place) in kept.iter().enumerate() {
        let beside = tally.of(*place);
        let taken = draw(beside.rows, drawn[*place], random);
        for (value, taken) in beside.values.iter().zip(taken) {
            if taken > 0 {
                values.push(*value);
                rows.push(taken);
                owners.push(owner as u32);
            }
        }
    }
    let column: TallyColumn = tally.column().clone();
    Tally::build(column, &values, &rows, &owners, kept.len())
}

/// How many of `wanted` rows fall to each entry, all rows being equally likely (Knuth's algorithm S).
fn draw(rows: &[u64], wanted: u64, random: &mut Random) -> Vec<u64> {
    let mut left: u64 = rows.iter().sum();
    let mut wanted = wanted.min(left);
    let of_entry = |rows: &u64| {
        let mut taken = 0;
        for _ in 0..*rows {
            if wanted == 0 {
                break;
            }
            if random.below(left) < wanted {
                taken += 1;
                wanted -= 1;
            }
            left -= 1;
        }
        taken
    };
    rows.iter().map(of_entry).collect()
}

/// Every n-th row in their order, from a random one on.
fn every_nth(rows: &[u64], wanted: u64, random: &mut Random) -> Vec<u64> {
    let total: u64 = rows.iter().sum();
    let wanted = wanted.min(total);
    let start = random.unit();
    // The rows taken before some place: none before the first, and as many as wanted before the end.
    let before = |row: u64| {
        let share = row as f64 * wanted as f64 / total.max(1) as f64 + start;
        (share.floor() as u64).min(wanted)
    };
    let mut row = 0;
    let of_entry = |rows: &u64| {
        let from = before(row);
        row += rows;
        before(row) - from
    };
    rows.iter().map(of_entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Entries;
    use crate::domain::{Domain, Kind, Value};

    /// A thousand combinations of 1 to 7 rows, each with values a and b beside them.
    fn counts() -> Counts {
        let mut entries = Entries {
            codes: vec![Vec::new()],
            tallied: vec![Vec::new()],
            rows: Vec::new(),
        };
        for combination in 0..1000u32 {
            for (value, rows) in [
                (0, u64::from(combination % 4)),
                (1, 1 + u64::from(combination % 3)),
            ] {
                if rows > 0 {
                    entries.codes[0].push(combination);
                    entries.tallied[0].push(value);
                    entries.rows.push(rows);
                }
            }
        }
        let values = ["a", "b"].map(|text| Value::Text(text.into())).to_vec();
        let column = TallyColumn {
            name: "s".into(),
            domain: Domain::new(Kind::Text, None, values, false),
            hierarchy: None,
        };
        Counts::build(entries, vec![column]).0
    }

    #[test]
    fn a_sample_has_its_rows_and_no_more_of_any_than_there_are() {
        let counts = counts();
        for how in [Sampling::Random, Sampling::Stratified] {
            for share in [0.001, 0.1, 0.5, 1.0] {
                let sample = counts.sample(share, how, 3);
                let wanted = (share * counts.total() as f64).round() as u64;
                assert_eq!(sample.total(), wanted.max(1), "{how} {share}");
                for place in 0..sample.combinations() {
                    let code = sample.codes(0)[place];
                    let whole = counts.codes(0).binary_search(&code).unwrap();
                    assert!(sample.rows()[place] <= counts.rows()[whole]);
                    let beside = sample.tallies()[0].of(place);
                    assert_eq!(beside.total(), sample.rows()[place]);
                    for (value, rows) in beside.iter() {
                        let all = counts.tallies()[0].of(whole);
                        assert!(all.iter().any(|(v, r)| v == value && r >= rows));
                    }
                }
            }
            assert_eq!(counts.sample(1.0, how, 9).rows(), counts.rows());
        }
    }

    #[test]
    fn the_same_seed_draws_the_same_and_another_does_not() {
        let counts = counts();
        let rows = |seed| counts.sample(0.2, Sampling::Random, seed).rows().to_vec();
        assert_eq!(rows(1), rows(1));
        assert_ne!(rows(1), rows(2));
    }

    #[test]
    fn a_stratified_sample_follows_every_part_of_the_table() {
        let counts = counts();
        let sample = counts.sample(0.1, Sampling::Stratified, 5);
        // A tenth of every run of a hundred combinations, give or take a row.
        for part in 0..10 {
            let of = |counts: &Counts| -> f64 {
                let inside = |code: &u32| (part * 100..part * 100 + 100).contains(code);
                let rows = counts.codes(0).iter().zip(counts.rows());
                rows.filter(|(code, _)| inside(code))
                    .map(|(_, rows)| *rows as f64)
                    .sum()
            };
            assert!(
                (of(&sample) - of(&counts) / 10.0).abs() <= 1.5,
                "part {part}"
            );
        }
    }
}
