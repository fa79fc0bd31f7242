//! The steps Utility and Risk: what the release is good for, and who is still exposed. Figures and charts
//! are those of the report.

use std::sync::Arc;

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use coarsen_report::report::glossary;
use maud::{Markup, html};

use super::kit::onward;
use super::layout::{self, no_release};
use super::steps::Step;
use super::{Visit, in_thread};
use crate::project::{Project, Ran};
use crate::said::Said;
use crate::server::App;

/// Their routes.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route(
            "/utility",
            get(|visit: Visit| {
                show(
                    visit,
                    Step::Utility,
                    "What the release is good for",
                    utility,
                )
            }),
        )
        .route(
            "/risk",
            get(|visit: Visit| show(visit, Step::Risk, "Who is still exposed", risk)),
        )
}

/// The last release.
pub fn last_release(project: &mut Project) -> Result<Arc<Ran>, Said> {
    project.ran.clone().ok_or_else(|| {
        Said::new(
            "There is no release yet.",
            "Search for one on the step Search.",
        )
    })
}

async fn show(
    visit: Visit,
    step: Step,
    title: &'static str,
    content: fn(&Ran) -> Markup,
) -> Response {
    in_thread(move || match visit.session.open(last_release) {
        Err(said) => no_release(&visit, step, &said),
        Ok(ran) => {
            let body = html! {
                div class="report" { (content(&ran)) }
                details class="more glossary" { summary { "What all figures mean" } (glossary()) }
                (onward(step))
            };
            layout::show(&visit, Some(step), title, body)
        }
    })
    .await
}

fn utility(ran: &Ran) -> Markup {
    html! {
        (ran.shown.result)
        (ran.shown.utility)
    }
}

fn risk(ran: &Ran) -> Markup {
    html! {
        (ran.shown.verdict)
        (ran.shown.risk)
        h2 { "Against whom" }
        (ran.shown.threat)
        p { a class="button quiet-button" href="/explore/classes" { "Look into the classes" } }
    }
}
