//! What a chromosome costs: its classes are counted from a tier, those below k are suppressed, and the
//! rest is sums (seed 000, sections 3 and 4). Equal to making the release and measuring it, which is what
//! happens where a requirement asks for more than k, or the loss cannot be taken apart.

use super::objective::{Objective, Sums};
use super::space::Space;
use super::tier::Tier;
use crate::policy::SuppressionMode;
use crate::privacy::enforce;

/// A direct-address table may have this many places, or this many times the combinations.
const DIRECT: u64 = 1 << 20;
const DIRECT_TIMES: u64 = 4;

/// The most places of a direct-address table for so many combinations.
pub(super) fn most_places(combinations: u64) -> u64 {
    DIRECT.max(DIRECT_TIMES * combinations)
}

/// What a chromosome costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Costed {
    /// Under the objective.
    pub cost: f64,
    pub suppressed: u64,
}

/// Room for one evaluation after another.
#[derive(Default)]
pub(super) struct Scratch {
    block_of: Vec<Vec<u32>>,
    cost_of: Vec<Vec<f64>>,
    factors: Vec<u64>,
    keys: Vec<Vec<u64>>,
    cells: Vec<Vec<f64>>,
    /// One past the class at each place; 0 for none.
    table: Vec<u32>,
    /// The key at each place, where places are found by hashing.
    held: Vec<u64>,
    /// The places in use.
    used: Vec<u32>,
    class_of: Vec<u32>,
    /// The first combination of each class.
    firsts: Vec<u32>,
    sums: Vec<f64>,
    pool: Vec<f64>,
}

/// Evaluates chromosomes of a space.
pub(super) struct Evaluator<'a> {
    pub space: &'a Space<'a>,
    pub objective: &'a Objective,
    /// How to compute the objective from a tier; none where releases are made.
    sums: Option<&'a Sums>,
    k: f64,
    /// What a suppressed row costs in its cells.
    suppressed_cells: f64,
}

impl<'a> Evaluator<'a> {
    pub fn new(space: &'a Space<'a>, objective: &'a Objective) -> Self {
        let problem = space.problem;
        let only_k = problem.requirements.iter().all(|r| r.k().is_some());
        let weights: f64 = problem.attributes.iter().map(|a| a.settings.weight).sum();
        let sums = objective.sums.as_ref();
        let sums = sums.filter(|sums| only_k && (weights > 0.0 || sums.cells.is_free()));
        Evaluator {
            space,
            objective,
            sums,
            k: problem.k() as f64,
            suppressed_cells: sums.map_or(0.0, |sums| sums.cells.suppressed())
                / problem.counts.total() as f64,
        }
    }

