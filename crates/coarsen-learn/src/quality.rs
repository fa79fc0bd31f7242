//! What a tree still learns from a release that is made already, beside what it learned before: the line
//! on models in a report.
//!
//! This is not the protocol of seed 001 (`evaluate` is): the recoding was found on all rows, those that
//! are tested included. In return it needs no second search, works for every kind of recoding, and takes
//! a fraction of a second. Rows come from the counts, so that only quasi-identifiers are learned from;
//! of a large table a sample is taken.

use coarsen::counts::{Classes, Counts, TallyColumn, TallyView};
use coarsen::domain::{Attribute, Code, Value};
use coarsen::synthetic::Random;
use rayon::prelude::*;

use crate::ends::{Ends, exact_numbers};
use crate::features::{Column, Features, Target, UNKNOWN};
use crate::folds::deal;
use crate::models::tree;

/// More rows than these are sampled: the error is then known to a third of a percent.
pub const MOST_ROWS: u64 = 30_000;
const FOLDS: usize = 3;

/// How wrong a tree is about one target. For labels the share of rows that it mistakes, for numbers the
/// mean distance from the true one.
#[derive(Clone, Debug, PartialEq)]
pub struct Quality {
    /// The target.
    pub target: String,
    /// Whether it is a number.
    pub numeric: bool,
    /// Learned from the quasi-identifiers as they were.
    pub before: f64,
    /// Learned from them as released; a suppressed row is one that nothing is known of.
    pub after: f64,
    /// With everything suppressed: the guess of who knows nothing.
    pub nothing: f64,
    /// How many rows were looked at.
    pub rows: u64,
}

/// What a tree learns of a tallied column; none where fewer than two values or six rows are there.
///
/// `whole_columns` says that each column is partitioned by itself, so that its blocks are categories; else
/// blocks overlap, and a model is told where each begins and ends.
pub fn of_release(
    attributes: &[Attribute],
    counts: &Counts,
    classes: &Classes,
    whole_columns: bool,
    tally: usize,
    seed: u64,
) -> Option<Quality> {
    let of_target = counts.tallies().get(tally)?;
    let column = of_target.column();
    let values = of_target.whole();
    if counts.is_lumped() || values.of(0).values.len() < 2 || counts.total() < 2 * FOLDS as u64 {
        return None;
    }
    let before = Lots {
        features: Features::new(
            (attributes.iter().enumerate())
                .map(|(place, attribute)| unreleased(attribute, counts.codes(place)))
                .collect(),
        ),
        is_hidden: vec![false; counts.combinations()],
        target: (0..counts.combinations())
            .map(|c| of_target.of(c))
            .collect(),
    };
    let all = 0..classes.len();
    let columns = attributes.iter().enumerate();
    let after = Lots {
        features: Features::new(
            columns
                .flat_map(|(place, attribute)| released(attribute, classes, place, whole_columns))
                .collect(),
        ),
        is_hidden: all
            .clone()
            .map(|class| classes.is_suppressed(class))
            .collect(),
        target: all.map(|class| classes.class(class).tally(tally)).collect(),
    };
    let nothing = Lots {
        features: Features::nothing(1),
        is_hidden: vec![false],
        target: vec![values.of(0)],
    };
    let errors: Vec<f64> = [&before, &after, &nothing]
        .par_iter()
        .map(|lots| lots.error(column, seed))
        .collect();
    Some(Quality {
        target: column.name.clone(),
        numeric: column.domain.kind().is_ordered(),
        before: errors[0],
        after: errors[1],
        nothing: errors[2],
        rows: counts.total().min(MOST_ROWS),
    })
}

/// Rows in lots that a model cannot tell apart, and how often each value of the target stands in them.
struct Lots<'a> {
    features: Features,
    /// Of these nothing is shown, and nothing is learned.
    is_hidden: Vec<bool>,
    target: Vec<TallyView<'a>>,
}

