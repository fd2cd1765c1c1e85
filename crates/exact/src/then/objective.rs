//! What the second stage makes small: a sum of costs, one per task, that depend on its host.

use gridsat_model::{HostId, Instance, Mapping, TaskId};

/// What to choose among the mappings of the same makespan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Then {
    /// The least sum of the times of all tasks: the hosts are busy for the shortest time.
    TotalTime,
    /// The fewest tasks on another host than in this mapping.
    FewestMoves {
        /// Where the tasks are now.
        from: Mapping,
    },
}

impl Then {
    /// The objective by its name in options and output.
    pub fn name(&self) -> &'static str {
        match self {
            Self::TotalTime => "total-time",
            Self::FewestMoves { .. } => "fewest-moves",
        }
    }

    /// The mapping that moves are counted from.
    pub(crate) fn from(&self) -> Option<&Mapping> {
        match self {
            Self::TotalTime => None,
            Self::FewestMoves { from } => Some(from),
        }
    }

    /// The sum of the costs: ticks, or the number of tasks that move.
    ///
    /// ```
    /// use gridsat_exact::solve::Then;
    /// use gridsat_model::{HostId, Instance, Mapping};
    ///
    /// let instance = Instance::from_rows([[4, 7], [3, 5]])?;
    /// let mapping = Mapping::new(&instance, vec![HostId(0), HostId(1)])?;
    /// assert_eq!(Then::TotalTime.value(&instance, &mapping), 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value(&self, instance: &Instance, mapping: &Mapping) -> u64 {
        let cost = |task| self.cost(instance, task, mapping.host(task));
        instance.tasks().map(cost).sum()
    }

    /// The cost of the task on the host, which must be able to run it.
    pub(super) fn cost(&self, instance: &Instance, task: TaskId, host: HostId) -> u64 {
        match self {
            Self::TotalTime => instance.time(task, host).map_or(u64::MAX, |time| time.0),
            Self::FewestMoves { from } => u64::from(from.host(task) != host),
        }
    }
}
