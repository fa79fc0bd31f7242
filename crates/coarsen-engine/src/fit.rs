//! Whether a policy fits a table: every column of either is known to the other, and what is to be counted
//! can be.

use coarsen::policy::{Key, Policy, PolicyError, Role, Treatment, did_you_mean};
use datafusion::arrow::datatypes::{DataType, FieldRef};

use crate::EngineError;
use crate::source::Source;
use crate::table::Domains;

/// Every column of the file needs a role, and every column of the policy must be in the file.
pub(crate) fn check_columns(source: &Source, policy: &Policy) -> Result<(), EngineError> {
    let names: Vec<&str> = source.names().collect();
    for name in policy.columns.keys() {
        if !names.contains(&name.as_str()) {
            let key = Key::of(["columns", name]);
            let list = format!("The file has: {}.", names.join(", "));
            let help = match did_you_mean(name, names.iter().copied()) {
                Some(close) => format!("Did you mean `{close}`? {list}"),
                None => list,
            };
            let message = format!("{} has no column `{name}`.", source.path.display());
            return Err(PolicyError::new(&key, message).with_help(help).into());
        }
    }
    let without: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| !policy.columns.contains_key(*name))
        .collect();
    if !without.is_empty() {
        let list = without
            .iter()
            .map(|n| format!("`{n}`"))
            .collect::<Vec<_>>()
            .join(", ");
        let (noun, verb) = if without.len() == 1 {
            ("Column", "has")
        } else {
            ("Columns", "have")
        };
        return Err(PolicyError::new(
            &Key::of(["columns"]),
            format!(
                "{noun} {list} of {} {verb} no role in the policy.",
                source.path.display()
            ),
        )
        .with_help(format!(
            "Say what each is, under [columns], such as: {} = {{ role = \"quasi-identifier\" }} (or identifier, sensitive, target, other).",
            quoted(without[0])
        ))
        .into());
    }
    Ok(())
}

fn quoted(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match name.chars().all(bare) {
        true => name.to_string(),
        false => format!("{name:?}"),
    }
}

/// Lists and objects can be neither counted nor written as a cell. A column that is not looked at may
/// hold them, and so may one that is dropped. Spans of time and bytes of one length can be written, but
/// have no text that counting and recoding agree on.
pub(crate) fn refuse_illegible(
    source: &Source,
    policy: &Policy,
    asked: &[String],
    domains: Domains,
) -> Result<(), EngineError> {
    let is_used = |name: &String| {
        let column = &policy.columns[name];
        let dropped = column.role == Role::Identifier
            && column.treatment.unwrap_or(Treatment::Drop) == Treatment::Drop;
        asked.contains(name) || (domains != Domains::AsReleased && !dropped)
    };
    for field in source.schema.fields() {
        let (what, help) = match field.data_type() {
            of if of.is_nested() && is_used(field.name()) => (
                "lists or objects",
                "give each of their parts a column of its own; or role = \"identifier\", and the column is dropped",
            ),
            DataType::Duration(_) if asked.contains(field.name()) => (
                "spans of time",
                "make them numbers first, such as whole days; or role = \"other\", and they are released as they are",
            ),
            DataType::FixedSizeBinary(_) if asked.contains(field.name()) => (
                "bytes",
                "make them texts first; or role = \"other\", and they are released as they are",
            ),
            _ => continue,
        };
        let message = format!("column `{}` holds {what}", field.name());
        return Err(EngineError::input(&source.path, message, help));
    }
    Ok(())
}

/// A library's own type that is stored as something else, such as months as their numbers, would be
/// coarsened as what it is stored as.
pub(crate) fn refuse_extensions(source: &Source, quasi: &[String]) -> Result<(), EngineError> {
    let is_own = |field: &&FieldRef| {
        let of = field.data_type();
        let is_text = matches!(
            of,
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View
        );
        field.extension_type_name().is_some() && !is_text && quasi.contains(field.name())
    };
    match source.schema.fields().iter().find(is_own) {
        None => Ok(()),
        Some(field) => Err(EngineError::input(
            &source.path,
            format!(
                "column `{}` is of the type {}, which cannot be coarsened",
                field.name(),
                field.extension_type_name().unwrap_or_default()
            ),
            "convert it to text, numbers or dates first",
        )),
    }
}
