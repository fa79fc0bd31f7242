//! `--set KEY=VALUE`: values that are laid over the policy's text before it is read.

use toml::{Table, Value};

use super::error::PolicyError;
use super::key::Key;

/// Splits `KEY=VALUE` at the first `=` that is not inside a quoted step of the key.
///
/// # Errors
/// Where there is no `=`, or nothing before it.
pub fn split_override(text: &str) -> Result<(String, String), PolicyError> {
    let mut quote = None;
    let mut escaped = false;
    let mut at_step = true; // a quote opens only where a step begins
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some('"'), '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') if at_step => quote = Some(c),
            (None, '=') if at > 0 => {
                return Ok((text[..at].trim().to_owned(), text[at + 1..].to_owned()));
            }
            (None, _) => {}
        }
        at_step = c == '.' || (at_step && c.is_whitespace());
    }
    Err(unreadable(text))
}

/// Lays overrides over a table, in their order; tables that are not there are made.
pub(super) fn apply(table: &mut Table, overrides: &[(String, String)]) -> Result<(), PolicyError> {
    for (text, value) in overrides {
        let key = Key::parse(text).ok_or_else(|| unreadable(text))?;
        // A bare word such as datafly or 30s is not TOML, but on a command line it is plain text.
        let value = value
            .parse::<Value>()
            .unwrap_or_else(|_| Value::String(value.clone()));
        set(table, &key, value)?;
    }
    Ok(())
}

fn set(table: &mut Table, key: &Key, value: Value) -> Result<(), PolicyError> {
    let Some((first, rest)) = key.steps().split_first() else {
        return Err(unreadable(""));
    };
    let mut slot = table.entry(first.clone()).or_insert(empty());
    for (depth, step) in rest.iter().enumerate() {
        let around = || Key::of(&key.steps()[..=depth]);
        slot = match slot {
            Value::Table(table) => table.entry(step.clone()).or_insert(empty()),
            Value::Array(list) => {
                let length = list.len();
                step.parse::<usize>()
                    .ok()
                    .and_then(|index| list.get_mut(index))
                    .ok_or_else(|| out_of_list(key, &around(), step, length))?
            }
            _ => return Err(not_a_table(key, &around())),
        };
    }
    *slot = value;
    Ok(())
}

fn empty() -> Value {
    Value::Table(Table::new())
}

fn unreadable(text: &str) -> PolicyError {
    PolicyError {
        message: format!("--set {text} does not begin with a key of the policy."),
        key: None,
        span: None,
        help: Some(
            "Write it as --set privacy.k=5, or --set 'columns.\"native country\".role=other'."
                .to_owned(),
        ),
    }
}

fn not_a_table(key: &Key, around: &Key) -> PolicyError {
    PolicyError::new(
        key,
        format!("--set {key} cannot be done: `{around}` is a value, not a table."),
    )
    .with_help(format!(
        "Set `{around}` itself, or a key that is inside a table."
    ))
}

fn out_of_list(key: &Key, around: &Key, step: &str, length: usize) -> PolicyError {
    let help = match length {
        0 => format!("Set `{around}` as a whole, as in --set '{around}=[...]'."),
        _ => format!(
            "Use a number from 0 to {}, or set `{around}` as a whole.",
            length - 1
        ),
    };
    PolicyError::new(
        key,
        format!("--set {key} cannot be done: `{around}` is a list and has no entry `{step}`."),
    )
    .with_help(help)
}
