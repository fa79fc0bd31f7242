//! What goes with a release: the report, the manifest and the short view of both. They are made from the
//! rows as they were written and recounted, when the release is made or later, for whoever keeps them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use coarsen::counts::{Classes, Counts};
use coarsen::domain::Attribute;
use coarsen::explain::Explanation;
use coarsen::loss::{LOSSES, LossEntry};
use coarsen::policy::{HierarchySpec, Policy, ReportKind};
use coarsen::workload::Workload;
use coarsen_report::manifest::{FileProof, Files, InternalResults, Manifest, Parameters, Recount};
use coarsen_report::report::{Internal, Public, Searched, Terms};
use serde_json::{Map, Value as Json};

use super::places::{check_targets, inputs, same_file};
use super::saved_rows::ReleasedRows;
use crate::EngineError;
use crate::audit::Checked;
use crate::database::{Spooled, located};
use crate::engine::Engine;
use crate::fingerprint;
use crate::inline::self_contained;
use crate::table::Table;
use crate::write::{Staged, publish_together};

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

/// The input as it was counted, less its rows.
#[derive(Debug)]
pub(super) struct Counted {
    /// Its file; none of a table in memory.
    path: Option<PathBuf>,
    /// The parts of that, where it has several.
    parts: Vec<PathBuf>,
    /// Its rows as they came from a database.
    spooled: Option<Arc<Spooled>>,
    attributes: Vec<Attribute>,
    counts: Arc<Counts>,
    values: Vec<u64>,
}

impl Counted {
    /// Forgets the rows and keeps the figures.
    pub(super) fn of(table: Table) -> Self {
        Counted {
            path: table.source.file().map(Path::to_path_buf),
            parts: table.source.files().to_vec(),
            spooled: table.source.spool(),
            values: table.values_of_columns(),
            attributes: table.attributes,
            counts: table.counts,
        }
    }
}

/// All that a report and a manifest tell of.
#[derive(Debug)]
pub struct Evidence {
    pub(super) policy: Policy,
    pub(super) folder: PathBuf,
    pub(super) origin: Option<Origin>,
    /// The input.
    pub(super) counted: Counted,
    /// What the recoding makes of it.
    pub(super) classes: Classes,
    /// The release, read back.
    pub(super) released: Checked,
    /// Where the release lies now.
    pub(super) rows: ReleasedRows,
    /// The saved recoding's text.
    pub(super) saved: Option<String>,
    /// `partitions`, `regions` or `cells`.
    pub(super) recoding: String,
    pub(super) searched: Option<Searched>,
    pub(super) loss: Map<String, Json>,
    pub(super) explanation: Option<Explanation>,
    pub(super) requirements: Vec<String>,
    pub(super) unproven_rows: Option<u64>,
    pub(super) warnings: Vec<String>,
    pub(super) workload: Workload,
}

impl Evidence {
    /// The report, in HTML.
    ///
    /// # Errors
    /// A file of the release that cannot be read any more.
    pub fn report(&self, kind: ReportKind) -> Result<String, EngineError> {
        Ok(self.report_of(kind, &self.files()?))
    }

    /// The manifest, without a report.
    ///
    /// # Errors
    /// A file of the release that cannot be read any more.
    pub fn manifest(&self, kind: ReportKind) -> Result<Manifest, EngineError> {
        self.manifest_of(kind, self.files()?)
    }

    /// The verdict, the scoreboard and the charts of the internal report, for a place inside a page.
    pub fn view(&self) -> String {
        self.look(|report| report.to_view())
    }

    /// What was recounted from the released rows, for a place inside a page.
    pub fn audit_view(&self) -> String {
        self.released.view()
    }

    /// Writes the report and its manifest, both or neither.
    ///
    /// # Errors
    /// Places that cannot be written to, or that are read from.
    pub fn save(
        &self,
        engine: &Engine,
        kind: ReportKind,
        report: &Path,
        manifest: &Path,
    ) -> Result<(), EngineError> {
        let targets = [
            ("report", Some(report.to_path_buf())),
            ("manifest", Some(manifest.to_path_buf())),
        ];
        let mut read = self.inputs();
        read.extend(self.rows.file().map(Path::to_path_buf));
        check_targets(&targets, &read)?;
        let name = report.to_string_lossy();
        let report = Staged::new(report, engine.rooms())?;
        let manifest = Staged::new(manifest, engine.rooms())?;
        engine.install(|| self.write(kind, Some((&report, &name)), Some(&manifest)))?;
        engine.check_cancel()?;
        publish_together(&[&report, &manifest])
    }

