//! The complete description of an experiment, with which a result begins.

use std::path::{Path, PathBuf};

use itertools::Itertools;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::axis::Axis;
use super::error::{ExperimentError, PlanError};
use super::id::{AlgorithmId, Keyed, MetricId, PointId, Replication, RunId};
use super::key::KeyError;
use super::metric::Metric;
use super::subject::{Context, Prepared, Subject, SubjectError, subject};
use gridsat_model::{Stop, names};

/// The definition of an experiment. Checked by [`Experiment::prepare`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// The name in files and on the command line.
    pub name: String,
    /// Title for people.
    pub title: String,
    /// The question it answers, in a few sentences.
    pub about: String,
    /// Seed of the first world; later ones have consecutive seeds.
    pub seed: u64,
    /// Number of worlds per point.
    pub replications: u32,
    /// The algorithms to compare.
    pub algorithms: Keyed<AlgorithmId, String>,
    /// The metrics to measure.
    pub metrics: Keyed<MetricId, Metric>,
    /// Name of the subject.
    pub subject: String,
    /// The settings of the subject before any sweep.
    pub base: Value,
    /// The folder at which relative paths in the settings start.
    pub folder: PathBuf,
    /// The swept parameters; empty if there is only one point.
    pub axes: Vec<Axis>,
    /// The algorithm that all others are compared with.
    pub baseline: Option<String>,
    /// Additional comparisons: the first with the second.
    pub pairs: Vec<[String; 2]>,
}

/// Changes to the experiment of the file.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Whether to run a quick version: fewer replications, and the settings of `[quick]`.
    pub quick: bool,
    /// Replaces the seed.
    pub seed: Option<u64>,
    /// Replaces the number of worlds.
    pub replications: Option<u32>,
    /// Replaces the algorithms; if empty, those of the file are kept.
    pub algorithms: Vec<String>,
}

/// Largest number of runs, more than would finish in practice.
pub(super) const MOST_RUNS: u64 = 100_000_000;

impl Experiment {
    /// Number of points.
    pub fn point_count(&self) -> usize {
        self.axes.iter().map(|axis| axis.values.len()).product()
    }

    /// All points, in order.
    pub fn points(&self) -> impl Iterator<Item = PointId> + Clone + use<> {
        (0..self.point_count()).map(PointId)
    }

    /// The worlds of a point, in order.
    pub fn worlds(&self) -> impl Iterator<Item = Replication> + Clone + use<> {
        (0..self.replications).map(Replication)
    }

    /// Number of runs.
    pub fn run_count(&self) -> usize {
        self.point_count() * self.replications as usize * self.algorithms.len()
    }

    /// All runs, in the order of points, replications, algorithms.
    pub fn runs(&self) -> impl Iterator<Item = RunId> {
        let worlds = self.points().cartesian_product(self.worlds());
        let run = |((point, replication), algorithm)| RunId { point, replication, algorithm };
        worlds.cartesian_product(self.algorithms.ids()).map(run)
    }

    /// Whether the runs of the other experiment are also those of this one: what only people read
    /// may differ.
    pub fn has_runs_of(&self, other: &Self) -> bool {
        let plain = |one: &Self| Self { title: String::new(), about: String::new(), ..one.clone() };
        plain(self) == plain(other)
    }

    /// The index of the value of each axis at a point. The last axis varies fastest.
    pub fn places(&self, point: PointId) -> Vec<usize> {
        let mut rest = point.0;
        let mut places: Vec<usize> = Vec::with_capacity(self.axes.len());
        for axis in self.axes.iter().rev() {
            places.push(rest % axis.values.len());
            rest /= axis.values.len();
        }
        places.reverse();
        places
    }

    /// A point as text: `wait = 5 s, hosts = 10`.
    pub fn point_label(&self, point: PointId) -> String {
        self.axes.iter().zip(self.places(point)).map(|(axis, place)| axis.at(place)).join(", ")
    }

    /// The value of each axis at a point, without names and units.
    pub fn values_at(&self, point: PointId) -> Vec<String> {
        let axes = self.axes.iter().zip(self.places(point));
        axes.map(|(axis, place)| axis.value_label(place)).collect()
    }

    /// The settings of a point.
    pub fn settings(&self, point: PointId) -> Result<Value, KeyError> {
        let mut settings = self.base.clone();
        for (axis, place) in self.axes.iter().zip(self.places(point)) {
            axis.apply(place, &mut settings)?;
        }
        Ok(settings)
    }

