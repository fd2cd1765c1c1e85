//! Decimal numbers with all digits, in text and in JSON.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// A decimal number in its text form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact(pub(super) String);

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = RawValue::from_string(self.0.clone());
        number.expect("a decimal number is JSON").serialize(serializer)
    }
}
