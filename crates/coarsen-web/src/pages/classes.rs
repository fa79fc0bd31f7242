//! The classes of the last release: a list that can be searched, and each class from within.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query};
use axum::response::Response;
use axum::routing::get;
use coarsen_report::text::{counted, cut, number, percent};
use maud::{Markup, html};

use super::kit::encoded;
use super::layout::{self, no_release};
use super::results::last_release;
use super::steps::Step;
use super::{Visit, in_thread};
use crate::project::{Looked, Ran};
use crate::said::Said;
use crate::server::App;

/// Classes on one page.
const SHOWN: usize = 50;
/// Values of a column that are shown of one class.
const VALUES: usize = 30;

/// Its routes.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/explore/classes", get(list))
        .route("/explore/classes/{number}", get(one))
}

async fn list(visit: Visit, Query(asked): Query<Vec<(String, String)>>) -> Response {
    let of = |name: &str| {
        asked
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.clone())
    };
    let (text, from) = (
        of("text").unwrap_or_default(),
        of("from").and_then(|from| from.parse().ok()).unwrap_or(0),
    );
    in_thread(move || match visit.session.open(last_release) {
        Err(said) => no_release(&visit, Step::Explore, &said),
        Ok(ran) => {
            let body = listed(&ran.shown.classes, &text, from);
            layout::show(&visit, Some(Step::Explore), "Who hides among whom", body)
        }
    })
    .await
}

async fn one(visit: Visit, Path(number): Path<usize>) -> Response {
    in_thread(move || {
        let ran = match visit.session.open(last_release) {
            Err(said) => return no_release(&visit, Step::Explore, &said),
            Ok(ran) => ran,
        };
        match inside(&ran, number) {
            None => no_class(&visit),
            Some(body) => layout::show(
                &visit,
                Some(Step::Explore),
                &format!("Class {}", number + 1),
                body,
            ),
        }
    })
    .await
}

fn no_class(visit: &Visit) -> Response {
    let said = Said::new("There is no such class.", "Choose one from the list.");
    let ways = [("/explore/classes", "All classes")];
    layout::elsewhere(visit, Step::Explore, &said, &ways)
}

fn listed(classes: &Looked, text: &str, from: usize) -> Markup {
    let (lines, fitting) = classes.list(text, from, SHOWN);
    let to = |from: usize| format!("/explore/classes?text={}&from={from}", encoded(text));
    html! {
        p { (counted(classes.len() as u64, "class", "classes")) ", the smallest first. Rows of one class are alike in every quasi-identifier, and nobody tells them apart by those."
            @if classes.suppressed_rows() > 0 { " " (counted(classes.suppressed_rows(), "suppressed row is", "suppressed rows are")) " not among them." }
        }
        form method="get" action="/explore/classes" class="inline" role="search" {
            div class="field" { label for="text" { "Only those with" } input id="text" name="text" value=(text) size="20" autocomplete="off"; }
            button class="quiet-button" { "Find" }
        }
        @if lines.is_empty() { p { "No class has “" (text) "” in what is released." } }
        @else {
            div class="scroll" {
                table {
                    caption { "Classes " (number(from as u64 + 1)) " to " (number((from + lines.len()) as u64)) " of " (number(fitting as u64)) }
                    thead { tr { th scope="col" { "class" } th scope="col" class="n" { "rows" } th scope="col" class="n" { "risk" } @for column in classes.columns() { th scope="col" { (column) } } } }
                    tbody {
                        @for line in &lines {
                            tr {
                                th scope="row" { a href=(format!("/explore/classes/{}", line.place)) { (line.place + 1) } }
                                td class="n" { (number(line.rows)) }
                                td class="n" { (percent(1.0 / line.rows.max(1) as f64)) }
                                @for label in &line.labels { td { (shown(label)) } }
                            }
                        }
                    }
                }
            }
            p class="pages" {
                @if from > 0 { a href=(to(from.saturating_sub(SHOWN))) { "← smaller" } " " }
                @if from + SHOWN < fitting { a href=(to(from + SHOWN)) { "larger →" } }
            }
        }
    }
}

fn shown(label: &str) -> String {
    match label {
        "" => "(empty)".into(),
        label => cut(label, 40),
    }
}

fn inside(ran: &Ran, class: usize) -> Option<Markup> {
    let classes = &ran.shown.classes;
    let line = classes.line(class)?;
    Some(html! {
        p { a href="/explore/classes" { "← all classes" } }
        p {
            strong { (counted(line.rows, "row", "rows")) } ". "
            "Somebody who knows all quasi-identifiers of a person in it picks the right row with a chance of " strong { (percent(1.0 / line.rows.max(1) as f64)) } "."
        }
        h2 { "What is released, and what hides behind it" }
        div class="scroll" {
            table {
                caption class="hidden" { "Quasi-identifiers of this class" }
                thead { tr { th scope="col" { "column" } th scope="col" { "released as" } th scope="col" class="n" { "different values behind it" } } }
                tbody { @for hidden in classes.hidden(class) { tr { th scope="row" { (hidden.column) } td { (shown(&hidden.label)) } td class="n" { (number(hidden.values as u64)) } } } }
            }
        }
        @for held in classes.held(class) {
            h2 { (held.column) }
            p class="quiet" { (counted(held.values.len() as u64, "different value", "different values")) " in this class." }
            div class="scroll" {
                table class="narrow" {
                    caption class="hidden" { "Values of " (held.column) " in this class" }
                    thead { tr { th scope="col" { "value" } th scope="col" class="n" { "rows" } th scope="col" { "share" } } }
                    tbody {
                        @for (value, rows) in held.values.iter().take(VALUES) {
                            tr { th scope="row" { (shown(value)) } td class="n" { (number(*rows)) } td { meter min="0" max=(line.rows) value=(rows) { (percent(*rows as f64 / line.rows.max(1) as f64)) } } }
                        }
                    }
                }
            }
            @if held.values.len() > VALUES { p class="quiet" { "and " (number((held.values.len() - VALUES) as u64)) " more" } }
        }
    })
}
