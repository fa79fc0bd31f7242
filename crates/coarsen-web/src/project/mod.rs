//! The project: a policy's text, and what was made with it. The text is all that is edited; profiles,
//! counts, releases and frontiers are results that can be made again.

mod counted;
mod document;
mod found;
mod looked;
mod profiled;
mod ran;

pub use counted::Counted;
pub use document::{Change, edit};
pub use found::Found;
pub use looked::Looked;
pub use profiled::Profiled;
pub use ran::Ran;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use coarsen::policy::{HierarchySpec, KeySource, Policy};
use coarsen_engine::same_file;

use crate::job::Job;
use crate::place::{Place, folder_of};
use crate::said::Said;

/// What somebody works on.
pub struct Project {
    /// Tells projects apart that were opened one after the other.
    serial: u64,
    /// The folder that its paths are confined to.
    pub place: Arc<Place>,
    /// Where the policy is, or will be saved.
    pub file: String,
    /// The policy's text.
    pub text: String,
    /// The text as it stands in the file.
    pub saved: Option<String>,
    /// What the input holds.
    pub profiled: Arc<Profiled>,
    /// The input counted under the policy's columns, by the fingerprint of what it depends on.
    pub counted: Option<(u64, Arc<Result<Counted, Said>>)>,
    /// The last release.
    pub ran: Option<Arc<Ran>>,
    /// The last frontier.
    pub found: Option<Arc<Found>>,
    /// Candidates of it that are held against each other, by number.
    pub pins: BTreeSet<usize>,
    /// What is being done, or was done last.
    pub job: Option<Arc<Job>>,
    /// Something to say once.
    pub notice: Option<String>,
}

/// A policy that was read, and the folder that its paths start from.
#[derive(Clone)]
pub struct Read {
    /// The policy.
    pub policy: Policy,
    /// Its folder on the disk.
    pub folder: PathBuf,
    /// The policy's text.
    pub text: String,
    /// The folder that paths are confined to.
    pub place: Arc<Place>,
    /// The policy's file, seen from there.
    pub file: String,
    /// Which project it is of.
    serial: u64,
}

impl Project {
    /// A project of a policy.
    pub fn new(place: Arc<Place>, file: String, text: String, profiled: Arc<Profiled>) -> Self {
        static SERIAL: AtomicU64 = AtomicU64::new(1);
        Project {
            serial: SERIAL.fetch_add(1, Ordering::Relaxed),
            place,
            file,
            text,
            saved: None,
            profiled,
            counted: None,
            ran: None,
            found: None,
            pins: BTreeSet::new(),
            job: None,
            notice: None,
        }
    }

    /// The policy, read and held against the folder.
    pub fn read(&self) -> Result<Read, Said> {
        let read = read(&self.place, &self.file, &self.text)?;
        Ok(Read {
            serial: self.serial,
            ..read
        })
    }

    /// Whether a policy was read from this project, and not from one that was open before.
    pub fn is_of(&self, read: &Read) -> bool {
        self.serial == read.serial
    }

    /// Changes keys of the policy. A change after which it cannot be read is not made.
    pub fn change(&mut self, changes: &[Change<'_>]) -> Result<(), Said> {
        let text = edit(&self.text, changes)?;
        read(&self.place, &self.file, &text)?;
        self.text = text;
        Ok(())
    }

    /// Writes the policy to its file.
    pub fn save(&mut self) -> Result<(), Said> {
        let target = self.place.to_write("", &self.file)?;
        coarsen_engine::write_text(&target, &self.text, true)
            .map_err(|error| Said::of_engine(&error, self.place.root()))?;
        self.saved = Some(self.text.clone());
        Ok(())
    }

    /// Whether the file is as the page has it.
    pub fn is_saved(&self) -> bool {
        self.saved.as_ref() == Some(&self.text)
    }

    /// Whether the last release was made by the policy as it is now.
    pub fn is_current(&self) -> bool {
        let made = self.ran.as_ref().map(|ran| ran.text.as_str());
        made == Some(self.text.as_str())
    }

    /// The work that goes on.
    pub fn running(&self) -> Option<&Arc<Job>> {
        self.job.as_ref().filter(|job| job.is_running())
    }
}

/// Reads a policy's text and holds every path in it against the folder.
pub fn read(place: &Arc<Place>, file: &str, text: &str) -> Result<Read, Said> {
    let policy = Policy::parse(text, &[])?;
    let base = folder_of(file);
    place.existing(base, &policy.input.path)?;
    for path in read_by(&policy) {
        place.existing(base, &path)?;
    }
    for path in written_by(&policy) {
        let target = place.to_write(base, &path)?;
        if same_file(&target, &place.root().join(file)) {
            return Err(Said::new(
                format!("`{path}` is the policy itself, and would be overwritten."),
                "Give the files of the release other names.",
            ));
        }
    }
    Ok(Read {
        folder: place.root().join(base),
        policy,
        text: text.to_string(),
        place: place.clone(),
        file: file.to_string(),
        serial: 0,
    })
}

/// The files that a policy reads beside its input, as it names them.
pub fn read_by(policy: &Policy) -> Vec<String> {
    let columns = policy.columns.values();
    let files = columns.flat_map(|column| {
        let tree = match &column.hierarchy {
            Some(HierarchySpec::File { path }) => Some(path.clone()),
            _ => None,
        };
        let key = match &column.key {
            Some(KeySource::File { path }) => Some(path.clone()),
            _ => None,
        };
        [tree, key]
    });
    files.flatten().collect()
}

/// The files that a policy writes, as it names them: the evidence first, the release last.
pub fn written_by(policy: &Policy) -> Vec<String> {
    let output = &policy.output;
    let evidence = [&output.recoding, &output.report, &output.manifest_path()];
    let evidence = evidence.into_iter().flatten().cloned();
    evidence.chain([output.path.clone()]).collect()
}
