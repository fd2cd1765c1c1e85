//! Budgets and spending of applications.

use super::Money;
use gridsat_engine::time::Time;
use gridsat_workload::ContractId;

/// Budget and deadline that a user sets for one application.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Time by which all jobs should be finished.
    pub deadline: Option<Time>,
    /// Largest total cost of all jobs.
    pub budget: Option<Money>,
}

/// The account of one application.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Its budget and deadline.
    pub terms: Terms,
    /// Amount set aside for jobs that are at resources.
    pub committed: Money,
    /// Amount paid for finished jobs.
    pub spent: Money,
}

impl Account {
    /// The part of the budget that is neither spent nor set aside.
    pub fn left(&self) -> Money {
        self.unspent().less(self.committed)
    }

    /// The part of the budget that is not spent.
    pub fn unspent(&self) -> Money {
        self.terms.budget.map_or(Money::MAX, |budget| budget.less(self.spent))
    }
}

/// All accounts.
#[derive(Clone, Debug, Default)]
pub struct Ledger(Vec<Account>);

impl Ledger {
    pub(in super::super) fn new(terms: Vec<Terms>) -> Self {
        let open = |terms| Account { terms, ..Account::default() };
        Self(terms.into_iter().map(open).collect())
    }

    pub(in super::super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The account of a contract; without a contract there are no limits.
    pub fn account(&self, contract: Option<ContractId>) -> Account {
        let found = contract.and_then(|contract| self.0.get(contract.index()));
        found.copied().unwrap_or_default()
    }

    /// The deadline of a contract, if it has one.
    #[inline]
    pub fn deadline(&self, contract: Option<ContractId>) -> Option<Time> {
        self.0.get(contract?.index())?.terms.deadline
    }

    /// Sets money aside for a job that is sent.
    pub(in super::super) fn commit(&mut self, contract: Option<ContractId>, cost: Money) {
        self.change(contract, |account| account.committed += cost);
    }

    /// Returns the money of a job that comes back or leaves unfinished.
    pub(in super::super) fn release(&mut self, contract: Option<ContractId>, cost: Money) {
        self.change(contract, |account| account.committed = account.committed.less(cost));
    }

    /// Pays for a finished job.
    pub(in super::super) fn pay(&mut self, contract: Option<ContractId>, cost: Money) {
        self.release(contract, cost);
        self.change(contract, |account| account.spent += cost);
    }

    fn change(&mut self, contract: Option<ContractId>, change: impl FnOnce(&mut Account)) {
        if let Some(account) = contract.and_then(|contract| self.0.get_mut(contract.index())) {
            change(account);
        }
    }
}
