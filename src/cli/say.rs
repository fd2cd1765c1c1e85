//! Messages on standard error: the only place that writes them.
//!
//! A message may quote a file, so characters that command a terminal are escaped. If standard error
//! cannot be written, as with `2>/dev/full`, the message is lost and the command goes on: what it
//! found and its exit code matter more.

use std::fmt::Display;
use std::io::{self, Write};

use gridsat_model::text::on_one_line;

/// Prints one line, headed by the name of the program.
pub fn say(message: impl Display) {
    line(format_args!("gridsat: {message}"));
}

/// Prints one line as it is, without characters that command a terminal.
pub fn line(text: impl Display) {
    let text = on_one_line(&text.to_string()) + "\n";
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
