//! What a block of a column costs in each of its cells, and the least that any block costs that holds
//! some values: costs are known before a partition is, which is what a lower bound rests on (seed 004,
//! section 4.3.1).
//!
//! A cell's cost is kept as a number of the block times a number of the row, less a number of the row:
//! for HDM the block's rows times w/(N − N_v), less w·N_v/(N − N_v); for LM and Prec the block's cost
//! times w. So cells can be added up over rows before it is known which block they will be in.

use rustc_hash::FxHashMap;

use super::model::{Kind, Model};
use crate::domain::scheme::{BlockCost, Legal};
use crate::domain::{Attribute, Measure, Value};
use crate::policy::Scheme;

/// A block as runs of codes `first..end`.
pub(super) type Runs = [(usize, usize)];

/// More values than this have no table of all their runs.
pub(super) const MOST_RUNS: usize = 128;

/// What the blocks of one column cost.
pub(super) struct Prices {
    kind: Kind,
    weight: f64,
    /// The rows of the first codes, for every number of them.
    rows: Vec<u64>,
    /// A row's share in the cost of its block, by code; and what is taken off.
    pub unit: Vec<f64>,
    pub off: Vec<f64>,
    /// What each block costs that the scheme allows, where they can all be told.
    exact: Option<FxHashMap<Vec<(usize, usize)>, f64>>,
    /// What each run costs, by its first code and end, where there are few.
    runs: Vec<f64>,
    least: Least,
    /// Under `level`, what each code's block costs at each level that differs.
    pub levels: Vec<Vec<f64>>,
}

/// How the least cost of a block that holds some values is told.
enum Least {
    Nothing,
    /// As a share of the values, or of the line between the first and the last.
    Share {
        others: f64,
        line: Option<Line>,
    },
    /// By the level of the lowest node that holds them.
    Height(Vec<Vec<u32>>),
}

struct Line {
    ends: Vec<(f64, f64)>,
    /// Whether a block that is no range may cost less.
    or_count: bool,
}

/// More blocks than this are not listed.
const MOST_BLOCKS: usize = 20_000;

impl Prices {
    pub fn new(attribute: &Attribute, legal: &Legal, rows: &[u64], model: &Model) -> Self {
        let kind = model.kind;
        let weight = attribute.settings.weight;
        let (mut unit, mut off) = (vec![weight; rows.len()], vec![0.0; rows.len()]);
        if kind == Kind::Rows {
            for (code, rows) in rows.iter().enumerate() {
                let others = model.total - *rows as f64;
                unit[code] = if others > 0.0 { weight / others } else { 0.0 };
                off[code] = unit[code] * *rows as f64;
            }
        }
        let mut sums = vec![0];
        for rows in rows {
            sums.push(sums[sums.len() - 1] + rows);
        }
        let is_listed = legal.blocks_to_cost().is_some_and(|b| b <= MOST_BLOCKS);
        let exact = is_listed.then(|| {
            let exact = FxHashMap::default();
            let mut recorder = Recorder {
                attribute,
                kind,
                exact,
            };
            legal.cheapest(&mut recorder);
            recorder.exact
        });
        let mut prices = Prices {
            kind,
            weight,
            rows: sums,
            unit,
            off,
            exact,
            runs: Vec::new(),
            least: Least::new(attribute, kind),
            levels: Vec::new(),
        };
        if rows.len() <= MOST_RUNS && model.has_cells() {
            let ends = |first: usize| (0..=rows.len()).map(move |end| (first, end));
            let all = (0..rows.len()).flat_map(ends);
            let cost = |(first, end)| match first < end {
                true => prices.cost(&[(first, end)]),
                false => f64::INFINITY,
            };
            prices.runs = all.map(cost).collect();
        }
        for (_, blocks) in legal.levels() {
            let partition = legal.partition(attribute, blocks);
            let cost = |code: usize| match kind {
                Kind::Rows => {
                    let codes = (0..blocks.len()).filter(|c| blocks[*c] == blocks[code]);
                    codes.map(|c| rows[c]).sum::<u64>() as f64
                }
                Kind::Share => partition.blocks[partition.block_of[code] as usize].lm,
                Kind::Height => partition.blocks[partition.block_of[code] as usize]
                    .height
                    .unwrap_or(f64::INFINITY),
                Kind::Classes | Kind::Labels | Kind::Unknown => 0.0,
            };
            prices.levels.push((0..blocks.len()).map(cost).collect());
        }
        prices
    }

    /// Whether every block that the scheme allows is listed.
    pub fn is_listed(&self) -> bool {
        self.exact.is_some()
    }

    /// The blocks that are listed, with what they cost, in the order of their codes.
    pub fn listed(&self) -> Vec<(Vec<(usize, usize)>, f64)> {
        let blocks = self.exact.iter().flat_map(|exact| exact.keys());
        let mut blocks: Vec<_> = blocks.map(|runs| (runs.clone(), self.cost(runs))).collect();
        blocks.sort_by(|(a, _), (b, _)| a.cmp(b));
        blocks
    }

