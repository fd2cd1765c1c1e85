//! Nodes fail and are repaired.

use gridsat_engine::time::Time;
use gridsat_engine::{Engine, EventId};
use gridsat_model::Ticks;
use gridsat_statistics::random::{stream, unit};
use rand_chacha::ChaCha8Rng;

use super::ends::{count_busy, departure};
use super::{Event, Simulation};
use crate::failure::{Failures, OnFailure, Outage, Outages};
use crate::grid::ClusterId;
use crate::happening::{Happening, Outcome};
use crate::pool::{Active, Block, Keep, Pool, Share, nodes};
use crate::statistics::Collector;

/// The failures to come, and the nodes that are down.
pub(super) struct Downtime {
    outages: Outages,
    on_failure: OnFailure,
    random: ChaCha8Rng,
    /// The next outage and its event.
    next: Option<(Outage, EventId)>,
    /// Events of the repairs to come, with the entry that holds the nodes.
    repairs: Vec<(u32, u32, EventId)>,
    /// The time at which an outage last waited for the other events of that time.
    deferred: Time,
}

impl Downtime {
    pub fn new(Failures { outages, on_failure, seed }: Failures) -> Box<Self> {
        let random = stream(seed, "clusters/failures", 0);
        Box::new(Self {
            outages,
            on_failure,
            random,
            next: None,
            repairs: Vec::new(),
            deferred: Time::NEVER,
        })
    }
}

/// A node that is up: free, or with the job in this slot.
enum Struck {
    Free(u32),
    Busy(u32, u32),
}

impl Simulation<'_> {
    /// Schedules the next outage.
    pub(super) fn expect_outage(&mut self, engine: &mut Engine<Event>) {
        let Some(downtime) = &mut self.downtime else { return };
        downtime.next = downtime.outages.next().map(|outage| {
            let time = outage.at.max(engine.now());
            (outage, engine.schedule(time, Event::Fail))
        });
    }

    /// Puts the next outage after all other events of this time: a job that completes now is
    /// finished.
    fn defer_outage(&mut self, engine: &mut Engine<Event>) -> bool {
        let now = engine.now();
        let Some(downtime) = &mut self.downtime else { return false };
        if downtime.deferred == now || engine.next_time() != Some(now) {
            return false;
        }
        downtime.deferred = now;
        if let Some((_, event)) = &mut downtime.next {
            *event = engine.schedule(now, Event::Fail);
        }
        true
    }

    /// The next outage happens.
    pub(super) fn fail(&mut self, engine: &mut Engine<Event>) {
        if self.defer_outage(engine) {
            return;
        }
        let Some((outage, _)) = self.downtime.as_mut().and_then(|down| down.next.take()) else {
            return;
        };
        let owner = self.owners[outage.cluster.index()];
        let mut failed = 0;
        while failed < outage.nodes && self.fail_node(owner, &outage, engine) {
            failed += 1;
        }
        self.tallies[outage.cluster.index()].jobs.failures.failed += u64::from(failed);
        let cluster = outage.cluster;
        self.report(engine.now(), &Happening::Failed { cluster, nodes: failed });
        self.expect_outage(engine);
        self.concern(owner, engine);
        self.rest_if_done(engine);
    }

    /// One node of the cluster goes down; false if none is up.
    fn fail_node(&mut self, owner: u32, outage: &Outage, engine: &mut Engine<Event>) -> bool {
        let Some(downtime) = &mut self.downtime else { return false };
        let pool = &self.pools[owner as usize];
        let draw = unit(&mut downtime.random);
        let cell = match struck(pool, outage.cluster, draw) {
            None => return false,
            Some(Struck::Free(cell)) => cell,
            Some(Struck::Busy(slot, cell)) => {
                self.interrupt(owner, slot, engine);
                cell
            }
        };
        let (now, pool) = (engine.now(), &mut self.pools[owner as usize]);
        let until = now + outage.repair.max(Ticks(1));
        let slot = pool.block(&[Share { cell, nodes: 1 }], now, until, Block::Down);
        let event = engine.schedule(until, Event::Repair { pool: owner, slot });
        if let Some(downtime) = &mut self.downtime {
            downtime.repairs.push((owner, slot, event));
        }
        true
    }

    /// A node is up again.
    pub(super) fn repair(&mut self, owner: u32, slot: u32, engine: &mut Engine<Event>) {
        let now = engine.now();
        if let Some(downtime) = &mut self.downtime {
            downtime.repairs.retain(|&(pool, other, _)| (pool, other) != (owner, slot));
        }
        let pool = &mut self.pools[owner as usize];
        let cluster = count_down(&mut self.tallies, pool, slot, now);
        pool.unblock(slot);
        self.report(now, &Happening::Repaired { cluster, nodes: 1 });
        self.concern(owner, engine);
    }

    /// A running job loses its nodes because one of them failed.
    fn interrupt(&mut self, owner: u32, slot: u32, engine: &mut Engine<Event>) {
        let Some(downtime) = &self.downtime else { return };
        let keep = match downtime.on_failure {
            OnFailure::Lost => return self.lose(owner, slot, engine),
            OnFailure::Restart => Keep::Nothing,
            OnFailure::Checkpoint { every } => Keep::Checkpoints(every),
            OnFailure::Continue => Keep::All,
        };
        let now = engine.now();
        let pool = &mut self.pools[owner as usize];
        let held = nodes(&pool.jobs[slot].shares);
        let lost = pool.give_up(slot, now, keep);
        let tally = &mut self.tallies[pool.jobs[slot].spec.home.index()];
        tally.jobs.failures.interrupted += 1;
        tally.jobs.failures.lost_work += lost * u128::from(held);
        self.suspend(owner, slot, engine);
    }

    /// A running job leaves unfinished.
    fn lose(&mut self, owner: u32, slot: u32, engine: &mut Engine<Event>) {
        let now = engine.now();
        engine.job_finished();
        self.makespan = now;
        let pool = &mut self.pools[owner as usize];
        if let Some(event) = pool.jobs[slot].event.take() {
            engine.cancel(event);
        }
        let job = &pool.jobs[slot];
        count_busy(&mut self.tallies, pool, job, now);
        let mut left = departure(job, now, self.overrun);
        left.outcome = Outcome::Lost;
        let work = job.pace.after(now - job.since, job.done).ticks();
        let tally = &mut self.tallies[job.spec.home.index()];
        tally.running -= 1;
        tally.jobs.failures.lost += 1;
        tally.jobs.failures.lost_work += work * u128::from(left.nodes);
        if let Some(terms) = &job.spec.terms {
            tally.jobs.terms.ended(terms, now, false);
        }
        if self.is_watched {
            self.report_end(owner, slot, &left, now);
        }
        let pool = &mut self.pools[owner as usize];
        pool.finish(slot, now);
        pool.leave(slot);
    }

    /// Lets the simulation end when no job is left: only failures and reservations would follow.
    pub(super) fn rest_if_done(&mut self, engine: &mut Engine<Event>) {
        if self.downtime.is_none() && self.reservations.is_none() {
            return;
        }
        let is_busy = |tally: &Collector| tally.running + tally.queue.value() > 0;
        if self.next.is_some() || self.tallies.iter().any(is_busy) {
            return;
        }
        let mut events: Vec<EventId> = Vec::new();
        if let Some(downtime) = &mut self.downtime {
            events.extend(downtime.next.take().map(|(_, event)| event));
            events.extend(downtime.repairs.drain(..).map(|(_, _, event)| event));
        }
        events.extend(self.reservations.as_mut().and_then(|all| all.take_event()));
        for event in events {
            engine.cancel(event);
        }
    }
}

