//! Artificial results for tests.

use std::path::Path;

use super::{Changes, Experiment, Outcome, Outcomes, Results, RunId};
use gridsat_scenario::Syntax;

/// A sweep for [`made`].
pub(crate) fn sweep(keys: &str) -> String {
    format!("[[sweep]]\n{keys}\n")
}

/// Two algorithms in three worlds at each point; `None` means that the metric is undefined.
pub(crate) fn made(sweeps: &str, value: impl Fn(RunId) -> Option<f64>) -> Results {
    let text = format!(
        "replications = 3\nalgorithms = [\"mct\", \"minmin\"]\nmetrics = [\"makespan\"]\n\
         baseline = \"mct\"\n\
         [base]\ntemplate = \"gsim-base\"\n{sweeps}"
    );
    let parsed = Experiment::parse(&text, Syntax::Toml, "made", Path::new(""), &Changes::default());
    let experiment = parsed.expect("a sound experiment");
    let outcomes = experiment.runs().map(|run| Outcome::Values(vec![value(run)].into()));
    Results::new(experiment.clone(), Outcomes::of(1, outcomes))
}
