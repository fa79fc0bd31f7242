//! MinGen at cell level (seed 002, section 3.4, equation 2): every cell of every row has a level of its
//! own, and the release is proven to be of least loss.
//!
//! Rows that are released alike climb, in each column, just to the lowest node they share: anything
//! higher loses more. So a release is a partition of the rows into groups of at least k, and since a
//! group of 2k or more can be split at no loss, of at most 2k − 1. [`branch`](super::branch) looks for
//! the best one; here the problem is checked, set up and written out as cells.

use super::branch::{Branch, Group};
use super::lattice::Lattice;
use super::{ENTRY, enforce};
use crate::counts::Member;
use crate::policy::SuppressionMode;
use crate::problem::Problem;
use crate::recoding::{CellClass, Cells, Recoding};
use crate::search::{Outcome, Run, SearchError, Step, Stop};

/// Beyond this many rows no proof is in reach: the paper's 12 take a moment, some dozens take hours.
pub(super) const MOST_ROWS: u64 = 200;

/// What cells cost and where two combinations meet.
pub(super) struct Meeting {
    columns: usize,
    combinations: usize,
    /// The lowest level at which two combinations agree, for each pair and column.
    level: Vec<u8>,
    /// `cost[column][level][node]`, the column's share of the weights in it.
    cost: Vec<Vec<Vec<f64>>>,
    /// The node of each combination: `node[column][level][combination]`.
    node: Vec<Vec<Vec<u32>>>,
}

impl Meeting {
    fn of(problem: &Problem, lattice: &Lattice) -> Option<Self> {
        let counts = &problem.counts;
        let (columns, combinations) = (counts.attributes(), counts.combinations());
        let costs = lattice.costs.as_ref()?;
        let mut cost = vec![Vec::new(); columns];
        for (place, column) in lattice.order.iter().enumerate() {
            cost[*column] = costs.cell[place].clone();
        }
        let of_column = |(column, attribute): (usize, &crate::domain::Attribute)| {
            let levels = attribute.hierarchy.levels().iter();
            let codes = counts.codes(column);
            levels
                .map(|level| {
                    codes
                        .iter()
                        .map(|code| level.node_of[*code as usize])
                        .collect()
                })
                .collect()
        };
        let node: Vec<Vec<Vec<u32>>> = problem
            .attributes
            .iter()
            .enumerate()
            .map(of_column)
            .collect();
        let mut level = Vec::with_capacity(combinations * combinations * columns);
        for one in 0..combinations {
            for other in 0..combinations {
                for nodes in &node {
                    let meets = nodes.iter().position(|nodes| nodes[one] == nodes[other]);
                    level.push(u8::try_from(meets?).ok()?);
                }
            }
        }
        Some(Meeting {
            columns,
            combinations,
            level,
            cost,
            node,
        })
    }

    /// The levels at which two combinations agree.
    pub fn levels(&self, one: usize, other: usize) -> &[u8] {
        let from = (one * self.combinations + other) * self.columns;
        &self.level[from..from + self.columns]
    }

    /// What a row costs that climbs to these levels.
    pub fn cost(&self, combination: usize, levels: &[u8]) -> f64 {
        let cells = levels.iter().enumerate().map(|(column, level)| {
            let level = usize::from(*level);
            self.cost[column][level][self.node[column][level][combination] as usize]
        });
        cells.sum()
    }
}

/// The best release by cells.
pub(super) fn by_cell(problem: &Problem, run: &Run) -> Result<Outcome, SearchError> {
    let total = problem.counts.total();
    if total > MOST_ROWS {
        return Err(SearchError::Unfit(format!(
            "MinGen by cells proves the best of some dozen rows, and the table has {total}; there is no hope beyond {MOST_ROWS}. Take search.mingen.level = \"attribute\", or another algorithm"
        )));
    }
    if !problem.requirements.iter().all(|r| r.k().is_some()) || !problem.counts.tallies().is_empty()
    {
        return Err(SearchError::Unfit(
            "MinGen by cells knows k-anonymity only, in a table without sensitive and target columns: equal rows may be released differently, and theirs could not be counted. Take search.mingen.level = \"attribute\"".into(),
        ));
    }
    let unbounded = || {
        SearchError::Unfit(format!(
            "MinGen by cells needs a loss that adds up over cells, such as prec or lm; {} does not",
            problem.loss.name
        ))
    };
    let lattice = Lattice::costs_of(problem);
    let meeting = Meeting::of(problem, &lattice).ok_or_else(unbounded)?;
    // Masked rows would be a group like any other; only dropped ones are a way out of their own.
    let may_drop = match problem.suppression.mode {
        SuppressionMode::Drop => problem.suppression.rows,
        SuppressionMode::Mask => 0,
    };
    let rows: Vec<u8> = problem
        .counts
        .rows()
        .iter()
        .map(|rows| *rows as u8)
        .collect();
    let k = usize::try_from(problem.k()).unwrap_or(usize::MAX);
    let mut branch = Branch::new(&meeting, rows, k, may_drop as usize, run);
    branch.search()?;
    let Some((groups, dropped)) = branch.best() else {
        return Err(SearchError::NoRelease(format!(
            "no grouping of the {total} rows has {k} rows in each group"
        )));
    };
    let mut classes: Vec<CellClass> = groups
        .iter()
        .map(|group| released(problem, &meeting, group))
        .collect();
    // A row alone in its class falls short, and is dropped by what enforces the requirement.
    for (combination, rows) in dropped.iter().enumerate() {
        let alone = Group {
            members: vec![(combination as u32, 1)],
        };
        let class = released(problem, &meeting, &alone);
        classes.extend(std::iter::repeat_n(class, usize::from(*rows)));
    }
    let recoding = Recoding::Cells(Cells { classes });
    let mut classes = recoding.classes(&problem.attributes, &problem.counts);
    let mode = problem.suppression.mode;
    let short = enforce(&problem.counts, &problem.requirements, mode, &mut classes);
    let cost = problem.cost(&classes);
    let over = branch.is_over();
    Ok(Outcome {
        algorithm: ENTRY.name,
        recoding,
        cost,
        stop: if over { Stop::Budget } else { Stop::Optimal },
        bound: Some(if over {
            (branch.bound() / total as f64).min(cost)
        } else {
            cost
        }),
        trace: vec![Step {
            what: format!(
                "{} groups of rows, {} groupings tried",
                groups.len(),
                branch.tried()
            ),
            short_rows: short,
            ..Step::default()
        }],
    })
}

/// The cells of a group: in each column the lowest node that all of it shares.
fn released(problem: &Problem, meeting: &Meeting, group: &Group) -> CellClass {
    let first = group.members[0].0 as usize;
    let mut levels = vec![0u8; meeting.columns];
    for (other, _) in &group.members {
        for (level, meets) in levels
            .iter_mut()
            .zip(meeting.levels(first, *other as usize))
        {
            *level = (*level).max(*meets);
        }
    }
    let cells = problem.attributes.iter().zip(&levels).enumerate();
    let blocks = cells.map(|(column, (attribute, level))| {
        let level = usize::from(*level);
        let node = meeting.node[column][level][first] as usize;
        attribute.block_of_node(level, &attribute.hierarchy.level(level).nodes[node])
    });
    let member = |(combination, rows): &(u32, u8)| Member {
        combination: *combination,
        rows: u64::from(*rows),
    };
    CellClass {
        blocks: blocks.collect(),
        members: group.members.iter().map(member).collect(),
    }
}
