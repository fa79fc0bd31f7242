//! The step Release: the files of the last release, written to the folder or downloaded; the policy beside
//! them; and the one command line that makes the same.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Path;
use axum::http::header::{
    CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use coarsen_engine::copy_together;
use futures::stream;
use maud::{Markup, html};
use tokio::io::AsyncReadExt;

use super::kit::{bytes, encoded};
use super::layout::{self, no_release};
use super::results::last_release;
use super::steps::Step;
use super::{Visit, in_thread};
use crate::answer::{go, plain};
use crate::place::folder_of;
use crate::project::{Ran, written_by};
use crate::said::Said;
use crate::server::App;

const TITLE: &str = "Release it";
/// What the report may do in the browser: show itself.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

/// Its routes.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/release", get(show))
        .route("/release/write", post(write))
        .route("/release/get/{what}", get(download))
        .route("/release/report", get(report))
}

/// A file of the release: what it is, and its name in the policy.
fn files(ran: &Ran) -> Vec<(&'static str, String, &'static str)> {
    let output = &ran.policy.output;
    let listed = [
        (
            "release",
            Some(output.path.clone()),
            "the rows, as they may be given away",
        ),
        (
            "recoding",
            output.recoding.clone(),
            "how values were recoded, for the next delivery: coarsen apply",
        ),
        (
            "report",
            output.report.clone(),
            "what was done and why, before and after",
        ),
        (
            "manifest",
            output.manifest_path(),
            "fingerprints of all files, for coarsen check --manifest",
        ),
    ];
    listed
        .into_iter()
        .filter_map(|(what, name, means)| Some((what, name?, means)))
        .collect()
}

async fn show(visit: Visit) -> Response {
    in_thread(move || match visit.session.open(last_release) {
        Err(said) => no_release(&visit, Step::Release, &said),
        Ok(ran) => layout::show(&visit, Some(Step::Release), TITLE, content(&visit, &ran)),
    })
    .await
}

fn content(visit: &Visit, ran: &Ran) -> Markup {
    let known = visit.session.with(|project| {
        (
            project.is_current(),
            project.place.is_private,
            project.file.clone(),
        )
    });
    let (is_current, is_private, file) = known.unwrap_or_default();
    let name = file.rsplit('/').next().unwrap_or(&file);
    html! {
        (ran.shown.verdict)
        @if !is_current {
            div class="alert" role="alert" { p { strong { "The policy has changed since this release was made." } } p { "Search again to release what the policy says now; the files below are of the policy as it was." } p { a class="button" href="/search" { "Search again" } } }
        }
        section class="card" aria-labelledby="files-head" {
            h2 id="files-head" { "Files" }
            div class="scroll" {
                table class="stack" {
                    caption class="hidden" { "Files of the release" }
                    thead { tr { th scope="col" { "file" } th scope="col" { "what it is" } th scope="col" class="n" { "size" } th scope="col" { span class="hidden" { "action" } } } }
                    tbody {
                        @for (what, named, means) in files(ran) {
                            tr {
                                th scope="row" { code { (named) } }
                                td { (what) ": " (means) @if what == "report" { " · " a href="/release/report" target="_blank" { "look at it" } } }
                                td class="n" { (size(ran, &named)) }
                                td class="n" { a class="button small quiet-button" href=(format!("/release/get/{what}")) download aria-label=(format!("Download the {what}")) { "Download" } }
                            }
                        }
                        tr {
                            th scope="row" { code { (name) } }
                            td { "policy: what was asked for; open it to go on, or run it" }
                            td class="n" { (bytes(ran.text.len() as u64)) }
                            td class="n" { a class="button small quiet-button" href="/release/get/policy" download aria-label="Download the policy" { "Download" } }
                        }
                    }
                }
            }
            @if is_private {
                p class="hint" { "Your files were sent to a private folder, which is removed when the page ends: download what you want to keep." }
            } @else {
                form method="post" action="/release/write" {
                    p class="actions" { button disabled[!is_current] { "Write them into the folder" } }
                    p class="hint" { "All files land together, and the policy is saved with them. Files of these names are replaced." }
                }
            }
        }
        section class="card" aria-labelledby="command-head" {
            h2 id="command-head" { "The same on a command line" }
            pre { code { "coarsen run " (quoted(name)) } }
            p class="quiet" {
                "The same policy, input and seed give the same bytes"
                @if ran.policy.search.budget.is_some() { ", unless the search runs out of time, which this one was given" }
                ". Names of files are changed in " a href="/policy" { "the policy" } " under " code { "output" } "."
            }
        }
    }
}

