//! A limit on the size of what an encoder may write.
//!
//! Some encodings grow with the bound k, not with its digits: a counter for k = 10⁹ would fill any
//! disk. Encoders charge a budget *before* they write and stop with an error that names the need.

use thiserror::Error;

/// The encoding does not fit the clause budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("needs {}{needed} clauses, over the budget of {allowed}", if *.at_least { "at least " } else { "" })]
pub struct OverBudget {
    /// Clauses needed, or a lower bound on it.
    pub needed: u64,
    /// Whether `needed` is only a lower bound.
    pub at_least: bool,
    /// Clauses allowed.
    pub allowed: u64,
}

/// How many clauses an encoder may still write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    allowed: u64,
    used: u64,
}

impl Budget {
    /// Room for this many clauses.
    pub fn clauses(allowed: u64) -> Self {
        Self { allowed, used: 0 }
    }

    /// Takes `clauses` from the budget. `more_to_come` says that the caller does not know its
    /// whole need yet, so that the error can say "at least".
    pub fn charge(&mut self, clauses: u64, more_to_come: bool) -> Result<(), OverBudget> {
        self.used = self.used.saturating_add(clauses);
        if self.used <= self.allowed {
            return Ok(());
        }
        Err(OverBudget { needed: self.used, at_least: more_to_come, allowed: self.allowed })
    }
}

impl Default for Budget {
    /// Twenty million clauses: about a gigabyte in a solver.
    fn default() -> Self {
        Self::clauses(20_000_000)
    }
}
