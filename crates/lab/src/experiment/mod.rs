//! Experiments: algorithms measured over swept parameters, with replications.
//!
//! ```text
//! file or name ──► Experiment ──► runs: points × replications × algorithms
//!                      │                 │ in parts: see `parts`
//!                      ▼ subject         ▼
//!                 grid, clusters, …    result (in order) ──► analysis
//! ```
//!
//! A *point* is one combination of the swept values; a *world* is one replication of a point, with
//! its seed. Every algorithm runs in the same worlds, so adding an algorithm does not change the
//! results of others; and the worlds of all points have the same seeds. A result contains
//! everything needed to run the experiment again. It does not depend on the number of threads, or
//! on interruptions.
//!
//! Figures and pages are in `report`, published claims in `claims`.

mod analysis;
mod axis;
mod built_in;
mod csv;
mod describe;
mod earlier;
mod error;
mod file;
mod id;
mod key;
#[cfg(test)]
pub(crate) mod made;
mod metric;
mod outcomes;
mod part;
mod points;
mod result;
mod subject;

pub use analysis::{Analysis, Cell, Comparison};
pub use axis::{Axis, AxisError, RangeError};
pub use built_in::{BUILT_IN, BuiltIn, built_in};
pub use csv::{write_comparisons_csv, write_csv, write_means_csv};
pub use describe::{Changes, Experiment};
pub use earlier::existing;
pub(crate) use earlier::{joined, rest};
pub use error::{ExperimentError, FileError, PlanError, ResultError};
pub use id::{AlgorithmId, Id, Keyed, MetricId, PointId, Replication, RunId};
pub use key::{KeyError, PlaceError};
pub use metric::Metric;
pub(crate) use outcomes::Outcomes;
pub(crate) use part::{read_part, run_part, seconds_of_runs};
pub(crate) use points::Points;
pub use result::{Outcome, Results};
pub(crate) use subject::GridRuns;
pub use subject::{Context, Prepared, SUBJECTS, Subject, SubjectError, subject};
