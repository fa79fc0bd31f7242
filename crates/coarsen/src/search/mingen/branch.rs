//! Branch and bound over groupings of rows, for MinGen at cell level.
//!
//! A state is how many rows of each combination are still to be grouped: equal rows are
//! interchangeable, and what was grouped before does not matter, so a state that was met at no higher
//! cost is not looked at again. The first combination that is left is always in the next group, so
//! that every grouping is met once. A row costs at least what it does with its k − 1 nearest others,
//! which bounds what is left; groups are tried in the order of that bound. The first solution is greedy:
//! the row that is hardest to place takes its nearest with it.

use std::cell::Cell;

use rustc_hash::FxHashMap;

use super::cells::Meeting;
use crate::search::{Cancelled, Progress, Run};

/// Rows that are released alike: how many of which combination.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub members: Vec<(u32, u8)>,
}

/// States that are remembered; beyond it the search goes on without.
const MOST_STATES: usize = 1 << 21;

/// Costs are sums in floating point; less than this is no gain.
const GAIN: f64 = 1e-9;

/// A grouping: its groups, and how many rows of each combination are dropped.
type Grouping = (Vec<Group>, Vec<u8>);

pub(super) struct Branch<'a> {
    meeting: &'a Meeting,
    k: usize,
    may_drop: usize,
    run: &'a Run<'a>,
    /// What a row of each combination costs at least.
    least: Vec<f64>,
    left: Vec<u8>,
    left_rows: usize,
    left_least: f64,
    groups: Vec<Group>,
    dropped: Vec<u8>,
    dropped_rows: usize,
    best: Option<(f64, Grouping)>,
    met: FxHashMap<Vec<u8>, f64>,
    tried: u64,
    /// Groups that were put together, to look at the clock now and then.
    grown: Cell<u64>,
    over: Cell<bool>,
    bound: f64,
}

/// A group that may come next, with what the whole then costs at least.
struct Choice {
    bound: f64,
    cost: f64,
    /// Empty: one row of the first combination is dropped.
    group: Vec<(u32, u8)>,
}

impl<'a> Branch<'a> {
    pub fn new(
        meeting: &'a Meeting,
        rows: Vec<u8>,
        k: usize,
        may_drop: usize,
        run: &'a Run<'a>,
    ) -> Self {
        let least: Vec<f64> = (0..rows.len())
            .map(|one| least_cost(meeting, &rows, one, k))
            .collect();
        let left_least = rows
            .iter()
            .zip(&least)
            .map(|(n, l)| f64::from(*n) * l)
            .sum();
        Branch {
            meeting,
            k,
            may_drop,
            run,
            least,
            left_rows: rows.iter().map(|rows| usize::from(*rows)).sum(),
            left_least,
            dropped: vec![0; rows.len()],
            left: rows,
            groups: Vec::new(),
            dropped_rows: 0,
            best: None,
            met: FxHashMap::default(),
            tried: 0,
            grown: Cell::new(0),
            over: Cell::new(false),
            bound: left_least,
        }
    }

    /// Looks at every grouping that may be the best.
    pub fn search(&mut self) -> Result<(), Cancelled> {
        self.greedy();
        self.descend(0.0, 0)
    }

    pub fn best(&self) -> Option<&Grouping> {
        self.best.as_ref().map(|(_, grouping)| grouping)
    }

    pub fn is_over(&self) -> bool {
        self.over.get()
    }

    /// What no grouping goes below, summed over rows, where the budget ended the search.
    pub fn bound(&self) -> f64 {
        self.bound
    }

    pub fn tried(&self) -> u64 {
        self.tried
    }

    fn best_cost(&self) -> f64 {
        self.best.as_ref().map_or(f64::INFINITY, |(cost, _)| *cost)
    }

