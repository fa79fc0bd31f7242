//! The policy's text, changed key by key: comments, order and whatever the page does not know stay as the
//! steward wrote them.

use serde_json::Value as Json;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use crate::said::Said;

/// A key of the policy and its new value; none takes it away.
pub type Change<'a> = (Vec<&'a str>, Option<Json>);

/// Changes some keys of a policy's text.
pub fn edit(text: &str, changes: &[Change<'_>]) -> Result<String, Said> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        Said::new(
            format!("The policy is not valid TOML: {}.", error.message()),
            "Mend it on the page “Policy as text”.",
        )
    })?;
    for (key, value) in changes {
        match value {
            Some(value) => set(document.as_table_mut(), key, value)?,
            None => remove(document.as_table_mut(), key),
        }
    }
    Ok(document.to_string())
}

fn set(table: &mut dyn TableLike, key: &[&str], value: &Json) -> Result<(), Said> {
    let Some((first, rest)) = key.split_first() else {
        return Ok(());
    };
    if rest.is_empty() {
        let Some(mut new) = to_value(value) else {
            table.remove(first);
            return Ok(());
        };
        match table.get_mut(first) {
            Some(item) => {
                // The comment at the end of the line belongs to the line.
                if let Some(old) = item.as_value() {
                    *new.decor_mut() = old.decor().clone();
                }
                *item = Item::Value(new);
            }
            None => {
                table.insert(first, Item::Value(new));
            }
        }
        return Ok(());
    }
    if !table.contains_key(first) {
        table.insert(first, Item::Table(Table::new()));
    }
    let item = table.get_mut(first);
    let item = item.filter(|item| item.is_table_like()).ok_or_else(|| {
        Said::new(
            format!("`{first}` is a value in the policy, not a table."),
            "Mend it on the page “Policy as text”.",
        )
    })?;
    let Some(inner) = item.as_table_like_mut() else {
        return Ok(());
    };
    let known = inner.len();
    set(inner, rest, value)?;
    // One more entry on the line: its spaces are set anew.
    if let Some(line) = item.as_inline_table_mut().filter(|line| line.len() > known) {
        line.fmt();
    }
    Ok(())
}

fn remove(table: &mut dyn TableLike, key: &[&str]) {
    match key {
        [] => {}
        [last] => {
            table.remove(last);
        }
        [first, rest @ ..] => {
            if let Some(inner) = table.get_mut(first).and_then(Item::as_table_like_mut) {
                remove(inner, rest);
            }
        }
    }
}

/// JSON as TOML has it, on one line; none for null.
fn to_value(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Null => return None,
        Json::Bool(truth) => Value::from(*truth),
        Json::String(text) => Value::from(text.as_str()),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Value::from(whole),
            // A width of 5 is written as a person would.
            (None, Some(real)) if real.fract() == 0.0 && real.abs() < 9e15 => {
                Value::from(real as i64)
            }
            (None, real) => Value::from(real?),
        },
        Json::Array(list) => Value::Array(list.iter().filter_map(to_value).collect::<Array>()),
        Json::Object(map) => {
            let mut table = InlineTable::new();
            for (name, value) in map {
                if let Some(value) = to_value(value) {
                    table.insert(name, value);
                }
            }
            Value::InlineTable(table)
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TEXT: &str = "# why\nversion = 1\noutput = { path = \"r.csv\" } # where\n\n[columns]\n# a name\nname = { role = \"other\" } # sure\nage = { role = \"other\" }\n";

    #[test]
    fn comments_stay_and_only_what_is_named_changes() {
        let changes = [
            (
                vec!["columns", "name"],
                Some(json!({ "role": "identifier" })),
            ),
            (vec!["privacy", "k"], Some(json!(5))),
            (vec!["output", "report"], Some(json!("r.html"))),
        ];
        let text = edit(TEXT, &changes).unwrap();
        assert!(text.starts_with("# why\nversion = 1\n"), "{text}");
        assert!(
            text.contains("# a name\nname = { role = \"identifier\" } # sure\nage"),
            "{text}"
        );
        assert!(
            text.contains("output = { path = \"r.csv\", report = \"r.html\" } # where"),
            "{text}"
        );
        assert!(text.contains("[privacy]\nk = 5\n"), "{text}");
        let back = edit(
            &text,
            &[(vec!["privacy", "k"], None), (vec!["no", "such"], None)],
        )
        .unwrap();
        assert!(!back.contains("k = 5"), "{back}");
        assert_eq!(edit(TEXT, &[]).unwrap(), TEXT);
    }

    #[test]
    fn odd_names_and_values_are_quoted() {
        let tree = json!({ "tree": { "A \"b\"": ["x", "1"] }, "widths": [5.0, 0.5], "none": null });
        let text = edit("", &[(vec!["columns", "a.b <c>"], Some(tree))]).unwrap();
        let read: toml::Table = toml::from_str(&text).unwrap();
        let column = &read["columns"]["a.b <c>"];
        assert_eq!(column["tree"]["A \"b\""][1].as_str(), Some("1"));
        assert_eq!(column["widths"][0].as_integer(), Some(5));
        assert!(column.get("none").is_none());
    }

    #[test]
    fn what_is_no_toml_is_said() {
        assert!(
            edit("a = ", &[])
                .unwrap_err()
                .message
                .contains("not valid TOML")
        );
        assert!(edit("a = 1", &[(vec!["a", "b"], Some(json!(1)))]).is_err());
    }
}
