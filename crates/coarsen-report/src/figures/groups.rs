//! A column's values in a few groups, the same before and after, and how a released block's rows are
//! spread over them: evenly over the values that it covers, for it says no more than that.
//!
//! No group is named after a value that fewer rows hold than the release asks of a class: rare names are
//! gathered, and ranges of numbers have round ends.

use coarsen::domain::{Block, Code, Cover, Domain, Value};

use crate::chart::Unit;

/// Groups of a column's codes.
#[derive(Clone, Debug, PartialEq)]
pub struct Groups {
    /// What each is called.
    pub names: Vec<String>,
    /// The group of each code.
    of_code: Vec<u32>,
    /// Where each group but that of the missing value begins on the number line, and where the last
    /// ends; none for names.
    pub edges: Option<Vec<f64>>,
}

/// What a group of missing values is called.
const MISSING: &str = "(missing)";

impl Groups {
    /// The most frequent names, in the order of the domain, and the rest as one group. `least` is how
    /// many rows a name needs to be told.
    pub fn of_names(domain: &Domain, rows: &[u64], most: usize, least: u64) -> Groups {
        let present = domain.present();
        let mut by_rows: Vec<usize> = (0..present).collect();
        by_rows.sort_by_key(|code| (std::cmp::Reverse(rows[*code]), *code));
        let told = by_rows.iter().filter(|code| rows[**code] >= least.max(1));
        let mut told: Vec<usize> = told.copied().collect();
        let room = if told.len() == present {
            most
        } else {
            most - 1
        };
        if told.len() > room {
            told.truncate(most - 1);
        }
        told.sort_unstable();
        let rest = present - told.len();
        let other = told.len() as u32;
        let mut of_code = vec![other; domain.size()];
        let mut names = Vec::new();
        for (group, code) in told.iter().enumerate() {
            of_code[*code] = group as u32;
            names.push(domain.text(*code as Code));
        }
        if rest > 0 {
            names.push(match rest {
                1 => "(1 other value)".to_string(),
                rest => format!("({rest} other values)"),
            });
        }
        Groups {
            names,
            of_code,
            edges: None,
        }
        .with_missing(domain)
    }

    /// At most `most` ranges of equal, round width along the number line.
    pub fn of_widths(domain: &Domain, most: usize) -> Groups {
        let place = |code: usize| {
            let low = domain.low(code as Code).and_then(Value::number);
            low.unwrap_or(0.0)
        };
        let present = domain.present();
        let end = domain.high(present.saturating_sub(1) as Code);
        let (low, high) = (place(0), end.and_then(Value::number).unwrap_or(0.0));
        let mut width = crate::chart::round_step((high - low) / most.max(1) as f64);
        if domain.kind() != coarsen::domain::Kind::Decimal {
            width = width.max(1.0).round();
        }
        let first = (low / width).floor();
        let count = ((high / width).floor() - first) as usize + 1;
        let edge = |i: usize| (first + i as f64) * width;
        let of_code = (0..domain.size())
            .map(|code| {
                (((place(code) / width).floor() - first).max(0.0) as u32).min(count as u32 - 1)
            })
            .collect();
        let whole = domain.kind() == coarsen::domain::Kind::Integer;
        let name = |i: usize| {
            let (from, to) = (edge(i), edge(i + 1));
            match domain.kind() {
                coarsen::domain::Kind::Date => day(domain, from),
                _ if whole && width == 1.0 => Unit::Plain.write(from),
                _ if whole => format!(
                    "{}–{}",
                    Unit::Plain.write(from),
                    Unit::Plain.write(to - 1.0)
                ),
                _ => format!(
                    "{} up to {}",
                    Unit::Plain.write(from),
                    Unit::Plain.write(to)
                ),
            }
        };
        Groups {
            names: (0..count).map(name).collect(),
            of_code,
            edges: Some((0..=count).map(edge).collect()),
        }
        .with_missing(domain)
    }

    /// At most `most` runs of neighbouring values with about as many rows each; single values where they
    /// are few and each has `least` rows.
    pub fn of_rows(domain: &Domain, rows: &[u64], most: usize, least: u64) -> Groups {
        let present = domain.present();
        if present <= most && rows[..present].iter().all(|held| *held >= least) {
            return Groups {
                names: (0..present).map(|code| domain.text(code as Code)).collect(),
                of_code: (0..domain.size() as u32).collect(),
                edges: None,
            }
            .with_missing(domain);
        }
        let total: u64 = rows[..present].iter().sum();
        let (mut of_code, mut starts) = (Vec::new(), vec![0]);
        let (mut so_far, mut group) = (0, 0u32);
        for (code, held) in rows[..present].iter().enumerate() {
            let full = so_far * most as u64 >= total * u64::from(group + 1);
            if full && (group as usize) + 1 < most && so_far > 0 {
                group += 1;
                starts.push(code);
            }
            of_code.push(group);
            so_far += held;
        }
        of_code.resize(domain.size(), group);
        let text = |code: usize| domain.text(code as Code);
        let name = |i: usize| match (i, starts.get(i + 1)) {
            (0, Some(next)) => format!("below {}", text(*next)),
            (_, Some(next)) => format!("{} up to {}", text(starts[i]), text(*next)),
            (_, None) => format!("{} and above", text(starts[i])),
        };
        Groups {
            names: (0..starts.len()).map(name).collect(),
            of_code,
            edges: None,
        }
        .with_missing(domain)
    }

