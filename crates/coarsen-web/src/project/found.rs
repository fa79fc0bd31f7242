//! A frontier that was searched, and the policy that it was searched under.

use coarsen_engine::Frontier;

/// A searched grid.
pub struct Found {
    /// The candidates.
    pub frontier: Frontier,
    /// The policy's text at that time.
    pub text: String,
}
