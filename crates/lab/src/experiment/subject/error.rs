//! Errors of subjects. Always one line.

use std::sync::Arc;

use thiserror::Error;

use crate::bench::AlgorithmError;
use crate::compare::CheckError;
use crate::experiment::key::KeyError;
use gridsat_check::formula::EncodingError;
use gridsat_cluster::ClusterError;
use gridsat_encodings::OverBudget;
use gridsat_exact::sat::SolverError;
use gridsat_exact::solve::SolveError;
use gridsat_grid::SimError;
use gridsat_grid::load::LoadError;
use gridsat_heuristics::generate::{GenerateError, UnknownClass};
use gridsat_model::names::choices;
use gridsat_outside::is_program;
use gridsat_scenario::{ScenarioError, templates};
use gridsat_statistics::queueing::MmmError;
use gridsat_workload::{ModelError, WorkloadError};

/// Invalid settings or algorithm, or an error in a run.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum SubjectError {
    #[error("the settings are not a table")]
    NoTable,
    #[error("no setting \"{name}\"; {}", choices(.name, .known))]
    UnknownSetting { name: String, known: Vec<String> },
    #[error("{key}: {error}")]
    Setting { key: String, error: serde_json::Error },
    #[error(transparent)]
    Settings(serde_json::Error),
    /// Interrupted; the run is discarded.
    #[error("interrupted")]
    Interrupted,
    #[error("no metric \"{0}\"")]
    UnknownMetric(String),
    #[error("no algorithm \"{name}\" in {subject}; {}", choices(.name, .known))]
    UnknownAlgorithm { name: String, subject: &'static str, known: Vec<String> },
    /// Without a file name, because settings are not in a file.
    #[error("{}", .0.what())]
    Scenario(ScenarioError),
    #[error(transparent)]
    Simulation(SimError),
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    #[error("{0}: 0, must be at least 1")]
    Zero(&'static str),
    #[error("average: {0} % is more than 100 %")]
    Average(u8),
    #[error("limit: {0}")]
    Limit(#[from] LoadError),
    #[error("rate: {0} is not a number above 0")]
    Rate(f64),
    #[error(transparent)]
    Distribution(#[from] WorkloadError),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error("gap, service, servers: {0}")]
    Queue(#[from] MmmError),
    #[error("jobs: {0}, not a multiple of 20 above 0")]
    Batches(u64),
    #[error(transparent)]
    QueueRun(#[from] CheckError),
    #[error("template: no \"{0}\"; {all}", all = choices(.0, templates().map(|one| one.name)))]
    NoTemplate(String),
    #[error(transparent)]
    Template(ScenarioError),
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error("first: {0}")]
    First(KeyError),
    #[error("job: none has number {0}, counted from 0")]
    NoJob(u64),
    #[error("class: {0}")]
    Class(#[from] UnknownClass),
    #[error("tasks, hosts: {0}")]
    Generate(#[from] GenerateError),
    #[error(transparent)]
    Algorithm(#[from] AlgorithmError),
    /// A program that is an algorithm did not answer as it should.
    #[error("{0}")]
    Program(String),
    #[error("algorithm \"{name}\": {error}")]
    Encoding { name: String, error: EncodingError },
    #[error("algorithm \"{name}\": {error}")]
    TriedOut { name: String, error: SolverError },
    #[error("the formula {0}")]
    Formula(#[from] OverBudget),
    #[error(transparent)]
    Solver(#[from] SolverError),
    #[error(transparent)]
    Solve(#[from] SolveError),
    #[error("the optimum of {0} was not found")]
    NoOptimum(String),
    /// An error of a world that several algorithms share.
    #[error(transparent)]
    World(Arc<SubjectError>),
}

impl From<SimError> for SubjectError {
    fn from(error: SimError) -> Self {
        match error {
            SimError::Mapper { error, .. } if is_program(&error.0) => Self::Program(error.0),
            error => Self::Simulation(error),
        }
    }
}
