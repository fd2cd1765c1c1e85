//! Instances from values and texts in memory.

use std::path::Path;
use std::str::FromStr;

use super::error::{Fault, offset_in};
use super::table::Table;
use super::{Format, ReadError, ReadOptions, parse, read_file};
use crate::Instance;

/// The name in error messages of an instance that does not come from a file.
const SOURCE: &str = "instance";

/// A time in a row of [`Instance::from_rows`]: a number, or `None` where the task cannot run.
pub trait EtcValue {
    /// The value as a decimal without blanks; `inf` where the task cannot run.
    fn to_decimal(&self) -> String;
}

macro_rules! etc_values {
    ($($number:ty),*) => {
        $(impl EtcValue for $number {
            fn to_decimal(&self) -> String {
                self.to_string()
            }
        })*
    };
}
etc_values!(u8, u16, u32, u64, usize, i32, i64, f64);

impl<T: EtcValue> EtcValue for Option<T> {
    fn to_decimal(&self) -> String {
        self.as_ref().map_or_else(|| "inf".to_owned(), T::to_decimal)
    }
}

impl Instance {
    /// An instance from the times of each task on each host. A float means exactly the decimal it
    /// is printed as; an infinite one means the same as `None`.
    ///
    /// ```
    /// use gridsat_model::Instance;
    ///
    /// let whole = Instance::from_rows([[14, 5, 9], [3, 8, 2]])?;
    /// assert_eq!((whole.task_count(), whole.host_count()), (2, 3));
    ///
    /// let rows = [[Some(14.0), Some(5.5), None], [Some(3.0), Some(8.0), None]];
    /// let decimal = Instance::from_rows(rows)?;
    /// assert_eq!(decimal.scale().decimals(), 1);
    ///
    /// let error = Instance::from_rows([[14, 5], [3, -8]]).unwrap_err();
    /// assert_eq!(error.to_string(), "instance:2:3: '-8' is negative");
    /// # Ok::<(), gridsat_model::io::ReadError>(())
    /// ```
    pub fn from_rows<R>(rows: impl IntoIterator<Item = R>) -> Result<Self, ReadError>
    where
        R: IntoIterator<Item: EtcValue>,
    {
        let mut text = String::new();
        for row in rows {
            row.into_iter().for_each(|time| text.extend([&time.to_decimal(), " "]));
            text.push('\n');
        }
        read(&text).map_err(|fault| fault.in_source(SOURCE, text.as_bytes()))
    }

    /// Reads the instance in a file; its format is recognised by its name. The
    /// [`notes`](Instance::notes) say what the reader assumed and whether it rounded times.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        read_file(path, &ReadOptions::default())
    }
}

/// Reads one line per task, with blanks between its times.
fn read(text: &str) -> Result<Instance, Fault> {
    let mut table = Table::default();
    for line in text.lines() {
        line.split_whitespace().try_for_each(|value| table.push(text, value))?;
        table.end_row(offset_in(text, line));
    }
    table.into_instance(text, String::new(), &ReadOptions::default())
}

/// Reads JSON, as in files.
///
/// ```
/// use gridsat_model::Instance;
///
/// let text = r#"{ "etc": [[14, 5.5], [3, null]],
///     "tasks": ["render", "merge"], "ready": [0, 4] }"#;
/// let instance: Instance = text.parse()?;
/// assert_eq!(instance.task_count(), 2);
/// # Ok::<(), gridsat_model::io::ReadError>(())
/// ```
impl FromStr for Instance {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        parse(text.as_bytes(), SOURCE, Format::Json, &ReadOptions::default())
    }
}
