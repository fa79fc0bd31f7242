//! A table that is passed over again and again but never held: for one whose distinct combinations do
//! not fit in memory.

use crate::domain::Code;

/// Some rows of the table, column by column.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The codes of each quasi-identifier, then those of each tallied column.
    pub columns: &'a [Vec<Code>],
    /// How many rows.
    pub rows: usize,
}

/// The table could not be read again; who reads it knows why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the table could not be read again")]
pub struct PassError;

/// A table that can be passed over.
pub trait Passes: Sync {
    /// How many threads may show rows at a time.
    fn lanes(&self) -> usize;

    /// How many bytes whoever looks at it may use between passes.
    fn memory(&self) -> u64;

    /// Shows every row once, in batches, in whatever order; each lane shows one batch at a time.
    ///
    /// # Errors
    /// Where the table cannot be read, or the work was cancelled.
    fn pass(&self, visit: &(dyn Fn(usize, Batch<'_>) + Sync)) -> Result<(), PassError>;
}
