//! One column by itself: does what it gives suit its role, its type and its hierarchy?

use std::collections::BTreeSet;
use std::fmt::Write;

use chrono::NaiveDate;

use super::{fail, positive};
use crate::policy::{
    Column, DateUnit, Distance, HierarchySpec, Key, KeySource, Kind, PolicyError, Represent, Role,
    Treatment, TreeSpec,
};

/// Checks one column; `key` is its own.
pub(super) fn check(key: &Key, name: &str, column: &Column) -> Result<(), PolicyError> {
    roles(key, name, column)?;
    secret(key, column)?;
    if let Some(weight) = column.weight {
        let help =
            "Write a number above 0; a column that should not count is not a quasi-identifier.";
        positive(&key.then("weight"), weight, help)?;
    }
    values(key, name, column)?;
    match &column.hierarchy {
        Some(spec) => hierarchy(&key.then("hierarchy"), name, column, spec),
        None => Ok(()),
    }
}

/// Keys that only some roles have.
fn roles(key: &Key, name: &str, column: &Column) -> Result<(), PolicyError> {
    use Role::{Identifier, QuasiIdentifier, Sensitive};
    let given = [
        ("treatment", column.treatment.is_some(), &[Identifier][..]),
        ("key", column.key.is_some(), &[Identifier]),
        ("scheme", column.scheme.is_some(), &[QuasiIdentifier]),
        ("weight", column.weight.is_some(), &[QuasiIdentifier]),
        ("represent", column.represent.is_some(), &[QuasiIdentifier]),
        (
            "hierarchy",
            column.hierarchy.is_some(),
            &[QuasiIdentifier, Sensitive],
        ),
        ("distance", column.distance.is_some(), &[Sensitive]),
    ];
    for (part, is_given, roles) in given {
        if is_given && !roles.contains(&column.role) {
            let words: Vec<String> = roles.iter().map(|role| format!("\"{role}\"")).collect();
            let words = words.join(" or ");
            return fail(
                &key.then(part),
                format!(
                    "`{part}` is for columns of the role {words}, but the role of `{name}` is \"{}\".",
                    column.role
                ),
                format!("Remove `{part}`, or give `{name}` the role {words}."),
            );
        }
    }
    Ok(())
}

/// A keyed hash has a key, and nothing else has.
fn secret(key: &Key, column: &Column) -> Result<(), PolicyError> {
    let key = key.then("key");
    let hashed = column.treatment == Some(Treatment::KeyedHash);
    match &column.key {
        None if hashed => fail(
            &key,
            "A keyed hash needs a key, and none is given.",
            "Add `key = { file = \"secret.key\" }` or `key = { env = \"COARSEN_KEY\" }`; the key \
             itself does not belong in a policy.",
        ),
        Some(_) if !hashed => fail(
            &key,
            "A key is given, but the treatment is not \"keyed-hash\".",
            "Add `treatment = \"keyed-hash\"`, or remove `key`.",
        ),
        Some(KeySource::File { path: place } | KeySource::Env { name: place })
            if place.trim().is_empty() =>
        {
            fail(
                &key,
                "The place of the key is empty.",
                "Name a file or an environment variable.",
            )
        }
        _ => Ok(()),
    }
}

/// Format, order, representation and distance against the type.
fn values(key: &Key, name: &str, column: &Column) -> Result<(), PolicyError> {
    let dates = matches!(column.hierarchy, Some(HierarchySpec::Dates { .. }));
    let date = column.kind == Some(Kind::Date) || (column.kind.is_none() && dates);
    if column.format.is_some() && !date {
        return fail(
            &key.then("format"),
            format!("`format` says how dates are written, but `{name}` is not said to be a date."),
            "Add `type = \"date\"`, or remove `format`.",
        );
    }
    if let Some(format) = &column.format
        && !is_date_format(format)
    {
        return fail(
            &key.then("format"),
            format!("`{format}` is no format that a date alone can be written in."),
            "Write it with %Y (or %y), %m (or %b, %B) and %d, such as `%m/%d/%Y`; a time of day is \
             not part of a date.",
        );
    }
    if let Some(order) = &column.order {
        let key = key.then("order");
        if let Some(kind) = column.kind.filter(|kind| *kind != Kind::Text) {
            return fail(
                &key,
                format!("`order` is for text, but `{name}` is of type {kind}, which has an order."),
                "Remove `order`, or write `type = \"text\"`.",
            );
        }
        if order.is_empty() {
            return fail(
                &key,
                format!("The order of `{name}` names no values."),
                "List all its values from first to last, or remove `order`.",
            );
        }
        let mut seen = BTreeSet::new();
        if let Some(at) = order.iter().position(|value| !seen.insert(value)) {
            return fail(
                &key.then(at),
                format!("The order of `{name}` names `{}` twice.", order[at]),
                "Each value has one place: remove one of the two.",
            );
        }
    }
    let numberless = column
        .kind
        .filter(|kind| matches!(kind, Kind::Text | Kind::Boolean));
    if let (Some(represent @ (Represent::Midpoint | Represent::Mean)), Some(kind)) =
        (column.represent, numberless)
    {
        return fail(
            &key.then("represent"),
            format!("`{name}` is of type {kind}, which has no {represent}."),
            "Use \"range\", or remove `represent`.",
        );
    }
    match column.distance {
        Some(Distance::Hierarchical) if column.hierarchy.is_none() => fail(
            &key.then("distance"),
            format!("A hierarchical distance needs a hierarchy, and `{name}` has none."),
            "Add `hierarchy = { file = \"...\" }`, or choose another distance.",
        ),
        Some(Distance::Ordered) if column.kind == Some(Kind::Text) && column.order.is_none() => {
            fail(
                &key.then("distance"),
                format!("An ordered distance needs an order, and the text of `{name}` has none."),
                "Add `order = [...]` with all its values from first to last.",
            )
        }
        _ => Ok(()),
    }
}

