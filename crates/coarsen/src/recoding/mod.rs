//! Recodings: what a search hands over. Partitions and regions are functions of the domain, so they
//! are saved and applied to new rows; cells belong to the rows they were found for.

mod cells;
mod partitions;
mod regions;
mod saved;
mod show;
mod tree;
mod writing;

pub use cells::{CellClass, Cells};
pub use partitions::Partitions;
pub use regions::{Region, Regions};
pub use saved::{Bound, LoadError, SavedRecoding, UnseenColumn, UnseenError};
pub use show::{Shown, ShownCells, show};
pub use tree::{Finder, Tree};

use crate::counts::{Classes, Counts};
use crate::domain::Attribute;

/// What becomes of every combination of quasi-identifier values.
#[derive(Clone, Debug, PartialEq)]
pub enum Recoding {
    /// Each column's domain in blocks; a value becomes its block (single-dimensional, global).
    Partitions(Partitions),
    /// The domain space in boxes; a row becomes its box (multidimensional, global).
    Regions(Regions),
    /// Each cell of each row by itself (local).
    Cells(Cells),
}

impl Recoding {
    /// `partitions`, `regions` or `cells`.
    pub fn kind(&self) -> &'static str {
        match self {
            Recoding::Partitions(_) => "partitions",
            Recoding::Regions(_) => "regions",
            Recoding::Cells(_) => "cells",
        }
    }

    /// The classes it makes, none of them suppressed yet.
    pub fn classes(&self, attributes: &[Attribute], counts: &Counts) -> Classes {
        match self {
            Recoding::Partitions(partitions) => partitions.classes(counts),
            Recoding::Regions(regions) => regions.classes(attributes, counts),
            Recoding::Cells(cells) => cells.classes(counts),
        }
    }
}
