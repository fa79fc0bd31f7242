//! What a released block says in numbers: its one number where it is exact, else where it begins and ends.

use coarsen::domain::{Attribute, Block, Code, Extent, Value};

/// The number of each block, where every block is one number (or the missing one).
pub fn exact_numbers(blocks: &[Block]) -> Option<Vec<f64>> {
    blocks
        .iter()
        .map(|block| match &block.extent {
            Extent::Missing => Some(f64::NAN),
            Extent::Range { low, high } if low == high && block.is_exact() => low.number(),
            Extent::Values {
                values,
                missing: false,
            } if values.len() == 1 => values[0]
                .number()
                .filter(|_| block.is_exact() && values[0].kind().is_ordered()),
            _ => None,
        })
        .collect()
}

/// The ends of a column's blocks on its line: its numbers, or the order of its leaves.
pub struct Ends<'a> {
    attribute: &'a Attribute,
    numeric: bool,
    index: coarsen::domain::Index<'a>,
}

impl<'a> Ends<'a> {
    /// Of a column.
    pub fn of(attribute: &'a Attribute) -> Self {
        Ends {
            attribute,
            numeric: attribute.domain.kind().is_ordered(),
            index: attribute.domain.index(),
        }
    }

    fn number(&self, value: &Value) -> f64 {
        match self.numeric {
            true => value.number().unwrap_or(f64::NAN),
            false => self.index.code(value).map_or(f64::NAN, f64::from),
        }
    }

    /// The least and the greatest value that a block may stand for.
    pub fn of_block(&self, block: &Block) -> [f64; 2] {
        let domain = &self.attribute.domain;
        match &block.extent {
            Extent::Missing => [f64::NAN; 2],
            Extent::Range { low, high } => [self.number(low), self.number(high)],
            Extent::Values { values, .. } => self.around(values.iter()),
            Extent::Ranges { ranges, .. } => {
                self.around(ranges.iter().flat_map(|(low, high)| [low, high]))
            }
            Extent::All => {
                let all = 0..domain.present() as Code;
                self.around(
                    all.flat_map(|code| [domain.low(code), domain.high(code)])
                        .flatten(),
                )
            }
        }
    }

    fn around<'v>(&self, values: impl Iterator<Item = &'v Value>) -> [f64; 2] {
        let mut ends = [f64::NAN; 2];
        for value in values {
            let number = self.number(value);
            ends = [ends[0].min(number), ends[1].max(number)];
        }
        ends
    }
}
