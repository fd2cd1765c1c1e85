//! Jobs leave, and in the end everything is summed up.

use super::super::SimError;
use super::super::allocation::JobId;
use super::super::economy::{Economy, Money};
use super::super::job::{Job, JobRecord, Outcome, Place};
use super::super::resource::Resource;
use super::super::summary::{ResourceSummary, Summary};
use super::{Event, Simulation};
use gridsat_engine::time::Time;
use gridsat_engine::{End, Engine};

impl Simulation<'_> {
    pub(super) fn leave(&mut self, id: JobId, outcome: Outcome, engine: &mut Engine<Event>) {
        self.leave_after(id, outcome, engine.now(), engine);
    }

    /// A job leaves that ran until then, if it ran.
    pub(super) fn leave_after(
        &mut self,
        id: JobId,
        outcome: Outcome,
        ran_until: Time,
        engine: &mut Engine<Event>,
    ) {
        let job = self.jobs.remove(id);
        if let Some(named) = self.named.get_mut(&job.number) {
            *named = None;
        }
        let cost = self.pay(&job, outcome);
        let deadline = self.ledger.deadline(job.spec.contract);
        let record = JobRecord::new(job, ran_until, engine.now(), outcome, cost, deadline);
        self.counts.add(&record);
        self.observer.left(&record);
        self.rest_if_done(engine);
    }

    /// What is paid for a job that leaves: all if it is finished, nothing otherwise.
    #[inline]
    fn pay(&mut self, job: &Job, outcome: Outcome) -> Money {
        let Some(at) = job.place.resource() else { return Money::ZERO };
        let resource = &self.resources[at.index()];
        if resource.spec().price == Money::ZERO {
            return Money::ZERO;
        }
        let cost = resource.cost(&job.spec).unwrap_or_default();
        if outcome == Outcome::Finished {
            self.ledger.pay(job.spec.contract, cost);
            return cost;
        }
        self.ledger.release(job.spec.contract, cost);
        Money::ZERO
    }

    /// Money, if there is any.
    fn economy(&self, end: End, now: Time) -> Option<Economy> {
        let is_free = |resource: &Resource| resource.spec().price == Money::ZERO;
        if self.ledger.is_empty() && self.resources.iter().all(is_free) {
            return None;
        }
        let is_late = |job: &&Job| {
            let is_sent = job.place.resource().is_some();
            let deadline = self.ledger.deadline(job.spec.contract);
            // Where nothing more happens, it will never be finished.
            is_sent && deadline.is_some_and(|deadline| deadline < now || end == End::NoEvents)
        };
        Some(Economy {
            spent: self.counts.spent,
            missed: self.counts.missed + self.jobs.iter().filter(is_late).count() as u64,
            not_affordable: self.given_up as u64,
        })
    }

    /// Without jobs, loads and availability need not change any more; then nothing is left to happen.
    pub(super) fn rest_if_done(&mut self, engine: &mut Engine<Event>) {
        let is_done = self.jobs.len() == self.given_up
            && self.arrivals.iter().all(|next| next.next.is_none())
            && self.desk.as_ref().is_none_or(|desk| desk.next().is_none());
        if is_done {
            let events = self.load_events.iter_mut().chain(&mut self.failure_events);
            let events = events.chain(&mut self.information_events);
            events.filter_map(Option::take).for_each(|id| {
                engine.cancel(id);
            });
        }
    }

    pub(super) fn fail(&mut self, failure: SimError, engine: &mut Engine<Event>) {
        self.failure.get_or_insert(failure);
        engine.end();
    }

    pub(super) fn summary(mut self, end: End, engine: &Engine<Event>, seed: u64) -> Summary {
        let now = engine.now();
        self.resources.iter_mut().for_each(|resource| resource.advance(now));
        let span = self.counts.makespan.0.as_f64();
        let share = |busy: u128, pes: u64| {
            if span == 0.0 { 0.0 } else { busy as f64 / (span * pes as f64) }
        };
        let time = now.0.as_f64();
        let down_share = |ticks: f64, pes: f64| {
            if time == 0.0 { 0.0 } else { ticks / (time * pes) }
        };
        let of = |resource: &Resource| ResourceSummary {
            name: resource.spec().name.clone(),
            completed: resource.tally().completed(),
            lost: resource.tally().lost(),
            downtime: down_share(resource.down_time(now).as_f64(), 1.0),
            mean_jobs: resource.tally().mean_jobs(),
            utilisation: share(resource.tally().busy_time(), u64::from(resource.pe_count())),
        };
        let busy = self.resources.iter().map(|resource| resource.tally().busy_time()).sum();
        let pes: u64 = self.resources.iter().map(|resource| u64::from(resource.pe_count())).sum();
        let down = |resource: &Resource| {
            u128::from(resource.down_time(now)) * u128::from(resource.pe_count())
        };
        let down: u128 = self.resources.iter().map(down).sum();
        let resources = self.resources.iter().map(of).collect();
        let stuck = self.stuck(end);
        let reservations = self.reservations(now);
        self.count_unfinished();
        Summary {
            end,
            stuck,
            end_time: now,
            left: self.jobs.len() as u64,
            resources,
            utilisation: share(busy, pes),
            downtime: down_share(down as f64, pes as f64),
            accounts: self.accounts,
            data: self.data.as_ref().map(|data| data.summary().clone()),
            economy: self.economy(end, now),
            reservations,
            events: engine.handled(),
            decisions: self.decisions,
            scheduling: self.scheduling,
            notes: self.notes(),
            scale: self.scale,
            seed,
            counts: self.counts,
        }
    }

    /// What schedulers have to say, with their names.
    fn notes(&self) -> Vec<(String, String)> {
        let both = self.schedulers.iter().zip(&self.mappers);
        both.filter_map(|(of, mapper)| Some((of.name.clone(), mapper.note()?))).collect()
    }

    /// Why jobs are left when nothing more can happen.
    pub(super) fn stuck(&self, end: End) -> Option<String> {
        if end != End::NoEvents || self.jobs.len() == self.given_up {
            return None;
        }
        let count = |is: fn(&Job) -> bool| self.jobs.iter().filter(|job| is(job)).count();
        let at = count(|job| matches!(job.place, Place::At(..) | Place::Stranded { .. }));
        let held = count(|job| matches!(job.place, Place::Held(_)));
        let staging = count(|job| matches!(job.place, Place::Staging { .. }));
        let waiting = self.jobs.len() - at - held - staging - self.given_up;
        let staging = match staging {
            0 => String::new(),
            count => format!(", {count} wait for files or room that never come"),
        };
        Some(format!(
            "nothing more can happen, but {waiting} jobs wait at schedulers, {at} are at resources \
             that never complete them (halted, down, or no PE time left){staging} and {held} are held back"
        ))
    }
}
