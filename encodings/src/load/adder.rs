//! Binary addition: Warners (1998), in the form of Eén and Sörensson (2006).
//!
//! Bucket b holds literals of value 2ᵇ each, at first those whose weight has bit b set. Three of
//! them go through a full adder, the last two through a half adder: the sum bit returns to the end
//! of the bucket, the carry goes to the next bucket, until each bucket holds one literal, the digit
//! s_b of the load. Taking from the front and returning to the end keeps the circuit shallow.
//!
//! Adders are one-sided (erratum E3): the clauses only make outputs true,
//! `2·carry + sum ≥ inputs`, so the digits represent at least the true load, and a solver may
//! choose them to be equal to it. For a constant bound (erratum E4) one clause for each of its zero
//! bits is enough: `¬s_b ∨ ⋁ {¬s_b′ : b′ > b, bound has bit b′}`.
//!
//! Nothing is added up beyond the top digit of the largest bound: a carry out of it is forbidden
//! instead.

use std::collections::VecDeque;

use super::{Out, Written, add_limit_clause};
use crate::{ClauseSink, Lit, Meaning, Term};

const FULL_ADDER_CLAUSES: u64 = 7;
const HALF_ADDER_CLAUSES: u64 = 3;

/// The digits of a load.
#[derive(Clone, Debug)]
pub(super) struct Adder {
    /// Digits, least significant first; `None` is constantly 0.
    digits: Vec<Option<Lit>>,
    /// Carries out of the top digit.
    overflow: VecDeque<Lit>,
}

impl Adder {
    /// Adds up the terms, exactly up to `max`.
    pub(super) fn build(terms: &[Term], max: u64, out: &mut Out) -> Written<Self> {
        let width = (u64::BITS - max.leading_zeros()) as usize;
        let mut buckets: Vec<_> = (0..width).map(|b| bucket(terms, b)).collect();
        out.budget.charge(clause_count(buckets.iter().map(VecDeque::len)), true)?;
        let mut carries = VecDeque::new();
        let mut digits = Vec::new();
        for (b, bucket) in buckets.iter_mut().enumerate() {
            bucket.append(&mut carries);
            digits.push(add_up(bucket, &mut carries, 1 << b, out.sink));
        }
        Ok(Self { digits, overflow: carries })
    }

    /// Writes that the number given by the digits is at most `bound`.
    pub(super) fn limit(&mut self, bound: u64, guard: Option<Lit>, out: &mut Out) -> Written {
        let clauses = self.comparator(bound);
        out.budget.charge(clauses.len() as u64, true)?;
        for clause in clauses {
            add_limit_clause(&clause, guard, out.sink);
        }
        if guard.is_none() {
            self.overflow.clear();
        }
        Ok(())
    }

    fn comparator(&self, bound: u64) -> Vec<Vec<Lit>> {
        let mut clauses: Vec<_> = self.overflow.iter().map(|&lit| vec![!lit]).collect();
        let mut equal_so_far = Vec::new();
        for (b, &digit) in self.digits.iter().enumerate().rev() {
            match (bit(bound, b), digit) {
                (true, Some(digit)) => equal_so_far.push(!digit),
                // This digit is 0 and the bound's is 1: whatever follows, the load is smaller.
                (true, None) => break,
                (false, Some(digit)) => clauses.push([&equal_so_far[..], &[!digit]].concat()),
                (false, None) => {}
            }
        }
        clauses
    }
}

fn bit(number: u64, b: usize) -> bool {
    number >> b & 1 == 1
}

/// The literals whose weight has bit b.
fn bucket(terms: &[Term], b: usize) -> VecDeque<Lit> {
    let with_bit = terms.iter().filter(|term| bit(term.weight, b));
    with_bit.map(|term| term.lit).collect()
}

/// The number of clauses of all adders, from the number of literals in each bucket before any
/// carry.
fn clause_count(sizes: impl Iterator<Item = usize>) -> u64 {
    let mut clauses = 0;
    let mut carries = 0;
    for size in sizes {
        let inputs = size as u64 + carries;
        let full = inputs.saturating_sub(1) / 2;
        let half = u64::from(inputs > 0 && inputs.is_multiple_of(2));
        clauses += full * FULL_ADDER_CLAUSES + half * HALF_ADDER_CLAUSES;
        carries = full + half;
    }
    clauses
}

/// Adds up one bucket to a single digit.
fn add_up(
    bucket: &mut VecDeque<Lit>,
    carries: &mut VecDeque<Lit>,
    weight: u64,
    sink: &mut dyn ClauseSink,
) -> Option<Lit> {
    while bucket.len() > 1 {
        let inputs: Vec<_> = bucket.drain(..bucket.len().min(3)).collect();
        let (carry, sum) = outputs(&inputs, weight, sink);
        if let [a, b, c] = inputs[..] {
            full_adder([a, b, c], carry, sum, sink);
        } else {
            half_adder([inputs[0], inputs[1]], carry, sum, sink);
        }
        bucket.push_back(sum);
        carries.push_back(carry);
    }
    bucket.pop_front()
}

/// Fresh variables for carry and sum of the inputs.
fn outputs(inputs: &[Lit], weight: u64, sink: &mut dyn ClauseSink) -> (Lit, Lit) {
    let carry = sink.new_var();
    sink.explain(carry, Meaning::Carry { inputs });
    let sum = sink.new_var();
    let meaning = Meaning::Sum { inputs, carry, weight };
    sink.explain(sum, meaning);
    (carry.positive(), sum.positive())
}

fn half_adder([a, b]: [Lit; 2], carry: Lit, sum: Lit, sink: &mut dyn ClauseSink) {
    sink.add_clause(&[!a, !b, carry]);
    sink.add_clause(&[!a, b, sum]);
    sink.add_clause(&[a, !b, sum]);
}

fn full_adder([a, b, c]: [Lit; 3], carry: Lit, sum: Lit, sink: &mut dyn ClauseSink) {
    sink.add_clause(&[!a, !b, carry]);
    sink.add_clause(&[!a, !c, carry]);
    sink.add_clause(&[!b, !c, carry]);
    sink.add_clause(&[!a, b, c, sum]);
    sink.add_clause(&[a, !b, c, sum]);
    sink.add_clause(&[a, b, !c, sum]);
    sink.add_clause(&[!a, !b, !c, sum]);
}
