//! When to give up: a flag set from outside (Ctrl-C), a deadline, or both.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Tells a long computation when to stop; it is checked often. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    /// Flags of the stops from which this one was branched.
    above: Vec<Arc<AtomicBool>>,
    deadline: Option<Instant>,
    /// Set by whoever watches a limit that the clock on the wall does not show.
    expired: Option<Arc<AtomicBool>>,
    /// Checks left before it is due.
    patience: Option<Arc<AtomicU64>>,
    work: Option<Work>,
}

/// A limit on the work of this thread.
#[derive(Clone, Copy, Debug)]
struct Work {
    /// The work so far; wraps at 2⁶⁴.
    done: fn() -> u64,
    start: u64,
    limit: u64,
}

impl Stop {
    /// Never stops unless [`Stop::request`] is called.
    pub fn never() -> Self {
        Self::default()
    }

    /// Due after this many checks: a limit that does not depend on the speed of the computer.
    pub fn after(questions: u64) -> Self {
        Self { patience: Some(Arc::new(AtomicU64::new(questions))), ..Self::default() }
    }

    /// The same flag, with a deadline this long from now, unless the present one is sooner. A limit
    /// beyond the range of the clock is ignored.
    #[must_use]
    pub fn within(&self, limit: Duration) -> Self {
        let deadline = match (self.deadline, Instant::now().checked_add(limit)) {
            (Some(old), Some(new)) => Some(old.min(new)),
            (old, new) => old.or(new),
        };
        Self { deadline, ..self.clone() }
    }

    /// The same flag, also due once `expired` is set. For limits other than wall-clock time, which
    /// another thread watches; such a limit replaces an earlier one of this kind.
    #[must_use]
    pub fn until(&self, expired: Arc<AtomicBool>) -> Self {
        Self { expired: Some(expired), ..self.clone() }
    }

    /// The same flag, also due once `done`, which counts the work of this thread, has grown by more
    /// than the limit: like [`Stop::after`] it does not depend on the speed of the computer.
    #[must_use]
    pub fn within_work(&self, done: fn() -> u64, limit: u64) -> Self {
        Self { work: Some(Work { done, start: done(), limit }), ..self.clone() }
    }

    /// The same flag without the deadline and without the limit of [`Stop::until`], for short work
    /// that must be finished.
    #[must_use]
    pub fn without_deadline(&self) -> Self {
        Self { deadline: None, expired: None, ..self.clone() }
    }

    /// A stop with a separate flag that is also due whenever this one is.
    #[must_use]
    pub fn branch(&self) -> Self {
        let mut above = self.above.clone();
        above.push(Arc::clone(&self.flag));
        Self { flag: Arc::default(), above, ..self.clone() }
    }

    /// Requests a stop from all that share the flag.
    pub fn request(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether time will end it: a deadline, or a limit that another thread watches.
    pub fn is_limited(&self) -> bool {
        self.deadline.is_some() || self.expired.is_some()
    }

    /// Whether a stop was requested, whatever the deadline.
    pub fn is_requested(&self) -> bool {
        let is_set = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        is_set(&self.flag) || self.above.iter().any(is_set)
    }

    /// Whether it is time to stop: requested, past the deadline, or checked often enough.
    pub fn is_due(&self) -> bool {
        self.is_requested()
            || self.expired.as_ref().is_some_and(|expired| expired.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.patience.as_ref().is_some_and(is_used_up)
            || self.work.as_ref().is_some_and(Work::is_done)
    }
}

impl Work {
    fn is_done(&self) -> bool {
        (self.done)().wrapping_sub(self.start) > self.limit
    }
}

fn is_used_up(patience: &Arc<AtomicU64>) -> bool {
    let less = |left: u64| left.checked_sub(1);
    patience.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_reaches_every_clone() {
        let stop = Stop::never();
        let later = stop.within(Duration::from_secs(3600));
        assert!(!later.is_due());
        stop.request();
        assert!(later.is_due());
    }

    #[test]
    fn a_branch_stops_alone_and_with_the_rest() {
        let stop = Stop::never();
        let (one, other) = (stop.branch(), stop.branch());
        one.request();
        assert!(one.is_due() && !stop.is_due() && !other.is_due());
        stop.request();
        assert!(other.branch().is_due());
    }

    #[test]
    fn questions_are_counted_over_all_clones() {
        let stop = Stop::after(2);
        assert!(!stop.is_due() && !stop.clone().is_due());
        assert!(stop.is_due() && stop.branch().is_due());
    }

    #[test]
    fn work_is_counted_from_the_call_on() {
        thread_local! {
            static DONE: std::cell::Cell<u64> = const { std::cell::Cell::new(u64::MAX - 3) };
        }
        let stop = Stop::never().within_work(|| DONE.get(), 10);
        DONE.set(6);
        assert!(!stop.is_due() && !stop.branch().is_due());
        DONE.set(7);
        assert!(stop.is_due() && stop.clone().is_due() && !stop.is_requested());
    }

    #[test]
    fn a_limit_watched_elsewhere_is_like_a_deadline() {
        let expired = Arc::new(AtomicBool::new(false));
        let stop = Stop::never().until(Arc::clone(&expired));
        assert!(!stop.is_due());
        expired.store(true, Ordering::Relaxed);
        assert!(stop.is_due() && stop.branch().is_due());
        assert!(!stop.is_requested() && !stop.without_deadline().is_due());
    }

    #[test]
    fn the_sooner_deadline_wins() {
        let stop = Stop::never().within(Duration::ZERO);
        assert!(stop.is_due());
        assert!(stop.within(Duration::from_secs(3600)).is_due());
        assert!(!Stop::never().within(Duration::MAX).is_due());
    }
}
