//! JSON of other programs: numbers of seconds, and errors with their line.

use std::fmt;

use serde::de::{DeserializeOwned, Error, IgnoredAny, Visitor};
use serde::{Deserialize, Deserializer};

use crate::error::Fault;
use crate::nanos;

/// Reads a text whose errors name the line.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        // The line is given separately.
        let end = message.rfind(" at line ").unwrap_or(message.len());
        Fault::at(error.line() as u64, &message[..end])
    })
}

/// Why the text is not JSON at all, if it is not.
pub fn syntax(text: &str) -> Option<String> {
    serde_json::from_str::<IgnoredAny>(text).err().map(|error| format!("not JSON: {error}"))
}

/// Seconds as a JSON number, or as a string with a number, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seconds(pub u64);

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfSeconds;
        impl Visitor<'_> for OfSeconds {
            type Value = Seconds;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of seconds")
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Seconds, E> {
                self.visit_str(&number.to_string())
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Seconds, E> {
                self.visit_str(&number.to_string())
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Seconds, E> {
                // The shortest digits that are this number: those of the file.
                self.visit_str(&number.to_string())
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Seconds, E> {
                nanos::seconds(text).map(Seconds).map_err(E::custom)
            }
        }
        deserializer.deserialize_any(OfSeconds)
    }
}
