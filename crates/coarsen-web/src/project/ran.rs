//! A release as the page makes it: by the same path as `coarsen run`, into a folder of its own that mirrors
//! the policy's, so that every byte is what `coarsen run` would write. It is copied to its place, or
//! downloaded, when the steward says so.

use std::path::{Path, PathBuf};

use coarsen::policy::Policy;
use coarsen_engine::{Engine, EngineError, Holder, Origin, Release, Stage, release_kept};
use coarsen_report::report::{Internal, verdict};
use coarsen_report::scoreboard::Scoreboard;
use maud::{Markup, PreEscaped};
use tempfile::TempDir;

use super::{Looked, Read, read_by, written_by};
use crate::place::folder_of;
use crate::server::private_folder;

/// A release that was made and proven, and what there is to see of it.
pub struct Ran {
    /// The policy's text that made it.
    pub text: String,
    /// The policy.
    pub policy: Policy,
    /// What came of it.
    pub release: Release,
    /// What there is to see.
    pub shown: Shown,
    /// Where its files wait.
    pub files: Files,
}

/// What there is to see of a release.
pub struct Shown {
    /// Before and after.
    pub board: Scoreboard,
    /// Whether it holds.
    pub verdict: Markup,
    /// What was done to each column.
    pub result: Markup,
    /// How it was found.
    pub method: Markup,
    /// What it is good for.
    pub utility: Markup,
    /// How exposed rows still are.
    pub risk: Markup,
    /// What an attacker is taken to know.
    pub threat: Markup,
    /// The classes.
    pub classes: Looked,
}

/// The files of a release where they wait.
pub struct Files {
    room: TempDir,
    folder: String,
}

impl Files {
    /// Where a file waits that the policy names so.
    pub fn path(&self, named: &str) -> PathBuf {
        self.room.path().join(&self.folder).join(named)
    }
}

impl Ran {
    /// Makes the release of a policy below `rooms`.
    pub fn make(
        engine: &Engine,
        read: &Read,
        rooms: &Path,
        tell: &(dyn Fn(Stage) + Sync),
    ) -> Result<Ran, EngineError> {
        let files = mirror(read, rooms).map_err(|error| EngineError::io(rooms, error))?;
        let name = read.file.rsplit('/').next().unwrap_or(&read.file);
        let origin = Origin {
            path: PathBuf::from(name),
            text: read.text.clone(),
            set: Vec::new(),
        };
        let holder = Holder {
            origin: Some(&origin),
            chooser: None,
        };
        let (release, evidence) =
            release_kept(engine, &read.policy, &files.path(""), holder, tell)?;
        let shown = engine.install(|| evidence.look(Shown::of));
        Ok(Ran {
            text: read.text.clone(),
            policy: read.policy.clone(),
            release,
            shown,
            files,
        })
    }
}

impl Shown {
    fn of(report: &Internal<'_>) -> Self {
        let before = report.before();
        let before = before.as_ref();
        let own = |markup: Markup| PreEscaped(markup.into_string());
        Shown {
            board: report.scoreboard(before),
            verdict: own(verdict(
                report.requirements,
                report.audit,
                report.unproven_rows,
            )),
            result: own(report.result()),
            method: own(report.method()),
            utility: own(report.utility()),
            risk: own(report.risk(before)),
            threat: own(report.threat(before)),
            classes: Looked::of(report),
        }
    }
}

/// A folder with the policy's inputs where it expects them, and room for its outputs.
fn mirror(read: &Read, rooms: &Path) -> std::io::Result<Files> {
    let room = private_folder(rooms, "run-")?;
    let base = folder_of(&read.file).to_string();
    let plain = |path: &str| {
        let plain = read.place.plain(&base, path);
        plain.map_err(|said| std::io::Error::other(said.message))
    };
    std::fs::create_dir_all(room.path().join(&base))?;
    for path in read_by(&read.policy)
        .iter()
        .chain([&read.policy.input.path])
    {
        let below = plain(path)?;
        let (from, to) = (read.place.root().join(&below), room.path().join(&below));
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder)?;
        }
        if to.symlink_metadata().is_err() {
            stand_in(&from.canonicalize()?, &to)?;
        }
    }
    for path in written_by(&read.policy) {
        let to = room.path().join(plain(&path)?);
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder)?;
        }
    }
    Ok(Files { room, folder: base })
}

/// A file stands in for another.
#[cfg(unix)]
fn stand_in(from: &Path, to: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

/// A file stands in for another.
#[cfg(not(unix))]
fn stand_in(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::copy(from, to).map(|_| ())
}
