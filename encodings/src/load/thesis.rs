//! The encoding of Rhodes' thesis, chapter 5, literally, with its printing errors corrected.
//!
//! Everything is written out, even constants: the bound k as variables fixed by unit clauses,
//! shared by all hosts; then for each host and item the bits of the item's size, fixed by unit
//! clauses; the same bits gated by the item's literal; a ripple-carry addition for every further
//! item; and a comparison of the last total with k.
//!
//! Differences from the printed text, numbered as in the errata of `docs/sources.md`:
//!
//! * E1: k has `B = ⌊log₂ k⌋ + 1` value bits (one for k = 0), and one overflow bit above
//!   them.
//! * E2: the carry into a bit comes out of the bit below of the *same* addition.
//! * E3: adders only make outputs true. This is kept, because the total can then only be too large.
//! * E4: the comparator has a clause for every way in which the higher bits can be equal,
//!   `2^B − 2` in all. This is kept, and charged to the budget before it is written.
//! * E5: a load equal to k is allowed, according to the clauses; the pseudocode forbids it.
//! * E6: [`clause_count`] is computed for the clauses written here.
//! * The carry out of the overflow bit is forbidden as well. The gated bits of an item that is
//!   *not* on the host are free; if its overflow bit were true, a carry into that position would
//!   make the sum bit even and be lost, and an overloaded host would be accepted.
//! * An item larger than k, which the text excludes, is forbidden and counts as size 0.
//!
//! Fresh variables are not explained: this encoding has no derivation from the constraint.

use crate::{Budget, ClauseSink, Lit, OverBudget, Term};

/// The bound k in binary, shared by all hosts.
#[derive(Clone, Debug)]
pub struct Bound {
    value: u64,
    /// Bits of k, least significant first, the overflow bit last.
    bits: Vec<Lit>,
}

/// Number of value bits of k.
fn value_bits(k: u64) -> u32 {
    k.max(1).ilog2() + 1
}

/// Number of clauses that compare two numbers of this many bits, the top bit excepted.
fn comparator_clauses(value_bits: u32) -> u64 {
    1_u64.checked_shl(value_bits).map_or(u64::MAX, |combinations| combinations - 2)
}

/// Number of clauses of the decision problem for n items of size at most k on each of m hosts, all
/// with the same k: `n·(m(m−1)/2 + 1)` for exactly one host per item (written pairwise by the
/// caller), and with B value bits
///
/// * `B + 1` for k,
/// * `3·n·m·(B + 1)` for sizes and gates,
/// * `m·(n − 1)·(3 + 8·B + 2)` for additions and their overflow,
/// * `m·(2^B − 2)` for comparators.
///
/// `None` if that does not fit the type.
pub fn clause_count(n: u64, m: u64, k: u64) -> Option<u128> {
    let bits = u128::from(value_bits(k));
    let (items, hosts) = (u128::from(n), u128::from(m));
    let pairs = hosts * hosts.saturating_sub(1) / 2;
    let exactly_one = items.checked_mul(pairs + 1)?;
    let gates = items.checked_mul(hosts)?.checked_mul(3 * (bits + 1))?;
    let additions = hosts.checked_mul(items.saturating_sub(1))?;
    let additions = additions.checked_mul(3 + 8 * bits + 2)?;
    let comparators = hosts.checked_mul((1 << bits) - 2)?;
    [exactly_one, gates, additions, comparators].into_iter().try_fold(bits + 1, u128::checked_add)
}

impl Bound {
    /// Writes the bits of k.
    pub fn new(
        value: u64,
        sink: &mut dyn ClauseSink,
        budget: &mut Budget,
    ) -> Result<Self, OverBudget> {
        let width = value_bits(value) + 1;
        budget.charge(width.into(), true)?;
        let bits = constant(value, width as usize, sink);
        Ok(Self { value, bits })
    }

    /// The number k.
    pub fn value(&self) -> u64 {
        self.value
    }

    /// Limits the weight of the true items to k.
    pub fn limit(
        &self,
        items: &[Term],
        sink: &mut dyn ClauseSink,
        budget: &mut Budget,
    ) -> Result<(), OverBudget> {
        self.charge(items, budget)?;
        let loads: Vec<_> = items.iter().map(|item| self.gated(item, sink)).collect();
        let add = |total: Vec<Lit>, load: Vec<Lit>| add(&total, &load, sink);
        if let Some(total) = loads.into_iter().reduce(add) {
            self.compare(&total, sink);
        }
        Ok(())
    }

