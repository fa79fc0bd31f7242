//! A selection tied to the columns of a problem: which codes of each column it asks for (seed 001,
//! section 3.4: a query region).
//!
//! Texts compare by the order of the column's domain: the stated order of an ordinal column, that of
//! the hierarchy's leaves, the alphabet otherwise. A missing value satisfies no comparison.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;

use super::lex::Operator;
use super::parse::{Comparison, Form, Literal, Test, parse};
use crate::counts::Counts;
use crate::domain::{Attribute, Code, Domain, ISO_DATE, Kind, Value};

/// What is wrong with a selection, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectionError {
    /// The bytes of its text that are at fault; empty at the end where something lacks.
    pub at: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.message, self.help)
    }
}

impl std::error::Error for SelectionError {}

/// A box in the space of the quasi-identifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    text: String,
    /// For each attribute that it constrains, the codes it asks for.
    asked: Vec<Option<Asked>>,
    /// How many rows satisfy it, where that was counted already.
    known: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    inside: Vec<bool>,
    touched: Vec<bool>,
}

impl Selection {
    /// How it is written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// For each code of a column, whether all it stands for satisfies the selection; `None` where
    /// the column is not constrained.
    pub fn inside(&self, attribute: usize) -> Option<&[bool]> {
        self.asked[attribute]
            .as_ref()
            .map(|asked| asked.inside.as_slice())
    }

    /// For each code of a column, whether some value it stands for may satisfy the selection: the
    /// same as [`Selection::inside`] but for bins that lie partly inside.
    pub fn touched(&self, attribute: usize) -> Option<&[bool]> {
        self.asked[attribute]
            .as_ref()
            .map(|asked| asked.touched.as_slice())
    }

    /// Whether a row satisfies it, given its code in each column.
    pub fn holds(&self, code: impl Fn(usize) -> Code) -> bool {
        self.asked
            .iter()
            .enumerate()
            .all(|(attribute, asked)| match asked {
                None => true,
                Some(asked) => asked.inside[code(attribute) as usize],
            })
    }

    /// Whether the rows of a combination satisfy it.
    pub fn satisfied_by(&self, counts: &Counts, combination: usize) -> bool {
        self.holds(|attribute| counts.codes(attribute)[combination])
    }

    /// The same, knowing how many rows satisfy it.
    pub fn knowing(self, rows: u64) -> Self {
        Selection {
            known: Some(rows),
            ..self
        }
    }

    /// How many rows satisfy it; none where the combinations are lumped and nobody has counted.
    pub fn rows(&self, counts: &Counts) -> Option<u64> {
        if self.known.is_some() || counts.is_lumped() {
            return self.known;
        }
        let satisfy = |combination: &usize| self.satisfied_by(counts, *combination);
        let rows = (0..counts.combinations())
            .filter(satisfy)
            .map(|each| counts.rows()[each]);
        Some(rows.sum())
    }
}

/// Reads a selection such as `age > 40 and sex = 'Male'` and ties it to the quasi-identifiers.
///
/// # Errors
/// What cannot be read, a column that is no quasi-identifier, a value that is not of its column's
/// kind, a condition that no value of the column in the data satisfies (a misspelt value, mostly).
pub fn bind(text: &str, attributes: &[Attribute]) -> Result<Selection, SelectionError> {
    let mut asked: Vec<Option<Asked>> = vec![None; attributes.len()];
    for comparison in parse(text)? {
        let place = attributes
            .iter()
            .position(|attribute| attribute.name == comparison.column)
            .ok_or_else(|| unknown_column(&comparison, attributes))?;
        let domain = &attributes[place].domain;
        let condition = Condition::read(&comparison, domain)?;
        let size = domain.size();
        let asked = asked[place].get_or_insert_with(|| Asked {
            inside: vec![true; size],
            touched: vec![true; size],
        });
        for code in 0..size {
            let (inside, touched) = condition.covers(domain, code as Code);
            asked.inside[code] &= inside;
            asked.touched[code] &= touched;
        }
        if !asked.touched.contains(&true) {
            return Err(SelectionError {
                at: comparison.at,
                message: format!("No value of `{}` in the data satisfies this.", comparison.column),
                help: "Texts are compared letter by letter, with their case; see that the comparisons do not exclude each other.".into(),
            });
        }
    }
    Ok(Selection {
        text: text.to_string(),
        asked,
        known: None,
    })
}

fn unknown_column(comparison: &Comparison, attributes: &[Attribute]) -> SelectionError {
    let names: Vec<String> = attributes.iter().map(|a| format!("`{}`", a.name)).collect();
    SelectionError {
        at: comparison.column_at.clone(),
        message: format!("`{}` is not a quasi-identifier.", comparison.column),
        help: format!(
            "A selection asks about what is coarsened, which is {}; all other columns are released as they are.",
            names.join(", ")
        ),
    }
}

/// A comparison whose values are of the column's kind.
enum Condition {
    Compare(Operator, Operand),
    In(Vec<Operand>),
    Between(Operand, Operand),
}

/// What a value is compared with.
enum Operand {
    /// A value of the column's kind.
    Value(Value),
    /// A place on the number line: 40.5 beside whole numbers.
    Number(f64),
    /// A place in the order of the domain's texts.
    Rank(Code),
}

