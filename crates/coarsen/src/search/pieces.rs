//! Blocks of a column on their way: what a search that merges or splits blocks step by step keeps of
//! each (its codes, what it is in the tree, how its targets are mixed), and the partition they make.

use super::Tradeoff;
use super::information::{Judge, Mix};
use crate::counts::Counts;
use crate::domain::{Attribute, Block, Code, Partition};
use crate::problem::Problem;
use crate::recoding::Partitions;

/// Where a piece stands in its column's tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// It is this node.
    Node { level: usize, node: usize },
    /// It is a set of codes; where the tree guides, some children of this node.
    Set { within: Option<(usize, usize)> },
}

/// Codes as runs of neighbours, so that a block of very many values stays small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Codes {
    /// The first code of each run and the one past its last, rising; no two touch.
    runs: Vec<(Code, Code)>,
}

impl Codes {
    /// A run.
    pub fn run(first: Code, end: Code) -> Self {
        Codes {
            runs: vec![(first, end)],
        }
    }

    /// All codes of several, which have none in common.
    pub fn union<'a>(parts: impl Iterator<Item = &'a Codes>) -> Self {
        let mut runs: Vec<(Code, Code)> = parts.flat_map(|codes| &codes.runs).copied().collect();
        runs.sort_unstable();
        runs.dedup_by(|next, kept| {
            let touches = kept.1 == next.0;
            if touches {
                kept.1 = next.1;
            }
            touches
        });
        Codes { runs }
    }

    /// The least.
    pub fn first(&self) -> Code {
        self.runs[0].0
    }

    /// How many there are.
    pub fn size(&self) -> usize {
        let sizes = self.runs.iter().map(|(first, end)| (end - first) as usize);
        sizes.sum()
    }

    /// Each, rising.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Code> {
        self.runs.iter().flat_map(|(first, end)| *first..*end)
    }

    /// Two parts: the lowest so many, and the rest.
    pub fn split_at(&self, size: usize) -> (Codes, Codes) {
        let (mut low, mut high, mut left) = (Vec::new(), Vec::new(), size as Code);
        for (first, end) in &self.runs {
            let cut = first + left.min(end - first);
            left -= cut - first;
            if *first < cut {
                low.push((*first, cut));
            }
            if cut < *end {
                high.push((cut, *end));
            }
        }
        (Codes { runs: low }, Codes { runs: high })
    }
}

/// A block with what a search asks of it.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub place: Place,
    pub codes: Codes,
    pub mix: Mix,
    pub block: Block,
}

impl Piece {
    pub fn new(attribute: &Attribute, place: Place, codes: Codes, mix: Mix) -> Self {
        let block = match (place, codes.runs.as_slice()) {
            (Place::Node { level, node }, _) => {
                attribute.block_of_node(level, &attribute.hierarchy.level(level).nodes[node])
            }
            (Place::Set { .. }, [(first, end)]) => attribute.block_of_run(*first, *end),
            (Place::Set { .. }, _) => attribute.block(&codes.iter().collect::<Vec<_>>()),
        };
        Piece {
            place,
            codes,
            mix,
            block,
        }
    }

    /// Every value by itself.
    pub fn leaves(
        attribute: &Attribute,
        counts: &Counts,
        column: usize,
        judge: &Judge,
    ) -> Vec<Piece> {
        let mixes = judge.mixes(counts, column, attribute.domain.size());
        let leaf = |(code, mix): (usize, Mix)| {
            let place = Place::Node {
                level: 0,
                node: code,
            };
            let codes = Codes::run(code as Code, code as Code + 1);
            Piece::new(attribute, place, codes, mix)
        };
        mixes.into_iter().enumerate().map(leaf).collect()
    }
}

/// The recoding that pieces make, given for each column.
pub(super) fn partitions<'a, I: Iterator<Item = &'a Piece>>(
    attributes: &[Attribute],
    pieces: impl Iterator<Item = I>,
) -> Partitions {
    let columns = attributes
        .iter()
        .zip(pieces)
        .map(|(attribute, pieces)| {
            let mut pieces: Vec<&Piece> = pieces.collect();
            pieces.sort_unstable_by_key(|piece| piece.codes.first());
            let mut block_of = vec![0; attribute.domain.size()];
            for (place, piece) in pieces.iter().enumerate() {
                for code in piece.codes.iter() {
                    block_of[code as usize] = place as u32;
                }
            }
            let blocks = pieces
                .into_iter()
                .map(|piece| piece.block.clone())
                .collect();
            Partition { block_of, blocks }
        })
        .collect();
    Partitions { columns }
}

/// Prec and LM of the pieces, suppression left aside, beside what a step measured.
pub(super) fn tradeoff<'a, I: Iterator<Item = &'a Piece>>(
    problem: &Problem,
    pieces: impl Iterator<Item = I>,
    anonymity: u64,
    information: f64,
) -> Tradeoff {
    let total = problem.counts.total() as f64;
    let (mut lm, mut height, mut weights) = (0.0, Some(0.0), 0.0);
    for (attribute, pieces) in problem.attributes.iter().zip(pieces) {
        let weight = attribute.settings.weight;
        weights += weight;
        for piece in pieces.filter(|piece| piece.mix.rows > 0) {
            let share = weight * piece.mix.rows as f64 / total;
            lm += share * piece.block.lm;
            let climbed = piece.block.height;
            height = height.and_then(|height: f64| Some(height + share * climbed?));
        }
    }
    let mean = |sum: f64| if weights > 0.0 { sum / weights } else { 0.0 };
    Tradeoff {
        anonymity,
        information,
        precision: height.map(|height| 1.0 - mean(height)),
        lm: mean(lm),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_join_where_they_touch_and_part_again() {
        let (low, high, apart) = (Codes::run(2, 4), Codes::run(4, 7), Codes::run(9, 10));
        let all = Codes::union([&high, &apart, &low].into_iter());
        assert_eq!(all.runs, [(2, 7), (9, 10)]);
        assert_eq!((all.first(), all.size()), (2, 6));
        assert_eq!(all.iter().collect::<Vec<_>>(), [2, 3, 4, 5, 6, 9]);
        let (left, right) = all.split_at(5);
        assert_eq!((left.runs, right.runs), (vec![(2, 7)], vec![(9, 10)]));
        let (left, right) = all.split_at(1);
        assert_eq!(
            (left.runs, right.runs),
            (vec![(2, 3)], vec![(3, 7), (9, 10)])
        );
    }
}
