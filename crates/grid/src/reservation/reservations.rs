//! All reservations of a simulation, and their results.

use std::collections::BTreeSet;

use super::life::{Life, Transition};
use super::pools::Books;
use super::request;
use super::{ReservationError, ReservationSpec, ReservationState};
use crate::SimError;
use crate::data::Data;
use crate::economy::Money;
use crate::grid::{Grid, ResourceId};
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};
use gridsat_workload::ReservationId;

/// The result of a reservation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReservationSummary {
    /// What was asked for.
    pub spec: ReservationSpec,
    /// Its state, which contains the granted period.
    pub state: ReservationState,
    /// Number of jobs submitted for it.
    pub jobs: u64,
    /// Ticks in which its PEs ran its jobs, summed over the PEs.
    pub used: u128,
    /// Ticks in which its PEs did not run its jobs, summed over the PEs.
    pub unused: u128,
    /// Its price for the time in which it was active.
    pub cost: Money,
}

/// A reservation during the simulation.
struct Booking {
    life: Life,
    jobs: u64,
    /// When it became active, if it did.
    since: Option<Time>,
    /// How long it was active, and the PE time that its jobs used.
    active: Ticks,
    used: u128,
}

/// All reservations.
pub(in super::super) struct Reservations {
    all: Vec<Booking>,
    books: Books,
    /// The next transition of each reservation that is not in a final state.
    agenda: BTreeSet<(Time, Transition, ReservationId)>,
}

impl Reservations {
    /// `None` if there are no reservations.
    pub fn of(
        specs: Vec<ReservationSpec>,
        grid: &Grid,
        data: Option<&Data>,
    ) -> Result<Option<Box<Self>>, SimError> {
        if specs.is_empty() {
            return Ok(None);
        }
        let failed = |(reservation, error)| SimError::Reservation { reservation, error };
        Self::new(specs, grid, data).map(|all| Some(Box::new(all))).map_err(failed)
    }

    /// All reservations before their requests; or the name of an invalid one, and the reason.
    fn new(
        specs: Vec<ReservationSpec>,
        grid: &Grid,
        data: Option<&Data>,
    ) -> Result<Self, (String, ReservationError)> {
        let mut all = Self { all: Vec::new(), books: Books::default(), agenda: BTreeSet::new() };
        for (index, spec) in specs.into_iter().enumerate() {
            let amounts = request::check(&spec, grid, data, &mut all.books);
            let amounts = amounts.map_err(|error| (spec.name.clone(), error))?;
            let life = Life::new(spec, amounts);
            let (active, used) = (Ticks(0), 0);
            all.all.push(Booking { life, jobs: 0, since: None, active, used });
            let id = ReservationId::new(index).expect("memory ends before four billion");
            all.expect(id);
        }
        Ok(all)
    }

    fn expect(&mut self, id: ReservationId) {
        let next = self.all[id.index()].life.next();
        self.agenda.extend(next.map(|(time, step)| (time, step, id)));
    }

    /// The request; `None` if there is no reservation of this number.
    pub fn spec(&self, id: ReservationId) -> Option<&ReservationSpec> {
        Some(self.all.get(id.index())?.life.spec())
    }

    /// Resources whose PEs are reserved at any time.
    pub fn resources(&self) -> impl Iterator<Item = ResourceId> {
        self.books.resources()
    }

    /// Whether jobs can still run in it or wait for it.
    pub fn is_open(&self, id: ReservationId) -> bool {
        self.all.get(id.index()).is_some_and(|entry| !entry.life.state().is_over())
    }

    /// Time of the next transition.
    pub fn next(&self) -> Option<Time> {
        self.agenda.first().map(|&(time, ..)| time)
    }

    /// Carries out the first transition that is due: which reservation, and its new state.
    pub fn step(&mut self, now: Time) -> Option<(ReservationId, ReservationState)> {
        let &(_, _, id) = self.agenda.first().filter(|&&(time, ..)| time <= now)?;
        self.agenda.pop_first();
        let state = self.all[id.index()].life.step(&mut self.books);
        self.expect(id);
        Some((id, state))
    }

    /// The links of which it reserves bandwidth, in the order of the route.
    pub fn links(&self, id: ReservationId) -> Vec<u32> {
        self.all[id.index()].life.links()
    }

    /// Counts a job submitted for it.
    pub fn add_job(&mut self, id: ReservationId) {
        self.all[id.index()].jobs += 1;
    }

    /// It has what it needs from now on.
    pub fn begin(&mut self, id: ReservationId, now: Time) {
        self.all[id.index()].since = Some(now);
    }

    /// Counts the time until now, if it was active, and the PE time that its jobs used.
    pub fn count(&mut self, id: ReservationId, now: Time, used: u128) {
        let entry = &mut self.all[id.index()];
        let Some(since) = entry.since else { return };
        (entry.active, entry.used) = (now - since, used);
    }

    /// Reservations that are active now.
    pub fn active(&self) -> Vec<(ReservationId, ResourceId)> {
        let ids = (0..).map_while(ReservationId::new);
        let active = ids.zip(&self.all).filter_map(|(id, Booking { life, .. })| {
            matches!(life.state(), ReservationState::Active(_))
                .then_some((id, life.spec().resource))
        });
        active.collect()
    }

    pub fn summaries(&self, scale: Scale) -> Vec<ReservationSummary> {
        self.all.iter().map(|booking| booking.summary(scale)).collect()
    }
}

impl Booking {
    fn summary(&self, scale: Scale) -> ReservationSummary {
        let spec = self.life.spec().clone();
        let had = u128::from(self.active) * u128::from(spec.pes);
        ReservationSummary {
            cost: spec.rate().times(self.active, scale),
            spec,
            state: self.life.state(),
            jobs: self.jobs,
            used: self.used,
            unused: had - self.used,
        }
    }
}