fn size(ran: &Ran, named: &str) -> String {
    ran.files
        .path(named)
        .metadata()
        .map_or("–".into(), |data| bytes(data.len()))
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    match word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Copies the files to their places and saves the policy.
async fn write(visit: Visit) -> Response {
    in_thread(move || {
        let ran = match visit.session.open(last_release) {
            Err(said) => return no_release(&visit, Step::Release, &said),
            Ok(ran) => ran,
        };
        match land(&visit, &ran) {
            Ok(()) => go("/release"),
            Err(said) => layout::refuse(
                &visit,
                Some(Step::Release),
                TITLE,
                &said,
                content(&visit, &ran),
            ),
        }
    })
    .await
}

fn land(visit: &Visit, ran: &Ran) -> Result<(), Said> {
    visit.session.open(|project| {
        if !project.is_current() {
            return Err(Said::new(
                "The policy has changed since this release was made.",
                "Search again first.",
            ));
        }
        project.read()?;
        let base = folder_of(&project.file);
        let mut files: Vec<(PathBuf, PathBuf)> = Vec::new();
        for named in written_by(&ran.policy) {
            files.push((
                ran.files.path(&named),
                project.place.to_write(base, &named)?,
            ));
        }
        copy_together(&files).map_err(|error| Said::of_engine(&error, project.place.root()))?;
        project.save()?;
        project.notice = Some("The files are written, and the policy is saved beside them.".into());
        Ok(())
    })
}

async fn download(visit: Visit, Path(what): Path<String>) -> Response {
    let ran = match visit.session.open(last_release) {
        Err(_) => return go("/release"),
        Ok(ran) => ran,
    };
    if what == "policy" {
        let name = visit
            .session
            .with(|project| project.file.clone())
            .unwrap_or_default();
        let named = name.rsplit('/').next().unwrap_or("policy.toml");
        return attached(
            named,
            "application/toml",
            Body::from(ran.text.clone()),
            ran.text.len() as u64,
        );
    }
    let Some((_, named, _)) = files(&ran).into_iter().find(|(each, _, _)| *each == what) else {
        return plain(
            StatusCode::NOT_FOUND,
            "No such file",
            "The release has no such file.",
        );
    };
    match streamed(ran, &named).await {
        Ok((body, length)) => attached(&named, "application/octet-stream", body, length),
        Err(_) => plain(
            StatusCode::NOT_FOUND,
            "No such file",
            "The file is gone. Search again.",
        ),
    }
}

/// A file in pieces. The release is held meanwhile, so that its files stay.
async fn streamed(ran: Arc<Ran>, named: &str) -> std::io::Result<(Body, u64)> {
    const PIECE: usize = 1 << 16;
    let file = tokio::fs::File::open(ran.files.path(named)).await?;
    let length = file.metadata().await?.len();
    let pieces = stream::try_unfold((file, ran), |(mut file, ran)| async move {
        let mut piece = vec![0; PIECE];
        let read = file.read(&mut piece).await?;
        piece.truncate(read);
        Ok::<_, std::io::Error>((read > 0).then_some((piece, (file, ran))))
    });
    Ok((Body::from_stream(pieces), length))
}

fn attached(name: &str, kind: &'static str, body: Body, length: u64) -> Response {
    let name = name.rsplit('/').next().unwrap_or(name);
    let told = format!("attachment; filename*=UTF-8''{}", encoded(name));
    let mut answer = body.into_response();
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    if let Ok(told) = HeaderValue::from_str(&told) {
        headers.insert(CONTENT_DISPOSITION, told);
    }
    answer
}

/// The report in the browser, under a policy of its own that lets it do nothing.
async fn report(visit: Visit) -> Response {
    let ran = match visit.session.open(last_release) {
        Err(_) => return go("/release"),
        Ok(ran) => ran,
    };
    let Some(named) = ran.policy.output.report.clone() else {
        return plain(
            StatusCode::NOT_FOUND,
            "No report",
            "The policy asks for none: add output.report.",
        );
    };
    match streamed(ran, &named).await {
        Ok((body, _)) => {
            let headers = [
                (CONTENT_TYPE, "text/html; charset=utf-8"),
                (CONTENT_SECURITY_POLICY, REPORT_POLICY),
            ];
            (headers, body).into_response()
        }
        Err(_) => plain(
            StatusCode::NOT_FOUND,
            "No report",
            "The file is gone. Search again.",
        ),
    }
}
