//! Equation 4.3 of the thesis where future reservations are known: jobs that would still run when
//! one begins are suspended and go on later.
//!
//! As long as everything ends before the first of them, it is the equation alone. Otherwise a
//! resource is simulated that has the jobs of the real one, with their estimated times, on PEs as
//! fast as its fastest.

use std::collections::HashMap;

use gridsat_heuristics::{HostModel, HostState};
use gridsat_model::Ticks;

use super::super::allocation::{Allocation, JobId, Pes, Reserving, SpaceShared};
use super::super::resource::Resource;
use super::super::work::{Share, Work};
use super::forecast::Forecast;
use super::pes::FreePes;
use gridsat_engine::time::Time;

pub(super) fn state(resource: &Resource, now: Time, free: FreePes) -> HostState {
    let first = resource.coming().first().map_or(Ticks::MAX, |coming| coming.period.start - now);
    HostState::Other(Box::new(Foresight { free, first, forecast: forecast(resource, now) }))
}

/// Ticks until each PE of the resource could start another job.
pub(super) fn delays(resource: &Resource, now: Time) -> Vec<Ticks> {
    forecast(resource, now).starts()
}

fn forecast(resource: &Resource, now: Time) -> Forecast {
    Forecast::new(Box::new(as_believed(resource, now)), resource, now)
}

/// The resource with the estimated times of its jobs.
fn as_believed(resource: &Resource, now: Time) -> SpaceShared {
    let (belief, speed) = (resource.belief(), resource.speed());
    let pes = Pes::new(&[(resource.pe_count(), 1.0)]).expect("a resource has PEs");
    let mut copy = SpaceShared::new(&pes);
    copy.advance(now);
    copy.set_speed(speed);
    for &(id, pes, until) in resource.active() {
        copy.reserve(id, pes, until);
    }
    // Reservations take PEs from the jobs that started last.
    let mut real = resource.allocation().fork();
    let starts = real.reserving().map(|reserving| reserving.by_start()).unwrap_or_default();
    let turn: HashMap<JobId, usize> = (0..).zip(starts).map(|(turn, job)| (job, turn)).collect();
    let mut running: Vec<_> = belief.running_jobs().collect();
    running.sort_by_key(|(job, _)| turn.get(job));
    for (job, end) in running {
        copy.submit(job, Work::done(end - now, speed, Share::WHOLE).whole_ticks());
    }
    for (job, time) in belief.queued_jobs() {
        copy.submit(job, time);
    }
    copy
}

/// The equation, and the forecast for what does not end before the first reservation.
struct Foresight {
    free: FreePes,
    /// Ticks until the first reservation begins.
    first: Ticks,
    forecast: Forecast,
}

impl HostModel for Foresight {
    fn completion(&self, time: Ticks) -> Option<Ticks> {
        let is_before = |end: &Ticks| self.free.delay() < self.first && *end <= self.first;
        let undisturbed = self.free.completion(time).filter(is_before);
        undisturbed.or_else(|| self.forecast.completion(time))
    }

    fn assign(&mut self, time: Ticks) {
        self.free.assign(time);
        self.forecast.assign(time);
    }

    fn delay(&self) -> Ticks {
        let delay = self.free.delay();
        if delay < self.first { delay } else { self.forecast.delay() }
    }

    fn is_monotone(&self) -> bool {
        false
    }

    fn fork(&self) -> Box<dyn HostModel> {
        let Self { free, first, forecast } = self;
        Box::new(Self { free: free.clone(), first: *first, forecast: forecast.copy() })
    }
}