    /// Charges what [`Bound::limit`] writes to the budget.
    fn charge(&self, items: &[Term], budget: &mut Budget) -> Result<(), OverBudget> {
        let Some(additions) = items.len().checked_sub(1) else {
            return Ok(());
        };
        let width = self.bits.len() as u64;
        let too_large = items.iter().filter(|item| item.weight > self.value);
        let gates = 3 * width * items.len() as u64 + too_large.count() as u64;
        let additions = additions as u64 * (3 + 8 * (width - 1) + 2);
        let comparator = comparator_clauses(self.bits.len() as u32 - 1);
        budget.charge((gates + additions).saturating_add(comparator), true)
    }

    /// The bits that an item adds to the total: its size if it is true, arbitrary bits if not.
    fn gated(&self, item: &Term, sink: &mut dyn ClauseSink) -> Vec<Lit> {
        let fits = item.weight <= self.value;
        if !fits {
            sink.add_clause(&[!item.lit]);
        }
        let size = constant(if fits { item.weight } else { 0 }, self.bits.len(), sink);
        let gate = |size: Lit| {
            let gated = sink.new_var().positive();
            sink.add_clause(&[!item.lit, gated, !size]);
            sink.add_clause(&[!item.lit, !gated, size]);
            gated
        };
        size.into_iter().map(gate).collect()
    }

    /// Writes that the total is at most k: where all higher value bits are equal, a true bit needs
    /// a true bit of k. The top value bit needs no clause: it is true in k, or k and all sizes are
    /// 0.
    fn compare(&self, total: &[Lit], sink: &mut dyn ClauseSink) {
        let value_bits = self.bits.len() - 1;
        let mut clause = Vec::new();
        for higher in 1..value_bits {
            let bit = value_bits - 1 - higher;
            for pattern in 0..1_u64 << higher {
                clause.clear();
                for i in 0..higher {
                    let equal_true = pattern >> i & 1 == 1;
                    let unless = |lit: Lit| if equal_true { !lit } else { lit };
                    clause.extend([unless(self.bits[bit + 1 + i]), unless(total[bit + 1 + i])]);
                }
                clause.extend([self.bits[bit], !total[bit]]);
                sink.add_clause(&clause);
            }
        }
    }
}

/// Fresh variables fixed to the bits of a number, least significant first.
fn constant(number: u64, width: usize, sink: &mut dyn ClauseSink) -> Vec<Lit> {
    let bit = |b: usize| {
        let lit = sink.new_var().positive();
        let is_one = number.checked_shr(b as u32).is_some_and(|rest| rest & 1 == 1);
        sink.add_clause(&[if is_one { lit } else { !lit }]);
        lit
    };
    (0..width).map(bit).collect()
}

/// The sum of two numbers, which must not overflow.
fn add(a: &[Lit], b: &[Lit], sink: &mut dyn ClauseSink) -> Vec<Lit> {
    let mut carry = None;
    let mut total = Vec::with_capacity(a.len());
    for (&a, &b) in a.iter().zip(b) {
        let (sum, carry_out) = (sink.new_var().positive(), sink.new_var().positive());
        match carry {
            None => half_adder(a, b, sum, carry_out, sink),
            Some(carry) => full_adder([a, b, carry], sum, carry_out, sink),
        }
        total.push(sum);
        carry = Some(carry_out);
    }
    for overflow in total.last().copied().into_iter().chain(carry) {
        sink.add_clause(&[!overflow]);
    }
    total
}

fn half_adder(a: Lit, b: Lit, sum: Lit, carry: Lit, sink: &mut dyn ClauseSink) {
    sink.add_clause(&[!a, b, sum]);
    sink.add_clause(&[a, !b, sum]);
    sink.add_clause(&[!a, !b, carry]);
}

/// One clause for each row of the truth table with a true output.
fn full_adder([a, b, c]: [Lit; 3], sum: Lit, carry: Lit, sink: &mut dyn ClauseSink) {
    sink.add_clause(&[!a, b, c, sum]);
    sink.add_clause(&[a, !b, c, sum]);
    sink.add_clause(&[a, b, !c, sum]);
    sink.add_clause(&[!a, !b, !c, sum]);
    sink.add_clause(&[!a, !b, c, carry]);
    sink.add_clause(&[!a, b, !c, carry]);
    sink.add_clause(&[a, !b, !c, carry]);
    sink.add_clause(&[!a, !b, !c, carry]);
}
