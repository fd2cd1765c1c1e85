//! Files that appear whole or not at all.
//!
//! Everything is written under a temporary name in the target's own directory and renamed at the
//! end, so a full disk or an interrupt never leaves half a file, nor harms one that was there.
//!
//! Not here: what is in them. Names no other crate of gridsat.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A temporary file in the directory of `path`, or in the system's own without one.
pub fn temporary(path: Option<&Path>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".gridsat-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file: what the user's mask allows.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    match path.map(resolve) {
        Some(path) => builder.tempfile_in(directory(&path)).map_err(|error| {
            // The temporary name would only puzzle.
            io::Error::new(error.kind(), plain(&error))
        }),
        None => builder.tempfile(),
    }
}

/// An error in the system's own words.
fn plain(error: &io::Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.source());
    inner.map_or_else(|| error.to_string(), ToString::to_string)
}

/// Gives the file its final name, replacing what was there.
pub fn persist(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(resolve(path)).map(drop).map_err(|error| error.error)
}

/// Whether a file can be made at `path`, asked before the work that it will hold. Devices and pipes
/// are opened only once there is something to write.
pub fn check_file(path: &Path) -> io::Result<()> {
    let is_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(metadata) if !metadata.is_file() => Ok(()),
        _ if is_folder || path.file_name().is_none() => Err(io::ErrorKind::InvalidFilename.into()),
        _ => temporary(Some(path)).map(drop),
    }
}

/// Whether files can be made in the folder, or in the nearest one above it that is there: the rest
/// will be made.
pub fn check_folder(path: &Path) -> io::Result<()> {
    let there = path.ancestors().find(|folder| fs::metadata(folder).is_ok());
    match there.unwrap_or(Path::new(".")) {
        folder if fs::metadata(folder)?.is_dir() => temporary(Some(&folder.join("file"))).map(drop),
        _ => Err(io::ErrorKind::NotADirectory.into()),
    }
}

/// Writes a whole file with `fill`. Devices and pipes are written in place.
pub fn write_with(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = Draft::new(path)?;
    fill(&mut out)?;
    out.finish()
}

/// A file in the making: written piece by piece, there only when finished.
pub struct Draft {
    path: PathBuf,
    out: Out,
}

/// Devices and pipes are written in place.
enum Out {
    InPlace(BufWriter<File>),
    Aside(BufWriter<NamedTempFile>),
}

impl Draft {
    /// Nothing yet, for this path.
    pub fn new(path: &Path) -> io::Result<Self> {
        let in_place = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
        let out = if in_place {
            Out::InPlace(BufWriter::new(File::options().write(true).open(path)?))
        } else {
            Out::Aside(BufWriter::new(temporary(Some(path))?))
        };
        Ok(Self { path: path.to_owned(), out })
    }

    /// Where it will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file its name.
    pub fn finish(self) -> io::Result<()> {
        match self.out {
            Out::InPlace(mut out) => out.flush(),
            Out::Aside(out) => {
                persist(out.into_inner().map_err(io::IntoInnerError::into_error)?, &self.path)
            }
        }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            Out::InPlace(out) => out.write(bytes),
            Out::Aside(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            Out::InPlace(out) => out.flush(),
            Out::Aside(out) => out.flush(),
        }
    }
}

/// The file itself where `path` is a link to it.
fn resolve(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The directory that a file is in, or will be in.
pub fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = tempfile::tempdir().expect("a writable temporary directory");
        let path = folder.path().join("result");
        write_with(&path, |out| out.write_all(b"old")).expect("writable");
        let failed = write_with(&path, |out| {
            out.write_all(b"new")?;
            Err(io::Error::other("no more"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).expect("still there"), b"old");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }

    #[test]
    fn places_are_checked_without_a_trace() {
        let folder = tempfile::tempdir().expect("a writable temporary directory");
        let place = |name: &str| folder.path().join(name);
        fs::write(place("old"), "old").expect("writable");
        for name in ["new", "old"] {
            check_file(&place(name)).expect("writable");
        }
        for name in ["", "no/new", "old/new", "no/"] {
            check_file(&place(name)).expect_err(name);
        }
        for name in ["", "a/b/c"] {
            check_folder(&place(name)).expect("can be made");
        }
        check_folder(&place("old/a")).expect_err("a file is no folder");
        assert_eq!(fs::read(place("old")).expect("still there"), b"old");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }
}
