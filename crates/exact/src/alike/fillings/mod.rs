//! Hosts that are equal or differ in speed, filled one after the other in all ways that matter (bin
//! completion).
//!
//! Some host has the longest task left. What else it has is often forced ([`forced()`]); otherwise
//! prices from a linear program ([`prices`], [`simplex`]) refute the case, or leave few fillings
//! ([`choices()`]), and each of them gives a case with one host less. The linear program also says
//! which fillings to try first, so most packings are found without a step back. Cases that were
//! refuted are remembered by their tasks.
//!
//! The search for bin packings by completion is by Korf (2002) and Fukunaga and Korf (2007), the
//! linear program by Gilmore and Gomory (1961). Their proof is the rule `fillings` of
//! `docs/certificates.md`.

mod case;
mod choices;
mod forced;
mod patterns;
mod prices;
mod search;
mod simplex;
#[cfg(test)]
mod tests;

use case::{Case, Problem};
use prices::Pricer;
use search::Search;

use super::repack::starts;
use super::{Alike, Packing};
use gridsat_model::certificate::FillingNode;
use gridsat_model::{Instance, Mapping, Stop, Ticks};

/// More classes than this make the matrix of the linear program too large.
const MOST_CLASSES: usize = 2000;

/// More entries than this make the table of a knapsack too large.
const MOST_ENTRIES: u64 = 1 << 28;

/// With at most this many entries a linear program takes less than a tenth of a second.
const FEW_ENTRIES: u64 = 1 << 17;

/// What is known about a makespan.
pub(crate) enum Answer {
    /// A mapping that has at most this makespan.
    Mapping(Mapping),
    /// No mapping has it.
    Refuted(Vec<FillingNode>),
    /// The work was not enough.
    Open,
}

/// How much work goes into a decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Entries of matrices and tables.
    pub work: u64,
    /// Whether cases may be divided; otherwise only forced fillings and prices are used.
    pub may_branch: bool,
}

/// Decides makespans of one instance with equal hosts.
pub(crate) struct Fillings<'a> {
    alike: &'a Alike,
    /// The distinct times, longest first, and how many tasks have them.
    times: Vec<u64>,
    counts: Vec<u32>,
}

impl<'a> Fillings<'a> {
    pub fn new(alike: &'a Alike) -> Self {
        let equal = || alike.times.chunk_by(|a, b| a == b);
        let times = equal().map(|equal| equal[0]).collect();
        Self { alike, times, counts: equal().map(|equal| equal.len() as u32).collect() }
    }

    /// Whether tables for makespan k are small enough.
    pub fn suits(&self, k: Ticks) -> bool {
        self.times.len() <= MOST_CLASSES && self.entries(k) <= MOST_ENTRIES
    }

    /// Whether the linear program for makespan k takes little time.
    pub fn is_quick(&self, k: Ticks) -> bool {
        self.entries(k) <= FEW_ENTRIES
    }

    fn entries(&self, k: Ticks) -> u64 {
        let room = self.alike.rooms(k).map_or(0, |rooms| rooms.largest());
        room.saturating_add(1).saturating_mul(self.times.len() as u64)
    }

    /// Whether there is a mapping with makespan at most k.
    pub fn decide(&self, instance: &Instance, k: Ticks, effort: Effort, stop: &Stop) -> Answer {
        let Some((problem, case)) = self.problem(k) else { return Answer::Open };
        match Search::new(&problem, effort, stop).run(case) {
            search::Answer::Packed(fillings) => {
                self.mapping(instance, &fillings, k).map_or(Answer::Open, Answer::Mapping)
            }
            search::Answer::Refuted(nodes) => Answer::Refuted(nodes),
            search::Answer::Open => Answer::Open,
        }
    }

    /// Prices that refute k before any host is filled, if there are some.
    ///
    /// Wherever forced fillings and then prices or work refute k, there are: of a host's share of
    /// patterns in the linear program, too, what is beside the longest task can be exchanged for
    /// the task that is forced.
    pub fn prices(&self, k: Ticks, stop: &Stop) -> Option<FillingNode> {
        let (problem, case) = self.problem(k)?;
        let prices = Pricer::new(&problem).prices(&problem, &case, stop);
        prices.refute().then(|| FillingNode::Prices { prices: prices.list(&case) })
    }

    /// All hosts, and all tasks that take time.
    fn problem(&self, k: Ticks) -> Option<(Problem, Case)> {
        let rooms = self.alike.rooms(k).filter(|_| self.suits(k))?;
        // No host needs more room than all tasks have work.
        let total = self.alike.times.iter().sum();
        let (kinds, hosts) = rooms.kinds().iter().map(|&(room, n)| (room.min(total), n)).unzip();
        let problem = Problem { times: self.times.clone(), rooms: kinds };
        Some((problem, Case { hosts, counts: self.counts.clone() }))
    }

    fn mapping(
        &self,
        instance: &Instance,
        fillings: &[case::Filling],
        k: Ticks,
    ) -> Option<Mapping> {
        let mut next = starts(self.counts.iter().copied());
        let kinds = self.alike.rooms(k)?;
        let mut next_host = starts(kinds.kinds().iter().map(|&(_, hosts)| hosts as u32));
        let mut packing = Packing::empty(self.alike.hosts);
        for filling in fillings {
            let host = next_host[filling.place];
            next_host[filling.place] += 1;
            for &class in &filling.classes {
                packing.add(host as usize, next[class as usize]);
                next[class as usize] += 1;
            }
        }
        self.alike.mapping_until(instance, &packing, k)
    }
}
