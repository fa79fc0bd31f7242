//! The releases that are searched: what is decided of each column, the column that is solved, and the
//! order in which the others are looked at. Here a node is bounded and a release is held against the
//! problem.

use std::sync::Arc;

use super::Settings;
use super::bound::{Bounded, Question};
use super::column::{Column, View};
use super::model::{Kind, Model};
use super::nested::Nest;
use super::sums::Possible;
use super::table::Table;
use crate::domain::scheme::{Decided, MOST_SET_VALUES};
use crate::privacy::enforce;
use crate::problem::Problem;
use crate::recoding::{Partitions, Recoding};
use crate::search::SearchError;

/// How many prices of a suppressed row are tried at a node.
const PRICES: usize = 6;

/// Up to this many blocks of the solved column a bound takes little time.
const FEW_BLOCKS: usize = 2000;

/// What is decided of each column.
pub(super) type Places = Vec<Arc<Decided>>;

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
    pub table: Table,
    /// The column that is solved.
    pub solved: usize,
    /// The others, in the order in which they are looked at.
    pub order: Vec<usize>,
    with_reach: bool,
    root: Places,
}

impl<'a> Space<'a> {
    /// Fails where sets that must be decided on are hopelessly many.
    pub fn new(problem: &'a Problem, settings: &Settings) -> Result<Self, SearchError> {
        let model = Model::new(problem);
        let attributes = &problem.attributes;
        let columns: Vec<Column> = attributes
            .iter()
            .enumerate()
            .map(|(place, attribute)| Column::new(attribute, place, &problem.counts, &model))
            .collect();
        let solvable = (0..columns.len()).filter(|c| columns[*c].is_solvable());
        let by_count = |column: &usize| columns[*column].count;
        let solved = match settings.solve_column {
            true => solvable.max_by_key(by_count),
            false => solvable.min_by_key(by_count),
        };
        // Runs are decided on one gap at a time, however many there are; pairs of sets grow too fast.
        let is_hopeless = |c: &usize| {
            let column = &columns[*c];
            column.legal.has_sets()
                && (column.legal.size() > MOST_SET_VALUES
                    || column.count > settings.partitions as u128 && Some(*c) != solved)
        };
        let too_large: Vec<usize> = (0..columns.len()).filter(is_hopeless).collect();
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
        let mut order: Vec<usize> = (0..columns.len()).filter(|c| *c != solved).collect();
        if settings.order_columns {
            order.sort_by_key(|c| columns[*c].count);
        }
        let undecided = columns.iter().filter_map(|c| c.legal.undecided());
        Ok(Space {
            root: undecided.map(Arc::new).collect(),
            table: Table::new(&problem.counts, &columns, model.has_cells()),
            with_reach: settings.prune_useful,
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
    pub fn root(&self) -> Places {
        self.root.clone()
    }

    /// Whether a bound takes little time: few blocks of the solved column are to be costed.
    pub fn is_soon_solved(&self) -> bool {
        let blocks = self.columns[self.solved].legal.blocks_to_cost();
        blocks.is_some_and(|blocks| blocks <= FEW_BLOCKS)
    }

    /// What holds in a column.
    pub fn view(&self, column: usize, decided: &Decided) -> View {
        self.columns[column].view(decided, self.with_reach)
    }

    /// What holds in every column of a node.
    pub fn views(&self, places: &[Arc<Decided>]) -> Vec<View> {
        let columns = places.iter().enumerate();
        columns.map(|(c, decided)| self.view(c, decided)).collect()
    }

    /// The combinations as a node needs them: with what is together for certain made one, where that
    /// leaves few enough to be worth the making.
    pub fn merged(&self, table: &Arc<Table>, views: &[View]) -> Arc<Table> {
        if self.model.kind == Kind::Labels || self.columns.len() < 2 {
            return table.clone();
        }
        if views.iter().all(|view| view.lows == view.low.len()) {
            return table.clone();
        }
        Arc::new(table.merged(views))
    }

    /// The least that any release of a node costs, with the solved column's partition for it.
    ///
    /// Where only so many rows may be suppressed, the partition of least cost may suppress more. Then
    /// each suppressed row is given a price, and the price of those that are allowed is given back:
    /// whatever the price, no release within the limit costs less (Lagrange's bound). Prices are tried
    /// until the limit is met, and then between the last two.
    pub fn bound(
        &self,
        table: &Table,
        views: &[&View],
        solved: &Decided,
        allowed: u64,
    ) -> (f64, Vec<u32>) {
        let is_open = *solved == *self.root[self.solved];
        let possible = Possible((!is_open).then_some(views[self.solved]));
        let question = self.question(self.solved, table, views);
        let figures = question.figures();
        let free = question.bound(&figures, possible, 0.0);
        let allowed = allowed as f64;
        let mut best = (free.sum, free.blocks);
        if free.suppressed <= allowed || !free.sum.is_finite() || !self.model.is_known() {
            return best;
        }
        let (mut low, mut high) = (0.0, self.model.suppressed);
        for step in 0..PRICES {
            let between = step > PRICES / 2 && low > 0.0;
            let price = if between { (low + high) / 2.0 } else { high };
            let tried = question.bound(&figures, possible, price);
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

    /// A stronger bound, for as much work as is allowed; see `nested`.
    pub fn nested(
        &self,
        table: &Table,
        views: &[&View],
        places: &[&Decided],
        most: f64,
    ) -> Option<f64> {
        let nest = Nest::new(&self.model, &self.columns, table, views, places, most)?;
        Some(nest.bound())
    }

    fn question<'q>(
        &'q self,
        solved: usize,
        table: &'q Table,
        views: &'q [&'q View],
    ) -> Question<'q> {
        Question {
            counts: &self.problem.counts,
            table,
            columns: &self.columns,
            model: &self.model,
            solved,
            views,
        }
    }

    /// The best partition of one column for what the others have, at a price of suppressed rows.
    pub fn solve(&self, solved: usize, views: &[&View], price: f64) -> Bounded {
        let question = self.question(solved, &self.table, views);
        question.bound(&question.figures(), Possible(None), price)
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
    releases(product)
}

/// So many releases, in words.
pub(super) fn releases(count: u128) -> String {
    format!("{} releases", written(count))
}

fn written(count: u128) -> String {
    match count {
        u128::MAX => "more than 3e38".to_string(),
        0..1_000_000 => count.to_string(),
        _ => format!("{:.1e}", count as f64),
    }
}
