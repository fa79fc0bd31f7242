//! What is decided of a column's partition so far: which values are together, which are apart, and which
//! may still go either way (seed 004, section 3.2: the applicators that a node still has).
//!
//! A decision is taken for two neighbouring blocks, or for two of any place under the set schemes:
//! *together* or *apart*. Each brings along what the scheme makes of it: two groups that are joined are
//! joined whole, and a group that is divided joins no other. Taking every decision both ways reaches
//! every legal partition exactly once, in any order of the decisions, and needs no list of partitions.
//!
//! Departures. The paper's applicators are merges only, in one fixed order. Here an applicator that is
//! found useless or useful anywhere in the tree is settled for all that lies below.

use super::{Branch, Join, Kind, Legal, numbered};

/// More values than this are not decided on as sets.
pub const MOST_SET_VALUES: usize = 128;

/// Whether the values on both sides of a gap are together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Not decided.
    Open,
    /// Together.
    Joined,
    /// Apart.
    Cut,
}

/// What is decided of a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decided {
    /// Of the levels that differ, those from the first to the last are possible.
    Levels(u32, u32),
    /// Blocks are runs: the gap after each code but the last.
    Gaps(Box<[Gap]>),
    /// For each code, as bits, those that it is together with, and those that it may be.
    Sets(Box<[(u128, u128)]>),
}

/// Two codes (or two levels that follow each other) that may be together or apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Applicator(pub u32, pub u32);

impl Legal {
    /// Nothing decided; `None` for sets of more than [`MOST_SET_VALUES`].
    pub fn undecided(&self) -> Option<Decided> {
        match self.kind() {
            Kind::Levels(levels) => Some(Decided::Levels(0, levels.len() as u32 - 1)),
            Kind::Tree {
                join: Join::Sets, ..
            } => (self.size() <= MOST_SET_VALUES).then(|| {
                let all = u128::MAX >> (MOST_SET_VALUES - self.size());
                Decided::Sets((0..self.size()).map(|code| (1 << code, all)).collect())
            }),
            Kind::Tree { .. } => {
                let gaps = self.size().saturating_sub(1);
                Some(Decided::Gaps(vec![Gap::Open; gaps].into()))
            }
        }
    }

    /// The finest partition that is still possible.
    pub fn finest(&self, decided: &Decided) -> Vec<u32> {
        match (decided, self.kind()) {
            (Decided::Levels(first, _), Kind::Levels(levels)) => levels[*first as usize].1.clone(),
            (Decided::Gaps(gaps), _) => by_gaps(self.size(), |g| gaps[g] == Gap::Joined),
            (Decided::Sets(codes), _) => {
                let first = |(with, _): &(u128, u128)| with.trailing_zeros();
                numbered(&codes.iter().map(first).collect::<Vec<u32>>())
            }
            _ => Vec::new(),
        }
    }

    /// The coarsest partition that no decision speaks against: under the set schemes it may not be
    /// legal, for what may come together in pairs may not all come together.
    pub fn coarsest(&self, decided: &Decided) -> Vec<u32> {
        match (decided, self.kind()) {
            (Decided::Levels(_, last), Kind::Levels(levels)) => levels[*last as usize].1.clone(),
            (Decided::Gaps(gaps), _) => by_gaps(self.size(), |g| gaps[g] != Gap::Cut),
            (Decided::Sets(codes), _) => {
                let mut group: Vec<u128> = codes.iter().map(|(_, may)| *may).collect();
                // Whatever is linked by what may be together.
                for _ in 0..group.len() {
                    for code in 0..group.len() {
                        let linked = bits(group[code]).fold(group[code], |all, c| all | group[c]);
                        group[code] = linked;
                    }
                }
                let first = |group: &u128| group.trailing_zeros();
                numbered(&group.iter().map(first).collect::<Vec<u32>>())
            }
            _ => Vec::new(),
        }
    }

    /// What can still be decided: each pair of blocks once, or each gap that brings along others once.
    pub fn applicators(&self, decided: &Decided) -> Vec<Applicator> {
        match decided {
            Decided::Levels(first, last) => (*first..*last).map(|l| Applicator(l, l + 1)).collect(),
            Decided::Gaps(gaps) => (0..gaps.len())
                .filter(|gap| gaps[*gap] == Gap::Open && self.is_first(*gap))
                .map(|gap| Applicator(gap as u32, gap as u32 + 1))
                .collect(),
            Decided::Sets(codes) => {
                let is_first = |code: &usize| codes[*code].0.trailing_zeros() as usize == *code;
                let mut pairs = Vec::new();
                for a in (0..codes.len()).filter(is_first) {
                    let (with, may) = codes[a];
                    for b in bits(may & !with).filter(|b| *b > a).filter(is_first) {
                        let pair = Applicator(a as u32, b as u32);
                        if self.is_plain() || self.together(decided, pair).is_some() {
                            pairs.push(pair);
                        }
                    }
                }
                pairs
            }
        }
    }

