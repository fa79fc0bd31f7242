//! From a TOML table to the types, with errors that remember where they arose.
//!
//! Serde tells a deserializer's error type, in structured form, what it found and what it knows;
//! most error types flatten that to a line. [`Fault`] keeps it, and gathers the path on the way out,
//! so that the policy's errors can name the whole key and suggest a word.
//!
//! A check inside a type's own reading has only a message to give: where it has two lines, the
//! second is the help.

use std::fmt;

use serde::de::value::StringDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use toml::{Table, Value};

use super::error::{PolicyError, suggestion};
use super::key::Key;

/// Reads a type from a table.
pub(super) fn read<T: DeserializeOwned>(table: Table) -> Result<T, Fault> {
    T::deserialize(Node(Value::Table(table)))
}

/// What went wrong in reading, and the steps to it, the innermost first.
#[derive(Debug)]
pub(super) struct Fault {
    steps: Vec<String>,
    problem: Problem,
}

#[derive(Debug)]
enum Problem {
    UnknownKey {
        known: &'static [&'static str],
    },
    UnknownWord {
        word: String,
        known: &'static [&'static str],
    },
    MissingKey,
    Unfit {
        found: String,
        expected: String,
        help: String,
    },
    Said(String),
}

impl Fault {
    fn new(problem: Problem) -> Self {
        Fault {
            steps: Vec::new(),
            problem,
        }
    }

    fn under(mut self, step: String) -> Self {
        self.steps.push(step);
        self
    }

    /// The policy's error, with its place in the text.
    pub(super) fn at(self, source: &str, overrides: &[(String, String)]) -> PolicyError {
        let key = Key::of(self.steps.into_iter().rev());
        let name = key.steps().last().map_or("", String::as_str);
        let error = |message: String| PolicyError::new(&key, message);
        match self.problem {
            Problem::UnknownKey { known } => error(format!("`{key}` is not a key of the policy."))
                .with_help(suggestion(name, known))
                .locate_key(source, overrides),
            Problem::UnknownWord { word, known } => {
                error(format!("`{key}` does not know the word `{word}`."))
                    .with_help(suggestion(&word, known))
                    .locate(source, overrides)
            }
            Problem::MissingKey => {
                let (message, help) = missing(&key, name);
                error(message).with_help(help).locate(source, overrides)
            }
            Problem::Unfit {
                found,
                expected,
                help,
            } => error(format!("`{key}` must be {expected}, but it is {found}."))
                .with_help(help)
                .locate(source, overrides),
            Problem::Said(text) => {
                let (message, help) = match text.split_once('\n') {
                    Some((message, help)) => (message, Some(help.to_owned())),
                    None => (text.as_str(), None),
                };
                let mut said = error(message.to_owned());
                said.help = help;
                said.locate(source, overrides)
            }
        }
    }
}

/// What to say of a key that must be there and is not.
fn missing(key: &Key, name: &str) -> (String, String) {
    match key.steps() {
        [columns, column, role] if columns == "columns" && role == "role" => (
            format!("The column `{column}` has no role."),
            "Every column needs one: `identifier`, `quasi-identifier`, `sensitive`, `target` or \
             `other`. None is assumed, for a wrong guess could release a person."
                .to_owned(),
        ),
        [_] | [_, _] => (
            format!("The policy has no `{key}`."),
            match key.to_string().as_str() {
                "version" => "Add `version = 1` as the first line.",
                "input" | "input.path" => "Add `input = { path = \"patients.csv\" }`.",
                "output" | "output.path" => "Add `output = { path = \"release.csv\" }`.",
                "privacy" | "privacy.k" => {
                    "Add `k = 5`, or another number, in a section `[privacy]`: how many rows a class \
                     has at least."
                }
                _ => "Add it.",
            }
            .to_owned(),
        ),
        _ => (
            format!("`{key}` is not given."),
            format!("Add `{name} = ...` there."),
        ),
    }
}

