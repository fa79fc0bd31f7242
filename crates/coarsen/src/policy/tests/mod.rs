//! Every check of the policy: what the message says, which key it names and what its span covers.

mod columns;
mod hierarchy;
mod overrides;
mod privacy;
mod settings;
mod whole;

use super::{Policy, PolicyError};

/// The least policy, into which a test puts its columns, requirements and sections.
fn text(columns: &str, privacy: &str, sections: &str) -> String {
    format!(
        "version = 1\n\
         input = {{ path = \"in.csv\" }}\n\
         output = {{ path = \"out.csv\" }}\n\
         [columns]\n\
         sex = {{ role = \"quasi-identifier\" }}\n\
         {columns}\n\
         [privacy]\n\
         {privacy}\n\
         {sections}\n"
    )
}

fn with_columns(columns: &str) -> String {
    text(columns, "k = 5", "")
}

fn with_sections(sections: &str) -> String {
    text("", "k = 5", sections)
}

/// Asserts the error's key, the text that its span covers, and pieces of its message and help.
#[track_caller]
fn refused(source: &str, key: &str, covers: &str, message: &[&str], help: &str) {
    let error = Policy::parse(source, &[]).expect_err("the policy is wrong");
    assert_eq!(error.key.as_deref(), Some(key), "{error:?}");
    let covered = error.span.clone().map(|span| &source[span]);
    assert_eq!(covered, Some(covers), "{error:?}");
    says(&error, message, help);
}

#[track_caller]
fn says(error: &PolicyError, message: &[&str], help: &str) {
    for piece in message {
        assert!(error.message.contains(piece), "no {piece:?} in {error:?}");
    }
    assert!(error.message.ends_with('.'), "a sentence: {error:?}");
    let given = error.help.as_deref().expect("every error has a help");
    assert!(given.contains(help), "no {help:?} in {error:?}");
    assert!(given.ends_with(['.', '`']), "a sentence: {error:?}");
}

#[track_caller]
fn accepted(source: &str) -> Policy {
    Policy::parse(source, &[]).unwrap_or_else(|error| panic!("{error:?}"))
}
