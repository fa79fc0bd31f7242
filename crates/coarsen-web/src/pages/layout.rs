//! What is around every page: the steps, the project with its state, and the scoreboard, which is always in
//! view.

use axum::response::Response;
use coarsen_report::scoreboard::{ScoreLine, Scoreboard, ask};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::Visit;
use super::kit::alert;
use super::steps::Step;
use crate::answer;
use crate::job::Work;
use crate::said::Said;

/// The figures that also a phone has in view.
const STRIP: [&str; 4] = ["k", "at_risk", "prosecutor_max", "lm"];

/// What the scoreboard can tell now.
enum Board {
    /// No file is open.
    Nothing,
    /// Only how exposed the input is.
    Before(Scoreboard),
    /// Before and after the last search; whether the policy has changed since.
    Both(Scoreboard, bool),
    /// The input cannot be measured under this policy.
    Failed(Said),
}

/// What the frame tells of the project.
struct Around {
    file: String,
    is_saved: bool,
    is_private: bool,
    has_release: bool,
    running: Option<Work>,
    notice: Option<String>,
}

/// Shows a page.
pub fn show(visit: &Visit, step: Option<Step>, title: &str, body: Markup) -> Response {
    answer::page(page(visit, step, title, None, body))
}

/// Shows a page that says what is wrong with what was sent.
pub fn refuse(
    visit: &Visit,
    step: Option<Step>,
    title: &str,
    said: &Said,
    body: Markup,
) -> Response {
    answer::refused(page(visit, step, title, Some(said), body))
}

/// A step that has nothing to work on yet.
pub fn lacking(visit: &Visit, step: Step, said: &Said) -> Response {
    let ways = [
        ("/data", "Choose your data"),
        ("/policy", "The policy as text"),
    ];
    elsewhere(visit, step, said, &ways)
}

/// A step that shows a release, where there is none.
pub fn no_release(visit: &Visit, step: Step, said: &Said) -> Response {
    elsewhere(visit, step, said, &[("/search", "Search")])
}

/// What is wrong, and ways on.
pub fn elsewhere(visit: &Visit, step: Step, said: &Said, ways: &[(&str, &str)]) -> Response {
    let body = html! { p class="actions" { @for (way, name) in ways { a class="button" href=(way) { (name) } } } };
    refuse(visit, Some(step), step.name(), said, body)
}

/// A whole page.
pub fn page(
    visit: &Visit,
    step: Option<Step>,
    title: &str,
    said: Option<&Said>,
    body: Markup,
) -> Markup {
    let board = board(visit);
    let around = visit.session.with(|project| Around {
        file: project.file.clone(),
        is_saved: project.is_saved(),
        is_private: project.place.is_private,
        has_release: project.ran.is_some(),
        running: project.running().map(|job| job.work),
        notice: project.notice.take(),
    });
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · coarsen" }
                link rel="stylesheet" href="/style.css";
                link rel="icon" href="data:,";
                script src="/page.js" defer {}
            }
            body {
                a class="skip" href="#main" { "Skip to the content" }
                header class="top" {
                    div class="bar" {
                        p class="brand" { "coarsen" }
                        (project_bar(around.as_ref()))
                    }
                    (steps(step, around.as_ref()))
                }
                (strip(&board))
                div class="frame" {
                    main id="main" tabindex="-1" {
                        h1 { (title) }
                        @if let Some(notice) = around.as_ref().and_then(|a| a.notice.as_ref()) { p class="notice" role="status" { (notice) } }
                        @if let Some(said) = said { (alert(said)) }
                        (body)
                    }
                    aside id="board" aria-labelledby="board-head" { (sidebar(&board)) }
                }
            }
        }
    }
}

fn project_bar(around: Option<&Around>) -> Markup {
    let Some(around) = around else {
        return html! { p class="quiet" { "No file is open." } };
    };
    html! {
        p class="project" {
            a href="/policy" title="The policy as text" { code { (around.file) } }
            @if around.is_private { " " span class="badge" title="Uploaded files are kept in a private folder and removed when the page ends" { "uploaded" } }
            " "
            @if around.is_saved { span class="saved" { "saved" } }
            @else { span class="unsaved" { "not saved" } }
        }
        form method="post" action="/policy/save" { button class="small" disabled[around.is_saved] { "Save policy" } }
    }
}

