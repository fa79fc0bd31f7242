//! One walk up: choose, generalize, look whether the requirement holds, and again (seed 003,
//! Algorithm 1).

use super::super::pieces::{partitions, tradeoff};
use super::super::{Outcome, Progress, Run, SearchError, Step, Stop};
use super::column::Column;
use super::moves::{Group, Move};
use super::plain::Plain;
use super::refine::refine;
use super::{ENTRY, Effects, Start, beyond};
use crate::counts::Classes;
use crate::privacy::enforce;
use crate::problem::Problem;
use crate::recoding::{Partitions, Recoding};

/// Random or fixed factors on I(G), by which a variant leaves the greedy path.
pub(super) type Sway<'s> = &'s mut dyn FnMut(usize) -> f64;

/// A state of the columns with the count of its vids.
pub(super) struct State<'a> {
    pub start: &'a Start<'a>,
    pub columns: Vec<Column>,
    effects: Box<dyn Effects + 'a>,
    trace: Vec<Step>,
}

/// Walks from the values to the first state that meets the problem.
pub(super) fn walk(start: &Start<'_>, run: &Run, sway: Sway<'_>) -> Result<Outcome, SearchError> {
    let mut state = State {
        start,
        columns: start.columns.clone(),
        effects: start.effects(),
        trace: Vec::new(),
    };
    state.note(beginning(start), 0.0);
    state.climb(run, sway)?;
    if start.refine && !run.is_over() {
        state.refine(run)?;
    }
    Ok(state.end(run))
}

impl<'a> State<'a> {
    /// A state in the middle of the way, its vids counted anew whenever it is asked.
    pub fn between(start: &'a Start<'a>, columns: Vec<Column>) -> Self {
        let limit = start.problem.suppression.rows;
        let effects = Plain::new(&start.problem.counts, &columns, start.aim, limit);
        let mut state = State {
            start,
            columns,
            effects: Box::new(effects),
            trace: Vec::new(),
        };
        state.note(String::new(), 0.0);
        state
    }

    /// Generalizes until the requirement holds.
    pub fn climb(&mut self, run: &Run, sway: Sway<'_>) -> Result<(), SearchError> {
        let problem = self.start.problem;
        loop {
            run.check()?;
            run.report(Progress {
                done: self.trace.len() as u64,
                of: None,
                cost: None,
            });
            let mut failing = None;
            if self.effects.counters().anonymity() >= problem.k() {
                let (classes, short) = enforced(problem, &self.partitions());
                self.last().short_rows = short;
                if short <= problem.suppression.rows {
                    return Ok(());
                }
                failing = Some(classes);
            }
            let done = match run.is_over() {
                true => self.hurry(),
                false => self.step(failing.as_ref(), sway),
            };
            if !done {
                return Err(SearchError::NoRelease(format!(
                    "even with every column suppressed, {} rows fall short, and {} may be suppressed",
                    self.trace.last().map_or(0, |step| step.short_rows),
                    problem.suppression.rows
                )));
            }
        }
    }

    /// Betters the release, and notes which columns changed by it.
    fn refine(&mut self, run: &Run) -> Result<(), SearchError> {
        let before: Vec<Vec<u32>> = self.columns.iter().map(|c| c.live.clone()).collect();
        let refined = refine(self.start, std::mem::take(&mut self.columns), run)?;
        self.columns = refined;
        let (counts, limit) = (
            &self.start.problem.counts,
            self.start.problem.suppression.rows,
        );
        self.effects = Box::new(Plain::new(counts, &self.columns, self.start.aim, limit));
        for (column, before) in before.iter().enumerate() {
            let after = &self.columns[column].live;
            if after != before {
                let name = &self.start.problem.attributes[column].name;
                let (before, after) = (before.len(), after.len());
                self.note(
                    format!("refine {name}: {before} values become {after}"),
                    0.0,
                );
            }
        }
        Ok(())
    }

    fn last(&mut self) -> &mut Step {
        self.trace.last_mut().expect("the start is noted")
    }

    /// The outcome, once the requirement holds.
    fn end(mut self, run: &Run) -> Outcome {
        let problem = self.start.problem;
        let made = self.partitions();
        let (classes, short) = enforced(problem, &made);
        self.last().short_rows = short;
        Outcome {
            algorithm: ENTRY.name,
            cost: problem.cost(&classes),
            recoding: Recoding::Partitions(made),
            stop: match run.is_over() {
                true => Stop::Budget,
                false => Stop::Complete,
            },
            bound: None,
            trace: self.trace,
        }
    }

    pub fn partitions(&self) -> Partitions {
        partitions(&self.start.problem.attributes, pieces(&self.columns))
    }

    /// The best generalization; `None` where every column is at its top.
    fn choose(&mut self, failing: Option<&Classes>, sway: Sway<'_>) -> Option<(usize, usize)> {
        let anonymity = self.effects.counters().anonymity();
        let gains: Vec<(usize, usize, u64)> = match failing {
            // Anonymity has come to K, and something else falls short.
            Some(classes) if anonymity >= self.start.aim => {
                beyond::gains(&self.start.problem.counts, &self.columns, classes)
            }
            _ => self
                .effects
                .critical(&self.columns)
                .into_iter()
                .map(|found| (found.column, found.place, found.anonymity - anonymity))
                .collect(),
        };
        if gains.is_empty() {
            let all = self.columns.iter().enumerate().flat_map(|(column, held)| {
                (0..held.moves.len()).map(move |place| (column, place, 0))
            });
            return self.best(all.collect(), sway);
        }
        self.best(gains, sway)
    }

