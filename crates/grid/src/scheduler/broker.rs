//! A broker with budgets and deadlines, after Nimrod-G (Buyya, Abramson and Giddy 2000).
//!
//! Jobs are considered one by one, application by application. Of the resources that are estimated
//! to finish the job by the deadline, at a cost of at most the job's share of the money, one is
//! chosen by the optimisation:
//!
//! - cost: the cheapest, so more expensive ones get only jobs that the cheap ones cannot finish in
//!   time;
//! - time: the one that completes it first;
//! - cost-time: the cheapest, and among equally cheap ones the one that completes it first;
//! - none: the one with the fewest jobs of the application in this decision.
//!
//! The share of a job among those still to be placed is proportional to its mean cost over all
//! resources, so what one job saves is available to the next ones. The cheapest resource is always
//! allowed while the money suffices. (Reserving only the least possible cost of later jobs was
//! tried: it leaves them with money for machines that are full.)
//!
//! Like Nimrod-G's broker it decides again at intervals, in modes batch and time-limit. In the
//! latter it plans for all jobs and sends those that start before the next decision. A job is given
//! up when it can no longer succeed: on every resource it could pay, its time alone at full speed
//! exceeds the time to the deadline, or it costs more everywhere than the application has not
//! spent.

use std::collections::HashMap;

use super::{Assignment, JobIndex, Mapper, MapperError, View};
use crate::economy::{Account, Money};
use gridsat_engine::Table;
use gridsat_engine::time::Time;
use gridsat_heuristics::HostState;
use gridsat_model::{HostId, Ticks};

/// What a broker minimises within deadline and budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimise {
    /// Cost.
    Cost,
    /// Completion time.
    Time,
    /// Cost, and completion time among equal costs.
    CostTime,
    /// Nothing: jobs are distributed evenly.
    Nothing,
}

/// Maps jobs within deadline and budget.
pub struct Broker {
    optimise: Optimise,
    given_up: Vec<JobIndex>,
}

/// A job on a host, with time and cost.
#[derive(Clone, Copy)]
struct Offer {
    host: HostId,
    /// Estimated run time alone at full speed.
    time: Ticks,
    cost: Money,
}

/// A decision under construction.
struct Plan<'a> {
    view: &'a View<'a>,
    optimise: Optimise,
    hosts: Table<HostId, HostState>,
    /// On time-shared hosts, the longest job of the application in this plan: each added job delays
    /// all others, and the longest ends last. 0 on other hosts.
    longest: Table<HostId, Ticks>,
    sent: Vec<Assignment>,
}

impl Broker {
    /// A broker with this optimisation.
    pub fn new(optimise: Optimise) -> Self {
        Self { optimise, given_up: Vec::new() }
    }
}

impl Mapper for Broker {
    fn name(&self) -> String {
        let name = match self.optimise {
            Optimise::Cost => "broker-cost",
            Optimise::Time => "broker-time",
            Optimise::CostTime => "broker-cost-time",
            Optimise::Nothing => "broker-none",
        };
        name.to_owned()
    }

    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
        let (hopeless, hopeful) = view.jobs().partition(|&job| is_hopeless(view, job));
        self.given_up = hopeless;
        let hosts = view.hosts().map(|host| view.state(host)).collect();
        let longest = view.hosts().map(|_| Ticks::ZERO).collect();
        let mut plan = Plan { view, optimise: self.optimise, hosts, longest, sent: Vec::new() };
        applications(view, hopeful).iter().for_each(|jobs| plan.add(jobs));
        Ok(plan.sent)
    }

    fn given_up(&mut self) -> Vec<JobIndex> {
        std::mem::take(&mut self.given_up)
    }
}