impl Lots<'_> {
    /// The error of trees that are each tested on rows which they were not trained on.
    fn error(&self, column: &TallyColumn, seed: u64) -> f64 {
        let rows = self.rows(seed);
        let strata: Vec<u32> = rows.iter().map(|(_, value)| *value).collect();
        let numeric = column.domain.kind().is_ordered();
        let fold_of = deal(rows.len(), FOLDS, seed, 0, (!numeric).then_some(&strata));
        let errors: f64 = (0..FOLDS as u32)
            .into_par_iter()
            .map(|fold| {
                let chosen = |tested: bool| -> Vec<(u32, Code)> {
                    let all = rows.iter().zip(&fold_of);
                    all.filter(|(row, own)| {
                        (**own == fold) == tested && (tested || !self.is_hidden[row.0 as usize])
                    })
                    .map(|(row, _)| *row)
                    .collect()
                };
                let (training, test) = (chosen(false), chosen(true));
                let fitted = fit(numeric)(&self.pick(&training), &target(column, &training), seed);
                let guesses = fitted.predict(&self.pick(&test));
                target(column, &test).errors(&guesses).iter().sum::<f64>()
            })
            .sum();
        errors / rows.len() as f64
    }

    /// Each row as its lot and its value of the target.
    fn rows(&self, seed: u64) -> Vec<(u32, Code)> {
        let total: u64 = self.target.iter().map(TallyView::total).sum();
        let mut random = Random::stream(seed, 1);
        let (mut wanted, mut left) = (total.min(MOST_ROWS), total);
        let mut rows = Vec::with_capacity(wanted as usize);
        for (lot, tally) in self.target.iter().enumerate() {
            for (value, count) in tally.iter() {
                for _ in 0..count {
                    if wanted == left || random.below(left) < wanted {
                        rows.push((lot as u32, value));
                        wanted -= 1;
                    }
                    left -= 1;
                }
            }
        }
        rows
    }

    fn pick(&self, rows: &[(u32, Code)]) -> Features {
        let lots: Vec<u32> = rows.iter().map(|(lot, _)| *lot).collect();
        self.features.pick(&lots)
    }
}

fn fit(numeric: bool) -> crate::models::Fit {
    tree::ENTRY
        .fit_for(numeric)
        .expect("a tree learns labels and numbers")
}

fn target(column: &TallyColumn, rows: &[(u32, Code)]) -> Target {
    let domain = &column.domain;
    if !domain.kind().is_ordered() {
        return Target::Labels {
            codes: rows.iter().map(|(_, value)| *value).collect(),
            size: domain.size(),
        };
    }
    let number = |code: Code| domain.low(code).and_then(Value::number);
    let known = (0..domain.size() as Code).filter_map(number);
    let (sum, count) = known.fold((0.0, 0.0), |(sum, count), n| (sum + n, count + 1.0));
    // A missing number is guessed like any other row; the middle of what there is pulls no model aside.
    let missing = if count > 0.0 { sum / count } else { 0.0 };
    let numbers = rows
        .iter()
        .map(|(_, value)| number(*value).unwrap_or(missing));
    Target::Numbers(numbers.collect())
}

/// A quasi-identifier as it was: numbers as numbers, all else as categories.
fn unreleased(attribute: &Attribute, codes: &[Code]) -> Column {
    let domain = &attribute.domain;
    let of = codes.iter().copied();
    if !domain.kind().is_ordered() {
        return Column::Categories {
            codes: of.collect(),
            size: domain.size(),
        };
    }
    let number = |code: Code| domain.low(code).and_then(Value::number);
    Column::Numbers(of.map(|code| number(code).unwrap_or(f64::NAN)).collect())
}

/// A quasi-identifier as each class shows it.
fn released(
    attribute: &Attribute,
    classes: &Classes,
    place: usize,
    whole_columns: bool,
) -> Vec<Column> {
    let blocks = classes.blocks(place);
    let shown =
        |class: usize| (!classes.is_suppressed(class)).then(|| classes.block_of(place)[class]);
    let numbers = |of: &dyn Fn(usize) -> f64| {
        let number = |class| shown(class).map_or(f64::NAN, |block| of(block as usize));
        Column::Numbers((0..classes.len()).map(number).collect())
    };
    if !whole_columns {
        let ends = Ends::of(attribute);
        let ends: Vec<[f64; 2]> = blocks.iter().map(|block| ends.of_block(block)).collect();
        return vec![
            numbers(&|block| ends[block][0]),
            numbers(&|block| ends[block][1]),
        ];
    }
    if let Some(exact) = exact_numbers(blocks) {
        return vec![numbers(&|block| exact[block])];
    }
    vec![Column::Categories {
        codes: (0..classes.len())
            .map(|class| shown(class).unwrap_or(UNKNOWN))
            .collect(),
        size: blocks.len(),
    }]
}

