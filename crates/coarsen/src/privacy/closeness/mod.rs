//! t-closeness: the sensitive values of every class are distributed nearly as in the whole release,
//! by the earth mover's distance (Li, Li and Venkatasubramanian 2007, section 4).
//!
//! How far apart two single values are is the column's [`Ground`]. The whole is what is released:
//! dropping rows changes it, and with it what a class is compared with.

mod ground;

#[cfg(test)]
mod tests;

pub use ground::Ground;

use super::{Requirement, RequirementEntry, Requirements, TOLERANCE, tally_of};
use crate::counts::{Class, Tally, TallyColumn};
use crate::policy::{Column, Distance, Policy};
use crate::problem::ProblemError;

/// Every class is at most `t` away from the whole release.
#[derive(Clone, Debug)]
struct Closeness {
    column: String,
    tally: usize,
    ground: Ground,
    t: f64,
}

pub(super) const ENTRY: RequirementEntry = RequirementEntry {
    name: "closeness",
    summary: "the sensitive values of every class are distributed as in the whole release, but for a distance of at most t",
    formula: "EMD(p(s|E), p(s)) ≤ t",
    policy: "closeness = [{ column = \"disease\", t = 0.2 }]",
    source: "Li et al. 2007, sections 4 and 5",
    build,
};

fn build(policy: &Policy, tallies: &[Tally]) -> Requirements {
    let mut built: Vec<Box<dyn Requirement>> = Vec::new();
    for closeness in &policy.privacy.closeness {
        let tally = tally_of(tallies, &closeness.column);
        let ground = ground(
            policy.columns.get(&closeness.column),
            tallies[tally].column(),
        )?;
        let (column, t) = (closeness.column.clone(), closeness.t);
        built.push(Box::new(Closeness {
            column,
            tally,
            ground,
            t,
        }));
    }
    Ok(built)
}

/// How far apart the values of a column are: as its policy says; where that is silent, in steps of
/// their order for numbers, dates and a stated order, by the tree where the column has one, and
/// otherwise any two equally far.
pub fn ground(stated: Option<&Column>, column: &TallyColumn) -> Result<Ground, ProblemError> {
    let numeric = column.domain.kind().is_ordered();
    let ordinal = stated.is_some_and(|stated| stated.order.is_some());
    let distance = stated.and_then(|stated| stated.distance).unwrap_or({
        if numeric {
            Distance::Ordered
        } else if column.hierarchy.is_some() {
            Distance::Hierarchical
        } else if ordinal {
            Distance::Ordered
        } else {
            Distance::Unordered
        }
    });
    let unfit = |reason: &str| ProblemError::Unfit {
        requirement: ENTRY.name,
        column: column.name.clone(),
        reason: reason.to_string(),
    };
    match distance {
        Distance::Unordered => Ok(Ground::unordered()),
        // Leaves of a tree stand in its order, which somebody chose; bare text stands in the
        // alphabet's, which nobody did.
        Distance::Ordered if numeric || ordinal || column.hierarchy.is_some() => {
            Ok(Ground::ordered(&column.domain))
        }
        Distance::Ordered => Err(unfit(
            "its values have no order; give the column an `order`, or distance = \"unordered\"",
        )),
        Distance::Hierarchical => match &column.hierarchy {
            Some(hierarchy) => Ok(Ground::hierarchical(&column.domain, hierarchy)),
            None => Err(unfit(
                "a hierarchical distance needs a hierarchy; give the column one, or distance = \"unordered\"",
            )),
        },
    }
}

impl Requirement for Closeness {
    fn text(&self) -> String {
        format!("{}-closeness of `{}`", self.t, self.column)
    }

    fn holds(&self, class: &Class<'_>, whole: &Class<'_>) -> bool {
        let distance = self
            .ground
            .distance(class.tally(self.tally), whole.tally(self.tally));
        distance <= self.t + TOLERANCE
    }

    fn compares(&self) -> bool {
        true
    }

    /// Always: the whole is no distance from itself.
    fn possible(&self, _: &Class<'_>) -> Result<(), ProblemError> {
        Ok(())
    }
}
