//! What is minimized, taken apart so that it can be computed from sums over classes: what each cell costs
//! by its block, what each class costs by its figures, and what suppressed rows cost.
//!
//! The problem's loss, or a weighted mix of several (seed 000, section 3, has a weighted sum of targets;
//! a mix of losses is ours). LM, Prec, CM with or without a cost matrix, the regression metric by
//! variance, DM, conditional entropy and the average class are taken apart here; where another loss is
//! asked for, or a target has too many labels, releases are made and measured whole, which is slow.

use super::column::CellCost;
use crate::counts::Counts;
use crate::domain::{Code, Value};
use crate::loss::{self, LossEntry};
use crate::problem::Problem;
use crate::search::SearchError;
use crate::workload::{CostMatrix, Dispersion, Target};

/// A target with more labels is not kept by class.
const LABELS: usize = 64;

/// What is minimized.
pub(super) struct Objective {
    /// The losses with their weights.
    pub losses: Vec<(f64, &'static LossEntry)>,
    /// How to compute it from sums; none where it must be measured whole.
    pub sums: Option<Sums>,
}

/// A cost as sums over cells and classes.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    /// What LM and height count, before a column's weight.
    pub cells: CellCost,
    pub classes: Vec<ClassCost>,
    /// What is summed for each class: its rows first, then what `classes` speaks of.
    pub figures: Vec<Figure>,
}

/// A figure of a combination, summed up over a class.
#[derive(Clone, Copy, Debug)]
pub(super) enum Figure {
    Rows,
    /// The rows of a label.
    Label {
        tally: usize,
        label: Code,
    },
    /// The rows with a number.
    Known {
        tally: usize,
    },
    /// The numbers, from the table's mean on.
    Sum {
        tally: usize,
    },
    /// Their squares.
    Squares {
        tally: usize,
    },
}

/// A part of the cost that comes from the figures of a class, from `at` on.
#[derive(Clone, Debug)]
pub(super) enum ClassCost {
    /// Rows not in the majority; all of a suppressed class.
    Minority {
        share: f64,
        at: usize,
        labels: usize,
    },
    /// What it costs to take rows for their majority; suppressed rows are a class of their own.
    Taken {
        share: f64,
        at: usize,
        costs: CostMatrix,
        labels: usize,
    },
    /// Rows times entropy; suppressed rows are a class of their own.
    Bits {
        share: f64,
        at: usize,
        labels: usize,
    },
    /// The squared deviation from the mean; from the table's mean where suppressed.
    Deviation { share: f64, at: usize },
    /// The square of the rows; times the table where suppressed.
    Square { share: f64, total: f64 },
    /// Released rows over released classes.
    Average { share: f64 },
}

impl Objective {
    /// The problem's loss, or a mix of losses by their names.
    pub fn new(problem: &Problem, mix: &[(String, f64)]) -> Result<Self, SearchError> {
        let mut losses = Vec::new();
        for (name, weight) in mix {
            let entry = loss::find(name).expect("the settings were checked");
            if let Some(reason) = entry.loss.unfit(&problem.workload) {
                return Err(SearchError::Unfit(format!(
                    "search.genetic.mix asks for `{name}`, which does not apply here: {reason}"
                )));
            }
            losses.push((*weight, entry));
        }
        if losses.is_empty() {
            losses.push((1.0, problem.loss));
        }
        let mut sums = Sums {
            figures: vec![Figure::Rows],
            ..Sums::default()
        };
        let all = losses
            .iter()
            .all(|(weight, entry)| sums.add(problem, *weight, entry.name));
        Ok(Objective {
            losses,
            sums: all.then_some(sums),
        })
    }

    /// Whether a part of it knows only nodes of the hierarchy.
    pub fn asks_height(&self) -> bool {
        self.losses.iter().any(|(_, entry)| entry.name == "prec")
    }

    /// What it is, in words.
    pub fn text(&self) -> String {
        let part = |(weight, entry): &(f64, &LossEntry)| match self.losses.len() {
            1 => entry.name.to_string(),
            _ => format!("{weight} {}", entry.name),
        };
        let parts: Vec<String> = self.losses.iter().map(part).collect();
        parts.join(" + ")
    }
}

