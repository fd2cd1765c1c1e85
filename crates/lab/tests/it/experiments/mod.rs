//! Experiments: the same worlds for all algorithms, and the same bytes after interruptions.

mod files;
mod running;

use std::path::Path;
use std::sync::OnceLock;

use gridsat_lab::campaign::Program;
use gridsat_lab::experiment::{Changes, Experiment, Results};
use gridsat_lab::parts::PartsError;
use gridsat_lab::parts::beside::{self, EndedExperiment, Working, local_sizes};
use gridsat_lab::parts::engine::{Local, Watch};
use gridsat_model::Stop;
use gridsat_scenario::Syntax;

/// Eight users on the grid of the thesis: 3 points, 4 worlds, 3 algorithms.
const SMALL: &str = r#"
replications = 4
algorithms = ["mct", "minmin", "tlmm"]
metrics = ["makespan", "mean_jobs", "ratio"]
baseline = "mct"

[base]
template = "gsim-base"
set = { "users.count" = 8 }

[[sweep]]
key = "users.qos"
range = { from = 0, to = 1, count = 3 }
"#;

fn experiment(text: &str) -> Experiment {
    changed(text, &Changes::default())
}

fn changed(text: &str, changes: &Changes) -> Experiment {
    let read = Experiment::parse(text, Syntax::Toml, "small.toml", Path::new(""), changes);
    read.unwrap_or_else(|error| panic!("{error}"))
}

/// Sees nothing; the stop can be requested.
#[derive(Default)]
struct Seen {
    stop: Stop,
}

impl Watch for Seen {
    fn parts(&self, _: usize, _: usize, _: usize, _: usize) {}

    fn say(&self, _: &str) {}
}

/// How an experiment is run.
#[derive(Clone, Copy, Default)]
struct How {
    threads: usize,
    fresh: bool,
    /// Whether the parts stay.
    keep: bool,
}

fn run(
    experiment: &Experiment,
    path: &Path,
    how: How,
    seen: &Seen,
) -> Result<EndedExperiment, PartsError> {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| Program::this("test").expect("readable"));
    let stop = &seen.stop;
    let mut engine = Local::new(program.clone(), how.threads, stop.clone());
    let (sizes, keep) = (local_sizes(how.threads), how.keep);
    let working = Working { program, engine: &mut engine, sizes, keep, stop, watch: seen };
    beside::experiment(experiment, path, how.fresh, working)
}

/// Runs the whole experiment.
fn complete(experiment: &Experiment, path: &Path, threads: usize) -> Results {
    match run(experiment, path, How { threads, ..How::default() }, &Seen::default()) {
        Ok(EndedExperiment::Complete { results, .. }) => *results,
        other => panic!("{other:?}"),
    }
}
