//! Small random tables: columns of every kind with every kind of hierarchy, missing values, sensitive
//! and target columns, and what is asked of them.
//!
//! A table is drawn as plain numbers, which shrink well; each column turns its number into a cell.

use coarsen::domain::Kind;
use coarsen::policy::{
    Closeness, DateUnit, Diversity, DiversityMeasure, HierarchySpec, Role, Side, SuppressionMode,
    TreeSpec,
};
use proptest::prelude::*;

use super::{Cells, Table, cells};

/// A kind of column with its hierarchy.
#[derive(Clone, Debug)]
pub enum Sort {
    /// Six letters, each in one of four groups; the groups in two more where the tree is tall.
    Tree { group_of: Vec<usize>, tall: bool },
    /// Whole numbers in nested intervals.
    Integers { width: u32, times: u32, origin: i8 },
    /// Numbers with a fraction in nested intervals of tenths, which binary fractions only come near to.
    Decimals { tenths: u32, times: u32 },
    /// Codes of one to four digits.
    Codes { side: Side, levels: Option<usize> },
    /// Days in calendar units.
    Days { units: Vec<DateUnit> },
    /// Numbers without a hierarchy.
    Plain,
    /// Numbers in bins.
    Bins { limit: usize },
    /// Words without a hierarchy.
    Words,
    /// Words in an order of their own.
    Ordinal,
    /// True and false.
    Truth,
}

const LETTERS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
const ORDER: [&str; 5] = ["never", "seldom", "now and then", "often", "always"];

impl Sort {
    fn cell(&self, raw: u16) -> String {
        let raw = usize::from(raw);
        match self {
            Sort::Tree { .. } | Sort::Words => LETTERS[raw % 6].into(),
            Sort::Integers { .. } => (raw as i64 % 12 * 3 - 11).to_string(),
            Sort::Decimals { .. } => format!("{:.1}", 28.0 + (raw * 7 % 40) as f64 / 10.0),
            Sort::Codes { .. } => {
                ["021", "0213", "0214", "7", "71", "1381", "1138", "21"][raw % 8].into()
            }
            Sort::Days { .. } => {
                let (year, month) = (1958 + raw % 5 * 4, 1 + raw % 12);
                format!("{year}-{month:02}-{:02}", 1 + raw % 28)
            }
            Sort::Plain | Sort::Bins { .. } => (raw * raw % 17).to_string(),
            Sort::Ordinal => ORDER[raw % 5].into(),
            Sort::Truth => (raw % 2 == 0).to_string(),
        }
    }

    fn hierarchy(&self) -> Option<HierarchySpec> {
        Some(match self {
            Sort::Tree { group_of, tall } => HierarchySpec::Tree(tree(group_of, *tall)),
            Sort::Integers {
                width,
                times,
                origin,
            } => HierarchySpec::Intervals {
                widths: vec![f64::from(*width), f64::from(width * times)],
                origin: f64::from(*origin),
            },
            Sort::Decimals { tenths, times } => HierarchySpec::Intervals {
                widths: vec![f64::from(*tenths) / 10.0, f64::from(tenths * times) / 10.0],
                origin: 0.0,
            },
            Sort::Codes { side, levels } => HierarchySpec::Mask {
                side: *side,
                levels: *levels,
            },
            Sort::Days { units } => HierarchySpec::Dates {
                units: units.clone(),
            },
            Sort::Bins { limit } => HierarchySpec::Quantiles { limit: *limit },
            Sort::Plain | Sort::Words | Sort::Ordinal | Sort::Truth => return None,
        })
    }

    fn kind(&self) -> Kind {
        match self {
            Sort::Integers { .. } | Sort::Plain | Sort::Bins { .. } => Kind::Integer,
            Sort::Decimals { .. } => Kind::Decimal,
            Sort::Days { .. } => Kind::Date,
            Sort::Truth => Kind::Boolean,
            Sort::Tree { .. } | Sort::Codes { .. } | Sort::Words | Sort::Ordinal => Kind::Text,
        }
    }
}

fn tree(group_of: &[usize], tall: bool) -> TreeSpec {
    let groups = |half: usize| -> Vec<(String, TreeSpec)> {
        let wanted = if tall { half * 2..half * 2 + 2 } else { 0..4 };
        wanted
            .filter_map(|group| {
                let leaves: Vec<String> = (0..6)
                    .filter(|leaf| group_of[*leaf] == group)
                    .map(|leaf| LETTERS[leaf].to_string())
                    .collect();
                (!leaves.is_empty()).then(|| (format!("group {group}"), TreeSpec::Leaves(leaves)))
            })
            .collect()
    };
    if !tall {
        return TreeSpec::Inner(groups(0));
    }
    let halves = (0..2).map(|half| (format!("half {half}"), groups(half)));
    let halves = halves.filter(|(_, groups)| !groups.is_empty());
    TreeSpec::Inner(
        halves
            .map(|(name, groups)| (name, TreeSpec::Inner(groups)))
            .collect(),
    )
}

