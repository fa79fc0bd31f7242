//! Everything around the columns and the requirements: input and output, search, apply, workload
//! and engine.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::quantities;
use super::words::words;

/// Where the rows come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as { path = \"patients.csv\" }"
)]
pub struct Input {
    /// The file, relative to the policy's folder; or a folder of parts, or a pattern such as `part-*.csv`.
    pub path: String,
    /// What to ask a database for, where the path is the URL of one without a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Its format; by its ending where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// What separates the cells of a CSV file; found where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// Whether a CSV file's first line names the columns.
    #[serde(default = "yes")]
    pub header: bool,
    /// The cells that stand for a missing value.
    #[serde(default = "default_missing")]
    pub missing: Vec<String>,
    /// What to do with missing values. Its key is `missing_values`.
    #[serde(rename = "missing_values", default = "default_missing_rule")]
    pub missing_rule: MissingRule,
    /// Which rows may be released at all, such as `consent = 'yes'`; every one where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eligible: Option<String>,
}

fn yes() -> bool {
    true
}

fn default_missing() -> Vec<String> {
    ["", "?", "NA"].map(str::to_owned).to_vec()
}

fn default_missing_rule() -> MissingRule {
    MissingRule::Category
}

impl Default for Input {
    /// No path, which a policy must give.
    fn default() -> Self {
        Input {
            path: String::new(),
            query: None,
            format: None,
            delimiter: None,
            header: yes(),
            missing: default_missing(),
            missing_rule: default_missing_rule(),
            eligible: None,
        }
    }
}

words! {
    /// The format of a file.
    Format {
        Csv "csv" "Cells between delimiters, a line a row.",
        Parquet "parquet" "Apache Parquet.",
        Jsonl "jsonl" "JSON lines: an object a row.",
        Arrow "arrow" "An Arrow IPC file.",
        Arff "arff" "Weka's ARFF; releases are written to it, tables are not read from it.",
    }
}

words! {
    /// What to do with missing values.
    MissingRule {
        Category "category" "They are a value of their own, directly under the hierarchy's root.",
        Refuse "refuse" "A missing value is an error.",
        Drop "drop" "The row is left out before anything else.",
    }
}

/// Where the release goes, and what goes with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as { path = \"release.csv\" }"
)]
pub struct Output {
    /// The file, relative to the policy's folder; the folder where it is written in parts.
    pub path: String,
    /// Where to save the recoding, for `coarsen apply`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recoding: Option<String>,
    /// Where to write the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
    /// For whom the report, and the manifest beside it, are written.
    #[serde(default = "default_report_kind", skip_serializing_if = "is_default")]
    pub report_kind: ReportKind,
    /// Where to write the manifest; `manifest.json` beside the report where absent, and nowhere
    /// without a report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest: Option<String>,
    /// The format of the release; by its ending where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// In which order the rows are written.
    #[serde(default = "default_order")]
    pub order: Order,
    /// Into how many files; one where absent. With it, the path is that of a folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<OutputParts>,
}

/// How a release is cut into several files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum OutputParts {
    /// So many files, with the same number of rows but for the last.
    Files(u64),
    /// As many files as it takes, with so many rows each but for the last.
    Rows(PartRows),
}

/// How many rows a file of several has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartRows {
    /// The rows.
    pub rows: u64,
}

impl<'de> Deserialize<'de> for OutputParts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Parts;

        impl<'de> Visitor<'de> for Parts {
            type Value = OutputParts;

            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("a number of files such as 8, or a table such as { rows = 1000000 }")
            }

            fn visit_u64<E: Error>(self, files: u64) -> Result<OutputParts, E> {
                Ok(OutputParts::Files(files))
            }

            fn visit_i64<E: Error>(self, files: i64) -> Result<OutputParts, E> {
                // What is below zero is refused like zero, with advice.
                Ok(OutputParts::Files(files.max(0) as u64))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<OutputParts, A::Error> {
                PartRows::deserialize(MapAccessDeserializer::new(map)).map(OutputParts::Rows)
            }
        }

        from.deserialize_any(Parts)
    }
}

impl OutputParts {
    /// The rows of every file but the last, of a release with so many.
    pub fn rows_of_part(self, rows: u64) -> u64 {
        match self {
            OutputParts::Files(files) => rows.div_ceil(files.max(1)).max(1),
            OutputParts::Rows(part) => part.rows.max(1),
        }
    }
}

fn default_order() -> Order {
    Order::Sorted
}

fn default_report_kind() -> ReportKind {
    ReportKind::Internal
}

fn is_default(kind: &ReportKind) -> bool {
    *kind == default_report_kind()
}

impl Output {
    /// Where the manifest goes: where the policy says, or `manifest.json` beside the report.
    pub fn manifest_path(&self) -> Option<String> {
        let beside = |report: &String| {
            let folder = report.rfind(['/', '\\']).map_or("", |end| &report[..=end]);
            format!("{folder}manifest.json")
        };
        self.manifest.clone().or(self.report.as_ref().map(beside))
    }
}

impl Default for Output {
    /// No path, which a policy must give.
    fn default() -> Self {
        Output {
            path: String::new(),
            recoding: None,
            report: None,
            report_kind: default_report_kind(),
            manifest: None,
            format: None,
            order: default_order(),
            parts: None,
        }
    }
}

