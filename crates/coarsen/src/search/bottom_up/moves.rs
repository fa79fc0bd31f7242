//! The generalizations that are valid in a column, and what each loses (seed 003, definition 2 and
//! section 3).
//!
//! Under the scheme `cut` these are the paper's: all children of a tree node become the node, once
//! everything below them has. The other schemes give what the paper leaves as future work: `level`
//! lifts the whole column; `guided-ordered` and `guided-set` take two children of a node at a time
//! (partial generalization); `ordered` and `set` merge neighbours or any two blocks without asking the
//! tree, which is how numbers are merged that have no hierarchy. A column of more than [`MANY`] blocks
//! under a `set` scheme merges neighbours only until it has fewer, for its pairs are too many.
//!
//! An only child is the same as its parent: a piece climbs to the lowest node that covers more than it
//! does. So does the missing value, which stands right below the top.

use super::super::information::{Judge, Measure, Mix};
use super::super::pieces::{Codes, Piece, Place};
use super::column::Column;
use crate::domain::{Attribute, Code};
use crate::policy::Scheme;

/// Above this many blocks, not every pair is looked at.
const MANY: usize = 48;

/// A generalization: groups of live pieces, each of which becomes one.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub groups: Vec<Group>,
    /// I(G).
    pub information: f64,
    /// What the release's LM goes up by, for ties.
    pub lm: f64,
    /// Level and first code of what comes of it: the last tie-break within a column.
    pub order: (usize, Code),
}

/// Pieces that become one.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub children: Vec<u32>,
    pub into: Piece,
}

/// What measuring a move takes.
pub(super) struct Scales<'a> {
    pub judge: &'a Judge,
    pub attribute: &'a Attribute,
    /// The column's share of LM a row.
    pub share: f64,
    /// All rows, where what a move loses is to be over these and not over the rows that it generalizes.
    pub all: Option<u64>,
}

impl Scales<'_> {
    /// I(G) and the increase of LM where each of these lists of pieces becomes one.
    pub fn measure<'p>(
        &self,
        merged: impl Iterator<Item = (&'p Piece, impl Iterator<Item = &'p Piece> + Clone)>,
    ) -> (f64, f64) {
        let (mut lost, mut rows, mut lm) = (0.0, 0, 0.0);
        for (into, parts) in merged {
            let mixes = parts.clone().map(|piece| &piece.mix);
            lost += into.mix.rows as f64 * self.judge.lost(&into.mix, mixes);
            rows += into.mix.rows;
            for part in parts {
                lm += part.mix.rows as f64 * (into.block.lm - part.block.lm);
            }
        }
        let lm = lm * self.share;
        let information = match self.judge.measure {
            Measure::Lm => lm.max(0.0),
            Measure::None => 1.0,
            // One group is the paper's I(G); a whole level has the mean of its groups, by their rows.
            _ if rows == 0 => 0.0,
            _ => lost / self.all.unwrap_or(rows) as f64,
        };
        (information, lm)
    }
}

impl Column {
    /// Every generalization that is valid now.
    pub fn valid(&self, scales: &Scales<'_>) -> Vec<Move> {
        let hierarchy = &scales.attribute.hierarchy;
        match self.scheme {
            Scheme::Cut => (1..=hierarchy.height())
                .flat_map(|level| (0..hierarchy.level(level).nodes.len()).map(move |n| (level, n)))
                .filter_map(|(level, node)| self.climb(level, node, scales))
                .collect(),
            Scheme::Level => self.lift(scales).into_iter().collect(),
            Scheme::Ordered | Scheme::GuidedOrdered => self.pairs(1, scales),
            Scheme::Set | Scheme::GuidedSet if self.live.len() > MANY => self.pairs(1, scales),
            Scheme::Set | Scheme::GuidedSet => self.pairs(MANY, scales),
        }
    }

    /// Brings the moves up to date once some pieces became one.
    pub(super) fn update(&mut self, gone: &[u32], new: u32, scales: &Scales<'_>) {
        let neighbours = match self.scheme {
            Scheme::Ordered | Scheme::GuidedOrdered => true,
            Scheme::Set | Scheme::GuidedSet => self.live.len() > MANY,
            Scheme::Cut | Scheme::Level => false,
        };
        match self.scheme {
            // Only the new node's parent can have become valid.
            Scheme::Cut => {
                if let Some((level, node)) = self.parent(self.piece(new), scales.attribute) {
                    self.moves.extend(self.climb(level, node, scales));
                }
            }
            // Only its neighbours have another partner.
            _ if neighbours => {
                let concerned = |made: &Move| {
                    let mut children = made.groups.iter().flat_map(|group| &group.children);
                    children.any(|child| gone.contains(child))
                };
                self.moves.retain(|made| !concerned(made));
                let place = self.place_of(self.piece(new).codes.first());
                for from in [place.checked_sub(1), Some(place)].into_iter().flatten() {
                    if let Some([one, other]) = self.live.get(from..from + 2) {
                        let pair = self.pair(*one, *other, scales);
                        self.moves.extend(pair);
                    }
                }
            }
            _ => self.moves = self.valid(scales),
        }
    }

