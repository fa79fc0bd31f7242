//! What was found, in words.

use super::parts::Trial;
use super::{Broken, Reason, SuppressionReason};
use crate::counts::{Class, Classes};
use crate::privacy::short_over;
use crate::problem::Problem;

pub(super) fn reason(problem: &Problem, classes: &Classes, column: usize, trial: Trial) -> Reason {
    let attribute = &problem.attributes[column];
    let height = attribute.hierarchy.height();
    let labels = |class: usize| {
        let columns = 0..problem.attributes.len();
        columns
            .map(|column| classes.block(column, class).label.clone())
            .collect::<Vec<_>>()
    };
    let worst = trial.worst.map(|(least, class)| (least, labels(class)));
    let (smallest, class) = worst.unwrap_or_default();
    let broken = broken(problem, &trial.short);
    let stands = match trial.level {
        Some(0) => "is released as it is".to_string(),
        Some(level) => format!("stands at level {level} of {height}"),
        None => "is released in blocks of its own".to_string(),
    };
    let next = match trial.level {
        Some(level) if level > 0 => format!("at level {}", level - 1),
        _ => "with its values as they are".to_string(),
    };
    let why = match trial.short_rows {
        _ if trial.level == Some(0) => String::new(),
        0 => format!(": {next} no released class would break, so it could tell more"),
        rows => format!(
            ": {next} {} would break and {} fall short ({}), beside {} suppressed already ({} allowed); the class ({}) would leave {} alone",
            counted(trial.broken_classes, "class", "classes"),
            counted(rows, "row", "rows"),
            listed(&broken),
            classes.suppressed_rows(),
            problem.suppression.rows,
            class.join(", "),
            counted(smallest, "row", "rows"),
        ),
    };
    Reason {
        column: attribute.name.clone(),
        level: trial.level,
        height,
        short_rows: trial.short_rows,
        broken_classes: trial.broken_classes,
        broken,
        class,
        smallest,
        text: format!("{} {stands}{why}", attribute.name),
    }
}

pub(super) fn suppression(
    problem: &Problem,
    classes: &Classes,
    whole: &Class<'_>,
) -> SuppressionReason {
    let suppressed = (0..classes.len()).filter(|class| classes.is_suppressed(*class));
    let suppressed: Vec<usize> = suppressed.collect();
    let rows_of = |class: &usize| classes.rows()[*class];
    let mut short = vec![0; problem.requirements.len()];
    let mut is_sound = vec![true; classes.len()];
    for (place, requirement) in problem.requirements.iter().enumerate() {
        let falls: Vec<usize> = match requirement.over() {
            Some(over) => {
                let mut before = classes.clone();
                suppressed.iter().for_each(|class| before.restore(*class));
                let falls = short_over(&before, over, 0).into_iter();
                falls
                    .filter(|class| classes.is_suppressed(*class))
                    .collect()
            }
            None => (suppressed.iter().copied())
                .filter(|class| !requirement.holds(&classes.class(*class), whole))
                .collect(),
        };
        short[place] = falls.iter().map(rows_of).sum();
        falls.iter().for_each(|class| is_sound[*class] = false);
    }
    let broken = broken(problem, &short);
    let unique = suppressed
        .iter()
        .filter(|class| rows_of(class) == 1)
        .count() as u64;
    let rows = classes.suppressed_rows();
    let text = match rows {
        0 => "no row was suppressed".to_string(),
        rows => {
            let sound = suppressed.iter().filter(|class| is_sound[**class]);
            let joined: u64 = sound.map(rows_of).sum();
            let joined = match joined {
                0 => String::new(),
                joined => format!(
                    "; {} more stand in classes that fall short of nothing by themselves, and go with the others so that what is left, or what is masked, does not",
                    joined
                ),
            };
            format!(
                "{} suppressed: generalized like the rest they make {}, which fall short ({}), {unique} of a single row{joined}",
                match rows {
                    1 => "1 row was".to_string(),
                    rows => format!("{rows} rows were"),
                },
                counted(suppressed.len() as u64, "class", "classes"),
                listed(&broken),
            )
        }
    };
    SuppressionReason {
        rows,
        classes: suppressed.len() as u64,
        unique_rows: unique,
        broken,
        text,
    }
}

fn broken(problem: &Problem, short: &[u64]) -> Vec<Broken> {
    let asked = problem.requirements.iter().zip(short);
    let missed = asked.filter(|(_, rows)| **rows > 0);
    missed
        .map(|(requirement, rows)| Broken {
            requirement: requirement.text(),
            rows: *rows,
        })
        .collect()
}

fn listed(broken: &[Broken]) -> String {
    let each = |broken: &Broken| format!("{} of {}", broken.rows, broken.requirement);
    broken.iter().map(each).collect::<Vec<_>>().join(", ")
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
