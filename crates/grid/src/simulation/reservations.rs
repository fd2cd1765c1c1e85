//! Reservations are made, begin and end, and affect jobs.

use super::{Event, Simulation};
use crate::allocation::{JobId, Released};
use crate::data::Reserved;
use crate::grid::ResourceId;
use crate::happening::Happening;
use crate::reservation::{
    Connection, Period, ReservationSpec, ReservationState, ReservationSummary,
};
use crate::resource::Coming;
use crate::work::Work;
use gridsat_engine::Engine;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::{JobSpec, ReservationId};

impl Simulation<'_> {
    pub(super) fn expect_reservations(&mut self, engine: &mut Engine<Event>) {
        let Some(reservations) = &self.reservations else { return };
        for id in reservations.resources() {
            self.resources[id].expect_reservations();
        }
        self.expect_step(engine);
    }

    fn expect_step(&mut self, engine: &mut Engine<Event>) {
        if let Some(time) = self.reservations.as_ref().and_then(|all| all.next()) {
            engine.schedule(time, Event::Reservation);
        }
    }

    /// The reservation of a job, unless it has ended.
    #[inline]
    pub(super) fn open_reservation(&self, id: JobId) -> Option<ReservationId> {
        let reservations = self.reservations.as_ref()?;
        self.jobs[id].spec.reservation.filter(|&id| reservations.is_open(id))
    }

    /// The same if the reservation has something.
    #[inline]
    pub(super) fn reservation_with(
        &self,
        id: JobId,
        has: impl Fn(&ReservationSpec) -> bool,
    ) -> Option<ReservationId> {
        self.open_reservation(id).filter(|&id| has(self.reservation(id)))
    }

    /// The resource of the reservation that a job names, which counts the job; `None` if it names
    /// none, or the reservation is impossible.
    pub(super) fn reserved_resource(&mut self, spec: &JobSpec) -> Option<ResourceId> {
        let id = spec.reservation?;
        let resource = self.reservations.as_ref()?.spec(id)?.resource;
        self.resources[resource].true_time(spec)?;
        if !self.can_hold(spec, resource) {
            return None;
        }
        self.reservations.as_mut()?.add_job(id);
        Some(resource)
    }

    /// Processes all transitions of reservations that are due. Jobs start after all of them, so
    /// that none starts on a PE between two reservations.
    pub(super) fn attend(&mut self, engine: &mut Engine<Event>) {
        let mut changed = Vec::new();
        while let Some((id, state)) = self.next_step(engine.now()) {
            let at = self.reservation(id).resource;
            if !changed.contains(&at) {
                changed.push(at);
            }
            if state.is_over() || matches!(state, ReservationState::Active(_)) {
                self.finish_due(at, engine);
            }
            let happening = Happening::Reservation { reservation: id, resource: at, state };
            self.observer.happened(engine.now(), &happening);
            match state {
                ReservationState::Offered(period) => self.announce(id, period),
                ReservationState::Active(period) => self.begin_reservation(id, period.end, engine),
                state if state.is_over() => self.end_reservation(id, engine),
                _ => {}
            }
        }
        self.expect_step(engine);
        if !changed.is_empty() {
            for at in changed {
                self.resources[at].fill();
                self.settle(at, engine);
            }
            self.look_again(engine);
        }
        self.rest_if_done(engine);
    }

    fn next_step(&mut self, now: Time) -> Option<(ReservationId, ReservationState)> {
        self.reservations.as_mut()?.step(now)
    }

    pub(super) fn reservation(&self, id: ReservationId) -> &ReservationSpec {
        let spec = self.reservations.as_ref().and_then(|all| all.spec(id));
        spec.expect("only reservations that exist are attended to")
    }

    /// A reservation was offered: schedulers know when it needs its PEs.
    fn announce(&mut self, id: ReservationId, period: Period) {
        let &ReservationSpec { resource: at, pes, .. } = self.reservation(id);
        if pes > 0 {
            self.resources[at].announce(Coming { id, pes, period });
        }
    }

    /// A reservation gets what it needs.
    fn begin_reservation(&mut self, id: ReservationId, until: Time, engine: &mut Engine<Event>) {
        let now = engine.now();
        let &ReservationSpec { resource: at, pes, memory, storage, connection, .. } =
            self.reservation(id);
        if let Some(reservations) = &mut self.reservations {
            reservations.begin(id, now);
            if let (Some(data), Some(Connection { bandwidth, .. })) = (&mut self.data, connection) {
                let links = reservations.links(id);
                data.transfers.network.open_channel(Reserved::channel(id), &links, bandwidth);
            }
        }
        if pes > 0 {
            for job in self.resources[at].reserve(id, pes, until) {
                self.note_suspended(job, at, engine);
            }
        }
        if let Some(memories) = self.memory.as_mut().filter(|_| memory.0 > 0) {
            let machine = self.resources[at].spec().machine;
            memories.begin_share(id, machine, memory);
            self.admit_waiting(machine, engine);
        }
        if let Some(data) = self.data.as_mut().filter(|_| storage.0 > 0) {
            data.begin_share(id, at, storage, now);
            self.follow(engine);
        }
    }

    /// A reservation has ended, or will never be active: its jobs become ordinary jobs.
    fn end_reservation(&mut self, id: ReservationId, engine: &mut Engine<Event>) {
        let &ReservationSpec { resource: at, pes, .. } = self.reservation(id);
        let released = if pes > 0 { self.resources[at].release(id) } else { Released::default() };
        if let Some(reservations) = &mut self.reservations {
            reservations.count(id, engine.now(), released.used.unwrap_or(0));
        }
        self.queue_leftovers(released, at, engine);
        if let Some(memories) = &mut self.memory {
            let machine = self.resources[at].spec().machine;
            memories.end_share(id, machine);
            self.admit_waiting(machine, engine);
        }
        if let Some(data) = &mut self.data {
            data.transfers.network.close_channel(Reserved::channel(id));
            data.end_reservation(id, at, engine.now());
            self.follow(engine);
        }
    }

    fn queue_leftovers(&mut self, released: Released, at: ResourceId, engine: &mut Engine<Event>) {
        let Released { jobs, mut behind, .. } = released;
        for leftover in jobs {
            if leftover.was_running {
                self.note_suspended(leftover.job, at, engine);
            }
            let believed = self.believed_left(leftover.job, at, leftover.left);
            behind += self.resources[at].queue_leftover(leftover.job, behind, believed);
        }
    }

    /// The estimated rest of a job: its estimate times the fraction that is really left.
    fn believed_left(&self, id: JobId, at: ResourceId, left: Work) -> Ticks {
        let all = Work::of(self.stint(id, at).ticks()).0 as f64;
        let share = if all > 0.0 { left.0 as f64 / all } else { 0.0 };
        Ticks::truncated((self.jobs[id].believed.as_f64() * share).round())
    }

    fn note_suspended(&mut self, id: JobId, at: ResourceId, engine: &mut Engine<Event>) {
        self.unpack(id);
        let job = self.jobs[id].number;
        self.observer.happened(engine.now(), &Happening::Suspended { job, resource: at });
    }

    /// The results of reservations; active ones count until now.
    pub(super) fn reservation_summaries(&mut self, now: Time) -> Vec<ReservationSummary> {
        let Some(reservations) = &mut self.reservations else { return Vec::new() };
        for (id, at) in reservations.active() {
            let has_pes = reservations.spec(id).is_some_and(|spec| spec.pes > 0);
            let used = if has_pes { self.resources[at].used(id) } else { 0 };
            reservations.count(id, now, used);
        }
        reservations.summaries(self.accounting.scale)
    }
}
