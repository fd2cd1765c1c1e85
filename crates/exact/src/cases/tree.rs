//! Proof by cases, by one thread or by several.
//!
//! Each thread visits its own cases depth first, the case with the task on the host before the case
//! with the task elsewhere. A thread without cases takes the oldest case of the thread that has
//! most: the oldest is nearest to the root, so the work below it is likely to last. When no case is
//! left, the steps of all of them are the proof.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::case::{Case, End};
use super::proof::{Place, Proof};
use super::sat::CaseSolver;
use crate::bounds::Ascent;
use crate::reason::{OpenCase, Reason};
use crate::sat::SolverChoice;
use gridsat_model::certificate::Node;
use gridsat_model::{Instance, Mapping, Stop, Ticks};

/// The result of visiting some cases.
#[derive(Debug)]
pub enum Progress {
    /// A mapping with makespan ≤ k.
    Found(Mapping),
    /// No mapping has makespan ≤ k: the finished proof, without the refutations of the cases that
    /// a solver refuted.
    Refuted(Reason),
    /// Not decided yet.
    Open,
    /// Not decided yet, and other threads are at work on all cases left.
    Taken,
}

/// The search for a mapping with makespan ≤ k, or for a proof that there is none.
pub struct Tree<'a> {
    k: Ticks,
    solver: Option<CaseSolver>,
    stop: Stop,
    state: Mutex<State<'a>>,
}

struct State<'a> {
    /// Cases not visited yet, one list per thread, the newest last.
    open: Vec<VecDeque<(Case<'a>, Place)>>,
    /// Number of cases that threads are at work on.
    taken: usize,
    proof: Proof,
    visited: usize,
    /// The prices of the root after its visit.
    ascent: Option<Ascent>,
    clock: Clock,
}

impl<'a> Tree<'a> {
    /// A tree with only its root, not decided. The ascent should have good prices for about this k.
    pub fn new(instance: &'a Instance, k: Ticks, ascent: Ascent, stop: &Stop) -> Self {
        let root = (Case::root(instance, k, ascent), Proof::ROOT);
        let state = State {
            open: vec![VecDeque::from([root])],
            taken: 0,
            proof: Proof::new(),
            visited: 0,
            ascent: None,
            clock: Clock::default(),
        };
        Self { k, solver: None, stop: stop.branch(), state: Mutex::new(state) }
    }

    /// Adds a SAT solver for the cases that are small enough.
    #[must_use]
    pub fn with_solver(self, choice: &SolverChoice) -> Self {
        let solver = Some(CaseSolver::new(choice.clone(), self.stop.clone()));
        Self { solver, ..self }
    }

    /// At most this many steps of the ascent per climb. Few steps give proofs with many branches.
    #[must_use]
    pub fn with_steps(self, steps: usize) -> Self {
        self.state().open.iter_mut().flatten().for_each(|(case, _)| case.limit_steps(steps));
        self
    }

    /// The makespan in question.
    pub fn k(&self) -> Ticks {
        self.k
    }

    /// Number of cases that were visited or are being visited, without those that left a task no
    /// host when they were split off.
    pub fn visited(&self) -> usize {
        self.state().visited
    }

    /// The prices of the root, once it was visited. Another k nearby can start from them.
    pub fn ascent(&self) -> Option<Ascent> {
        self.state().ascent.clone()
    }

    /// The time during which at least one thread was at work here.
    pub fn time(&self) -> Duration {
        self.state().clock.time()
    }

    /// Ends the work of all threads here; the tree stays undecided.
    pub fn abandon(&self) {
        self.stop.request();
    }

    /// Visits this many more cases as the thread with this number. Threads may do so side by side;
    /// one of them gets the mapping or the proof.
    pub fn run(&self, thread: usize, cases: usize) -> Progress {
        self.state().clock.enter();
        let progress = self.visit_some(thread, cases);
        self.state().clock.leave();
        progress
    }

    fn visit_some(&self, thread: usize, cases: usize) -> Progress {
        for _ in 0..cases {
            if self.stop.is_due() {
                return Progress::Open;
            }
            let Some((mut case, place)) = self.state().next(thread) else { return Progress::Taken };
            let mut nodes = Vec::new();
            let end = case.visit(self.k, self.solver.as_ref(), &self.stop, &mut nodes);
            if place == Proof::ROOT {
                self.state().ascent = Some(case.into_ascent());
            }
            match end {
                End::Found(mapping) => {
                    self.abandon();
                    return Progress::Found(mapping);
                }
                End::Refuted => {
                    if let Some(proof) = self.state().refute(place, nodes) {
                        let nodes = proof.into_nodes();
                        return Progress::Refuted(Reason::Tree { k: self.k, nodes });
                    }
                }
                End::Split(cases) => {
                    let mut state = self.state();
                    let below = state.proof.split(place, nodes);
                    state.open[thread].extend((*cases).into_iter().zip(below).rev());
                    state.taken -= 1;
                }
            }
        }
        Progress::Open
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a> State<'a> {
    /// The newest case of the thread, else the oldest of the thread that has most.
    fn next(&mut self, thread: usize) -> Option<(Case<'a>, Place)> {
        if self.open.len() <= thread {
            self.open.resize_with(thread + 1, VecDeque::new);
        }
        let next = match self.open[thread].pop_back() {
            Some(own) => own,
            None => self.open.iter_mut().max_by_key(|open| open.len())?.pop_front()?,
        };
        self.taken += 1;
        self.visited += usize::from(next.0.has_pairs());
        Some(next)
    }

    /// Writes down the refutation of a case that was taken. The proof, if no case is left.
    fn refute(&mut self, place: Place, nodes: Vec<Node<OpenCase>>) -> Option<Proof> {
        self.proof.refute(place, nodes);
        self.taken -= 1;
        let is_finished = self.taken == 0 && self.open.iter().all(VecDeque::is_empty);
        is_finished.then(|| std::mem::replace(&mut self.proof, Proof::new()))
    }
}

/// Measures the time during which at least one thread is inside.
#[derive(Default)]
struct Clock {
    inside: usize,
    since: Option<Instant>,
    time: Duration,
}

impl Clock {
    fn enter(&mut self) {
        self.inside += 1;
        self.since.get_or_insert_with(Instant::now);
    }

    fn leave(&mut self) {
        self.inside -= 1;
        if self.inside == 0 {
            self.time = self.time();
            self.since = None;
        }
    }

    fn time(&self) -> Duration {
        self.time + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}
