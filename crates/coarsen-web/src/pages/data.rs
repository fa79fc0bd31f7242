//! The step Data: open a table or a policy from the folder, or send one.

use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use coarsen_engine::format_of;
use coarsen_report::text::{counted, number};
use maud::{Markup, html};

use super::kit::{bytes, encoded, onward};
use super::layout;
use super::steps::Step;
use super::{Visit, in_thread};
use crate::answer::{go, page};
use crate::fields::{Fields, Sent};
use crate::place::{Entry, Place, folder_of};
use crate::project::Project;
use crate::said::Said;
use crate::server::App;

/// Its routes.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/data", get(show))
        .route("/data/open", post(open))
}

async fn show(visit: Visit, Query(asked): Query<Vec<(String, String)>>) -> Response {
    let folder = asked.into_iter().find(|(name, _)| name == "folder");
    let folder = folder.map(|(_, folder)| folder).unwrap_or_default();
    in_thread(move || match content(&visit, &folder) {
        Ok(body) => layout::show(&visit, Some(Step::Data), "Choose your data", body),
        Err(said) => {
            let markup = layout::page(
                &visit,
                Some(Step::Data),
                "Choose your data",
                Some(&said),
                html! {},
            );
            (StatusCode::NOT_FOUND, page(markup)).into_response()
        }
    })
    .await
}

async fn open(visit: Visit, sent: Sent) -> Response {
    let path = Fields::from(sent).text("path").to_string();
    in_thread(move || {
        let (engine, place) = (&visit.app.engine, &visit.app.place);
        let opened = match path.ends_with(".toml") {
            true => Project::of_policy(engine, place, &path),
            false => Project::of_data(engine, place, &path),
        };
        match opened {
            Ok(project) => {
                take(&visit, project);
                go("/columns")
            }
            Err(said) => refuse_now(&visit, &said),
        }
    })
    .await
}

/// Makes a project the visitor's; what went on with the one before is cancelled.
pub fn take(visit: &Visit, project: Project) {
    let before = visit.session.project().replace(project);
    if let Some(job) = before.and_then(|before| before.job) {
        job.cancel();
    }
}

/// The page again, with what is wrong.
pub async fn refuse(visit: Visit, said: Said) -> Response {
    in_thread(move || refuse_now(&visit, &said)).await
}

/// The same where waiting is allowed.
pub fn refuse_now(visit: &Visit, said: &Said) -> Response {
    let body = content(visit, "").unwrap_or_default();
    layout::refuse(visit, Some(Step::Data), "Choose your data", said, body)
}

fn content(visit: &Visit, folder: &str) -> Result<Markup, Said> {
    let place = &visit.app.place;
    let entries = place.list(folder)?;
    Ok(html! {
        (opened(visit))
        section class="card" aria-labelledby="folder-head" {
            h2 id="folder-head" { "From the folder " code { (shown_folder(place, folder)) } }
            p class="quiet" { "A table (CSV, Parquet, JSON lines, Arrow) starts a new policy; a policy (" code { ".toml" } ") goes on where it was left. Nothing is copied, and nothing leaves this machine." }
            (listing(folder, &entries))
        }
        section class="card" aria-labelledby="upload-head" {
            h2 id="upload-head" { "Or send a file" }
            p class="quiet" {
                "Choose a table, and with it its policy and hierarchy files if there are any. They are kept in a private folder and removed when the page ends. At most "
                (bytes(visit.app.upload_limit)) "."
            }
            form method="post" action="/data/upload" enctype="multipart/form-data" {
                label for="files" { "Files" }
                input id="files" type="file" name="files" multiple required;
                button { "Send" }
            }
        }
    })
}

/// What is open now.
fn opened(visit: &Visit) -> Markup {
    let known = visit.session.with(|project| {
        let profile = &project.profiled.profile;
        let input = project.read().map(|read| read.policy.input.path);
        (
            input.unwrap_or_else(|_| "the input".into()),
            profile.rows,
            profile.columns.len(),
        )
    });
    html! {
        @if let Some((input, rows, columns)) = known {
            section class="card" aria-labelledby="open-head" {
                h2 id="open-head" { "Open now" }
                p { code { (input) } ": " (counted(rows, "row", "rows")) ", " (number(columns as u64)) " columns." }
                (onward(Step::Data))
            }
        }
    }
}

fn shown_folder(place: &Place, folder: &str) -> String {
    let name = place
        .root()
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    match folder.trim_matches('/') {
        "" => name.into_owned(),
        below => format!("{name}/{below}"),
    }
}

/// Whether a file can be opened, and as what.
fn kind(entry: &Entry) -> Option<&'static str> {
    let evidence = ["recoding.json", "manifest.json"];
    if entry.name.ends_with(".toml") {
        return Some("policy");
    }
    let is_table = format_of(Path::new(&entry.name)).is_some_and(|f| f.word() != "arff");
    (is_table && !evidence.iter().any(|end| entry.name.ends_with(end))).then_some("table")
}

fn listing(folder: &str, entries: &[Entry]) -> Markup {
    let folders: Vec<&Entry> = entries
        .iter()
        .filter(|entry| entry.bytes.is_none())
        .collect();
    let files: Vec<(&Entry, &str)> = entries
        .iter()
        .filter_map(|entry| Some((entry, kind(entry).filter(|_| entry.bytes.is_some())?)))
        .collect();
    html! {
        @if !folder.is_empty() { p { a href=(format!("/data?folder={}", encoded(folder_of(folder)))) { "↑ up" } } }
        @if !folders.is_empty() {
            ul class="folders" {
                @for entry in folders { li { a href=(format!("/data?folder={}", encoded(&entry.path))) { (entry.name) "/" } } }
            }
        }
        @if files.is_empty() { p { "There is no table and no policy in this folder." } }
        @else {
            div class="scroll" {
                table {
                    caption class="hidden" { "Files that can be opened" }
                    thead { tr { th scope="col" { "file" } th scope="col" { "kind" } th scope="col" class="n" { "size" } th scope="col" { span class="hidden" { "action" } } } }
                    tbody {
                        @for (entry, kind) in files {
                            tr {
                                th scope="row" { (entry.name) }
                                td { (kind) }
                                td class="n" { (bytes(entry.bytes.unwrap_or_default())) }
                                td class="n" {
                                    form method="post" action="/data/open" {
                                        input type="hidden" name="path" value=(entry.path);
                                        button class="small" aria-label=(format!("Open {}", entry.name)) { "Open" }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
