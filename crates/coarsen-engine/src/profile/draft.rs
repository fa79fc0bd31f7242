//! A commented policy from a profile and its suggestions: one that runs as it is, so that the steward
//! only confirms it.

use coarsen::domain::Kind;
use coarsen::policy::{Policy, PolicyError, Role};
use coarsen_report::text::number;

use super::toml::{comment, inline, key, quoted};
use super::{ColumnProfile, Profile, Shape, Suggestion, Together};

/// The k to start from.
const K: u64 = 5;

/// What a draft is about, besides the columns.
#[derive(Clone, Debug)]
pub struct Draft<'a> {
    /// The data, as seen from the policy's folder.
    pub input: &'a str,
    /// What parts the cells, where that must be said.
    pub delimiter: Option<char>,
    /// Whether a CSV file's first line names the columns.
    pub header: bool,
    /// Where the release goes.
    pub output: &'a str,
    /// Where the recoding goes.
    pub recoding: &'a str,
}

/// The text of a policy.
///
/// # Errors
/// Never, unless this function is at fault: what it writes is read back.
pub fn draft(
    about: &Draft<'_>,
    profile: &Profile,
    suggestions: &[Suggestion],
    together: &Together,
) -> Result<String, PolicyError> {
    let mut text = String::new();
    comment(
        &mut text,
        &format!(
            "A policy that `coarsen init` drafted from {} in {}. It runs as it is, but a draft knows \
             names and counts, not people: confirm the role of every column first.",
            counted(profile.rows, "row"),
            counted(profile.columns.len() as u64, "column"),
        ),
    );
    text.push_str("version = 1\n\n");
    files(&mut text, about, profile);
    columns(&mut text, profile, suggestions, together);
    privacy(&mut text, profile, suggestions, together);
    comment(
        &mut text,
        "The share of rows that may be left out so that the others lose less; 0 forbids it.",
    );
    text.push_str("[suppression]\nlimit = 0.05\n\n");
    comment(
        &mut text,
        "How to look for the release: see `coarsen list algorithms` and `coarsen list losses`.",
    );
    text.push_str("[search]\nalgorithm = \"auto\"\n");
    Policy::parse(&text, &[])?;
    Ok(text)
}

fn files(text: &mut String, about: &Draft<'_>, profile: &Profile) {
    comment(
        text,
        "Where the rows come from and where the release goes. Paths start at this file's folder.",
    );
    let words: Vec<&str> = match profile.missing_words.is_empty() {
        true => vec!["", "?", "NA"],
        false => profile
            .missing_words
            .iter()
            .map(|(w, _)| w.as_str())
            .collect(),
    };
    let seen: Vec<String> = profile
        .missing_words
        .iter()
        .map(|(word, cells)| match word.as_str() {
            "" => format!("nothing at all ({})", counted(*cells, "cell")),
            word => format!("{} ({})", quoted(word), counted(*cells, "cell")),
        })
        .collect();
    if !seen.is_empty() {
        comment(
            text,
            &format!("A value is missing where there stands {}.", seen.join(", ")),
        );
    }
    let words: Vec<String> = words.into_iter().map(quoted).collect();
    let delimiter = about.delimiter.map_or(String::new(), |delimiter| {
        format!(", delimiter = {}", quoted(&delimiter.to_string()))
    });
    let header = if about.header { "" } else { ", header = false" };
    text.push_str(&format!(
        "input  = {{ path = {}{delimiter}{header}, missing = [{}] }}\n",
        quoted(about.input),
        words.join(", ")
    ));
    text.push_str(&format!(
        "output = {{ path = {}, recoding = {} }}\n\n",
        quoted(about.output),
        quoted(about.recoding)
    ));
}

