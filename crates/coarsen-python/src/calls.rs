//! What Python calls: each function takes data and JSON, works in the background, and gives data and
//! JSON back.

use std::path::PathBuf;

use coarsen::policy::{Column, Policy, Role};
use coarsen_engine::{
    CheckRequest, CountedHierarchy, Draft, Engine, EngineError, Evidence, HierarchyRequest, Medium,
    Release, ReleasedTable, Source, SourceSettings, Stage, apply_kept, check_source, draft,
    profile_json, release_kept, released_quasi_identifiers, suggest, together,
};
use pyo3::prelude::*;
use serde_json::Value as Json;

use crate::data::{ArrowTable, Data};
use crate::evidence::NativeEvidence;
use crate::failure;
use crate::policy::PolicyArgument;
use crate::recoding::{NativeRecoding, Use};
use crate::task::{Options, work};

/// A release as it crosses: what was released as JSON, its rows, its recoding and the evidence.
type Crossing = (String, ArrowTable, NativeRecoding, NativeEvidence);

/// A release from file to file as it crosses: what was released as JSON, and the evidence.
type FileCrossing = (String, NativeEvidence);

fn crossing(
    engine: &Engine,
    made: ReleasedTable,
    from_file: bool,
) -> Result<Crossing, EngineError> {
    let rows = match from_file {
        true => made.rows.with_plain_texts()?,
        false => made.rows,
    };
    let recoding = NativeRecoding::new(made.recoding);
    let (json, evidence) = file_crossing(engine, made.release, made.evidence);
    Ok((json, ArrowTable::new(rows), recoding, evidence))
}

fn file_crossing(engine: &Engine, made: Release, evidence: Evidence) -> FileCrossing {
    let json = serde_json::to_string(&made).expect("a release is plain data");
    (json, NativeEvidence::new(evidence, engine))
}

/// Reads and checks a policy; gives its keys as JSON.
#[pyfunction]
pub fn check_policy(py: Python<'_>, policy: PolicyArgument) -> PyResult<String> {
    let spoken = policy.read(py)?;
    Ok(serde_json::to_string(&spoken.policy).expect("a policy is plain data"))
}

/// A release in memory.
#[pyfunction]
pub fn release(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    policy: PolicyArgument,
    options: Options,
) -> PyResult<Crossing> {
    let spoken = policy.read(py)?;
    let data = Data::take(py, data)?;
    let name = spoken.name.clone();
    let options = options.under(&spoken.policy);
    work(py, options, &name, move |engine, tell| {
        let from_file = matches!(data, Data::File(_));
        let settings = SourceSettings::from(&spoken.policy.input);
        let source = data.open(engine, &settings)?;
        let made = coarsen_engine::release_table_for(
            engine,
            source,
            &spoken.policy,
            &spoken.folder,
            spoken.holder(),
            &|stage| tell(stage.into()),
        )?;
        crossing(engine, made, from_file)
    })
}

/// A release from file to file, as `coarsen run` makes it. Paths given here take the place of the
/// policy's.
#[pyfunction]
pub fn run(
    py: Python<'_>,
    policy: PolicyArgument,
    input: Option<PathBuf>,
    output: Option<PathBuf>,
    recoding: Option<PathBuf>,
    options: Options,
) -> PyResult<FileCrossing> {
    let mut spoken = policy.read(py)?;
    let absolute = |path: PathBuf| -> PyResult<String> {
        Ok(std::path::absolute(path)?.to_string_lossy().into_owned())
    };
    let places = &mut spoken.policy;
    if let Some(input) = input {
        places.input.path = absolute(input)?;
    }
    if let Some(output) = output {
        places.output.path = absolute(output)?;
        // The policy's recoding belongs to the policy's release.
        places.output.recoding = None;
    }
    if let Some(recoding) = recoding {
        places.output.recoding = Some(absolute(recoding)?);
    }
    let name = spoken.name.clone();
    let checked = spoken.policy.check();
    checked.map_err(|error| failure::policy(py, &error, &name))?;
    let options = options.under(&spoken.policy);
    work(py, options, &name, move |engine, tell| {
        let (policy, folder) = (&spoken.policy, &spoken.folder);
        let listener = |stage: Stage| tell(stage.into());
        let (made, evidence) = release_kept(engine, policy, folder, spoken.holder(), &listener)?;
        Ok(file_crossing(engine, made, evidence))
    })
}

