//! First come, first served onto free hosts, in time independent of the length of the queue.
//!
//! Decides as [`List`] does with an instance of all waiting jobs, but job by job and only while a
//! host is free: with thousands of jobs waiting for a few hosts, most never have to be examined.

use super::{Assignment, ByHeuristic, JobIndex, Mapper, MapperError, View};
use gridsat_heuristics::{Heuristic, HostState, List};
use gridsat_model::{HostId, Ticks};

/// FCFS, FJFR or FJBR.
pub struct OntoFree(&'static List);

/// A host that can start a job now.
struct Free {
    host: HostId,
    state: HostState,
    idle: Ticks,
}

impl OntoFree {
    /// For lists that take jobs in order of arrival; `None` for others.
    pub fn new(list: &'static List) -> Option<Self> {
        matches!(list, List::Fcfs | List::Fjfr | List::Fjbr).then_some(Self(list))
    }

    /// Index of the host for a job among the free ones.
    fn choose(&self, view: &View<'_>, job: JobIndex, free: &[Free]) -> Option<usize> {
        let key = |(position, free): (usize, &Free)| {
            let time = view.time(job, free.host)?;
            let key = match self.0 {
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

impl Mapper for OntoFree {
    fn name(&self) -> String {
        self.0.name().to_owned()
    }

    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
        if view.until() != Some(Ticks(0)) {
            return ByHeuristic(self.0).decide(view);
        }
        let mut free: Vec<Free> = view
            .hosts()
            .filter(|&host| view.may_be_free(host))
            .map(|host| Free { host, state: view.state(host), idle: view.idle(host) })
            .filter(|free| free.state.delay() == Ticks(0))
            .collect();
        let mut assigned = Vec::new();
        for job in view.jobs() {
            if free.is_empty() {
                break;
            }
            let Some(position) = self.choose(view, job, &free) else { continue };
            let Free { host, state, .. } = &mut free[position];
            let time = view.time(job, *host).expect("chosen among the possible hosts");
            state.assign(time);
            assigned.push(Assignment { job, host: *host });
            if state.delay() > Ticks(0) {
                free.remove(position);
            }
        }
        Ok(assigned)
    }
}
