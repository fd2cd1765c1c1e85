//! The built-in experiments.

use std::path::Path;

use super::describe::{Changes, Experiment};
use super::error::ExperimentError;
use gridsat_model::names;
use gridsat_scenario::Syntax;

/// A built-in experiment.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// The name on the command line.
    pub name: &'static str,
    /// The experiment file.
    pub text: &'static str,
}

/// The built-in file of this name.
macro_rules! built_in {
    ($name:literal) => {
        BuiltIn { name: $name, text: include_str!(concat!("../../experiments/", $name, ".toml")) }
    };
}

/// All built-in experiments, in the order of the publications.
pub const BUILT_IN: &[BuiltIn] = &[
    built_in!("qos-share"),
    built_in!("qos-ends"),
    built_in!("wait-time"),
    built_in!("wait-time-long"),
    built_in!("grid-size"),
    built_in!("heterogeneity"),
    built_in!("information"),
    built_in!("local-usage"),
    built_in!("local-usage-readings"),
    built_in!("gsim-table"),
    built_in!("randomisers"),
    built_in!("exponential"),
    built_in!("encodings"),
    built_in!("encoding-digits"),
    built_in!("strategies"),
    built_in!("braun"),
    built_in!("braun-met"),
    built_in!("local-search"),
    built_in!("gridsim-table"),
    built_in!("workload-shares"),
    built_in!("dside-desktop"),
    built_in!("dside-recovery"),
    built_in!("dside-tornado"),
    built_in!("mmm"),
    built_in!("beosim-sizes"),
    built_in!("beosim-window"),
    built_in!("beosim-gaps"),
    built_in!("beosim-smallest"),
    built_in!("beosim-policies"),
    built_in!("optimal-qos-share"),
    built_in!("optimal-wait-time"),
    built_in!("optimal-grid-size"),
    built_in!("optimal-heterogeneity"),
    built_in!("optimal-information"),
    built_in!("optimal-local-usage"),
];

/// The experiment of this name, compared as by [`names::fold`].
pub fn built_in(name: &str) -> Option<&'static BuiltIn> {
    names::find(BUILT_IN, |one| [one.name], name)
}

impl BuiltIn {
    /// Reads the experiment.
    pub fn read(&self, changes: &Changes) -> Result<Experiment, ExperimentError> {
        Experiment::parse(self.text, Syntax::Toml, self.name, Path::new(""), changes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::id::PointId;
    use super::*;
    use gridsat_model::Stop;

    /// Only the first point, with one world.
    fn first_point(built_in: &BuiltIn) -> Experiment {
        let quick = Changes { quick: true, replications: Some(1), ..Changes::default() };
        let mut experiment = built_in.read(&quick).expect(built_in.name);
        for axis in &mut experiment.axes {
            axis.values.truncate(1);
            axis.labels.truncate(1);
        }
        experiment
    }

    #[test]
    fn all_are_described_and_possible() {
        for built_in in BUILT_IN {
            let name = built_in.name;
            assert!(built_in.text.starts_with("# "), "{name}: says where it is from");
            let experiment = built_in.read(&Changes::default()).expect(name);
            assert_eq!(experiment.name, name);
            assert!(experiment.title != name && !experiment.about.is_empty(), "{name}");
            let points = experiment.prepare(&Stop::default()).expect(name);
            assert_eq!(points.len(), experiment.point_count(), "{name}");
        }
    }

    #[test]
    fn each_runs_at_its_first_point() {
        for built_in in BUILT_IN {
            let experiment = first_point(built_in);
            let points = experiment.prepare(&Stop::default()).expect(built_in.name);
            for algorithm in experiment.algorithms.iter() {
                let run = points[PointId(0)].run(algorithm, experiment.seed);
                let named = |error| format!("{} {algorithm}: {error}", built_in.name);
                let values = run.map_err(named).expect("possible");
                assert_eq!(values.len(), experiment.metrics.len(), "{}", built_in.name);
                assert!(values.iter().any(Option::is_some), "{} {algorithm}", built_in.name);
            }
        }
    }
}
