//! How a column's rows are distributed, before and after. The release is coarser, so a block's rows are
//! spread evenly over the values that it covers; what then differs from before is what the block hides.
//! Suppressed rows are part of the first and not of the second.

use coarsen::counts::{Classes, Counts};
use coarsen::domain::{Attribute, Code, Domain, Kind};

use super::groups::{Groups, day};
use crate::chart::{Axis, Bar, Bars, Curve, Line, Side, Svg, Unit, Words};
use crate::text::{counted, percent};

/// Ranges along a number line.
const RANGES: usize = 30;
/// Names that are told apart.
const NAMES: usize = 16;

/// One column's distribution over a few groups of its values, as shares of the rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// The column.
    pub column: String,
    /// The groups' names.
    pub names: Vec<String>,
    /// Where groups of numbers begin, and where the last ends.
    pub edges: Option<Vec<f64>>,
    /// Dates along the number line, as they are written.
    dates: Option<Vec<(f64, String)>>,
    /// The share of rows of each group before; none where only the release is known.
    pub before: Option<Vec<f64>>,
    /// The share of rows of each group after.
    pub after: Vec<f64>,
}

/// The distribution of every quasi-identifier and of every tallied column. `least` is how many rows
/// a value needs to be named.
pub fn distributions(
    attributes: &[Attribute],
    counts: &Counts,
    classes: &Classes,
    least: u64,
) -> Vec<Distribution> {
    let of_attribute = |(place, attribute): (usize, &Attribute)| {
        let rows = counts.marginal(place, attribute.domain.size());
        let groups = groups(&attribute.domain, &rows, least);
        let mut after = vec![0.0; groups.len()];
        let spread = groups.spread(&attribute.domain, classes.blocks(place));
        for (shares, rows) in spread.iter().zip(classes.rows_of_blocks(place)) {
            for (group, share) in shares {
                after[*group] += share * rows as f64;
            }
        }
        Distribution::of(&attribute.name, &attribute.domain, groups, &rows, after)
    };
    let of_tally = |place: usize| {
        let tally = &counts.tallies()[place];
        let domain = &tally.column().domain;
        let mut rows = vec![0; domain.size()];
        for (code, held) in tally.whole().of(0).iter() {
            rows[code as usize] = held;
        }
        let groups = groups(domain, &rows, least);
        let mut after = vec![0.0; groups.len()];
        for class in classes.released() {
            for (code, held) in classes.class(class).tally(place).iter() {
                after[groups.of(code)] += held as f64;
            }
        }
        Distribution::of(&tally.column().name, domain, groups, &rows, after)
    };
    let tallied = (0..counts.tallies().len()).map(of_tally);
    let quasi = attributes.iter().enumerate().map(of_attribute);
    quasi.chain(tallied).collect()
}

/// The distribution of a release's own texts: what anybody can count in it.
pub fn released_distributions(attributes: &[Attribute], counts: &Counts) -> Vec<Distribution> {
    let of_texts = |name: &str, domain: &Domain, rows: &[u64]| {
        let groups = Groups::of_names(domain, rows, NAMES, 1);
        let mut after = vec![0.0; groups.len()];
        for (code, held) in rows.iter().enumerate() {
            after[groups.of(code as Code)] += *held as f64;
        }
        let mut told = Distribution::of(name, domain, groups, rows, after);
        told.before = None;
        told
    };
    let quasi = attributes.iter().enumerate().map(|(place, attribute)| {
        let rows = counts.marginal(place, attribute.domain.size());
        of_texts(&attribute.name, &attribute.domain, &rows)
    });
    let tallied = counts.tallies().iter().map(|tally| {
        let domain = &tally.column().domain;
        let mut rows = vec![0; domain.size()];
        for (code, held) in tally.whole().of(0).iter() {
            rows[code as usize] = held;
        }
        of_texts(&tally.column().name, domain, &rows)
    });
    quasi.chain(tallied).collect()
}

fn groups(domain: &Domain, rows: &[u64], least: u64) -> Groups {
    match domain.kind().is_ordered() && domain.present() > 1 {
        true => Groups::of_widths(domain, RANGES),
        false => Groups::of_names(domain, rows, NAMES, least),
    }
}

