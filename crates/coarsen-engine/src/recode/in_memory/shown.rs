//! What classes show, as typed columns: labels as categories in the release's order, what stands for a
//! block of numbers or dates as a number or a date.

use std::sync::Arc;

use coarsen::domain::{Block, Kind, SUPPRESSED, Value};
use coarsen::policy::Represent;
use coarsen::recoding::{Shown, ShownCells};
use datafusion::arrow::array::{
    Array, ArrayRef, Date32Array, DictionaryArray, Float64Array, Int32Array, Int64Array,
    StringArray, UInt32Array,
};
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::Field;
use datafusion::arrow::error::ArrowError;

use super::super::Job;
use super::super::order::{compare_blocks, places};
use crate::EngineError;
use crate::raw::arrow_date;

/// A released column whose cells depend on the row's class alone.
pub(super) struct ShownColumn {
    name: String,
    /// One cell a class.
    of_classes: ArrayRef,
}

impl ShownColumn {
    pub fn of(job: &Job<'_>, attribute: usize, shown: &Shown) -> Result<Self, EngineError> {
        let described = &job.table.attributes[attribute];
        let domain = &described.domain;
        let is_label =
            described.settings.represent == Represent::Range || !domain.kind().is_ordered();
        let of_classes = match &shown.cells {
            ShownCells::Text(labels) if is_label => labels_of(job, attribute, labels)?,
            ShownCells::Text(texts) => {
                let value = |(class, text): (usize, &Option<String>)| {
                    let text = text
                        .as_deref()
                        .filter(|_| !job.classes.is_suppressed(class))?;
                    Value::read(text, domain.kind(), domain.format())
                };
                typed(domain.kind(), texts.iter().enumerate().map(value))
            }
            ShownCells::Number(numbers) => {
                let number =
                    |(class, number): (usize, &Option<f64>)| match job.classes.is_suppressed(class)
                    {
                        true => None,
                        false => *number,
                    };
                Arc::new(
                    numbers
                        .iter()
                        .enumerate()
                        .map(number)
                        .collect::<Float64Array>(),
                )
            }
        };
        Ok(ShownColumn {
            name: shown.name.clone(),
            of_classes,
        })
    }

    pub fn field(&self) -> Field {
        Field::new(&self.name, self.of_classes.data_type().clone(), true)
    }

    /// The cells of rows of these classes.
    pub fn column(&self, classes: impl Iterator<Item = u32>) -> Result<ArrayRef, ArrowError> {
        take(
            &self.of_classes,
            &UInt32Array::from_iter_values(classes),
            None,
        )
    }
}

fn typed(kind: Kind, values: impl Iterator<Item = Option<Value>>) -> ArrayRef {
    match kind {
        Kind::Integer => Arc::new(
            values
                .map(|value| match value {
                    Some(Value::Integer(number)) => Some(number),
                    _ => None,
                })
                .collect::<Int64Array>(),
        ),
        Kind::Date => Arc::new(
            values
                .map(|value| match value {
                    Some(Value::Date(day)) => Some(arrow_date(day)),
                    _ => None,
                })
                .collect::<Date32Array>(),
        ),
        _ => Arc::new(
            values
                .map(|value| value.and_then(|value| value.number()))
                .collect::<Float64Array>(),
        ),
    }
}

/// Labels as categories: numbers and dates by size, names by the alphabet, `*` last.
fn labels_of(
    job: &Job<'_>,
    attribute: usize,
    labels: &[Option<String>],
) -> Result<ArrayRef, ArrowError> {
    let top = Block::suppressed();
    // Suppressed rows that are left out need no category.
    let shows: Vec<usize> = (0..labels.len())
        .filter(|class| job.masks || !job.classes.is_suppressed(*class))
        .collect();
    let block = |class: usize| match job.classes.is_suppressed(class) {
        true => &top,
        false => job.classes.block(attribute, class),
    };
    let label = |class: usize| match job.classes.is_suppressed(class) {
        true => Some(SUPPRESSED),
        false => labels[class].as_deref(),
    };
    let (order, count) = places(shows.len(), |a, b| {
        compare_blocks(block(shows[a]), block(shows[b]))
    });
    let mut label_of = vec![None; count as usize];
    let mut place_of = vec![None; labels.len()];
    for (class, place) in shows.iter().zip(order) {
        label_of[place as usize] = label(*class);
        place_of[*class] = label(*class).map(|_| place as i32);
    }
    // A missing value has a place and no category; what comes after it moves up.
    let mut categories_before = 0;
    let mut category_of = Vec::with_capacity(label_of.len());
    for label in &label_of {
        category_of.push(categories_before);
        categories_before += i32::from(label.is_some());
    }
    let categories: StringArray = label_of.into_iter().flatten().map(Some).collect();
    let keys: Int32Array = place_of
        .into_iter()
        .map(|place| place.map(|place: i32| category_of[place as usize]))
        .collect();
    Ok(Arc::new(DictionaryArray::try_new(
        keys,
        Arc::new(categories),
    )?))
}
