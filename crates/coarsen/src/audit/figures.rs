//! How varied the sensitive values are, class by class: the figures behind l-diversity and
//! t-closeness, whether a requirement asks for them or not.

use rayon::prelude::*;
use serde::Serialize;

use crate::counts::{Class, Classes, Counts};
use crate::policy::Column;
use crate::privacy::measure::{Ground, distinct, effective_l, ground};
use crate::problem::ProblemError;

/// A sensitive column of the release.
#[derive(Clone, Debug)]
pub struct Sensitive {
    /// Its place among [`Counts::tallies`].
    pub tally: usize,
    /// How far apart its values are.
    pub ground: Ground,
}

impl Sensitive {
    /// A tallied column whose distances are as its policy says, or by its kind where there is none.
    ///
    /// # Errors
    /// If the policy asks for a distance that the column does not have.
    pub fn of(
        counts: &Counts,
        tally: usize,
        stated: Option<&Column>,
    ) -> Result<Self, ProblemError> {
        let ground = ground(stated, counts.tallies()[tally].column())?;
        Ok(Sensitive { tally, ground })
    }
}

/// The worst figures of one sensitive column over some classes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Variety {
    /// The column.
    pub column: String,
    /// The fewest distinct values of a class.
    pub distinct_l: u64,
    /// The least effective l of a class: as many equally frequent values would be as mixed.
    pub entropy_l: f64,
    /// The greatest distance of a class from the whole release.
    pub t: f64,
}

/// The figures of one column in one class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figures {
    distinct_l: u64,
    entropy_l: f64,
    t: f64,
}

/// The figures of every class, one column after the other.
pub(super) fn figures(
    classes: &Classes,
    whole: &Class<'_>,
    sensitive: &[Sensitive],
) -> Vec<Vec<Figures>> {
    let of_column = |column: &Sensitive| {
        let table = whole.tally(column.tally);
        (0..classes.len())
            .into_par_iter()
            .map(|class| {
                let values = classes.class(class).tally(column.tally);
                Figures {
                    distinct_l: distinct(values),
                    entropy_l: effective_l(values),
                    t: column.ground.distance(values, table),
                }
            })
            .collect()
    };
    sensitive.iter().map(of_column).collect()
}

/// The worst figures of every column over the given classes; nothing over none.
pub(super) fn worst(
    counts: &Counts,
    sensitive: &[Sensitive],
    figures: &[Vec<Figures>],
    classes: impl Iterator<Item = usize> + Clone,
) -> Vec<Variety> {
    let of_column = |(column, figures): (&Sensitive, &Vec<Figures>)| {
        let figures = classes.clone().map(|class| figures[class]);
        let worst = figures.reduce(|worst, next| Figures {
            distinct_l: worst.distinct_l.min(next.distinct_l),
            entropy_l: worst.entropy_l.min(next.entropy_l),
            t: worst.t.max(next.t),
        })?;
        Some(Variety {
            column: counts.tallies()[column.tally].column().name.clone(),
            distinct_l: worst.distinct_l,
            entropy_l: worst.entropy_l,
            t: worst.t,
        })
    };
    sensitive
        .iter()
        .zip(figures)
        .filter_map(of_column)
        .collect()
}
