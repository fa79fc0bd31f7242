//! The classes that a recoding makes of the frequency list: who hides among whom, and behind what.

use super::{ClassTally, Counts, Grouping, TallyView};
use crate::domain::Block;

/// Some rows of one combination that belong to a class. Partitions and regions put all rows of a
/// combination into one class; cells may spread them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The combination.
    pub combination: u32,
    /// How many of its rows.
    pub rows: u64,
}

/// Classes with what each column releases for them.
#[derive(Clone, Debug)]
pub struct Classes {
    /// For each column, the blocks that classes refer to.
    blocks: Vec<Vec<Block>>,
    /// For each column, the block of every class.
    block_of: Vec<Vec<u32>>,
    offsets: Vec<u32>,
    members: Vec<Member>,
    rows: Vec<u64>,
    tallies: Vec<ClassTally>,
    suppressed: Vec<bool>,
}

/// One class, as a requirement sees it.
#[derive(Clone, Copy, Debug)]
pub struct Class<'a> {
    /// Its number of rows.
    pub rows: u64,
    tallies: &'a [ClassTally],
    place: usize,
}

impl<'a> Class<'a> {
    /// A class that is the only one its tallies speak of.
    pub fn alone(rows: u64, tallies: &'a [ClassTally]) -> Self {
        Class {
            rows,
            tallies,
            place: 0,
        }
    }

    /// One of several classes that the tallies speak of.
    pub fn of(rows: u64, tallies: &'a [ClassTally], place: usize) -> Self {
        Class {
            rows,
            tallies,
            place,
        }
    }

    /// The values of a tallied column (by its place in [`Counts::tallies`]) in this class.
    pub fn tally(&self, column: usize) -> TallyView<'a> {
        self.tallies[column].of(self.place)
    }
}

impl Classes {
    /// Classes of whole combinations. `block_of[a][class]` names a block of `blocks[a]`.
    pub fn of_grouping(
        counts: &Counts,
        grouping: &Grouping,
        blocks: Vec<Vec<Block>>,
        block_of: Vec<Vec<u32>>,
    ) -> Self {
        let mut offsets = vec![0u32; grouping.classes + 1];
        for class in &grouping.class_of {
            offsets[*class as usize + 1] += 1;
        }
        for i in 1..offsets.len() {
            offsets[i] += offsets[i - 1];
        }
        let mut next = offsets.clone();
        let mut members = vec![
            Member {
                combination: 0,
                rows: 0
            };
            grouping.class_of.len()
        ];
        for (combination, class) in grouping.class_of.iter().enumerate() {
            let place = &mut next[*class as usize];
            members[*place as usize] = Member {
                combination: combination as u32,
                rows: counts.rows()[combination],
            };
            *place += 1;
        }
        Self::of_members(counts, offsets, members, blocks, block_of)
    }

    /// Classes of given members: class `c` has `members[offsets[c]..offsets[c + 1]]`.
    ///
    /// Tallies follow the combinations, so a combination with tallied columns must not be spread.
    pub fn of_members(
        counts: &Counts,
        offsets: Vec<u32>,
        members: Vec<Member>,
        blocks: Vec<Vec<Block>>,
        block_of: Vec<Vec<u32>>,
    ) -> Self {
        let classes = offsets.len() - 1;
        let of = |class: usize| &members[offsets[class] as usize..offsets[class + 1] as usize];
        let rows = (0..classes)
            .map(|c| of(c).iter().map(|m| m.rows).sum())
            .collect();
        let tallies = counts
            .tallies()
            .iter()
            .map(|tally| {
                let members =
                    (0..classes).map(|c| (c as u32, of(c).iter().map(|m| m.combination as usize)));
                tally.merge(members, classes)
            })
            .collect();
        let suppressed = vec![false; classes];
        Classes {
            blocks,
            block_of,
            offsets,
            members,
            rows,
            tallies,
            suppressed,
        }
    }

