//! "Is there a mapping with makespan ≤ k?" as clauses: the one place where a pair (task, host)
//! becomes a literal.
//!
//! `x[t,h]` says that task t runs on host h. Each task has exactly one host, and on every host the
//! times of its tasks add up to at most `k − ready(h)`. Pairs too long for their host get no
//! variable. The formula is satisfiable exactly when such a mapping exists, whatever the encoding.
//! The encoding of Rhodes' thesis keeps all pairs as variables and is otherwise the same.
//!
//! `verify` rebuilds formulas with this module, so it is part of the trusted base.

mod case;
mod encoding;
mod incremental;
mod pairs;
mod surrogate;
mod symmetry;
mod windows;

use gridsat_encodings::thesis;
use gridsat_encodings::{
    AtMostOne, Budget, ClauseSink, Counter, Lit, LoadEncoding, OverBudget, Term,
};

pub use case::{CaseHost, encode_case};
pub use encoding::{Encoding, EncodingError, Load, at_most_one};
pub use incremental::IncrementalFormula;
pub use pairs::PairVars;
pub use surrogate::{HostWeights, Surrogate};
pub use windows::TaskPrices;

use gridsat_model::{HostId, Instance, Ticks};

/// The variable of each pair in the formula that [`encode`] writes.
pub fn pairs(instance: &Instance, k: Ticks, load: Load) -> PairVars {
    let mut sink = Counter::default();
    match load {
        Load::Thesis => PairVars::all(instance, &mut sink),
        Load::Window | Load::Engineered(_) => PairVars::within(instance, k, &mut sink),
    }
}

/// Writes the decision problem for `k` and returns the variable of each pair.
pub fn encode(
    instance: &Instance,
    k: Ticks,
    encoding: &Encoding,
    sink: &mut dyn ClauseSink,
    budget: &mut Budget,
) -> Result<PairVars, OverBudget> {
    if encoding.load == Load::Thesis {
        return encode_thesis(instance, k, sink, budget);
    }
    let pairs = encode_assignment(instance, k, encoding, sink, budget)?;
    match encoding.load {
        Load::Engineered(load) => encode_loads(instance, k, load, &pairs, sink, budget)?,
        _ => windows::encode(instance, k, encoding.prices.as_ref(), &pairs, sink, budget)?,
    }
    if let Some(surrogate) = encoding.surrogate(instance, &pairs, k) {
        surrogate.encode(k, sink, budget)?;
    }
    Ok(pairs)
}

fn encode_loads(
    instance: &Instance,
    k: Ticks,
    load: LoadEncoding,
    pairs: &PairVars,
    sink: &mut dyn ClauseSink,
    budget: &mut Budget,
) -> Result<(), OverBudget> {
    for host in instance.hosts() {
        if let Some(capacity) = instance.capacity(host, k) {
            load.encode(&terms(instance, pairs, host), capacity.0, sink, budget)?;
        }
    }
    Ok(())
}

/// Exactly one host per task, symmetry breaking, and no host that is ready only after k.
fn encode_assignment(
    instance: &Instance,
    k: Ticks,
    encoding: &Encoding,
    sink: &mut dyn ClauseSink,
    budget: &mut Budget,
) -> Result<PairVars, OverBudget> {
    let pairs = PairVars::within(instance, k, sink);
    if instance.latest_ready() > k {
        sink.add_clause(&[]);
    }
    for task in instance.tasks() {
        exactly_one(&pairs.literals(task), encoding.at_most_one, sink, budget)?;
    }
    if encoding.symmetry {
        symmetry::encode(instance, &pairs, sink, budget)?;
    }
    Ok(pairs)
}

fn exactly_one(
    lits: &[Lit],
    at_most_one: AtMostOne,
    sink: &mut dyn ClauseSink,
    budget: &mut Budget,
) -> Result<(), OverBudget> {
    budget.charge(at_most_one.clause_count(lits.len()) + 1, true)?;
    sink.add_clause(lits);
    at_most_one.encode(lits, sink);
    Ok(())
}

/// The encoding of Rhodes' thesis, chapter 5: every pair is a variable, and one binary k serves all
/// hosts that are ready at time 0.
fn encode_thesis(
    instance: &Instance,
    k: Ticks,
    sink: &mut dyn ClauseSink,
    budget: &mut Budget,
) -> Result<PairVars, OverBudget> {
    let pairs = PairVars::all(instance, sink);
    let hosts = instance.host_count() as u64;
    let per_task = hosts * (hosts - 1) / 2 + 1;
    budget.charge(per_task.saturating_mul(instance.task_count() as u64), true)?;
    for task in instance.tasks() {
        let lits = pairs.literals(task);
        sink.add_clause(&lits);
        AtMostOne::Pairwise.encode(&lits, sink);
    }
    let mut bounds: Vec<thesis::Bound> = Vec::new();
    for host in instance.hosts() {
        let Some(capacity) = instance.capacity(host, k) else {
            sink.add_clause(&[]);
            continue;
        };
        let bound = match bounds.iter().position(|bound| bound.value() == capacity.0) {
            Some(known) => known,
            None => {
                bounds.push(thesis::Bound::new(capacity.0, sink, budget)?);
                bounds.len() - 1
            }
        };
        bounds[bound].limit(&thesis_items(instance, &pairs, host), sink, budget)?;
    }
    Ok(pairs)
}

/// All pairs of a host; a forbidden pair weighs more than any bound.
fn thesis_items(instance: &Instance, pairs: &PairVars, host: HostId) -> Vec<Term> {
    let term = |task| {
        let lit = pairs.get(task, host)?.positive();
        Some(Term { lit, weight: instance.time(task, host).unwrap_or(Ticks::MAX).0 })
    };
    instance.tasks().filter_map(term).collect()
}

/// The pairs of a host with a time above 0, weighted by it.
pub fn terms(instance: &Instance, pairs: &PairVars, host: HostId) -> Vec<Term> {
    let mut items = thesis_items(instance, pairs, host);
    items.retain(|item| item.weight > 0);
    items
}
