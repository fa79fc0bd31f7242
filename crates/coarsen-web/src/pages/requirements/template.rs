//! How a requirement is written in a policy, read from the example that its entry in the table gives: what
//! there is to fill in, and how what was typed becomes a value.

use coarsen::privacy::{REQUIREMENTS, RequirementEntry};
use serde_json::{Map, Value as Json, json};

use crate::said::Said;

/// How a requirement is written: under a key of `[privacy]`, alone or as an entry of a list.
pub struct Template {
    pub entry: &'static RequirementEntry,
    pub key: String,
    pub is_listed: bool,
    /// What to fill in, by its dotted place in the entry, with the example's value.
    pub leaves: Vec<(String, Json)>,
}

/// Every requirement that can be asked for.
pub fn templates() -> Vec<Template> {
    REQUIREMENTS.iter().filter_map(template).collect()
}

fn template(entry: &'static RequirementEntry) -> Option<Template> {
    let written: toml::Table = toml::from_str(entry.policy).ok()?;
    let (key, value) = written.into_iter().next()?;
    let value = serde_json::to_value(value).ok()?;
    let (is_listed, example) = match value {
        Json::Array(list) => (true, list.into_iter().next()?),
        other => (false, other),
    };
    let mut leaves = Vec::new();
    gather(String::new(), &example, &mut leaves);
    Some(Template {
        entry,
        key,
        is_listed,
        leaves,
    })
}

/// The leaves of a value, each by its dotted place.
pub fn gather(at: String, value: &Json, leaves: &mut Vec<(String, Json)>) {
    match value {
        Json::Object(map) => {
            for (name, value) in map {
                let at = if at.is_empty() {
                    name.clone()
                } else {
                    format!("{at}.{name}")
                };
                gather(at, value, leaves);
            }
        }
        leaf => leaves.push((at, leaf.clone())),
    }
}
/// What a field is called.
pub fn label(at: &str) -> String {
    at.rsplit('.').next().unwrap_or(at).replace('_', " ")
}

/// A value as texts: several of a list.
pub fn texts(value: &Json) -> Vec<String> {
    match value {
        Json::Array(list) => list.iter().flat_map(texts).collect(),
        Json::String(text) => vec![text.clone()],
        other => vec![other.to_string()],
    }
}

/// What was typed, as the example is.
pub fn read(sent: &[String], example: &Json, requirement: &str, at: &str) -> Result<Json, Said> {
    let first = sent.first().map_or("", |text| text.trim());
    let lacking = || {
        Said::new(
            format!("{requirement}: `{}` is not given.", label(at)),
            "Fill it in, or remove the requirement.",
        )
    };
    match example {
        Json::Array(_) => match sent {
            [] => Err(lacking()),
            columns => Ok(json!(columns)),
        },
        _ if first.is_empty() => Err(lacking()),
        Json::String(_) => Ok(json!(first)),
        Json::Number(example) => {
            let whole = first.parse::<u64>().ok().map(|n| json!(n));
            let real = first
                .parse::<f64>()
                .ok()
                .filter(|_| example.is_f64())
                .map(|n| json!(n));
            whole.or(real).ok_or_else(|| {
                let kind = if example.is_f64() {
                    "a number"
                } else {
                    "a whole number"
                };
                Said::new(
                    format!(
                        "{requirement}: `{}` is `{first}`, which is not {kind}.",
                        label(at)
                    ),
                    format!("Type {kind}, such as {example}."),
                )
            })
        }
        other => Ok(other.clone()),
    }
}

/// Puts a value at a dotted place.
pub fn put(entry: &mut Map<String, Json>, at: &str, value: Json) {
    match at.split_once('.') {
        None => {
            entry.insert(at.to_string(), value);
        }
        Some((first, rest)) => {
            let inner = entry.entry(first).or_insert_with(|| json!({}));
            if let Some(inner) = inner.as_object_mut() {
                put(inner, rest, value);
            }
        }
    }
}
