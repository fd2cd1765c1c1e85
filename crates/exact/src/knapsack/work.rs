//! How much work the knapsacks of this thread have been, in states of lists.
//!
//! Whoever shares time between several methods needs to know what each of them took, and a clock
//! would make results depend on the machine.

use std::cell::Cell;

thread_local! {
    static WORK: Cell<u64> = const { Cell::new(0) };
}

/// The states visited by all knapsacks of this thread so far; cells of tables count in proportion.
pub fn work() -> u64 {
    WORK.get()
}

pub(super) fn add(states: usize) {
    WORK.set(WORK.get().wrapping_add(states as u64));
}
