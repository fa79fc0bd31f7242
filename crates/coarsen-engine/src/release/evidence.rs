//! What goes with a release: the report and the manifest. Both are made from the file as it was written
//! and recounted.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use coarsen::counts::Classes;
use coarsen::explain::Explanation;
use coarsen::loss::{LOSSES, LossEntry};
use coarsen::policy::{HierarchySpec, Policy, ReportKind};
use coarsen::workload::Workload;
use coarsen_report::manifest::{FileProof, Files, InternalResults, Manifest, Parameters, Recount};
use coarsen_report::report::{Internal, Public, Searched, Terms};
use serde_json::{Map, Value as Json};

use crate::EngineError;
use crate::audit::Checked;
use crate::fingerprint;
use crate::inline::self_contained;
use crate::table::Table;
use crate::write::Staged;

/// Where a policy came from.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// Its file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// What was set over it.
    pub set: Vec<(String, String)>,
}

/// All that a report and a manifest tell of.
pub(super) struct Evidence<'a> {
    pub(super) policy: &'a Policy,
    pub(super) folder: &'a Path,
    pub(super) origin: Option<&'a Origin>,
    /// The input, counted.
    pub(super) table: &'a Table,
    /// What the recoding makes of it.
    pub(super) classes: &'a Classes,
    /// The release, read back.
    pub(super) released: &'a Checked,
    /// Where the release lies now, which need not be its place.
    pub(super) output: &'a Path,
    /// The saved recoding's text.
    pub(super) saved: Option<&'a str>,
    /// `partitions`, `regions` or `cells`.
    pub(super) recoding: &'a str,
    pub(super) searched: Option<Searched>,
    pub(super) loss: &'a Map<String, Json>,
    pub(super) explanation: Option<&'a Explanation>,
    pub(super) requirements: &'a [String],
    pub(super) unproven_rows: Option<u64>,
    pub(super) warnings: &'a [String],
    pub(super) workload: &'a Workload,
}

impl Evidence<'_> {
    /// Writes what is asked for to where it waits. `name` is what the manifest calls the report.
    pub(super) fn write(
        &self,
        kind: ReportKind,
        report: Option<(&Staged, &str)>,
        manifest: Option<&Staged>,
    ) -> Result<(), EngineError> {
        if report.is_none() && manifest.is_none() {
            return Ok(());
        }
        let mut files = self.files()?;
        if let Some((staged, name)) = report {
            let html = match kind {
                ReportKind::Internal => self.internal(&files),
                ReportKind::Public => self.public(&files.output),
            };
            files.report = Some(fingerprint::of_text(&html, name));
            staged.write_text(&html)?;
        }
        if let Some(staged) = manifest {
            staged.write_text(&self.manifest(kind, files)?.to_json())?;
        }
        Ok(())
    }

    fn files(&self) -> Result<Files, EngineError> {
        let policy = match self.origin {
            Some(origin) => fingerprint::of_text(&origin.text, &origin.path.to_string_lossy()),
            None => fingerprint::of_text(&self.effective().to_string(), "policy as used"),
        };
        let specs = self.policy.columns.values();
        let trees = specs.filter_map(|column| match &column.hierarchy {
            Some(HierarchySpec::File { path }) => Some(path),
            _ => None,
        });
        let trees: BTreeSet<&String> = trees.collect();
        let hierarchies = trees
            .into_iter()
            .map(|path| fingerprint::of_file(&self.folder.join(path), path))
            .collect::<Result<Vec<_>, _>>()?;
        let named = &self.policy.output;
        let recoding = self.saved.zip(named.recoding.as_ref());
        Ok(Files {
            output: fingerprint::of_table(self.output, &named.path)?,
            input: Some(fingerprint::of_source(
                &self.table.source,
                &self.policy.input.path,
            )?),
            policy: Some(policy),
            hierarchies,
            recoding: recoding.map(|(text, name)| fingerprint::of_text(text, name)),
            report: None,
        })
    }

    /// The policy as it was used. A secret key's place is part of it, a secret never.
    fn effective(&self) -> Json {
        serde_json::to_value(self.policy).expect("a policy is plain data")
    }

    fn internal(&self, files: &Files) -> String {
        let losses: Vec<(&'static LossEntry, f64)> = LOSSES
            .iter()
            .filter_map(|entry| {
                let shown = self.loss.get(&entry.name.replace('-', "_"))?;
                Some((entry, shown.as_f64()?))
            })
            .collect();
        let report = Internal {
            policy: self.policy,
            attributes: &self.table.attributes,
            counts: &self.table.counts,
            classes: self.classes,
            recoding: self.recoding,
            workload: self.workload,
            losses: &losses,
            searched: self.searched.as_ref(),
            explanation: self.explanation,
            requirements: self.requirements,
            audit: &self.released.audit,
            values: &self.table.values_of_columns(),
            released_attributes: &self.released.table.attributes,
            released: &self.released.table.counts,
            unproven_rows: self.unproven_rows,
            warnings: self.warnings,
            files,
        };
        report.to_html()
    }

    fn public(&self, output: &FileProof) -> String {
        let released = &self.released.table;
        let names: Vec<String> = released.source.names().map(str::to_string).collect();
        let terms = Terms::of(
            self.policy,
            self.requirements,
            &names,
            &self.released.quasi_identifiers,
        );
        let report = Public {
            terms: &terms,
            attributes: &released.attributes,
            counts: &released.counts,
            audit: &self.released.audit,
            output,
        };
        report.to_html()
    }

    fn manifest(&self, kind: ReportKind, files: Files) -> Result<Manifest, EngineError> {
        let set = self.origin.map(|origin| origin.set.clone());
        let parameters = Parameters {
            requirements: self.requirements.to_vec(),
            seed: Some(self.policy.search.seed),
            set: set.unwrap_or_default(),
            policy: Some(self.effective()),
        };
        let searched = self.searched.clone().unwrap_or(Searched {
            algorithm: "unknown".into(),
            stop: "unknown".into(),
            bound: None,
        });
        let internal = InternalResults {
            algorithm: searched.algorithm,
            stop: searched.stop,
            bound: searched.bound,
            rows_in: self.table.counts.total(),
            suppressed_rows: self.classes.suppressed_rows(),
            loss: self.loss.clone(),
        };
        // Trees stand in the recount itself, so that it needs no other file.
        let whole = self_contained(self.policy, self.folder)?;
        let recount = Recount::of(&whole, &self.released.quasi_identifiers);
        let audit = &self.released.audit;
        Ok(Manifest::new(
            kind, files, parameters, recount, audit, internal,
        ))
    }
}