    /// The files that the release was made from.
    pub(super) fn inputs(&self) -> Vec<PathBuf> {
        let input = self.counted.path.clone().unwrap_or_default();
        let mut read = inputs(&self.policy, &self.folder, &input, &self.counted.parts);
        read.retain(|path| !path.as_os_str().is_empty());
        read.extend(self.origin.as_ref().map(|origin| origin.path.clone()));
        read
    }

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
            let html = self.report_of(kind, &files);
            files.report = Some(fingerprint::of_text(&html, name));
            staged.write_text(&html)?;
        }
        if let Some(staged) = manifest {
            staged.write_text(&self.manifest_of(kind, files)?.to_json())?;
        }
        Ok(())
    }

    fn report_of(&self, kind: ReportKind, files: &Files) -> String {
        match kind {
            ReportKind::Internal => self.internal(files, |report| report.to_html()),
            ReportKind::Public => self.public(&files.output),
        }
    }

    fn files(&self) -> Result<Files, EngineError> {
        let policy = match &self.origin {
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
        let recoding = self.saved.as_ref().zip(named.recoding.as_ref());
        // A table in memory is no file, and has no fingerprint.
        let input = self.counted.path.as_deref();
        let input = input.map(|path| match &self.counted.spooled {
            Some(spooled) => fingerprint::of_file(spooled.path(), &self.input_name(path)),
            None => fingerprint::of_table(path, &self.input_name(path)),
        });
        Ok(Files {
            output: self.rows.proof()?,
            input: input.transpose()?,
            policy: Some(policy),
            hierarchies,
            recoding: recoding.map(|(text, name)| fingerprint::of_text(text, name)),
            report: None,
        })
    }

    /// What the input is called: as the policy names it, so that the same policy says the same in any
    /// folder; by its whole path where it came from elsewhere.
    fn input_name(&self, path: &Path) -> String {
        let named = &self.policy.input.path;
        match same_file(path, &located(&self.folder, named)) {
            true => named.clone(),
            false => path.to_string_lossy().into_owned(),
        }
    }

    /// The policy as it was used. A secret key's place is part of it, a secret never.
    fn effective(&self) -> Json {
        serde_json::to_value(&self.policy).expect("a policy is plain data")
    }

    /// Looks at what an internal report is made of, for whoever shows it otherwise. Fingerprints are not
    /// among it.
    pub fn look<T>(&self, look: impl FnOnce(&Internal<'_>) -> T) -> T {
        self.internal(&Files::default(), look)
    }

    fn internal<T>(&self, files: &Files, look: impl FnOnce(&Internal<'_>) -> T) -> T {
        let losses: Vec<(&'static LossEntry, f64)> = LOSSES
            .iter()
            .filter_map(|entry| {
                let shown = self.loss.get(&entry.name.replace('-', "_"))?;
                Some((entry, shown.as_f64()?))
            })
            .collect();
        look(&Internal {
            policy: &self.policy,
            attributes: &self.counted.attributes,
            counts: &self.counted.counts,
            classes: &self.classes,
            recoding: &self.recoding,
            workload: &self.workload,
            losses: &losses,
            searched: self.searched.as_ref(),
            explanation: self.explanation.as_ref(),
            requirements: &self.requirements,
            audit: &self.released.audit,
            values: &self.counted.values,
            released_attributes: &self.released.table.attributes,
            released: &self.released.table.counts,
            unproven_rows: self.unproven_rows,
            warnings: &self.warnings,
            files,
        })
    }

    fn public(&self, output: &FileProof) -> String {
        let released = &self.released.table;
        let names: Vec<String> = released.source.names().map(str::to_string).collect();
        let terms = Terms::of(
            &self.policy,
            &self.requirements,
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

    fn manifest_of(&self, kind: ReportKind, files: Files) -> Result<Manifest, EngineError> {
        let set = self.origin.as_ref().map(|origin| origin.set.clone());
        let parameters = Parameters {
            requirements: self.requirements.clone(),
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
            rows_in: self.counted.counts.total(),
            suppressed_rows: self.classes.suppressed_rows(),
            loss: self.loss.clone(),
        };
        // Trees stand in the recount itself, so that it needs no other file.
        let whole = self_contained(&self.policy, &self.folder)?;
        let mut recount = Recount::of(&whole, &self.released.quasi_identifiers);
        recount.format = self.rows.stated_format();
        let audit = &self.released.audit;
        Ok(Manifest::new(
            kind, files, parameters, recount, audit, internal,
        ))
    }
}

/// `report.html` has `manifest.json`, and `public.html` has `public-manifest.json`.
pub fn manifest_beside(report: &Path) -> PathBuf {
    match report.file_stem().and_then(|stem| stem.to_str()) {
        Some("report") | None => report.with_file_name("manifest.json"),
        Some(stem) => report.with_file_name(format!("{stem}-manifest.json")),
    }
}
