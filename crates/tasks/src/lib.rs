//! Tasks and their measured times, from files that people have: reports of test runners, logs of
//! job runners and plain lists.
//!
//! | format | written by | a task is |
//! |---|---|---|
//! | `junit` | pytest, cargo-nextest, Playwright, Gradle, … | a test case |
//! | `pytest-split` | pytest-split, `.test_durations` | a test |
//! | `joblog` | GNU parallel, `--joblog` | a command |
//! | `hyperfine` | hyperfine, `--export-json` | a command |
//! | `snakemake` | Snakemake, `benchmark:` | a rule with its wildcards |
//! | `nextflow` | Nextflow, `-with-trace` | a task |
//! | `sacct` | Slurm, `sacct --parsable2` or `--json` | a job |
//! | `list` | people: CSV, TSV, JSON, or one name per line | a row |
//!
//! Each format has a file here that turns its text into [`Record`]s: one measurement each.
//! [`TaskList`] takes the median of each task, [`etc_from`] makes a matrix of the logs of several
//! hosts. Times are whole nanoseconds, rounded up.
//!
//! Input is not trusted: an error names file, line and value; nothing recurses over the input, XML
//! with a document type is rejected, and what a log contains is data that is never run.
//!
//! ```
//! use gridsat_tasks::{Format, Log, TaskList};
//!
//! let text = br#"{"test_a": 0.5, "test_b": 1.25}"#;
//! let log = Log::parse(text, ".test_durations", None)?;
//! assert_eq!(log.format, Format::PytestSplit);
//! let list = TaskList::of(&[log]);
//! assert_eq!(list.tasks()[1].name, "test_b");
//! let instance = list.on_equal_hosts(2)?;
//! assert_eq!((instance.task_count(), instance.host_count()), (2, 2));
//! # Ok::<(), gridsat_tasks::LogError>(())
//! ```

mod durations;
mod error;
mod etc;
mod format;
mod hyperfine;
mod joblog;
mod json;
mod junit;
mod list;
mod log;
mod nanos;
mod nextflow;
mod sacct;
mod snakemake;
mod table;
mod task_list;
mod xml;

pub use error::LogError;
pub use etc::{Etc, Guess, Missing, etc_from};
pub use format::Format;
pub use list::read_names;
pub use log::{Log, Record, Runner};
pub use nanos::{NANOS, duration};
pub use task_list::{Task, TaskList};