/// How to name what was found, and what a type wants, in plain words.
fn unfit(found: Unexpected<'_>, expected: &dyn Expected) -> Fault {
    let wanted = match expected.to_string().as_str() {
        "u64" | "u32" | "usize" => "a whole number, 0 or more".to_owned(),
        "f64" => "a number".to_owned(),
        "a string" => "text in quotes".to_owned(),
        "a character" => "a single character in quotes".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a sequence" => "a list in brackets".to_owned(),
        "a map" => "a table".to_owned(),
        other => other.to_owned(),
    };
    let help = match found {
        Unexpected::Str(text) if text.parse::<f64>().is_ok() && wanted.contains("number") => {
            format!("Remove the quotes: {text}.")
        }
        Unexpected::Str(text) if wanted.starts_with("a list") => {
            format!("Put brackets around it: [\"{text}\"].")
        }
        Unexpected::Signed(_)
        | Unexpected::Unsigned(_)
        | Unexpected::Float(_)
        | Unexpected::Bool(_)
            if wanted.starts_with("text") =>
        {
            "Put quotes around it.".to_owned()
        }
        _ => format!("Give it {wanted}."),
    };
    let found = match found {
        Unexpected::Bool(value) => format!("`{value}`"),
        Unexpected::Unsigned(number) => format!("the number {number}"),
        Unexpected::Signed(number) => format!("the number {number}"),
        Unexpected::Float(number) => format!("the number {number}"),
        Unexpected::Str(text) => format!("the text \"{text}\""),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "a table".to_owned(),
        other => other.to_string(),
    };
    Fault::new(Problem::Unfit {
        found,
        expected: wanted,
        help,
    })
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.problem)
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Fault::new(Problem::Said(message.to_string()))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        unfit(found, expected)
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        unfit(found, expected)
    }

    fn unknown_variant(word: &str, known: &'static [&'static str]) -> Self {
        let word = word.to_owned();
        Fault::new(Problem::UnknownWord { word, known })
    }

    fn unknown_field(field: &str, known: &'static [&'static str]) -> Self {
        Fault::new(Problem::UnknownKey { known }).under(field.to_owned())
    }

    fn missing_field(field: &'static str) -> Self {
        Fault::new(Problem::MissingKey).under(field.to_owned())
    }
}

/// A TOML value that is read with [`Fault`] as its error.
struct Node(Value);

impl<'de> Deserializer<'de> for Node {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::String(text) => visitor.visit_string(text),
            Value::Integer(number) => visitor.visit_i64(number),
            Value::Float(number) => visitor.visit_f64(number),
            Value::Boolean(value) => visitor.visit_bool(value),
            Value::Datetime(date) => visitor.visit_string(date.to_string()),
            Value::Array(list) => visitor.visit_seq(Items(list.into_iter().enumerate())),
            Value::Table(table) => visitor.visit_map(Entries {
                rest: table.into_iter(),
                value: None,
            }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_some(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The entries of a list, which add their number to a fault's path.
struct Items(std::iter::Enumerate<std::vec::IntoIter<Value>>);

impl<'de> SeqAccess<'de> for Items {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        self.0
            .next()
            .map(|(index, value)| {
                seed.deserialize(Node(value))
                    .map_err(|fault| fault.under(index.to_string()))
            })
            .transpose()
    }
}

/// The entries of a table, which add their name to a fault's path.
struct Entries {
    rest: toml::map::IntoIter<String, Value>,
    value: Option<(String, Value)>,
}

impl<'de> MapAccess<'de> for Entries {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        let Some((name, value)) = self.rest.next() else {
            return Ok(None);
        };
        self.value = Some((name.clone(), value));
        let name: StringDeserializer<Fault> = name.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let Some((name, value)) = self.value.take() else {
            return Err(de::Error::custom("A value was read before its key."));
        };
        seed.deserialize(Node(value))
            .map_err(|fault| fault.under(name))
    }
}
