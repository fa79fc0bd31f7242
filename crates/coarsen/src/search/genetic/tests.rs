//! Bits on trees against brute force, and costs that are counted against releases that are made.

use proptest::prelude::*;

use super::column::Layout;
use super::cost::{Evaluator, Scratch};
use super::ends::Discretize;
use super::objective::Objective;
use super::repair::{Rule, Tree};
use super::space::Space;
use super::tiers::Tiers;
use crate::counts::{Counts, Entries, TallyColumn};
use crate::domain::hierarchy::{Built, Description, RawColumn, build};
use crate::domain::scheme::Legal;
use crate::domain::{Attribute, AttributeSettings, Kind, Value};
use crate::loss;
use crate::policy::{HierarchySpec, Policy, Scheme, SuppressionMode, TreeSpec};
use crate::privacy::requirements;
use crate::problem::{Allowance, Problem};
use crate::synthetic::Random;
use crate::workload::{CostMatrix, Target, Workload};

/// Seed 000's work-class tree in the order of Fig. 5: 2 + 3 + 1 + 2 leaves under the root.
fn work_class() -> Rule {
    let places = vec![
        vec![0, 1, 2],
        vec![2, 3, 4, 5],
        vec![6, 7, 8],
        vec![0, 2, 5, 6, 8],
    ];
    Rule::Tree(Tree::new(8, places, true))
}

fn string(text: &str) -> Vec<bool> {
    std::iter::once('0')
        .chain(text.chars())
        .map(|bit| bit == '1')
        .collect()
}

#[test]
fn figure_5_a_bit_forces_others() {
    let rule = work_class();
    // b1 to b7; b3 stands between federal and state government.
    let mut bits = string("0000000");
    rule.set(&mut bits, 3, true);
    assert_eq!(
        bits,
        string("0111110"),
        "b3 forces b2, b4, b5 and b6; b1 and b7 are free"
    );
    for free in [1, 7] {
        let mut more = bits.clone();
        rule.set(&mut more, free, true);
        assert_eq!(more.iter().filter(|bit| **bit).count(), 6);
        assert!(rule.allows(&more) && more[free]);
    }
    // Back: what lay inside is one block again, and the rest stays apart.
    rule.set(&mut bits, 4, false);
    assert_eq!(bits, string("0100110"));
    rule.set(&mut bits, 2, false);
    assert_eq!(bits, string("0000000"));
}

#[test]
fn a_repair_keeps_what_it_can() {
    let rule = work_class();
    let repaired = |text: &str| {
        let mut bits = string(text);
        rule.repair(&mut bits);
        bits
    };
    // One bit of the government's two is missing: it is cut, for b2, b5 and b6 are there.
    assert_eq!(
        repaired("0110110"),
        string("0100110"),
        "of equal ones the coarser"
    );
    // Of the root's three bits two are set, and so is b1 below it.
    assert_eq!(repaired("1100100"), string("1100110"));
    // b3 alone would need four more; giving it up changes one.
    assert_eq!(repaired("0010000"), string("0000000"));
}

/// A tree of up to three levels over up to nine leaves: the group of each leaf, the half of each group.
fn tree_spec(groups: &[u8], halves: &[u8], tall: bool) -> TreeSpec {
    let named = |group: u8| {
        let leaves = (0..groups.len()).filter(|leaf| groups[*leaf] == group);
        TreeSpec::Leaves(leaves.map(|leaf| format!("v{leaf}")).collect())
    };
    let used: Vec<u8> = (0..4).filter(|group| groups.contains(group)).collect();
    let inner = |half: u8| -> Vec<(String, TreeSpec)> {
        let mine = used
            .iter()
            .filter(|group| !tall || halves[**group as usize] == half);
        mine.map(|group| (format!("g{group}"), named(*group)))
            .collect()
    };
    if !tall {
        return TreeSpec::Inner(inner(0));
    }
    let halves = (0..2).map(|half| (format!("h{half}"), inner(half)));
    let halves = halves.filter(|(_, groups)| !groups.is_empty());
    TreeSpec::Inner(
        halves
            .map(|(name, groups)| (name, TreeSpec::Inner(groups)))
            .collect(),
    )
}

