//! The last part of the path: recode and write, audit what was written, publish it. Or recode in memory,
//! audit what is about to be handed over, and hand it over.

use std::path::{Path, PathBuf};
use std::time::Instant;

use coarsen::audit::Exposure;
use coarsen::counts::Classes;
use coarsen::explain::Explanation;
use coarsen::policy::{Format, Order, Policy, Role, SuppressionMode};
use coarsen::recoding::{SavedRecoding, UnseenColumn};
use coarsen::search::{SampleReport, Step, Stop};
use coarsen::workload::Workload;
use coarsen_report::figures::column_releases;
use coarsen_report::report::Searched;
use serde_json::{Map, Value as Json};

use super::evidence::{Counted, Evidence, Origin};
use super::fresh::Fresh;
use super::places::{Outlet, Places, Sink};
use super::saved_rows::ReleasedRows;
use super::{Listener, Release, Seconds, Stage, timed};
use crate::EngineError;
use crate::arff::put_into_arff;
use crate::audit::{CheckRequest, check_source};
use crate::database::LoadedTable;
use crate::engine::Engine;
use crate::identifiers::Secrets;
use crate::recode::{ByRegion, InMemory, Names, released_rows};
use crate::source::{Batches, Medium, Source, SourceSettings};
use crate::table::Table;
use crate::write::{Cut, Layout, Staged, publish_together, publish_with, write_parts, write_rows};

/// What is known of a release before it is written.
pub(super) struct Described {
    pub(super) algorithm: String,
    pub(super) stop: Stop,
    pub(super) bound: Option<f64>,
    pub(super) loss: Map<String, Json>,
    pub(super) trace: Vec<Step>,
    pub(super) explanation: Option<Explanation>,
    pub(super) unproven_rows: Option<u64>,
    pub(super) sample: Option<SampleReport>,
    pub(super) fresh: Option<Fresh>,
    pub(super) unseen: Vec<UnseenColumn>,
    pub(super) requirements: Vec<String>,
    pub(super) recoding: &'static str,
    pub(super) workload: Workload,
}

/// The last part of the path: write, audit, publish.
pub(super) struct Finish<'a> {
    pub(super) engine: &'a Engine,
    pub(super) policy: &'a Policy,
    pub(super) folder: &'a Path,
    pub(super) origin: Option<&'a Origin>,
    pub(super) secrets: Secrets,
    pub(super) listener: Listener<'a>,
    pub(super) start: Instant,
    pub(super) seconds: Seconds,
}

/// A release that is done.
pub(super) struct Finished {
    pub(super) release: Release,
    /// The rows, where they stay in memory.
    pub(super) rows: Option<Batches>,
    pub(super) evidence: Evidence,
}

/// Released rows where they wait for their audit.
enum Waiting {
    /// In a file; in another first, where its format cannot be read back.
    File(Box<Places>, Apart),
    Memory(Batches),
}

impl Waiting {
    fn rows(&self, policy: &Policy) -> ReleasedRows {
        match self {
            Waiting::File(_, Apart::Table(table)) => ReleasedRows::Table {
                back: table.back(),
                name: policy.output.path.clone(),
            },
            Waiting::Memory(rows) => ReleasedRows::Memory {
                rows: rows.clone(),
                saved: None,
            },
            Waiting::File(places, _) => ReleasedRows::File {
                path: places.output.path().to_path_buf(),
                name: policy.output.path.clone(),
                format: policy.output.format,
            },
        }
    }
}

/// What is audited in the place of the file that was written.
enum Apart {
    Nothing,
    /// A file that the release is made of when it is proven.
    Csv {
        path: PathBuf,
        delimiter: u8,
    },
    /// The table as the database gives it back.
    Table(LoadedTable),
}

