//! Traces of parallel jobs in Standard Workload Format, version 2.2 of the Parallel Workloads
//! Archive (<https://www.cs.huji.ac.il/labs/parallel/workload/swf.html>).
//!
//! One line per job with 18 numbers. Lines that start with `;` are comments; those before the first
//! job are the header. Traces are read as streams: memory holds only the header and one line.
//!
//! ```text
//! file, .gz ──► Reader ──► Record ──► Jobs (policies, tally) ──► RigidJob ──► simulator
//!               Header                                             │
//! file      ◄── Writer ◄── Record ◄────────────────────────────────┘
//! ```
//!
//! Accepted, because the archive allows or does it: any white space between numbers, blank lines,
//! CRLF, comments anywhere, -1 for "unknown", decimals in times and memory, traces without a
//! header. Other deviations that occur in practice need [`Rules::Lenient`]. A trace that was read
//! is written back in the same characters, except for white space.
//!
//! Dependencies between jobs (fields 17 and 18) are read and written, but no simulator uses them.

mod convert;
mod decimal;
mod error;
mod fields;
mod header;
mod made;
mod reader;
mod record;
mod writer;

pub use convert::{
    Conversion, Jobs, Odd, Origin, Priority, Processors, RunTime, TraceCounts, ZeroRun,
};
pub use decimal::Decimal;
pub use error::{Problem, SwfError};
pub use fields::{FIELDS, Rules};
pub use header::{Directive, Header};
pub use made::Made;
pub use reader::{Input, Line, Reader};
pub use record::{Record, Status};
pub use writer::Writer;
