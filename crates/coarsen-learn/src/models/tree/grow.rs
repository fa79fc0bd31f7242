//! Growing: the best split of a node's rows, again and again.
//!
//! Gain ratio follows J48: a threshold needs a tenth of a class's even share of rows on either side
//! (at least `least_rows`, at most 25) and is charged log₂ of the thresholds it was chosen from; a
//! column with nearly as many categories as rows does not count into the average gain.

use coarsen::synthetic::Random;

use super::measure::{Measure, Rows, bits};
use super::ranked::{Ranked, RankedColumn};
use super::{By, Node, Split, Tree, TreeSettings};
use crate::features::UNKNOWN;

/// Gains nearer than this are equal: they differ by the order of additions only.
const EQUAL: f64 = 1e-9;

/// A split that may be made.
struct Candidate {
    column: usize,
    gain: f64,
    ratio: f64,
    /// The last rank of the lower branch, for a threshold.
    below: Option<u32>,
    /// Whether the gain counts into the average.
    counts: bool,
}

struct Grower<'a> {
    ranked: &'a Ranked,
    rows: &'a Rows,
    measure: Measure,
    settings: &'a TreeSettings,
    random: Random,
    /// Room for the sums of each rank or category.
    room: Vec<f64>,
    order: Vec<(u32, u32)>,
    /// The columns, of which a forest's tree draws some for each split.
    columns: Vec<usize>,
    nodes: Vec<Node>,
}

pub(super) fn grow(
    ranked: &Ranked,
    rows: &Rows,
    measure: Measure,
    settings: &TreeSettings,
    random: Random,
) -> Tree {
    let mut grower = Grower {
        ranked,
        rows,
        measure,
        settings,
        random,
        room: Vec::new(),
        order: Vec::new(),
        columns: (0..ranked.columns.len()).collect(),
        nodes: Vec::new(),
    };
    let mut all: Vec<u32> = (0..ranked.rows as u32)
        .filter(|row| rows.weights[*row as usize] > 0.0)
        .collect();
    grower.node(&mut all);
    Tree {
        nodes: grower.nodes,
        measure,
    }
}

