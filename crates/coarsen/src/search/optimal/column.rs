//! A column as the search sees it: the tree of its legal partitions, and for each place in that tree
//! what holds for every partition that grows from it.
//!
//! Whichever way the tree grows, three things are known of a subtree: which values are together in all
//! of its partitions (`low`), which are together in some (`reach`), and the least that each value's cell
//! costs. They are found by going once over the tree from its leaves, so that they are bounds by
//! construction, whatever the loss. In the paper's terms, `low` is what the lower bound of section 4.3.1
//! rests on, and `reach` is what makes an applicator useful or useless.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::model::{Kind, Model};
use crate::counts::Counts;
use crate::domain::Attribute;
use crate::domain::scheme::{BlockCost, Direction, Legal, PartitionTree};

/// Which blocks of `low` may come to be one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reach {
    /// None: the partition is fixed.
    Same,
    /// Any, for all that is known.
    Any,
    /// For each block, those that it may be joined with, as bits.
    Some(Vec<u128>),
}

/// What holds for all partitions that are still possible.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// Values with the same number are together.
    pub low: Vec<u32>,
    pub lows: usize,
    pub reach: Reach,
    /// The least cost of each code.
    pub floor: Vec<f64>,
    /// For each block of `low`, by how much the cost of its cells rises at least if it grows.
    pub gain: Vec<f64>,
}

impl View {
    /// Of a column that is not enumerated.
    pub fn nothing() -> Self {
        View {
            low: Vec::new(),
            lows: 0,
            reach: Reach::Any,
            floor: Vec::new(),
            gain: Vec::new(),
        }
    }
}

/// The partitions of a column in the order of the search, with what holds below each.
pub(super) struct Tree {
    pub partitions: Vec<Vec<u32>>,
    pub children: Vec<Vec<u32>>,
    /// The partition itself.
    pub fixed: Vec<View>,
    /// It and all that grows from it.
    pub below: Vec<View>,
}

/// What a block of a column costs in itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub cost: f64,
    pub suppressed: bool,
}

pub(super) struct Column {
    pub legal: Legal,
    pub count: u128,
    pub weight: f64,
    /// The rows of each code.
    pub rows: Vec<u64>,
    /// Where the column can be solved without enumeration, what each possible block costs.
    pub facts: Option<FxHashMap<Vec<(usize, usize)>, Facts>>,
    pub tree: Option<Tree>,
}

/// More blocks than this are not costed at every node.
const MOST_BLOCKS: usize = 20_000;

impl Column {
    pub fn new(attribute: &Attribute, place: usize, counts: &Counts, model: &Model) -> Self {
        let legal = Legal::new(attribute);
        let solvable = legal.blocks_to_cost().is_some_and(|b| b <= MOST_BLOCKS);
        let facts = solvable.then(|| {
            let mut facts = Recorder {
                attribute,
                kind: model.kind,
                facts: FxHashMap::default(),
            };
            legal.cheapest(&mut facts);
            facts.facts
        });
        Column {
            count: legal.count(),
            legal,
            weight: attribute.settings.weight,
            rows: counts.marginal(place, attribute.domain.size()),
            facts,
            tree: None,
        }
    }

    /// The view of one partition.
    pub fn fixed(&self, attribute: &Attribute, model: &Model, blocks: &[u32]) -> View {
        let floor = match model.has_cells() {
            true => {
                let partition = self.legal.partition(attribute, blocks);
                model.cells(attribute, &partition, &self.rows)
            }
            false => vec![0.0; blocks.len()],
        };
        let lows = blocks.iter().max().map_or(0, |most| *most as usize + 1);
        View {
            low: blocks.to_vec(),
            lows,
            reach: Reach::Same,
            floor,
            gain: vec![f64::INFINITY; lows],
        }
    }

    /// Makes the tree, where there are at most this many partitions.
    pub fn grow(
        &mut self,
        attribute: &Attribute,
        model: &Model,
        direction: Direction,
        most: usize,
        with_reach: bool,
    ) {
        if let Some(tree) = self.legal.tree(direction, most) {
            self.tree = Some(Tree::new(self, tree, attribute, model, with_reach));
        }
    }
}

