//! Cluster scenario files as written: all keys, with only their types checked.
//!
//! TOML and JSON have the same keys; `docs/clusters.md` explains them. An unknown key is an error.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

use crate::number::Number;
use crate::tables::tables;

tables! {
    optional File {
        name: Option<String>,
        seed: Option<u64>,
        decimals: Option<u32>,
        overrun: Option<String>,
        threshold: Option<f64>,
        #[serde(default)] cluster: Vec<Cluster>,
        #[serde(default)] scheduler: Scheduler,
        jobs: Option<Jobs>,
        #[serde(default)] job: Vec<Job>,
        #[serde(default)] estimates: Estimates,
        #[serde(default)] deadlines: Deadlines,
        #[serde(default)] migration: Migration,
        #[serde(default)] perturbation: Perturbation,
        #[serde(default)] failure: Vec<Outage>,
        #[serde(default)] recovery: Recovery,
        #[serde(default)] reservation: Vec<Reservation>,
        #[serde(default)] penalty: Penalty,
        #[serde(default)] stop: Stop,
        #[serde(default)] output: Outputs,
    }

    optional Cluster {
        name: Option<String>,
        count: Option<u32>,
        nodes: Option<u32>,
        speed: Option<f64>,
        groups: Option<Vec<Group>>,
        network: Option<f64>,
        failure: Option<Failure>,
    }

    table Failure {
        fails: Number,
        restores: Number,
        nodes: Option<u32>,
    }

    table Outage {
        cluster: Option<String>,
        at: f64,
        #[serde(default = "one")] nodes: u32,
        repair: f64,
    }

    optional Recovery {
        on_failure: Option<String>,
        checkpoint: Option<f64>,
    }

    table Reservation {
        name: String,
        cluster: Option<String>,
        nodes: u32,
        start: f64,
        duration: f64,
        #[serde(default)] requested: f64,
        #[serde(default)] price: f64,
    }

    table Group {
        nodes: u32,
        speed: Option<f64>,
    }

    optional Scheduler {
        policy: Option<String>,
        queue: Option<String>,
        choice: Option<String>,
        max_hops: Option<u32>,
        delay_percent: Option<u32>,
        keeps_work: Option<bool>,
    }

    optional Jobs {
        trace: Option<PathBuf>,
        model: Option<String>,
        count: Option<u64>,
        home: Option<String>,
        request: Option<String>,
        component: Option<u32>,
        moldable: Option<Moldable>,
        lenient: Option<bool>,
        processors: Option<String>,
        run_time: Option<String>,
        zero_run: Option<String>,
        priority: Option<String>,
        start: Option<String>,
        nodes: Option<u32>,
        types: Option<String>,
        arrivals: Option<String>,
        set: Option<BTreeMap<String, Number>>,
    }

    table Job {
        name: Option<String>,
        #[serde(default)] at: f64,
        nodes: Option<u32>,
        run: f64,
        estimate: Option<f64>,
        #[serde(default)] priority: i32,
        #[serde(default)] user: u32,
        home: Option<String>,
        request: Option<String>,
        components: Option<Vec<u32>>,
        moldable: Option<Moldable>,
        deadline: Option<f64>,
        migration: Option<f64>,
        reservation: Option<String>,
    }

    optional Moldable {
        least: Option<u32>,
        most: Option<u32>,
        amdahl: Option<f64>,
        downey: Option<[f64; 2]>,
        table: Option<Vec<f64>>,
    }

    optional Estimates {
        exact: Option<bool>,
        factor: Option<[f64; 2]>,
    }

    optional Deadlines {
        factor: Option<[f64; 2]>,
    }

    optional Migration {
        cost: Option<[f64; 2]>,
    }

    optional Perturbation {
        factor: Option<[f64; 2]>,
    }

    optional Penalty {
        fixed: Option<f64>,
        per_node: Option<f64>,
    }

    optional Stop {
        time: Option<f64>,
        jobs: Option<u64>,
    }
}

/// The default of a number of nodes.
fn one() -> u32 {
    1
}

/// Output files that a scenario requests, relative to the working directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outputs {
    /// Table with one row per job (CSV).
    pub jobs: Option<PathBuf>,
    /// Trace of the simulated jobs (SWF).
    pub swf: Option<PathBuf>,
    /// Web page with a playback of the run (HTML).
    pub view: Option<PathBuf>,
}