/// Recodes rows in memory with a saved recoding.
#[pyfunction]
pub fn apply(
    py: Python<'_>,
    recoding: &NativeRecoding,
    data: &Bound<'_, PyAny>,
    rules: Use,
    options: Options,
) -> PyResult<Crossing> {
    let saved = rules.prepare(recoding);
    recoding.usable(py)?;
    let data = Data::take(py, data)?;
    let options = options.under(&saved.policy);
    work(py, options, "recoding", move |engine, tell| {
        let listener = |stage: Stage| tell(stage.into());
        let from_file = matches!(data, Data::File(_));
        let settings = SourceSettings {
            format: None,
            query: None,
            ..SourceSettings::from(&saved.policy.input)
        };
        let source = data.open(engine, &settings)?;
        let made = coarsen_engine::apply_table(engine, &saved, &rules.folder(), source, &listener)?;
        crossing(engine, made, from_file)
    })
}

/// Sees rows in memory as a saved recoding shows them, each by itself.
#[pyfunction]
pub fn recode_rows(
    py: Python<'_>,
    recoding: &NativeRecoding,
    data: &Bound<'_, PyAny>,
    options: Options,
) -> PyResult<ArrowTable> {
    recoding.usable(py)?;
    let saved = recoding.saved().clone();
    let data = Data::take(py, data)?;
    let options = options.under(&saved.policy);
    work(py, options, "recoding", move |engine, _| {
        let source = data.open(engine, &SourceSettings::default())?;
        coarsen_engine::recode_rows(engine, &saved, source).map(ArrowTable::new)
    })
}

/// Recodes a file with a saved recoding, as `coarsen apply` does.
#[pyfunction]
pub fn apply_file(
    py: Python<'_>,
    recoding: &NativeRecoding,
    input: PathBuf,
    output: PathBuf,
    rules: Use,
    options: Options,
) -> PyResult<FileCrossing> {
    let saved = rules.prepare(recoding);
    recoding.usable(py)?;
    let options = options.under(&saved.policy);
    work(py, options, "recoding", move |engine, tell| {
        let folder = rules.folder();
        let listener = |stage: Stage| tell(stage.into());
        let (made, evidence) =
            apply_kept(engine, &saved, &folder, &input, &output, false, &listener)?;
        Ok(file_crossing(engine, made, evidence))
    })
}

/// What a table is held against.
#[derive(FromPyObject)]
pub struct CheckArgument {
    quasi_identifiers: Option<Vec<String>>,
    k: Option<u64>,
    sensitive: Vec<String>,
    subsets: usize,
}

/// Audits a table: the figures as JSON, and as HTML for a notebook.
#[pyfunction]
pub fn check(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    policy: Option<PolicyArgument>,
    against: CheckArgument,
    population: Option<&Bound<'_, PyAny>>,
    options: Options,
) -> PyResult<(String, String)> {
    let spoken = policy.map(|policy| policy.read(py)).transpose()?;
    let data = Data::take(py, data)?;
    let population = population.map(|data| Data::take(py, data)).transpose()?;
    let name = spoken
        .as_ref()
        .map_or("policy", |spoken| spoken.name.as_str());
    let name = name.to_string();
    work(py, options, &name, move |engine, _| {
        let settings = SourceSettings::default();
        let source = data.open(engine, &settings)?;
        let folder = spoken.as_ref().map_or(PathBuf::new(), |s| s.folder.clone());
        let mut policy = spoken.map_or_else(Policy::default, |spoken| spoken.policy);
        policy.privacy.k = against.k.unwrap_or(policy.privacy.k.max(1));
        for name in &against.sensitive {
            let column = policy.columns.entry(name.clone()).or_default();
            column.role = Role::Sensitive;
        }
        let quasi_identifiers = match against.quasi_identifiers {
            None => released_quasi_identifiers(&source, &policy)?,
            Some(names) => {
                // Columns that are named take the place of the policy's.
                policy
                    .columns
                    .retain(|_, column| column.role == Role::Sensitive);
                names
            }
        };
        let population = match population {
            Some(data) => Some(data.open(engine, &settings)?),
            None => None,
        };
        let request = CheckRequest {
            policy,
            quasi_identifiers,
            population,
            subset_size: against.subsets,
            source: settings,
        };
        let checked = check_source(engine, source, &folder, &request)?;
        Ok((checked.to_json().to_string(), checked.view()))
    })
}

