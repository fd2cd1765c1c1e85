//! Money: prices of resources, budgets of users, and spending.
//!
//! A resource quotes one price for a whole job: its true time alone at full speed on the fastest PE
//! (MI / MIPS), times the price of a PE-second. Sharing, local load, estimate errors and failures
//! make jobs slower, not more expensive, so the quote is the price paid. The money is set aside
//! when a job is sent, paid when it is finished, and returned when it is lost, cancelled or
//! returned to its scheduler. So a scheduler that sends only jobs whose quotes fit the budget never
//! exceeds it.
//!
//! Amounts are integers in millionths of a currency unit, so sums are exact.
//!
//! Not modelled: variable prices, negotiation, and prices of storage or transfers.

mod extremes;
mod ledger;
mod money;

pub use extremes::Extremes;
pub use ledger::{Account, Ledger, Terms};
pub use money::Money;

/// The economic results of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Economy {
    /// Amount paid for finished jobs.
    pub spent: Money,
    /// Number of jobs that were sent but not finished by their deadline.
    pub missed: u64,
    /// Number of jobs that were never sent because budget or deadline did not permit it.
    pub not_affordable: u64,
}