/// The node that a uniform number in [0, 1) chooses among those that are up.
fn struck(pool: &Pool, cluster: ClusterId, draw: f64) -> Option<Struck> {
    let cells = pool.places.cells_of(cluster);
    let free: u32 = pool.free[cells.clone()].iter().sum();
    let running = pool.releases.iter().map(|release| (release.slot, &pool.jobs[release.slot]));
    let can_fail = |job: &Active| !job.is_block() && !job.is_reserved;
    let busy = running.filter(|(_, job)| can_fail(job)).flat_map(|(slot, job)| {
        let here = job.shares.iter().filter(|share| cells.contains(&(share.cell as usize)));
        here.map(move |share| (slot, share))
    });
    let busy: Vec<(u32, &Share)> = busy.collect();
    let up = free + busy.iter().map(|(_, share)| share.nodes).sum::<u32>();
    if up == 0 {
        return None;
    }
    let mut left = ((draw * f64::from(up)) as u32).min(up - 1);
    for cell in cells.clone() {
        if left < pool.free[cell] {
            return Some(Struck::Free(cell as u32));
        }
        left -= pool.free[cell];
    }
    for (slot, share) in busy {
        if left < share.nodes {
            return Some(Struck::Busy(slot, share.cell));
        }
        left -= share.nodes;
    }
    None
}

/// Counts the time for which a node was down; returns its cluster.
pub(super) fn count_down(
    tallies: &mut [Collector],
    pool: &Pool,
    slot: u32,
    now: Time,
) -> ClusterId {
    let entry = &pool.jobs[slot];
    let mut cluster = ClusterId(0);
    for share in &entry.shares {
        cluster = pool.places.part(share).cluster;
        let down = u128::from(now - entry.since) * u128::from(share.nodes);
        tallies[cluster.index()].jobs.failures.down += down;
    }
    cluster
}
