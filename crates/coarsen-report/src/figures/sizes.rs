//! The class-size histogram: how many rows stand in classes of which size.

use coarsen::audit::Bucket;

use crate::chart::{Axis, Bar, Bars, Svg, Unit, Words};
use crate::text::percent;

/// Draws the histogram of an audit before (where it is told) and of the one after.
pub fn class_sizes(before: Option<&[Bucket]>, after: &[Bucket]) -> Svg {
    let share = |buckets: &[Bucket], place: usize| {
        let all: u64 = buckets.iter().map(|bucket| bucket.rows).sum();
        buckets[place].rows as f64 / all.max(1) as f64
    };
    let bar = |(place, bucket): (usize, &Bucket)| Bar {
        label: bucket.label(),
        before: before.map(|before| share(before, place)),
        after: Some(share(after, place)),
    };
    let bars: Vec<Bar> = after.iter().enumerate().map(bar).collect();
    let said = match before {
        Some(before) => format!(
            "Before, {} of the rows were alone; after, {}.",
            percent(share(before, 0)),
            percent(share(after, 0))
        ),
        None => format!("{} of the rows are alone.", percent(share(after, 0))),
    };
    let chart = Bars {
        words: Words {
            title: "How many others a row is like".into(),
            description: said,
        },
        places: "rows of the class (size)".into(),
        values: Axis::new("share of rows", Unit::Share),
        bars,
    };
    chart.upright()
}
