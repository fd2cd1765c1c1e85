//! The event engine of the simulators: takes the events in order of time and passes each to a
//! [`World`].
//!
//! Events are ordered by time, and events at the same time by when they were scheduled, so that a
//! run is reproducible. A run ends for one of six reasons ([`End`]). Five are those of figure 3.2
//! of the thesis: no events left, the time limit, the job limit, no job activity for too long, or
//! an event that requests the end. The sixth is an interrupt from outside, for which the engine
//! polls the world before every event.
//!
//! The crate also holds what all simulators share: simulated times ([`time::Time`]),
//! [observers](Observer), and [tables](Table) and [slabs](Slab) indexed by typed ids. The engine
//! does not know what the events mean. Depends on `gridsat-model` only.

mod observer;
mod queue;
mod slab;
mod table;
pub mod time;

pub use observer::{Observer, Reporter, Reports};
pub use queue::{EventId, Queue};
pub use slab::Slab;
pub use table::{Id, Table};

use crate::queue::Key;
use crate::time::Time;
use gridsat_model::Ticks;

/// The state of a simulation, which events change.
pub trait World<E> {
    /// Processes one event at the time [`Engine::now`]; may schedule, move and cancel others.
    fn handle(&mut self, event: E, engine: &mut Engine<E>);

    /// Whether the run has been interrupted from outside. Polled before every event.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// When to stop before the events run out. `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StopRules {
    /// Events at this time or later are not processed.
    pub time: Option<Time>,
    /// Stop when this many jobs have finished.
    pub jobs: Option<u64>,
    /// Stop before the first event that is more than this many ticks after the last job activity.
    pub inactivity: Option<Ticks>,
}

/// Why a simulation stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// No events were left.
    NoEvents,
    /// The next event is at or after [`StopRules::time`].
    TimeLimit,
    /// [`StopRules::jobs`] jobs have finished.
    JobLimit,
    /// No job started, moved or finished for longer than [`StopRules::inactivity`].
    Inactivity,
    /// An event called [`Engine::end`].
    Asked,
    /// [`World::is_interrupted`] returned true.
    Interrupted,
}

impl End {
    /// The name used in output files.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoEvents => "no-events",
            Self::TimeLimit => "time-limit",
            Self::JobLimit => "job-limit",
            Self::Inactivity => "inactivity",
            Self::Asked => "asked",
            Self::Interrupted => "interrupted",
        }
    }
}

/// The simulated clock and the queue of pending events.
pub struct Engine<E> {
    queue: Queue<E>,
    now: Time,
    rules: StopRules,
    last_activity: Time,
    finished_jobs: u64,
    handled: u64,
    is_over: bool,
}

impl<E> Engine<E> {
    /// An engine at time 0 without pending events.
    pub fn new(rules: StopRules) -> Self {
        Self {
            queue: Queue::default(),
            now: Time::ZERO,
            rules,
            last_activity: Time::ZERO,
            finished_jobs: 0,
            handled: 0,
            is_over: false,
        }
    }

    /// The current simulated time.
    #[inline]
    pub fn now(&self) -> Time {
        self.now
    }

    /// Number of events processed so far.
    #[inline]
    pub fn handled(&self) -> u64 {
        self.handled
    }

    /// Whether no events are pending.
    pub fn is_idle(&self) -> bool {
        self.queue.is_empty()
    }

    /// The time of the next pending event; `None` without one.
    #[inline]
    pub fn next_time(&mut self) -> Option<Time> {
        self.queue.next_time()
    }

    /// Schedules an event after all others that are pending at the same time. A time in the past
    /// counts as now.
    #[inline(always)]
    pub fn schedule(&mut self, time: Time, event: E) -> EventId {
        self.queue.push(time.max(self.now), event)
    }

    /// Schedules the next event of a source whose events come one after the other: as
    /// [`Engine::schedule`], but faster for one event at a time, which cannot be cancelled or
    /// moved.
    #[inline]
    pub fn expect(&mut self, time: Time, event: E) {
        self.queue.push_beside(time.max(self.now), event);
    }

    /// Cancels an event and returns it; `None` if it is no longer pending.
    pub fn cancel(&mut self, id: EventId) -> Option<E> {
        self.queue.cancel(id)
    }

    /// Moves an event to another time, as in [`Engine::schedule`]. False if it is no longer
    /// pending.
    pub fn reschedule(&mut self, id: EventId, time: Time) -> bool {
        self.queue.reschedule(id, time.max(self.now))
    }

    /// Reports job activity, which restarts the period of the inactivity rule.
    #[inline]
    pub fn job_was_active(&mut self) {
        self.last_activity = self.now;
    }

