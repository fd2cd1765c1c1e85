//! All reservations of a simulation, and their results.

use std::collections::{BTreeMap, BTreeSet};

use super::life::{Life, Transition};
use super::{Book, Period, ReservationError, ReservationSpec, ReservationState};
use crate::SimError;
use crate::allocation::AllocationPolicy;
use crate::grid::{Grid, ResourceId};
use gridsat_engine::time::Time;
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
}

/// A reservation during the simulation.
struct Booking {
    life: Life,
    jobs: u64,
    /// PE time it had, and PE time its jobs used.
    had: u128,
    used: u128,
}

/// All reservations.
pub(in super::super) struct Reservations {
    all: Vec<Booking>,
    books: BTreeMap<ResourceId, Book>,
    /// The next transition of each reservation that is not in a final state.
    agenda: BTreeSet<(Time, Transition, ReservationId)>,
}

impl Reservations {
    /// `None` if there are no reservations.
    pub fn of(specs: Vec<ReservationSpec>, grid: &Grid) -> Result<Option<Box<Self>>, SimError> {
        if specs.is_empty() {
            return Ok(None);
        }
        let failed = |(reservation, error)| SimError::Reservation { reservation, error };
        Self::new(specs, grid).map(|all| Some(Box::new(all))).map_err(failed)
    }

    /// All reservations before their requests; or the name of an invalid one, and the reason.
    fn new(specs: Vec<ReservationSpec>, grid: &Grid) -> Result<Self, (String, ReservationError)> {
        let (books, agenda) = (BTreeMap::new(), BTreeSet::new());
        let mut reservations = Self { all: Vec::new(), books, agenda };
        for (index, spec) in specs.into_iter().enumerate() {
            check(&spec, grid).map_err(|error| (spec.name.clone(), error))?;
            let pes = grid.resources[spec.resource.index()].pes.count();
            reservations.books.entry(spec.resource).or_insert_with(|| Book::new(pes));
            reservations.all.push(Booking { life: Life::new(spec), jobs: 0, had: 0, used: 0 });
            let id = ReservationId::new(index).expect("memory ends before four billion");
            reservations.expect(id);
        }
        Ok(reservations)
    }

    fn expect(&mut self, id: ReservationId) {
        let next = self.all[id.index()].life.next();
        self.agenda.extend(next.map(|(time, step)| (time, step, id)));
    }

    /// The request; `None` if there is no reservation of this number.
    pub fn spec(&self, id: ReservationId) -> Option<&ReservationSpec> {
        Some(self.all.get(id.index())?.life.spec())
    }

    /// Resources with reservations.
    pub fn resources(&self) -> impl Iterator<Item = ResourceId> {
        self.books.keys().copied()
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
        let life = &mut self.all[id.index()].life;
        let book = self.books.get_mut(&life.spec().resource).expect("one for every resource");
        let state = life.step(book);
        self.expect(id);
        Some((id, state))
    }

    /// Counts a job submitted for it.
    pub fn add_job(&mut self, id: ReservationId) {
        self.all[id.index()].jobs += 1;
    }

    /// Counts its PE time until now, of which its jobs used this much; nothing if it was never
    /// active.
    pub fn count(&mut self, id: ReservationId, now: Time, used: u128) {
        let entry = &mut self.all[id.index()];
        let start = entry.life.state().period().map_or(now, |period| period.start);
        entry.had = u128::from(now - start) * u128::from(entry.life.spec().pes);
        entry.used = used;
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

    pub fn summaries(&self) -> Vec<ReservationSummary> {
        self.all.iter().map(Booking::summary).collect()
    }
}

impl Booking {
    fn summary(&self) -> ReservationSummary {
        ReservationSummary {
            spec: self.life.spec().clone(),
            state: self.life.state(),
            jobs: self.jobs,
            used: self.used,
            unused: self.had - self.used,
        }
    }
}

fn check(spec: &ReservationSpec, grid: &Grid) -> Result<(), ReservationError> {
    let resource = grid.resources.get(spec.resource.index());
    let resource = resource.ok_or(ReservationError::Resource(spec.resource))?;
    let (name, have) = (resource.name.clone(), resource.pes.count());
    if resource.policy != AllocationPolicy::SpaceShared {
        return Err(ReservationError::Shared(name));
    }
    if !(1..=have).contains(&spec.pes) {
        return Err(ReservationError::Pes { pes: spec.pes, resource: name, have });
    }
    if Period::new(spec.start, spec.duration).is_none() {
        return Err(ReservationError::Duration(spec.duration));
    }
    if spec.start < spec.requested { Err(ReservationError::Late) } else { Ok(()) }
}
