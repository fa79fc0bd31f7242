//! Requirements as a form, made from the table of requirements: each entry says how it is written in a
//! policy, and its fields are read from that. A new entry appears here by itself.

mod template;

use std::collections::BTreeMap;

use coarsen::policy::{Policy, Role};
use maud::{Markup, html};
use serde_json::{Map, Value as Json};

use super::kit::{Choice, field, select, text_input};
use crate::fields::Fields;
use crate::said::Said;
use template::{Template, gather, label, put, read, templates, texts};
/// What the form holds; texts as they were typed.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    alone: BTreeMap<String, String>,
    rows: Vec<Row>,
}

#[derive(Clone, Debug, Default)]
struct Row {
    name: String,
    values: BTreeMap<String, Vec<String>>,
}

impl Asked {
    /// As a policy has them.
    pub fn of(policy: &Policy) -> Self {
        let privacy = serde_json::to_value(&policy.privacy).expect("a policy is plain data");
        let templates = templates();
        let mut asked = Asked::default();
        for template in templates.iter().filter(|template| !template.is_listed) {
            if let Some(value) = privacy.get(&template.key).filter(|value| !value.is_null()) {
                asked
                    .alone
                    .insert(template.key.clone(), texts(value).concat());
            }
        }
        for (key, list) in privacy.as_object().into_iter().flatten() {
            for entry in list.as_array().into_iter().flatten() {
                let mut leaves = Vec::new();
                gather(String::new(), entry, &mut leaves);
                let fits = |template: &&Template| {
                    let has =
                        |(at, _): &(String, Json)| leaves.iter().any(|(other, _)| other == at);
                    template.key == *key && template.leaves.iter().all(has)
                };
                if let Some(template) = templates.iter().find(fits) {
                    let values = leaves.iter().map(|(at, value)| (at.clone(), texts(value)));
                    asked.rows.push(Row {
                        name: template.entry.name.into(),
                        values: values.collect(),
                    });
                }
            }
        }
        asked
    }

    /// As they were sent. A button may have asked for one more, or for one less.
    pub fn sent(fields: &Fields) -> Self {
        let templates = templates();
        let mut asked = Asked::default();
        for template in templates.iter().filter(|template| !template.is_listed) {
            asked.alone.insert(
                template.key.clone(),
                fields.text(&format!("privacy.{}", template.key)).into(),
            );
        }
        for place in 0.. {
            let Some(name) = fields.some(&format!("row.{place}.is")) else {
                break;
            };
            let template = templates
                .iter()
                .find(|template| template.entry.name == name);
            if fields.text("remove") == place.to_string() {
                continue;
            }
            let value = |(at, _): &(String, Json)| {
                let sent = fields
                    .all(&format!("row.{place}.{at}"))
                    .map(|text| text.trim().to_string())
                    .collect();
                (at.clone(), sent)
            };
            let leaves = template.map_or(&[][..], |template| &template.leaves);
            asked.rows.push(Row {
                name: name.into(),
                values: leaves.iter().map(value).collect(),
            });
        }
        if let Some(template) = fields
            .some("add")
            .and_then(|name| templates.into_iter().find(|t| t.entry.name == name))
        {
            // Numbers begin with the example's; columns are the steward's to choose.
            let numbers = template
                .leaves
                .iter()
                .filter(|(_, example)| example.is_number());
            let values = numbers
                .map(|(at, example)| (at.clone(), texts(example)))
                .collect();
            asked.rows.push(Row {
                name: template.entry.name.into(),
                values,
            });
        }
        asked
    }

    /// What they are in a policy, key by key.
    pub fn changes(&self) -> Result<Vec<(String, Option<Json>)>, Said> {
        let templates = templates();
        let mut lists: BTreeMap<&str, Vec<Json>> = BTreeMap::new();
        let mut changes = Vec::new();
        for template in &templates {
            if template.is_listed {
                lists.entry(&template.key).or_default();
                continue;
            }
            let (_, example) = &template.leaves[0];
            let text = self.alone.get(&template.key).map_or("", String::as_str);
            let value = read(
                &[text.to_string()],
                example,
                template.entry.name,
                &template.key,
            )?;
            changes.push((template.key.clone(), Some(value)));
        }
        for row in &self.rows {
            let template = templates
                .iter()
                .find(|template| template.entry.name == row.name);
            let template = template.ok_or_else(|| {
                let message = format!("There is no requirement `{}`.", row.name);
                Said::new(message, "Choose one from the list.")
            })?;
            let mut entry = Map::new();
            for (at, example) in &template.leaves {
                let sent = row.values.get(at).cloned().unwrap_or_default();
                put(
                    &mut entry,
                    at,
                    read(&sent, example, template.entry.name, at)?,
                );
            }
            lists
                .entry(&template.key)
                .or_default()
                .push(Json::Object(entry));
        }
        for (key, list) in lists {
            changes.push((
                key.to_string(),
                (!list.is_empty()).then_some(Json::Array(list)),
            ));
        }
        Ok(changes)
    }

