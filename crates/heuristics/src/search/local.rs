//! Local search on the mapping of a fast heuristic (Ritchie and Levine 2003; thesis 2.4.2.3).
//!
//! Moves off and swaps with the most loaded host, the best one each time, until none helps. The
//! steps are those of [`crate::improve`], which goes on with lesser loaded hosts when the most
//! loaded one has none.

use super::{Run, Search, Start};
use crate::improve_while;
use gridsat_model::Mapping;

/// Local search. It draws no random numbers except for a random start.
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

/// Improves the mapping as long as that works and the budget lasts, and offers the result.
pub(super) fn descend(mapping: Mapping, run: &mut Run) -> Mapping {
    let improved = improve_while(run.instance(), mapping, &mut || run.may_evaluate(1));
    run.offer_mapping(&improved);
    improved
}
