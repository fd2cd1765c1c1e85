//! The searches as scheduling policies: every batch of waiting jobs is mapped by a search that
//! evaluates a limited number of makespans. Rhodes' thesis (section 2.4.2.3) presents the genetic
//! algorithm as such a batch-mode scheduler.
//!
//! A search starts as in `gridsat map`, from its heuristic on the same batch. The limit counts
//! evaluations, not seconds, so results do not depend on the speed of the computer. Batch b of a
//! scheduler has its own seed, made from that of the scheduler and b.

use super::batch::Batch;
use gridsat_grid::{Assignment, Mapper, MapperError, View};
use gridsat_heuristics::search::{self, Budget, NamedSearch};
use gridsat_model::Stop;
use gridsat_statistics::random;

/// A mapper that maps each batch by a search.
pub struct SearchedBatches {
    entry: NamedSearch,
    evaluations: u64,
    seed: u64,
    stop: Stop,
    batches: u64,
    /// Evaluations of all batches together.
    spent: u64,
    /// Batches whose search was ended by the limit rather than by its own rules.
    limited: u64,
}

impl SearchedBatches {
    /// At most this many evaluations per batch.
    pub fn new(entry: NamedSearch, evaluations: u64, seed: u64, stop: Stop) -> Self {
        Self { entry, evaluations, seed, stop, batches: 0, spent: 0, limited: 0 }
    }
}

impl Mapper for SearchedBatches {
    fn name(&self) -> String {
        self.entry.name.to_owned()
    }

    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
        let Some(batch) = Batch::of(view)? else { return Ok(Vec::new()) };
        let seed = random::seed(self.seed, "search/batch", self.batches);
        let problem = batch.problem(view, &Stop::never());
        let start = self.entry.search.start();
        let start = start.map_problem(&problem, &mut search::start_numbers(seed));
        let start = start.expect("nothing stops it, and every job can run somewhere");
        let budget = Budget { evaluations: Some(self.evaluations), time: None };
        let search = self.entry.search;
        let found = search::find_from(search, &batch.instance, start, seed, budget, &self.stop);
        self.batches += 1;
        self.spent += found.evaluations;
        self.limited += u64::from(found.is_cut_short);
        Ok(batch.sent(&found.mapping))
    }

    fn note(&self) -> Option<String> {
        let Self { batches, spent, limited, evaluations, .. } = self;
        Some(format!(
            "{batches} batches, {spent} evaluations, {limited} batches ended by the limit of \
             {evaluations}"
        ))
    }
}
