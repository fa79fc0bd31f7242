//! The language of selections: rectangles in the space of the quasi-identifiers (seed 001, section
//! 3.4).
//!
//! ```text
//! selection  = comparison { "and" comparison }
//! comparison = column ( operator value | "in" "(" value { "," value } ")" | "between" value "and" value )
//! operator   = "=" | "==" | "!=" | "<>" | "<" | "<=" | ">" | ">="
//! value      = 'text' | number | true | false
//! ```
//! A date is a text in the column's own format. There is no `or`: what it joins are several
//! rectangles, which the paper asks as several selections. Words may be in any case.

use std::ops::Range;

use super::SelectionError;
use super::lex::{Operator, Token, TokenKind, tokens};

/// One comparison of a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The column.
    pub column: String,
    /// Where its name stands.
    pub column_at: Range<usize>,
    /// What it is compared with.
    pub test: Test,
    /// Where the comparison stands.
    pub at: Range<usize>,
}

/// What a column is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// `age > 40`
    Compare(Operator, Literal),
    /// `sex in ('F', 'M')`
    In(Vec<Literal>),
    /// `age between 20 and 40`, both ends included
    Between(Literal, Literal),
}

/// A value as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// Without its quotes.
    pub text: String,
    /// How it is written.
    pub form: Form,
    /// Where it stands.
    pub at: Range<usize>,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// In quotes.
    Text,
    /// In digits.
    Number,
    /// `true` or `false`.
    Truth,
}

/// Reads a selection, whatever columns it names: comparisons that must all hold.
///
/// # Errors
/// What cannot be read, and where.
pub fn parse(source: &str) -> Result<Vec<Comparison>, SelectionError> {
    let mut parser = Parser {
        source,
        tokens: tokens(source)?,
        next: 0,
    };
    let mut comparisons = vec![parser.comparison()?];
    while parser.next < parser.tokens.len() {
        if !parser.word("and") {
            return Err(parser.not_joined());
        }
        comparisons.push(parser.comparison()?);
    }
    Ok(comparisons)
}

struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Token>,
    next: usize,
}

/// The language's own words, which a bare column name cannot be.
const WORDS: &[&str] = &["and", "or", "not", "in", "between", "like", "is"];

