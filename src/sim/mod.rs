//! The grid simulator.

pub mod allocation;
pub mod load;
pub mod time;
pub mod work;
