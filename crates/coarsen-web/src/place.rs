//! The folder that the page may look into and write to. Every path that comes from outside, also one that
//! stands in a policy, is held against it: no way leads out, neither by `..` nor by a link.

use std::path::{Path, PathBuf};

use crate::said::Said;

/// How many entries of a folder are listed.
const LISTED: usize = 500;

/// A folder that paths are confined to.
#[derive(Debug)]
pub struct Place {
    root: PathBuf,
    /// Whether it is ours alone, made for uploaded files and gone when the page ends.
    pub is_private: bool,
}

/// A file or folder inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path from the root.
    pub path: String,
    /// Its name.
    pub name: String,
    /// Its bytes; none of a folder.
    pub bytes: Option<u64>,
}

impl Place {
    /// Takes a folder that is there.
    pub fn new(folder: &Path, is_private: bool) -> std::io::Result<Self> {
        let root = folder.canonicalize()?;
        Ok(Place { root, is_private })
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path from the root in its plain form, looked at as a text only: links are not followed here.
    /// `base` is the folder inside that `path` starts from.
    pub fn plain(&self, base: &str, path: &str) -> Result<String, Said> {
        // The engine would take the URL of a database for one.
        let is_database = coarsen_engine::Place::is_meant(path);
        if path.contains(['\0', '\\']) || Path::new(path).is_absolute() || is_database {
            return Err(outside(path));
        }
        let mut parts: Vec<&str> = Vec::new();
        for part in base.split('/').chain(path.split('/')) {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop().ok_or_else(|| outside(path))?;
                }
                name => parts.push(name),
            }
        }
        Ok(parts.join("/"))
    }

    /// A file or folder that is there.
    pub fn existing(&self, base: &str, path: &str) -> Result<PathBuf, Said> {
        let plain = self.plain(base, path)?;
        let found = self.root.join(&plain).canonicalize().map_err(|_| {
            Said::new(
                format!("There is no `{plain}` in the folder."),
                "Choose a file from the list.",
            )
        })?;
        match found.starts_with(&self.root) {
            true => Ok(found),
            false => Err(outside(path)),
        }
    }

    /// A file that may be written: its folder is there, and it is no link to the outside.
    pub fn to_write(&self, base: &str, path: &str) -> Result<PathBuf, Said> {
        let plain = self.plain(base, path)?;
        let (folder, name) = plain.rsplit_once('/').unwrap_or(("", &plain));
        if name.is_empty() {
            return Err(Said::new(
                "A file needs a name.",
                "Type one, such as release.csv.",
            ));
        }
        let target = self.existing("", folder)?.join(name);
        match target.symlink_metadata() {
            Ok(_) => self.existing("", &plain),
            Err(_) => Ok(target),
        }
    }

    /// What stands in a folder, folders first, each by name; hidden files are not shown.
    pub fn list(&self, folder: &str) -> Result<Vec<Entry>, Said> {
        let path = self.existing("", folder)?;
        let unreadable = |_| {
            Said::new(
                "The folder cannot be read.",
                "Start the page in another one.",
            )
        };
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(&path).map_err(unreadable)?.flatten() {
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let below = self.plain(folder, &name);
            // A link to the outside is not even shown.
            let Some((below, found)) = below
                .ok()
                .and_then(|b| Some((b.clone(), self.existing("", &b).ok()?)))
            else {
                continue;
            };
            if name.starts_with('.') {
                continue;
            }
            let bytes = found
                .metadata()
                .ok()
                .filter(|m| m.is_file())
                .map(|m| m.len());
            if bytes.is_some() || found.is_dir() {
                entries.push(Entry {
                    path: below,
                    name,
                    bytes,
                });
            }
        }
        entries.sort_by(|a, b| (a.bytes.is_some(), &a.name).cmp(&(b.bytes.is_some(), &b.name)));
        entries.truncate(LISTED);
        Ok(entries)
    }
}

impl Drop for Place {
    /// What was sent goes with the last project that uses it.
    fn drop(&mut self) {
        if self.is_private {
            let _ = std::fs::remove_dir_all(&self.root);
        }
    }
}

/// The folder of a path, from the root.
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn outside(path: &str) -> Said {
    Said::new(
        format!("`{path}` leads out of the folder that the page was started in."),
        "The page reads and writes only there: put the file into it, or start `coarsen serve --folder` elsewhere.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> (tempfile::TempDir, Place) {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("inner");
        std::fs::create_dir_all(inner.join("sub")).unwrap();
        std::fs::write(inner.join("a.csv"), "x\n1\n").unwrap();
        std::fs::write(outer.path().join("secret.csv"), "x\n1\n").unwrap();
        let place = Place::new(&inner, false).unwrap();
        (outer, place)
    }

    #[test]
    fn paths_stay_inside() {
        let (_outer, place) = place();
        assert_eq!(place.plain("sub", "../a.csv").unwrap(), "a.csv");
        assert!(place.existing("sub", "../a.csv").is_ok());
        for path in [
            "../secret.csv",
            "sub/../../secret.csv",
            "/etc/passwd",
            "a\0",
            "..",
            "sub\\..",
        ] {
            assert!(place.existing("", path).is_err(), "{path}");
            assert!(place.to_write("", path).is_err(), "{path}");
        }
        assert!(place.to_write("", "new.csv").is_ok());
        assert!(place.to_write("", "no/new.csv").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_to_the_outside_are_refused_and_not_listed() {
        let (outer, place) = place();
        let link = |from: &Path, to: &str| {
            std::os::unix::fs::symlink(from, place.root().join(to)).unwrap()
        };
        link(&outer.path().join("secret.csv"), "file.csv");
        link(outer.path(), "folder");
        link(Path::new("a.csv"), "fine.csv");
        assert!(place.existing("", "file.csv").is_err());
        assert!(place.to_write("", "file.csv").is_err());
        assert!(place.existing("", "folder/secret.csv").is_err());
        assert!(place.to_write("", "folder/new.csv").is_err());
        assert!(place.existing("", "fine.csv").is_ok());
        let names: Vec<String> = place
            .list("")
            .unwrap()
            .into_iter()
            .map(|e| e.name)
            .collect();
        assert_eq!(names, ["sub", "a.csv", "fine.csv"]);
    }
}