impl Tree {
    fn new(
        column: &Column,
        tree: PartitionTree,
        attribute: &Attribute,
        model: &Model,
        with_reach: bool,
    ) -> Self {
        let PartitionTree {
            partitions,
            children,
        } = tree;
        let fixed: Vec<View> = partitions
            .iter()
            .map(|blocks| column.fixed(attribute, model, blocks))
            .collect();
        let size = column.legal.size();
        let with_reach = with_reach && size <= 128;
        let mut below: Vec<Option<(View, Vec<u128>)>> = vec![None; partitions.len()];
        // Parents stand before their children.
        for place in (0..partitions.len()).rev() {
            let grown = children[place].iter();
            let grown: Vec<&(View, Vec<u128>)> = grown
                .filter_map(|child| below[*child as usize].as_ref())
                .collect();
            below[place] = Some(together(&fixed[place], &grown, with_reach));
        }
        Tree {
            partitions,
            children,
            fixed,
            below: below.into_iter().flatten().map(|(view, _)| view).collect(),
        }
    }
}

/// What holds for a partition and all that grow from it; also the codes that each may be together with.
fn together(own: &View, grown: &[&(View, Vec<u128>)], with_reach: bool) -> (View, Vec<u128>) {
    let size = own.low.len();
    // Together in all: the same block in each of them.
    let mut low = own.low.clone();
    for (child, _) in grown {
        let mut names: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for (block, theirs) in low.iter_mut().zip(&child.low) {
            let next = names.len() as u32;
            *block = match names.entry((*block, *theirs)) {
                Entry::Occupied(name) => *name.get(),
                Entry::Vacant(name) => *name.insert(next),
            };
        }
    }
    let lows = low.iter().max().map_or(0, |most| *most as usize + 1);
    let mut met = vec![0u128; if with_reach { size } else { 0 }];
    for (code, met) in met.iter_mut().enumerate() {
        for other in 0..size {
            if own.low[other] == own.low[code] {
                *met |= 1 << other;
            }
        }
        for (_, theirs) in grown {
            *met |= theirs[code];
        }
    }
    let mut sizes = vec![0usize; lows];
    for block in &low {
        sizes[*block as usize] += 1;
    }
    // A block of another size is a larger one, for it holds the code's block of `low`.
    let grows = |view: &View, code: usize| {
        let count = view.low.iter().filter(|b| **b == view.low[code]).count();
        count > sizes[low[code] as usize]
    };
    let (mut floor, mut gain) = (own.floor.clone(), vec![f64::INFINITY; lows]);
    for code in 0..size {
        for (child, _) in grown {
            floor[code] = floor[code].min(child.floor[code]);
        }
        let mut larger = f64::INFINITY;
        if grows(own, code) {
            larger = own.floor[code];
        }
        for (child, _) in grown {
            larger = larger.min(match grows(child, code) {
                true => child.floor[code],
                // Its own floor and the least that growing adds to any cell of the block.
                false => child.floor[code] + child.gain[child.low[code] as usize],
            });
        }
        let rise = match larger.is_finite() && floor[code].is_finite() {
            true => larger - floor[code],
            false if larger.is_finite() => 0.0,
            false => f64::INFINITY,
        };
        let block = &mut gain[low[code] as usize];
        *block = block.min(rise);
    }
    let reach = match with_reach {
        false => Reach::Any,
        true => {
            let mut masks = vec![0u128; lows];
            for code in 0..size {
                for other in (0..size).filter(|other| met[code] >> other & 1 == 1) {
                    masks[low[code] as usize] |= 1 << low[other];
                }
            }
            Reach::Some(masks)
        }
    };
    let view = View {
        low,
        lows,
        reach,
        floor,
        gain,
    };
    (view, met)
}

/// Notes every block that a column can be solved by.
struct Recorder<'a> {
    attribute: &'a Attribute,
    kind: Kind,
    facts: FxHashMap<Vec<(usize, usize)>, Facts>,
}

impl BlockCost for Recorder<'_> {
    fn cost(&mut self, runs: &[(usize, usize)]) -> f64 {
        let codes: Vec<u32> = runs
            .iter()
            .flat_map(|(a, b)| *a as u32..*b as u32)
            .collect();
        let block = self.attribute.block(&codes);
        let cost = match self.kind {
            Kind::Share => block.lm,
            Kind::Height => block.height.unwrap_or(f64::INFINITY),
            Kind::Rows | Kind::Classes | Kind::Labels | Kind::Unknown => 0.0,
        };
        let suppressed = block.is_suppressed();
        self.facts.insert(runs.to_vec(), Facts { cost, suppressed });
        // The same for all, so that none is passed over.
        1.0
    }
}
