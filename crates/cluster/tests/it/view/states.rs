//! What a page shows at given times, obtained from a browser.

use std::fs;

use gridsat_test_support::browser;
use serde_json::Value;

/// The document after its script has written the states at these times into it.
pub fn document(page: &str, times: &[u64]) -> Option<String> {
    let program = browser::program()?;
    let folder = tempfile::tempdir().expect("a writable temporary folder");
    let path = folder.path().join("page.html");
    fs::write(&path, page).expect("writable");
    let times: Vec<_> = times.iter().map(u64::to_string).collect();
    let url = format!("file://{}#states={}", path.display(), times.join(","));
    let output = browser::dump(&program, folder.path(), &url, &[]);
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

/// The states that the page wrote. Only numbers and fixed names, so nothing in it is escaped.
pub fn all(document: &str) -> Vec<Value> {
    let (_, text) = document.split_once("<pre id=\"state\" hidden=\"\">").expect("states");
    let (text, _) = text.split_once("</pre>").expect("their end");
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}