    /// How to count, where counting is enough.
    pub fn sums(&self) -> Option<&'a Sums> {
        self.sums
    }

    /// What a legal chromosome costs; none where that is `bound` or more for certain. The tier must tell
    /// apart what the chromosome does.
    pub fn cost(
        &self,
        bits: &[bool],
        tier: Option<&Tier>,
        bound: f64,
        scratch: &mut Scratch,
    ) -> Option<Costed> {
        match (self.sums, tier) {
            (Some(sums), Some(tier)) => match self.counted(sums, bits, tier, bound, scratch) {
                Counted::Cost(cost) => Some(cost),
                Counted::Abandoned => None,
                Counted::Unknown => Some(self.whole(bits)),
            },
            _ => Some(self.whole(bits)),
        }
    }

    /// By making the release and measuring it.
    pub fn whole(&self, bits: &[bool]) -> Costed {
        let problem = self.space.problem;
        let recoding = self.space.recoding(bits);
        let mut classes = recoding.classes(&problem.attributes, &problem.counts);
        let mode = problem.suppression.mode;
        let suppressed = enforce(&problem.counts, &problem.requirements, mode, &mut classes);
        let losses = self.objective.losses.iter();
        let cost = losses.map(|(weight, entry)| {
            let cost = entry.loss.cost(problem, &classes);
            weight * cost.unwrap_or(f64::INFINITY)
        });
        Costed {
            cost: cost.sum(),
            suppressed,
        }
    }

    fn counted(
        &self,
        sums: &Sums,
        bits: &[bool],
        tier: &Tier,
        bound: f64,
        scratch: &mut Scratch,
    ) -> Counted {
        let space = self.space;
        let count = space.columns.len();
        scratch.block_of.resize_with(count, Vec::new);
        scratch.cost_of.resize_with(count, Vec::new);
        scratch.factors.resize(count, 1);
        // What the cells cost before suppression, which can only cost more.
        let mut base = 0.0;
        let mut places = Some(1u64);
        for place in (0..count).rev() {
            let (cost, blocks) = space.columns[place].lay(
                &space.problem.attributes[place],
                space.of_column(bits, place),
                &mut scratch.block_of[place],
                &mut scratch.cost_of[place],
            );
            base += cost;
            scratch.factors[place] = places.unwrap_or(1);
            places = places.and_then(|places| places.checked_mul(blocks as u64));
        }
        // An infinite block costs nothing where all of its rows are suppressed.
        let (Some(places), true) = (places, base.is_finite()) else {
            return Counted::Unknown;
        };
        if base >= bound {
            return Counted::Abandoned;
        }
        tables(tier, scratch);
        group(tier, places, scratch);
        let stride = sums.figures.len();
        let classes = scratch.firsts.len();
        add_up(
            &tier.figures,
            stride,
            &scratch.class_of,
            &mut scratch.sums,
            classes,
        );
        self.sum_up(sums, base, tier, scratch)
    }

    fn sum_up(&self, sums: &Sums, base: f64, tier: &Tier, scratch: &mut Scratch) -> Counted {
        let Scratch {
            sums: figures,
            firsts,
            pool,
            cells,
            ..
        } = scratch;
        let stride = sums.figures.len();
        pool.clear();
        pool.resize(stride, 0.0);
        let (mut cost, mut released) = (base, 0usize);
        let has_cells = !sums.cells.is_free();
        let width = tier.groups.len();
        for (class, figures) in figures.chunks_exact(stride).enumerate() {
            if figures[0] >= self.k {
                released += 1;
                for part in &sums.classes {
                    cost += part.released(figures);
                }
                continue;
            }
            pool.iter_mut()
                .zip(figures)
                .for_each(|(sum, figure)| *sum += figure);
            if has_cells {
                let first = firsts[class] as usize;
                let codes = &tier.codes[first * width..(first + 1) * width];
                let own: f64 = (codes.iter().zip(&*cells))
                    .map(|(code, cells)| cells[usize::from(*code)])
                    .sum();
                cost += figures[0] * (self.suppressed_cells - own);
            }
        }
        let problem = self.space.problem;
        let suppressed = pool[0];
        let mask = problem.suppression.mode == SuppressionMode::Mask;
        if mask && suppressed > 0.0 && suppressed < self.k {
            // Other classes must join the masked rows.
            return Counted::Unknown;
        }
        let rows = problem.counts.total() as f64 - suppressed;
        for part in &sums.classes {
            cost += part.suppressed(pool) + part.together(rows, released);
        }
        Counted::Cost(Costed {
            cost,
            suppressed: suppressed as u64,
        })
    }
}

enum Counted {
    Cost(Costed),
    /// No less than the bound.
    Abandoned,
    /// To be measured whole.
    Unknown,
}

/// The tables of the tier's groups: what the atoms add to a key, and what their cells cost.
fn tables(tier: &Tier, scratch: &mut Scratch) {
    let Scratch {
        block_of,
        cost_of,
        factors,
        keys,
        cells,
        ..
    } = scratch;
    keys.resize_with(tier.groups.len(), Vec::new);
    cells.resize_with(tier.groups.len(), Vec::new);
    for (group, columns) in tier.groups.iter().enumerate() {
        let (keys, cells) = (&mut keys[group], &mut cells[group]);
        keys.clear();
        keys.push(0);
        cells.clear();
        cells.push(0.0);
        for column in columns {
            let starts = &tier.starts[*column];
            let before = keys.len();
            // From the back, so that nothing is overwritten before it is read.
            keys.resize(before * starts.len(), 0);
            cells.resize(before * starts.len(), 0.0);
            for entry in (0..before).rev() {
                let (key, cell) = (keys[entry], cells[entry]);
                for (atom, unit) in starts.iter().enumerate().rev() {
                    let at = entry * starts.len() + atom;
                    keys[at] = key + factors[*column] * u64::from(block_of[*column][*unit]);
                    cells[at] = cell + cost_of[*column][*unit];
                }
            }
        }
    }
}

