//! From the cells of a column, as the engine shows them, to the codes of its domain.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::datatypes::{DataType, Date32Type, Float64Type, Int64Type};

use crate::raw::{Known, RawColumn};

/// Knows the code of every distinct cell of a column; cheap to copy.
#[derive(Clone, Debug)]
pub(crate) struct Coder {
    kind: DataType,
    cells: Arc<Cells>,
    null: u32,
}

#[derive(Debug)]
enum Cells {
    /// Whole numbers that lie close: a table from the least on.
    Table { least: i64, codes: Vec<u32> },
    /// Any others: the place of a cell, and the code of each place.
    Known { known: Arc<Known>, codes: Vec<u32> },
}

/// A table may be this many times as long as there are cells.
const SPARSEST: usize = 8;

impl Coder {
    /// The code of a cell that was never seen.
    pub const UNKNOWN: u32 = u32::MAX;

    /// The coder of a column, given the code of each of its distinct cells.
    pub fn new(column: &RawColumn, code_of: &[u32]) -> Self {
        let null = column
            .null()
            .map_or(Self::UNKNOWN, |null| code_of[null as usize]);
        let known = column.known();
        let cells = table(&known, code_of).unwrap_or_else(|| Cells::Known {
            known,
            codes: code_of.to_vec(),
        });
        Coder {
            kind: column.kind().clone(),
            cells: Arc::new(cells),
            null,
        }
    }

    /// The key type of its cells.
    pub fn kind(&self) -> &DataType {
        &self.kind
    }

    /// The code of every cell.
    pub fn codes(&self, array: &ArrayRef) -> Vec<u32> {
        let or_null = |code: Option<u32>| code.unwrap_or(self.null);
        match &*self.cells {
            Cells::Table { least, codes } => {
                let code = |cell: i64| {
                    let place = usize::try_from(cell.wrapping_sub(*least)).ok();
                    place.and_then(|place| codes.get(place)).copied()
                };
                let code = |cell: i64| code(cell).unwrap_or(Self::UNKNOWN);
                let cells = array.as_primitive::<Int64Type>();
                match cells.null_count() {
                    0 => cells.values().iter().map(|cell| code(*cell)).collect(),
                    _ => cells.iter().map(|cell| or_null(cell.map(code))).collect(),
                }
            }
            Cells::Known { known, codes } => {
                let code = |place: Option<&u32>| {
                    place.map_or(Self::UNKNOWN, |place| codes[*place as usize])
                };
                match &**known {
                    Known::Integer(map) => array
                        .as_primitive::<Int64Type>()
                        .iter()
                        .map(|cell| or_null(cell.map(|cell| code(map.get(&cell)))))
                        .collect(),
                    Known::Decimal(map) => array
                        .as_primitive::<Float64Type>()
                        .iter()
                        .map(|cell| {
                            or_null(cell.map(|cell| code(map.get(&(cell + 0.0).to_bits()))))
                        })
                        .collect(),
                    Known::Date(map) => array
                        .as_primitive::<Date32Type>()
                        .iter()
                        .map(|cell| or_null(cell.map(|cell| code(map.get(&cell)))))
                        .collect(),
                    Known::Text(map) => array
                        .as_string_view()
                        .iter()
                        .map(|cell| or_null(cell.map(|cell| code(map.get(cell)))))
                        .collect(),
                    Known::Boolean(seen) => array
                        .as_boolean()
                        .iter()
                        .map(|cell| {
                            or_null(cell.map(|cell| code(seen[usize::from(cell)].as_ref())))
                        })
                        .collect(),
                }
            }
        }
    }
}

fn table(known: &Known, code_of: &[u32]) -> Option<Cells> {
    let Known::Integer(map) = known else {
        return None;
    };
    let (least, greatest) = (*map.keys().min()?, *map.keys().max()?);
    let length = usize::try_from(greatest.checked_sub(least)?)
        .ok()?
        .checked_add(1)?;
    if length > SPARSEST * map.len() {
        return None;
    }
    let mut codes = vec![Coder::UNKNOWN; length];
    for (cell, place) in map {
        codes[(cell - least) as usize] = code_of[*place as usize];
    }
    Some(Cells::Table { least, codes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::{Int64Array, StringViewArray};

    fn coder(cells: ArrayRef, kind: DataType) -> (Coder, RawColumn) {
        let mut column = RawColumn::new("x", &kind);
        column.extend(&cells);
        let code_of: Vec<u32> = (0..column.cells().len() as u32)
            .map(|place| place + 10)
            .collect();
        (Coder::new(&column, &code_of), column)
    }

    #[test]
    fn close_numbers_far_numbers_and_texts_find_their_codes() {
        let close: ArrayRef = Arc::new(Int64Array::from(vec![Some(5), None, Some(7), Some(5)]));
        let far: ArrayRef = Arc::new(Int64Array::from(vec![Some(i64::MIN), Some(i64::MAX)]));
        let texts: ArrayRef = Arc::new(StringViewArray::from(vec![Some("a"), None, Some("b")]));
        let (of_close, _) = coder(close.clone(), DataType::Int64);
        assert_eq!(of_close.codes(&close), [10, 11, 12, 10]);
        assert_eq!(of_close.codes(&far), [Coder::UNKNOWN; 2]);
        let (of_far, _) = coder(far.clone(), DataType::Int64);
        assert_eq!(of_far.codes(&far), [10, 11]);
        assert_eq!(of_far.codes(&close), [Coder::UNKNOWN; 4]);
        let (of_texts, _) = coder(texts.clone(), DataType::Utf8View);
        assert_eq!(of_texts.codes(&texts), [10, 11, 12]);
    }
}
