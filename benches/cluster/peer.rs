//! W4 on the crate simcore, the engine of DSLab. simcore has no clusters: the queue and EASY are
//! implemented here as a user of that engine would, and only sums are kept. Like ours it decides
//! once per point in time; it cannot look at the next event of the engine, so it keeps the ends of
//! jobs.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use gridsat_workload::RigidJob;
use serde::Serialize;
use simcore::{Event, EventHandler, Simulation, SimulationContext, cast};

#[derive(Clone, Serialize)]
struct Arrival {}

#[derive(Clone, Serialize)]
struct Done {
    job: usize,
}

struct Running {
    job: usize,
    expected: f64,
    end: f64,
    nodes: u32,
}

struct Cluster<J> {
    context: SimulationContext,
    source: J,
    next: Option<RigidJob>,
    jobs: Vec<RigidJob>,
    queue: VecDeque<usize>,
    /// Sorted by expected end.
    running: Vec<Running>,
    free: u32,
    wait: f64,
}

impl<J: Iterator<Item = RigidJob>> Cluster<J> {
    fn expect_next(&mut self) {
        self.next = self.source.next();
        if let Some(job) = self.next {
            self.context.emit_self(Arrival {}, job.submit.as_f64() - self.context.time());
        }
    }

    fn start(&mut self, job: usize) {
        let RigidJob { submit, nodes, run, estimate, .. } = self.jobs[job];
        let now = self.context.time();
        self.free -= nodes;
        self.wait += now - submit.as_f64();
        let expected = now + estimate.as_f64();
        let place = self.running.partition_point(|other| other.expected <= expected);
        let end = now + run.as_f64();
        self.running.insert(place, Running { job, expected, end, nodes });
        self.context.emit_self(Done { job }, run.as_f64());
    }

    /// When the first waiting job can start if estimates are exact, and how many nodes stay free.
    fn shadow(&self, needed: u32) -> (f64, u32) {
        let mut free = self.free;
        for (index, running) in self.running.iter().enumerate() {
            free += running.nodes;
            let is_last_of_its_time =
                (self.running.get(index + 1)).is_none_or(|next| next.expected > running.expected);
            if free >= needed && is_last_of_its_time {
                return (running.expected.max(self.context.time()), free - needed);
            }
        }
        (f64::INFINITY, 0)
    }

    /// Whether another event has the current time.
    fn is_more_to_come(&self) -> bool {
        let now = self.context.time();
        self.next.is_some_and(|job| job.submit.as_f64() <= now)
            || self.running.iter().any(|running| running.end <= now)
    }

    fn pass(&mut self) {
        while let Some(&head) = self.queue.front() {
            if self.jobs[head].nodes > self.free {
                break;
            }
            self.queue.pop_front();
            self.start(head);
        }
        let Some(&head) = self.queue.front() else { return };
        if self.free == 0 {
            return;
        }
        let (shadow, mut spare) = self.shadow(self.jobs[head].nodes);
        let mut index = 1;
        while index < self.queue.len() && self.free > 0 {
            let job = self.queue[index];
            let RigidJob { nodes, estimate, .. } = self.jobs[job];
            let ends = self.context.time() + estimate.as_f64() <= shadow;
            if nodes <= self.free && (ends || nodes <= spare) {
                spare -= if ends { 0 } else { nodes };
                self.queue.remove(index);
                self.start(job);
            } else {
                index += 1;
            }
        }
    }
}

impl<J: Iterator<Item = RigidJob>> EventHandler for Cluster<J> {
    fn on(&mut self, event: Event) {
        cast!(match event.data {
            Arrival {} => {
                self.queue.push_back(self.jobs.len());
                self.jobs.extend(self.next.take());
                self.expect_next();
            }
            Done { job } => {
                let place = self.running.iter().position(|running| running.job == job);
                self.free += self.running.remove(place.expect("it runs")).nodes;
            }
        });
        if !self.is_more_to_come() {
            self.pass();
        }
    }
}

/// Makespan and mean wait.
pub fn easy(nodes: u32, source: impl Iterator<Item = RigidJob> + 'static) -> (f64, f64) {
    let mut simulation = Simulation::new(1);
    let context = simulation.create_context("cluster");
    let cluster = Cluster {
        context,
        source,
        next: None,
        jobs: Vec::new(),
        queue: VecDeque::new(),
        running: Vec::new(),
        free: nodes,
        wait: 0.0,
    };
    let cluster = Rc::new(RefCell::new(cluster));
    simulation.add_handler("cluster", cluster.clone());
    cluster.borrow_mut().expect_next();
    simulation.step_until_no_events();
    let cluster = cluster.borrow();
    (simulation.time(), cluster.wait / cluster.jobs.len() as f64)
}
