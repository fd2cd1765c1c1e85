//! A good mapping and a good bound for instances with a million pairs of task and host and more, by
//! passes over the matrix.
//!
//! With many tasks on every host the linear bound is nearly exact. So host weights give both the
//! bound and a mapping whose loads only have to be levelled (`level`). The weights are found by an
//! ascent that needs neither a heuristic nor a linear programme (`weights`). Every pass checks the
//! stop.
//!
//! Not here: closing the remaining gap by prices, dives and proofs by cases, which are for
//! instances small enough for them.

mod level;
mod spread;
mod weights;

use crate::bounds::{self, Linear};
use gridsat_model::{Instance, Stop, Ticks};

use weights::Table;

pub(crate) use level::level;
pub(crate) use spread::spread;

/// Instances with at least this many pairs of task and host are large. For smaller ones the
/// heuristics take less than a second.
const PAIRS: usize = 500_000;

/// With at least this many pairs prices, dives and proofs by cases would take hours and many times
/// the memory of the instance, and the gap that is left is below a task's time.
const HUGE_PAIRS: usize = 10_000_000;

/// The second ascent leaves out pairs that end later than the first bound by more than one part in
/// this many of it, that is 2 %.
const NEAR: u64 = 50;

/// Whether heuristics that visit each task many times would take too long.
pub(crate) fn is_large(instance: &Instance) -> bool {
    instance.task_count() * instance.host_count() >= PAIRS
}

/// Whether weights and levelling are all that can be done.
pub(crate) fn is_huge(instance: &Instance) -> bool {
    instance.task_count() * instance.host_count() >= HUGE_PAIRS
}

/// The linear bound of the best weights that one or two ascents find. `upper` is the makespan of a
/// known mapping; pairs that end later are left out of the ascents.
pub(crate) fn weigh(instance: &Instance, upper: Ticks, stop: &Stop) -> Linear {
    let ascend = |table: &Table| bounds::by_weights(instance, &weights::ascend(table, stop), stop);
    let table = Table::new(instance, upper);
    let first = ascend(&table);
    let value = first.bound.value();
    // Good mappings do not use pairs that end far beyond the bound; they only distort the weights.
    let near = upper.min(value + value / NEAR);
    if !table.shrinks_at(near) || stop.is_due() {
        return first;
    }
    drop(table);
    let second = ascend(&Table::new(instance, near));
    if second.bound.value() > first.bound.value() { second } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::Solver;
    use crate::strategy::Origin;
    use gridsat_heuristics::generate::{EtcClass, EtcSpec, generate};
    use gridsat_heuristics::{Heuristic, OnLine};
    use gridsat_model::gap;
    use gridsat_test_support::tiny;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn drawn(class: &str, tasks: usize, hosts: usize) -> Instance {
        let class: EtcClass = class.parse().expect("a class");
        let spec = EtcSpec {
            class,
            tasks,
            hosts,
            decimals: 0,
            forbidden_percent: 10,
            ready_max: 1000,
            qos: None,
            seed: 1,
        };
        generate(&spec).expect("possible")
    }

    #[test]
    fn what_weights_prove_is_never_above_the_optimum() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for case in 0..1000 {
            let size = (rng.random_range(1..=6), rng.random_range(1..=9));
            let instance = tiny::drawn(&mut rng, size, (50, 20), 0.2);
            let upper = OnLine::Mct.map(&instance).makespan();
            let Linear { bound, weights } = weigh(&instance, upper, &Stop::never());
            assert!(bound.value() <= tiny::optimum(&instance), "case {case}: {bound:?}");
            let reason = bound.reason().into_iter();
            assert!(reason.clone().all(|r| bounds::refutes(&instance, r, r.k())), "case {case}");
            level(&instance, &weights, &Stop::never());
        }
    }

    #[test]
    fn weights_and_level_loads_nearly_meet() {
        // The second size is weighed by samples first.
        for (tasks, hosts, most) in [(5000, 10, 1e-3), (65_000, 6, 2e-5)] {
            for class in ["u_i_hihi", "u_c_hihi", "u_s_lolo", "U1-100"] {
                let instance = drawn(class, tasks, hosts);
                let upper = OnLine::Mct.map(&instance).makespan();
                let Linear { bound, weights } = weigh(&instance, upper, &Stop::never());
                let mapping = level(&instance, &weights, &Stop::never());
                let gap = gap(bound.value(), mapping.makespan());
                assert!(gap < most, "{class}, {tasks} tasks: {gap}");
            }
        }
    }

    #[test]
    fn a_stop_is_heard_before_the_slow_heuristics() {
        let (large, stop) = (drawn("u_i_hihi", 5000, 100), Stop::never());
        assert!(is_large(&large));
        stop.request();
        for (instance, by) in
            [(drawn("u_i_hihi", 400, 100), Origin::of(&OnLine::Mct)), (large, Origin::Weights)]
        {
            let solution = Solver::new().stop(stop.clone()).solve(&instance).expect("a mapping");
            assert_eq!(solution.found_by, by);
        }
    }
}
