//! Bounds and packings beside brute force.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::sums::Sums;
use super::*;

fn random(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

pub(super) fn equal_hosts(times: &[u64], hosts: usize) -> Instance {
    Instance::from_rows(times.iter().map(|&time| vec![time; hosts])).expect("valid")
}

/// The smallest makespan, host by host for every task.
pub(super) fn optimum(times: &[u64], hosts: usize) -> u64 {
    fn place(times: &[u64], loads: &mut Vec<u64>) -> u64 {
        let Some((&time, rest)) = times.split_first() else {
            return loads.iter().copied().max().unwrap_or(0);
        };
        let on = |host: usize, loads: &mut Vec<u64>| {
            loads[host] += time;
            let best = place(rest, loads);
            loads[host] -= time;
            best
        };
        (0..loads.len()).map(|host| on(host, loads)).min().unwrap_or(0)
    }
    place(times, &mut vec![0; hosts])
}

#[test]
fn bounds_hold_and_the_checker_accepts_them() {
    let mut rng = random(7);
    let mut raised = 0;
    for _ in 0..200 {
        let (n, m) = (rng.random_range(1..8), rng.random_range(2..4));
        let times: Vec<u64> = (0..n).map(|_| rng.random_range(0..30)).collect();
        let instance = equal_hosts(&times, m);
        let alike = Alike::of(&instance).expect("equal hosts");
        let start = alike.start(&instance);
        let bound = alike.bound(start.makespan(), &Stop::never());
        let best = optimum(&times, m);
        assert!(bound.value().0 <= best && best <= start.makespan().0, "{times:?} on {m}");
        raised += usize::from(matches!(bound.reason(), Some(Reason::Part { sums: true, .. })));
        let solution = crate::solve::Solver::new().solve(&instance).expect("solved");
        assert_eq!(solution.makespan().ticks().0, best, "{times:?} on {m}");
        assert!(solution.is_optimal(), "{times:?} on {m}");
    }
    assert!(raised > 10, "the rule was tested {raised} times only");
}

#[test]
fn packings_hold_every_task_once_and_keep_to_the_room() {
    let mut rng = random(3);
    let mut found = 0;
    for round in 0..200 {
        let (n, m) = (rng.random_range(4..40), rng.random_range(2..6));
        let times: Vec<u64> = (0..n).map(|_| rng.random_range(1..60)).collect();
        let instance = equal_hosts(&times, m);
        let alike = Alike::of(&instance).expect("equal hosts");
        let lower = alike.bound(alike.start(&instance).makespan(), &Stop::never()).value();
        let mut packer = Packer::new(alike, round);
        for _ in 0..5 {
            if let Some(mapping) = packer.attempt(&instance, lower, &Stop::never()) {
                assert!(mapping.makespan() <= lower);
                found += 1;
            }
        }
    }
    assert!(found > 500, "{found} packings only");
}

#[test]
fn repacking_finds_small_optima_and_nothing_below_them() {
    let mut rng = random(11);
    for seed in 0..100 {
        let (n, m) = (rng.random_range(1..8), rng.random_range(2..4));
        let times: Vec<u64> = (0..n).map(|_| rng.random_range(1..40)).collect();
        let instance = equal_hosts(&times, m);
        let mut packer = Packer::new(Alike::of(&instance).expect("equal hosts"), seed);
        let mut repack = |k| packer.repack(&instance, Ticks(k), 50_000, &Stop::never());
        let best = optimum(&times, m);
        assert_eq!(repack(best).expect("small").makespan(), Ticks(best), "{times:?} on {m}");
        assert_eq!(repack(best - 1).map(|mapping| mapping.makespan()), None, "{times:?} on {m}");
    }
}

/// Hosts with three tasks each and no time to spare: whether the last hosts can be filled is luck.
#[test]
fn repacking_fills_hosts_with_three_tasks_each() {
    let mut rng = random(12);
    let cut = |room: u64, rng: &mut ChaCha8Rng| {
        let first = rng.random_range(room / 4..room / 2);
        let second = rng.random_range(room / 4..room - first - room / 8);
        [first, second, room - first - second]
    };
    let times: Vec<u64> = (0..100).flat_map(|_| cut(1000, &mut rng)).collect();
    let instance = equal_hosts(&times, 100);
    let mut packer = Packer::new(Alike::of(&instance).expect("equal hosts"), 1);
    let mapping = packer.repack(&instance, Ticks(1000), 20_000_000, &Stop::never());
    assert_eq!(mapping.expect("there is one").makespan(), Ticks(1000));
}

#[test]
fn levelling_never_makes_the_makespan_longer() {
    let mut rng = random(5);
    for round in 0..50 {
        let times: Vec<u64> = (0..30).map(|_| rng.random_range(1..1000)).collect();
        let instance = equal_hosts(&times, 4);
        let alike = Alike::of(&instance).expect("equal hosts");
        let start = alike.start(&instance);
        let lower = alike.bound(start.makespan(), &Stop::never()).value();
        let mut packer = Packer::new(alike, round);
        let levelled = packer.level(&instance, &start, lower, &Stop::never()).expect("some room");
        assert!(levelled.makespan() <= start.makespan() && levelled.makespan() >= lower);
    }
}

#[test]
fn sums_are_those_of_subsets_with_a_way_back() {
    let times = [70, 64, 63, 12, 12, 1];
    for limit in [0, 1, 63, 64, 65, 127, 128, 222, 300] {
        let mut sums = Sums::new(limit);
        for (item, &time) in times.iter().enumerate() {
            sums.add(time, item as u32);
        }
        let subset = |set: u32| (0..6).filter(move |&i| set >> i & 1 == 1);
        let all: Vec<u64> = (0..64).map(|set| subset(set).map(|i| times[i]).sum()).collect();
        for sum in 0..=limit {
            assert_eq!(sums.has(sum as usize), all.contains(&sum), "{sum} of {limit}");
            if sums.has(sum as usize) {
                let mut items = sums.items(sum, &times);
                assert_eq!(items.iter().map(|&item| times[item as usize]).sum::<u64>(), sum);
                items.sort_unstable();
                items.dedup();
                assert_eq!(items.iter().map(|&item| times[item as usize]).sum::<u64>(), sum);
            }
        }
        assert_eq!(Some(sums.largest()), all.iter().copied().filter(|&s| s <= limit).max());
    }
}
