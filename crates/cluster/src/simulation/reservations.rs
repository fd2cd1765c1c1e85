//! Reservations are requested, begin and end, and run their own jobs.

use std::collections::VecDeque;

use gridsat_engine::time::Time;
use gridsat_engine::{Engine, EventId};
use gridsat_model::Scale;

use super::{Event, Simulation};
use crate::job::ParallelJob;
use crate::pool::{Block, Keep, Pool, Promise, Share, nodes};
use crate::reservation::{ReservationSpec, ReservationState, ReservationSummary};

/// A reservation during the simulation.
struct Entry {
    spec: ReservationSpec,
    state: ReservationState,
    /// Its nodes, once it is granted.
    shares: Vec<Share>,
    /// The nodes that none of its jobs uses, and the entry that holds them.
    idle: Vec<Share>,
    block: Option<u32>,
    /// Slots of its jobs.
    waiting: VecDeque<u32>,
    running: Vec<u32>,
    jobs: u64,
    used: u128,
}

/// All reservations, and the event of the next change.
pub(super) struct Reservations {
    all: Vec<Entry>,
    event: Option<EventId>,
    /// The time at which a change last waited for the other events of that time.
    deferred: Time,
}

impl Reservations {
    /// `None` if there are none.
    pub fn new(specs: Vec<ReservationSpec>) -> Option<Box<Self>> {
        let entry = |spec| Entry {
            spec,
            state: ReservationState::Requested,
            shares: Vec::new(),
            idle: Vec::new(),
            block: None,
            waiting: VecDeque::new(),
            running: Vec::new(),
            jobs: 0,
            used: 0,
        };
        let all: Vec<Entry> = specs.into_iter().map(entry).collect();
        (!all.is_empty()).then(|| Box::new(Self { all, event: None, deferred: Time::NEVER }))
    }

    /// Slots of the jobs that wait for a reservation of a cluster.
    pub fn waiting(&self) -> impl Iterator<Item = (usize, u32)> {
        let of = |entry: &Entry| {
            let cluster = entry.spec.cluster.index();
            entry.waiting.iter().map(move |&slot| (cluster, slot)).collect::<Vec<_>>()
        };
        self.all.iter().flat_map(of)
    }

    pub fn spec(&self, id: u32) -> Option<&ReservationSpec> {
        Some(&self.all.get(id as usize)?.spec)
    }

    pub fn take_event(&mut self) -> Option<EventId> {
        self.event.take()
    }

    pub fn summaries(&self, scale: Scale) -> Vec<ReservationSummary> {
        let summary = |entry: &Entry| ReservationSummary {
            spec: entry.spec.clone(),
            state: entry.state,
            jobs: entry.jobs,
            used: entry.used,
            cost: if entry.state.is_granted() { entry.spec.cost(scale) } else { 0 },
        };
        self.all.iter().map(summary).collect()
    }

    /// The reservation that changes next: its time, and an order of changes at the same time, ends
    /// before requests before starts.
    fn next(&self) -> Option<(Time, u8, usize)> {
        let of = |(id, entry): (usize, &Entry)| match entry.state {
            ReservationState::Requested => Some((entry.spec.requested, 1, id)),
            ReservationState::Granted => Some((entry.spec.start, 2, id)),
            ReservationState::Active => Some((entry.spec.end(), 0, id)),
            ReservationState::Refused | ReservationState::Ended => None,
        };
        self.all.iter().enumerate().filter_map(of).min()
    }

    /// Nodes for a request, in order of the cells; `None` if too few are unreserved.
    fn grant(&self, id: usize, pool: &Pool) -> Option<Vec<Share>> {
        let spec = &self.all[id].spec;
        let (start, end) = (spec.start, spec.end());
        let overlaps = |entry: &&Entry| {
            let is_promised =
                matches!(entry.state, ReservationState::Granted | ReservationState::Active);
            is_promised && entry.spec.start < end && start < entry.spec.end()
        };
        let others: Vec<&Entry> = self.all.iter().filter(overlaps).collect();
        let reserved = |cell: usize, time: Time| -> u32 {
            let then = others.iter().filter(|e| e.spec.start <= time && time < e.spec.end());
            then.flat_map(|e| &e.shares).filter(|s| s.cell as usize == cell).map(|s| s.nodes).sum()
        };
        let mut left = spec.nodes;
        let mut shares = Vec::new();
        for cell in pool.places.cells_of(spec.cluster) {
            let starts = others.iter().map(|e| e.spec.start.max(start)).chain([start]);
            let most = starts.map(|time| reserved(cell, time)).max().unwrap_or(0);
            let nodes = left.min(pool.capacity[cell] - most);
            if nodes > 0 {
                shares.push(Share { cell: cell as u32, nodes });
                left -= nodes;
            }
        }
        (left == 0).then_some(shares)
    }
}

