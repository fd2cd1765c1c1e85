//! Decisions: each scheduler concerned makes a pass after the events of a tick.

use gridsat_engine::Engine;
use gridsat_engine::time::Time;

use super::{Event, Simulation, granted};
use crate::happening::Happening;
use crate::pool::Act;

impl Simulation<'_> {
    /// Lets a scheduler decide after all events of this tick; it need not be woken then.
    #[inline]
    pub(super) fn concern(&mut self, owner: u32, engine: &mut Engine<Event>) {
        let wake = &mut self.wakes[owner as usize];
        if let Some((_, event)) = wake.take_if(|(time, _)| *time == engine.now()) {
            engine.cancel(event);
        }
        let pool = &mut self.pools[owner as usize];
        if !std::mem::replace(&mut pool.is_concerned, true) {
            self.concerned.push(owner);
        }
    }

    pub(super) fn decide(&mut self, engine: &mut Engine<Event>) {
        for index in 0..self.concerned.len() {
            let owner = self.concerned[index];
            self.pools[owner as usize].is_concerned = false;
            self.pass(owner, engine);
        }
        self.concerned.clear();
    }

    /// Lets a scheduler decide; again if it suspended jobs, which then wait like others.
    #[inline]
    fn pass(&mut self, owner: u32, engine: &mut Engine<Event>) {
        let mut again = true;
        while again {
            let pool = &mut self.pools[owner as usize];
            pool.policy.pass(pool, engine.now());
            again = !pool.acts.is_empty() && self.carry_out(owner, engine);
        }
        self.set_wake(owner, engine);
    }

    /// Carries out the decisions of a scheduler; true if it suspended jobs.
    fn carry_out(&mut self, owner: u32, engine: &mut Engine<Event>) -> bool {
        let mut suspended = false;
        let mut acts = std::mem::take(&mut self.pools[owner as usize].acts);
        for act in acts.drain(..) {
            suspended |= matches!(act, Act::Suspend(_));
            self.make_known(owner, act, engine);
        }
        self.pools[owner as usize].acts = acts;
        suspended
    }

    /// Moves the wake-up event to the next planned start.
    #[inline]
    fn set_wake(&mut self, owner: u32, engine: &mut Engine<Event>) {
        let wanted = self.pools[owner as usize].plan.wake();
        if self.wakes[owner as usize].map(|(time, _)| time) != wanted {
            self.move_wake(owner, wanted, engine);
        }
    }

    fn move_wake(&mut self, owner: u32, wanted: Option<Time>, engine: &mut Engine<Event>) {
        let wake = &mut self.wakes[owner as usize];
        if let Some((_, event)) = wake.take() {
            engine.cancel(event);
        }
        *wake = wanted.map(|time| (time, engine.schedule(time, Event::Wake { pool: owner })));
    }

    fn make_known(&mut self, owner: u32, act: Act, engine: &mut Engine<Event>) {
        let now = engine.now();
        let jobs = &self.pools[owner as usize].jobs;
        let number = |slot: u32| jobs[slot].spec.rigid.number;
        let what = match act {
            Act::Start(slot) => return self.start(owner, slot, engine),
            Act::Suspend(slot) => return self.suspend(owner, slot, engine),
            Act::Reserve(slot, start) => Happening::Reserved { job: number(slot), start },
            Act::Delay(slot, by, left) => Happening::Delayed { job: number(slot), by, left },
        };
        self.observer.happened(now, &what);
    }

    #[inline]
    fn start(&mut self, owner: u32, slot: u32, engine: &mut Engine<Event>) {
        let now = engine.now();
        engine.job_was_active();
        let pool = &mut self.pools[owner as usize];
        let job = &mut pool.jobs[slot];
        job.first.get_or_insert(now);
        job.end = now + job.pace.span(granted(job, self.overrun), job.done);
        let due = pool.policy.due(job);
        job.event = Some(engine.schedule(due, Event::Due { pool: owner, slot }));
        let tally = &mut self.tallies[job.spec.home.index()];
        tally.queue.fall(now, 1);
        self.queue.fall(now, 1);
        tally.running += 1;
        if self.is_watched {
            let number = job.spec.rigid.number;
            self.list_parts(owner, slot);
            let what = Happening::Started { job: number, parts: &self.parts };
            self.observer.happened(now, &what);
        }
    }

    fn suspend(&mut self, owner: u32, slot: u32, engine: &mut Engine<Event>) {
        let now = engine.now();
        let job = &mut self.pools[owner as usize].jobs[slot];
        if let Some(event) = job.event.take() {
            engine.cancel(event);
        }
        let (number, home) = (job.spec.rigid.number, job.spec.home);
        self.release(owner, slot, now);
        self.tallies[home.index()].queue.rise(now, 1);
        self.queue.rise(now, 1);
        self.report(now, &Happening::Suspended { job: number });
    }
}
