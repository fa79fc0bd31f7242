//! A hierarchy level by level, with the rows behind every group; or what is wrong with it, value by value.

use coarsen::domain::hierarchy::Level;
use coarsen::policy::{Column, Role};
use coarsen_engine::{CountedHierarchy, Engine};
use coarsen_report::text::{counted, cut, number, percent};
use maud::{Markup, html};

use crate::pages::kit::alert;
use crate::project::Read;
use crate::said::Said;

/// Groups of a level that are shown.
const SHOWN: usize = 8;

/// What a column would look like.
pub fn preview(engine: &Engine, read: &Read, name: &str, column: Result<Column, Said>) -> Markup {
    match column.and_then(|column| counts(engine, read, name, column)) {
        Err(said) => alert(&said),
        Ok(None) => {
            html! { p class="quiet" { "A column of this role is not coarsened, so there is nothing to preview." } }
        }
        Ok(Some(hierarchy)) => levels(&hierarchy),
    }
}

/// The hierarchy over the data; none where the column has none.
pub fn counts(
    engine: &Engine,
    read: &Read,
    name: &str,
    column: Column,
) -> Result<Option<CountedHierarchy>, Said> {
    let has_one = column.role == Role::QuasiIdentifier
        || column.role == Role::Sensitive && column.hierarchy.is_some();
    if !has_one {
        return Ok(None);
    }
    let mut policy = read.policy.clone();
    policy.columns.insert(name.to_string(), column);
    policy.check()?;
    for path in crate::project::read_by(&policy) {
        read.place
            .existing(crate::place::folder_of(&read.file), &path)?;
    }
    CountedHierarchy::of_policy(engine, &policy, &read.folder, name)
        .map(Some)
        .map_err(|error| Said::of_engine(&error, read.place.root()))
}

fn levels(hierarchy: &CountedHierarchy) -> Markup {
    let tree = &hierarchy.attribute.hierarchy;
    let height = tree.height();
    let missing = hierarchy.missing_rows();
    html! {
        p class="coverage" {
            "✓ Every value of the data is covered. "
            @if let Some(unused) = hierarchy.unused().filter(|unused| *unused > 0) { (counted(unused as u64, "leaf stands", "leaves stand")) " in no row. " }
            @if missing > 0 { (counted(missing, "row has", "rows have")) " no value here, which is a group of its own." }
        }
        div class="scroll" {
            table class="levels stack" {
                caption { "Level by level, from the values to *" }
                thead { tr { th scope="col" { "level" } th scope="col" class="n" { "groups" } th scope="col" class="n" { "rows in the smallest" } th scope="col" { "groups and their rows" } } }
                tbody {
                    @for (place, level) in tree.levels().iter().enumerate() {
                        tr {
                            th scope="row" { @if place == 0 { "0: as it is" } @else if place == height { (place) ": all" } @else { (place) } }
                            td class="n" data-what="groups" { (number(level.nodes.len() as u64)) }
                            td class="n" data-what="rows in the smallest" { (smallest(hierarchy, level)) }
                            td { (groups(hierarchy, level)) }
                        }
                    }
                }
            }
        }
    }
}

fn rows(hierarchy: &CountedHierarchy, level: &Level) -> Vec<(String, u64)> {
    let named = level.nodes.iter().map(|node| {
        (
            hierarchy.name_of(node),
            hierarchy.rows_of(node).unwrap_or(0),
        )
    });
    named.filter(|(_, rows)| *rows > 0).collect()
}

fn smallest(hierarchy: &CountedHierarchy, level: &Level) -> String {
    rows(hierarchy, level)
        .iter()
        .map(|(_, rows)| *rows)
        .min()
        .map_or("–".into(), number)
}

fn groups(hierarchy: &CountedHierarchy, level: &Level) -> Markup {
    let mut rows = rows(hierarchy, level);
    let all: u64 = rows.iter().map(|(_, rows)| rows).sum();
    let many = rows.len();
    if many > SHOWN {
        rows.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
        rows.truncate(SHOWN);
    }
    html! {
        ul class="groups" {
            @for (name, rows) in &rows {
                li title=(percent(*rows as f64 / all.max(1) as f64)) { span class="group" { (cut(name, 40)) } " " span class="quiet" { (number(*rows)) } }
            }
            @if many > SHOWN { li class="quiet" { "and " (number((many - SHOWN) as u64)) " more" } }
        }
    }
}
