//! The classes of a release, to be looked into one by one. Only what is released is shown of a class, and
//! counts: which values of the input hide in it is not.

use std::cmp::Reverse;

use coarsen::counts::{Classes, Counts};
use coarsen::domain::Attribute;
use coarsen_report::report::Internal;

/// A release's classes with what is needed to tell of them.
pub struct Looked {
    attributes: Vec<Attribute>,
    counts: Counts,
    classes: Classes,
    /// The released classes, the smallest first.
    order: Vec<u32>,
}

/// One class in a list.
pub struct ClassLine {
    /// Its place, from 0: the smallest class comes first.
    pub place: usize,
    /// Its rows.
    pub rows: u64,
    /// What stands in each quasi-identifier.
    pub labels: Vec<String>,
}

/// How a released label came about.
pub struct Hidden {
    /// The column.
    pub column: String,
    /// What is released.
    pub label: String,
    /// How many different values of the input it stands for in this class.
    pub values: usize,
}

/// The values of a sensitive or target column in a class.
pub struct Held {
    /// The column.
    pub column: String,
    /// Its values with their rows, the most frequent first.
    pub values: Vec<(String, u64)>,
}

impl Looked {
    /// Takes what a report is made of.
    pub fn of(report: &Internal<'_>) -> Self {
        let classes = report.classes;
        let mut order: Vec<u32> = classes.released().map(|class| class as u32).collect();
        order.sort_by_key(|class| (classes.rows()[*class as usize], *class));
        Looked {
            attributes: report.attributes.to_vec(),
            counts: report.counts.clone(),
            classes: classes.clone(),
            order,
        }
    }

    /// The quasi-identifiers.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.attributes
            .iter()
            .map(|attribute| attribute.name.as_str())
    }

    /// How many classes are released.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// How many rows are not.
    pub fn suppressed_rows(&self) -> u64 {
        self.classes.suppressed_rows()
    }

    /// Some classes whose labels have a text in them, from a place on, and how many have it.
    pub fn list(&self, text: &str, from: usize, most: usize) -> (Vec<ClassLine>, usize) {
        let text = text.to_lowercase();
        let fits = |place: &usize| {
            let class = self.order[*place] as usize;
            let mut columns = 0..self.attributes.len();
            let label = |column| &self.classes.block(column, class).label;
            text.is_empty() || columns.any(|column| label(column).to_lowercase().contains(&text))
        };
        let fitting: Vec<usize> = (0..self.order.len()).filter(fits).collect();
        let shown = fitting.iter().skip(from).take(most);
        let lines = shown.filter_map(|place| self.line(*place)).collect();
        (lines, fitting.len())
    }

    /// The class at a place.
    pub fn line(&self, place: usize) -> Option<ClassLine> {
        let class = *self.order.get(place)? as usize;
        Some(ClassLine {
            place,
            rows: self.classes.rows()[class],
            labels: (0..self.attributes.len())
                .map(|column| self.classes.block(column, class).label.clone())
                .collect(),
        })
    }

    /// What hides behind each label of a class; nothing where the combinations were never counted.
    pub fn hidden(&self, place: usize) -> Vec<Hidden> {
        if self.counts.is_lumped() {
            return Vec::new();
        }
        let class = self.order[place] as usize;
        let members = self.classes.members(class);
        let hidden = |(place, attribute): (usize, &Attribute)| {
            let codes = self.counts.codes(place);
            let mut held: Vec<u32> = members
                .iter()
                .map(|m| codes[m.combination as usize])
                .collect();
            held.sort_unstable();
            held.dedup();
            Hidden {
                column: attribute.name.clone(),
                label: self.classes.block(place, class).label.clone(),
                values: held.len(),
            }
        };
        self.attributes.iter().enumerate().map(hidden).collect()
    }

    /// The sensitive and target values of a class.
    pub fn held(&self, place: usize) -> Vec<Held> {
        let class = self.order[place] as usize;
        let held = |(place, tally): (usize, &coarsen::counts::Tally)| {
            let column = tally.column();
            let view = self.classes.class(class).tally(place);
            let mut values: Vec<(String, u64)> = view
                .iter()
                .map(|(code, rows)| (column.domain.text(code), rows))
                .collect();
            values.sort_by_key(|(text, rows)| (Reverse(*rows), text.clone()));
            Held {
                column: column.name.clone(),
                values,
            }
        };
        self.counts.tallies().iter().enumerate().map(held).collect()
    }
}