    /// The least I(G)/P(G), or the least I(G) where the gain is 0; ties as the head of this folder says.
    fn best(&self, moves: Vec<(usize, usize, u64)>, sway: Sway<'_>) -> Option<(usize, usize)> {
        let scored = moves.into_iter().map(|(column, place, gain)| {
            let made = &self.columns[column].moves[place];
            let score = made.information * sway(column) / gain.max(1) as f64;
            (score, gain, made, column, place)
        });
        let better = |one: &(f64, u64, &Move, usize, usize),
                      other: &(f64, u64, &Move, usize, usize)| {
            one.0
                .total_cmp(&other.0)
                .then(other.1.cmp(&one.1))
                .then(one.2.lm.total_cmp(&other.2.lm))
                .then(one.3.cmp(&other.3))
                .then(one.2.order.cmp(&other.2.order))
                .then(one.4.cmp(&other.4))
        };
        scored
            .min_by(better)
            .map(|(_, _, _, column, place)| (column, place))
    }

    /// The best generalization is made; false where every column is at its top.
    fn step(&mut self, failing: Option<&Classes>, sway: Sway<'_>) -> bool {
        let Some((column, place)) = self.choose(failing, sway) else {
            return false;
        };
        let held = &self.columns[column];
        let information = held.moves[place].information;
        let what = self.told(column, &held.moves[place].groups);
        let merged = self.columns[column].apply(place, &self.start.scales(column));
        self.effects.apply(&self.columns, column, &merged);
        self.note(what, information);
        true
    }

    /// Out of time: the column with the most blocks takes as many of its generalizations at once as have
    /// no block in common. Few such steps lead to the top.
    fn hurry(&mut self) -> bool {
        let open = self.columns.iter().enumerate();
        let open = open.filter(|(_, held)| !held.moves.is_empty());
        let largest = open.max_by_key(|(place, held)| (held.live.len(), std::cmp::Reverse(*place)));
        let Some((column, held)) = largest else {
            return false;
        };
        let mut moves: Vec<&Move> = held.moves.iter().collect();
        moves.sort_by_key(|made| made.order);
        let mut taken = vec![false; held.pieces.len()];
        let mut groups = Vec::new();
        for made in moves {
            let children = || made.groups.iter().flat_map(|group| &group.children);
            if children().all(|child| !taken[*child as usize]) {
                children().for_each(|child| taken[*child as usize] = true);
                groups.extend(made.groups.iter().cloned());
            }
        }
        let what = self.told(column, &groups);
        let merged = self.columns[column].apply_all(groups, &self.start.scales(column));
        self.effects.apply(&self.columns, column, &merged);
        self.note(what, 0.0);
        true
    }

    /// A step in words.
    fn told(&self, column: usize, groups: &[Group]) -> String {
        let attribute = &self.start.problem.attributes[column];
        match groups {
            // A rare value is not named: a step may be finer than what is released in the end.
            [group] if group.into.mix.rows >= self.start.problem.k() => format!(
                "generalize {} of the {} values of {} to {}",
                group.children.len(),
                self.columns[column].live.len(),
                attribute.name,
                group.into.block.label
            ),
            groups => {
                let gone: usize = groups.iter().map(|group| group.children.len()).sum();
                let made = groups.len();
                format!("generalize {}: {gone} values become {made}", attribute.name)
            }
        }
    }

    fn note(&mut self, what: String, information: f64) {
        let problem = self.start.problem;
        let counters = self.effects.counters();
        let short_rows = counters.rows_below(problem.k());
        let tradeoff = tradeoff(
            problem,
            pieces(&self.columns),
            counters.anonymity(),
            information,
        );
        self.trace.push(Step {
            what,
            short_rows,
            tradeoff: Some(tradeoff),
        });
    }
}

/// What a walk starts from, in words.
fn beginning(start: &Start<'_>) -> String {
    let mut what = "start from the data as they are".to_string();
    for (column, attribute) in start.columns.iter().zip(&start.problem.attributes) {
        if column.merges().next().is_some() {
            what += &format!(
                ", the {} values of {} merged to {} runs",
                attribute.domain.size(),
                attribute.name,
                column.live.len()
            );
        }
    }
    what
}

/// The classes of a recoding, with those suppressed that fall short, and how many rows that takes.
pub(super) fn enforced(problem: &Problem, made: &Partitions) -> (Classes, u64) {
    let mut classes = made.classes(&problem.counts);
    let mode = problem.suppression.mode;
    let short = enforce(&problem.counts, &problem.requirements, mode, &mut classes);
    (classes, short)
}

/// The live pieces of each column.
pub(super) fn pieces(
    columns: &[Column],
) -> impl Iterator<Item = impl Iterator<Item = &super::super::pieces::Piece>> {
    columns
        .iter()
        .map(|column| column.live.iter().map(|piece| column.piece(*piece)))
}
