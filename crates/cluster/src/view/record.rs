//! The record in the page: clusters, schedulers and jobs, and the events of the jobs as one array
//! of numbers.
//!
//! | event | numbers, after the ticks since the previous event |
//! | --- | --- |
//! | arrived, refused | 0 or 1; jobs are numbered in order of arrival |
//! | started | 2, job, number of spans; for each, nodes skipped since the last and its length |
//! | suspended, finished, killed | 3, 4 or 5, job |

use serde::Serialize;

use super::nodes::Span;
use crate::{ClusterSpec, QueuePolicy, SchedulerSpec, Setup};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::RigidJob;

pub(super) const ARRIVED: u64 = 0;
pub(super) const REFUSED: u64 = 1;
pub(super) const STARTED: u64 = 2;
pub(super) const SUSPENDED: u64 = 3;
pub(super) const FINISHED: u64 = 4;
pub(super) const KILLED: u64 = 5;

#[derive(Serialize)]
pub(super) struct Record {
    version: &'static str,
    scenario: String,
    /// As text, because JavaScript would round large numbers.
    seed: Option<String>,
    clusters: Vec<Cluster>,
    schedulers: Vec<Scheduler>,
    pub(super) jobs: Jobs,
    pub(super) happenings: Vec<u64>,
    /// Time of the last event, and number of events.
    #[serde(skip)]
    last: Time,
    #[serde(skip)]
    pub(super) happened: usize,
}

/// An event of a job; a start has the nodes that it occupies.
pub(super) struct Note {
    pub(super) at: Time,
    pub(super) kind: u64,
    pub(super) spans: Vec<Span>,
}

#[derive(Serialize)]
struct Cluster {
    name: String,
    /// Speed in millionths, and number of nodes.
    groups: Vec<(u32, u32)>,
}

#[derive(Serialize)]
struct Scheduler {
    name: String,
    policy: String,
    clusters: Vec<u32>,
}

/// Jobs as columns, in order of arrival.
#[derive(Default, Serialize)]
pub(super) struct Jobs {
    pub(super) number: Vec<u64>,
    nodes: Vec<u32>,
    run: Vec<Ticks>,
    estimate: Vec<Ticks>,
    priority: Vec<i32>,
    user: Vec<u32>,
    pub(super) home: Vec<u32>,
}

impl Record {
    pub(super) fn new(scenario: &str, seed: Option<u64>, setup: &Setup) -> Self {
        Self {
            version: gridsat_model::VERSION,
            scenario: scenario.to_owned(),
            seed: seed.map(|seed| seed.to_string()),
            clusters: setup.clusters.iter().map(Cluster::new).collect(),
            schedulers: setup.schedulers.iter().map(Scheduler::new).collect(),
            jobs: Jobs::default(),
            happenings: Vec::new(),
            last: Time::ZERO,
            happened: 0,
        }
    }

    /// Adds an event of the job at this index of the columns.
    pub(super) fn push(&mut self, note: &Note, job: u64) {
        self.happenings.extend([note.at.since(self.last).0, note.kind]);
        if note.kind > REFUSED {
            self.happenings.push(job);
        }
        if note.kind == STARTED {
            self.push_spans(&note.spans);
        }
        self.last = note.at;
        self.happened += 1;
    }

    fn push_spans(&mut self, spans: &[Span]) {
        self.happenings.push(spans.len() as u64);
        let mut end = 0;
        for span in spans {
            self.happenings.extend([span.first - end, span.nodes]);
            end = span.first + span.nodes;
        }
    }
}

impl Jobs {
    /// Adds a job; returns its index.
    pub(super) fn push(&mut self, job: &RigidJob, home: u32) -> u64 {
        self.number.push(job.number);
        self.nodes.push(job.nodes);
        self.run.push(job.run);
        self.estimate.push(job.estimate);
        self.priority.push(job.priority);
        self.user.push(job.user);
        self.home.push(home);
        self.number.len() as u64 - 1
    }
}

impl Cluster {
    fn new(spec: &ClusterSpec) -> Self {
        let groups = spec.groups.iter().map(|group| (group.speed.millionths(), group.nodes));
        Self { name: spec.name.clone(), groups: groups.collect() }
    }
}

impl Scheduler {
    fn new(spec: &SchedulerSpec) -> Self {
        let policy = spec.policy.beosim_name();
        Self {
            name: spec.name.clone(),
            policy: match spec.policy {
                QueuePolicy::Backfill { delay_percent: percent @ 1.. } => {
                    format!("{policy}, {percent} %")
                }
                QueuePolicy::NoStarvation { max_hops } => format!("{policy}, {max_hops} hops"),
                QueuePolicy::Preemptive { keeps_work: false } => format!("{policy}, work is lost"),
                _ => policy,
            },
            clusters: spec.clusters.iter().map(|cluster| cluster.0).collect(),
        }
    }
}
