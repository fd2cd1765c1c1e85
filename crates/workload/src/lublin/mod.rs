//! The workload model of U. Lublin and D. G. Feitelson, "The workload on parallel supercomputers:
//! modeling the characteristics of rigid jobs", JPDC 63(11), 2003; the constants are those of their
//! program.
//!
//! - Size: serial with probability `serial_prob`. Otherwise 2^x, rounded, with x two-stage uniform;
//!   for a share `pow2_prob` of all jobs x is rounded first. At most the size of the machine.
//! - Run time: exp(h) seconds, rounded down to a tick, with h hyper-gamma; large jobs tend to be
//!   long.
//! - Arrivals: interarrival times exp(g), g gamma, modulated by a daily cycle (`arrivals`).
//! - Job types: without types there is one stream of jobs; with types there is one of batch and one
//!   of interactive jobs, merged. The queue (here [`RigidJob::priority`]) is 1 for batch jobs, 0
//!   for all others.
//!
//! Values of h above 12 and of g above 13 are drawn again. The model has no estimates: the estimate
//! equals the run time. Arrivals, sizes and run times of each stream come from separate random
//! streams.

mod arrivals;
mod parameters;

use rand_chacha::ChaCha8Rng;

use super::parameters::ModelError;
use super::two_stage;
use super::{HyperGamma, RigidJob};
use gridsat_model::{Scale, Ticks};
use gridsat_statistics::random::{stream, unit};

pub(super) use arrivals::Arrivals;
pub use parameters::LublinParameters;

/// Largest h, the natural logarithm of the run time in seconds (45 hours); larger values are drawn
/// again.
const LONGEST_LOG_RUN: f64 = 12.0;
/// Largest g, the natural logarithm of the interarrival time in seconds (5 days); larger values are
/// drawn again.
const LONGEST_LOG_GAP: f64 = 13.0;

/// Which types of jobs are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobTypes {
    /// All jobs of one type.
    None,
    /// Batch jobs only.
    Batch,
    /// Interactive jobs only.
    Interactive,
    /// Batch and interactive jobs.
    Both,
}

/// The model with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Lublin {
    nodes: u32,
    kinds: Vec<(Kind, LublinParameters)>,
}

/// A stream of jobs; the discriminant is the index of its random streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    All = 0,
    Batch = 1,
    Interactive = 2,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Batch => "batch",
            Self::Interactive => "interactive",
        }
    }

    const fn parameters(self) -> LublinParameters {
        match self {
            Self::All => LublinParameters::ALL,
            Self::Batch => LublinParameters::BATCH,
            Self::Interactive => LublinParameters::INTERACTIVE,
        }
    }
}

impl Lublin {
    /// The model with its default constants, and sizes scaled to a machine of this many nodes.
    pub fn new(types: JobTypes, nodes: u32) -> Self {
        let kinds: &[Kind] = match types {
            JobTypes::None => &[Kind::All],
            JobTypes::Batch => &[Kind::Batch],
            JobTypes::Interactive => &[Kind::Interactive],
            JobTypes::Both => &[Kind::Batch, Kind::Interactive],
        };
        let fitted = |&kind: &Kind| (kind, kind.parameters().on_nodes(nodes));
        Self { nodes, kinds: kinds.iter().map(fitted).collect() }
    }

    /// Number of nodes of the machine.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The parameters of each stream of jobs.
    pub fn parameters(&self) -> impl Iterator<Item = &LublinParameters> {
        self.kinds.iter().map(|(_, parameters)| parameters)
    }

