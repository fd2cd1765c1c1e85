//! What a knapsack is worth when one item must be in, or must not; for every item at once.

/// Upper bounds on the best set with an item and without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forced {
    /// No set with the item is worth more.
    pub with: u64,
    /// No set without it is worth more.
    pub without: u64,
}
