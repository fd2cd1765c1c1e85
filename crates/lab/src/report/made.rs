//! Results with values of one's own, for tests.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::experiment::{Changes, Experiment, Results};
use gridsat_scenario::Syntax;

/// What [`made`] sweeps.
pub(super) fn sweep(keys: &str) -> String {
    format!("[[sweep]]\n{keys}\n")
}

/// Two algorithms in three worlds at each point; no value means that the metric is not defined.
pub(super) fn made(sweeps: &str, value: impl Fn(usize, u32, usize) -> Option<f64>) -> Results {
    let text = format!(
        "replications = 3\nalgorithms = [\"mct\", \"minmin\"]\nmetrics = [\"makespan\"]\nbaseline = \"mct\"\n\
         [base]\ntemplate = \"gsim-base\"\n{sweeps}"
    );
    let parsed = Experiment::parse(&text, Syntax::Toml, "made", Path::new(""), &Changes::default());
    let experiment = parsed.expect("a sound experiment");
    let version = gridsat_model::VERSION;
    let head = json!({ "gridsat_result": 1, "gridsat": version, "experiment": experiment });
    let mut lines = vec![head.to_string()];
    for point in 0..experiment.point_count() {
        for (replication, algorithm) in (0..3).flat_map(|world| [(world, 0), (world, 1)]) {
            let values = [value(point, replication, algorithm)];
            let line = json!({ "point": point, "replication": replication, "algorithm": algorithm, "values": values });
            lines.push(line.to_string());
        }
    }
    lines.push(json!({ "runs": experiment.run_count() }).to_string());
    let file = tempfile::NamedTempFile::new().expect("a writable temporary folder");
    fs::write(file.path(), lines.join("\n") + "\n").expect("writable");
    Results::read(file.path()).expect("a sound result")
}
