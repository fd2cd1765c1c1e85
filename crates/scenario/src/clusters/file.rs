//! Cluster scenarios as they are written: every key, nothing checked but types.
//!
//! TOML and JSON have the same keys; `docs/clusters.md` explains them. An unknown key is an error.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

use crate::number::Number;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub name: Option<String>,
    pub seed: Option<u64>,
    pub decimals: Option<u32>,
    pub overrun: Option<String>,
    pub threshold: Option<f64>,
    #[serde(default)]
    pub cluster: Vec<Cluster>,
    #[serde(default)]
    pub scheduler: Scheduler,
    pub jobs: Option<Jobs>,
    #[serde(default)]
    pub job: Vec<Job>,
    #[serde(default)]
    pub estimates: Estimates,
    #[serde(default)]
    pub penalty: Penalty,
    #[serde(default)]
    pub stop: Stop,
    #[serde(default)]
    pub output: Outputs,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cluster {
    pub name: Option<String>,
    pub count: Option<u32>,
    pub nodes: Option<u32>,
    pub speed: Option<f64>,
    pub groups: Option<Vec<Group>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Group {
    pub nodes: u32,
    pub speed: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scheduler {
    pub policy: Option<String>,
    pub queue: Option<String>,
    pub choice: Option<String>,
    pub max_hops: Option<u32>,
    pub delay_percent: Option<u32>,
    pub keeps_work: Option<bool>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Jobs {
    pub trace: Option<PathBuf>,
    pub model: Option<String>,
    pub count: Option<u64>,
    pub home: Option<String>,
    pub request: Option<String>,
    pub component: Option<u32>,
    pub moldable: Option<Moldable>,
    pub lenient: Option<bool>,
    pub processors: Option<String>,
    pub run_time: Option<String>,
    pub zero_run: Option<String>,
    pub priority: Option<String>,
    pub start: Option<String>,
    pub nodes: Option<u32>,
    pub types: Option<String>,
    pub arrivals: Option<String>,
    pub set: Option<BTreeMap<String, Number>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Job {
    pub name: Option<String>,
    #[serde(default)]
    pub at: f64,
    pub nodes: Option<u32>,
    pub run: f64,
    pub estimate: Option<f64>,
    #[serde(default)]
    pub priority: i32,
    #[serde(default)]
    pub user: u32,
    pub home: Option<String>,
    pub request: Option<String>,
    pub components: Option<Vec<u32>>,
    pub moldable: Option<Moldable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Moldable {
    pub least: Option<u32>,
    pub most: Option<u32>,
    pub amdahl: Option<f64>,
    pub downey: Option<[f64; 2]>,
    pub table: Option<Vec<f64>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Estimates {
    pub exact: Option<bool>,
    pub factor: Option<[f64; 2]>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Penalty {
    pub fixed: Option<f64>,
    pub per_node: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stop {
    pub time: Option<f64>,
    pub jobs: Option<u64>,
}

/// Files that a scenario asks for, relative to the working directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outputs {
    /// A row a job (CSV).
    pub jobs: Option<PathBuf>,
    /// The jobs and what became of them, as a trace (SWF).
    pub swf: Option<PathBuf>,
    /// A page that plays the run back (HTML).
    pub view: Option<PathBuf>,
}
