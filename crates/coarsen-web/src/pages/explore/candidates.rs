//! Candidates as a plot, a table, and side by side.

use std::collections::BTreeSet;

use coarsen_engine::{Candidate, Frontier, Measured, PointOutcome};
use coarsen_report::text::{figure, number, percent};
use maud::{Markup, html};

use crate::pages::kit::term;
use crate::project::Found;

/// The frontier, and those that are pinned.
pub fn shown(found: &Found, pins: &BTreeSet<usize>, is_current: bool) -> Markup {
    let frontier = &found.frontier;
    let pinned: Vec<&Candidate> = frontier
        .candidates
        .iter()
        .filter(|c| pins.contains(&c.point.number))
        .collect();
    html! {
        section aria-labelledby="frontier-head" {
            h2 id="frontier-head" { "Risk and loss" }
            @if !is_current { p class="stale" { "The policy has changed since these were searched." } }
            figure class="card" {
                (frontier.plot())
                figcaption { "Down and to the left is better. Compared by " strong { (frontier.loss) } ": " (frontier.loss_summary()) "." }
            }
            form method="post" action="/explore/choose" {
                (table(frontier, pins))
                p class="actions" {
                    button class="quiet-button" { "Compare the pinned" } " "
                    a class="button quiet-button" href="/explore/frontier.csv" download { "Download as CSV" }
                }
                @if pinned.len() > 1 { (side_by_side(frontier, &pinned)) }
                @else if !pinned.is_empty() { p id="pinned" class="quiet" { "Pin at least two to see them side by side." } }
            }
        }
    }
}

fn table(frontier: &Frontier, pins: &BTreeSet<usize>) -> Markup {
    html! {
        div class="scroll" {
            table class="candidates" {
                caption class="hidden" { "Candidates; those that no other beats are marked with a star" }
                thead { tr {
                    th scope="col" { "pin" } th scope="col" { "no." } th scope="col" { "algorithm" } th scope="col" class="n" { "k" }
                    th scope="col" class="n" { "highest risk" } th scope="col" class="n" { (frontier.loss) } th scope="col" class="n" { "suppressed" } th scope="col" { span class="hidden" { "action" } }
                } }
                tbody { @for candidate in &frontier.candidates { (line(frontier, candidate, pins)) } }
            }
        }
    }
}

fn line(frontier: &Frontier, candidate: &Candidate, pins: &BTreeSet<usize>) -> Markup {
    let point = &candidate.point;
    let id = format!("pin-{}", point.number);
    html! {
        tr class=[candidate.undominated.then_some("best")] {
            td { input id=(id) type="checkbox" name="pin" value=(point.number) checked[pins.contains(&point.number)] disabled[candidate.measured().is_none()] aria-label=(format!("Pin candidate {}", point.number)); }
            th scope="row" { (point.number) @if candidate.undominated { " " span title="No other candidate beats it" { "★" } } }
            td { (point.algorithm) @if point.search_loss != frontier.loss { " for " (point.search_loss) } }
            td class="n" { (number(point.k)) }
            @match &candidate.outcome {
                PointOutcome::Measured(found) => {
                    td class="n" { (percent(found.highest_risk)) }
                    td class="n" { (cost(frontier, found)) }
                    td class="n" { (number(found.suppressed_rows)) }
                    td class="n" { button class="small quiet-button" name="use" value=(point.number) aria-label=(format!("Make the release of candidate {}", point.number)) { "Make it" } }
                }
                PointOutcome::Reason(reason) => td colspan="4" class="quiet" { "no release: " (reason) },
            }
        }
    }
}

fn cost(frontier: &Frontier, measured: &Measured) -> String {
    frontier.cost(measured).map_or("–".into(), figure)
}

/// A figure by its key, and how it is shown.
type OfMeasured = (&'static str, fn(&Measured) -> String);

fn side_by_side(frontier: &Frontier, pinned: &[&Candidate]) -> Markup {
    let found: Vec<(&Candidate, &Measured)> = pinned
        .iter()
        .filter_map(|c| Some((*c, c.measured()?)))
        .collect();
    let figures: [OfMeasured; 7] = [
        ("k", |m| number(m.smallest_class)),
        ("prosecutor_max", |m| percent(m.highest_risk)),
        ("prosecutor_mean", |m| percent(m.average_risk)),
        ("classes", |m| number(m.classes)),
        ("rows", |m| number(m.rows_out)),
        ("suppressed_rows", |m| number(m.suppressed_rows)),
        ("bound", |m| m.bound.map_or("–".into(), figure)),
    ];
    let losses: BTreeSet<&String> = found
        .iter()
        .flat_map(|(_, m)| m.loss.iter())
        .filter(|(_, v)| v.is_number())
        .map(|(name, _)| name)
        .collect();
    html! {
        section id="pinned" aria-labelledby="pinned-head" {
            h2 id="pinned-head" { "Side by side" }
            div class="scroll" {
                table {
                    caption class="hidden" { "Pinned candidates side by side" }
                    thead { tr { th scope="col" { "figure" } @for (candidate, _) in &found { th scope="col" class="n" { (candidate.point.number) ": " (candidate.point.algorithm) ", k " (candidate.point.k) } } } }
                    tbody {
                        @for (key, show) in figures { tr { th scope="row" { (term(key)) } @for (_, measured) in &found { td class="n" { (show(measured)) } } } }
                        @for name in losses {
                            tr { th scope="row" { (term(name)) @if name.replace('_', "-") == frontier.loss { " (compared by)" } }
                                @for (_, measured) in &found { td class="n" { (measured.loss.get(name).and_then(|v| v.as_f64()).map_or("–".into(), figure)) } } }
                        }
                        tr { th scope="row" { "search took" } @for (_, measured) in &found { td class="n" { (format!("{:.2} s", measured.seconds)) } } }
                    }
                }
            }
        }
    }
}
