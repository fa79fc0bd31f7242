//! The input counted under the policy's columns: what the scoreboard shows before any search, and what
//! selections are checked against as they are typed.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use coarsen::audit::Audit;
use coarsen::policy::{Policy, Role};
use coarsen_engine::{Domains, Engine, Source, SourceSettings, Table};
use coarsen_report::figures::audit_before;

use super::{Read, read_by};
use crate::said::Said;
use crate::session::Session;

/// A file larger than this is not counted before a search asks for it.
const LARGE: u64 = 2_000_000_000;

/// The input, counted.
pub struct Counted {
    /// Its combinations.
    pub table: Arc<Table>,
    /// How exposed its rows are.
    pub before: Option<Audit>,
    /// The k whose threshold tells which of them are at risk.
    k: u64,
}

impl Counted {
    fn of(engine: &Engine, read: &Read) -> Result<Counted, Said> {
        let policy = &read.policy;
        let path = read.folder.join(&policy.input.path);
        let said = |error| Said::of_engine(&error, read.place.root());
        if path.metadata().is_ok_and(|data| data.len() > LARGE) {
            return Err(Said::new(
                "The file is too large to be measured at once.",
                "The search measures it.",
            ));
        }
        let settings = SourceSettings::from(&policy.input);
        let source = Source::open(engine, &path, &settings).map_err(said)?;
        let table = Table::count(engine, source, policy, &read.folder, Domains::OfPolicy);
        Ok(Counted::measured(
            engine,
            policy,
            Arc::new(table.map_err(said)?),
        ))
    }

    /// How exposed the rows of a counted table are.
    fn measured(engine: &Engine, policy: &Policy, table: Arc<Table>) -> Counted {
        let tallies = table.counts.tallies().iter();
        let sensitive: Vec<&str> = tallies
            .map(|tally| tally.column().name.as_str())
            .filter(|name| policy.columns[*name].role == Role::Sensitive)
            .collect();
        let k = policy.privacy.k;
        let threshold = 1.0 / k.max(1) as f64;
        let (attributes, counts) = (&table.attributes, &table.counts);
        let before =
            engine.install(|| audit_before(policy, attributes, counts, &sensitive, threshold));
        Counted { table, before, k }
    }
}

/// What the counts depend on: the input, the columns, and the files as they are.
fn fingerprint(read: &Read) -> u64 {
    let policy = &read.policy;
    let mut hasher = DefaultHasher::new();
    let described = serde_json::json!([policy.input, policy.columns]);
    described.to_string().hash(&mut hasher);
    for path in read_by(policy).iter().chain([&policy.input.path]) {
        if let Ok(data) = read.folder.join(path).metadata() {
            (data.len(), data.modified().ok()).hash(&mut hasher);
        }
    }
    hasher.finish()
}

impl Session {
    /// The counts under the policy as it is now, taken from memory where nothing has changed.
    pub fn counted(&self, engine: &Engine) -> Result<Arc<Result<Counted, Said>>, Said> {
        let read = self.open(|project| project.read())?;
        let key = fingerprint(&read);
        let known = self.with(|project| {
            let known = project.counted.as_ref().filter(|(of, _)| *of == key);
            known.map(|(_, counted)| counted.clone())
        });
        let counted = match known.flatten() {
            None => Arc::new(Counted::of(engine, &read)),
            Some(known) => match known.as_ref() {
                // Another k moves the threshold, and nothing else.
                Ok(counted) if counted.k != read.policy.privacy.k => {
                    let table = counted.table.clone();
                    Arc::new(Ok(Counted::measured(engine, &read.policy, table)))
                }
                _ => return Ok(known),
            },
        };
        self.with(|project| project.counted = Some((key, counted.clone())));
        Ok(counted)
    }
}
