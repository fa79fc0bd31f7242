//! Multidimensional recoding: the space of all combinations is tiled by boxes (seed 001, section 2).
//!
//! A region's *tile* says which combinations belong to it: tiles cover the whole space without
//! overlap, so that every possible row falls into exactly one. What is *released* for a column is a
//! block inside the tile that covers the rows at hand.

use std::ops::Range;

use rayon::prelude::*;

use crate::counts::{Classes, Counts, Grouping};
use crate::domain::{Attribute, Block, Code};

/// A box of the domain space.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// For each column, the run of codes that belongs to it.
    pub tile: Vec<Range<Code>>,
    /// For each column, what is released for the rows it was found for.
    pub blocks: Vec<Block>,
}

/// Boxes that tile the domain space.
#[derive(Clone, Debug, PartialEq)]
pub struct Regions {
    /// The boxes.
    pub regions: Vec<Region>,
}

impl Regions {
    /// Regions with these tiles, each released as the tile itself.
    pub fn of_tiles(attributes: &[Attribute], tiles: Vec<Vec<Range<Code>>>) -> Self {
        let regions = tiles
            .into_iter()
            .map(|tile| {
                let blocks = attributes
                    .iter()
                    .zip(&tile)
                    .map(|(attribute, run)| attribute.block_of_run(run.start, run.end))
                    .collect();
                Region { tile, blocks }
            })
            .collect();
        Regions { regions }
    }

    /// The region that a combination belongs to, for every combination; `None` outside all tiles.
    pub fn locate(&self, codes: &[&[Code]], combinations: usize) -> Vec<Option<u32>> {
        let index = Index::build(&self.regions, (0..self.regions.len() as u32).collect());
        (0..combinations)
            .into_par_iter()
            .with_min_len(4096)
            .map(|combination| index.find(&self.regions, &|column| codes[column][combination]))
            .collect()
    }

    /// The classes it makes: one a region that holds rows.
    pub fn classes(&self, attributes: &[Attribute], counts: &Counts) -> Classes {
        let codes: Vec<&[Code]> = (0..attributes.len()).map(|a| counts.codes(a)).collect();
        let region_of: Vec<u32> = self
            .locate(&codes, counts.combinations())
            .into_iter()
            .map(|region| region.expect("the tiles cover the domain space"))
            .collect();
        self.classes_of(counts, &region_of, |region, column| {
            self.regions[region].blocks[column].clone()
        })
    }

    /// Classes where the region of every combination is known, with a block for each.
    pub(super) fn classes_of(
        &self,
        counts: &Counts,
        region_of: &[u32],
        block: impl Fn(usize, usize) -> Block,
    ) -> Classes {
        let mut class_at = vec![u32::MAX; self.regions.len()];
        let mut regions: Vec<u32> = Vec::new();
        let class_of: Vec<u32> = region_of
            .iter()
            .map(|region| {
                let class = &mut class_at[*region as usize];
                if *class == u32::MAX {
                    *class = regions.len() as u32;
                    regions.push(*region);
                }
                *class
            })
            .collect();
        let grouping = Grouping {
            class_of,
            classes: regions.len(),
        };
        let columns = counts.attributes();
        let blocks = (0..columns)
            .map(|column| regions.iter().map(|r| block(*r as usize, column)).collect())
            .collect();
        let block_of = vec![(0..regions.len() as u32).collect(); columns];
        Classes::of_grouping(counts, &grouping, blocks, block_of)
    }
}

/// A tree of cuts over regions: wherever some cut passes between all of them, search goes on on one
/// side only. Tiles that no cut parts are looked through one by one.
enum Index {
    Cut {
        column: usize,
        at: Code,
        below: Box<Index>,
        above: Box<Index>,
    },
    Leaf(Vec<u32>),
}

impl Index {
    fn build(regions: &[Region], of: Vec<u32>) -> Index {
        if of.len() <= 4 {
            return Index::Leaf(of);
        }
        let columns = regions[of[0] as usize].tile.len();
        let best = (0..columns)
            .filter_map(|column| best_cut(regions, &of, column).map(|cut| (cut, column)))
            .min_by_key(|((imbalance, _), _)| *imbalance);
        let Some(((_, at), column)) = best else {
            return Index::Leaf(of);
        };
        let (below, above) = of
            .into_iter()
            .partition(|region| regions[*region as usize].tile[column].end <= at);
        Index::Cut {
            column,
            at,
            below: Box::new(Index::build(regions, below)),
            above: Box::new(Index::build(regions, above)),
        }
    }

