//! A first look at a file, taken once: what its columns hold, what they suggest, and a policy to start
//! from.

use std::sync::Arc;

use coarsen::policy::Role;
use coarsen_engine::{
    Draft, Engine, EngineError, Profile, Source, SourceSettings, Suggestion, Together, draft,
    profile, suggest, together,
};
use serde_json::json;

use super::{Project, edit, read};
use crate::place::{Place, folder_of};
use crate::said::Said;

/// What a file holds, and what that suggests.
#[derive(Debug)]
pub struct Profiled {
    /// The columns.
    pub profile: Profile,
    /// What each could be, in the same order.
    pub suggestions: Vec<Suggestion>,
    /// How exposed rows are by the suggested quasi-identifiers.
    pub together: Together,
}

impl Profiled {
    /// Looks at an opened file.
    fn of(engine: &Engine, source: &Source) -> Result<Self, EngineError> {
        let found = profile(engine, source)?;
        let suggestions = suggest(&found);
        let quasi: Vec<String> = suggestions
            .iter()
            .filter(|suggestion| suggestion.column.role == Role::QuasiIdentifier)
            .map(|suggestion| suggestion.name.clone())
            .collect();
        let together = together(engine, source, &found, &quasi)?;
        Ok(Profiled {
            profile: found,
            suggestions,
            together,
        })
    }
}

impl Project {
    /// A project of a table that has no policy yet.
    pub fn of_data(engine: &Engine, place: &Arc<Place>, path: &str) -> Result<Project, Said> {
        let said = |error: EngineError| Said::of_engine(&error, place.root());
        let data = place.existing("", path)?;
        let path = place.plain("", path)?;
        let source = Source::open(engine, &data, &SourceSettings::default()).map_err(said)?;
        let profiled = Profiled::of(engine, &source).map_err(said)?;
        let name = path.rsplit('/').next().unwrap_or(&path);
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "csv"));
        let delimiter = source.dialect().map(|d| char::from(d.delimiter));
        let about = Draft {
            input: name,
            delimiter: delimiter.filter(|delimiter| *delimiter != ','),
            header: source.dialect().is_none_or(|d| d.header),
            output: &format!("{stem}-release.{ending}"),
            recoding: &format!("{stem}-recoding.json"),
        };
        let text = draft(
            &about,
            &profiled.profile,
            &profiled.suggestions,
            &profiled.together,
        )?;
        let report = format!("{stem}-report.html");
        let manifest = format!("{stem}-manifest.json");
        let text = edit(
            &text,
            &[
                (vec!["output", "report"], Some(json!(report))),
                (vec!["output", "manifest"], Some(json!(manifest))),
            ],
        )?;
        let file = free_name(place, folder_of(&path), stem);
        read(place, &file, &text)?;
        Ok(Project::new(place.clone(), file, text, Arc::new(profiled)))
    }

    /// The project of a policy that is there.
    pub fn of_policy(engine: &Engine, place: &Arc<Place>, path: &str) -> Result<Project, Said> {
        let file = place.existing("", path)?;
        let path = place.plain("", path)?;
        let text = std::fs::read_to_string(&file).map_err(|_| {
            Said::new(
                format!("`{path}` cannot be read as text."),
                "A policy is a TOML file, saved as UTF-8.",
            )
        })?;
        let known = read(place, &path, &text)?;
        let input = place.existing(folder_of(&path), &known.policy.input.path)?;
        let settings = SourceSettings::from(&known.policy.input);
        let profiled = Source::open(engine, &input, &settings)
            .and_then(|source| Profiled::of(engine, &source))
            .map_err(|error| Said::of_engine(&error, place.root()))?;
        let mut project = Project::new(place.clone(), path, text, Arc::new(profiled));
        project.saved = Some(project.text.clone());
        Ok(project)
    }
}

/// A name for a new policy that no file has.
fn free_name(place: &Place, folder: &str, stem: &str) -> String {
    let below = |name: String| match folder {
        "" => name,
        folder => format!("{folder}/{name}"),
    };
    let first = ["policy.toml".to_string(), format!("{stem}-policy.toml")];
    let more = (2..1000).map(|number| format!("{stem}-policy-{number}.toml"));
    let mut names = first.into_iter().chain(more).map(below);
    let is_free = |name: &String| place.root().join(name).symlink_metadata().is_err();
    names
        .find(is_free)
        .unwrap_or_else(|| below("policy.toml".into()))
}
