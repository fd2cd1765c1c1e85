//! Against all mappings of tiny instances.

use gridsat_model::{HostId, Instance, Mapping, Stop};
use gridsat_test_support::tiny;

use super::{Second, Then, choose};

/// The objectives, with the moves counted from an arbitrary mapping.
fn objectives(instance: &Instance, seed: usize) -> [Then; 2] {
    let all = tiny::mappings(instance);
    [Then::TotalTime, Then::FewestMoves { from: all[seed % all.len()].clone() }]
}

/// The least cost of the mappings that end no later than this one.
fn least(instance: &Instance, mapping: &Mapping, then: &Then) -> u64 {
    let all = tiny::mappings(instance);
    let ends = all.iter().filter(|other| other.makespan() <= mapping.makespan());
    ends.map(|other| then.value(instance, other)).min().expect("the mapping itself")
}

#[test]
fn is_the_cheapest_of_all_mappings_that_end_as_soon() {
    let (mut improved, mut searched) = (0, 0);
    for seed in 0..400 {
        let instance = tiny::instance(seed);
        for (first, then) in [tiny::best(&instance), tiny::worst(&instance)]
            .into_iter()
            .flat_map(|first| objectives(&instance, 7 * seed as usize).map(|t| (first.clone(), t)))
        {
            let best = least(&instance, &first, &then);
            let (mapping, second) = choose(&instance, &first, then.clone(), &Stop::never());
            assert!(mapping.makespan() <= first.makespan(), "seed {seed}");
            assert_eq!(then.value(&instance, &mapping), second.value, "seed {seed}");
            assert_eq!(second.value, best, "seed {seed}, {}", then.name());
            assert_eq!(second.lower_bound, best, "seed {seed}, {}", then.name());
            assert_eq!(second.before, then.value(&instance, &first));
            improved += usize::from(second.value < second.before);
            searched +=
                usize::from(second.value > super::cheapest(&instance, &then, first.makespan()));
        }
    }
    assert!(improved > 200 && searched > 200, "{improved} improved, {searched} searched");
}

/// Every bound that an early end leaves must hold, too.
#[test]
fn a_search_that_is_cut_short_leaves_a_true_bound() {
    let mut open = 0;
    for seed in 0..200 {
        let instance = tiny::instance(seed);
        let first = tiny::best(&instance);
        for then in objectives(&instance, 3 * seed as usize) {
            let best = least(&instance, &first, &then);
            for checks in [0, 1, 2, 5, 20, 100] {
                let stop = Stop::after(checks);
                let (mapping, second) = choose(&instance, &first, then.clone(), &stop);
                assert!(second.lower_bound <= best && best <= second.value, "seed {seed}");
                assert_eq!(then.value(&instance, &mapping), second.value);
                open += usize::from(!second.is_optimal());
            }
        }
    }
    assert!(open > 20, "{open}");
}

/// Hosts 0 and 1 are alike and host 2 is slower: the long task determines the makespan, and the
/// short ones need not be on the slow host.
#[test]
fn total_time_leaves_the_slow_host_idle() {
    let instance = Instance::from_rows([[9, 9, 9], [2, 2, 6], [3, 3, 8]]).expect("valid");
    let spread = Mapping::new(&instance, vec![HostId(0), HostId(1), HostId(2)]).expect("possible");
    let (mapping, second) = choose(&instance, &spread, Then::TotalTime, &Stop::never());
    assert!(mapping.hosts()[1..].iter().all(|&host| host != HostId(2)));
    let (before, value, lower_bound) = (19, 14, 14);
    assert_eq!(second, Second { then: Then::TotalTime, before, value, lower_bound });
}
