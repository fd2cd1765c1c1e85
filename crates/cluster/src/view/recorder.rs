//! Notes what happens to jobs, in the form in which the page reads it: one row of numbers.
//!
//! | what | numbers, after the ticks since the last |
//! | --- | --- |
//! | arrived, refused | 0 or 1; jobs are counted through as they come |
//! | started | 2, job, number of spans, and for each the nodes skipped since the last span and its length |
//! | suspended, finished, killed | 3, 4 or 5, job |
//!
//! It stops after [`Recorder::MOST_JOBS`] jobs, just before the next arrives: until then it is
//! complete, and the page stays one that a browser likes.

use std::collections::HashMap;

use serde::Serialize;

use super::nodes::{Free, Span};
use crate::{
    ClusterEvents, ClusterSpec, Happening, NodeShare, Outcome, QueuePolicy, SchedulerSpec, Setup,
};
use gridsat_engine::Observer;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::RigidJob;

const ARRIVED: u64 = 0;
const REFUSED: u64 = 1;
const STARTED: u64 = 2;
const SUSPENDED: u64 = 3;
const FINISHED: u64 = 4;
const KILLED: u64 = 5;

/// A run in the making; observes a simulation and then [writes](Recorder::write) the page.
///
/// Jobs that are in the system at the same time must have different numbers, else the picture is
/// wrong.
pub struct Recorder {
    pub(super) record: Record,
    /// Free nodes by cluster and group.
    free: Vec<Vec<Free>>,
    /// Jobs in the system, by their numbers.
    present: HashMap<u64, Present>,
    last: Time,
    happened: usize,
    /// When there was enough.
    pub(super) cut: Option<Time>,
}

/// A job in the system: which it is, and what it has of which group.
struct Present {
    index: u64,
    held: Vec<(NodeShare, Span)>,
}

/// What the page is told.
#[derive(Serialize)]
pub(super) struct Record {
    version: &'static str,
    scenario: String,
    /// As text: a script would round large ones.
    seed: Option<String>,
    clusters: Vec<Cluster>,
    schedulers: Vec<Scheduler>,
    jobs: Jobs,
    happenings: Vec<u64>,
}

#[derive(Serialize)]
struct Cluster {
    name: String,
    /// Speed in millionths, and nodes.
    groups: Vec<(u32, u32)>,
}

#[derive(Serialize)]
struct Scheduler {
    name: String,
    policy: String,
    clusters: Vec<u32>,
}

/// Jobs as columns, in the order of their arrival.
#[derive(Default, Serialize)]
struct Jobs {
    number: Vec<u64>,
    nodes: Vec<u32>,
    run: Vec<Ticks>,
    estimate: Vec<Ticks>,
    priority: Vec<i32>,
    user: Vec<u32>,
    home: Vec<u32>,
}

impl Jobs {
    fn push(&mut self, job: &RigidJob, home: u32) {
        self.number.push(job.number);
        self.nodes.push(job.nodes);
        self.run.push(job.run);
        self.estimate.push(job.estimate);
        self.priority.push(job.priority);
        self.user.push(job.user);
        self.home.push(home);
    }
}

impl Recorder {
    /// More are not recorded.
    pub const MOST_JOBS: usize = 20_000;
    /// More happenings are not recorded either: jobs may be suspended without end.
    const MOST_HAPPENINGS: usize = 10 * Self::MOST_JOBS;

    /// Nothing yet; of a scenario with this name, and the seed of its jobs if they are random.
    pub fn new(scenario: &str, seed: Option<u64>, setup: &Setup) -> Self {
        let record = Record {
            version: gridsat_model::VERSION,
            scenario: scenario.to_owned(),
            seed: seed.map(|seed| seed.to_string()),
            clusters: setup.clusters.iter().map(Cluster::new).collect(),
            schedulers: setup.schedulers.iter().map(Scheduler::new).collect(),
            jobs: Jobs::default(),
            happenings: Vec::new(),
        };
        let (free, present) = (free(&setup.clusters), HashMap::new());
        Self { record, free, present, last: Time::ZERO, happened: 0, cut: None }
    }

