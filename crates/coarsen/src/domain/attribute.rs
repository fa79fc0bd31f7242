//! A quasi-identifier column: its coded values, its hierarchy, and what may be released for them.

use super::hierarchy::Node;
use super::{Block, Code, Domain, Extent, Hierarchy, MISSING, Measure, Value};
use crate::policy::{Represent, Scheme};

/// What a user may set of a column, beside its hierarchy.
#[derive(Clone, Copy, Debug)]
pub struct AttributeSettings {
    /// Which partitions of the domain are legal.
    pub scheme: Scheme,
    /// How much its loss counts; a column of weight 2 is worth two of weight 1.
    pub weight: f64,
    /// What is written for a block.
    pub represent: Represent,
}

impl Default for AttributeSettings {
    fn default() -> Self {
        AttributeSettings {
            scheme: Scheme::Level,
            weight: 1.0,
            represent: Represent::Range,
        }
    }
}

/// A column with its domain and hierarchy.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The column's name.
    pub name: String,
    /// Its coded values.
    pub domain: Domain,
    /// The tree over them.
    pub hierarchy: Hierarchy,
    /// What the user set.
    pub settings: AttributeSettings,
}

impl Attribute {
    /// The block of a node at a level of the hierarchy, under the name it has at that level: a node
    /// that covers one value only does not give that value away.
    pub fn block_of_node(&self, level: usize, node: &Node) -> Block {
        if level == self.hierarchy.height() {
            return Block::suppressed();
        }
        if Some(node.first) == self.domain.missing() {
            return Block {
                label: String::new(),
                extent: Extent::Missing,
                lm: 0.0,
                height: Some(0.0),
            };
        }
        let height = Some(level as f64 / self.hierarchy.height() as f64);
        let label = node.label.clone();
        match (self.hierarchy.measure(), node.bounds.clone()) {
            (Measure::Span, Some((low, high))) => {
                let lm = self.span_cost(&low, &high);
                let extent = Extent::Range { low, high };
                Block {
                    label,
                    extent,
                    lm,
                    height,
                }
            }
            _ => {
                let codes: Vec<Code> = (node.first..node.end).collect();
                Block {
                    label,
                    height,
                    ..self.block_of_set(&codes)
                }
            }
        }
    }

    /// The block of a run of codes: the lowest node that covers just these, or a range (with the missing
    /// value, `{low..high|missing}`), or a set.
    pub fn block_of_run(&self, first: Code, end: Code) -> Block {
        if let Some((level, node)) = self.hierarchy.find(first, end) {
            return self.block_of_node(level, node);
        }
        let has_missing = end as usize > self.domain.present();
        let last = if has_missing {
            end.saturating_sub(2)
        } else {
            end - 1
        };
        let ends = self
            .domain
            .low(first)
            .cloned()
            .zip(self.domain.high(last).cloned());
        match (self.hierarchy.measure(), ends) {
            (Measure::Span, Some((low, high))) if has_missing => Block {
                label: format!("{{{}|{MISSING}}}", self.ends(&low, &high)),
                extent: Extent::Ranges {
                    ranges: vec![(low, high)],
                    missing: true,
                },
                lm: self.share_of_codes((end - first) as usize),
                height: None,
            },
            (Measure::Span, Some((low, high))) => {
                let label = format!("{}..{}", self.domain.write(&low), self.domain.write(&high));
                let lm = self.span_cost(&low, &high);
                Block {
                    label,
                    extent: Extent::Range { low, high },
                    lm,
                    height: None,
                }
            }
            _ => self.block_of_set(&(first..end).collect::<Vec<Code>>()),
        }
    }

    /// The block of a run of codes on the number line as a range that fits tightly around them, whatever
    /// nodes there are. (Of a run on no line, and with the missing value in it, see
    /// [`Attribute::block_of_run`] and [`Attribute::block_of_tile`].)
    pub fn block_of_span(&self, first: Code, end: Code) -> Block {
        let on_the_line =
            self.hierarchy.measure() == Measure::Span && end as usize <= self.domain.present();
        if end - first == 1 {
            return self.block_of_run(first, end);
        }
        let ends = self
            .domain
            .low(first)
            .cloned()
            .zip(self.domain.high(end - 1).cloned());
        match ends {
            Some((low, high)) if on_the_line => {
                let label = format!("{}..{}", self.domain.write(&low), self.domain.write(&high));
                let lm = self.span_cost(&low, &high);
                Block {
                    label,
                    extent: Extent::Range { low, high },
                    lm,
                    height: None,
                }
            }
            _ => self.block_of_tile(first, end),
        }
    }

