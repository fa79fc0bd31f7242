//! Suppression: the classes that fall short are taken out of the release (steps 3 and 4 of Datafly,
//! seed 002 Fig. 8; every search and every reuse of a recoding ends here).
//!
//! Where rows are masked rather than dropped, the suppressed rows form a class like any other, `*` in
//! every column. It must satisfy the requirements too: the smallest classes join it until it does.
//! A class that was generalized to `*` in every column and satisfies them counts as released, unless
//! there are masked rows that it cannot be told from.

use crate::counts::{Class, ClassTally, Classes, Counts};
use crate::policy::SuppressionMode;
use crate::privacy::{Requirement, short_over};

/// Suppresses every class that falls short; returns how many rows that takes.
///
/// A requirement may speak of the released table as a whole (t-closeness does), which suppression
/// changes; so this repeats until nothing more falls short.
pub fn enforce(
    counts: &Counts,
    requirements: &[Box<dyn Requirement>],
    mode: SuppressionMode,
    classes: &mut Classes,
) -> u64 {
    let over: Vec<_> = requirements.iter().filter_map(|r| r.over()).collect();
    loop {
        one_by_one(counts, requirements, mode, classes);
        // What was taken out may leave others with too few beside them.
        let masked = match mode {
            SuppressionMode::Mask => classes.suppressed_rows(),
            SuppressionMode::Drop => 0,
        };
        let short: Vec<usize> = (over.iter())
            .flat_map(|over| short_over(classes, *over, masked))
            .collect();
        if short.is_empty() {
            return classes.suppressed_rows();
        }
        for class in short {
            classes.suppress(class);
        }
    }
}

/// Suppresses every class that falls short by itself.
fn one_by_one(
    counts: &Counts,
    requirements: &[Box<dyn Requirement>],
    mode: SuppressionMode,
    classes: &mut Classes,
) {
    let all_hold = |class: &Class<'_>, whole: &Class<'_>| {
        let mut alone = requirements.iter().filter(|r| r.over().is_none());
        alone.all(|requirement| requirement.holds(class, whole))
    };
    let table: Vec<ClassTally> = counts.tallies().iter().map(|tally| tally.whole()).collect();
    loop {
        let (rows, tallies) = match mode {
            SuppressionMode::Mask => (counts.total(), table.clone()),
            SuppressionMode::Drop => released(counts, classes, &table),
        };
        let whole = Class::alone(rows, &tallies);
        let short: Vec<usize> = classes
            .released()
            .filter(|class| !all_hold(&classes.class(*class), &whole))
            .collect();
        for class in &short {
            classes.suppress(*class);
        }
        if short.is_empty() || mode == SuppressionMode::Mask || counts.tallies().is_empty() {
            break;
        }
    }
    if mode == SuppressionMode::Mask && classes.suppressed_rows() > 0 {
        // What was generalized to `*` in every column cannot be told from the masked rows.
        let columns = counts.attributes();
        for class in 0..classes.len() {
            if (0..columns).all(|column| classes.block(column, class).is_suppressed()) {
                classes.suppress(class);
            }
        }
        // Masked rows are alike in any columns, so that they need the most that some ask for.
        let over = requirements.iter().filter_map(|r| r.over());
        let widest = over.map(|(_, k)| k).max().unwrap_or(0);
        let whole = Class::alone(counts.total(), &table);
        for class in smallest_first(classes, columns) {
            let (rows, tallies) = classes.pool();
            let enough = rows >= widest;
            if enough && all_hold(&Class::alone(rows, &tallies), &whole) {
                break;
            }
            classes.suppress(class);
        }
    }
}

/// The released rows as one class.
fn released(counts: &Counts, classes: &Classes, table: &[ClassTally]) -> (u64, Vec<ClassTally>) {
    let suppressed = classes.suppressed_rows();
    if suppressed == 0 || table.is_empty() {
        return (counts.total() - suppressed, table.to_vec());
    }
    (counts.total() - suppressed, classes.tally_released())
}

/// The released classes by their rows. Equally small ones stand in the order of what is released for
/// them, which does not depend on how values are coded: a saved recoding that is applied to the same
/// rows suppresses the same.
fn smallest_first(classes: &Classes, columns: usize) -> Vec<usize> {
    let labels =
        |class: usize| (0..columns).map(move |column| classes.block(column, class).label.as_str());
    let mut order: Vec<usize> = classes.released().collect();
    order.sort_by(|a, b| {
        let by_rows = classes.rows()[*a].cmp(&classes.rows()[*b]);
        by_rows.then_with(|| labels(*a).cmp(labels(*b)))
    });
    order
}
