//! A profile as a person reads it: what each column holds and what it could be.

use coarsen::policy::Role;
use coarsen_engine::{ColumnProfile, Profile, Shape, Suggestion, Together};

use super::Arguments;
use crate::text::{BAD, FAINT, GOOD, HEAD, WARN, columns, counted, cut, in_style, number, percent};

/// How much of a name fits into the table.
const NAME: usize = 28;

/// Prints what was found and what to do next.
pub fn print(
    arguments: &Arguments,
    profile: &Profile,
    suggestions: &[Suggestion],
    together: &Together,
) {
    anstream::println!(
        "\n{}  {}: {}, {}\n",
        in_style(HEAD, "Profile"),
        arguments.data.display(),
        counted(profile.rows, "row", "rows"),
        counted(profile.columns.len() as u64, "column", "columns")
    );
    let head = [
        "  column",
        "type",
        "distinct",
        "missing",
        "unique alone",
        "role",
        "why",
    ];
    let mut rows = vec![head.map(|name| in_style(FAINT, name)).to_vec()];
    for (column, suggestion) in profile.columns.iter().zip(suggestions) {
        rows.push(row(profile, column, suggestion));
    }
    for line in columns(&rows, &[2, 3, 4]) {
        anstream::println!("{line}");
    }
    anstream::println!();
    exposure(profile, together);
    let doubts = suggestions.iter().filter(|s| !s.sure).count() as u64;
    if doubts > 0 {
        anstream::println!(
            "{}  {} a guess, marked ?: decide before you release anything",
            in_style(WARN, "note"),
            counted(doubts, "role is", "roles are")
        );
    }
    let is_number = |column: &ColumnProfile| column.name.parse::<f64>().is_ok();
    if profile.columns.iter().any(is_number) {
        anstream::println!(
            "{}  some columns have numbers for names: if the first line is a row already, add --no-header",
            in_style(WARN, "note")
        );
    }
    anstream::println!(
        "{}  {}",
        in_style(GOOD, "wrote"),
        arguments.output.display()
    );
    anstream::println!(
        "       confirm the roles in it, then: {}",
        in_style(
            HEAD,
            format!(
                "coarsen run {}",
                in_shell(&arguments.output.to_string_lossy())
            )
        )
    );
}

fn row(profile: &Profile, column: &ColumnProfile, suggestion: &Suggestion) -> Vec<String> {
    let about = if column.exact { "" } else { "~" };
    let share = |rows: u64| match rows {
        0 => in_style(FAINT, "-"),
        rows => percent(rows as f64 / profile.rows as f64),
    };
    let figures = match column.shape {
        Shape::Nested => [const { String::new() }; 3],
        _ => [
            format!("{about}{}", number(column.distinct)),
            share(column.missing),
            share(column.unique_rows),
        ],
    };
    let kind = match (column.shape, column.format) {
        (Shape::Nested, _) => "nested".to_string(),
        (Shape::Empty, _) => "empty".to_string(),
        (_, Some(format)) => format!("{} {format}", column.kind),
        _ => column.kind.to_string(),
    };
    let role = suggestion.column.role;
    let style = match role {
        Role::Identifier => BAD,
        Role::QuasiIdentifier => WARN,
        Role::Sensitive | Role::Target | Role::Other => HEAD,
    };
    let doubt = if suggestion.sure { "" } else { "?" };
    let [distinct, missing, unique] = figures;
    vec![
        format!("  {}", cut(&plain(&column.name), NAME)),
        kind,
        distinct,
        missing,
        unique,
        format!("{}{doubt}", in_style(style, role)),
        in_style(FAINT, &suggestion.why),
    ]
}

fn exposure(profile: &Profile, together: &Together) {
    let about = if together.exact { "" } else { "about " };
    let share = percent(together.unique_rows as f64 / profile.rows as f64);
    let names: Vec<String> = together.columns.iter().map(|name| plain(name)).collect();
    anstream::println!(
        "{}  {about}{} of {} rows ({share}) are like no other by {} together: {}",
        in_style(if together.unique_rows > 0 { BAD } else { GOOD }, "exposed"),
        number(together.unique_rows),
        number(profile.rows),
        counted(names.len() as u64, "quasi-identifier", "quasi-identifiers"),
        names.join(", ")
    );
    for (one, other) in &together.twins {
        anstream::println!(
            "{}  {} says the same as {}, value for value: one of the two is better dropped",
            in_style(WARN, "note"),
            plain(other),
            plain(one)
        );
    }
}

/// A name on one line.
fn plain(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A path as a shell takes it for one word.
fn in_shell(path: &str) -> String {
    let safe = |c: char| c.is_alphanumeric() || "/._-+:@%,\\".contains(c);
    match path.chars().all(safe) {
        true => path.to_string(),
        false => format!("'{}'", path.replace('\'', "'\\''")),
    }
}