#[cfg(test)]
mod tests {
    use coarsen::counts::Entries;
    use coarsen::domain::hierarchy::{Description, RawColumn, build};
    use coarsen::domain::{AttributeSettings, Partition};
    use coarsen::recoding::{Partitions, Recoding};

    use super::*;

    /// The label is whether x is odd; the column's only tree says nothing of that.
    fn table(label: impl Fn(i64) -> Value) -> (Vec<Attribute>, Counts) {
        let cells: Vec<Option<Value>> = (0..4).map(|x| Some(Value::Integer(x))).collect();
        let labels: Vec<Option<Value>> = (0..4).map(|x| Some(label(x))).collect();
        let built = |name: &str, cells: &[Option<Value>]| {
            let raw = RawColumn {
                name,
                cells,
                rows: &vec![100; cells.len()],
            };
            build(raw, Description::default()).unwrap()
        };
        let (x, y) = (built("x", &cells), built("y", &labels));
        let entries = Entries {
            codes: vec![x.code_of],
            tallied: vec![y.code_of],
            rows: vec![100; 4],
        };
        let target = TallyColumn {
            name: "y".into(),
            domain: y.domain,
            hierarchy: None,
        };
        let attribute = Attribute {
            name: "x".into(),
            domain: x.domain,
            hierarchy: x.hierarchy,
            settings: AttributeSettings::default(),
        };
        (vec![attribute], Counts::build(entries, vec![target]).0)
    }

    fn at_level(attributes: &[Attribute], counts: &Counts, level: usize) -> Classes {
        let columns = vec![Partition::at_level(&attributes[0], level)];
        Recoding::Partitions(Partitions { columns }).classes(attributes, counts)
    }

    #[test]
    fn what_is_left_is_learned_and_what_is_gone_is_guessed() {
        let odd = |x: i64| Value::Text(if x % 2 == 1 { "odd" } else { "even" }.into());
        let (attributes, counts) = table(odd);
        let top = attributes[0].hierarchy.height();
        for whole_columns in [true, false] {
            let told = |level: usize| {
                let classes = at_level(&attributes, &counts, level);
                of_release(&attributes, &counts, &classes, whole_columns, 0, 1).unwrap()
            };
            let kept = told(0);
            assert_eq!((kept.before, kept.after, kept.rows), (0.0, 0.0, 400));
            assert!((kept.nothing - 0.5).abs() < 0.02 && !kept.numeric);
            let gone = told(top);
            assert!(gone.before == 0.0 && (gone.after - gone.nothing).abs() < 0.02);
        }
    }

    #[test]
    fn a_number_is_missed_by_a_distance() {
        let (attributes, counts) = table(|x| Value::Integer(10 * x));
        let classes = at_level(&attributes, &counts, attributes[0].hierarchy.height());
        let told = of_release(&attributes, &counts, &classes, true, 0, 1).unwrap();
        assert!(told.numeric && told.before < 1e-9);
        assert!((told.after - 10.0).abs() < 0.5 && (told.nothing - 10.0).abs() < 0.5);
    }

    #[test]
    fn a_suppressed_row_is_one_that_nothing_is_known_of() {
        let odd = |x: i64| Value::Text(if x == 3 { "odd" } else { "even" }.into());
        let (attributes, counts) = table(odd);
        let mut classes = at_level(&attributes, &counts, 0);
        classes.suppress(3);
        let told = of_release(&attributes, &counts, &classes, true, 0, 1).unwrap();
        // The odd ones are gone from what is learned, and all of them are missed.
        assert_eq!((told.before, told.after), (0.0, 0.25));
    }
}
