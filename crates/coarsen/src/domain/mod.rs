//! What a column is: its role, its coded values, its hierarchy, and how its values may be grouped.

mod attribute;
mod cover;
#[allow(clippy::module_inception)]
mod domain;
pub mod hierarchy;
mod kind;
mod partition;
pub mod scheme;
mod value;

pub use attribute::{Attribute, AttributeSettings};
pub use chrono::{Datelike, NaiveDate as Day};
pub use cover::Cover;
pub use domain::{Code, Domain, Index, MISSING};
pub use hierarchy::{Hierarchy, Measure, SUPPRESSED};
pub use kind::{Kind, infer};
pub use partition::{Block, Extent, Partition};
pub use value::{ISO_DATE, Value};
