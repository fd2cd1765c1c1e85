//! Ends of jobs, and what is counted then.

use gridsat_engine::Engine;
use gridsat_engine::time::Time;

use super::failures::count_down;
use super::{Event, Simulation, granted};
use crate::happening::{Happening, JobRecord, Outcome};
use crate::pool::{Active, Pool, Release, nodes};
use crate::setup::Overrun;
use crate::statistics::{Collector, Departure};

impl Simulation<'_> {
    /// Ends a job, or gives it a new expected end if it runs on.
    pub(super) fn due(&mut self, owner: u32, slot: u32, engine: &mut Engine<Event>) {
        let pool = &mut self.pools[owner as usize];
        if pool.jobs[slot].end > engine.now() && pool.jobs[slot].is_reserved {
            // Its reservation ends now, and takes its nodes.
            pool.jobs[slot].event = None;
        } else if pool.jobs[slot].end > engine.now() {
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
        let pool = &self.pools[owner as usize];
        let job = &pool.jobs[slot];
        count_busy(&mut self.tallies, pool, job, now);
        let tally = &mut self.tallies[job.spec.home.index()];
        tally.running -= 1;
        let left = departure(job, now, self.overrun);
        tally.jobs.add(&left, self.threshold);
        if let Some(terms) = &job.spec.terms {
            tally.jobs.terms.ended(terms, now, left.outcome == Outcome::Finished);
        }
        if self.is_watched {
            self.report_end(owner, slot, &left, now);
        }
        let pool = &mut self.pools[owner as usize];
        pool.finish(slot, now);
        if self.downtime.is_some() || self.reservations.is_some() {
            return self.end_around(owner, slot, engine);
        }
        pool.leave(slot);
    }

    /// The rest of an end if nodes may fail or be reserved.
    #[inline(never)]
    fn end_around(&mut self, owner: u32, slot: u32, engine: &mut Engine<Event>) {
        let reservation = self.reserved_for(owner, slot);
        if let Some(id) = reservation {
            self.return_nodes(id, owner, slot, engine.now());
        }
        self.pools[owner as usize].leave(slot);
        if let Some(id) = reservation {
            self.serve(id, owner, engine);
        }
        self.rest_if_done(engine);
    }

    #[inline(never)]
    pub(super) fn report_end(&mut self, owner: u32, slot: u32, left: &Departure, now: Time) {
        self.list_parts(owner, slot);
        let job = &self.pools[owner as usize].jobs[slot];
        let record = JobRecord {
            job: job.spec.rigid,
            home: job.spec.home,
            outcome: left.outcome,
            start: job.first.unwrap_or(now),
            end: now,
            held: left.held,
            suspensions: left.suspensions,
            parts: self.parts.as_slice().into(),
            terms: job.spec.terms.as_deref().copied(),
            migration: self.pools[owner as usize].places.migration(&job.spec, &job.shares),
        };
        if self.is_followed {
            let what = Happening::Ended { job: record.job.number, outcome: record.outcome };
            self.observer.happened(now, &what);
        }
        self.observer.left(&record);
    }

    /// Counts the busy time of jobs that still run at the end, and the deadlines that have passed.
    pub(super) fn count_running(&mut self, end: Time) {
        let Self { pools, tallies, reservations, owners, .. } = self;
        let mut late = |job: &Active| {
            let terms = &mut tallies[job.spec.home.index()].jobs.terms;
            terms.missed(job.spec.terms.as_deref(), |deadline| deadline < end);
        };
        for pool in pools.iter() {
            pool.waiting().for_each(|waiting| late(&pool.jobs[waiting.slot]));
            pool.releases.iter().for_each(|release| late(&pool.jobs[release.slot]));
        }
        for (cluster, slot) in reservations.iter().flat_map(|all| all.waiting()) {
            late(&pools[owners[cluster] as usize].jobs[slot]);
        }
        for pool in &self.pools {
            for &Release { slot, .. } in pool.releases.iter() {
                if pool.jobs[slot].is_down() {
                    count_down(&mut self.tallies, pool, slot, end);
                } else if !pool.jobs[slot].is_block() {
                    count_busy(&mut self.tallies, pool, &pool.jobs[slot], end);
                }
            }
        }
    }
}

/// What counts of a job that ends now.
#[inline]
pub(super) fn departure(job: &Active, now: Time, overrun: Overrun) -> Departure {
    let submit = Time(job.spec.rigid.submit);
    let was_cut = granted(job, overrun) < job.spec.rigid.run;
    Departure {
        outcome: if was_cut { Outcome::Killed } else { Outcome::Finished },
        nodes: nodes(&job.shares),
        suspensions: job.suspensions,
        held: job.held + (now - job.since),
        wait: job.first.unwrap_or(now) - submit,
        flow: now - submit,
    }
}

/// Counts the time since its last start for which the nodes of a job were busy.
#[inline]
pub(super) fn count_busy(tallies: &mut [Collector], pool: &Pool, job: &Active, now: Time) {
    let ticks = u128::from(now - job.since);
    for share in &job.shares {
        let cluster = pool.places.part(share).cluster;
        tallies[cluster.index()].busy += u128::from(share.nodes) * ticks;
    }
}
