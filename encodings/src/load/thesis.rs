//! Chapter 5 of the thesis, literally, with its printing errors corrected.

use crate::{Budget, ClauseSink, OverBudget, Term};

/// The bound k in binary, shared by all hosts.
#[derive(Clone, Debug)]
pub struct Bound {
    value: u64,
}

impl Bound {
    /// Writes k.
    pub fn new(
        value: u64,
        _sink: &mut dyn ClauseSink,
        _budget: &mut Budget,
    ) -> Result<Self, OverBudget> {
        Ok(Self { value })
    }

    /// k.
    pub fn value(&self) -> u64 {
        self.value
    }

    /// Limits the weight of the true items to k.
    pub fn limit(
        &self,
        _items: &[Term],
        _sink: &mut dyn ClauseSink,
        _budget: &mut Budget,
    ) -> Result<(), OverBudget> {
        todo!()
    }
}