/// Gives every combination its class.
fn group(tier: &Tier, places: u64, scratch: &mut Scratch) {
    let direct = places <= most_places(tier.combinations as u64);
    macro_rules! by_width {
        ($($width:literal)*) => {
            match tier.groups.len() {
                $($width => by::<$width>(tier, direct, places, scratch),)*
                _ => by_many(tier, direct, places, scratch),
            }
        };
    }
    by_width!(1 2 3 4 5 6 7 8);
}

/// The same for a number of groups that the compiler knows.
fn by<const WIDTH: usize>(tier: &Tier, direct: bool, places: u64, scratch: &mut Scratch) {
    let keys = std::mem::take(&mut scratch.keys);
    {
        let tables: [&[u64]; WIDTH] = std::array::from_fn(|group| keys[group].as_slice());
        let all = tier.codes.chunks_exact(WIDTH).map(|codes| {
            let mut key = 0;
            for group in 0..WIDTH {
                key += tables[group][usize::from(codes[group])];
            }
            key
        });
        assign(all, tier.combinations, direct, places, scratch);
    }
    scratch.keys = keys;
}

fn by_many(tier: &Tier, direct: bool, places: u64, scratch: &mut Scratch) {
    let keys = std::mem::take(&mut scratch.keys);
    let width = tier.groups.len();
    let all = tier.codes.chunks_exact(width).map(|codes| {
        let added = codes.iter().zip(&keys);
        added.map(|(code, table)| table[usize::from(*code)]).sum()
    });
    assign(all, tier.combinations, direct, places, scratch);
    scratch.keys = keys;
}

/// Classes are numbered as they are first met.
fn assign(
    keys: impl Iterator<Item = u64>,
    combinations: usize,
    direct: bool,
    places: u64,
    scratch: &mut Scratch,
) {
    let Scratch {
        table,
        held,
        used,
        class_of,
        firsts,
        ..
    } = scratch;
    for place in used.drain(..) {
        table[place as usize] = 0;
    }
    class_of.clear();
    firsts.clear();
    let mut open = |slot: &mut u32, place: usize, combination: usize| {
        firsts.push(combination as u32);
        used.push(place as u32);
        *slot = firsts.len() as u32;
    };
    if direct {
        if table.len() < places as usize {
            table.resize(places as usize, 0);
        }
        class_of.extend(keys.enumerate().map(|(combination, key)| {
            let slot = &mut table[key as usize];
            if *slot == 0 {
                open(slot, key as usize, combination);
            }
            *slot - 1
        }));
        return;
    }
    let size = (combinations * 2).next_power_of_two().max(2);
    if table.len() < size {
        table.resize(size, 0);
    }
    if held.len() < size {
        held.resize(size, 0);
    }
    let shift = u64::BITS - size.trailing_zeros();
    class_of.extend(keys.enumerate().map(|(combination, key)| {
        // Fibonacci hashing, and the next place where one is taken.
        let mut place = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize;
        loop {
            let slot = &mut table[place];
            if *slot == 0 {
                held[place] = key;
                open(slot, place, combination);
                return *slot - 1;
            }
            if held[place] == key {
                return *slot - 1;
            }
            place = (place + 1) & (size - 1);
        }
    }));
}

/// Sums the figures of combinations by their classes.
fn add_up(figures: &[f64], stride: usize, class_of: &[u32], sums: &mut Vec<f64>, classes: usize) {
    sums.clear();
    sums.resize(classes * stride, 0.0);
    match stride {
        1 => add_up_by::<1>(figures, class_of, sums),
        3 => add_up_by::<3>(figures, class_of, sums),
        4 => add_up_by::<4>(figures, class_of, sums),
        _ => {
            for (figures, class) in figures.chunks_exact(stride).zip(class_of) {
                let at = *class as usize * stride;
                let sums = &mut sums[at..at + stride];
                sums.iter_mut()
                    .zip(figures)
                    .for_each(|(sum, figure)| *sum += figure);
            }
        }
    }
}

fn add_up_by<const STRIDE: usize>(figures: &[f64], class_of: &[u32], sums: &mut [f64]) {
    let (figures, _) = figures.as_chunks::<STRIDE>();
    let (sums, _) = sums.as_chunks_mut::<STRIDE>();
    for (figures, class) in figures.iter().zip(class_of) {
        let sums = &mut sums[*class as usize];
        for place in 0..STRIDE {
            sums[place] += figures[place];
        }
    }
}
