//! The step Protection: what every class must meet, how many rows may be left out, and what the release is
//! meant for.

mod selections;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::response::Response;
use axum::routing::{get, post};
use coarsen::policy::{MissingRule, Policy, Role, SuppressionMode};
use maud::{Markup, html};
use serde_json::{Value as Json, json};

use super::hierarchy::number;
use super::kit::{Choice, field, select, term, text_input};
use super::layout::{self, lacking};
use super::requirements::Asked;
use super::steps::Step;
use super::{Visit, in_thread};
use crate::answer::go;
use crate::fields::{Fields, Sent};
use crate::project::{Change, Read};
use crate::said::Said;
use crate::server::App;

const TITLE: &str = "What the release must meet";

/// Its routes.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/protection", get(show).post(take))
        .route("/protection/check", post(selections::check_now))
}

/// Keys of the policy and their new values.
type Changes = Vec<(Vec<String>, Option<Json>)>;

/// What the form holds; texts as they were typed.
#[derive(Clone, Debug, Default)]
struct Form {
    asked: Asked,
    /// In percent.
    limit: String,
    mode: String,
    missing: String,
    weights: BTreeMap<String, String>,
    selections: String,
}

impl Form {
    fn of(policy: &Policy) -> Self {
        let weight = |column: &str| {
            let stated = policy
                .workload
                .targets
                .iter()
                .find(|target| target.column == column);
            stated.map_or(1.0, |target| target.weight).to_string()
        };
        Form {
            asked: Asked::of(policy),
            limit: percent_of(policy.suppression.limit),
            mode: policy.suppression.mode.word().into(),
            missing: policy.input.missing_rule.word().into(),
            weights: policy
                .columns_with(Role::Target)
                .map(|(column, _)| (column.to_string(), weight(column)))
                .collect(),
            selections: policy.workload.selections.join("\n"),
        }
    }

    fn sent(fields: &Fields, policy: &Policy) -> Self {
        let targets = policy.columns_with(Role::Target).map(|(column, _)| column);
        Form {
            asked: Asked::sent(fields),
            limit: fields.text("limit").into(),
            mode: fields.text("mode").into(),
            missing: fields.text("missing").into(),
            weights: targets
                .map(|column| {
                    (
                        column.to_string(),
                        fields.text(&format!("weight.{column}")).to_string(),
                    )
                })
                .collect(),
            selections: fields
                .raw("selections")
                .unwrap_or_default()
                .replace('\r', ""),
        }
    }

    /// The changes of the policy that the form asks for.
    fn changes(&self, policy: &Policy) -> Result<Changes, Said> {
        let key = |steps: &[&str]| {
            steps
                .iter()
                .map(|step| step.to_string())
                .collect::<Vec<_>>()
        };
        let mut changes = Changes::new();
        for (name, value) in self.asked.changes()? {
            changes.push((key(&["privacy", &name]), value));
        }
        let limit = number::<f64>(
            self.limit.trim_end_matches(['%', ' ']),
            "The share of suppressed rows",
        )?;
        let share = limit.unwrap_or(0.0) / 100.0;
        changes.push((
            key(&["suppression", "limit"]),
            Some(json!((share * 1e9).round() / 1e9)),
        ));
        changes.push((
            key(&["suppression", "mode"]),
            some_unless(
                &self.mode,
                SuppressionMode::Drop.word(),
                policy.suppression.mode != SuppressionMode::Drop,
            ),
        ));
        changes.push((
            key(&["input", "missing_values"]),
            some_unless(
                &self.missing,
                MissingRule::Category.word(),
                policy.input.missing_rule != MissingRule::Category,
            ),
        ));
        changes.push((key(&["workload", "targets"]), self.targets(policy)?));
        let texts: Vec<&str> = selections::lines(&self.selections).collect();
        changes.push((
            key(&["workload", "selections"]),
            (!texts.is_empty()).then(|| json!(texts)),
        ));
        Ok(changes)
    }

    /// Targets that are not as usual: by their weight, or by costs that the policy gives them.
    fn targets(&self, policy: &Policy) -> Result<Option<Json>, Said> {
        let mut targets = Vec::new();
        for (column, weight) in &self.weights {
            let weight = number::<f64>(weight, &format!("The weight of {column}"))?.unwrap_or(1.0);
            let stated = policy
                .workload
                .targets
                .iter()
                .find(|target| target.column == *column);
            if weight != 1.0 || stated.is_some() {
                let mut target = stated.cloned().unwrap_or_default();
                target.column = column.clone();
                target.weight = weight;
                targets.push(target);
            }
        }
        Ok((!targets.is_empty()).then(|| json!(targets)))
    }
}

/// A word of the policy; nothing where it says what is so anyway and did not stand there.
fn some_unless(word: &str, usual: &str, stands: bool) -> Option<Json> {
    (!word.is_empty() && (word != usual || stands)).then(|| json!(word))
}

fn percent_of(share: f64) -> String {
    let percent = (share * 1e11).round() / 1e9;
    percent.to_string()
}

