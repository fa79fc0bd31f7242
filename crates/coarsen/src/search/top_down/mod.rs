//! Top-down specialization (Fung, Wang and Yu 2005, "Top-down specialization for information and
//! privacy preservation"; the baseline of seeds 001 and 003): from the most general state, the
//! specialization of the best score among those that keep the requirement, step by step, until none
//! does.
//!
//! Score(v) = InfoGain(v) / AnonyLoss(v), InfoGain(v) where nothing is lost; AnonyLoss is what A(VID)
//! falls by. Ties go to what takes most from LM, then to the column named first, then to the block that
//! came first.
//!
//! Departures. The paper also stops where no specialization gains information; here those that gain
//! none come last but come (`beneficial-only` is the paper's way). Where the best threshold of a run
//! breaks the requirement, the next best is looked at. Rows may be suppressed up to the limit: A(VID)
//! is then the smallest class that cannot be. Requirements beyond k are held against the classes of
//! the specialization that is about to be made; as they are monotone, one that fails is never looked
//! at again.

mod partition;
mod splits;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use super::information::{Judge, Measure};
use super::pieces::{Piece, partitions, tradeoff};
use super::{
    Algorithm, Outcome, Progress, Run, Search, SearchError, SettingsError, Step, Stop,
    per_combination, read_settings,
};
use crate::counts::Classes;
use crate::policy::{Scheme, SuppressionMode};
use crate::privacy::enforce;
use crate::problem::Problem;
use crate::recoding::Recoding;
use partition::{Effect, Tips};
use splits::{Column, Scales, Split};

pub(super) const ENTRY: Algorithm = Algorithm {
    name: "top-down",
    summary: "starts from everything suppressed and specializes what gains most information about the targets for the anonymity it costs",
    source: "Fung, Wang and Yu 2005",
    makes: "partitions",
    settings: || serde_json::to_value(Settings::default()).unwrap_or_default(),
    build,
};

/// What can be set of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Settings {
    /// How information is measured.
    information: Measure,
    /// Stop where no specialization gains information, as the paper does.
    beneficial_only: bool,
    /// A column whose scheme is `level` (one that names none has it) comes down by whole levels;
    /// otherwise its tree is cut as in the paper.
    whole_levels: bool,
    /// The k that specializations are judged by, where it is to be below the policy's: the steps are
    /// then those of a run to this k, left before the policy would be broken. 0 for the policy's.
    toward: u64,
}

struct TopDown {
    settings: Settings,
}

fn build(settings: Option<&toml::Value>) -> Result<Box<dyn Search>, SettingsError> {
    Ok(Box::new(TopDown {
        settings: read_settings(settings)?,
    }))
}

impl Search for TopDown {
    fn memory(&self, problem: &Problem) -> u64 {
        per_combination(problem, 170, 0)
    }

    fn search(&self, problem: &Problem, run: &Run) -> Result<Outcome, SearchError> {
        State::new(&self.settings, problem).run(run)
    }
}

/// The columns and classes on their way down.
struct State<'a> {
    problem: &'a Problem,
    settings: Settings,
    judge: Judge,
    columns: Vec<Column>,
    tips: Tips<'a>,
    trace: Vec<Step>,
    /// The least k that a specialization must keep.
    k: u64,
}

/// A specialization with its score.
struct Scored {
    column: usize,
    place: usize,
    score: f64,
    effect: Effect,
}

impl<'a> State<'a> {
    fn new(settings: &Settings, problem: &'a Problem) -> Self {
        let k = match settings.toward {
            0 => problem.k(),
            toward => toward.min(problem.k()),
        };
        let attributes = problem.attributes.iter();
        let domains: Vec<usize> = attributes.map(|a| a.domain.size()).collect();
        let mut state = State {
            problem,
            settings: *settings,
            judge: Judge::new(problem, settings.information),
            columns: Vec::new(),
            tips: Tips::new(&problem.counts, &domains),
            trace: Vec::new(),
            k,
        };
        for (place, attribute) in problem.attributes.iter().enumerate() {
            let scheme = match attribute.settings.scheme {
                Scheme::Level if !settings.whole_levels => Scheme::Cut,
                scheme => scheme,
            };
            let leaves = Piece::leaves(attribute, &problem.counts, place, &state.judge);
            let column = Column::new(leaves, scheme, &state.scales(place));
            state.columns.push(column);
            state.open(place, 0);
        }
        state
    }

