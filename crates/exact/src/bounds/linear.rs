//! The bound of the linear relaxation (Lenstra, Shmoys & Tardos 1990): the best host weights.
//!
//! `ascent` and `trust_region` search for weights in floating point. The weights are then rounded
//! to integers, and the bound they prove is computed exactly: bad weights give a weaker bound,
//! never a wrong one. Pairs that end after the bound are ruled out, which can raise the relaxation,
//! so it is solved again until no further pair is ruled out.

use super::reason::{MAX_WEIGHT, first_not_refuted, without_dropping};
use super::relaxation::Relaxation;
use super::{ascent, better, counting, speeds, trust_region};
use crate::reason::{LowerBound, Reason};
use gridsat_model::{Instance, Stop, Ticks};

/// The relaxation is solved at most this often; two or three times are usual.
const ROUNDS: usize = 10;

/// The solution of the relaxation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    /// The linear bound, or a simpler bound that is at least as high.
    pub bound: LowerBound,
    /// The best weights found, one per host, even where a simpler bound is as good.
    pub weights: Vec<u64>,
}

/// Solves the relaxation. If stopped early, the best found by then.
pub fn linear(instance: &Instance, stop: &Stop) -> Linear {
    solve(instance, true, stop)
}

/// Solves the relaxation within a fraction of a percent, in far less time. Good enough as the start
/// of the price bound, which is stronger.
pub fn linear_roughly(instance: &Instance, stop: &Stop) -> Linear {
    solve(instance, false, stop)
}

/// The bound from counting and from the speeds of the hosts. If hosts differ in speed only, this is
/// the linear bound itself.
pub fn by_speeds(instance: &Instance, stop: &Stop) -> LowerBound {
    quick(instance, stop).0
}

fn quick(instance: &Instance, stop: &Stop) -> (LowerBound, Vec<f64>) {
    let mut best = (counting(instance, stop), vec![1.0; instance.host_count()]);
    for guess in speeds::guesses(instance) {
        let bound = proven(instance, &guess, best.0.value(), stop);
        if bound.value() > best.0.value() {
            best = (bound, guess);
        }
    }
    best
}

/// The bound that these weights prove.
pub(crate) fn by_weights(instance: &Instance, weights: &[f64], stop: &Stop) -> Linear {
    Linear { bound: proven(instance, weights, Ticks(0), stop), weights: rounded(weights) }
}

fn solve(instance: &Instance, perfectly: bool, stop: &Stop) -> Linear {
    let (mut best, mut weights) = quick(instance, stop);
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    let mut pairs = usize::MAX;
    for _ in 0..ROUNDS {
        if best.value() == Ticks(0) || stop.is_due() {
            break;
        }
        let relaxation = Relaxation::new(instance, best.value());
        if relaxation.pair_count() == pairs {
            break;
        }
        pairs = relaxation.pair_count();
        weights = ascent::ascend(&relaxation, weights, stop);
        if perfectly {
            weights = trust_region::perfect(&relaxation, weights, stop);
        }
        let value = best.value();
        best = better(best, proven(instance, &weights, value, stop));
        if best.value() == value {
            break;
        }
    }
    Linear { bound: best, weights: rounded(&weights) }
}

/// The bound that the weights prove, if it is above `from`; everything below `from` is refuted
/// already.
fn proven(instance: &Instance, weights: &[f64], from: Ticks, stop: &Stop) -> LowerBound {
    let weights = rounded(weights);
    let start = from.max(without_dropping(instance, &weights));
    let value = first_not_refuted(instance, &weights, start, stop);
    LowerBound::new(value, |k| Reason::Weights { k, weights })
}

/// Integers in the same proportion, the largest being [`MAX_WEIGHT`].
fn rounded(weights: &[f64]) -> Vec<u64> {
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let scale = MAX_WEIGHT as f64 / largest;
    // Casting a float saturates, so every result is a valid weight.
    let round = |weight: &f64| ((weight * scale).round() as u64).min(MAX_WEIGHT);
    weights.iter().map(round).collect()
}
