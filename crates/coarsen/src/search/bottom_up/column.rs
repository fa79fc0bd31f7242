//! A column between its values and its top, and the generalizations that are valid there (seed 003,
//! definition 2).
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
use super::super::pieces::{Piece, Place};
use crate::counts::Counts;
use crate::domain::{Attribute, Code};
use crate::policy::Scheme;

/// Above this many blocks, not every pair is looked at.
const MANY: usize = 48;

/// A column on its way up. Pieces are numbered as they come into being.
#[derive(Clone)]
pub(super) struct Column {
    pub scheme: Scheme,
    pub pieces: Vec<Piece>,
    /// The pieces that make up the column now, in the order of their first codes.
    pub live: Vec<u32>,
    /// The generalizations that are valid now.
    pub moves: Vec<Move>,
    /// For each piece, those it was made of; none for a value.
    merged: Vec<Vec<u32>>,
    level: usize,
}

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

impl Column {
    pub fn new(counts: &Counts, place: usize, scheme: Scheme, scales: &Scales<'_>) -> Self {
        let pieces = Piece::leaves(scales.attribute, counts, place, scales.judge);
        let mut column = Column {
            scheme,
            live: (0..pieces.len() as u32).collect(),
            merged: vec![Vec::new(); pieces.len()],
            pieces,
            moves: Vec::new(),
            level: 0,
        };
        column.moves = column.valid(scales);
        column
    }

    /// The piece of each code.
    pub fn piece_of(&self) -> Vec<u32> {
        let size = self.live.iter().map(|p| self.piece(*p).codes.len()).sum();
        let mut piece_of = vec![0; size];
        for piece in &self.live {
            for code in &self.piece(*piece).codes {
                piece_of[*code as usize] = *piece;
            }
        }
        piece_of
    }

    pub fn piece(&self, number: u32) -> &Piece {
        &self.pieces[number as usize]
    }

    /// The pieces that a piece was made of.
    pub fn merged_of(&self, piece: u32) -> &[u32] {
        &self.merged[piece as usize]
    }

    /// Puts the pieces back that a live piece was made of. Valid moves are then no longer known, until
    /// [`Column::moves_now`] finds them.
    pub fn undo(&mut self, piece: u32) {
        self.live.retain(|live| *live != piece);
        self.live.extend_from_slice(&self.merged[piece as usize]);
        let pieces = &self.pieces;
        self.live
            .sort_unstable_by_key(|piece| pieces[*piece as usize].codes[0]);
    }

    /// The valid moves, found anew.
    pub fn moves_now(&self, scales: &Scales<'_>) -> Vec<Move> {
        self.valid(scales)
    }

    /// Makes a move, and says what becomes of which pieces.
    pub fn apply(&mut self, chosen: usize, scales: &Scales<'_>) -> Vec<(Vec<u32>, u32)> {
        let made = self.moves.swap_remove(chosen);
        let mut merged = Vec::with_capacity(made.groups.len());
        for group in made.groups {
            let number = self.pieces.len() as u32;
            self.live.retain(|piece| !group.children.contains(piece));
            self.live.push(number);
            self.pieces.push(group.into);
            self.merged.push(group.children.clone());
            merged.push((group.children, number));
        }
        let pieces = &self.pieces;
        self.live
            .sort_unstable_by_key(|piece| pieces[*piece as usize].codes[0]);
        self.level += 1;
        if self.scheme == Scheme::Cut {
            // Only the new node's parent can have become valid.
            let piece = self.pieces.last().expect("a move makes a piece");
            if let Some((level, node)) = self.parent(piece, scales.attribute) {
                self.moves.extend(self.climb(level, node, scales));
            }
        } else {
            self.moves = self.valid(scales);
        }
        merged
    }