impl Sums {
    /// Adds a loss; false where it cannot be computed so.
    fn add(&mut self, problem: &Problem, weight: f64, name: &str) -> bool {
        let total = problem.counts.total() as f64;
        let weighed = |targets: Vec<&Target>| {
            let sum: f64 = targets.iter().map(|target| target.weight).sum();
            let shares = targets
                .into_iter()
                .map(move |t| (t.clone(), weight * t.weight / sum));
            shares.collect::<Vec<(Target, f64)>>()
        };
        match name {
            "lm" => self.cells.lm += weight,
            "prec" => self.cells.height += weight,
            "dm" => self.classes.push(ClassCost::Square {
                share: weight,
                total,
            }),
            "average-class-size" => self.classes.push(ClassCost::Average { share: weight }),
            "cm" | "conditional-entropy" => {
                for (target, share) in weighed(problem.workload.categories().collect()) {
                    let labels = problem.counts.tallies()[target.tally]
                        .column()
                        .domain
                        .size();
                    if labels > LABELS {
                        return false;
                    }
                    let (at, share) = (self.labels(target.tally, labels), share / total);
                    self.classes.push(match (name, target.costs) {
                        ("cm", None) => ClassCost::Minority { share, at, labels },
                        ("cm", Some(costs)) => ClassCost::Taken {
                            share,
                            at,
                            costs,
                            labels,
                        },
                        _ => ClassCost::Bits { share, at, labels },
                    });
                }
            }
            "regression" if problem.workload.dispersion == Dispersion::Variance => {
                for (target, share) in weighed(problem.workload.quantities().collect()) {
                    let most = table_deviation(&problem.counts, target.tally);
                    if most > 0.0 {
                        let tally = target.tally;
                        let at = self.figures.len();
                        self.figures.extend([
                            Figure::Known { tally },
                            Figure::Sum { tally },
                            Figure::Squares { tally },
                        ]);
                        let share = share / most;
                        self.classes.push(ClassCost::Deviation { share, at });
                    }
                }
            }
            _ => return false,
        }
        true
    }

    /// Where the labels of a target stand among the figures.
    fn labels(&mut self, tally: usize, labels: usize) -> usize {
        let first =
            |figure: &Figure| matches!(figure, Figure::Label { tally: t, label: 0 } if *t == tally);
        if let Some(at) = self.figures.iter().position(first) {
            return at;
        }
        let at = self.figures.len();
        let labels = (0..labels as Code).map(|label| Figure::Label { tally, label });
        self.figures.extend(labels);
        at
    }

    /// The figures of every combination, one after the other.
    pub fn of_combinations(&self, counts: &Counts) -> Vec<f64> {
        let stride = self.figures.len();
        let mut all = vec![0.0; counts.combinations() * stride];
        for (place, figure) in self.figures.iter().enumerate() {
            let numbers = match figure {
                Figure::Sum { tally } | Figure::Squares { tally } | Figure::Known { tally } => {
                    centred(counts, *tally)
                }
                _ => Vec::new(),
            };
            for combination in 0..counts.combinations() {
                let sum = |tally: usize, of: &dyn Fn(f64) -> f64| {
                    let values = counts.tallies()[tally].of(combination);
                    let known = values
                        .iter()
                        .filter_map(|(code, rows)| Some((numbers[code as usize]?, rows as f64)));
                    known.map(|(number, rows)| of(number) * rows).sum()
                };
                all[combination * stride + place] = match figure {
                    Figure::Rows => counts.rows()[combination] as f64,
                    Figure::Label { tally, label } => {
                        let values = counts.tallies()[*tally].of(combination);
                        let found = values.iter().find(|(code, _)| code == label);
                        found.map_or(0.0, |(_, rows)| rows as f64)
                    }
                    Figure::Known { tally } => sum(*tally, &|_| 1.0),
                    Figure::Sum { tally } => sum(*tally, &|x| x),
                    Figure::Squares { tally } => sum(*tally, &|x| x * x),
                };
            }
        }
        all
    }
}

