//! The specializations of a block (Fung, Wang and Yu 2005, section 3): a tree node into its children,
//! a run of ordered values at the threshold that gains most, or, under `level`, every block at once.
//!
//! An only child is the same as its parent: a block is the lowest node of its values.

use super::super::information::{Judge, Measure, Mix};
use super::super::pieces::{Codes, Piece, Place};
use crate::domain::{Attribute, Code};
use crate::policy::Scheme;

/// How many thresholds of a run are held ready: where the best breaks the requirement, the next is
/// looked at.
const THRESHOLDS: usize = 8;

/// A column on its way down.
pub(super) struct Column {
    pub scheme: Scheme,
    /// The values by themselves.
    leaves: Vec<Piece>,
    pub pieces: Vec<Piece>,
    pub live: Vec<u32>,
    /// What can be specialized.
    pub splits: Vec<Split>,
    level: usize,
}

/// A specialization: each of these pieces into those.
pub(super) struct Split {
    pub parts: Vec<(u32, Vec<Piece>)>,
    /// What is gained by the measure of the search.
    pub gain: f64,
    /// What LM falls by, for ties.
    pub lm: f64,
    /// Other thresholds of the same run with their gains, best last.
    others: Vec<(f64, usize)>,
}

/// What measuring a split takes.
pub(super) struct Scales<'a> {
    pub judge: &'a Judge,
    pub attribute: &'a Attribute,
    /// The column's share of LM a row.
    pub share: f64,
}

impl Column {
    /// A column at its top.
    pub fn new(leaves: Vec<Piece>, scheme: Scheme, scales: &Scales<'_>) -> Self {
        let attribute = scales.attribute;
        let level = attribute.hierarchy.height();
        let top = Place::Node { level, node: 0 };
        let codes = Codes::run(0, attribute.domain.size() as Code);
        let mix = Mix::sum(leaves.iter().map(|leaf| &leaf.mix));
        let mut column = Column {
            scheme,
            pieces: vec![Piece::new(attribute, top, codes, mix)],
            leaves,
            live: vec![0],
            splits: Vec::new(),
            level,
        };
        column.splits = column.open(&[0], scales);
        column
    }

    pub fn piece(&self, number: u32) -> &Piece {
        &self.pieces[number as usize]
    }

    /// Makes a split, and says which new pieces each old one became.
    pub fn apply(&mut self, chosen: usize, scales: &Scales<'_>) -> Vec<(u32, Vec<u32>)> {
        let split = self.splits.swap_remove(chosen);
        let mut made = Vec::with_capacity(split.parts.len());
        let mut new = Vec::new();
        for (old, parts) in split.parts {
            let first = self.pieces.len() as u32;
            self.pieces.extend(parts);
            let numbers: Vec<u32> = (first..self.pieces.len() as u32).collect();
            self.live.retain(|piece| *piece != old);
            self.live.extend(&numbers);
            new.extend(&numbers);
            made.push((old, numbers));
        }
        self.level = self.level.saturating_sub(1);
        let opened = self.open(&new, scales);
        self.splits.extend(opened);
        made
    }

    /// The next best threshold in the place of one that breaks the requirement; false, and the split
    /// gone for good, where there is none: what is finer breaks it too.
    pub fn refuse(&mut self, split: usize, scales: &Scales<'_>) -> bool {
        let (old, others) = {
            let split = &mut self.splits[split];
            (split.parts[0].0, std::mem::take(&mut split.others))
        };
        match self.threshold(old, others, scales) {
            Some(next) => {
                self.splits[split] = next;
                true
            }
            None => {
                self.splits.swap_remove(split);
                false
            }
        }
    }

    /// The specializations of new pieces.
    fn open(&self, new: &[u32], scales: &Scales<'_>) -> Vec<Split> {
        match self.scheme {
            Scheme::Level => self.lower(scales).into_iter().collect(),
            Scheme::Ordered => {
                let split = |piece: &u32| {
                    let gains = self.thresholds(self.piece(*piece), scales);
                    self.threshold(*piece, gains, scales)
                };
                new.iter().filter_map(split).collect()
            }
            // A cut is legal under every scheme that a tree guides, and a partition into sets too.
            Scheme::Cut | Scheme::Set | Scheme::GuidedOrdered | Scheme::GuidedSet => {
                let split = |piece: &u32| {
                    let children = self.children(self.piece(*piece), scales.attribute)?;
                    Some(self.measured(vec![(*piece, children)], Vec::new(), scales))
                };
                new.iter().filter_map(split).collect()
            }
        }
    }

    fn node(&self, level: usize, node: usize, attribute: &Attribute) -> Piece {
        let covered = &attribute.hierarchy.level(level).nodes[node];
        let leaves = &self.leaves[covered.first as usize..covered.end as usize];
        let mix = Mix::sum(leaves.iter().map(|leaf| &leaf.mix));
        let codes = Codes::run(covered.first, covered.end);
        Piece::new(attribute, Place::Node { level, node }, codes, mix)
    }

