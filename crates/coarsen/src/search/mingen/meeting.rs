//! Rows that MinGen by cells groups: what they cost, where they meet, and which groups may stand.
//!
//! Rows that are alike, in what is tallied of them too, are one *unit*: they are interchangeable.

use crate::counts::{Class, ClassTally, Member};
use crate::domain::{Attribute, Code};
use crate::policy::SuppressionMode;
use crate::problem::Problem;
use crate::search::lattice::Lattice;

/// Some rows of some units.
pub(super) type Members = Vec<(u32, u8)>;

/// What cells cost and where two units meet.
pub(super) struct Meeting {
    columns: usize,
    /// A row of each unit: all of them where it is one of its combination.
    rows: Vec<Member>,
    /// The tallied values of each unit.
    values: Vec<Vec<Code>>,
    /// The lowest level at which two units agree, for each pair and column.
    level: Vec<u8>,
    /// `cost[column][level][node]`, the column's share of the weights in it.
    cost: Vec<Vec<Vec<f64>>>,
    /// The node of each unit: `node[column][level][unit]`.
    node: Vec<Vec<Vec<u32>>>,
}

impl Meeting {
    /// `None` where the loss does not add up over cells.
    pub fn of(problem: &Problem, lattice: &Lattice) -> Option<Self> {
        let counts = &problem.counts;
        let costs = lattice.costs.as_ref()?;
        let (rows, values): (Vec<Member>, Vec<Vec<Code>>) = if counts.tallies().is_empty() {
            let all = counts.rows().iter().enumerate();
            all.map(|(unit, rows)| (Member::of(unit as u32, *rows), Vec::new()))
                .unzip()
        } else {
            let all = counts.kinds().iter().enumerate();
            all.map(|(place, kind)| {
                let member = Member {
                    combination: kind.combination,
                    rows: kind.rows,
                    kind: Some(place as u32),
                };
                (member, kind.values.clone())
            })
            .unzip()
        };
        let mut cost = vec![Vec::new(); counts.attributes()];
        for (place, column) in lattice.order.iter().enumerate() {
            cost[*column] = costs.cell[place].clone();
        }
        let of_column = |(column, attribute): (usize, &Attribute)| {
            let code = |unit: &Member| counts.codes(column)[unit.combination as usize] as usize;
            let levels = attribute.hierarchy.levels().iter();
            levels
                .map(|level| rows.iter().map(|unit| level.node_of[code(unit)]).collect())
                .collect()
        };
        let attributes = problem.attributes.iter().enumerate();
        let node: Vec<Vec<Vec<u32>>> = attributes.map(of_column).collect();
        let mut level = Vec::with_capacity(rows.len() * rows.len() * node.len());
        for one in 0..rows.len() {
            for other in 0..rows.len() {
                for nodes in &node {
                    let meets = nodes.iter().position(|nodes| nodes[one] == nodes[other]);
                    level.push(u8::try_from(meets?).ok()?);
                }
            }
        }
        Some(Meeting {
            columns: counts.attributes(),
            rows,
            values,
            level,
            cost,
            node,
        })
    }

    /// How many rows each unit has.
    pub fn rows(&self) -> Vec<u8> {
        self.rows.iter().map(|unit| unit.rows as u8).collect()
    }

    /// Some rows of a unit.
    pub fn member(&self, unit: u32, rows: u8) -> Member {
        Member {
            rows: u64::from(rows),
            ..self.rows[unit as usize]
        }
    }

    /// The levels at which two units agree.
    pub fn levels(&self, one: usize, other: usize) -> &[u8] {
        let from = (one * self.rows.len() + other) * self.columns;
        &self.level[from..from + self.columns]
    }

    /// The levels that a group climbs to: the lowest node that all of it shares, in each column.
    pub fn levels_of(&self, members: &[(u32, u8)]) -> Vec<u8> {
        let first = members[0].0 as usize;
        let mut levels = vec![0; self.columns];
        for (other, _) in members {
            raise(&mut levels, self.levels(first, *other as usize));
        }
        levels
    }

