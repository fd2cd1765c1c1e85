//! Provably optimal mapping of independent tasks onto heterogeneous hosts.

pub use gridsat_model::VERSION;