async fn show(visit: Visit) -> Response {
    in_thread(move || match visit.session.open(|project| project.read()) {
        Err(said) => lacking(&visit, Step::Protection, &said),
        Ok(read) => {
            let body = content(&visit, &read, &Form::of(&read.policy));
            layout::show(&visit, Some(Step::Protection), TITLE, body)
        }
    })
    .await
}

async fn take(visit: Visit, sent: Sent) -> Response {
    let fields = Fields::from(sent);
    in_thread(move || {
        let read = match visit.session.open(|project| project.read()) {
            Err(said) => return lacking(&visit, Step::Protection, &said),
            Ok(read) => read,
        };
        let form = Form::sent(&fields, &read.policy);
        if fields.has("adding") || fields.has("remove") {
            // Only the form changes; the policy does when all of it is kept.
            let body = content(&visit, &read, &form);
            return layout::show(&visit, Some(Step::Protection), TITLE, body);
        }
        match keep(&visit, &read, &form) {
            Ok(()) if fields.has("next") => go("/search"),
            Ok(()) => {
                visit
                    .session
                    .with(|project| project.notice = Some("Kept.".into()));
                go("/protection")
            }
            Err(said) => {
                let body = content(&visit, &read, &form);
                layout::refuse(&visit, Some(Step::Protection), TITLE, &said, body)
            }
        }
    })
    .await
}

fn keep(visit: &Visit, read: &Read, form: &Form) -> Result<(), Said> {
    let changes = form.changes(&read.policy)?;
    selections::refuse_bad(visit, &form.selections)?;
    refuse_impossible(visit, &changes)?;
    let changes: Vec<Change<'_>> = changes
        .iter()
        .map(|(key, value)| (key.iter().map(String::as_str).collect(), value.clone()))
        .collect();
    visit.session.open(|project| project.change(&changes))
}

/// A k that not even the whole table meets is said at once, not after a search.
fn refuse_impossible(visit: &Visit, changes: &Changes) -> Result<(), Said> {
    let asked = changes.iter().find(|(key, _)| key.join(".") == "privacy.k");
    let Some(k) = asked.and_then(|(_, value)| value.as_ref()?.as_u64()) else {
        return Ok(());
    };
    let rows = visit
        .session
        .with(|project| project.profiled.profile.rows)
        .unwrap_or(u64::MAX);
    match k > rows {
        true => Err(Said::new(
            format!("k is {k}, but the table has only {rows} rows."),
            format!("Every class needs k rows: choose a k of at most {rows}."),
        )),
        false => Ok(()),
    }
}

fn content(visit: &Visit, read: &Read, form: &Form) -> Markup {
    let policy = &read.policy;
    let modes: Vec<Choice<'_>> = SuppressionMode::ALL
        .iter()
        .map(|mode| {
            Choice::new(
                mode.word(),
                format!("{}: {}", mode.word(), mode.summary().trim_end_matches('.')),
            )
        })
        .collect();
    let rules: Vec<Choice<'_>> = MissingRule::ALL
        .iter()
        .map(|rule| {
            Choice::new(
                rule.word(),
                format!("{}: {}", rule.word(), rule.summary().trim_end_matches('.')),
            )
        })
        .collect();
    html! {
        form method="post" action="/protection" {
            fieldset {
                legend { "Every class of the release" }
                p class="hint" { "A class is a group of rows that are alike in every quasi-identifier." }
                (form.asked.form(policy))
                @if policy.columns_with(Role::Sensitive).next().is_none() {
                    p class="hint" { "No column is sensitive, so that diversity and closeness have nothing to speak of." }
                }
            }
            fieldset {
                legend { "Rows that may be left out" }
                (field("limit", "At most, in percent of the rows", text_input("limit", "limit", &form.limit, 6), html! { "Leaving out a few rows lets all others say more; 0 forbids it." }))
                (field("mode", "What becomes of them", select("mode", "mode", &modes, &form.mode), html! {}))
                (field("missing", "Missing values", select("missing", "missing", &rules, &form.missing), html! {}))
            }
            fieldset {
                legend { "What the release is meant for" }
                @if form.weights.is_empty() { p class="hint" { "No column is a target. Give one that role if others will learn to predict it: losses can then look after it." } }
                @else {
                    div class="inline" {
                        @for (column, weight) in &form.weights {
                            @let id = format!("weight-{column}");
                            (field(&id, &format!("Weight of {column}"), text_input(&id, &format!("weight.{column}"), weight, 6), html! {}))
                        }
                    }
                }
                div data-preview="/protection/check" data-into="checked" {
                    (field("selections", "Selections that queries will make, one a line",
                        html! { textarea id="selections" name="selections" rows="4" cols="60" spellcheck="false" aria-describedby="checked" { "\n" (form.selections) } },
                        html! { "Such as " code { (selections::example(policy)) } ". The report tells how precisely the release answers each." }))
                    div id="checked" aria-live="polite" { (selections::checked(visit, &form.selections)) }
                }
            }
            details class="more" {
                summary { "What these words mean" }
                ul class="asked" { @for key in ["k", "classes", "suppressed_rows", "distinct_l", "entropy_l", "t", "imprecision_of_selection"] { li { (term(key)) } } }
            }
            p class="actions" {
                button { "Keep" }
                " " button class="quiet-button" name="next" value="1" { "Keep, and on to Search →" }
            }
        }
    }
}
