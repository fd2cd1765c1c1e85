//! Gantt charts of single runs.
//!
//! Results contain no schedules, so a run is simulated again from the definition of the experiment
//! in the result. A chart is shown only if the simulation gives exactly the values of the result.

use thiserror::Error;

use crate::experiment::{
    Analysis, Context, Experiment, GridRuns, KeyError, Outcome, PointId, Replication, Results,
    RunId, SubjectError,
};
use gridsat_draw::gantt::schedule::Schedule;
use gridsat_engine::time::Time;
use gridsat_grid::output::{Description, Gantt};
use gridsat_grid::{GridEvents, Happening, JobRecord, Observer, SimError, simulate};
use gridsat_model::Stop;

/// A run with its chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Point, replication and algorithm of the run.
    pub run: RunId,
    /// Which job ran where and when.
    pub schedule: Schedule,
}

/// Why a run is not drawn.
#[derive(Debug, Error)]
pub enum NotDrawn {
    /// Only runs of grids can be drawn.
    #[error("only runs of the subject \"grid\" can be drawn, not of \"{0}\"")]
    NoGrid(String),
    /// The run failed, so there are no values to compare with.
    #[error("the run failed: {0}")]
    Failed(String),
    /// It has too many jobs.
    #[error("it has more than {0} jobs")]
    TooLong(u64),
    /// The values differ: another version, or changed files.
    #[error("a new simulation gives other values than the result file (made by gridsat {0})")]
    Differs(String),
    /// The sweep does not fit the scenario.
    #[error(transparent)]
    Settings(#[from] KeyError),
    /// The settings are no longer valid, for example because files are missing.
    #[error(transparent)]
    Subject(Box<SubjectError>),
    /// The simulation fails now.
    #[error(transparent)]
    Simulation(#[from] SimError),
    /// It was interrupted by Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl From<SubjectError> for NotDrawn {
    fn from(error: SubjectError) -> Self {
        Self::Subject(Box::new(error))
    }
}

/// Largest number of jobs of runs that are drawn by default.
pub const MOST_JOBS: u64 = 3_000;

/// The runs that are drawn by default: at the middle point, in the first world, the baseline and
/// the algorithm with the smallest mean of the first metric there.
pub fn usual_runs(experiment: &Experiment, first: &Analysis) -> Vec<RunId> {
    if experiment.subject != GRID {
        return Vec::new();
    }
    let sizes = experiment.axes.iter().map(|axis| axis.values.len());
    let point = PointId(sizes.fold(0, |point, size| point * size + size / 2));
    let baseline = experiment.baseline.as_ref().and_then(|name| experiment.algorithm(name));
    let means = first.means[point].pairs();
    let others = means.filter(|(who, cell)| Some(*who) != baseline && cell.summary.n > 0);
    let best =
        others.min_by(|(_, one), (_, other)| one.summary.mean.total_cmp(&other.summary.mean));
    let chosen = baseline.into_iter().chain(best.map(|(who, _)| who));
    chosen.map(|algorithm| RunId { point, replication: Replication(0), algorithm }).collect()
}

const GRID: &str = "grid";

/// Simulates and draws a run, if it has at most `most` jobs.
pub fn draw(results: &Results, run: RunId, most: u64, stop: &Stop) -> Result<Drawn, NotDrawn> {
    let experiment = &results.experiment;
    if experiment.subject != GRID {
        return Err(NotDrawn::NoGrid(experiment.subject.clone()));
    }
    let settings = experiment.settings(run.point)?;
    let metrics: Vec<String> =
        experiment.metrics.iter().map(|metric| metric.name.clone()).collect();
    let context = Context { metrics: &metrics, folder: &experiment.folder, stop };
    let runs = GridRuns::new(&settings, &context)?;
    let seed = experiment.world_seed(run.replication);
    let setup = runs.setup(&experiment.algorithms[run.algorithm], seed)?;
    let description = Description::of(&experiment.point_label(run.point), &setup);
    let mut pencil = Pencil { gantt: Gantt::new(&description), arrived: 0, most, stop };
    let summary = simulate(setup, &mut pencil)?;
    if pencil.arrived > most {
        return Err(NotDrawn::TooLong(most));
    }
    if stop.is_requested() {
        return Err(NotDrawn::Interrupted);
    }
    let schedule = pencil.gantt.schedule(&summary);
    let stored = match results.outcome(run) {
        Outcome::Values(values) => values,
        Outcome::Error(error) => return Err(NotDrawn::Failed(error)),
    };
    let values = runs.values(summary, seed)?;
    let finite = |value: &Option<f64>| value.filter(|value| value.is_finite());
    match values.iter().map(finite).eq(stored.iter().copied()) {
        true => Ok(Drawn { run, schedule }),
        false => Err(NotDrawn::Differs(results.version.clone())),
    }
}

/// An observer that collects the chart, and stops the simulation if there are too many jobs.
struct Pencil<'a> {
    gantt: Gantt<'a>,
    arrived: u64,
    most: u64,
    stop: &'a Stop,
}

impl Observer<GridEvents> for Pencil<'_> {
    fn happened(&mut self, now: Time, what: &Happening) {
        self.arrived += u64::from(matches!(what, Happening::Arrived { .. }));
        self.gantt.happened(now, what);
    }

    fn left(&mut self, job: &JobRecord) {
        self.gantt.left(job);
    }

    fn wants_end(&self) -> bool {
        self.arrived > self.most || self.stop.is_requested()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::made::{made, sweep};
    use crate::experiment::{AlgorithmId, MetricId};

    fn run(point: usize, algorithm: usize) -> RunId {
        RunId {
            point: PointId(point),
            replication: Replication(0),
            algorithm: AlgorithmId(algorithm),
        }
    }

    fn swept() -> String {
        let first = sweep("key = \"users.qos\"\nvalues = [0, 0.5, 1]");
        first + &sweep("key = \"name\"\nvalues = [\"a,b/c\", \"d\"]")
    }

    #[test]
    fn the_usual_runs_are_in_the_middle() {
        let results = made(&swept(), |run| Some([5.0, run.point.0 as f64][run.algorithm.0]));
        let first = Analysis::of(&results, MetricId(0));
        let middle = |who| run(3, who);
        assert_eq!(usual_runs(&results.experiment, &first), [middle(0), middle(1)]);
    }

    #[test]
    fn only_what_the_result_says_is_drawn() {
        let draw = |results: &Results, most| draw(results, run(0, 1), most, &Stop::never());
        let wrong = made("", |_| Some(1.0));
        let why = |results, most| draw(results, most).expect_err("not drawn").to_string();
        let differs = NotDrawn::Differs(gridsat_model::VERSION.to_owned());
        assert_eq!(why(&wrong, 10_000), differs.to_string());
        assert_eq!(why(&wrong, 10), NotDrawn::TooLong(10).to_string());
        let failed = made("", |_| None);
        assert!(draw(&failed, 10_000).is_err());
    }
}
