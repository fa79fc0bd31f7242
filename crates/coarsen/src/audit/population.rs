//! How many people of a population stand behind each class of a release: those whose raw values all
//! of the class's labels cover.
//!
//! Every label is compared with every distinct value of its column once; after that a class looks
//! only at the people whom its narrowest label leaves. Classes may overlap, as labels of cells do:
//! a person then stands behind each of them.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::labels::{Cell, Label};
use crate::counts::Counts;
use crate::domain::{Code, Domain};

/// A population, counted class by class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Population {
    /// How many people it holds.
    pub rows: u64,
    /// How many of them each class of the release covers.
    pub covered: Vec<u64>,
}

/// The codes of a population's column that a label covers.
enum Cover {
    All,
    /// Rising.
    Few(Vec<Code>),
    /// One bit a code.
    Many(Vec<u64>),
}

impl Cover {
    fn holds(&self, code: Code) -> bool {
        match self {
            Cover::All => true,
            Cover::Few(codes) => codes.binary_search(&code).is_ok(),
            Cover::Many(bits) => bits[code as usize / 64] >> (code % 64) & 1 == 1,
        }
    }

    fn codes(&self, size: usize) -> impl Iterator<Item = Code> + '_ {
        (0..size as Code).filter(|code| self.holds(*code))
    }
}

/// One column: what its labels cover, and who in the population has which value.
struct Column {
    covers: Vec<Cover>,
    /// How many combinations of the population each label covers.
    reach: Vec<usize>,
    /// The population's combinations by their code: those of code `c` are
    /// `combinations[offsets[c]..offsets[c + 1]]`.
    offsets: Vec<usize>,
    combinations: Vec<u32>,
}

impl Population {
    /// Counts the people behind each class of a release.
    ///
    /// `labels[a][code]` is the label of a code of the release in column `a` (see
    /// [`Label::of_column`]); the population is counted over the same columns, in the same order,
    /// with `domains[a]` its raw values.
    ///
    /// # Panics
    /// If the two do not have the same columns.
    pub fn of(
        release: &Counts,
        labels: &[Vec<Label>],
        people: &Counts,
        domains: &[Domain],
    ) -> Population {
        assert_eq!(
            release.attributes(),
            people.attributes(),
            "one population, one set of columns"
        );
        assert_eq!(
            labels.len(),
            release.attributes(),
            "labels for every column"
        );
        assert_eq!(
            domains.len(),
            people.attributes(),
            "a domain for every column"
        );
        let columns: Vec<Column> = labels
            .iter()
            .zip(domains)
            .enumerate()
            .map(|(a, (labels, domain))| Column::of(labels, domain, people.codes(a)))
            .collect();
        let covered = (0..release.combinations())
            .into_par_iter()
            .map(|class| {
                count(&columns, people, |column| {
                    release.codes(column)[class] as usize
                })
            })
            .collect();
        Population {
            rows: people.total(),
            covered,
        }
    }
}

impl Column {
    fn of(labels: &[Label], domain: &Domain, codes: &[Code]) -> Column {
        let cells: Vec<Cell> = (0..domain.size() as Code)
            .map(|code| {
                let text = domain.low(code).map(|value| domain.write(value));
                Cell::new(&text.unwrap_or_default())
            })
            .collect();
        let mut by_text: FxHashMap<&str, Vec<Code>> = FxHashMap::default();
        for (code, cell) in cells.iter().enumerate() {
            by_text.entry(cell.text()).or_default().push(code as Code);
        }
        let covers: Vec<Cover> = labels
            .par_iter()
            .map(|label| {
                if label.is_suppressed() {
                    return Cover::All;
                }
                if label.is_plain() {
                    return Cover::Few(by_text.get(label.text()).cloned().unwrap_or_default());
                }
                let is_covered = |code: &Code| label.covers_cell(&cells[*code as usize]);
                let covered: Vec<Code> = (0..cells.len() as Code).filter(is_covered).collect();
                if covered.len() < cells.len() / 32 {
                    return Cover::Few(covered);
                }
                let mut bits = vec![0u64; cells.len().div_ceil(64)];
                for code in covered {
                    bits[code as usize / 64] |= 1 << (code % 64);
                }
                Cover::Many(bits)
            })
            .collect();

        let mut offsets = vec![0usize; cells.len() + 1];
        for code in codes {
            offsets[*code as usize + 1] += 1;
        }
        for i in 1..offsets.len() {
            offsets[i] += offsets[i - 1];
        }
        let mut next = offsets.clone();
        let mut combinations = vec![0u32; codes.len()];
        for (combination, code) in codes.iter().enumerate() {
            combinations[next[*code as usize]] = combination as u32;
            next[*code as usize] += 1;
        }
        let size = |code: Code| offsets[code as usize + 1] - offsets[code as usize];
        let reach = |cover: &Cover| match cover {
            Cover::All => codes.len(),
            Cover::Few(covered) => covered.iter().map(|code| size(*code)).sum(),
            Cover::Many(_) => cover.codes(cells.len()).map(size).sum(),
        };
        let reach = covers.par_iter().map(reach).collect();
        Column {
            covers,
            reach,
            offsets,
            combinations,
        }
    }

    fn of_code(&self, code: Code) -> &[u32] {
        &self.combinations[self.offsets[code as usize]..self.offsets[code as usize + 1]]
    }
}

/// The people whom one class covers; `label_of` names its label in each column.
fn count(columns: &[Column], people: &Counts, label_of: impl Fn(usize) -> usize) -> u64 {
    let covers: Vec<&Cover> = columns
        .iter()
        .enumerate()
        .map(|(a, column)| &column.covers[label_of(a)])
        .collect();
    let narrowest = (0..columns.len()).min_by_key(|a| columns[*a].reach[label_of(*a)]);
    let Some(narrowest) = narrowest.filter(|a| !matches!(covers[*a], Cover::All)) else {
        return people.total();
    };
    let others: Vec<usize> = (0..columns.len())
        .filter(|a| *a != narrowest && !matches!(covers[*a], Cover::All))
        .collect();
    let rows_of = |code: Code| -> u64 {
        let inside = |combination: &&u32| {
            others
                .iter()
                .all(|a| covers[*a].holds(people.codes(*a)[**combination as usize]))
        };
        let combinations = columns[narrowest].of_code(code).iter().filter(inside);
        combinations
            .map(|combination| people.rows()[*combination as usize])
            .sum()
    };
    match covers[narrowest] {
        Cover::Few(codes) => codes.iter().map(|code| rows_of(*code)).sum(),
        cover => cover
            .codes(columns[narrowest].offsets.len() - 1)
            .map(rows_of)
            .sum(),
    }
}
