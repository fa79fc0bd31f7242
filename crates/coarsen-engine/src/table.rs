//! A source under a policy: every column has its role, every value its code, every combination its
//! count.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use coarsen::counts::{Counts, Entries, TallyColumn};
use coarsen::domain::hierarchy::Built;
use coarsen::domain::{Attribute, AttributeSettings};
use coarsen::policy::{Column, MissingRule, Policy, Represent, Role, Scheme};

use crate::EngineError;
use crate::coder::Coder;
use crate::count::{TakePart, count_columns, count_combinations, type_of};
use crate::describe::Describer;
use crate::engine::Engine;
use crate::faults::{Place, first_row_with};
use crate::fit::{check_columns, refuse_extensions, refuse_illegible};
use crate::raw::{RawColumn, RawCounts, key_blurs};
use crate::source::Source;

/// A counted table.
#[derive(Debug)]
pub struct Table {
    /// The file.
    pub source: Source,
    /// The quasi-identifiers.
    pub attributes: Vec<Attribute>,
    /// The frequency list.
    pub counts: Arc<Counts>,
    /// The distinct cells behind the codes.
    pub(crate) raw: RawCounts,
    /// The combination that each entry of `raw` is part of.
    pub(crate) combination_of: Vec<u32>,
    /// From cells to codes: the quasi-identifiers, then what is tallied.
    pub(crate) coders: Vec<Coder>,
    /// Whether a code of each quasi-identifier always stands for one spelling.
    pub(crate) one_spelling: Vec<bool>,
}

/// How quasi-identifiers are described: as the policy says, or by the values at hand alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domains {
    /// With the hierarchies of the policy.
    OfPolicy,
    /// With the values of the table and nothing above them but the top: for a table that a saved
    /// recoding is applied to.
    OfTable,
    /// Like that, and every cell as the plain text that stands in it, whatever it may mean: for a
    /// release that is audited.
    AsReleased,
}

impl Table {
    /// Counts a source under a policy. `folder` is where the policy's paths start.
    pub fn count(
        engine: &Engine,
        source: Source,
        policy: &Policy,
        folder: &Path,
        domains: Domains,
    ) -> Result<Table, EngineError> {
        let counted = Table::count_within(engine, source, policy, folder, domains, None)?;
        Ok(counted.unwrap_or_else(|_| unreachable!("without a limit no table is too large")))
    }

    /// Counts a source; gives it back where it has more than `most` combinations.
    pub(crate) fn count_within(
        engine: &Engine,
        source: Source,
        policy: &Policy,
        folder: &Path,
        domains: Domains,
        most: Option<u64>,
    ) -> Result<Result<Table, Source>, EngineError> {
        check_columns(&source, policy)?;
        let quasi: Vec<String> = names_with(&source, policy, &[Role::QuasiIdentifier]);
        let tallied: Vec<String> = names_with(&source, policy, &[Role::Sensitive, Role::Target]);
        let asked: Vec<String> = quasi.iter().chain(&tallied).cloned().collect();
        refuse_illegible(&source, policy, &asked, domains)?;
        refuse_extensions(&source, &quasi)?;
        let take_part = TakePart::of(policy, &source)?;
        let missing = take_part.missing;
        let Some(raw) = count_combinations(engine, &source, &asked, &take_part, most)? else {
            return Ok(Err(source));
        };
        if raw.rows.is_empty() {
            return Err(no_rows(&source, &take_part));
        }
        if missing.rule == MissingRule::Refuse {
            refuse_missing(engine, &source, &raw.columns, missing.words)?;
        }

        let describer = Describer {
            engine,
            source: &source,
            policy,
            folder,
        };
        let mut attributes = Vec::new();
        let mut entries = Entries::default();
        let mut one_spelling = Vec::new();
        let mut coders = Vec::new();
        for column in &raw.columns[..quasi.len()] {
            let described = &policy.columns[&column.name];
            let Built {
                domain,
                hierarchy,
                code_of,
            } = describer.build(column, &column.marginal(&raw.rows), described, domains)?;
            let blurred = key_blurs(type_of(&source, &column.name));
            one_spelling.push(!blurred && is_injective(&code_of, domain.size()));
            entries.codes.push(recode(column, &code_of));
            coders.push(Coder::new(column, &code_of));
            attributes.push(Attribute {
                name: column.name.clone(),
                domain,
                hierarchy,
                settings: settings_of(described),
            });
        }
        let mut tallies = Vec::new();
        for column in &raw.columns[quasi.len()..] {
            let Built {
                domain,
                hierarchy,
                code_of,
            } = describer.build(
                column,
                &column.marginal(&raw.rows),
                &policy.columns[&column.name],
                Domains::OfTable,
            )?;
            entries.tallied.push(recode(column, &code_of));
            coders.push(Coder::new(column, &code_of));
            let described = policy.columns[&column.name].hierarchy.is_some();
            tallies.push(TallyColumn {
                name: column.name.clone(),
                domain,
                hierarchy: described.then_some(hierarchy),
            });
        }
        entries.rows = raw.rows.clone();
        let (counts, combination_of) = engine.install(|| Counts::build(entries, tallies));
        Ok(Ok(Table {
            source,
            attributes,
            counts: Arc::new(counts),
            raw,
            combination_of,
            coders,
            one_spelling,
        }))
    }

