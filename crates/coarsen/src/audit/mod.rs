//! What a written file proves: a recount of the released values, trusting no search.
//!
//! The engine reads the release back and counts it over plain texts; each distinct combination of
//! released quasi-identifiers is a class. Two rows hide each other only where every cell is the same
//! text: an empty cell matches an empty cell and nothing else, and rows that are `*` in every column
//! are a class like any other, which must meet the requirements too. That is stricter than tools
//! that let a missing value match everything, and it is why [`audit`] finds that the file which the
//! μ-Argus program wrote for Sweeney's table is not 2-anonymous (seed 002, Fig. 15).

mod figures;
mod labels;
mod population;
mod risk;
mod subsets;

pub use figures::{Sensitive, Variety};
pub use labels::Label;
pub use population::Population;
pub use risk::{Bucket, Exposure, Risk, THRESHOLD, histogram};
pub use subsets::{Subset, SubsetSettings, Subsets, subsets};

use std::fmt;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::counts::{Class, ClassTally, Classes, Counts, Grouping};
use crate::domain::{Code, Domain};
use crate::privacy::Requirement;

/// What was found in a written file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Audit {
    /// Whether every class meets every requirement.
    pub holds: bool,
    /// How many rows were written.
    pub rows: u64,
    /// How many distinct combinations of released quasi-identifiers they hold.
    pub classes: u64,
    /// How many rows the smallest class has; 0 where there are none.
    pub k: u64,
    /// Rows over classes; 0 where there are none.
    pub average_class: f64,
    /// How many rows are suppressed in every quasi-identifier.
    pub suppressed_rows: u64,
    /// The fewest distinct values of a sensitive column in a class; absent without such a column.
    pub distinct_l: Option<u64>,
    /// The least effective l, exp(entropy), of a sensitive column in a class.
    pub entropy_l: Option<f64>,
    /// The greatest distance of a sensitive column in a class from the whole release.
    pub t: Option<f64>,
    /// How likely a row is to be recognized.
    pub risk: Risk,
    /// The requirements that do not hold.
    pub failures: Vec<Failure>,
    /// The same worst figures, one sensitive column after the other.
    pub sensitive: Vec<Variety>,
    /// What should be known before the figures are relied on.
    pub notes: Vec<String>,
}

/// A requirement that does not hold. It tells of no cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    /// The requirement, in words.
    pub requirement: String,
    /// How many classes fall short.
    pub classes: u64,
    /// How many rows they have.
    pub rows: u64,
    /// How many rows the smallest of them has.
    pub smallest_class: u64,
    /// The number of rows that the requirement asks of a class, where it asks for one.
    pub k: Option<u64>,
    /// Whether the only class that falls short is that of the rows suppressed in every column.
    pub suppressed_only: bool,
    /// The worst figures of the sensitive columns over the classes that fall short.
    pub worst: Vec<Variety>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (classes, rows) = (plural(self.classes, "class"), plural(self.rows, "row"));
        let fall = if self.classes == 1 { "falls" } else { "fall" };
        write!(
            f,
            "{} does not hold: {classes} with {rows} {fall} short",
            self.requirement
        )?;
        if self.suppressed_only {
            write!(f, ", that of the rows suppressed in every column")?;
        }
        if self.k.is_some() {
            return write!(
                f,
                "; the smallest has {}",
                plural(self.smallest_class, "row")
            );
        }
        for column in &self.worst {
            write!(
                f,
                "; at worst `{}` has {}, an effective l of {:.2} and a distance of {:.3} from the whole",
                column.column,
                plural(column.distinct_l, "distinct value"),
                column.entropy_l,
                column.t
            )?;
        }
        Ok(())
    }
}

fn plural(count: u64, noun: &str) -> String {
    match (count, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "class") => format!("{count} classes"),
        _ => format!("{count} {noun}s"),
    }
}

/// What an audit may be told beside the file and the requirements.
#[derive(Clone, Copy, Debug, Default)]
pub struct AuditSettings<'a> {
    /// The risk above which a row counts as being at risk; one over the greatest k of the
    /// requirements where absent, and [`THRESHOLD`] where they have none.
    pub threshold: Option<f64>,
    /// The people behind each class of the release.
    pub population: Option<&'a Population>,
}

