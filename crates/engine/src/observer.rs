//! Observers: how a simulation reports what happens. The simulation keeps only sums over the jobs
//! that have left; an observer receives each of these jobs, and every event.
//!
//! `()` ignores everything. A pair, an option or a vector of observers is an observer too.

use crate::time::Time;

/// What one kind of simulation reports.
pub trait Reports {
    /// What is reported when something happens.
    type Happening<'a>;
    /// What is reported about a job that leaves.
    type Record<'a>;
}

/// Receives what happens in a simulation, in order of time.
pub trait Observer<S: Reports> {
    /// Something happened at the time `_now`.
    fn happened(&mut self, _now: Time, _what: &S::Happening<'_>) {}

    /// A job left the system.
    fn left(&mut self, _job: &S::Record<'_>) {}

    /// Whether the simulation should end. Polled before every event; clusters poll an observer that
    /// does not follow events less often.
    fn wants_end(&self) -> bool {
        false
    }

    /// False if the observer ignores all reports and never ends the simulation. Asked once, at the
    /// start.
    fn is_watching(&self) -> bool {
        true
    }

    /// False if the observer ignores what happens, other than jobs that leave. Asked once, at the
    /// start.
    fn follows_events(&self) -> bool {
        self.is_watching()
    }

    /// False if the observer ignores jobs that leave. Asked once, at the start.
    fn follows_jobs(&self) -> bool {
        self.is_watching()
    }
}

impl<S: Reports> Observer<S> for () {
    fn is_watching(&self) -> bool {
        false
    }
}

impl<S: Reports, O: Observer<S> + ?Sized> Observer<S> for &mut O {
    fn happened(&mut self, now: Time, what: &S::Happening<'_>) {
        (**self).happened(now, what);
    }

    fn left(&mut self, job: &S::Record<'_>) {
        (**self).left(job);
    }

    fn wants_end(&self) -> bool {
        (**self).wants_end()
    }

    fn is_watching(&self) -> bool {
        (**self).is_watching()
    }

    fn follows_events(&self) -> bool {
        (**self).follows_events()
    }

    fn follows_jobs(&self) -> bool {
        (**self).follows_jobs()
    }
}

/// A collection or a pair of observers passes each call to its members in turn.
macro_rules! observe_each {
    ([$($generics:tt)*] $several:ty, $self:ident, $all:expr, $all_mut:expr) => {
        impl<S: Reports, $($generics)*> Observer<S> for $several {
            fn happened(&mut $self, now: Time, what: &S::Happening<'_>) {
                $all_mut.for_each(|one| one.happened(now, what));
            }

            fn left(&mut $self, job: &S::Record<'_>) {
                $all_mut.for_each(|one| one.left(job));
            }

            fn wants_end(&$self) -> bool {
                $all.any(|one| one.wants_end())
            }

            fn is_watching(&$self) -> bool {
                $all.any(|one| one.is_watching())
            }

            fn follows_events(&$self) -> bool {
                $all.any(|one| one.follows_events())
            }

            fn follows_jobs(&$self) -> bool {
                $all.any(|one| one.follows_jobs())
            }
        }
    };
}

observe_each!([O: Observer<S>] Vec<O>, self, self.iter(), self.iter_mut());
observe_each!([O: Observer<S>] Option<O>, self, self.iter(), self.iter_mut());
observe_each!(
    [A: Observer<S>, B: Observer<S>] (A, B),
    self,
    [&self.0 as &dyn Observer<S>, &self.1].into_iter(),
    [&mut self.0 as &mut dyn Observer<S>, &mut self.1].into_iter()
);

/// The observer of a running simulation. What it ignores costs nothing.
pub struct Reporter<'a, S: Reports> {
    observer: Option<&'a mut dyn Observer<S>>,
    follows_events: bool,
    follows_jobs: bool,
}

impl<'a, S: Reports> Reporter<'a, S> {
    /// Wraps an observer, or nothing if it ignores all reports.
    pub fn new(observer: &'a mut dyn Observer<S>) -> Self {
        let follows_events = observer.follows_events();
        let follows_jobs = observer.follows_jobs();
        let observer = observer.is_watching().then_some(observer);
        Self { observer, follows_events, follows_jobs }
    }

    /// Whether the observer follows jobs that leave; otherwise no record is needed.
    #[inline]
    pub fn follows_jobs(&self) -> bool {
        self.follows_jobs
    }

    /// Reports that something happened.
    #[inline]
    pub fn happened(&mut self, now: Time, what: &S::Happening<'_>) {
        if self.follows_events
            && let Some(observer) = &mut self.observer
        {
            observer.happened(now, what);
        }
    }

    /// Reports that a job left.
    #[inline]
    pub fn left(&mut self, job: &S::Record<'_>) {
        if self.follows_jobs
            && let Some(observer) = &mut self.observer
        {
            observer.left(job);
        }
    }

    /// Whether the observer wants the simulation to end.
    #[inline]
    pub fn wants_end(&self) -> bool {
        self.observer.as_ref().is_some_and(|observer| observer.wants_end())
    }
}
