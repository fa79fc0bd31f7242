//! The step Search: how the release is looked for, and the search itself, which goes on whether or not
//! somebody looks.

mod progress;

use std::sync::Arc;

use axum::Router;
use axum::response::Response;
use axum::routing::{get, post};
use coarsen::catalog;
use coarsen::policy::{Policy, format_duration};
use coarsen::search::Stop;
use coarsen_engine::{Engine, EngineError, EngineSettings};
use coarsen_report::text::{counted, figure, percent};
use maud::{Markup, html};
use serde_json::{Value as Json, json};

pub use progress::{cancel, ended, events, panel};

use super::kit::{field, onward, text_input};
use super::layout::{self, lacking};
use super::settings;
use super::steps::Step;
use super::{Visit, in_thread};
use crate::answer::go;
use crate::fields::{Fields, Sent};
use crate::job::{Ended, Job, Progress, Work};
use crate::project::{Change, Project, Ran, Read};
use crate::said::Said;
use crate::server::App;

const TITLE: &str = "Search for a release";

/// Its routes.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/search", get(show).post(take))
        .route("/search/cancel", post(cancel))
        .route("/search/events", get(events))
}

async fn show(visit: Visit) -> Response {
    in_thread(move || match visit.session.open(|project| project.read()) {
        Err(said) => lacking(&visit, Step::Search, &said),
        Ok(read) => {
            let known = read.policy.clone();
            let body = content(&visit, &read.policy, &|name| of_policy(&known, name));
            layout::show(&visit, Some(Step::Search), TITLE, body)
        }
    })
    .await
}

/// What the policy fills a field with.
fn of_policy(policy: &Policy, name: &str) -> Option<String> {
    let search = &policy.search;
    match name {
        "algorithm" => Some(search.algorithm.clone()),
        "loss" => Some(search.loss.clone()),
        "budget" => Some(search.budget.map_or(String::new(), format_duration)),
        "seed" => Some(search.seed.to_string()),
        other => settings::given(policy, other),
    }
}

async fn take(visit: Visit, sent: Sent) -> Response {
    let fields = Fields::from(sent);
    in_thread(move || {
        let read = match visit.session.open(|project| project.read()) {
            Err(said) => return lacking(&visit, Step::Search, &said),
            Ok(read) => read,
        };
        let done = keep(&visit, &fields).and_then(|()| match fields.has("go") {
            true => start(&visit),
            false => Ok(()),
        });
        match done {
            Ok(()) => go("/search"),
            Err(said) => {
                let sent = |name: &str| fields.raw(name).map(str::to_string);
                let body = content(&visit, &read.policy, &sent);
                layout::refuse(&visit, Some(Step::Search), TITLE, &said, body)
            }
        }
    })
    .await
}

fn keep(visit: &Visit, fields: &Fields) -> Result<(), Said> {
    let name = fields.text("algorithm").to_string();
    let algorithms = catalog::algorithms();
    let algorithm = algorithms.iter().find(|each| each.name == name);
    let algorithm = algorithm.ok_or_else(|| {
        Said::new(
            format!("There is no algorithm `{name}`."),
            "Choose one from the list.",
        )
    })?;
    let own = settings::read(algorithm, fields)?;
    let seed = fields.some("seed").unwrap_or("1");
    let seed: u64 = seed.parse().map_err(|_| {
        Said::new(
            format!("The seed is `{seed}`, which is not a whole number."),
            "Type one, such as 1.",
        )
    })?;
    visit.session.open(|project| {
        let stated = project.read()?.policy.search;
        let usual = coarsen::policy::Search::default();
        let mut changes: Vec<Change<'_>> = vec![
            (vec!["search", "algorithm"], Some(json!(name))),
            (
                vec!["search", "budget"],
                fields.some("budget").map(|budget| json!(budget)),
            ),
            (vec!["search", algorithm.name], own),
        ];
        let loss = fields.some("loss").unwrap_or(&usual.loss);
        // What is so anyway need not be written.
        if loss != stated.loss {
            changes.push((vec!["search", "loss"], Some(json!(loss))));
        }
        if seed != stated.seed {
            changes.push((vec!["search", "seed"], Some(json!(seed))));
        }
        project.change(&changes)
    })
}

/// An engine as the policy wants it.
pub fn engine_for(policy: &Policy) -> Result<Engine, EngineError> {
    Engine::new(EngineSettings {
        threads: policy.search.threads,
        memory: policy.engine.memory,
    })
}

/// Starts the search, unless something goes on already.
pub fn start(visit: &Visit) -> Result<(), Said> {
    let read = visit.session.open(|project| project.read())?;
    begin(visit, Work::Search, read, |visit, engine, read, tell| {
        let told = |stage| tell(Progress::of_stage(stage));
        let ran = Ran::make(engine, read, visit.app.rooms(), &told)?;
        visit.session.with(|project| {
            // Another file may have been opened meanwhile.
            if project.is_of(read) {
                project.ran = Some(Arc::new(ran));
            }
        });
        Ok(())
    })
}

