//! A file of lines that a process appends to until it is done or killed.
//!
//! Each line is written in one operation, so an aborted process leaves complete lines and perhaps a
//! partial one, which is removed when the file is opened again. The file is locked while it is
//! open, so that two processes do not write to it.

use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Longest accepted line in bytes.
const MAX_LINE: u64 = 1 << 26;

pub(crate) struct LineFile {
    path: PathBuf,
    file: File,
    /// Length of the complete lines that were read.
    whole: u64,
}

/// Why the file cannot be opened.
#[derive(Debug)]
pub(crate) enum NoLineFile {
    Io(io::Error),
    /// Another process has it open.
    Locked,
}

impl LineFile {
    /// Opens the file, or creates it.
    pub fn open(path: &Path) -> Result<Self, NoLineFile> {
        let options =
            File::options().read(true).write(true).create(true).truncate(false).open(path);
        let file = options.map_err(NoLineFile::Io)?;
        match file.try_lock() {
            // Some file systems do not support locks; that is ignored.
            Ok(()) | Err(TryLockError::Error(_)) => {}
            Err(TryLockError::WouldBlock) => return Err(NoLineFile::Locked),
        }
        Ok(Self { path: path.to_owned(), file, whole: 0 })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The complete lines, from the start of the file.
    pub fn read(&mut self) -> io::Result<Vec<String>> {
        self.file.seek(SeekFrom::Start(0))?;
        let mut reader = BufReader::new(&self.file);
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut reader)? {
            lines.push(line);
        }
        self.whole = lines.iter().map(|line| line.len() as u64 + 1).sum();
        Ok(lines)
    }

    /// Removes what follows the lines that were read. Further lines are added there.
    pub fn drop_rest(&mut self) -> io::Result<()> {
        self.file.set_len(self.whole)?;
        self.file.seek(SeekFrom::End(0)).map(drop)
    }

    /// Appends lines, each with its line break.
    pub fn add(&mut self, lines: &str) -> io::Result<()> {
        self.file.write_all(lines.as_bytes())
    }

    /// Waits until everything is on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// The next line without its line break; `None` at the end of the file, or if the rest is not a
/// complete line.
pub(crate) fn next_line(from: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    from.take(MAX_LINE).read_until(b'\n', &mut bytes)?;
    if bytes.pop() != Some(b'\n') {
        return Ok(None);
    }
    String::from_utf8(bytes).map(Some).map_err(|_| io::Error::other("not UTF-8 text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_line_is_dropped_and_a_second_writer_refused() {
        let folder = tempfile::tempdir().expect("a writable temporary directory");
        let path = folder.path().join("lines");
        std::fs::write(&path, "one\ntwo\nthr").expect("writable");
        let mut file = LineFile::open(&path).expect("not locked");
        assert!(matches!(LineFile::open(&path), Err(NoLineFile::Locked)));
        assert_eq!(file.read().expect("readable"), ["one", "two"]);
        file.drop_rest().expect("writable");
        file.add("three\n").expect("writable");
        assert_eq!(std::fs::read_to_string(&path).expect("readable"), "one\ntwo\nthree\n");
        assert_eq!(file.read().expect("readable"), ["one", "two", "three"]);
    }
}