    fn note(&mut self, now: Time, numbers: &[u64]) {
        self.record.happenings.push(now.since(self.last).0);
        self.record.happenings.extend(numbers);
        self.last = now;
        self.happened += 1;
    }

    fn come(&mut self, now: Time, kind: u64, job: &RigidJob, home: u32) {
        let index = self.record.jobs.number.len() as u64;
        self.record.jobs.push(job, home);
        self.note(now, &[kind]);
        if kind == ARRIVED {
            self.present.insert(job.number, Present { index, held: Vec::new() });
        }
    }

    fn start(&mut self, now: Time, job: u64, parts: &[NodeShare]) {
        let Some(present) = self.present.get_mut(&job) else { return };
        for part in parts {
            let mut spans = Vec::new();
            self.free[part.cluster.index()][part.group as usize]
                .take(u64::from(part.nodes), &mut spans);
            present.held.extend(spans.into_iter().map(|span| (*part, span)));
        }
        present.held.sort_unstable_by_key(|(_, span)| span.first);
        let mut numbers = vec![STARTED, present.index, present.held.len() as u64];
        let mut end = 0;
        for (_, span) in &present.held {
            numbers.extend([span.first - end, span.nodes]);
            end = span.first + span.nodes;
        }
        self.note(now, &numbers);
    }

    /// It loses its nodes.
    fn stop(&mut self, now: Time, kind: u64, job: u64) {
        let Some(present) = self.present.get_mut(&job) else { return };
        for (part, span) in present.held.drain(..) {
            self.free[part.cluster.index()][part.group as usize].give(span);
        }
        let index = present.index;
        if kind != SUSPENDED {
            self.present.remove(&job);
        }
        self.note(now, &[kind, index]);
    }

    fn is_full(&self, what: &Happening) -> bool {
        let comes = matches!(what, Happening::Arrived { .. } | Happening::Refused { .. });
        comes && self.record.jobs.number.len() == Self::MOST_JOBS
            || self.happened == Self::MOST_HAPPENINGS
    }
}