    fn valid(&self, scales: &Scales<'_>) -> Vec<Move> {
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

    /// The lowest node that covers a piece and more.
    fn parent(&self, piece: &Piece, attribute: &Attribute) -> Option<(usize, usize)> {
        let hierarchy = &attribute.hierarchy;
        let from = match piece.place {
            Place::Set { within } => return within,
            Place::Node { level, .. } => level,
        };
        (from + 1..=hierarchy.height()).find_map(|level| {
            let above = hierarchy.level(level);
            let node = above.node_of[piece.codes[0] as usize] as usize;
            let covered = &above.nodes[node];
            let more = (covered.end - covered.first) as usize > piece.codes.len();
            more.then_some((level, node))
        })
    }

    /// The generalization to a node, where all its children are there.
    fn climb(&self, level: usize, node: usize, scales: &Scales<'_>) -> Option<Move> {
        let nodes = &scales.attribute.hierarchy.level(level).nodes;
        let (first, end) = (nodes[node].first, nodes[node].end);
        let from = self
            .live
            .partition_point(|piece| self.piece(*piece).codes[0] < first);
        let children: Vec<u32> = self.live[from..]
            .iter()
            .copied()
            .take_while(|piece| self.piece(*piece).codes[0] < end)
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
            let inside = |piece: &&u32| {
                let first = self.piece(**piece).codes[0];
                covered.first <= first && first < covered.end
            };
            let children = self.live.iter().filter(inside).copied().collect();
            self.group(children, Place::Node { level, node }, scales.attribute)
        };
        let nodes = hierarchy.level(level).nodes.iter().enumerate();
        Some(self.measured(nodes.map(group).collect(), scales))
    }

    /// Two pieces at most `apart` places from each other, of one parent where the tree guides.
    fn pairs(&self, apart: usize, scales: &Scales<'_>) -> Vec<Move> {
        let attribute = scales.attribute;
        let guided = matches!(self.scheme, Scheme::GuidedOrdered | Scheme::GuidedSet);
        let mut moves = Vec::new();
        for (place, one) in self.live.iter().enumerate() {
            for other in self.live[place + 1..].iter().take(apart) {
                let host = self.parent(self.piece(*one), attribute);
                if guided && host != self.parent(self.piece(*other), attribute) {
                    continue;
                }
                let into = Place::Set {
                    within: host.filter(|_| guided),
                };
                let mut group = self.group(vec![*one, *other], into, attribute);
                if let (true, Some((level, node))) = (guided, host) {
                    let whole = &attribute.hierarchy.level(level).nodes[node];
                    if (whole.end - whole.first) as usize == group.into.codes.len() {
                        let place = Place::Node { level, node };
                        group = self.group(group.children, place, attribute);
                    }
                }
                moves.push(self.measured(vec![group], scales));
            }
        }
        moves
    }

    fn group(&self, children: Vec<u32>, place: Place, attribute: &Attribute) -> Group {
        let pieces = || children.iter().map(|child| self.piece(*child));
        let mut codes: Vec<Code> = pieces().flat_map(|piece| &piece.codes).copied().collect();
        codes.sort_unstable();
        let mix = Mix::sum(pieces().map(|piece| &piece.mix));
        let into = Piece::new(attribute, place, codes, mix);
        Group { children, into }
    }

    fn measured(&self, groups: Vec<Group>, scales: &Scales<'_>) -> Move {
        let (mut lost, mut rows, mut lm) = (0.0, 0, 0.0);
        for group in &groups {
            let children = || group.children.iter().map(|child| self.piece(*child));
            let into = &group.into;
            let parts = children().map(|piece| &piece.mix);
            lost += into.mix.rows as f64 * scales.judge.lost(&into.mix, parts);
            rows += into.mix.rows;
            for child in children() {
                lm += child.mix.rows as f64 * (into.block.lm - child.block.lm);
            }
        }
        let lm = lm * scales.share;
        let information = match scales.judge.measure {
            Measure::Lm => lm.max(0.0),
            Measure::None => 1.0,
            // One group is the paper's I(G); a whole level has the mean of its groups, by their rows.
            _ if rows == 0 => 0.0,
            _ => lost / scales.all.unwrap_or(rows) as f64,
        };
        let first = groups.first().map_or(0, |group| group.into.codes[0]);
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
