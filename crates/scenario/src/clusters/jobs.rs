//! `[jobs]` and `[[job]]`: which jobs arrive when, and at which cluster.
//!
//! ```text
//! trace, model ──► count ──► home, request ──┐
//! [[job]] ───────────────────────────────────┴──► estimates ──► deadlines, migration ─┐
//!                                            Source ◄── perturbation of run times ◄──┘
//! ```

use std::path::Path;

use rand_chacha::ChaCha8Rng;

use super::estimates::EstimateRule;
use super::file;
use super::grid::{Clusters, WORDS};
use super::list;
use super::model::{Model, Room};
use super::perturbation::Perturbation;
use super::request::Asking;
use super::scheduler::Queues;
use super::terms::TermRules;
use super::trace::{Trace, TraceTally};
use crate::error::{At, Fault, ensure};
use gridsat_cluster::{ClusterId, ParallelJob, ReservationSpec, Source, SourceError, Terms};
use gridsat_model::{Scale, Ticks};
use gridsat_statistics::random::{stream, unit};
use gridsat_workload::RigidJob;

/// A job, and the number of the cluster it is submitted to, from 1, if its trace or model says so.
pub(super) struct Arrival {
    pub job: RigidJob,
    pub partition: Option<u32>,
    /// Deadline and migration cost, if its model has them.
    pub terms: Option<Terms>,
}

/// What jobs are checked against.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    pub folder: &'a Path,
    pub clusters: &'a Clusters,
    pub queues: Queues,
    pub scale: Scale,
    pub reservations: &'a [ReservationSpec],
}

/// All jobs of a scenario.
#[derive(Clone, Debug)]
pub(super) struct JobStream {
    from: JobsFrom,
    estimates: EstimateRule,
    terms: TermRules,
    perturbation: Perturbation,
    scale: Scale,
}

#[derive(Clone, Debug)]
enum JobsFrom {
    Trace(Trace, Common),
    Model(Model, Common),
    List(Vec<ParallelJob>),
}

/// Settings that all jobs of a trace or model share.
#[derive(Clone, Debug)]
struct Common {
    count: Option<u64>,
    home: Home,
    asking: Asking,
    clusters: u32,
}

/// Rule for the cluster that a job is submitted to.
#[derive(Clone, Copy, Debug)]
enum Home {
    Fixed(ClusterId),
    InTurn,
    Random,
    Partition,
}

impl JobStream {
    pub fn check(given: &file::File, around: Around<'_>) -> Result<Self, Fault> {
        let from = match (&given.jobs, given.job.is_empty()) {
            (Some(jobs), true) => JobsFrom::check(jobs, around).at("jobs")?,
            (None, false) => JobsFrom::List(list::check(&given.job, around)?),
            (None, true) => {
                return Err(Fault::new("there are no jobs: [jobs] or [[job]] is missing"));
            }
            (Some(_), false) => return Err(Fault::new("[jobs] and [[job]] exclude each other")),
        };
        let estimates = EstimateRule::check(&given.estimates).at("estimates")?;
        let terms = TermRules::check(given)?;
        let perturbation = Perturbation::check(&given.perturbation).at("perturbation")?;
        Ok(Self { from, estimates, terms, perturbation, scale: around.scale })
    }

    /// Path of the trace, if there is one.
    pub fn trace(&self) -> Option<&Path> {
        match &self.from {
            JobsFrom::Trace(trace, _) => Some(trace.path()),
            JobsFrom::Model(..) | JobsFrom::List(_) => None,
        }
    }

    /// Whether jobs may have deadlines or migration costs.
    pub fn has_terms(&self) -> bool {
        self.terms.are_any()
            || match &self.from {
                JobsFrom::Trace(..) => false,
                JobsFrom::Model(model, _) => model.has_terms(),
                JobsFrom::List(jobs) => {
                    let has =
                        |terms: &Terms| terms.deadline.is_some() || terms.migration > Ticks(0);
                    jobs.iter().any(|job| job.terms.as_deref().is_some_and(has))
                }
            }
    }

    /// A source that starts with the first job.
    pub fn source(&self, seed: u64, tally: TraceTally) -> Result<Source, Fault> {
        let jobs: Source = match &self.from {
            JobsFrom::List(jobs) => Box::new(jobs.clone().into_iter().map(Ok)),
            JobsFrom::Trace(trace, common) => common.source(trace.arrivals(tally)?, seed),
            JobsFrom::Model(model, common) => {
                common.source(model.arrivals(seed, self.scale)?.map(Ok), seed)
            }
        };
        let jobs = self.estimates.over(jobs, seed);
        Ok(self.perturbation.over(self.terms.over(jobs, seed, self.scale), seed))
    }
}

