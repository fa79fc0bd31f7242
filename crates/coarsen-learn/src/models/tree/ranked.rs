//! Columns as small integers: every number by its rank among the distinct ones, so that a node's rows
//! are put in order by counting rather than by comparing.

use crate::features::{Column, Features, UNKNOWN};

/// Ranked columns.
pub(crate) struct Ranked {
    pub columns: Vec<RankedColumn>,
    pub rows: usize,
}

/// A column with a rank or category a row; [`UNKNOWN`] where that is missing.
pub(crate) struct RankedColumn {
    pub codes: Vec<u32>,
    /// The distinct numbers in rising order; `None` for categories.
    pub numbers: Option<Vec<f64>>,
    /// How many ranks or categories there are.
    pub size: usize,
}

impl Ranked {
    pub fn of(features: &Features) -> Ranked {
        let columns = features.columns.iter().map(|column| match column {
            Column::Categories { codes, size } => RankedColumn {
                codes: codes.clone(),
                numbers: None,
                size: *size,
            },
            Column::Numbers(numbers) => {
                let mut distinct: Vec<f64> =
                    numbers.iter().copied().filter(|n| !n.is_nan()).collect();
                distinct.sort_unstable_by(f64::total_cmp);
                distinct.dedup();
                let rank = |number: &f64| match number.is_nan() {
                    true => UNKNOWN,
                    false => distinct.partition_point(|other| other < number) as u32,
                };
                RankedColumn {
                    codes: numbers.iter().map(rank).collect(),
                    size: distinct.len(),
                    numbers: Some(distinct),
                }
            }
        });
        Ranked {
            columns: columns.collect(),
            rows: features.rows,
        }
    }
}
