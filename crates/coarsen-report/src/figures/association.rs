//! How strongly two columns hang together, before and after, and which pairs suffered most.
//!
//! The measure is Cramér's V with Bergsma's correction for chance (Bergsma 2013), 0 for none to 1 for
//! columns that tell each other. Both columns are first put into at most [`GROUPS`] groups, the same
//! before and after; a released block's rows are spread evenly over the values that it covers, in both
//! columns by themselves, for the release says nothing of how they hang together inside a class. Pairs of
//! a quasi-identifier with another one or with a tallied column (sensitive, target) are compared; those
//! of two tallied columns a release does not touch but by suppression.

use coarsen::counts::{Classes, Counts};
use coarsen::domain::{Attribute, Domain};
use rayon::prelude::*;

use super::groups::Groups;
use crate::chart::{Heat, Svg, Words};

/// Groups of a column at most.
const GROUPS: usize = 8;

/// Two columns, and how strongly they hang together.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The column that runs down: a quasi-identifier.
    pub down: String,
    /// The column that runs across.
    pub across: String,
    /// Cramér's V before.
    pub before: f64,
    /// Cramér's V after.
    pub after: f64,
    rows: Vec<String>,
    columns: Vec<String>,
    table_before: Vec<Vec<f64>>,
    table_after: Vec<Vec<f64>>,
}

/// One side of a pair.
struct Side<'a> {
    name: &'a str,
    groups: Groups,
    /// For each block of a quasi-identifier, the groups it is spread over.
    spread: Vec<Vec<(usize, f64)>>,
}

/// Every pair that a release may have hurt, the one that lost most first.
pub fn pairs(
    attributes: &[Attribute],
    counts: &Counts,
    classes: &Classes,
    least: u64,
) -> Vec<Pair> {
    let quasi: Vec<Side> = attributes
        .iter()
        .enumerate()
        .map(|(place, attribute)| {
            let rows = counts.marginal(place, attribute.domain.size());
            let groups = groups(&attribute.domain, &rows, least);
            Side {
                name: &attribute.name,
                spread: groups.spread(&attribute.domain, classes.blocks(place)),
                groups,
            }
        })
        .collect();
    let tallied: Vec<Side> = counts
        .tallies()
        .iter()
        .map(|tally| {
            let domain = &tally.column().domain;
            let mut rows = vec![0; domain.size()];
            for (code, held) in tally.whole().of(0).iter() {
                rows[code as usize] = held;
            }
            Side {
                name: &tally.column().name,
                groups: groups(domain, &rows, least),
                spread: Vec::new(),
            }
        })
        .collect();
    let mut asked = Vec::new();
    for a in 0..quasi.len() {
        asked.extend((a + 1..quasi.len()).map(|b| (a, b, false)));
        asked.extend((0..tallied.len()).map(|b| (a, b, true)));
    }
    let measure = |(a, b, with_tally): (usize, usize, bool)| {
        let (down, across) = (&quasi[a], if with_tally { &tallied[b] } else { &quasi[b] });
        let empty = || vec![vec![0.0; across.groups.len()]; down.groups.len()];
        let (mut before, mut after) = (empty(), empty());
        for combination in 0..counts.combinations() {
            let row = &mut before[down.groups.of(counts.codes(a)[combination])];
            match with_tally {
                true => {
                    for (code, held) in counts.tallies()[b].of(combination).iter() {
                        row[across.groups.of(code)] += held as f64;
                    }
                }
                false => {
                    let code = counts.codes(b)[combination];
                    row[across.groups.of(code)] += counts.rows()[combination] as f64;
                }
            }
        }
        for class in classes.released() {
            for (i, share) in &down.spread[classes.block_of(a)[class] as usize] {
                match with_tally {
                    true => {
                        for (code, held) in classes.class(class).tally(b).iter() {
                            after[*i][across.groups.of(code)] += share * held as f64;
                        }
                    }
                    false => {
                        let rows = classes.rows()[class] as f64;
                        for (j, part) in &across.spread[classes.block_of(b)[class] as usize] {
                            after[*i][*j] += share * part * rows;
                        }
                    }
                }
            }
        }
        Pair {
            down: down.name.to_string(),
            across: across.name.to_string(),
            before: cramers_v(&before),
            after: cramers_v(&after),
            rows: down.groups.names.clone(),
            columns: across.groups.names.clone(),
            table_before: before,
            table_after: after,
        }
    };
    let mut pairs: Vec<Pair> = asked.into_par_iter().map(measure).collect();
    // A stable sort: pairs that lost as much stay in the order of the columns.
    pairs.sort_by(|a, b| b.lost().total_cmp(&a.lost()));
    pairs
}

