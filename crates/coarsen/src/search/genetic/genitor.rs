//! GENITOR (Whitley 1989, on which seed 000, section 4, builds): a steady-state genetic algorithm. Two
//! parents are drawn by rank, their child takes the place of the worst, and nothing is kept twice.
//!
//! - Rank: the place of a parent has a linear bias; the best is drawn `bias` times as often as the
//!   middle one.
//! - Crossover: two points among those bits in which the parents differ (the reduced surrogate), so that
//!   a child differs from both. A column that mixes both is repaired.
//! - Mutation: each bit with a small probability, with what it forces. A child that was met before is
//!   mutated by one more bit, at most three times.
//! - The population starts from random chromosomes, the coarsest, and what `seed_with` found.
//!
//! Departures. Children come in batches that are drawn from one state of the population, each with
//! random numbers of its own, and go in one after the other; so the outcome is the same on any number of
//! threads. A chromosome that was met is never evaluated again: the worst of the population only gets
//! better, so what was once refused or driven out would be again.

use rayon::prelude::*;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Mutex;

use super::Settings;
use super::cost::{Costed, Evaluator, Scratch};
use super::space::{Chromosome, Space};
use super::tiers::Tiers;
use crate::search::{Progress, Run, SearchError, Step, Stop};
use crate::synthetic::Random;

/// The most children that are drawn from one state of the population.
const BATCH: usize = 64;

/// How often a child that was met before is mutated again.
const TRIES: usize = 3;

/// Iterations between two looks at what the population still tells apart.
const REVIEW: u64 = 2048;

/// The stream of random numbers that the first population is drawn from; children follow.
const FIRST: u64 = 0;

struct Member {
    bits: Chromosome,
    fitness: f64,
}

/// The best release so far.
#[derive(Clone)]
pub(super) struct Best {
    pub bits: Chromosome,
    pub costed: Costed,
}

/// How much was done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub iterations: u64,
    pub evaluated: u64,
    pub seen: u64,
}

pub(super) struct Genitor<'a> {
    pub evaluator: &'a Evaluator<'a>,
    settings: &'a Settings,
    pub tiers: Tiers<'a>,
    scratches: Mutex<Vec<Scratch>>,
    /// The best first.
    population: Vec<Member>,
    seen: FxHashSet<u64>,
    /// What a share of rows beyond the limit adds to the cost.
    price: f64,
    pub best: Option<Best>,
    pub tally: Tally,
    pub trace: Vec<Step>,
}

impl<'a> Genitor<'a> {
    /// A population of the coarsest chromosome alone.
    pub fn new(evaluator: &'a Evaluator<'a>, settings: &'a Settings) -> Self {
        let mut genitor = Genitor {
            evaluator,
            settings,
            tiers: Tiers::new(evaluator),
            scratches: Mutex::default(),
            population: Vec::new(),
            seen: FxHashSet::default(),
            price: 0.0,
            best: None,
            tally: Tally::default(),
            trace: Vec::new(),
        };
        let coarsest = evaluator.space.coarsest();
        let whole = evaluator.whole(&coarsest).cost;
        let unit = if whole.is_finite() && whole > 0.0 {
            whole
        } else {
            1.0
        };
        genitor.price = settings.penalty * unit;
        genitor.enter(vec![coarsest]);
        genitor
    }

    fn space(&self) -> &'a Space<'a> {
        self.evaluator.space
    }

    /// The cost, and a price for rows beyond the limit: the share of the table that they are, times
    /// `penalty`, times what the coarsest release costs.
    fn fitness(&self, costed: Costed) -> f64 {
        let problem = self.space().problem;
        let excess = costed.suppressed.saturating_sub(problem.suppression.rows);
        match excess {
            0 => costed.cost,
            _ => costed.cost + self.price * excess as f64 / problem.counts.total() as f64,
        }
    }

    /// Evaluates chromosomes on all threads, in their order. None where one is no better than `bound`.
    pub fn evaluate<T: Sync>(
        &self,
        of: &[T],
        bound: f64,
        bits: impl Fn(&T) -> Option<&Chromosome> + Sync,
    ) -> Vec<Option<Costed>> {
        let each = (of.len() / (4 * rayon::current_num_threads())).max(1);
        let parts = of.par_chunks(each).map(|part| {
            let free = self.scratches.lock().expect("no thread panics here").pop();
            let mut scratch = free.unwrap_or_default();
            let costs: Vec<Option<Costed>> = (part.iter())
                .map(|one| {
                    let bits = bits(one)?;
                    let tier = self.tiers.tier(self.space(), bits);
                    self.evaluator.cost(bits, tier, bound, &mut scratch)
                })
                .collect();
            let mut scratches = self.scratches.lock().expect("no thread panics here");
            scratches.push(scratch);
            costs
        });
        parts.flatten_iter().collect()
    }

