//! Arrivals: the next job is read when the previous one arrives.

use gridsat_engine::Engine;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::RigidJob;

use super::{Event, Simulation};
use crate::error::ClusterError;
use crate::happening::Happening;
use crate::job::{ParallelJob, Request};

impl Simulation<'_> {
    /// Reads the next job and schedules its arrival, given number and submission of the last.
    pub(super) fn expect_next(&mut self, last: (u64, Ticks), engine: &mut Engine<Event>) {
        let failure = match self.source.next() {
            None => return,
            Some(Err(error)) => ClusterError::Source(error),
            Some(Ok(job)) => match self.check(&job, last) {
                Err(failure) => failure,
                Ok(()) => {
                    engine.expect(Time(job.rigid.submit), Event::Arrival);
                    self.next = Some(job);
                    return;
                }
            },
        };
        (self.failure, self.is_over) = (Some(failure), true);
    }

    #[inline]
    fn check(&self, job: &ParallelJob, last: (u64, Ticks)) -> Result<(), ClusterError> {
        let RigidJob { number, submit, nodes, .. } = job.rigid;
        if nodes == 0 {
            return Err(ClusterError::NoNodes { job: number });
        }
        if last.1 > submit {
            let (submit, (previous, Ticks(last))) = (submit.0, last);
            return Err(ClusterError::QueueOrder { job: number, submit, previous, last });
        }
        if job.home.index() >= self.owners.len() {
            let (cluster, clusters) = (job.home.0, self.owners.len());
            return Err(ClusterError::Home { job: number, cluster, clusters });
        }
        if let Some(id) = job.terms.as_ref().and_then(|terms| terms.reservation) {
            self.check_reserved(job, id)?;
        }
        match job.component_sum().filter(|&sum| sum != u64::from(nodes)) {
            Some(sum) => Err(ClusterError::Components { job: number, nodes, sum }),
            None => Ok(()),
        }
    }

    /// Whether a job can run in the reservation that it names.
    fn check_reserved(&self, job: &ParallelJob, id: u32) -> Result<(), ClusterError> {
        let spec = self.reservations.as_ref().and_then(|all| all.spec(id));
        let problem = match spec {
            None => "there is none of this number",
            Some(spec) if spec.nodes < job.rigid.nodes => "it has too few nodes",
            Some(spec) if self.owners[spec.cluster.index()] != self.owners[job.home.index()] => {
                "its cluster belongs to another scheduler than the job"
            }
            Some(_) if !matches!(job.request, Request::Total | Request::Single) => {
                "components and moldable jobs cannot be reserved"
            }
            Some(_) => return Ok(()),
        };
        Err(ClusterError::Reserved { job: job.rigid.number, reservation: id, problem })
    }

    pub(super) fn arrive(&mut self, engine: &mut Engine<Event>) {
        let job = self.next.take().expect("arrivals come with a job");
        self.expect_next((job.rigid.number, job.rigid.submit), engine);
        engine.job_was_active();
        let (home, now) = (job.home, engine.now());
        let owner = self.owners[home.index()];
        let pool = &mut self.pools[owner as usize];
        let tally = &mut self.tallies[home.index()];
        tally.jobs.submitted += 1;
        if !pool.can_ever_run(&job) {
            tally.jobs.refused += 1;
            tally.jobs.terms.missed(job.terms.as_deref(), |_| true);
            if self.is_watched {
                self.observer.happened(
                    now,
                    &Happening::Refused { job: &job.rigid, home, terms: job.terms.as_deref() },
                );
            }
            return;
        }
        tally.queue.rise(now, 1);
        if let Some(queue) = &mut self.queue {
            queue.rise(now, 1);
        }
        if self.is_followed {
            self.observer.happened(now, &Happening::Arrived { job: &job.rigid, home });
        }
        if self.reservations.is_some() {
            if let Some(job) = self.take_reserved(job, owner, engine) {
                self.pools[owner as usize].submit(job);
            }
        } else {
            pool.submit(job);
        }
        self.concern(owner, engine);
    }
}
