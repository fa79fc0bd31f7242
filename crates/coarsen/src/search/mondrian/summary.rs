//! What the parts of a split would hold: their rows, the codes of every column, and the rows that
//! satisfy each selection. Boxes of single codes add up to those of both sides of every threshold.

use super::columns::{Cutting, Held};
use super::split::{Context, Cut, Region};
use super::strip::{Boxes, Strip};

/// What some rows hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary<'a> {
    pub rows: u64,
    pub held: &'a [Held],
    pub satisfied: &'a [u64],
}

/// Boxes with their rows, one a part.
struct Parts {
    rows: Vec<u64>,
    boxes: Boxes,
}

impl Parts {
    fn none(parts: usize, like: &Boxes) -> Self {
        Parts {
            rows: vec![0; parts],
            boxes: Boxes::none(parts, like.columns, like.selections),
        }
    }

    /// Adds a code of a strip to a part.
    fn join(&mut self, part: usize, strip: &Strip, slot: usize) {
        self.rows[part] += strip.rows[slot];
        self.boxes.join(part, &strip.boxes, slot);
    }

    /// Makes a part begin as another.
    fn copy(&mut self, from: usize, to: usize) {
        let Boxes {
            columns,
            selections,
            held,
            satisfied,
        } = &mut self.boxes;
        self.rows[to] = self.rows[from];
        held.copy_within(from * *columns..(from + 1) * *columns, to * *columns);
        satisfied.copy_within(
            from * *selections..(from + 1) * *selections,
            to * *selections,
        );
    }

    fn summary(&self, part: usize) -> Summary<'_> {
        Summary {
            rows: self.rows[part],
            held: self.boxes.held(part),
            satisfied: self.boxes.satisfied(part),
        }
    }
}

/// Calls `judge` with every cut of a column whose parts have enough rows, and what the parts that have
/// rows would hold.
pub(super) fn each_cut(
    context: &Context<'_>,
    region: &Region<'_>,
    column: usize,
    strip: &Strip,
    mut judge: impl FnMut(&dyn Fn() -> Cut, &[Summary<'_>]),
) {
    let count = strip.codes.len();
    match context.columns[column].cutting {
        Cutting::Threshold => {
            // The i-th part is everything from the i-th code on.
            let mut above = Parts::none(count, &strip.boxes);
            for slot in (0..count).rev() {
                if slot + 1 < count {
                    above.copy(slot + 1, slot);
                }
                above.join(slot, strip, slot);
            }
            let mut below = Parts::none(1, &strip.boxes);
            for (slot, code) in strip.codes.iter().enumerate() {
                if below.rows[0] >= context.k && above.rows[slot] >= context.k {
                    let parts = [below.summary(0), above.summary(slot)];
                    judge(&|| Cut::Below(*code), &parts);
                }
                below.join(0, strip, slot);
            }
        }
        Cutting::Children => {
            let Some(children) = context.columns[column].children(&region.tile[column]) else {
                return;
            };
            let mut parts = Parts::none(children.len(), &strip.boxes);
            for (slot, code) in strip.codes.iter().enumerate() {
                let child = children.partition_point(|child| child.end <= *code);
                parts.join(child, strip, slot);
            }
            let with_rows: Vec<Summary<'_>> = (0..children.len())
                .map(|part| parts.summary(part))
                .filter(|part| part.rows > 0)
                .collect();
            if with_rows.iter().all(|part| part.rows >= context.k) {
                judge(&|| Cut::Into(children.clone()), &with_rows);
            }
        }
    }
}