    fn with_missing(mut self, domain: &Domain) -> Groups {
        if let Some(missing) = domain.missing() {
            self.of_code[missing as usize] = self.names.len() as u32;
            self.names.push(MISSING.to_string());
        }
        self
    }

    /// How many groups.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The group of a code.
    pub fn of(&self, code: Code) -> usize {
        self.of_code[code as usize] as usize
    }

    /// For every block, the groups that it covers with the share of its rows that each is given.
    pub(crate) fn spread(&self, domain: &Domain, blocks: &[Block]) -> Vec<Vec<(usize, f64)>> {
        let mut covered = vec![vec![0u64; self.len()]; blocks.len()];
        // One group after the other: a column may have a million values.
        for group in 0..self.len() {
            let codes = self.of_code.iter();
            let cover = Cover::new(domain, codes.map(|of| u64::from(*of as usize == group)));
            for (covered, block) in covered.iter_mut().zip(blocks) {
                covered[group] = cover.sum(block);
            }
        }
        let shares = |values: Vec<u64>| {
            let all: u64 = values.iter().sum();
            let some = values.iter().enumerate().filter(|(_, values)| **values > 0);
            some.map(|(group, values)| (group, *values as f64 / all as f64))
                .collect()
        };
        covered.into_iter().map(shares).collect()
    }
}

/// A day number as the column writes dates.
pub(crate) fn day(domain: &Domain, number: f64) -> String {
    use coarsen::domain::Day;
    let day = Day::from_num_days_from_ce_opt(number.floor() as i32).unwrap_or_default();
    domain.write(&Value::Date(day))
}

#[cfg(test)]
mod tests {
    use coarsen::domain::{Extent, Kind};

    use super::*;

    fn letters(missing: bool) -> Domain {
        let values = ["a", "b", "c", "d"].map(|text| Value::Text(text.into()));
        Domain::new(Kind::Text, None, values.to_vec(), missing)
    }

    fn ages() -> Domain {
        let values = [3, 7, 12, 25].map(Value::Integer).to_vec();
        Domain::new(Kind::Integer, None, values, false)
    }

    #[test]
    fn rare_names_are_gathered_and_the_missing_value_stands_apart() {
        let groups = Groups::of_names(&letters(true), &[5, 1, 9, 1, 2], 10, 3);
        assert_eq!(groups.names, ["a", "c", "(2 other values)", "(missing)"]);
        let of: Vec<usize> = (0..5).map(|code| groups.of(code)).collect();
        assert_eq!(of, [0, 2, 1, 2, 3]);
        let few = Groups::of_names(&letters(false), &[5, 6, 9, 7], 3, 1);
        assert_eq!(few.names, ["c", "d", "(2 other values)"]);
        let all = Groups::of_names(&letters(false), &[5, 6, 9, 7], 4, 1);
        assert_eq!(all.names, ["a", "b", "c", "d"]);
    }

    #[test]
    fn ranges_have_round_ends_and_hold_their_values() {
        let groups = Groups::of_widths(&ages(), 3);
        assert_eq!(groups.names, ["0–9", "10–19", "20–29"]);
        assert_eq!(groups.edges, Some(vec![0.0, 10.0, 20.0, 30.0]));
        let of: Vec<usize> = (0..4).map(|code| groups.of(code)).collect();
        assert_eq!(of, [0, 0, 1, 2]);
    }

    #[test]
    fn runs_have_about_as_many_rows() {
        let groups = Groups::of_rows(&ages(), &[10, 1, 1, 8], 2, 1);
        assert_eq!(groups.names, ["below 7", "7 and above"]);
        assert_eq!(groups.of(3), 1);
        let few = Groups::of_rows(&ages(), &[5, 5, 5, 5], 4, 5);
        assert_eq!(few.names, ["3", "7", "12", "25"]);
        let rare = Groups::of_rows(&ages(), &[5, 5, 5, 4], 4, 5);
        assert!(!rare.names.contains(&"25".to_string()), "{rare:?}");
    }

    #[test]
    fn a_block_is_spread_over_its_values() {
        let domain = ages();
        let groups = Groups::of_widths(&domain, 3);
        let block = |low: i64, high: i64| Block {
            label: String::new(),
            extent: Extent::Range {
                low: Value::Integer(low),
                high: Value::Integer(high),
            },
            lm: 0.0,
            height: None,
        };
        // 3, 7 and 12: two thirds below ten.
        let spread = groups.spread(&domain, &[block(0, 19), Block::suppressed()]);
        assert_eq!(spread[0], [(0, 2.0 / 3.0), (1, 1.0 / 3.0)]);
        assert_eq!(spread[1], [(0, 0.5), (1, 0.25), (2, 0.25)]);
    }
}