impl Distribution {
    fn of(column: &str, domain: &Domain, groups: Groups, rows: &[u64], after: Vec<f64>) -> Self {
        let mut before = vec![0.0; groups.len()];
        for (code, held) in rows.iter().enumerate() {
            before[groups.of(code as Code)] += *held as f64;
        }
        let dates = match (&groups.edges, domain.kind()) {
            (Some(edges), Kind::Date) => Some(dates(domain, edges)),
            _ => None,
        };
        Distribution {
            column: column.to_string(),
            names: groups.names,
            edges: groups.edges,
            dates,
            before: Some(shares(before)),
            after: shares(after),
        }
    }

    /// Half the sum of differences between before and after: the share of rows that would have to
    /// move for one to become the other (total variation distance).
    pub fn distance(&self) -> Option<f64> {
        let before = self.before.as_ref()?;
        let gaps = before.iter().zip(&self.after).map(|(a, b)| (a - b).abs());
        Some(gaps.sum::<f64>() / 2.0)
    }

    /// The chart: a line of steps for numbers, bars for names.
    pub fn chart(&self) -> Svg {
        let words = Words {
            title: self.column.clone(),
            description: self.said(),
        };
        let share = Axis::new("share of rows", Unit::Share);
        if let Some(edges) = &self.edges {
            let line = |side: Side, shares: &[f64]| {
                let mut points: Vec<(f64, f64)> =
                    edges.iter().copied().zip(shares.iter().copied()).collect();
                let last = points.last().map_or(0.0, |point| point.1);
                points.truncate(edges.len() - 1);
                let held = points.last().map_or(last, |point| point.1);
                points.push((edges[edges.len() - 1], held));
                let name = match side {
                    Side::Before => "before",
                    Side::After => "after, blocks spread evenly",
                };
                Line {
                    side,
                    name: name.into(),
                    points,
                }
            };
            let mut lines = Vec::new();
            if let Some(before) = &self.before {
                lines.push(line(Side::Before, before));
            }
            lines.push(line(Side::After, &self.after));
            let missing = match self.names.len() == edges.len() {
                true => format!(" (missing: {} after)", percent(self.after[edges.len() - 1])),
                false => String::new(),
            };
            let curve = Curve {
                words,
                x: Axis::new(format!("{}{missing}", self.column), Unit::Plain),
                y: share,
                lines,
                mark: None,
                ticks: self.dates.clone(),
            };
            return curve.draw();
        }
        let bar = |(place, name): (usize, &String)| Bar {
            label: match name.is_empty() {
                true => "(empty)".into(),
                false => name.clone(),
            },
            before: self.before.as_ref().map(|before| before[place]),
            after: Some(self.after[place]),
        };
        let bars = Bars {
            words,
            places: String::new(),
            values: share,
            bars: self.names.iter().enumerate().map(bar).collect(),
        };
        bars.lying()
    }

    fn said(&self) -> String {
        let groups = counted(self.names.len() as u64, "group", "groups");
        match self.distance() {
            Some(distance) => format!(
                "Shares of the rows in {groups} of values, before and after; they differ by {} of the rows.",
                percent(distance)
            ),
            None => format!("Shares of the released rows over {groups} of values."),
        }
    }
}

/// Five dates along the line, by years where it is long.
fn dates(domain: &Domain, edges: &[f64]) -> Vec<(f64, String)> {
    use coarsen::domain::{Datelike, Day};
    let (low, high) = (edges[0], edges[edges.len() - 1]);
    let year = |number: f64| Day::from_num_days_from_ce_opt(number as i32).map(|day| day.year());
    if let (Some(first), Some(last)) = (year(low), year(high))
        && last - first >= 5
    {
        let step = crate::chart::round_step(f64::from(last - first) / 6.0).max(1.0) as i32;
        let round = (first + step - 1).div_euclid(step) * step;
        return (round..=last)
            .step_by(step as usize)
            .filter_map(|year| {
                let start = Day::from_ymd_opt(year, 1, 1)?;
                Some((f64::from(start.num_days_from_ce()), year.to_string()))
            })
            .collect();
    }
    let place = |i: u32| low + (high - low) * f64::from(i) / 3.0;
    (0..=3).map(|i| (place(i), day(domain, place(i)))).collect()
}

fn shares(mut rows: Vec<f64>) -> Vec<f64> {
    let all: f64 = rows.iter().sum();
    for held in &mut rows {
        *held /= if all > 0.0 { all } else { 1.0 };
    }
    rows
}
