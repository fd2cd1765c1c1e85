//! What a campaign consists of.

use std::path::PathBuf;

use super::listing::Listed;
use super::run::{Limits, Run};
use super::solver::Solver;

/// Instances, solvers and how they are run.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// What is solved, in this order.
    pub instances: Vec<Listed>,
    /// What solves it, in this order.
    pub solvers: Vec<Solver>,
    /// What each solver is allowed.
    pub limits: Limits,
    /// Where certificates are kept, if they are.
    pub certificates: Option<PathBuf>,
}

impl Campaign {
    /// All runs in order: all solvers on one instance, then the next instance, so that the times of
    /// different solvers are measured side by side.
    pub fn runs(&self) -> Vec<Run> {
        let limits = self.limits;
        let runs = self.instances.iter().flat_map(|instance| {
            self.solvers.iter().map(move |solver| (instance.clone(), solver.clone()))
        });
        runs.map(|(instance, solver)| Run { instance, solver, limits }).collect()
    }
}