/// Starts work for a visitor.
pub fn begin(
    visit: &Visit,
    work: Work,
    read: Read,
    run: impl FnOnce(&Visit, &Engine, &Read, &(dyn Fn(Progress) + Sync)) -> Result<(), EngineError>
    + Send
    + 'static,
) -> Result<(), Said> {
    let root = read.place.root().to_path_buf();
    let engine = engine_for(&read.policy).map_err(|error| Said::of_engine(&error, &root))?;
    let own = visit.clone();
    let mut project = visit.session.project();
    let Some(project) = project
        .as_mut()
        .filter(|project| project.running().is_none())
    else {
        return Err(Said::new(
            "A search goes on already.",
            "Wait for it, or cancel it.",
        ));
    };
    let rooms = visit.app.rooms().to_path_buf();
    project.job = Some(Job::start(work, engine, move |engine, tell| {
        run(&own, engine, &read, tell).map_err(|error| match error {
            EngineError::Cancelled => Ended::Cancelled,
            other => {
                let mut said = Said::of_engine(&other, &root);
                // Releases are made in a room of their own; its name means nothing to anybody.
                if let Some(at) = said.message.find(&*rooms.to_string_lossy()) {
                    let rest = &said.message[at..];
                    let end = rest.find(": ").unwrap_or(rest.len());
                    let name = rest[..end]
                        .rsplit('/')
                        .next()
                        .unwrap_or_default()
                        .to_string();
                    said.message.replace_range(at..at + end, &name);
                }
                Ended::Failed(said)
            }
        })
    }));
    Ok(())
}

fn content(visit: &Visit, policy: &Policy, given: &dyn Fn(&str) -> Option<String>) -> Markup {
    let (running, outcome) = visit
        .session
        .with(|project| (project.running().cloned(), last(project)))
        .unwrap_or((None, html! {}));
    html! {
        @match &running {
            Some(job) => (panel(job, "/search")),
            None => { (outcome) (form(policy, given)) },
        }
        (onward(Step::Search))
    }
}

fn form(policy: &Policy, given: &dyn Fn(&str) -> Option<String>) -> Markup {
    let value = |name: &str| given(name).unwrap_or_default();
    let (algorithm, loss) = (value("algorithm"), value("loss"));
    html! {
        form method="post" action="/search" {
            fieldset {
                legend { "Algorithm" }
                div class="options" {
                    @for entry in catalog::algorithms() {
                        @let chosen = entry.name == algorithm;
                        div class="option" {
                            label {
                                input type="radio" name="algorithm" value=(entry.name) checked[chosen];
                                span { strong { (entry.name) } " " (entry.summary) "." }
                            }
                            p class="quiet" { "Makes " (entry.makes.unwrap_or_default()) ". " (entry.source.unwrap_or_default()) "." }
                            @if entry.settings.as_ref().and_then(Json::as_object).is_some_and(|s| !s.is_empty()) {
                                details class="more" open[chosen && policy.search.settings.contains_key(entry.name)] {
                                    summary { "Its own settings" }
                                    div class="inline" { (settings::form(&entry, given)) }
                                }
                            }
                        }
                    }
                }
            }
            fieldset {
                legend { "What to keep small" }
                div class="field" {
                    label for="loss" { "Loss" }
                    select id="loss" name="loss" {
                        @for entry in catalog::losses() { option value=(entry.name) selected[entry.name == loss] { (entry.name) ": " (entry.summary) } }
                    }
                }
                div class="inline" {
                    (field("budget", "Time at most", text_input("budget", "budget", &value("budget"), 8), html! { "Such as 30s or 5m; as long as it takes where empty." }))
                    (field("seed", "Seed", text_input("seed", "seed", &value("seed"), 8), html! { "The same seed finds the same release." }))
                }
            }
            p class="actions" {
                button name="go" value="1" { "Search" }
                " " button class="quiet-button" { "Keep these settings" }
            }
        }
    }
}

/// What came of the last search.
fn last(project: &Project) -> Markup {
    let told = ended(project, Work::Search);
    let Some(ran) = &project.ran else {
        return told;
    };
    let release = &ran.release;
    html! {
        (told)
        section class="card result" aria-labelledby="result-head" {
            h2 id="result-head" { "The last release" }
            (ran.shown.verdict)
            p {
                strong { (release.algorithm) } " searched for " (seconds(release.seconds.search)) " (" (seconds(release.seconds.total)) " in all) and "
                @match release.stop {
                    Stop::Optimal => "proved that no better release of its kind exists. ",
                    Stop::Budget => "used up its time; more might find a better release. ",
                    Stop::Complete => "came to its end. ",
                }
                (counted(release.suppressed_rows, "row", "rows")) " suppressed ("
                (percent(release.suppressed_rows as f64 / release.rows_in.max(1) as f64)) " of " (percent(ran.policy.suppression.limit)) " allowed). "
                @if let Some(cost) = release.loss.get(&ran.policy.search.loss.replace('-', "_")).and_then(Json::as_f64) { (ran.policy.search.loss) " " strong { (figure(cost)) } "." }
            }
            @if !project.is_current() { p class="stale" { "The policy has changed since. Search again to see what that does." } }
            p class="actions" {
                a class="button" href="/utility" { "What it is good for" } " "
                a class="button quiet-button" href="/risk" { "Who is still exposed" } " "
                a class="button quiet-button" href="/release" { "Release it" }
            }
            details class="more" { summary { "How it was found" } (ran.shown.method) }
        }
    }
}

fn seconds(time: f64) -> String {
    match time {
        t if t < 0.095 => format!("{:.0} ms", t * 1000.0),
        t => format!("{t:.1} s"),
    }
}
