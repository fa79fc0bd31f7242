//! What a policy tells in public: its thresholds, and the roles of the columns that are released. No
//! input name or path, no column that is not in the release, no tree, no selection and no missing-value
//! word is among it, for each of these may name a value that was hidden.

use coarsen::policy::{MissingRule, Order, Policy, Role, SuppressionMode};

/// A released column and its role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleasedColumn {
    /// Its name in the release.
    pub name: String,
    /// What it is.
    pub role: Role,
}

/// What a policy tells in public.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// The requirements, in words.
    pub requirements: Vec<String>,
    /// The released columns, in their order.
    pub columns: Vec<ReleasedColumn>,
    /// The share of rows that may be suppressed.
    pub limit: f64,
    /// What becomes of them.
    pub mode: SuppressionMode,
    /// What becomes of missing values.
    pub missing: MissingRule,
    /// In which order the rows stand.
    pub order: Order,
}

impl Terms {
    /// The terms of a release: `names` are the columns of the written file, `quasi` those among them
    /// that are quasi-identifiers.
    pub fn of(
        policy: &Policy,
        requirements: &[String],
        names: &[String],
        quasi: &[String],
    ) -> Self {
        let role = |name: &String| match quasi.contains(name) {
            true => Role::QuasiIdentifier,
            false => policy.columns.get(name).map_or(Role::Other, |c| c.role),
        };
        let columns = names
            .iter()
            .map(|name| ReleasedColumn {
                name: name.clone(),
                role: role(name),
            })
            .collect();
        Terms {
            requirements: requirements.to_vec(),
            columns,
            limit: policy.suppression.limit,
            mode: policy.suppression.mode,
            missing: policy.input.missing_rule,
            order: policy.output.order,
        }
    }
}
