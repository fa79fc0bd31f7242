//! The releases that are searched: a partition for each column, the column that is solved, and the
//! order in which the others are settled. Here a node is bounded and a release is held against the
//! problem.

use super::Settings;
use super::bound::{Bounded, bound};
use super::column::{Column, View};
use super::model::Model;
use super::sums::Possible;
use crate::domain::scheme::Direction;
use crate::privacy::enforce;
use crate::problem::Problem;
use crate::recoding::{Partitions, Recoding};
use crate::search::SearchError;

/// How many prices of a suppressed row are tried at a node.
const PRICES: usize = 6;

/// Where a column stands: at a place of its tree, with or without what grows from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub node: u32,
    pub open: bool,
}

/// A release that meets the requirements.
#[derive(Clone, Debug)]
pub(super) struct Release {
    /// The block of each code, column by column.
    pub partitions: Vec<Vec<u32>>,
    pub cost: f64,
    pub suppressed: u64,
}

pub(super) struct Space<'a> {
    pub problem: &'a Problem,
    pub model: Model,
    pub columns: Vec<Column>,
    /// The column that is solved.
    pub solved: usize,
    /// The others, in the order in which they are settled.
    pub order: Vec<usize>,
}

impl<'a> Space<'a> {
    /// Fails where a column that must be enumerated has too many partitions.
    pub fn new(
        problem: &'a Problem,
        settings: &Settings,
        direction: Direction,
    ) -> Result<Self, SearchError> {
        let model = Model::new(problem);
        let attributes = &problem.attributes;
        let mut columns: Vec<Column> = attributes
            .iter()
            .enumerate()
            .map(|(place, attribute)| Column::new(attribute, place, &problem.counts, &model))
            .collect();
        let solvable = (0..columns.len()).filter(|c| columns[*c].facts.is_some());
        let by_count = |column: &usize| columns[*column].count;
        let solved = match settings.solve_column {
            true => solvable.max_by_key(by_count),
            false => solvable.min_by_key(by_count),
        };
        let too_large: Vec<usize> = (0..columns.len())
            .filter(|c| columns[*c].count > settings.partitions as u128 && Some(*c) != solved)
            .collect();
        let (true, Some(solved)) = (too_large.is_empty(), solved) else {
            let column = |c: &usize| {
                let Column { count, .. } = &columns[*c];
                format!(
                    "column `{}` alone has {} under scheme `{}`",
                    attributes[*c].name,
                    written(*count),
                    attributes[*c].settings.scheme
                )
            };
            let named: Vec<String> = match too_large.is_empty() {
                true => (0..columns.len()).map(|c| column(&c)).collect(),
                false => too_large.iter().map(column).collect(),
            };
            return Err(SearchError::Unfit(format!(
                "the search space of {} is too large to prove anything: {}; choose a smaller scheme for it (ordered, guided-ordered, cut or level), group its values first, or raise search.optimal.partitions from {}",
                text(&columns),
                named.join(", "),
                settings.partitions
            )));
        };
        for (column, attribute) in columns.iter_mut().zip(attributes) {
            let reach = settings.prune_useful;
            column.grow(attribute, &model, direction, settings.partitions, reach);
        }
        let mut order: Vec<usize> = (0..columns.len()).filter(|c| *c != solved).collect();
        if settings.order_columns {
            order.sort_by_key(|c| columns[*c].count);
        }
        Ok(Space {
            problem,
            model,
            columns,
            solved,
            order,
        })
    }

    /// The size of the space, in words.
    pub fn text(&self) -> String {
        text(&self.columns)
    }

    /// The node that holds all releases.
    pub fn root(&self) -> Vec<Place> {
        let place = |column: &Column| Place {
            node: 0,
            open: column
                .tree
                .as_ref()
                .is_none_or(|t| !t.children[0].is_empty()),
        };
        self.columns.iter().map(place).collect()
    }

