//! What a model learns from: columns of numbers and of categories, and a target of either kind.

/// A category that was never seen in training, or a missing one: it tells nothing.
pub const UNKNOWN: u32 = u32::MAX;

/// One column, a cell a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Quantities; NaN is a missing one.
    Numbers(Vec<f64>),
    /// Categories 0 to `size` − 1, or [`UNKNOWN`].
    Categories {
        /// The category of each row.
        codes: Vec<u32>,
        /// How many categories there are.
        size: usize,
    },
}

impl Column {
    /// Its rows.
    pub fn len(&self) -> usize {
        match self {
            Column::Numbers(numbers) => numbers.len(),
            Column::Categories { codes, .. } => codes.len(),
        }
    }

    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The given rows of it, in their order.
    pub fn pick(&self, rows: &[u32]) -> Column {
        let at = |row: &u32| *row as usize;
        match self {
            Column::Numbers(numbers) => {
                Column::Numbers(rows.iter().map(|row| numbers[at(row)]).collect())
            }
            Column::Categories { codes, size } => Column::Categories {
                codes: rows.iter().map(|row| codes[at(row)]).collect(),
                size: *size,
            },
        }
    }
}

/// The rows that a model is trained or tested on, without their target.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    /// How many rows; there may be rows without a single column.
    pub rows: usize,
    /// The columns.
    pub columns: Vec<Column>,
}

impl Features {
    /// Rows that tell nothing at all: everything is suppressed.
    pub fn nothing(rows: usize) -> Self {
        Features {
            rows,
            columns: Vec::new(),
        }
    }

    /// Columns of the same length.
    ///
    /// # Panics
    /// If their lengths differ.
    pub fn new(columns: Vec<Column>) -> Self {
        let rows = columns.first().map_or(0, Column::len);
        assert!(columns.iter().all(|column| column.len() == rows));
        Features { rows, columns }
    }

    /// The given rows.
    pub fn pick(&self, rows: &[u32]) -> Features {
        Features {
            rows: rows.len(),
            columns: self
                .columns
                .iter()
                .map(|column| column.pick(rows))
                .collect(),
        }
    }
}

/// What is to be predicted, a value a row; also what a model predicts.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// One of `size` labels.
    Labels {
        /// The label of each row.
        codes: Vec<u32>,
        /// How many labels there are.
        size: usize,
    },
    /// A quantity.
    Numbers(Vec<f64>),
}

impl Target {
    /// Its rows.
    pub fn len(&self) -> usize {
        match self {
            Target::Labels { codes, .. } => codes.len(),
            Target::Numbers(numbers) => numbers.len(),
        }
    }

    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The given rows.
    pub fn pick(&self, rows: &[u32]) -> Target {
        match self {
            Target::Labels { codes, size } => Target::Labels {
                codes: rows.iter().map(|row| codes[*row as usize]).collect(),
                size: *size,
            },
            Target::Numbers(numbers) => {
                Target::Numbers(rows.iter().map(|row| numbers[*row as usize]).collect())
            }
        }
    }

    /// How wrong each prediction is: 0 or 1 for a label, the absolute difference for a number.
    ///
    /// # Panics
    /// If the two are not of one kind and length.
    pub fn errors(&self, predicted: &Target) -> Vec<f64> {
        assert_eq!(self.len(), predicted.len());
        match (self, predicted) {
            (Target::Labels { codes, .. }, Target::Labels { codes: guesses, .. }) => {
                let wrong = |(code, guess): (&u32, &u32)| f64::from(u8::from(code != guess));
                codes.iter().zip(guesses).map(wrong).collect()
            }
            (Target::Numbers(numbers), Target::Numbers(guesses)) => {
                let off = |(number, guess): (&f64, &f64)| (number - guess).abs();
                numbers.iter().zip(guesses).map(off).collect()
            }
            _ => panic!("a label is not compared with a number"),
        }
    }
}
