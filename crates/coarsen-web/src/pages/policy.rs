//! The policy as text: everything that the steps change stands here, and what they have no field for can be
//! changed here. Saving writes this text, nothing else.

use std::sync::Arc;

use axum::Router;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use maud::{Markup, html};

use super::layout::{self, lacking};
use super::steps::Step;
use super::{Visit, in_thread};
use crate::answer::go;
use crate::fields::{Fields, Sent};
use crate::project::read;
use crate::said::Said;
use crate::server::App;

const TITLE: &str = "The policy as text";

/// Its routes.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/policy", get(show).post(take))
        .route("/policy/save", post(save))
        .route("/policy.toml", get(download))
}

async fn show(visit: Visit) -> Response {
    in_thread(
        move || match visit.session.open(|project| Ok(project.text.clone())) {
            Err(said) => lacking(&visit, Step::Data, &said),
            Ok(text) => layout::show(&visit, None, TITLE, content(&text)),
        },
    )
    .await
}

async fn take(visit: Visit, sent: Sent) -> Response {
    let fields = Fields::from(sent);
    let text = fields.raw("text").unwrap_or_default().replace("\r\n", "\n");
    in_thread(move || {
        let changed = visit.session.open(|project| {
            read(&project.place, &project.file, &text)?;
            project.text = text.clone();
            project.notice = Some("The policy is taken as it stands here.".into());
            Ok(())
        });
        match changed {
            Ok(()) => go("/policy"),
            Err(said) => layout::refuse(&visit, None, TITLE, &said, content(&text)),
        }
    })
    .await
}

async fn save(visit: Visit, sent: Sent) -> Response {
    let fields = Fields::from(sent);
    in_thread(move || {
        let saved = visit.session.open(|project| {
            if let Some(file) = fields.some("file") {
                rename(project, file)?;
            }
            project.save()?;
            project.notice = Some(format!("The policy is saved as {}.", project.file));
            Ok(())
        });
        match saved {
            Ok(()) => go("/policy"),
            Err(said) => {
                let text = visit.session.with(|project| project.text.clone());
                let text = text.unwrap_or_default();
                layout::refuse(&visit, None, TITLE, &said, content(&text))
            }
        }
    })
    .await
}

/// Another name in the same folder, for its paths start there.
fn rename(project: &mut crate::project::Project, name: &str) -> Result<(), Said> {
    let folder = crate::place::folder_of(&project.file);
    if name.contains('/') || !name.ends_with(".toml") {
        return Err(Said::new(
            format!("A policy cannot be saved as `{name}`."),
            "Give it a name that ends in .toml, without a folder: its paths start where it is.",
        ));
    }
    let file = project.place.plain(folder, name)?;
    let target = project.place.to_write("", &file)?;
    if file != project.file && target.exists() {
        return Err(Said::new(
            format!("There is a `{name}` already."),
            "Choose another name.",
        ));
    }
    project.file = file;
    project.saved = None;
    Ok(())
}

async fn download(visit: Visit) -> Response {
    match visit.session.open(|project| Ok(project.text.clone())) {
        Err(_) => go("/data"),
        Ok(text) => {
            let headers = [
                (CONTENT_TYPE, "application/toml; charset=utf-8"),
                (CONTENT_DISPOSITION, "attachment; filename=\"policy.toml\""),
            ];
            (headers, text).into_response()
        }
    }
}

fn content(text: &str) -> Markup {
    html! {
        p { "This file is the project: what the steps do is written here, and opening it brings everything back. " code { "coarsen run" } " takes the same file." }
        form method="post" action="/policy" {
            label for="text" class="hidden" { "The policy" }
            textarea id="text" name="text" class="policy" rows="28" spellcheck="false" { "\n" (text) }
            p class="actions" {
                button { "Take this text" } " "
                a class="button quiet-button" href="/policy.toml" download { "Download" }
            }
        }
        form method="post" action="/policy/save" class="inline" {
            div class="field" {
                label for="file" { "Save under another name" }
                input id="file" name="file" placeholder="policy.toml" size="24" autocomplete="off";
            }
            button class="quiet-button" { "Save" }
        }
    }
}