    fn find(&self, regions: &[Region], code: &impl Fn(usize) -> Code) -> Option<u32> {
        match self {
            Index::Cut {
                column,
                at,
                below,
                above,
            } => {
                let side = if code(*column) < *at { below } else { above };
                side.find(regions, code)
            }
            Index::Leaf(of) => of.iter().copied().find(|region| {
                let tile = &regions[*region as usize].tile;
                tile.iter()
                    .enumerate()
                    .all(|(column, run)| run.contains(&code(column)))
            }),
        }
    }
}

/// The cut of a column that passes between all regions and parts them most evenly: how uneven, where.
fn best_cut(regions: &[Region], of: &[u32], column: usize) -> Option<(usize, Code)> {
    let mut runs: Vec<(Code, Code)> = of
        .iter()
        .map(|region| {
            let run = &regions[*region as usize].tile[column];
            (run.start, run.end)
        })
        .collect();
    runs.sort_unstable();
    let mut reach = 0;
    let mut best: Option<(usize, Code)> = None;
    for (before, (start, end)) in runs.iter().enumerate() {
        if before > 0 && *start >= reach {
            let imbalance = before.abs_diff(runs.len() - before);
            if best.is_none_or(|(least, _)| imbalance < least) {
                best = Some((imbalance, *start));
            }
        }
        reach = reach.max(*end);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regions(tiles: &[&[(Code, Code)]]) -> Regions {
        let region = |tile: &&[(Code, Code)]| Region {
            tile: tile.iter().map(|(start, end)| *start..*end).collect(),
            blocks: Vec::new(),
        };
        Regions {
            regions: tiles.iter().map(region).collect(),
        }
    }

    /// The depth of the tree of cuts, and the longest list at its leaves.
    fn shape(index: &Index) -> (usize, usize) {
        match index {
            Index::Leaf(of) => (0, of.len()),
            Index::Cut { below, above, .. } => {
                let (below, above) = (shape(below), shape(above));
                (below.0.max(above.0) + 1, below.1.max(above.1))
            }
        }
    }

    #[test]
    fn cuts_pass_between_tiles_and_part_them_evenly() {
        let runs = regions(&[&[(0, 2)], &[(2, 3)], &[(3, 7)], &[(7, 9)]]);
        assert_eq!(best_cut(&runs.regions, &[0, 1, 2, 3], 0), Some((0, 3)));
        // No cut of this column passes between tiles that overlap in it.
        let crossed = regions(&[&[(0, 3)], &[(2, 5)], &[(0, 5)]]);
        assert_eq!(best_cut(&crossed.regions, &[0, 1, 2], 0), None);
    }

    #[test]
    fn many_tiles_are_found_by_few_cuts() {
        let tiles: Vec<[(Code, Code); 2]> = (0..64)
            .map(|i| [(i % 8, i % 8 + 1), (i / 8 * 10, i / 8 * 10 + 10)])
            .collect();
        let tiles: Vec<&[(Code, Code)]> = tiles.iter().map(|tile| &tile[..]).collect();
        let grid = regions(&tiles);
        let (depth, longest) = shape(&Index::build(&grid.regions, (0..64).collect()));
        // 64 tiles halve four times until at most four are left.
        assert_eq!((depth, longest), (4, 4));
        let (xs, ys): (Vec<Code>, Vec<Code>) = (0..9).flat_map(|x| [(x, 0), (x, 79)]).unzip();
        let found = grid.locate(&[&xs, &ys], 18);
        let expected = (0..9).flat_map(|x| [Some(x), Some(x + 56)].map(|at| at.filter(|_| x < 8)));
        assert_eq!(found, expected.collect::<Vec<_>>());
    }

    #[test]
    fn outside_all_tiles_is_nowhere() {
        let two = regions(&[&[(0, 2), (0, 2)], &[(2, 4), (0, 1)]]);
        let found = two.locate(&[&[1, 3, 3, 4], &[1, 0, 1, 0]], 4);
        assert_eq!(found, [Some(0), Some(1), None, None]);
        assert_eq!(regions(&[]).locate(&[&[0]], 1), [None]);
    }
}
