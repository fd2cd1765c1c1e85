//! The problem and its answers: instances, mappings, exact times, their files, certificates as
//! data, names that users type, and when to stop.
//!
//! Not here: anything that finds, bounds or checks a mapping. Depends on no other crate of gridsat.

pub mod certificate;
pub mod io;
pub mod names;
pub mod text;

mod columns;
mod digits;
mod instance;
mod levels;
mod mapping;
mod matrix;
mod name_list;
mod stop;
mod time;
mod works;

pub use digits::{push_time, push_whole};
pub use instance::{HostId, Instance, InstanceError, InstanceParts, Names, TaskId};
pub use levels::Levels;
pub use mapping::{Mapping, MappingError};
pub use stop::Stop;
pub use time::{Scale, Ticks, Time, gap};
pub use works::Works;

/// The version of gridsat in reports and certificates.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
