//! The pages, one file a step. Each shows a form made from the policy, takes what the form sends, changes
//! the policy, and sends the reader on.

pub mod classes;
pub mod columns;
pub mod data;
mod explore;
mod hierarchy;
mod kit;
mod layout;
mod policy;
mod protection;
mod release;
mod requirements;
mod results;
mod search;
mod settings;
mod steps;

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::get;

use crate::answer::{go, plain};
use crate::server::App;
use crate::session::Session;

/// A request of somebody who has been let in.
#[derive(Clone)]
pub struct Visit {
    /// What all requests share.
    pub app: Arc<App>,
    /// The visitor's own.
    pub session: Arc<Session>,
}

impl FromRequestParts<Arc<App>> for Visit {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        let session = parts.extensions.get::<Arc<Session>>().cloned();
        Ok(Visit {
            app: app.clone(),
            // The guard lets nobody pass without one.
            session: session.unwrap_or_default(),
        })
    }
}

/// Every page.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(|| async { go("/data") }))
        .merge(data::routes())
        .merge(columns::routes())
        .merge(hierarchy::routes())
        .merge(protection::routes())
        .merge(search::routes())
        .merge(explore::routes())
        .merge(classes::routes())
        .merge(results::routes())
        .merge(release::routes())
        .merge(policy::routes())
        .fallback(|| async {
            plain(
                StatusCode::NOT_FOUND,
                "No such page",
                "Go back to the steps.",
            )
        })
}

/// Does what takes a moment on a thread where waiting is allowed.
pub async fn in_thread(work: impl FnOnce() -> Response + Send + 'static) -> Response {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| {
        plain(
            StatusCode::INTERNAL_SERVER_ERROR,
            "That went wrong",
            "The page met a fault of its own; what you have entered before is still there.",
        )
    })
}
