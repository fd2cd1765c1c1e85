//! `[[job]]`: a list of jobs, numbered from 1 in the order of the file.

use super::file;
use super::jobs::Around;
use super::request;
use super::reservation;
use super::words::ticks;
use crate::error::{At, Fault, ensure, label};
use gridsat_cluster::{ClusterId, ParallelJob, Terms};
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};
use gridsat_workload::RigidJob;

/// The jobs in order of submission.
pub(super) fn check(given: &[file::Job], around: Around<'_>) -> Result<Vec<ParallelJob>, Fault> {
    let check = |(index, job): (usize, &file::Job)| {
        of(job, index as u64 + 1, around).at(label("job", index, job.name.as_deref()))
    };
    let mut jobs = given.iter().enumerate().map(check).collect::<Result<Vec<_>, _>>()?;
    jobs.sort_by_key(|job| job.rigid.submit);
    Ok(jobs)
}

fn of(given: &file::Job, number: u64, around: Around<'_>) -> Result<ParallelJob, Fault> {
    let Around { clusters, scale, reservations, .. } = around;
    let (nodes, request) = request::of_job(given, clusters.nodes)?;
    let run = ticks("run", given.run, scale)?;
    ensure(run > Ticks(0), || format!("run is {}, must be above 0", given.run))?;
    let estimate = given.estimate.map(|seconds| ticks("estimate", seconds, scale)).transpose()?;
    let home = given.home.as_deref().map(|name| clusters.named(name)).transpose().at("home")?;
    let rigid = RigidJob {
        number,
        submit: ticks("at", given.at, scale)?,
        nodes,
        run,
        estimate: estimate.filter(|&ticks| ticks > Ticks(0)).unwrap_or(run),
        priority: given.priority,
        user: given.user,
    };
    let reservation =
        given.reservation.as_deref().map(|name| reservation::named(name, reservations));
    let reservation = reservation.transpose()?;
    let reserved = reservation.map(|id| &reservations[id as usize]);
    ensure(reserved.is_none_or(|spec| rigid.nodes <= spec.nodes), || {
        let have = reserved.map_or(0, |spec| spec.nodes);
        format!("needs {} nodes, but its reservation has {have}", rigid.nodes)
    })?;
    let terms = terms(given, rigid.submit, reservation, scale)?;
    let home = home.unwrap_or(reserved.map_or(ClusterId(0), |spec| spec.cluster));
    Ok(ParallelJob { rigid, home, request, terms })
}

/// Deadline, migration cost and reservation of a job, if it has any of them.
fn terms(
    given: &file::Job,
    submit: Ticks,
    reservation: Option<u32>,
    scale: Scale,
) -> Result<Option<Box<Terms>>, Fault> {
    if given.deadline.is_none() && given.migration.is_none() && reservation.is_none() {
        return Ok(None);
    }
    let deadline = given.deadline.map(|seconds| ticks("deadline", seconds, scale)).transpose()?;
    ensure(deadline.is_none_or(|deadline| deadline >= submit), || {
        let deadline = given.deadline.unwrap_or_default();
        format!("deadline is {deadline}, before at, which is {}", given.at)
    })?;
    let migration = ticks("migration", given.migration.unwrap_or(0.0), scale)?;
    Ok(Some(Box::new(Terms { deadline: deadline.map(Time), migration, reservation })))
}
