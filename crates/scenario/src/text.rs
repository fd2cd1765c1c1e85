//! The text of a scenario file as a table of keys, with the place of what is wrong in it.

use serde::de::DeserializeOwned;

use super::error::ScenarioError;
use gridsat_model::io::Position;

/// How a scenario is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// TOML 1.
    Toml,
    /// JSON, with the same keys.
    Json,
}

/// Keys and values of a text; what is wrong is told with its place, `file` is what errors call the text.
pub fn read_keys<T: DeserializeOwned>(
    text: &str,
    syntax: Syntax,
    file: &str,
) -> Result<T, ScenarioError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match syntax {
        Syntax::Toml => toml::from_str(text).map_err(|error| {
            let position = error.span().map(|span| position(text, span.start));
            ScenarioError::new(file, position, error.message())
        }),
        Syntax::Json => serde_json::from_str(text).map_err(|error| {
            let message = error.to_string();
            let what = message.rfind(" at line ").map_or(&message[..], |end| &message[..end]);
            let position = Position { line: error.line(), column: error.column().max(1) };
            ScenarioError::new(file, Some(position), what)
        }),
    }
}

/// Line and character of a byte, from 1.
fn position(text: &str, at: usize) -> Position {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    Position { line, column: before[line_start..].chars().count() + 1 }
}
