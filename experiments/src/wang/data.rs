//! A table with a label, in rows to learn from and rows to test on: the problem it makes, what a search
//! takes, and what can be learned from a release.

use std::time::{Duration, Instant};

use coarsen::counts::{Counts, Entries, TallyColumn};
use coarsen::domain::{Attribute, Code};
use coarsen::loss;
use coarsen::policy::{Policy, SuppressionMode};
use coarsen::privacy::{enforce, requirements};
use coarsen::problem::{Allowance, Problem};
use coarsen::recoding::{Partitions, Recoding};
use coarsen::search::{self, Outcome, Run};
use coarsen::workload::{Target, Workload};

use coarsen_learn::features::{Column, Features, Target as Labels};
use coarsen_learn::models;

use crate::Fallible;
use crate::measure::on_processor;

/// A table: the training rows first, then the test rows.
pub struct Data {
    pub attributes: Vec<Attribute>,
    pub label: TallyColumn,
    /// The codes of each column, the label's last.
    pub codes: Vec<Vec<Code>>,
    pub training: usize,
}

/// What a search took: the seconds that went by, and those on a processor.
#[derive(Clone, Copy)]
pub struct Seconds {
    pub gone_by: f64,
    pub on_processor: f64,
}

/// What a search made, and the least that it took.
pub struct Made {
    pub outcome: Outcome,
    pub seconds: Seconds,
    pub classes: usize,
    pub lm: f64,
    pub entropy: f64,
    pub error: f64,
}

impl Data {
    /// The problem of some rows: codes column by column, and how many rows each entry stands for.
    pub fn problem(&self, codes: &[Vec<Code>], rows: Vec<u64>, k: u64) -> Fallible<Problem> {
        let columns = self.attributes.len();
        let entries = Entries {
            codes: codes[..columns].to_vec(),
            tallied: vec![codes[columns].clone()],
            rows,
        };
        let counts = Counts::build(entries, vec![self.label.clone()]).0;
        let mut policy = Policy::default();
        policy.privacy.k = k;
        let target = Target {
            tally: 0,
            weight: 1.0,
            numeric: false,
            costs: None,
        };
        let workload = Workload {
            targets: vec![target],
            ..Workload::default()
        };
        let demands = requirements(&policy, counts.tallies())?;
        let allowance = Allowance {
            rows: 0,
            mode: SuppressionMode::Drop,
        };
        let entropy = loss::find("conditional-entropy").ok_or("there is no such loss")?;
        let attributes = self.attributes.clone();
        Ok(Problem::new(
            attributes, counts, demands, allowance, entropy, workload,
        )?)
    }

    /// The problem of the training rows.
    pub fn to_learn(&self, k: u64) -> Fallible<Problem> {
        self.problem(&self.part(true), vec![1; self.training], k)
    }

    fn part(&self, training: bool) -> Vec<Vec<Code>> {
        let range = match training {
            true => 0..self.training,
            false => self.training..self.codes[0].len(),
        };
        let columns = self.codes.iter();
        columns.map(|codes| codes[range.clone()].to_vec()).collect()
    }

    /// Rows as a model sees them, each code replaced by its block.
    fn seen(&self, training: bool, blocks: &dyn Fn(usize, Code) -> u32) -> (Features, Labels) {
        let mut columns = self.part(training);
        let labels = Labels::Labels {
            codes: columns.pop().unwrap_or_default(),
            size: self.label.domain.size(),
        };
        let sizes = self
            .attributes
            .iter()
            .map(|attribute| attribute.domain.size());
        let features = columns
            .iter()
            .zip(sizes)
            .enumerate()
            .map(|(place, (codes, size))| {
                let codes = codes.iter().map(|code| blocks(place, *code)).collect();
                Column::Categories { codes, size }
            });
        (Features::new(features.collect()), labels)
    }

    /// The test error of a tree that is learned and tested on recoded rows.
    pub fn error(&self, blocks: &dyn Fn(usize, Code) -> u32) -> Fallible<f64> {
        let tree = models::find("tree").and_then(|model| model.labels);
        let (features, labels) = self.seen(true, blocks);
        let tree = tree.ok_or("there is no tree")?(&features, &labels, 1);
        let (features, labels) = self.seen(false, blocks);
        let wrong = labels.errors(&tree.predict(&features));
        Ok(wrong.iter().sum::<f64>() / wrong.len() as f64)
    }

    /// Runs a search on the training rows, and learns from what it makes.
    pub fn made(&self, name: &str, settings: &str, problem: &Problem) -> Fallible<Made> {
        let (outcome, mut seconds) = solve(name, settings, problem)?;
        // Other work on the machine only ever adds to what a quick search takes.
        for _ in 0..if seconds.gone_by < 1.0 { 9 } else { 0 } {
            let again = solve(name, settings, problem)?.1;
            seconds.gone_by = seconds.gone_by.min(again.gone_by);
            seconds.on_processor = seconds.on_processor.min(again.on_processor);
        }
        let mut classes = outcome
            .recoding
            .classes(&problem.attributes, &problem.counts);
        let mode = problem.suppression.mode;
        enforce(&problem.counts, &problem.requirements, mode, &mut classes);
        let cost = |name: &str| {
            let entry = loss::find(name);
            let cost = entry.and_then(|entry| entry.loss.cost(problem, &classes));
            cost.unwrap_or(f64::NAN)
        };
        let Recoding::Partitions(Partitions { columns }) = &outcome.recoding else {
            return Err("not a partition".into());
        };
        Ok(Made {
            seconds,
            classes: classes.len(),
            lm: cost("lm"),
            entropy: cost("conditional-entropy"),
            error: self.error(&|column, code| columns[column].block_of[code as usize])?,
            outcome,
        })
    }
}

/// A search and its seconds; it is left after a minute.
pub fn solve(name: &str, settings: &str, problem: &Problem) -> Fallible<(Outcome, Seconds)> {
    let algorithm = search::find(name).ok_or("no such algorithm")?;
    let search = (algorithm.build)(Some(&toml::from_str(settings)?))?;
    let run = Run::new(1).with_budget(Some(Duration::from_secs(60)));
    let (start, before) = (Instant::now(), on_processor());
    let outcome = search.search(problem, &run)?;
    let seconds = Seconds {
        gone_by: start.elapsed().as_secs_f64(),
        on_processor: on_processor() - before,
    };
    Ok((outcome, seconds))
}