impl Grower<'_> {
    /// Makes the node of these rows, and all below it; returns its place.
    fn node(&mut self, rows: &mut [u32]) -> u32 {
        let mut sums = vec![0.0; self.measure.width()];
        for row in rows.iter() {
            self.measure.add(&mut sums, self.rows, *row as usize);
        }
        let place = self.nodes.len() as u32;
        let (weight, impurity) = (self.measure.weight(&sums), self.measure.impurity(&sums));
        self.nodes.push(Node {
            sums: sums.clone(),
            split: None,
        });
        if impurity <= EQUAL || weight < 2.0 * self.settings.least_rows {
            return place;
        }
        let Some(best) = self.best(rows, &sums) else {
            return place;
        };
        let column = &self.ranked.columns[best.column];
        let split = match (best.below, &column.numbers) {
            (Some(below), Some(numbers)) => {
                let largest_below = self.is_heavier_below(rows, best.column, below);
                let middle = partition(rows, |row| match column.codes[row as usize] {
                    UNKNOWN => largest_below,
                    code => code <= below,
                });
                // The next rank that occurs here, not in the whole table.
                let next = rows[middle..]
                    .iter()
                    .map(|row| column.codes[*row as usize])
                    .filter(|code| *code != UNKNOWN)
                    .min()
                    .unwrap_or(below);
                let at = halfway(numbers[below as usize], numbers[next as usize]);
                let (low, high) = rows.split_at_mut(middle);
                let (below, above) = (self.node(low), self.node(high));
                Split {
                    column: best.column,
                    by: By::Threshold { at, below, above },
                    largest: if largest_below { below } else { above },
                }
            }
            _ => {
                rows.sort_by_key(|row| column.codes[*row as usize]);
                let mut branches: Vec<Option<u32>> = vec![None; column.size];
                let mut largest = (0.0, 0);
                let mut start = 0;
                while start < rows.len() {
                    let code = column.codes[rows[start] as usize];
                    let end = start
                        + rows[start..]
                            .iter()
                            .take_while(|row| column.codes[**row as usize] == code)
                            .count();
                    // Rows whose category is missing teach this node only.
                    if code != UNKNOWN {
                        let branch = self.node(&mut rows[start..end]);
                        let weight = self.measure.weight(&self.nodes[branch as usize].sums);
                        if weight > largest.0 {
                            largest = (weight, branch);
                        }
                        branches[code as usize] = Some(branch);
                    }
                    start = end;
                }
                Split {
                    column: best.column,
                    by: By::Category(branches),
                    largest: largest.1,
                }
            }
        };
        self.nodes[place as usize].split = Some(split);
        place
    }

    fn is_heavier_below(&self, rows: &[u32], column: usize, below: u32) -> bool {
        let codes = &self.ranked.columns[column].codes;
        let mut weights = [0.0; 2];
        for row in rows {
            let code = codes[*row as usize];
            if code != UNKNOWN {
                weights[usize::from(code <= below)] += self.rows.weights[*row as usize];
            }
        }
        weights[1] >= weights[0]
    }

    /// The split that is worth most. Of equal ones the first column's, at the least threshold.
    fn best(&mut self, rows: &[u32], sums: &[f64]) -> Option<Candidate> {
        let drawn = match self.settings.columns {
            None => self.columns.len(),
            Some(wanted) => wanted.min(self.columns.len()),
        };
        if drawn == self.columns.len() {
            let columns = self.columns.clone();
            let found: Vec<Candidate> = columns
                .into_iter()
                .filter_map(|column| self.candidate(rows, sums, column))
                .collect();
            return self.choose(found);
        }
        // Columns are drawn one by one; beyond the wanted number only until one gains something.
        let mut found = Vec::new();
        for place in 0..self.columns.len() {
            if place >= drawn && !found.is_empty() {
                break;
            }
            let other = place + self.random.below((self.columns.len() - place) as u64) as usize;
            self.columns.swap(place, other);
            found.extend(self.candidate(rows, sums, self.columns[place]));
        }
        found.sort_by_key(|candidate| candidate.column);
        self.choose(found)
    }

    fn choose(&self, found: Vec<Candidate>) -> Option<Candidate> {
        let better = |a: f64, b: f64| a > b + EQUAL;
        if !self.settings.gain_ratio {
            return found
                .into_iter()
                .reduce(|best, next| match better(next.gain, best.gain) {
                    true => next,
                    false => best,
                });
        }
        let counted = || found.iter().filter(|candidate| candidate.counts);
        let average = counted().map(|c| c.gain).sum::<f64>() / counted().count().max(1) as f64;
        found
            .into_iter()
            .filter(|candidate| candidate.gain >= average - 1e-3)
            .reduce(|best, next| match better(next.ratio, best.ratio) {
                true => next,
                false => best,
            })
    }

    /// The best split by one column, where it gains anything. Gains are a row's share.
    fn candidate(&mut self, rows: &[u32], whole: &[f64], column: usize) -> Option<Candidate> {
        let of = &self.ranked.columns[column];
        let width = self.measure.width();
        // The sums of each rank or category that occurs here, in rising order.
        let mut codes: Vec<u32> = Vec::new();
        let mut sums: Vec<f64> = Vec::new();
        if of.size <= 2 * rows.len() + 16 {
            self.room.clear();
            self.room.resize((of.size + 1) * width, 0.0);
            for row in rows {
                let code = (of.codes[*row as usize] as usize).min(of.size);
                let place = &mut self.room[code * width..(code + 1) * width];
                self.measure.add(place, self.rows, *row as usize);
            }
            for code in 0..of.size {
                let place = &self.room[code * width..(code + 1) * width];
                if self.measure.weight(place) > 0.0 {
                    codes.push(code as u32);
                    sums.extend_from_slice(place);
                }
            }
        } else {
            self.order.clear();
            let known = rows.iter().map(|row| (of.codes[*row as usize], *row));
            self.order
                .extend(known.filter(|(code, _)| *code != UNKNOWN));
            self.order.sort_unstable();
            for (code, row) in &self.order {
                if codes.last() != Some(code) {
                    codes.push(*code);
                    sums.resize(sums.len() + width, 0.0);
                }
                let place = sums.len() - width;
                self.measure
                    .add(&mut sums[place..], self.rows, *row as usize);
            }
        }
        if codes.len() < 2 {
            return None;
        }
        match of.numbers {
            Some(_) => self.threshold(whole, column, &codes, &sums),
            None => self.categories(rows, whole, column, of, &sums),
        }
    }

    fn threshold(
        &self,
        whole: &[f64],
        column: usize,
        codes: &[u32],
        sums: &[f64],
    ) -> Option<Candidate> {
        let width = self.measure.width();
        let total = self.measure.weight(whole);
        let mut all = vec![0.0; width];
        for sums in sums.chunks_exact(width) {
            join(&mut all, sums);
        }
        let known = self.measure.weight(&all);
        let least = match (self.settings.gain_ratio, self.measure) {
            (true, Measure::Labels(labels)) => {
                let share = 0.1 * total / labels as f64;
                share.min(25.0).max(self.settings.least_rows)
            }
            _ => self.settings.least_rows,
        };
        let impurity = self.measure.impurity(&all);
        let mut below = vec![0.0; width];
        let mut above = vec![0.0; width];
        let mut best: Option<(f64, usize, f64)> = None;
        let mut thresholds = 0u32;
        for (place, sums) in sums.chunks_exact(width).enumerate().take(codes.len() - 1) {
            join(&mut below, sums);
            let low = self.measure.weight(&below);
            if low + EQUAL < least {
                continue;
            }
            if known - low + EQUAL < least {
                break;
            }
            for ((above, all), below) in above.iter_mut().zip(&all).zip(&below) {
                *above = all - below;
            }
            thresholds += 1;
            let left = self.measure.impurity(&below) + self.measure.impurity(&above);
            let gain = impurity - left;
            if best.is_none_or(|(most, _, _)| gain > most + EQUAL) {
                best = Some((gain, place, low));
            }
        }
        let (gain, place, low) = best?;
        let mut gain = gain / total;
        if self.settings.gain_ratio {
            gain -= f64::from(thresholds).log2() / total;
        }
        // Each branch's rows, and those that cannot be sent anywhere, tell something by themselves.
        let told = bits(&[low, known - low, total - known]) / total;
        (gain > EQUAL / total).then(|| Candidate {
            column,
            gain,
            ratio: gain / told,
            below: Some(codes[place]),
            counts: true,
        })
    }

    fn categories(
        &self,
        rows: &[u32],
        whole: &[f64],
        column: usize,
        of: &RankedColumn,
        sums: &[f64],
    ) -> Option<Candidate> {
        let width = self.measure.width();
        let total = self.measure.weight(whole);
        let mut all = vec![0.0; width];
        let mut left = 0.0;
        let mut sizes: Vec<f64> = Vec::new();
        for sums in sums.chunks_exact(width) {
            join(&mut all, sums);
            left += self.measure.impurity(sums);
            sizes.push(self.measure.weight(sums));
        }
        let filled = sizes
            .iter()
            .filter(|size| **size + EQUAL >= self.settings.least_rows);
        if filled.count() < 2 {
            return None;
        }
        let known = self.measure.weight(&all);
        let gain = (self.measure.impurity(&all) - left) / total;
        sizes.push(total - known);
        let told = bits(&sizes) / total;
        (gain > EQUAL / total).then(|| Candidate {
            column,
            gain,
            ratio: gain / told,
            below: None,
            counts: (of.size as f64) < 0.3 * rows.len() as f64,
        })
    }
}

fn join(sums: &mut [f64], more: &[f64]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

/// Halfway between two numbers, and below the higher one whatever rounding does.
fn halfway(low: f64, high: f64) -> f64 {
    let middle = low + (high - low) / 2.0;
    if middle < high { middle } else { low }
}

/// Puts the rows that satisfy a test first, both parts in their order; returns how many they are.
fn partition(rows: &mut [u32], test: impl Fn(u32) -> bool) -> usize {
    let (first, second): (Vec<u32>, Vec<u32>) = rows.iter().partition(|row| test(**row));
    rows[..first.len()].copy_from_slice(&first);
    rows[first.len()..].copy_from_slice(&second);
    first.len()
}
