//! Uploads: streamed to a private folder, file by file, never more than the limit, whatever the sender says
//! of their size. What was begun and is not whole is removed.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Multipart, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_LENGTH;
use axum::response::Response;
use axum::routing::post;
use axum::{RequestExt, extract::multipart::Field};
use coarsen_report::text::number;

use crate::answer::{go, plain};
use crate::guard::UPLOAD;
use crate::pages::{Visit, data, in_thread};
use crate::place::Place;
use crate::project::Project;
use crate::said::Said;
use crate::server::{App, private_folder};

/// How long a sender may be silent.
const SILENCE: Duration = Duration::from_secs(30);
/// How many files one upload may bring.
const FILES: usize = 50;

/// The one route that takes files.
pub fn routes() -> Router<Arc<App>> {
    Router::new().route(UPLOAD, post(upload))
}

async fn upload(visit: Visit, request: Request) -> Response {
    let limit = visit.app.upload_limit;
    let declared = request.headers().get(CONTENT_LENGTH);
    let declared = declared.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|bytes| bytes > limit) {
        return too_large(limit);
    }
    let Ok(form) = request.extract::<Multipart, _>().await else {
        return plain(
            StatusCode::BAD_REQUEST,
            "No files",
            "This is not the form of the step Data.",
        );
    };
    match receive(&visit.app, form).await {
        Err(Refusal::TooLarge) => too_large(limit),
        Err(Refusal::Said(said)) => data::refuse(visit, said).await,
        Ok(received) => in_thread(move || open(&visit, received)).await,
    }
}

/// Files that have arrived.
struct Received {
    place: Arc<Place>,
    names: Vec<String>,
}

enum Refusal {
    TooLarge,
    Said(Said),
}

impl From<Said> for Refusal {
    fn from(said: Said) -> Self {
        Refusal::Said(said)
    }
}

fn broken() -> Refusal {
    Refusal::Said(Said::new("The upload broke off.", "Try again."))
}

fn unwritten(_: std::io::Error) -> Refusal {
    Refusal::Said(Said::new(
        "The upload cannot be kept here.",
        "See that there is room for temporary files, or put the file into the folder and open it there.",
    ))
}

async fn receive(app: &App, mut form: Multipart) -> Result<Received, Refusal> {
    let room = private_folder(app.rooms(), "upload-").map_err(unwritten)?;
    let mut left = app.upload_limit;
    let mut names = Vec::new();
    loop {
        let next = tokio::time::timeout(SILENCE, form.next_field()).await;
        let Some(field) = next.map_err(|_| broken())?.map_err(|_| broken())? else {
            break;
        };
        let Some(name) = field.file_name().map(plain_name) else {
            continue;
        };
        let name = match name {
            // A browser sends an empty part where no file was chosen.
            None => continue,
            Some(name) if names.contains(&name) || names.len() >= FILES => continue,
            Some(name) => name,
        };
        keep(field, &room.path().join(&name), &mut left).await?;
        names.push(name);
    }
    if names.is_empty() {
        return Err(Said::new("No file was chosen.", "Choose a table, and send it.").into());
    }
    // From here on the place removes it, or at the end the server's own folder.
    let place = Place::new(&room.keep(), true).map_err(unwritten)?;
    Ok(Received {
        place: Arc::new(place),
        names,
    })
}

async fn keep(mut field: Field<'_>, path: &Path, left: &mut u64) -> Result<(), Refusal> {
    let mut file = create_private(path).map_err(unwritten)?;
    loop {
        let chunk = tokio::time::timeout(SILENCE, field.chunk()).await;
        let Some(bytes) = chunk.map_err(|_| broken())?.map_err(|_| broken())? else {
            return file.flush().map_err(unwritten);
        };
        *left = left
            .checked_sub(bytes.len() as u64)
            .ok_or(Refusal::TooLarge)?;
        file.write_all(&bytes).map_err(unwritten)?;
    }
}

/// A file that only we may read.
fn create_private(path: &Path) -> std::io::Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// The last part of a name, of plain characters; none where nothing is left.
fn plain_name(name: &str) -> Option<String> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = |c: char| {
        if c.is_alphanumeric() || "-_.".contains(c) {
            c
        } else {
            '_'
        }
    };
    let name: String = last.chars().map(plain).take(100).collect();
    let name = name.trim_start_matches('.').to_string();
    (!name.is_empty()).then_some(name)
}

/// Opens what has arrived: the policy where one is among it, else the first table.
fn open(visit: &Visit, received: Received) -> Response {
    let Received { place, names } = received;
    let engine = &visit.app.engine;
    let policy = names.iter().find(|name| name.ends_with(".toml"));
    let opened = match policy {
        Some(policy) => Project::of_policy(engine, &place, policy),
        None => {
            let is_table = |name: &&String| coarsen_engine::format_of(Path::new(name)).is_some();
            let table = names.iter().find(is_table).unwrap_or(&names[0]);
            Project::of_data(engine, &place, table)
        }
    };
    match opened {
        Ok(project) => {
            data::take(visit, project);
            go("/columns")
        }
        Err(said) => data::refuse_now(visit, &said),
    }
}

fn too_large(limit: u64) -> Response {
    plain(
        StatusCode::PAYLOAD_TOO_LARGE,
        "Too large to upload",
        &format!(
            "An upload may have {} MB at most, and nothing of this one was kept. Put the file into the folder that the page was started in and open it there: nothing is copied then. Or start `coarsen serve` with a larger --upload-limit.",
            number(limit / 1_000_000)
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_plain() {
        assert_eq!(plain_name("a b.csv").as_deref(), Some("a_b.csv"));
        assert_eq!(plain_name("../../etc/passwd").as_deref(), Some("passwd"));
        assert_eq!(plain_name("C:\\x\\é.csv").as_deref(), Some("é.csv"));
        assert_eq!(plain_name("..").as_deref(), None);
        assert_eq!(plain_name(".hidden.csv").as_deref(), Some("hidden.csv"));
    }
}