impl Simulation<'_> {
    /// Schedules the next change of a reservation.
    pub(super) fn expect_reservation(&mut self, engine: &mut Engine<Event>) {
        let Some(reservations) = &mut self.reservations else { return };
        let next = reservations.next();
        reservations.event =
            next.map(|(time, ..)| engine.schedule(time.max(engine.now()), Event::Reservation));
    }

    /// Puts the changes after all other events of this time: jobs that end now free their nodes.
    fn defer_changes(&mut self, engine: &mut Engine<Event>) -> bool {
        let now = engine.now();
        let Some(reservations) = &mut self.reservations else { return false };
        if reservations.deferred == now || engine.next_time() != Some(now) {
            return false;
        }
        reservations.deferred = now;
        reservations.event = Some(engine.schedule(now, Event::Reservation));
        true
    }

    /// Carries out all changes of reservations that are due.
    pub(super) fn attend(&mut self, engine: &mut Engine<Event>) {
        if self.defer_changes(engine) {
            return;
        }
        while let Some(reservations) = &mut self.reservations {
            reservations.event = None;
            let Some((time, _, id)) = reservations.next() else { break };
            if time > engine.now() {
                break;
            }
            let state = reservations.all[id].state;
            let owner = self.owners[reservations.all[id].spec.cluster.index()];
            match state {
                ReservationState::Requested => self.request(id, owner, engine),
                ReservationState::Granted => self.begin(id, owner, engine),
                _ => self.finish(id, owner, engine),
            }
            self.pools[owner as usize].unforeseen();
            self.concern(owner, engine);
        }
        self.expect_reservation(engine);
        self.rest_if_done(engine);
    }

    fn request(&mut self, id: usize, owner: u32, engine: &mut Engine<Event>) {
        let Some(reservations) = &mut self.reservations else { return };
        let pool = &mut self.pools[owner as usize];
        let Some(shares) = reservations.grant(id, pool) else {
            reservations.all[id].state = ReservationState::Refused;
            return self.release_jobs(id, owner, engine);
        };
        let entry = &mut reservations.all[id];
        let (from, to) = (entry.spec.start, entry.spec.end());
        if let Some(calendar) = &mut pool.calendar {
            calendar.granted.push(Promise { id, from, to, shares: shares.clone() });
        }
        (entry.state, entry.shares) = (ReservationState::Granted, shares);
    }

    /// The reservation gets its nodes, from running jobs if they are not free.
    fn begin(&mut self, id: usize, owner: u32, engine: &mut Engine<Event>) {
        let now = engine.now();
        let Some(reservations) = &mut self.reservations else { return };
        reservations.all[id].state = ReservationState::Active;
        let shares = reservations.all[id].shares.clone();
        if let Some(calendar) = &mut self.pools[owner as usize].calendar {
            calendar.granted.retain(|promise| promise.id != id);
        }
        let mut got = Vec::new();
        for Share { cell, nodes } in shares {
            while self.pools[owner as usize].free[cell as usize] < nodes {
                let Some(slot) = self.latest(owner, cell) else { break };
                self.pools[owner as usize].give_up(slot, now, Keep::All);
                self.suspend(owner, slot, engine);
            }
            let free = self.pools[owner as usize].free[cell as usize];
            got.push(Share { cell, nodes: nodes.min(free) });
        }
        self.hold(id, owner, got, now);
        self.serve(id, owner, engine);
    }

    /// The job on a cell that started last, unless it is in a reservation.
    fn latest(&self, owner: u32, cell: u32) -> Option<u32> {
        let pool = &self.pools[owner as usize];
        let slots = pool.releases.iter().map(|release| release.slot);
        let here = slots.filter(|&slot| {
            let job = &pool.jobs[slot];
            let is_there = job.shares.iter().any(|share| share.cell == cell);
            is_there && !job.is_block() && self.reserved_for(owner, slot).is_none()
        });
        here.max_by_key(|&slot| pool.jobs[slot].start)
    }

    /// The reservation in which a job runs.
    pub(super) fn reserved_for(&self, owner: u32, slot: u32) -> Option<usize> {
        let all = &self.reservations.as_ref()?.all;
        all.iter().position(|entry| {
            self.owners[entry.spec.cluster.index()] == owner && entry.running.contains(&slot)
        })
    }

    /// Holds the idle nodes of a reservation.
    fn hold(&mut self, id: usize, owner: u32, idle: Vec<Share>, now: Time) {
        let Some(reservations) = &mut self.reservations else { return };
        let entry = &mut reservations.all[id];
        let pool = &mut self.pools[owner as usize];
        if let Some(block) = entry.block.take() {
            pool.unblock(block);
        }
        entry.block = Some(pool.block(&idle, now, entry.spec.end(), Block::Reserved));
        entry.idle = idle;
    }

    /// Starts jobs of an active reservation in order, as far as they fit.
    pub(super) fn serve(&mut self, id: usize, owner: u32, engine: &mut Engine<Event>) {
        let now = engine.now();
        while let Some(reservations) = &mut self.reservations {
            let entry = &mut reservations.all[id];
            let Some(&slot) = entry.waiting.front() else { break };
            let pool = &mut self.pools[owner as usize];
            let need = pool.jobs[slot].spec.rigid.nodes;
            if entry.state != ReservationState::Active || need > nodes(&entry.idle) {
                break;
            }
            entry.waiting.pop_front();
            entry.running.push(slot);
            let (end, mut idle) = (entry.spec.end(), entry.idle.clone());
            let taken = split(&mut idle, need);
            entry.block.take().into_iter().for_each(|block| pool.unblock(block));
            pool.shares.clone_from(&taken);
            pool.occupy_until(slot, now, Some(end));
            self.hold(id, owner, idle, now);
            self.start(owner, slot, engine);
        }
    }

    /// A job of a reservation has left its nodes, which were freed.
    pub(super) fn return_nodes(&mut self, id: usize, owner: u32, slot: u32, now: Time) {
        let Some(reservations) = &mut self.reservations else { return };
        let entry = &mut reservations.all[id];
        entry.running.retain(|&other| other != slot);
        let job = &self.pools[owner as usize].jobs[slot];
        entry.used += u128::from(now - job.since) * u128::from(nodes(&job.shares));
        let mut idle = entry.idle.clone();
        for share in &job.shares {
            match idle.iter_mut().find(|other| other.cell == share.cell) {
                Some(other) => other.nodes += share.nodes,
                None => idle.push(*share),
            }
        }
        idle.sort_unstable_by_key(|share| share.cell);
        self.hold(id, owner, idle, now);
    }

    /// The reservation ends: its jobs become ordinary ones.
    fn finish(&mut self, id: usize, owner: u32, engine: &mut Engine<Event>) {
        let now = engine.now();
        let Some(reservations) = &mut self.reservations else { return };
        let entry = &mut reservations.all[id];
        entry.state = ReservationState::Ended;
        let pool = &mut self.pools[owner as usize];
        entry.block.take().into_iter().for_each(|block| pool.unblock(block));
        for slot in std::mem::take(&mut entry.running) {
            let job = &pool.jobs[slot];
            entry.used += u128::from(now - job.since) * u128::from(nodes(&job.shares));
            // A job that ends now has an event of its own, at this time.
            if job.end > now {
                pool.give_up(slot, now, Keep::All);
                self.suspended.push(slot);
            }
        }
        for slot in std::mem::take(&mut self.suspended) {
            self.suspend(owner, slot, engine);
        }
        self.release_jobs(id, owner, engine);
    }

    /// Jobs that wait for a reservation become ordinary ones.
    fn release_jobs(&mut self, id: usize, owner: u32, engine: &mut Engine<Event>) {
        let Some(reservations) = &mut self.reservations else { return };
        let waiting = std::mem::take(&mut reservations.all[id].waiting);
        let pool = &mut self.pools[owner as usize];
        waiting.into_iter().for_each(|slot| pool.queue_again(slot));
        self.concern(owner, engine);
    }

    /// Takes a job that names a reservation which is still open; gives back any other.
    pub(super) fn take_reserved(
        &mut self,
        job: ParallelJob,
        owner: u32,
        engine: &mut Engine<Event>,
    ) -> Option<ParallelJob> {
        let id = job.terms.as_ref().and_then(|terms| terms.reservation);
        let (Some(id), Some(reservations)) = (id, &mut self.reservations) else {
            return Some(job);
        };
        let entry = &mut reservations.all[id as usize];
        if matches!(entry.state, ReservationState::Refused | ReservationState::Ended) {
            return Some(job);
        }
        entry.jobs += 1;
        entry.waiting.push_back(self.pools[owner as usize].admit(job));
        self.serve(id as usize, owner, engine);
        None
    }

    /// Counts the nodes of reservations whose jobs still run at the end.
    pub(super) fn count_reserved(&mut self, now: Time) {
        let Some(reservations) = &mut self.reservations else { return };
        for entry in &mut reservations.all {
            let pool = &self.pools[self.owners[entry.spec.cluster.index()] as usize];
            for &slot in &entry.running {
                let job = &pool.jobs[slot];
                entry.used += u128::from(now - job.since) * u128::from(nodes(&job.shares));
            }
        }
    }
}

/// Takes this many nodes from some shares, the first ones first.
fn split(idle: &mut Vec<Share>, nodes: u32) -> Vec<Share> {
    let mut left = nodes;
    let mut taken = Vec::new();
    for share in idle.iter_mut() {
        let nodes = left.min(share.nodes);
        if nodes > 0 {
            taken.push(Share { cell: share.cell, nodes });
            share.nodes -= nodes;
            left -= nodes;
        }
    }
    idle.retain(|share| share.nodes > 0);
    taken
}
