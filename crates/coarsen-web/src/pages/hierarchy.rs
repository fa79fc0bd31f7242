//! One column: its role, its type, and how it is coarsened, with a preview over the data.

mod form;
mod preview;

use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::extract::Path as Asked;
use axum::response::Response;
use axum::routing::{get, post};
use coarsen::catalog;
use coarsen::policy::{Column, DateUnit, Kind, Represent, Side, Treatment};
use maud::{Markup, html};

pub use form::number;

use super::columns::{as_json, choices, in_role};
use super::kit::{Choice, encoded, field, select, text_input};
use super::layout::{self, lacking};
use super::steps::Step;
use super::{Visit, in_thread};
use crate::answer::{go, page};
use crate::fields::{Fields, Sent};
use crate::place::{Place, folder_of};
use crate::project::Read;
use crate::said::Said;
use crate::server::App;
use form::Form;

/// Its routes.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/columns/{name}", get(show).post(take))
        .route("/columns/{name}/preview", post(preview_now))
}

/// The policy, and the column as it describes it; as suggested where it does not yet.
fn known(visit: &Visit, name: &str) -> Result<(Read, Column), Said> {
    visit.session.open(|project| {
        let read = project.read()?;
        let profiled = &project.profiled;
        let place = profiled
            .profile
            .columns
            .iter()
            .position(|column| column.name == name);
        let place = place.ok_or_else(|| {
            Said::new(
                format!("There is no column `{name}`."),
                "Choose one on the step Columns.",
            )
        })?;
        let suggested = || profiled.suggestions[place].column.clone();
        let column = read
            .policy
            .columns
            .get(name)
            .cloned()
            .unwrap_or_else(suggested);
        Ok((read, column))
    })
}

async fn show(visit: Visit, Asked(name): Asked<String>) -> Response {
    in_thread(move || match known(&visit, &name) {
        Err(said) => lacking(&visit, Step::Columns, &said),
        Ok((read, column)) => {
            let seen = preview::preview(&visit.app.engine, &read, &name, Ok(column.clone()));
            let body = content(&read, &name, &Form::of(&column), seen);
            layout::show(&visit, Some(Step::Columns), &name, body)
        }
    })
    .await
}

async fn preview_now(visit: Visit, Asked(name): Asked<String>, sent: Sent) -> Response {
    let form = Form::sent(&Fields::from(sent));
    in_thread(move || {
        page(match known(&visit, &name) {
            Err(said) => super::kit::alert(&said),
            Ok((read, now)) => preview::preview(&visit.app.engine, &read, &name, form.column(&now)),
        })
    })
    .await
}

async fn take(visit: Visit, Asked(name): Asked<String>, sent: Sent) -> Response {
    let fields = Fields::from(sent);
    in_thread(move || {
        let (read, now) = match known(&visit, &name) {
            Err(said) => return lacking(&visit, Step::Columns, &said),
            Ok(known) => known,
        };
        let mut form = Form::sent(&fields);
        if fields.has("as-text") {
            // The hierarchy as it is, for changes line by line.
            let asked = form
                .column(&now)
                .and_then(|column| preview::counts(&visit.app.engine, &read, &name, column));
            return match asked {
                Ok(Some(hierarchy)) => {
                    form.tree = hierarchy.layout();
                    form.how = "tree".into();
                    let seen = preview::preview(&visit.app.engine, &read, &name, form.column(&now));
                    layout::show(
                        &visit,
                        Some(Step::Columns),
                        &name,
                        content(&read, &name, &form, seen),
                    )
                }
                Ok(None) => again(
                    &visit,
                    &read,
                    &name,
                    &form,
                    &Said::new(
                        "This column has no hierarchy.",
                        "Make it a quasi-identifier first.",
                    ),
                ),
                Err(said) => again(&visit, &read, &name, &form, &said),
            };
        }
        let column = match wanted(&visit, &name, &form, &now) {
            Ok(column) => column,
            Err(said) => return again(&visit, &read, &name, &form, &said),
        };
        // What the data do not fit is not kept: a search would stumble over it.
        let fits = preview::counts(&visit.app.engine, &read, &name, column.clone());
        let kept = fits.and_then(|_| {
            let change = (vec!["columns", name.as_str()], Some(as_json(&column)));
            visit
                .session
                .open(|project| project.change(std::slice::from_ref(&change)))
        });
        match kept {
            Err(said) => again(&visit, &read, &name, &form, &said),
            Ok(()) if fields.has("back") => go("/columns"),
            Ok(()) => {
                visit
                    .session
                    .with(|project| project.notice = Some(format!("“{name}” is kept so.")));
                go(&format!("/columns/{}", encoded(&name)))
            }
        }
    })
    .await
}

