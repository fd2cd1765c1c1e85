//! Comparison of the simulated queue M/M/m with its formulas, as in the verification of Beosim
//! (Jones and Pang, sections 2.1 and 2.2).
//!
//! Poisson arrivals and exponential run times, first come, first served, on three kinds of machines
//! that must all behave like m servers: one cluster of m nodes, m clusters of one node each with
//! one queue, and one cluster of 8·m nodes with jobs of 8 nodes.
//!
//! Simulated means differ from those of the formula; the tolerance is derived from the sample
//! itself. Jobs are divided into 20 batches in order of arrival, long enough to be nearly
//! independent. With s the standard deviation of the batches' means, the mean of all is within
//! t·s/√20 of the truth with 99.9 % (Student, 19 degrees of freedom: t = 3.883). Under heavy
//! load that is wide: at ρ = 0.85 the mean wait of 100,000 jobs is known only to about 15 %, and
//! the published values of Beosim were off by 5 %.
//!
//! The effect of the empty start is ignored: it shortens the waits of a few hundred jobs, which is
//! far below the tolerance.

use thiserror::Error;

use gridsat_cluster::{
    ClusterError, ClusterEvents, ClusterSpec, JobRecord, Observer, QueueOrder, QueuePolicy, Setup,
    Summary, simulate, source,
};
use gridsat_model::{Scale, Ticks};
use gridsat_statistics as statistics;
use gridsat_statistics::queueing::{Mmm, MmmError};
use gridsat_statistics::random::stream;
use gridsat_workload::{Distribution, RigidJob, WorkloadError};

/// Number of jobs of each simulation, as in Beosim.
pub const JOBS: u64 = 100_000;
/// Confidence level of the tolerance.
pub const CONFIDENCE: f64 = 0.999;

const BATCHES: u64 = 20;
/// Student's t for that confidence, two-sided, with one degree of freedom less than the number of
/// batches.
const T: f64 = 3.883;
/// Ticks are microseconds: rounding is far below the sampling error.
const DECIMALS: u32 = 6;
/// Number of nodes of the jobs in [`Shape::Wide`].
const WIDTH: u32 = 8;

/// A queue to be simulated. Times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MmmCase {
    /// Mean interarrival time.
    pub gap: f64,
    /// Mean run time.
    pub service: f64,
    /// Number of servers.
    pub servers: u32,
}

impl MmmCase {
    /// Index of its random streams, so that errors of different cases are independent.
    fn number(self) -> u64 {
        self.gap.to_bits() ^ self.service.to_bits().rotate_left(21) ^ u64::from(self.servers)
    }
}

/// The seven rows of Beosim's table (erratum E23).
pub const BEOSIM_ROWS: [MmmCase; 7] = [
    MmmCase { gap: 250.0, service: 150.0, servers: 1 },
    MmmCase { gap: 250.0, service: 150.0, servers: 2 },
    MmmCase { gap: 250.0, service: 150.0, servers: 3 },
    MmmCase { gap: 200.0, service: 170.0, servers: 1 },
    MmmCase { gap: 200.0, service: 170.0, servers: 2 },
    MmmCase { gap: 200.0, service: 170.0, servers: 3 },
    MmmCase { gap: 200.0, service: 170.0, servers: 4 },
];

/// What plays the role of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A node of one cluster.
    Pool,
    /// A cluster of one node.
    Clusters,
    /// Eight nodes, which every job needs.
    Wide,
}

impl Shape {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Pool, Self::Clusters, Self::Wide];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pool => "one pool",
            Self::Clusters => "clusters",
            Self::Wide => "8-node jobs",
        }
    }

    fn clusters(self, servers: u32) -> Vec<ClusterSpec> {
        match self {
            Self::Pool => vec![ClusterSpec::equal("pool", servers)],
            Self::Clusters => {
                (0..servers).map(|i| ClusterSpec::equal(format!("c{i}"), 1)).collect()
            }
            Self::Wide => vec![ClusterSpec::equal("pool", servers.saturating_mul(WIDTH))],
        }
    }

    fn nodes(self) -> u32 {
        if self == Self::Wide { WIDTH } else { 1 }
    }
}

/// A number by formula, the simulated one, and the tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// The value of the formula.
    pub expected: f64,
    /// The simulated value.
    pub found: f64,
    /// Largest difference that counts as agreement, from the sampling error.
    pub tolerance: f64,
}

impl Measure {
    /// Whether the two agree.
    pub fn agrees(&self) -> bool {
        (self.found - self.expected).abs() <= self.tolerance
    }
}

/// One simulation compared with the formulas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MmmRow {
    /// Mean interarrival time, mean run time and number of servers.
    pub case: MmmCase,
    /// The kind of its servers.
    pub shape: Shape,
    /// W: mean time in the queue.
    pub wait: Measure,
    /// T: mean time in the system.
    pub response: Measure,
    /// U: fraction of servers that are busy.
    pub utilisation: Measure,
}

impl MmmRow {
    /// Whether all three agree.
    pub fn agrees(&self) -> bool {
        [self.wait, self.response, self.utilisation].iter().all(Measure::agrees)
    }
}

