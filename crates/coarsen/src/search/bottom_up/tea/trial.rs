//! What merging segments would do to the sizes of vids, found without touching the tree (seed 003,
//! section 5.3).

use super::{NONE, Patience, Tea};

/// A walk through subtrees that would merge.
pub(super) struct Trial<'a> {
    pub(super) tea: &'a Tea,
    /// The rows in new vids that patience minds.
    pub(super) new_low: u64,
    pub(super) patience: Option<Patience>,
}

impl Trial<'_> {
    /// Takes stock of what merging the nodes in a range of the stack would do; false where patience
    /// ran out.
    pub(super) fn merge(
        &mut self,
        stack: &mut Vec<(u32, u32)>,
        changes: &mut [i64],
        (from, to): (usize, usize),
        level: usize,
    ) -> bool {
        if level + 1 == self.tea.order.len() {
            let mut sum = 0;
            for (_, leaf) in &stack[from..to] {
                let rows = self.tea.nodes[*leaf as usize].rows;
                sum += rows;
                if let Some(change) = changes.get_mut(rows as usize) {
                    *change -= 1;
                }
            }
            if let Some(change) = changes.get_mut(sum as usize) {
                *change += 1;
            }
            return self.patience.is_none_or(|patience| {
                if sum <= patience.anonymity {
                    self.new_low += sum;
                }
                self.new_low <= patience.slack
            });
        }
        let base = stack.len();
        for place in from..to {
            let mut child = self.tea.nodes[stack[place].1 as usize].first;
            while child != NONE {
                let node = &self.tea.nodes[child as usize];
                stack.push((node.label, child));
                child = node.next;
            }
        }
        let end = stack.len();
        stack[base..].sort_unstable();
        let mut run = base;
        while run < end {
            let label = stack[run].0;
            let same = stack[run..end].partition_point(|(other, _)| *other == label);
            // What has no partner stays as it is.
            if same > 1 && !self.merge(stack, changes, (run, run + same), level + 1) {
                return false;
            }
            stack.truncate(end);
            run += same;
        }
        true
    }
}
