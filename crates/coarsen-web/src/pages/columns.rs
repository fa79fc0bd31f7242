//! The step Columns: a role for every column, with what the profile suggests and why.

use std::sync::Arc;

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use coarsen::policy::{Column, HierarchySpec, Role, Treatment};
use coarsen_engine::{ColumnProfile, Suggestion, column_facts, suggest_as};
use coarsen_report::text::{counted, number};
use maud::{Markup, html};
use serde_json::Value as Json;

use super::kit::{Choice, alert, encoded};
use super::layout::{self, lacking};
use super::steps::Step;
use super::{Visit, in_thread};
use crate::answer::go;
use crate::fields::{Fields, Sent};
use crate::project::{Change, Profiled, Project, Read};
use crate::said::Said;
use crate::server::App;

const TITLE: &str = "What each column is";

/// Its routes.
pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/columns", get(show).post(take))
}

async fn show(visit: Visit) -> Response {
    in_thread(
        move || match visit.session.open(|project| content(project)) {
            Ok(body) => layout::show(&visit, Some(Step::Columns), TITLE, body),
            Err(said) => lacking(&visit, Step::Columns, &said),
        },
    )
    .await
}

async fn take(visit: Visit, sent: Sent) -> Response {
    let fields = Fields::from(sent);
    in_thread(move || {
        let changed = visit.session.open(|project| change(project, &fields));
        match changed {
            Ok(()) if fields.has("next") => go("/protection"),
            Ok(()) => go("/columns"),
            Err(said) => {
                let body = visit.session.open(|project| content(project));
                let body = body.unwrap_or_else(|other| alert(&other));
                layout::refuse(&visit, Some(Step::Columns), TITLE, &said, body)
            }
        }
    })
    .await
}

/// Gives columns the roles that were chosen. What a role does not need goes, and what it does is
/// suggested.
fn change(project: &mut Project, fields: &Fields) -> Result<(), Said> {
    let read = project.read()?;
    let profiled = project.profiled.clone();
    let mut changes: Vec<Change<'_>> = Vec::new();
    for (place, column) in profiled.profile.columns.iter().enumerate() {
        let Some(word) = fields.some(&format!("role.{place}")) else {
            continue;
        };
        let role = Role::from_word(word).ok_or_else(|| {
            Said::new(
                format!("There is no role `{word}`."),
                "Choose one from the list.",
            )
        })?;
        let now = read.policy.columns.get(&column.name);
        if now.is_some_and(|now| now.role == role) {
            continue;
        }
        let new = in_role(column, &profiled.suggestions[place], role);
        changes.push((vec!["columns", &column.name], Some(as_json(&new))));
    }
    project.change(&changes)
}

/// How a column is described in a role: as it was suggested, or as would be suggested for that role.
pub fn in_role(column: &ColumnProfile, suggestion: &Suggestion, role: Role) -> Column {
    match suggestion.column.role == role {
        true => suggestion.column.clone(),
        false => suggest_as(column, role).column,
    }
}

/// A column as the policy writes it.
pub fn as_json(column: &Column) -> Json {
    serde_json::to_value(column).expect("a column is plain data")
}

fn content(project: &Project) -> Result<Markup, Said> {
    let read = project.read()?;
    let profiled = &project.profiled;
    let profile = &profiled.profile;
    let together = &profiled.together;
    let about = if together.exact { "" } else { "about " };
    Ok(html! {
        p {
            (counted(profile.rows, "row", "rows")) ", " (number(profile.columns.len() as u64)) " columns. By the suggested quasi-identifiers together, "
            (about) strong { (number(together.unique_rows)) } " rows are like no other. A suggestion knows names and counts, not people: the roles are yours to decide."
        }
        details class="more" {
            summary { "What the roles mean" }
            dl class="terms" { @for role in Role::ALL { dt { (role.word()) } dd { (role.summary()) } } }
        }
        form method="post" action="/columns" {
            div class="card scroll" {
                table class="columns stack" {
                    caption class="hidden" { "Columns with their roles" }
                    thead { tr { th scope="col" { "column" } th scope="col" { "role" } th scope="col" { "what is done with it" } } }
                    tbody { @for place in 0..profile.columns.len() { (line(&read, profiled, place)) } }
                }
            }
            p class="actions" {
                button { "Keep these roles" }
                " " button class="quiet-button" name="next" value="1" { "Keep, and on to Protection →" }
            }
        }
        @for (one, other) in &together.twins {
            p class="warn" { code { (one) } " and " code { (other) } " say the same, value for value: better make one an identifier, which is dropped." }
        }
    })
}

fn line(read: &Read, profiled: &Profiled, place: usize) -> Markup {
    let column = &profiled.profile.columns[place];
    let suggestion = &profiled.suggestions[place];
    let described = read.policy.columns.get(&column.name);
    let role = described.map(|described| described.role);
    let suggested = suggestion.column.role;
    let id = format!("role-{place}");
    html! {
        tr {
            th scope="row" {
                label for=(id) { (column.name) }
                p class="quiet" { (column_facts(column, profiled.profile.rows)) }
            }
            td {
                select id=(id) name=(format!("role.{place}")) {
                    @if role.is_none() { option value="" selected { "– choose –" } }
                    @for choice in choices() { option value=(choice.value) selected[role.is_some_and(|r| r.word() == choice.value)] { (choice.label) } }
                }
                p class="quiet" {
                    @if role == Some(suggested) { "as suggested: " } @else { "suggested: " strong { (suggested.word()) } ", for " }
                    (suggestion.why) @if !suggestion.sure { " (a guess: please check)" } "."
                }
            }
            td {
                @if let Some(described) = described { (treatment(described)) " " }
                a href=(format!("/columns/{}", encoded(&column.name))) aria-label=(format!("Change how {} is treated", column.name)) { "Change" }
            }
        }
    }
}

/// The roles to choose from.
pub fn choices() -> Vec<Choice<'static>> {
    let choice = |role: &Role| Choice::new(role.word(), role.word());
    Role::ALL.iter().map(choice).collect()
}

/// What becomes of a column, in a few words.
fn treatment(column: &Column) -> String {
    match column.role {
        Role::Identifier => match column.treatment.unwrap_or(Treatment::Drop) {
            Treatment::Drop => "left out".into(),
            Treatment::Token => "replaced by random tokens".into(),
            Treatment::KeyedHash => "replaced by keyed hashes".into(),
        },
        Role::QuasiIdentifier => format!("coarsened: {}", steps_of(column.hierarchy.as_ref())),
        Role::Sensitive => "released as it is, and guarded".into(),
        Role::Target | Role::Other => "released as it is".into(),
    }
}

/// A hierarchy in a few words.
pub fn steps_of(spec: Option<&HierarchySpec>) -> String {
    let listed = |items: Vec<String>| items.join(" → ");
    match spec {
        None => "as it is, or *".into(),
        Some(HierarchySpec::File { path }) => format!("by the tree in {path}"),
        Some(HierarchySpec::Intervals { widths, .. }) => {
            format!(
                "intervals of {}",
                listed(widths.iter().map(ToString::to_string).collect())
            )
        }
        Some(HierarchySpec::Mask { side, .. }) => format!("characters masked from the {side}"),
        Some(HierarchySpec::Dates { units }) => {
            listed(units.iter().map(ToString::to_string).collect())
        }
        Some(HierarchySpec::Tree(_)) => "by the tree in the policy".into(),
        Some(HierarchySpec::Quantiles { limit }) => format!("at most {limit} runs of like counts"),
    }
}
