//! Single runs drawn: where and when each job ran.
//!
//! Results have no schedules, so the run is simulated again from what the result says about its experiment.
//! A picture is shown only if that gives the values of the result, to the last bit.

use thiserror::Error;

use crate::compare::OWN;
use crate::experiment::{Context, Experiment, Outcome, Results, subject, summaries};
use gridsat_engine::time::Time;
use gridsat_grid::output::{Chart, Description};
use gridsat_grid::{Happening, JobRecord, Observer, simulate};
use gridsat_model::Stop;
use gridsat_scenario::{Changes, Scenario, Syntax};

/// A run of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunChoice {
    /// Point of the experiment.
    pub point: usize,
    /// Which world.
    pub replication: u32,
    /// Which algorithm.
    pub algorithm: usize,
}

/// A run that was drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Which.
    pub run: RunChoice,
    /// As SVG, a file of its own.
    pub svg: String,
}

/// Why a run is not drawn.
#[derive(Debug, Error, PartialEq)]
pub enum NotDrawn {
    /// Only grids have such a picture.
    #[error("only runs of the subject \"grid\" can be drawn, not of \"{0}\"")]
    Subject(String),
    /// The result has no values to hold it against.
    #[error("the run failed: {0}")]
    Failed(String),
    /// Too many jobs.
    #[error("it has more than {0} jobs")]
    TooLong(u64),
    /// Another version, or files that have changed.
    #[error("simulated again it gives other values than the result has (made by gridsat {0})")]
    Differs(String),
    /// Its files are not there any more, say.
    #[error("{0}")]
    Impossible(String),
    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Without being asked, runs with more jobs are not drawn.
pub const MOST_JOBS: u64 = 3_000;

/// The runs that are drawn unless others are asked for: at the point in the middle, in the first world, the
/// baseline and whoever has the least mean of the first metric there.
pub fn usual_runs(results: &Results) -> Vec<RunChoice> {
    let experiment = &results.experiment;
    if experiment.subject != GRID {
        return Vec::new();
    }
    let sizes = experiment.axes.iter().map(|axis| axis.values.len());
    let point = sizes.fold(0, |point, size| point * size + size / 2);
    let baseline = experiment.baseline.as_ref().and_then(|name| experiment.algorithm(name));
    let means = summaries(results, point, 0).into_iter().enumerate();
    let others = means.filter(|(who, cell)| Some(*who) != baseline && cell.summary.n > 0);
    let best =
        others.min_by(|(_, one), (_, other)| one.summary.mean.total_cmp(&other.summary.mean));
    let chosen = baseline.into_iter().chain(best.map(|(who, _)| who));
    chosen.map(|algorithm| RunChoice { point, replication: 0, algorithm }).collect()
}

const GRID: &str = "grid";

impl RunChoice {
    /// By `VALUE[,VALUE…]/ALGORITHM[@SEED]`, or `ALGORITHM[@SEED]` if nothing is swept; without a seed the
    /// first world.
    pub fn parse(text: &str, experiment: &Experiment) -> Option<Self> {
        let first = Self::named(text, experiment).map(|(point, algorithm)| (point, algorithm, 0));
        let with_seed = || {
            let (name, seed) = text.rsplit_once('@')?;
            let replication = seed.parse::<u64>().ok()?.wrapping_sub(experiment.seed);
            let replication = u32::try_from(replication).ok()?;
            let (point, algorithm) = Self::named(name, experiment)?;
            (replication < experiment.replications).then_some((point, algorithm, replication))
        };
        let (point, algorithm, replication) = first.or_else(with_seed)?;
        Some(Self { point, replication, algorithm })
    }

    /// Values and names may contain anything, so all are compared rather than taken apart.
    fn named(text: &str, experiment: &Experiment) -> Option<(usize, usize)> {
        let fits = |name: &str| {
            let values = match text.strip_suffix(name)? {
                "" => "",
                values => values.strip_suffix('/')?,
            };
            (0..experiment.point_count()).find(|&point| values_at(experiment, point) == values)
        };
        let algorithms = experiment.algorithms.iter().enumerate();
        algorithms.into_iter().find_map(|(place, name)| Some((fits(name)?, place)))
    }

