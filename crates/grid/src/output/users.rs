//! Table with one row per user: how many of the jobs were finished, and how much of the allowed
//! time and money they took, as in GridSim's report on its users.
//!
//! ```text
//! completion factor  = finished jobs / submitted jobs
//! time utilisation   = Σ_a (last end_a − arrival_a) / Σ_a (deadline_a − arrival_a)
//! budget utilisation = Σ_a spent_a / Σ_a budget_a
//! ```
//!
//! Sums are over the user's applications, of which each has a deadline and a budget of its own.
//! Those without a limit do not count in the sum of that limit, nor do those without a finished job
//! in the sums of times. Above 1 a deadline was missed; a budget cannot be exceeded by brokers, but
//! by other policies.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::description::Description;
use super::row::CsvRow;
use crate::economy::Money;
use crate::{GridEvents, JobRecord, Moments, Outcome, Summary};
use gridsat_engine::Observer;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::ContractId;

/// Names of the columns.
const COLUMNS: [&str; 17] = [
    "user",
    "jobs",
    "finished",
    "completion_factor",
    "first_submission",
    "last_finish",
    "mean_flow_time",
    "flow_time_deviation",
    "min_flow_time",
    "max_flow_time",
    "total_flow_time",
    "time_used",
    "time_allowed",
    "time_utilisation",
    "spent",
    "budget",
    "budget_utilisation",
];

/// The table of users.
pub struct Users<'a> {
    description: &'a Description,
    users: BTreeMap<u32, User>,
}

#[derive(Default)]
struct User {
    jobs: u64,
    flow: Moments,
    finished: u64,
    /// By number.
    applications: BTreeMap<u32, Application>,
}

/// What is known of an application.
struct Application {
    arrival: Time,
    /// End of its last finished job.
    end: Option<Time>,
    spent: Money,
    contract: Option<ContractId>,
}

impl User {
    fn application(
        &mut self,
        number: u32,
        arrival: Time,
        contract: Option<ContractId>,
    ) -> &mut Application {
        let new = || Application { arrival, end: None, spent: Money::ZERO, contract };
        let application = self.applications.entry(number).or_insert_with(new);
        application.arrival = application.arrival.min(arrival);
        application
    }
}

impl<'a> Users<'a> {
    /// A table without rows.
    pub fn new(description: &'a Description) -> Self {
        Self { description, users: BTreeMap::new() }
    }

    /// Writes one row per user who submitted a job, in order of their numbers. The summary has the
    /// jobs that are still in the system.
    pub fn write(mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        for left in &summary.unfinished {
            let user = self.users.entry(left.user).or_default();
            user.jobs += left.jobs;
            user.application(left.application, left.arrival, left.contract);
        }
        writeln!(out, "{}", COLUMNS.join(","))?;
        let mut row = CsvRow::new(self.description.scale);
        for (number, user) in &self.users {
            self.fill(&mut row, *number, user);
            out.write_all(row.line())?;
        }
        Ok(())
    }

    fn fill(&self, row: &mut CsvRow, number: u32, user: &User) {
        let applications = || user.applications.values();
        let seconds = |ticks: f64| ticks / self.description.scale.ticks_per_unit().as_f64();
        row.clear();
        row.push_whole(number);
        row.push_whole(user.jobs);
        row.push_whole(user.finished);
        row.push_number(share(user.finished as f64, user.jobs as f64));
        row.push_time(applications().map(|one| one.arrival.0).min());
        row.push_time(applications().filter_map(|one| Some(one.end?.0)).max());
        let flow = Some(&user.flow).filter(|_| user.finished > 0);
        row.push_number(flow.map(|flow| seconds(flow.mean())));
        row.push_number(flow.and_then(Moments::deviation).map(seconds));
        row.push_time(flow.map(Moments::min));
        row.push_time(flow.map(Moments::max));
        row.push_or_empty(flow.map(|flow| self.description.sum_in_seconds(flow.sum())));
        self.fill_limits(row, user);
    }

    /// Time and money, against what was allowed.
    fn fill_limits(&self, row: &mut CsvRow, user: &User) {
        let terms = |one: &Application| self.description.terms(one.contract);
        let all = || user.applications.values();
        let time = |one: &Application| {
            let allowed = terms(one).deadline? - one.arrival;
            Some((one.end? - one.arrival, allowed))
        };
        let (used, allowed) = sums(all().filter_map(time));
        row.push_time(used);
        row.push_time(allowed);
        row.push_number(ratio(used.map(|t| t.as_f64()), allowed.map(|t| t.as_f64())));
        let spent: Money = all().map(|one| one.spent).sum();
        let limited: Vec<(Money, Money)> =
            all().filter_map(|one| Some((one.spent, terms(one).budget?))).collect();
        let budget =
            (!limited.is_empty()).then(|| limited.iter().map(|pair| pair.1).sum::<Money>());
        let paid: Money = limited.iter().map(|pair| pair.0).sum();
        row.push(spent);
        row.push_or_empty(budget);
        row.push_number(ratio(Some(paid.as_f64()), budget.map(Money::as_f64)));
    }
}

/// The sums of both parts; `None` if there are no pairs.
fn sums(pairs: impl Iterator<Item = (Ticks, Ticks)>) -> (Option<Ticks>, Option<Ticks>) {
    let sum = pairs.reduce(|a, b| (a.0.saturating_add(b.0), a.1.saturating_add(b.1)));
    sum.unzip()
}

fn ratio(part: Option<f64>, whole: Option<f64>) -> Option<f64> {
    share(part?, whole?)
}

/// `None` if the whole is 0.
fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

impl Observer<GridEvents> for Users<'_> {
    fn left(&mut self, job: &JobRecord) {
        let user = self.users.entry(job.user).or_default();
        user.jobs += 1;
        let is_finished = job.outcome == Outcome::Finished;
        if is_finished {
            user.finished += 1;
            user.flow.add(job.flow());
        }
        let application = user.application(job.application, job.arrival, job.contract);
        application.spent += job.cost;
        application.end = application.end.max(is_finished.then_some(job.end));
    }

    fn follows_events(&self) -> bool {
        false
    }
}