/// The column that was asked for. In a new role it begins as would be suggested for that role.
fn wanted(visit: &Visit, name: &str, form: &Form, now: &Column) -> Result<Column, Said> {
    let column = form.column(now)?;
    if column.role == now.role || column.hierarchy.is_some() {
        return Ok(column);
    }
    visit.session.open(|project| {
        let profiled = &project.profiled;
        let place = profiled
            .profile
            .columns
            .iter()
            .position(|column| column.name == name);
        let begun = place.map(|place| {
            in_role(
                &profiled.profile.columns[place],
                &profiled.suggestions[place],
                column.role,
            )
        });
        Ok(begun.unwrap_or_else(|| column.clone()))
    })
}

fn again(visit: &Visit, read: &Read, name: &str, form: &Form, said: &Said) -> Response {
    let body = content(
        read,
        name,
        form,
        html! { p class="quiet" { "See above what is wrong." } },
    );
    layout::refuse(visit, Some(Step::Columns), name, said, body)
}

fn content(read: &Read, name: &str, form: &Form, seen: Markup) -> Markup {
    let action = format!("/columns/{}", encoded(name));
    html! {
        p { a href="/columns" { "← all columns" } }
        form method="post" action=(action) data-preview=(format!("{action}/preview")) data-into="preview" {
            div class="grid" {
                fieldset {
                    legend { "What it is" }
                    (field("role", "Role", select("role", "role", &choices(), &form.role), html! {}))
                    div data-when="role" data-is="quasi-identifier sensitive target other" { (type_fields(form)) }
                    div data-when="role" data-is="identifier" {
                        (field("treatment", "Treatment", select("treatment", "treatment", &words(Treatment::ALL, |t| (t.word(), t.summary()), "left out (as usual)"), &form.treatment), html! {}))
                    }
                }
                fieldset data-when="role" data-is="quasi-identifier sensitive" {
                    legend { "How it is coarsened" }
                    p class="hint" data-when="role" data-is="sensitive" { "A sensitive column is released as it is: its tree only tells how far apart two values are, for closeness." }
                    (how_fields(read, name, form))
                }
            }
            details class="more" data-when="role" data-is="quasi-identifier" {
                summary { "More: scheme, weight, how blocks are written" }
                (more_fields(form))
            }
            p class="actions" {
                button { "Keep" }
                " " button name="back" value="1" class="quiet-button" { "Keep, and back to all columns" }
                " " button name="as-text" value="1" class="quiet-button" { "Edit as text" }
            }
            section aria-labelledby="preview-head" {
                h2 id="preview-head" { "Preview over the data" }
                div id="preview" aria-live="polite" { (seen) }
            }
        }
    }
}

fn type_fields(form: &Form) -> Markup {
    html! {
        (field("type", "Type", select("type", "type", &words(Kind::ALL, |k| (k.word(), k.summary()), "found from the data"), &form.kind), html! {}))
        (field("format", "How dates are written", text_input("format", "format", &form.format, 14), html! { "Such as " code { "%d.%m.%Y" } "; empty for 2026-12-31." }))
    }
}

/// A list of words with what they mean, and the choice to leave it open.
fn words<T: Copy>(
    all: &[T],
    of: fn(T) -> (&'static str, &'static str),
    open: &str,
) -> Vec<Choice<'static>> {
    let none = Choice::new("", open);
    let choice = |each: &T| {
        let (word, summary) = of(*each);
        Choice::new(word, format!("{word}: {}", summary.trim_end_matches('.')))
    };
    std::iter::once(none)
        .chain(all.iter().map(choice))
        .collect()
}