impl Observer<ClusterEvents> for Recorder {
    fn happened(&mut self, now: Time, what: &Happening) {
        if self.cut.is_none() && self.is_full(what) {
            self.cut = Some(now);
        }
        if self.cut.is_some() {
            return;
        }
        match *what {
            Happening::Arrived { job, home } => self.come(now, ARRIVED, job, home.0),
            Happening::Refused { job, home } => self.come(now, REFUSED, job, home.0),
            Happening::Started { job, parts } => self.start(now, job, parts),
            Happening::Suspended { job } => self.stop(now, SUSPENDED, job),
            Happening::Ended { job, outcome: Outcome::Finished } => self.stop(now, FINISHED, job),
            Happening::Ended { job, outcome: Outcome::Killed } => self.stop(now, KILLED, job),
            Happening::Reserved { .. } | Happening::Delayed { .. } => {}
        }
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

/// All nodes, counted through.
fn free(clusters: &[ClusterSpec]) -> Vec<Vec<Free>> {
    let mut first = 0;
    let mut group = |nodes: u32| {
        let free = Free::new(first, u64::from(nodes));
        first += u64::from(nodes);
        free
    };
    let cluster = |spec: &ClusterSpec| spec.groups.iter().map(|g| group(g.nodes)).collect();
    clusters.iter().map(cluster).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{QueueOrder, simulate, source};

    fn job(number: u64, submit: Ticks, nodes: u32, run: Ticks, priority: i32) -> RigidJob {
        RigidJob { number, submit, nodes, run, estimate: run, priority, user: 3 }
    }

    fn record(clusters: Vec<ClusterSpec>, policy: QueuePolicy, jobs: Vec<RigidJob>) -> Recorder {
        let setup = Setup::global(clusters, policy, source(jobs));
        let mut recorder = Recorder::new("by hand", Some(7), &setup);
        simulate(setup, &mut recorder).expect("valid");
        recorder
    }

    /// Two clusters of 4 and 2 nodes. Job 11 takes 5 of them, 12 waits and then finds 0 and 1
    /// again, 13 takes what 11 left beside it, 14 can never run.
    #[test]
    fn a_run_by_hand() {
        let clusters = vec![ClusterSpec::equal("a", 4), ClusterSpec::equal("b", 2)];
        let jobs = vec![
            job(11, Ticks(1), 5, Ticks(4), 0),
            job(12, Ticks(2), 2, Ticks(10), 0),
            job(13, Ticks(2), 4, Ticks(1), 0),
            job(14, Ticks(3), 7, Ticks(1), 0),
        ];
        let recorder = record(clusters, QueuePolicy::Plain(QueueOrder::Fcfs), jobs);
        let expected: [&[u64]; 10] = [
            &[1, ARRIVED],
            &[0, STARTED, 0, 2, 0, 4, 0, 1],
            &[1, ARRIVED],
            &[0, ARRIVED],
            &[1, REFUSED],
            &[2, FINISHED, 0],
            &[0, STARTED, 1, 1, 0, 2],
            &[0, STARTED, 2, 2, 2, 2, 0, 2],
            &[1, FINISHED, 2],
            &[9, FINISHED, 1],
        ];
        assert_eq!(recorder.record.happenings, expected.concat());
        assert_eq!(recorder.record.jobs.number, [11, 12, 13, 14]);
        assert_eq!(recorder.record.jobs.home, [0; 4]);
        assert!(recorder.present.is_empty());
    }

    #[test]
    fn a_suspended_job_gives_its_nodes_back_and_takes_the_lowest_again() {
        let clusters = vec![ClusterSpec::equal("a", 3)];
        let jobs = vec![
            job(1, Ticks(0), 1, Ticks(3), 5),
            job(2, Ticks(0), 2, Ticks(9), 1),
            job(3, Ticks(2), 2, Ticks(4), 2),
        ];
        let recorder = record(clusters, QueuePolicy::Preemptive { keeps_work: true }, jobs);
        let expected: [&[u64]; 11] = [
            &[0, ARRIVED],
            &[0, STARTED, 0, 1, 0, 1],
            &[0, ARRIVED],
            &[0, STARTED, 1, 1, 1, 2],
            &[2, ARRIVED],
            &[0, SUSPENDED, 1],
            &[0, STARTED, 2, 1, 1, 2],
            &[1, FINISHED, 0],
            &[3, FINISHED, 2],
            &[0, STARTED, 1, 1, 0, 2],
            &[7, FINISHED, 1],
        ];
        assert_eq!(recorder.record.happenings, expected.concat());
    }

    #[test]
    fn the_record_ends_before_a_job_too_many() {
        let count = Recorder::MOST_JOBS as u64;
        let jobs =
            (0..count + 5).map(|number| job(number, Ticks(2 * number), 1, Ticks(1), 0)).collect();
        let recorder = record(vec![ClusterSpec::equal("a", 1)], QueuePolicy::Easy, jobs);
        assert_eq!(recorder.record.jobs.number.len(), Recorder::MOST_JOBS);
        assert_eq!(recorder.cut, Some(Time(Ticks(2 * count))));
        assert_eq!(recorder.record.happenings.last_chunk(), Some(&[1, FINISHED, count - 1]));
    }

    /// Wrong, but no reason to break down.
    #[test]
    fn two_jobs_of_one_number_break_nothing() {
        let jobs = vec![
            job(1, Ticks(0), 2, Ticks(5), 0),
            job(1, Ticks(1), 2, Ticks(5), 0),
            job(1, Ticks(2), 2, Ticks(5), 0),
        ];
        let recorder = record(vec![ClusterSpec::equal("a", 4)], QueuePolicy::Easy, jobs);
        assert_eq!(recorder.record.jobs.number, [1, 1, 1]);
    }
}
