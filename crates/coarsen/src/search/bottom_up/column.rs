//! A column between its values and its top (seed 003, definition 2): its pieces, which of them are live,
//! the generalizations that are valid now ([`super::moves`]), and how one is made and undone.

use super::super::pieces::{Codes, Piece};
use super::moves::{Group, Move, Scales};
use crate::counts::Counts;
use crate::policy::Scheme;

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
    /// The level that the whole column has come to, where it climbs by whole levels.
    pub(super) level: usize,
}

impl Column {
    /// A column at its values, or at runs of these where it has too many ([`super::thin`]).
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
        let thin = column.thin(scales);
        column.apply_all(thin, scales);
        column
    }

    /// The piece of each code.
    pub fn piece_of(&self) -> Vec<u32> {
        let size = self.live.iter().map(|p| self.piece(*p).codes.size()).sum();
        let mut piece_of = vec![0; size];
        for piece in &self.live {
            for code in self.piece(*piece).codes.iter() {
                piece_of[code as usize] = *piece;
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

    /// The live pieces that are no value: what was merged, and from what.
    pub fn merges(&self) -> impl Iterator<Item = (&[u32], u32)> {
        let made = self
            .live
            .iter()
            .map(|piece| (self.merged_of(*piece), *piece));
        made.filter(|(from, _)| !from.is_empty())
    }

    /// For each piece, the moves and the groups in them that it is part of.
    pub fn groups_of(&self) -> Vec<Vec<(u32, u32)>> {
        let mut groups_of = vec![Vec::new(); self.pieces.len()];
        for (place, made) in self.moves.iter().enumerate() {
            for (number, group) in made.groups.iter().enumerate() {
                for child in &group.children {
                    groups_of[*child as usize].push((place as u32, number as u32));
                }
            }
        }
        groups_of
    }

    /// The place of the move whose first group becomes these codes.
    pub fn move_to(&self, codes: &Codes) -> Option<usize> {
        let is_it = |made: &Move| made.groups[0].into.codes == *codes;
        self.moves.iter().position(is_it)
    }

    /// Puts the pieces back that a live piece was made of. Valid moves are then no longer known:
    /// [`Column::valid`] finds them.
    pub fn undo(&mut self, piece: u32) {
        self.live.retain(|live| *live != piece);
        self.live.extend_from_slice(&self.merged[piece as usize]);
        self.sort();
    }

    /// Makes a move, and says what becomes of which pieces.
    pub fn apply(&mut self, chosen: usize, scales: &Scales<'_>) -> Vec<(Vec<u32>, u32)> {
        let made = self.moves.swap_remove(chosen);
        let merged = self.merge(made.groups);
        match merged.as_slice() {
            [(gone, new)] => self.update(gone, *new, scales),
            _ => self.moves = self.valid(scales),
        }
        merged
    }

    /// Merges several groups at once, whether a move has them or not.
    pub fn apply_all(&mut self, groups: Vec<Group>, scales: &Scales<'_>) -> Vec<(Vec<u32>, u32)> {
        let merged = self.merge(groups);
        self.moves = self.valid(scales);
        merged
    }

    fn merge(&mut self, groups: Vec<Group>) -> Vec<(Vec<u32>, u32)> {
        let mut merged = Vec::with_capacity(groups.len());
        if self.scheme == Scheme::Level && !groups.is_empty() {
            self.level += 1;
        }
        for group in groups {
            let number = self.pieces.len() as u32;
            let first = group.into.codes.first();
            let from = self.place_of(first);
            let to = from + group.children.len();
            self.pieces.push(group.into);
            // Neighbours, as in a tree, are replaced in their place.
            if self.live.get(from..to) == Some(group.children.as_slice()) {
                self.live.splice(from..to, [number]);
            } else {
                self.live.retain(|piece| !group.children.contains(piece));
                self.live.push(number);
                self.sort();
            }
            self.merged.push(group.children.clone());
            merged.push((group.children, number));
        }
        merged
    }

    /// Where the live piece is that starts at a code, or would be.
    pub(super) fn place_of(&self, first: u32) -> usize {
        self.live
            .partition_point(|piece| self.piece(*piece).codes.first() < first)
    }

    fn sort(&mut self) {
        let pieces = &self.pieces;
        self.live
            .sort_unstable_by_key(|piece| pieces[*piece as usize].codes.first());
    }
}
