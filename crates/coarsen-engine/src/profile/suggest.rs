//! From a profile to the role of every column, with the reason.
//!
//! The name decides where it says something, then the values. Where neither does, a column is taken
//! for a quasi-identifier: coarsening what need not be costs usefulness, releasing what should not be
//! costs a person.

use coarsen::domain::Kind;
use coarsen::policy::{Column, Role, Treatment};
use serde::Serialize;

use super::hierarchies::{intervals, propose};
use super::hints::{Hint, hint_of, is_label};
use super::toml::inline;
use super::{ColumnProfile, Profile, Shape};

/// A table smaller than this has values that stand alone whatever they mean.
const FEW_ROWS: u64 = 20;
/// A label has at most so many values.
const LABEL_VALUES: u64 = 20;

/// What a column could be in the policy, and why.
#[derive(Clone, Debug, Serialize)]
pub struct Suggestion {
    /// The column.
    pub name: String,
    /// As the policy would describe it.
    pub column: Column,
    /// Why it has that role.
    pub why: String,
    /// Whether that is more than a guess.
    pub sure: bool,
    /// What else the steward should know.
    pub notes: Vec<String>,
}

/// Suggests what each column is. There is always a quasi-identifier among them, for a policy needs one.
pub fn suggest(profile: &Profile) -> Vec<Suggestion> {
    let last = profile.columns.len().saturating_sub(1);
    let mut verdicts: Vec<Verdict> = profile
        .columns
        .iter()
        .enumerate()
        .map(|(place, column)| verdict(profile, column, place == last))
        .collect();
    if verdicts.iter().all(|v| v.role != Role::QuasiIdentifier) {
        // The one that gives least away by itself, names last.
        let choice = (0..verdicts.len())
            .filter(|place| profile.columns[*place].shape != Shape::Nested)
            .min_by_key(|place| {
                let by_name = verdicts[*place].hint.is_some();
                (by_name, profile.columns[*place].unique_rows, *place)
            });
        if let Some(place) = choice {
            verdicts[place] = Verdict {
                role: Role::QuasiIdentifier,
                why: "a policy needs a quasi-identifier, and no column stands out as one".into(),
                sure: false,
                hint: verdicts[place].hint,
            };
        }
    }
    let described = profile.columns.iter().zip(verdicts);
    described
        .map(|(column, verdict)| describe(column, verdict))
        .collect()
}

/// What a column would be described as in a role that somebody else has chosen.
pub fn suggest_as(column: &ColumnProfile, role: Role) -> Suggestion {
    describe(
        column,
        Verdict {
            role,
            why: "chosen by hand".into(),
            sure: true,
            hint: hint_of(&column.name),
        },
    )
}

struct Verdict {
    role: Role,
    why: String,
    sure: bool,
    hint: Option<&'static Hint>,
}

fn verdict(profile: &Profile, column: &ColumnProfile, is_last: bool) -> Verdict {
    let hint = hint_of(&column.name);
    let of = |role, why: &str, sure| Verdict {
        role,
        why: why.to_string(),
        sure,
        hint,
    };
    let hinted = |role| hint.filter(|hint| hint.role == role);
    let share = |rows: u64| rows as f64 / profile.rows.max(1) as f64;
    let is_large = profile.rows >= FEW_ROWS;
    let is_prose = column.shape == Shape::Prose && share(column.distinct) > 0.5;

    if column.shape == Shape::Nested {
        return of(
            Role::Identifier,
            "lists, records or bytes can hold anything and are not looked into",
            true,
        );
    }
    if let Some(hint) = hinted(Role::Identifier) {
        return of(Role::Identifier, hint.why, true);
    }
    if column.shape == Shape::Mail {
        return of(Role::Identifier, "its values are mail addresses", true);
    }
    if is_prose {
        return of(Role::Identifier, "free text can hold names", true);
    }
    if is_label(&column.name, is_last) && (2..=LABEL_VALUES).contains(&column.distinct) {
        return of(
            Role::Target,
            "by its name the label that others will learn to predict",
            true,
        );
    }
    if let Some(hint) = hinted(Role::Sensitive) {
        return of(Role::Sensitive, hint.why, true);
    }
    if let Some(hint) = hint {
        return of(Role::QuasiIdentifier, hint.why, true);
    }
    if column.distinct <= 1 {
        return of(Role::Other, "one value at most tells nobody apart", true);
    }
    // Digits past what a whole number holds are no measurement either.
    let is_number =
        column.kind == Kind::Integer || matches!(column.shape, Shape::Digits | Shape::Code);
    if is_large && is_number && (share(column.unique_rows) > 0.3 || share(column.distinct) > 0.5) {
        let why = "a number that differs for nearly everybody can be matched with other files";
        return of(Role::Identifier, why, false);
    }
    if is_large && column.kind == Kind::Text && share(column.distinct) > 0.5 {
        let why = "a text that differs for nearly everybody names them";
        return of(Role::Identifier, why, false);
    }
    let why = match column.kind {
        Kind::Date => "a date can be looked up or is remembered",
        Kind::Decimal => "a measurement may be known elsewhere; unsure, so the safer choice",
        _ => "it may describe a person; unsure, so the safer choice",
    };
    of(Role::QuasiIdentifier, why, false)
}

fn describe(profile: &ColumnProfile, verdict: Verdict) -> Suggestion {
    let mut column = Column {
        role: verdict.role,
        ..Default::default()
    };
    let mut notes = Vec::new();
    match verdict.role {
        Role::Identifier => {
            column.treatment = Some(Treatment::Drop);
            if !verdict.sure {
                notes.extend(instead("If its values matter", profile));
            }
        }
        Role::QuasiIdentifier => {
            let is_postal = verdict.hint.is_some_and(|hint| hint.is_postal);
            notes = propose(profile, is_postal, &mut column);
            if profile.kind == Kind::Text && verdict.hint.is_some_and(|hint| hint.is_date) {
                notes.push("If these are dates, say how they are written: type = \"date\", format = \"%m/%d/%Y\".".into());
            }
        }
        Role::Sensitive | Role::Target => {
            column.kind = (profile.kind != Kind::Text).then_some(profile.kind);
            column.format = profile.format.map(str::to_string);
            let is_number = matches!(profile.kind, Kind::Integer | Kind::Decimal);
            if verdict.role == Role::Sensitive && is_number && profile.unique_rows > 0 {
                notes.extend(instead("If anybody outside knows such numbers", profile));
            }
        }
        Role::Other => {}
    }
    if let (Some(format), Some(rival)) = (profile.format, profile.rival_format) {
        notes.push(format!(
            "Day and month cannot be told apart here: the dates fit {format} and {rival}; make sure of the format."
        ));
    }
    Suggestion {
        name: profile.name.clone(),
        column,
        why: verdict.why,
        sure: verdict.sure,
        notes,
    }
}

/// Advice to make a column a quasi-identifier, what to write on a line of its own.
fn instead(when: &str, profile: &ColumnProfile) -> Vec<String> {
    let advice = format!("{when}, make it a quasi-identifier");
    match intervals(profile).filter(|_| profile.kind != Kind::Text) {
        Some(spec) => {
            let spec = serde_json::to_value(spec).expect("a hierarchy is plain data");
            vec![
                format!("{advice} with"),
                format!("hierarchy = {}", inline(&spec)),
            ]
        }
        None => vec![format!("{advice}.")],
    }
}
