//! The scoreboard: what was and what is, in one look. The report, the page and the command line show the
//! same lines.

use coarsen::audit::{Audit, Variety};
use maud::{Markup, html};
use serde::Serialize;

use crate::glossary::{Term, find};
use crate::text::{figure, number, percent};

/// One line of the scoreboard.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoreLine {
    /// What the figure means.
    pub term: Term,
    /// The column that it is about, where it is about one.
    pub column: Option<String>,
    /// The figure before, as it is shown; none where there is none, or it is not told.
    pub before: Option<String>,
    /// The figure after, as it is shown.
    pub after: String,
}

/// A figure of a sensitive column, and how it is shown.
type OfSensitive = (&'static str, fn(&Variety) -> String);

/// The figures of every sensitive column.
const OF_SENSITIVE: [OfSensitive; 3] = [
    ("distinct_l", |column| number(column.distinct_l)),
    ("entropy_l", |column| format!("{:.2}", column.entropy_l)),
    ("t", |column| format!("{:.3}", column.t)),
];

/// What was and what is.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Scoreboard {
    /// The lines, the most telling first.
    pub lines: Vec<ScoreLine>,
}

impl Scoreboard {
    /// The figures of the input, where they may be told, and of the release; `losses` by their names,
    /// as they are shown.
    pub fn of<'a>(
        before: Option<&Audit>,
        after: &Audit,
        losses: impl IntoIterator<Item = (&'a str, f64)>,
    ) -> Self {
        let mut board = Scoreboard::default();
        let rows_at_risk = |audit: &Audit| {
            let rows = (audit.risk.at_risk * audit.rows as f64).round() as u64;
            format!("{} ({})", number(rows), percent(audit.risk.at_risk))
        };
        board.compare("k", before, after, |audit| number(audit.k));
        board.compare("uniques", before, after, |audit| number(audit.risk.uniques));
        board.compare("at_risk", before, after, rows_at_risk);
        board.compare("prosecutor_max", before, after, |audit| {
            percent(audit.risk.prosecutor_max)
        });
        board.compare("prosecutor_mean", before, after, |audit| {
            percent(audit.risk.prosecutor_mean)
        });
        board.compare("marketer", before, after, |audit| {
            percent(audit.risk.marketer)
        });
        for (place, column) in after.sensitive.iter().enumerate() {
            let was = before.and_then(|before| before.sensitive.get(place));
            for (key, show) in OF_SENSITIVE {
                board.add(key, Some(&column.column), was.map(show), show(column));
            }
        }
        board.compare("rows", before, after, |audit| number(audit.rows));
        board.compare("classes", before, after, |audit| number(audit.classes));
        board.compare("average_class", before, after, |audit| {
            format!("{:.1}", audit.average_class)
        });
        for (name, shown) in losses {
            board.add(name, None, None, figure(shown));
        }
        board
    }

    fn compare(
        &mut self,
        key: &str,
        before: Option<&Audit>,
        after: &Audit,
        show: impl Fn(&Audit) -> String,
    ) {
        self.add(key, None, before.map(&show), show(after));
    }

    fn add(&mut self, key: &str, column: Option<&str>, before: Option<String>, after: String) {
        self.lines.push(ScoreLine {
            term: find(key).expect("every figure of the scoreboard is in the glossary"),
            column: column.map(str::to_string),
            before,
            after,
        });
    }

    /// As an HTML table, each line of which can be asked what it means.
    pub fn to_html(&self) -> Markup {
        let before = self.lines.iter().any(|line| line.before.is_some());
        html! {
            table class="score" {
                thead { tr {
                    th scope="col" { "figure" }
                    @if before { th scope="col" class="n" { "before" } }
                    th scope="col" class="n" { "after" }
                } }
                tbody {
                    @for line in &self.lines {
                        tr {
                            th scope="row" { (line.asked()) }
                            @if before { td class="n was" { (line.before.as_deref().unwrap_or("–")) } }
                            td class="n is" { (line.after) }
                        }
                    }
                }
            }
        }
    }
}

impl ScoreLine {
    fn asked(&self) -> Markup {
        let name = match &self.column {
            Some(column) => format!("{column}: {}", self.term.name),
            None => self.term.name.to_string(),
        };
        ask(&name, &self.term)
    }
}

/// A name that opens to say what it means; it needs no script.
pub fn ask(name: &str, term: &Term) -> Markup {
    html! {
        details class="ask" {
            summary { (name) }
            p { (term.short) ". " (term.explanation) }
        }
    }
}
