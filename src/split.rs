//! Tasks in shards that end as early as possible, the same on every machine, with what no split can
//! beat.
//!
//! ```
//! use gridsat::split::{Groups, Shards, SplitOptions, split};
//! use gridsat::tasks::{Log, NANOS, TaskList};
//!
//! let log = Log::parse(br#"{"a.py::one": 3, "a.py::two": 2, "b.py::three": 2}"#, "log", None)?;
//! let list = TaskList::of(&[log]);
//! let mut options = SplitOptions::new(Shards::Count(2));
//! options.overhead = 30 * NANOS;
//! options.groups = Groups::Together { setup: 0 };
//! let split = split(&list, &options)?;
//! assert_eq!((split.makespan().to_string(), split.is_optimal()), ("35".to_owned(), true));
//! let first: Vec<&str> = split.names(0).collect();
//! assert_eq!(first, ["a.py::one", "a.py::two"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use gridsat_split::{
    Fewest, Groups, ParseRunnersError, Runner, Shard, Shards, Split, SplitError, SplitOptions,
    Unknown, runners, split,
};
