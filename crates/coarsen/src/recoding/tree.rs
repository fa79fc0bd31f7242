//! How the region of a combination is found: by a tree of cuts, each of which sends it to one side.
//!
//! A search that split the space hands its tree over. For regions that came from elsewhere one is
//! built: wherever some cut passes between all of them, search goes on on one side only, and tiles
//! that no cut parts are looked through one by one.

use std::ops::Range;
use std::sync::Arc;

use super::Region;
use crate::domain::Code;

/// A tree of cuts over the domain space.
#[derive(Clone, Debug)]
pub enum Tree {
    /// A region, by its place in the list of regions.
    Leaf(u32),
    /// A column cut into runs of codes.
    Cut {
        /// The column.
        column: usize,
        /// The first code of every run but the first, rising.
        at: Vec<Code>,
        /// What becomes of each run.
        parts: Vec<Tree>,
    },
}

/// A tree of two-way cuts in one piece of memory.
#[derive(Clone, Debug)]
pub(super) struct Index {
    nodes: Vec<Node>,
    /// Regions that no cut parts, with their tiles.
    lists: Vec<Vec<(u32, Vec<Range<Code>>)>>,
    root: Child,
}

/// Finds the region of a combination; cheap to copy.
#[derive(Clone, Debug)]
pub struct Finder(pub(super) Arc<Index>);

impl Finder {
    /// The region of a combination, given its code in each column; `None` outside all tiles.
    pub fn find(&self, code: impl Fn(usize) -> Code) -> Option<u32> {
        self.0.find(code)
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    column: u32,
    at: Code,
    below: Child,
    above: Child,
}

#[derive(Clone, Copy, Debug)]
enum Child {
    Node(u32),
    /// Everything that comes here belongs to this region.
    Region(u32),
    /// What comes here belongs to one of these or to none.
    List(u32),
}

impl Index {
    /// The index that a search found.
    pub fn of_tree(tree: &Tree) -> Self {
        let mut index = Index::empty();
        index.root = index.add_tree(tree);
        index
    }

    /// An index over any regions.
    pub fn of_regions(regions: &[Region]) -> Self {
        let mut index = Index::empty();
        index.root = index.add_regions(regions, (0..regions.len() as u32).collect());
        index
    }

    fn empty() -> Self {
        Index {
            nodes: Vec::new(),
            lists: Vec::new(),
            root: Child::List(0),
        }
    }

    fn add_tree(&mut self, tree: &Tree) -> Child {
        match tree {
            Tree::Leaf(region) => Child::Region(*region),
            Tree::Cut { column, at, parts } => self.add_parts(*column, at, parts),
        }
    }

    /// Several parts are told apart by halves.
    fn add_parts(&mut self, column: usize, at: &[Code], parts: &[Tree]) -> Child {
        if let [part] = parts {
            return self.add_tree(part);
        }
        let middle = parts.len() / 2;
        self.add_node(column, at[middle - 1], |index| {
            (
                index.add_parts(column, &at[..middle - 1], &parts[..middle]),
                index.add_parts(column, &at[middle..], &parts[middle..]),
            )
        })
    }

    fn add_regions(&mut self, regions: &[Region], of: Vec<u32>) -> Child {
        let best = match of.len() {
            0..=4 => None,
            _ => (0..regions[of[0] as usize].tile.len())
                .filter_map(|column| best_cut(regions, &of, column).map(|cut| (cut, column)))
                .min_by_key(|((imbalance, _), _)| *imbalance),
        };
        let Some(((_, at), column)) = best else {
            let with_tile = |region: u32| (region, regions[region as usize].tile.clone());
            self.lists.push(of.into_iter().map(with_tile).collect());
            return Child::List(self.lists.len() as u32 - 1);
        };
        let (below, above) = of
            .into_iter()
            .partition(|region| regions[*region as usize].tile[column].end <= at);
        self.add_node(column, at, |index| {
            (
                index.add_regions(regions, below),
                index.add_regions(regions, above),
            )
        })
    }

