//! Splits tasks into shards that end as early as possible, and says what no split can beat.
//!
//! Equal shards are identical hosts: longest tasks first and exchanges between two shards (`pack`)
//! mostly reach the lower bound, the average or the longest task. What they leave open goes to the
//! search of `gridsat-exact`, which also writes the certificate. Its work is limited by counting,
//! not by the clock, so that every machine that computes the split gets the same one.
//!
//! | with | is |
//! |---|---|
//! | an overhead | a time from which every shard is free |
//! | unequal runners | a matrix: time / speed, rounded up to a tick |
//! | groups that stay together | one task per group |
//! | a set-up per group and shard | that, or, if groups may be divided, `divide` |
//!
//! ```
//! use gridsat_split::{Shards, SplitOptions, split};
//! use gridsat_tasks::{Log, TaskList};
//!
//! let log = Log::parse(b"task,time\na,3\nb,2\nc,2\nd,1\n", "list", None)?;
//! let split = split(&TaskList::of(&[log]), &SplitOptions::new(Shards::Count(2)))?;
//! assert_eq!(split.makespan().to_string(), "4");
//! assert!(split.is_optimal());
//! let names: Vec<&str> = split.names(0).collect();
//! assert_eq!(names, ["a", "d"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod divide;
mod exchange;
mod fewest;
mod options;
mod pack;
mod problem;
mod prove;
mod split;

pub use fewest::Fewest;
pub use options::{Groups, ParseRunnersError, Runner, Shards, SplitOptions, Unknown, runners};
pub use problem::SplitError;
pub use split::{Shard, Split, split};
