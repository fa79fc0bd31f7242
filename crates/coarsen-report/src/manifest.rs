//! The manifest: what a release was made from and with, what came of it, and how to recount it. The same
//! input, policy and seed give the same bytes, so it holds no time and no path of a machine.
//!
//! A public manifest names nothing that the release and the policy's thresholds do not tell: neither the
//! input nor the recoding by their fingerprints (a small input could be guessed and confirmed), nor what
//! was suppressed, nor the algorithm (who knows how a release was minimized can undo some of it).

use std::collections::BTreeMap;

use coarsen::audit::Audit;
use coarsen::policy::{Column, Format, Policy, Privacy, ReportKind, Role};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// The version of the format that this library writes and reads.
pub const VERSION: u32 = 1;
const FORMAT: &str = "coarsen-manifest";

/// A file and its fingerprint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileProof {
    /// Its name, without folders: those are of one machine.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal. Of a table in parts, that of the list of its parts as `sha256sum`
    /// prints it: a line each of the part's own SHA-256, two blanks and its name.
    pub sha256: String,
    /// The parts, in the order of their names; none of a single file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<FileProof>,
}

/// The files of a release.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Files {
    /// The release.
    pub output: FileProof,
    /// What it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<FileProof>,
    /// The policy's text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<FileProof>,
    /// The hierarchy files, in the order of their paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hierarchies: Vec<FileProof>,
    /// The saved recoding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recoding: Option<FileProof>,
    /// The report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<FileProof>,
}

/// What the release was made with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// The requirements, in words.
    pub requirements: Vec<String>,
    /// Where randomness started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// What the command line set over the policy's text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<(String, String)>,
    /// The whole policy as it was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<Json>,
}

/// How to recount the release without the policy's file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recount {
    /// The quasi-identifiers, as the release names them.
    pub quasi_identifiers: Vec<String>,
    /// The sensitive columns.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sensitive: BTreeMap<String, Column>,
    /// The format of the file, where its name does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// The cells that stand for a missing value.
    pub missing: Vec<String>,
    /// The thresholds.
    pub privacy: Privacy,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    /// Whether every requirement holds.
    pub holds: bool,
    /// Rows of the release.
    pub rows: u64,
    /// Its classes.
    pub classes: u64,
    /// The rows of the smallest.
    pub smallest_class: u64,
    /// Rows that no other is like.
    pub uniques: u64,
    /// The share of rows above the risk threshold.
    pub at_risk: f64,
    /// The worst figures of each sensitive column.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sensitive: Vec<SensitiveResult>,
    /// What only those know who may see the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub internal: Option<InternalResults>,
}

/// The worst figures of one sensitive column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SensitiveResult {
    /// The column.
    pub column: String,
    /// The fewest distinct values of a class.
    pub distinct_l: u64,
    /// The least effective l of a class.
    pub entropy_l: f64,
    /// The greatest distance of a class from the whole; none where it cannot be recounted from the
    /// release alone, because a tree or an order that the manifest does not tell is part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub t: Option<f64>,
}

/// Results that tell of the input.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InternalResults {
    /// The algorithm that did the work.
    pub algorithm: String,
    /// Why it stopped.
    pub stop: String,
    /// A proven bound, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// Rows of the input that took part.
    pub rows_in: u64,
    /// Rows that were suppressed.
    pub suppressed_rows: u64,
    /// Every loss, as it is shown; null where one does not apply.
    pub loss: Map<String, Json>,
}

/// A manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    format: String,
    version: u32,
    /// What wrote it.
    pub tool: String,
    /// For whom it is.
    pub kind: ReportKind,
    /// The files.
    pub files: Files,
    /// What the release was made with.
    pub parameters: Parameters,
    /// How to recount it.
    pub recount: Recount,
    /// What came of it.
    pub results: Results,
}

/// A file that is no manifest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not a manifest: {0}")]
pub struct NotAManifest(String);

impl Manifest {
    /// The manifest of a release: everything for those who may see the input, less for others.
    pub fn new(
        kind: ReportKind,
        mut files: Files,
        parameters: Parameters,
        recount: Recount,
        audit: &Audit,
        internal: InternalResults,
    ) -> Self {
        let mut manifest = Manifest {
            format: FORMAT.into(),
            version: VERSION,
            tool: tool(),
            kind,
            files: Files::default(),
            parameters,
            recount,
            results: Results {
                internal: Some(internal),
                ..Results::of(audit)
            },
        };
        if kind == ReportKind::Public {
            files = Files {
                output: files.output,
                report: files.report,
                ..Files::default()
            };
            manifest.results.internal = None;
            manifest.parameters = Parameters {
                requirements: manifest.parameters.requirements,
                ..Parameters::default()
            };
            manifest.recount.strip(&mut manifest.results);
        }
        manifest.files = files;
        manifest
    }

