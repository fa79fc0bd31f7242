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

/// A block with what a search asks of it.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub place: Place,
    /// Its codes, rising.
    pub codes: Vec<Code>,
    pub mix: Mix,
    pub block: Block,
}

impl Piece {
    pub fn new(attribute: &Attribute, place: Place, codes: Vec<Code>, mix: Mix) -> Self {
        let block = match place {
            Place::Node { level, node } => {
                attribute.block_of_node(level, &attribute.hierarchy.level(level).nodes[node])
            }
            Place::Set { .. } => attribute.block(&codes),
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
            Piece::new(attribute, place, vec![code as Code], mix)
        };
        mixes.into_iter().enumerate().map(leaf).collect()
    }

    /// Whether it is the missing value alone, which stands under the root whatever the level.
    pub fn is_missing(&self, attribute: &Attribute) -> bool {
        self.codes.len() == 1 && Some(self.codes[0]) == attribute.domain.missing()
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
            pieces.sort_unstable_by_key(|piece| piece.codes[0]);
            let mut block_of = vec![0; attribute.domain.size()];
            for (place, piece) in pieces.iter().enumerate() {
                for code in &piece.codes {
                    block_of[*code as usize] = place as u32;
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
