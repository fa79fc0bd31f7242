//! Every loss on a table small enough to work by hand; the working stands beside each figure. The
//! values of the papers are those that `FORMULAS.md` lists.
#![allow(clippy::unwrap_used)]

use coarsen::counts::{Classes, Counts, Entries, TallyColumn, group};
use coarsen::domain::hierarchy::{Built, Description, RawColumn, build};
use coarsen::domain::{Attribute, AttributeSettings, Block, Code, Extent, Partition, Value};
use coarsen::loss::{self, LOSSES};
use coarsen::policy::{HierarchySpec, Policy, Side, SuppressionMode, TreeSpec};
use coarsen::privacy::requirements;
use coarsen::problem::{Allowance, Problem, ProblemError};
use coarsen::workload::{CostMatrix, Dispersion, Target, Workload, bind};

/// A column: its name, one cell a row (empty: missing), and how it is described.
struct Cells<'a> {
    name: &'a str,
    cells: Vec<&'a str>,
    description: Description<'a>,
}

fn cells<'a>(name: &'a str, cells: &[&'a str]) -> Cells<'a> {
    Cells {
        name,
        cells: cells.to_vec(),
        description: Description::default(),
    }
}

impl<'a> Cells<'a> {
    fn with(mut self, hierarchy: &'a HierarchySpec) -> Self {
        self.description.hierarchy = Some(hierarchy);
        self
    }

    /// The domain, the hierarchy, and the code of each row.
    fn built(&self) -> (Built, Vec<Code>) {
        let values: Vec<Option<Value>> = self
            .cells
            .iter()
            .map(|cell| (!cell.is_empty()).then(|| Value::Text(cell.to_string())))
            .collect();
        let rows = vec![1; values.len()];
        let column = RawColumn {
            name: self.name,
            cells: &values,
            rows: &rows,
        };
        let built = build(column, self.description).unwrap();
        let codes = built.code_of.clone();
        (built, codes)
    }
}

/// A problem over quasi-identifiers and targets, all of them given row by row.
fn problem(k: u64, columns: &[Cells<'_>], targets: &[Cells<'_>], loss: &str) -> Problem {
    problem_or(k, columns, targets, loss).unwrap()
}

fn problem_or(
    k: u64,
    columns: &[Cells<'_>],
    targets: &[Cells<'_>],
    loss: &str,
) -> Result<Problem, ProblemError> {
    let mut entries = Entries::default();
    let mut attributes = Vec::new();
    for column in columns {
        let (
            Built {
                domain, hierarchy, ..
            },
            codes,
        ) = column.built();
        entries.rows = vec![1; codes.len()];
        entries.codes.push(codes);
        let settings = AttributeSettings::default();
        attributes.push(Attribute {
            name: column.name.into(),
            domain,
            hierarchy,
            settings,
        });
    }
    let mut tallied = Vec::new();
    let mut workload = Workload::default();
    for (tally, target) in targets.iter().enumerate() {
        let (Built { domain, .. }, codes) = target.built();
        entries.tallied.push(codes);
        let numeric = domain.low(0).is_some_and(|value| value.number().is_some());
        tallied.push(TallyColumn {
            name: target.name.into(),
            domain,
            hierarchy: None,
        });
        workload.targets.push(Target {
            tally,
            weight: 1.0,
            numeric,
            costs: None,
        });
    }
    let (counts, _) = Counts::build(entries, tallied);
    let mut policy = Policy::default();
    policy.privacy.k = k;
    let requirements = requirements(&policy, counts.tallies())?;
    let suppression = Allowance::of_share(1.0, counts.total(), SuppressionMode::Drop);
    let loss = loss::find(loss).unwrap();
    Problem::new(
        attributes,
        counts,
        requirements,
        suppression,
        loss,
        workload,
    )
}

/// The classes of one partition a column.
fn classes(problem: &Problem, partitions: &[Partition]) -> Classes {
    let maps: Vec<&[u32]> = partitions.iter().map(|p| p.block_of.as_slice()).collect();
    let grouping = group(&problem.counts, &maps);
    let mut block_of = vec![vec![0; grouping.classes]; partitions.len()];
    for (column, map) in maps.iter().enumerate() {
        for (combination, class) in grouping.class_of.iter().enumerate() {
            let code = problem.counts.codes(column)[combination];
            block_of[column][*class as usize] = map[code as usize];
        }
    }
    let blocks = partitions.iter().map(|p| p.blocks.clone()).collect();
    Classes::of_grouping(&problem.counts, &grouping, blocks, block_of)
}

/// A partition of a column into sets of its values, written by their texts.
fn sets(attribute: &Attribute, sets: &[&[&str]]) -> Partition {
    let code = |text: &&str| {
        (0..attribute.domain.size() as Code)
            .find(|c| attribute.domain.text(*c) == **text)
            .unwrap()
    };
    Partition::of_sets(
        attribute,
        sets.iter()
            .map(|set| set.iter().map(code).collect())
            .collect(),
    )
}

/// A level of the hierarchy node by node, each at the height of that level.
fn level(attribute: &Attribute, level: usize) -> Partition {
    let height = level as f64 / attribute.hierarchy.height() as f64;
    let level = attribute.hierarchy.level(level);
    let block = |node: &coarsen::domain::hierarchy::Node| {
        let values: Vec<Value> = (node.first..node.end)
            .map(|c| attribute.domain.low(c).unwrap().clone())
            .collect();
        let lm = (values.len() - 1) as f64 / (attribute.domain.size() - 1) as f64;
        let extent = Extent::Values {
            values,
            missing: false,
        };
        Block {
            label: node.label.clone(),
            extent,
            lm,
            height: Some(height),
        }
    };
    Partition {
        block_of: level.node_of.clone(),
        blocks: level.nodes.iter().map(block).collect(),
    }
}

fn identity(attribute: &Attribute) -> Partition {
    Partition::at_level(attribute, 0)
}

/// Suppresses the class of the row whose first column has this text.
fn suppress(problem: &Problem, classes: &mut Classes, text: &str) {
    let domain = &problem.attributes[0].domain;
    let holds = |class: &usize| {
        let combination = classes.members(*class)[0].combination as usize;
        domain.text(problem.counts.codes(0)[combination]) == text
    };
    let class = (0..classes.len()).find(holds).unwrap();
    classes.suppress(class);
}

fn cost(name: &str, problem: &Problem, classes: &Classes) -> Option<f64> {
    loss::find(name).unwrap().loss.cost(problem, classes)
}

#[track_caller]
fn assert_near(left: Option<f64>, right: f64) {
    let left = left.expect("the loss applies");
    assert!((left - right).abs() < 1e-12, "{left} is not {right}");
}

fn tree(groups: &[(&str, &[&str])]) -> HierarchySpec {
    let group = |(name, leaves): &(&str, &[&str])| {
        let leaves = leaves.iter().map(|leaf| leaf.to_string()).collect();
        (name.to_string(), TreeSpec::Leaves(leaves))
    };
    HierarchySpec::Tree(TreeSpec::Inner(groups.iter().map(group).collect()))
}

/// The work-class tree of seeds 000 and 004: 3 + 1 + 2 + 2 leaves.
fn work_classes() -> HierarchySpec {
    tree(&[
        ("Government", &["Federal-gov", "State-gov", "Local-gov"]),
        ("Private", &["Private"]),
        ("Self-employed", &["Inc", "Not-inc"]),
        ("Unemployed", &["Without-pay", "Never-worked"]),
    ])
}

#[test]
fn the_table_is_in_the_order_of_the_report() {
    let names: Vec<&str> = LOSSES.iter().map(|entry| entry.name).collect();
    let expected =
        "prec lm cm regression dm hdm average-class-size conditional-entropy imprecision";
    assert_eq!(names.join(" "), expected);
    assert!(
        LOSSES
            .iter()
            .all(|e| !e.summary.is_empty() && !e.formula.is_empty())
    );
}

#[test]
fn lm_of_a_tree_node() {
    // Government covers 3 of 8 leaves: (3 − 1)/(8 − 1).
    let spec = work_classes();
    let problem = problem(1, &[cells("work", &["State-gov"]).with(&spec)], &[], "lm");
    let partition = level(&problem.attributes[0], 1);
    let made = classes(&problem, &[partition]);
    assert_near(cost("lm", &problem, &made), 2.0 / 7.0);
    // The same from the domain's own block.
    let block = Partition::at_level(&problem.attributes[0], 1).blocks[0].clone();
    assert_eq!(block.label, "Government");
    assert_near(Some(block.lm), 2.0 / 7.0);
}

#[test]
fn lm_of_an_interval_and_of_suppression() {
    // The 16 ranks of education; Doctorate is 1 and Masters 3: (3 − 1)/(16 − 1).
    let ranks: Vec<String> = (1..=16).map(|rank| rank.to_string()).collect();
    let ranks: Vec<&str> = ranks.iter().map(String::as_str).collect();
    let both = [cells("education", &ranks), cells("same", &["x"; 16])];
    let problem = problem(1, &both, &[], "lm");
    let education = &problem.attributes[0];
    let mut groups: Vec<&[&str]> = ranks.chunks(1).collect();
    groups.splice(0..3, [&ranks[0..3]]);
    let partition = sets(education, &groups);
    assert_eq!(partition.blocks[0].label, "1..3");
    assert_near(Some(partition.blocks[0].lm), 2.0 / 15.0);

    // Three rows of 2/15 and thirteen of 0 in one column, none in the other.
    let mut made = classes(&problem, &[partition, identity(&problem.attributes[1])]);
    let column = 3.0 * 2.0 / 15.0 / 16.0;
    assert_near(cost("lm", &problem, &made), column / 2.0);
    assert_near(Some(loss::lm_sum(&problem, &made)), column);
    // One of the thirteen suppressed: 1 in both columns.
    suppress(&problem, &mut made, "16");
    let (education, same) = ((3.0 * 2.0 / 15.0 + 1.0) / 16.0, 1.0 / 16.0);
    assert_near(cost("lm", &problem, &made), (education + same) / 2.0);
    assert_near(Some(loss::lm_sum(&problem, &made)), education + same);
}

#[test]
fn lm_of_a_run_of_ordered_names() {
    // The same ranks by their names: the run from Doctorate to Masters covers 3 of 16 values.
    let named = [
        "Doctorate",
        "Prof-school",
        "Masters",
        "Bachelors",
        "Assoc-voc",
        "Assoc-acdm",
        "Some-college",
        "HS-grad",
        "12th",
        "11th",
        "10th",
        "9th",
        "7th-8th",
        "5th-6th",
        "1st-4th",
        "Preschool",
    ];
    let order = named.map(String::from);
    let mut education = cells("education", &["Doctorate"]);
    education.description.order = Some(&order);
    let problem = problem(1, &[education], &[], "lm");
    let block = problem.attributes[0].block(&[0, 1, 2]);
    assert_eq!(block.label, "{Doctorate|Prof-school|Masters}");
    assert_near(Some(block.lm), 2.0 / 15.0);
}

#[test]
fn hdm_of_values_merged() {
    // 50 Inc and 200 Not-inc of 1000 rows: (250 − 50)/(1000 − 50) = 4/19 for each Inc, and
    // (250 − 200)/(1000 − 200) = 1/16 for each Not-inc; nothing for the 750 others.
    let spec = work_classes();
    let rows: Vec<&str> = [("Inc", 50), ("Not-inc", 200), ("Private", 750)]
        .iter()
        .flat_map(|(name, rows)| std::iter::repeat_n(*name, *rows))
        .collect();
    let problem = problem(1, &[cells("work", &rows).with(&spec)], &[], "hdm");
    let made = classes(&problem, &[level(&problem.attributes[0], 1)]);
    let expected = (50.0 * 4.0 / 19.0 + 200.0 / 16.0) / 1000.0;
    assert_near(cost("hdm", &problem, &made), expected);

    // A row that is suppressed costs 1, and so does one whose value becomes `*`.
    let mut exact = classes(&problem, &[identity(&problem.attributes[0])]);
    assert_near(cost("hdm", &problem, &exact), 0.0);
    suppress(&problem, &mut exact, "Inc");
    assert_near(cost("hdm", &problem, &exact), 50.0 / 1000.0);
    let top = Partition::at_level(&problem.attributes[0], 2);
    assert_near(cost("hdm", &problem, &classes(&problem, &[top])), 1.0);
}

#[test]
fn hdm_of_an_interval_counts_the_table_s_rows() {
    // Ages 20, 20, 30, 40; 20 and 30 merge. Each 20: (3 − 2)/(4 − 2) = 1/2; the 30: (3 − 1)/(4 − 1)
    // = 2/3; the 40 nothing. The mean is (1/2 + 1/2 + 2/3)/4 = 5/12.
    let problem = problem(1, &[cells("age", &["20", "20", "30", "40"])], &[], "hdm");
    let partition = sets(&problem.attributes[0], &[&["20", "30"], &["40"]]);
    assert_near(
        cost("hdm", &problem, &classes(&problem, &[partition])),
        5.0 / 12.0,
    );
}

#[test]
fn prec_of_sweeney_s_figure_4() {
    // Race: Black, White; Person; *: height 2. ZIP: 02138, 0213*, 021**, *: height 3.
    // GT[1,0] = 1 − (1/2 + 0)/2, GT[1,1] = 1 − (1/2 + 1/3)/2, GT[0,2] = 1 − (0 + 2/3)/2,
    // GT[0,1] = 1 − (0 + 1/3)/2; the paper rounds.
    let person = tree(&[("Person", &["Black", "White"])]);
    let mask = HierarchySpec::Mask {
        side: Side::Right,
        levels: Some(2),
    };
    let zips = ["02138", "02139", "02141", "02142"];
    let race = cells("race", &[["Black"; 4], ["White"; 4]].concat()).with(&person);
    let zip = cells("zip", &[zips, zips].concat()).with(&mask);
    let problem = problem(2, &[race, zip], &[], "prec");
    let heights: Vec<usize> = problem
        .attributes
        .iter()
        .map(|a| a.hierarchy.height())
        .collect();
    assert_eq!(heights, [2, 3]);
    for (levels, exact, printed) in [
        ([0, 0], 1.0, "1.00"),
        ([1, 0], 3.0 / 4.0, "0.75"),
        ([1, 1], 7.0 / 12.0, "0.58"),
        ([0, 2], 2.0 / 3.0, "0.67"),
        ([0, 1], 5.0 / 6.0, "0.83"),
        ([2, 3], 0.0, "0.00"),
    ] {
        let partitions = [0, 1].map(|column| level(&problem.attributes[column], levels[column]));
        let made = classes(&problem, &partitions);
        let (entry, prec) = loss::all(&problem, &made)[0];
        assert_eq!(entry.name, "prec");
        assert_near(prec, exact);
        assert_near(Some(1.0 - problem.cost(&made)), exact);
        assert_eq!(format!("{:.2}", prec.unwrap()), printed, "GT{levels:?}");
    }
}

#[test]
fn prec_takes_weights_and_needs_nodes() {
    let mask = HierarchySpec::Mask {
        side: Side::Right,
        levels: None,
    };
    let columns = [
        cells("zip", &["11", "12", "22"]).with(&mask),
        cells("sex", &["f", "m", "f"]),
    ];
    let mut problem = problem(1, &columns, &[], "prec");
    problem.attributes[0].settings.weight = 3.0;
    // ZIP climbs 1 of 2 levels everywhere, sex none: 1 − 3 · (1/2) / 4.
    let partitions = [
        level(&problem.attributes[0], 1),
        identity(&problem.attributes[1]),
    ];
    let made = classes(&problem, &partitions);
    assert_near(Some(1.0 - problem.cost(&made)), 1.0 - 3.0 / 8.0);
    // 12 and 22 have no node of their own.
    let odd = sets(&problem.attributes[0], &[&["11"], &["12", "22"]]);
    let made = classes(&problem, &[odd, identity(&problem.attributes[1])]);
    assert_eq!(cost("prec", &problem, &made), None);
    assert_eq!(problem.cost(&made), f64::INFINITY);
}

/// Ten rows in classes of a (4 rows: y y y n), b (3: n n y), c (2: y n) and d (1: n).
fn labelled(loss: &str) -> (Problem, Classes) {
    let letters = ["a", "a", "a", "a", "b", "b", "b", "c", "c", "d"];
    let labels = ["y", "y", "y", "n", "n", "n", "y", "y", "n", "n"];
    let problem = problem(3, &[cells("q", &letters)], &[cells("label", &labels)], loss);
    let made = classes(&problem, &[identity(&problem.attributes[0])]);
    (problem, made)
}

#[test]
fn dm_counts_what_a_row_cannot_be_told_from() {
    // k = 3: 4² + 3² + 2·10 + 1·10 = 55. With a suppressed: 4·10 + 3² + 2·10 + 1·10 = 79.
    let (problem, mut made) = labelled("dm");
    assert_near(cost("dm", &problem, &made), 55.0);
    suppress(&problem, &mut made, "a");
    assert_near(cost("dm", &problem, &made), 79.0);
}

#[test]
fn average_class_size_is_over_what_is_released() {
    // 10/4 rows a class; without d, 9/3; k = 3.
    let (problem, mut made) = labelled("average-class-size");
    assert_near(cost("average-class-size", &problem, &made), 2.5);
    suppress(&problem, &mut made, "d");
    assert_near(cost("average-class-size", &problem, &made), 3.0);
    assert_near(loss::normalized_average_class_size(&problem, &made), 1.0);
    for letter in ["a", "b", "c"] {
        suppress(&problem, &mut made, letter);
    }
    assert_eq!(cost("average-class-size", &problem, &made), None);
}

#[test]
fn cm_counts_rows_outside_their_majority() {
    // One each in a, b and c, none in d: 3/10. With a suppressed its four rows count: 4 + 1 + 1.
    let (mut problem, mut made) = labelled("cm");
    assert_near(cost("cm", &problem, &made), 0.3);
    suppress(&problem, &mut made, "a");
    assert_near(cost("cm", &problem, &made), 0.6);
    suppress(&problem, &mut made, "b");

    // Codes: n 0, y 1. To take y for n costs 5, n for y 1. Released: c is tied, and n comes first, so
    // its y costs 5; d nothing. Suppressed together: 4 y and 3 n, taken for y, 3.
    let costs = CostMatrix::new(&[vec![0.0, 1.0], vec![5.0, 0.0]]).unwrap();
    problem.workload.targets[0].costs = Some(costs);
    assert_near(cost("cm", &problem, &made), (5.0 + 3.0) / 10.0);
}

#[test]
fn cm_of_two_targets_is_their_weighted_mean() {
    let letters = ["a", "a", "b", "b"];
    let targets = [
        cells("s", &["y", "n", "n", "n"]),
        cells("t", &["u", "v", "u", "v"]),
    ];
    let mut problem = problem(1, &[cells("q", &letters)], &targets, "cm");
    problem.workload.targets[1].weight = 3.0;
    // s: 1/4, t: 2/4; (1/4 + 3 · 2/4)/4.
    let made = classes(&problem, &[identity(&problem.attributes[0])]);
    assert_near(cost("cm", &problem, &made), 7.0 / 16.0);
}

#[test]
fn conditional_entropy_is_in_bits() {
    // a: H(3/4) = 3/4 log2 4/3 + 1/4 log2 4 = 0.811278; b: H(1/3) = 0.918296; c: 1; d: 0.
    let entropy = |p: f64| -p * p.log2() - (1.0 - p) * (1.0 - p).log2();
    let (problem, mut made) = labelled("conditional-entropy");
    let (a, b, c) = (4.0 * entropy(0.75), 3.0 * entropy(1.0 / 3.0), 2.0);
    assert!((entropy(0.75) - 0.811278).abs() < 1e-6);
    assert_near(
        cost("conditional-entropy", &problem, &made),
        (a + b + c) / 10.0,
    );
    // c and d suppressed are one class: 1 y of 3.
    suppress(&problem, &mut made, "c");
    suppress(&problem, &mut made, "d");
    let together = 3.0 * entropy(1.0 / 3.0);
    assert_near(
        cost("conditional-entropy", &problem, &made),
        (a + b + together) / 10.0,
    );
}

#[test]
fn regression_is_the_dispersion_left_inside() {
    // 1, 3 | 8, 12: means 2 and 10, inside 1 + 1 + 4 + 4 = 10; the whole has mean 6 and
    // 25 + 9 + 4 + 36 = 74.
    let letters = ["a", "a", "b", "b", "c"];
    let pay = cells("pay", &["1", "3", "8", "12", ""]);
    let mut problem = problem(1, &[cells("q", &letters)], &[pay], "regression");
    let mut made = classes(&problem, &[identity(&problem.attributes[0])]);
    assert_near(cost("regression", &problem, &made), 10.0 / 74.0);
    // a suppressed: its rows keep 25 + 9 from the whole's mean.
    suppress(&problem, &mut made, "a");
    assert_near(cost("regression", &problem, &made), (34.0 + 8.0) / 74.0);

    // By absolute deviation, the lower median being 3: |1−3| + 0 + 5 + 9 = 16 in the whole; inside b,
    // around 8, it is 4; a suppressed keeps 2 + 0.
    problem.workload.dispersion = Dispersion::AbsoluteDeviation;
    assert_near(cost("regression", &problem, &made), (2.0 + 4.0) / 16.0);
}

#[test]
fn regression_of_a_column_that_does_not_vary_costs_nothing() {
    let problem = problem(
        1,
        &[cells("q", &["a", "b"])],
        &[cells("pay", &["7", "7"])],
        "regression",
    );
    let made = classes(&problem, &[identity(&problem.attributes[0])]);
    assert_near(cost("regression", &problem, &made), 0.0);
}

/// As seed 001's Figure 4: twelve rows in four regions along x, of which a selection overlaps three
/// that hold ten rows, six of them its own.
fn selected() -> (Problem, Classes) {
    let x = [
        "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12",
    ];
    let mut problem = problem(2, &[cells("x", &x)], &[], "lm");
    problem.workload.selections = vec![bind("x between 5 and 10", &problem.attributes).unwrap()];
    problem.loss = loss::find("imprecision").unwrap();
    let groups: [&[&str]; 4] = [&x[..2], &x[2..6], &x[6..9], &x[9..]];
    let partition = sets(&problem.attributes[0], &groups);
    let made = classes(&problem, &[partition]);
    (problem, made)
}

#[test]
fn imprecision_counts_rows_returned_too_many() {
    // Overlapping: 3..6 (4 rows), 7..9 (3), 10..12 (3): 10 returned, 6 asked for.
    let (mut problem, mut made) = selected();
    assert_eq!(problem.workload.selections[0].rows(&problem.counts), 6);
    assert_near(cost("imprecision", &problem, &made), 4.0);
    // A second selection, of nothing but region 1..2: it returns 2 rows and asks for 1.
    let second = bind("x = 2", &problem.attributes).unwrap();
    problem.workload.selections.push(second);
    assert_near(cost("imprecision", &problem, &made), 5.0);
    // Suppressed, the rows 1 and 2 could be anywhere: the first selection returns them too, 2 more.
    suppress(&problem, &mut made, "1");
    assert_near(cost("imprecision", &problem, &made), 7.0);
    // And without selections there is nothing to ask.
    problem.workload.selections.clear();
    assert_eq!(cost("imprecision", &problem, &made), None);
}

#[test]
fn a_suppressed_cell_overlaps_every_selection() {
    let (problem, _) = selected();
    let top = problem.attributes[0].hierarchy.height();
    let made = classes(
        &problem,
        &[Partition::at_level(&problem.attributes[0], top)],
    );
    assert_near(cost("imprecision", &problem, &made), 6.0);
}

#[test]
fn a_loss_that_the_workload_does_not_feed_is_refused() {
    let q = || [cells("q", &["a", "b"])];
    let (label, pay) = (
        || [cells("label", &["y", "n"])],
        || [cells("pay", &["1", "2"])],
    );
    for (loss, refused, accepted) in [
        ("cm", pay(), label()),
        ("conditional-entropy", pay(), label()),
        ("regression", label(), pay()),
    ] {
        let error = problem_or(1, &q(), &refused, loss).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!(
                "the loss `{loss}` does not apply here: it needs a target"
            )),
            "{error}"
        );
        assert!(problem_or(1, &q(), &accepted, loss).is_ok());
    }
    let error = problem_or(1, &q(), &[], "imprecision")
        .unwrap_err()
        .to_string();
    assert!(error.contains("it needs selections"), "{error}");
    // What does not apply is absent from the list, not an error.
    let problem = problem(1, &q(), &[], "lm");
    let made = classes(&problem, &[identity(&problem.attributes[0])]);
    let missing: Vec<&str> = loss::all(&problem, &made)
        .iter()
        .filter(|(_, figure)| figure.is_none())
        .map(|(entry, _)| entry.name)
        .collect();
    assert_eq!(
        missing,
        ["cm", "regression", "conditional-entropy", "imprecision"]
    );
}
