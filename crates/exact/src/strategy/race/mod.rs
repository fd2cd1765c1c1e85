//! A race between methods: dives and local search lower the upper bound, proofs raise the lower
//! bound.
//!
//! Each worker takes turns of a fixed amount of work and reports news. With one thread the turns
//! alternate, so everything is deterministic; with more, each thread has its own workers and all
//! threads see the best bounds.

mod diver;
mod late;
mod polisher;
mod pricer;
mod prover;
mod searcher;
mod walker;

use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use self::diver::Diver;
use self::late::Late;
use self::polisher::Polisher;
use self::pricer::Pricer;
use self::prover::Prover;
use self::searcher::Searcher;
use self::walker::Walker;
use super::Origin;
use crate::bounds::Ascent;
use crate::neighbourhood;
use crate::reason::{LowerBound, Reason};
use crate::sat::SolverChoice;
use gridsat_model::{Instance, Mapping, Stop, Ticks};

/// Turns before proofs by cases and walks join large neighbourhoods: tens of seconds at least.
const LATE: u32 = 150;

/// What a worker sees of the others: the best mapping and the lower bound.
#[derive(Clone)]
struct View {
    lower: Ticks,
    mapping: Mapping,
}

impl View {
    fn upper(&self) -> Ticks {
        self.mapping.makespan()
    }
}

/// The success of a worker.
pub(super) enum News {
    /// A mapping, and the method that found it.
    Mapping(Mapping, Origin),
    /// A better lower bound by prices.
    Bound(LowerBound),
    /// The refutation of some k, and the time it took.
    Refuted(Reason, Duration),
}

trait Worker: Send {
    /// Works for one turn; returns news if there is any.
    fn turn(&mut self, view: &View, stop: &Stop) -> Option<News>;
}

/// What all workers need: the instance, prices, a solver and limits.
pub(super) struct Start<'a> {
    pub instance: &'a Instance,
    /// An ascent with good prices for the bounds.
    pub ascent: Ascent,
    /// Of the linear bound, one per host.
    pub weights: &'a [u64],
    /// The solver that decides small cases.
    pub solver: &'a SolverChoice,
    pub seed: u64,
    pub threads: usize,
    /// Turns of each worker, if there is one thread.
    pub rounds: usize,
}

/// Runs the workers until `take` returns `None`, the rounds are used up, or the stop is due. `take`
/// gets all news and returns the lower bound and the mapping after it.
pub(super) fn race(
    start: &Start<'_>,
    bounds: (Ticks, Mapping),
    stop: &Stop,
    mut take: impl FnMut(News) -> Option<(Ticks, Mapping)>,
) {
    let mut view = View { lower: bounds.0, mapping: bounds.1 };
    if start.threads > 1 {
        return race_in_threads(start, view, stop, take);
    }
    let mut workers = workers(start, 0, &view);
    for _ in 0..start.rounds {
        if stop.is_due() {
            return;
        }
        for worker in &mut workers {
            let Some(news) = worker.turn(&view, stop) else { continue };
            let Some((lower, mapping)) = take(news) else { return };
            view = View { lower, mapping };
        }
    }
}

/// The workers of one thread. A single thread does everything; otherwise the first thread proves
/// and the others look for mappings.
fn workers<'a>(start: &Start<'a>, thread: usize, view: &View) -> Vec<Box<dyn Worker + 'a>> {
    let seed = start.seed.wrapping_add((thread as u64) << 32);
    if neighbourhood::suits(start.instance) {
        return workers_by_neighbourhoods(start, thread, view, seed);
    }
    let mut workers: Vec<Box<dyn Worker + 'a>> = Vec::new();
    if thread > 0 || start.threads == 1 {
        workers.push(Box::new(Diver::new(start.instance, start.ascent.clone(), seed)));
    }
    if thread == 0 {
        workers.push(Box::new(Prover::new(start)));
    }
    if thread > 0 || start.threads == 1 {
        workers.push(Box::new(Polisher::new(start.instance, seed)));
        workers.push(Box::new(Walker::new(start, seed)));
    }
    workers
}

/// The same where there are thousands of tasks: prices and large neighbourhoods first, and what is
/// slow there when these have had their time.
fn workers_by_neighbourhoods<'a>(
    start: &Start<'a>,
    thread: usize,
    view: &View,
    seed: u64,
) -> Vec<Box<dyn Worker + 'a>> {
    let mut workers: Vec<Box<dyn Worker + 'a>> = Vec::new();
    if thread == 0 {
        workers.push(Box::new(Pricer::new(start, view)));
    }
    workers.push(Box::new(Searcher::new(start, seed)));
    if thread == 0 {
        workers.push(Box::new(Late { turns: LATE, worker: Prover::new(start) }));
    }
    if thread > 0 || start.threads == 1 {
        workers.push(Box::new(Late { turns: LATE, worker: Walker::new(start, seed) }));
    }
    workers
}

fn race_in_threads(
    start: &Start<'_>,
    view: View,
    stop: &Stop,
    mut take: impl FnMut(News) -> Option<(Ticks, Mapping)>,
) {
    let shared = Mutex::new(view);
    let over = stop.branch();
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for thread in 0..start.threads {
            let (shared, stop, sender) = (&shared, &over, sender.clone());
            scope.spawn(move || work(start, thread, shared, stop, &sender));
        }
        drop(sender);
        for news in receiver {
            match take(news) {
                Some((lower, mapping)) => *lock(&shared) = View { lower, mapping },
                None => over.request(),
            }
        }
    });
}

fn work(
    start: &Start<'_>,
    thread: usize,
    shared: &Mutex<View>,
    stop: &Stop,
    sender: &Sender<News>,
) {
    let mut workers = workers(start, thread, &lock(shared).clone());
    while !stop.is_due() {
        for worker in &mut workers {
            let view = lock(shared).clone();
            if let Some(news) = worker.turn(&view, stop) {
                // Sending fails only after the race is over.
                let _ = sender.send(news);
            }
        }
    }
}

fn lock(shared: &Mutex<View>) -> MutexGuard<'_, View> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
