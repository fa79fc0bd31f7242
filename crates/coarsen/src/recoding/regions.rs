//! Multidimensional recoding: the space of all combinations is tiled by boxes (seed 001, section 2).
//!
//! A region's *tile* says which combinations belong to it: tiles cover the whole space without
//! overlap, so that every possible row falls into exactly one. What is *released* for a column is a
//! block inside the tile that covers the rows at hand.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::tree::{Finder, Index, Tree};
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
#[derive(Clone, Debug)]
pub struct Regions {
    /// The boxes.
    pub regions: Vec<Region>,
    /// How a box is found; built at first use where it did not come with them.
    finder: OnceLock<Finder>,
}

impl PartialEq for Regions {
    fn eq(&self, other: &Self) -> bool {
        self.regions == other.regions
    }
}

impl From<Vec<Region>> for Regions {
    fn from(regions: Vec<Region>) -> Self {
        Regions {
            regions,
            finder: OnceLock::new(),
        }
    }
}

impl Regions {
    /// Regions that a tree of cuts leads to, by their places in the list.
    pub fn with_tree(regions: Vec<Region>, tree: &Tree) -> Self {
        Regions {
            regions,
            finder: OnceLock::from(Finder(Arc::new(Index::of_tree(tree)))),
        }
    }

    /// Regions with these tiles, each released as the tile itself.
    pub fn of_tiles(attributes: &[Attribute], tiles: Vec<Vec<Range<Code>>>) -> Self {
        let regions: Vec<Region> = tiles
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
        Regions::from(regions)
    }

    /// What finds the region that a combination of codes belongs to.
    pub fn finder(&self) -> &Finder {
        self.finder
            .get_or_init(|| Finder(Arc::new(Index::of_regions(&self.regions))))
    }

    /// The region that a combination belongs to, for every combination; `None` outside all tiles.
    pub fn locate(&self, codes: &[&[Code]], combinations: usize) -> Vec<Option<u32>> {
        let finder = self.finder();
        (0..combinations)
            .into_par_iter()
            .with_min_len(4096)
            .map(|combination| finder.find(|column| codes[column][combination]))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn regions(tiles: &[&[(Code, Code)]]) -> Regions {
        let region = |tile: &&[(Code, Code)]| Region {
            tile: tile.iter().map(|(start, end)| *start..*end).collect(),
            blocks: Vec::new(),
        };
        Regions::from(tiles.iter().map(region).collect::<Vec<_>>())
    }

    #[test]
    fn outside_all_tiles_is_nowhere() {
        let two = regions(&[&[(0, 2), (0, 2)], &[(2, 4), (0, 1)]]);
        let found = two.locate(&[&[1, 3, 3, 4], &[1, 0, 1, 0]], 4);
        assert_eq!(found, [Some(0), Some(1), None, None]);
        assert_eq!(regions(&[]).locate(&[&[0]], 1), [None]);
    }
}
