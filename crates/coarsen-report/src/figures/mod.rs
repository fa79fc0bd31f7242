//! What a report computes from counts, classes and audits: distributions that can be compared though the
//! release is coarser, associations between columns, risk curves, and what selections return.

mod association;
mod before;
mod columns;
mod curve;
mod distribution;
mod groups;
mod selections;
mod sizes;

pub use association::{Pair, pairs};
pub use before::audit_before;
pub use columns::{ColumnRelease, column_releases};
pub use curve::risk_curve;
pub use distribution::{Distribution, distributions, released_distributions};
pub use groups::Groups;
pub use selections::{SelectionCost, selections};
pub use sizes::class_sizes;