/// The kind of hierarchy against the type, and what it says in itself.
fn hierarchy(
    key: &Key,
    name: &str,
    column: &Column,
    spec: &HierarchySpec,
) -> Result<(), PolicyError> {
    let key = &key.then(spec.kind());
    let fits = |kind: Kind| match spec {
        HierarchySpec::Intervals { .. } => matches!(kind, Kind::Integer | Kind::Decimal),
        HierarchySpec::Quantiles { .. } => !matches!(kind, Kind::Text | Kind::Boolean),
        HierarchySpec::Dates { .. } => kind == Kind::Date,
        HierarchySpec::File { .. } | HierarchySpec::Mask { .. } | HierarchySpec::Tree(_) => true,
    };
    if let Some(kind) = column.kind.filter(|kind| !fits(*kind)) {
        let help = match kind {
            Kind::Date => "For dates write { dates = [\"month\", \"year\"] }.",
            Kind::Integer | Kind::Decimal => "For numbers write { intervals = [5, 10, 20] }.",
            Kind::Text | Kind::Boolean => {
                "For text use `file`, `tree` or `mask`; if it holds numbers or dates, correct its `type`."
            }
        };
        let message = format!(
            "`{}` does not suit `{name}`, which is of type {kind}.",
            spec.kind()
        );
        return fail(key, message, help);
    }
    match spec {
        HierarchySpec::File { path } if path.trim().is_empty() => {
            fail(key, "The hierarchy's file has no name.", "Name a CSV file.")
        }
        HierarchySpec::Intervals { widths, origin } => intervals(key, widths, *origin),
        HierarchySpec::Mask {
            levels: Some(0), ..
        } => fail(
            key,
            "A mask of 0 levels masks nothing.",
            "Write `levels = 1` or more, or remove `levels` to mask every character.",
        ),
        HierarchySpec::Dates { units } => dates(key, units),
        HierarchySpec::Tree(tree) => branches(key, tree),
        HierarchySpec::Quantiles { limit: 0 | 1 } => fail(
            key,
            format!("`{key}` needs at least 2 runs."),
            "Write 2 or more; 100 is usual.",
        ),
        _ => Ok(()),
    }
}

fn intervals(key: &Key, widths: &[f64], origin: f64) -> Result<(), PolicyError> {
    if widths.is_empty() {
        return fail(
            key,
            "No widths are given.",
            "Write a list such as [5, 10, 20].",
        );
    }
    if !origin.is_finite() {
        return fail(key, format!("The origin is {origin}."), "Write a number.");
    }
    for (index, &width) in widths.iter().enumerate() {
        let key = key.then(index);
        positive(&key, width, "The width of an interval is a number above 0.")?;
        let Some(&before) = index.checked_sub(1).and_then(|index| widths.get(index)) else {
            continue;
        };
        // Widths such as 0.1 are not exact in binary, so a hair's breadth is forgiven.
        let ratio = width / before;
        if ratio.round() < 2.0 || (ratio - ratio.round()).abs() > 1e-9 * ratio {
            return fail(
                &key,
                format!("An interval of {width} does not hold whole intervals of {before}."),
                "Each width must be a multiple of the one before it, as in [5, 10, 20].",
            );
        }
    }
    Ok(())
}

fn dates(key: &Key, units: &[DateUnit]) -> Result<(), PolicyError> {
    if units.is_empty() {
        return fail(
            key,
            "No units are given.",
            "Write a list such as [\"month\", \"year\"].",
        );
    }
    // The units are declared from fine to coarse.
    match units.windows(2).position(|pair| pair[0] >= pair[1]) {
        Some(at) => fail(
            &key.then(at + 1),
            format!(
                "`{}` is not coarser than `{}` before it.",
                units[at + 1],
                units[at]
            ),
            "List the units from fine to coarse: day, month, quarter, year, decade.",
        ),
        None => Ok(()),
    }
}

/// Every branch ends in values. Whether the tree names a value twice is seen where it is built.
fn branches(key: &Key, tree: &TreeSpec) -> Result<(), PolicyError> {
    let empty = match tree {
        TreeSpec::Leaves(values) => values.is_empty(),
        TreeSpec::Inner(children) => children.is_empty(),
    };
    if empty {
        return fail(
            key,
            format!("`{key}` holds no values."),
            "Write its values in a list, or remove it; a value that stands alone is \
             `Private = [\"Private\"]`.",
        );
    }
    if let TreeSpec::Inner(children) = tree {
        for (name, child) in children {
            branches(&key.then(name), child)?;
        }
    }
    Ok(())
}

/// Whether every day can be written in a format and read back from it.
fn is_date_format(format: &str) -> bool {
    let day = NaiveDate::from_ymd_opt(1999, 12, 31).unwrap_or_default();
    let mut text = String::new();
    let written = write!(text, "{}", day.format(format)).is_ok();
    written && NaiveDate::parse_from_str(&text, format).is_ok_and(|read| read == day)
}
