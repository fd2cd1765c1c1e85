//! Bounds and packings beside brute force.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::sums::Sums;
use super::*;
use gridsat_model::InstanceParts;
use gridsat_model::io::{Format, Precision, ReadOptions, parse};

fn random(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

pub(super) fn equal_hosts(times: &[u64], hosts: usize) -> Instance {
    Instance::from_rows(times.iter().map(|&time| vec![time; hosts])).expect("valid")
}

/// The smallest makespan, host by host for every task.
pub(super) fn optimum(times: &[u64], hosts: usize) -> u64 {
    optimum_at(times, &vec![1; hosts], &vec![0; hosts])
}

/// The same for hosts on which a work takes so many times as long, ready at these times.
pub(super) fn optimum_at(works: &[u64], slowness: &[u64], ready: &[u64]) -> u64 {
    fn place(works: &[u64], slowness: &[u64], loads: &mut Vec<u64>) -> u64 {
        let Some((&work, rest)) = works.split_first() else {
            return loads.iter().copied().max().unwrap_or(0);
        };
        let on = |host: usize, loads: &mut Vec<u64>| {
            loads[host] += work * slowness[host];
            let best = place(rest, slowness, loads);
            loads[host] -= work * slowness[host];
            best
        };
        (0..loads.len()).map(|host| on(host, loads)).min().unwrap_or(0)
    }
    place(works, slowness, &mut ready.to_vec())
}

/// Hosts on which a work takes so many times as long, ready at these times.
pub(super) fn with_speeds(works: &[u64], slowness: &[u64], ready: &[u64]) -> Instance {
    let row = |&work: &u64| slowness.iter().map(|&slow| Some(Ticks(work * slow))).collect();
    let parts = InstanceParts {
        etc: works.iter().map(row).collect(),
        ready: ready.iter().map(|&ready| Ticks(ready)).collect(),
        ..InstanceParts::default()
    };
    Instance::new(parts).expect("valid")
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
        let bound = alike.bound(&instance, start.makespan(), &Stop::never());
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
        let lower =
            alike.bound(&instance, alike.start(&instance).makespan(), &Stop::never()).value();
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

/// A stop that counts how often it is asked ends repacking neither at once nor after seconds: it is
/// asked about once in 10,000 steps.
#[test]
fn repacking_looks_at_the_clock_now_and_then() {
    // Even times fill no host of an odd room, although all hosts together have just enough.
    let mut times: Vec<u64> =
        (0..10).flat_map(|host| [500 + 2 * host, 300, 200 - 2 * host]).collect();
    times[..5].iter_mut().for_each(|time| *time += 2);
    times.sort_unstable_by_key(|&time| Reverse(time));
    let rooms = Rooms::equal(10, 1001);
    assert_eq!(rooms.slack(&times), Some(0));
    let steps = |effort, looks| {
        let (rng, stop) = (&mut random(1), &Stop::after(looks));
        let (packing, steps) =
            repack::repack(&times, &rooms, &mut repack::Means { effort, rng, stop });
        assert_eq!(packing, None);
        steps
    };
    let all = steps(1_000_000, 120);
    assert!(all >= 1_000_000, "asked too often, after {all} steps");
    let few = steps(u64::MAX, 5);
    assert!((40_000..100_000).contains(&few), "{few} steps");
}

#[test]
fn levelling_never_makes_the_makespan_longer() {
    let mut rng = random(5);
    for round in 0..50 {
        let times: Vec<u64> = (0..30).map(|_| rng.random_range(1..1000)).collect();
        let instance = equal_hosts(&times, 4);
        let alike = Alike::of(&instance).expect("equal hosts");
        let start = alike.start(&instance);
        let lower = alike.bound(&instance, start.makespan(), &Stop::never()).value();
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

/// Some works, and some hosts with their speeds and ready times.
pub(super) fn random_speeds(rng: &mut ChaCha8Rng) -> (Vec<u64>, Vec<u64>, Vec<u64>) {
    let (n, m) = (rng.random_range(1..8), rng.random_range(2..5));
    let works = (0..n).map(|_| rng.random_range(0..30)).collect();
    let slowness: Vec<u64> = (0..m).map(|_| *[1, 2, 3, 6].choose(rng).expect("some")).collect();
    let ready = match rng.random() {
        true => vec![0; m],
        false => (0..m).map(|_| rng.random_range(0..20)).collect(),
    };
    (works, slowness, ready)
}

#[test]
fn hosts_with_speeds_are_solved_as_by_brute_force() {
    let mut rng = random(21);
    let mut kinds = [0; 4];
    for _ in 0..300 {
        let (works, slowness, ready) = random_speeds(&mut rng);
        let instance = with_speeds(&works, &slowness, &ready);
        let alike = Alike::of(&instance).expect("alike");
        let start = alike.start(&instance);
        let bound = alike.bound(&instance, start.makespan(), &Stop::never());
        let best = optimum_at(&works, &slowness, &ready);
        assert!(bound.value().0 <= best && best <= start.makespan().0, "{works:?} {slowness:?}");
        match bound.reason() {
            Some(Reason::Prices { .. }) => kinds[0] += 1,
            Some(Reason::Weights { .. }) => kinds[1] += 1,
            Some(Reason::LongestTask { .. }) => kinds[2] += 1,
            _ => kinds[3] += 1,
        }
        let solution = crate::solve::Solver::new().solve(&instance).expect("solved");
        assert_eq!(solution.makespan().ticks().0, best, "{works:?} {slowness:?} {ready:?}");
        assert!(solution.is_optimal(), "{works:?} {slowness:?} {ready:?}");
    }
    assert!(kinds.iter().all(|&kind| kind >= 10), "{kinds:?}");
}

#[test]
fn hosts_are_not_alike_if_one_task_differs() {
    let alike = Instance::from_rows([[2, 4], [3, 6], [5, 10]]).expect("valid");
    assert!(Alike::of(&alike).is_some());
    let other = Instance::from_rows([[200, 400], [300, 600], [500, 1001]]).expect("valid");
    assert!(Alike::of(&other).is_none());
}

#[test]
fn packings_of_hosts_with_speeds_keep_to_their_rooms() {
    let mut rng = random(22);
    let mut found = [0; 2];
    for seed in 0..100 {
        let works: Vec<u64> = (0..40).map(|_| rng.random_range(1..60)).collect();
        let instance = with_speeds(&works, &[1, 1, 2, 3, 3, 6], &[0, 5, 0, 0, 0, 30]);
        let alike = Alike::of(&instance).expect("alike");
        let lower = alike.bound(&instance, alike.start(&instance).makespan(), &Stop::never());
        let mut packer = Packer::new(alike, seed);
        let k = lower.value();
        let packed = packer.attempt(&instance, k, &Stop::never());
        let repacked = packer.repack(&instance, k, 200_000, &Stop::never());
        for (mapping, found) in [packed, repacked].into_iter().zip(&mut found) {
            *found += usize::from(mapping.is_some());
            assert!(mapping.is_none_or(|mapping| mapping.makespan() <= k));
        }
    }
    assert!(found[0] > 70 && found[1] > 70, "{found:?}");
}

/// Works as prices would make lists in the checker that it refuses.
#[test]
fn large_works_are_bounded_by_weights() {
    let mut rng = random(31);
    let works: Vec<u64> = (0..60).map(|_| rng.random_range(1_000_000..100_000_000)).collect();
    let instance = with_speeds(&works, &[2, 2, 3, 5], &[0; 4]);
    let mut solver = crate::solve::Solver::new().time_limit(std::time::Duration::from_secs(1));
    let solution = solver.solve(&instance).expect("the certificate is accepted");
    assert!(solution.gap() < 1e-3, "{}", solution.gap());
}

/// A rounded instance: its bounds differ by rounding only, and that ends the search. The same with
/// exact times has no such limit.
#[test]
fn rounded_times_are_no_reason_to_search_on() {
    let read = |text: &str, precision| {
        let options = ReadOptions { precision, ..ReadOptions::default() };
        parse(text.as_bytes(), "f", Format::Json, &options).expect("valid")
    };
    let rounding = |instance: &Instance| Alike::of(instance).map(|alike| alike.rounding());
    let text = r#"{"tasks": [7, 5, 5, 4, 3, 3, 2], "hosts": [{"speed": 3}, {"speed": 7}]}"#;
    let instance = read(text, Precision::Decimals(17));
    assert!(instance.is_rounded());
    assert_eq!(rounding(&instance), None, "no host has whole works");
    let exact = read(text, Precision::Fit);
    assert_eq!((exact.scale().parts(), rounding(&exact)), (21, Some(Ticks::ZERO)));
    let text = text.replace("7}", "7}, {}");
    let instance = read(&text, Precision::Decimals(17));
    assert_eq!((instance.is_rounded(), rounding(&instance)), (true, Some(Ticks(7))));
    let solution = crate::solve::Solver::new().solve(&instance).expect("solved");
    assert!(solution.makespan().ticks() - solution.lower_bound().ticks() <= Ticks(7));
    let exact = read(&text, Precision::Fit);
    assert_eq!(rounding(&exact), Some(Ticks::ZERO));
    assert!(crate::solve::Solver::new().solve(&exact).expect("solved").is_optimal());
}

/// Rooms that are too large for a table of sums, here of 10^9 ticks, also with equal tasks and on
/// hosts of two speeds.
#[test]
fn large_rooms_are_filled_to_the_tick() {
    let mut rng = random(47);
    let mut works: Vec<u64> = (0..150).map(|_| rng.random_range(1_000_000..100_000_000)).collect();
    works.extend_from_within(..10);
    for instance in
        [with_speeds(&works, &[1; 8], &[0; 8]), with_speeds(&works, &[2, 1, 1], &[0; 3])]
    {
        let alike = Alike::of(&instance).expect("alike");
        let lower =
            alike.bound(&instance, alike.start(&instance).makespan(), &Stop::never()).value();
        let mut packer = Packer::new(alike, 1);
        assert!(packer.can_pack_large(lower));
        let mut attempts = (0..40).map(|_| packer.attempt(&instance, lower, &Stop::never()));
        let packed = attempts.find_map(|packed| packed).expect("a packing");
        assert_eq!(packed.makespan(), lower);
    }
}
