//! An algorithm's own settings as a form, made from the defaults that its entry in the table tells. Only
//! what differs from them is written to the policy.

use coarsen::catalog::Entry;
use coarsen::search;
use maud::{Markup, html};
use serde_json::{Map, Value as Json, json};

use super::kit::{Choice, field, select, text_input};
use crate::fields::Fields;
use crate::said::Said;

/// The settings of an algorithm with their defaults.
fn defaults(algorithm: &Entry) -> Map<String, Json> {
    let settings = algorithm.settings.as_ref().and_then(Json::as_object);
    settings.cloned().unwrap_or_default()
}

/// The form of an algorithm's settings, filled by what was typed or what the policy says.
pub fn form(algorithm: &Entry, given: &dyn Fn(&str) -> Option<String>) -> Markup {
    html! {
        @for (name, default) in &defaults(algorithm) {
            @let id = format!("set-{}-{name}", algorithm.name);
            @let sent = format!("set.{}.{name}", algorithm.name);
            @let value = given(&sent).unwrap_or_else(|| written(default));
            @let input = match default {
                Json::Bool(_) => select(&id, &sent, &[Choice::new("true", "yes"), Choice::new("false", "no")], &value),
                _ => text_input(&id, &sent, &value, 14),
            };
            (field(&id, &name.replace('_', " "), input, html! { "As usual: " (shown(default)) "." }))
        }
    }
}

/// The settings that differ from the defaults, as the policy has them; none where all are usual.
pub fn read(algorithm: &Entry, fields: &Fields) -> Result<Option<Json>, Said> {
    let mut settings = Map::new();
    for (name, default) in &defaults(algorithm) {
        let text = fields.text(&format!("set.{}.{name}", algorithm.name));
        if text != written(default) && fields.has(&format!("set.{}.{name}", algorithm.name)) {
            let value = typed(text, default).ok_or_else(|| {
                Said::new(
                    format!(
                        "{}: `{}` is `{text}`, which does not fit.",
                        algorithm.name,
                        name.replace('_', " ")
                    ),
                    format!("As usual it is {}.", shown(default)),
                )
            })?;
            if !value.is_null() {
                settings.insert(name.clone(), value);
            }
        }
    }
    let settings = (!settings.is_empty()).then_some(Json::Object(settings));
    refuse_unfit(algorithm, settings.as_ref())?;
    Ok(settings)
}

/// Asks the algorithm itself whether it takes them.
fn refuse_unfit(algorithm: &Entry, settings: Option<&Json>) -> Result<(), Said> {
    let Some(entry) = search::find(algorithm.name) else {
        return Ok(());
    };
    let settings = settings.and_then(|settings| toml::Value::try_from(settings).ok());
    match (entry.build)(settings.as_ref()) {
        Ok(_) => Ok(()),
        Err(error) => Err(Said::new(
            format!("{}: {}", entry.name, error.message),
            "Mend its settings below its name.",
        )),
    }
}

/// What the policy says of a setting, as a text for the form.
pub fn given(policy: &coarsen::policy::Policy, sent: &str) -> Option<String> {
    let (algorithm, name) = sent.strip_prefix("set.")?.split_once('.')?;
    let value = policy.search.settings.get(algorithm)?.get(name)?;
    Some(written(&serde_json::to_value(value).ok()?))
}

fn written(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn shown(value: &Json) -> String {
    match value {
        Json::Null => "left open".into(),
        Json::Bool(truth) => if *truth { "yes" } else { "no" }.into(),
        other => written(other),
    }
}

/// A text as the default is typed; where the default leaves it open, as it looks.
fn typed(text: &str, default: &Json) -> Option<Json> {
    let number = |text: &str| {
        let whole = text.parse::<i64>().map(|n| json!(n)).ok();
        whole.or_else(|| {
            text.parse::<f64>()
                .ok()
                .filter(|n| n.is_finite())
                .map(|n| json!(n))
        })
    };
    match default {
        Json::Bool(_) => text.parse::<bool>().ok().map(|truth| json!(truth)),
        Json::Number(_) => number(text),
        Json::String(_) => Some(json!(text)),
        Json::Null if text.is_empty() => Some(Json::Null),
        _ => number(text)
            .or_else(|| serde_json::from_str(text).ok())
            .or_else(|| Some(json!(text))),
    }
}

#[cfg(test)]
mod tests {
    use coarsen::catalog;

    use super::*;

    #[test]
    fn every_algorithm_takes_its_defaults_and_writes_nothing() {
        for algorithm in catalog::algorithms() {
            let form = form(&algorithm, &|_| None).into_string();
            for name in defaults(&algorithm).keys() {
                assert!(form.contains(&format!("set.{}.{name}", algorithm.name)));
            }
            assert_eq!(
                read(&algorithm, &Fields::default()).unwrap(),
                None,
                "{}",
                algorithm.name
            );
        }
    }

    #[test]
    fn only_what_differs_is_written_and_what_does_not_fit_is_said() {
        let algorithms = catalog::algorithms();
        let genetic = algorithms.iter().find(|a| a.name == "genetic").unwrap();
        let sent = Fields::from([("set.genetic.population", "60")]);
        assert_eq!(
            read(genetic, &sent).unwrap(),
            Some(json!({ "population": 60 }))
        );
        let word = Fields::from([("set.genetic.population", "many")]);
        assert!(read(genetic, &word).unwrap_err().message.contains("`many`"));
        let negative = Fields::from([("set.genetic.population", "-1")]);
        assert!(read(genetic, &negative).is_err());
    }
}
