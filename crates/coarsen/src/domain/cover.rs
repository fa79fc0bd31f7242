//! Which codes of a column a released block covers, by sums over them: rows (HDM), values that a
//! selection wants (imprecision), values of a group (what a report spreads a block over).
//!
//! A block says what it covers by values, so this holds for partitions, regions and cells alike.

use std::cell::OnceCell;

use super::{Block, Code, Domain, Extent, Index, Value};

/// Prefix sums of some figure over the codes of a domain.
pub struct Cover<'a> {
    domain: &'a Domain,
    index: OnceCell<Index<'a>>,
    before: Vec<u64>,
}

impl<'a> Cover<'a> {
    /// Sums of `figures`, one a code, the missing value's last.
    pub fn new(domain: &'a Domain, figures: impl Iterator<Item = u64>) -> Self {
        let mut before = Vec::with_capacity(domain.size() + 1);
        before.push(0);
        let mut sum = 0;
        for figure in figures {
            sum += figure;
            before.push(sum);
        }
        assert_eq!(before.len(), domain.size() + 1, "one figure a code");
        Cover {
            domain,
            index: OnceCell::new(),
            before,
        }
    }

    /// The sum over the codes that a block covers.
    pub fn sum(&self, block: &Block) -> u64 {
        let size = self.domain.size();
        match &block.extent {
            Extent::All => self.before[size],
            Extent::Missing => self.missing(),
            Extent::Range { low, high } => self.between(low, high),
            Extent::Ranges { ranges, missing } => {
                let present: u64 = ranges
                    .iter()
                    .map(|(low, high)| self.between(low, high))
                    .sum();
                present + if *missing { self.missing() } else { 0 }
            }
            Extent::Values { values, missing } => {
                let index = self.index.get_or_init(|| self.domain.index());
                let codes = values.iter().filter_map(|value| index.code(value));
                let present: u64 = codes.map(|code| self.at(code)).sum();
                present + if *missing { self.missing() } else { 0 }
            }
        }
    }

    /// Only columns on the number line release ranges, and their codes follow it.
    fn between(&self, low: &Value, high: &Value) -> u64 {
        let first = self.first(|code| self.domain.high(code).is_some_and(|h| h < low));
        let end = self.first(|code| self.domain.low(code).is_some_and(|l| l <= high));
        self.before[end.max(first)] - self.before[first]
    }

    fn at(&self, code: Code) -> u64 {
        self.before[code as usize + 1] - self.before[code as usize]
    }

    fn missing(&self) -> u64 {
        self.domain.missing().map_or(0, |code| self.at(code))
    }

    /// The first present code that is not `before` something.
    fn first(&self, before: impl Fn(Code) -> bool) -> usize {
        let (mut low, mut high) = (0, self.domain.present());
        while low < high {
            let middle = (low + high) / 2;
            if before(middle as Code) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}