    /// The rows of a block, whichever columns else there are.
    pub fn rows_in(&self, runs: &Runs) -> u64 {
        let run = |(first, end): &(usize, usize)| self.rows[*end] - self.rows[*first];
        runs.iter().map(run).sum()
    }

    /// The same of a run, from a table.
    pub fn run(&self, first: usize, end: usize) -> f64 {
        let size = self.unit.len();
        match self.runs.get(first * (size + 1) + end) {
            Some(cost) => *cost,
            None => self.cost(&[(first, end)]),
        }
    }

    /// What a block costs, that is not to grow; where it is not listed, at the least.
    pub fn cost(&self, runs: &Runs) -> f64 {
        if matches!(self.kind, Kind::Share | Kind::Height)
            && let Some(cost) = self.exact.as_ref().and_then(|exact| exact.get(runs))
        {
            return if self.weight > 0.0 { *cost } else { 0.0 };
        }
        self.least(runs)
    }

    /// The least that a block costs that holds these values.
    pub fn least(&self, runs: &Runs) -> f64 {
        let (Some((first, _)), Some((_, end))) = (runs.first(), runs.last()) else {
            return 0.0;
        };
        match (&self.least, self.kind) {
            (_, Kind::Rows) => self.rows_in(runs) as f64,
            (Least::Nothing, _) => 0.0,
            (Least::Share { others, line }, _) => {
                let count: usize = runs.iter().map(|(first, end)| end - first).sum();
                let count = (count - 1) as f64 / others;
                match line {
                    None => count,
                    Some(line) => {
                        let last = (end - 1).min(line.ends.len().saturating_sub(1));
                        let span = match (line.ends.get(*first), line.ends.get(last)) {
                            (Some((low, _)), Some((_, high))) => high - low,
                            _ => 0.0,
                        };
                        if line.or_count { span.min(count) } else { span }
                    }
                }
            }
            (Least::Height(levels), _) => {
                let together = levels.iter().position(|of| of[*first] == of[end - 1]);
                let height = (levels.len() - 1).max(1) as f64;
                together.unwrap_or(0) as f64 / height
            }
        }
    }
}

impl Least {
    fn new(attribute: &Attribute, kind: Kind) -> Self {
        let levels = attribute.hierarchy.levels();
        let of_sets = matches!(attribute.settings.scheme, Scheme::Set | Scheme::GuidedSet);
        match kind {
            Kind::Share => {
                let domain = &attribute.domain;
                let number = |value: Option<&Value>| value.and_then(Value::number);
                let line = (attribute.hierarchy.measure() == Measure::Span).then(|| {
                    let present = domain.present() as u32;
                    let ends = |code: u32| {
                        let (low, high) = (number(domain.low(code)), number(domain.high(code)));
                        (low.unwrap_or(0.0), high.unwrap_or(0.0))
                    };
                    let ends: Vec<(f64, f64)> = (0..present).map(ends).collect();
                    let (least, greatest) = match (ends.first(), ends.last()) {
                        (Some(first), Some(last)) => (first.0, last.1),
                        _ => (0.0, 0.0),
                    };
                    let span = greatest - least;
                    let share = |end: f64| match span > 0.0 {
                        true => (end - least) / span,
                        false => 0.0,
                    };
                    let ends = ends.iter().map(|(low, high)| (share(*low), share(*high)));
                    Line {
                        ends: ends.collect(),
                        or_count: domain.missing().is_some() || of_sets,
                    }
                });
                Least::Share {
                    others: domain.size().saturating_sub(1).max(1) as f64,
                    line,
                }
            }
            Kind::Height => Least::Height(levels.iter().map(|l| l.node_of.clone()).collect()),
            _ => Least::Nothing,
        }
    }
}

/// Notes every block that the scheme allows.
struct Recorder<'a> {
    attribute: &'a Attribute,
    kind: Kind,
    exact: FxHashMap<Vec<(usize, usize)>, f64>,
}

impl BlockCost for Recorder<'_> {
    fn cost(&mut self, runs: &Runs) -> f64 {
        let codes = runs.iter().flat_map(|(a, b)| *a as u32..*b as u32);
        let cost = match self.kind {
            Kind::Share => self.attribute.block(&codes.collect::<Vec<u32>>()).lm,
            Kind::Height => {
                let block = self.attribute.block(&codes.collect::<Vec<u32>>());
                block.height.unwrap_or(f64::INFINITY)
            }
            Kind::Rows | Kind::Classes | Kind::Labels | Kind::Unknown => 0.0,
        };
        self.exact.insert(runs.to_vec(), cost);
        // The same for all, so that none is passed over.
        1.0
    }
}