    /// Counts a finished job, for the job limit; this is job activity too.
    #[inline]
    pub fn job_finished(&mut self) {
        self.finished_jobs += 1;
        self.job_was_active();
    }

    /// Ends the simulation after the current event.
    pub fn end(&mut self) {
        self.is_over = true;
    }

    /// Processes events until one of the reasons of [`End`] applies.
    pub fn run(&mut self, world: &mut impl World<E>) -> End {
        loop {
            let next = self.queue.next_key();
            if let Some(end) = self.must_end(next.map(Key::time)) {
                return end;
            }
            if world.is_interrupted() {
                return End::Interrupted;
            }
            let next = next.expect("there are events, or it had ended");
            self.now = next.time();
            self.handled += 1;
            let event = self.queue.take(next);
            world.handle(event, self);
        }
    }

    /// Why it must end before the next event, if it must.
    #[inline]
    fn must_end(&self, next: Option<Time>) -> Option<End> {
        if self.is_over {
            return Some(End::Asked);
        }
        let Some(next) = next else { return Some(End::NoEvents) };
        if self.rules.jobs.is_some_and(|jobs| self.finished_jobs >= jobs) {
            return Some(End::JobLimit);
        }
        if self.rules.time.is_some_and(|limit| next >= limit) {
            return Some(End::TimeLimit);
        }
        let quiet = next - self.last_activity;
        self.rules.inactivity.is_some_and(|limit| quiet > limit).then_some(End::Inactivity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each event schedules the next three ticks later; the seventh requests the end.
    struct Clockwork {
        times: Vec<u64>,
        finishes_jobs: bool,
    }

    impl World<u32> for Clockwork {
        fn handle(&mut self, number: u32, engine: &mut Engine<u32>) {
            self.times.push((engine.now().0).0);
            if self.finishes_jobs {
                engine.job_finished();
            }
            if number == 7 {
                engine.end();
            }
            engine.schedule(engine.now() + Ticks(3), number + 1);
        }
    }

    fn run(rules: StopRules, finishes_jobs: bool) -> (End, Vec<u64>) {
        let mut world = Clockwork { times: Vec::new(), finishes_jobs };
        let mut engine = Engine::new(rules);
        engine.schedule(Time(Ticks(0)), 1);
        (engine.run(&mut world), world.times)
    }

    #[test]
    fn stops_by_each_rule() {
        let none = StopRules::default();
        assert_eq!(run(none, true), (End::Asked, vec![0, 3, 6, 9, 12, 15, 18]));
        let time = StopRules { time: Some(Time(Ticks(6))), ..none };
        assert_eq!(run(time, true), (End::TimeLimit, vec![0, 3]));
        let jobs = StopRules { jobs: Some(4), ..none };
        assert_eq!(run(jobs, true), (End::JobLimit, vec![0, 3, 6, 9]));
        let quiet = StopRules { inactivity: Some(Ticks(6)), ..none };
        assert_eq!(run(quiet, false), (End::Inactivity, vec![0, 3, 6]));
        assert_eq!(run(quiet, true).0, End::Asked);
        let mut empty = Engine::<u32>::new(none);
        let mut world = Clockwork { times: Vec::new(), finishes_jobs: false };
        assert_eq!(empty.run(&mut world), End::NoEvents);
    }

    #[test]
    fn an_interrupt_ends_it_before_the_next_event() {
        struct Impatient(u32);
        impl World<u32> for Impatient {
            fn handle(&mut self, number: u32, engine: &mut Engine<u32>) {
                self.0 += 1;
                engine.schedule(engine.now() + Ticks(1), number);
            }

            fn is_interrupted(&self) -> bool {
                self.0 == 3
            }
        }
        let mut engine = Engine::new(StopRules::default());
        engine.schedule(Time(Ticks(0)), 1);
        assert_eq!(engine.run(&mut Impatient(0)), End::Interrupted);
        assert_eq!((engine.handled(), engine.now()), (3, Time(Ticks(2))));
    }

    #[test]
    fn equal_times_keep_their_order() {
        struct Order(Vec<u32>);
        impl World<u32> for Order {
            fn handle(&mut self, number: u32, engine: &mut Engine<u32>) {
                self.0.push(number);
                if number == 1 {
                    engine.schedule(engine.now(), 9);
                    engine.schedule(Time(Ticks(0)), 10);
                }
            }
        }
        let mut engine = Engine::new(StopRules::default());
        for number in 1..5 {
            engine.schedule(Time(Ticks(4)), number);
        }
        let mut world = Order(Vec::new());
        engine.run(&mut world);
        assert_eq!(world.0, [1, 2, 3, 4, 9, 10]);
    }
}
