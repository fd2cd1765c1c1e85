//! A race between methods: dives and local search lower the upper bound, proofs raise the lower
//! bound.
//!
//! Each worker takes turns of a fixed amount of work and reports news. With one thread the turns
//! alternate, so everything is deterministic. With more, each thread has its own workers, all
//! threads see the best bounds, and they share the cases of the proofs.

mod diver;
mod filler;
mod late;
mod packer;
mod polisher;
mod pricer;
mod proofs;
mod prover;
mod searcher;
mod walker;

use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use self::diver::Diver;
use self::filler::Filler;
use self::late::Late;
use self::packer::HostPacker;
use self::polisher::Polisher;
use self::pricer::Pricer;
use self::proofs::Proofs;
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

/// Turns before prices join large neighbourhoods where the linear bound is nearly exact.
const PRICES_LATE: u32 = 8;

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
    let proofs = Arc::new(Proofs::new(start, &view));
    let mut workers = workers(start, &proofs, 0, &view);
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

/// The workers of one thread.
fn workers<'a>(
    start: &Start<'a>,
    proofs: &Arc<Proofs<'a>>,
    thread: usize,
    view: &View,
) -> Vec<Box<dyn Worker + 'a>> {
    let seed = start.seed.wrapping_add((thread as u64) << 32);
    let prover = Prover::new(Arc::clone(proofs), thread);
    let walker = Walker::new(start, seed);
    let mut workers: Vec<Box<dyn Worker + 'a>> = match neighbourhood::suits(start.instance) {
        true => workers_by_neighbourhoods(start, thread, view, seed, (prover, walker)),
        false => vec![
            Box::new(Diver::new(start.instance, start.ascent.clone(), seed)),
            Box::new(prover),
            Box::new(Polisher::new(start.instance, seed)),
            Box::new(walker),
            Box::new(Filler::new(start, seed)),
        ],
    };
    if let Some(packer) = HostPacker::new(start.instance, seed) {
        workers.push(Box::new(packer));
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
    (prover, walker): (Prover<'a>, Walker<'a>),
) -> Vec<Box<dyn Worker + 'a>> {
    let mut workers: Vec<Box<dyn Worker + 'a>> = Vec::new();
    if thread == 0 {
        let is_late = neighbourhood::has_many_tasks(start.instance);
        let turns = if is_late { PRICES_LATE } else { 0 };
        workers.push(Box::new(Late { turns, worker: Pricer::new(start, view) }));
    }
    workers.push(Box::new(Searcher::new(start, seed)));
    workers.push(Box::new(Late { turns: LATE, worker: prover }));
    workers.push(Box::new(Late { turns: LATE, worker: walker }));
    workers
}

fn race_in_threads(
    start: &Start<'_>,
    view: View,
    stop: &Stop,
    mut take: impl FnMut(News) -> Option<(Ticks, Mapping)>,
) {
    let proofs = Arc::new(Proofs::new(start, &view));
    let shared = Mutex::new(view);
    let over = stop.branch();
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for thread in 0..start.threads {
            let (proofs, shared, stop, sender) = (&proofs, &shared, &over, sender.clone());
            let workers = move |view: &View| {
                let mut workers = workers(start, proofs, thread, view);
                // No two threads begin with the same method.
                let count = workers.len();
                workers.rotate_left(thread % count);
                workers
            };
            scope.spawn(move || work(workers, shared, stop, &sender));
        }
        let _guard = StopOnPanic(&over);
        drop(sender);
        for news in receiver {
            match take(news) {
                Some((lower, mapping)) => {
                    let view = View { lower, mapping };
                    proofs.update(&view);
                    *lock(&shared) = view;
                }
                None => over.request(),
            }
        }
    });
}

/// Lets workers take turns until the stop is due.
fn work<'a>(
    workers: impl FnOnce(&View) -> Vec<Box<dyn Worker + 'a>>,
    shared: &Mutex<View>,
    stop: &Stop,
    sender: &Sender<News>,
) {
    let _guard = StopOnPanic(stop);
    let mut workers = workers(&lock(shared).clone());
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

/// Stops all threads if one panics: they would wait for ever for the cases that it had taken.
struct StopOnPanic<'a>(&'a Stop);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.request();
        }
    }
}

fn lock(shared: &Mutex<View>) -> MutexGuard<'_, View> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_heuristics::{Heuristic, OnLine};

    /// Panics in its third turn, or takes turns without news.
    struct Fails {
        turns: Option<u32>,
    }

    impl Worker for Fails {
        fn turn(&mut self, _: &View, _: &Stop) -> Option<News> {
            let Some(turns) = &mut self.turns else {
                thread::yield_now();
                return None;
            };
            *turns -= 1;
            assert!(*turns > 0, "as intended");
            None
        }
    }

    #[test]
    fn a_panic_in_one_thread_ends_all() {
        let instance = Instance::from_rows([[3, 5]; 3]).expect("valid");
        let view = View { lower: Ticks(1), mapping: OnLine::Mct.map(&instance) };
        let (shared, stop) = (Mutex::new(view), Stop::never());
        let (sender, receiver) = mpsc::channel();
        let joined = thread::scope(|scope| {
            let threads = [None, Some(3), None].map(|turns| {
                let (shared, stop, sender) = (&shared, &stop, sender.clone());
                let workers = move |_: &View| vec![Box::new(Fails { turns }) as Box<dyn Worker>];
                scope.spawn(move || work(workers, shared, stop, &sender))
            });
            drop(sender);
            assert_eq!(receiver.iter().count(), 0);
            threads.map(|thread| thread.join().is_ok())
        });
        assert_eq!(joined, [true, false, true]);
    }
}
