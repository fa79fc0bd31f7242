//! Which rows may be released at all (seed 002, section 4.1, point 1: eligible tuples): a condition on any
//! columns of the file, as a filter that counting and recoding both run.
//!
//! A missing value satisfies no comparison, and a cell that is no number satisfies none with a number.

use coarsen::policy::{Key, Policy, PolicyError, did_you_mean};
use coarsen::workload::{Comparison, Form, Literal, Operator, SelectionError, Test, parse};
use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::{Expr, cast, ident, lit, try_cast};

use crate::EngineError;
use crate::count::type_of;
use crate::error::mark;
use crate::source::Source;

/// The filter of a policy; none where every row is eligible.
pub(crate) fn eligible(policy: &Policy, source: &Source) -> Result<Option<Expr>, EngineError> {
    let Some(text) = &policy.input.eligible else {
        return Ok(None);
    };
    let blame = |error: SelectionError| {
        let key = Key::of(["input", "eligible"]);
        let marked = mark(text, &error.at);
        PolicyError::new(&key, format!("{}\n{marked}", error.message)).with_help(error.help)
    };
    let mut filter: Option<Expr> = None;
    for comparison in parse(text).map_err(blame)? {
        let own = compared(policy, source, &comparison).map_err(blame)?;
        filter = Some(match filter {
            None => own,
            Some(filter) => filter.and(own),
        });
    }
    Ok(filter)
}

fn compared(
    policy: &Policy,
    source: &Source,
    comparison: &Comparison,
) -> Result<Expr, SelectionError> {
    let name = comparison.column.as_str();
    if !source.names().any(|each| each == name) {
        let close = did_you_mean(name, source.names());
        return Err(SelectionError {
            at: comparison.column_at.clone(),
            message: format!("The file has no column `{name}`."),
            help: match close {
                Some(close) => format!("Did you mean `{close}`?"),
                None => "Name a column of the file.".into(),
            },
        });
    }
    let column = Compared {
        name,
        of: type_of(source, name),
        format: policy.columns.get(name).and_then(|c| c.format.as_deref()),
    };
    let test = match &comparison.test {
        Test::Compare(operator, value) => column.compare(*operator, value)?,
        Test::Between(low, high) => {
            (column.compare(Operator::AtLeast, low)?).and(column.compare(Operator::AtMost, high)?)
        }
        Test::In(values) => {
            let equal = |value: &Literal| column.compare(Operator::Equal, value);
            let equal = values.iter().map(equal).collect::<Result<Vec<_>, _>>()?;
            equal.into_iter().reduce(Expr::or).unwrap_or(lit(false))
        }
    };
    let words: Vec<Expr> = policy
        .input
        .missing
        .iter()
        .map(|w| lit(w.as_str()))
        .collect();
    Ok(match words.is_empty() {
        true => test,
        false => test.and(column.text().in_list(words, true)),
    })
}

/// A column of the file that is compared.
struct Compared<'a> {
    name: &'a str,
    of: &'a DataType,
    format: Option<&'a str>,
}

impl Compared<'_> {
    fn text(&self) -> Expr {
        cast(ident(self.name), DataType::Utf8)
    }

    fn compare(&self, operator: Operator, value: &Literal) -> Result<Expr, SelectionError> {
        let wrong = |help: &str| SelectionError {
            at: value.at.clone(),
            message: format!("`{}` cannot be compared with this.", self.name),
            help: help.into(),
        };
        let (left, right) = match value.form {
            Form::Number => {
                let number: f64 = (value.text.parse()).map_err(|_| wrong("Write a number."))?;
                (try_cast(ident(self.name), DataType::Float64), lit(number))
            }
            Form::Truth => {
                if !matches!(operator, Operator::Equal | Operator::NotEqual) {
                    return Err(wrong("true and false have no order: write = or !=."));
                }
                (
                    try_cast(ident(self.name), DataType::Boolean),
                    lit(value.text.eq_ignore_ascii_case("true")),
                )
            }
            Form::Text if self.of.is_numeric() => {
                return Err(wrong("It holds numbers: write one without quotes."));
            }
            Form::Text => {
                let is_equality = matches!(operator, Operator::Equal | Operator::NotEqual);
                if self.format.is_some() && !is_equality {
                    return Err(wrong(
                        "Dates in a format of their own are compared with = and != only, letter by letter.",
                    ));
                }
                (self.text(), lit(value.text.as_str()))
            }
        };
        Ok(match operator {
            Operator::Equal => left.eq(right),
            Operator::NotEqual => left.not_eq(right),
            Operator::Less => left.lt(right),
            Operator::AtMost => left.lt_eq(right),
            Operator::More => left.gt(right),
            Operator::AtLeast => left.gt_eq(right),
        })
    }
}
