//! What a model sees of a row: the same encoder for every kind of release (seed 001, section 4.2).
//!
//! - Regions: two numbers a column, the least and the greatest value of the row's box; a category
//!   counts by its place in the order of the hierarchy's leaves.
//! - Partitions: a category a column, the block that its value fell into; a column of numbers that was
//!   left as it is stays one of numbers.
//! - Unreleased rows: numbers as numbers, all else as categories.
//!
//! A test row gets what the training rows of its block or region got: the recoding is one function for
//! both. (`coarsen apply` would widen a region's label where a new row lies outside; a model could not
//! know that label from its training.) Where a recoding knows no place for a value, the cell tells
//! nothing: an unknown category; in a region, nothing in any column.

use coarsen::domain::{Attribute, Block, Code, Value};
use coarsen::recoding::{Recoding, Regions};

use crate::ends::{Ends, exact_numbers};
use crate::features::{Column, Features, UNKNOWN};
use crate::method::Found;
use crate::rows::{RowColumn, Rows};

/// The columns that a model sees, grouped by the quasi-identifier that each comes from.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// The rows.
    pub rows: usize,
    /// For each quasi-identifier its columns.
    pub columns: Vec<Vec<Column>>,
}

impl Encoded {
    /// All columns but those of some quasi-identifiers.
    pub fn without(&self, removed: &[usize]) -> Features {
        let kept = self.columns.iter().enumerate();
        Features {
            rows: self.rows,
            columns: kept
                .filter(|(place, _)| !removed.contains(place))
                .flat_map(|(_, columns)| columns.clone())
                .collect(),
        }
    }
}

/// Rows as they were before any release.
pub fn unreleased(rows: &Rows, which: &[u32]) -> Encoded {
    let column = |column: &RowColumn| {
        let codes = which.iter().map(|row| column.codes[*row as usize]);
        if column.is_numeric() {
            let number = |cell: &Option<Value>| cell.as_ref().and_then(Value::number);
            let numbers: Vec<f64> = column
                .cells
                .iter()
                .map(|cell| number(cell).unwrap_or(f64::NAN))
                .collect();
            return vec![Column::Numbers(
                codes.map(|c| numbers[c as usize]).collect(),
            )];
        }
        vec![Column::Categories {
            codes: codes.collect(),
            size: column.cells.len(),
        }]
    };
    Encoded {
        rows: which.len(),
        columns: rows.quasi_identifiers().map(column).collect(),
    }
}

impl Found {
    /// Rows as this recoding shows them. `hidden` says of which rows nothing is shown.
    pub fn encode(&self, rows: &Rows, which: &[u32], hidden: Option<&[bool]>) -> Encoded {
        let is_hidden = |row: usize| hidden.is_some_and(|hidden| hidden[row]);
        let places = self.places_of(rows, which);
        let columns = match &self.recoding {
            Recoding::Regions(regions) => {
                let region_of = region_of(regions, &places, which.len());
                let ends = self.ends(regions);
                let side = |column: usize, side: usize| {
                    let number = |(row, region): (usize, &Option<u32>)| match region {
                        Some(region) if !is_hidden(row) => ends[column][*region as usize][side],
                        _ => f64::NAN,
                    };
                    Column::Numbers(region_of.iter().enumerate().map(number).collect())
                };
                (0..self.attributes.len())
                    .map(|column| vec![side(column, 0), side(column, 1)])
                    .collect()
            }
            Recoding::Partitions(partitions) => partitions
                .columns
                .iter()
                .zip(&places)
                .map(|(partition, places)| {
                    let shown = places.iter().enumerate();
                    let blocks = shown.map(|(row, block)| block.filter(|_| !is_hidden(row)));
                    vec![match exact_numbers(&partition.blocks) {
                        Some(numbers) => Column::Numbers(
                            blocks
                                .map(|block| block.map_or(f64::NAN, |b| numbers[b as usize]))
                                .collect(),
                        ),
                        None => Column::Categories {
                            codes: blocks.map(|block| block.unwrap_or(UNKNOWN)).collect(),
                            size: partition.blocks.len(),
                        },
                    }]
                })
                .collect(),
            Recoding::Cells(_) => unreachable!("a method refuses recodings of single cells"),
        };
        Encoded {
            rows: which.len(),
            columns,
        }
    }

