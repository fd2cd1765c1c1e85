//! varisat.
