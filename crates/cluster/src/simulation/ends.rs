//! Ends of jobs, and what is counted then.

use gridsat_engine::Engine;
use gridsat_engine::time::Time;

use super::{Event, Simulation, granted};
use crate::happening::{Happening, JobRecord, Outcome};
use crate::pool::{Active, Pool, nodes};
use crate::statistics::Collector;

impl Simulation<'_> {
    /// Ends a job, or gives it a new expected end if it runs on.
    pub(super) fn due(&mut self, owner: u32, slot: u32, engine: &mut Engine<Event>) {
        let pool = &mut self.pools[owner as usize];
        if pool.jobs[slot].end > engine.now() {
            pool.extend(slot, engine.now());
            let job = &mut pool.jobs[slot];
            let due = pool.policy.due(job);
            job.event = Some(engine.schedule(due, Event::Due { pool: owner, slot }));
        } else {
            self.end(owner, slot, engine);
        }
        self.concern(owner, engine);
    }

    #[inline]
    fn end(&mut self, owner: u32, slot: u32, engine: &mut Engine<Event>) {
        let now = engine.now();
        engine.job_finished();
        self.makespan = now;
        self.release(owner, slot, now);
        if self.is_watched {
            self.list_parts(owner, slot);
        }
        self.record(owner, slot, now);
        let pool = &mut self.pools[owner as usize];
        pool.finish(slot, now);
        pool.leave(slot);
    }

    /// Counts a job as no longer running.
    #[inline]
    pub(super) fn release(&mut self, owner: u32, slot: u32, now: Time) {
        let pool = &self.pools[owner as usize];
        let job = &pool.jobs[slot];
        self.tallies[job.spec.home.index()].running -= 1;
        count_busy(&mut self.tallies, pool, job, now);
    }

    /// Counts the busy time of jobs that still run at the end.
    pub(super) fn count_running(&mut self, end: Time) {
        for pool in &self.pools {
            for release in pool.releases.iter() {
                count_busy(&mut self.tallies, pool, &pool.jobs[release.slot], end);
            }
        }
    }

    #[inline]
    fn record(&mut self, owner: u32, slot: u32, now: Time) {
        let job = &self.pools[owner as usize].jobs[slot];
        let (rigid, home) = (job.spec.rigid, job.spec.home);
        let was_cut = granted(job, self.overrun) < rigid.run;
        let record = JobRecord {
            job: rigid,
            home,
            outcome: if was_cut { Outcome::Killed } else { Outcome::Finished },
            start: job.first.unwrap_or(now),
            end: now,
            held: job.held + (now - job.since),
            suspensions: job.suspensions,
            parts: self.parts.as_slice().into(),
        };
        let tally = &mut self.tallies[home.index()];
        tally.jobs.add(&record, nodes(&job.shares), self.threshold);
        if self.is_watched {
            let what = Happening::Ended { job: rigid.number, outcome: record.outcome };
            self.observer.happened(now, &what);
            self.observer.left(&record);
        }
    }
}

/// Counts the time since its last start for which the nodes of a job were busy.
#[inline]
fn count_busy(tallies: &mut [Collector], pool: &Pool, job: &Active, now: Time) {
    let ticks = u128::from(now - job.since);
    for share in &job.shares {
        let cluster = pool.places.part(share).cluster;
        tallies[cluster.index()].busy += u128::from(share.nodes) * ticks;
    }
}