    /// Describes a source's columns without counting its combinations: its counts are one lump.
    pub(crate) fn describe(
        engine: &Engine,
        source: Source,
        policy: &Policy,
        folder: &Path,
    ) -> Result<Table, EngineError> {
        let quasi: Vec<String> = names_with(&source, policy, &[Role::QuasiIdentifier]);
        let tallied: Vec<String> = names_with(&source, policy, &[Role::Sensitive, Role::Target]);
        let asked: Vec<String> = quasi.iter().chain(&tallied).cloned().collect();
        check_columns(&source, policy)?;
        refuse_illegible(&source, policy, &asked, Domains::OfPolicy)?;
        refuse_extensions(&source, &quasi)?;
        let take_part = TakePart::of(policy, &source)?;
        let missing = take_part.missing;
        let counted = count_columns(engine, &source, &asked, &take_part)?;
        let total: u64 = counted.first().map_or(0, |column| column.rows.iter().sum());
        if total == 0 {
            return Err(no_rows(&source, &take_part));
        }
        let (columns, rows): (Vec<RawColumn>, Vec<Vec<u64>>) = counted
            .into_iter()
            .map(|counted| (counted.column, counted.rows))
            .unzip();
        if missing.rule == MissingRule::Refuse {
            refuse_missing(engine, &source, &columns, missing.words)?;
        }
        let describer = Describer {
            engine,
            source: &source,
            policy,
            folder,
        };
        let (mut attributes, mut one_spelling) = (Vec::new(), Vec::new());
        let (mut coders, mut tallies) = (Vec::new(), Vec::new());
        for (place, (column, rows)) in columns.iter().zip(&rows).enumerate() {
            let described = &policy.columns[&column.name];
            let is_quasi = place < quasi.len();
            let domains = match is_quasi {
                true => Domains::OfPolicy,
                false => Domains::OfTable,
            };
            let Built {
                domain,
                hierarchy,
                code_of,
            } = describer.build(column, rows, described, domains)?;
            coders.push(Coder::new(column, &code_of));
            if is_quasi {
                let blurred = key_blurs(type_of(&source, &column.name));
                one_spelling.push(!blurred && is_injective(&code_of, domain.size()));
                attributes.push(Attribute {
                    name: column.name.clone(),
                    domain,
                    hierarchy,
                    settings: settings_of(described),
                });
            } else {
                let entries = code_of
                    .iter()
                    .zip(rows)
                    .map(|(code, rows)| (0, *code, *rows));
                let tallied = TallyColumn {
                    name: column.name.clone(),
                    domain,
                    hierarchy: described.hierarchy.is_some().then_some(hierarchy),
                };
                tallies.push((tallied, entries.collect()));
            }
        }
        let counts = Counts::of_lumps(vec![vec![0]; attributes.len()], vec![total], tallies);
        // Their codes are all that is needed from here on, and there may be very many.
        let mut columns = columns;
        columns.iter_mut().for_each(RawColumn::forget_cells);
        Ok(Table {
            source,
            attributes,
            counts: Arc::new(counts),
            raw: RawCounts {
                columns,
                rows: Vec::new(),
            },
            combination_of: Vec::new(),
            coders,
            one_spelling,
        })
    }

