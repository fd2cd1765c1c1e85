//! Traces of parallel jobs in Standard Workload Format, version 2.2 of the Parallel Workloads
//! Archive (<https://www.cs.huji.ac.il/labs/parallel/workload/swf.html>).
//!
//! A job a line, 18 numbers each; lines that start with `;` are comments, and those before the
//! first job the header. Traces are streams: ten million lines need no more memory than the header
//! and one line.
//!
//! ```text
//! file, .gz ──► Reader ──► Record ──► Jobs (policies, tally) ──► RigidJob ──► simulator
//!               Header                                             │
//! file      ◄── Writer ◄── Record ◄────────────────────────────────┘
//! ```
//!
//! Tolerated because the archive says or does so: any white space between numbers, blank lines,
//! CRLF, comments anywhere, -1 for "unknown", decimals in times and memory, traces without a
//! header. What else there is in the wild needs [`Rules::Lenient`]. Everything that was read is
//! written back in the same characters, white space aside.
//!
//! Not here: dependencies between jobs (fields 17 and 18) are read and written, but no simulator
//! asks.

mod convert;
mod decimal;
mod error;
mod fields;
mod header;
mod made;
mod reader;
mod record;
mod writer;

pub use convert::{Conversion, Jobs, Odd, Origin, Priority, Processors, TraceCounts, ZeroRun};
pub use decimal::Decimal;
pub use error::{Problem, SwfError};
pub use fields::{FIELDS, Rules};
pub use header::{Directive, Header};
pub use made::Made;
pub use reader::{Input, Line, Reader};
pub use record::{Record, Status};
pub use writer::Writer;
