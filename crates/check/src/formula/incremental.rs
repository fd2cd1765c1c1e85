//! One formula for many values of k.
//!
//! Everything but the last comparison is written once, for the largest k of interest. Each smaller
//! k then adds a guard literal; assuming it enforces that k.

use gridsat_encodings::{Budget, ClauseSink, Lit, LoadBound, LoadEncoding, OverBudget};

use super::surrogate::Surrogate;
use super::{Encoding, PairVars, encode_assignment, terms};
use gridsat_model::{HostId, Instance, Ticks};

/// The clauses for every k up to a maximum.
pub struct IncrementalFormula<'a> {
    instance: &'a Instance,
    pairs: PairVars,
    loads: Vec<(HostId, LoadBound)>,
    surrogate: Option<(Surrogate<'a>, LoadBound)>,
}

impl<'a> IncrementalFormula<'a> {
    /// Writes the formula for `max_k`, which is enforced without an assumption.
    pub fn new(
        instance: &'a Instance,
        max_k: Ticks,
        encoding: &'a Encoding,
        load: LoadEncoding,
        sink: &mut dyn ClauseSink,
        budget: &mut Budget,
    ) -> Result<Self, OverBudget> {
        let pairs = encode_assignment(instance, max_k, encoding, sink, budget)?;
        let mut loads = Vec::new();
        for host in instance.hosts() {
            if let Some(room) = instance.capacity(host, max_k) {
                let terms = terms(instance, &pairs, host);
                loads.push((host, load.incremental(&terms, room.0, sink, budget)?));
            }
        }
        let surrogate = match encoding.surrogate(instance, &pairs, max_k) {
            Some(surrogate) => {
                surrogate.incremental(max_k, sink, budget)?.map(|bound| (surrogate, bound))
            }
            None => None,
        };
        Ok(Self { instance, pairs, loads, surrogate })
    }

    /// The variable of each pair.
    pub fn pairs(&self) -> &PairVars {
        &self.pairs
    }

    /// Writes the clauses that "makespan ≤ k" needs and returns the literal to assume for it.
    pub fn limit(
        &mut self,
        k: Ticks,
        sink: &mut dyn ClauseSink,
        budget: &mut Budget,
    ) -> Result<Lit, OverBudget> {
        let guard = sink.new_var().positive();
        for (host, load) in &mut self.loads {
            match self.instance.capacity(*host, k) {
                Some(room) => load.limit(room.0, guard, sink, budget)?,
                None => sink.add_clause(&[!guard]),
            }
        }
        if let Some((surrogate, load)) = &mut self.surrogate {
            match surrogate.bound(k) {
                Some(bound) => load.limit(bound, guard, sink, budget)?,
                None => sink.add_clause(&[!guard]),
            }
        }
        for (task, host, var) in self.pairs.iter() {
            let room = self.instance.capacity(host, k);
            let fits =
                self.instance.time(task, host).zip(room).is_some_and(|(time, room)| time <= room);
            if !fits {
                sink.add_clause(&[!guard, var.negative()]);
            }
        }
        Ok(guard)
    }
}