fn built(name: &str, cells: &[String], kind: Kind, hierarchy: Option<&HierarchySpec>) -> Built {
    let cells: Vec<Option<Value>> = (cells.iter())
        .map(|cell| (!cell.is_empty()).then(|| Value::Text(cell.clone())))
        .collect();
    let column = RawColumn {
        name,
        cells: &cells,
        rows: &vec![1; cells.len()],
    };
    let description = Description {
        kind: Some(kind),
        hierarchy,
        ..Description::default()
    };
    build(column, description).unwrap()
}

fn attribute(name: &str, built: &Built, scheme: Scheme, weight: f64) -> Attribute {
    Attribute {
        name: name.into(),
        domain: built.domain.clone(),
        hierarchy: built.hierarchy.clone(),
        settings: AttributeSettings {
            scheme,
            weight,
            ..AttributeSettings::default()
        },
    }
}

/// Raw numbers of a table: rows of four, and how each of two columns looks.
#[derive(Clone, Debug)]
struct Raw {
    rows: Vec<Vec<u8>>,
    groups: Vec<u8>,
    halves: Vec<u8>,
    tall: bool,
    schemes: [Scheme; 2],
    weight: u8,
    k: u64,
    limit: f64,
    mask: bool,
    units: usize,
}

fn raw() -> impl Strategy<Value = Raw> {
    let scheme = || prop::sample::select(Scheme::ALL);
    (
        prop::collection::vec(prop::collection::vec(0u8..250, 4), 3..50),
        prop::collection::vec(0u8..4, 9),
        prop::collection::vec(0u8..2, 4),
        any::<bool>(),
        (scheme(), scheme()),
        1u8..4,
        1u64..5,
        0.0..1.0,
        any::<bool>(),
        prop::sample::select(&[3usize, 256][..]),
    )
        .prop_map(
            |(rows, groups, halves, tall, schemes, weight, k, limit, mask, units)| Raw {
                rows,
                groups,
                halves,
                tall,
                schemes: schemes.into(),
                weight,
                k,
                limit,
                mask,
                units,
            },
        )
}

impl Raw {
    /// A column of names in a tree, one of numbers, a label and a score.
    fn problem(&self, loss: &str, costs: bool) -> Option<Problem> {
        let cells = |place: usize, of: &dyn Fn(u8) -> String| -> Vec<String> {
            self.rows.iter().map(|row| of(row[place])).collect()
        };
        let missing = |raw: u8, text: String| {
            if raw.is_multiple_of(11) {
                String::new()
            } else {
                text
            }
        };
        let names = cells(0, &|raw| missing(raw, format!("v{}", raw % 9)));
        let numbers = cells(1, &|raw| {
            missing(raw, (u32::from(raw) % 12 * 3).to_string())
        });
        let tree = HierarchySpec::Tree(tree_spec(&self.groups, &self.halves, self.tall));
        let names = built("names", &names, Kind::Text, Some(&tree));
        let numbers = built("numbers", &numbers, Kind::Integer, None);
        let label = built(
            "label",
            &cells(2, &|raw| (raw % 3).to_string()),
            Kind::Text,
            None,
        );
        let score = built(
            "score",
            &cells(3, &|raw| raw.to_string()),
            Kind::Integer,
            None,
        );
        let entries = Entries {
            codes: vec![names.code_of.clone(), numbers.code_of.clone()],
            tallied: vec![label.code_of, score.code_of],
            rows: vec![1; self.rows.len()],
        };
        let tallied = [("label", &label.domain), ("score", &score.domain)];
        let tallied = tallied.map(|(name, domain)| TallyColumn {
            name: name.into(),
            domain: domain.clone(),
            hierarchy: None,
        });
        let labels = label.domain.size();
        let cost = |row: usize, taken: usize| {
            if taken == row {
                0.0
            } else {
                (row + taken) as f64
            }
        };
        let matrix: Vec<Vec<f64>> = (0..labels)
            .map(|row| (0..labels).map(|taken| cost(row, taken)).collect())
            .collect();
        let target = |tally, numeric, costs| Target {
            tally,
            weight: 1.0,
            numeric,
            costs,
        };
        let workload = Workload {
            targets: vec![
                target(0, false, CostMatrix::new(&matrix).filter(|_| costs)),
                target(1, true, None),
            ],
            ..Workload::default()
        };
        let counts = Counts::build(entries, tallied.to_vec()).0;
        let mut policy = Policy::default();
        policy.privacy.k = self.k;
        let mode = match self.mask {
            true => SuppressionMode::Mask,
            false => SuppressionMode::Drop,
        };
        let attributes = vec![
            attribute("names", &names, self.schemes[0], f64::from(self.weight)),
            attribute("numbers", &numbers, self.schemes[1], 1.0),
        ];
        let allowance = Allowance::of_share(self.limit, counts.total(), mode);
        let demands = requirements(&policy, counts.tallies()).unwrap();
        let loss = loss::find(loss).unwrap();
        Problem::new(attributes, counts, demands, allowance, loss, workload).ok()
    }

