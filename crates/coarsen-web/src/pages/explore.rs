//! The step Explore: many candidates at once, which of them no other beats, and some of them side by side.

mod candidates;
mod grid;

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Router;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use coarsen_engine::{GridProgress, compare};
use maud::{Markup, html};
use serde_json::json;

use super::kit::onward;
use super::layout::{self, lacking};
use super::search::{begin, ended, panel, start};
use super::steps::Step;
use super::{Visit, in_thread};
use crate::answer::go;
use crate::fields::{Fields, Sent};
use crate::job::{Progress, Work};
use crate::project::{Change, Found, Read};
use crate::said::Said;
use crate::server::App;
use grid::Form;

const TITLE: &str = "Explore candidates";

/// Its routes.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/explore", get(show).post(take))
        .route("/explore/choose", post(choose))
        .route("/explore/frontier.csv", get(download))
}

async fn show(visit: Visit) -> Response {
    in_thread(move || match visit.session.open(|project| project.read()) {
        Err(said) => lacking(&visit, Step::Explore, &said),
        Ok(read) => {
            let body = content(&visit, &read, &Form::of(&read.policy));
            layout::show(&visit, Some(Step::Explore), TITLE, body)
        }
    })
    .await
}

async fn take(visit: Visit, sent: Sent) -> Response {
    let form = Form::sent(&Fields::from(sent));
    in_thread(move || {
        let read = match visit.session.open(|project| project.read()) {
            Err(said) => return lacking(&visit, Step::Explore, &said),
            Ok(read) => read,
        };
        match search(&visit, &read, &form) {
            Ok(()) => go("/explore"),
            Err(said) => {
                let body = content(&visit, &read, &form);
                layout::refuse(&visit, Some(Step::Explore), TITLE, &said, body)
            }
        }
    })
    .await
}

/// Searches the grid.
fn search(visit: &Visit, read: &Read, form: &Form) -> Result<(), Said> {
    let comparison = form.comparison()?;
    begin(
        visit,
        Work::Compare,
        read.clone(),
        move |visit, engine, read, tell| {
            let told = |progress: GridProgress| {
                tell(Progress {
                    stage: "Searching candidates".into(),
                    done: Some(progress.done as u64),
                    of: Some(progress.of as u64),
                    ..Progress::default()
                });
            };
            let frontier = compare(engine, &read.policy, &read.folder, &comparison, &told)?;
            visit.session.with(|project| {
                // Another file may have been opened meanwhile.
                if project.is_of(read) {
                    let text = read.text.clone();
                    project.found = Some(Arc::new(Found { frontier, text }));
                    project.pins.clear();
                }
            });
            Ok(())
        },
    )
}

/// Pins candidates, or takes one over into the policy.
async fn choose(visit: Visit, sent: Sent) -> Response {
    let fields = Fields::from(sent);
    in_thread(move || {
        let pins: BTreeSet<usize> = fields
            .all("pin")
            .filter_map(|pin| pin.parse().ok())
            .collect();
        visit.session.with(|project| project.pins = pins);
        let Some(number) = fields.some("use") else {
            return go("/explore#pinned");
        };
        let used = use_candidate(&visit, number).and_then(|()| start(&visit));
        match used {
            Ok(()) => go("/search"),
            Err(said) => match visit.session.open(|project| project.read()) {
                Err(other) => lacking(&visit, Step::Explore, &other),
                Ok(read) => {
                    let body = content(&visit, &read, &Form::of(&read.policy));
                    layout::refuse(&visit, Some(Step::Explore), TITLE, &said, body)
                }
            },
        }
    })
    .await
}

/// The policy as one candidate had it.
fn use_candidate(visit: &Visit, number: &str) -> Result<(), Said> {
    visit.session.open(|project| {
        let found = project.found.clone();
        let candidates = found.iter().flat_map(|found| &found.frontier.candidates);
        let chosen = candidates
            .into_iter()
            .find(|candidate| candidate.point.number.to_string() == number);
        let point = &chosen
            .ok_or_else(|| Said::new("There is no such candidate.", "Search the grid again."))?
            .point;
        let stated = project.read()?.policy;
        let mut changes: Vec<Change<'_>> = vec![
            (vec!["search", "algorithm"], Some(json!(point.algorithm))),
            (vec!["privacy", "k"], Some(json!(point.k))),
        ];
        if point.search_loss != stated.search.loss {
            changes.push((vec!["search", "loss"], Some(json!(point.search_loss))));
        }
        if point.limit != stated.suppression.limit {
            changes.push((vec!["suppression", "limit"], Some(json!(point.limit))));
        }
        project.change(&changes)?;
        project.notice = Some(format!("The policy is as candidate {number} had it."));
        Ok(())
    })
}

async fn download(visit: Visit) -> Response {
    match visit
        .session
        .with(|project| project.found.clone())
        .flatten()
    {
        None => go("/explore"),
        Some(found) => {
            let headers = [
                (CONTENT_TYPE, "text/csv; charset=utf-8"),
                (CONTENT_DISPOSITION, "attachment; filename=\"frontier.csv\""),
            ];
            (headers, found.frontier.to_csv()).into_response()
        }
    }
}

fn content(visit: &Visit, read: &Read, form: &Form) -> Markup {
    let known = visit.session.with(|project| {
        let told = ended(project, Work::Compare);
        let has_release = project.ran.is_some();
        (
            project.running().cloned(),
            project.found.clone(),
            project.pins.clone(),
            told,
            has_release,
        )
    });
    let Some((running, found, pins, told, has_release)) = known else {
        return html! {};
    };
    html! {
        p { "Every candidate is a release that was searched for but not written. One that no other beats in risk and loss at once is solid in the plot: choose among those, and no other choice is better in both." }
        @match &running {
            Some(job) => (panel(job, "/explore")),
            None => (told),
        }
        @if let Some(found) = &found { (candidates::shown(found, &pins, found.text == read.text)) }
        section class="card" aria-labelledby="grid-head" {
            h2 id="grid-head" { "Which candidates" }
            (form.form(running.is_some()))
        }
        @if has_release {
            section class="card" aria-labelledby="classes-head" {
                h2 id="classes-head" { "The last release from within" }
                p { "Who hides among whom: every class with what is released of it. " a href="/explore/classes" { "Look into the classes" } "." }
            }
        }
        (onward(Step::Explore))
    }
}
