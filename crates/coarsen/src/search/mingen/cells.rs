//! MinGen at cell level (seed 002, section 3.4, equation 2): every cell of every row has a level of its
//! own, and the release is proven to be of least loss.
//!
//! Rows that are released alike climb, in each column, just to the lowest node they share: anything
//! higher loses more. So a release is a partition of the rows into groups that meet the requirement,
//! and [`branch`](super::branch) looks for the best one; here the problem is checked, set up and
//! written out as cells.

use super::ENTRY;
use super::branch::Branch;
use super::meeting::{Demands, Meeting};
use super::price::Grouping;
use crate::privacy::enforce;
use crate::problem::Problem;
use crate::recoding::{CellClass, Cells, Recoding};
use crate::search::lattice::Lattice;
use crate::search::{Outcome, Run, SearchError, Step, Stop};

/// Beyond this many rows no proof is in reach: the paper's 12 take a moment, some dozens take hours.
pub(super) const MOST_ROWS: u64 = 200;

/// The best release by cells; of equals, the one that leaves the preferred columns alone.
pub(super) fn by_cell(
    problem: &Problem,
    run: &Run,
    preferred: &[usize],
) -> Result<Outcome, SearchError> {
    let total = problem.counts.total();
    if total > MOST_ROWS {
        return Err(SearchError::Unfit(format!(
            "MinGen by cells proves the best of some dozen rows, and the table has {total}; there is no hope beyond {MOST_ROWS}. Take search.mingen.level = \"attribute\", or another algorithm"
        )));
    }
    if let Some(narrower) = problem.requirements.iter().find(|r| r.over().is_some()) {
        return Err(SearchError::Unfit(format!(
            "MinGen by cells makes groups that are held against the requirement one by one, and {} speaks of several together. Take search.mingen.level = \"attribute\"",
            narrower.text()
        )));
    }
    let lattice = Lattice::costs_of(problem);
    let meeting = Meeting::of(problem, &lattice).ok_or_else(|| {
        SearchError::Unfit(format!(
            "MinGen by cells needs a loss that adds up over cells, such as prec or lm; {} does not",
            problem.loss.name
        ))
    })?;
    let demands = Demands::of(problem, &meeting);
    let mut branch = Branch::new(&meeting, &demands, preferred, run);
    branch.search()?;
    let Some(best) = branch.best() else {
        return Err(SearchError::NoRelease(format!(
            "no grouping of the {total} rows meets the requirement with at most {} of them dropped",
            demands.may_drop
        )));
    };
    let recoding = Recoding::Cells(written(problem, &meeting, best));
    let mut classes = recoding.classes(&problem.attributes, &problem.counts);
    let mode = problem.suppression.mode;
    let short = enforce(&problem.counts, &problem.requirements, mode, &mut classes);
    let cost = problem.cost(&classes);
    let over = branch.is_over();
    let mut trace = vec![Step {
        what: format!(
            "{} groups of rows, {} groupings tried",
            best.groups.len(),
            branch.tried()
        ),
        short_rows: short,
        ..Step::default()
    }];
    if branch.is_undecided() {
        trace.push(Step {
            what: "the budget ended before all equally good groupings were compared".into(),
            short_rows: short,
            ..Step::default()
        });
    }
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
        trace,
    })
}

/// A grouping as cells.
fn written(problem: &Problem, meeting: &Meeting, best: &Grouping) -> Cells {
    let mut classes: Vec<CellClass> = (best.groups.iter())
        .map(|group| released(problem, meeting, group))
        .collect();
    for (unit, rows) in best.dropped.iter().enumerate() {
        if *rows > 0 {
            classes.push(CellClass {
                is_dropped: true,
                ..released(problem, meeting, &[(unit as u32, *rows)])
            });
        }
    }
    Cells { classes }
}

/// The cells of a group: in each column the lowest node that all of it shares.
fn released(problem: &Problem, meeting: &Meeting, group: &[(u32, u8)]) -> CellClass {
    let first = group[0].0 as usize;
    let levels = meeting.levels_of(group);
    let cells = problem.attributes.iter().zip(&levels).enumerate();
    let blocks = cells.map(|(column, (attribute, level))| {
        let node = meeting.node(column, *level, first);
        let height = usize::from(*level);
        attribute.block_of_node(height, &attribute.hierarchy.level(height).nodes[node])
    });
    CellClass {
        blocks: blocks.collect(),
        members: (group.iter())
            .map(|(unit, rows)| meeting.member(*unit, *rows))
            .collect(),
        is_dropped: false,
    }
}
