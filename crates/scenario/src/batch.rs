//! The waiting jobs of one decision as an instance, for methods that map a whole batch at once:
//! searches and the search for the optimum.
//!
//! A resource with P PEs is P hosts, its *seats*, and a host is free when its PE is, according to
//! the scheduler's estimator. Times are those of a job alone at full speed. The approximations:
//!
//! - Time-shared resources are treated like space-shared ones whose PEs all become free at the
//!   delay the estimator gives. With one PE the last job of a batch still ends when the model says,
//!   because sharing a PE neither adds nor removes work; other jobs end later. With several PEs
//!   sharing can end earlier or later than the best division of the jobs among the PEs.
//! - The present local load stretches the delays, but not the times of the batch.
//! - Another scheduler as a target is one host: the fastest of its resources, free at the earliest
//!   time of any.
//!
//! Under a time limit the whole batch is mapped, but only jobs are sent that start before the next
//! decision.

use gridsat_grid::{Assignment, JobIndex, MapperError, View, instance};
use gridsat_heuristics::{HostState, Problem};
use gridsat_model::{HostId, Instance, Mapping, Stop, TaskId, Ticks};

/// The jobs of a decision and the PEs they may get.
pub(super) struct Batch {
    /// Tasks are the jobs that can run somewhere, hosts are the seats.
    pub(super) instance: Instance,
    jobs: Vec<JobIndex>,
    /// The target each seat belongs to, and when the seat is free.
    pub(super) seats: Vec<(HostId, Ticks)>,
    until: Ticks,
}

impl Batch {
    /// `None` if there is nothing to map, or no seat is free within the time limit.
    pub(super) fn of(view: &View<'_>) -> Result<Option<Self>, MapperError> {
        let seats = seats(view);
        let until = view.until().unwrap_or(Ticks::MAX);
        if seats.iter().all(|&(_, ready)| ready > until) {
            return Ok(None);
        }
        let found = instance(view, &seats)?;
        Ok(found.map(|(instance, jobs)| Self { instance, jobs, seats, until }))
    }

    /// The number of each job.
    pub(super) fn numbers(&self, view: &View<'_>) -> Vec<u64> {
        self.jobs.iter().map(|&job| view.job(job).number).collect()
    }

    /// The batch for a heuristic that may use sites, levels of service and idle times. It has no
    /// time limit, so that every task gets a host.
    pub(super) fn problem(&self, view: &View<'_>, stop: &Stop) -> Problem<'_> {
        let hosts = || self.seats.iter().map(|&(host, _)| host);
        Problem {
            instance: &self.instance,
            hosts: self.seats.iter().map(|&(_, ready)| HostState::Queue(ready)).collect(),
            idle: hosts().map(|host| view.idle(host)).collect(),
            sites: hosts().map(|host| view.site(host)).collect(),
            levels: self.jobs.iter().map(|&job| view.job(job).spec.qos).collect(),
            until: None,
            stop: stop.clone(),
        }
    }

    /// The jobs that start within the time limit, in order of their starts.
    pub(super) fn sent(&self, mapping: &Mapping) -> Vec<Assignment> {
        let mut starts = self.starts(mapping);
        starts.retain(|&(start, ..)| start <= self.until);
        starts.sort_unstable();
        let assignment = |&(_, task, seat): &(Ticks, TaskId, HostId)| Assignment {
            job: self.jobs[task.index()],
            host: self.seats[seat.index()].0,
        };
        starts.iter().map(assignment).collect()
    }

    /// Start time of each task if the tasks of a seat run in order.
    fn starts(&self, mapping: &Mapping) -> Vec<(Ticks, TaskId, HostId)> {
        let mut free: Vec<Ticks> = self.seats.iter().map(|&(_, ready)| ready).collect();
        let start = |task| {
            let seat = mapping.host(task);
            let start = free[seat.index()];
            let time = self.instance.time(task, seat).expect("mapped to hosts that can run it");
            free[seat.index()] += time;
            (start, task, seat)
        };
        self.instance.tasks().map(start).collect()
    }
}

/// The PEs that become free at some time: the host each belongs to, and when.
fn seats(view: &View<'_>) -> Vec<(HostId, Ticks)> {
    let of = |host| view.delays(host).into_iter().map(move |ready| (host, ready));
    let all = view.hosts().flat_map(of);
    all.filter(|&(_, ready)| ready < Ticks::MAX).collect()
}