    /// The form.
    pub fn form(&self, policy: &Policy) -> Markup {
        let templates = templates();
        html! {
            @for template in templates.iter().filter(|template| !template.is_listed) {
                @let id = format!("privacy-{}", template.key);
                @let value = self.alone.get(&template.key).map_or("", String::as_str);
                (field(&id, &label(&template.key), text_input(&id, &format!("privacy.{}", template.key), value, 8), html! { (sentence(template.entry.summary)) " 5 to 15 are usual." }))
            }
            @for (place, row) in self.rows.iter().enumerate() {
                @if let Some(template) = templates.iter().find(|template| template.entry.name == row.name) { (line(policy, template, place, row)) }
            }
            div class="adding" {
                label for="add" { "Ask for more" }
                select id="add" name="add" {
                    option value="" { "– another requirement –" }
                    @for template in templates.iter().filter(|template| template.is_listed) {
                        option value=(template.entry.name) { (template.entry.name) ": " (template.entry.summary) }
                    }
                }
                " " button class="quiet-button small" name="adding" value="1" formnovalidate { "Add" }
            }
        }
    }
}

fn line(policy: &Policy, template: &Template, place: usize, row: &Row) -> Markup {
    html! {
        fieldset class="requirement" {
            legend { (template.entry.name) }
            p class="hint" { (sentence(template.entry.summary)) " " code { (template.entry.formula) } }
            input type="hidden" name=(format!("row.{place}.is")) value=(template.entry.name);
            div class="inline" {
                @for (at, example) in &template.leaves {
                    @let id = format!("row-{place}-{}", at.replace('.', "-"));
                    @let name = format!("row.{place}.{at}");
                    @let sent = row.values.get(at).cloned().unwrap_or_default();
                    (leaf(policy, &id, &name, at, example, &sent))
                }
                button class="quiet-button small" name="remove" value=(place) formnovalidate aria-label=(format!("Remove {}", template.entry.name)) { "Remove" }
            }
        }
    }
}

/// A field for what an example shows: a column to choose, several of them, or a number to type.
fn leaf(
    policy: &Policy,
    id: &str,
    name: &str,
    at: &str,
    example: &Json,
    sent: &[String],
) -> Markup {
    let first = sent.first().map_or("", String::as_str);
    let named = |role: Role| policy.columns_with(role).map(|(name, _)| name);
    match example {
        Json::Array(_) => html! {
            fieldset class="boxes" {
                legend { (label(at)) }
                @for column in named(Role::QuasiIdentifier) {
                    label { input type="checkbox" name=(name) value=(column) checked[sent.iter().any(|each| each == column)]; " " (column) }
                }
            }
        },
        Json::String(_) => {
            let columns = named(Role::Sensitive).map(|column| Choice::new(column, column));
            let choices: Vec<Choice<'_>> = std::iter::once(Choice::new("", "– choose –"))
                .chain(columns)
                .collect();
            field(id, &label(at), select(id, name, &choices, first), html! {})
        }
        _ => field(id, &label(at), text_input(id, name, first, 8), html! {}),
    }
}

/// A clause as a sentence.
fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    first.chain(rest).chain(['.']).collect()
}

#[cfg(test)]
mod tests {
    use coarsen::privacy::REQUIREMENTS;
    use serde_json::json;

    use super::*;

    #[test]
    fn every_requirement_of_the_table_has_a_form_and_comes_back() {
        let templates = templates();
        assert_eq!(
            templates.len(),
            REQUIREMENTS.len(),
            "every entry is written so that it can be read"
        );
        let mut text = String::from(
            "version = 1\ninput = { path = \"a\" }\noutput = { path = \"b\" }\n[columns]\n",
        );
        for column in ["age", "zip"] {
            text += &format!("{column} = {{ role = \"quasi-identifier\" }}\n");
        }
        for column in ["disease", "salary"] {
            text += &format!("{column} = {{ role = \"sensitive\" }}\n");
        }
        text += "[privacy]\nk = 7\ncloseness = [{ column = \"disease\", t = 0.2 }]\nquasi_identifiers = [{ columns = [\"age\", \"zip\"], k = 20 }]\n";
        text += "diversity = [{ column = \"disease\", distinct = 3 }, { column = \"disease\", entropy = 3.0 }, { column = \"disease\", recursive = { c = 2.0, l = 3 } }, { column = \"salary\", squared_error = 100.0 }]\n";
        let policy = Policy::parse(&text, &[]).unwrap();
        let asked = Asked::of(&policy);
        assert_eq!(asked.rows.len(), 6);
        assert_eq!(asked.alone["k"], "7");
        let mut privacy = Map::new();
        for (key, value) in asked.changes().unwrap() {
            privacy.insert(key, value.unwrap_or(Json::Null));
        }
        let back: coarsen::policy::Privacy = serde_json::from_value(Json::Object(privacy)).unwrap();
        assert_eq!(back, policy.privacy);
        assert!(asked.form(&policy).into_string().contains("row.5."));
    }

    #[test]
    fn what_is_not_filled_in_is_said() {
        let none = Fields::from([("privacy.k", "")]);
        assert!(
            Asked::sent(&none)
                .changes()
                .unwrap_err()
                .message
                .contains("`k` is not given")
        );
        let word = Fields::from([("privacy.k", "five")]);
        assert!(
            Asked::sent(&word)
                .changes()
                .unwrap_err()
                .message
                .contains("not a whole number")
        );
        let fine = Fields::from([("privacy.k", "5")]);
        let changes = Asked::sent(&fine).changes().unwrap();
        assert!(changes.contains(&("k".into(), Some(json!(5)))));
        assert!(changes.contains(&("diversity".into(), None)));
    }
}
