//! Sums over all jobs: counts, money and PE time, and the final statistics.

use super::{Event, Simulation};
use crate::Unfinished;
use crate::allocation::JobId;
use crate::economy::{Economy, Ledger, Money, Terms};
use crate::job::{Job, JobRecord, Outcome, Place};
use crate::jobs::PlainJob;
use crate::resource::Resource;
use crate::summary::{Accounts, Counts, ResourceSummary, Summary};
use crate::work::Work;
use gridsat_engine::time::Time;
use gridsat_engine::{End, Engine};
use gridsat_model::{Scale, Ticks};
use gridsat_workload::JobSpec;

/// Statistics of jobs that left, and of money.
pub(super) struct Accounting {
    /// PE time; counted when a stint of a job ends.
    pub(super) work: Accounts,
    counts: Counts,
    pub(super) ledger: Ledger,
    pub(super) scale: Scale,
}

impl Accounting {
    pub fn new(contracts: Vec<Terms>, scale: Scale) -> Self {
        let (work, counts) = (Accounts::default(), Counts::default());
        Self { work, counts, ledger: Ledger::new(contracts), scale }
    }

    /// Counts an arriving job and returns its number.
    pub fn submit(&mut self) -> u64 {
        self.counts.submitted += 1;
        self.counts.submitted - 1
    }

    /// Sets money aside for a job sent to a resource, where it costs this.
    pub fn commit(&mut self, job: &JobSpec, cost: impl FnOnce() -> Money) {
        if job.contract.is_some() {
            self.ledger.commit(job.contract, cost());
        }
    }

    /// Returns the money of a job that comes back from a resource.
    pub fn release(&mut self, job: &JobSpec, from: &Resource) {
        self.ledger.release(job.contract, from.cost(job).unwrap_or_default());
    }

    /// Closes the account of a job that leaves the system, from a resource if it was sent to one.
    #[inline]
    pub fn close(
        &mut self,
        job: Job,
        at: Option<&Resource>,
        outcome: Outcome,
        ran_until: Time,
        now: Time,
    ) -> JobRecord {
        let cost = at.map_or(Money::ZERO, |at| self.pay(&job, at, outcome));
        let deadline = self.ledger.deadline(job.spec.contract);
        let record = JobRecord::new(job, ran_until, now, outcome, cost, deadline);
        self.counts.add(&record);
        record
    }

    /// Counts a plain job that is finished, after this much work.
    #[inline]
    pub fn finish_plain(&mut self, job: &PlainJob, time: Ticks, now: Time) {
        let all = Work::of(time);
        self.work.given += all;
        self.work.useful += all;
        let started = job.started().map(|(start, _)| start);
        self.counts.finish(job.arrival, started, now);
    }

    /// The amount paid for a job that leaves: its price if it is finished, otherwise 0.
    #[inline]
    fn pay(&mut self, job: &Job, at: &Resource, outcome: Outcome) -> Money {
        if at.spec().price == Money::ZERO {
            return Money::ZERO;
        }
        if outcome != Outcome::Finished {
            self.release(&job.spec, at);
            return Money::ZERO;
        }
        let cost = at.cost(&job.spec).unwrap_or_default();
        self.ledger.pay(job.spec.contract, cost);
        cost
    }
}

/// `part / whole`; 0 if `whole` is 0.
fn share(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

impl Simulation<'_> {
    pub(super) fn summary(mut self, end: End, engine: &Engine<Event>, seed: u64) -> Summary {
        let now = engine.now();
        self.resources.iter_mut().for_each(|resource| resource.advance(now));
        let (span, time) = (self.accounting.counts.makespan.0.as_f64(), now.0.as_f64());
        let of = |resource: &Resource| ResourceSummary {
            name: resource.spec().name.clone(),
            completed: resource.occupancy.completed(),
            lost: resource.occupancy.lost(),
            downtime: share(resource.down_time(now).as_f64(), time),
            mean_jobs: resource.occupancy.mean_jobs(),
            utilisation: share(
                resource.occupancy.busy_time() as f64,
                span * f64::from(resource.pe_count()),
            ),
        };
        let resources = self.resources.iter();
        let busy: u128 = resources.clone().map(|resource| resource.occupancy.busy_time()).sum();
        let pes: u64 = resources.clone().map(|resource| u64::from(resource.pe_count())).sum();
        let down = resources
            .clone()
            .map(|resource| u128::from(resource.down_time(now)) * u128::from(resource.pe_count()));
        let (utilisation, downtime) = (
            share(busy as f64, span * pes as f64),
            share(down.sum::<u128>() as f64, time * pes as f64),
        );
        let resources = resources.map(of).collect();
        let stuck = self.stuck(end);
        let reservations = self.reservation_summaries(now);
        self.count_unfinished();
        let others = self.jobs.others().map(|(_, job)| job);
        let unfinished = Unfinished::all(self.jobs.plain_jobs(), others);
        Summary {
            end,
            stuck,
            end_time: now,
            left: self.jobs.len() as u64,
            unfinished,
            resources,
            utilisation,
            downtime,
            accounts: self.accounting.work,
            data: self.data.as_ref().map(|data| data.summary().clone()),
            economy: self.economy(end, now),
            reservations,
            events: engine.handled(),
            decisions: self.schedulers.decisions,
            scheduling: self.schedulers.thinking.as_ref().map(|thinking| thinking.total),
            notes: self.schedulers.notes(),
            proofs: self.schedulers.proofs(),
            scale: self.accounting.scale,
            seed,
            counts: self.accounting.counts,
        }
    }

    /// The economic results; `None` without prices, budgets and deadlines.
    fn economy(&self, end: End, now: Time) -> Option<Economy> {
        let Accounting { ledger, counts, .. } = &self.accounting;
        let is_free = |resource: &Resource| resource.spec().price == Money::ZERO;
        if ledger.is_empty() && self.resources.iter().all(is_free) {
            return None;
        }
        // Plain jobs have no deadline.
        let is_late = |(_, job): &(JobId, &Job)| {
            let is_sent = job.place.resource().is_some();
            let deadline = ledger.deadline(job.spec.contract);
            // If no events are left, it will never be finished.
            is_sent && deadline.is_some_and(|deadline| deadline < now || end == End::NoEvents)
        };
        Some(Economy {
            spent: counts.spent,
            missed: counts.missed + self.jobs.others().filter(is_late).count() as u64,
            not_affordable: self.schedulers.given_up as u64,
        })
    }

    /// Why jobs are left although no events are pending.
    fn stuck(&self, end: End) -> Option<String> {
        let (jobs, given_up) = (self.jobs.len(), self.schedulers.given_up);
        if end != End::NoEvents || jobs == given_up {
            return None;
        }
        let count = |is: fn(&Job) -> bool| self.jobs.others().filter(|(_, job)| is(job)).count();
        let at = count(|job| matches!(job.place, Place::At(..) | Place::Stranded { .. }))
            + self.jobs.plain_jobs().count();
        let held = count(|job| matches!(job.place, Place::Held(_)));
        let staging = count(|job| matches!(job.place, Place::Staging { .. }));
        let waiting = jobs - at - held - staging - given_up;
        let staging = match staging {
            0 => String::new(),
            count => format!(", {count} wait for files, storage or memory that they never get"),
        };
        Some(format!(
            "no event is left, but {waiting} jobs wait at schedulers, {at} are at resources \
             that can never complete them (halted, down, or no PE time left){staging}, and {held} \
             are held back"
        ))
    }
}
