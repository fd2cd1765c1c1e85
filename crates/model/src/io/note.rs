//! Notes on what a reader assumed or changed, as values: the caller decides where to report them.

use std::fmt;

use super::{Encoding, Separator};

/// A note on how a file was read. Printed as part of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// The text is not UTF-8.
    Encoding(Encoding),
    /// The cells of a CSV file are not separated by commas.
    Dialect {
        /// The character between the cells.
        separator: Separator,
        /// Whether times have a decimal comma.
        decimal_comma: bool,
    },
    /// The CSV file has names.
    Names {
        /// The first row holds host names.
        header: bool,
        /// The first column holds task names.
        index: bool,
        /// Whether the choice is certain: names and times cannot be confused.
        sure: bool,
    },
    /// A row of a CSV file that is called `ready` was read as a task.
    ReadyTask,
    /// A row or column of a CSV file that is called `qos` was read as a task or host.
    QosName,
    /// Times and ready times were rounded up to a multiple of 10^−decimals.
    Rounded {
        /// Decimal places after rounding.
        decimals: u32,
    },
}

/// The unit of the last decimal place, printed as `1e-9`.
pub(super) struct RoundedTo(pub u32);

impl fmt::Display for RoundedTo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("whole numbers"),
            decimals => write!(f, "1e-{decimals}"),
        }
    }
}

impl Note {
    /// Whether the note may surprise even the author of the file.
    pub fn is_surprising(&self) -> bool {
        !matches!(self, Self::Names { sure: true, .. })
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encoding(encoding) => write!(f, "read as {encoding}"),
            Self::Dialect { separator, decimal_comma } => {
                let comma = if *decimal_comma { ", decimal commas" } else { "" };
                write!(f, "read as CSV with {separator}{comma}")
            }
            Self::Names { header, index, .. } => {
                f.write_str(match (header, index) {
                    (true, true) => "first row read as host names, first column as task names",
                    (true, false) => "first row read as host names, first column as times",
                    (false, true) => "first row read as times, first column as task names",
                    (false, false) => "first row and first column read as times",
                })?;
                f.write_str(" (--header yes|no and --index yes|no override this)")
            }
            Self::ReadyTask => f.write_str(
                "the row 'ready' was read as a task (--ready-row reads it as ready times)",
            ),
            Self::QosName => f.write_str(
                "the row or column 'qos' was read as a task or host (--qos reads it as levels)",
            ),
            Self::Rounded { decimals } => {
                write!(f, "times rounded up to {}", RoundedTo(*decimals))
            }
        }
    }
}