    /// The block of any set of codes, given in rising order.
    pub fn block(&self, codes: &[Code]) -> Block {
        let (first, last) = (codes[0], codes[codes.len() - 1]);
        if (last - first) as usize + 1 == codes.len() {
            self.block_of_run(first, last + 1)
        } else {
            self.block_of_set(codes)
        }
    }

    /// The block of a run of codes as wide as it can be without touching the next one: between two
    /// neighbouring values lie others that were never seen.
    pub fn block_of_tile(&self, first: Code, end: Code) -> Block {
        let block = self.block_of_run(first, end);
        let present = self.domain.present() as Code;
        if self.hierarchy.measure() == Measure::Leaves || block.is_suppressed() || end > present {
            return block;
        }
        match (&block.extent, self.domain.low(end)) {
            (Extent::Range { low, .. }, Some(next)) => {
                let high = match next {
                    Value::Integer(n) => Value::Integer(n - 1),
                    Value::Date(day) => Value::Date(day.pred_opt().unwrap_or(*day)),
                    other => other.clone(),
                };
                Block {
                    label: self.ends(low, &high),
                    lm: self.span_cost(low, &high),
                    extent: Extent::Range {
                        low: low.clone(),
                        high,
                    },
                    height: None,
                }
            }
            _ => block,
        }
    }

    fn block_of_set(&self, codes: &[Code]) -> Block {
        let names: Vec<String> = codes.iter().map(|code| self.domain.text(*code)).collect();
        let label = match names.as_slice() {
            [one] => one.clone(),
            _ => format!("{{{}}}", names.join("|")),
        };
        let missing = codes.last().copied() == self.domain.missing();
        let ends = |code: &Code| {
            self.domain
                .low(*code)
                .cloned()
                .zip(self.domain.high(*code).cloned())
        };
        let ranges: Vec<(Value, Value)> = codes.iter().filter_map(ends).collect();
        let extent = match self.domain.is_binned() {
            true => Extent::Ranges { ranges, missing },
            false => Extent::Values {
                values: ranges.into_iter().map(|(value, _)| value).collect(),
                missing,
            },
        };
        Block {
            label,
            extent,
            lm: self.share_of_codes(codes.len()),
            height: None,
        }
    }

    /// A range by its ends, which may be one.
    fn ends(&self, low: &Value, high: &Value) -> String {
        match low == high {
            true => self.domain.write(low),
            false => format!("{}..{}", self.domain.write(low), self.domain.write(high)),
        }
    }

    /// (M − 1) / (|D| − 1), for a set of so many codes.
    fn share_of_codes(&self, codes: usize) -> f64 {
        let others = self.domain.size().saturating_sub(1).max(1);
        (codes - 1) as f64 / others as f64
    }