words! {
    /// For whom a report is written.
    ReportKind {
        Internal "internal" "For those who may see the input: figures before and after, and why.",
        Public "public" "For anybody: only what the release and the policy's thresholds tell themselves.",
    }
}

words! {
    /// In which order the rows of the release are written.
    Order {
        Sorted "sorted" "By what is released, so that the order tells nothing.",
        Keep "keep" "As in the input, which can identify rows.",
    }
}

/// How to look for the recoding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, expecting = "a table such as { algorithm = \"auto\" }")]
pub struct Search {
    /// The algorithm's name, or `auto`.
    pub algorithm: String,
    /// The loss to minimize.
    pub loss: String,
    /// How long to search; as long as it takes where absent.
    #[serde(with = "quantities::duration", skip_serializing_if = "Option::is_none")]
    pub budget: Option<Duration>,
    /// The seed of everything that is drawn at random.
    pub seed: u64,
    /// How many threads to use; all cores where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// The share of the rows that is searched; what is found is applied to all of them. All rows where
    /// absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<f64>,
    /// How the sample is drawn.
    #[serde(skip_serializing_if = "Sampling::is_usual")]
    pub sampling: Sampling,
    /// Every other key: an algorithm's own table under its name, such as
    /// `genetic = { population = 500 }`. The names are checked against the table of algorithms.
    #[serde(flatten, deserialize_with = "only_tables")]
    pub settings: BTreeMap<String, toml::Value>,
}

impl Search {
    /// The keys that are not an algorithm's name.
    pub const KEYS: &'static [&'static str] = &[
        "algorithm",
        "loss",
        "budget",
        "seed",
        "threads",
        "sample",
        "sampling",
    ];
}

impl Default for Search {
    /// The algorithm that suits the problem, LM, no time limit, seed 1, all cores.
    fn default() -> Self {
        Search {
            algorithm: "auto".to_owned(),
            loss: "lm".to_owned(),
            budget: None,
            seed: 1,
            threads: None,
            sample: None,
            sampling: Sampling::Random,
            settings: BTreeMap::new(),
        }
    }
}

words! {
    /// How a sample of the rows is drawn.
    Sampling {
        Random "random" "Any rows, all equally likely.",
        Stratified "stratified" "Every n-th row in the order of the quasi-identifiers, so that each part of the domain has its share.",
    }
}

impl Sampling {
    fn is_usual(&self) -> bool {
        *self == Sampling::Random
    }
}

/// Reads the other keys of `[search]`. Under a name that is not known here a table may be an
/// algorithm's own, but anything else is a slip of the pen.
fn only_tables<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<BTreeMap<String, toml::Value>, D::Error> {
    let settings = BTreeMap::<String, toml::Value>::deserialize(from)?;
    match settings.iter().find(|(_, value)| !value.is_table()) {
        Some((name, _)) => Err(D::Error::unknown_field(name, Search::KEYS)),
        None => Ok(settings),
    }
}

/// What to do with new rows when a saved recoding is applied to them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    default,
    expecting = "a table such as { unseen = \"error\" }"
)]
pub struct Apply {
    /// What to do with a value that the recoding does not know.
    pub unseen: Unseen,
    /// What to do with classes that do not meet the requirements.
    pub shortfall: Shortfall,
}

impl Default for Apply {
    /// An unseen value is an error; classes that fall short are suppressed.
    fn default() -> Self {
        Apply {
            unseen: Unseen::Error,
            shortfall: Shortfall::Suppress,
        }
    }
}

words! {
    /// What to do with a value that a saved recoding does not know.
    Unseen {
        Error "error" "Stop; nothing is written.",
        Suppress "suppress" "Suppress the row.",
        Root "root" "Release the value as *, the root of its hierarchy.",
    }
}

words! {
    /// What to do with classes of new rows that do not meet the requirements.
    Shortfall {
        Suppress "suppress" "Suppress their rows.",
        Fail "fail" "Stop; nothing is written.",
    }
}

/// The work that the release is meant for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    default,
    expecting = "a table such as { targets = [{ column = \"salary\" }] }"
)]
pub struct Workload {
    /// The columns that models will predict.
    pub targets: Vec<Target>,
    /// The selections that queries will make, such as `age > 40 and sex = 'Male'`.
    pub selections: Vec<String>,
}

/// A column that models will predict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as { column = \"salary\", weight = 1.0 }"
)]
pub struct Target {
    /// The column, whose role is target.
    pub column: String,
    /// How much it counts beside the other targets.
    #[serde(default = "one")]
    pub weight: f64,
    /// What it costs to take a row of one label for another, for the classification metric: under the
    /// row's own label, the label it is taken for. 1 for any two that are not given.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub costs: BTreeMap<String, BTreeMap<String, f64>>,
}

fn one() -> f64 {
    1.0
}

impl Default for Target {
    /// No column, which a policy must give; weight 1.
    fn default() -> Self {
        Target {
            column: String::new(),
            weight: one(),
            costs: BTreeMap::new(),
        }
    }
}

/// What the engine may use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    default,
    expecting = "a table such as { memory = \"2GB\" }"
)]
pub struct Engine {
    /// How many bytes of memory it may fill before it spills; without a limit where absent.
    #[serde(with = "quantities::bytes", skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Whether the search passes over the table again and again rather than hold its distinct
    /// combinations; where absent, as soon as they would not fit in `memory`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passes: Option<bool>,
    /// The cluster to run on; inside this process where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}
