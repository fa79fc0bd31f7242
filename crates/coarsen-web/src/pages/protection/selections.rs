//! Selections, checked against the counted table as they are typed: each line either says how many rows it
//! asks for, or what is wrong and where.

use std::ops::Range;

use axum::response::Response;
use coarsen::policy::{Kind, Policy, Role};
use coarsen::workload::{SelectionError, bind};
use coarsen_report::text::counted;
use maud::{Markup, html};

use crate::answer::page;
use crate::fields::{Fields, Sent};
use crate::pages::{Visit, in_thread};
use crate::project::Counted;
use crate::said::Said;

/// The selections of a text, without empty lines.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

pub async fn check_now(visit: Visit, sent: Sent) -> Response {
    let fields = Fields::from(sent);
    in_thread(move || {
        page(checked(
            &visit,
            fields.raw("selections").unwrap_or_default(),
        ))
    })
    .await
}

/// What there is to say of each selection.
pub fn checked(visit: &Visit, text: &str) -> Markup {
    if lines(text).next().is_none() {
        return html! {};
    }
    let known = match visit.session.counted(&visit.app.engine) {
        Err(said) => return html! { p class="bad" { (said.message) } },
        Ok(known) => known,
    };
    let counted = match known.as_ref() {
        Err(said) => {
            return html! { p class="bad" { "Selections cannot be checked yet: " (said.message) } };
        }
        Ok(counted) => counted,
    };
    html! { ul class="checks" { @for line in lines(text) { li { (one(counted, line)) } } } }
}

fn one(known: &Counted, text: &str) -> Markup {
    let table = &known.table;
    match bind(text, &table.attributes) {
        Ok(selection) => html! {
            span class="good" { "✓ " } code { (text) }
            @if let Some(rows) = selection.rows(&table.counts) { ": " (counted(rows, "row", "rows")) }
        },
        Err(error) => {
            html! { span class="bad" { "✗ " } (marked(text, &error.at)) ": " (error.message) " " (error.help) }
        }
    }
}

/// A text with a part of it marked.
fn marked(text: &str, at: &Range<usize>) -> Markup {
    let start = at.start.min(text.len());
    let end = at.end.clamp(start, text.len());
    match (text.get(..start), text.get(start..end), text.get(end..)) {
        (Some(before), Some(""), Some(after)) => html! { code { (before) mark { "…" } (after) } },
        (Some(before), Some(bad), Some(after)) => {
            html! { code { (before) mark { (bad) } (after) } }
        }
        _ => html! { code { (text) } },
    }
}

/// Refuses the first selection that does not hold.
pub fn refuse_bad(visit: &Visit, text: &str) -> Result<(), Said> {
    if lines(text).next().is_none() {
        return Ok(());
    }
    let known = visit.session.counted(&visit.app.engine)?;
    let counted = known.as_ref().as_ref().map_err(Clone::clone)?;
    for line in lines(text) {
        let said = |error: SelectionError| {
            Said::new(
                format!("The selection `{line}` does not hold: {}", error.message),
                error.help,
            )
        };
        bind(line, &counted.table.attributes).map_err(said)?;
    }
    Ok(())
}

/// A selection that fits the policy's own columns.
pub fn example(policy: &Policy) -> String {
    let mut quasi = policy.columns_with(Role::QuasiIdentifier);
    let number =
        quasi.find(|(_, column)| matches!(column.kind, Some(Kind::Integer | Kind::Decimal)));
    match number.or_else(|| policy.columns_with(Role::QuasiIdentifier).next()) {
        Some((name, column)) if matches!(column.kind, Some(Kind::Integer | Kind::Decimal)) => {
            format!("{name} > 40")
        }
        Some((name, column)) if column.kind == Some(Kind::Date) => {
            format!("{name} >= '1990-01-01'")
        }
        Some((name, _)) => format!("{name} = 'a value'"),
        None => "age > 40".into(),
    }
}