    /// The lowest node that covers a piece and more.
    fn parent(&self, piece: &Piece, attribute: &Attribute) -> Option<(usize, usize)> {
        let hierarchy = &attribute.hierarchy;
        let from = match piece.place {
            Place::Set { within } => return within,
            Place::Node { level, .. } => level,
        };
        (from + 1..=hierarchy.height()).find_map(|level| {
            let above = hierarchy.level(level);
            let node = above.node_of[piece.codes.first() as usize] as usize;
            let covered = &above.nodes[node];
            let more = (covered.end - covered.first) as usize > piece.codes.size();
            more.then_some((level, node))
        })
    }

    /// The generalization to a node, where all its children are there.
    fn climb(&self, level: usize, node: usize, scales: &Scales<'_>) -> Option<Move> {
        let covered = &scales.attribute.hierarchy.level(level).nodes[node];
        let children: Vec<u32> = self.live[self.place_of(covered.first)..]
            .iter()
            .copied()
            .take_while(|piece| self.piece(*piece).codes.first() < covered.end)
            .collect();
        let below =
            |piece: &u32| self.parent(self.piece(*piece), scales.attribute) == Some((level, node));
        if children.is_empty() || !children.iter().all(below) {
            return None;
        }
        let group = self.group(children, Place::Node { level, node }, scales.attribute);
        Some(self.measured(vec![group], scales))
    }

    /// The whole column to the next level.
    fn lift(&self, scales: &Scales<'_>) -> Option<Move> {
        let hierarchy = &scales.attribute.hierarchy;
        let level = self.level + 1;
        if level > hierarchy.height() {
            return None;
        }
        let group = |(node, covered): (usize, &crate::domain::hierarchy::Node)| {
            let children =
                self.live[self.place_of(covered.first)..self.place_of(covered.end)].to_vec();
            self.group(children, Place::Node { level, node }, scales.attribute)
        };
        let nodes = hierarchy.level(level).nodes.iter().enumerate();
        Some(self.measured(nodes.map(group).collect(), scales))
    }

    /// Two pieces at most `apart` places from each other.
    fn pairs(&self, apart: usize, scales: &Scales<'_>) -> Vec<Move> {
        let places = self.live.iter().enumerate();
        let pairs = places.flat_map(|(place, one)| {
            let others = self.live[place + 1..].iter().take(apart);
            others.filter_map(|other| self.pair(*one, *other, scales))
        });
        pairs.collect()
    }

    fn pair(&self, one: u32, other: u32, scales: &Scales<'_>) -> Option<Move> {
        let into = self.joined(self.piece(one), self.piece(other), scales.attribute)?;
        let children = vec![one, other];
        Some(self.measured(vec![Group { children, into }], scales))
    }

    /// Two pieces as one, where they have one parent or no tree guides.
    pub(super) fn joined(
        &self,
        one: &Piece,
        other: &Piece,
        attribute: &Attribute,
    ) -> Option<Piece> {
        let guided = matches!(self.scheme, Scheme::GuidedOrdered | Scheme::GuidedSet);
        let within = match guided {
            true => self.parent(one, attribute),
            false => None,
        };
        if guided && within != self.parent(other, attribute) {
            return None;
        }
        let codes = Codes::union([&one.codes, &other.codes].into_iter());
        let mix = Mix::sum([&one.mix, &other.mix].into_iter());
        let whole = within.filter(|(level, node)| {
            let whole = &attribute.hierarchy.level(*level).nodes[*node];
            (whole.end - whole.first) as usize == codes.size()
        });
        let place = match whole {
            Some((level, node)) => Place::Node { level, node },
            None => Place::Set { within },
        };
        Some(Piece::new(attribute, place, codes, mix))
    }

    fn group(&self, children: Vec<u32>, place: Place, attribute: &Attribute) -> Group {
        let pieces = || children.iter().map(|child| self.piece(*child));
        let codes = Codes::union(pieces().map(|piece| &piece.codes));
        let mix = Mix::sum(pieces().map(|piece| &piece.mix));
        let into = Piece::new(attribute, place, codes, mix);
        Group { children, into }
    }

    fn measured(&self, groups: Vec<Group>, scales: &Scales<'_>) -> Move {
        let (information, lm) = scales.measure(groups.iter().map(|group| {
            let children = group.children.iter().map(|child| self.piece(*child));
            (&group.into, children)
        }));
        let first = groups.first().map_or(0, |group| group.into.codes.first());
        let level = match groups.first().map(|group| group.into.place) {
            Some(Place::Node { level, .. }) => level,
            _ => 0,
        };
        Move {
            groups,
            information,
            lm,
            order: (level, first),
        }
    }
}
