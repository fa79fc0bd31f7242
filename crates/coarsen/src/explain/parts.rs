//! A column that tells more: what the released classes would fall into, and what these fall short of.

use rustc_hash::FxHashMap;

use crate::counts::{Class, ClassTally, Classes, Member};
use crate::domain::{Code, Partition};
use crate::problem::Problem;
use crate::recoding::Recoding;

/// What comes of it.
pub(super) struct Trial {
    /// The column's level, where it stands at one.
    pub level: Option<usize>,
    /// For each requirement, the rows that would fall short of it.
    pub short: Vec<u64>,
    /// The rows that would fall short of any.
    pub short_rows: u64,
    pub broken_classes: u64,
    /// The fewest rows that a class would leave alone, and the class.
    pub worst: Option<(u64, usize)>,
}

impl Trial {
    pub fn of(
        problem: &Problem,
        recoding: Option<&Recoding>,
        classes: &Classes,
        whole: &Class<'_>,
        column: usize,
    ) -> Self {
        let attribute = &problem.attributes[column];
        let level = match recoding {
            Some(Recoding::Partitions(partitions)) => (0..=attribute.hierarchy.height())
                .find(|level| Partition::at_level(attribute, *level) == partitions.columns[column]),
            _ => None,
        };
        let exact: Vec<u32> = (0..attribute.domain.size() as u32).collect();
        let finer = match level {
            Some(0) | None => &exact,
            Some(level) => &attribute.hierarchy.level(level - 1).node_of,
        };
        let mut trial = Trial {
            level,
            short: vec![0; problem.requirements.len()],
            short_rows: 0,
            broken_classes: 0,
            worst: None,
        };
        if level == Some(0) {
            return trial;
        }
        let codes = problem.counts.codes(column);
        let part_of = |member: &Member| finer[codes[member.combination as usize] as usize];
        let together = Together::of(problem, classes, column, &part_of);
        let mut parts: Vec<(u32, Member)> = Vec::new();
        for class in classes.released() {
            parts.clear();
            parts.extend(classes.members(class).iter().map(|m| (part_of(m), *m)));
            parts.sort_by_key(|(part, _)| *part);
            let mut least: Option<u64> = None;
            for part in parts.chunk_by(|a, b| a.0 == b.0) {
                let rows = trial.judge(problem, whole, &together, class, part);
                least = rows.map_or(least, |rows| Some(least.map_or(rows, |l: u64| l.min(rows))));
            }
            let Some(least) = least else { continue };
            trial.broken_classes += 1;
            if trial.worst.is_none_or(|(known, _)| least < known) {
                trial.worst = Some((least, class));
            }
        }
        trial
    }

    /// Holds a part against every requirement; its rows, where it falls short.
    fn judge(
        &mut self,
        problem: &Problem,
        whole: &Class<'_>,
        together: &Together,
        class: usize,
        part: &[(u32, Member)],
    ) -> Option<u64> {
        let rows: u64 = part.iter().map(|(_, member)| member.rows).sum();
        let is_plain = problem.requirements.iter().all(|r| r.k().is_some());
        let tallies = match is_plain {
            true => Vec::new(),
            false => tallies(problem, part),
        };
        let alone = Class::alone(rows, &tallies);
        let mut falls_short = false;
        for (place, requirement) in problem.requirements.iter().enumerate() {
            let holds = match requirement.over() {
                Some((_, k)) => together.rows(place, class, part[0].0) >= k,
                None => requirement.holds(&alone, whole),
            };
            if !holds {
                self.short[place] += rows;
                falls_short = true;
            }
        }
        self.short_rows += if falls_short { rows } else { 0 };
        falls_short.then_some(rows)
    }
}

/// For each requirement over some columns: the rows that would share their values in these.
struct Together {
    /// By the labels and by the part; the part is 0 where the column is none of theirs.
    rows: Vec<FxHashMap<(u32, u32), u64>>,
    /// For each requirement, the number of each class's labels in its other columns.
    label_of: Vec<Vec<u32>>,
}

impl Together {
    fn of(
        problem: &Problem,
        classes: &Classes,
        column: usize,
        part_of: &dyn Fn(&Member) -> u32,
    ) -> Self {
        let (mut all, mut labels) = (Vec::new(), Vec::new());
        for requirement in &problem.requirements {
            let (mut rows, mut label_of) = (FxHashMap::default(), Vec::new());
            if let Some((columns, _)) = requirement.over() {
                let mut known: FxHashMap<Vec<&str>, u32> = FxHashMap::default();
                for class in 0..classes.len() {
                    // A column that is not among them may tell more without parting anyone.
                    let others = columns.iter().filter(|other| **other != column);
                    let key = others.map(|other| classes.block(*other, class).label.as_str());
                    let next = known.len() as u32;
                    label_of.push(*known.entry(key.collect()).or_insert(next));
                }
                let parts = columns.contains(&column);
                for class in classes.released() {
                    for member in classes.members(class) {
                        let part = if parts { part_of(member) } else { 0 };
                        *rows.entry((label_of[class], part)).or_default() += member.rows;
                    }
                }
            }
            all.push(rows);
            labels.push(label_of);
        }
        Together {
            rows: all,
            label_of: labels,
        }
    }

    fn rows(&self, requirement: usize, class: usize, part: u32) -> u64 {
        let label = self.label_of[requirement][class];
        let rows = &self.rows[requirement];
        let found = rows.get(&(label, part)).or_else(|| rows.get(&(label, 0)));
        found.copied().unwrap_or(0)
    }
}

/// The values of every tallied column in a part.
fn tallies(problem: &Problem, part: &[(u32, Member)]) -> Vec<ClassTally> {
    let counts = &problem.counts;
    let of_column = |place: usize| {
        let mut entries: Vec<(u32, Code, u64)> = Vec::new();
        for (_, member) in part {
            match member.kind {
                Some(kind) => {
                    let value = counts.kinds()[kind as usize].values[place];
                    entries.push((0, value, member.rows));
                }
                None => {
                    let beside = counts.tallies()[place].of(member.combination as usize);
                    entries.extend(beside.iter().map(|(value, rows)| (0, value, rows)));
                }
            }
        }
        ClassTally::of_entries(entries, 1)
    };
    (0..counts.tallies().len()).map(of_column).collect()
}