impl JobsFrom {
    fn check(given: &file::Jobs, around: Around<'_>) -> Result<Self, Fault> {
        check_keys(given)?;
        match (&given.trace, &given.model) {
            (Some(path), None) => {
                let trace = Trace::check(given, around.folder.join(path), around.scale);
                let common = Common::check(given, Home::Partition, around)?;
                Ok(Self::Trace(trace.at("trace")?, common))
            }
            (None, Some(name)) => {
                ensure(given.count.is_some(), || "a model needs count")?;
                let clusters = around.clusters.specs.len();
                let nodes = match around.queues {
                    Queues::Global | Queues::Chosen(_) => around.clusters.nodes,
                    Queues::Local => around.clusters.least_nodes(),
                };
                let room = Room { nodes, clusters };
                let model = Model::check(name, given, room, around.scale)?;
                let home = if model.has_partitions() { Home::Partition } else { Home::InTurn };
                Ok(Self::Model(model, Common::check(given, home, around)?))
            }
            _ => Err(Fault::new("needs exactly one of trace and model")),
        }
    }
}

/// Rejects keys that would not be used, which would otherwise be ignored silently.
fn check_keys(given: &file::Jobs) -> Result<(), Fault> {
    let of_traces = [
        ("lenient", given.lenient.is_some()),
        ("processors", given.processors.is_some()),
        ("run_time", given.run_time.is_some()),
        ("zero_run", given.zero_run.is_some()),
        ("priority", given.priority.is_some()),
        ("start", given.start.is_some()),
    ];
    let of_models = [
        ("nodes", given.nodes.is_some()),
        ("types", given.types.is_some()),
        ("arrivals", given.arrivals.is_some()),
        ("set", given.set.is_some()),
    ];
    let (wrong, owner) = match given.trace {
        Some(_) => (&of_models[..], "models"),
        None => (&of_traces[..], "traces"),
    };
    crate::error::given(wrong).map_or(Ok(()), |key| Err(Fault::only(key, owner)))
}

impl Common {
    /// `usual` is the rule for homes if there are several clusters and the file gives none.
    fn check(given: &file::Jobs, usual: Home, around: Around<'_>) -> Result<Self, Fault> {
        let Around { clusters, .. } = around;
        ensure(given.count != Some(0), || Fault::Zero { key: "count" })?;
        let home = match given.home.as_deref() {
            None if clusters.specs.len() == 1 => Home::Fixed(ClusterId(0)),
            None => usual,
            Some("in-turn") => Home::InTurn,
            Some("random") => Home::Random,
            Some("partition") if matches!(usual, Home::Partition) => Home::Partition,
            Some("partition") => {
                return Err(Fault::new("home is \"partition\", but this model has no partitions"));
            }
            Some(name) => Home::Fixed(clusters.named(name).map_err(|fault| {
                Fault::new(format!("home: {fault}; or one of {}", WORDS.join(", ")))
            })?),
        };
        Ok(Self {
            count: given.count,
            home,
            asking: Asking::check(given, clusters.nodes)?,
            clusters: clusters.specs.len() as u32,
        })
    }

    fn source(
        &self,
        arrivals: impl Iterator<Item = Result<Arrival, SourceError>> + Send + 'static,
        seed: u64,
    ) -> Source {
        let asking = self.asking.clone();
        let mut homes = Homes {
            home: self.home,
            clusters: self.clusters,
            next: 0,
            random: stream(seed, "clusters/homes", 0),
        };
        let most = self.count.map_or(usize::MAX, |count| count.try_into().unwrap_or(usize::MAX));
        Box::new(arrivals.take(most).map(move |arrival| {
            let arrival = arrival?;
            let home = homes.of(&arrival)?;
            let request = asking.request(arrival.job.nodes);
            let terms = arrival.terms.map(Box::new);
            Ok(ParallelJob { rigid: arrival.job, home, request, terms })
        }))
    }
}

/// Chooses the home of one job after the other.
struct Homes {
    home: Home,
    clusters: u32,
    next: u32,
    random: ChaCha8Rng,
}

impl Homes {
    fn of(&mut self, arrival: &Arrival) -> Result<ClusterId, SourceError> {
        match self.home {
            Home::Fixed(cluster) => Ok(cluster),
            Home::InTurn => {
                let cluster = ClusterId(self.next);
                self.next = (self.next + 1) % self.clusters;
                Ok(cluster)
            }
            Home::Random => {
                Ok(ClusterId((unit(&mut self.random) * f64::from(self.clusters)) as u32))
            }
            Home::Partition => self.partition(arrival),
        }
    }

    fn partition(&self, arrival: &Arrival) -> Result<ClusterId, SourceError> {
        let (job, clusters) = (arrival.job.number, self.clusters);
        match arrival.partition {
            Some(partition) if (1..=clusters).contains(&partition) => Ok(ClusterId(partition - 1)),
            Some(partition) => Err(format!(
                "job {job} has partition {partition}, but there are {clusters} clusters"
            )
            .into()),
            None => {
                Err(format!("job {job} has no partition, which home \"partition\" needs").into())
            }
        }
    }
}