    /// The JSON text.
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("a manifest is plain data");
        text + "\n"
    }

    /// Reads a manifest back.
    ///
    /// # Errors
    /// What is not of this shape or version.
    pub fn from_json(text: &str) -> Result<Self, NotAManifest> {
        let value: Json =
            serde_json::from_str(text).map_err(|error| NotAManifest(error.to_string()))?;
        if value.get("format").and_then(Json::as_str) != Some(FORMAT) {
            return Err(NotAManifest(format!("it has no \"format\": \"{FORMAT}\"")));
        }
        let version = value.get("version").and_then(Json::as_u64);
        if version != Some(u64::from(VERSION)) {
            return Err(NotAManifest(format!(
                "its version is {}, and this coarsen reads version {VERSION}",
                version.map_or("unknown".into(), |version| version.to_string())
            )));
        }
        serde_json::from_value(value).map_err(|error| NotAManifest(error.to_string()))
    }

    /// The policy by which the release is audited again.
    pub fn audit_policy(&self) -> Policy {
        let mut policy = Policy {
            columns: self.recount.sensitive.clone(),
            privacy: self.recount.privacy.clone(),
            ..Policy::default()
        };
        policy.input.missing = self.recount.missing.clone();
        policy
    }

    /// What a recount finds other than the manifest says; nothing where it is the release described.
    pub fn differences(&self, audit: &Audit) -> Vec<String> {
        let (told, found) = (&self.results, Results::of(audit));
        let mut differences = Vec::new();
        let mut count = |what: &str, told: u64, found: u64| {
            if told != found {
                differences.push(format!(
                    "{what}: the manifest says {told}, the file has {found}"
                ));
            }
        };
        count("rows", told.rows, found.rows);
        count("classes", told.classes, found.classes);
        count("smallest class", told.smallest_class, found.smallest_class);
        count("unique rows", told.uniques, found.uniques);
        for (told, found) in told.sensitive.iter().zip(&found.sensitive) {
            let what = format!("distinct values of `{}`", told.column);
            count(&what, told.distinct_l, found.distinct_l);
        }
        let mut figure = |what: String, told: f64, found: f64| {
            if (told - found).abs() > 1e-9 * told.abs().max(1.0) {
                differences.push(format!(
                    "{what}: the manifest says {told}, the file has {found}"
                ));
            }
        };
        figure("share of rows at risk".into(), told.at_risk, found.at_risk);
        for (told, found) in told.sensitive.iter().zip(&found.sensitive) {
            figure(
                format!("effective values of `{}`", told.column),
                told.entropy_l,
                found.entropy_l,
            );
            if let (Some(told_t), Some(found_t)) = (told.t, found.t) {
                figure(format!("distance of `{}`", told.column), told_t, found_t);
            }
        }
        if told.holds != found.holds {
            let word = |holds: bool| if holds { "hold" } else { "do not hold" };
            differences.push(format!(
                "the requirements {} by the manifest, and {} in the file",
                word(told.holds),
                word(found.holds)
            ));
        }
        differences
    }
}

impl Recount {
    /// How a release under a policy is recounted; `names` are its released quasi-identifiers.
    pub fn of(policy: &Policy, names: &[String]) -> Self {
        let sensitive = policy.columns_with(Role::Sensitive);
        Recount {
            quasi_identifiers: names.to_vec(),
            sensitive: sensitive
                .map(|(name, column)| (name.to_string(), column.clone()))
                .collect(),
            format: policy.output.format,
            missing: policy.input.missing.clone(),
            privacy: policy.privacy.clone(),
        }
    }

    /// The columns that are counted.
    pub fn columns(&self) -> Vec<String> {
        let sensitive = self.sensitive.keys();
        self.quasi_identifiers
            .iter()
            .chain(sensitive)
            .cloned()
            .collect()
    }

    /// Leaves out trees and orders, which may name values that are not in the release, and with them
    /// what cannot be recounted without.
    fn strip(&mut self, results: &mut Results) {
        for (name, column) in &mut self.sensitive {
            if column.hierarchy.take().is_some() | column.order.take().is_some() {
                column.distance = None;
                self.privacy.closeness.retain(|each| each.column != *name);
                for result in results.sensitive.iter_mut() {
                    if result.column == *name {
                        result.t = None;
                    }
                }
            }
        }
    }
}

impl Results {
    fn of(audit: &Audit) -> Self {
        let of = |column: &coarsen::audit::Variety| SensitiveResult {
            column: column.column.clone(),
            distinct_l: column.distinct_l,
            entropy_l: column.entropy_l,
            t: Some(column.t),
        };
        Results {
            holds: audit.holds,
            rows: audit.rows,
            classes: audit.classes,
            smallest_class: audit.k,
            uniques: audit.risk.uniques,
            at_risk: audit.risk.at_risk,
            sensitive: audit.sensitive.iter().map(of).collect(),
            internal: None,
        }
    }
}

/// This program and its version.
pub fn tool() -> String {
    concat!("coarsen ", env!("CARGO_PKG_VERSION")).to_string()
}