/// Profiles a table: what its columns hold and suggest, as JSON, and a policy's text.
#[pyfunction]
pub fn profile(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    name: String,
    options: Options,
) -> PyResult<(String, String)> {
    let data = Data::take(py, data)?;
    work(py, options, "policy", move |engine, _| {
        let source = data.open(engine, &SourceSettings::default())?;
        let found = coarsen_engine::profile(engine, &source)?;
        let suggestions = suggest(&found);
        let quasi_identifiers: Vec<String> = suggestions
            .iter()
            .filter(|suggestion| suggestion.column.role == Role::QuasiIdentifier)
            .map(|suggestion| suggestion.name.clone())
            .collect();
        let exposed = together(engine, &source, &found, &quasi_identifiers)?;
        let delimiter = source.dialect().map(|d| char::from(d.delimiter));
        let about = Draft {
            input: &name,
            delimiter: delimiter.filter(|delimiter| *delimiter != ','),
            header: source.dialect().is_none_or(|dialect| dialect.header),
            output: "release.csv",
            recoding: "recoding.json",
        };
        let text = draft(&about, &found, &suggestions, &exposed)?;
        Ok((
            profile_json(&found, &suggestions, &exposed).to_string(),
            text,
        ))
    })
}

/// The hierarchy that a column's description gives its values, in ARX's layout.
#[pyfunction]
pub fn hierarchy(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    column: String,
    policy: PolicyArgument,
    options: Options,
) -> PyResult<String> {
    let spoken = policy.read(py)?;
    let data = Data::take(py, data)?;
    let described: Column = spoken
        .policy
        .columns
        .get(&column)
        .cloned()
        .unwrap_or_default();
    let missing = spoken.policy.input.missing.clone();
    work(py, options, "policy", move |engine, _| {
        let request = HierarchyRequest {
            source: data.open(engine, &SourceSettings::default())?,
            column: &column,
            described,
            missing: Some(missing),
        };
        Ok(CountedHierarchy::of_data(engine, request)?.layout())
    })
}

/// The rows of a file, as it holds them: cells of CSV are texts.
#[pyfunction]
pub fn read(py: Python<'_>, path: PathBuf, options: Options) -> PyResult<ArrowTable> {
    work(py, options, "policy", move |engine, _| {
        let source = Source::open(engine, &path, &SourceSettings::default())?;
        match source.load(engine)?.medium {
            Medium::Memory(rows) => Ok(ArrowTable::new(rows.with_plain_texts()?)),
            Medium::File { .. } => unreachable!("it was loaded"),
        }
    })
}

/// One of the tables of what there is to choose from, as JSON.
#[pyfunction]
pub fn catalog(table: &str) -> String {
    let entries = match table {
        "algorithms" => coarsen::catalog::algorithms(),
        "losses" => coarsen::catalog::losses(),
        "requirements" => coarsen::catalog::requirements(),
        _ => coarsen::catalog::schemes(),
    };
    serde_json::to_value(entries)
        .unwrap_or(Json::Null)
        .to_string()
}
