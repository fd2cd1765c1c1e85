//! The file of a part: what `work` writes and `merge` reads.
//!
//! ```text
//! {"gridsat_part":1,"plan":"3f…","part":7}
//! …                                          one line per result
//! {"lines":12}
//! ```
//!
//! It appears under its name only when it is complete. The digest of the plan says to which plan it
//! belongs, and the last line that nothing is missing.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use gridsat_files as files;
use serde::{Deserialize, Serialize};

use crate::lines::next_line;

/// Version of the format.
const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    gridsat_part: u32,
    plan: String,
    part: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    lines: usize,
}

/// Writes the lines, each with its line break. It does not wait for the disk: what a failure of
/// power leaves incomplete is missing.
pub(super) fn write(path: &Path, plan: &str, part: usize, lines: &[String]) -> io::Result<()> {
    let header = Header { gridsat_part: FORMAT, plan: plan.to_owned(), part };
    files::write_soon(path, |out| {
        writeln!(out, "{}", json(&header))?;
        lines.iter().try_for_each(|line| out.write_all(line.as_bytes()))?;
        writeln!(out, "{}", json(&End { lines: lines.len() }))
    })
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data with text keys is JSON")
}

/// The lines of the file; the error says in one line why it cannot be used.
pub(super) fn read(path: &Path, plan: &str, part: usize) -> Result<Vec<String>, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut file = BufReader::new(file);
    let mut next = || next_line(&mut file).map_err(|error| error.to_string());
    let first = next()?.unwrap_or_default();
    let header: Header = serde_json::from_str(&first).map_err(|_| "not a part of a plan")?;
    if (header.gridsat_part, header.part) != (FORMAT, part) || header.plan != plan {
        return Err("a part of another plan".to_owned());
    }
    let mut lines = Vec::new();
    loop {
        let line = next()?.ok_or("the end is missing")?;
        match serde_json::from_str::<End>(&line) {
            Ok(end) if end.lines == lines.len() => return Ok(lines),
            Ok(end) => return Err(format!("{} lines, should be {}", lines.len(), end.lines)),
            Err(_) => lines.push(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_noticed() {
        let folder = tempfile::tempdir().expect("a writable temporary directory");
        let path = folder.path().join("7");
        let lines = ["{\"a\":1}\n", "{\"b\":2}\n"].map(str::to_owned);
        write(&path, "3f", 7, &lines).expect("writable");
        assert_eq!(read(&path, "3f", 7).expect("whole"), ["{\"a\":1}", "{\"b\":2}"]);
        assert!(read(&path, "3f", 6).is_err() && read(&path, "40", 7).is_err());
        let whole = std::fs::read(&path).expect("readable");
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).expect("writable");
            assert!(read(&path, "3f", 7).is_err(), "cut at {length}");
        }
        let text = String::from_utf8(whole).expect("text").replace("{\"b\":2}\n", "");
        std::fs::write(&path, text).expect("writable");
        assert_eq!(read(&path, "3f", 7), Err("1 lines, should be 2".to_owned()));
    }
}
