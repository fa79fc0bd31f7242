//! The last part of the path: recode and write, audit what was written, publish it.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use coarsen::audit::Exposure;
use coarsen::counts::Classes;
use coarsen::explain::Explanation;
use coarsen::policy::{Order, Policy, Role, SuppressionMode};
use coarsen::recoding::{SavedRecoding, UnseenColumn};
use coarsen::search::{SampleReport, Step, Stop};
use serde_json::{Map, Value as Json};

use super::find::Fresh;
use super::places::Places;
use super::{ColumnRelease, Listener, Release, Seconds, Stage, timed};
use crate::EngineError;
use crate::audit::{CheckRequest, check};
use crate::engine::Engine;
use crate::identifiers::Secrets;
use crate::recode::{ByRegion, Names, released_rows};
use crate::source::{SourceSettings, format_of};
use crate::table::Table;
use crate::write::{Staged, write_rows};

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
}

/// The last part of the path: write, audit, publish.
pub(super) struct Finish<'a> {
    pub(super) engine: &'a Engine,
    pub(super) policy: &'a Policy,
    pub(super) folder: &'a Path,
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
                write_rows(rows, places.output.path(), format, delimiter).await?;
                Ok(names)
            };
            engine.wait(work).map_err(|error| table.source.blame(error))
        })?;

        listener(Stage::Auditing);
        let kept = policy.suppression.mode == SuppressionMode::Mask;
        let suppressed_rows = classes.suppressed_rows();
        let rows_out = table.counts.total() - if kept { 0 } else { suppressed_rows };
        let audit = if rows_out == 0 {
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
                        format: Some(format),
                        delimiter: Some(delimiter as char),
                        header: true,
                        expected: names_of_release(policy, &names),
                    },
                };
                check(engine, places.output.path(), folder, &request)
            })?
            .audit
        };
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
        if let (Some(staged), Some(saved)) = (&places.recoding, saved) {
            staged.write_text(&saved.to_json())?;
        }
        if engine.cancel_flag().load(Ordering::Relaxed) {
            return Err(EngineError::Cancelled);
        }
        let recoding = places.recoding.map(Staged::publish).transpose()?;
        let output = places.output.publish()?;

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
            output,
            recoding,
            before: Exposure::of(&table.counts),
            audit,
            columns: column_releases(table, classes),
            requirements: described.requirements,
            trace: described.trace,
            explanation: described.explanation,
            unproven_rows: described.unproven_rows,
            sample: described.sample,
            fresh: described.fresh,
            unseen: described.unseen,
            warnings: warnings(policy),
        })
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

pub(super) fn column_releases(table: &Table, classes: &Classes) -> Vec<ColumnRelease> {
    const EXAMPLES: usize = 4;
    let total = table.counts.total() as f64;
    let describe = |(place, attribute): (usize, &coarsen::domain::Attribute)| {
        let rows = classes.rows_of_blocks(place);
        let released: Vec<_> = classes
            .blocks(place)
            .iter()
            .zip(rows)
            .filter(|(_, rows)| *rows > 0)
            .collect();
        let mut labels: Vec<&str> = released
            .iter()
            .map(|(block, _)| block.label.as_str())
            .collect();
        labels.sort_unstable();
        labels.dedup();
        let lost: f64 = released
            .iter()
            .map(|(block, rows)| block.lm * *rows as f64)
            .sum();
        let before = table.counts.marginal(place, attribute.domain.size());
        let mut by_rows: Vec<(&str, u64)> = released
            .iter()
            .map(|(block, rows)| (block.label.as_str(), *rows))
            .collect();
        by_rows.sort_by_key(|(label, rows)| (std::cmp::Reverse(*rows), *label));
        by_rows.dedup_by_key(|(label, _)| *label);
        ColumnRelease {
            column: attribute.name.clone(),
            values_before: before.iter().filter(|rows| **rows > 0).count() as u64,
            values_after: labels.len() as u64,
            lm: (lost + classes.suppressed_rows() as f64) / total,
            examples: by_rows
                .iter()
                .take(EXAMPLES)
                .map(|(label, _)| label.to_string())
                .collect(),
        }
    };
    table.attributes.iter().enumerate().map(describe).collect()
}

pub(super) fn warnings(policy: &Policy) -> Vec<String> {
    let mut warnings = Vec::new();
    if policy.output.order == Order::Keep {
        warnings.push("rows stand in the order of the input, which can identify someone who knows that order; output.order = \"sorted\" avoids it".into());
    }
    if policy.output.report.is_some() {
        warnings
            .push("output.report was not written: this coarsen makes no HTML report yet".into());
    }
    warnings
}
