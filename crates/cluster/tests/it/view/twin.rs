//! A plain twin of the page: a list of all events, every node separately, and each state computed
//! from the beginning.

use std::collections::{BTreeMap, BTreeSet};

use gridsat_cluster::view::Recorder;
use gridsat_cluster::{ClusterEvents, ClusterId, Happening, NodeShare, Observer, Outcome, Setup};
use gridsat_engine::time::Time;
use serde_json::{Value, json};

enum What {
    Arrived(u64),
    Refused,
    Started(u64, Vec<NodeShare>),
    Suspended(u64),
    Ended(u64, Outcome),
}

/// All events, and the cluster and group of each node.
pub struct Log {
    nodes: Vec<(ClusterId, u32)>,
    all: Vec<(u64, What)>,
}

/// An observer with a recorder and a log.
pub struct Both {
    pub recorder: Recorder,
    pub log: Log,
}

impl Observer<ClusterEvents> for Both {
    fn happened(&mut self, now: Time, what: &Happening) {
        self.recorder.happened(now, what);
        self.log.all.push((
            now.0.0,
            match *what {
                Happening::Arrived { job, .. } => What::Arrived(job.number),
                Happening::Refused { .. } => What::Refused,
                Happening::Started { job, parts } => What::Started(job, parts.to_vec()),
                Happening::Suspended { job } => What::Suspended(job),
                Happening::Ended { job, outcome } => What::Ended(job, outcome),
                Happening::Reserved { .. }
                | Happening::Delayed { .. }
                | Happening::Failed { .. }
                | Happening::Repaired { .. } => return,
            },
        ));
    }
}

#[derive(Default)]
struct State {
    waiting: BTreeSet<u64>,
    running: BTreeMap<u64, Vec<usize>>,
    submitted: BTreeMap<u64, u64>,
    waits: BTreeMap<u64, u64>,
    refused: u64,
    suspensions: u64,
    finished: u64,
    killed: u64,
    arrived: u64,
    /// Jobs that started before the page begins, which are not counted.
    began_before: usize,
    /// Waiting jobs × ticks, running jobs × ticks, busy nodes × ticks.
    areas: [u64; 3],
}

impl Log {
    pub fn new(setup: &Setup) -> Self {
        let groups = setup.clusters.iter().zip(0..).flat_map(|(cluster, id)| {
            let groups = cluster.groups.iter().zip(0..);
            groups.map(move |(group, index)| (ClusterId(id), index, group.nodes as usize))
        });
        let nodes = groups.flat_map(|(id, index, nodes)| vec![(id, index); nodes]).collect();
        Self { nodes, all: Vec::new() }
    }

    pub fn times(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.all.iter().map(|(time, _)| *time)
    }

    /// The state that the page should show at a time.
    pub fn state_at(&self, end: u64) -> Value {
        self.state_since(0, end)
    }

    /// The state at a time on a page that begins at `start` and counts from there.
    pub fn state_since(&self, start: u64, end: u64) -> Value {
        let mut state = State::default();
        let (before, after) =
            self.all.split_at(self.all.partition_point(|(time, _)| *time < start));
        for (time, what) in before {
            state.change(*time, what, &self.nodes);
        }
        state.forget();
        let mut last = start;
        for (time, what) in after.iter().take_while(|(time, _)| *time <= end) {
            state.pass(time - last);
            last = *time;
            state.change(*time, what, &self.nodes);
        }
        state.pass(end - last);
        state.json(start, end, self.nodes.len())
    }
}

impl State {
    fn busy(&self) -> usize {
        self.running.values().map(Vec::len).sum()
    }

    fn pass(&mut self, ticks: u64) {
        let levels = [self.waiting.len(), self.running.len(), self.busy()];
        self.areas.iter_mut().zip(levels).for_each(|(area, level)| *area += level as u64 * ticks);
    }

    /// Starts counting from now.
    fn forget(&mut self) {
        self.waits.values_mut().for_each(|wait| *wait = 0);
        self.began_before = self.waits.len();
        [self.arrived, self.refused, self.suspensions, self.finished, self.killed] = [0; 5];
    }

    fn change(&mut self, now: u64, what: &What, nodes: &[(ClusterId, u32)]) {
        match what {
            What::Arrived(job) => {
                self.arrived += 1;
                self.waiting.insert(*job);
                self.submitted.insert(*job, now);
            }
            What::Refused => self.refused += 1,
            What::Started(job, parts) => {
                self.waiting.remove(job);
                self.waits.entry(*job).or_insert(now - self.submitted[job]);
                let mine = parts.iter().flat_map(|part| self.lowest(part, nodes)).collect();
                self.running.insert(*job, mine);
            }
            What::Suspended(job) => {
                self.running.remove(job);
                self.waiting.insert(*job);
                self.suspensions += 1;
            }
            What::Ended(job, outcome) => {
                self.running.remove(job);
                match outcome {
                    Outcome::Finished => self.finished += 1,
                    Outcome::Killed | Outcome::Lost => self.killed += 1,
                }
            }
        }
    }

    fn lowest(&self, part: &NodeShare, nodes: &[(ClusterId, u32)]) -> Vec<usize> {
        let taken: BTreeSet<usize> = self.running.values().flatten().copied().collect();
        let is_free =
            |&node: &usize| nodes[node] == (part.cluster, part.group) && !taken.contains(&node);
        (0..nodes.len()).filter(is_free).take(part.nodes as usize).collect()
    }

    fn json(&self, start: u64, time: u64, nodes: usize) -> Value {
        let started = self.waits.len() - self.began_before;
        let mean = |sum: u64, count: u64| if count == 0 { 0.0 } else { sum as f64 / count as f64 };
        let [waiting, running, busy] = self.areas;
        let runs = self.running.iter().map(|(job, nodes)| json!([job, nodes]));
        json!({
            "time": time,
            "queue": self.waiting,
            "runs": runs.collect::<Vec<_>>(),
            "arrived": self.arrived + self.refused,
            "refused": self.refused,
            "waiting": self.waiting.len(),
            "running": self.running.len(),
            "finished": self.finished,
            "killed": self.killed,
            "suspensions": self.suspensions,
            "busy": self.busy(),
            "meanWait": mean(self.waits.values().sum(), started as u64),
            "meanWaiting": mean(waiting, time - start),
            "meanRunning": mean(running, time - start),
            "utilisation": mean(busy, time - start) / nodes as f64,
        })
    }
}

/// Asserts that the page shows the same: means to twelve digits, all else exactly.
pub fn compare(page: &Value, twin: &Value, place: &str) {
    let (page, twin) = (page.as_object().expect("an object"), twin.as_object().expect("an object"));
    assert!(page.keys().eq(twin.keys()), "{place}: {:?}", page.keys());
    for (name, expected) in twin {
        let found = if name == "runs" { single_nodes(&page[name]) } else { page[name].clone() };
        let is_same = match (found.as_f64(), expected.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= 1e-12 * b.abs(),
            _ => found == *expected,
        };
        assert!(is_same, "{place}: {name} is {found}, not {expected}");
    }
}

/// Every node of every running job, from the first node and length of each interval.
fn single_nodes(runs: &Value) -> Value {
    let number = |value: &Value| value.as_u64().expect("a number");
    let nodes = |span: &Value| number(&span[0])..number(&span[0]) + number(&span[1]);
    let run = |run: &Value| {
        let spans = run[1].as_array().expect("spans");
        json!([run[0], spans.iter().flat_map(nodes).collect::<Vec<_>>()])
    };
    runs.as_array().expect("runs").iter().map(run).collect()
}
