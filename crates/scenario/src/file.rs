//! Scenario files as written: all keys, with only their types checked.
//!
//! TOML and JSON have the same keys; `docs/scenarios.md` explains them. An unknown key is an error.

use std::collections::HashMap;
use std::path::PathBuf;

use serde::Deserialize;

use super::number::{Cell, Number};
use super::tables::tables;

tables! {
    optional File {
        name: Option<String>,
        seed: Option<u64>,
        start: Option<String>,
        #[serde(default)] stop: Stop,
        #[serde(default)] resource: Vec<Resource>,
        #[serde(default)] users: Vec<Users>,
        #[serde(default)] job: Vec<Job>,
        #[serde(default)] job_file: Vec<JobFile>,
        etc: Option<Etc>,
        network: Option<Network>,
        #[serde(default)] file: Vec<DataFile>,
        information: Option<Information>,
        #[serde(default)] estimates: Estimates,
        #[serde(default)] scheduler: Vec<Scheduler>,
        #[serde(default)] reservation: Vec<Reservation>,
        #[serde(default)] command: Vec<Command>,
        #[serde(default)] output: Outputs,
    }

    optional Stop {
        time: Option<f64>,
        jobs: Option<u64>,
        inactivity: Option<f64>,
    }

    optional Resource {
        name: Option<String>,
        site: Option<String>,
        count: Option<u32>,
        pes: Option<u32>,
        mips: Option<Number>,
        machines: Option<Vec<Machine>>,
        policy: Option<String>,
        #[serde(default)] qos: u32,
        price: Option<f64>,
        load: Option<Load>,
        failure: Option<Failure>,
        disk_failure: Option<Failure>,
        registers: Option<f64>,
        storage: Option<f64>,
        memory: Option<f64>,
        memory_load: Option<Load>,
        io: Option<Number>,
    }

    table Network {
        model: String,
        #[serde(default)] hosts: Vec<String>,
        #[serde(default)] routers: Vec<String>,
        baud: Option<f64>,
        #[serde(default)] rates: HashMap<String, f64>,
        #[serde(default)] link: Vec<Link>,
    }

    table Link {
        between: [String; 2],
        bandwidth: f64,
        #[serde(default)] delay: f64,
        mtu: Option<u32>,
        load: Option<Load>,
        failure: Option<Failure>,
    }

    table DataFile {
        name: String,
        size: f64,
        #[serde(default)] hosts: Vec<String>,
    }

    optional Failure {
        fails: Option<Number>,
        restores: Option<Number>,
        intervals: Option<String>,
        changes: Option<Vec<Change>>,
        trace: Option<PathBuf>,
        trace_start: Option<u64>,
        trace_node: Option<usize>,
        on_failure: Option<String>,
        checkpoint: Option<f64>,
        checkpoint_cost: Option<f64>,
        stay: Option<bool>,
        migration_cost: Option<f64>,
        #[serde(default)] also_lost: Vec<String>,
    }

    table Change {
        at: f64,
        #[serde(default)] down: bool,
        #[serde(default)] up: bool,
        capacity: Option<u8>,
    }

    table Machine {
        pes: Option<u32>,
        mips: Number,
    }

    /// A plain percentage is an average load.
    optional LoadTable {
        average: Option<u8>,
        weekdays: Option<Vec<u8>>,
        weekends: Option<Vec<u8>>,
        holidays: Option<Vec<u8>>,
        holiday_weeks: Option<Vec<usize>>,
        time_zone: Option<f64>,
        randomiser: Option<String>,
        limit: Option<u8>,
        period: Option<f64>,
    }

    table Users {
        count: u32,
        gap: Number,
        hours: Option<[f64; 2]>,
        weekends: Option<bool>,
        time_zone: Option<f64>,
        applications: Option<u32>,
        tasks: u32,
        size: Option<Number>,
        io: Option<Number>,
        pes: Option<u32>,
        memory: Option<Number>,
        #[serde(default)] inputs: Vec<String>,
        input: Option<f64>,
        output: Option<f64>,
        home: Option<String>,
        qos: Option<f64>,
        weights: Option<Vec<f64>>,
        schedulers: Option<Vec<String>>,
        deadline: Option<f64>,
        budget: Option<f64>,
        d_factor: Option<f64>,
        b_factor: Option<f64>,
    }

    optional Job {
        name: Option<String>,
        #[serde(default)] at: f64,
        mi: Option<f64>,
        io: Option<f64>,
        pes: Option<u32>,
        memory: Option<f64>,
        #[serde(default)] inputs: Vec<String>,
        #[serde(default)] outputs: Vec<String>,
        input: Option<f64>,
        output: Option<f64>,
        home: Option<String>,
        #[serde(default)] qos: u32,
        scheduler: Option<String>,
        reservation: Option<String>,
        deadline: Option<f64>,
        budget: Option<f64>,
        d_factor: Option<f64>,
        b_factor: Option<f64>,
    }

    table JobFile {
        file: PathBuf,
        scheduler: Option<String>,
    }

    optional Etc {
        file: Option<PathBuf>,
        matrix: Option<Vec<Vec<Cell>>>,
        #[serde(default)] at: f64,
        mapping: Option<Vec<u32>>,
        scheduler: Option<String>,
    }

    optional Estimates {
        error: Option<f64>,
        less: Option<f64>,
        more: Option<f64>,
    }

    table Information {
        ping: f64,
        delay: Option<f64>,
        own_jobs: Option<bool>,
    }

    optional Scheduler {
        name: Option<String>,
        policy: Option<String>,
        mode: Option<String>,
        wait: Option<f64>,
        jobs: Option<usize>,
        estimator: Option<String>,
        targets: Option<Vec<String>>,
        early: Option<bool>,
        adapt: Option<String>,
        wait_least: Option<f64>,
        wait_most: Option<f64>,
        reschedule: Option<String>,
        period: Option<f64>,
        migration_cost: Option<f64>,
        migration_load: Option<u8>,
        pass: Option<String>,
        peers: Option<Vec<String>>,
        pass_above: Option<f64>,
        pass_below: Option<f64>,
        pass_time: Option<f64>,
        gap: Option<f64>,
        time_limit: Option<f64>,
        strategy: Option<String>,
        solver: Option<String>,
        evaluations: Option<u64>,
    }

    table Reservation {
        name: String,
        resource: String,
        pes: Option<u32>,
        memory: Option<f64>,
        storage: Option<f64>,
        bandwidth: Option<f64>,
        to: Option<String>,
        price: Option<f64>,
        fee: Option<f64>,
        start: f64,
        duration: f64,
        #[serde(default)] requested: f64,
        commit: Option<f64>,
        timeout: Option<f64>,
        cancel: Option<f64>,
        on_conflict: Option<String>,
    }

    table Command {
        at: f64,
        halt: Option<u64>,
        resume: Option<u64>,
        cancel: Option<u64>,
        #[serde(default)] end: bool,
    }
}

pub(super) struct Load(pub LoadTable);

/// Output files that a scenario requests, relative to the working directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outputs {
    /// Table with one row per job (CSV).
    pub jobs: Option<PathBuf>,
    /// Table with one row per user (CSV).
    pub users: Option<PathBuf>,
    /// Gantt chart of the run (SVG).
    pub gantt: Option<PathBuf>,
    /// Log with one line per event.
    pub events: Option<PathBuf>,
}