    fn layout(&self, nodes_only: bool, whole_levels: bool) -> Layout {
        Layout {
            limit: self.units,
            discretize: Discretize::EqualFrequency,
            whole_levels,
            nodes_only,
        }
    }
}

/// The distance between two strings.
fn distance(one: &[bool], other: &[bool]) -> usize {
    one.iter().zip(other).filter(|(a, b)| a != b).count()
}

proptest! {
    // Each case is many strings or releases.
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 60 } else { 400 }))]

    #[test]
    fn a_repair_is_idempotent_legal_and_the_nearest(raw in raw(), levels: bool, seed: u64) {
        let Some(problem) = raw.problem("lm", false) else { return Ok(()) };
        let objective = Objective::new(&problem, &[]).unwrap();
        let space = Space::new(&problem, &raw.layout(false, levels), &objective).unwrap();
        let mut random = Random::new(seed);
        for (place, column) in space.columns.iter().enumerate() {
            let attribute = &problem.attributes[place];
            let units = column.units();
            let drawn: Vec<bool> = (0..units).map(|unit| unit > 0 && random.chance(0.4)).collect();
            let mut bits = drawn.clone();
            column.rule.repair(&mut bits);
            let mut again = bits.clone();
            column.rule.repair(&mut again);
            prop_assert_eq!(&again, &bits);
            prop_assert!(column.rule.allows(&bits));
            // Legal where the column's scheme is taken at its word; the paper's reading of `level` is wider.
            let blocks = column.partition(attribute, &bits).block_of;
            if attribute.settings.scheme != Scheme::Level || levels {
                prop_assert!(Legal::new(attribute).is_legal(&blocks));
            }
            // Units may join codes, but the strings are those of the legal partitions that keep them whole.
            if units <= 11 {
                let all = (0..1u32 << (units - 1)).map(|number| -> Vec<bool> {
                    (0..units).map(|unit| unit > 0 && number >> (unit - 1) & 1 == 1).collect()
                });
                let legal = all.filter(|bits| column.rule.allows(bits));
                let nearest = legal.map(|legal| distance(&legal, &drawn)).min();
                prop_assert_eq!(Some(distance(&bits, &drawn)), nearest);
            }
            // A single change stays, and is legal.
            if units > 1 {
                let at = 1 + random.below(units as u64 - 1) as usize;
                let value = !bits[at];
                column.rule.set(&mut bits, at, value);
                prop_assert_eq!(bits[at], value);
                prop_assert!(column.rule.allows(&bits));
            }
        }
    }

    #[test]
    fn the_legal_strings_are_the_legal_partitions(raw in raw()) {
        let Some(problem) = raw.problem("lm", false) else { return Ok(()) };
        let objective = Objective::new(&problem, &[]).unwrap();
        let layout = Layout { limit: 256, ..raw.layout(false, true) };
        let space = Space::new(&problem, &layout, &objective).unwrap();
        for (column, attribute) in space.columns.iter().zip(&problem.attributes) {
            // Of sets only the runs are searched.
            let units = column.units();
            if units > 10 {
                continue;
            }
            let legal = Legal::new(attribute);
            for number in 0..1u32 << (units - 1) {
                let bits: Vec<bool> =
                    (0..units).map(|unit| unit > 0 && number >> (unit - 1) & 1 == 1).collect();
                let mut block = 0;
                let blocks: Vec<u32> = bits
                    .iter()
                    .map(|bit| {
                        block += u32::from(*bit);
                        block
                    })
                    .collect();
                prop_assert_eq!(column.rule.allows(&bits), legal.is_legal(&blocks), "{:?}", bits);
            }
        }
    }

    /// On all combinations, on what a population tells apart, and with one column changed.
    #[test]
    fn a_cost_that_is_counted_is_that_of_the_release(
        raw in raw(),
        which in 0usize..7,
        levels: bool,
        seed: u64,
    ) {
        let names = ["lm", "prec", "cm", "regression", "dm", "conditional-entropy", "average-class-size"];
        let costs = seed.is_multiple_of(2);
        let Some(problem) = raw.problem(names[which], costs) else { return Ok(()) };
        let mixed = [("lm".to_string(), 2.0), (names[which].to_string(), 0.5)];
        for mix in [&[][..], &mixed] {
            let objective = Objective::new(&problem, mix).unwrap();
            let layout = raw.layout(objective.asks_height(), levels);
            let space = Space::new(&problem, &layout, &objective).unwrap();
            let evaluator = Evaluator::new(&space, &objective);
            prop_assert!(evaluator.sums().is_some());
            let mut random = Random::new(seed);
            let population: Vec<_> = (0..4).map(|_| space.random(&mut random)).collect();
            let mut tiers = Tiers::new(&evaluator);
            let mut scratch = Scratch::default();
            let near = |counted: f64, whole: f64| {
                counted == whole || (counted - whole).abs() <= 1e-9 * whole.abs().max(1.0)
            };
            for round in 0..2 {
                for bits in &population {
                    let mut changed = bits.clone();
                    let end = space.ends.get(random.below(space.ends.len() as u64) as usize);
                    if let Some(end) = end {
                        space.flip(&mut changed, *end);
                    }
                    for bits in [bits, &changed] {
                        let whole = evaluator.whole(bits);
                        let tier = tiers.tier(&space, bits);
                        let counted = evaluator.cost(bits, tier, f64::INFINITY, &mut scratch).unwrap();
                        prop_assert_eq!(counted.suppressed, whole.suppressed);
                        prop_assert!(near(counted.cost, whole.cost), "{} {}", counted.cost, whole.cost);
                        // Nothing is given up that is below the bound.
                        let bound = whole.cost + 1e-9 * whole.cost.abs() + 1e-12;
                        let again = evaluator.cost(bits, tier, bound, &mut scratch);
                        prop_assert!(again == Some(counted) || !whole.cost.is_finite());
                        for column in 0..2 {
                            let around = tiers.around(&space, bits, column);
                            let again = evaluator.cost(bits, around.as_ref(), f64::INFINITY, &mut scratch);
                            prop_assert!(near(again.unwrap().cost, whole.cost));
                        }
                    }
                }
                if round == 0 {
                    tiers.review(&space, population.iter());
                }
            }
        }
    }
}