/// Why a queue cannot be checked.
#[derive(Debug, Error)]
pub enum CheckError {
    /// There is no steady state.
    #[error(transparent)]
    Queue(#[from] MmmError),
    /// The number of jobs is not a multiple of the number of batches.
    #[error("{0} jobs, not a multiple of {BATCHES} above 0")]
    Jobs(u64),
    /// The interarrival or run times are invalid.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// The simulation failed.
    #[error("{0}")]
    Cluster(#[from] ClusterError),
}

/// Simulates a queue with one kind of servers. All kinds have the same arrivals and run times.
pub fn check_mmm(case: MmmCase, shape: Shape, seed: u64) -> Result<MmmRow, CheckError> {
    simulate_mmm(case, shape, JOBS, seed)
}

/// The same with another number of jobs, which must be a multiple of 20.
pub fn simulate_mmm(
    case: MmmCase,
    shape: Shape,
    count: u64,
    seed: u64,
) -> Result<MmmRow, CheckError> {
    let queue = Mmm::new(case.gap, case.service, case.servers)?;
    if count == 0 || !count.is_multiple_of(BATCHES) {
        return Err(CheckError::Jobs(count));
    }
    let policy = QueuePolicy::Plain(QueueOrder::Fcfs);
    let scale = Scale::new(DECIMALS).expect("few decimals");
    let jobs = jobs(case, shape.nodes(), seed, scale)?.take(count as usize);
    let mut setup = Setup::global(shape.clusters(case.servers), policy, source(jobs));
    setup.scale = scale;
    let unit = scale.ticks_per_unit().as_f64();
    let mut batches = Batches { batches: Default::default(), size: count / BATCHES, unit };
    let Summary { all, .. } = simulate(setup, &mut batches)?;
    let measure = |expected, found, parts: Vec<f64>| {
        let tolerance = tolerance(&parts);
        Measure { expected, found, tolerance }
    };
    let (wait, flow) = (all.jobs.wait.mean() / unit, all.jobs.flow.mean() / unit);
    Ok(MmmRow {
        case,
        shape,
        wait: measure(queue.wait(), wait, batches.waits()),
        response: measure(queue.response(), flow, batches.responses()),
        utilisation: measure(queue.utilisation(), all.utilisation, batches.loads(case.servers)),
    })
}

fn jobs(
    case: MmmCase,
    nodes: u32,
    seed: u64,
    scale: Scale,
) -> Result<impl Iterator<Item = RigidJob> + Send + use<>, WorkloadError> {
    let (gap, run) =
        (Distribution::exponential(case.gap)?, Distribution::exponential(case.service)?);
    let random = |name| stream(seed, name, case.number());
    let (mut gaps, mut runs) = (random("mmm/gaps"), random("mmm/runs"));
    let unit = scale.ticks_per_unit().as_f64();
    let mut clock = 0.0;
    Ok((1..).map(move |number| {
        clock += gap.sample(&mut gaps);
        let run = Ticks::truncated((run.sample(&mut runs) * unit).round()).max(Ticks(1));
        let submit = Ticks::truncated((clock * unit).round());
        RigidJob { number, submit, nodes, run, estimate: run, priority: 0, user: 0 }
    }))
}

/// Results of a batch of jobs, in seconds.
#[derive(Clone, Copy, Debug, Default)]
struct Batch {
    wait: f64,
    run: f64,
    /// Arrival of the last of them.
    last: f64,
}

/// Jobs in order of arrival, a twentieth in each batch.
struct Batches {
    batches: [Batch; BATCHES as usize],
    size: u64,
    unit: f64,
}

impl Batches {
    fn waits(&self) -> Vec<f64> {
        self.batches.iter().map(|batch| batch.wait / self.size as f64).collect()
    }

    fn responses(&self) -> Vec<f64> {
        self.batches.iter().map(|batch| (batch.wait + batch.run) / self.size as f64).collect()
    }

    /// The work that arrived divided by the capacity of the servers in the same time, per batch.
    fn loads(&self, servers: u32) -> Vec<f64> {
        let starts = [0.0].into_iter().chain(self.batches.iter().map(|batch| batch.last));
        let loads = self.batches.iter().zip(starts);
        loads.map(|(batch, start)| batch.run / (batch.last - start) / f64::from(servers)).collect()
    }
}

impl Observer<ClusterEvents> for Batches {
    fn left(&mut self, job: &JobRecord) {
        let batch = &mut self.batches[((job.job.number - 1) / self.size) as usize];
        batch.wait += job.wait().as_f64() / self.unit;
        batch.run += job.held.as_f64() / self.unit;
        batch.last = batch.last.max(job.job.submit.as_f64() / self.unit);
    }
}

/// Half of the confidence interval of the mean of these values.
fn tolerance(values: &[f64]) -> f64 {
    let statistics::Summary { n, deviation, .. } = statistics::Summary::of(values);
    T * deviation.unwrap_or(f64::INFINITY) / (n as f64).sqrt()
}