    /// Tells the partition structure of a column's specializations from a place on.
    fn open(&mut self, column: usize, from: usize) {
        for split in self.columns[column].splits.iter().skip(from) {
            for (old, children) in &split.parts {
                self.tips.open(column, *old, children);
            }
        }
    }

    fn run(mut self, run: &Run) -> Result<Outcome, SearchError> {
        let problem = self.problem;
        let (_, short) = self.enforced(self.pieces());
        if short > problem.suppression.rows {
            return Err(SearchError::NoRelease(format!(
                "even with every column suppressed, {short} rows fall short, and {} may be suppressed",
                problem.suppression.rows
            )));
        }
        self.note("start from everything suppressed".into(), 0.0);
        let mut stop = Stop::Complete;
        loop {
            run.check()?;
            if run.is_over() {
                stop = Stop::Budget;
                break;
            }
            run.report(Progress {
                done: self.trace.len() as u64,
                of: None,
                cost: None,
            });
            let Some(best) = self.best() else { break };
            if best.effect.short_rows > problem.suppression.rows {
                // It keeps the k that is aimed at and not the policy's: this is where to leave.
                break;
            }
            if self.keeps(&best) {
                self.apply(&best);
            } else {
                self.refuse(best.column, best.place);
            }
        }
        let (classes, _) = self.enforced(self.pieces());
        Ok(Outcome {
            algorithm: ENTRY.name,
            cost: problem.cost(&classes),
            recoding: Recoding::Partitions(partitions(&problem.attributes, self.pieces())),
            stop,
            bound: None,
            trace: self.trace,
        })
    }

    /// The best specialization that keeps k; those that do not are dropped on the way.
    fn best(&mut self) -> Option<Scored> {
        let limit = self.problem.suppression.rows;
        let now = self.tips.now(self.k, limit).anonymity;
        let mut best: Option<Scored> = None;
        for column in 0..self.columns.len() {
            let mut place = 0;
            while let Some(split) = self.columns[column].splits.get(place) {
                if self.settings.beneficial_only && split.gain <= 0.0 {
                    place += 1;
                    continue;
                }
                let effect = self.effect(column, split, self.k);
                if effect.short_rows > limit {
                    self.refuse(column, place);
                    continue;
                }
                let lost = now.saturating_sub(effect.anonymity).max(1);
                let score = split.gain / lost as f64;
                let better = best.as_ref().is_none_or(|best| {
                    let held = &self.columns[best.column].splits[best.place];
                    let by_score = score.total_cmp(&best.score);
                    by_score.then(split.lm.total_cmp(&held.lm)).is_gt()
                });
                if better {
                    best = Some(Scored {
                        column,
                        place,
                        score,
                        effect,
                    });
                }
                place += 1;
            }
        }
        let mut best = best?;
        let split = &self.columns[best.column].splits[best.place];
        best.effect = self.effect(best.column, split, self.problem.k());
        Some(best)
    }

    fn effect(&self, column: usize, split: &Split, k: u64) -> Effect {
        let pieces = split.parts.iter().map(|(old, _)| *old);
        let limit = self.problem.suppression.rows;
        self.tips.trial(column, pieces, (k, limit))
    }

