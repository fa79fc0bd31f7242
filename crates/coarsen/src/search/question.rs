//! A choice that a search leaves to the data holder (seed 002, Fig. 11 step 4). The search says what
//! there is to choose from; who answers, and how, is for the program around it. No cell is told.

use serde::Serialize;

/// What there is to decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Question {
    /// The rows that stand out in some columns together.
    pub rows: u64,
    /// The columns in which they do.
    pub outlying: Vec<Outlying>,
    /// The columns that may be generalized by a level.
    pub columns: Vec<Generalizable>,
}

/// Columns that hold values together which too few rows share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outlying {
    /// The columns.
    pub columns: Vec<String>,
    /// The rows that hold such values.
    pub rows: u64,
}

/// A column that may be generalized by a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Generalizable {
    /// The column.
    pub column: String,
    /// Its level now.
    pub level: usize,
    /// Its highest level.
    pub height: usize,
    /// In how many of the outlying combinations it is.
    pub combinations: usize,
}

/// Someone who decides: the place of a column in [`Question::columns`], or none where cells are to be
/// suppressed instead.
pub type Chooser<'a> = &'a (dyn Fn(&Question) -> Option<usize> + Sync);
