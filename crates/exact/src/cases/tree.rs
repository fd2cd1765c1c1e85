//! Proof by cases: climb, fix, and where both stop, let a SAT solver decide if little is left, else
//! branch on a pair.
//!
//! Depth first; the case with the task on the host comes before the case with the task elsewhere.
//! Every step is recorded in the order of a certificate, so when no case is left open the proof is
//! complete.

use super::fixing::{Fixing, WORTHWHILE, fix, rounded};
use super::sat::{CaseSolver, Decided, hosts_left};
use crate::bounds::{Ascent, Contradiction, Domain};
use crate::reason::{OpenCase, Reason};
use crate::sat::SolverChoice;
use gridsat_model::Stop;
use gridsat_model::certificate::Node;
use gridsat_model::{HostId, Instance, Mapping, TaskId, Ticks};

/// Steps of the ascent at the root, and below it.
const STEPS: (usize, usize) = (200, 10);

/// The result of visiting some cases.
#[derive(Debug)]
pub enum Progress {
    /// A mapping with makespan ≤ k.
    Found(Mapping),
    /// No mapping has makespan ≤ k.
    Refuted,
    /// Not decided yet.
    Open,
}

/// The search for a mapping with makespan ≤ k, or for a proof that there is none.
pub struct Tree<'a> {
    k: Ticks,
    open: Vec<Case<'a>>,
    proof: Vec<Node<OpenCase>>,
    visited: usize,
    solver: Option<CaseSolver>,
}

struct Case<'a> {
    /// `None` if no mapping is left; the proof must still state the contradiction.
    domain: Option<Domain<'a>>,
    ascent: Ascent,
}

impl<'a> Tree<'a> {
    /// A tree with only its root, not decided. The ascent should have good prices for about this k.
    pub fn new(instance: &'a Instance, k: Ticks, ascent: Ascent) -> Self {
        let domain = Domain::new(instance, k).ok();
        let open = vec![Case { domain, ascent }];
        Self { k, open, proof: Vec::new(), visited: 0, solver: None }
    }

    /// Adds a SAT solver for the cases that are small enough.
    #[must_use]
    pub fn with_solver(self, choice: &SolverChoice, stop: &Stop) -> Self {
        let solver = Some(CaseSolver::new(choice.clone(), stop.clone()));
        Self { solver, ..self }
    }

    /// Visits this many more cases.
    pub fn run(&mut self, cases: usize, stop: &Stop) -> Progress {
        for _ in 0..cases {
            if stop.is_due() {
                return Progress::Open;
            }
            let Some(case) = self.open.pop() else { return Progress::Refuted };
            if let Some(mapping) = self.visit(case, stop) {
                return Progress::Found(mapping);
            }
        }
        if self.open.is_empty() { Progress::Refuted } else { Progress::Open }
    }

    /// The finished proof, without the refutations of the cases that a solver refuted.
    pub fn into_reason(self) -> Reason {
        Reason::Tree { k: self.k, nodes: self.proof }
    }

    /// Number of cases visited.
    pub fn visited(&self) -> usize {
        self.visited
    }

    fn visit(&mut self, case: Case<'a>, stop: &Stop) -> Option<Mapping> {
        let Case { domain, mut ascent } = case;
        let Some(mut domain) = domain else {
            self.proof.push(Node::Nowhere);
            return None;
        };
        let mut steps = if self.visited == 0 { STEPS.0 } else { STEPS.1 };
        self.visited += 1;
        let average = loop {
            if let Some(mapping) = domain.mapping() {
                return Some(mapping);
            }
            let climb = ascent.climb(&domain, steps, stop);
            let prices = rounded(&ascent.prices(), &domain);
            let before = domain.pairs();
            match fix(&mut domain, &prices) {
                Ok(Fixing::Refuted) => {
                    self.proof.push(Node::Prices { prices });
                    return None;
                }
                Err(Contradiction) => {
                    self.proof.extend([Node::Fix { prices }, Node::Nowhere]);
                    return None;
                }
                Ok(Fixing::Fixed(0)) => break climb.average,
                Ok(Fixing::Fixed(_)) => self.proof.push(Node::Fix { prices }),
            }
            if (before - domain.pairs()) * WORTHWHILE < before {
                break climb.average;
            }
            steps = STEPS.1;
        };
        self.decide_or_branch(domain, ascent, &average)
    }

    fn decide_or_branch(
        &mut self,
        domain: Domain<'a>,
        ascent: Ascent,
        average: &[f64],
    ) -> Option<Mapping> {
        let prices = rounded(&ascent.prices(), &domain);
        let decided = self.solver.as_mut().map(|solver| solver.decide(&domain, &prices));
        match decided.unwrap_or(Decided::Open) {
            Decided::Found(mapping) if mapping.makespan() <= self.k => return Some(mapping),
            Decided::Refuted => {
                self.proof.push(Node::Unsat(OpenCase { prices, hosts: hosts_left(&domain) }));
                return None;
            }
            // A model that is not a mapping is an error of the solver; the tree continues without
            // it.
            Decided::Found(_) | Decided::Open => {}
        }
        match choose(&domain, &ascent, average) {
            Some(pair) => self.branch(domain, ascent, pair),
            None => return domain.mapping(),
        }
        None
    }

    fn branch(&mut self, domain: Domain<'a>, ascent: Ascent, (task, host): (TaskId, HostId)) {
        self.proof.push(Node::Branch { task: task.0, host: host.0 });
        let mut on = domain.clone();
        on.force(task, host);
        let mut off = domain;
        off.forbid(task, host);
        for mut domain in [off, on] {
            let domain = domain.settle().is_ok().then_some(domain);
            self.open.push(Case { domain, ascent: ascent.clone() });
        }
    }
}

/// The pair to branch on: the one on which the packings disagree most, weighted by price, of a task
/// with few choices. `None` if all tasks are placed.
fn choose(domain: &Domain, ascent: &Ascent, average: &[f64]) -> Option<(TaskId, HostId)> {
    let m = domain.instance().host_count();
    let prices = ascent.prices();
    let mut best: Option<(f64, TaskId, HostId)> = None;
    for host in domain.instance().hosts() {
        for &(task, _) in domain.open(host) {
            let x = average[task.index() * m + host.index()];
            let doubt = x.min(1.0 - x).max(1e-9) * prices[task.index()] as f64;
            let score = doubt / f64::from(domain.choices(task));
            if best.is_none_or(|(most, ..)| score > most) {
                best = Some((score, task, host));
            }
        }
    }
    best.map(|(_, task, host)| (task, host))
}