fn sort() -> impl Strategy<Value = Sort> {
    let units = [
        DateUnit::Month,
        DateUnit::Quarter,
        DateUnit::Year,
        DateUnit::Decade,
    ];
    prop_oneof![
        (prop::collection::vec(0usize..4, 6), any::<bool>())
            .prop_map(|(group_of, tall)| Sort::Tree { group_of, tall }),
        (1u32..8, 2u32..4, -3i8..4).prop_map(|(width, times, origin)| Sort::Integers {
            width,
            times,
            origin
        }),
        (1u32..9, 2u32..4).prop_map(|(tenths, times)| Sort::Decimals { tenths, times }),
        (
            prop_oneof![Just(Side::Left), Just(Side::Right)],
            prop::option::of(1usize..4)
        )
            .prop_map(|(side, levels)| Sort::Codes { side, levels }),
        prop::sample::subsequence(units.to_vec(), 1..=4).prop_map(|units| Sort::Days { units }),
        Just(Sort::Plain),
        (1usize..6).prop_map(|limit| Sort::Bins { limit }),
        Just(Sort::Words),
        Just(Sort::Ordinal),
        Just(Sort::Truth),
    ]
}

/// One quasi-identifier: its sort, whether some of its values are missing, its weight.
type Quasi = (Sort, bool, u8);

/// Numbers of a row: four quasi-identifiers, then the other columns.
type Raw = Vec<u16>;

fn column(name: String, (sort, missing, weight): &Quasi, rows: &[Raw], place: usize) -> Cells {
    let cell = |row: &Raw| match row[place] {
        raw if *missing && raw % 5 == 0 => String::new(),
        raw => sort.cell(raw / 5),
    };
    let mut column = cells(&name, &[]).kind(sort.kind());
    column.cells = rows.iter().map(cell).collect();
    column.described.hierarchy = sort.hierarchy();
    column.described.weight = Some(f64::from(*weight));
    if let Sort::Ordinal = sort {
        column = column.ordered(&ORDER);
    }
    column
}

/// Tables of one to four quasi-identifiers `q0`.. and one to sixty rows, with the sensitive columns
/// `illness` (words, some missing) and `pay` (whole numbers), and the targets `label` (words, some
/// missing) and `score` (numbers, some missing). Their policy asks for 1-anonymity.
pub fn tables() -> impl Strategy<Value = Table> {
    let quasi = prop::collection::vec((sort(), any::<bool>(), 1u8..4), 1..=4);
    let rows = prop::collection::vec(prop::collection::vec(0u16..200, 8), 1..=60);
    (quasi, rows).prop_map(|(quasi, rows)| {
        let mut columns: Vec<Cells> = quasi
            .iter()
            .enumerate()
            .map(|(place, quasi)| column(format!("q{place}"), quasi, &rows, place))
            .collect();
        let others = [
            ("illness", Role::Sensitive, Sort::Words, true),
            ("pay", Role::Sensitive, Sort::Plain, false),
            ("label", Role::Target, Sort::Ordinal, true),
            (
                "score",
                Role::Target,
                Sort::Decimals {
                    tenths: 1,
                    times: 2,
                },
                true,
            ),
        ];
        for (place, (name, role, sort, missing)) in others.into_iter().enumerate() {
            let mut other = column(name.into(), &(sort, missing, 1), &rows, 4 + place).role(role);
            other.described.hierarchy = None;
            other.described.order = None;
            columns.push(other);
        }
        let mut table = Table::new(&columns);
        table.policy.privacy.k = 1;
        table
    })
}

fn diversity() -> impl Strategy<Value = Diversity> {
    let of = |column: &'static str| {
        move |measure| Diversity {
            column: column.into(),
            measure,
        }
    };
    let any_values = prop_oneof![
        (1u64..4).prop_map(|l| DiversityMeasure::Distinct { l }),
        (1.0..3.5).prop_map(|l| DiversityMeasure::Entropy { l }),
        (0.5..4.0, 1u64..4).prop_map(|(c, l)| DiversityMeasure::Recursive { c, l }),
    ];
    let numbers = (0.0..150.0).prop_map(|error| DiversityMeasure::SquaredError { error });
    prop_oneof![
        3 => any_values.prop_map(of("illness")),
        1 => numbers.prop_map(of("pay")),
    ]
}

/// Tables with what is asked of them: k from 1 to 6, perhaps diversity, perhaps closeness, a share of
/// rows that may be suppressed, either mode.
pub fn cases() -> impl Strategy<Value = Table> {
    let closeness = (prop::sample::select(&["illness", "pay"][..]), 0.0..1.0);
    let modes = prop_oneof![Just(SuppressionMode::Drop), Just(SuppressionMode::Mask)];
    let limits = prop_oneof![3 => 0.0..0.5, 1 => Just(0.0), 1 => 0.5..=1.0];
    (
        tables(),
        1u64..=6,
        prop::collection::vec(diversity(), 0..=2),
        prop::option::weighted(0.3, closeness),
        limits,
        modes,
    )
        .prop_map(|(mut table, k, diversity, closeness, limit, mode)| {
            let closeness = closeness.map(|(column, t)| Closeness {
                column: column.into(),
                t,
            });
            table.policy.privacy.k = k;
            table.policy.privacy.diversity = diversity;
            table.policy.privacy.closeness = closeness.into_iter().collect();
            table.policy.suppression.limit = limit;
            table.policy.suppression.mode = mode;
            table.policy.workload.selections = selection(&table).into_iter().collect();
            table
        })
}

/// A selection that the first column can answer, where it has a value at all.
fn selection(table: &Table) -> Option<String> {
    let domain = &table.attributes[0].domain;
    let value = domain.write(domain.low(0)?);
    Some(match domain.kind() {
        Kind::Text | Kind::Date => format!("q0 = '{value}'"),
        Kind::Integer | Kind::Decimal => format!("q0 >= {value}"),
        Kind::Boolean => format!("q0 = {value}"),
    })
}