fn columns(text: &mut String, profile: &Profile, suggestions: &[Suggestion], together: &Together) {
    comment(text, "What each column is. The roles are:");
    for role in Role::ALL {
        text.push_str(&format!("#   {role:<17} {}\n", role.summary()));
    }
    comment(
        text,
        "A hierarchy says how a quasi-identifier is coarsened, step by step. For text it is a file with a \
         line a value, such as `Masters;Graduate;*`; `coarsen hierarchy build` starts one.",
    );
    text.push_str("[columns]\n");
    for (column, suggestion) in profile.columns.iter().zip(suggestions) {
        let doubt = if suggestion.sure { "" } else { "Check: " };
        let held = facts(column, profile.rows);
        let why = capitalized(&format!("{doubt}{}.", suggestion.why));
        comment(text, &format!("{held} {why}"));
        for (one, other) in &together.twins {
            if suggestion.name == *other {
                comment(
                    text,
                    &format!(
                        "It says the same as {}, value for value: better make one an identifier, which is dropped.",
                        key(one)
                    ),
                );
            }
        }
        for note in &suggestion.notes {
            comment(text, note);
        }
        let described = serde_json::to_value(&suggestion.column).expect("a column is plain data");
        text.push_str(&format!(
            "{} = {}\n\n",
            key(&suggestion.name),
            inline(&described)
        ));
    }
}

fn privacy(text: &mut String, profile: &Profile, suggestions: &[Suggestion], together: &Together) {
    comment(
        text,
        "Every row hides among at least k rows alike in all quasi-identifiers; 5 to 15 are usual.",
    );
    let about = if together.exact { "" } else { "about " };
    comment(
        text,
        &format!(
            "As the data are, {about}{} of {} rows are like no other.",
            number(together.unique_rows),
            number(profile.rows)
        ),
    );
    let k = profile.rows.clamp(2, K);
    if profile.rows < K {
        comment(
            text,
            &match profile.rows {
                1 => "This table has one row, which cannot hide: no release of it can hold."
                    .to_string(),
                rows => format!(
                    "k is {rows} here because the table has no more rows; {K} would be usual."
                ),
            },
        );
    }
    text.push_str(&format!("[privacy]\nk = {k}\n"));
    let mut sensitive = suggestions
        .iter()
        .filter(|suggestion| suggestion.column.role == Role::Sensitive);
    if let Some(first) = sensitive.next() {
        comment(
            text,
            "Rows that hide together may still share a sensitive value. To ask for several in every class:",
        );
        text.push_str(&format!(
            "# diversity = [{{ column = {}, distinct = 2 }}]\n",
            quoted(&first.name)
        ));
    }
    text.push('\n');
}

/// What a column holds, in words and numbers; no cell of it.
pub fn facts(column: &ColumnProfile, rows: u64) -> String {
    let values = match (column.shape, column.kind) {
        (Shape::Nested, _) => return "Lists, records or bytes.".into(),
        (Shape::Empty, _) => return "No value in any row.".into(),
        (_, Kind::Integer) => "whole number",
        (_, Kind::Decimal) => "number",
        (_, Kind::Date) => "date",
        (_, Kind::Boolean) => "truth value",
        (Shape::Mail, _) => "mail address",
        (Shape::Prose, _) => "long text",
        (Shape::Digits | Shape::Code, _) => "code",
        _ => "text",
    };
    let plural = match (column.distinct, values) {
        (1, one) => one.to_string(),
        (_, "mail address") => "mail addresses".into(),
        (_, many) => format!("{many}s"),
    };
    // Of numbers a length is worth a word only where they may be codes.
    let lengths = column.lengths.filter(|(shortest, longest)| {
        column.kind == Kind::Text || (shortest == longest && *longest > 3)
    });
    let length = match (column.shape, lengths) {
        (Shape::Digits | Shape::Code, Some((shortest, longest))) => {
            let of = if column.shape == Shape::Digits {
                "digit"
            } else {
                "character"
            };
            match shortest == longest {
                true => format!(" of {}", counted(longest as u64, of)),
                false => format!(" of {shortest} to {longest} {of}s"),
            }
        }
        _ => String::new(),
    };
    let missing = match column.missing {
        0 => "none missing".to_string(),
        missing => format!("{} missing", number(missing)),
    };
    let unique = match column.unique_rows {
        0 => String::new(),
        unique if unique == rows => "; no two rows share one".to_string(),
        unique => format!(
            "; {} unique by it alone",
            match unique {
                1 => "1 row is".to_string(),
                unique => format!("{} rows are", number(unique)),
            }
        ),
    };
    format!(
        "{}{} distinct {plural}{length}, {missing}{unique}.",
        if column.exact { "" } else { "About " },
        number(column.distinct)
    )
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

fn counted(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", number(count))
}
