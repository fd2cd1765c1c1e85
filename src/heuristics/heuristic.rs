//! What every mapping heuristic offers.

use crate::model::{Instance, Mapping};

/// A way to map any instance quickly. Every instance has a mapping, so this cannot fail.
pub trait Heuristic: Sync {
    /// The name on the command line: lower case, no punctuation.
    fn name(&self) -> &'static str;

    /// The name in the literature.
    fn title(&self) -> &'static str;

    /// Maps every task. Deterministic.
    fn map(&self, instance: &Instance) -> Mapping;
}
