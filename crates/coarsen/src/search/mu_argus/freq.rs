//! Sweeney's *freq* (seed 002, Fig. 11 step 1, Fig. 13 and 14): distinct sequences of values with their
//! rows and the combinations in which they stand out, and the cells that step 6 makes of them.

use rustc_hash::FxHashMap;

use super::combinations::{Degree, outliers, to_suppress};
use crate::counts::Member;
use crate::domain::{Attribute, Block};
use crate::problem::Problem;
use crate::recoding::{CellClass, Cells};
use crate::search::{Cancelled, Progress, Run, Step};

/// The frequency list at some levels: distinct sequences, their rows, and which of the tested
/// combinations stand out in each.
pub(super) struct Freq {
    entries: Vec<Vec<u32>>,
    rows: Vec<u64>,
    /// The combinations of the data behind each entry.
    members: Vec<Vec<Member>>,
    /// For each entry with outliers, the places of the outlying combinations.
    found: FxHashMap<usize, Vec<usize>>,
}

impl Freq {
    /// The list at some levels, nothing tested yet.
    pub fn at(problem: &Problem, levels: &[usize]) -> Self {
        let counts = &problem.counts;
        let mut freq = Freq {
            entries: Vec::new(),
            rows: Vec::new(),
            members: Vec::new(),
            found: FxHashMap::default(),
        };
        let mut known: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        for combination in 0..counts.combinations() {
            let columns = problem.attributes.iter().zip(levels).enumerate();
            let nodes = columns.map(|(column, (attribute, level))| {
                let code = counts.codes(column)[combination] as usize;
                attribute.hierarchy.level(*level).node_of[code]
            });
            let nodes: Vec<u32> = nodes.collect();
            let entry = *known.entry(nodes.clone()).or_insert_with(|| {
                freq.entries.push(nodes);
                freq.rows.push(0);
                freq.members.push(Vec::new());
                freq.entries.len() - 1
            });
            let rows = counts.rows()[combination];
            freq.rows[entry] += rows;
            freq.members[entry].push(Member::of(combination as u32, rows));
        }
        freq
    }

    /// Step 3: tests every set of columns.
    pub fn with_outliers(
        mut self,
        sets: &[Vec<usize>],
        k: u64,
        run: &Run,
    ) -> Result<Self, Cancelled> {
        for (place, set) in sets.iter().enumerate() {
            run.check()?;
            for entry in outliers(&self.entries, &self.rows, set, k) {
                self.found.entry(entry).or_default().push(place);
            }
            run.report(Progress {
                done: place as u64 + 1,
                of: Some(sets.len() as u64),
                cost: None,
            });
        }
        Ok(self)
    }

    /// Whether something stands out.
    pub fn has_outliers(&self) -> bool {
        !self.found.is_empty()
    }

    /// A step for every combination that is too rare somewhere, with how many rows that touches.
    pub fn tell_outliers(
        &self,
        attributes: &[Attribute],
        sets: &[Vec<usize>],
        trace: &mut Vec<Step>,
    ) {
        for (set, rows) in sets.iter().zip(self.outlying(sets)) {
            if rows > 0 {
                let names: Vec<&str> = set.iter().map(|c| attributes[*c].name.as_str()).collect();
                trace.push(Step {
                    what: format!("too rare together: {}", names.join(", ")),
                    short_rows: rows,
                    ..Step::default()
                });
            }
        }
    }

    /// For each set of columns, the rows that stand out in it.
    pub fn outlying(&self, sets: &[Vec<usize>]) -> Vec<u64> {
        let mut rows = vec![0; sets.len()];
        for (entry, found) in &self.found {
            for place in found {
                rows[*place] += self.rows[*entry];
            }
        }
        rows
    }

    /// The rows that stand out somewhere.
    pub fn outlying_rows(&self) -> u64 {
        self.found.keys().map(|entry| self.rows[*entry]).sum()
    }

    /// Step 6: the cells that are released, rows that are released alike as one class.
    pub fn suppress(
        &self,
        problem: &Problem,
        levels: &[usize],
        sets: &[Vec<usize>],
        degrees: &[Degree],
        trace: &mut Vec<Step>,
    ) -> Cells {
        let attributes = &problem.attributes;
        let mut lost = vec![0u64; attributes.len()];
        let mut class_of: FxHashMap<Vec<Option<u32>>, usize> = FxHashMap::default();
        let mut classes: Vec<CellClass> = Vec::new();
        for (entry, nodes) in self.entries.iter().enumerate() {
            let found = self.found.get(&entry).map_or(&[][..], Vec::as_slice);
            let outlying = found.iter().map(|place| sets[*place].as_slice()).collect();
            let suppressed = to_suppress(outlying, degrees);
            for column in &suppressed {
                lost[*column] += self.rows[entry];
            }
            let cells = nodes.iter().enumerate().map(|(column, node)| {
                let is_top = levels[column] == attributes[column].hierarchy.height();
                (!is_top && !suppressed.contains(&column)).then_some(*node)
            });
            let cells: Vec<Option<u32>> = cells.collect();
            let class = *class_of.entry(cells.clone()).or_insert_with(|| {
                let block = |(column, node): (usize, &Option<u32>)| match node {
                    None => Block::suppressed(),
                    Some(node) => {
                        let level = levels[column];
                        let nodes = &attributes[column].hierarchy.level(level).nodes;
                        attributes[column].block_of_node(level, &nodes[*node as usize])
                    }
                };
                classes.push(CellClass {
                    blocks: cells.iter().enumerate().map(block).collect(),
                    members: Vec::new(),
                    is_dropped: false,
                });
                classes.len() - 1
            });
            classes[class]
                .members
                .extend_from_slice(&self.members[entry]);
        }
        for (attribute, rows) in attributes.iter().zip(lost) {
            if rows > 0 {
                trace.push(Step {
                    what: format!("suppress {}", attribute.name),
                    short_rows: rows,
                    ..Step::default()
                });
            }
        }
        Cells { classes }
    }
}