fn how_fields(read: &Read, name: &str, form: &Form) -> Markup {
    let kinds = [
        Choice::new("", "no steps: as it is, or *"),
        Choice::new("intervals", "intervals of numbers"),
        Choice::new("dates", "units of the calendar"),
        Choice::new("mask", "characters masked one by one"),
        Choice::new("tree", "a tree, written here"),
        Choice::new("file", "a tree from a file"),
        Choice::new("quantiles", "runs of like counts"),
    ];
    let sides = Side::ALL
        .iter()
        .map(|side| Choice::new(side.word(), format!("from the {}", side.word())));
    let sides: Vec<Choice<'_>> = sides.collect();
    let files = files(&read.place, folder_of(&read.file));
    let files = files.iter().map(|file| Choice::new(file, file.as_str()));
    let files: Vec<Choice<'_>> = std::iter::once(Choice::new("", "– choose –"))
        .chain(files)
        .collect();
    html! {
        (field("how", "Steps", select("how", "how", &kinds, &form.how), html! {}))
        div data-when="how" data-is="intervals" {
            (field("widths", "Widths, from narrow to wide", text_input("widths", "widths", &form.widths, 20), html! { "Each a multiple of the one before, such as 5, 10, 20." }))
            (field("origin", "Where an interval begins", text_input("origin", "origin", &form.origin, 8), html! { "0 where empty." }))
        }
        div data-when="how" data-is="dates" {
            fieldset class="boxes" {
                legend { "Units" }
                @for unit in DateUnit::ALL {
                    label { input type="checkbox" name="units" value=(unit.word()) checked[form.units.iter().any(|word| word == unit.word())]; " " (unit.word()) }
                }
            }
        }
        div data-when="how" data-is="mask" {
            (field("side", "Side", select("side", "side", &sides, &form.side), html! {}))
            (field("levels", "At most so many characters", text_input("levels", "levels", &form.levels, 6), html! { "All of them where empty." }))
        }
        div data-when="how" data-is="tree" {
            (field("tree", "The tree", html! { textarea id="tree" name="tree" rows="12" cols="44" spellcheck="false" { "\n" (form.tree) } },
                html! { "One line a value, then its ever coarser names: " code { "Masters;Graduate;*" } ". “Edit as text” fills it with the values of " (name) "." }))
        }
        div data-when="how" data-is="file" {
            (field("file", "File", select("file", "file", &files, &form.file), html! { "One line a value, then its ever coarser names (ARX's layout)." }))
        }
        div data-when="how" data-is="quantiles" {
            (field("quantiles", "At most so many runs", text_input("quantiles", "quantiles", &form.quantiles, 6), html! { "Runs of neighbouring numbers that hold about equally many rows." }))
        }
    }
}

fn more_fields(form: &Form) -> Markup {
    let schemes = catalog::schemes();
    let known = schemes.iter().map(|scheme| {
        Choice::new(
            scheme.name,
            format!("{}: {}", scheme.name, scheme.summary.trim_end_matches('.')),
        )
    });
    let known: Vec<Choice<'_>> = std::iter::once(Choice::new("", "level (as usual)"))
        .chain(known)
        .collect();
    html! {
        (field("scheme", "Scheme", select("scheme", "scheme", &known, &form.scheme), html! { "Which groups of values a search may make." }))
        (field("weight", "Weight", text_input("weight", "weight", &form.weight, 6), html! { "How much its loss counts beside the other columns'; 1 where empty." }))
        (field("represent", "Blocks are written as", select("represent", "represent", &words(Represent::ALL, |r| (r.word(), r.summary()), "range (as usual)"), &form.represent), html! {}))
    }
}

/// The files near the policy that could be hierarchies.
fn files(place: &Place, folder: &str) -> Vec<String> {
    let entries = place.list(folder).unwrap_or_default();
    let fits = |name: &String| {
        let ending = Path::new(name).extension().and_then(|e| e.to_str());
        matches!(ending, Some("csv" | "txt"))
    };
    entries
        .into_iter()
        .filter(|e| e.bytes.is_some())
        .map(|e| e.name)
        .filter(fits)
        .collect()
}
