//! A quasi-identifier column: its coded values, its hierarchy, and what may be released for them.

use super::hierarchy::Node;
use super::{Block, Code, Domain, Extent, Hierarchy, Measure, Value};
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

    /// The block of a run of codes: the lowest node that covers just these, or a range, or a set.
    pub fn block_of_run(&self, first: Code, end: Code) -> Block {
        if let Some((level, node)) = self.hierarchy.find(first, end) {
            return self.block_of_node(level, node);
        }
        let ends = self
            .domain
            .low(first)
            .cloned()
            .zip(self.domain.high(end - 1).cloned());
        match (self.hierarchy.measure(), ends) {
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
        let next = self.domain.low(end);
        match (&block.extent, self.hierarchy.measure(), next) {
            (Extent::Range { low, .. }, Measure::Span, Some(next)) => {
                let high = match next {
                    Value::Integer(n) => Value::Integer(n - 1),
                    Value::Date(day) => Value::Date(day.pred_opt().unwrap_or(*day)),
                    other => other.clone(),
                };
                let low = low.clone();
                let label = format!("{}..{}", self.domain.write(&low), self.domain.write(&high));
                let lm = self.span_cost(&low, &high);
                Block {
                    label,
                    extent: Extent::Range { low, high },
                    lm,
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
        let others = self.domain.size().saturating_sub(1).max(1);
        Block {
            label,
            extent,
            lm: (codes.len() - 1) as f64 / others as f64,
            height: None,
        }
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
