//! `experiment`: sweeps with replications, in threads of this process.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use gridsat_lab::campaign::Program;
use gridsat_lab::experiment::{
    Analysis, BUILT_IN, Changes, Experiment, ExperimentError, Results, built_in,
    write_comparisons_csv, write_csv, write_means_csv,
};
use gridsat_lab::parts::PartsError;
use gridsat_lab::parts::beside::{self, EndedExperiment, Working, local_sizes};
use gridsat_lab::parts::engine::{Local, Watch};
use gridsat_model::Stop;
use gridsat_scenario::{Syntax, Text};
use pyo3::prelude::*;

use crate::{background, error};

/// Which experiment: a text in memory, a built-in one by name, or a file.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Described {
    path: PathBuf,
    text: Option<String>,
    is_json: bool,
    quick: bool,
    seed: Option<u64>,
    replications: Option<u32>,
    algorithms: Vec<String>,
}

impl Described {
    fn read(self) -> Result<Experiment, ExperimentError> {
        let Self { path, text, is_json, quick, seed, replications, algorithms } = self;
        let changes = Changes { quick, seed, replications, algorithms };
        if let Some(text) = text {
            let syntax = if is_json { Syntax::Json } else { Syntax::Toml };
            let shown = Cow::Borrowed("experiment");
            return Experiment::of(&Text { text, syntax, shown, folder: &path }, &changes);
        }
        match path.to_str().and_then(built_in).filter(|_| !path.is_file()) {
            Some(built_in) => built_in.read(&changes),
            None => Experiment::read(&path, &changes),
        }
    }
}

/// Progress goes to the user's function.
struct Progress(std::sync::Mutex<std::sync::mpsc::Sender<(usize, usize)>>);

impl Watch for Progress {
    fn parts(&self, done: usize, _: usize, _: usize, of: usize) {
        if let Ok(sender) = self.0.lock() {
            // Nobody listens any more only if the caller has panicked.
            let _ = sender.send((done, of));
        }
    }

    fn say(&self, _: &str) {}
}

/// Tables of an experiment as CSV: all runs, means, comparisons; and the runs that failed.
type Tables = (String, Vec<u8>, Vec<u8>, Vec<u8>, Vec<(String, String)>);

/// Runs an experiment; runs that are in the file of results already are kept.
#[pyfunction]
pub fn experiment(
    py: Python<'_>,
    described: Described,
    result: PathBuf,
    fresh: bool,
    threads: usize,
    on_progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Tables> {
    let experiment = described.read().map_err(|error| error::experiment(py, &error))?;
    let stop = Stop::never();
    let ended = background::run(
        py,
        &stop,
        |sender| run(&experiment, &result, fresh, threads, (&stop, sender)),
        |_, (done, of)| match &on_progress {
            Some(call) => call.call1((done, of)).map(|_| ()),
            None => Ok(()),
        },
    )?;
    match ended.or_raise()? {
        Ok(EndedExperiment::Complete { results, .. }) => tables(py, &results),
        Ok(EndedExperiment::Stopped { .. }) => Err(error::failed(py, "interrupted")),
        Err(PartsError::Experiment(error)) => Err(error::experiment(py, &error)),
        Err(error) => Err(error::failed(py, error)),
    }
}

fn run(
    experiment: &Experiment,
    result: &Path,
    fresh: bool,
    threads: usize,
    (stop, sender): (&Stop, std::sync::mpsc::Sender<(usize, usize)>),
) -> Result<EndedExperiment, PartsError> {
    let program = Program::this(gridsat::VERSION).map_err(PartsError::Campaign)?;
    let mut engine = Local::new(program.clone(), threads, stop.clone());
    let sizes = local_sizes(engine.jobs());
    let working = Working {
        program: &program,
        engine: &mut engine,
        sizes,
        keep: false,
        stop,
        watch: &Progress(std::sync::Mutex::new(sender)),
    };
    beside::experiment(experiment, result, fresh, working)
}

/// Reads a file of results.
#[pyfunction]
pub fn results(py: Python<'_>, path: PathBuf) -> PyResult<Tables> {
    let results = Results::read(&path).map_err(|error| error::experiment(py, &error))?;
    tables(py, &results)
}

fn tables(py: Python<'_>, results: &Results) -> PyResult<Tables> {
    let (mut runs, mut means, mut comparisons) = (Vec::new(), Vec::new(), Vec::new());
    let analyses = Analysis::all(results);
    let written = write_csv(results, &mut runs)
        .and_then(|()| write_means_csv(results, &analyses, &mut means))
        .and_then(|()| write_comparisons_csv(results, &analyses, &mut comparisons));
    written.map_err(|error| error::failed(py, error))?;
    let failures = results.failures().map(|(run, error)| (run, error.to_owned())).collect();
    Ok((results.experiment.title.clone(), runs, means, comparisons, failures))
}

/// Names and titles of the built-in experiments.
#[pyfunction]
pub fn experiments() -> Vec<(&'static str, String)> {
    let title = |name| built_in(name).and_then(|one| one.read(&Changes::default()).ok());
    let title = |name| title(name).map(|one| one.title).unwrap_or_default();
    BUILT_IN.iter().map(|one| (one.name, title(one.name))).collect()
}
