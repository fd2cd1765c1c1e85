//! Runs the binary in a temporary folder, and reads the files it wrote.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use serde_json::Value;
use tempfile::TempDir;

use crate::project;

/// The path of the program, which cargo builds next to the tests.
pub fn gridsat() -> PathBuf {
    let test = env::current_exe().expect("a test that runs");
    let folder = test.parent().and_then(Path::parent).expect("a folder of test binaries");
    folder.join(format!("gridsat{}", env::consts::EXE_SUFFIX))
}

/// A temporary folder in which `gridsat` is run.
pub struct Folder {
    folder: TempDir,
}

/// How a run ended and what it printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Default for Folder {
    fn default() -> Self {
        Self { folder: tempfile::tempdir().expect("a writable temporary folder") }
    }
}

impl Folder {
    /// A folder with copies of these files of `tests/data`; names are separated by spaces.
    pub fn with(names: &str) -> Self {
        let folder = Self::default();
        for name in names.split(' ') {
            folder.copy(&format!("tests/data/{name}"), name);
        }
        folder
    }

    /// Copies a file of the repository into the folder.
    pub fn copy(&self, path: &str, name: &str) -> &Self {
        let copied = fs::copy(project(path), self.path(name));
        copied.unwrap_or_else(|error| panic!("{path}: {error}"));
        self
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        fs::write(self.path(name), content).expect("writable");
        self
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names of all files, sorted.
    pub fn list(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("readable");
        let name = |entry: std::io::Result<fs::DirEntry>| {
            entry.expect("readable").file_name().to_string_lossy().into_owned()
        };
        let mut names: Vec<_> = entries.map(name).collect();
        names.sort();
        names
    }

    /// The command `gridsat` with these words as arguments, not yet started.
    pub fn command(&self, words: &str) -> Command {
        let mut command = Command::new(gridsat());
        command.current_dir(self.folder.path()).args(words.split_whitespace());
        command.stdin(Stdio::null());
        command
    }

    /// Runs `gridsat` to its end.
    pub fn run(&self, words: &str) -> Run {
        Run::of(&mut self.command(words))
    }
}

impl Run {
    /// Runs a command to its end.
    pub fn of(command: &mut Command) -> Self {
        let output = command.output().expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// The run ended with this code and printed nothing on standard error.
    #[track_caller]
    pub fn ends(self, code: i32) -> Self {
        assert_eq!((self.code, self.err.as_str()), (Some(code), ""), "{self:?}");
        self
    }

    /// The run printed nothing but one line on standard error, which contains all `parts`.
    #[track_caller]
    pub fn fails(self, code: i32, parts: &[&str]) -> Self {
        assert_eq!((self.code, self.out.as_str()), (Some(code), ""), "{self:?}");
        assert!(self.err.starts_with("gridsat: ") && self.err.ends_with('\n'), "{self:?}");
        assert_eq!(self.err.lines().count(), 1, "{self:?}");
        assert!(!self.err.trim_end().contains(char::is_control), "{self:?}");
        for part in parts {
            assert!(self.err.contains(part), "no '{part}' in {}", self.err);
        }
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}
