//! The problem and its answers: instances, mappings and exact times. Names no other module.

mod instance;
mod mapping;
mod time;

pub use instance::{HostId, Instance, InstanceError, InstanceParts, TaskId};
pub use mapping::{Mapping, MappingError};
pub use time::{Scale, Ticks};