    /// The same with two together; `None` where the scheme cannot have that any more.
    pub fn together(&self, decided: &Decided, Applicator(a, b): Applicator) -> Option<Decided> {
        let mut next = decided.clone();
        match &mut next {
            Decided::Levels(first, _) => *first = b,
            Decided::Gaps(gaps) => {
                let (first, end) = self.brings(a as usize);
                if gaps[first..end].contains(&Gap::Cut) {
                    return None;
                }
                gaps[first..end].fill(Gap::Joined);
            }
            Decided::Sets(codes) => {
                let (a, b) = (a as usize, b as usize);
                let (one, other) = self.children_apart(a, b);
                let mut block = codes[a].0 | codes[b].0 | one | other;
                // What those hold already comes along.
                block = bits(block).fold(block, |all, code| all | codes[code].0);
                let may = bits(block).fold(u128::MAX, |may, code| may & codes[code].1);
                if may & block != block {
                    return None;
                }
                for (code, (with, reach)) in codes.iter_mut().enumerate() {
                    if block >> code & 1 == 1 {
                        (*with, *reach) = (block, may);
                    } else if may >> code & 1 == 0 {
                        *reach &= !block;
                    }
                }
                self.close(codes);
            }
        }
        Some(next)
    }

    /// The same with two apart.
    pub fn apart(&self, decided: &Decided, Applicator(a, b): Applicator) -> Decided {
        let mut next = decided.clone();
        match &mut next {
            Decided::Levels(_, last) => *last = a,
            Decided::Gaps(gaps) => {
                let gap = a as usize;
                for (other, state) in gaps.iter_mut().enumerate() {
                    let (first, end) = self.brings(other);
                    if (first..end).contains(&gap) {
                        *state = Gap::Cut;
                    }
                }
            }
            Decided::Sets(codes) => {
                let (one, other) = (codes[a as usize].0, codes[b as usize].0);
                bits(one).for_each(|code| codes[code].1 &= !other);
                bits(other).for_each(|code| codes[code].1 &= !one);
                self.close(codes);
            }
        }
        next
    }

    /// The gaps that are joined where one is, `first..end`.
    pub(crate) fn brings(&self, gap: usize) -> (usize, usize) {
        self.brings.get(gap).copied().unwrap_or((gap, gap + 1))
    }

    /// Whether a gap is the first of those that stand or fall together.
    fn is_first(&self, gap: usize) -> bool {
        let brought = self.brings(gap);
        (brought.0..gap).all(|other| self.brings(other) != brought)
    }

    /// Whether no group brings anything along.
    fn is_plain(&self) -> bool {
        match self.kind() {
            Kind::Levels(_) => false,
            Kind::Tree { branches, join } => {
                *join != Join::All && branches.len() <= self.size() + 1
            }
        }
    }

    /// The groups of two codes under the lowest node that holds both, as bits.
    fn children_apart(&self, a: usize, b: usize) -> (u128, u128) {
        let Kind::Tree { branches, .. } = self.kind() else {
            return (0, 0);
        };
        let branch = lowest(branches, a.min(b), a.max(b));
        let child = |code: usize| mask(child_of(branches, branch, code));
        (child(a), child(b))
    }

    /// A group whose values are not all together joins no other.
    fn close(&self, codes: &mut [(u128, u128)]) {
        let Kind::Tree { branches, .. } = self.kind() else {
            return;
        };
        // Children stand before their parents, so what a group brings about reaches those above it.
        for branch in branches.iter().filter(|b| !b.children.is_empty()) {
            let inside = mask(branch);
            if bits(inside).any(|code| codes[code].1 & inside != inside) {
                bits(inside).for_each(|code| codes[code].1 &= inside);
                for (code, (_, may)) in codes.iter_mut().enumerate() {
                    if inside >> code & 1 == 0 {
                        *may &= !inside;
                    }
                }
            }
        }
    }
}

/// For each gap, the gaps that are joined where it is; none where it is alone everywhere.
pub(super) fn brought(size: usize, kind: &Kind) -> Vec<(usize, usize)> {
    let Kind::Tree { branches, join } = kind else {
        return Vec::new();
    };
    let brings = |gap: usize| {
        let branch = lowest(branches, gap, gap + 1);
        match join {
            Join::All => (branch.first, branch.end - 1),
            Join::Runs | Join::Sets => {
                let child = |code: usize| child_of(branches, branch, code);
                (child(gap).first, child(gap + 1).end - 1)
            }
        }
    };
    (0..size.saturating_sub(1)).map(brings).collect()
}

fn by_gaps(size: usize, is_joined: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut block = 0;
    (0..size)
        .map(|code| {
            if code > 0 && !is_joined(code - 1) {
                block += 1;
            }
            block
        })
        .collect()
}

/// The lowest node that holds two codes. Children stand before their parents.
fn lowest(branches: &[Branch], a: usize, b: usize) -> &Branch {
    let holds = |branch: &&Branch| branch.first <= a && b < branch.end;
    let found = branches.iter().find(holds);
    found.expect("the root holds every code")
}

fn child_of<'a>(branches: &'a [Branch], branch: &Branch, code: usize) -> &'a Branch {
    let mut children = branch.children.iter().map(|child| &branches[*child]);
    let found = children.find(|child| (child.first..child.end).contains(&code));
    found.expect("children cover their parent")
}

fn mask(branch: &Branch) -> u128 {
    (branch.first..branch.end).fold(0, |mask, code| mask | 1 << code)
}

/// The places of the bits that are set.
pub(crate) fn bits(mask: u128) -> impl Iterator<Item = usize> {
    let mut left = mask;
    std::iter::from_fn(move || {
        let place = left.trailing_zeros() as usize;
        (left != 0).then(|| {
            left &= left - 1;
            place
        })
    })
}
