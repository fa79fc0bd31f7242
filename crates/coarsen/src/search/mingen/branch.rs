//! Branch and bound over groupings of rows, for MinGen at cell level.
//!
//! A state is how many rows of each unit are still to be grouped: equal rows are interchangeable, and
//! what was grouped before does not matter, so a state that was met at no higher cost is not looked at
//! again. The first unit that is left is always in the next group, so that every grouping is met once.
//! Where k is all that is asked for, a group of 2k or more can be split at no loss, so none is tried. A
//! row costs at least what it does with its k − 1 nearest others, which bounds what is left; groups are
//! tried in the order of that bound.
//!
//! A second walk, below the least cost that the first has found, chooses among equals: least lost in
//! the first preferred column, then in the next, then fewest rows dropped, then the first that is met.

use std::cell::Cell;
use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use super::first::first;
use super::meeting::{Demands, Meeting, Members, raise};
use super::price::{Choice, GAIN, Grouping, Price, least_cost};
use crate::search::{Cancelled, Progress, Run};

/// States that are remembered; beyond it the search goes on without.
const MOST_STATES: usize = 1 << 21;
/// Groups that one row may choose from; where there are more, no proof is in reach, and the search ends
/// as at its budget rather than fill the memory.
const MOST_CHOICES: usize = 1 << 19;

pub(super) struct Branch<'a> {
    meeting: &'a Meeting,
    demands: &'a Demands<'a>,
    preferred: &'a [usize],
    run: &'a Run<'a>,
    /// What a row of each unit costs at least.
    least: Vec<f64>,
    left: Vec<u8>,
    left_rows: usize,
    left_least: f64,
    now: Grouping,
    dropped_rows: usize,
    best: Option<(Price, Grouping)>,
    /// Set in the second walk: what no grouping may cost more than.
    ceiling: Option<f64>,
    met: FxHashMap<Vec<u8>, Price>,
    tried: u64,
    /// Groups that were put together, to look at the clock now and then.
    grown: Cell<u64>,
    over: Cell<bool>,
    undecided: bool,
    bound: f64,
}

/// A group that is being put together.
#[derive(Clone)]
struct Partial {
    members: Members,
    size: usize,
    levels: Vec<u8>,
    least: f64,
}

impl<'a> Branch<'a> {
    pub fn new(
        meeting: &'a Meeting,
        demands: &'a Demands<'a>,
        preferred: &'a [usize],
        run: &'a Run<'a>,
    ) -> Self {
        let rows = meeting.rows();
        let least: Vec<f64> = (0..rows.len())
            .map(|one| least_cost(meeting, &rows, one, demands.k))
            .collect();
        let of_units = rows.iter().zip(&least);
        let left_least = of_units.map(|(rows, least)| f64::from(*rows) * least).sum();
        Branch {
            meeting,
            demands,
            preferred,
            run,
            least,
            left_rows: rows.iter().map(|rows| usize::from(*rows)).sum(),
            left_least,
            now: Grouping {
                groups: Vec::new(),
                dropped: vec![0; rows.len()],
            },
            left: rows,
            dropped_rows: 0,
            best: None,
            ceiling: None,
            met: FxHashMap::default(),
            tried: 0,
            grown: Cell::new(0),
            over: Cell::new(false),
            undecided: false,
            bound: left_least,
        }
    }

    /// Looks at every grouping that may be the best, then at those that are as good.
    pub fn search(&mut self) -> Result<(), Cancelled> {
        let nothing = |preference: usize| Price {
            cost: 0.0,
            preference: vec![0.0; preference],
        };
        if let Some((cost, groups)) = first(self.meeting, self.demands, &self.least) {
            let dropped = self.now.dropped.clone();
            let price = Price {
                cost,
                preference: Vec::new(),
            };
            self.best = Some((price, Grouping { groups, dropped }));
        }
        self.descend(nothing(0), 0)?;
        let Some((price, grouping)) = &self.best else {
            return Ok(());
        };
        let drops = grouping.dropped.iter().any(|rows| *rows > 0);
        if self.over.get() || self.preferred.is_empty() && !drops {
            return Ok(());
        }
        self.ceiling = Some(price.cost + GAIN);
        let price = self.priced(price.cost, grouping);
        self.best = Some((price, grouping.clone()));
        self.met.clear();
        self.descend(nothing(self.preferred.len() + 1), 0)?;
        self.undecided = self.over.replace(false);
        Ok(())
    }

