//! What became of each quasi-identifier: how many values it had and has, how much of it is lost, and what
//! stands in its place.

use coarsen::counts::Classes;
use coarsen::domain::Attribute;
use serde::Serialize;

/// What became of one quasi-identifier.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnRelease {
    /// The column.
    pub column: String,
    /// Its distinct values before.
    pub values_before: u64,
    /// Its distinct values in the release.
    pub values_after: u64,
    /// Its share of LM: 0 is untouched, 1 is suppressed.
    pub lm: f64,
    /// Some of its released values, the most frequent first.
    pub examples: Vec<String>,
}

/// What became of every quasi-identifier; `values` are its distinct values before, `rows` those of the
/// input.
pub fn column_releases(
    attributes: &[Attribute],
    values: &[u64],
    rows: u64,
    classes: &Classes,
) -> Vec<ColumnRelease> {
    const EXAMPLES: usize = 4;
    let total = rows.max(1) as f64;
    let describe = |(place, attribute): (usize, &Attribute)| {
        let blocks = classes
            .blocks(place)
            .iter()
            .zip(classes.rows_of_blocks(place));
        let mut released: Vec<(&str, u64, f64)> = blocks
            .filter(|(_, rows)| *rows > 0)
            .map(|(block, rows)| (block.label.as_str(), rows, block.lm))
            .collect();
        let lost: f64 = released.iter().map(|(_, rows, lm)| lm * *rows as f64).sum();
        released.sort_by_key(|(label, rows, _)| (*label, std::cmp::Reverse(*rows)));
        let mut labels: Vec<(&str, u64)> = released
            .chunk_by(|a, b| a.0 == b.0)
            .map(|alike| (alike[0].0, alike.iter().map(|each| each.1).sum()))
            .collect();
        labels.sort_by_key(|(label, rows)| (std::cmp::Reverse(*rows), *label));
        let examples = labels.iter().take(EXAMPLES);
        ColumnRelease {
            column: attribute.name.clone(),
            values_before: values[place],
            values_after: labels.len() as u64,
            lm: (lost + classes.suppressed_rows() as f64) / total,
            examples: examples.map(|(label, _)| label.to_string()).collect(),
        }
    };
    attributes.iter().enumerate().map(describe).collect()
}
