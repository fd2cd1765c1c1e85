//! Generalized totalizer of Joshi, Martins and Manquinho (2015), with ordered outputs.
//!
//! A balanced tree of attainable sums: see [`tree`](super::tree) for the clauses. It is small if
//! few different weights occur; with n unrelated weights the root alone may attain
//! `min(2ⁿ, bound)` sums.

use super::tree::{NodeId, Outputs, Plan, Root};
use super::{Out, Written};
use crate::{Budget, Term};

pub(super) fn build(terms: &[Term], max: u64, root: Root, out: &mut Out) -> Written<Outputs> {
    let mut plan = Plan::new(terms, max);
    match terms.len() {
        0 => {}
        1 => drop(plan.leaf(0)),
        n => {
            let left = balanced(&mut plan, 0, n / 2, out.budget)?;
            let right = balanced(&mut plan, n / 2, n, out.budget)?;
            plan.root(left, right, root, out.budget)?;
        }
    }
    Ok(plan.write(out.sink))
}

/// The tree over the terms from `start` to `end`; its depth is the logarithm of their number.
fn balanced(plan: &mut Plan, start: usize, end: usize, budget: &mut Budget) -> Written<NodeId> {
    if end - start == 1 {
        return Ok(plan.leaf(start));
    }
    let middle = start + (end - start) / 2;
    let left = balanced(plan, start, middle, budget)?;
    let right = balanced(plan, middle, end, budget)?;
    plan.join(left, right, budget)
}
