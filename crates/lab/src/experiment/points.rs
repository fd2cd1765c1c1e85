//! The points of an experiment, each prepared when it is first needed and then kept.

use std::fmt;
use std::sync::OnceLock;

use super::describe::Experiment;
use super::error::ExperimentError;
use super::id::PointId;
use super::subject::Prepared;
use gridsat_model::Stop;

/// Points of one experiment, or none at all; several threads may ask for them.
#[derive(Default)]
pub(crate) struct Points(Vec<OnceLock<Box<dyn Prepared>>>);

impl Points {
    /// None of the points is prepared.
    pub fn none(experiment: &Experiment) -> Self {
        Self((0..experiment.point_count()).map(|_| OnceLock::new()).collect())
    }

    /// All points, so that errors are reported before the first run.
    pub fn all(experiment: &Experiment, stop: &Stop) -> Result<Self, ExperimentError> {
        let prepared = experiment.prepare(stop)?;
        Ok(Self(prepared.into_iter().map(OnceLock::from).collect()))
    }

    /// A point, which is prepared if it is not yet.
    pub fn get(
        &self,
        experiment: &Experiment,
        point: PointId,
        stop: &Stop,
    ) -> Result<&dyn Prepared, ExperimentError> {
        let place = &self.0[point.0];
        if place.get().is_none() {
            let prepared = experiment.prepare_point(point, stop)?;
            // Another thread may have been faster with the same point.
            let _ = place.set(prepared);
        }
        Ok(&**place.get().expect("it has just been set"))
    }
}

impl fmt::Debug for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ready = self.0.iter().filter(|point| point.get().is_some()).count();
        write!(f, "{ready} of {} points are prepared", self.0.len())
    }
}