/// The number behind each code, from the table's mean on, so that squares of large numbers keep their
/// digits; none where there is none.
fn centred(counts: &Counts, tally: usize) -> Vec<Option<f64>> {
    let tally = &counts.tallies()[tally];
    let domain = &tally.column().domain;
    let number = |code: Code| {
        let low = domain.low(code).and_then(Value::number)?;
        let high = domain.high(code).and_then(Value::number)?;
        Some(low + (high - low) / 2.0)
    };
    let numbers: Vec<Option<f64>> = (0..domain.size() as Code).map(number).collect();
    let (mut sum, mut rows) = (0.0, 0.0);
    for (code, count) in tally.whole().of(0).iter() {
        if let Some(number) = numbers[code as usize] {
            sum += number * count as f64;
            rows += count as f64;
        }
    }
    let mean = if rows > 0.0 { sum / rows } else { 0.0 };
    numbers.into_iter().map(|n| Some(n? - mean)).collect()
}

/// The squared deviation of the whole table.
fn table_deviation(counts: &Counts, tally: usize) -> f64 {
    let numbers = centred(counts, tally);
    let whole = counts.tallies()[tally].whole();
    let known = whole.of(0);
    let known = known
        .iter()
        .filter_map(|(code, rows)| Some((numbers[code as usize]?, rows as f64)));
    known.map(|(number, rows)| number * number * rows).sum()
}

impl ClassCost {
    /// What a released class costs.
    #[inline]
    pub fn released(&self, figures: &[f64]) -> f64 {
        match self {
            ClassCost::Minority { share, at, labels } => {
                share * (figures[0] - most(&figures[*at..at + labels]))
            }
            ClassCost::Taken {
                share,
                at,
                costs,
                labels,
            } => share * taken(&figures[*at..at + labels], costs),
            ClassCost::Bits { share, at, labels } => share * bits(&figures[*at..at + labels]),
            ClassCost::Deviation { share, at } => match figures[*at] {
                0.0 => 0.0,
                known => {
                    let (sum, squares) = (figures[at + 1], figures[at + 2]);
                    share * (squares - sum * sum / known).max(0.0)
                }
            },
            ClassCost::Square { share, .. } => share * figures[0] * figures[0],
            ClassCost::Average { .. } => 0.0,
        }
    }

    /// What the suppressed rows cost, of which `pool` has the figures.
    pub fn suppressed(&self, pool: &[f64]) -> f64 {
        match self {
            ClassCost::Minority { share, .. } => share * pool[0],
            ClassCost::Deviation { share, at } => share * pool[at + 2],
            ClassCost::Square { share, total } => share * pool[0] * total,
            ClassCost::Average { .. } => 0.0,
            ClassCost::Taken { .. } | ClassCost::Bits { .. } => self.released(pool),
        }
    }

    /// What all classes cost together beyond the sum over them.
    pub fn together(&self, released_rows: f64, released_classes: usize) -> f64 {
        match self {
            ClassCost::Average { .. } if released_classes == 0 => f64::INFINITY,
            ClassCost::Average { share } => share * released_rows / released_classes as f64,
            _ => 0.0,
        }
    }
}

fn most(labels: &[f64]) -> f64 {
    labels.iter().copied().fold(0.0, f64::max)
}

/// Equal majorities: the first label.
fn taken(labels: &[f64], costs: &CostMatrix) -> f64 {
    let most = most(labels);
    let Some(majority) = labels.iter().position(|rows| *rows == most) else {
        return 0.0;
    };
    let cost = |(label, rows): (usize, &f64)| rows * costs.cost(label as Code, majority as Code);
    labels.iter().enumerate().map(cost).sum()
}

/// Rows times entropy, in bits.
fn bits(labels: &[f64]) -> f64 {
    let total: f64 = labels.iter().sum();
    let each = labels.iter().filter(|rows| **rows > 0.0);
    each.map(|rows| rows * (total / rows).log2()).sum()
}
