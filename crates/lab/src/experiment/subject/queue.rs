//! Subject: the simulated queue M/M/m compared with its formulas (Jones and Pang; erratum E23).
//!
//! Algorithms are the kinds of the m servers: nodes of one pool, clusters of one node each with one
//! queue, or groups of 8 nodes, all of which every job needs. All have the same arrivals and run
//! times.

use serde::{Deserialize, Serialize};

use super::flat::{Case, Wishes};
use super::{Measure, SubjectError, measure};
use crate::compare::{self, JOBS, MmmCase, MmmRow, Shape, simulate_mmm};
use gridsat_statistics::queueing::Mmm;

#[derive(Serialize, Deserialize)]
pub(super) struct Queue {
    /// Mean interarrival time in seconds.
    gap: f64,
    /// Mean run time, in seconds.
    service: f64,
    servers: u32,
    jobs: u64,
}

impl Default for Queue {
    fn default() -> Self {
        Self { gap: 250.0, service: 150.0, servers: 1, jobs: JOBS }
    }
}

const SHAPES: [(&str, Shape); 3] =
    [("pool", Shape::Pool), ("clusters", Shape::Clusters), ("wide", Shape::Wide)];

/// Deviation of the simulation, in percent of the formula.
fn error(of: &compare::Measure) -> Option<f64> {
    (of.expected > 0.0).then(|| 100.0 * (of.found / of.expected - 1.0))
}

impl Case for Queue {
    const NAME: &'static str = "queue";
    const MEASURES: &'static [Measure<MmmRow>] = &[
        measure("wait", "W: mean wait", "s", |row| Some(row.wait.found)),
        measure("wait_formula", "W by formula", "s", |row| Some(row.wait.expected)),
        measure("wait_error", "error of W", "%", |row| error(&row.wait)),
        measure("response", "T: mean time in the system", "s", |row| Some(row.response.found)),
        measure("response_formula", "T by formula", "s", |row| Some(row.response.expected)),
        measure("response_error", "error of T", "%", |row| error(&row.response)),
        measure("utilisation", "U: utilisation", "%", |row| Some(100.0 * row.utilisation.found)),
        measure("utilisation_formula", "U by formula", "%", |row| {
            Some(100.0 * row.utilisation.expected)
        }),
        measure("utilisation_error", "error of U", "%", |row| error(&row.utilisation)),
        measure("agrees", "all three within the run's own 99.9 % tolerance", "", |row| {
            Some(f64::from(u8::from(row.agrees())))
        }),
    ];

    type Measured = MmmRow;

    fn algorithms() -> Vec<String> {
        SHAPES.map(|(name, _)| name.to_owned()).to_vec()
    }

    fn check(&self) -> Result<(), SubjectError> {
        Mmm::new(self.gap, self.service, self.servers)?;
        let possible = self.jobs > 0 && self.jobs.is_multiple_of(20);
        if possible { Ok(()) } else { Err(SubjectError::Batches(self.jobs)) }
    }

    fn run(&self, algorithm: &str, seed: u64, _: &Wishes) -> Result<MmmRow, SubjectError> {
        let shape = SHAPES.iter().find(|(name, _)| *name == algorithm);
        let (_, shape) = shape.expect("algorithms are checked before they are run");
        let &Self { gap, service, servers, jobs } = self;
        let case = MmmCase { gap, service, servers };
        Ok(simulate_mmm(case, *shape, jobs, seed)?)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::measured;

    fn of(settings: Value, metric: &str, shape: &str) -> Result<f64, String> {
        measured("queue", &settings, metric, shape, 1)
    }

    /// The first row of the table, and the other kinds of servers with the same queue.
    #[test]
    fn as_by_the_formulas() {
        let settings = || json!({ "jobs": 20_000, "servers": 2, "service": 170, "gap": 200 });
        let found = |metric| of(settings(), metric, "pool").expect("valid");
        assert!((found("wait_formula") - 37.48).abs() < 0.005);
        assert!((found("response_formula") - 207.48).abs() < 0.005);
        assert_eq!(found("utilisation_formula"), 42.5);
        assert!(found("wait_error").abs() < 15.0 && found("utilisation_error").abs() < 4.0);
        assert_eq!(found("agrees"), 1.0);
        for shape in ["clusters", "wide"] {
            assert_eq!(of(settings(), "wait", shape), Ok(found("wait")), "{shape}");
        }
    }

    #[test]
    fn nonsense_is_named() {
        let error = |settings| of(settings, "wait", "pool").expect_err("impossible");
        assert_eq!(error(json!({ "jobs": 30 })), "jobs: 30, not a multiple of 20 above 0");
        assert!(error(json!({ "gap": 100 })).contains("the queue grows without limit"));
        assert!(error(json!({ "nodes": 1 })).starts_with("no setting \"nodes\""));
        assert!(of(json!({}), "wait", "ring").expect_err("none").contains("pool, clusters"));
    }
}
