//! The words of a selection, each with its place in the text.
//!
//! A bare column name begins with a letter or `_` and goes on with letters, digits, `_` and `.`, and
//! with `-` where a letter or `_` follows: `native-country` is one name. (There is no arithmetic here
//! that it could be confused with.) Any other name stands in double quotes or backticks, a text in
//! single quotes; a doubled quote stands for itself.

use std::iter::Peekable;
use std::ops::Range;
use std::str::CharIndices;

use super::SelectionError;

/// A word and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub at: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// A bare word: a column, or one of the language's own.
    Word(String),
    /// A name in double quotes or backticks.
    Name(String),
    /// A text in single quotes.
    Text(String),
    /// A number, as written.
    Number(String),
    /// A comparison.
    Operator(Operator),
    Open,
    Close,
    Comma,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

/// Splits a selection into its words.
pub(super) fn tokens(source: &str) -> Result<Vec<Token>, SelectionError> {
    let mut tokens = Vec::new();
    let mut rest = source.char_indices().peekable();
    while let Some((start, c)) = rest.next() {
        let kind = match c {
            _ if c.is_whitespace() => continue,
            '(' => TokenKind::Open,
            ')' => TokenKind::Close,
            ',' => TokenKind::Comma,
            '=' | '<' | '>' | '!' => {
                let then = |rest: &mut Rest<'_>, c| rest.next_if(|(_, next)| *next == c).is_some();
                TokenKind::Operator(match c {
                    '=' => {
                        then(&mut rest, '=');
                        Operator::Equal
                    }
                    '<' if then(&mut rest, '=') => Operator::AtMost,
                    '<' if then(&mut rest, '>') => Operator::NotEqual,
                    '<' => Operator::Less,
                    '>' if then(&mut rest, '=') => Operator::AtLeast,
                    '>' => Operator::More,
                    _ if then(&mut rest, '=') => Operator::NotEqual,
                    _ => return Err(unknown(start, c)),
                })
            }
            '\'' => TokenKind::Text(quoted(source, &mut rest, start, c)?),
            '"' | '`' => TokenKind::Name(quoted(source, &mut rest, start, c)?),
            _ if begins_name(c) => {
                let end = end_of_name(source, start);
                while rest.next_if(|(at, _)| *at < end).is_some() {}
                TokenKind::Word(source[start..end].to_string())
            }
            _ => match end_of_number(source, start) {
                Some(end) => {
                    while rest.next_if(|(at, _)| *at < end).is_some() {}
                    TokenKind::Number(source[start..end].to_string())
                }
                None => return Err(unknown(start, c)),
            },
        };
        let end = rest.peek().map_or(source.len(), |(at, _)| *at);
        tokens.push(Token {
            kind,
            at: start..end,
        });
    }
    Ok(tokens)
}

type Rest<'a> = Peekable<CharIndices<'a>>;

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn end_of_name(source: &str, start: usize) -> usize {
    let mut rest = source[start..].char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let goes_on = c.is_alphanumeric()
            || matches!(c, '_' | '.')
            || c == '-' && rest.peek().is_some_and(|(_, next)| begins_name(*next));
        if !goes_on {
            return start + at;
        }
    }
    source.len()
}

/// Where the number ends that begins here, if one does: a sign, digits, a fraction, an exponent.
fn end_of_number(source: &str, start: usize) -> Option<usize> {
    let bytes = source.as_bytes();
    let digits = |from: usize| {
        from + bytes[from..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let from = start + usize::from(matches!(bytes[start], b'-' | b'+'));
    let mut end = digits(from);
    let mut any = end > from;
    if bytes.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        any |= fraction > end + 1;
        end = fraction;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let signed = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
        let exponent = digits(signed.min(bytes.len()));
        if exponent > signed {
            end = exponent;
        }
    }
    any.then_some(end)
}

/// The inside of quotes, the opening one already taken.
fn quoted(
    source: &str,
    rest: &mut Rest<'_>,
    start: usize,
    quote: char,
) -> Result<String, SelectionError> {
    let mut text = String::new();
    while let Some((_, c)) = rest.next() {
        if c != quote {
            text.push(c);
        } else if rest.next_if(|(_, next)| *next == quote).is_some() {
            text.push(quote);
        } else {
            return Ok(text);
        }
    }
    Err(SelectionError {
        at: start..source.len(),
        message: format!("The quote {quote} is never closed."),
        help: format!("Close it with {quote}; inside, write {quote}{quote} for the quote itself."),
    })
}

fn unknown(at: usize, c: char) -> SelectionError {
    SelectionError {
        at: at..at + c.len_utf8(),
        message: format!("`{c}` has no meaning in a selection."),
        help: "A column whose name has such characters stands in double quotes, a text value in single quotes.".into(),
    }
}
