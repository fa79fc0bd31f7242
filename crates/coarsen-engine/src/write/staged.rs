//! Files and folders that wait beside their places, and are moved there only when everything is proven.
//! Whatever happens in between, the old one is whole or the new one is.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use super::parts::is_part_name;
use crate::EngineError;

/// A file, or a folder of parts, that waits beside its place. Dropped without [`Staged::publish`], it is removed.
///
/// It waits in a folder of its own, its room. When work is cancelled, a thread of the engine may still
/// be about to write there, and bring back what was removed: the engine sweeps its [`Rooms`] when its
/// threads are gone.
#[derive(Debug)]
pub(crate) struct Staged {
    target: PathBuf,
    room: PathBuf,
    waiting: PathBuf,
    is_folder: bool,
}

impl Staged {
    /// Makes an empty file beside `target`, which shows that its folder can be written to.
    pub fn new(target: &Path, rooms: &Rooms) -> Result<Self, EngineError> {
        if target.is_dir() {
            return Err(EngineError::input(
                target,
                "this is a folder",
                "name a file to write; or set output.parts, and the release is written as a folder",
            ));
        }
        Staged::beside(target, rooms, false)
    }

    /// Makes an empty folder beside `target`, which may be there already only if all in it are parts of
    /// an earlier release: it is replaced whole.
    pub fn folder(target: &Path, rooms: &Rooms) -> Result<Self, EngineError> {
        if target.exists() && !target.is_dir() {
            return Err(EngineError::input(
                target,
                "this is a file, and output.parts asks for a folder",
                "name a folder, or remove output.parts",
            ));
        }
        if let Some(foreign) = foreign(target)? {
            return Err(EngineError::input(
                target,
                format!(
                    "this folder is to be replaced by the release, but has `{}` in it, which is no part of one",
                    foreign.display()
                ),
                "name a folder that is not there yet, or empty this one",
            ));
        }
        Staged::beside(target, rooms, true)
    }

    fn beside(target: &Path, rooms: &Rooms, is_folder: bool) -> Result<Self, EngineError> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let target = std::path::absolute(target).map_err(|error| EngineError::io(target, error))?;
        let folder = target.parent().unwrap_or(Path::new("/"));
        if !folder.is_dir() {
            let message = match folder.exists() {
                true => "this is a file, so nothing can be written below it",
                false => "there is no such folder to write to",
            };
            return Err(EngineError::input(
                folder,
                message,
                "make the folder, or choose another output path",
            ));
        }
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let ending = target
            .extension()
            .and_then(|e| e.to_str())
            .unwrap_or("part");
        let room = folder.join(format!(".coarsen-{}-{number}", std::process::id()));
        let waiting = room.join(format!("waiting.{ending}"));
        // What a killed process of the same number left is nobody's.
        let _ = std::fs::remove_dir_all(&room);
        let make = || {
            std::fs::create_dir(&room)?;
            match is_folder {
                true => std::fs::create_dir(&waiting),
                false => File::create(&waiting).map(|_| ()),
            }
        };
        rooms.add(room.clone());
        make().map_err(|error| match error.kind() {
            // Folders that are no place for files, such as /proc, say `not found`.
            std::io::ErrorKind::PermissionDenied
            | std::io::ErrorKind::ReadOnlyFilesystem
            | std::io::ErrorKind::NotFound => EngineError::input(
                folder,
                "this folder cannot be written to",
                "choose another output path, or ask for the right to write there",
            ),
            _ => EngineError::io(folder, error),
        })?;
        Ok(Staged {
            target,
            room,
            waiting,
            is_folder,
        })
    }

    /// Where it will stand.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Where it waits.
    pub fn path(&self) -> &Path {
        &self.waiting
    }

    /// Writes a text.
    pub fn write_text(&self, text: &str) -> Result<(), EngineError> {
        let write = || File::create(&self.waiting)?.write_all(text.as_bytes());
        write().map_err(|error| EngineError::io(&self.target, error))
    }

    /// Moves it to its place, once its bytes are safe on the disk.
    pub fn publish(self) -> Result<PathBuf, EngineError> {
        self.settle()?;
        self.move_in()?;
        Ok(self.target.clone())
    }

    fn settle(&self) -> Result<(), EngineError> {
        let sync = |path: &Path| File::open(path)?.sync_all();
        let settle = || -> std::io::Result<()> {
            if self.is_folder {
                for part in std::fs::read_dir(&self.waiting)? {
                    sync(&part?.path())?;
                }
            }
            sync(&self.waiting)
        };
        settle().map_err(|error| EngineError::io(&self.target, error))
    }

    /// Moves it to its place. A folder cannot be renamed over another, so the old one is put aside first.
    fn move_in(&self) -> Result<(), EngineError> {
        let old = self.old();
        let move_in = || match self.is_folder && self.target.exists() {
            false => std::fs::rename(&self.waiting, &self.target),
            true => {
                std::fs::rename(&self.target, &old)?;
                std::fs::rename(&self.waiting, &self.target)
                    // Where this fails too, the old one is still in the room; nobody can mend it here.
                    .inspect_err(|_| drop(std::fs::rename(&old, &self.target)))
            }
        };
        move_in().map_err(|error| EngineError::io(&self.target, error))
    }

    fn old(&self) -> PathBuf {
        self.room.join("old")
    }

    /// Keeps what stands at its place by a second name, where the file system has such. A folder is put
    /// aside when another takes its place.
    fn keep_old(&self) {
        if !self.is_folder {
            let _ = std::fs::hard_link(&self.target, self.old());
        }
    }

    /// Puts back what stood at its place.
    fn move_out(&self) -> std::io::Result<()> {
        if self.is_folder {
            std::fs::remove_dir_all(&self.target)?;
        } else if !self.old().exists() {
            return std::fs::remove_file(&self.target);
        }
        match self.old().exists() {
            true => std::fs::rename(self.old(), &self.target),
            false => Ok(()),
        }
    }
}

