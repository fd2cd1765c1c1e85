//! Approximate host weights by multiplicative ascent.
//!
//! Put every task on the host where its weighted time is least. A host loaded above the average is
//! too cheap, so its weight grows by the factor `exp(step·(load/average − 1))`; the weight of an
//! underloaded host shrinks by the same formula. This is mirror ascent on the simplex (Nemirovski &
//! Yudin) with a geometrically falling step. It comes within a fraction of a percent of the best
//! weights in O(n·m) per round; `trust_region` finds the remaining digits.

use super::relaxation::{Relaxation, normalise};
use gridsat_model::Stop;

const ROUNDS: u32 = 200;
const FIRST_STEP: f64 = 0.3;
const LAST_STEP: f64 = 0.001;

/// Weights are not allowed below this. Smaller ones change no bound and take long to grow back.
const LEAST: f64 = 1e-15;

/// The best weights met, starting from `weights`, which must sum to one.
pub(super) fn ascend(relaxation: &Relaxation, mut weights: Vec<f64>, stop: &Stop) -> Vec<f64> {
    let mut best = (f64::NEG_INFINITY, weights.clone());
    let decay = (LAST_STEP / FIRST_STEP).powf(1.0 / f64::from(ROUNDS));
    let mut step = FIRST_STEP;
    for _ in 0..ROUNDS {
        let (value, loads) = relaxation.value(&weights);
        if value > best.0 {
            best = (value, weights.clone());
        }
        // A value of zero means that all work is free, so no direction improves anything.
        if value <= 0.0 || stop.is_due() {
            break;
        }
        for (weight, load) in weights.iter_mut().zip(loads) {
            let excess = (load / value - 1.0).min(3.0);
            *weight = (*weight * (step * excess).exp()).max(LEAST);
        }
        normalise(&mut weights);
        step *= decay;
    }
    best.1
}
