//! The amount of work that the knapsacks of this thread have taken, in states of lists.
//!
//! Methods that share the time of a thread need a measure of the work of each. A clock would make
//! results depend on the machine.

use std::cell::Cell;

thread_local! {
    static WORK: Cell<u64> = const { Cell::new(0) };
}

/// The states of lists of all knapsacks of this thread so far. Every item counts as one state too,
/// and entries of tables count in proportion to their time. Wraps at 2⁶⁴: compare by
/// differences.
pub fn work() -> u64 {
    WORK.get()
}

/// Counts more states.
pub(super) fn add(states: usize) {
    WORK.set(WORK.get().wrapping_add(states as u64));
}
