//! Artificial results for the tests of judges.

use super::Evidence;
use crate::experiment::{Axis, Experiment, Metric, Outcome, Outcomes, Results};

/// An experiment with artificial results.
pub struct Made {
    name: &'static str,
    points: Vec<String>,
    metrics: Vec<&'static str>,
    algorithms: Vec<&'static str>,
    pairs: Vec<[&'static str; 2]>,
    replications: u32,
    /// Relative variation between worlds, and between runs in a world.
    spread: [f64; 2],
}

impl Made {
    /// An experiment with one axis, and the algorithms and pairs of chapter 4 of the thesis. A
    /// point of several axes is one value with its parts between `/`.
    pub fn new(name: &'static str, points: &[&str], metrics: &[&'static str]) -> Self {
        Self {
            name,
            points: points.iter().map(|&point| point.to_owned()).collect(),
            metrics: metrics.to_vec(),
            algorithms: vec!["mct", "mct-batch", "minmin", "qgmm", "tlmm", "tlqmm"],
            pairs: vec![
                ["minmin", "mct-batch"],
                ["qgmm", "mct-batch"],
                ["tlmm", "mct-batch"],
                ["tlqmm", "mct-batch"],
                ["qgmm", "minmin"],
                ["tlmm", "minmin"],
                ["tlqmm", "qgmm"],
            ],
            replications: 100,
            spread: [0.3, 0.001],
        }
    }

    /// With other algorithms, which are not compared.
    pub fn algorithms(self, algorithms: &[&'static str]) -> Self {
        Self { algorithms: algorithms.to_vec(), pairs: Vec::new(), ..self }
    }

    /// With almost no variation between worlds.
    pub fn calm(self) -> Self {
        Self { spread: [0.01, 0.001], ..self }
    }

    /// Without random variation.
    pub fn exact(self) -> Self {
        Self { spread: [0.0, 0.0], ..self }
    }

    /// With this many worlds.
    pub fn worlds(self, replications: u32) -> Self {
        Self { replications, ..self }
    }

    /// Evidence with values by point, algorithm and metric. Each world multiplies all of them by a
    /// random factor, and each run by one close to 1.
    pub fn evidence(self, value: impl Fn(&str, &str, &str) -> f64) -> Evidence {
        let mut evidence = Evidence::default();
        evidence.add(self.results(value), None);
        evidence
    }

    /// The same as results, to be combined with others.
    pub fn results(self, value: impl Fn(&str, &str, &str) -> f64) -> Results {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let experiment = Experiment {
            name: self.name.to_owned(),
            title: String::new(),
            about: String::new(),
            seed: 1,
            replications: self.replications,
            algorithms: owned(&self.algorithms).into(),
            metrics: self.metrics.iter().map(|name| Metric::new(name, name, "")).collect(),
            subject: "grid".to_owned(),
            base: serde_json::json!({}),
            folder: std::path::PathBuf::new(),
            axes: vec![Axis {
                title: "x".to_owned(),
                unit: String::new(),
                log: false,
                keys: vec!["x".to_owned()],
                factors: Vec::new(),
                values: self.points.iter().map(|point| point.as_str().into()).collect(),
                labels: Vec::new(),
            }],
            baseline: Some("mct".to_owned()).filter(|_| !self.pairs.is_empty()),
            pairs: self.pairs.iter().map(|pair| pair.map(str::to_owned)).collect(),
        };
        let mut outcomes = Vec::new();
        for point in &self.points {
            for world in 0..self.replications {
                let grid = 1.0 + self.spread[0] * chance(world.into());
                for algorithm in &self.algorithms {
                    let values = self.metrics.iter().map(|metric| {
                        let noise =
                            1.0 + self.spread[1] * chance(1_000_000 + outcomes.len() as u64);
                        Some(value(point, algorithm, metric) * grid * noise)
                    });
                    outcomes.push(Outcome::Values(values.collect()));
                }
            }
        }
        let outcomes = Outcomes::of(experiment.metrics.len(), outcomes);
        Results::new(experiment, outcomes)
    }
}

/// A uniform number between -1 and 1, by the mixing function of SplitMix64.
fn chance(number: u64) -> f64 {
    let mut z = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}