    /// How many classes, suppressed ones included.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no class at all.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// One class.
    pub fn class(&self, class: usize) -> Class<'_> {
        Class {
            rows: self.rows[class],
            tallies: &self.tallies,
            place: class,
        }
    }

    /// The rows of each class.
    pub fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// The members of a class.
    pub fn members(&self, class: usize) -> &[Member] {
        &self.members[self.offsets[class] as usize..self.offsets[class + 1] as usize]
    }

    /// The blocks that a column releases.
    pub fn blocks(&self, attribute: usize) -> &[Block] {
        &self.blocks[attribute]
    }

    /// The block of a class in a column, as a place in [`Classes::blocks`].
    pub fn block_of(&self, attribute: usize) -> &[u32] {
        &self.block_of[attribute]
    }

    /// What a column releases for a class.
    pub fn block(&self, attribute: usize, class: usize) -> &Block {
        &self.blocks[attribute][self.block_of[attribute][class] as usize]
    }

    /// Whether a class's rows are suppressed.
    pub fn is_suppressed(&self, class: usize) -> bool {
        self.suppressed[class]
    }

    /// Suppresses a class's rows.
    pub fn suppress(&mut self, class: usize) {
        self.suppressed[class] = true;
    }

    /// The classes that are released.
    pub fn released(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(|class| !self.suppressed[*class])
    }

    /// How many rows are suppressed.
    pub fn suppressed_rows(&self) -> u64 {
        self.rows
            .iter()
            .zip(&self.suppressed)
            .filter(|(_, s)| **s)
            .map(|(r, _)| r)
            .sum()
    }

    /// How many rows each block of a column is released for.
    pub fn rows_of_blocks(&self, attribute: usize) -> Vec<u64> {
        let mut rows = vec![0; self.blocks[attribute].len()];
        for class in self.released() {
            rows[self.block_of[attribute][class] as usize] += self.rows[class];
        }
        rows
    }

    /// All suppressed rows as one class, tallied anew.
    pub(crate) fn pool(&self, counts: &Counts) -> (u64, Vec<ClassTally>) {
        (self.suppressed_rows(), self.tally_where(counts, true))
    }

    /// The values of every tallied column over all released rows.
    pub(crate) fn tally_released(&self, counts: &Counts) -> Vec<ClassTally> {
        self.tally_where(counts, false)
    }

    fn tally_where(&self, counts: &Counts, suppressed: bool) -> Vec<ClassTally> {
        let together = |tally: &super::Tally| {
            let combinations = (0..self.len())
                .filter(|class| self.suppressed[*class] == suppressed)
                .flat_map(|class| self.members(class))
                .map(|member| member.combination as usize);
            tally.merge(std::iter::once((0, combinations)), 1)
        };
        counts.tallies().iter().map(together).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::{Entries, TallyColumn};
    use crate::domain::{Domain, Extent, Kind, Value};

    /// Three combinations of 2, 3 and 4 rows; the first and the last are one class. The tallied
    /// values: 0 and 1, 1, 0.
    fn two_classes() -> (Counts, Classes) {
        let entries = Entries {
            codes: vec![vec![0, 0, 1, 2]],
            tallied: vec![vec![0, 1, 1, 0]],
            rows: vec![1, 1, 3, 4],
        };
        let values = ["a", "b"].map(|text| Value::Text(text.into())).to_vec();
        let column = TallyColumn {
            name: "s".into(),
            domain: Domain::new(Kind::Text, None, values, false),
            hierarchy: None,
        };
        let counts = Counts::build(entries, vec![column]).0;
        let grouping = Grouping {
            class_of: vec![0, 1, 0],
            classes: 2,
        };
        let block = |label: &str| Block {
            label: label.into(),
            extent: Extent::Missing,
            lm: 0.0,
            height: None,
        };
        let blocks = vec![vec![block("one"), block("other")]];
        let classes = Classes::of_grouping(&counts, &grouping, blocks, vec![vec![1, 0]]);
        (counts, classes)
    }

    fn held(values: TallyView<'_>) -> Vec<(u32, u64)> {
        values.iter().collect()
    }

    #[test]
    fn a_class_has_its_members_and_their_values() {
        let (_, classes) = two_classes();
        assert_eq!((classes.len(), classes.is_empty()), (2, false));
        assert_eq!(classes.rows(), [6, 3]);
        let members = |class| -> Vec<(u32, u64)> {
            let members = classes.members(class).iter();
            members.map(|m| (m.combination, m.rows)).collect()
        };
        assert_eq!(members(0), [(0, 2), (2, 4)]);
        assert_eq!(members(1), [(1, 3)]);
        assert_eq!(held(classes.class(0).tally(0)), [(0, 5), (1, 1)]);
        assert_eq!(held(classes.class(1).tally(0)), [(1, 3)]);
        assert_eq!(classes.block(0, 0).label, "other");
        assert_eq!(classes.rows_of_blocks(0), [3, 6]);
    }

    #[test]
    fn suppressed_rows_are_one_pool() {
        let (counts, mut classes) = two_classes();
        assert_eq!(classes.pool(&counts).0, 0);
        assert_eq!(
            held(classes.tally_released(&counts)[0].of(0)),
            [(0, 5), (1, 4)]
        );
        classes.suppress(0);
        assert!(classes.is_suppressed(0) && !classes.is_suppressed(1));
        assert_eq!(classes.released().collect::<Vec<_>>(), [1]);
        assert_eq!(classes.suppressed_rows(), 6);
        assert_eq!(classes.rows_of_blocks(0), [3, 0]);
        let (rows, tallies) = classes.pool(&counts);
        assert_eq!((rows, held(tallies[0].of(0))), (6, vec![(0, 5), (1, 1)]));
        assert_eq!(held(classes.tally_released(&counts)[0].of(0)), [(1, 3)]);
    }
}