    fn descend(&mut self, cost: f64, depth: usize) -> Result<(), Cancelled> {
        self.run.check()?;
        self.tried += 1;
        let Some(first) = self.left.iter().position(|rows| *rows > 0) else {
            if cost < self.best_cost() - GAIN {
                self.best = Some((cost, (self.groups.clone(), self.dropped.clone())));
                self.run.report(Progress {
                    done: self.tried,
                    of: None,
                    cost: None,
                });
            }
            return Ok(());
        };
        if self.look_at_clock() || self.was_met(cost) {
            return Ok(());
        }
        let mut choices = Vec::new();
        self.choices(first, cost, &mut choices);
        if self.over.get() {
            return Ok(());
        }
        choices.sort_by(|a, b| a.bound.total_cmp(&b.bound));
        for choice in choices {
            if choice.bound >= self.best_cost() - GAIN {
                break;
            }
            if depth == 0 {
                self.bound = self.bound.max(choice.bound);
            }
            self.take(first, &choice, true);
            self.descend(cost + choice.cost, depth + 1)?;
            self.take(first, &choice, false);
            if self.over.get() {
                break;
            }
        }
        Ok(())
    }

    /// Whether the budget is used up; without a solution there is nothing to stop with.
    fn look_at_clock(&self) -> bool {
        if self.best.is_some() && self.run.is_over() {
            self.over.set(true);
        }
        self.over.get()
    }

    /// A first solution: the row that is hardest to place with its nearest, until fewer than two
    /// groups are left.
    fn greedy(&mut self) {
        let mut left = self.left.clone();
        let mut rows = self.left_rows;
        if rows < self.k {
            return;
        }
        let (mut groups, mut cost) = (Vec::new(), 0.0);
        while rows > 0 {
            let size = if rows < 2 * self.k { rows } else { self.k };
            let hardest = (0..left.len()).filter(|place| left[*place] > 0);
            let by_least = |a: &usize, b: &usize| self.least[*a].total_cmp(&self.least[*b]);
            let Some(first) = hardest.max_by(by_least) else {
                break;
            };
            let mut levels = self.meeting.levels(first, first).to_vec();
            let mut members: Vec<(u32, u8)> = Vec::new();
            for taken in 0..size {
                let joined = |other: usize| -> Vec<u8> {
                    let meets = self.meeting.levels(first, other);
                    levels.iter().zip(meets).map(|(a, b)| *a.max(b)).collect()
                };
                let nearest = match taken {
                    0 => Some(first),
                    _ => (0..left.len())
                        .filter(|place| left[*place] > 0)
                        .min_by(|a, b| {
                            let own = |other| self.meeting.cost(first, &joined(other));
                            own(*a).total_cmp(&own(*b))
                        }),
                };
                let Some(next) = nearest else { break };
                levels = joined(next);
                left[next] -= 1;
                match members
                    .iter_mut()
                    .find(|(known, _)| *known as usize == next)
                {
                    Some((_, rows)) => *rows += 1,
                    None => members.push((next as u32, 1)),
                }
            }
            rows -= size;
            cost += size as f64 * self.meeting.cost(first, &levels);
            groups.push(Group { members });
        }
        self.best = Some((cost, (groups, vec![0; left.len()])));
    }

    /// Whether the rows that are left were left before at no higher cost.
    fn was_met(&mut self, cost: f64) -> bool {
        let mut state = self.left.clone();
        state.push(self.dropped_rows as u8);
        if let Some(known) = self.met.get_mut(&state) {
            if *known <= cost + GAIN {
                return true;
            }
            *known = cost;
        } else if self.met.len() < MOST_STATES {
            self.met.insert(state, cost);
        }
        false
    }

