//! The fields of a form as they were sent: in their order, a name as often as it was given.

use axum::Form;

/// What a form sends.
#[derive(Clone, Debug, Default)]
pub struct Fields(Vec<(String, String)>);

/// What axum reads a form into.
pub type Sent = Form<Vec<(String, String)>>;

impl From<Sent> for Fields {
    fn from(Form(pairs): Sent) -> Self {
        Fields(pairs)
    }
}

impl Fields {
    /// The first value of a field, without spaces around it; empty where it was not sent.
    pub fn text(&self, name: &str) -> &str {
        self.raw(name).unwrap_or_default().trim()
    }

    /// The first value of a field as it is.
    pub fn raw(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Every value of a field.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let sent = self.0.iter().filter(move |(field, _)| field == name);
        sent.map(|(_, value)| value.as_str())
    }

    /// Whether a box was ticked or a button pressed.
    pub fn has(&self, name: &str) -> bool {
        self.raw(name).is_some()
    }

    /// A value, where it is not empty.
    pub fn some(&self, name: &str) -> Option<&str> {
        Some(self.text(name)).filter(|text| !text.is_empty())
    }
}

#[cfg(test)]
impl<const N: usize> From<[(&str, &str); N]> for Fields {
    fn from(pairs: [(&str, &str); N]) -> Self {
        let owned = pairs.map(|(name, value)| (name.to_string(), value.to_string()));
        Fields(owned.to_vec())
    }
}
