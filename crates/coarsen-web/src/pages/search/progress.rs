//! How far the work is: a panel that works without the script by loading anew, and server-sent events for
//! the script. Whoever loads the page again is told where it stands.

use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use coarsen_report::text::{figure, number};
use futures::stream;
use maud::{Markup, html};

use crate::answer::go;
use crate::fields::{Fields, Sent};
use crate::job::{Ended, Job, Work};
use crate::pages::Visit;
use crate::pages::kit::alert;
use crate::project::Project;

/// No more events than this are sent.
const PACE: Duration = Duration::from_millis(100);

/// The panel of work that goes on.
pub fn panel(job: &Job, after: &str) -> Markup {
    let progress = job.progress();
    html! {
        section class="card running" aria-labelledby="running-head" data-events="/search/events" data-after=(after) {
            h2 id="running-head" { @match job.work { Work::Search => "A search goes on", Work::Compare => "Candidates are searched" } }
            noscript { p { "This page does not tell by itself how far it is: " a href=(after) { "look again" } "." } }
            p {
                strong id="stage" { (progress.stage) }
                span class="quiet" id="figures" {
                    @if let Some(done) = progress.done { " step " (number(done)) @if let Some(of) = progress.of { " of " (number(of)) } }
                    @if let Some(cost) = progress.cost { ", cost " (figure(cost)) }
                }
            }
            @match (progress.done, progress.of) {
                (Some(done), Some(of)) => progress id="bar" max=(of) value=(done) aria-label="Progress" {},
                _ => progress id="bar" aria-label="Progress" {},
            }
            p class="quiet" { span id="seconds" { (format!("{:.0}", job.elapsed().as_secs_f64())) } " s so far. You may leave this page: the search goes on." }
            p class="hidden" id="said" role="status" aria-live="polite" { (progress.stage) }
            form method="post" action="/search/cancel" {
                input type="hidden" name="after" value=(after);
                button class="quiet-button" { "Cancel" }
            }
        }
    }
}

/// How the last work of a kind ended, where that is worth a word.
pub fn ended(project: &Project, work: Work) -> Markup {
    let job = project.job.as_ref().filter(|job| job.work == work);
    match job.and_then(|job| job.progress().ended) {
        None | Some(Ended::Done) => html! {},
        Some(Ended::Cancelled) => {
            html! { p class="notice" role="status" { "The search was cancelled; nothing was written." } }
        }
        Some(Ended::Failed(said)) => alert(&said),
    }
}

/// Stops what goes on.
pub async fn cancel(visit: Visit, sent: Sent) -> Response {
    let fields = Fields::from(sent);
    let job = visit.session.with(|project| project.job.clone()).flatten();
    if let Some(job) = job {
        job.cancel();
        // Most work ends within a moment, and the page can say so at once.
        let mut told = job.listen();
        let _ = tokio::time::timeout(Duration::from_secs(3), told.wait_for(|p| p.ended.is_some()))
            .await;
    }
    go(match fields.text("after") {
        "/explore" => "/explore",
        _ => "/search",
    })
}

/// What goes on, as it goes on.
pub async fn events(visit: Visit) -> Response {
    let Some(job) = visit.session.with(|project| project.job.clone()).flatten() else {
        return axum::http::StatusCode::NO_CONTENT.into_response();
    };
    let told = job.listen();
    let stream = stream::unfold((job, told, false), |(job, mut told, is_over)| async move {
        if is_over {
            return None;
        }
        let progress = told.borrow_and_update().clone();
        let is_over = progress.ended.is_some();
        let event =
            Event::default().data(progress.to_json(job.elapsed().as_secs_f64()).to_string());
        if !is_over {
            tokio::time::sleep(PACE).await;
            // Even where nothing changes, the clock does.
            let _ = tokio::time::timeout(Duration::from_secs(1), told.changed()).await;
        }
        Some((Ok::<_, Infallible>(event), (job, told, is_over)))
    });
    Sse::new(stream)
        .keep_alive(KeepAlive::default())
        .into_response()
}
