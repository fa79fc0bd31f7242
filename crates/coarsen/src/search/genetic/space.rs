//! The chromosomes of a problem (seed 000, section 4): one bit for each potential end point of every
//! column, column after column, and what is released for them.
//!
//! A column of n units has n bits, of which the first is never set: it stands for no end point.

use super::column::{CellCost, Column, Layout};
use super::objective::Objective;
use crate::problem::Problem;
use crate::recoding::{Partitions, Recoding};
use crate::search::SearchError;
use crate::synthetic::Random;

/// The bits of all columns.
pub(super) type Chromosome = Vec<bool>;

/// All chromosomes of a problem.
pub(super) struct Space<'a> {
    pub problem: &'a Problem,
    pub columns: Vec<Column>,
    /// Where each column's bits begin, and where the last one's end.
    offsets: Vec<usize>,
    /// The bits that mean something.
    pub ends: Vec<usize>,
    /// The column of every bit.
    column_of: Vec<u32>,
}

impl<'a> Space<'a> {
    pub fn new(
        problem: &'a Problem,
        layout: &Layout,
        objective: &Objective,
    ) -> Result<Self, SearchError> {
        let weights: f64 = problem.attributes.iter().map(|a| a.settings.weight).sum();
        let cells = objective
            .sums
            .as_ref()
            .map_or(CellCost::default(), |s| s.cells);
        let mut columns = Vec::new();
        let (mut offsets, mut ends, mut column_of) = (vec![0], Vec::new(), Vec::new());
        for (place, attribute) in problem.attributes.iter().enumerate() {
            let of_row = attribute.settings.weight / weights / problem.counts.total() as f64;
            let of_row = if of_row.is_finite() { of_row } else { 0.0 };
            let share = CellCost {
                lm: cells.lm * of_row,
                height: cells.height * of_row,
            };
            let column = Column::new(problem, place, layout, share)?;
            let offset = offsets[place];
            ends.extend(offset + 1..offset + column.units());
            column_of.resize(offset + column.units(), place as u32);
            offsets.push(offset + column.units());
            columns.push(column);
        }
        Ok(Space {
            problem,
            columns,
            offsets,
            ends,
            column_of,
        })
    }

    /// How many bits a chromosome has.
    pub fn bits(&self) -> usize {
        self.column_of.len()
    }

    /// The bits of a column.
    pub fn of_column<'b>(&self, bits: &'b [bool], column: usize) -> &'b [bool] {
        &bits[self.offsets[column]..self.offsets[column + 1]]
    }

    fn of_column_mut<'b>(&self, bits: &'b mut [bool], column: usize) -> &'b mut [bool] {
        &mut bits[self.offsets[column]..self.offsets[column + 1]]
    }

    /// The column that a bit belongs to, and its unit.
    pub fn place(&self, bit: usize) -> (usize, usize) {
        let column = self.column_of[bit] as usize;
        (column, bit - self.offsets[column])
    }

    /// The chromosome of one class.
    pub fn coarsest(&self) -> Chromosome {
        vec![false; self.bits()]
    }

    /// Gives one bit of a legal chromosome a value, and the others of its column what that forces.
    fn set(&self, bits: &mut [bool], bit: usize, value: bool) {
        let (column, unit) = self.place(bit);
        let rule = &self.columns[column].rule;
        rule.set(self.of_column_mut(bits, column), unit, value);
    }

    /// Changes one bit of a legal chromosome likewise.
    pub fn flip(&self, bits: &mut [bool], bit: usize) {
        let value = !bits[bit];
        self.set(bits, bit, value);
    }

    /// Makes a column of a chromosome legal.
    pub fn repair(&self, bits: &mut [bool], column: usize) {
        let rule = &self.columns[column].rule;
        rule.repair(self.of_column_mut(bits, column));
    }

    /// A random chromosome: each column has a density of its own, more often low than high, for most
    /// releases that hold are coarse.
    pub fn random(&self, random: &mut Random) -> Chromosome {
        let mut bits = self.coarsest();
        for column in 0..self.columns.len() {
            let density = random.unit().powi(3);
            for bit in self.of_column_mut(&mut bits, column).iter_mut().skip(1) {
                *bit = random.chance(density);
            }
            self.repair(&mut bits, column);
        }
        bits
    }

    /// What is released.
    pub fn recoding(&self, bits: &[bool]) -> Recoding {
        let columns = self.columns.iter().zip(&self.problem.attributes);
        let columns = columns.enumerate().map(|(place, (column, attribute))| {
            column.partition(attribute, self.of_column(bits, place))
        });
        Recoding::Partitions(Partitions {
            columns: columns.collect(),
        })
    }

    /// The legal chromosome nearest to partitions.
    pub fn chromosome(&self, partitions: &Partitions) -> Chromosome {
        let columns = self.columns.iter().zip(&partitions.columns);
        columns
            .flat_map(|(column, partition)| column.bits(partition))
            .collect()
    }
}
