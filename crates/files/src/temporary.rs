//! Temporary files, and the list of those that exist.
//!
//! A temporary file is removed when it is dropped. A process that ends without dropping anything,
//! such as after a second Ctrl-C, removes all of them with [`remove_temporaries`].

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{NamedTempFile, TempDir};

/// The paths of all temporary files and folders.
static EXISTING: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file under a random name, removed when dropped unless it was renamed.
#[derive(Debug)]
pub struct Temporary {
    file: NamedTempFile,
    _listed: Listed,
}

/// A folder under a random name, removed with its files when dropped.
#[derive(Debug)]
pub struct TemporaryFolder {
    folder: TempDir,
    _listed: Listed,
}

/// Keeps a path in the list until it is dropped.
#[derive(Debug)]
struct Listed(PathBuf);

impl Listed {
    fn new(path: &Path) -> Self {
        existing().insert(path.to_owned());
        Self(path.to_owned())
    }
}

impl Temporary {
    /// Creates a file in the directory of `path`, which it is to be renamed to.
    pub fn beside(path: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".gridsat-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The same permissions as for any new file: limited only by the umask.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let made = builder.tempfile_in(super::directory(&super::resolve(path)));
        made.map(Self::of).map_err(super::plain)
    }

    /// Creates a file in the system's temporary directory, whose name has this ending.
    pub fn elsewhere(suffix: &str) -> io::Result<Self> {
        let made = tempfile::Builder::new().prefix("gridsat-").suffix(suffix).tempfile();
        made.map(Self::of).map_err(super::plain)
    }

    fn of(file: NamedTempFile) -> Self {
        Self { _listed: Listed::new(file.path()), file }
    }

    /// Its present path.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The open file.
    pub fn as_file(&self) -> &File {
        self.file.as_file()
    }

    /// Renames the file, replacing one that has this name.
    pub(super) fn rename(self, path: &Path) -> io::Result<()> {
        self.file.persist(path).map(drop).map_err(|error| error.error)
    }
}

impl TemporaryFolder {
    /// Creates a folder in the system's temporary directory.
    pub fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("gridsat-").tempdir()?;
        Ok(Self { _listed: Listed::new(folder.path()), folder })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(super::plain)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(super::plain)
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        existing().remove(&self.0);
    }
}

/// Removes all temporary files and folders, for an end of the process that drops nothing.
pub fn remove_temporaries() {
    for path in std::mem::take(&mut *existing()) {
        // It may have been removed or renamed in the meantime.
        let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
    }
}

fn existing() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    EXISTING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_existing_files_are_listed() {
        let folder = tempfile::tempdir().expect("a writable temporary directory");
        let target = folder.path().join("target");
        let is_listed = |path: &Path| existing().contains(path);
        let dropped = Temporary::beside(&target).expect("writable");
        let name = dropped.path().to_owned();
        assert!(is_listed(&name) && name.exists());
        drop(dropped);
        assert!(!is_listed(&name) && !name.exists());
        let renamed = Temporary::beside(&target).expect("writable");
        let name = renamed.path().to_owned();
        renamed.rename(&target).expect("writable");
        assert!(!is_listed(&name) && target.exists());
    }
}