impl Parser<'_> {
    fn peek(&self) -> Option<&TokenKind> {
        self.tokens.get(self.next).map(|token| &token.kind)
    }

    /// Where the next word stands; past the end, the last place of the text.
    fn here(&self) -> Range<usize> {
        self.tokens
            .get(self.next)
            .map_or(self.source.len()..self.source.len(), |t| t.at.clone())
    }

    /// Takes one of the language's own words, if it is next.
    fn word(&mut self, word: &str) -> bool {
        let found =
            matches!(self.peek(), Some(TokenKind::Word(next)) if next.eq_ignore_ascii_case(word));
        self.next += usize::from(found);
        found
    }

    fn take(&mut self, kind: &TokenKind) -> bool {
        let found = self.peek() == Some(kind);
        self.next += usize::from(found);
        found
    }

    fn error(&self, message: impl Into<String>, help: impl Into<String>) -> SelectionError {
        SelectionError {
            at: self.here(),
            message: message.into(),
            help: help.into(),
        }
    }

    fn not_joined(&self) -> SelectionError {
        match self.peek() {
            Some(TokenKind::Word(word)) if word.eq_ignore_ascii_case("or") => self.error(
                "A selection cannot say `or`: it is one box in the space of the columns.",
                "Write each side as a selection of its own; within one column, `in ('a', 'b')` takes several values.",
            ),
            _ => self.error(
                "Here the selection should end or go on with `and`.",
                "Join comparisons with `and`; quote a column whose name has odd characters: \"name\".",
            ),
        }
    }

    fn comparison(&mut self) -> Result<Comparison, SelectionError> {
        let column_at = self.here();
        let column = self.column()?;
        let test = if self.word("in") {
            Test::In(self.list()?)
        } else if self.word("between") {
            let low = self.literal()?;
            if !self.word("and") {
                return Err(self.error(
                    "`between` needs `and` after its first value.",
                    "Write: age between 20 and 39",
                ));
            }
            Test::Between(low, self.literal()?)
        } else if let Some(TokenKind::Operator(operator)) = self.peek() {
            let operator = *operator;
            self.next += 1;
            Test::Compare(operator, self.literal()?)
        } else {
            return Err(self.no_operator(&column));
        };
        let end = self.tokens[self.next - 1].at.end;
        Ok(Comparison {
            column,
            at: column_at.start..end,
            column_at,
            test,
        })
    }

    fn no_operator(&self, column: &str) -> SelectionError {
        let help = match self.peek() {
            Some(TokenKind::Word(word)) if word.eq_ignore_ascii_case("not") => {
                "There is no `not`: write != for one value, or list the values that remain with `in`."
            }
            Some(TokenKind::Word(word)) if word.eq_ignore_ascii_case("is") => {
                "A missing value satisfies no comparison, and none asks for it."
            }
            _ => "Write one of = != < <= > >=, `in ('a', 'b')`, or `between 1 and 9`.",
        };
        self.error(
            format!("`{column}` is not compared with anything here."),
            help,
        )
    }

    fn column(&mut self) -> Result<String, SelectionError> {
        let name = match self.peek() {
            Some(TokenKind::Name(name)) => name.clone(),
            Some(TokenKind::Word(word)) if !WORDS.iter().any(|w| word.eq_ignore_ascii_case(w)) => {
                word.clone()
            }
            Some(TokenKind::Word(word)) if word.eq_ignore_ascii_case("not") => {
                return Err(self.error(
                    "A selection cannot say `not`.",
                    "Turn the comparison round: != for =, <= for >.",
                ));
            }
            Some(TokenKind::Text(_) | TokenKind::Number(_)) => {
                return Err(self.error(
                    "A comparison begins with its column, and this is a value.",
                    "Write the column first: age > 40. A column's name goes without quotes or in double quotes.",
                ));
            }
            Some(TokenKind::Open) => {
                return Err(self.error(
                    "Comparisons stand without parentheses.",
                    "They are all joined by `and`, so none are needed.",
                ));
            }
            _ => {
                return Err(self.error(
                    "A comparison should begin here with the name of a column.",
                    "Write, for example: age > 40 and sex = 'Male'",
                ));
            }
        };
        self.next += 1;
        Ok(name)
    }

    fn list(&mut self) -> Result<Vec<Literal>, SelectionError> {
        let help = "Write: sex in ('Male', 'Female')";
        if !self.take(&TokenKind::Open) {
            return Err(self.error("`in` needs a list in parentheses.", help));
        }
        let mut list = vec![self.literal()?];
        while self.take(&TokenKind::Comma) {
            list.push(self.literal()?);
        }
        if !self.take(&TokenKind::Close) {
            return Err(self.error("The list of `in` is not closed here.", help));
        }
        Ok(list)
    }

    fn literal(&mut self) -> Result<Literal, SelectionError> {
        let (text, form) = match self.peek() {
            Some(TokenKind::Text(text)) => (text.clone(), Form::Text),
            Some(TokenKind::Number(number)) => (number.clone(), Form::Number),
            Some(TokenKind::Word(word))
                if word.eq_ignore_ascii_case("true") || word.eq_ignore_ascii_case("false") =>
            {
                (word.to_ascii_lowercase(), Form::Truth)
            }
            Some(TokenKind::Word(word) | TokenKind::Name(word)) => {
                return Err(self.error(
                    "A value should stand here, and this is a name.",
                    format!(
                        "Put a text or a date in single quotes: '{}'",
                        word.replace('\'', "''")
                    ),
                ));
            }
            _ => {
                return Err(self.error(
                    "A value should stand here.",
                    "A value is a number, or a text or a date in single quotes.",
                ));
            }
        };
        let at = self.here();
        self.next += 1;
        Ok(Literal { text, form, at })
    }
}