    /// How many of these rows hold a value that the recoding knows no place for.
    pub fn unknown_rows(&self, rows: &Rows, which: &[u32]) -> usize {
        let places = self.places_of(rows, which);
        let is_unknown = |row: &usize| places.iter().any(|places| places[*row].is_none());
        (0..which.len()).filter(is_unknown).count()
    }

    /// For each column, the place of each of these rows: its block, or its code.
    fn places_of(&self, rows: &Rows, which: &[u32]) -> Vec<Vec<Option<u32>>> {
        let of = |(column, places): (&RowColumn, &Vec<Option<u32>>)| {
            let place = |row: &u32| places[column.codes[*row as usize] as usize];
            which.iter().map(place).collect()
        };
        rows.quasi_identifiers().zip(&self.places).map(of).collect()
    }

    /// For each column and region, the ends of what is released.
    fn ends(&self, regions: &Regions) -> Vec<Vec<[f64; 2]>> {
        let of = |(column, attribute): (usize, &Attribute)| {
            let ends = Ends::of(attribute);
            let region = |region: &coarsen::recoding::Region| ends.of_block(&region.blocks[column]);
            regions.regions.iter().map(region).collect()
        };
        self.attributes.iter().enumerate().map(of).collect()
    }

    /// Whether what is released for each of these rows may satisfy a selection, given the values that
    /// do, a list for each column that is asked about (seed 001, section 3.4).
    pub fn overlaps(
        &self,
        rows: &Rows,
        which: &[u32],
        wanted: &[Option<Vec<Option<Value>>>],
    ) -> Vec<bool> {
        let touches = |block: &Block, wanted: &[Option<Value>]| {
            wanted
                .iter()
                .any(|value| block.extent.contains(value.as_ref()))
        };
        let places = self.places_of(rows, which);
        let asked: Vec<(usize, &Vec<Option<Value>>)> = wanted
            .iter()
            .enumerate()
            .filter_map(|(column, wanted)| Some((column, wanted.as_ref()?)))
            .collect();
        match &self.recoding {
            Recoding::Regions(regions) => {
                let of = |region: &coarsen::recoding::Region| {
                    let mut asked = asked.iter();
                    asked.all(|(column, wanted)| touches(&region.blocks[*column], wanted))
                };
                let touched: Vec<bool> = regions.regions.iter().map(of).collect();
                let region_of = region_of(regions, &places, which.len());
                let is_touched = |region: &Option<u32>| region.is_none_or(|r| touched[r as usize]);
                region_of.iter().map(is_touched).collect()
            }
            Recoding::Partitions(partitions) => {
                let touched: Vec<(usize, Vec<bool>)> = asked
                    .iter()
                    .map(|(column, wanted)| {
                        let blocks = partitions.columns[*column].blocks.iter();
                        (
                            *column,
                            blocks.map(|block| touches(block, wanted)).collect(),
                        )
                    })
                    .collect();
                let is_touched = |row: usize| {
                    let mut touched = touched.iter();
                    touched.all(|(column, touched)| {
                        places[*column][row].is_none_or(|block| touched[block as usize])
                    })
                };
                (0..which.len()).map(is_touched).collect()
            }
            Recoding::Cells(_) => unreachable!("a method refuses recodings of single cells"),
        }
    }
}

/// The region of each row, by the codes of its values.
fn region_of(regions: &Regions, places: &[Vec<Option<Code>>], rows: usize) -> Vec<Option<u32>> {
    let known = |place: &Option<Code>| place.unwrap_or_default();
    let codes: Vec<Vec<Code>> = places
        .iter()
        .map(|of| of.iter().map(known).collect())
        .collect();
    let views: Vec<&[Code]> = codes.iter().map(Vec::as_slice).collect();
    let mut region_of = regions.locate(&views, rows);
    for (row, region) in region_of.iter_mut().enumerate() {
        // A row with a value that has no place is nowhere.
        if places.iter().any(|of| of[row].is_none()) {
            *region = None;
        }
    }
    region_of
}