impl Plan<'_> {
    /// Plans the jobs of one application.
    fn add(&mut self, jobs: &[JobIndex]) {
        let Some(&first) = jobs.first() else { return };
        let account = self.view.account(first);
        self.longest.iter_mut().for_each(|longest| *longest = Ticks(0));
        let costs = |job| offers(self.view, job).map(|offer| offer.cost);
        // All jobs have the same resources, except for those they cannot run on, so sums can
        // replace means.
        let weights: Vec<Money> = jobs.iter().map(|&job| costs(job).sum()).collect();
        let mut all: Money = weights.iter().copied().sum();
        let mut left = account.left();
        let mut counts: Table<HostId, u64> = self.hosts.iter().map(|_| 0).collect();
        for (&job, &weight) in jobs.iter().zip(&weights) {
            let cheapest = costs(job).min().unwrap_or_default();
            let limit = share(left, weight, all).max(cheapest).min(left);
            all = all.less(weight);
            let Some(offer) = self.choose(job, &account, limit, &counts) else { continue };
            left = left.less(offer.cost);
            counts[offer.host] += 1;
            self.send(job, offer);
        }
    }

    fn choose(
        &self,
        job: JobIndex,
        account: &Account,
        limit: Money,
        counts: &Table<HostId, u64>,
    ) -> Option<Offer> {
        let key = |offer: Offer| {
            let completion = self.hosts[offer.host].completion(offer.time);
            let is_possible = completion < Ticks::MAX && offer.cost <= limit;
            let last = match self.longest[offer.host] {
                longest if longest > offer.time => self.hosts[offer.host].completion(longest),
                _ => completion,
            };
            let is_in_time = account.terms.deadline.is_none_or(|d| self.view.now() + last <= d);
            let (cost, completion) = (offer.cost.0, u128::from(completion));
            let key = match self.optimise {
                Optimise::Cost => (cost, 0),
                Optimise::Time => (completion, cost),
                Optimise::CostTime => (cost, completion),
                Optimise::Nothing => (counts[offer.host].into(), 0),
            };
            (is_possible && is_in_time).then_some((key, offer))
        };
        let best = offers(self.view, job).filter_map(key);
        best.min_by_key(|&(key, offer)| (key, offer.host)).map(|(_, offer)| offer)
    }

    /// Sends the job if it starts before the next decision; otherwise it only occupies its place in
    /// the plan.
    fn send(&mut self, job: JobIndex, Offer { host, time, .. }: Offer) {
        let policy = self.view.host(host).map(|host| host.policy);
        if policy.is_some_and(|policy| !policy.is_space_shared()) {
            self.longest[host] = self.longest[host].max(time);
        }
        let start = self.hosts[host].delay();
        self.hosts[host].assign(time);
        if self.view.until().is_none_or(|until| start <= until) {
            self.sent.push(Assignment { job, host });
        }
    }
}

/// `left · weight / all`, rounded down; `left` if `all` is 0.
fn share(left: Money, weight: Money, all: Money) -> Money {
    match left.0.checked_mul(weight.0) {
        _ if all == Money::ZERO => left,
        Some(product) => Money(product / all.0),
        None => Money((left.0 / all.0).saturating_mul(weight.0)),
    }
}

/// The hosts on which a job can run, with time and cost.
fn offers<'a>(view: &'a View<'a>, job: JobIndex) -> impl Iterator<Item = Offer> {
    let offer = move |(host, time)| Some(Offer { host, time, cost: view.cost(job, host)? });
    view.times(job).filter_map(offer)
}

/// The waiting jobs by application, in the order of their first jobs.
fn applications(view: &View<'_>, jobs: Vec<JobIndex>) -> Vec<Vec<JobIndex>> {
    let mut numbers = HashMap::new();
    let mut all: Vec<Vec<JobIndex>> = Vec::new();
    for job in jobs {
        let number = *numbers.entry(view.job(job).spec.contract).or_insert(all.len());
        if number == all.len() {
            all.push(Vec::new());
        }
        all[number].push(job);
    }
    all
}

fn is_hopeless(view: &View<'_>, job: JobIndex) -> bool {
    let account = view.account(job);
    let (deadline, money) = (account.terms.deadline.unwrap_or(Time::NEVER), account.unspent());
    offers(view, job).all(|offer| offer.cost > money || view.now() + offer.time > deadline)
}
