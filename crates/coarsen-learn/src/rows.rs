//! The rows of a table in codes, in an order of their own: whatever order they came in, the same rows
//! are dealt to the same folds.

use coarsen::domain::{Kind, Value};
use coarsen::policy::Role;

/// A column as it comes from a file: distinct cells, and the cell of every entry.
#[derive(Clone, Debug)]
pub struct RowColumn {
    /// Its name.
    pub name: String,
    /// What it is to the release.
    pub role: Role,
    /// What its values are.
    pub kind: Kind,
    /// Its cells, read as values of that kind; `None` is a missing one.
    pub cells: Vec<Option<Value>>,
    /// The cell of each row.
    pub codes: Vec<u32>,
}

impl RowColumn {
    /// Whether its values are quantities.
    pub fn is_numeric(&self) -> bool {
        self.kind.is_ordered()
    }
}

/// Rows of a table.
#[derive(Clone, Debug)]
pub struct Rows {
    columns: Vec<RowColumn>,
    rows: usize,
    training: usize,
}

impl Rows {
    /// Rows of entries, each of which stands for as many rows as `counts` says.
    ///
    /// # Panics
    /// If a column has not one cell an entry.
    pub fn new(columns: Vec<RowColumn>, counts: &[u64]) -> Rows {
        let mut entries: Vec<u32> = Vec::new();
        for (entry, count) in counts.iter().enumerate() {
            entries.extend(std::iter::repeat_n(entry as u32, *count as usize));
        }
        let mut columns = columns;
        for column in &mut columns {
            assert_eq!(column.codes.len(), counts.len());
            in_order(column);
        }
        entries.sort_by(|a, b| {
            let code = |column: &RowColumn, entry: &u32| column.codes[*entry as usize];
            let each = columns.iter().map(|c| code(c, a).cmp(&code(c, b)));
            each.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        });
        for column in &mut columns {
            column.codes = entries.iter().map(|e| column.codes[*e as usize]).collect();
        }
        Rows {
            columns,
            rows: entries.len(),
            training: entries.len(),
        }
    }

    /// These rows to train on, with others to test on behind them: a hold-out file.
    ///
    /// # Panics
    /// If the two have not the same columns in the same order.
    pub fn with_test(mut self, test: Rows) -> Rows {
        for (column, more) in self.columns.iter_mut().zip(test.columns) {
            assert_eq!(column.name, more.name);
            let first = column.cells.len() as u32;
            column.cells.extend(more.cells);
            column
                .codes
                .extend(more.codes.iter().map(|code| first + code));
            in_order(column);
        }
        self.rows += test.rows;
        self
    }

    /// The same rows with some of their columns only.
    pub fn only(&self, keep: impl Fn(&RowColumn) -> bool) -> Rows {
        Rows {
            columns: self.columns.iter().filter(|c| keep(c)).cloned().collect(),
            ..*self
        }
    }

    /// How many rows there are in all.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// How many of them, the first, are there to train on.
    pub fn training(&self) -> usize {
        self.training
    }

    /// All columns.
    pub fn columns(&self) -> &[RowColumn] {
        &self.columns
    }

    /// The column of a name.
    pub fn column(&self, name: &str) -> Option<&RowColumn> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The quasi-identifiers: what a model predicts from (seed 001, section 2.1).
    pub fn quasi_identifiers(&self) -> impl Iterator<Item = &RowColumn> {
        let is_quasi = |column: &&RowColumn| column.role == Role::QuasiIdentifier;
        self.columns.iter().filter(is_quasi)
    }

    /// The sensitive and target columns, which requirements and losses speak of.
    pub fn tallied(&self) -> impl Iterator<Item = &RowColumn> {
        let is_tallied =
            |column: &&RowColumn| matches!(column.role, Role::Sensitive | Role::Target);
        self.columns.iter().filter(is_tallied)
    }
}

/// Numbers a column's cells by their values' order, each value once, the missing one last.
fn in_order(column: &mut RowColumn) {
    let mut distinct: Vec<&Option<Value>> = column.cells.iter().collect();
    distinct.sort_by(|a, b| (a.is_none(), a).cmp(&(b.is_none(), b)));
    distinct.dedup();
    let place = |cell: &Option<Value>| {
        let key = (cell.is_none(), cell);
        distinct.partition_point(|other| (other.is_none(), *other) < key) as u32
    };
    let code_of: Vec<u32> = column.cells.iter().map(place).collect();
    let cells = distinct.into_iter().cloned().collect();
    for code in &mut column.codes {
        *code = code_of[*code as usize];
    }
    column.cells = cells;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: &[Option<i64>], codes: &[u32]) -> RowColumn {
        RowColumn {
            name: "q".into(),
            role: Role::QuasiIdentifier,
            kind: Kind::Integer,
            cells: cells.iter().map(|c| c.map(Value::Integer)).collect(),
            codes: codes.to_vec(),
        }
    }

    #[test]
    fn rows_stand_in_an_order_of_their_own() {
        let values = |rows: &Rows| -> Vec<Option<Value>> {
            let column = &rows.columns()[0];
            column
                .codes
                .iter()
                .map(|c| column.cells[*c as usize].clone())
                .collect()
        };
        let one = Rows::new(
            vec![column(&[Some(7), None, Some(3)], &[0, 1, 2])],
            &[2, 1, 1],
        );
        let other = Rows::new(
            vec![column(&[None, Some(3), Some(7), Some(7)], &[2, 0, 1, 3])],
            &[1; 4],
        );
        assert_eq!(values(&one), values(&other));
        assert_eq!(one.columns()[0].codes, [0, 1, 1, 2]);
        assert_eq!((one.len(), one.training()), (4, 4));

        let test = Rows::new(vec![column(&[Some(5)], &[0])], &[1]);
        let both = one.with_test(test);
        assert_eq!((both.len(), both.training()), (5, 4));
        assert_eq!(both.columns()[0].codes, [0, 2, 2, 3, 1]);
    }
}
