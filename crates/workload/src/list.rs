//! Jobs given as a list.

use super::{Demand, JobSpec, WorkloadError};

/// Checks the jobs and sorts them by arrival; jobs of the same tick keep their order.
pub fn list(mut jobs: Vec<JobSpec>) -> Result<std::vec::IntoIter<JobSpec>, WorkloadError> {
    for (index, job) in jobs.iter().enumerate() {
        check(index, job)?;
    }
    jobs.sort_by_key(|job| job.arrival);
    Ok(jobs.into_iter())
}

fn check(job: usize, spec: &JobSpec) -> Result<(), WorkloadError> {
    let positive = |value: f64| value.is_finite() && value > 0.0;
    match spec.demand {
        Demand::Instructions(value) | Demand::Operations(value) if !positive(value) => {
            Err(WorkloadError::Size { job, value })
        }
        Demand::Composite(ref all) if !positive(all.amount()) => {
            Err(WorkloadError::Size { job, value: all.amount() })
        }
        Demand::Times(ref times) if times.iter().all(Option::is_none) => {
            Err(WorkloadError::Nowhere { job })
        }
        _ if !positive(spec.estimate) => Err(WorkloadError::Estimate { job, value: spec.estimate }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_model::Ticks;

    fn job(arrival: u64, user: u32) -> JobSpec {
        JobSpec { user, ..JobSpec::new(Ticks(arrival), Demand::Instructions(1.0)) }
    }

    #[test]
    fn is_in_order_of_arrival_then_as_given() {
        let jobs = list(vec![job(5, 0), job(1, 1), job(5, 2), job(1, 3)]).expect("valid");
        assert_eq!(jobs.map(|job| job.user).collect::<Vec<_>>(), [1, 3, 0, 2]);
    }

    #[test]
    fn rejects_nonsense_in_one_line() {
        let error = |bad: JobSpec| list(vec![job(0, 0), bad]).expect_err("invalid").to_string();
        let demand = |demand| JobSpec { demand, ..job(0, 0) };
        assert_eq!(
            error(demand(Demand::Instructions(0.0))),
            "job 1: size is 0 MI, not a number above 0"
        );
        assert_eq!(error(demand(Demand::Times(vec![None, None].into()))), "job 1 can run nowhere");
        assert_eq!(
            error(JobSpec { estimate: f64::NAN, ..job(0, 0) }),
            "job 1: estimate is NaN times the size, not a number above 0"
        );
    }
}