    /// The node of a unit at a level.
    pub fn node(&self, column: usize, level: u8, unit: usize) -> usize {
        self.node[column][usize::from(level)][unit] as usize
    }

    /// What a row costs in one column at a level.
    pub fn cell_cost(&self, column: usize, level: u8, unit: usize) -> f64 {
        self.cost[column][usize::from(level)][self.node(column, level, unit)]
    }

    /// What a row costs that climbs to these levels.
    pub fn cost(&self, unit: usize, levels: &[u8]) -> f64 {
        let cells = levels.iter().enumerate();
        cells
            .map(|(column, level)| self.cell_cost(column, *level, unit))
            .sum()
    }

    /// What a row costs in a column that tells nothing.
    pub fn top_cost(&self, column: usize) -> f64 {
        let top = self.cost[column].last().and_then(|nodes| nodes.first());
        top.copied().unwrap_or(0.0)
    }
}

/// Raises levels to at least those of another.
pub(super) fn raise(levels: &mut [u8], to: &[u8]) {
    for (level, to) in levels.iter_mut().zip(to) {
        *level = (*level).max(*to);
    }
}

/// Which groups may stand.
pub(super) struct Demands<'a> {
    problem: &'a Problem,
    meeting: &'a Meeting,
    pub k: usize,
    /// How many rows may be dropped. Masked rows would be a group like any other, of the same cost.
    pub may_drop: usize,
    /// Whether rows are all that is asked for.
    pub is_plain: bool,
    /// Whether a class is compared with what is released, which is known only at the end.
    pub waits: bool,
    table: Vec<ClassTally>,
}

impl<'a> Demands<'a> {
    pub fn of(problem: &'a Problem, meeting: &'a Meeting) -> Self {
        let may_drop = match problem.suppression.mode {
            SuppressionMode::Drop => problem.suppression.rows as usize,
            SuppressionMode::Mask => 0,
        };
        let requirements = &problem.requirements;
        Demands {
            problem,
            meeting,
            k: usize::try_from(problem.k()).unwrap_or(usize::MAX),
            may_drop,
            is_plain: requirements.iter().all(|r| r.k().is_some()),
            waits: may_drop > 0 && requirements.iter().any(|r| r.compares()),
            table: problem.counts.tallies().iter().map(|t| t.whole()).collect(),
        }
    }

    /// Whether a group may stand, as far as that can be told before all rows have their place.
    pub fn allows(&self, members: &[(u32, u8)]) -> bool {
        let rows: usize = members.iter().map(|(_, rows)| usize::from(*rows)).sum();
        if rows < self.k || self.is_plain {
            return rows >= self.k;
        }
        let tallies = self.tally(members.iter().copied());
        let class = Class::alone(rows as u64, &tallies);
        let whole = Class::alone(self.problem.counts.total(), &self.table);
        let mut asked = self.problem.requirements.iter();
        asked.all(|r| self.waits && r.compares() || r.holds(&class, &whole))
    }

    /// Whether groups may stand together, once all rows have their place.
    pub fn allow_all<'g>(&self, groups: impl Iterator<Item = &'g Members> + Clone) -> bool {
        if !self.waits {
            return true;
        }
        let released = groups.clone().flatten().copied();
        let rows: u64 = released.clone().map(|(_, rows)| u64::from(rows)).sum();
        let tallies = self.tally(released);
        let whole = Class::alone(rows, &tallies);
        groups.into_iter().all(|members| {
            let tallies = self.tally(members.iter().copied());
            let rows = members.iter().map(|(_, rows)| u64::from(*rows)).sum();
            self.problem.holds(&Class::alone(rows, &tallies), &whole)
        })
    }

    fn tally(&self, members: impl Iterator<Item = (u32, u8)> + Clone) -> Vec<ClassTally> {
        let of_column = |place: usize| {
            let entries = members.clone().map(|(unit, rows)| {
                let value = self.meeting.values[unit as usize][place];
                (0, value, u64::from(rows))
            });
            ClassTally::of_entries(entries.collect(), 1)
        };
        (0..self.table.len()).map(of_column).collect()
    }
}
