//! The last part of the path: recode and write, audit what was written, publish it.

use std::path::Path;
use std::sync::atomic::Ordering;
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

use super::evidence::{Evidence, Origin};
use super::fresh::Fresh;
use super::places::Places;
use super::{Listener, Release, Seconds, Stage, timed};
use crate::EngineError;
use crate::arff::put_into_arff;
use crate::audit::{CheckRequest, check};
use crate::engine::Engine;
use crate::identifiers::Secrets;
use crate::recode::{ByRegion, Names, released_rows};
use crate::source::{SourceSettings, format_of};
use crate::table::Table;
use crate::write::{Staged, publish_together, write_rows};

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

impl Finish<'_> {
    pub(super) fn write(
        mut self,
        table: &Table,
        classes: &Classes,
        places: Places,
        saved: Option<&SavedRecoding>,
        by_region: Option<&ByRegion>,
        described: Described,
    ) -> Result<Release, EngineError> {
        let Finish {
            engine,
            policy,
            folder,
            origin,
            listener,
            ..
        } = self;
        listener(Stage::Writing);
        let target = Path::new(&policy.output.path);
        let format = policy
            .output
            .format
            .or_else(|| format_of(target))
            .unwrap_or(table.source.format);
        let (audited, audited_format) = match format {
            Format::Arff => (places.output.path().with_extension("csv"), Format::Csv),
            other => (places.output.path().to_path_buf(), other),
        };
        let delimiter = table
            .source
            .dialect
            .as_ref()
            .map_or(b',', |dialect| dialect.delimiter);
        let names = timed(&mut self.seconds.write, || {
            let ordered = match policy.output.order {
                Order::Keep => Some(engine.in_order()?),
                Order::Sorted => None,
            };
            let context = ordered.as_ref().unwrap_or(engine.context());
            let work = async {
                let (rows, names) =
                    released_rows(context, table, classes, policy, &self.secrets, by_region)
                        .await?;
                write_rows(rows, &audited, audited_format, delimiter).await?;
                Ok(names)
            };
            engine.wait(work).map_err(|error| table.source.blame(error))
        })?;

        listener(Stage::Auditing);
        let kept = policy.suppression.mode == SuppressionMode::Mask;
        let suppressed_rows = classes.suppressed_rows();
        let rows_out = table.counts.total() - if kept { 0 } else { suppressed_rows };
        let released = if rows_out == 0 {
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
                    source: SourceSettings {
                        format: Some(audited_format),
                        delimiter: Some(delimiter as char),
                        header: true,
                        expected: names_of_release(policy, &names),
                    },
                };
                check(engine, &audited, folder, &request)
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
        if format == Format::Arff {
            let relation = target.file_stem().unwrap_or_default().to_string_lossy();
            timed(&mut self.seconds.write, || {
                put_into_arff(&audited, delimiter, places.output.path(), &relation)
            })?;
        }
        let saved = saved.map(|saved| saved.to_json());
        if let (Some(staged), Some(text)) = (&places.recoding, &saved) {
            staged.write_text(text)?;
        }
        let warnings = warnings(policy);
        if places.manifest.is_some() {
            listener(Stage::Reporting);
        }
        timed(&mut self.seconds.report, || {
            let evidence = Evidence {
                policy,
                folder,
                origin,
                table,
                classes,
                released: &released,
                output: places.output.path(),
                saved: saved.as_deref(),
                recoding: described.recoding,
                searched: Some(Searched {
                    algorithm: described.algorithm.clone(),
                    stop: word(described.stop).into(),
                    bound: described.bound,
                }),
                loss: &described.loss,
                explanation: described.explanation.as_ref(),
                requirements: &described.requirements,
                unproven_rows: described.unproven_rows,
                warnings: &warnings,
                workload: &described.workload,
            };
            let report = places.report.as_ref().zip(policy.output.report.as_deref());
            engine.install(|| {
                evidence.write(policy.output.report_kind, report, places.manifest.as_ref())
            })
        })?;
        if engine.cancel_flag().load(Ordering::Relaxed) {
            return Err(EngineError::Cancelled);
        }
        publish_together(&places.in_order())?;
        let landed = |staged: &Option<Staged>| staged.as_ref().map(|s| s.target().to_path_buf());
        let audit = released.audit;

        self.seconds.total = self.start.elapsed().as_secs_f64();
        Ok(Release {
            algorithm: described.algorithm,
            stop: described.stop,
            bound: described.bound,
            rows_in: table.counts.total(),
            rows_out,
            suppressed_rows,
            classes: audit.classes,
            smallest_class: audit.k,
            average_class: audit.average_class,
            loss: described.loss,
            seconds: self.seconds,
            output: places.output.target().to_path_buf(),
            recoding: landed(&places.recoding),
            report: landed(&places.report),
            manifest: landed(&places.manifest),
            before: (!table.counts.is_lumped()).then(|| Exposure::of(&table.counts)),
            audit,
            columns: column_releases(
                &table.attributes,
                &table.values_of_columns(),
                table.counts.total(),
                classes,
            ),
            requirements: described.requirements,
            trace: described.trace,
            explanation: described.explanation,
            unproven_rows: described.unproven_rows,
            sample: described.sample,
            fresh: described.fresh,
            unseen: described.unseen,
            warnings,
        })
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