    fn add_node(
        &mut self,
        column: usize,
        at: Code,
        sides: impl FnOnce(&mut Self) -> (Child, Child),
    ) -> Child {
        let place = self.nodes.len();
        let nowhere = Child::List(0);
        self.nodes.push(Node {
            column: column as u32,
            at,
            below: nowhere,
            above: nowhere,
        });
        let (below, above) = sides(self);
        self.nodes[place].below = below;
        self.nodes[place].above = above;
        Child::Node(place as u32)
    }

    fn find(&self, code: impl Fn(usize) -> Code) -> Option<u32> {
        let mut at = self.root;
        loop {
            match at {
                Child::Node(node) => {
                    let node = &self.nodes[node as usize];
                    at = match code(node.column as usize) < node.at {
                        true => node.below,
                        false => node.above,
                    };
                }
                Child::Region(region) => return Some(region),
                Child::List(list) => {
                    let is_in = |(_, tile): &&(u32, Vec<Range<Code>>)| {
                        let mut tile = tile.iter().enumerate();
                        tile.all(|(column, run)| run.contains(&code(column)))
                    };
                    let found = self.lists[list as usize].iter().find(is_in);
                    return found.map(|(region, _)| *region);
                }
            }
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

    fn regions(tiles: &[&[(Code, Code)]]) -> Vec<Region> {
        let region = |tile: &&[(Code, Code)]| Region {
            tile: tile.iter().map(|(start, end)| *start..*end).collect(),
            blocks: Vec::new(),
        };
        tiles.iter().map(region).collect()
    }

    /// The depth of the tree of cuts, and the longest list at its leaves.
    fn shape(index: &Index, at: Child) -> (usize, usize) {
        match at {
            Child::Region(_) => (0, 1),
            Child::List(list) => (0, index.lists[list as usize].len()),
            Child::Node(node) => {
                let node = index.nodes[node as usize];
                let (below, above) = (shape(index, node.below), shape(index, node.above));
                (below.0.max(above.0) + 1, below.1.max(above.1))
            }
        }
    }

    #[test]
    fn cuts_pass_between_tiles_and_part_them_evenly() {
        let runs = regions(&[&[(0, 2)], &[(2, 3)], &[(3, 7)], &[(7, 9)]]);
        assert_eq!(best_cut(&runs, &[0, 1, 2, 3], 0), Some((0, 3)));
        // No cut of this column passes between tiles that overlap in it.
        let crossed = regions(&[&[(0, 3)], &[(2, 5)], &[(0, 5)]]);
        assert_eq!(best_cut(&crossed, &[0, 1, 2], 0), None);
    }

    #[test]
    fn many_tiles_are_found_by_few_cuts() {
        let tiles: Vec<[(Code, Code); 2]> = (0..64)
            .map(|i| [(i % 8, i % 8 + 1), (i / 8 * 10, i / 8 * 10 + 10)])
            .collect();
        let tiles: Vec<&[(Code, Code)]> = tiles.iter().map(|tile| &tile[..]).collect();
        let grid = regions(&tiles);
        let index = Index::of_regions(&grid);
        // 64 tiles halve four times until at most four are left.
        assert_eq!(shape(&index, index.root), (4, 4));
        for x in 0..9 {
            for (y, region) in [(0, x), (79, x + 56)] {
                let found = index.find(|column| [x, y][column]);
                assert_eq!(found, (x < 8).then_some(region));
            }
        }
    }

    #[test]
    fn a_tree_leads_where_it_was_cut() {
        // Column 0 in three: 0..2, 2..5, 5..; the middle in two by column 1.
        let leaf = Tree::Leaf;
        let middle = Tree::Cut {
            column: 1,
            at: vec![4],
            parts: vec![leaf(1), leaf(2)],
        };
        let tree = Tree::Cut {
            column: 0,
            at: vec![2, 5],
            parts: vec![leaf(0), middle, leaf(3)],
        };
        let index = Index::of_tree(&tree);
        let find = |x: Code, y: Code| index.find(|column| [x, y][column]);
        let found = [(1, 9), (2, 3), (4, 4), (5, 0), (9, 9)].map(|(x, y)| find(x, y));
        assert_eq!(found, [0, 1, 2, 3, 3].map(Some));
    }
}
