//! How a host completes tasks while a heuristic assigns them.
//!
//! Heuristics know a task's base time on a host, `instance.time(t, h)`; when the task would be
//! completed there also depends on the host's other tasks. A dedicated host with one processor is a
//! queue: completion is the time it becomes free plus the base time. Hosts that share their
//! processors, have several or serve local users first implement [`HostModel`].
//!
//! Times count from the moment of the decision. `Ticks::MAX` means never.

use gridsat_model::Ticks;

/// A host that is not a plain queue.
pub trait HostModel: Send + Sync {
    /// The completion time of a task of this base time if it were assigned now; `None` if never.
    ///
    /// A longer base time must not complete earlier. A task that is never completed must stay so,
    /// whatever is assigned.
    fn completion(&self, time: Ticks) -> Option<Ticks>;

    /// Assigns a task of this base time.
    fn assign(&mut self, time: Ticks);

    /// The time until the host could start another task.
    fn delay(&self) -> Ticks;

    /// Whether completions never get earlier as tasks are assigned. Heuristics are faster then.
    fn is_monotone(&self) -> bool {
        true
    }

    /// A copy on which assignments can be tried.
    fn fork(&self) -> Box<dyn HostModel>;
}

/// A host's state while tasks are assigned.
pub enum HostState {
    /// Runs one task after another; free at this time.
    Queue(Ticks),
    /// A host with its own model.
    Other(Box<dyn HostModel>),
}

impl HostState {
    /// The completion time of a task of this base time; `Ticks::MAX` if never.
    #[inline]
    pub fn completion(&self, time: Ticks) -> Ticks {
        match self {
            Self::Queue(free) => free.saturating_add(time),
            Self::Other(model) => model.completion(time).unwrap_or(Ticks::MAX),
        }
    }

    /// Assigns a task of this base time.
    #[inline]
    pub fn assign(&mut self, time: Ticks) {
        match self {
            Self::Queue(free) => *free = free.saturating_add(time),
            Self::Other(model) => model.assign(time),
        }
    }

    /// The time until the host could start another task.
    #[inline]
    pub fn delay(&self) -> Ticks {
        match self {
            Self::Queue(free) => *free,
            Self::Other(model) => model.delay(),
        }
    }

    /// Whether completions never get earlier as tasks are assigned.
    pub fn is_monotone(&self) -> bool {
        match self {
            Self::Queue(_) => true,
            Self::Other(model) => model.is_monotone(),
        }
    }
}

impl Clone for HostState {
    fn clone(&self) -> Self {
        match self {
            Self::Queue(free) => Self::Queue(*free),
            Self::Other(model) => Self::Other(model.fork()),
        }
    }
}
