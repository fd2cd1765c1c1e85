//! A file that is gone when its owner is.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

static COUNT: AtomicU64 = AtomicU64::new(0);

/// A new file in the system's directory for such files, removed on drop.
#[derive(Debug)]
pub(super) struct TemporaryFile {
    path: PathBuf,
    file: File,
}

impl TemporaryFile {
    /// Never opens a file that is there already, left over or planted.
    pub(super) fn new(extension: &str) -> io::Result<Self> {
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("gridsat-{}-{count}.{extension}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok(Self { path, file }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => {
                    let text = format!("cannot create {}: {error}", path.display());
                    return Err(io::Error::new(error.kind(), text));
                }
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // A file that cannot be removed is not worth failing for.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_differ_and_vanish() {
        let first = TemporaryFile::new("test").expect("a writable temporary directory");
        let second = TemporaryFile::new("test").expect("a writable temporary directory");
        assert_ne!(first.path(), second.path());
        let path = first.path().to_owned();
        assert!(path.exists());
        drop(first);
        assert!(!path.exists());
    }
}
