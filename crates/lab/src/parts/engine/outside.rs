//! Programs of a scheduler that the driver calls.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::error::EngineError;

/// Most bytes of a log that are looked at.
const TAIL: u64 = 4_096;
/// Most characters of a log in a message.
const SHOWN: usize = 300;

/// Runs a program to its end; `remedy` says what to do if there is none.
pub(super) fn call(
    name: &'static str,
    words: &[String],
    remedy: &'static str,
) -> Result<Output, EngineError> {
    let called = Command::new(name).args(words).stdin(Stdio::null()).output();
    called.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => EngineError::NoProgram { name, remedy },
        _ => EngineError::Start { name: name.to_owned(), error },
    })
}

/// What the program printed if it succeeded, else its message.
pub(super) fn printed(name: &str, output: &Output) -> Result<String, EngineError> {
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let (command, message) = (name.to_owned(), message(output));
    Err(EngineError::Refused { command, message })
}

/// The message of a program that failed, on one line.
pub(super) fn message(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() { output.status.to_string() } else { lines.join("; ") }
}

/// The last lines of a log, on one line.
pub(super) fn last_words(log: &Path) -> String {
    let read = || -> io::Result<Vec<u8>> {
        let mut file = File::open(log)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
        let mut bytes = Vec::new();
        file.take(TAIL).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = match read() {
        Ok(bytes) => bytes,
        Err(error) => return format!("no log ({error})"),
    };
    let text = String::from_utf8_lossy(&bytes);
    let mut lines: Vec<&str> = text.lines().map(str::trim).rev().take(3).collect();
    lines.retain(|line| !line.is_empty());
    lines.reverse();
    let words: String = lines.join(" | ").chars().take(SHOWN).collect();
    if words.is_empty() { "nothing".to_owned() } else { words }
}