    /// The seed of a world.
    pub fn world_seed(&self, replication: Replication) -> u64 {
        self.seed.wrapping_add(replication.0.into())
    }

    /// The algorithm of this name.
    pub fn algorithm(&self, name: &str) -> Option<AlgorithmId> {
        let (found, _) = names::find(self.algorithms.pairs(), |(_, own)| [(*own).clone()], name)?;
        Some(found)
    }

    /// The metric of this name.
    pub fn metric(&self, name: &str) -> Option<MetricId> {
        self.metrics.iter().position(|metric| metric.name == name).map(MetricId)
    }

    /// Pairs of algorithms to compare, first with second: all others with the baseline, then the
    /// pairs.
    pub fn comparisons(&self) -> Vec<(AlgorithmId, AlgorithmId)> {
        let place = |name: &String| self.algorithm(name);
        let baseline = self.baseline.as_ref().and_then(place);
        let others = self.algorithms.ids().filter(|&one| Some(one) != baseline);
        let with_baseline = others.filter_map(|one| Some((one, baseline?)));
        let pairs = self.pairs.iter().filter_map(|[one, other]| Some((place(one)?, place(other)?)));
        with_baseline.chain(pairs).unique().collect()
    }

    pub(super) fn subject(&self) -> Result<&'static Subject, ExperimentError> {
        subject(&self.subject).ok_or_else(|| PlanError::NoSubject(self.subject.clone()).into())
    }

    /// Checks everything and prepares all points, so that errors are reported before the first run.
    pub fn prepare(
        &self,
        stop: &Stop,
    ) -> Result<Keyed<PointId, Box<dyn Prepared>>, ExperimentError> {
        self.check()?;
        self.points().map(|point| self.prepare_point(point, stop)).collect()
    }

    /// Checks and prepares one point.
    pub(super) fn prepare_point(
        &self,
        point: PointId,
        stop: &Stop,
    ) -> Result<Box<dyn Prepared>, ExperimentError> {
        let metrics: Vec<String> = self.metrics.iter().map(|metric| metric.name.clone()).collect();
        let context = Context { metrics: &metrics, folder: &self.folder, stop };
        let at = |algorithm: Option<&String>, error: SubjectError| PlanError::Point {
            label: self.point_label(point),
            algorithm: algorithm.cloned(),
            error: Box::new(error),
        };
        let settings = self.settings(point).map_err(|error| at(None, error.into()))?;
        let prepared = (self.subject()?.prepare)(&settings, &context);
        let prepared = prepared.map_err(|error| at(None, error))?;
        for algorithm in self.algorithms.iter() {
            prepared.check(algorithm).map_err(|error| at(Some(algorithm), error))?;
        }
        Ok(prepared)
    }

    pub(crate) fn check(&self) -> Result<(), PlanError> {
        self.axes.iter().try_for_each(|axis| {
            axis.check().map_err(|what| PlanError::Sweep { title: axis.title.clone(), what })
        })?;
        let sizes = self.axes.iter().map(|axis| axis.values.len() as u64);
        let sizes = sizes.chain([self.replications.into(), self.algorithms.len() as u64]);
        let runs = sizes.fold(1_u64, u64::saturating_mul);
        if !(1..=MOST_RUNS).contains(&runs) {
            return Err(PlanError::Runs(runs));
        }
        if self.metrics.is_empty() {
            return Err(PlanError::NoMetrics);
        }
        if let Some(twice) = self.algorithms.iter().duplicates().next() {
            return Err(PlanError::Twice(twice.clone()));
        }
        Ok(())
    }

    /// Applies changes to the experiment.
    pub(super) fn change(&mut self, changes: &Changes) {
        self.seed = changes.seed.unwrap_or(self.seed);
        self.replications = changes.replications.unwrap_or(self.replications);
        if !changes.algorithms.is_empty() {
            self.algorithms = changes.algorithms.clone().into();
        }
        let has = |name: &String| self.algorithms.contains(name);
        self.pairs.retain(|pair| pair.iter().all(has));
        self.baseline = self.baseline.take().filter(has);
    }

    /// The folder of a file, for its relative paths.
    pub(super) fn folder_of(path: &Path) -> PathBuf {
        path.parent().map(Path::to_path_buf).unwrap_or_default()
    }
}