impl Finish<'_> {
    /// Writes, audits and publishes. Gives the rows too where they stay in memory.
    pub(super) fn write(
        mut self,
        mut table: Table,
        classes: Classes,
        sink: Sink,
        saved: Option<&SavedRecoding>,
        by_region: Option<&ByRegion>,
        described: Described,
    ) -> Result<Finished, EngineError> {
        let Finish {
            engine,
            policy,
            folder,
            origin,
            listener,
            ..
        } = self;
        listener(Stage::Writing);
        let mut seconds = self.seconds;
        let (waiting, source, names) = timed(&mut seconds.write, || match sink {
            Sink::Files(places) => self.write_file(&table, &classes, *places, by_region),
            Sink::Memory => self.recode_in_memory(&table, &classes, by_region),
        })?;
        self.seconds = seconds;
        // The audit counts anew, and needs the memory for it.
        table.forget_entries();

        listener(Stage::Auditing);
        let suppressed_rows = classes.suppressed_rows();
        let rows_out = rows_out(policy, &table, &classes);
        let mut released = if rows_out == 0 {
            return Err(EngineError::Shortfall(
                "every row would have to be suppressed, so there is nothing to release; lower the requirement or generalize more".into(),
            ));
        } else {
            timed(&mut self.seconds.audit, || {
                let request = CheckRequest {
                    policy: policy.clone(),
                    quasi_identifiers: names.of_attributes.concat(),
                    population: None,
                    subset_size: 0,
                    source: SourceSettings::default(),
                };
                let source = source.open(engine, policy, &names)?;
                check_source(engine, source, folder, &request)
            })?
        };
        let audit = &released.audit;
        let is_proven = audit.holds || described.unproven_rows.is_some();
        if !is_proven || audit.rows != rows_out {
            let mut reasons: Vec<String> = audit.failures.iter().map(|f| f.to_string()).collect();
            if audit.rows != rows_out {
                reasons.push(format!(
                    "it has {} rows where {rows_out} were to be written",
                    audit.rows
                ));
            }
            return Err(EngineError::Audit(reasons.join("; ")));
        }
        if let Waiting::File(places, Apart::Csv { path, delimiter }) = &waiting {
            let relation = Path::new(&policy.output.path).file_stem();
            let relation = relation.unwrap_or_default().to_string_lossy();
            timed(&mut self.seconds.write, || {
                put_into_arff(path, *delimiter, places.output.path(), &relation)
            })?;
        }
        released.table.forget_entries();
        let rows_in = table.counts.total();
        let before = (!table.counts.is_lumped()).then(|| Exposure::of(&table.counts));
        let values = table.values_of_columns();
        let columns = column_releases(&table.attributes, &values, rows_in, &classes);
        let mut evidence = Evidence {
            policy: policy.clone(),
            folder: folder.to_path_buf(),
            origin: origin.cloned(),
            counted: Counted::of(table),
            classes,
            released,
            rows: waiting.rows(policy),
            saved: match &waiting {
                Waiting::File(..) => saved.map(|saved| saved.to_json()),
                Waiting::Memory(_) => None,
            },
            recoding: described.recoding.into(),
            searched: Some(Searched {
                algorithm: described.algorithm.clone(),
                stop: word(described.stop).into(),
                bound: described.bound,
            }),
            loss: described.loss,
            explanation: described.explanation,
            requirements: described.requirements,
            unproven_rows: described.unproven_rows,
            warnings: warnings(policy),
            workload: described.workload,
        };
        if let Waiting::File(places, _) = &waiting {
            if let (Some(staged), Some(text)) = (&places.recoding, &evidence.saved) {
                staged.write_text(text)?;
            }
            if places.manifest.is_some() {
                listener(Stage::Reporting);
            }
            timed(&mut self.seconds.report, || {
                let report = places.report.as_ref().zip(policy.output.report.as_deref());
                engine.install(|| {
                    evidence.write(policy.output.report_kind, report, places.manifest.as_ref())
                })
            })?;
        }
        engine.check_cancel()?;
        let landed = |staged: Option<&Staged>| staged.map(|s| s.target().to_path_buf());
        let (places, rows) = match waiting {
            Waiting::File(places, Apart::Table(table)) => {
                publish_with(&places.in_order(), || table.publish())?;
                (Some(places), None)
            }
            Waiting::File(places, _) => {
                publish_together(&places.in_order())?;
                evidence.rows.moved(&places.output.target());
                (Some(places), None)
            }
            Waiting::Memory(rows) => (None, Some(rows)),
        };
        let place = |of: fn(&Places) -> Option<&Staged>| landed(places.as_deref().and_then(of));
        let audit = evidence.released.audit.clone();

        self.seconds.total = self.start.elapsed().as_secs_f64();
        let release = Release {
            algorithm: described.algorithm,
            stop: described.stop,
            bound: described.bound,
            rows_in,
            rows_out,
            suppressed_rows,
            classes: audit.classes,
            smallest_class: audit.k,
            average_class: audit.average_class,
            loss: evidence.loss.clone(),
            seconds: self.seconds,
            output: places.as_ref().map(|places| places.output.target()),
            recoding: place(|places| places.recoding.as_ref()),
            report: place(|places| places.report.as_ref()),
            manifest: place(|places| places.manifest.as_ref()),
            before,
            audit,
            columns,
            requirements: evidence.requirements.clone(),
            trace: described.trace,
            explanation: evidence.explanation.clone(),
            unproven_rows: described.unproven_rows,
            sample: described.sample,
            fresh: described.fresh,
            unseen: described.unseen,
            warnings: evidence.warnings.clone(),
        };
        Ok(Finished {
            release,
            rows,
            evidence,
        })
    }

    /// Writes the released rows to the file that waits beside its place.
    fn write_file(
        &self,
        table: &Table,
        classes: &Classes,
        places: Places,
        by_region: Option<&ByRegion>,
    ) -> Result<(Waiting, Written, Names), EngineError> {
        let Finish { engine, policy, .. } = self;
        let layout = places.layout;
        let (path, audited) = match layout.format {
            Format::Arff => {
                let format = Format::Csv;
                let path = places.output.path().with_extension("csv");
                (path, Layout { format, ..layout })
            }
            _ => (places.output.path().to_path_buf(), layout),
        };
        let cut = policy.output.parts.map(|parts| {
            let rows = rows_out(policy, table, classes);
            let rows_of_part = parts.rows_of_part(rows);
            Cut { rows_of_part, rows }
        });
        let ordered = match policy.output.order {
            Order::Keep => Some(engine.in_order()?),
            Order::Sorted => None,
        };
        let context = ordered.as_ref().unwrap_or(engine.context());
        let work = async {
            let (rows, names) =
                released_rows(context, table, classes, policy, &self.secrets, by_region).await?;
            match cut {
                None => write_rows(rows, &path, audited).await?,
                Some(cut) => write_parts(context, rows, &path, audited, cut).await?,
            }
            Ok(names)
        };
        let names = engine
            .wait(work)
            .map_err(|error| table.source.blame(error))?;
        let apart = match &places.output {
            Outlet::Table(outlet) => Apart::Table(outlet.load(engine, policy, &table.source)?),
            Outlet::File(_) if layout.format == Format::Arff => Apart::Csv {
                path: path.clone(),
                delimiter: layout.delimiter,
            },
            Outlet::File(_) => Apart::Nothing,
        };
        let written = Written::File {
            path: match &apart {
                Apart::Table(table) => table.path().to_path_buf(),
                _ => path,
            },
            layout: audited,
        };
        Ok((Waiting::File(Box::new(places), apart), written, names))
    }

    /// Recodes rows that are in memory, and leaves the released ones there.
    fn recode_in_memory(
        &self,
        table: &Table,
        classes: &Classes,
        by_region: Option<&ByRegion>,
    ) -> Result<(Waiting, Written, Names), EngineError> {
        let Medium::Memory(batches) = &table.source.medium else {
            unreachable!("a release in memory is made of a table in memory");
        };
        let request = InMemory {
            engine: self.engine,
            table,
            batches,
            classes,
            policy: self.policy,
            secrets: &self.secrets,
            by_region,
        };
        let (rows, names) = request
            .released()
            .map_err(|error| table.source.blame(error))?;
        Ok((Waiting::Memory(rows.clone()), Written::Memory(rows), names))
    }
}

