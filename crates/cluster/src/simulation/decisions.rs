//! Decisions: each scheduler concerned makes a pass after the events of a tick.

use gridsat_engine::Engine;
use gridsat_engine::time::Time;

use super::ends::count_busy;
use super::{Event, Simulation, granted};
use crate::happening::Happening;
use crate::pool::Act;
use crate::queue_policy;

impl Simulation<'_> {
    /// Lets a scheduler decide after all events of this tick; it need not be woken then.
    #[inline]
    pub(super) fn concern(&mut self, owner: u32, engine: &mut Engine<Event>) {
        let pool = &mut self.pools[owner as usize];
        let is_new = !std::mem::replace(&mut pool.is_concerned, true);
        if pool.wake == engine.now() {
            self.wake_at(Time::NEVER, owner, engine);
        }
        if is_new {
            self.concerned.push(owner);
        }
    }

    #[inline]
    pub(super) fn decide(&mut self, engine: &mut Engine<Event>) {
        let mut next = 0;
        while let Some(&owner) = self.concerned.get(next) {
            next += 1;
            self.pass(owner, engine);
        }
        self.concerned.clear();
    }

    /// Lets a scheduler decide; again if it suspended jobs, which then wait like others.
    #[inline]
    fn pass(&mut self, owner: u32, engine: &mut Engine<Event>) {
        loop {
            let pool = &mut self.pools[owner as usize];
            pool.is_concerned = false;
            queue_policy::pass(pool, engine.now());
            if pool.acts.is_empty() || !self.carry_out(owner, engine) {
                break;
            }
        }
        let pool = &self.pools[owner as usize];
        if pool.wake != pool.plan.wake() {
            self.wake_at(pool.plan.wake(), owner, engine);
        }
    }

    /// Moves the wake-up event of a scheduler to another time, or removes it.
    #[inline(never)]
    fn wake_at(&mut self, time: Time, owner: u32, engine: &mut Engine<Event>) {
        let pool = &mut self.pools[owner as usize];
        if let Some(event) = pool.wake_event.take() {
            engine.cancel(event);
        }
        pool.wake = time;
        if time < Time::NEVER {
            pool.wake_event = Some(engine.schedule(time, Event::Wake { pool: owner }));
        }
    }

    /// Carries out the decisions of a scheduler; true if it suspended jobs.
    #[inline]
    fn carry_out(&mut self, owner: u32, engine: &mut Engine<Event>) -> bool {
        let mut suspended = false;
        let mut next = 0;
        while let Some(&act) = self.pools[owner as usize].acts.get(next) {
            next += 1;
            match act {
                Act::Start(slot) => self.start(owner, slot, engine),
                Act::Suspend(slot) => {
                    suspended = true;
                    self.suspend(owner, slot, engine);
                }
                Act::Reserve(..) | Act::Delay(..) => self.make_known(owner, act, engine.now()),
            }
        }
        self.pools[owner as usize].acts.clear();
        suspended
    }

    /// Reports a decision that changes nothing.
    #[inline(never)]
    fn make_known(&mut self, owner: u32, act: Act, now: Time) {
        let jobs = &self.pools[owner as usize].jobs;
        let number = |slot: u32| jobs[slot].spec.rigid.number;
        let what = match act {
            Act::Start(_) | Act::Suspend(_) => return,
            Act::Reserve(slot, start) => Happening::Reserved { job: number(slot), start },
            Act::Delay(slot, by, left) => Happening::Delayed { job: number(slot), by, left },
        };
        self.observer.happened(now, &what);
    }

    #[inline]
    pub(super) fn start(&mut self, owner: u32, slot: u32, engine: &mut Engine<Event>) {
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
        if let Some(queue) = &mut self.queue {
            queue.fall(now, 1);
        }
        tally.running += 1;
        if job.spec.terms.is_some() {
            tally.jobs.terms.started(pool.places.migration(&job.spec, &job.shares));
        }
        if self.is_followed {
            let number = job.spec.rigid.number;
            self.list_parts(owner, slot);
            let what = Happening::Started { job: number, parts: &self.parts };
            self.observer.happened(now, &what);
        }
    }

    #[inline(never)]
    pub(super) fn suspend(&mut self, owner: u32, slot: u32, engine: &mut Engine<Event>) {
        let now = engine.now();
        let pool = &mut self.pools[owner as usize];
        if let Some(event) = pool.jobs[slot].event.take() {
            engine.cancel(event);
        }
        let job = &pool.jobs[slot];
        let number = job.spec.rigid.number;
        count_busy(&mut self.tallies, pool, job, now);
        let tally = &mut self.tallies[job.spec.home.index()];
        tally.running -= 1;
        tally.queue.rise(now, 1);
        if let Some(queue) = &mut self.queue {
            queue.rise(now, 1);
        }
        self.report(now, &Happening::Suspended { job: number });
    }
}
