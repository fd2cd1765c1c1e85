//! A limit on the size of what an encoder may write, and a way to stop it.
//!
//! Some encodings grow with the bound k, not with its number of digits: a counter for k = 10⁹
//! would fill any disk. Encoders charge a budget *before* they write and stop with an error that
//! gives the number of clauses needed.

use std::fmt;

use thiserror::Error;

/// Why an encoder stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OverBudget {
    /// The encoding needs more clauses than allowed.
    #[error("needs {}{needed} clauses, more than the limit of \
        {allowed}", if *.at_least { "at least " } else { "" })]
    TooMany {
        /// Number of clauses needed, or a lower bound on it.
        needed: u64,
        /// Whether `needed` is only a lower bound.
        at_least: bool,
        /// Number of clauses allowed.
        allowed: u64,
    },
    /// A stop was requested.
    #[error("was stopped while it was being written")]
    Stopped,
}

/// How many clauses an encoder may still write, and when it must stop.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    allowed: u64,
    used: u64,
    charges: u32,
    should_stop: Option<&'a dyn Fn() -> bool>,
}

/// Number of charges between two calls of `should_stop`.
const PATIENCE: u32 = 1024;

impl<'a> Budget<'a> {
    /// A budget of this many clauses.
    pub fn clauses(allowed: u64) -> Self {
        Self { allowed, used: 0, charges: 0, should_stop: None }
    }

    /// The same budget, which also stops as soon as `should_stop` returns true.
    #[must_use]
    pub fn until<'b>(self, should_stop: &'b dyn Fn() -> bool) -> Budget<'b>
    where
        'a: 'b,
    {
        Budget { should_stop: Some(should_stop), ..self }
    }

    /// Takes `clauses` from the budget. `more_to_come` means that the caller does not know its
    /// total need yet, so that the error says "at least".
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
    /// Twenty million clauses, which take about a gigabyte in a solver.
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
