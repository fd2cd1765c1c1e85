//! The same workloads on the crate simcore, the engine of DSLab. simcore has no machines: queues
//! and sharing are implemented here as a user of that engine would.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::rc::Rc;

use serde::Serialize;
use simcore::{Event, EventHandler, Id, Simulation, SimulationContext, cast};

use super::work::{self, Jobs, OneByOne, PES, TIMERS};

#[derive(Clone, Serialize)]
struct Tick {}

#[derive(Clone, Serialize)]
struct Submit {
    arrival: f64,
    run: f64,
}

#[derive(Clone, Serialize)]
struct Done {
    arrival: f64,
}

struct Timers {
    context: SimulationContext,
    delays: Vec<f64>,
    next: usize,
}

impl Timers {
    fn set(&mut self) {
        self.context.emit_self(Tick {}, self.delays[self.next % self.delays.len()]);
        self.next += 1;
    }
}

impl EventHandler for Timers {
    fn on(&mut self, event: Event) {
        cast!(match event.data {
            Tick {} => {
                self.set()
            }
        })
    }
}

/// W1: the time of the last of this many events, in seconds.
pub fn timers(events: usize) -> f64 {
    let mut simulation = Simulation::new(1);
    let context = simulation.create_context("timers");
    let timers = Timers { context, delays: work::delays(), next: 0 };
    let timers = Rc::new(RefCell::new(timers));
    simulation.add_handler("timers", timers.clone());
    (0..TIMERS).for_each(|_| timers.borrow_mut().set());
    simulation.steps(events as u64);
    simulation.time()
}

/// W1 in a binary heap of times and sequence numbers: what remains if an engine is nothing else.
pub fn bare_heap(events: usize) -> f64 {
    let delays: Vec<u64> =
        work::delays().iter().map(|delay| (delay * 1e9).round() as u64).collect();
    let mut delays = delays.iter().cycle();
    let mut heap = BinaryHeap::with_capacity(TIMERS + 1);
    let mut last = 0;
    for sequence in 0..TIMERS + events {
        if sequence >= TIMERS {
            let Reverse((time, _)) = heap.pop().expect("one timer is set for each that ends");
            last = time;
        }
        let delay = delays.next().expect("they repeat");
        heap.push(Reverse((last + delay, sequence as u64)));
    }
    last as f64 / 1e9
}

/// Sums over the jobs of one host.
#[derive(Default)]
struct Sums {
    response: f64,
    last: f64,
}

struct Queue {
    context: SimulationContext,
    waiting: VecDeque<Submit>,
    is_busy: bool,
    sums: Sums,
}

impl Queue {
    fn start(&mut self, job: &Submit) {
        self.is_busy = true;
        self.context.emit_self(Done { arrival: job.arrival }, job.run);
    }
}

impl EventHandler for Queue {
    fn on(&mut self, event: Event) {
        cast!(match event.data {
            Submit { arrival, run } => {
                let job = Submit { arrival, run };
                if self.is_busy { self.waiting.push_back(job) } else { self.start(&job) }
            }
            Done { arrival } => {
                self.sums.last = self.context.time();
                self.sums.response += self.sums.last - arrival;
                self.is_busy = false;
                if let Some(job) = self.waiting.pop_front() {
                    self.start(&job);
                }
            }
        })
    }
}

/// Sends each job to the host that completes it first.
struct Broker {
    context: SimulationContext,
    jobs: OneByOne,
    next: Option<(f64, f64)>,
    hosts: Vec<(Id, f64)>,
    free: Vec<f64>,
}

impl Broker {
    fn expect_next(&mut self) {
        self.next = self.jobs.next().map(|(arrival, size)| (arrival as f64 / 1000.0, size));
        if let Some((arrival, _)) = self.next {
            self.context.emit_self(Tick {}, arrival - self.context.time());
        }
    }

