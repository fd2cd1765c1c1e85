//! A page in a browser without a window: Chromium of `GRIDSAT_CHROMIUM`, or under one of its names in the
//! path. Without one the tests that need it are skipped with a note.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

const NAMES: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

pub fn program() -> Option<PathBuf> {
    if let Some(named) = env::var_os("GRIDSAT_CHROMIUM") {
        return Some(named.into());
    }
    let folders: Vec<_> = env::split_paths(&env::var_os("PATH")?).collect();
    let all = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    all.into_iter().find(|path| path.is_file())
}

/// The document after its script has run and written the states at these times into it.
pub fn document(page: &str, times: &[u64]) -> Option<String> {
    let Some(program) = program() else {
        println!("skipped: no Chromium in the path or in GRIDSAT_CHROMIUM");
        return None;
    };
    let folder = tempfile::tempdir().expect("a writable temporary folder");
    let path = folder.path().join("page.html");
    fs::write(&path, page).expect("writable");
    let times: Vec<_> = times.iter().map(u64::to_string).collect();
    let output = Command::new(&program)
        // The page is our own, and where everything runs as root there is no sandbox.
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("file://{}#states={}", path.display(), times.join(",")))
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

/// What the page wrote. Only numbers and fixed names, so nothing in it is escaped.
pub fn states(document: &str) -> Vec<Value> {
    let (_, text) = document.split_once("<pre id=\"state\" hidden=\"\">").expect("states");
    let (text, _) = text.split_once("</pre>").expect("their end");
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}