    /// Takes chromosomes into the population, as far as they are new and it has room.
    pub fn enter(&mut self, chromosomes: Vec<Chromosome>) {
        let seen = &mut self.seen;
        let new = chromosomes
            .into_iter()
            .filter(|bits| seen.insert(fingerprint(bits)));
        let new: Vec<Chromosome> = new.collect();
        let costs = self.evaluate(&new, f64::INFINITY, |bits| Some(bits));
        for (bits, costed) in new.into_iter().zip(costs) {
            self.tally.evaluated += 1;
            if let Some(costed) = costed {
                self.take(bits, costed);
            }
        }
    }

    /// Fills the population with random chromosomes.
    pub fn fill(&mut self, run: &Run) -> Result<(), SearchError> {
        let mut random = Random::stream(run.seed, FIRST);
        let wanted = self.settings.population;
        // A small space has not as many.
        for _ in 0..20 {
            run.check()?;
            let missing = wanted.saturating_sub(self.population.len());
            if missing == 0 || run.is_over() {
                break;
            }
            let space = self.space();
            let drawn = (0..missing).map(|_| space.random(&mut random));
            self.enter(drawn.collect());
        }
        self.note("the first population");
        self.tiers
            .review(self.space(), self.population.iter().map(|m| &m.bits));
        Ok(())
    }

    /// A chromosome with its cost goes to its place; the worst leaves.
    fn take(&mut self, bits: Chromosome, costed: Costed) {
        let allowed = self.space().problem.suppression.rows;
        let is_best = |best: &Best| costed.cost < best.costed.cost;
        if costed.suppressed <= allowed && self.best.as_ref().is_none_or(is_best) {
            self.best = Some(Best {
                bits: bits.clone(),
                costed,
            });
        }
        let fitness = self.fitness(costed);
        let place = (self.population).partition_point(|member| member.fitness <= fitness);
        let is_full = self.population.len() >= self.settings.population;
        if is_full && place == self.population.len() {
            return;
        }
        self.population.insert(place, Member { bits, fitness });
        self.population.truncate(self.settings.population.max(1));
    }

    /// Replaces the best by a better one that was found elsewhere.
    pub fn improve(&mut self, better: Best) {
        self.seen.insert(fingerprint(&better.bits));
        self.take(better.bits, better.costed);
    }

    /// Lets the population breed until it is told to stop.
    pub fn breed(&mut self, run: &Run) -> Result<Stop, SearchError> {
        let settings = self.settings;
        let mut last_best = (self.best_cost(), 0);
        let (mut last_new, mut last_review) = (0, 0);
        let batch = BATCH.min(self.population.len() / 4).max(1);
        while self.tally.iterations < settings.iterations {
            run.check()?;
            if run.is_over() {
                return Ok(Stop::Budget);
            }
            if self.population.len() < 2 {
                break;
            }
            let done = self.tally.iterations;
            let left = (settings.iterations - done).min(batch as u64);
            let worst = self.population.last().map_or(f64::INFINITY, |m| m.fitness);
            let bound = match self.population.len() < settings.population {
                true => f64::INFINITY,
                false => worst.max(self.best_cost()),
            };
            let children: Vec<Option<Chromosome>> = (done..done + left)
                .into_par_iter()
                .map(|number| self.child(&mut Random::stream(run.seed, number + FIRST + 1)))
                .collect();
            let costs = self.evaluate(&children, bound, Option::as_ref);
            for (child, costed) in children.into_iter().zip(costs) {
                let Some(bits) = child else {
                    self.tally.seen += 1;
                    continue;
                };
                if !self.seen.insert(fingerprint(&bits)) {
                    self.tally.seen += 1;
                    continue;
                }
                last_new = done + left;
                self.tally.evaluated += 1;
                if let Some(costed) = costed {
                    self.take(bits, costed);
                }
            }
            self.tally.iterations += left;
            let done = self.tally.iterations;
            if self.best_cost() < last_best.0 {
                last_best = (self.best_cost(), done);
            }
            // A space that is used up has no more children.
            let used_up = done - last_new > 20 * settings.population as u64;
            let idle = settings.stagnation > 0 && done - last_best.1 >= settings.stagnation;
            if used_up || idle {
                break;
            }
            if done - last_review >= REVIEW {
                last_review = done;
                self.review(run);
            }
        }
        Ok(Stop::Complete)
    }

