//! A limit on the size of what an encoder may write, and on its patience.
//!
//! Some encodings grow with the bound k, not with its digits: a counter for k = 10⁹ would fill any
//! disk. Encoders charge a budget *before* they write and stop with an error that names the need.

use std::fmt;

use thiserror::Error;

/// Why an encoder stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OverBudget {
    /// The encoding does not fit.
    #[error("needs {}{needed} clauses, over the budget of {allowed}", if *.at_least { "at least " } else { "" })]
    TooMany {
        /// Clauses needed, or a lower bound on it.
        needed: u64,
        /// Whether `needed` is only a lower bound.
        at_least: bool,
        /// Clauses allowed.
        allowed: u64,
    },
    /// A stop was requested.
    #[error("was stopped while it was being written")]
    Stopped,
}

/// How many clauses an encoder may still write, and whether it may go on at all.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    allowed: u64,
    used: u64,
    charges: u32,
    should_stop: Option<&'a dyn Fn() -> bool>,
}

/// How many charges pass between two looks at the clock.
const PATIENCE: u32 = 1024;

impl<'a> Budget<'a> {
    /// Room for this many clauses.
    pub fn clauses(allowed: u64) -> Self {
        Self { allowed, used: 0, charges: 0, should_stop: None }
    }

    /// The same room, until `should_stop` says otherwise.
    #[must_use]
    pub fn until<'b>(self, should_stop: &'b dyn Fn() -> bool) -> Budget<'b>
    where
        'a: 'b,
    {
        Budget { should_stop: Some(should_stop), ..self }
    }

    /// Takes `clauses` from the budget. `more_to_come` says that the caller does not know its
    /// whole need yet, so that the error can say "at least".
    pub fn charge(&mut self, clauses: u64, more_to_come: bool) -> Result<(), OverBudget> {
        self.used = self.used.saturating_add(clauses);
        self.charges = self.charges.wrapping_add(1);
        if self.charges.is_multiple_of(PATIENCE) && self.should_stop.is_some_and(|stop| stop()) {
            return Err(OverBudget::Stopped);
        }
        if self.used <= self.allowed {
            return Ok(());
        }
        let (needed, at_least) = (self.used, more_to_come);
        Err(OverBudget::TooMany { needed, at_least, allowed: self.allowed })
    }
}

impl Default for Budget<'_> {
    /// Twenty million clauses: about a gigabyte in a solver.
    fn default() -> Self {
        Self::clauses(20_000_000)
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} clauses", self.used, self.allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_is_noticed_in_time() {
        let mut budget = Budget::default().until(&|| true);
        let mut charges = (0..PATIENCE).map(|_| budget.charge(1, true));
        assert!(charges.any(|charged| charged == Err(OverBudget::Stopped)));
    }
}
