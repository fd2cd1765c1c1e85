//! The grid simulator.

pub mod allocation;
pub mod time;
pub mod work;
