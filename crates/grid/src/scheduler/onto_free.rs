//! List scheduling onto free hosts, in time that hardly depends on the length of the queue.
//!
//! Decides as [`List`] does with an instance of all waiting jobs, but job by job and only while a
//! host is free: with thousands of jobs waiting for a few hosts, most never have to be examined.
//! Shortest or longest jobs first are kept in that order between decisions. If there ever was a job
//! that needs more than instructions, or that arrived out of order, the list itself decides.

use std::collections::BTreeSet;

use super::plain_jobs::{Follower, Order, PlainJob};
use super::{Assignment, ByHeuristic, JobIndex, Mapper, MapperError, View};
use gridsat_heuristics::{Heuristic, HostState, List};
use gridsat_model::{HostId, Ticks};

/// FCFS, FJFR, FJBR, MinMax or MaxMax.
pub struct OntoFree {
    list: &'static List,
    /// For MinMax and MaxMax.
    by_length: Option<(Follower, ByLength)>,
}

/// Rank of a job by its least time on any host, and its number.
type Key = (Ticks, u64);

/// Jobs that some host can run, in the order in which they are taken.
#[derive(Default)]
struct ByLength {
    is_longest_first: bool,
    jobs: BTreeSet<Key>,
}

/// A host that can start a job now.
struct Free {
    host: HostId,
    state: HostState,
    idle: Ticks,
}

impl Order for ByLength {
    fn clear(&mut self) {
        self.jobs.clear();
    }

    fn add(&mut self, view: &View<'_>, job: PlainJob) {
        self.jobs.extend(self.key(view, job));
    }
}

impl ByLength {
    /// `None` if no host can run the job.
    fn key(&self, view: &View<'_>, PlainJob { size, qos, number }: PlainJob) -> Option<Key> {
        let times = view.hosts().filter_map(|host| view.time_of_size(qos, size, host));
        let shortest = times.min()?;
        let rank = if self.is_longest_first { Ticks::MAX - shortest } else { shortest };
        Some((rank, number))
    }
}

impl OntoFree {
    /// Decides as this list.
    pub fn new(list: &'static List) -> Self {
        let by_length = |is_longest_first| {
            Some((Follower::new(), ByLength { is_longest_first, jobs: BTreeSet::new() }))
        };
        let by_length = match list {
            List::Fcfs | List::Fjfr | List::Fjbr => None,
            List::MinMax => by_length(false),
            List::MaxMax => by_length(true),
        };
        Self { list, by_length }
    }

    /// Index of the host for a job among the free ones.
    fn choose(&self, view: &View<'_>, job: JobIndex, free: &[Free]) -> Option<usize> {
        let key = |(position, free): (usize, &Free)| {
            let time = view.time(job, free.host)?;
            let key = match self.list {
                List::Fcfs => Ticks::MAX - free.idle,
                List::Fjfr => Ticks(0),
                _ => time,
            };
            (free.state.completion(time) < Ticks::MAX).then_some((key, position))
        };
        let best = free.iter().enumerate().filter_map(key).min();
        best.map(|(_, position)| position)
    }
}

impl OntoFree {
    /// Assigns the jobs in this order while a host is free.
    fn assign(
        &self,
        view: &View<'_>,
        jobs: impl Iterator<Item = JobIndex>,
        free: &mut Vec<Free>,
    ) -> Vec<Assignment> {
        let mut assigned = Vec::new();
        for job in jobs {
            if free.is_empty() {
                break;
            }
            let Some(position) = self.choose(view, job, free) else { continue };
            let Free { host, state, .. } = &mut free[position];
            let time = view.time(job, *host).expect("chosen among the possible hosts");
            state.assign(time);
            assigned.push(Assignment { job, host: *host });
            if state.delay() > Ticks(0) {
                free.remove(position);
            }
        }
        assigned
    }
}

impl Mapper for OntoFree {
    fn name(&self) -> String {
        self.list.name().to_owned()
    }

    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
        if view.until() != Some(Ticks(0)) {
            return ByHeuristic(self.list).decide(view);
        }
        let mut free: Vec<Free> = view
            .hosts()
            .filter(|&host| view.may_be_free(host))
            .map(|host| Free { host, state: view.state(host), idle: view.idle(host) })
            .filter(|free| free.state.delay() == Ticks(0))
            .collect();
        if free.is_empty() {
            return Ok(Vec::new());
        }
        let Some((mut follower, mut order)) = self.by_length.take() else {
            return Ok(self.assign(view, view.jobs(), &mut free));
        };
        let made = if follower.follow(view, &mut order) {
            let mut taken = Vec::new();
            let jobs = order.jobs.iter().inspect(|&&key| taken.push(key));
            let made = self.assign(view, jobs.map(|&(_, number)| view.place(number)), &mut free);
            for assignment in &made {
                let number = view.job(assignment.job).number;
                let key = taken.iter().find(|&&(_, other)| other == number);
                order.jobs.remove(key.expect("it was taken from there"));
            }
            follower.send(made.len());
            made
        } else {
            ByHeuristic(self.list).decide(view)?
        };
        self.by_length = Some((follower, order));
        Ok(made)
    }
}