    /// As [`RunChoice::parse`] takes it.
    pub fn name(&self, experiment: &Experiment) -> String {
        let values = values_at(experiment, self.point);
        let slash = if values.is_empty() { "" } else { "/" };
        let seed = experiment.world_seed(self.replication);
        format!("{values}{slash}{}@{seed}", experiment.algorithms[self.algorithm])
    }
}

fn values_at(experiment: &Experiment, point: usize) -> String {
    let axes = experiment.axes.iter().zip(experiment.point(point));
    axes.map(|(axis, place)| axis.value_label(place)).collect::<Vec<_>>().join(",")
}

/// Draws a run, if it has at most so many jobs.
pub fn draw(results: &Results, run: RunChoice, most: u64, stop: &Stop) -> Result<Drawn, NotDrawn> {
    let experiment = &results.experiment;
    if experiment.subject != GRID {
        return Err(NotDrawn::Subject(experiment.subject.clone()));
    }
    let settings = experiment.settings(run.point).map_err(NotDrawn::Impossible)?;
    let scenario = Scenario::parse(&settings.to_string(), Syntax::Json, "", &experiment.folder);
    let scenario = scenario.map_err(|error| NotDrawn::Impossible(error.what))?;
    let name = &experiment.algorithms[run.algorithm];
    let changes = Changes {
        seed: Some(experiment.world_seed(run.replication)),
        policy: (name != OWN).then(|| name.clone()),
        stop: stop.clone(),
    };
    let setup = scenario.setup(&changes).map_err(|error| NotDrawn::Impossible(error.what))?;
    let description = Description::of(&experiment.point_label(run.point), &setup);
    let mut pencil = Pencil { chart: Chart::new(&description), arrived: 0, most, stop };
    let summary = simulate(setup, &mut pencil);
    let summary = summary.map_err(|error| NotDrawn::Impossible(error.to_string()))?;
    if pencil.arrived > most {
        return Err(NotDrawn::TooLong(most));
    }
    if stop.is_requested() {
        return Err(NotDrawn::Interrupted);
    }
    check(results, run, &settings, stop)?;
    Ok(Drawn { run, svg: pencil.chart.svg(&summary) })
}

/// Whether the run still gives what the result says.
fn check(
    results: &Results,
    run: RunChoice,
    settings: &serde_json::Value,
    stop: &Stop,
) -> Result<(), NotDrawn> {
    let experiment = &results.experiment;
    let stored = match results.outcome(run.point, run.replication, run.algorithm) {
        Outcome::Values(values) => values,
        Outcome::Error(error) => return Err(NotDrawn::Failed(error.clone())),
    };
    let metrics: Vec<String> =
        experiment.metrics.iter().map(|metric| metric.name.clone()).collect();
    let context = Context { metrics: &metrics, folder: &experiment.folder, stop };
    let subject = subject(GRID).expect("grids are always there");
    let measured = subject.prepare(settings, &context).and_then(|prepared| {
        let seed = experiment.world_seed(run.replication);
        prepared.run(&experiment.algorithms[run.algorithm], seed)
    });
    let measured = measured.map_err(NotDrawn::Impossible)?;
    let finite = |value: &Option<f64>| value.filter(|value| value.is_finite());
    let is_same = measured.iter().map(finite).eq(stored.iter().copied());
    if is_same { Ok(()) } else { Err(NotDrawn::Differs(results.version.clone())) }
}

/// Draws while the run goes on, and gives up when it is too long.
struct Pencil<'a> {
    chart: Chart<'a>,
    arrived: u64,
    most: u64,
    stop: &'a Stop,
}

impl Observer for Pencil<'_> {
    fn happened(&mut self, now: Time, what: &Happening) {
        self.arrived += u64::from(matches!(what, Happening::Arrived { .. }));
        self.chart.happened(now, what);
    }

    fn left(&mut self, job: &JobRecord) {
        self.chart.left(job);
    }

    fn wants_end(&self) -> bool {
        self.arrived > self.most || self.stop.is_requested()
    }
}

#[cfg(test)]
mod tests {
    use super::super::made::{made, sweep};
    use super::*;

    fn swept() -> String {
        let first = sweep("key = \"users.qos\"\nvalues = [0, 0.5, 1]");
        first + &sweep("key = \"name\"\nvalues = [\"a,b/c\", \"d\"]")
    }

    #[test]
    fn names_are_read_back() {
        let results = made(&swept(), |_, _, _| Some(1.0));
        let experiment = &results.experiment;
        for (point, replication, algorithm) in [(0, 0, 0), (3, 1, 1), (5, 2, 0)] {
            let run = RunChoice { point, replication, algorithm };
            assert_eq!(RunChoice::parse(&run.name(experiment), experiment), Some(run));
        }
        let run = RunChoice { point: 2, replication: 0, algorithm: 1 };
        assert_eq!(RunChoice::parse("0.5,a,b/c/minmin", experiment), Some(run));
        for wrong in
            ["", "mct", "0.5/mct", "7,d/mct", "0,d/sat", "0,d/mct@4", "0,d/mct@0", "0,d/mct@"]
        {
            assert_eq!(RunChoice::parse(wrong, experiment), None, "{wrong}");
        }
        let plain = made("", |_, _, _| Some(1.0));
        assert_eq!(
            RunChoice::parse("minmin@2", &plain.experiment).map(|run| run.replication),
            Some(1)
        );
    }

    #[test]
    fn the_usual_runs_are_in_the_middle() {
        let results = made(&swept(), |point, _, who| Some([5.0, point as f64][who]));
        let middle = |algorithm| RunChoice { point: 3, replication: 0, algorithm };
        assert_eq!(usual_runs(&results), [middle(0), middle(1)]);
    }

    #[test]
    fn only_what_the_result_says_is_drawn() {
        let run = RunChoice { point: 0, replication: 0, algorithm: 1 };
        let draw = |results: &Results, most| draw(results, run, most, &Stop::never());
        let wrong = made("", |_, _, _| Some(1.0));
        assert_eq!(draw(&wrong, 10_000), Err(NotDrawn::Differs(gridsat_model::VERSION.to_owned())));
        assert_eq!(draw(&wrong, 10), Err(NotDrawn::TooLong(10)));
        let failed = made("", |_, _, _| None);
        assert!(draw(&failed, 10_000).is_err());
    }
}
