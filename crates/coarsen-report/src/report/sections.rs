//! Parts that both kinds of report have.

use coarsen::audit::Audit;
use coarsen::policy::{MissingRule, Order, SuppressionMode};
use maud::{Markup, html};

use crate::chart::Svg;
use crate::figures::{class_sizes, risk_curve};
use crate::glossary::{all, find};
use crate::scoreboard::ask;
use crate::text::{counted, number, percent};

/// A chart with a line below it.
pub(super) fn figure(chart: &Svg, caption: Markup) -> Markup {
    html! {
        figure class="card" {
            (chart)
            @if !caption.0.is_empty() { figcaption { (caption) } }
        }
    }
}

/// A figure's name that can be asked what it means.
pub(super) fn term(key: &str) -> Markup {
    let term = find(key).expect("every figure of a report is in the glossary");
    ask(term.name, &term)
}

/// A figure's name inside a sentence: it leads to what it means.
pub(super) fn named(key: &str) -> Markup {
    let term = find(key).expect("every figure of a report is in the glossary");
    html! { a class="term" href=(format!("#term-{}", term.key)) title=(term.short) { (term.name) } }
}

/// Whether the release holds what was asked of it, first of all.
pub fn verdict(requirements: &[String], audit: &Audit, unproven: Option<u64>) -> Markup {
    let asked = requirements.join(", ");
    html! {
        @if audit.holds {
            div class="verdict" {
                strong { "✓ Holds: " } (asked)
                ". Recounted from the release: " (counted(audit.rows, "row", "rows"))
                " in " (counted(audit.classes, "class", "classes")) ", the smallest of " (number(audit.k)) "."
            }
        } @else {
            div class="verdict bad" {
                strong { "✗ Does not hold: " } (asked) "."
                @if let Some(rows) = unproven {
                    " " (counted(rows, "row falls", "rows fall")) " short, and the release was accepted all the same."
                }
                @for failure in &audit.failures { p { (failure) } }
            }
        }
    }
}

/// What an attacker is taken to know.
pub(super) fn attackers() -> Markup {
    html! {
        p {
            "The report assumes an attacker who knows the quasi-identifiers of a person exactly, all of them, and looks for that person's row. \
             Three kinds are told apart. A prosecutor knows that the person is in the table; this is the strictest, and every threshold below is held against it. \
             A journalist only knows that the person is in the population that the table was drawn from. A marketer wants to recognize as many as possible and does not care whom."
        }
        p {
            "Not covered: what an attacker learns from another release of the same people, from columns that the policy calls neither identifying nor sensitive, \
             and from knowing more about a person than the quasi-identifiers."
        }
    }
}

/// The class sizes and the risk curve.
pub(super) fn residual_charts(
    before: Option<(&Audit, &[u64])>,
    after: &Audit,
    sizes: &[u64],
) -> Markup {
    let curve = risk_curve(before.map(|(_, sizes)| sizes), sizes, after.risk.threshold);
    let histogram = class_sizes(
        before.map(|(audit, _)| audit.risk.histogram.as_slice()),
        &after.risk.histogram,
    );
    html! {
            (figure(&histogram, html! { "Bars hold the share of the rows that stand in classes of that size. Nobody is alone where the first bar after is empty." }))
            (figure(&curve, html! { "Read up from a risk: the share of rows that are more exposed than that. Right of the threshold the solid line should lie at 0 %." }))
    }
}

/// How exposed the released rows still are.
pub(super) fn residual(before: Option<(&Audit, &[u64])>, after: &Audit, sizes: &[u64]) -> Markup {
    html! {
        div class="two" { (residual_charts(before, after, sizes)) }
        div class="scroll" {
            table {
                thead { tr { th { "figure" } @if before.is_some() { th class="n" { "before" } } th class="n" { "after" } } }
                tbody {
                    @for (key, of) in RISKS {
                        tr {
                            th scope="row" { (term(key)) }
                            @if let Some((audit, _)) = before { td class="n was" { (percent(of(audit))) } }
                            td class="n is" { (percent(of(after))) }
                        }
                    }
                }
            }
        }
        @if !after.sensitive.is_empty() {
            h3 { "Sensitive values" }
            p class="quiet" { "One need not find a person's row to learn a value that all rows of the class share." }
            div class="scroll" {
                table {
                    thead { tr { th { "column" } th class="n" { (term("distinct_l")) } th class="n" { (term("entropy_l")) } th class="n" { (term("t")) } } }
                    tbody {
                        @for column in &after.sensitive {
                            tr {
                                th scope="row" { (column.column) }
                                td class="n" { (number(column.distinct_l)) }
                                td class="n" { (format!("{:.2}", column.entropy_l)) }
                                td class="n" { (format!("{:.3}", column.t)) }
                            }
                        }
                    }
                }
            }
        } @else {
            p { "The policy names no sensitive column, so that nothing is said of what a class tells about all of its rows at once." }
        }
        @for note in &after.notes { p class="warn" { (note) } }
    }
}

/// A risk and where an audit has it.
type OfAudit = (&'static str, fn(&Audit) -> f64);

/// The risks of the residual table.
const RISKS: [OfAudit; 4] = [
    ("prosecutor_max", |audit| audit.risk.prosecutor_max),
    ("prosecutor_mean", |audit| audit.risk.prosecutor_mean),
    ("marketer", |audit| audit.risk.marketer),
    ("at_risk", |audit| audit.risk.at_risk),
];

/// What the policy asks for.
pub(super) fn thresholds(
    requirements: &[String],
    limit: f64,
    mode: SuppressionMode,
    threshold: f64,
) -> Markup {
    html! {
        ul { @for requirement in requirements { li { "every class: " (requirement) } } }
        p {
            "A row counts as being at risk where its risk is above " (percent(threshold)) ". "
            @if limit > 0.0 {
                "At most " (percent(limit)) " of the rows may be suppressed; "
                @match mode {
                    SuppressionMode::Drop => "they are left out.",
                    SuppressionMode::Mask => "they stay with * in every quasi-identifier, and are a class that must meet the requirements too.",
                }
            } @else { "No row may be suppressed." }
        }
    }
}

/// What becomes of missing values.
pub(super) fn missing_rule(rule: MissingRule) -> &'static str {
    match rule {
        MissingRule::Category => {
            "A missing value is a value of its own, directly under the top of its column's hierarchy."
        }
        MissingRule::Refuse => "The input was to have no missing value, and has none.",
        MissingRule::Drop => "Rows with a missing value were left out before anything else.",
    }
}

/// In which order rows stand.
pub(super) fn row_order(order: Order) -> &'static str {
    match order {
        Order::Sorted => {
            "Rows stand sorted by what is released, so that their order tells nothing more."
        }
        Order::Keep => {
            "Rows stand in the order of the input, which can identify somebody who is known to stand at some place."
        }
    }
}

/// Every figure and what it means, also for paper.
pub fn glossary() -> Markup {
    html! {
        dl class="terms" {
            @for term in all() {
                dt id=(format!("term-{}", term.key)) { (term.name) }
                dd { (term.short) ". " (term.explanation) }
            }
        }
    }
}
