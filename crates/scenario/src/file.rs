//! Scenario files as they are written: every key, nothing checked but types.
//!
//! TOML and JSON have the same keys; `docs/scenarios.md` explains them. An unknown key is an error.

use std::collections::HashMap;
use std::path::PathBuf;

use serde::Deserialize;

use super::number::{Cell, Number};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub name: Option<String>,
    pub seed: Option<u64>,
    pub start: Option<String>,
    #[serde(default)]
    pub stop: Stop,
    #[serde(default)]
    pub resource: Vec<Resource>,
    #[serde(default)]
    pub users: Vec<Users>,
    #[serde(default)]
    pub job: Vec<Job>,
    pub etc: Option<Etc>,
    pub network: Option<Network>,
    #[serde(default)]
    pub file: Vec<DataFile>,
    pub information: Option<Information>,
    #[serde(default)]
    pub estimates: Estimates,
    #[serde(default)]
    pub scheduler: Vec<Scheduler>,
    #[serde(default)]
    pub reservation: Vec<Reservation>,
    #[serde(default)]
    pub command: Vec<Command>,
    #[serde(default)]
    pub output: Outputs,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stop {
    pub time: Option<f64>,
    pub jobs: Option<u64>,
    pub inactivity: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Resource {
    pub name: Option<String>,
    pub site: Option<String>,
    pub count: Option<u32>,
    pub pes: Option<u32>,
    pub mips: Option<Number>,
    pub machines: Option<Vec<Machine>>,
    pub policy: Option<String>,
    #[serde(default)]
    pub qos: u32,
    pub price: Option<f64>,
    pub load: Option<Load>,
    pub failure: Option<Failure>,
    pub registers: Option<f64>,
    pub storage: Option<f64>,
    pub io: Option<Number>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Network {
    pub model: String,
    #[serde(default)]
    pub hosts: Vec<String>,
    #[serde(default)]
    pub routers: Vec<String>,
    pub baud: Option<f64>,
    #[serde(default)]
    pub rates: HashMap<String, f64>,
    #[serde(default)]
    pub link: Vec<Link>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Link {
    pub between: [String; 2],
    pub bandwidth: f64,
    #[serde(default)]
    pub delay: f64,
    pub mtu: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DataFile {
    pub name: String,
    pub size: f64,
    #[serde(default)]
    pub hosts: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Failure {
    pub fails: Option<Number>,
    pub restores: Option<Number>,
    pub changes: Option<Vec<Change>>,
    pub trace: Option<PathBuf>,
    pub trace_start: Option<u64>,
    pub trace_node: Option<usize>,
    pub on_failure: Option<String>,
    pub checkpoint: Option<f64>,
    pub checkpoint_cost: Option<f64>,
    pub stay: Option<bool>,
    pub migration_cost: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Change {
    pub at: f64,
    #[serde(default)]
    pub down: bool,
    #[serde(default)]
    pub up: bool,
    pub capacity: Option<u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Machine {
    pub pes: Option<u32>,
    pub mips: Number,
}

/// A percentage alone is an average.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LoadTable {
    pub average: Option<u8>,
    pub weekdays: Option<Vec<u8>>,
    pub weekends: Option<Vec<u8>>,
    pub holidays: Option<Vec<u8>>,
    pub holiday_weeks: Option<Vec<usize>>,
    pub time_zone: Option<f64>,
    pub randomiser: Option<String>,
    pub limit: Option<u8>,
    pub period: Option<f64>,
}

pub(super) struct Load(pub LoadTable);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Users {
    pub count: u32,
    pub gap: Number,
    pub applications: Option<u32>,
    pub tasks: u32,
    pub size: Option<Number>,
    pub io: Option<Number>,
    #[serde(default)]
    pub inputs: Vec<String>,
    pub input: Option<f64>,
    pub output: Option<f64>,
    pub home: Option<String>,
    pub qos: Option<f64>,
    pub weights: Option<Vec<f64>>,
    pub schedulers: Option<Vec<String>>,
    pub deadline: Option<f64>,
    pub budget: Option<f64>,
    pub d_factor: Option<f64>,
    pub b_factor: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Job {
    pub name: Option<String>,
    #[serde(default)]
    pub at: f64,
    pub mi: Option<f64>,
    pub io: Option<f64>,
    #[serde(default)]
    pub inputs: Vec<String>,
    #[serde(default)]
    pub outputs: Vec<String>,
    pub input: Option<f64>,
    pub output: Option<f64>,
    pub home: Option<String>,
    #[serde(default)]
    pub qos: u32,
    pub scheduler: Option<String>,
    pub reservation: Option<String>,
    pub deadline: Option<f64>,
    pub budget: Option<f64>,
    pub d_factor: Option<f64>,
    pub b_factor: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Etc {
    pub file: Option<PathBuf>,
    pub matrix: Option<Vec<Vec<Cell>>>,
    #[serde(default)]
    pub at: f64,
    pub mapping: Option<Vec<u32>>,
    pub scheduler: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Estimates {
    pub error: Option<f64>,
    pub less: Option<f64>,
    pub more: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Information {
    pub ping: f64,
    pub delay: Option<f64>,
    pub own_jobs: Option<bool>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scheduler {
    pub name: Option<String>,
    pub policy: Option<String>,
    pub mode: Option<String>,
    pub wait: Option<f64>,
    pub jobs: Option<usize>,
    pub estimator: Option<String>,
    pub targets: Option<Vec<String>>,
    pub gap: Option<f64>,
    pub time_limit: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reservation {
    pub name: String,
    pub resource: String,
    pub pes: u32,
    pub start: f64,
    pub duration: f64,
    #[serde(default)]
    pub requested: f64,
    pub commit: Option<f64>,
    pub timeout: Option<f64>,
    pub cancel: Option<f64>,
    pub on_conflict: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Command {
    pub at: f64,
    pub halt: Option<u64>,
    pub resume: Option<u64>,
    pub cancel: Option<u64>,
    #[serde(default)]
    pub end: bool,
}

/// DataFiles that a scenario asks for, relative to the working directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outputs {
    /// A row a job (CSV).
    pub jobs: Option<PathBuf>,
    /// What ran where and when (SVG).
    pub gantt: Option<PathBuf>,
    /// Everything that happened.
    pub events: Option<PathBuf>,
}
