//! How many partitions are legal, without making them: 2ⁿ⁻¹ runs, Bell's number of sets, and the like
//! at every node of a tree.

use super::{Branch, Join, Kind, Legal};

impl Legal {
    /// The number of legal partitions; `u128::MAX` where there are as many or more.
    pub fn count(&self) -> u128 {
        match self.kind() {
            Kind::Levels(levels) => levels.len() as u128,
            Kind::Tree { branches, join } => {
                let mut counts: Vec<u128> = Vec::with_capacity(branches.len());
                for branch in branches {
                    counts.push(within(branch, *join, &counts));
                }
                counts.last().copied().unwrap_or(1)
            }
        }
    }
}

/// The number of legal partitions inside a branch, from those inside its children.
fn within(branch: &Branch, join: Join, counts: &[u128]) -> u128 {
    let children: Vec<u128> = branch.children.iter().map(|child| counts[*child]).collect();
    if children.is_empty() {
        return 1;
    }
    match join {
        Join::All => {
            let apart = children.iter().fold(1u128, |p, c| p.saturating_mul(*c));
            apart.saturating_add(1)
        }
        Join::Runs => {
            // Of the first i children: the last stands alone, or a run of two or more ends there.
            let mut first = vec![1u128];
            for (place, alone) in children.iter().enumerate() {
                let joined = first[..place]
                    .iter()
                    .fold(0u128, |s, c| s.saturating_add(*c));
                first.push(first[place].saturating_mul(*alone).saturating_add(joined));
            }
            first[children.len()]
        }
        Join::Sets => {
            // By how many children stand alone: the elementary symmetric sums of their counts, and
            // the partitions of the others in which no one is alone.
            let mut alone = vec![1u128];
            for count in &children {
                alone.push(0);
                for i in (1..alone.len()).rev() {
                    alone[i] = alone[i].saturating_add(alone[i - 1].saturating_mul(*count));
                }
            }
            let together = without_singletons(children.len());
            (0..alone.len()).fold(0u128, |sum, i| {
                sum.saturating_add(alone[i].saturating_mul(together[children.len() - i]))
            })
        }
    }
}

/// For 0 to n elements, the partitions into sets of two or more: V(n + 1) = Bell(n) − V(n).
fn without_singletons(n: usize) -> Vec<u128> {
    let bell = bell(n);
    let mut counts = vec![1u128];
    for place in 0..n {
        let next = match bell[place] {
            u128::MAX => u128::MAX,
            bell => bell - counts[place],
        };
        counts.push(next);
    }
    counts
}

/// Bell's numbers from 0 to n, by his triangle.
fn bell(n: usize) -> Vec<u128> {
    let mut numbers = vec![1u128];
    let mut row = vec![1u128];
    for _ in 0..n {
        numbers.push(row[row.len() - 1]);
        let mut next = vec![row[row.len() - 1]];
        for above in &row {
            next.push(next[next.len() - 1].saturating_add(*above));
        }
        row = next;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bells_numbers_and_those_without_singletons() {
        assert_eq!(bell(6), [1, 1, 2, 5, 15, 52, 203]);
        assert_eq!(without_singletons(6), [1, 0, 1, 1, 4, 11, 41]);
        // Too large to count is said as such, not wrapped around.
        assert_eq!(bell(200)[200], u128::MAX);
        assert_eq!(without_singletons(200)[200], u128::MAX);
    }
}
