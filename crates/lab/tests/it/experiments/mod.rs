//! Experiments: the same worlds for all algorithms, and the same bytes after interruptions.

mod files;
mod running;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use gridsat_lab::experiment::{Changes, Ended, Experiment, Options, Progress, Results, run};
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

/// Counts runs and requests a stop after this many.
#[derive(Default)]
struct Watch {
    begun: Mutex<Vec<(usize, usize)>>,
    runs: AtomicUsize,
    failures: Mutex<Vec<String>>,
    stop_after: Option<usize>,
    stop: Stop,
}

impl Progress for Watch {
    fn begin(&self, done: usize, of: usize) {
        self.begun.lock().expect("no thread panics").push((done, of));
    }

    fn advance(&self, failure: Option<&str>) {
        let runs = self.runs.fetch_add(1, Ordering::SeqCst) + 1;
        self.failures.lock().expect("no thread panics").extend(failure.map(str::to_owned));
        if self.stop_after.is_some_and(|after| runs >= after) {
            self.stop.request();
        }
    }
}

/// Runs the whole experiment.
fn complete(experiment: &Experiment, path: &Path, threads: usize) -> Results {
    let watch = Watch::default();
    let options = Options { threads, fresh: false };
    match run(experiment, path, options, &watch.stop, &watch) {
        Ok(Ended::Complete { results, .. }) => *results,
        other => panic!("{other:?}"),
    }
}
