//! The six schemes (seed 004, sections 2 and 3): how many partitions are legal, that both enumerations
//! reach each once, and that they are what the definitions say, by brute force.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeSet;

use coarsen::domain::Attribute;
use coarsen::domain::scheme::{BlockCost, Decided, Direction, Legal};
use coarsen::policy::{HierarchySpec, Scheme, TreeSpec};
use common::{Table, cells, work_classes};
use proptest::prelude::*;

const DIRECTIONS: [Direction; 2] = [Direction::Merging, Direction::Splitting];

fn with_scheme(mut attribute: Attribute, scheme: Scheme) -> Attribute {
    attribute.settings.scheme = scheme;
    attribute
}

fn column(values: &[&str], hierarchy: Option<&HierarchySpec>) -> Attribute {
    let cells = cells("q", values);
    let cells = match hierarchy {
        Some(hierarchy) => cells.with(hierarchy),
        None => cells,
    };
    Table::new(&[cells]).attributes.remove(0)
}

/// The partitions as the walk from the first meets them, each once, parents before children.
fn walked(legal: &Legal, direction: Direction) -> Vec<Vec<u32>> {
    let tree = legal.tree(direction, 1_000_000).unwrap();
    let mut open = vec![0];
    let mut met = Vec::new();
    while let Some(place) = open.pop() {
        let here = &tree.partitions[place as usize];
        for child in &tree.children[place as usize] {
            let there = &tree.partitions[*child as usize];
            let (finer, coarser) = match direction {
                Direction::Merging => (here, there),
                Direction::Splitting => (there, here),
            };
            assert!(
                refines(finer, coarser),
                "{finer:?} does not refine {coarser:?}"
            );
        }
        met.push(here.clone());
        open.extend(&tree.children[place as usize]);
    }
    met
}

fn refines(finer: &[u32], coarser: &[u32]) -> bool {
    let codes = || 0..finer.len();
    codes().all(|a| codes().all(|b| finer[a] != finer[b] || coarser[a] == coarser[b]))
}

