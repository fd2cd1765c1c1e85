//! What is not part of the repository: data sets, which only ignored tests need, and programs,
//! whose absence is reported.

use std::collections::BTreeSet;
use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A file or folder of the data sets, in the folder given by `GRIDSAT_DATA`. Tests that need it are
/// ignored by default, so it must exist when they run.
#[track_caller]
pub fn data(path: &str) -> PathBuf {
    let folder = env::var_os("GRIDSAT_DATA");
    let folder =
        folder.expect("GRIDSAT_DATA names the folder of the data sets, see CONTRIBUTING.md");
    let path = Path::new(&folder).join(path);
    assert!(path.exists(), "{} is not there", path.display());
    path
}

/// The program of that name, if it is installed; its absence is reported.
pub fn installed(name: &str) -> Option<PathBuf> {
    let found = find(&[name]);
    if found.is_none() {
        report_missing(name);
    }
    found
}

/// The first of these programs in the path.
pub fn find(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let home = env::var_os("HOME").map(|home| Path::new(&home).join(".cargo/bin"));
    let folders: Vec<_> = env::split_paths(&path).chain(home).collect();
    let files = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    files.into_iter().find(|file| file.is_file())
}

/// Reports once per program that tests were skipped. Writes to standard error directly, because the
/// output of macros is hidden for tests that pass.
pub fn report_missing(program: &str) {
    static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut reported = REPORTED.lock().expect("no holder panics");
    if reported.insert(program.to_owned()) {
        let line = format!("skipped: tests with {program} (not installed)\n");
        io::stderr().write_all(line.as_bytes()).expect("standard error is open");
    }
}