    fn take(&mut self, first: usize, choice: &Choice, forth: bool) {
        let dropped = [(first as u32, 1)];
        let members = match choice.group.as_slice() {
            [] => &dropped[..],
            members => members,
        };
        for (combination, rows) in members {
            let place = *combination as usize;
            let least = f64::from(*rows) * self.least[place];
            if forth {
                self.left[place] -= rows;
                self.left_rows -= usize::from(*rows);
                self.left_least -= least;
            } else {
                self.left[place] += rows;
                self.left_rows += usize::from(*rows);
                self.left_least += least;
            }
        }
        match (choice.group.is_empty(), forth) {
            (true, true) => {
                (self.dropped[first], self.dropped_rows) =
                    (self.dropped[first] + 1, self.dropped_rows + 1)
            }
            (true, false) => {
                (self.dropped[first], self.dropped_rows) =
                    (self.dropped[first] - 1, self.dropped_rows - 1)
            }
            (false, true) => self.groups.push(Group {
                members: choice.group.clone(),
            }),
            (false, false) => drop(self.groups.pop()),
        }
    }

    /// Every group with the first combination that is left.
    fn choices(&self, first: usize, cost: f64, choices: &mut Vec<Choice>) {
        if self.dropped_rows < self.may_drop {
            choices.push(Choice {
                bound: cost + 1.0 + self.left_least - self.least[first],
                cost: 1.0,
                group: Vec::new(),
            });
        }
        let start = Partial {
            members: vec![(first as u32, 1)],
            size: 1,
            levels: self.meeting.levels(first, first).to_vec(),
            least: self.least[first],
        };
        self.grow(first, start, cost, choices);
    }

    fn grow(&self, first: usize, group: Partial, cost: f64, choices: &mut Vec<Choice>) {
        self.grown.set(self.grown.get() + 1);
        let now = self.grown.get().is_multiple_of(1024);
        if self.over.get() || now && (self.run.check().is_err() || self.look_at_clock()) {
            return;
        }
        // Each row climbs to the levels of the group, whoever else joins; those that join cost at
        // least what they do anywhere.
        let per_row = self.meeting.cost(first, &group.levels);
        let own = per_row * group.size as f64;
        let bound = cost + own + self.left_least - group.least;
        if bound >= self.best_cost() - GAIN {
            return;
        }
        let rest = self.left_rows - group.size;
        let rest_fits = rest >= self.k || rest <= self.may_drop - self.dropped_rows;
        if group.size >= self.k && rest_fits {
            choices.push(Choice {
                bound,
                cost: own,
                group: group.members.clone(),
            });
        }
        if group.size + 1 > (2 * self.k).saturating_sub(1).max(1) {
            return;
        }
        let last = group.members[group.members.len() - 1];
        for next in last.0 as usize..self.left.len() {
            let held = if next == last.0 as usize { last.1 } else { 0 };
            if self.left[next] <= held {
                continue;
            }
            let mut larger = group.clone();
            if held > 0 {
                larger.members.pop();
            }
            larger.members.push((next as u32, held + 1));
            larger.size += 1;
            larger.least += self.least[next];
            let meets = self.meeting.levels(first, next);
            for (level, meets) in larger.levels.iter_mut().zip(meets) {
                *level = (*level).max(*meets);
            }
            self.grow(first, larger, cost, choices);
        }
    }
}

/// A group that is being put together.
#[derive(Clone)]
struct Partial {
    members: Vec<(u32, u8)>,
    size: usize,
    levels: Vec<u8>,
    least: f64,
}

/// What a row costs at least: what it does with the (k − 1)-th nearest other row. With fewer others it
/// can only be dropped.
fn least_cost(meeting: &Meeting, rows: &[u8], one: usize, k: usize) -> f64 {
    let mut costs: Vec<(f64, usize)> = (rows.iter().enumerate())
        .map(|(other, rows)| {
            let others = usize::from(*rows) - usize::from(other == one);
            (meeting.cost(one, meeting.levels(one, other)), others)
        })
        .collect();
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut wanted = k.saturating_sub(1);
    if wanted == 0 {
        return 0.0;
    }
    for (cost, others) in costs {
        if others >= wanted {
            return cost.min(1.0);
        }
        wanted -= others;
    }
    1.0
}