/// Every partition of n values, by restricted growth.
fn partitions(n: usize) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..n {
        let longer = |blocks: &Vec<u32>| {
            let next = blocks.iter().max().map_or(0, |most| most + 1);
            let blocks = blocks.clone();
            (0..=next).map(move |block| [&blocks[..], &[block]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The definitions of sections 2.2 and 2.3, taken at their word.
fn is_legal(attribute: &Attribute, scheme: Scheme, blocks: &[u32]) -> bool {
    let n = blocks.len();
    let levels = attribute.hierarchy.levels();
    let is_ordered = (0..n).all(|a| {
        (a..n).all(|b| blocks[a] != blocks[b] || (a..b).all(|between| blocks[between] == blocks[a]))
    });
    // If x and y are together, so is all that is closer to x than y is, or to y than x is.
    let closeness = |x: usize, y: usize| {
        levels
            .iter()
            .position(|level| level.node_of[x] == level.node_of[y])
            .unwrap()
    };
    let is_guided = (0..n).all(|x| {
        (0..n).all(|y| {
            blocks[x] != blocks[y]
                || (0..n).all(|z| closeness(x, z) >= closeness(x, y) || blocks[z] == blocks[x])
        })
    });
    match scheme {
        Scheme::Level => levels.iter().any(|level| level.node_of == blocks),
        Scheme::Cut => (0..blocks.iter().max().map_or(0, |m| m + 1)).all(|block| {
            let codes: Vec<usize> = (0..n).filter(|code| blocks[*code] == block).collect();
            let run = codes[codes.len() - 1] + 1 - codes[0] == codes.len();
            let find = attribute
                .hierarchy
                .find(codes[0] as u32, codes[codes.len() - 1] as u32 + 1);
            run && find.is_some()
        }),
        Scheme::Ordered => is_ordered,
        Scheme::Set => true,
        Scheme::GuidedOrdered => is_ordered && is_guided,
        Scheme::GuidedSet => is_guided,
    }
}

/// The partitions that are left when every decision is taken, in an order of no meaning: both ways for
/// each. What was said on the way must hold for all of them.
fn decided(legal: &Legal, salt: u64) -> Vec<Vec<u32>> {
    fn all(legal: &Legal, from: &Decided, salt: u64, found: &mut Vec<Vec<u32>>) {
        let applicators = legal.applicators(from);
        let begun = found.len();
        let finest = legal.finest(from);
        assert!(legal.is_legal(&finest), "{finest:?}");
        match applicators.len() {
            0 => found.push(finest.clone()),
            many => {
                let mixed = salt.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(11);
                let chosen = applicators[(mixed >> 20) as usize % many];
                all(legal, &legal.apart(from, chosen), mixed, found);
                all(
                    legal,
                    &legal.together(from, chosen).unwrap(),
                    mixed ^ 1,
                    found,
                );
            }
        }
        let coarsest = legal.coarsest(from);
        for partition in &found[begun..] {
            assert!(refines(&finest, partition) && refines(partition, &coarsest));
        }
    }
    let mut found = Vec::new();
    all(legal, &legal.undecided().unwrap(), salt, &mut found);
    found
}

fn check(attribute: &Attribute) {
    let size = attribute.domain.size();
    for scheme in Scheme::ALL {
        let attribute = with_scheme(attribute.clone(), *scheme);
        let legal = Legal::new(&attribute);
        let expected: BTreeSet<Vec<u32>> = partitions(size)
            .into_iter()
            .filter(|blocks| is_legal(&attribute, *scheme, blocks))
            .collect();
        assert_eq!(legal.count(), expected.len() as u128, "{scheme}");
        for blocks in partitions(size) {
            assert_eq!(
                legal.is_legal(&blocks),
                expected.contains(&blocks),
                "{scheme} {blocks:?}"
            );
        }
        for salt in 1..4 {
            let met = decided(&legal, salt);
            assert_eq!(met.len(), expected.len(), "{scheme} by decisions");
            let met: BTreeSet<Vec<u32>> = met.into_iter().collect();
            assert_eq!(met, expected, "{scheme} by decisions");
        }
        for direction in DIRECTIONS {
            let met = walked(&legal, direction);
            assert_eq!(met.len(), expected.len(), "{scheme} {direction:?}");
            let met: BTreeSet<Vec<u32>> = met.into_iter().collect();
            assert_eq!(met, expected, "{scheme} {direction:?}");
        }
    }
}

#[test]
fn work_class_as_formulas_md_counts_it() {
    let attribute = column(&["Private"], Some(&work_classes()));
    let schemes = [
        (Scheme::Level, 3),
        (Scheme::Cut, 9),
        (Scheme::Ordered, 128),
        (Scheme::Set, 4140),
        (Scheme::GuidedOrdered, 40),
        (Scheme::GuidedSet, 67),
    ];
    for (scheme, count) in schemes {
        let legal = Legal::new(&with_scheme(attribute.clone(), scheme));
        assert_eq!(legal.count(), count, "{scheme}");
        for direction in DIRECTIONS {
            let met = walked(&legal, direction);
            let distinct: BTreeSet<&Vec<u32>> = met.iter().collect();
            assert_eq!(
                (met.len(), distinct.len()),
                (count as usize, count as usize)
            );
        }
    }
    check(&attribute);
}

#[test]
fn bell_numbers_each_partition_once_both_ways() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let bell = [1, 2, 5, 15, 52, 203, 877, 4140, 21147];
    for (n, count) in (1..=9).zip(bell) {
        let attribute = with_scheme(column(&names[..n], None), Scheme::Set);
        let legal = Legal::new(&attribute);
        assert_eq!(legal.count(), count);
        let [up, down] = DIRECTIONS.map(|direction| {
            let met = walked(&legal, direction);
            assert_eq!(met.len() as u128, count);
            met.into_iter().collect::<BTreeSet<_>>()
        });
        assert_eq!((up.len() as u128, &up), (count, &down));
        assert!(legal.tree(Direction::Merging, count as usize - 1).is_none());
    }
}

/// Any enumeration that visits each partition once is as good as Fig. 6, says FORMULAS.md. Ours settles
/// the values from left to right: in example 1, {1}{2,3}{4}{5}, 4 and 5 may still be merged to any block
/// on their left; in example 2, {1,4}{2}{3}{5}, only 5 may.
#[test]
fn children_of_the_partitions_of_examples_1_and_2() {
    let attribute = with_scheme(column(&["1", "2", "3", "4", "5"], None), Scheme::Set);
    let tree = Legal::new(&attribute)
        .tree(Direction::Merging, 100)
        .unwrap();
    let children = |blocks: &[u32]| {
        let place = tree.partitions.iter().position(|p| p == blocks).unwrap();
        tree.children[place].len()
    };
    assert_eq!(children(&[0, 1, 1, 2, 3]), 5);
    assert_eq!(children(&[0, 1, 2, 0, 3]), 3);
}

#[test]
fn the_missing_value_is_a_child_of_the_root() {
    let tree = common::tree(&[("x", &["a", "b"]), ("y", &["c", "d"])]);
    let attribute = column(&["a", ""], Some(&tree));
    check(&attribute);
    let guided = Legal::new(&with_scheme(attribute.clone(), Scheme::GuidedSet));
    // It joins a group as a whole, never a part of one.
    assert!(guided.is_legal(&[0, 0, 1, 2, 0]));
    assert!(!guided.is_legal(&[0, 1, 2, 3, 0]));
}

#[test]
fn a_space_too_large_to_make_is_still_counted() {
    let names: Vec<String> = (0..300).map(|i| format!("v{i:03}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let count =
        |n: usize, scheme| Legal::new(&with_scheme(column(&names[..n], None), scheme)).count();
    assert_eq!(count(15, Scheme::Set), 1_382_958_545);
    assert_eq!(count(74, Scheme::Ordered), 1 << 73);
    assert_eq!(count(300, Scheme::Set), u128::MAX);
}

/// A random tree: at each level, which neighbours come together.
fn trees() -> impl Strategy<Value = Attribute> {
    let level = || prop::collection::vec(any::<bool>(), 7);
    (
        2usize..=7,
        prop::collection::vec(level(), 0..=3),
        any::<bool>(),
    )
        .prop_map(|(leaves, levels, missing)| {
            let mut groups: Vec<TreeSpec> = Vec::new();
            let mut joins: Vec<Vec<bool>> = levels;
            let names: Vec<String> = (0..leaves).map(|i| format!("v{i}")).collect();
            let mut cells: Vec<&str> = names.iter().map(String::as_str).collect();
            if missing {
                cells.push("");
            }
            let Some(first) = joins.pop() else {
                return column(&cells, None);
            };
            let mut run = vec![names[0].clone()];
            for (name, join) in names[1..].iter().zip(first.iter().cycle()) {
                if *join {
                    run.push(name.clone());
                } else {
                    groups.push(TreeSpec::Leaves(std::mem::replace(
                        &mut run,
                        vec![name.clone()],
                    )));
                }
            }
            groups.push(TreeSpec::Leaves(run));
            for (height, join) in joins.iter().enumerate() {
                let mut above: Vec<Vec<TreeSpec>> = Vec::new();
                for (place, group) in groups.into_iter().enumerate() {
                    match above.last_mut() {
                        Some(last) if join[place % 7] => last.push(group),
                        _ => above.push(vec![group]),
                    }
                }
                let named = |place: usize, inner: Vec<TreeSpec>| {
                    let children = inner.into_iter().enumerate();
                    let name = |(i, tree)| (format!("n{height}-{place}-{i}"), tree);
                    TreeSpec::Inner(children.map(name).collect())
                };
                groups = above
                    .into_iter()
                    .enumerate()
                    .map(|(p, inner)| named(p, inner))
                    .collect();
            }
            let top = groups
                .into_iter()
                .enumerate()
                .map(|(i, tree)| (format!("t{i}"), tree));
            column(
                &cells,
                Some(&HierarchySpec::Tree(TreeSpec::Inner(top.collect()))),
            )
        })
}

/// Some cost of a block, with no rhyme or reason.
struct Odd(u64);

impl BlockCost for Odd {
    fn cost(&mut self, runs: &[(usize, usize)]) -> f64 {
        let codes = runs.iter().flat_map(|(first, end)| *first..*end);
        let mask = codes.fold(0u64, |mask, code| mask | 1 << code);
        let mixed = (mask ^ self.0).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 40) as f64
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 30 } else { 200 }))]

    #[test]
    fn random_trees_against_brute_force(attribute in trees()) {
        check(&attribute);
    }

    #[test]
    fn the_cheapest_partition_is_found_without_enumeration(attribute in trees(), salt: u64) {
        for scheme in Scheme::ALL {
            let legal = Legal::new(&with_scheme(attribute.clone(), *scheme));
            let cost = |blocks: &Vec<u32>| -> f64 {
                let count = blocks.iter().max().unwrap() + 1;
                let runs = |block: u32| -> Vec<(usize, usize)> {
                    let codes = (0..blocks.len()).filter(|code| blocks[*code] == block);
                    codes.map(|code| (code, code + 1)).collect()
                };
                (0..count).map(|block| Odd(salt).cost(&runs(block))).sum()
            };
            let tree = legal.tree(Direction::Merging, 100_000).unwrap();
            let least = tree.partitions.iter().map(cost).fold(f64::INFINITY, f64::min);
            let (found, blocks) = legal.cheapest(&mut Odd(salt));
            prop_assert_eq!(found, least, "{}", scheme);
            prop_assert_eq!(cost(&blocks), least);
            prop_assert!(legal.is_legal(&blocks));
        }
    }
}