    /// What holds in a column at its place; none where it is not enumerated.
    pub fn view(&self, column: usize, place: Place) -> Option<&View> {
        let tree = self.columns[column].tree.as_ref()?;
        let views = if place.open { &tree.below } else { &tree.fixed };
        views.get(place.node as usize)
    }

    /// The least that any release of a node costs, with the solved column's partition for it.
    ///
    /// Where only some rows may be suppressed, the partition of least cost may suppress more. Then
    /// each suppressed row is given a price, and the price of those that are allowed is given back:
    /// whatever the price, no release within the limit costs less (Lagrange's bound). Prices are tried
    /// until the limit is met, and then between the last two.
    pub fn bound(&self, node: &[Place]) -> (f64, Vec<u32>) {
        let nothing = View::nothing();
        let view = |column: usize| self.view(column, node[column]).unwrap_or(&nothing);
        let views: Vec<&View> = (0..node.len()).map(view).collect();
        let solved = node[self.solved];
        let possible = match solved.open && solved.node == 0 {
            true => None,
            false => self.view(self.solved, solved),
        };
        let priced = |price| self.bound_of(self.solved, &views, Possible(possible), price);
        let free = priced(0.0);
        let allowed = self.problem.suppression.rows as f64;
        let mut best = (free.sum, free.blocks);
        if free.suppressed <= allowed || !free.sum.is_finite() || !self.model.is_known() {
            return best;
        }
        let (mut low, mut high) = (0.0, self.model.suppressed);
        for step in 0..PRICES {
            let between = step > PRICES / 2 && low > 0.0;
            let price = if between { (low + high) / 2.0 } else { high };
            let tried = priced(price);
            let met = tried.suppressed <= allowed;
            let sum = tried.sum - price * allowed;
            if sum > best.0 {
                best = (sum, tried.blocks);
            }
            match (met, between) {
                (true, _) => high = price,
                (false, true) => low = price,
                (false, false) => (low, high) = (price, price * 4.0),
            }
            if met && low == 0.0 {
                low = f64::MIN_POSITIVE;
            }
        }
        best
    }

    /// The same for any column as the solved one, at one price.
    pub fn bound_of(
        &self,
        solved: usize,
        views: &[&View],
        possible: Possible<'_>,
        price: f64,
    ) -> Bounded {
        let counts = &self.problem.counts;
        let (columns, model) = (&self.columns, &self.model);
        bound(counts, columns, model, solved, views, possible, price)
    }

    /// The partition that a place stands for.
    pub fn partition(&self, column: usize, place: Place) -> &[u32] {
        let tree = self.columns[column].tree.as_ref();
        tree.map_or(&[], |tree| &tree.partitions[place.node as usize])
    }

    /// The recoding of one partition a column.
    pub fn recoding(&self, partitions: &[Vec<u32>]) -> Recoding {
        let columns = self.columns.iter().zip(&self.problem.attributes);
        let columns = columns
            .zip(partitions)
            .map(|((column, attribute), blocks)| column.legal.partition(attribute, blocks));
        Recoding::Partitions(Partitions {
            columns: columns.collect(),
        })
    }

    /// The release of one partition a column; none where it suppresses too much.
    pub fn release(&self, partitions: Vec<Vec<u32>>) -> Option<Release> {
        let problem = self.problem;
        let recoding = self.recoding(&partitions);
        let mut classes = recoding.classes(&problem.attributes, &problem.counts);
        let mode = problem.suppression.mode;
        let suppressed = enforce(&problem.counts, &problem.requirements, mode, &mut classes);
        (suppressed <= problem.suppression.rows).then(|| Release {
            partitions,
            cost: problem.cost(&classes),
            suppressed,
        })
    }
}

fn text(columns: &[Column]) -> String {
    let product = columns.iter().fold(1u128, |product, column| {
        product.saturating_mul(column.count)
    });
    format!("{} releases", written(product))
}

fn written(count: u128) -> String {
    match count {
        u128::MAX => "more than 3e38".to_string(),
        0..1_000_000 => count.to_string(),
        _ => format!("{:.1e}", count as f64),
    }
}