    fn send(&mut self) {
        let (arrival, size) = self.next.expect("an arrival is due");
        let (mut best, mut end) = (0, f64::INFINITY);
        for (host, (free, (_, mips))) in self.free.iter().zip(&self.hosts).enumerate() {
            let completion = free.max(arrival) + size / mips;
            if completion < end {
                (best, end) = (host, completion);
            }
        }
        self.free[best] = end;
        let (id, mips) = self.hosts[best];
        self.context.emit_now(Submit { arrival, run: size / mips }, id);
    }
}

impl EventHandler for Broker {
    fn on(&mut self, event: Event) {
        cast!(match event.data {
            Tick {} => {
                self.send();
                self.expect_next();
            }
        })
    }
}

/// W2: makespan and mean response.
pub fn arriving(work: &Jobs) -> (f64, f64) {
    let mut simulation = Simulation::new(1);
    let mut queues = Vec::new();
    let mut hosts = Vec::new();
    for (index, &mips) in work.mips.iter().enumerate() {
        let name = format!("h{index}");
        let context = simulation.create_context(&name);
        let queue =
            Queue { context, waiting: VecDeque::new(), is_busy: false, sums: Sums::default() };
        let queue = Rc::new(RefCell::new(queue));
        hosts.push((simulation.add_handler(&name, queue.clone()), mips));
        queues.push(queue);
    }
    let context = simulation.create_context("broker");
    let free = vec![0.0; hosts.len()];
    let jobs = work.one_by_one();
    let broker = Rc::new(RefCell::new(Broker { context, jobs, next: None, hosts, free }));
    simulation.add_handler("broker", broker.clone());
    broker.borrow_mut().expect_next();
    simulation.step_until_no_events();
    check_values(queues.iter().map(|queue| std::mem::take(&mut queue.borrow_mut().sums)), work)
}

/// Equal sharing with one counter of service per host.
struct Shared {
    context: SimulationContext,
    mips: f64,
    served: f64,
    /// Service at which jobs end, as the bits of a positive `f64`, which have the same order.
    ends: BinaryHeap<Reverse<u64>>,
    sums: Sums,
}

impl Shared {
    fn plan(&self) {
        if let Some(&Reverse(bits)) = self.ends.peek() {
            let share = (f64::from(PES) / self.ends.len() as f64).min(1.0);
            let left = f64::from_bits(bits) - self.served;
            self.context.emit_self(Tick {}, left / (self.mips * share));
        }
    }
}

impl EventHandler for Shared {
    fn on(&mut self, event: Event) {
        cast!(match event.data {
            Tick {} => {
                let Reverse(bits) = self.ends.pop().expect("planned for a job");
                self.served = f64::from_bits(bits);
                self.sums.last = self.context.time();
                self.sums.response += self.sums.last;
                self.plan();
            }
        })
    }
}

/// W3: makespan and mean response.
pub fn at_once(work: &Jobs) -> (f64, f64) {
    let mut simulation = Simulation::new(1);
    let mut hosts = Vec::new();
    for (index, &mips) in work.mips.iter().enumerate() {
        let name = format!("h{index}");
        let context = simulation.create_context(&name);
        let own = work.jobs[index..].iter().step_by(work.mips.len());
        let ends = own.map(|&(_, size)| Reverse(size.to_bits())).collect();
        let host = Shared { context, mips, served: 0.0, ends, sums: Sums::default() };
        host.plan();
        let host = Rc::new(RefCell::new(host));
        simulation.add_handler(&name, host.clone());
        hosts.push(host);
    }
    simulation.step_until_no_events();
    check_values(hosts.iter().map(|host| std::mem::take(&mut host.borrow_mut().sums)), work)
}

fn check_values(sums: impl Iterator<Item = Sums>, work: &Jobs) -> (f64, f64) {
    let (mut makespan, mut response) = (0.0_f64, 0.0);
    for host in sums {
        makespan = makespan.max(host.last);
        response += host.response;
    }
    (makespan, response / work.jobs.len() as f64)
}