    /// Sets a parameter of all streams, or of one if the name starts with `batch.` or
    /// `interactive.`.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), ModelError> {
        let (kind, name) =
            name.split_once('.').map_or((None, name), |(kind, name)| (Some(kind), name));
        let mut found = false;
        for (own, parameters) in &mut self.kinds {
            if kind.is_none_or(|kind| kind == own.name()) {
                parameters.set(name, value)?;
                found = true;
            }
        }
        let known =
            || self.kinds.iter().map(|(kind, _)| kind.name()).collect::<Vec<_>>().join(", ");
        let unknown =
            || ModelError::Unknown { name: kind.unwrap_or(name).to_owned(), known: known() };
        if found { Ok(()) } else { Err(unknown()) }
    }

    /// All parameters, with names that [`Lublin::set`] accepts.
    pub fn list(&self) -> Vec<(String, f64)> {
        let named = |(kind, parameters): &(Kind, LublinParameters)| {
            let prefix = if *kind == Kind::All { "" } else { kind.name() };
            let dot = if prefix.is_empty() { "" } else { "." };
            let list = parameters.list().into_iter();
            list.map(|(name, value)| (format!("{prefix}{dot}{name}"), value)).collect::<Vec<_>>()
        };
        self.kinds.iter().flat_map(named).collect()
    }

    /// An endless stream of jobs.
    pub fn jobs(&self, seed: u64, scale: Scale) -> Result<LublinJobs, ModelError> {
        if self.nodes == 0 {
            return Err(ModelError::Value { name: "nodes", value: 0.0, expected: "at least 1" });
        }
        let process = |(kind, parameters): &(Kind, LublinParameters)| {
            Process::new(*kind, parameters, self.nodes, seed)
        };
        let processes = self.kinds.iter().map(process).collect::<Result<_, _>>()?;
        Ok(LublinJobs { processes, unit: scale.ticks_per_unit().as_f64(), number: 0 })
    }
}

/// Iterator over the jobs of the model; never ends.
#[derive(Clone, Debug)]
pub struct LublinJobs {
    processes: Vec<Process>,
    unit: f64,
    number: u64,
}

/// One stream of jobs.
#[derive(Clone, Debug)]
struct Process {
    kind: Kind,
    parameters: LublinParameters,
    nodes: u32,
    log_runs: HyperGamma,
    arrivals: Arrivals,
    sizes: ChaCha8Rng,
    runs: ChaCha8Rng,
    /// Arrival time of its next job, in seconds.
    next: f64,
}

impl Process {
    fn new(
        kind: Kind,
        parameters: &LublinParameters,
        nodes: u32,
        seed: u64,
    ) -> Result<Self, ModelError> {
        parameters.check()?;
        let random = |name| stream(seed, name, kind as u64);
        let mut arrivals = Arrivals::new(parameters, 1.0, random("workload/lublin/arrivals"))?;
        Ok(Self {
            kind,
            parameters: *parameters,
            nodes,
            log_runs: parameters.log_runs()?,
            next: arrivals.draw(),
            arrivals,
            sizes: random("workload/lublin/sizes"),
            runs: random("workload/lublin/runs"),
        })
    }

    /// Draws a size. One random number selects serial, power of two or any size.
    fn size(&mut self) -> u32 {
        let LublinParameters { serial_prob, pow2_prob, .. } = self.parameters;
        let kind = unit(&mut self.sizes);
        if kind < serial_prob {
            return 1;
        }
        let x = self.parameters.log_sizes().sample(&mut self.sizes);
        let x = if kind < serial_prob + pow2_prob { libm::round(x) } else { x };
        two_stage::size(x).clamp(1, self.nodes)
    }

    /// Draws a run time in seconds.
    fn run(&mut self, nodes: u32) -> f64 {
        let short = self.parameters.short_run(nodes);
        loop {
            let log_run = self.log_runs.sample(short, &mut self.runs);
            if log_run <= LONGEST_LOG_RUN {
                return libm::exp(log_run);
            }
        }
    }
}

impl Iterator for LublinJobs {
    type Item = RigidJob;

    fn next(&mut self) -> Option<RigidJob> {
        let process = self.processes.iter_mut().min_by(|a, b| a.next.total_cmp(&b.next))?;
        self.number += 1;
        let submit = Ticks::truncated(libm::round(process.next * self.unit));
        process.next = process.arrivals.draw();
        let nodes = process.size();
        let run = Ticks::truncated(process.run(nodes) * self.unit);
        let priority = i32::from(process.kind == Kind::Batch);
        Some(RigidJob { number: self.number, submit, nodes, run, estimate: run, priority, user: 0 })
    }
}
