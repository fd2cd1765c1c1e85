//! A headless browser: the Chromium given by `GRIDSAT_CHROMIUM`, or the first in the path.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::outside::{find, report_missing};

const NAMES: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// The browser's program; its absence is reported.
pub fn program() -> Option<PathBuf> {
    let found = env::var_os("GRIDSAT_CHROMIUM").map(PathBuf::from).or_else(|| find(&NAMES));
    if found.is_none() {
        report_missing("chromium");
    }
    found
}

/// Opens a page and prints its document after its scripts have run. `folder` is for the browser's
/// profile.
pub fn dump(program: &Path, folder: &Path, url: &str, options: &[&str]) -> Output {
    Command::new(program)
        // The page is our own; where everything runs as root the sandbox does not work.
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .args(options)
        .arg(url)
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", program.display()))
}
