//! The mapping heuristics as scheduling policies, with the same code that maps instances.

use super::{Assignment, JobIndex, Mapper, MapperError, View};
use gridsat_engine::Table;
use gridsat_heuristics::{Heuristic, HostState, OnLine, Problem};
use gridsat_model::{HostId, Instance, InstanceParts, Stop, Ticks};

/// Any heuristic: the waiting jobs become an instance, with the current states of the hosts.
pub struct ByHeuristic(pub &'static dyn Heuristic);

impl Mapper for ByHeuristic {
    fn name(&self) -> String {
        self.0.name().to_owned()
    }

    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
        let hosts = view.hosts();
        let states: Vec<_> = hosts.clone().map(|host| view.state(host)).collect();
        if is_late(states.iter(), view.until()) {
            return Ok(Vec::new());
        }
        // Ready times are part of the states.
        let columns: Vec<_> = hosts.clone().map(|host| (host, Ticks::ZERO)).collect();
        let Some((instance, jobs)) = instance(view, &columns)? else { return Ok(Vec::new()) };
        let problem = Problem {
            instance: &instance,
            hosts: states,
            levels: jobs.iter().map(|&job| view.job(job).spec.qos).collect(),
            idle: hosts.clone().map(|host| view.idle(host)).collect(),
            sites: hosts.map(|host| view.site(host)).collect(),
            until: view.until(),
            stop: Stop::never(),
        };
        let assigned = self.0.assign(&problem).into_iter();
        Ok(assigned.map(|(task, host)| Assignment { job: jobs[task.index()], host }).collect())
    }
}

/// The waiting jobs that some of these hosts can run, as an instance, and their indices; `None` if
/// there is no such job. A host is given with its ready time, and once per PE.
pub fn instance(
    view: &View<'_>,
    hosts: &[(HostId, Ticks)],
) -> Result<Option<(Instance, Vec<JobIndex>)>, MapperError> {
    let row = |job| hosts.iter().map(|&(host, _)| view.time(job, host)).collect::<Vec<_>>();
    let rows = view.jobs().map(|job| (job, row(job)));
    let (jobs, etc): (Vec<_>, Vec<_>) =
        rows.filter(|(_, row)| row.iter().any(Option::is_some)).unzip();
    if jobs.is_empty() {
        return Ok(None);
    }
    let ready = hosts.iter().map(|&(_, ready)| ready).collect();
    let parts = InstanceParts { etc, ready, scale: view.scale(), ..InstanceParts::default() };
    let instance = Instance::new(parts).map_err(|error| MapperError(error.to_string()))?;
    Ok(Some((instance, jobs)))
}

/// OLB, MET and MCT: job by job in order of arrival, without building an instance.
pub struct OneByOne(pub OnLine);

impl Mapper for OneByOne {
    fn name(&self) -> String {
        self.0.name().to_owned()
    }

    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
        let mut made = Vec::with_capacity(view.job_count());
        self.decide_into(view, &mut made)?;
        Ok(made)
    }

    fn decide_into(
        &mut self,
        view: &View<'_>,
        made: &mut Vec<Assignment>,
    ) -> Result<(), MapperError> {
        if view.job_count() == 1 && view.until().is_none() {
            let job = JobIndex(0);
            let chosen = match self.0 {
                OnLine::Mct => view.earliest(job).unwrap_or_else(|| view.first_of_all(job)),
                OnLine::Olb | OnLine::Met => self.0.choose(view.candidates(job)),
            };
            made.extend(chosen.map(|host| Assignment { job, host }));
            return Ok(());
        }
        let mut states: Table<HostId, _> = view.hosts().map(|host| view.state(host)).collect();
        for job in view.jobs() {
            if is_late(states.iter(), view.until()) {
                break;
            }
            let hosts = view.times(job).map(|(host, time)| (host, time, &states[host]));
            let Some(host) = self.0.choose(hosts) else { continue };
            let time = view.time(job, host).expect("chosen among the possible hosts");
            states[host].assign(time);
            made.push(Assignment { job, host });
        }
        Ok(())
    }
}

/// Whether no host is free within the time limit.
pub(super) fn is_late<'a>(
    mut states: impl Iterator<Item = &'a HostState>,
    until: Option<Ticks>,
) -> bool {
    until.is_some_and(|until| states.all(|state| state.delay() > until))
}