impl Condition {
    fn read(comparison: &Comparison, domain: &Domain) -> Result<Self, SelectionError> {
        let column = comparison.column.as_str();
        Ok(match &comparison.test {
            Test::Compare(operator @ (Operator::Equal | Operator::NotEqual), value) => {
                Condition::Compare(*operator, equal_to(value, column, domain)?)
            }
            Test::Compare(operator, value) => {
                Condition::Compare(*operator, placed(value, column, domain)?)
            }
            Test::In(values) => Condition::In(
                values
                    .iter()
                    .map(|value| equal_to(value, column, domain))
                    .collect::<Result<_, _>>()?,
            ),
            Test::Between(low, high) => {
                Condition::Between(placed(low, column, domain)?, placed(high, column, domain)?)
            }
        })
    }

    /// Whether all, and whether any, of what a code stands for satisfies this.
    fn covers(&self, domain: &Domain, code: Code) -> (bool, bool) {
        let (Some(low), Some(high)) = (domain.low(code), domain.high(code)) else {
            return (false, false);
        };
        let single = low == high;
        let is = |operand: &Operand| {
            let (low, high) = (operand.place(low, code), operand.place(high, code));
            // A bin may hold what lies between its ends, and holds more than that.
            (single && low.is_eq(), low.is_le() && high.is_ge())
        };
        let least = |operand: &Operand| operand.place(low, code);
        let greatest = |operand: &Operand| operand.place(high, code);
        match self {
            Condition::Compare(Operator::Equal, value) => is(value),
            Condition::Compare(Operator::NotEqual, value) => {
                let (all, any) = is(value);
                (!any, !all)
            }
            Condition::Compare(Operator::Less, value) => {
                (greatest(value).is_lt(), least(value).is_lt())
            }
            Condition::Compare(Operator::AtMost, value) => {
                (greatest(value).is_le(), least(value).is_le())
            }
            Condition::Compare(Operator::More, value) => {
                (least(value).is_gt(), greatest(value).is_gt())
            }
            Condition::Compare(Operator::AtLeast, value) => {
                (least(value).is_ge(), greatest(value).is_ge())
            }
            Condition::In(values) => values.iter().map(is).fold((false, false), |sum, next| {
                (sum.0 || next.0, sum.1 || next.1)
            }),
            Condition::Between(from, to) => (
                least(from).is_ge() && greatest(to).is_le(),
                greatest(from).is_ge() && least(to).is_le(),
            ),
        }
    }
}

impl Operand {
    /// Where a value of the column stands beside this.
    fn place(&self, value: &Value, code: Code) -> Ordering {
        match self {
            Operand::Value(own) => value.cmp(own),
            Operand::Number(own) => value
                .number()
                .map_or(Ordering::Greater, |x| x.total_cmp(own)),
            Operand::Rank(own) => code.cmp(own),
        }
    }
}

/// A value of the column's kind to be equal to; the data need not hold it.
fn equal_to(literal: &Literal, column: &str, domain: &Domain) -> Result<Operand, SelectionError> {
    let kind = domain.kind();
    let wrong = |help: String| SelectionError {
        at: literal.at.clone(),
        message: format!("`{column}` is of type {kind}, and this is no value of that type."),
        help,
    };
    match kind {
        Kind::Text if literal.form != Form::Text => Err(wrong(format!(
            "Put a text in single quotes: '{}'",
            literal.text
        ))),
        Kind::Date if literal.form != Form::Text => Err(wrong(format!(
            "Put a date in single quotes, in the format {}.",
            format_of(domain)
        ))),
        Kind::Integer | Kind::Decimal if literal.form == Form::Truth => {
            Err(wrong("Write a number.".into()))
        }
        _ => match Value::read(&literal.text, kind, domain.format()) {
            Some(value) => Ok(Operand::Value(value)),
            None => {
                let number = Value::read(&literal.text, Kind::Decimal, None);
                match (kind, number.and_then(|value| value.number())) {
                    (Kind::Integer, Some(number)) => Ok(Operand::Number(number)),
                    (Kind::Date, _) => Err(wrong(format!(
                        "Write the date in the format {}.",
                        format_of(domain)
                    ))),
                    (Kind::Boolean, _) => Err(wrong("Write true or false.".into())),
                    _ => Err(wrong("Write a number.".into())),
                }
            }
        },
    }
}

/// A value to be less or more than: for a text, its place in the order of the column's texts.
fn placed(literal: &Literal, column: &str, domain: &Domain) -> Result<Operand, SelectionError> {
    let operand = equal_to(literal, column, domain)?;
    let Operand::Value(value @ Value::Text(_)) = &operand else {
        return Ok(operand);
    };
    let texts = || (0..domain.present() as Code).filter_map(|code| domain.low(code));
    if texts().is_sorted() {
        return Ok(operand);
    }
    match texts().position(|text| text == value) {
        Some(rank) => Ok(Operand::Rank(rank as Code)),
        None => Err(SelectionError {
            at: literal.at.clone(),
            message: format!("This is no value of `{column}`, so it has no place in their order."),
            help: "Compare with a value of the column; texts are compared letter by letter, with their case.".into(),
        }),
    }
}

fn format_of(domain: &Domain) -> &str {
    domain.format().unwrap_or(ISO_DATE)
}
