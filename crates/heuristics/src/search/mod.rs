//! Search heuristics for static mapping: better mappings for more time, without a proof.
//!
//! Each search is a struct whose fields are its parameters, with the source of their defaults next
//! to them. All share a [`State`], which computes the makespan after a move in O(1), and a [`Run`],
//! which counts evaluations, checks the time and keeps the best mapping seen, so every search can
//! be cut short at any moment.
//!
//! Makespans are exact integers; floats are used for probabilities and temperatures only. The
//! result of a run that ends by its own rules or at a limit of evaluations depends only on
//! instance, search and seed.
//!
//! Most parameters follow Braun et al., "A comparison of eleven static heuristics for mapping a
//! class of independent tasks onto heterogeneous distributed computing systems" (2001).
//! `docs/heuristics.md` lists which do and which are our choice.
//!
//! Not here: lower bounds and proofs (`gridsat-exact`), and the fast heuristics from which most
//! searches start.

mod a_star;
mod annealing;
mod ants;
mod genetic;
mod genetic_annealing;
mod iterated_greedy;
mod local;
mod multi_start;
mod population;
mod registry;
mod run;
mod start;
mod state;
mod tabu;

pub use a_star::AStar;
pub use annealing::{Annealing, Plateau};
pub use ants::Ants;
pub use genetic::{Genetic, Selection};
pub use genetic_annealing::GeneticAnnealing;
pub use iterated_greedy::IteratedGreedy;
pub use local::Local;
pub use multi_start::MultiStart;
pub use registry::{NamedSearch, all, by_name, named};
pub use run::{Budget, Found, Run};
pub use start::Start;
pub use state::State;
pub use tabu::Tabu;

use gridsat_model::{Instance, Mapping, Stop};
use gridsat_statistics::random;
use rand_chacha::ChaCha8Rng;

/// A search for a mapping of small makespan.
pub trait Search: Sync {
    /// The mapping it starts from, which counts as its best before the first evaluation.
    fn start(&self) -> Start {
        Start::MIN_MIN
    }

    /// Looks for better mappings until its own rules or the run end it.
    fn search(&self, run: &mut Run);
}

/// Runs a search on an instance. Never fails: in the worst case it returns the start.
///
/// `stop` is checked regularly; when it is due, the best mapping so far is returned.
pub fn find(
    search: &dyn Search,
    instance: &Instance,
    seed: u64,
    budget: Budget,
    stop: &Stop,
) -> Found {
    let start = search.start().map(instance, &mut start_numbers(seed));
    find_from(search, instance, start, seed, budget, stop)
}

/// Like [`find`], but from this mapping of the instance instead of the search's own start.
pub fn find_from(
    search: &dyn Search,
    instance: &Instance,
    start: Mapping,
    seed: u64,
    budget: Budget,
    stop: &Stop,
) -> Found {
    from(Run::new(instance, start, seed, budget, stop), search)
}

/// Like [`find`], but `None` instead of a mapping that is only the start: if the run was stopped
/// before the first evaluation, or interrupted before it found a better mapping.
pub fn find_unless(
    search: &dyn Search,
    instance: &Instance,
    seed: u64,
    budget: Budget,
    stop: &Stop,
) -> Option<Found> {
    let limit = budget.limit(stop);
    let start = search.start().map_unless(instance, &mut start_numbers(seed), &limit)?;
    let before = start.makespan();
    let budget = Budget { time: None, ..budget };
    let found = from(Run::new(instance, start, seed, budget, &limit), search);
    let has_run = found.evaluations > 0 || !limit.is_due();
    let is_start = found.mapping.makespan() == before && stop.is_requested();
    (!found.is_cut_short || (has_run && !is_start)).then_some(found)
}

/// The random numbers of a search's start.
pub fn start_numbers(seed: u64) -> ChaCha8Rng {
    random::stream(seed, "search/start", 0)
}

fn from(mut run: Run, search: &dyn Search) -> Found {
    search.search(&mut run);
    run.finish()
}
