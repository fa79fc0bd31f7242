//! A first solution for MinGen by cells, so that the search has something to beat: the row that is
//! hardest to place takes its nearest with it, until all are placed; a group that may not stand joins
//! the one that it costs least with.

use super::meeting::{Demands, Meeting, Members, raise};

/// Groups of all rows and what they cost; none where not even all rows together may stand.
pub(super) fn first(
    meeting: &Meeting,
    demands: &Demands<'_>,
    least: &[f64],
) -> Option<(f64, Vec<Members>)> {
    let mut left = meeting.rows();
    let mut rows: usize = left.iter().map(|rows| usize::from(*rows)).sum();
    if rows < demands.k {
        return None;
    }
    let mut groups = Vec::new();
    while rows > 0 {
        let size = match rows < 2 * demands.k {
            true => rows,
            false => demands.k,
        };
        groups.push(nearest(meeting, &mut left, least, size));
        rows -= size;
    }
    join(meeting, demands, &mut groups)?;
    let cost = groups.iter().map(|group| cost_of(meeting, group)).sum();
    Some((cost, groups))
}

/// The hardest row that is left, with its nearest.
fn nearest(meeting: &Meeting, left: &mut [u8], least: &[f64], size: usize) -> Members {
    let units = 0..left.len();
    let hardest = (units.clone().filter(|unit| left[*unit] > 0))
        .max_by(|a, b| least[*a].total_cmp(&least[*b]))
        .expect("a row is left");
    let mut levels = meeting.levels(hardest, hardest).to_vec();
    let mut members = Members::new();
    for taken in 0..size {
        let cost = |other: usize| {
            let mut levels = levels.clone();
            raise(&mut levels, meeting.levels(hardest, other));
            meeting.cost(hardest, &levels)
        };
        let next = match taken {
            0 => hardest,
            _ => (units.clone().filter(|unit| left[*unit] > 0))
                .min_by(|a, b| cost(*a).total_cmp(&cost(*b)))
                .expect("enough rows are left"),
        };
        raise(&mut levels, meeting.levels(hardest, next));
        left[next] -= 1;
        add(&mut members, next as u32, 1);
    }
    members
}

/// Joins groups until all may stand.
fn join(meeting: &Meeting, demands: &Demands<'_>, groups: &mut Vec<Members>) -> Option<()> {
    loop {
        let short = groups.iter().position(|group| !demands.allows(group));
        let Some(short) = short else {
            if demands.allow_all(groups.iter()) {
                return Some(());
            }
            // Only all rows together are sure to be like the whole.
            let all = std::mem::take(groups).into_iter().reduce(joined)?;
            groups.push(all);
            return demands.allows(&groups[0]).then_some(());
        };
        let group = groups.swap_remove(short);
        let with = |other: &usize| {
            let together = joined(group.clone(), groups[*other].clone());
            cost_of(meeting, &together) - cost_of(meeting, &groups[*other])
        };
        let other = (0..groups.len()).min_by(|a, b| with(a).total_cmp(&with(b)))?;
        groups[other] = joined(std::mem::take(&mut groups[other]), group);
    }
}

fn joined(mut one: Members, other: Members) -> Members {
    for (unit, rows) in other {
        add(&mut one, unit, rows);
    }
    one
}

fn add(members: &mut Members, unit: u32, rows: u8) {
    match members.iter_mut().find(|(known, _)| *known == unit) {
        Some((_, held)) => *held += rows,
        None => members.push((unit, rows)),
    }
}

fn cost_of(meeting: &Meeting, group: &Members) -> f64 {
    let levels = meeting.levels_of(group);
    let rows: f64 = group.iter().map(|(_, rows)| f64::from(*rows)).sum();
    rows * meeting.cost(group[0].0 as usize, &levels)
}
