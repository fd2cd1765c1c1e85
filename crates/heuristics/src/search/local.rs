//! Local search on the mapping of a fast heuristic (Ritchie and Levine 2003; Rhodes' thesis,
//! section 2.4.2.3).
//!
//! Takes the best move off or swap with the most loaded host, until none helps. The steps are those
//! of [`crate::improve`], which continues with less loaded hosts when the most loaded one has no
//! step.

use super::{Run, Search, Start};
use crate::improve_while;
use gridsat_model::Mapping;

/// Local search. Uses no random numbers unless the start is random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    /// The mapping to improve.
    pub start: Start,
}

impl Search for Local {
    fn start(&self) -> Start {
        self.start
    }

    fn search(&self, run: &mut Run) {
        descend(run.best(), run);
    }
}

/// Improves the mapping while that succeeds and the budget lasts, and offers the result.
pub(super) fn descend(mapping: Mapping, run: &mut Run) -> Mapping {
    let improved = improve_while(run.instance(), mapping, &mut || run.may_evaluate(1));
    run.offer_mapping(&improved);
    improved
}