fn groups(domain: &Domain, rows: &[u64], least: u64) -> Groups {
    match domain.kind().is_ordered() && domain.present() > 1 {
        true => Groups::of_rows(domain, rows, GROUPS, least),
        false => Groups::of_names(domain, rows, GROUPS, least),
    }
}

impl Pair {
    /// How much of the association is gone.
    pub fn lost(&self) -> f64 {
        self.before - self.after
    }

    /// Two heat maps, before and after: of each row of groups, how much stands in which column.
    pub fn charts(&self) -> [Svg; 2] {
        let (before, after) = (by_row(&self.table_before), by_row(&self.table_after));
        let all = before.iter().chain(&after).flatten();
        let deepest = all.copied().fold(0.0, f64::max);
        let draw = |when: &str, v: f64, cells: Vec<Vec<f64>>| {
            let heat = Heat {
                words: Words {
                    title: format!("{} by {}, {when} (V = {v:.2})", self.across, self.down),
                    description: format!(
                        "Of the rows in each group of {}, the percentage in each group of {}; Cramér's V is {v:.3}.",
                        self.down, self.across
                    ),
                },
                across: self.across.clone(),
                down: self.down.clone(),
                columns: self.columns.clone(),
                rows: self.rows.clone(),
                cells,
                deepest,
            };
            heat.draw()
        };
        [
            draw("before", self.before, before),
            draw("after", self.after, after),
        ]
    }
}

fn by_row(table: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let row = |row: &Vec<f64>| {
        let all: f64 = row.iter().sum();
        let share = |cell: &f64| if all > 0.0 { cell / all } else { 0.0 };
        row.iter().map(share).collect()
    };
    table.iter().map(row).collect()
}

/// Cramér's V of a table of rows, corrected for chance; 0 where one side has a single group.
fn cramers_v(table: &[Vec<f64>]) -> f64 {
    let down: Vec<f64> = table.iter().map(|row| row.iter().sum()).collect();
    let width = table.first().map_or(0, Vec::len);
    let across: Vec<f64> = (0..width)
        .map(|j| table.iter().map(|row| row[j]).sum())
        .collect();
    let n: f64 = down.iter().sum();
    let used = |sums: &[f64]| sums.iter().filter(|sum| **sum > 0.0).count() as f64;
    let (r, c) = (used(&down), used(&across));
    if n <= 1.0 || r < 2.0 || c < 2.0 {
        return 0.0;
    }
    let mut phi = 0.0;
    for (row, a) in table.iter().zip(&down) {
        for (cell, b) in row.iter().zip(&across) {
            let expected = a * b / n;
            if expected > 0.0 {
                phi += (cell - expected).powi(2) / expected / n;
            }
        }
    }
    let phi = (phi - (r - 1.0) * (c - 1.0) / (n - 1.0)).max(0.0);
    let corrected = |groups: f64| groups - (groups - 1.0).powi(2) / (n - 1.0);
    let most = (corrected(r) - 1.0).min(corrected(c) - 1.0);
    match most > 0.0 {
        true => (phi / most).sqrt().min(1.0),
        false => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn v_worked_by_hand() {
        // Two columns that tell each other: phi² = 1; corrected (1 − 1/99)/(1 − 1/99) = 1.
        let same = vec![vec![50.0, 0.0], vec![0.0, 50.0]];
        assert!((cramers_v(&same) - 1.0).abs() < 1e-12);
        // Independent: below chance, so nothing.
        let none = vec![vec![25.0, 25.0], vec![25.0, 25.0]];
        assert_eq!(cramers_v(&none), 0.0);
        // 40/10/10/40: chi² = 36, phi² = 0.36; (0.36 − 1/99)/(1 − 1/99) = 0.35347.
        let some = vec![vec![40.0, 10.0], vec![10.0, 40.0]];
        assert!((cramers_v(&some) - 0.353_469_f64.sqrt()).abs() < 1e-5);
        // A side of one group has nothing to tell.
        assert_eq!(cramers_v(&[vec![3.0, 4.0]]), 0.0);
        assert_eq!(cramers_v(&[]), 0.0);
    }
}