    /// (U_i − L_i) / (U − L), the block clipped to the domain.
    fn span_cost(&self, low: &Value, high: &Value) -> f64 {
        let number = |value: Option<&Value>| value.and_then(Value::number).unwrap_or(0.0);
        let last = self.domain.present().saturating_sub(1) as Code;
        let (least, greatest) = (number(self.domain.low(0)), number(self.domain.high(last)));
        if greatest <= least {
            return 0.0;
        }
        let low = number(Some(low)).max(least);
        let high = number(Some(high)).min(greatest);
        ((high - low) / (greatest - least)).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::hierarchy::{Description, RawColumn, build};
    use crate::policy::{HierarchySpec, TreeSpec};

    fn attribute(cells: &[&str], hierarchy: Option<HierarchySpec>) -> Attribute {
        let cells: Vec<Option<Value>> = cells
            .iter()
            .map(|c| (!c.is_empty()).then(|| Value::Text(c.to_string())))
            .collect();
        let column = RawColumn {
            name: "q",
            cells: &cells,
            rows: &vec![1; cells.len()],
        };
        let description = Description {
            hierarchy: hierarchy.as_ref(),
            ..Description::default()
        };
        let built = build(column, description).unwrap();
        Attribute {
            name: "q".into(),
            domain: built.domain,
            hierarchy: built.hierarchy,
            settings: AttributeSettings::default(),
        }
    }

    /// 3, 7 | 12 | 25, and a missing value, in intervals of ten from 0.
    fn ages() -> Attribute {
        let intervals = HierarchySpec::Intervals {
            widths: vec![10.0],
            origin: 0.0,
        };
        attribute(&["3", "7", "12", "25", ""], Some(intervals))
    }

    fn range(block: &Block) -> (String, String) {
        match &block.extent {
            Extent::Range { low, high } => (low.text(None), high.text(None)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_node_keeps_the_name_of_its_level() {
        let ages = ages();
        let level = |level: usize, node: usize| {
            ages.block_of_node(level, &ages.hierarchy.level(level).nodes[node])
        };
        // 12 is alone in 10..19, and that is all that is told; LM clips to 3..25.
        let alone = level(1, 1);
        assert_eq!((alone.label.as_str(), alone.is_exact()), ("10..19", false));
        assert_eq!(alone.lm, 9.0 / 22.0);
        assert_eq!(
            (level(1, 0).lm, level(1, 0).height),
            (6.0 / 22.0, Some(0.5))
        );
        assert!(level(0, 1).is_exact() && level(0, 1).label == "7");
        // The missing value stays a category of its own up to the top, at no cost.
        let missing = level(1, 3);
        assert_eq!(
            (missing.label.as_str(), &missing.extent),
            ("", &Extent::Missing)
        );
        assert_eq!((missing.lm, missing.height), (0.0, Some(0.0)));
        assert!(level(2, 0).is_suppressed());
    }

    #[test]
    fn a_run_is_a_node_a_range_or_a_set() {
        let ages = ages();
        assert_eq!(ages.block_of_run(0, 2).label, "0..9");
        let range_of_two = ages.block_of_run(1, 3);
        assert_eq!(
            (range_of_two.label.as_str(), range_of_two.height),
            ("7..12", None)
        );
        assert_eq!(range_of_two.lm, 5.0 / 22.0);
        assert_eq!(ages.block_of_run(0, 4).label, "3..25");
        assert!(ages.block_of_run(0, 5).is_suppressed());
        // With the missing value it is a range and more, however many values there are.
        assert_eq!(ages.block_of_run(3, 5).label, "{25|missing}");
        assert_eq!(ages.block_of_run(1, 5).label, "{7..25|missing}");
        assert_eq!(ages.block_of_run(4, 5).extent, Extent::Missing);
        // Sets that have gaps.
        assert_eq!(ages.block(&[0, 2, 4]).label, "{3|12|missing}");
        assert_eq!(ages.block(&[0, 2, 4]).lm, 2.0 / 4.0);
        assert_eq!(ages.block(&[1, 2]), range_of_two);

        let leaves =
            |names: &[&str]| TreeSpec::Leaves(names.iter().map(|n| n.to_string()).collect());
        let tree = TreeSpec::Inner(vec![
            ("warm".into(), leaves(&["red", "yellow"])),
            ("cold".into(), leaves(&["green", "blue"])),
        ]);
        let colour = attribute(&["red", "blue"], Some(HierarchySpec::Tree(tree)));
        assert_eq!(colour.block_of_run(2, 4).label, "cold");
        assert_eq!(colour.block_of_run(1, 3).label, "{yellow|green}");
        assert_eq!(colour.block_of_run(1, 3).lm, 1.0 / 3.0);
        assert_eq!(colour.block_of_tile(1, 3), colour.block_of_run(1, 3));
    }

    #[test]
    fn a_tile_reaches_up_to_the_next_value() {
        let ages = ages();
        let ends = |first, end| range(&ages.block_of_tile(first, end));
        let pair = |low: &str, high: &str| (low.to_string(), high.to_string());
        assert_eq!(ends(0, 1), pair("3", "6"));
        // The node 0..9 reaches down to 0, and up to where 12 begins.
        assert_eq!(ends(0, 2), pair("0", "11"));
        assert_eq!(ends(1, 3), pair("7", "24"));
        // The last one ends where the domain does.
        assert_eq!(ends(2, 4), pair("12", "25"));
        assert_eq!(ages.block_of_tile(0, 1).label, "3..6");
        // 6 and 7 are neighbours: there is nothing between.
        assert_eq!(attribute(&["6", "7"], None).block_of_tile(0, 1).label, "6");
        // Numbers with a fraction share their end.
        let decimals = attribute(&["0.5", "1.5", "2.5"], None);
        assert_eq!(range(&decimals.block_of_tile(0, 1)), pair("0.5", "1.5"));
        let days = attribute(&["1965-09-20", "1965-10-01"], None);
        let tile = days.block_of_tile(0, 1);
        assert_eq!(tile.label, "1965-09-20..1965-09-30");
        assert!(ages.block_of_tile(0, 5).is_suppressed());
        assert_eq!(ages.block_of_tile(4, 5).extent, Extent::Missing);
    }

    #[test]
    fn one_value_costs_nothing_however_it_is_measured() {
        for cells in [&["5"][..], &["x"][..]] {
            let only = attribute(cells, None);
            assert_eq!(only.block_of_run(0, 1).lm, 0.0);
            assert!(only.block_of_run(0, 1).is_exact());
        }
    }
}
