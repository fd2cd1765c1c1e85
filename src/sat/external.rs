//! Any command that reads DIMACS.