    fn review(&mut self, run: &Run) {
        let members = self.population.iter().map(|member| &member.bits);
        self.tiers.review(self.evaluator.space, members);
        let done = self.tally.iterations;
        self.note(&format!("{done} iterations"));
        run.report(Progress {
            done,
            of: Some(self.settings.iterations),
            cost: self.best.as_ref().map(|best| best.costed.cost),
        });
    }

    /// Notes the best so far, where it got better.
    pub fn note(&mut self, when: &str) {
        let Some(best) = &self.best else { return };
        let what = format!("{when}: cost {:.6}", best.costed.cost);
        let told = self.trace.last().is_some_and(|last| {
            let cost = |text: &str| text.rsplit(": ").next().map(str::to_string);
            cost(&last.what) == cost(&what)
        });
        if !told {
            self.trace.push(Step {
                what,
                short_rows: best.costed.suppressed,
                tradeoff: None,
            });
        }
    }

    fn best_cost(&self) -> f64 {
        (self.best.as_ref()).map_or(f64::INFINITY, |best| best.costed.cost)
    }

    /// A child of two parents; none where every try gave what was met before.
    fn child(&self, random: &mut Random) -> Option<Chromosome> {
        let space = self.space();
        let (one, other) = (self.parent(random), self.parent(random));
        let mut child = cross(space, &one.bits, &other.bits, random);
        let chance = self.settings.mutation;
        let mut at = skip(random, chance);
        while let Some(bit) = space.ends.get(at) {
            space.flip(&mut child, *bit);
            at = at.saturating_add(1).saturating_add(skip(random, chance));
        }
        for _ in 0..TRIES {
            if !self.seen.contains(&fingerprint(&child)) {
                return Some(child);
            }
            let bit = *space
                .ends
                .get(random.below(space.ends.len() as u64) as usize)?;
            space.flip(&mut child, bit);
        }
        (!self.seen.contains(&fingerprint(&child))).then_some(child)
    }

    /// A member by its rank: Whitley's linear bias.
    fn parent(&self, random: &mut Random) -> &Member {
        let (size, bias) = (self.population.len() as f64, self.settings.bias);
        let drawn = random.unit();
        let share = match bias - 1.0 {
            0.0 => drawn,
            more => (bias - (bias * bias - 4.0 * more * drawn).sqrt()) / 2.0 / more,
        };
        &self.population[((size * share) as usize).min(self.population.len() - 1)]
    }
}

/// How many bits are passed over before the next mutation, each being mutated with this chance.
fn skip(random: &mut Random, chance: f64) -> usize {
    let drawn = 1.0 - random.unit();
    match chance {
        0.0 => usize::MAX,
        1.0 => 0,
        _ => (drawn.ln() / (1.0 - chance).ln()) as usize,
    }
}

/// Two-point crossover over the bits in which the parents differ, in a ring.
fn cross(space: &Space<'_>, one: &[bool], other: &[bool], random: &mut Random) -> Chromosome {
    let mut child = one.to_vec();
    let differ: Vec<usize> = (0..one.len())
        .filter(|bit| one[*bit] != other[*bit])
        .collect();
    let count = differ.len() as u64;
    if count < 2 {
        return child;
    }
    let (first, length) = (random.below(count), 1 + random.below(count - 1));
    for step in first..first + length {
        let bit = differ[(step % count) as usize];
        child[bit] = other[bit];
    }
    for column in 0..space.columns.len() {
        let part = space.of_column(&child, column);
        let is_mixed =
            part != space.of_column(one, column) && part != space.of_column(other, column);
        if is_mixed {
            space.repair(&mut child, column);
        }
    }
    child
}

/// Two chromosomes with the same one are taken for the same, which happens by chance once in many runs and
/// costs no more than a child.
fn fingerprint(bits: &[bool]) -> u64 {
    let mut hasher = FxHasher::default();
    for part in bits.chunks(64) {
        let word = part
            .iter()
            .fold(0u64, |word, bit| word << 1 | u64::from(*bit));
        // Mixed well, for the hash table takes its place from some of the bits only.
        Random::stream(word, part.len() as u64)
            .next_u64()
            .hash(&mut hasher);
    }
    hasher.finish()
}