    pub fn best(&self) -> Option<&Grouping> {
        self.best.as_ref().map(|(_, grouping)| grouping)
    }

    /// Whether the budget ended the search before the proof.
    pub fn is_over(&self) -> bool {
        self.over.get()
    }

    /// Whether it ended before all equally good groupings were compared.
    pub fn is_undecided(&self) -> bool {
        self.undecided
    }

    /// What no grouping goes below, summed over rows, where the budget ended the search.
    pub fn bound(&self) -> f64 {
        self.bound
    }

    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// Above this, nothing is worth a look.
    fn most(&self) -> f64 {
        match (self.ceiling, &self.best) {
            (Some(ceiling), _) => ceiling,
            (None, Some((price, _))) => price.cost - GAIN,
            (None, None) => f64::INFINITY,
        }
    }

    fn priced(&self, cost: f64, grouping: &Grouping) -> Price {
        let mut preference = vec![0.0; self.preferred.len() + 1];
        let mut add = |own: Vec<f64>| {
            for (sum, own) in preference.iter_mut().zip(own) {
                *sum += own;
            }
        };
        for group in &grouping.groups {
            let rows = group.iter().map(|(_, rows)| usize::from(*rows)).sum();
            add(self.lost_in_group(group[0].0 as usize, &self.meeting.levels_of(group), rows));
        }
        for _ in 0..grouping.dropped.iter().map(|rows| usize::from(*rows)).sum() {
            add(self.lost_in_drop());
        }
        Price { cost, preference }
    }

    fn lost_in_group(&self, first: usize, levels: &[u8], rows: usize) -> Vec<f64> {
        let lost =
            |column: &usize| rows as f64 * self.meeting.cell_cost(*column, levels[*column], first);
        self.preferred.iter().map(lost).chain([0.0]).collect()
    }

    fn lost_in_drop(&self) -> Vec<f64> {
        let top = self.preferred.iter().map(|c| self.meeting.top_cost(*c));
        top.chain([1.0]).collect()
    }

    fn descend(&mut self, price: Price, depth: usize) -> Result<(), Cancelled> {
        self.run.check()?;
        self.tried += 1;
        let Some(first) = self.left.iter().position(|rows| *rows > 0) else {
            self.arrive(price);
            return Ok(());
        };
        if self.look_at_clock() || self.was_met(&price) || self.is_no_better(&price) {
            return Ok(());
        }
        let mut choices = Vec::new();
        self.choices(first, price.cost, &mut choices);
        if self.over.get() {
            return Ok(());
        }
        choices.sort_by(|a, b| a.bound.total_cmp(&b.bound));
        for choice in choices {
            if choice.bound > self.most() {
                break;
            }
            if depth == 0 && self.ceiling.is_none() {
                self.bound = self.bound.max(choice.bound);
            }
            self.take(first, &choice, true);
            self.descend(price.plus(&choice), depth + 1)?;
            self.take(first, &choice, false);
            if self.over.get() {
                break;
            }
        }
        Ok(())
    }

    /// All rows have their place.
    fn arrive(&mut self, price: Price) {
        let is_gain = match (&self.best, self.ceiling) {
            (None, _) => true,
            (Some((best, _)), None) => price.cost < best.cost - GAIN,
            (Some((best, _)), Some(_)) => price.compare(best) == Ordering::Less,
        };
        if is_gain && self.demands.allow_all(self.now.groups.iter()) {
            self.best = Some((price, self.now.clone()));
            self.run.report(Progress {
                done: self.tried,
                of: None,
                cost: None,
            });
        }
    }