fn steps(current: Option<Step>, around: Option<&Around>) -> Markup {
    let is_open = |step: Step| match around {
        None => step == Step::Data,
        Some(around) => around.has_release || !step.needs_release(),
    };
    html! {
        nav aria-label="Steps" {
            ol class="steps" {
                @for (place, step) in Step::ALL.into_iter().enumerate() {
                    li {
                        @if is_open(step) {
                            a href=(step.path()) aria-current=[(current == Some(step)).then_some("step")] {
                                span class="number" aria-hidden="true" { (place + 1) } (step.name())
                                @if step == Step::Search && around.is_some_and(|a| a.running == Some(Work::Search)) { span class="busy" { " running" } }
                                @if step == Step::Explore && around.is_some_and(|a| a.running == Some(Work::Compare)) { span class="busy" { " running" } }
                            }
                        } @else {
                            span class="closed" title=(if around.is_none() { "Open a file first" } else { "Search first" }) {
                                span class="number" aria-hidden="true" { (place + 1) } (step.name())
                            }
                        }
                    }
                }
            }
        }
    }
}

fn board(visit: &Visit) -> Board {
    let made = visit.session.with(|project| {
        let is_current = project.is_current();
        project
            .ran
            .as_ref()
            .map(|ran| (ran.shown.board.clone(), is_current))
    });
    match made {
        None => return Board::Nothing,
        Some(Some((board, is_current))) => return Board::Both(board, !is_current),
        Some(None) => {}
    }
    match visit.session.counted(&visit.app.engine) {
        Err(said) => Board::Failed(said),
        Ok(counted) => match counted.as_ref() {
            Err(said) => Board::Failed(said.clone()),
            Ok(counted) => match &counted.before {
                // What is after is not known yet, and not shown.
                Some(before) => Board::Before(Scoreboard::of(Some(before), before, [])),
                None => Board::Nothing,
            },
        },
    }
}

fn sidebar(board: &Board) -> Markup {
    html! {
        h2 id="board-head" { "Scoreboard" }
        @match board {
            Board::Nothing => p class="quiet" { "Once a file is open, this shows how exposed the people in it are, and after a search what the release makes of that." },
            Board::Failed(said) => {
                p { "The input cannot be measured under this policy yet:" }
                (alert(said))
            }
            Board::Before(board) => {
                (table(board, false))
                p class="quiet" { "Search for a release to see what it makes of these." }
            }
            Board::Both(board, stale) => {
                @if *stale { p class="stale" { "The policy has changed since this release was made: " a href="/search" { "search again" } "." } }
                (table(board, true))
            }
        }
    }
}

fn table(board: &Scoreboard, has_now: bool) -> Markup {
    html! {
        table class="score" {
            caption class="hidden" { "Figures of the input and of the release" }
            thead { tr { th scope="col" { "figure" } th scope="col" class="n" { "before" } th scope="col" class="n" { "now" } } }
            tbody {
                @for line in &board.lines {
                    tr {
                        th scope="row" { (ask(&name(line), &line.term)) }
                        td class="n was" { (together(line.before.as_deref().unwrap_or("–"))) }
                        td class="n is" { @if has_now { (together(&line.after)) } @else { "–" } }
                    }
                }
            }
        }
    }
}

fn name(line: &ScoreLine) -> String {
    match &line.column {
        Some(column) => format!("{column}: {}", line.term.name),
        None => line.term.name.to_string(),
    }
}

/// A figure and its unit stay on one line.
fn together(figure: &str) -> String {
    figure.replace(" %", "\u{a0}%")
}

/// The most telling figures in one line, for screens that have no room beside the page.
fn strip(board: &Board) -> Markup {
    let (board, has_now) = match board {
        Board::Before(board) => (board, false),
        Board::Both(board, _) => (board, true),
        Board::Nothing | Board::Failed(_) => return PreEscaped(String::new()),
    };
    let lines = STRIP
        .iter()
        .filter_map(|key| board.lines.iter().find(|line| line.term.key == *key));
    html! {
        a class="strip" href="#board" aria-label="Scoreboard: go to all figures" {
            @for line in lines {
                span {
                    span class="what" { (short(line.term.key)) } " "
                    @if let Some(before) = &line.before { span class="was" { (before) } @if has_now { " → " } }
                    @if has_now { strong { (line.after) } }
                }
            }
        }
    }
}

fn short(key: &str) -> &str {
    match key {
        "at_risk" => "at risk",
        "prosecutor_max" => "highest risk",
        "lm" => "loss",
        other => other,
    }
}
