//! The output of `--format json`: objects with a format and a version, times with all digits, and a
//! layout that people can read, too.
//!
//! The types determine everything: the output, the schemas in `docs/schema` (see `cli::schema`),
//! and the descriptions there, which are the doc comments of the fields.

mod assignment;
mod layout;
mod subject;

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

use gridsat_model::{Scale, Ticks, Time};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::value::RawValue;

pub use assignment::{Assigned, AssignedTask, assigned};
pub use subject::Subject;

/// The body of a JSON object that a command prints.
pub trait Printed: JsonSchema + Serialize {
    /// Its format and version. The version rises when a field is removed or changes its meaning;
    /// fields may be added at any time.
    const FORMAT: &'static str;
}

/// A JSON object as printed: its format, then its fields.
#[derive(Serialize)]
pub struct Document<T> {
    format: &'static str,
    #[serde(flatten)]
    body: T,
}

impl<T: Printed> From<T> for Document<T> {
    fn from(body: T) -> Self {
        Self { format: T::FORMAT, body }
    }
}

/// A time in the unit of the file, with all digits of a decimal number.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Number(Box<RawValue>);

impl Number {
    /// Ticks as a number in the unit of the file.
    pub fn new(scale: Scale, ticks: Ticks) -> Self {
        Self::of_time(scale.display(ticks))
    }

    /// A time as a number in the unit of the file.
    pub fn of_time(time: Time) -> Self {
        Self(RawValue::from_string(time.number().to_string()).expect("a decimal number is JSON"))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.get())
    }
}

impl JsonSchema for Number {
    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number" })
    }
}

/// Writes one value as JSON, followed by a newline.
pub fn write_json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let compact = serde_json::to_string(value)?;
    writeln!(out, "{}", layout::lay_out(&compact))
}

/// Writes one value as JSON on one line.
pub fn write_json_line(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    writeln!(out, "{}", serde_json::to_string(value)?)
}
