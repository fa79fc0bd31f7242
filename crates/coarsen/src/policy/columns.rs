//! What the policy says about one column: its role, its type, how it may be coarsened, and how its
//! released values are written.

use serde::{Deserialize, Serialize};

use super::hierarchy::HierarchySpec;
use super::words::words;

/// One column of the input, as the policy describes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as { role = \"quasi-identifier\" }"
)]
pub struct Column {
    /// What the column is to the release. There is no default in a policy: a column whose role
    /// nobody chose is an error.
    pub role: Role,
    /// The type of its values; found from the data where absent.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// How dates are written, in chrono's notation (`%m/%d/%Y`); `%Y-%m-%d` where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Which partitions of its domain are legal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheme: Option<Scheme>,
    /// How to build the tree over its domain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hierarchy: Option<HierarchySpec>,
    /// How much its loss counts beside the other columns' (1 where absent).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// What becomes of an identifier ([`Treatment::Drop`] where absent).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub treatment: Option<Treatment>,
    /// Where the secret of a keyed hash is; the secret itself is never in a policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<KeySource>,
    /// How a block of numbers or dates is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub represent: Option<Represent>,
    /// The values of an ordinal text column, in their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<String>>,
    /// How far apart two sensitive values are, for t-closeness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<Distance>,
}

impl Default for Column {
    /// An identifier, hence dropped: what one forgets to describe is not released.
    fn default() -> Self {
        Column {
            role: Role::Identifier,
            kind: None,
            format: None,
            scheme: None,
            hierarchy: None,
            weight: None,
            treatment: None,
            key: None,
            represent: None,
            order: None,
            distance: None,
        }
    }
}

words! {
    /// What a column is to the release.
    Role {
        Identifier "identifier" "Names a person by itself; it is dropped or replaced, never released.",
        QuasiIdentifier "quasi-identifier" "Helps to recognize a person together with others; it is coarsened.",
        Sensitive "sensitive" "What nobody may learn about a person; it is released, and requirements may guard it.",
        Target "target" "What the release should still let one predict; it is released as it is.",
        Other "other" "Neither identifying nor guarded; it is released as it is.",
    }
}

words! {
    /// The type of a column's values.
    Kind {
        Integer "integer" "Whole numbers.",
        Decimal "decimal" "Numbers with a fraction.",
        Date "date" "Days of the calendar, written as `format` says.",
        Text "text" "Words, without an order unless `order` gives one.",
        Boolean "boolean" "True or false.",
    }
}

words! {
    /// Which partitions of a column's domain are legal: the six schemes of seed 004.
    Scheme {
        Level "level" "All values at one level of the hierarchy (BHS).",
        Cut "cut" "A cut through the hierarchy, deeper here and shallower there (GHS).",
        Ordered "ordered" "Any runs of neighbouring values in their order (OPS).",
        Set "set" "Any sets of values (SPS).",
        GuidedOrdered "guided-ordered" "Runs of values; one that mixes two groups of the hierarchy holds all of both (GOPS).",
        GuidedSet "guided-set" "Sets of values; one that mixes two groups of the hierarchy holds all of both (GSPS).",
    }
}

words! {
    /// How a block of numbers or dates is written in the release.
    Represent {
        Range "range" "Its least and greatest value, as in 20..39.",
        Bounds "bounds" "Two columns, one with the least value and one with the greatest.",
        Midpoint "midpoint" "The value halfway between its ends.",
        Median "median" "The median of the rows that it holds.",
        Mean "mean" "The mean of the rows that it holds.",
    }
}

words! {
    /// What becomes of an identifier.
    Treatment {
        Drop "drop" "The column is left out.",
        Token "token" "Each value becomes a token drawn at random, the same for the same value.",
        KeyedHash "keyed-hash" "Each value becomes a hash under a secret key, the same in every delivery.",
    }
}

words! {
    /// How far apart two values of a sensitive column are, for t-closeness.
    Distance {
        Unordered "unordered" "Any two different values are equally far apart.",
        Ordered "ordered" "As many steps as lie between them in their order.",
        Hierarchical "hierarchical" "As high as their lowest common ancestor in the hierarchy.",
    }
}

/// Where the secret key of a keyed hash is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawKeySource", into = "RawKeySource")]
pub enum KeySource {
    /// The bytes of a file.
    File {
        /// The file, relative to the policy's folder.
        path: String,
    },
    /// An environment variable.
    Env {
        /// Its name.
        name: String,
    },
}

/// [`KeySource`] as it is written: one of two keys.
#[derive(Clone, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as { file = \"secret.key\" } or { env = \"COARSEN_KEY\" }"
)]
struct RawKeySource {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    env: Option<String>,
}

impl TryFrom<RawKeySource> for KeySource {
    type Error = &'static str;

    fn try_from(raw: RawKeySource) -> Result<Self, Self::Error> {
        match (raw.file, raw.env) {
            (Some(path), None) => Ok(KeySource::File { path }),
            (None, Some(name)) => Ok(KeySource::Env { name }),
            (None, None) => Err("The key's place is not given.\n\
                 Write { file = \"secret.key\" } or { env = \"COARSEN_KEY\" }."),
            (Some(_), Some(_)) => Err("The key's place is given twice, as `file` and as `env`.\n\
                 Keep one of the two."),
        }
    }
}

impl From<KeySource> for RawKeySource {
    fn from(source: KeySource) -> Self {
        match source {
            KeySource::File { path } => RawKeySource {
                file: Some(path),
                env: None,
            },
            KeySource::Env { name } => RawKeySource {
                file: None,
                env: Some(name),
            },
        }
    }
}
