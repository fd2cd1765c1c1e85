//! Tasks and their measured times, from the logs of test and job runners.
//!
//! ```
//! use gridsat::tasks::{Log, TaskList};
//!
//! let xml = "<testsuite name='pytest'>
//!            <testcase classname='test_a' name='one' time='0.5'/></testsuite>";
//! let log = Log::parse(xml.as_bytes(), "junit.xml", None)?;
//! let list = TaskList::of(&[log]);
//! assert_eq!(list.tasks()[0].name, "test_a.py::one");
//! let solution = gridsat::solve(&list.on_equal_hosts(2)?)?;
//! assert_eq!(solution.makespan().to_string(), "0.5");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use gridsat_tasks::{
    Etc, Format, Guess, Log, LogError, Missing, NANOS, Record, Runner, Task, TaskList, duration,
    etc_from, read_names,
};
