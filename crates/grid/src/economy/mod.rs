//! Money: what resources charge, what users allow, what was spent.
//!
//! A resource quotes one price for a whole job: its true time alone at full speed on the fastest PE
//! (MI / MIPS), times the price of a PE-second. Sharing, local load, estimate errors and failures
//! make jobs slower, not dearer, so the quote is what is paid: the money is set aside when a job is
//! sent, paid when it is finished, and given back when it is lost, cancelled or returned to its
//! scheduler. A scheduler that sends only what the quotes leave room for therefore never exceeds a
//! budget.
//!
//! Sums are whole millionths of a unit of money, so they add up exactly.
//!
//! Not here: prices that change, haggling, and storage or transfers that cost.

mod extremes;
mod ledger;
mod money;

pub use extremes::Extremes;
pub use ledger::{Account, Ledger, Terms};
pub use money::Money;

/// What a simulation comes to in money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Economy {
    /// Paid for finished jobs.
    pub spent: Money,
    /// Jobs that were sent and were not finished by their deadline.
    pub missed: u64,
    /// Jobs that were never sent because budget or deadline did not allow it.
    pub not_affordable: u64,
}
