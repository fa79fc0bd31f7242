//! The files of a table: one, or the parts that a folder holds or a pattern names, in the order of
//! their names.
//!
//! A folder gives all its files but those whose names begin with a dot or an underscore, by which others
//! mark what is not data. A pattern has `*`, `?` and `[…]`; a path that is there is never taken for one.

use std::path::{Component, Path, PathBuf};

use glob::{MatchOptions, Pattern};

use crate::EngineError;

/// The files of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// The files, at least one.
    pub files: Vec<PathBuf>,
    /// The folder that the names of parts start from; none of a single file.
    pub base: Option<PathBuf>,
}

const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

impl Parts {
    /// Finds the files that a path stands for.
    pub fn find(path: &Path) -> Result<Parts, EngineError> {
        refuse_remote(path)?;
        let path = std::path::absolute(path).map_err(|error| EngineError::io(path, error))?;
        match std::fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => of_folder(&path),
            Ok(_) => Ok(Parts {
                files: vec![path],
                base: None,
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => match pattern(&path) {
                Some((base, rest)) => of_pattern(&path, base, &rest),
                None => Err(EngineError::input(
                    &path,
                    "there is no such file",
                    "check the path; paths in a policy are relative to the policy's folder",
                )),
            },
            Err(error) => Err(EngineError::io(&path, error)),
        }
    }

    /// The name of a part below the folder where all are.
    pub fn name(&self, file: &Path) -> String {
        let below = self.base.as_ref().and_then(|b| file.strip_prefix(b).ok());
        below.unwrap_or(file).to_string_lossy().into_owned()
    }
}

/// Object stores are not part of this build, and their URLs are no paths.
pub(crate) fn refuse_remote(path: &Path) -> Result<(), EngineError> {
    let scheme = path.to_str().and_then(|text| text.split_once("://"));
    match scheme {
        Some((scheme @ ("s3" | "gs" | "az" | "abfs" | "http" | "https"), _)) => {
            Err(EngineError::input(
                path,
                format!("this coarsen neither reads from {scheme}:// nor writes there"),
                "copy the file here first, or mount the store as a folder",
            ))
        }
        _ => Ok(()),
    }
}

/// Whether a file at `target` would be taken for a part of the table at `path`.
pub fn would_be_part(path: &Path, target: &Path) -> bool {
    let (Ok(path), Ok(target)) = (std::path::absolute(path), std::path::absolute(target)) else {
        return false;
    };
    let same = |a: &Path, b: &Path| match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    };
    if path.is_dir() {
        return target.parent().is_some_and(|folder| same(folder, &path));
    }
    let Some((base, rest)) = pattern(&path) else {
        return false;
    };
    match whole(&base, &rest).and_then(|text| Pattern::new(&text).ok()) {
        Some(pattern) => pattern.matches_path_with(&target, OPTIONS),
        None => false,
    }
}

fn of_folder(folder: &Path) -> Result<Parts, EngineError> {
    let io = |error| EngineError::io(folder, error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let file = entry.map_err(io)?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(['.', '_']) {
            continue;
        }
        if file.is_dir() {
            return Err(EngineError::input(
                &file,
                "this is a folder within the folder of parts",
                "name the files by a pattern, such as 'data/*/*.parquet'",
            ));
        }
        files.push(file);
    }
    if files.is_empty() {
        return Err(EngineError::input(
            folder,
            "this folder has no files",
            "name a file, a folder of parts, or a pattern such as 'data/part-*.csv'",
        ));
    }
    files.sort();
    Ok(Parts {
        files,
        base: Some(folder.to_path_buf()),
    })
}

fn of_pattern(path: &Path, base: PathBuf, rest: &Path) -> Result<Parts, EngineError> {
    let text = whole(&base, rest)
        .ok_or_else(|| EngineError::input(path, "this pattern is not text", "rename the files"))?;
    let found = glob::glob_with(&text, OPTIONS).map_err(|error| {
        let message = format!("this pattern cannot be read: {}", error.msg);
        EngineError::input(path, message, "use *, ? and [a-z]")
    })?;
    let mut files = Vec::new();
    for file in found {
        let file = file.map_err(|error| {
            let at = error.path().to_path_buf();
            EngineError::io(&at, error.into())
        })?;
        if file.is_dir() {
            return Err(EngineError::input(
                &file,
                "the pattern takes in this folder",
                "name its files too, such as 'data/*/*.csv'",
            ));
        }
        files.push(file);
    }
    if files.is_empty() {
        return Err(EngineError::input(
            path,
            "no file is named like this",
            "check the pattern; paths in a policy are relative to the policy's folder",
        ));
    }
    files.sort();
    Ok(Parts {
        files,
        base: Some(base),
    })
}

/// A path as the folder that is there and the pattern below it; none where it has no pattern.
fn pattern(path: &Path) -> Option<(PathBuf, PathBuf)> {
    let mut base = PathBuf::new();
    let mut steps = path.components().peekable();
    while let Some(step) = steps.next_if(|step| {
        !matches!(step, Component::Normal(_)) || base.join(step).symlink_metadata().is_ok()
    }) {
        base.push(step);
    }
    let rest: PathBuf = steps.collect();
    let is_pattern = rest.to_string_lossy().contains(['*', '?', '[']);
    is_pattern.then_some((base, rest))
}

/// The pattern with its folder, whose own name may have stars in it.
fn whole(base: &Path, rest: &Path) -> Option<String> {
    let folder = Pattern::escape(base.to_str()?);
    let folder = folder.trim_end_matches('/');
    Some(format!("{folder}/{}", rest.to_str()?))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn files_folders_and_patterns() {
        let folder = std::env::temp_dir().join(format!("coarsen-[parts]-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("deep")).unwrap();
        for name in [
            "b.csv",
            "a.csv",
            "a*.csv",
            ".hidden",
            "_SUCCESS",
            "deep/c.csv",
        ] {
            std::fs::write(folder.join(name), "x").unwrap();
        }
        let names = |path: &str| -> Vec<String> {
            let parts = Parts::find(&folder.join(path)).unwrap();
            parts.files.iter().map(|file| parts.name(file)).collect()
        };
        // The folder's own name looks like a pattern, and one of its files too.
        assert_eq!(names("*.csv"), ["a*.csv", "a.csv", "b.csv"]);
        assert_eq!(names("[b-c].csv"), ["b.csv"]);
        assert_eq!(names("*/?.csv"), ["deep/c.csv"]);
        assert_eq!(names("deep"), ["c.csv"]);
        let one = Parts::find(&folder.join("a*.csv")).unwrap();
        assert_eq!((one.files.len(), one.base), (1, None));
        let refused = |path: &str| Parts::find(&folder.join(path)).unwrap_err().to_string();
        assert!(refused("").contains("deep: this is a folder within"));
        assert!(refused("*").contains("deep: the pattern takes in"));
        assert!(refused("x*.csv").contains("no file is named like this"));
        assert!(refused("x.csv").contains("no such file"));

        let would =
            |path: &str, target: &str| would_be_part(&folder.join(path), &folder.join(target));
        assert!(would("*.csv", "new.csv") && !would("*.csv", "new.json"));
        assert!(would("deep", "deep/any") && !would("deep", "new.csv"));
        assert!(!would("a.csv", "new.csv"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