    /// How many distinct values a quasi-identifier has.
    pub(crate) fn values(&self, place: usize) -> u64 {
        let size = self.attributes[place].domain.size();
        let mut seen = vec![false; size];
        let codes = self.coders[place].all().iter();
        codes.for_each(|code| seen[*code as usize] = true);
        seen.iter().filter(|seen| **seen).count() as u64
    }

    /// The distinct values of every quasi-identifier.
    pub(crate) fn values_of_columns(&self) -> Vec<u64> {
        (0..self.attributes.len())
            .map(|place| self.values(place))
            .collect()
    }

    /// Distinct rows one after another, the codes of quasi-identifiers first and then those of tallied
    /// columns, with the number of rows of each; in rising order.
    pub(crate) fn coded_rows(&self) -> (Vec<u32>, Vec<u64>) {
        let mut entries: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
        for (entry, rows) in self.raw.rows.iter().enumerate() {
            let columns = self.raw.columns.iter().zip(&self.coders);
            let code =
                |(column, coder): (&RawColumn, &Coder)| coder.all()[column.codes[entry] as usize];
            *entries.entry(columns.map(code).collect()).or_default() += rows;
        }
        let (mut codes, mut rows) = (Vec::new(), Vec::new());
        for (key, count) in entries {
            codes.extend(key);
            rows.push(count);
        }
        (codes, rows)
    }

    /// Forgets the combinations of cells behind the codes, which not every recoding needs.
    pub(crate) fn forget_entries(&mut self) {
        self.combination_of = Vec::new();
        self.raw.rows = Vec::new();
        for column in &mut self.raw.columns {
            column.codes = Vec::new();
        }
    }
}

fn settings_of(column: &Column) -> AttributeSettings {
    AttributeSettings {
        scheme: column.scheme.unwrap_or(Scheme::Level),
        weight: column.weight.unwrap_or(1.0),
        represent: column.represent.unwrap_or(Represent::Range),
    }
}

fn recode(column: &RawColumn, code_of: &[u32]) -> Vec<u32> {
    column
        .codes
        .iter()
        .map(|code| code_of[*code as usize])
        .collect()
}

fn is_injective(code_of: &[u32], size: usize) -> bool {
    let mut seen = vec![false; size];
    code_of
        .iter()
        .all(|code| !std::mem::replace(&mut seen[*code as usize], true))
}

/// The source's columns with one of these roles, in the source's order.
pub(crate) fn names_with(source: &Source, policy: &Policy, roles: &[Role]) -> Vec<String> {
    let has = |name: &&str| {
        policy
            .columns
            .get(*name)
            .is_some_and(|c| roles.contains(&c.role))
    };
    source.names().filter(has).map(str::to_string).collect()
}

fn no_rows(source: &Source, take_part: &TakePart<'_>) -> EngineError {
    EngineError::input(
        &source.path,
        "it has no rows",
        match take_part.missing.rule {
            _ if take_part.eligible.is_some() => "no row is eligible: see input.eligible",
            MissingRule::Drop => {
                "every row has a missing value, and missing_values = \"drop\" leaves those out"
            }
            _ => "a table needs at least one row below the column names",
        },
    )
}

fn refuse_missing(
    engine: &Engine,
    source: &Source,
    columns: &[RawColumn],
    words: &[String],
) -> Result<(), EngineError> {
    for column in columns {
        let cells = column.cells_less_missing(words);
        if cells.iter().any(Option::is_none) {
            let bad = |cell: usize| cells[cell].is_none();
            let Place { path, row } = first_row_with(engine, source, column, &bad)?;
            return Err(EngineError::input(
                &path,
                format!("row {row}, column `{}`: the value is missing", column.name),
                "missing_values = \"refuse\" takes no missing value; fill it in, or choose \"category\" or \"drop\"",
            ));
        }
    }
    Ok(())
}
