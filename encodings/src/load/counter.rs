//! Sequential weight counter of Hölldobler, Manthey and Steinke (2012).
//!
//! `s_{i,j}` means that the first i terms weigh at least j. The paper has a variable for every j
//! ≤ bound; here only the j that the first i terms can attain have one, which makes the counter a
//! tree of attainable sums in the shape of a path: see [`tree`](super::tree) for the clauses. Up to
//! `n·bound` variables.

use super::tree::{Outputs, Plan, Root};
use super::{Out, Written};
use crate::Term;

pub(super) fn build(terms: &[Term], max: u64, root: Root, out: &mut Out) -> Written<Outputs> {
    let mut plan = Plan::new(terms, max);
    let mut prefix = None;
    for term in 0..terms.len() {
        let leaf = plan.leaf(term);
        prefix = Some(match prefix {
            None => leaf,
            Some(prefix) if term + 1 == terms.len() => plan.root(prefix, leaf, root, out.budget)?,
            Some(prefix) => plan.join(prefix, leaf, out.budget)?,
        });
    }
    Ok(plan.write(out.sink))
}
