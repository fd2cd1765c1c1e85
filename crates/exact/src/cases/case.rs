//! One case of a proof: climb, fix, and where both stop, let a SAT solver decide if little is left,
//! else split on a pair.

use super::fixing::{Fixing, WORTHWHILE, fix, rounded};
use super::sat::{CaseSolver, Decided, domain_of, hosts_left};
use crate::bounds::{Ascent, Contradiction, Domain};
use crate::reason::OpenCase;
use gridsat_model::certificate::Node;
use gridsat_model::{HostId, Instance, Mapping, Stop, TaskId, Ticks};

/// Steps of the ascent at the root, and below it.
const STEPS: (usize, usize) = (200, 10);

/// A case not visited yet.
pub(super) struct Case<'a> {
    /// `None` if no mapping is left; the proof must still state the contradiction.
    domain: Option<Domain<'a>>,
    ascent: Ascent,
    /// Steps of the first climb, and of those after it and below this case.
    steps: (usize, usize),
}

/// The result of a visit.
pub(super) enum End<'a> {
    /// A mapping in the domain.
    Found(Mapping),
    /// The nodes written refute the case.
    Refuted,
    /// The last node written is a branch; these are the case with the task on the host and the case
    /// with the task elsewhere.
    Split(Box<[Case<'a>; 2]>),
}

impl<'a> Case<'a> {
    /// The case that contains all mappings with makespan ≤ k.
    pub fn root(instance: &'a Instance, k: Ticks, ascent: Ascent) -> Self {
        Self { domain: Domain::new(instance, k).ok(), ascent, steps: STEPS }
    }

    /// The case that was passed on. Its prices are good, but nothing else is known of it.
    pub fn restored(instance: &'a Instance, k: Ticks, case: &OpenCase) -> Self {
        let prices = case.prices.iter().map(|&price| price as f64).collect();
        let ascent = Ascent::from_prices(prices);
        Self { domain: domain_of(instance, k, case).ok(), ascent, steps: STEPS }
    }

    /// What has to be known to restore the case; `None` if no mapping is left.
    pub fn open(&self) -> Option<OpenCase> {
        let domain = self.domain.as_ref()?;
        Some(OpenCase { prices: self.ascent.prices(), hosts: hosts_left(domain) })
    }

    /// At most this many steps per climb, here and below.
    pub fn limit_steps(&mut self, steps: usize) {
        self.steps = (steps, steps);
    }

    /// Whether every task has a possible host.
    pub fn has_pairs(&self) -> bool {
        self.domain.is_some()
    }

    /// The prices; after a visit those that it ended with.
    pub fn into_ascent(self) -> Ascent {
        self.ascent
    }

    /// Decides or splits the case and writes down each step in the order of a certificate.
    pub fn visit(
        &mut self,
        k: Ticks,
        solver: Option<&CaseSolver>,
        stop: &Stop,
        nodes: &mut Vec<Node<OpenCase>>,
    ) -> End<'a> {
        let Self { domain, ascent, steps: (first, later) } = self;
        let mut steps = *first;
        let Some(mut domain) = domain.take() else {
            nodes.push(Node::Nowhere);
            return End::Refuted;
        };
        let average = loop {
            if let Some(mapping) = domain.mapping() {
                return End::Found(mapping);
            }
            let climb = ascent.climb(&domain, steps, stop);
            let prices = rounded(&ascent.prices(), &domain);
            let before = domain.pairs();
            match fix(&mut domain, &prices) {
                Ok(Fixing::Refuted) => {
                    nodes.push(Node::Prices { prices });
                    return End::Refuted;
                }
                Err(Contradiction) => {
                    nodes.extend([Node::Fix { prices }, Node::Nowhere]);
                    return End::Refuted;
                }
                Ok(Fixing::Fixed(0)) => break climb.average,
                Ok(Fixing::Fixed(_)) => nodes.push(Node::Fix { prices }),
            }
            if (before - domain.pairs()) * WORTHWHILE < before {
                break climb.average;
            }
            steps = *later;
        };
        let prices = rounded(&ascent.prices(), &domain);
        match solver.map_or(Decided::Open, |solver| solver.decide(&domain, &prices)) {
            Decided::Found(mapping) if mapping.makespan() <= k => return End::Found(mapping),
            Decided::Refuted => {
                nodes.push(Node::Unsat(OpenCase { prices, hosts: hosts_left(&domain) }));
                return End::Refuted;
            }
            // A model that is not a mapping is an error of the solver; the proof continues without
            // it.
            Decided::Found(_) | Decided::Open => {}
        }
        match choose(&domain, ascent, &average) {
            Some((task, host)) => {
                nodes.push(Node::Branch { task: task.0, host: host.0 });
                End::Split(Box::new(split(domain, ascent, *later, (task, host))))
            }
            // All tasks are placed, so there is a mapping.
            None => domain.mapping().map_or(End::Refuted, End::Found),
        }
    }
}

fn split<'a>(
    domain: Domain<'a>,
    ascent: &Ascent,
    steps: usize,
    (task, host): (TaskId, HostId),
) -> [Case<'a>; 2] {
    let mut on = domain.clone();
    on.force(task, host);
    let mut off = domain;
    off.forbid(task, host);
    [on, off].map(|mut domain| {
        let domain = domain.settle().is_ok().then_some(domain);
        Case { domain, ascent: ascent.clone(), steps: (steps, steps) }
    })
}

/// The pair to branch on; `None` if all tasks are placed.
fn choose(domain: &Domain, ascent: &Ascent, average: &[f64]) -> Option<(TaskId, HostId)> {
    candidates(domain, ascent, average, 1).pop()
}

/// Pairs to branch on, the best first: those on which the packings disagree most, weighted by
/// price, of tasks with few choices.
pub(super) fn candidates(
    domain: &Domain,
    ascent: &Ascent,
    average: &[f64],
    count: usize,
) -> Vec<(TaskId, HostId)> {
    let m = domain.instance().host_count();
    let prices = ascent.prices();
    let mut scored: Vec<(f64, TaskId, HostId)> = Vec::new();
    for host in domain.instance().hosts() {
        for &(task, _) in domain.open(host) {
            let x = average[task.index() * m + host.index()];
            let doubt = x.min(1.0 - x).max(1e-9) * prices[task.index()] as f64;
            scored.push((doubt / f64::from(domain.choices(task)), task, host));
        }
    }
    // Of equal scores the first one comes first.
    scored.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
    scored.into_iter().take(count).map(|(_, task, host)| (task, host)).collect()
}
