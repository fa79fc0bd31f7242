//! What is wrong with a policy, where, and what to do about it.

use std::ops::Range;

use super::key::Key;
use super::locate::{locate, locate_key, shared_depth};

/// What is wrong with a policy.
///
/// Message and help are whole sentences. The key is dotted as `--set` takes it
/// (`columns.age.hierarchy`, `privacy.diversity.0.column`); the span is in bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PolicyError {
    /// What is wrong.
    pub message: String,
    /// The dotted key at fault, where there is one.
    pub key: Option<String>,
    /// Its place in the policy's text, where it has one.
    pub span: Option<Range<usize>>,
    /// What to do.
    pub help: Option<String>,
}

impl PolicyError {
    /// An error at a key, without a place yet: see [`PolicyError::locate`].
    pub fn new(key: &Key, message: impl Into<String>) -> Self {
        PolicyError {
            message: message.into(),
            key: Some(key.to_string()),
            span: None,
            help: None,
        }
    }

    /// The same error with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Finds the key's place in the policy's text; or, where the key came from `--set`, says so.
    #[must_use]
    pub fn locate(self, source: &str, overrides: &[(String, String)]) -> Self {
        self.place(source, overrides, locate)
    }

    /// The same, but marks the key rather than its value: the key itself is the mistake.
    #[must_use]
    pub fn locate_key(self, source: &str, overrides: &[(String, String)]) -> Self {
        self.place(source, overrides, locate_key)
    }

    fn place(
        mut self,
        source: &str,
        overrides: &[(String, String)],
        find: fn(&str, &Key) -> Option<Range<usize>>,
    ) -> Self {
        let Some(key) = self.key.as_deref().and_then(Key::parse) else {
            return self;
        };
        let depth = shared_depth(source, &key);
        // A later --set wins, so it is the one to name.
        let culprit = overrides.iter().rev().find(|(over, _)| {
            Key::parse(over).is_some_and(|over| over.contains(&key) || over.created(&key, depth))
        });
        match culprit {
            Some((over, value)) => {
                self.span = None;
                self.message
                    .push_str(&format!(" This came from --set {over}={value}."));
            }
            None => self.span = find(source, &key),
        }
        self
    }

    /// Text that is not TOML.
    pub(super) fn syntax(error: &toml::de::Error) -> Self {
        let message = error.message().trim_end_matches('.').replace('\n', ", ");
        let help = if message.contains("duplicate key") {
            "Each key may be given once: remove or rename one of the two."
        } else {
            "Text needs quotes, each key stands on a line of its own, and lists and tables must be closed."
        };
        PolicyError {
            message: format!("The policy is not valid TOML: {message}."),
            key: None,
            span: error.span(),
            help: Some(help.to_owned()),
        }
    }
}

/// The known word that is most like `word`, if any is like it at all.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LIKE: f64 = 0.75;
    let plain = |text: &str| text.to_lowercase().replace(['_', ' '], "-");
    let word = plain(word);
    known
        .into_iter()
        .map(|each| (strsim::jaro_winkler(&word, &plain(each)), each))
        .filter(|(likeness, _)| *likeness >= LIKE)
        // On equal likeness the first listed wins, so that the same mistake gets the same advice.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, each)| each)
}

/// Words in a sentence: `a`, `b` or `c`, where the last is joined by `link`.
pub(super) fn listed<S: AsRef<str>>(words: &[S], link: &str) -> String {
    let mut quoted: Vec<String> = words
        .iter()
        .map(|word| format!("`{}`", word.as_ref()))
        .collect();
    match quoted.pop() {
        Some(last) if !quoted.is_empty() => format!("{} {link} {last}", quoted.join(", ")),
        last => last.unwrap_or_default(),
    }
}

/// Advice for an unknown word or key: the likeliest one, then all that are known.
pub(super) fn suggestion<S: AsRef<str>>(word: &str, known: &[S]) -> String {
    let all = match known {
        [] => "Nothing is known here.".to_owned(),
        [only] => format!("Known is only `{}`.", only.as_ref()),
        _ => format!("Known are {}.", listed(known, "and")),
    };
    match did_you_mean(word, known.iter().map(AsRef::as_ref)) {
        Some(like) => format!("Did you mean `{like}`? {all}"),
        None => all,
    }
}