/// A file of a folder that no release in parts has put there.
fn foreign(folder: &Path) -> Result<Option<PathBuf>, EngineError> {
    if !folder.is_dir() {
        return Ok(None);
    }
    let io = |error| EngineError::io(folder, error);
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let entry = entry.map_err(io)?;
        let name = PathBuf::from(entry.file_name());
        if entry.path().is_dir() || !is_part_name(&name) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// Moves files to their places together: no one before the bytes of all are safe, and where one cannot
/// be moved the others are put back.
pub(crate) fn publish_together(files: &[&Staged]) -> Result<(), EngineError> {
    for file in files {
        file.settle()?;
    }
    let mut moved: Vec<&Staged> = Vec::new();
    for file in files {
        file.keep_old();
        if let Err(error) = file.move_in() {
            for file in moved {
                // What cannot be put back either, nobody can mend here.
                let _ = file.move_out();
            }
            return Err(error);
        }
        moved.push(file);
    }
    Ok(())
}

/// The same, and what must come last: where that fails, the files are put back.
pub(crate) fn publish_with(
    files: &[&Staged],
    last: impl FnOnce() -> Result<(), EngineError>,
) -> Result<(), EngineError> {
    publish_together(files)?;
    last().inspect_err(|_| {
        for file in files {
            // What cannot be put back either, nobody can mend here.
            let _ = file.move_out();
        }
    })
}

/// The rooms that an engine's threads may write to.
#[derive(Debug, Default)]
pub(crate) struct Rooms(Mutex<Vec<PathBuf>>);

impl Rooms {
    fn add(&self, room: PathBuf) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(room);
    }

    /// Removes whatever threads wrote after their work was cancelled. Only when they are gone do they
    /// rest.
    pub fn sweep(&self) {
        let mut rooms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for room in rooms.drain(..) {
            let _ = std::fs::remove_dir_all(room);
        }
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // Nothing more can be done about what cannot be removed.
        let _ = std::fs::remove_dir_all(&self.room);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn files_land_together_or_not_at_all() {
        let folder = std::env::temp_dir().join(format!("coarsen-write-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).unwrap();
        let rooms = Rooms::default();
        let stage = |name: &str, text: &str| {
            let staged = Staged::new(&folder.join(name), &rooms).unwrap();
            staged.write_text(text).unwrap();
            staged
        };
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
        std::fs::write(folder.join("a"), "old").unwrap();

        let (a, b, c) = (stage("a", "new"), stage("b", "new"), stage("c", "new"));
        // A folder with something in it has taken the place of the last one.
        std::fs::create_dir(folder.join("c")).unwrap();
        std::fs::write(folder.join("c/x"), "").unwrap();
        assert!(publish_together(&[&a, &b, &c]).is_err());
        assert_eq!((read("a").as_deref(), read("b")), (Some("old"), None));

        std::fs::remove_dir_all(folder.join("c")).unwrap();
        let (a, b, c) = (stage("a", "new"), stage("b", "new"), stage("c", "new"));
        publish_together(&[&a, &b, &c]).unwrap();
        for name in ["a", "b", "c"] {
            assert_eq!(read(name).as_deref(), Some("new"));
        }
        drop((a, b, c));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_of_parts_is_replaced_whole_or_not_at_all() {
        let folder = std::env::temp_dir().join(format!("coarsen-folder-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).unwrap();
        let rooms = Rooms::default();
        let target = folder.join("release");
        let stage = |name: &str| {
            let staged = Staged::folder(&target, &rooms).unwrap();
            std::fs::write(staged.path().join(name), name).unwrap();
            staged
        };
        let names = || -> Vec<_> {
            let entries = std::fs::read_dir(&target).unwrap();
            entries.map(|entry| entry.unwrap().file_name()).collect()
        };
        publish_together(&[&stage("part-0001.csv")]).unwrap();
        assert_eq!(names(), ["part-0001.csv"]);
        publish_together(&[&stage("part-0002.csv")]).unwrap();
        assert_eq!(names(), ["part-0002.csv"]);

        // The file after it cannot be moved, so the folder is put back.
        let file = Staged::new(&folder.join("report"), &rooms).unwrap();
        std::fs::create_dir_all(folder.join("report/x")).unwrap();
        assert!(publish_together(&[&stage("part-0003.csv"), &file]).is_err());
        assert_eq!(names(), ["part-0002.csv"]);

        std::fs::write(target.join("letter.txt"), "").unwrap();
        let refused = Staged::folder(&target, &rooms).unwrap_err();
        assert!(refused.to_string().contains("letter.txt"), "{refused}");
        drop(file);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
