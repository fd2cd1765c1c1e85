//! Files that are written completely or not at all.
//!
//! Output goes to a temporary file in the directory of the target, which is renamed at the end. A
//! full disk or an interrupt leaves neither a partial file nor a damaged older one.
//!
//! Depends on no other crate of gridsat.

mod temporary;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

pub use temporary::{Temporary, TemporaryFolder, remove_temporaries};

/// The error of the operating system, without the path that `tempfile` adds: the temporary name
/// would confuse the user.
fn plain(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path \"") {
        Some((message, _)) => io::Error::new(error.kind(), message),
        None => error,
    }
}

/// Renames the file to its final name, replacing an existing file.
pub fn persist(file: Temporary, path: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    rename(file, path)
}

fn rename(file: Temporary, path: &Path) -> io::Result<()> {
    file.rename(&resolve(path))
}

/// Checks that a file can be created at `path`, before the work whose result it will hold. Devices
/// and pipes are accepted without opening them.
pub fn check_file(path: &Path) -> io::Result<()> {
    let is_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(metadata) if !metadata.is_file() => Ok(()),
        _ if is_folder || path.file_name().is_none() => Err(io::ErrorKind::InvalidFilename.into()),
        _ => Temporary::beside(path).map(drop),
    }
}

/// Checks that files can be created in the folder or, if it does not exist yet, in its nearest
/// existing ancestor.
pub fn check_folder(path: &Path) -> io::Result<()> {
    let there = path.ancestors().find(|folder| fs::metadata(folder).is_ok());
    match there.unwrap_or(Path::new(".")) {
        folder if fs::metadata(folder)?.is_dir() => {
            Temporary::beside(&folder.join("file")).map(drop)
        }
        _ => Err(io::ErrorKind::NotADirectory.into()),
    }
}

/// Writes a complete file with `fill`. Devices and pipes are written in place.
pub fn write_with(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = Draft::new(path)?;
    fill(&mut out)?;
    out.finish()
}

/// Like [`write_with`], but without waiting for the disk: a failure of power may leave an empty or
/// incomplete file. For files whose readers notice that.
pub fn write_soon(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = Draft::new(path)?;
    fill(&mut out)?;
    match out.out {
        Out::InPlace(mut out) => out.flush(),
        Out::Aside(out) => rename(inner(out)?, path),
    }
}

fn inner(out: BufWriter<Temporary>) -> io::Result<Temporary> {
    out.into_inner().map_err(|error| error.into_error())
}

/// A file that is written in pieces and appears under its name only after [`Draft::finish`].
pub struct Draft {
    path: PathBuf,
    out: Out,
}

/// Bytes that are written at once: a table of a million rows has hundreds of megabytes.
const AT_ONCE: usize = 1 << 16;

/// Where the bytes go: directly into a device or pipe, or into a temporary file.
enum Out {
    InPlace(BufWriter<File>),
    Aside(BufWriter<Temporary>),
}

impl Draft {
    /// An empty draft for this path.
    pub fn new(path: &Path) -> io::Result<Self> {
        let in_place = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
        let out = if in_place {
            Out::InPlace(BufWriter::with_capacity(AT_ONCE, File::options().write(true).open(path)?))
        } else {
            Out::Aside(BufWriter::with_capacity(AT_ONCE, Temporary::beside(path)?))
        };
        Ok(Self { path: path.to_owned(), out })
    }

    /// The path that the finished file will have.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Flushes the file and renames it to its final path.
    pub fn finish(self) -> io::Result<()> {
        match self.out {
            Out::InPlace(mut out) => out.flush(),
            Out::Aside(out) => persist(inner(out)?, &self.path),
        }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            Out::InPlace(out) => fill(out, bytes),
            Out::Aside(out) => fill(out, bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            Out::InPlace(out) => out.flush(),
            Out::Aside(out) => out.flush(),
        }
    }
}

/// Writes as many of the bytes as fit into the buffer, so that all but the last piece that reaches
/// the file is a full buffer. Pieces that end within a page of the file take the system twice as
/// long.
fn fill(out: &mut BufWriter<impl Write>, bytes: &[u8]) -> io::Result<usize> {
    let room = match out.capacity() - out.buffer().len() {
        0 => out.capacity(),
        room => room,
    };
    out.write(&bytes[..bytes.len().min(room)])
}

/// The target if `path` is a symbolic link, else `path`.
fn resolve(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The directory of a file, which need not exist; `.` for a bare file name.
pub fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Remembers the lengths of what is written.
    #[derive(Default)]
    struct Pieces(Vec<usize>, Vec<u8>);

    impl Write for Pieces {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(bytes.len());
            self.1.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn all_pieces_but_the_last_are_full() {
        for lines in
            [[3; 9], [16; 9], [40, 1, 1, 16, 15, 17, 2, 31, 5], [1, 15, 16, 33, 7, 0, 9, 20, 1]]
        {
            let mut out = BufWriter::with_capacity(16, Pieces::default());
            let mut expected = Vec::new();
            for (number, length) in lines.into_iter().enumerate() {
                let line = vec![number as u8; length];
                expected.extend_from_slice(&line);
                let mut rest = line.as_slice();
                while !rest.is_empty() {
                    let written = fill(&mut out, rest).expect("memory");
                    assert!(written > 0);
                    rest = &rest[written..];
                }
            }
            let Pieces(lengths, bytes) =
                out.into_inner().map_err(|e| e.into_error()).expect("memory");
            assert_eq!(bytes, expected);
            let (_, full) = lengths.split_last().expect("there were lines");
            assert!(full.iter().all(|&length| length == 16), "{lengths:?}");
        }
    }

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = tempfile::tempdir().expect("a writable temporary directory");
        let path = folder.path().join("result");
        write_with(&path, |out| out.write_all(b"new")).expect("writable");
        write_soon(&path, |out| out.write_all(b"old")).expect("writable");
        let fill = |out: &mut dyn Write| {
            out.write_all(b"new")?;
            Err(io::Error::other("no more"))
        };
        assert!(write_with(&path, fill).is_err() && write_soon(&path, fill).is_err());
        assert_eq!(fs::read(&path).expect("still there"), b"old");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }

    /// The error that `tempfile` returns when a write fails.
    #[test]
    fn temporary_names_are_not_shown() {
        let mut file = tempfile::NamedTempFile::new().expect("writable");
        fs::remove_file(file.path()).expect("there");
        let read_only = File::open("/dev/null").expect("readable");
        *file.as_file_mut() = read_only;
        let error = file.write_all(b"x").expect_err("read only");
        assert!(error.to_string().contains(" at path "), "{error}");
        let error = plain(error);
        assert!(!error.to_string().contains(" at path "), "{error}");
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
