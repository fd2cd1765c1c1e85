//! Lower bounds on the makespan, each with the reason why it holds.
//!
//! A bound refutes makespans: "no mapping ends by k". Four reasons are used, in the terms of
//! certificates ([`Step`]), all checked with exact integers ([`refutes`]) however they were found:
//!
//! * [`Step::Ready`]: a host is not even ready by k;
//! * [`Step::LongestTask`]: a task ends after k on every host, even alone;
//! * [`Step::Weights`]: host weights w ≥ 0 with
//!   `Σ_t min_h w_h·p_th > Σ_h w_h·(k − ready_h)`, the minimum over the hosts on which t
//!   alone ends by k. If all loads were ≤ k, the right side would be at least the weighted load
//!   of all hosts, hence at least the left side.
//!
//! Equal weights give the average-load bound ([`average_load`]), the best weights that of the
//! linear relaxation ([`linear()`]).
//!
//! * [`Step::Prices`]: task prices u ≥ 0 with `Σ u > Σ_h KP_h`, where `KP_h` is the most
//!   valuable set of tasks that fits host h by k ([`refute_by_prices`]); never weaker than the
//!   linear bound.
//!
//! Not here: bounds that rest on the answer of a solver.

mod ascent;
mod counting;
mod explanation;
mod linear;
mod prices;
mod reason;
mod relaxation;
mod speeds;
mod trust_region;

use crate::reason::LowerBound;
#[cfg(doc)]
use gridsat_model::certificate::Step;
use gridsat_model::{Instance, Stop};

pub use counting::{average_load, latest_ready, longest_task};
pub use explanation::Explanation;
pub(crate) use linear::by_weights;
pub use linear::{Linear, by_speeds, linear, linear_roughly};
pub use prices::{Ascent, Climb, Contradiction, Domain, Volume, bound_below, refute_by_prices};
pub(crate) use prices::{EFFORT, scaled, slack};
pub use reason::refutes;

/// The best bound of this module. If stopped early, the best found by then.
pub fn lower_bound(instance: &Instance, stop: &Stop) -> LowerBound {
    linear(instance, stop).bound
}

/// The best bound that needs only counting; O(n·m). If stopped early, possibly a lower one.
pub fn counting(instance: &Instance, stop: &Stop) -> LowerBound {
    let simple = better(latest_ready(instance), longest_task(instance));
    better(simple, average_load(instance, stop))
}

/// The larger of two bounds; the first if they are equal, since callers pass the simpler one first.
fn better(first: LowerBound, second: LowerBound) -> LowerBound {
    if second.value() > first.value() { second } else { first }
}
