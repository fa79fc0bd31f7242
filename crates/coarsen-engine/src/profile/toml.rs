//! TOML as a person writes it: comments of an even width, values on one line, quotes where they are
//! needed.

use serde_json::Value as Json;

/// How wide comments are.
const WIDTH: usize = 100;

/// Writes a text as lines of comment.
pub(super) fn comment(out: &mut String, text: &str) {
    let mut line = String::from("#");
    for word in text.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > WIDTH && line.len() > 1 {
            out.push_str(&line);
            out.push('\n');
            line = String::from("#");
        }
        line.push(' ');
        line.push_str(word);
    }
    out.push_str(&line);
    out.push('\n');
}

/// A key as TOML writes it.
pub(super) fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match !name.is_empty() && name.chars().all(bare) {
        true => name.to_string(),
        false => quoted(name),
    }
}

/// A text as TOML writes it.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A value as TOML writes it on one line.
pub(super) fn inline(value: &Json) -> String {
    match value {
        Json::Object(map) => {
            let entries: Vec<String> = map
                .iter()
                .map(|(name, value)| format!("{} = {}", key(name), inline(value)))
                .collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Json::Array(list) => {
            let items: Vec<String> = list.iter().map(inline).collect();
            format!("[{}]", items.join(", "))
        }
        Json::String(text) => quoted(text),
        Json::Number(number) => match number.as_f64() {
            Some(real) if real.fract() == 0.0 && real.abs() < 9e15 => format!("{}", real as i64),
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_texts_are_quoted_where_toml_wants_it() {
        assert_eq!(key("native-country"), "native-country");
        assert_eq!(key("native country"), "\"native country\"");
        assert_eq!(key("a.b\"c\\"), "\"a.b\\\"c\\\\\"");
        assert_eq!(key("größe"), "\"größe\"");
        assert_eq!(quoted("a\u{1}\tb"), "\"a\\u0001\\tb\"");
    }

    #[test]
    fn values_fit_on_a_line() {
        let value = serde_json::json!({ "a": [5.0, 0.5], "b": { "c d": "x" } });
        assert_eq!(inline(&value), "{ a = [5, 0.5], b = { \"c d\" = \"x\" } }");
    }
}
