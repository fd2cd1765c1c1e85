//! Users who submit parameter sweeps: applications of independent jobs (thesis, section 3.7).
//!
//! As in `GroupSchedulingEvent` of the thesis, a group has one arrival process: interarrival times
//! from one distribution separate the submissions, including the first from time 0. With
//! exponential times (equation 3.10) the group is a Poisson process. Users take turns: each submits
//! an application before any submits a second.
//!
//! Arrival times are summed in seconds and then rounded to the nearest tick, so that rounding does
//! not change the rate. With working hours the process runs only while the users are at work
//! ([`Hours`]). Not modelled: users who wait for their results before they submit again.

use rand_chacha::ChaCha8Rng;

use super::composite::{ExtraDraws, Extras};
use super::{DataId, Distribution, Hours, JobSpec, Qos, Unit, WorkloadError, streams};
use gridsat_model::{Scale, Ticks};
use gridsat_statistics::random::stream;

/// A group of users.
#[derive(Clone, Debug, PartialEq)]
pub struct Users {
    /// Number of the first user; the others follow consecutively.
    pub first: u32,
    /// Number of users.
    pub count: u32,
    /// Number of applications per user.
    pub applications: u32,
    /// Number of jobs per application, all submitted at the same time.
    pub tasks: u32,
    /// Seconds between submissions.
    pub gap: Distribution,
    /// Amount of work per job, in `unit`.
    pub size: Distribution,
    /// Unit of the work.
    pub unit: Unit,
    /// QoS levels of applications.
    pub qos: Qos,
    /// Input and output files of every job, if any.
    pub data: Option<DataId>,
    /// What every job needs in addition to its work.
    pub extras: Extras,
    /// When they are at work; `None` for always.
    pub hours: Option<Hours>,
}

impl Users {
    /// One user who submits applications of one job each.
    pub fn stream(jobs: u32, gap: Distribution, size: Distribution, qos: Qos) -> Self {
        Self {
            first: 0,
            count: 1,
            applications: jobs,
            tasks: 1,
            gap,
            size,
            unit: Unit::Instructions,
            qos,
            data: None,
            extras: Extras::default(),
            hours: None,
        }
    }

    /// The jobs of this group, where `group` is its number in the simulation.
    pub fn jobs(&self, seed: u64, group: u64, scale: Scale) -> Result<Submissions, WorkloadError> {
        self.check()?;
        let random = |name| stream(seed, name, group);
        Ok(Submissions {
            users: self.clone(),
            scale,
            arrivals: random(streams::ARRIVALS),
            sizes: random(streams::SIZES),
            levels: random(streams::QOS),
            extras: self.extras.start(seed, group),
            clock: 0.0,
            submitted: 0,
            current: Application::default(),
        })
    }

    fn check(&self) -> Result<(), WorkloadError> {
        let Self { first, count, .. } = *self;
        let counts = [("users", count), ("applications", self.applications), ("tasks", self.tasks)];
        if let Some((what, _)) = counts.into_iter().find(|(_, count)| *count == 0) {
            return Err(WorkloadError::None { what });
        }
        if self.size.is_zero() {
            return Err(WorkloadError::NoSize);
        }
        let last = first.checked_add(count - 1);
        last.map(|_| ()).ok_or(WorkloadError::Users { first, count })
    }
}

/// Iterator over the jobs of a group of users.
#[derive(Clone, Debug)]
pub struct Submissions {
    users: Users,
    scale: Scale,
    arrivals: ChaCha8Rng,
    sizes: ChaCha8Rng,
    levels: ChaCha8Rng,
    extras: Option<Box<ExtraDraws>>,
    /// Time of the latest submission, in seconds.
    clock: f64,
    /// Number of applications submitted so far.
    submitted: u64,
    current: Application,
}

/// What the jobs of one submission have in common.
#[derive(Clone, Debug, Default)]
struct Application {
    arrival: Ticks,
    user: u32,
    number: u32,
    qos: u32,
    jobs_left: u32,
}

impl Submissions {
    /// The next application; `None` after the last.
    fn submit(&mut self) -> Option<Application> {
        let (count, turn) = (u64::from(self.users.count), self.submitted);
        if turn == count * u64::from(self.users.applications) {
            return None;
        }
        self.submitted += 1;
        self.clock += self.users.gap.sample(&mut self.arrivals);
        // The conversion to integers saturates; such a job never arrives.
        let clock = self.clock * self.scale.ticks_per_unit().as_f64();
        let arrival = Ticks::truncated(clock.round());
        let arrival = self.users.hours.map_or(arrival, |hours| hours.real(arrival));
        Some(Application {
            arrival,
            user: self.users.first + (turn % count) as u32,
            number: (turn / count) as u32,
            qos: self.users.qos.sample(&mut self.levels),
            jobs_left: self.users.tasks,
        })
    }
}

impl Iterator for Submissions {
    type Item = JobSpec;

    fn next(&mut self) -> Option<JobSpec> {
        if self.current.jobs_left == 0 {
            self.current = self.submit()?;
        }
        self.current.jobs_left -= 1;
        let Application { arrival, user, number: application, qos, .. } = self.current;
        let demand = self.users.unit.demand(self.users.size.sample(&mut self.sizes));
        let demand = match &mut self.extras {
            None => demand,
            Some(extras) => extras.add(demand),
        };
        let data = self.users.data;
        Some(JobSpec { user, application, qos, data, ..JobSpec::new(arrival, demand) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn users() -> Users {
        let constant = |value| Distribution::constant(value).expect("valid");
        let (gap, size) = (constant(2.5), constant(7.0));
        Users {
            first: 3,
            count: 2,
            applications: 2,
            tasks: 3,
            ..Users::stream(1, gap, size, Qos::none())
        }
    }

    #[test]
    fn users_take_turns_and_submit_whole_applications() {
        let scale = Scale::new(1).expect("allowed");
        let jobs = users().jobs(1, 0, scale).expect("valid");
        let seen: Vec<_> = jobs.map(|job| (job.arrival, job.user, job.application)).collect();
        let expected =
            [(Ticks(25), 3, 0), (Ticks(50), 4, 0), (Ticks(75), 3, 1), (Ticks(100), 4, 1)];
        assert_eq!(seen, Vec::from_iter(expected.into_iter().flat_map(|job| [job; 3])));
    }

    #[test]
    fn arrivals_are_rounded_only_after_they_add_up() {
        let jobs = users().jobs(1, 0, Scale::default()).expect("valid");
        let arrivals: Vec<_> = jobs.step_by(3).map(|job| job.arrival).collect();
        assert_eq!(arrivals, [Ticks(3), Ticks(5), Ticks(8), Ticks(10)]);
    }

    #[test]
    fn rejects_nonsense_in_one_line() {
        let error =
            |users: Users| users.jobs(1, 0, Scale::default()).expect_err("invalid").to_string();
        assert_eq!(error(Users { count: 0, ..users() }), "number of users is 0");
        assert_eq!(error(Users { applications: 0, ..users() }), "number of applications is 0");
        assert_eq!(error(Users { tasks: 0, ..users() }), "number of tasks is 0");
        let size = Distribution::constant(0.0).expect("valid");
        assert_eq!(error(Users { size, ..users() }), "the size of jobs is always 0 MI");
        assert_eq!(
            error(Users { first: u32::MAX, ..users() }),
            "2 users from number 4294967295 on: user user numbers end at 4294967295"
        );
    }
}