    /// The children of a node, each as low as it goes.
    fn children(&self, piece: &Piece, attribute: &Attribute) -> Option<Vec<Piece>> {
        let Place::Node { level, .. } = piece.place else {
            return None;
        };
        let hierarchy = &attribute.hierarchy;
        // The top of a tree may have an only child as well.
        let parted = |below: &usize| self.parts(piece, *below, attribute).len() > 1;
        let below = (0..level).rev().find(parted)?;
        let child = |node: u32| {
            let covered = &hierarchy.level(below).nodes[node as usize];
            let lower = hierarchy.find(covered.first, covered.end);
            let level = lower.map_or(below, |(level, _)| level);
            let node = hierarchy.level(level).node_of[covered.first as usize];
            self.node(level, node as usize, attribute)
        };
        let parts = self.parts(piece, below, attribute);
        Some(parts.into_iter().map(child).collect())
    }

    /// The nodes of a level that a piece covers.
    fn parts(&self, piece: &Piece, level: usize, attribute: &Attribute) -> Vec<u32> {
        let node_of = &attribute.hierarchy.level(level).node_of;
        let nodes = piece.codes.iter().map(|code| node_of[code as usize]);
        let mut nodes: Vec<u32> = nodes.collect();
        nodes.dedup();
        nodes
    }

    /// The whole column one level down.
    fn lower(&self, scales: &Scales<'_>) -> Option<Split> {
        let below = self.level.checked_sub(1)?;
        let attribute = scales.attribute;
        let parts = self.live.iter().map(|old| {
            let nodes = self.parts(self.piece(*old), below, attribute);
            let child = |node: u32| self.node(below, node as usize, attribute);
            (*old, nodes.into_iter().map(child).collect())
        });
        Some(self.measured(parts.collect(), Vec::new(), scales))
    }

    /// The places where a run can be cut in two, with what each gains, best last.
    fn thresholds(&self, piece: &Piece, scales: &Scales<'_>) -> Vec<(f64, usize)> {
        // Both sides are added up once: from the left and from the right.
        let leaf = |code: Code| &self.leaves[code as usize].mix;
        let mut right: Vec<Mix> = Vec::with_capacity(piece.codes.size());
        for code in piece.codes.iter().rev() {
            let sum = Mix::sum(right.last().into_iter().chain([leaf(code)]));
            right.push(sum);
        }
        right.reverse();
        let mut left = Mix::default();
        let mut gains = Vec::new();
        let before = piece.codes.iter();
        for ((cut, right), code) in right.iter().enumerate().skip(1).zip(before) {
            left = Mix::sum([&left, leaf(code)].into_iter());
            if left.rows == 0 || right.rows == 0 {
                continue;
            }
            let gain = match scales.judge.measure {
                // The middle loses least: both halves are then as narrow as can be.
                Measure::Lm | Measure::None => left.rows.min(right.rows) as f64,
                _ => scales.judge.lost(&piece.mix, [&left, right].into_iter()),
            };
            gains.push((gain, cut));
        }
        gains.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        gains.split_off(gains.len().saturating_sub(THRESHOLDS))
    }

    /// The split at the last of these thresholds.
    fn threshold(
        &self,
        old: u32,
        mut gains: Vec<(f64, usize)>,
        scales: &Scales<'_>,
    ) -> Option<Split> {
        let (_, cut) = gains.pop()?;
        let part = |codes: Codes| {
            let mix = Mix::sum(codes.iter().map(|code| &self.leaves[code as usize].mix));
            Piece::new(scales.attribute, Place::Set { within: None }, codes, mix)
        };
        let (left, right) = self.piece(old).codes.split_at(cut);
        let parts = vec![(old, vec![part(left), part(right)])];
        Some(self.measured(parts, gains, scales))
    }

    fn measured(
        &self,
        parts: Vec<(u32, Vec<Piece>)>,
        others: Vec<(f64, usize)>,
        scales: &Scales<'_>,
    ) -> Split {
        let (mut gained, mut rows, mut lm) = (0.0, 0, 0.0);
        for (old, children) in &parts {
            let whole = self.piece(*old);
            let mixes = children.iter().map(|child| &child.mix);
            gained += whole.mix.rows as f64 * scales.judge.lost(&whole.mix, mixes);
            rows += whole.mix.rows;
            for child in children {
                lm += child.mix.rows as f64 * (whole.block.lm - child.block.lm);
            }
        }
        let lm = lm * scales.share;
        let gain = match scales.judge.measure {
            Measure::Lm => lm.max(0.0),
            Measure::None => 1.0,
            _ if rows == 0 => 0.0,
            _ => gained / rows as f64,
        };
        Split {
            parts,
            gain,
            lm,
            others,
        }
    }
}
