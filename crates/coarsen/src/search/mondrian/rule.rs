//! A split rule: which splits of a region are worth trying, and in what order.

use super::split::{Candidate, Context, Region};
use super::strip::Asked;

/// A split rule. Variants of Mondrian differ in this alone.
pub(super) trait Rule: Sync {
    /// What it needs to know of the rows of every code, beyond how many there are.
    fn asked(&self) -> Asked<'_>;

    /// Splits of a region whose parts all have enough rows.
    fn candidates(&self, context: &Context<'_>, region: &Region<'_>) -> Vec<Candidate>;
}

/// Collects candidates: all of them, or only the best where counting rows is all there is to check, so
/// that the best is allowed.
pub(super) struct Collector {
    keep_all: bool,
    found: Vec<Candidate>,
}

impl Collector {
    pub fn new(context: &Context<'_>) -> Self {
        Collector {
            keep_all: !context.only_k,
            found: Vec::new(),
        }
    }

    pub fn add(&mut self, candidate: Candidate) {
        match self.found.first() {
            Some(best) if !self.keep_all => {
                if candidate.compare(best).is_lt() {
                    self.found[0] = candidate;
                }
            }
            _ => self.found.push(candidate),
        }
    }

    /// The candidates, best first.
    pub fn finish(mut self) -> Vec<Candidate> {
        self.found.sort_by(Candidate::compare);
        self.found
    }
}