    /// Whether a specialization that keeps k keeps every requirement.
    fn keeps(&self, best: &Scored) -> bool {
        let problem = self.problem;
        let masked =
            problem.suppression.mode == SuppressionMode::Mask && problem.suppression.rows > 0;
        if problem.requirements.len() == 1 && problem.requirements[0].k().is_some() && !masked {
            return true;
        }
        let split = &self.columns[best.column].splits[best.place];
        let pieces = self.columns.iter().enumerate().map(|(place, column)| {
            let is_split = |piece: &u32| split.parts.iter().any(|(old, _)| old == piece);
            let kept = column.live.iter();
            let kept = kept.filter(move |piece| place != best.column || !is_split(piece));
            let new = split.parts.iter().flat_map(|(_, children)| children);
            let new = new.filter(move |_| place == best.column);
            kept.map(|piece| column.piece(*piece)).chain(new)
        });
        self.enforced(pieces).1 <= problem.suppression.rows
    }

    fn refuse(&mut self, column: usize, place: usize) {
        let weights = self.weights();
        let scales = scales(self.problem, &self.judge, column, weights);
        for (old, _) in &self.columns[column].splits[place].parts {
            self.tips.close(column, *old);
        }
        if self.columns[column].refuse(place, &scales) {
            for (old, children) in &self.columns[column].splits[place].parts {
                self.tips.open(column, *old, children);
            }
        }
    }

    fn apply(&mut self, best: &Scored) {
        let attribute = &self.problem.attributes[best.column];
        let split = &self.columns[best.column].splits[best.place];
        let parts: usize = split.parts.iter().map(|(_, children)| children.len()).sum();
        let what = match split.parts.as_slice() {
            // A released block may be named: at this step it is released.
            [(old, _)] => format!(
                "specialize {} of {} into {parts}",
                self.columns[best.column].piece(*old).block.label,
                attribute.name
            ),
            blocks => format!(
                "specialize {}: {} values become {parts}",
                attribute.name,
                blocks.len()
            ),
        };
        let gain = split.gain;
        let weights = self.weights();
        let scales = scales(self.problem, &self.judge, best.column, weights);
        let opened_from = self.columns[best.column].splits.len() - 1;
        for (old, new) in self.columns[best.column].apply(best.place, &scales) {
            self.tips.apply(best.column, old, &new);
        }
        self.open(best.column, opened_from);
        self.note(what, gain);
    }

    fn note(&mut self, what: String, gain: f64) {
        let limit = self.problem.suppression.rows;
        let now = self.tips.now(self.problem.k(), limit);
        let tradeoff = tradeoff(self.problem, self.pieces(), now.anonymity, gain);
        self.trace.push(Step {
            what,
            short_rows: now.short_rows,
            tradeoff: Some(tradeoff),
        });
    }

    fn weights(&self) -> f64 {
        let attributes = self.problem.attributes.iter();
        attributes.map(|attribute| attribute.settings.weight).sum()
    }

    fn scales(&self, column: usize) -> Scales<'_> {
        scales(self.problem, &self.judge, column, self.weights())
    }

    fn pieces(&self) -> impl Iterator<Item = impl Iterator<Item = &Piece>> {
        self.columns
            .iter()
            .map(|column| column.live.iter().map(|piece| column.piece(*piece)))
    }

    /// The classes of pieces, with those suppressed that fall short, and how many rows that takes.
    fn enforced<'p, I: Iterator<Item = &'p Piece>>(
        &self,
        pieces: impl Iterator<Item = I>,
    ) -> (Classes, u64) {
        let problem = self.problem;
        let mut classes = partitions(&problem.attributes, pieces).classes(&problem.counts);
        let mode = problem.suppression.mode;
        let short = enforce(&problem.counts, &problem.requirements, mode, &mut classes);
        (classes, short)
    }
}

fn scales<'a>(problem: &'a Problem, judge: &'a Judge, column: usize, weights: f64) -> Scales<'a> {
    let attribute = &problem.attributes[column];
    let share = attribute.settings.weight / weights / problem.counts.total() as f64;
    Scales {
        judge,
        attribute,
        share: if share.is_finite() { share } else { 0.0 },
    }
}
