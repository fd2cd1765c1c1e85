//! The event engine of the simulators: takes one event after the other and hands it to a [`World`].
//!
//! Events are ordered by time, then by when they were scheduled, so a run is the same every time.
//! Five things end it ([`End`]), as in figure 3.2 of the thesis: no events left, the time limit,
//! the job limit, no job activity for too long, or an event that asks for it. A sixth is an
//! interrupt from outside, which the world is asked for before every event.
//!
//! Beside it stands what all simulators share: moments ([`time::Time`]), [observers](Observer), and
//! [tables](Table) and [slabs](Slab) indexed by their own ids. What happens, and to whom, is not
//! known here. Names `gridsat-model` only.

mod observer;
mod queue;
mod slab;
mod table;
pub mod time;

pub use observer::{Observer, Reporter, Reports};
pub use queue::{EventId, Queue};
pub use slab::Slab;
pub use table::{Id, Table};

use crate::time::Time;
use gridsat_model::Ticks;

/// What events do.
pub trait World<E> {
    /// One event happens, at [`Engine::now`].
    fn handle(&mut self, event: E, engine: &mut Engine<E>);

    /// Whether it is to end from outside.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// When to stop, apart from having nothing to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StopRules {
    /// Events at this time or later do not happen.
    pub time: Option<Time>,
    /// Stop when this many jobs are finished.
    pub jobs: Option<u64>,
    /// Stop when no job has been active for longer than this.
    pub inactivity: Option<Ticks>,
}

/// Why a simulation stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing left to happen.
    NoEvents,
    /// The time limit.
    TimeLimit,
    /// The job limit.
    JobLimit,
    /// No job started, moved or finished for too long.
    Inactivity,
    /// An event asked for it.
    Asked,
    /// From outside.
    Interrupted,
}

impl End {
    /// In outputs.
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

/// Time and the events to come.
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
    /// At time 0, with nothing to come.
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

    /// The present.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Events that have happened.
    pub fn handled(&self) -> u64 {
        self.handled
    }

    /// Whether nothing is to come.
    pub fn is_idle(&self) -> bool {
        self.queue.is_empty()
    }

    /// An event for later, or for now after everything else that is due now. What lies in the past
    /// happens now.
    pub fn schedule(&mut self, time: Time, event: E) -> EventId {
        self.queue.push(time.max(self.now), event)
    }

    /// Takes an event back; `None` if it has happened.
    pub fn cancel(&mut self, id: EventId) -> Option<E> {
        self.queue.cancel(id)
    }

    /// Moves an event. False if it has happened.
    pub fn reschedule(&mut self, id: EventId, time: Time) -> bool {
        self.queue.reschedule(id, time.max(self.now))
    }

    /// A job did something: the wait of the inactivity rule starts again.
    pub fn job_was_active(&mut self) {
        self.last_activity = self.now;
    }

    /// A job is finished.
    pub fn job_finished(&mut self) {
        self.finished_jobs += 1;
        self.job_was_active();
    }

    /// Ends the simulation after this event.
    pub fn end(&mut self) {
        self.is_over = true;
    }

    /// Lets events happen until something ends it.
    pub fn run(&mut self, world: &mut impl World<E>) -> End {
        loop {
            if let Some(end) = self.must_end() {
                return end;
            }
            if world.is_interrupted() {
                return End::Interrupted;
            }
            let (time, event) = self.queue.pop().expect("there are events, or it had ended");
            self.now = time;
            self.handled += 1;
            world.handle(event, self);
        }
    }

    fn must_end(&self) -> Option<End> {
        if self.is_over {
            return Some(End::Asked);
        }
        let Some(next) = self.queue.next_time() else { return Some(End::NoEvents) };
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

    /// Each event sets the next, three ticks later; the seventh asks for the end.
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
