//! What applications may spend, and what they have spent.

use super::Money;
use gridsat_engine::time::Time;
use gridsat_workload::ContractId;

/// What a user demands for one application.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// All jobs should be finished by then.
    pub deadline: Option<Time>,
    /// They may cost so much together.
    pub budget: Option<Money>,
}

/// One application's money.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// What its user demands.
    pub terms: Terms,
    /// Set aside for jobs that are at resources.
    pub committed: Money,
    /// Paid for jobs that are finished.
    pub spent: Money,
}

impl Account {
    /// What is neither spent nor set aside.
    pub fn left(&self) -> Money {
        self.unspent().less(self.committed)
    }

    /// What is not spent; it is left if no more jobs finish.
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

    /// The account of a contract; without one there are no limits.
    pub fn account(&self, contract: Option<ContractId>) -> Account {
        let found = contract.and_then(|contract| self.0.get(contract.index()));
        found.copied().unwrap_or_default()
    }

    /// When the jobs of a contract are due.
    #[inline]
    pub fn deadline(&self, contract: Option<ContractId>) -> Option<Time> {
        self.0.get(contract?.index())?.terms.deadline
    }

    /// A job is sent.
    pub(in super::super) fn commit(&mut self, contract: Option<ContractId>, cost: Money) {
        self.change(contract, |account| account.committed += cost);
    }

    /// A job that was sent comes back, or leaves unfinished.
    pub(in super::super) fn release(&mut self, contract: Option<ContractId>, cost: Money) {
        self.change(contract, |account| account.committed = account.committed.less(cost));
    }

    /// A job that was sent is finished.
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
