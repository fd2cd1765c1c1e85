//! The list of all policies.

use gridsat_model::names;
use thiserror::Error;

use super::equal::Equal;
use super::gridsim::GridSim;
use super::gsim::GSim;
use super::space_shared::SpaceShared;
use super::{Allocation, Ordered, Pes, Queue};

/// How a resource divides its PEs among jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AllocationPolicy {
    /// One job per PE; the others wait first come, first served.
    SpaceShared,
    /// Jobs on one or several PEs; the others wait in this order.
    Queued(Queue),
    /// Jobs are bound to PEs, whose jobs share them equally, and move when PEs become unbalanced.
    GSim,
    /// An integer number of jobs shares each PE, the earlier jobs with fewer others.
    GridSim,
    /// All jobs get the same share of all PEs.
    Equal,
}

/// Why a policy cannot be used with these PEs.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AllocationError {
    /// Time sharing requires that all PEs have the same rate.
    #[error("{} needs PEs of equal rate; {} accepts \
        any", .0.name(), AllocationPolicy::SpaceShared.name())]
    DifferentRates(AllocationPolicy),
}

impl AllocationPolicy {
    /// All policies.
    pub const ALL: [Self; 7] = [
        Self::SpaceShared,
        Self::Queued(Queue::Fcfs),
        Self::Queued(Queue::Sjf),
        Self::Queued(Queue::Backfill),
        Self::GSim,
        Self::GridSim,
        Self::Equal,
    ];

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::SpaceShared => "space-shared",
            Self::Queued(Queue::Fcfs) => "space-shared-fcfs",
            Self::Queued(Queue::Sjf) => "space-shared-sjf",
            Self::Queued(Queue::Backfill) => "space-shared-backfill",
            Self::GSim => "time-shared-gsim",
            Self::GridSim => "time-shared-gridsim",
            Self::Equal => "time-shared",
        }
    }

    /// Whether PEs run one job at a time.
    pub fn is_space_shared(self) -> bool {
        matches!(self, Self::SpaceShared | Self::Queued(_))
    }

    /// Whether a job may have several PEs.
    pub fn has_wide_jobs(self) -> bool {
        matches!(self, Self::Queued(_))
    }

    /// The policy with this name, compared as by [`names::fold`].
    pub fn by_name(name: &str) -> Option<Self> {
        names::find(Self::ALL, |policy| [policy.name()], name)
    }

    /// The names of all policies.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.into_iter().map(Self::name)
    }

    /// A resource with idle PEs under this policy, at time 0 and full speed.
    pub fn build(self, pes: &Pes) -> Result<Box<dyn Allocation>, AllocationError> {
        if !self.is_space_shared() && !pes.are_alike() {
            return Err(AllocationError::DifferentRates(self));
        }
        Ok(match self {
            Self::SpaceShared => Box::new(SpaceShared::new(pes)),
            Self::Queued(order) => Box::new(Ordered::new(order, pes)),
            Self::GSim => Box::new(GSim::new(pes.count())),
            Self::GridSim => Box::new(GridSim::new(pes.count())),
            Self::Equal => Box::new(Equal::new(pes.count())),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_each_by_its_own_name() {
        for policy in AllocationPolicy::ALL {
            assert_eq!(AllocationPolicy::by_name(policy.name()), Some(policy));
        }
        let space_shared = Some(AllocationPolicy::SpaceShared);
        assert_eq!(AllocationPolicy::by_name("SpaceShared"), space_shared);
        assert_eq!(AllocationPolicy::by_name("shared"), None);
        assert_eq!(AllocationPolicy::names().count(), 7);
    }

    #[test]
    fn only_space_sharing_takes_pes_of_different_rates() {
        let pes = Pes::new(&[(1, 1.0), (1, 2.0)]).expect("two");
        for policy in AllocationPolicy::ALL {
            assert_eq!(policy.build(&pes).is_ok(), policy.is_space_shared());
        }
        let error = AllocationPolicy::GSim.build(&pes).err().expect("refused").to_string();
        assert_eq!(error, "time-shared-gsim needs PEs of equal rate; space-shared accepts any");
    }
}
