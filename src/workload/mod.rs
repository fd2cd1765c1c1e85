//! Jobs and where they come from.