/// Audits a written file: `counts` over its quasi-identifiers as they stand in it, `domains` their
/// texts, and requirements built against the tallies of these counts.
///
/// # Panics
/// If there is not a domain for every quasi-identifier.
pub fn audit(
    counts: &Counts,
    domains: &[Domain],
    requirements: &[Box<dyn Requirement>],
    sensitive: &[Sensitive],
    settings: AuditSettings<'_>,
) -> Audit {
    assert_eq!(
        domains.len(),
        counts.attributes(),
        "a domain for every quasi-identifier"
    );
    let classes = classes(counts);
    let tallies: Vec<ClassTally> = counts.tallies().iter().map(|tally| tally.whole()).collect();
    let whole = Class::alone(counts.total(), &tallies);
    let suppressed = suppressed(counts, domains);
    let figures = figures::figures(&classes, &whole, sensitive);

    let fall_short = |requirement: &dyn Requirement| {
        let short: Vec<usize> = match requirement.over() {
            Some(over) => short_over(counts, over),
            None => (0..classes.len())
                .into_par_iter()
                .filter(|class| !requirement.holds(&classes.class(*class), &whole))
                .collect(),
        };
        (!short.is_empty()).then(|| {
            let rows = || short.iter().map(|class| classes.rows()[*class]);
            Failure {
                requirement: requirement.text(),
                classes: short.len() as u64,
                rows: rows().sum(),
                smallest_class: rows().min().unwrap_or(0),
                k: requirement.k(),
                suppressed_only: short.iter().all(|class| suppressed[*class]),
                worst: figures::worst(counts, sensitive, &figures, short.iter().copied()),
            }
        })
    };
    let failures: Vec<Failure> = requirements
        .iter()
        .filter_map(|requirement| fall_short(requirement.as_ref()))
        .collect();
    let varieties = figures::worst(counts, sensitive, &figures, 0..classes.len());

    let asked = requirements
        .iter()
        .filter_map(|requirement| requirement.k())
        .max();
    let threshold = settings.threshold.or(asked.map(|k| 1.0 / k.max(1) as f64));
    let risk = Risk::of(
        classes.rows(),
        threshold.unwrap_or(THRESHOLD),
        settings.population,
    );
    let exposure = Exposure::of(counts);
    let suppressed_rows = classes
        .rows()
        .iter()
        .zip(&suppressed)
        .filter(|(_, s)| **s)
        .map(|(rows, _)| rows)
        .sum();
    Audit {
        holds: failures.is_empty(),
        rows: exposure.rows,
        classes: exposure.combinations,
        k: exposure.k,
        average_class: exposure.rows as f64 / exposure.combinations.max(1) as f64,
        suppressed_rows,
        distinct_l: varieties.iter().map(|column| column.distinct_l).min(),
        entropy_l: varieties
            .iter()
            .map(|column| column.entropy_l)
            .reduce(f64::min),
        t: varieties.iter().map(|column| column.t).reduce(f64::max),
        notes: notes(counts, suppressed_rows, &risk),
        risk,
        failures,
        sensitive: varieties,
    }
}

/// The classes whose texts in some columns are shared by too few rows.
fn short_over(counts: &Counts, (columns, k): (&[usize], u64)) -> Vec<usize> {
    let key = |class: usize| -> Vec<Code> {
        let codes = columns.iter();
        codes.map(|column| counts.codes(*column)[class]).collect()
    };
    let mut rows: FxHashMap<Vec<Code>, u64> = FxHashMap::default();
    for (class, own) in counts.rows().iter().enumerate() {
        *rows.entry(key(class)).or_default() += own;
    }
    let is_short = |class: &usize| rows[&key(*class)] < k;
    (0..counts.combinations()).filter(is_short).collect()
}

/// Every combination of released texts is a class.
fn classes(counts: &Counts) -> Classes {
    let every = Grouping {
        class_of: (0..counts.combinations() as u32).collect(),
        classes: counts.combinations(),
    };
    Classes::of_grouping(counts, &every, Vec::new(), Vec::new())
}

/// Which classes are suppressed in every column.
fn suppressed(counts: &Counts, domains: &[Domain]) -> Vec<bool> {
    let mut all = vec![!domains.is_empty(); counts.combinations()];
    for (column, domain) in domains.iter().enumerate() {
        let is_star = |code: Code| {
            let text = domain.low(code).map(|value| domain.write(value));
            text.is_some_and(|text| Label::parse(&text).is_suppressed())
        };
        let stars: Vec<bool> = (0..domain.size() as Code).map(is_star).collect();
        for (all, code) in all.iter_mut().zip(counts.codes(column)) {
            *all &= stars[*code as usize];
        }
    }
    all
}

fn notes(counts: &Counts, suppressed_rows: u64, risk: &Risk) -> Vec<String> {
    let mut notes = Vec::new();
    if counts.total() == 0 {
        notes.push("The file has no rows, so that every requirement holds of nothing.".into());
    } else if suppressed_rows == counts.total() {
        notes.push("Every row is suppressed in every quasi-identifier.".into());
    }
    if counts.attributes() == 0 {
        notes.push("No column is a quasi-identifier, so that all rows are one class.".into());
    }
    if let Some(short) = risk.short_population.filter(|short| *short > 0) {
        let (classes, hold) = (
            plural(short, "class"),
            if short == 1 { "holds" } else { "hold" },
        );
        notes.push(format!(
            "{classes} of the release {hold} more rows than the population has people behind them: \
             it is not the whole population that the release was drawn from, or it is written in \
             other terms. These classes are counted at their own size."
        ));
    }
    notes
}

#[cfg(test)]
mod tests;