    /// Whether the budget is used up; without a solution there is nothing to stop with.
    fn look_at_clock(&self) -> bool {
        if self.best.is_some() && self.run.is_over() {
            self.over.set(true);
        }
        self.over.get()
    }

    /// In the second walk, whether what was lost so far is no better than the best.
    fn is_no_better(&self, price: &Price) -> bool {
        let best = self.best.as_ref().filter(|_| self.ceiling.is_some());
        best.is_some_and(|(best, _)| price.compare(best) != Ordering::Less)
    }

    /// Whether the rows that are left were left before at no higher price. Where groups wait to be held
    /// against what is released, how those before were made does matter.
    fn was_met(&mut self, price: &Price) -> bool {
        if self.demands.waits {
            return false;
        }
        let mut state = self.left.clone();
        state.push(self.dropped_rows as u8);
        if let Some(known) = self.met.get_mut(&state) {
            let no_higher = known.compare(price) != Ordering::Greater;
            if known.cost <= price.cost + GAIN && no_higher {
                return true;
            }
            if price.cost <= known.cost && !no_higher || known.preference.is_empty() {
                *known = price.clone();
            }
        } else if self.met.len() < MOST_STATES {
            self.met.insert(state, price.clone());
        }
        false
    }

    fn take(&mut self, first: usize, choice: &Choice, forth: bool) {
        let dropped = [(first as u32, 1)];
        let members = match choice.group.as_slice() {
            [] => &dropped[..],
            members => members,
        };
        for (unit, rows) in members {
            let unit = *unit as usize;
            let least = f64::from(*rows) * self.least[unit];
            if forth {
                self.left[unit] -= rows;
                self.left_rows -= usize::from(*rows);
                self.left_least -= least;
            } else {
                self.left[unit] += rows;
                self.left_rows += usize::from(*rows);
                self.left_least += least;
            }
        }
        match (choice.group.is_empty(), forth) {
            (true, true) => {
                self.now.dropped[first] += 1;
                self.dropped_rows += 1;
            }
            (true, false) => {
                self.now.dropped[first] -= 1;
                self.dropped_rows -= 1;
            }
            (false, true) => self.now.groups.push(choice.group.clone()),
            (false, false) => drop(self.now.groups.pop()),
        }
    }

    /// Every group with the first unit that is left.
    fn choices(&self, first: usize, cost: f64, choices: &mut Vec<Choice>) {
        if self.dropped_rows < self.demands.may_drop {
            choices.push(Choice {
                bound: cost + 1.0 + self.left_least - self.least[first],
                cost: 1.0,
                preference: self.lost_in_drop(),
                group: Members::new(),
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
        if choices.len() >= MOST_CHOICES {
            self.over.set(true);
        }
        if self.over.get() || now && (self.run.check().is_err() || self.look_at_clock()) {
            return;
        }
        // Each row climbs to the levels of the group, whoever else joins; those that join cost at
        // least what they do anywhere.
        let own = self.meeting.cost(first, &group.levels) * group.size as f64;
        let bound = cost + own + self.left_least - group.least;
        if bound > self.most() {
            return;
        }
        let (k, may_drop) = (self.demands.k, self.demands.may_drop);
        let rest = self.left_rows - group.size;
        let rest_fits = rest >= k || rest <= may_drop - self.dropped_rows;
        if group.size >= k && rest_fits && self.demands.allows(&group.members) {
            choices.push(Choice {
                bound,
                cost: own,
                preference: match self.ceiling {
                    None => Vec::new(),
                    Some(_) => self.lost_in_group(first, &group.levels, group.size),
                },
                group: group.members.clone(),
            });
        }
        if self.demands.is_plain && group.size + 1 > (2 * k).saturating_sub(1).max(1) {
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
            raise(&mut larger.levels, self.meeting.levels(first, next));
            self.grow(first, larger, cost, choices);
        }
    }
}