/// What is read back for the audit.
enum Written {
    File { path: PathBuf, layout: Layout },
    Memory(Batches),
}

impl Written {
    fn open(self, engine: &Engine, policy: &Policy, names: &Names) -> Result<Source, EngineError> {
        match self {
            Written::Memory(rows) => Source::of_batches("the release", rows),
            Written::File { path, layout } => {
                let settings = SourceSettings {
                    format: Some(layout.format),
                    delimiter: Some(layout.delimiter as char),
                    header: true,
                    expected: names_of_release(policy, names),
                    query: None,
                };
                Source::open(engine, &path, &settings)
            }
        }
    }
}

/// The rows that are to be written.
fn rows_out(policy: &Policy, table: &Table, classes: &Classes) -> u64 {
    match policy.suppression.mode {
        SuppressionMode::Mask => table.counts.total(),
        SuppressionMode::Drop => table.counts.total() - classes.suppressed_rows(),
    }
}

/// Why a search stopped, as `run --json` prints it.
pub(crate) fn word(stop: Stop) -> &'static str {
    match stop {
        Stop::Optimal => "optimal",
        Stop::Complete => "complete",
        Stop::Budget => "budget",
    }
}

/// The released columns that are counted again.
pub(super) fn names_of_release(policy: &Policy, names: &Names) -> Vec<String> {
    let sensitive = policy.columns_with(Role::Sensitive);
    let sensitive = sensitive.map(|(name, _)| name.to_string());
    names
        .of_attributes
        .concat()
        .into_iter()
        .chain(sensitive)
        .collect()
}

pub(super) fn warnings(policy: &Policy) -> Vec<String> {
    let mut warnings = Vec::new();
    if policy.output.order == Order::Keep {
        warnings.push("rows stand in the order of the input, which can identify someone who knows that order; output.order = \"sorted\" avoids it".into());
    }
    warnings
}
