//! One run of a search: its budget, and the best mapping found.

use std::time::Duration;

use rand_chacha::ChaCha8Rng;

use super::State;
use gridsat_model::{HostId, Instance, Mapping, Stop, Ticks};
use gridsat_statistics::random;

/// Limits of a run. Without limits, a search ends by its own rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Most makespans that may be computed, of whole mappings or after a step.
    pub evaluations: Option<u64>,
    /// Wall-clock time from the start of the run. A run that ends by it is not reproducible.
    pub time: Option<Duration>,
}

impl Budget {
    /// A stop that is due when `stop` is, or when the time is over.
    pub fn limit(self, stop: &Stop) -> Stop {
        self.time.map_or_else(|| stop.clone(), |time| stop.within(time))
    }
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The best mapping seen.
    pub mapping: Mapping,
    /// Number of makespans computed. The start is not counted.
    pub evaluations: u64,
    /// Whether a limit or the caller ended the run, rather than the search's own rules.
    pub is_cut_short: bool,
}

/// Elementary operations between two checks of the time: some tens of microseconds.
const OPERATIONS_PER_LOOK: usize = 1 << 14;

/// A running search: its budget, its random numbers and the best mapping so far.
pub struct Run<'a> {
    instance: &'a Instance,
    seed: u64,
    limit: u64,
    stop: Stop,
    evaluations: u64,
    operations: usize,
    is_over: bool,
    best: Vec<HostId>,
    makespan: Ticks,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        instance: &'a Instance,
        start: Mapping,
        seed: u64,
        budget: Budget,
        stop: &Stop,
    ) -> Self {
        let mut run = Self {
            instance,
            seed,
            limit: budget.evaluations.unwrap_or(u64::MAX),
            stop: budget.limit(stop),
            evaluations: 0,
            operations: 0,
            is_over: false,
            makespan: start.makespan(),
            best: start.hosts().to_vec(),
        };
        run.look();
        run
    }

    /// The instance to be mapped.
    pub fn instance(&self) -> &'a Instance {
        self.instance
    }

    /// A random generator of this search; parts of a search that must not influence each other use
    /// different indices.
    pub fn random(&self, index: u64) -> ChaCha8Rng {
        random::stream(self.seed, "search", index)
    }

    /// Requests one evaluation that takes about this many elementary operations, and counts it. If
    /// the answer is `false` the search must return; it may [`Run::offer`] what it has.
    #[inline]
    #[must_use]
    pub fn may_evaluate(&mut self, operations: usize) -> bool {
        self.operations += operations;
        if self.operations >= OPERATIONS_PER_LOOK {
            self.look();
        }
        if self.is_over || self.evaluations == self.limit {
            self.is_over = true;
            return false;
        }
        self.evaluations += 1;
        true
    }

    /// Whether a limit or the caller has ended the run.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The smallest makespan so far.
    pub fn makespan(&self) -> Ticks {
        self.makespan
    }

    /// The best mapping so far, to continue from.
    pub fn best(&self) -> Mapping {
        let hosts = self.best.clone();
        Mapping::new(self.instance, hosts).expect("only mappings of the instance are offered")
    }

    /// Keeps the mapping if it is the best so far.
    #[inline]
    pub fn offer(&mut self, state: &State) {
        if state.makespan() < self.makespan {
            self.keep(state.hosts(), state.makespan());
        }
    }

    /// Like [`Run::offer`], for a mapping.
    pub fn offer_mapping(&mut self, mapping: &Mapping) {
        if mapping.makespan() < self.makespan {
            self.keep(mapping.hosts(), mapping.makespan());
        }
    }

    fn keep(&mut self, hosts: &[HostId], makespan: Ticks) {
        self.best.copy_from_slice(hosts);
        self.makespan = makespan;
    }

    #[cold]
    fn look(&mut self) {
        self.operations = 0;
        self.is_over |= self.stop.is_due();
    }

    /// The result. The loads of the best mapping are computed again from the instance.
    pub(super) fn finish(self) -> Found {
        let mapping = self.best();
        assert_eq!(mapping.makespan(), self.makespan, "loads are kept exactly");
        Found { mapping, evaluations: self.evaluations, is_cut_short: self.is_over }
    }
}
